"""Measures connections to a host: client.py HOST; or holds so many of them open
until its input ends: client.py HOST COUNT."""
import json, socket, sys, threading, time

HOST = sys.argv[1]
CONNECTIONS = 500
ONE = 1 << 29
SIXTEEN = 1 << 25


def connect_us():
    address = socket.gethostbyname(HOST)
    times = []
    for _ in range(CONNECTIONS):
        began = time.perf_counter()
        with socket.create_connection((address, 2525)) as line:
            line.recv(10)
            times.append(time.perf_counter() - began)
    times.sort()
    return times[len(times) // 2] * 1e6


def fetch(count):
    with socket.create_connection((HOST, 80)) as line:
        line.sendall(b"GET /bytes/%d HTTP/1.1\r\nHost: good.example\r\n\r\n" % count)
        room, got = bytearray(1 << 18), 0
        while got < count:
            n = line.recv_into(room)
            if n == 0:
                break
            got += n


def megabytes_per_second(threads, count):
    lines = [threading.Thread(target=fetch, args=(count,)) for _ in range(threads)]
    began = time.perf_counter()
    for line in lines:
        line.start()
    for line in lines:
        line.join()
    return threads * count / (time.perf_counter() - began) / 1e6


if len(sys.argv) > 2:
    held = [socket.create_connection((HOST, 2525)) for _ in range(int(sys.argv[2]))]
    for line in held:
        line.recv(10)
    print("ready", flush=True)
    sys.stdin.read()
else:
    print(json.dumps({"connect us": connect_us(), "one MB/s": megabytes_per_second(1, ONE),
                      "sixteen MB/s": megabytes_per_second(16, SIXTEEN)}))
