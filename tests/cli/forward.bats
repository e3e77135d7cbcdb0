#!/usr/bin/env bats
# --publish and --connect: ports and local sockets that are passed on between a
# session and the machine.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	need python3
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	cp "$BATS_TEST_DIRNAME/forward.py" .
	servers=()
}

teardown() {
	[[ ${#servers[@]} == 0 ]] || kill -KILL "${servers[@]}" 2>/dev/null || true
	"$WRIT" session end --all --force --quiet 2>/dev/null || true
	[[ -z ${socket_dir-} ]] || rm -rf "$socket_dir"
}

walled() {
	local name=$1
	shift
	"$WRIT" run --session "$name" --sandbox workspace --network loopback "$@"
}

# A port of the machine that nobody has.
free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# serve_here ADDRESS: a server on the machine.
serve_here() {
	rm -f ready
	python3 forward.py serve "$1" ready >/dev/null 2>&1 3>&- &
	servers+=($!)
	wait_for test -e ready
}

# serve_in SESSION ADDRESS: a server in the session.
serve_in() {
	rm -f ready
	walled "$1" --detach -- python3 forward.py serve "$2" ready
	wait_for test -e ready
}

here() { python3 forward.py "$@"; }
within() { walled dev -- python3 forward.py "$@"; }

# bats test_tags=smoke
@test "a published port is reached on the machine, and nowhere else" {
	local port
	port=$(free_port)
	"$WRIT" session start -q dev --publish "$port:3000"
	run -0 here ask "127.0.0.1:$port"
	[[ $output == closed || $output == ConnectionResetError ]] || show_run
	serve_in dev 127.0.0.1:3000
	run -0 here ask "127.0.0.1:$port"
	expect_stdout helloEND
	run -0 here ask 127.0.0.1:3000
	expect_stdout ConnectionRefusedError
	run -0 --separate-stderr "$WRIT" session show dev
	expect_in_stdout "publish $port:3000"
	"$WRIT" session end dev
	wait_for test "$(here ask "127.0.0.1:$port")" = ConnectionRefusedError
}

@test "bytes arrive whole, also half closed, reset, stalled, and many at once" {
	local port
	port=$(free_port)
	"$WRIT" session start -q dev --publish "$port"
	serve_in dev "127.0.0.1:$port"
	local at=127.0.0.1:$port
	run -0 here echo "$at"
	expect_stdout same
	run -0 here reset "$at"
	expect_stdout reset
	run -0 here stalled "$at"
	expect_stdout 'quickEND after a stall'
	run -0 here rude "$at"
	expect_stdout same
	run -0 here many "$at"
	expect_stdout 160
	run -0 here ask "$at"
	expect_stdout helloEND
}

@test "a server that listens on [::1] alone is reached" {
	local port
	port=$(free_port)
	"$WRIT" session start -q dev --publish "$port"
	serve_in dev "::1:$port"
	run -0 here ask "127.0.0.1:$port"
	expect_stdout helloEND
}

@test "a port of the machine that is taken is told" {
	local port
	port=$(free_port)
	serve_here "127.0.0.1:$port"
	run -1 --separate-stderr "$WRIT" session start dev --publish "$port"
	expect_in_stderr "port $port of this machine is taken"
	expect_in_stderr '--publish'
	"$WRIT" session start -q other --publish "$((port + 1)):$port" || skip 'the next port is taken'
	run -1 --separate-stderr "$WRIT" session start dev --publish "$((port + 1))"
	expect_in_stderr 'is taken'
	run -0 --separate-stderr "$WRIT" session list --live --ids
	expect_stdout other
}

@test "a port of the machine that is let in is reached, and no other" {
	local port other
	port=$(free_port)
	serve_here "127.0.0.1:$port"
	other=$(free_port)
	serve_here "127.0.0.1:$other"
	"$WRIT" session start -q dev --connect "127.0.0.1:$port"
	run -0 --separate-stderr within ask "127.0.0.1:$port"
	expect_stdout helloEND
	run -0 --separate-stderr within echo "127.0.0.1:$port"
	expect_stdout same
	run -0 --separate-stderr within reset "127.0.0.1:$port"
	expect_stdout reset
	run -0 --separate-stderr within stalled "127.0.0.1:$port"
	expect_stdout 'quickEND after a stall'
	run -0 --separate-stderr within ask "127.0.0.1:$other"
	expect_stdout ConnectionRefusedError
	# What wants that port in the session is told by the kernel.
	run -1 --separate-stderr within serve "127.0.0.1:$port" never
	expect_in_stderr 'Address already in use'
}

@test "a local socket that is let in is at its place, for runs with a network" {
	[[ $(id -u) == 0 ]] || skip 'only root can make a socket below /run'
	socket_dir=/run/writ-test-$$
	mkdir -p "$socket_dir"
	serve_here "$socket_dir/echo.sock"
	serve_here "$socket_dir/other.sock"
	"$WRIT" session start -q dev --connect "$socket_dir/echo.sock"
	run -0 --separate-stderr within ask "$socket_dir/echo.sock"
	expect_stdout helloEND
	run -0 --separate-stderr within echo "$socket_dir/echo.sock"
	expect_stdout same
	run -0 --separate-stderr within ask "$socket_dir/other.sock"
	expect_stdout FileNotFoundError
	run -0 --separate-stderr walled dev --network off -- python3 forward.py ask "$socket_dir/echo.sock"
	expect_stdout FileNotFoundError
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --network loopback -- python3 forward.py ask "$socket_dir/echo.sock"
	expect_stdout FileNotFoundError
	# One that is moved there later is another one.
	mv "$socket_dir/other.sock" "$socket_dir/echo.sock"
	kill -KILL "${servers[0]}"
	run -0 --separate-stderr within ask "$socket_dir/echo.sock"
	[[ $output != helloEND ]] || show_run
}

@test "what is never let in is refused, also by another name" {
	run -1 --separate-stderr "$WRIT" session start dev --connect 127.0.0.1:2375
	expect_in_stderr 'a container engine, which is never let in'
	run -1 --separate-stderr "$WRIT" session start dev --connect 8.8.8.8:53
	expect_in_stderr 'expected 127.0.0.1:PORT'
	run -1 --separate-stderr "$WRIT" session start dev --connect /etc/passwd
	expect_in_stderr 'below /run'
	run -1 --separate-stderr "$WRIT" session start dev --connect /run/nothing-there
	expect_in_stderr 'No such file'
	[[ $(id -u) == 0 ]] || skip 'only root can make a socket below /run'
	socket_dir=/run/writ-test-$$
	mkdir -p "$socket_dir/docker"
	serve_here "$socket_dir/docker/a.sock"
	ln -s docker/a.sock "$socket_dir/harmless.sock"
	run -1 --separate-stderr "$WRIT" session start dev --connect "$socket_dir/harmless.sock"
	expect_in_stderr 'a container engine'
	cp "$(command -v python3)" ssh-agent 2>/dev/null
	rm -f ready
	./ssh-agent forward.py serve "$socket_dir/b.sock" ready 3>&- 2>/dev/null &
	servers+=($!)
	wait_for test -e ready -o ! -d "/proc/$!"
	[[ ! -e ready ]] || {
		run -1 --separate-stderr "$WRIT" session start dev --connect "$socket_dir/b.sock"
		expect_in_stderr 'an agent with keys'
	}
	run -0 --separate-stderr "$WRIT" session list --live
	expect_stderr 'writ: there are no sessions yet'
}

@test "forwarders end with their session, however that ends" {
	local port
	port=$(free_port)
	"$WRIT" session start -q dev --publish "$port" --connect 127.0.0.1:1
	kill -KILL "$(json "$("$WRIT" session show dev --json)" 'd["pid"]')"
	is_refused() { [[ $(here ask "127.0.0.1:$port") == ConnectionRefusedError ]]; }
	wait_for is_refused
	"$WRIT" session start -q dev --publish "$port"
}

@test "one run can publish and connect, and both end with it" {
	local port other
	port=$(free_port)
	other=$(free_port)
	serve_here "127.0.0.1:$other"
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --connect "127.0.0.1:$other" -- python3 forward.py ask "127.0.0.1:$other"
	expect_stdout helloEND
	"$WRIT" run --sandbox workspace --publish "$port" -- python3 forward.py serve "127.0.0.1:$port" up 2>/dev/null &
	local job=$!
	wait_for test -e up
	run -0 here ask "127.0.0.1:$port"
	expect_stdout helloEND
	kill -TERM "$job"
	wait "$job" || true
	run -0 here ask "127.0.0.1:$port"
	expect_stdout ConnectionRefusedError
}

@test "an agent and a run cannot make holes" {
	run -125 --separate-stderr "$WRIT" run --agent bot --sandbox workspace --publish 3000 -- true
	expect_in_stderr 'an agent cannot publish a port'
	run -125 --separate-stderr "$WRIT" run --sandbox none -- "$WRIT" run --publish 3000 -- true
	expect_in_stderr 'a run cannot start, use or end a session'
	"$WRIT" session start -q dev
	run -125 --separate-stderr "$WRIT" run --session dev --publish 3000 -- true
	expect_in_stderr "give them to 'writ session start'"
	run -1 --separate-stderr "$WRIT" session start other --network off --publish 3000
	expect_in_stderr 'a session without a network publishes nothing'
}
