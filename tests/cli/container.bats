#!/usr/bin/env bats
# bats file_tags=anyone
# The profile `container`, where no namespace can be made: by Docker's defaults
# as root, and without user namespaces as an ordinary user.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers
load running

: "${WRIT_TEST_PROGRAMS:?the folder of the test programs}"
export WRIT_TEST_PROGRAMS
export contain=$BATS_TEST_DIRNAME/contain

setup() {
	unset WRIT_POLICY WRIT_CONFIG_DIR XDG_CONFIG_HOME XDG_STATE_HOME container CI GITHUB_ACTIONS GITLAB_CI
	export HOME=$BATS_TEST_TMPDIR/home WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CONFIG_DIR=$HOME/config WRIT_STATE_DIR=$HOME/state WRIT_CACHE_DIR=$HOME/cache
	mkdir -p "$HOME/.ssh" "$BATS_TEST_TMPDIR/work" "$BATS_TEST_TMPDIR/outside"
	echo secret >"$HOME/.ssh/id"
	echo old >"$BATS_TEST_TMPDIR/outside/file"
	cd "$BATS_TEST_TMPDIR/work" || return
}

# inside COMMAND...: where no namespace can be made.
inside() {
	if is_root; then
		"$contain" docker "$@"
	else
		"$WRIT_TEST_PROGRAMS/filtered" namespaces -- "$@"
	fi
}

choose_container() {
	mkdir -p "$WRIT_CONFIG_DIR"
	printf 'version: 1\ninclude: [developer]\nsandbox: container\n' >"$WRIT_CONFIG_DIR/policy.yaml"
}

@test "workspace never falls back to it" {
	run -125 --separate-stderr inside "$WRIT" run -- touch ran
	expect_in_stderr "userns"
	run -125 --separate-stderr inside "$WRIT" run --sandbox workspace -- touch ran
	choose_container
	run -125 --separate-stderr inside "$WRIT" run --sandbox workspace -- touch ran
	[[ ! -e ran ]]
}

@test "named in the user's policy it applies as the workspace: nobody is asked" {
	choose_container
	run -0 --separate-stderr inside "$WRIT" run --json -- sh -c 'echo x >here; chmod +x here; touch here; for i in a b; do echo $i; done'
	[[ $(json "$output" "d['sandbox']['profile'], d['sandbox']['network'], d['sandbox']['missing']") == "('container', 'off', [])" ]] || show_run
	[[ $(json "$output" "d['sandbox']['lacks'][0]") == "protected paths in the project" ]]
	[[ -x here ]]
	run -125 --separate-stderr inside "$WRIT" run -- curl https://example.com/
	expect_in_stderr "it leaves this machine"
	[[ $stderr =~ approve\ ([a-z0-9]+) ]]
	run -0 "$WRIT" approvals show "${BASH_REMATCH[1]}"
	expect_in_stdout "network host with every local socket"
}

@test "it writes the project and its TMPDIR, and hides secrets" {
	choose_container
	run -0 --separate-stderr inside "$WRIT" run --policy open --sandbox container -- sh -c '
		echo x >here && echo here; echo x >"$TMPDIR/x" && echo tmp; mkdir -p .git/hooks && echo git
		cat "$HOME/.ssh/id"; ls "$HOME/.ssh"; for place in ../outside /tmp /dev/shm; do (echo x >"$place/new.$$") && echo "$place"; done
		(: >../outside/file); cat ../outside/file; echo end'
	expect_stdout "here
tmp
git
old
end"
}

@test "sockets: pairs only, and all with the network" {
	need python3
	choose_container
	local try='
import socket
a, b = socket.socketpair()
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    try:
        socket.socket(family, socket.SOCK_STREAM if family != socket.AF_NETLINK else socket.SOCK_RAW)
        print(family.name)
    except OSError:
        pass'
	run -0 --separate-stderr inside "$WRIT" run -- python3 -c "$try"
	expect_stdout ""
	run -0 --separate-stderr inside "$WRIT" run --network host --policy open -- python3 -c "$try"
	expect_in_stdout AF_UNIX
	expect_in_stdout AF_INET
	run -125 --separate-stderr inside "$WRIT" run --network loopback -- true
	expect_in_stderr "no loopback of its own"
}

@test "processes of it end with the run" {
	choose_container
	inside "$WRIT" run --timeout 20s -- sh -c "setsid sleep 987.$$ & setsid -f sleep 987.$$; exit 0"
	run -1 pgrep -f "sleep 987.$$"
}

@test "only a trusted policy may name it: not a project's" {
	mkdir .writ
	printf 'version: 1\ninclude: [developer]\nsandbox: container\nagents: {local: {sandbox: container}}\n' >.writ/policy.yaml
	run -125 --separate-stderr inside "$WRIT" run -- touch ran
	expect_in_stderr "userns"
	[[ ! -e ran ]]
	# What a project may say is more than the user: `workspace` is what it is
	# on this machine, and what is stricter stays stricter.
	choose_container
	printf 'version: 1\ninclude: [developer]\nsandbox: workspace\n' >.writ/policy.yaml
	run -0 --separate-stderr inside "$WRIT" run -- touch ran
	printf 'version: 1\ninclude: [developer]\nsandbox: strict\n' >.writ/policy.yaml
	run -125 --separate-stderr inside "$WRIT" run -- touch ran2
	[[ ! -e ran2 ]]
}

@test "the machine's policy outranks the user's" {
	choose_container
	mkdir -p "$WRIT_SYSTEM_DIR"
	printf 'version: 1\ninclude: [developer]\nsandbox: workspace\n' >"$WRIT_SYSTEM_DIR/policy.yaml"
	run -125 --separate-stderr inside "$WRIT" run -- touch ran
	expect_in_stderr "userns"
	[[ ! -e ran ]]
}

# ask_server LINE...: what a client asks for, with the handshake.
ask_server() {
	{
		echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
		echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		printf '%s\n' "$@"
	} | inside "$WRIT" mcp
}

call() { echo "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"exec\",\"arguments\":$2}}"; }

@test "an untrusted caller that asks for it is asked about" {
	run -0 --separate-stderr ask_server "$(call 1 '{"argv":["touch","ran"],"sandbox":"container"}')"
	expect_in_stdout "container"
	expect_in_stdout "approval"
	[[ ! -e ran ]]
	choose_container
	run -0 --separate-stderr ask_server "$(call 1 '{"argv":["touch","ran"]}')"
	[[ -e ran ]] || show_run
}

@test "the project's policy is read once: what a run does to it does not count" {
	need python3
	choose_container
	mkdir .writ
	printf 'version: 1\ndefault: allow\nrules:\n  - allow: {}\n  - deny: {program: touch}\n' >.writ/policy.yaml
	run -0 --separate-stderr python3 - "$WRIT" <<-'EOT'
		import json, os, subprocess, sys
		inside = [os.environ["contain"], "docker"] if os.getuid() == 0 else [os.environ["WRIT_TEST_PROGRAMS"] + "/filtered", "namespaces", "--"]
		server = subprocess.Popen(inside + [sys.argv[1], "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
		def ask(number, method, params):
		    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
		    server.stdin.flush()
		    for line in server.stdout:
		        answer = json.loads(line)
		        if answer.get("id") == number:
		            return json.dumps(answer)
		ask(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
		def run(number, script):
		    return ask(number, "tools/call", {"name": "exec", "arguments": {"argv": ["python3", "-c", script]}})
		run(1, "import shutil; shutil.rmtree('.writ')")
		print("gone" if not os.path.exists(".writ") else "there")
		print("denied" if "denied" in ask(2, "tools/call", {"name": "exec", "arguments": {"argv": ["touch", "ran"]}}) else "ran")
		run(3, "import os; os.mkdir('.writ'); open('.writ/policy.yaml', 'w').write('broken: [')")
		print("denied" if "denied" in ask(4, "tools/call", {"name": "exec", "arguments": {"argv": ["touch", "ran"]}}) else "ran")
		server.stdin.close()
		server.wait()
	EOT
	expect_stdout "gone
denied
denied"
	[[ ! -e ran ]]
}

@test "sandbox show and doctor say what it is" {
	run -0 "$WRIT" sandbox show container
	expect_in_stdout "does not hold, unlike workspace"
	expect_in_stdout "protected paths in the project"
	run -0 "$WRIT" sandbox show container --json
	[[ $(json "$output" "len(d['lacks']) > 3") == True ]]
	run -1 inside "$WRIT" doctor --json
	[[ $(json "$output" "{p['name']: p['available'] for p in d['profiles']}['container']") == True ]]
}

@test "doctor --fix offers it, and writes it into the user's policy" {
	run -1 --separate-stderr inside "$WRIT" doctor --fix
	expect_in_stderr "doctor --fix"
	[[ ! -e $WRIT_CONFIG_DIR/policy.yaml ]]
	run -0 --separate-stderr inside "$WRIT" doctor --fix --yes
	[[ $(cat "$WRIT_CONFIG_DIR/policy.yaml") == 'version: 1
include: ["developer"]
sandbox: "container"' ]] || show_run
	run -0 inside "$WRIT" run -- touch ran
	run -0 --separate-stderr inside "$WRIT" doctor --fix --yes
	expect_in_stderr "already"
	printf '# mine\nversion: 1\ninclude: [developer]\nsandbox: workspace # here\n' >"$WRIT_CONFIG_DIR/policy.yaml"
	run -0 inside "$WRIT" doctor --fix --yes
	[[ $(cat "$WRIT_CONFIG_DIR/policy.yaml") == '# mine
version: 1
include: [developer]
sandbox: "container" # here' ]] || show_run
}

@test "init offers it once to a person" {
	printf 'version: 1\ninclude: [developer]\n' >/dev/null
	mkdir -p "$WRIT_STATE_DIR"
	answer() { printf '%s\n' "$1" | TERM=xterm script -qec "$(declare -f inside is_root); inside '$WRIT' init --force" /dev/null; }
	run -0 answer n
	expect_in_stdout "in place of 'workspace'?"
	[[ ! -e $WRIT_CONFIG_DIR/policy.yaml ]]
	run -0 answer y
	[[ $output != *"in place of 'workspace'?"* && ! -e $WRIT_CONFIG_DIR/policy.yaml ]] || show_run
	rm "$WRIT_STATE_DIR/container-offered"
	run -0 answer y
	grep -q container "$WRIT_CONFIG_DIR/policy.yaml"
}
