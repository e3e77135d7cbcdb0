# What forward.bats uses: servers and clients. forward.py WORD ADDRESS
import os
import socket
import struct
import sys
import threading

MEGA = os.urandom(1 << 20)


def make(address):
    if address.startswith("/"):
        return socket.socket(socket.AF_UNIX), address
    host, port = address.rsplit(":", 1)
    return socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET), (host, int(port))


def connect(address):
    sock, where = make(address)
    sock.settimeout(60)
    sock.connect(where)
    return sock


def rest_of(sock):
    parts = []
    while part := sock.recv(65536):
        parts.append(part)
    return b"".join(parts)


# Gives back what it gets, and END after the end of it; "reset" resets.
def serve_one(sock):
    first = sock.recv(65536)
    if first == b"reset":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
        return
    sock.sendall(first)
    while part := sock.recv(65536):
        sock.sendall(part)
    sock.sendall(b"END")
    sock.close()


# serve ADDRESS FILE: FILE is made when it listens.
def serve(address, ready):
    sock, where = make(address)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(where)
    sock.listen(200)
    open(ready, "w").close()
    while True:
        client = sock.accept()[0]
        threading.Thread(target=serve_one, args=(client,), daemon=True).start()


# Eight megabytes there and back at once; then half of it is closed.
def echo(address):
    sock = connect(address)

    def send():
        for _ in range(8):
            sock.sendall(MEGA)
        sock.shutdown(socket.SHUT_WR)

    sender = threading.Thread(target=send)
    sender.start()
    got = rest_of(sock)
    sender.join()
    print("same" if got == MEGA * 8 + b"END" else f"{len(got)} bytes")


def reset(address):
    sock = connect(address)
    sock.sendall(b"reset")
    try:
        print("end" if sock.recv(1) == b"" else "bytes")
    except ConnectionResetError:
        print("reset")


# A peer that reads nothing holds up nobody else.
def stalled(address):
    slow = connect(address)
    slow.setblocking(False)
    sent = 0
    try:
        while sent < 64 << 20:
            sent += slow.send(MEGA)
    except BlockingIOError:
        pass
    quick = connect(address)
    quick.sendall(b"quick")
    quick.shutdown(socket.SHUT_WR)
    print(rest_of(quick).decode(), "after", "a stall" if sent < 64 << 20 else "no stall")


# More at once than a forwarder has places for.
def many(address):
    socks = [connect(address) for _ in range(160)]
    for sock in socks:
        sock.sendall(b"x")
    for sock in socks:
        sock.shutdown(socket.SHUT_WR)
    print(sum(rest_of(sock) == b"xEND" for sock in socks))


# A client that resets takes nobody else's connection along.
def rude(address):
    for _ in range(20):
        sock = connect(address)
        sock.sendall(b"x")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
    echo(address)


def ask(address):
    try:
        sock = connect(address)
        sock.sendall(b"hello")
        sock.shutdown(socket.SHUT_WR)
        print(rest_of(sock).decode() or "closed")
    except OSError as error:
        print(type(error).__name__)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
