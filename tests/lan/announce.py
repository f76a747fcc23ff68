#!/usr/bin/env python3
"""Says things on mDNS that no honest copy of this program says: announce.py IP KIND.

  newer     a table of a player whose program speaks a newer protocol
  stranger  another program's peer under libp2p's own service name, and printers
  noise     many players that do not exist, records that cannot be read, bytes that are no packet, sixty a second
"""
import os
import random
import socket
import struct
import sys
import time

GROUP, PORT = "224.0.0.251", 5353
SERVICE = "_shamans._tcp.local"
PTR, TXT, SRV, A = 12, 16, 33, 1


def name(text):
    return b"".join(bytes([len(part)]) + part for part in (part.encode() for part in text.split("."))) + b"\0"


def record(owner, kind, data, ttl=10):
    flush = 0x8001 if kind != PTR else 1
    return name(owner) + struct.pack(">HHIH", kind, flush, ttl, len(data)) + data


def packet(service, instance, ip, port, pairs):
    full, host = f"{instance}.{service}", f"{instance}.local"
    texts = b"".join(bytes([len(pair)]) + pair for pair in pairs)
    answers = [
        record(service, PTR, name(full)),
        record(full, SRV, struct.pack(">HHH", 0, 0, port) + name(host)),
        record(full, TXT, texts or b"\0"),
        record(host, A, socket.inet_aton(ip)),
    ]
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers)


def player(ip, number, version=1, table=None, port=47077):
    key = random.Random(number).randbytes(32).hex()
    pairs = [f"v={version}", f"id={key}", f"run={number:x}", f"n=Player {number}"]
    if table:
        pairs += [f"t={number:x}", f"tn={table}", "ts=3", "tt=open", f"w0=Player {number}"]
    pairs += [f"b={random.randrange(1 << 30)}"]
    return packet(SERVICE, f"{key[:16]}-{number:08x}", ip, port, [pair.encode() for pair in pairs])


def main():
    ip, kind = sys.argv[1:]
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((ip, PORT))
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(ip))
    number = 0
    while True:
        if kind == "newer":
            said = [player(ip, 7, version=9, table="Tomorrow")]
        elif kind == "stranger":
            said = [
                packet("_p2p._udp.local", "12D3KooWStranger", ip, 4001, [b"dnsaddr=/ip4/10.77.0.2/tcp/4001"]),
                packet("_ipp._tcp.local", "Printer", ip, 631, [b"txtvers=1"]),
                # Our service, but nothing of what belongs there.
                packet(SERVICE, "empty", ip, 1, []),
                packet(SERVICE, "joker", ip, 1, [b"v=1", b"id=zz", b"n=Joker", b"run=1"]),
            ]
        else:
            number += 1
            said = [
                player(ip, number, table=f"Table {number}"),
                os.urandom(random.randrange(1, 1400)),
                packet(SERVICE, f"x{number}", ip, 1, [os.urandom(250)] * 4),
            ]
        for data in said:
            sock.sendto(data, (GROUP, PORT))
        time.sleep(0.05 if kind == "noise" else 1)


if __name__ == "__main__":
    main()
