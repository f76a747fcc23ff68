"""A switch in user space: forwards every frame to every other port, late and not always."""
import heapq
import random
import select
import socket
import threading
import time

ETH_P_ALL = 3
OUTGOING = 4


class Switch:
    def __init__(self, ports, delay_ms, jitter_ms, loss):
        self.delay, self.jitter, self.loss = delay_ms / 1000, jitter_ms / 1000, loss
        self.sockets = []
        for port in ports:
            sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            sock.bind((port, 0))
            sock.setblocking(False)
            self.sockets.append(sock)
        self.running = False
        self.lost = self.passed = 0
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        self.running = True
        self.thread.start()

    def stop(self):
        self.running = False
        self.thread.join(2)
        for sock in self.sockets:
            sock.close()

    def run(self):
        waiting, number = [], 0
        last = {}
        while self.running:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, frame, to = heapq.heappop(waiting)
                try:
                    to.send(frame)
                except OSError:
                    self.lost += 1
            pause = min(0.05, waiting[0][0] - now) if waiting else 0.05
            ready, _, _ = select.select(self.sockets, [], [], max(pause, 0))
            for sock in ready:
                try:
                    frame, address = sock.recvfrom(65535)
                except OSError:
                    continue
                if address[2] == OUTGOING:
                    continue
                for to in self.sockets:
                    if to is sock:
                        continue
                    if random.random() < self.loss:
                        self.lost += 1
                        continue
                    self.passed += 1
                    number += 1
                    due = time.monotonic() + self.delay + random.random() * self.jitter
                    # A cable does not reorder.
                    due = last[sock, to] = max(due, last.get((sock, to), 0))
                    heapq.heappush(waiting, (due, number, frame, to))
