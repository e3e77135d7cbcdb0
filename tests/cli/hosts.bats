#!/usr/bin/env bats
# The network by host: what runs reach, and what they do not. The hosts are in a
# network of the test's own, with a DNS server.
# shellcheck disable=SC2016,SC2154
load helpers
load running

setup() {
	need python3 openssl
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	cp "$BATS_TEST_DIRNAME/outside.py" "$BATS_TEST_DIRNAME/reach.py" .
	options=()
}

teardown() {
	"$WRIT" session end --all --force --quiet 2>/dev/null || true
}

# outside COMMAND...: in the world of outside.py.
outside() {
	local status=0
	python3 outside.py "${options[@]}" world "$@" 3>&- || status=$?
	[[ $status != 77 ]] || skip 'no network of its own can be made here'
	return "$status"
}

# reaches HOSTS TRY...: a run that may reach HOSTS, a list with blanks.
reaches() {
	local hosts=() host
	for host in $1; do hosts+=(--host "$host"); done
	shift
	outside "$WRIT" run --sandbox workspace "${hosts[@]}" -- python3 reach.py "$@"
}

packets() { sort -u world/packets; }

# bats test_tags=smoke
@test "a host is reached by its name, and no other" {
	run -0 --separate-stderr reaches good.example get:http://good.example/ lookup:good.example \
		get:http://evil.example/ lookup:api.good.example
	expect_stdout $'hello from good.example\n198.18.0.1\ngaierror\ngaierror'
	# Nothing left for others, not even a question.
	run -0 cat world/names
	expect_stdout good.example
	run -0 packets
	expect_stdout '203.0.113.10 tcp 80'
}

@test "names below a name, ports, and addresses" {
	run -0 --separate-stderr reaches '*.good.example:8080 203.0.113.66:80' \
		get:http://api.good.example:8080/ get:http://api.good.example/ lookup:good.example \
		get:http://203.0.113.66/ get:http://203.0.113.66:8080/ get:http://203.0.113.10/
	expect_stdout $'hello from api.good.example:8080\nConnectionResetError\ngaierror\nhello from 203.0.113.66\nConnectionResetError\nConnectionResetError'
	run -0 packets
	expect_stdout $'203.0.113.11 tcp 8080\n203.0.113.66 tcp 80'
}

@test "names of private addresses are refused, unless the address is listed" {
	run -0 --separate-stderr reaches 'private.example metadata.example loopback.example two.example' \
		get:http://private.example/ get:http://metadata.example/ get:http://loopback.example/ \
		get:http://two.example/ get:http://10.1.2.3/ get:http://169.254.169.254/
	expect_stdout $'ConnectionResetError\nConnectionResetError\nConnectionResetError\nhello from two.example\nConnectionResetError\nConnectionResetError'
	run -0 packets
	expect_stdout '203.0.113.10 tcp 80'
	run -0 --separate-stderr reaches 'private.example 10.0.0.0/8 metadata.example 0.0.0.0/0' \
		get:http://private.example/ get:http://metadata.example/
	expect_stdout $'hello from private.example\nConnectionResetError'
}

@test "an HTTP client that names another host is refused, also later" {
	local get='GET / HTTP/1.1\r\nHost: good.example\r\n\r\n' other='GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n'
	run -0 --separate-stderr reaches good.example "say:good.example:80:$get" "say:good.example:80:$other" \
		"say:good.example:80:$get$other" "say:good.example:8080:$other" \
		'say:good.example:80:GET / HTTP/1.0\r\n\r\n' 'say:good.example:8080:GET / HTTP/1.0\r\n\r\n' \
		'say:good.example:80:CONNECT evil.example:443 HTTP/1.1\r\nHost: good.example\r\n\r\n' \
		'say:good.example:80:GET http://evil.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n' \
		"say:good.example:80:GET / HTTP/1.1\r\nHost: good.example\r\nUpgrade: x\r\n\r\n$other" \
		'say:good.example:80:SSH-2.0-x\r\n' "say:good.example:443:$get" \
		'say:good.example:443:\x16\x03\x01\x00\x05hello'
	local r=ConnectionResetError hello='hello from good.example'
	[[ ${lines[0]} == "$hello" && ${lines[1]} == "$r" && ${lines[3]} == "$r" && ${lines[4]} == "$r" ]] || show_run
	[[ ${lines[5]} == 'hello from nobody' && ${lines[6]} == "$r" && ${lines[7]} == "$r" ]] || show_run
	[[ ${lines[9]} == "$r" && ${lines[10]} == "$r" && ${lines[11]} == "$r" ]] || show_run
	run -1 grep evil.example world/requests
}

@test "a TLS client that names another host, or none, is refused" {
	need curl
	cat >try <<-'EOF'
		curl -s --cacert world/ca.pem https://good.example/ || echo "failed $?"
		curl -s --cacert world/ca.pem --connect-to evil.example:443:good.example:443 https://evil.example/ || echo "failed $?"
		python3 - <<-'PYTHON'
			import socket, ssl
			context = ssl._create_unverified_context()
			for port in 443, 8443:
			    try:
			        with context.wrap_socket(socket.create_connection(("good.example", port), 20)) as line:
			            line.sendall(b"GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n")
			            print(line.recv(15).decode())
			    except OSError as error:
			        print(type(error).__name__)
		PYTHON
	EOF
	run -0 --separate-stderr outside "$WRIT" run --sandbox workspace --host good.example -- bash try
	[[ ${lines[0]} == 'hello from good.example' && ${lines[1]} == 'failed 35' ]] || show_run
	[[ ${lines[2]} == ConnectionResetError && ${lines[3]} == 'HTTP/1.1 200 OK' ]] || show_run
	run -0 grep -c '"name_unchecked":true' "$WRIT_STATE_DIR"/audit/*.jsonl
	expect_stdout 1
	grep -q '"reason":"the TLS client names no host"' "$WRIT_STATE_DIR"/audit/*.jsonl
	grep -q '"reason":"the TLS client names another host","other":"evil.example"' "$WRIT_STATE_DIR"/audit/*.jsonl
}

@test "what is no TCP is refused at once" {
	run -0 --separate-stderr reaches good.example lookup:good.example udp:203.0.113.10:443 udp:198.18.0.1:443 \
		udp:8.8.8.8:1234 get:http://[2001:db8::1]/ get:http://[::ffff:203.0.113.66]/ get:http://127.0.0.1:8080/ \
		get:http://198.18.77.1/ socket:AF_PACKET socket:AF_VSOCK socket:AF_INET
	expect_stdout $'198.18.0.1\nConnectionRefusedError\nConnectionRefusedError\nConnectionRefusedError\nOSError\nConnectionResetError\nConnectionRefusedError\nConnectionResetError\nOSError\nOSError\nPermissionError'
	run -0 packets
	expect_stdout ''
}

@test "bytes arrive whole, half closed, upgraded, and beside one that stalls" {
	run -0 --separate-stderr reaches good.example echo:good.example:2525 websocket:good.example stalled:good.example \
		many:good.example:200
	expect_stdout $'same\necho ping\nxxx same\n200 1'
}

@test "clients work without a variable: curl, wget, git, node" {
	need curl wget git node
	mkdir -p world/repository
	git init -q --bare world/repository/r.git
	git -C world/repository/r.git symbolic-ref HEAD refs/heads/main
	git -C world/repository/r.git -c user.name=a -c user.email=a@b commit-tree -m x \
		"$(git -C world/repository/r.git mktree </dev/null)" >id
	git -C world/repository/r.git update-ref refs/heads/main "$(cat id)"
	git -C world/repository/r.git update-server-info
	cat >try <<-'EOF'
		curl -s http://good.example/
		curl -s --http2 --cacert world/ca.pem https://good.example/
		head -c 300000 /dev/zero | curl -s -H 'Transfer-Encoding: chunked' --data-binary @- http://good.example/
		wget -q -O - --ca-certificate=world/ca.pem https://good.example/
		git clone -q http://good.example/repository/r.git clone && git -C clone log --format=%s
		NODE_EXTRA_CA_CERTS=world/ca.pem node -e 'fetch("https://good.example/").then(a => a.text()).then(t => process.stdout.write(t))'
	EOF
	run -0 --separate-stderr outside "$WRIT" run --sandbox workspace --host good.example -- bash try
	local hello='hello from good.example'
	expect_stdout "$hello"$'\n'"$hello"$'\ngot 300000\n'"$hello"$'\nx\n'"$hello"
}

@test "each connection is recorded, and what was refused is told" {
	run -1 --separate-stderr outside "$WRIT" run --json --sandbox workspace --host good.example -- \
		bash -c 'python3 reach.py get:http://good.example/bytes/5000 get:http://evil.example/ get:http://203.0.113.66:81/; exit 1'
	[[ $(json "$output" 'd["sandbox"]["network"]') == hosts ]] || show_run
	[[ $output == *'"host":"evil.example"'* && $output == *'"host":"203.0.113.66:81"'* ]] || show_run
	local trail
	trail=$(grep -h '"kind":"net"' "$WRIT_STATE_DIR"/audit/*.jsonl)
	[[ $(wc -l <<<"$trail") == 3 ]] || show_run
	local first
	# Each is written when it ends, in whatever order they do.
	first=$(grep -F '"name":"good.example"' <<<"$trail")
	[[ $(json "$first" 'd["name"], d["address"], d["port"], d["verdict"], d["rule"]') == "('good.example', '203.0.113.10', 80, 'allow', 'good.example')" ]] || show_run
	[[ $(json "$first" 'd["received"] > 5000 and d["sent"] > 50 and d["run"] is not None') == True ]] || show_run
	run -0 "$WRIT" audit verify
}

@test "without nftables the ports that are listed are reached" {
	options=(--no-nft)
	run -0 --separate-stderr reaches 'good.example good.example:2525' get:http://good.example/ echo:good.example:2525 \
		get:http://good.example:8080/ get:http://evil.example/ get:http://203.0.113.66/
	expect_stdout $'hello from good.example\nsame\nConnectionRefusedError\ngaierror\nConnectionResetError'
	run -0 packets
	expect_stdout $'203.0.113.10 tcp 2525\n203.0.113.10 tcp 80'
}

@test "a proxy of the environment is used, and only for allowed hosts" {
	options=(--proxy)
	export https_proxy=http://ann:s3cret@proxy.example:3128 no_proxy=api.good.example
	run -0 --separate-stderr reaches 'good.example api.good.example' get:http://good.example/ get:http://api.good.example/ \
		get:http://evil.example/ lookup:proxy.example
	expect_stdout $'hello from good.example\nhello from api.good.example\ngaierror\ngaierror'
	run -0 cat world/proxied
	expect_stdout good.example:80
	https_proxy=socks5://x run -125 --separate-stderr reaches good.example get:http://good.example/
	expect_in_stderr 'https_proxy'
}

@test "the relay can be killed: the run goes on, and reaches the same" {
	cat >try <<-'EOF'
		python3 reach.py get:http://good.example/
		touch ready; until [ -e killed ]; do sleep 0.02; done
		python3 reach.py get:http://good.example/ get:http://evil.example/
	EOF
	cat >killer <<-'EOF'
		"$WRIT" run --sandbox workspace --host good.example -- bash try &
		until [ -e ready ]; do sleep 0.02; done
		for pid in $(cat /proc/$$/task/$$/children) $(pgrep -x writ-relay); do
			[ "$(cat /proc/$pid/comm)" = writ-relay ] && [ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/self/ns/net)" ] && kill -KILL "$pid"
		done
		touch killed
		wait
	EOF
	run -0 --separate-stderr outside bash killer
	expect_stdout $'hello from good.example\nhello from good.example\ngaierror'
}

@test "a session with a name keeps its hosts" {
	cat >try <<-'EOF'
		"$WRIT" session start -q dev --host good.example
		"$WRIT" run --session dev --sandbox workspace --network loopback -- python3 reach.py get:http://good.example/ get:http://evil.example/
		"$WRIT" run --session dev --sandbox workspace --network loopback -- python3 reach.py get:http://good.example/
		"$WRIT" session show dev | grep '^hosts'
		"$WRIT" session end dev
	EOF
	run -0 --separate-stderr outside bash try
	expect_stdout $'hello from good.example\ngaierror\nhello from good.example\nhosts       good.example'
	run -1 --separate-stderr "$WRIT" session start dev --host 'good..example'
	[[ $stderr == *good..example* ]] || show_run
	run -1 --separate-stderr "$WRIT" session start dev --network off --host good.example
	expect_in_stderr 'without a network'
}

@test "an ordinary user has the same" {
	options=(--user)
	run -0 --separate-stderr reaches good.example get:http://good.example/ get:http://evil.example/ \
		get:http://203.0.113.66/ socket:AF_INET echo:good.example:2525
	expect_stdout $'hello from good.example\ngaierror\nConnectionResetError\nPermissionError\nsame'
	run -0 packets
	expect_stdout $'203.0.113.10 tcp 2525\n203.0.113.10 tcp 80'
	options=(--user --no-nft)
	run -0 --separate-stderr reaches good.example get:http://good.example/ get:http://good.example:8080/
	expect_stdout $'hello from good.example\nConnectionRefusedError'
}

# bats test_tags=full
@test "four thousand connections at once" {
	ulimit -n 20000 2>/dev/null || skip 'not so many open files here'
	run -0 --separate-stderr reaches good.example many:good.example:4000
	expect_stdout '4000 1'
}

@test "no process is made for a next run that there is not" {
	need strace
	run -0 --separate-stderr outside strace -f -qq -e trace=clone3 -o calls "$WRIT" run --sandbox workspace --host good.example -- true
	# One for the command; the other namespaces are those of its session.
	run -0 grep -c CLONE_NEWPID calls
	expect_stdout 1
}

@test "IPv6 outside, where a host has nothing else" {
	outside true
	[[ -e world/six ]] || skip 'no IPv6 here'
	run -0 --separate-stderr reaches 'six.example local6.example mapped.example self6.example' get:http://six.example/ \
		get:http://local6.example/ get:http://mapped.example/ get:http://self6.example/
	expect_stdout $'hello from six.example\nConnectionResetError\nConnectionResetError\nConnectionResetError'
	run -0 packets
	expect_stdout '2001:db8::10 tcp 80'
	run -0 --separate-stderr reaches 'local6.example fd00::/8 ::/0 self6.example' get:http://local6.example/ get:http://self6.example/
	expect_stdout $'hello from local6.example\nConnectionResetError'
}

@test "an answer of the DNS that is too long comes by TCP, and TCP to port 53 leads nowhere" {
	run -0 --separate-stderr reaches long.example get:http://long.example/ say:127.0.0.1:53:x say:203.0.113.53:53:x \
		say:8.8.8.8:53:x
	expect_stdout $'hello from long.example\nConnectionRefusedError\nConnectionResetError\nConnectionResetError'
	run -0 grep -c long.example world/names
	expect_stdout 2
}

@test "a relay that is stopped holds up nobody but those who ask it" {
	cat >stop <<-'EOF'
		"$WRIT" run --sandbox workspace --host good.example --timeout 4s --json -- \
			sh -c 'python3 reach.py get:http://good.example/ mark:ready; while ! test -e stopped; do sleep 0.05; done
				python3 reach.py get:http://good.example/' >result &
		while ! test -e ready; do sleep 0.05; done
		for pid in $(pgrep -x writ-relay); do
			[ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/self/ns/net)" ] && relay=$pid
		done
		kill -STOP "$relay"
		echo >stopped
		wait
		kill -CONT "$relay"
		# It ends with its engine.
		for i in $(seq 200); do kill -0 "$relay" 2>/dev/null || break; sleep 0.05; done
		kill -0 "$relay" 2>/dev/null && echo "it stays"
		true
	EOF
	run -0 --separate-stderr outside bash stop
	expect_stdout ''
	run -0 json "$(cat result)" 'd["outcome"]'
	expect_stdout timed_out
}

# bats test_tags=full
@test "65,000 names, and more" {
	run -0 --separate-stderr reaches '*.good.example' names:good.example:66000 get:http://api.good.example/
	[[ ${lines[0]} =~ ^(6[45][0-9][0-9][0-9])\ ([0-9]+)\ 0$ && $((BASH_REMATCH[1] + BASH_REMATCH[2])) == 66000 ]] || show_run
	[[ ${lines[1]} == gaierror ]] || show_run
}
