#!/usr/bin/env python3
"""An outside world for tests of the network by host: a network of its own, with
a DNS server and hosts, in which COMMAND runs.

    outside.py [--no-nft] [--proxy] [--user] DIRECTORY COMMAND...

What happens there is in DIRECTORY: names (that the DNS was asked for), packets
(where something was sent, one place a line), requests (of HTTP), proxied (hosts
that the proxy was asked for). The certificate is in ca.pem.

--no-nft: nobody can make rules of nftables. --proxy: the hosts are reached
through a proxy alone, whose user is ann and whose password is s3cret. --user:
COMMAND is an ordinary user, who has no rights in that network.
"""
import base64, ctypes, os, socket, socketserver, ssl, struct, subprocess, sys, threading, http.server

HOSTS = {
    "good.example": ["203.0.113.10"],
    "api.good.example": ["203.0.113.11"],
    "evil.example": ["203.0.113.66"],
    "two.example": ["203.0.113.99", "203.0.113.10"],  # the first is closed
    "closed.example": ["203.0.113.99"],
    "private.example": ["10.1.2.3"],
    "metadata.example": ["169.254.169.254"],
    "loopback.example": ["127.0.0.1"],
    "proxy.example": ["203.0.113.80"],
}
HOSTS6 = {
    "six.example": ["2001:db8::10"],
    "local6.example": ["fd00::10"],
    "mapped.example": ["::ffff:10.1.2.3"],
    "self6.example": ["::1"],
}
HOSTS["long.example"] = ["203.0.113.10"] * 40  # too long for one packet
DNS = "203.0.113.53"
CLOSED = "203.0.113.99"
libc = ctypes.CDLL(None, use_errno=True)


def must(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), what)


CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000


def become(number, uid, gid):
    """This user, in the user namespace that we have just made."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{number} {uid} 1"), ("gid_map", f"{number} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def become_ordinary():
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(CLONE_NEWUSER), "unshare")
    become(1000, uid, gid)


def enter():
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(CLONE_NEWNS | CLONE_NEWNET | (CLONE_NEWUSER if uid else 0)), "unshare")
    if uid:
        become(0, uid, gid)
    must(libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None), "private mounts")


def add_address(address):
    """RTM_NEWADDR, on lo."""
    body = struct.pack("=BBBBI", 2, 32, 0, 0, 1) + struct.pack("=HH", 8, 2) + socket.inet_aton(address)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as line:
        line.send(struct.pack("=IHHII", 16 + len(body), 20, 0x1 | 0x4 | 0x400, 1, 0) + body)
        error = struct.unpack("=i", line.recv(4096)[16:20])[0]
        if error != 0:
            raise OSError(-error, "netlink")


def add_address6(address):
    """The same for IPv6, at once: without looking for others that have it."""
    body = struct.pack("=BBBBI", 10, 128, 2, 0, 1) + struct.pack("=HH", 20, 1) + socket.inet_pton(socket.AF_INET6, address)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as line:
        line.send(struct.pack("=IHHII", 16 + len(body), 20, 0x1 | 0x4 | 0x400, 1, 0) + body)
        return struct.unpack("=i", line.recv(4096)[16:20])[0] == 0


def make_network():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        import fcntl
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 0x41))  # up
    addresses = {a for list in HOSTS.values() for a in list} | {DNS}
    for address in sorted(addresses - {CLOSED}):
        if not address.startswith("127."):
            add_address(address)
    return all(add_address6(address) for address in ("2001:db8::10", "fd00::10"))


def note(place, name, text):
    with open(os.path.join(place, name), "a") as file:
        file.write(text + "\n")


def name_reply(place, query, is_tcp):
    at, labels = 12, []
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode("latin1"))
        at += 1 + query[at]
    name, kind = ".".join(labels).lower(), struct.unpack(">H", query[at + 1:at + 3])[0]
    note(place, "names", name)
    found = {1: HOSTS, 28: HOSTS6}.get(kind, {}).get(name, [])
    flags = 0x8180 | (0 if name in HOSTS or name in HOSTS6 else 3)
    if len(found) > 20 and not is_tcp:
        flags, found = flags | 0x200, []
    reply = query[:2] + struct.pack(">HHHHH", flags, 1, len(found), 0, 0) + query[12:at + 5]
    for address in found:
        data = socket.inet_pton(socket.AF_INET if kind == 1 else socket.AF_INET6, address)
        reply += b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data
    return reply


def answer_names(place):
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind((DNS, 53))
    while True:
        query, sender = line.recvfrom(512)
        line.sendto(name_reply(place, query, False), sender)


class Names(socketserver.BaseRequestHandler):
    place = None

    def handle(self):
        with self.request.makefile("rwb") as line:
            query = line.read(struct.unpack(">H", line.read(2))[0])
            reply = name_reply(self.place, query, True)
            line.write(struct.pack(">H", len(reply)) + reply)


def count_packets(place, line):
    """Every packet that begins something here, whoever sent it."""
    seen = set()
    while True:
        packet = line.recv(200)
        head = (packet[0] & 15) * 4
        to, protocol = socket.inet_ntoa(packet[16:20]), packet[9]
        if protocol == 6 and packet[head + 13] & 0x12 == 0x02 or protocol == 17:
            port = struct.unpack(">H", packet[head + 2:head + 4])[0]
            begins = f"{to} {'tcp' if protocol == 6 else 'udp'} {port}"
        elif protocol not in (1, 6):
            begins = f"{to} protocol {protocol}"
        else:
            continue
        # Answers of the DNS server go to whatever port had asked.
        if begins not in seen and to != DNS and not (protocol == 17 and port > 1024):
            seen.add(begins)
            note(place, "packets", begins)


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    place = None

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path.endswith(".html") else "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        note(self.place, "requests", f"{self.headers.get('Host')} {self.path}")
        if self.path == "/websocket":
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.end_headers()
            self.wfile.write(b"open\n")
            self.wfile.flush()
            self.wfile.write(b"echo " + self.rfile.readline())
            self.close_connection = True
        elif self.path.startswith("/bytes/"):
            left = int(self.path[7:])
            self.send_response(200)
            self.send_header("Content-Length", str(left))
            self.end_headers()
            while left > 0:
                self.wfile.write(b"x" * min(left, 65536))
                left -= min(left, 65536)
        elif self.path.startswith("/repository/"):
            path = os.path.join(self.place, self.path[1:].split("?")[0])
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    self.answer(file.read())
            else:
                self.send_error(404)
        else:
            self.answer(b"hello from %s\n" % self.headers.get("Host", "nobody").encode())

    def do_POST(self):
        count = 0
        if self.headers.get("Transfer-Encoding") == "chunked":
            size = int(self.rfile.readline(), 16)
            while size > 0:
                count += len(self.rfile.read(size))
                self.rfile.readline()
                size = int(self.rfile.readline(), 16)
            self.rfile.readline()
        else:
            count = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(b"got %d\n" % count)

    def log_message(self, *_):
        pass


class Echo(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            self.request.sendall(b"220 hello\n")
            while data := self.request.recv(65536):
                self.request.sendall(data)
        except OSError:
            pass


class Silent(socketserver.BaseRequestHandler):
    """Reads nothing until its client is gone."""

    def handle(self):
        self.request.sendall(b"220 hello\n")
        threading.Event().wait(30)


class Proxy(socketserver.BaseRequestHandler):
    place = None

    def handle(self):
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.request.recv(4096)
        words = head.split()
        if words[0] != b"CONNECT" or b"Basic " + base64.b64encode(b"ann:s3cret") not in head:
            self.request.sendall(b"HTTP/1.1 407 Who\r\n\r\n")
            return
        note(self.place, "proxied", words[1].decode())
        name, port = words[1].decode().split(":")
        try:
            there = socket.create_connection((HOSTS[name][0], int(port)))
        except OSError:
            self.request.sendall(b"HTTP/1.1 502 No\r\n\r\n")
            return
        self.request.sendall(b"HTTP/1.1 200 Yes\r\n\r\n")
        other = threading.Thread(target=self.copy, args=(there, self.request), daemon=True)
        other.start()
        self.copy(self.request, there)
        other.join()

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def count_packets6(place, line):
    seen = set()
    while True:
        packet = line.recv(200)
        to = socket.inet_ntop(socket.AF_INET6, packet[24:40])
        if packet[6] == 6 and packet[40 + 13] & 0x12 == 0x02 and to not in seen:
            seen.add(to)
            note(place, "packets", f"{to} tcp {struct.unpack('>H', packet[42:44])[0]}")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 4096

    def handle_error(self, *_):
        pass  # clients that are refused leave in every possible way


class Server6(Server):
    address_family = socket.AF_INET6

    def server_bind(self):
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        super().server_bind()


def serve(handler, port, context=None, address="0.0.0.0"):
    server = (Server6 if ":" in address else Server)((address, port), handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def make_certificate(place):
    names = ",".join(f"DNS:{name}" for name in HOSTS)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", f"{place}/key.pem",
                    "-out", f"{place}/ca.pem", "-subj", "/CN=test", "-addext", f"subjectAltName={names}"],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{place}/ca.pem", f"{place}/key.pem")
    context.set_alpn_protocols(["http/1.1"])
    return context


def forbid_nft():
    """socket(AF_NETLINK, any, NETLINK_NETFILTER): EPROTONOSUPPORT."""
    number = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
    code = [(0x20, 0, 0, 0), (0x15, 0, 5, number), (0x20, 0, 0, 16), (0x15, 0, 3, 16), (0x20, 0, 0, 32),
            (0x15, 0, 1, 12), (0x06, 0, 0, 0x50000 | 93), (0x06, 0, 0, 0x7FFF0000)]
    bytes_of = b"".join(struct.pack("HBBI", *row) for row in code)
    buffer = ctypes.create_string_buffer(bytes_of, len(bytes_of))
    program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(buffer))
    must(libc.prctl(38, 1, 0, 0, 0), "no_new_privs")
    must(libc.prctl(22, 2, ctypes.create_string_buffer(program, len(program)), 0, 0), "seccomp")


def main():
    words = sys.argv[1:]
    options = set()
    while words and words[0].startswith("--"):
        options.add(words.pop(0))
    place = words.pop(0)
    os.makedirs(place, exist_ok=True)
    for name in ("names", "packets", "requests", "proxied"):
        open(os.path.join(place, name), "w").close()
    context = make_certificate(place)
    try:
        enter()
    except OSError as error:
        print(f"outside.py: {error}", file=sys.stderr)
        sys.exit(77)
    has_six = make_network()
    with open(os.path.join(place, "resolv.conf"), "w") as file:
        file.write(f"nameserver {DNS}\n")
    must(libc.mount(os.path.join(place, "resolv.conf").encode(), b"/etc/resolv.conf", None, 4096, None), "resolv.conf")
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
    threading.Thread(target=count_packets, args=(place, packets), daemon=True).start()
    threading.Thread(target=answer_names, args=(place,), daemon=True).start()
    Pages.place = Proxy.place = Names.place = place
    serve(Names, 53, address=DNS)
    if has_six:
        open(os.path.join(place, "six"), "w").close()
        serve(Pages, 80, address="::")
        packets6 = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86dd))
        threading.Thread(target=count_packets6, args=(place, packets6), daemon=True).start()
    for port, with_tls in ((80, False), (443, True), (8080, False), (8443, True)):
        serve(Pages, port, context if with_tls else None)
    serve(Echo, 2525)
    serve(Silent, 2526)
    if "--proxy" in options:
        serve(Proxy, 3128, address=HOSTS["proxy.example"][0])
    if "--no-nft" in options:
        forbid_nft()
    sys.exit(subprocess.run(words, preexec_fn=become_ordinary if "--user" in options else None).returncode)


main()
