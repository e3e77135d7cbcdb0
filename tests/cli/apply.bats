#!/usr/bin/env bats
# bats file_tags=anyone
# The command line of an apply: its options, what it shows, how it is ended.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
}

# started: the apply runs in $APPLY, as somebody at a terminal would have
# started it: signals that a shell ignores for its background jobs count.
started() {
	env --default-signal=INT,QUIT,HUP,TERM "$WRIT" apply "$@" "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- </dev/null &
	APPLY=$!
}

ended() {
	status=0
	wait "$APPLY" || status=$?
	[[ $status == "$1" ]] || show
}

# ---- what it shows

# bats test_tags=smoke
@test "one line for each resource, and the summary" {
	execs <<-END
		- a: { command: touch $D/a, creates: $D/a }
		- bb: { command: touch $D/b, alias: second }
	END
	to_files 0 "$WRIT" apply "$MANIFEST"
	grep -Eq '^exec#a +changed +[0-9.]+m?s$' "$OUT" || show
	grep -Eq '^exec#second \(alias\) +changed +[0-9.]+m?s$' "$OUT" || show
	says 'Manifest Run Summary' '      Total Resources: 2' '    Changed Resources: 2' '         Total Errors: 0'
	to_files 0 "$WRIT" apply "$MANIFEST"
	grep -Eq "^exec#a +stable +[0-9.]+m?s  creates '$D/a'\$" "$OUT" || show
	# Columns line up, also in a pipe.
	[[ $(grep -o '^exec#.*ms' "$OUT" | awk '{ print length }' | sort -u | wc -l) == 1 ]] || show
}

@test "messages before and after, the latter only if nothing failed" {
	execs <<-END
		- a: { command: /bin/true }
	END
	sed -i 's/^ccm:/ccm:\n  pre_message: "go {{ 1 + 1 }}"\n  post_message: gone/' "$MANIFEST"
	to_files 0 "$WRIT" apply "$MANIFEST"
	[[ $(head -n 1 "$OUT") == "go 2" && $(tail -n 1 "$OUT") == gone ]] || show
	sed -i 's,/bin/true,/bin/false,' "$MANIFEST"
	to_files 4 "$WRIT" apply "$MANIFEST"
	[[ $(head -n 1 "$OUT") == "go 2" ]] || show
	run ! grep -q gone "$OUT"
}

@test "--json: events, the summary last, and nothing else" {
	execs <<-END
		- a: { command: echo loud, logoutput: true }
		- b: { command: /bin/false }
	END
	sed -i 's/^ccm:/ccm:\n  pre_message: hello\n  post_message: bye/' "$MANIFEST"
	apply 4
	[[ $(wc -l <"$OUT") == 3 ]] || show
	expect 'len(lines) == 3' 's["protocol"] == "io.choria.ccm.v1.session.summary"' 's["total_resources"] == 2' \
		's["interrupted"] is False and s["noop"] is False and os.path.isdir(s["directory"])' \
		'os.path.basename(s["directory"]) == s["session"]'
	[[ $(<"$ERR") == loud ]] || show
}

@test "--quiet shows only what failed" {
	execs <<-END
		- a: { command: echo loud, logoutput: true }
		- b: { command: /bin/false }
	END
	to_files 4 "$WRIT" apply --quiet "$MANIFEST"
	[[ $(wc -l <"$OUT") == 1 && $(<"$OUT") == exec#b*failed*'exit status 1 (wanted 0)'* && ! -s $ERR ]] || show
}

@test "live output comes while the command runs, each line indented" {
	mkfifo "$D/go"
	execs <<-END
		- a: { command: "sh -c 'echo one; echo two >&2; printf three; read x <$D/go'", logoutput: true }
		- b: { command: "echo quiet" }
		- c: { command: "sh -c 'echo why; exit 3'", logoutput: on_failure }
	END
	started
	wait_for grep -q two "$OUT"
	run ! grep -q exec#a "$OUT"
	echo go >"$D/go"
	ended 4
	[[ $(sed -n '/^    /p' "$OUT" | sed '/:/d' | sort | xargs) == "one three two why" ]] || show
	run ! grep -q quiet "$OUT"
}

@test "a command that writes without end is bounded and shown" {
	need yes
	execs <<-END
		- a: { command: "sh -c 'yes | head -c 3000000'", logoutput: true }
	END
	to_files 0 "$WRIT" apply "$MANIFEST"
	[[ $(grep -c '^    y$' "$OUT") == 1500000 ]] || { wc "$OUT" >&2; false; }
}

@test "a warning is told beneath the line" {
	execs <<-END
		- a: { command: "sh -c 'touch $D/made; exit 9'", creates: $D/made }
	END
	to_files 0 "$WRIT" apply "$MANIFEST"
	grep -Eq '^    warning: .*9' "$OUT" || show
}

@test "a terminal has colours and a bar; a pipe, NO_COLOR and --quiet have not" {
	execs <<-END
		- a: { command: sleep 1.5 }
		- b: { command: "printf '\\\\033[2Jx\\\\033]0;title\\\\007\\n'", logoutput: true }
	END
	run -0 on_terminal "'$WRIT' apply '$MANIFEST'"
	[[ $output == *$'\e[33mchanged\e[0m'* && $output == *'[....................] 0/2  exec#a  1s'* ]] || show_run
	[[ $output == *$'\r\e[K''exec#a'* || $output == *$'\r\e[Kexec#a'* ]] || show_run
	# What a command writes cannot clear the screen or set a title.
	[[ $output != *$'\e[2J'* && $output != *title* ]] || show_run
	run -0 on_terminal "NO_COLOR=1 '$WRIT' apply '$MANIFEST'"
	[[ $output != *$'\e[3'* ]] || show_run
	run -0 on_terminal "'$WRIT' apply --quiet '$MANIFEST'"
	[[ -z ${output//[[:space:]]/} ]] || show_run
	to_files 0 "$WRIT" apply "$MANIFEST"
	run ! grep -q "$(printf '\r')\|\[\.\.\." "$OUT" "$ERR"
}

@test "names and messages cannot command a terminal" {
	manifest <<-'END'
		ccm:
		  resources:
		    - exec: { name: "/bin/false \e[2J", alias: "a\e]0;t\a\nb" }
	END
	run on_terminal "'$WRIT' apply '$MANIFEST'"
	[[ $output == *'\x1b'* && $output != *$'\e[2J'* && $output != *$'\e]0'* ]] || show_run
}

@test "many resources that are in order cost few writes" {
	need strace
	{
		printf 'ccm:\n  resources:\n    - exec:\n'
		for ((i = 0; i < 2000; i++)); do echo "        - r$i: { command: /bin/true, creates: / }"; done
	} >"$MANIFEST"
	began=$SECONDS
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -qq -e trace=write -e write=none -o "$D/trace" "$WRIT" apply "$MANIFEST" >"$OUT"
	[[ $(grep -c '^exec#r' "$OUT") == 2000 ]]
	# The output is flushed ten times a second: a slow machine may take more
	# writes, but never one for each line.
	(($(grep -c '^write(1,' "$D/trace") < 40 + 10 * (SECONDS - began))) || { grep -c '^write(1,' "$D/trace" >&2; false; }
}

# ---- options

@test "--noop changes nothing and shows differences" {
	manifest <<-END
		ccm:
		  resources:
		    - file: { name: $D/f, content: "new\n" }
		    - exec: { name: touch $D/x }
	END
	echo old >"$D/f"
	to_files 0 "$WRIT" apply --noop "$MANIFEST"
	says 'Would have' '    -old' '    +new' 'Would have executed'
	[[ $(<"$D/f") == old && ! -e $D/x ]]
	to_files 2 "$WRIT" apply --noop --detailed-exitcode "$MANIFEST"
}

@test "--only, by name and by alias" {
	execs <<-END
		- a: { command: touch $D/a }
		- b: { command: touch $D/b, alias: bee }
		- c: { command: touch $D/c }
	END
	apply 0 --only exec#a --only exec#bee
	expect 'len(es) == 2' 'has("a") and has("b") and not has("c")' 's["total_resources"] == 2'
}

@test "--fact and --facts, the former over the latter" {
	printf 'role: db\nsize: 3\n' >"$D/facts.yaml"
	execs <<-END
		- a: { command: "touch $D/{{ Facts.role }}{{ Facts.size }}" }
	END
	apply 0 --facts "$D/facts.yaml" --fact role=web
	expect 'has("web3")'
}

@test "--render prints and applies nothing" {
	execs 'data: { x: "{{ 1 + 1 }}" }' <<-END
		- a: { command: touch $D/a }
	END
	to_files 0 "$WRIT" apply --render "$MANIFEST"
	says 'x: 2' 'touch'
	[[ ! -e $D/a && ! -e $WRIT_STATE_DIR/sessions ]]
	to_files 0 "$WRIT" apply --render --json "$MANIFEST"
	[[ $(json "$(<"$OUT")" 'd["data"]["x"]') == 2 ]] || show
}

@test "a manifest from standard input; relative paths begin where we are" {
	echo content >"$D/here"
	printf 'ccm: { resources: [ { file: { name: %s/copy, source: here } } ] }' "$D" >"$MANIFEST"
	run -0 --separate-stderr "$WRIT" apply - <"$MANIFEST"
	[[ $(<"$D/copy") == content ]] || show_run
	run -1 --separate-stderr "$WRIT" apply - <<<'ccm: {}'
	[[ $stderr == *stdin:1:* ]] || show_run
}

@test "wrong usage is 1 and says what is right" {
	execs <<<'- a: { command: /bin/true }'
	to_files 1 "$WRIT" apply
	says 'no manifest given'
	to_files 1 "$WRIT" apply "$MANIFEST" other.yaml
	says "unexpected word 'other.yaml'"
	to_files 1 "$WRIT" apply --nop "$MANIFEST"
	says "did you mean '--noop'"
	to_files 1 "$WRIT" apply --noop --monitor-only "$MANIFEST"
	to_files 1 "$WRIT" apply --resume x --session "$D/s" "$MANIFEST"
	to_files 1 "$WRIT" apply --facts - -
	says 'cannot be both'
	to_files 1 "$WRIT" apply nowhere.yaml
	says "nowhere.yaml': No such file"
	to_files 1 "$WRIT" apply --json nowhere.yaml
	[[ $(json "$(<"$OUT")" 'd["error"]["code"]') == invalid ]] || show
}

@test "all faults at once, for people and for programs, and nothing is applied" {
	execs <<-END
		- canary: { command: touch $D/canary }
		- b: { comand: x }
		- c: { command: x, timeout: 5 }
	END
	to_files 1 "$WRIT" apply "$MANIFEST"
	grep -Eq "^writ: $MANIFEST:6:[0-9]+: .*'comand', did you mean 'command'\?$" "$ERR" || show
	grep -Eq "^writ: $MANIFEST:7:[0-9]+: " "$ERR" || show
	apply 1
	[[ ! -s $ERR && $(wc -l <"$OUT") == 1 ]] || show
	[[ $(json "$(<"$OUT")" '[p["line"] for p in d["error"]["details"]["problems"]]') == "[6, 7]" ]] || show
	[[ ! -e $D/canary ]]
}

@test "exit statuses: 0, 2, 4, 6" {
	execs <<<"- a: { command: /bin/true, creates: / }"
	to_files 0 "$WRIT" apply --detailed-exitcode "$MANIFEST"
	execs <<<"- a: { command: /bin/true }"
	to_files 0 "$WRIT" apply "$MANIFEST"
	to_files 2 "$WRIT" apply --detailed-exitcode "$MANIFEST"
	execs <<<"- a: { command: /bin/false }"
	to_files 4 "$WRIT" apply "$MANIFEST"
	to_files 4 "$WRIT" apply --detailed-exitcode "$MANIFEST"
	execs <<-END
		- a: { command: /bin/true }
		- b: { command: /bin/false }
	END
	to_files 4 "$WRIT" apply "$MANIFEST"
	to_files 6 "$WRIT" apply --detailed-exitcode "$MANIFEST"
}

@test "the policy is that of manifests, unless another is named" {
	execs <<<"- a: { command: touch $D/a }"
	apply 0
	"$WRIT" audit list --json | grep -q '"agent":"manifest"'
	cat >"$D/policy.yaml" <<-END
		version: 1
		default: deny
		agents: { manifest: {} }
	END
	chmod 600 "$D/policy.yaml"
	rm "$D/a"
	apply 4 --policy "$D/policy.yaml"
	expect 'not has("a")' '"policy" in e("a")["error"][0]'
	WRIT_POLICY=$D/policy.yaml apply 4
	WRIT_POLICY=$D/policy.yaml apply 0 --policy open
}

# ---- how it ends

@test "Ctrl-C ends the resource, records it, and says how to go on; nothing is left" {
	execs <<-END
		- a: { command: touch $D/a }
		- b: { command: "sh -c 'echo x >>$D/log; setsid sleep 31.4159 & sleep 31.4159'", creates: $D/done }
		- c: { command: touch $D/c }
	END
	started --fact 'x=a b'
	wait_for test -s "$D/log"
	kill -INT "$APPLY"
	ended 1
	grep -Eq '^exec#b +failed .*interrupted' "$OUT" || show
	says 'Manifest Run Summary' 'Total Resources: 2'
	run ! pgrep -f 'sleep 31.4159'
	[[ ! -e $D/c ]]
	# The line can be run as it stands.
	local line
	line=$(sed -n 's/^writ: interrupted; to go on: writ //p' "$ERR")
	[[ $line == "apply --resume "*" --fact 'x=a b' $MANIFEST" ]] || show
	touch "$D/done"
	run -0 --separate-stderr bash -c "'$WRIT' $line"
	[[ $output == *exec#b*stable*exec#c*changed* && $output != *exec#a* && -e $D/c ]] || show_run
	expect_in_stdout 'Total Resources: 3'
}

@test "SIGTERM and SIGHUP end it, too; a second signal kills" {
	local signal
	for signal in TERM HUP; do
		rm -f "$D/log"
		execs <<<"- b: { command: \"sh -c 'echo x >>$D/log; exec sleep 60'\" }"
		started
		wait_for test -s "$D/log"
		kill -"$signal" "$APPLY"
		ended 1
	done
	rm -f "$D/log"
	execs <<<"- b: { command: \"sh -c 'trap \\\"\\\" TERM INT; echo x >>$D/log; while :; do sleep 0.1; done'\" }"
	started
	wait_for test -s "$D/log"
	kill -TERM "$APPLY"
	# shellcheck disable=SC2016 # for that shell
	wait_for bash -c '! grep -q "^ShdPnd:.*[^0]$" /proc/$1/status' bash "$APPLY"
	kill -TERM "$APPLY"
	ended 1
}

@test "interrupted with --json, the summary says so" {
	execs <<<"- b: { command: \"sh -c 'echo x >>$D/log; exec sleep 60'\" }"
	started --json
	wait_for test -s "$D/log"
	kill -INT "$APPLY"
	ended 1
	expect 'len(es) == 1 and es[0]["failed"]' 's["interrupted"] is True and s["failed_resources"] == 1'
	[[ ! -s $ERR ]] || show
}

@test "a reader that goes away does not end the apply" {
	execs <<-END
		- a: { command: "sh -c 'yes | head -c 1000000'", logoutput: true }
		- b: { command: touch $D/b }
	END
	run bash -c "'$WRIT' apply '$MANIFEST' | head -n 1; exit \${PIPESTATUS[0]}"
	[[ $status == 141 && -e $D/b ]] || show_run
}

@test "a full disk is told, and the apply goes on" {
	[[ -w /dev/full ]] || skip "there is no /dev/full"
	execs <<<"- a: { command: touch $D/a }"
	run -1 --separate-stderr bash -c "'$WRIT' apply '$MANIFEST' >/dev/full"
	[[ $stderr == *'cannot write to standard output: No space left'* && -e $D/a ]] || show_run
}

# signal_unread COMMAND: nobody reads the output of an apply; a signal comes when
# the command has made the file a.
signal_unread() {
	mkfifo "$D/pipe"
	execs <<-END
		- a: { command: "sh -c '$1'", logoutput: true, timeout: 60s }
		- b: { command: touch $D/b }
	END
	exec 7<>"$D/pipe"
	env --default-signal=TERM "$WRIT" apply "$MANIFEST" >"$D/pipe" 2>"$ERR" 3>&- 7>&- </dev/null &
	APPLY=$!
	wait_for test -e "$D/a"
	kill -TERM "$APPLY"
	status=0
	wait "$APPLY" || status=$?
	exec 7>&-
	[[ $status -ne 0 && $status -lt 128 ]] || show
}

@test "a reader that does not read holds up no command's deadline, and a signal ends it" {
	signal_unread "yes | head -c 20000000; touch $D/a"
}

@test "a signal during the command ends an apply that nobody reads" {
	signal_unread "yes | head -c 20000000; touch $D/a; sleep 60"
	[[ ! -e $D/b ]] || show
}
