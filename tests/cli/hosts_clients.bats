#!/usr/bin/env bats
# bats file_tags=full
# Programs that reach a host by its name, without a variable: one case each. What
# is not installed is skipped. The servers are in a network of the test's own.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work/world/repository"
	cd "$BATS_TEST_TMPDIR/work" || return
	cp "$BATS_TEST_DIRNAME/outside.py" .
	echo true >serve
}

# installed PROGRAM...: unlike `need` never a failure.
installed() {
	local program
	for program in python3 openssl "$@"; do
		command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# prints TEXT: the script `try` prints this in a run that reaches good.example.
# The script `serve` is run outside of it before.
prints() {
	local status=0
	run --separate-stderr python3 outside.py world bash -c \
		'source ./serve; "$WRIT" run --sandbox workspace --host good.example --env HOME="$PWD" -- bash try' 3>&-
	[[ $status != 77 ]] || skip 'no network of its own can be made here'
	[[ $output == "$1" ]] || show_run
}

hello='hello from good.example'

# A server of HTTP/2 at port 9443, and of WebSocket at 9080.
node_server() {
	cat >server.js <<-'EOF'
		const fs = require("fs"), http = require("http"), http2 = require("http2"), crypto = require("crypto")
		http2.createSecureServer({key: fs.readFileSync("world/key.pem"), cert: fs.readFileSync("world/ca.pem")},
			(request, response) => response.end("hello by " + request.httpVersion + "\n")).listen(9443, "203.0.113.10", () =>
		http.createServer().on("upgrade", (request, line) => {
			const accept = crypto.createHash("sha1").update(request.headers["sec-websocket-key"] +
				"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64")
			line.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
				accept + "\r\n\r\n")
			line.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from("hello")]))
		}).listen(9080, "203.0.113.10", () => fs.writeFileSync("served", "")))
	EOF
	cat >serve <<-'EOF'
		node server.js &
		server=$!
		trap 'kill $server' EXIT
		while ! test -e served; do sleep 0.05; done
	EOF
}

@test "curl: http, https, HTTP/2" {
	installed curl node
	node_server
	cat >try <<-'EOF'
		curl -s http://good.example/
		curl -s --cacert world/ca.pem https://good.example/
		curl -s --http2 --cacert world/ca.pem https://good.example:9443/
	EOF
	prints "$hello"$'\n'"$hello"$'\nhello by 2.0'
}

@test "wget" {
	installed wget
	echo 'wget -q -O - http://good.example/; wget -q -O - --ca-certificate=world/ca.pem https://good.example/' >try
	prints "$hello"$'\n'"$hello"
}

@test "node: fetch, http, https, HTTP/2, WebSocket" {
	installed node
	node_server
	cat >client.js <<-'EOF'
		const http = require("http"), http2 = require("http2"), https = require("https")
		const show = answer => new Promise(done => answer.on("data", d => process.stdout.write(d)).on("end", done))
		const get = (from, url) => new Promise(done => from.get(url, answer => show(answer).then(done)))
		const main = async () => {
			process.stdout.write(await (await fetch("http://good.example/")).text())
			await get(http, "http://good.example/")
			await get(https, "https://good.example/")
			const session = http2.connect("https://good.example:9443")
			await show(session.request({":path": "/"}))
			session.close()
			if (typeof WebSocket === "undefined") return console.log("hello")
			const line = new WebSocket("ws://good.example:9080/")
			line.onmessage = message => { console.log(message.data); process.exit() }
		}
		main()
	EOF
	echo 'NODE_EXTRA_CA_CERTS=world/ca.pem NODE_NO_WARNINGS=1 node $(node --experimental-websocket -e 0 2>/dev/null && echo --experimental-websocket) client.js' >try
	prints "$hello"$'\n'"$hello"$'\n'"$hello"$'\nhello by 2.0\nhello'
}

@test "python: urllib, asyncio, sockets" {
	installed
	cat >client.py <<-'EOF'
		import asyncio, socket, urllib.request
		print(urllib.request.urlopen("http://good.example/").read().decode().strip())
		async def main():
		    reader, writer = await asyncio.open_connection("good.example", 80)
		    writer.write(b"GET / HTTP/1.0\r\nHost: good.example\r\n\r\n")
		    print((await reader.read()).decode().split("\n")[-2])
		asyncio.run(main())
		with socket.create_connection(("good.example", 2525)) as line:
		    print(line.recv(100).decode().strip())
	EOF
	echo 'python3 client.py' >try
	prints "$hello"$'\n'"$hello"$'\n220 hello'
}

@test "python: requests" {
	installed
	python3 -c 'import requests' 2>/dev/null || skip 'requests is not installed'
	echo 'python3 -c "import requests; print(requests.get(\"https://good.example/\", verify=\"world/ca.pem\").text.strip())"' >try
	prints "$hello"
}

@test "pip" {
	installed
	python3 -m pip --version >/dev/null 2>&1 || skip 'pip is not installed'
	python3 - <<-'EOF'
		import zipfile
		with zipfile.ZipFile("world/repository/left-1.0-py3-none-any.whl", "w") as wheel:
		    wheel.writestr("left.py", "")
		    wheel.writestr("left-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: left\nVersion: 1.0\n")
		    wheel.writestr("left-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
		    wheel.writestr("left-1.0.dist-info/RECORD", "")
		open("world/repository/links.html", "w").write('<a href="left-1.0-py3-none-any.whl">left</a>')
	EOF
	cat >try <<-'EOF'
		python3 -m pip download -q --no-index --disable-pip-version-check --trusted-host good.example --no-cache-dir -d got \
			-f http://good.example/repository/links.html left
		ls got
	EOF
	prints left-1.0-py3-none-any.whl
}

@test "npm" {
	installed npm
	mkdir -p package world/repository/npm
	echo '{"name":"left","version":"1.0.0"}' >package/package.json
	tar -czf world/repository/npm/left-1.0.0.tgz package
	echo '{"name":"left","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"left","version":"1.0.0","dist":{"tarball":"http://good.example/repository/npm/left-1.0.0.tgz"}}}}' \
		>world/repository/npm/left
	echo '{"name":"app","version":"1.0.0"}' >package.json
	echo 'npm install --silent --no-audit --no-fund --registry http://good.example/repository/npm/ left >&2; ls node_modules' >try
	prints left
}

@test "java" {
	installed java javac
	cat >Client.java <<-'EOF'
		import java.net.URI;
		import java.net.http.*;
		class Client {
			public static void main(String[] words) throws Exception {
				System.out.print(HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create("http://good.example/")).build(),
					HttpResponse.BodyHandlers.ofString()).body());
			}
		}
	EOF
	echo 'java Client.java' >try
	prints "$hello"
}

@test "go: a program without and with cgo, and its modules" {
	installed go gcc
	mkdir -p world/repository/go/good.example/m/@v app module/good.example/m@v1.0.0
	printf 'module good.example/m\n\ngo 1.16\n' | tee world/repository/go/good.example/m/@v/v1.0.0.mod >module/good.example/m@v1.0.0/go.mod
	echo 'package m' >module/good.example/m@v1.0.0/m.go
	echo v1.0.0 >world/repository/go/good.example/m/@v/list
	echo '{"Version":"v1.0.0"}' >world/repository/go/good.example/m/@v/v1.0.0.info
	python3 -c 'import shutil; shutil.make_archive("m", "zip", "module", "good.example/m@v1.0.0")'
	mv m.zip world/repository/go/good.example/m/@v/v1.0.0.zip
	printf 'module app\n\ngo 1.16\n\nrequire good.example/m v1.0.0\n' >app/go.mod
	cat >app/main.go <<-'EOF'
		package main

		import (
			"fmt"
			"net"
			"os"
		)

		func main() {
			line, err := net.Dial("tcp", "good.example:2525")
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			room := make([]byte, 9)
			line.Read(room)
			fmt.Println(string(room))
		}
	EOF
	cat >try <<-'EOF'
		export GOPATH=$PWD/gopath GOCACHE=$PWD/gocache GOTOOLCHAIN=local GOFLAGS=-mod=mod GOSUMDB=off
		export GOPROXY=http://good.example/repository/go
		cd app
		go mod download -x good.example/m 2>/dev/null && ls "$GOPATH"/pkg/mod/good.example
		CGO_ENABLED=0 go run main.go
		CGO_ENABLED=1 go run main.go
	EOF
	prints $'m@v1.0.0\n220 hello\n220 hello'
}

@test "cargo" {
	installed cargo rustc
	mkdir -p app/src app/.cargo world/repository/cargo/le/ft left-1.0.0/src
	printf '[package]\nname = "left"\nversion = "1.0.0"\n' >left-1.0.0/Cargo.toml
	: >left-1.0.0/src/lib.rs
	tar -czf world/repository/left-1.0.0.crate left-1.0.0
	echo '{"dl":"http://good.example/repository/{crate}-{version}.crate"}' >world/repository/cargo/config.json
	echo "{\"name\":\"left\",\"vers\":\"1.0.0\",\"deps\":[],\"cksum\":\"$(sha256sum world/repository/left-1.0.0.crate | cut -d ' ' -f 1)\",\"features\":{},\"yanked\":false}" \
		>world/repository/cargo/le/ft/left
	printf '[registries.own]\nindex = "sparse+http://good.example/repository/cargo/"\n' >app/.cargo/config.toml
	printf '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nleft = { version = "1", registry = "own" }\n' >app/Cargo.toml
	: >app/src/lib.rs
	rustup=$(command -v rustup >/dev/null && rustup show home)
	cat >try <<-EOF
		export CARGO_HOME=\$PWD/home ${rustup:+RUSTUP_HOME=$rustup}
		cd app && cargo fetch -q && ls ../home/registry/src/*
	EOF
	prints left-1.0.0
}

@test "git over http and ssh" {
	installed git ssh
	git init -q --bare world/repository/r.git
	git -C world/repository/r.git symbolic-ref HEAD refs/heads/main
	git -C world/repository/r.git -c user.name=a -c user.email=a@b commit-tree -m x \
		"$(git -C world/repository/r.git mktree </dev/null)" >id
	git -C world/repository/r.git update-ref refs/heads/main "$(cat id)"
	git -C world/repository/r.git update-server-info
	# What answers there sends the client's own words back: enough to see that ssh has come through.
	cat >try <<-'EOF'
		git clone -q http://good.example/repository/r.git clone && git -C clone log --format=%s
		GIT_SSH_COMMAND='timeout -s KILL 10 ssh -v -p 2525 -o StrictHostKeyChecking=no' git ls-remote ssh://good.example/r 2>&1 | grep -o 'Remote protocol version 2.0'
	EOF
	prints $'x\nRemote protocol version 2.0'
}

@test "psql" {
	installed psql
	echo 'psql "host=good.example port=2525 connect_timeout=20 sslmode=disable user=x" -c "select 1" 2>&1 | grep -o "expected authentication request"' >try
	prints 'expected authentication request'
}
