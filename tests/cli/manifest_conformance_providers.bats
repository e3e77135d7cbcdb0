#!/usr/bin/env bats
# bats file_tags=anyone
# How commands are run, case by case: without a shell (X), with one (S), and as
# real processes that do what they like (R).
# shellcheck disable=SC2016,SC2154
load helpers
load manifest
load running

setup() {
	manifest_setup
	cat >"$D/tell" <<-END
		#!/bin/sh
		for word; do printf '[%s]' "\$word"; done >>$D/told
		echo >>$D/told
	END
	chmod 755 "$D/tell"
}

@test "X1: a command is split into words, and no shell sees it" {
	execs <<-END
		- $D/tell hello: {}
		- $D/tell: {}
		- $D/tell "hello world" 'it is': {}
		- $D/tell /var -name '*.log': {}
		- $D/tell \$HOME | & ; > x *: {}
	END
	apply 0
	expect 'read("told") == "[hello]\n\n[hello world][it is]\n[/var][-name][*.log]\n[$HOME][|][&][;][>][x][*]\n"'
}

@test "X2: cwd, environment, path and timeout reach the command, alone and together" {
	mkdir "$D/bin"
	printf '#!/bin/sh\necho own "$A" "$PWD" >>%s/told\n' "$D" >"$D/bin/own"
	chmod 755 "$D/bin/own"
	execs <<-END
		- a: { command: sh -c 'pwd >>$D/told', cwd: $D }
		- b: { command: sh -c 'echo "\$A" >>$D/told', environment: [ A=1 ] }
		- c: { command: own, path: "$D/bin:/usr/bin:/bin" }
		- d: { command: "true", timeout: 1m }
		- e: { command: own, path: "$D/bin:/usr/bin:/bin", cwd: $D/bin, environment: [ A=2 ], timeout: 1m }
		- f: { command: sh -c 'pwd >>$D/told' }
	END
	apply 0
	expect "read('told') == '$D\n1\nown  /\nown 2 $D/bin\n/\n'"
}

@test "X3, X4: an exit code is a result, a command that cannot start is an error" {
	execs <<-END
		- a: { command: sh -c 'exit 1', returns: [1] }
		- b: { command: $D/nothing-here, returns: [1] }
	END
	apply 4
	expect 'kind("a") == "changed" and e("a")["status"]["exitcode"] == 1' \
		'kind("b") == "failed" and "nothing-here" in e("b")["error"][0]' \
		'"exitcode" not in (e("b")["status"] or {})'
}

@test "X5, X6: words that cannot be split, and no words at all" {
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "echo 'open" }
		- "   ": {}
		- b: { argv: [] }
		- c: { argv: [ "" ] }
	END
	refused Unterminated m.yaml:6: m.yaml:7: m.yaml:8:
}

@test "X6: a command that comes out empty fails with words that say so" {
	execs <<-'END'
		- a: { command: "{{ raw('') }}", provider: shell }
	END
	apply 4
	expect 'e("a")["failed"] and "command" in e("a")["error"][0]'
}

@test "X7, S2: with a policy that has no shell the shell provider fails, and the rest goes on" {
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		default: allow
		sandbox: none
		shell: deny
		agents: { "*": {} }
		rules: [ { allow: {} } ]
	END
	execs <<-END
		- a: { command: "touch $D/canary", provider: shell }
		- b: { command: "true" }
	END
	apply 4 --policy "$BATS_TEST_TMPDIR/policy.yaml"
	expect 'kind("a") == "failed" and kind("b") == "changed"' 'not has("canary")'
}

@test "X8: command is what runs, and the name where there is none" {
	execs <<-END
		- touch $D/canary: { command: touch $D/a }
		- touch $D/b: { command: "" }
		- touch $D/c: {}
	END
	apply 0
	expect 'not has("canary") and has("a") and has("b") and has("c")'
}

@test "X9: logoutput shows each line in order, empty ones too; without it nothing is shown" {
	execs <<-'END'
		- loud: { command: printf 'line-1\n\nline-2\nno end', logoutput: true }
		- quiet: { command: echo not-to-be-seen }
		- failing: { command: sh -c 'echo shown-after-all; exit 1', logoutput: on_failure }
		- fine: { command: echo not-to-be-seen, logoutput: on_failure }
	END
	to_files 4 "$WRIT" apply "$MANIFEST"
	cat "$OUT" "$ERR" >"$D/all"
	says line-1 line-2 'no end' shown-after-all
	! grep -q not-to-be-seen "$D/all" || show
	expect 'read("all").index("line-1") < read("all").index("line-2") < read("all").index("no end")' \
		'[l for l in read("all").splitlines() if "line-1" in l or "line-2" in l or "no end" in l].__len__() == 3' \
		'len(read("all").split("line-1")[1].split("line-2")[0].splitlines()) == 3'
}

@test "X10: creates is satisfied by anything that is there, also through a link" {
	mkdir "$D/dir"
	touch "$D/file"
	ln -s file "$D/link"
	ln -s nowhere "$D/dangling"
	mkfifo "$D/fifo"
	execs <<-END
		- file: { command: "true", creates: $D/file }
		- dir: { command: "true", creates: $D/dir }
		- link: { command: "true", creates: $D/link }
		- fifo: { command: "true", creates: $D/fifo }
		- dangling: { command: "true", creates: $D/dangling }
		- missing: { command: "true", creates: $D/missing }
		- unset: { command: "true" }
	END
	apply 0
	expect '[x["changed"] for x in es] == [False] * 4 + [True] * 3' \
		'all(x["status"]["creates_satisfied"] for x in es[:4])' \
		'not any(x["status"].get("creates_satisfied") for x in es[4:])'
}

@test "X11: guards run as the command does: cwd, environment, path" {
	mkdir "$D/bin"
	printf '#!/bin/sh\ntest "$A$PWD" = "1%s"\n' "$D" >"$D/bin/check"
	chmod 755 "$D/bin/check"
	execs <<-END
		- a: { command: "true", onlyif: check, path: "$D/bin:/usr/bin:/bin", cwd: $D, environment: [ A=1 ] }
		- b: { command: "true", onlyif: check, path: "$D/bin:/usr/bin:/bin", cwd: $D, environment: [ A=2 ] }
		- c: { command: "true", onlyif: $D/nowhere }
		- d: { command: "true", unless: sh -c 'exit 7' }
	END
	apply 4
	expect '[kind(x["name"]) for x in es] == ["changed", "stable", "failed", "changed"]'
}

@test "S1: the shell provider gives the whole text to a shell" {
	execs <<-END
		- simple: { provider: shell, command: echo hello >$D/a }
		- pipe: { provider: shell, command: echo hello | tr a-z A-Z >$D/b }
		- builtin: { provider: shell, command: cd $D && pwd >c }
		- glob: { provider: shell, command: 'cd $D; echo [abc] >d' }
		- expansion: { provider: shell, command: 'X=\$(echo sub); echo "\$X" >$D/e' }
		- "echo name >$D/f": { provider: shell }
		- lines:
		    provider: shell
		    command: |
		      cd $D
		      for i in 1 2; do
		        echo \$i >>g
		      done
	END
	apply 0
	expect 'read("a") == "hello\n" and read("b") == "HELLO\n"' "read('c') == '$D\n'" 'read("d") == "a b c\n"' \
		'read("e") == "sub\n" and read("f") == "name\n" and read("g") == "1\n2\n"' \
		'all(x["provider"] == "shell" for x in es)'
}

@test "S2, S3: a shell has the options, results and guards that a command has" {
	execs <<-END
		- a: { provider: shell, command: 'echo "\$A" \$PWD >a', cwd: $D, environment: [ A=1 ], path: "/usr/bin:/bin", timeout: 1m }
		- b: { provider: shell, command: exit 3, returns: [3] }
		- c: { provider: shell, command: exit 3 }
		- d: { provider: shell, command: touch $D/d, onlyif: test -e / && test ! -e / }
		- e: { provider: shell, command: touch $D/e, unless: "false | true" }
		- f: { provider: shell, command: touch $D/f, creates: / }
		- g: { provider: shell, command: no-such-command-here }
	END
	apply 4
	expect "read('a') == '1 $D\n'" '[kind(x["name"]) for x in es] == ["changed", "changed", "failed", "stable", "stable", "stable", "failed"]' \
		'not has("d") and not has("e") and not has("f")' \
		'e("g")["error"] == ["failed to reach desired state: exit code 127: exit code 127 not in allowed returns [0]"]'
}

@test "S4: an empty guard is refused" {
	execs <<-END
		- touch $D/canary: {}
		- a: { provider: shell, command: "true", onlyif: "" }
		- b: { command: "true", unless: "" }
	END
	refused guard m.yaml:6: m.yaml:7:
}

@test "S5: a shell is used only where it is asked for, and other providers do not exist" {
	execs <<-END
		- echo hello > $D/a: {}
	END
	apply 0
	expect 'not has("a")' 'es[0]["provider"] == "posix"'
	execs <<-END
		- touch $D/canary: { provider: powershell }
	END
	refused provider
}

@test "R1: a timeout ends the command, its children, and who ignores SIGTERM" {
	local nap=97.$BASHPID
	execs <<-END
		- plain: { command: sleep $nap, timeout: 200ms }
		- shell: { provider: shell, command: sleep $nap; exit 0, timeout: 200ms }
		- tree: { provider: shell, command: "(setsid sleep $nap & sleep $nap) & sleep $nap", timeout: 200ms }
	END
	local began
	began=$(now_ms)
	apply 4
	within 2500 $(($(now_ms) - began)) "ending three commands"
	expect 'all(x["failed"] and "timed out after 200ms" in x["error"][0] for x in es)' 'len(es) == 3'
	run ! pgrep -f "sleep $nap"
	execs <<-END
		- stubborn: { provider: shell, command: "trap '' TERM; while :; do sleep $nap; done", timeout: 200ms }
	END
	began=$(now_ms)
	apply 4
	within 7500 $(($(now_ms) - began)) "ending one that ignores SIGTERM"
	run ! pgrep -f "sleep $nap"
}

@test "R2: path is where the program is found, and its PATH" {
	mkdir "$D/bin"
	printf '#!/bin/sh\necho "$PATH" >%s/path\n' "$D" >"$D/bin/only-there"
	chmod 755 "$D/bin/only-there"
	execs <<-END
		- with: { command: only-there, path: "$D/bin:/usr/bin" }
		- without: { command: only-there }
	END
	PATH=$D/bin:$PATH apply 4
	expect "read('path') == '$D/bin:/usr/bin\n'" '[x["failed"] for x in es] == [False, True]'
}

@test "R3: the environment is clean, and what the manifest says is added" {
	execs <<-END
		- a: { command: sh -c 'env | sort >$D/env', environment: [ OWN=1, LANG=de ] }
	END
	LEAK=seen LD_PRELOAD='' apply 0
	expect '"LEAK" not in read("env")' '"OWN=1\n" in read("env") and "LANG=de\n" in read("env")' \
		'"LC_ALL=C\n" in read("env") and "\nPATH=/usr" in read("env")' \
		'{l.split("=")[0] for l in read("env").splitlines()} <= {"PATH", "LANG", "LC_ALL", "HOME", "USER", "LOGNAME", "SHELL", "OWN", "PWD", "SHLVL", "_"}'
}

@test "R4: a signal is reported as a signal" {
	execs <<-'END'
		- a: { command: "sh -c 'kill -KILL $$'" }
		- b: { command: "sh -c 'kill -SEGV $$'", returns: [0, 139, 11] }
	END
	apply 4
	expect '"SIGKILL" in e("a")["error"][0]' '"SIGSEGV" in e("b")["error"][0]' \
		'"KILL" in str(e("a")["status"]["signal"]) or e("a")["status"]["signal"] == 9'
}

@test "R5: output of any size and kind is dealt with" {
	execs <<-'END'
		- flood: { command: head -c 30000000 /dev/zero, logoutput: on_failure }
		- binary: { command: "sh -c 'head -c 100000 /dev/urandom; exit 1'", logoutput: on_failure }
		- line: { command: "sh -c 'head -c 200000 /dev/zero | tr \"\\\\0\" x; echo; echo after-the-line'", logoutput: true }
	END
	apply 4
	expect '[kind(x["name"]) for x in es] == ["changed", "failed", "changed"]'
	says after-the-line
}

@test "R6: a child that holds the pipe does not hold up the apply" {
	local nap=96.$BASHPID
	execs <<-END
		- a: { provider: shell, command: "sleep $nap & echo hi" }
	END
	local began
	began=$(now_ms)
	apply 0
	within 2000 $(($(now_ms) - began)) "the apply"
	run ! pgrep -f "sleep $nap"
}

@test "R7: standard input is empty" {
	execs <<-END
		- a: { command: sh -c 'cat >$D/in; readlink /proc/self/fd/0 >$D/name' }
	END
	echo secret | to_files 0 "$WRIT" apply --json "$MANIFEST"
	expect 'read("in") == ""' 'read("name") == "/dev/null\n"'
}

@test "R8: an unknown key is an error that says what was meant" {
	execs <<-END
		- touch $D/canary: { refresh_olny: true }
	END
	refused refresh_olny refresh_only m.yaml:5:
}

@test "R9: the exit status tells that something failed" {
	execs <<-'END'
		- "false": {}
	END
	apply 4
	to_files 4 "$WRIT" ensure exec false
	to_files 0 "$WRIT" ensure exec true
}

@test "R10: what was written to standard error can be had" {
	execs <<-'END'
		- a: { command: "sh -c 'echo the-reason >&2; exit 1'", logoutput: on_failure }
		- b: { command: "sh -c 'echo live-error >&2'", logoutput: true }
	END
	to_files 4 "$WRIT" apply "$MANIFEST"
	says the-reason live-error
}
