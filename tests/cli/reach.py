#!/usr/bin/env python3
"""What a program does that tries hosts; each word is one try, and prints one line.

    reach.py TRY...

    get:URL            urllib
    say:HOST:PORT:X    sends the bytes of X (with \\r\\n as escapes), prints what
                       comes back
    echo:HOST:PORT     half a megabyte there and back, with a half close
    websocket:HOST     an upgrade, and what follows it
    udp:ADDRESS:PORT   a datagram
    lookup:NAME        its address
    many:HOST:N        so many connections at once
    stalled:HOST       one that reads nothing, then others beside it
    socket:FAMILY      whether there is such a socket
    names:BELOW:N      looks up so many names below this one: how many have an
                       address, how many have none, and the first again
    crowd:HOST:N       so many connections to port 80 that say nothing: how many
                       are refused while the rest stays open
    mark:FILE          makes it
"""
import resource, select, socket, struct, sys, threading, urllib.request


def get(url):
    with urllib.request.urlopen(url, timeout=20) as answer:
        return answer.read().decode().strip()


def connect(host, port):
    line = socket.create_connection((host, int(port)), timeout=20)
    line.settimeout(20)
    return line


def say(host, port, text):
    with connect(host, port) as line:
        line.sendall(text.encode().decode("unicode_escape").encode("latin1"))
        got = b""
        while b"\n" not in got or b"hello from" not in got:
            more = line.recv(4096)
            if not more:
                break
            got += more
        return got.decode("latin1").replace("\r", "").strip().split("\n")[-1]


def echo(host, port):
    sent = bytes(range(256)) * 2048
    with connect(host, port) as line:
        threading.Thread(target=lambda: (line.sendall(sent), line.shutdown(socket.SHUT_WR))).start()
        got = b""
        while more := line.recv(65536):
            got += more
    return "same" if got == b"220 hello\n" + sent else f"{len(got)} bytes"


def websocket(host):
    with connect(host, 80) as line:
        line.sendall(f"GET /websocket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n".encode())
        got = b""
        while b"open\n" not in got:
            got += line.recv(4096)
        line.sendall(b"ping\n")
        return line.recv(4096).decode().strip()


def udp(host, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(20)
        line.connect((host, int(port)))
        line.send(b"x")
        return line.recv(10)


def many(host, count):
    lines = [connect(host, 2525) for _ in range(int(count))]
    heads = {line.recv(10) for line in lines}
    for i, line in enumerate(lines):
        line.sendall(b"%06d" % i)
    good = sum(line.recv(6) == b"%06d" % i for i, line in enumerate(lines))
    return f"{good} {len(heads)}"


def stalled(host):
    stuck = connect(host, 2526)
    stuck.setblocking(False)
    try:
        while True:
            stuck.send(b"x" * 65536)
    except BlockingIOError:
        pass
    return get(f"http://{host}/bytes/3000000")[:3] + " " + echo(host, 2525)


def query(name):
    labels = b"".join(bytes([len(x)]) + x.encode() for x in name.split("."))
    return struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + b"\0\0\1\0\1"


def names(below, count):
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(20)
        line.connect(("127.0.0.1", 53))
        for start in range(0, int(count), 100):
            for i in range(start, min(start + 100, int(count))):
                line.send(query(f"n{i}.{below}"))
            found += [line.recv(512)[3] & 15 for _ in range(start, min(start + 100, int(count)))]
        line.send(query(f"n0.{below}"))
        first = line.recv(512)[3] & 15
    return f"{found.count(0)} {len(found) - found.count(0)} {first}"


def crowd(host, count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    address = socket.gethostbyname(host)
    lines, ends, at_once = [], select.poll(), 0
    for _ in range(int(count)):
        line = socket.socket()
        line.settimeout(60)
        try:
            line.connect((address, 80))
        except ConnectionError:
            at_once += 1
            continue
        lines.append(line)
        ends.register(line, 0)
    refused = set()
    # What is refused is so at once; the rest waits for the first bytes.
    while ready := ends.poll(1000):
        for fd, _ in ready:
            refused.add(fd)
            ends.unregister(fd)
    for line in lines:
        line.close()
    return f"{len(refused) + at_once} refused"


def make_socket(family):
    kind = socket.SOCK_STREAM if family == "AF_VSOCK" else socket.SOCK_RAW
    socket.socket(getattr(socket, family), kind, socket.IPPROTO_ICMP if family == "AF_INET" else 0)
    return "made"


for word in sys.argv[1:]:
    name, _, rest = word.partition(":")
    try:
        if name == "get":
            print(get(rest))
        elif name == "say":
            print(say(*rest.split(":", 2)))
        elif name == "echo":
            print(echo(*rest.split(":")))
        elif name == "websocket":
            print(websocket(rest))
        elif name == "udp":
            print(udp(*rest.split(":")))
        elif name == "lookup":
            print(socket.gethostbyname(rest))
        elif name == "many":
            print(many(*rest.split(":")))
        elif name == "names":
            print(names(*rest.split(":")))
        elif name == "crowd":
            print(crowd(*rest.split(":")), flush=True)
        elif name == "mark":
            open(rest, "w").close()
        elif name == "stalled":
            print(stalled(rest))
        else:
            print(make_socket(rest))
    except OSError as error:
        cause = getattr(error, "reason", error)
        print(type(cause).__name__)
