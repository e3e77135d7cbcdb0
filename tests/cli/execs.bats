#!/usr/bin/env bats
# `judge: exec`: the programs that a run starts are judged too.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2153,SC2154
load helpers
load policies
load trail

setup() {
	unset WRIT_POLICY
	own_policies
	need_walls
	export HOME=$BATS_TEST_TMPDIR/home WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	mkdir -p "$HOME"
	# What only the run itself learns.
	echo push >word
	echo who >name
	judging "  - deny: git push ..." "  - deny: { program: whoami }" "  - ask: { program: date }"
}

need_walls() {
	if [[ $(id -u) == 0 ]]; then
		unshare -m true 2>/dev/null && return
	else
		unshare -Um true 2>/dev/null && return
	fi
	[[ ${WRIT_MUST_RUN:-} != 1 ]] || return
	skip "no namespaces for this user"
}

# judging RULE...: the user's policy, which judges programs by these rules.
judging() {
	printf '%s\n' 'version: 1' 'include: open' 'sandbox: workspace' 'judge: exec' 'rules:' "$@" | user_policy
}

# Nothing here may hang: a deadline, and a harder one around it.
start() { timeout -s KILL 60 "$WRIT" run --timeout 40s "$@"; }

# rows TEXT: the programs of a result, as decision, words and how often.
rows() { python3 -ISE -c 'import json, sys; [print(p["decision"], " ".join(p["argv"]), p["count"]) for p in json.loads(sys.argv[1])["execs"]["programs"] if p["program"]]' "$1"; }

# bats test_tags=smoke
@test "a program that a rule denies is refused where it is started" {
	run -0 --separate-stderr start --json --shell 'for x in status $(cat word); do git $x; done; echo $?; "$(echo date)" >/dev/null; true; /bin/true; /bin/true'
	[[ $(json "$output" 'd["stdout"]') == 126 ]] || show_run
	[[ $(json "$output" 'd["stderr"]') == *"git: Permission denied"* ]] || show_run
	out=$(rows "$output")
	[[ $out == *"allow git status 1"*"deny git push "*"ask date 1"*"allow /bin/true 2" ]] || show_run
	[[ $(json "$output" 'd["execs"]["asked"]') == 1 ]] || show_run
	# The record says the same.
	[[ $(trail '["git", "status"] in [p["argv"] for p in of("end")[0]["execs"]["programs"]]') == True ]]
	[[ $(trail '[p["rule"][-19:] for p in of("end")[0]["execs"]["programs"] if p["decision"] == "deny"][0]') == */policy.yaml:6:5 ]]
	run -0 "$WRIT" audit verify
}

@test "it is seen in every profile, in xargs, make, env and Python, and in a terminal" {
	need make xargs
	printf 'all:\n\tgit push x\n' >Makefile
	for profile in readonly workspace strict; do
		run --separate-stderr start --json --sandbox "$profile" --shell 'make; echo push | xargs git; p=$(cat word); env git $p y; python3 -c "import subprocess; subprocess.run([\"git\", \"$p\", \"z\"])"; true'
		out=$(rows "$output")
		for words in "git push x" "git push" "env git push y"; do
			[[ $'\n'$out == *$'\n'"deny $words "* ]] || { echo "$profile: $words: $out" >&2 && show_run; }
		done
		[[ ! -x /usr/bin/python3 || $out == *"deny git push z "* ]] || show_run
	done
	run -126 start --pty --shell 'git $(cat word)'
}

@test "the runs of one engine are judged alike, warm or cold" {
	need python3
	requests=
	for i in 1 2 3 4; do
		requests+='{"jsonrpc":"2.0","id":'$i',"method":"tools/call","params":{"name":"exec","arguments":{"argv":["sh","-c","git $(cat word)"]}}}'$'\n'
	done
	mkfifo requests
	timeout -s KILL 60 "$WRIT" mcp <requests >answers &
	exec 7>requests
	printf '%s\n%s' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' "$requests" >&7
	for ((i = 0; i < 400 && $(grep -c jsonrpc answers) < 5; i++)); do sleep 0.05; done
	exec 7>&-
	wait $!
	[[ $(trail '[x["exit_code"] for x in of("end")]') == "[126, 126, 126, 126]" ]]
	[[ $(trail '[x["execs"]["denied"] > 0 for x in of("end")]') == "[True, True, True, True]" ]]
}

@test "the file counts, and the name, and the interpreter of a script" {
	many=$WRIT_TEST_PROGRAMS/exec_many
	judging "  - deny: git push ..." "  - deny: { program: \"*who\" }" "  - deny: { shape: [\"env ls ...\", \"/usr/bin/env ls ...\"] }"
	cp /bin/true who
	run -13 start --read "$many" -- "$many" as /bin/true who
	run -13 start --read "$many" -- "$many" as "$PWD/who" true
	for how in fd link relative vfork guess; do
		run -13 start --read "$many" -- "$many" "$how" "$PWD/who"
		run -0 start --read "$many" -- "$many" "$how" /bin/true
	done
	printf '#!/usr/bin/env  ls \n' >script && chmod +x script
	run -126 start --shell ./script
	expect_in_stdout "Permission denied"
	ln -s /proc/self/cwd around
	run -126 start --shell 'around/$(cat name)'
}

@test "no argv is too large or too broken" {
	many=$WRIT_TEST_PROGRAMS/exec_many
	true=/bin/true
	run --separate-stderr start --json --read "$many" -- "$many" words "$true"
	[[ $(json "$output" 'd["execs"]["programs"][0]["truncated"]') == True ]] || show_run
	run -0 --separate-stderr start --json --read "$many" -- "$many" long "$true"
	[[ $(json "$output" 'd["execs"]["programs"][0]["truncated"]') == True ]] || show_run
	[[ $(json "$output" 'len(d["execs"]["programs"][0]["argv"])') == 1 ]] || show_run
	run -1 --separate-stderr start --json --read "$many" -- "$many" unmapped "$true"
	[[ $(json "$output" 'd["stderr"]') == *"Bad address"* ]] || show_run
	run -0 --separate-stderr start --json --read "$many" -- "$many" none "$true"
	[[ $(json "$output" 'd["execs"]["programs"][0]["argv"]') == "[]" ]] || show_run
}

@test "many at once are all seen, and the record stays small" {
	run -0 --separate-stderr start --json --shell 'for i in 1 2 3 4 5 6 7 8; do (for j in $(seq 40); do /bin/echo $i $j; done) & done >/dev/null; wait; git $(cat word); true'
	[[ $(json "$output" 'd["execs"]["count"] >= 321') == True ]] || show_run
	[[ $(json "$output" 'd["execs"]["more"] > 0') == True ]] || show_run
	# What is denied is not crowded out.
	[[ $(rows "$output") == *"deny git push "* ]] || show_run
	[[ $(trail 'len(json.dumps(of("end")[0])) < 80000') == True ]]
}

@test "secrets are kept out" {
	run -0 --separate-stderr env SECRET_TOKEN=abcdefgh12345 "$WRIT" run --json --pass SECRET_TOKEN --shell '/bin/echo $SECRET_TOKEN; curl --user me:hunter2hunter http://127.0.0.1:1; true'
	[[ $(json "$output" 'd["execs"]["redacted"]') == True ]] || show_run
	keeps_out abcdefgh12345
	keeps_out hunter2hunter
}

@test "the report of denials and the judge share the listener" {
	mkdir ../outside
	run -0 --separate-stderr start --json --explain-denials --shell 'git $(cat word); touch ../outside/f; true'
	[[ $(rows "$output") == *"deny git push "* ]] || show_run
	[[ $(json "$output" 'any(x["what"] == "create" for x in d["sandbox"]["denials"])') == True ]] || show_run
}

@test "no process hangs when writ is killed" {
	cat >loop <<-'END'
		echo $$ >pid
		while :; do /bin/true; done
	END
	timeout -s KILL 60 "$WRIT" run -- sh ./loop &
	writ=$!
	until [[ -s pid ]]; do sleep 0.05; done
	child=$(pgrep -P "$writ" -x writ)
	# Stopped, it answers nothing: the next program waits, a child of the shell.
	kill -STOP "$child"
	until (($(pgrep -fc "sh ./loo[p]") >= 4)); do sleep 0.05; done
	kill -KILL "$child"
	wait "$writ" || true
	for ((i = 0; i < 200; i++)); do
		pgrep -f "sh ./loo[p]" >/dev/null || break
		sleep 0.05
	done
	((i < 200))
}

@test "it needs a sandbox, and an end of the background" {
	judging_none=$(sed 's/workspace/none/' "$WRIT_CONFIG_DIR/policy.yaml")
	run --separate-stderr start --background keep -- true
	expect_in_stderr "so its background cannot keep running"
	run --separate-stderr "$WRIT" policy lint "$WRIT_CONFIG_DIR/policy.yaml"
	printf '%s\n' "$judging_none" | user_policy
	run --separate-stderr start -- true
	((status != 0))
	expect_in_stderr "the profile 'none' has no sandbox that could see them"
	run --separate-stderr "$WRIT" policy lint "$WRIT_CONFIG_DIR/policy.yaml"
	[[ $output$stderr == *"judge: exec needs a sandbox"* ]] || show_run
	# A person's own word.
	run -0 start --sandbox none -- true
}

@test "any policy, and any agent's section, turns it on" {
	printf '%s\n' 'version: 1' 'include: open' 'sandbox: workspace' 'agents: { a: { judge: exec }, b: { judge: request } }' | user_policy
	for agent in a b; do
		run -0 --separate-stderr start --json --agent "$agent" --shell '/bin/true; true'
		[[ $(json "$output" '"execs" in d') == $([[ $agent == a ]] && echo True || echo False) ]] || show_run
	done
	project_policy <<-'END'
		version: 1
		default: allow
		judge: exec
		rules: [ { allow: {} } ]
		agents: { b: }
	END
	run -0 --separate-stderr start --json --agent b --shell '/bin/true; true'
	[[ $(json "$output" 'd["execs"]["count"]') == 1 ]] || show_run
}
