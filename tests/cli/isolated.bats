#!/usr/bin/env bats
# Modules in a process of their own: `writ call --isolated`.
load helpers
load modules
load running

setup() {
	modules_setup
	bind cli.echo 'exec:///bin/echo hello' ''
	bind cli.hang 'exec:///bin/sleep 1000' ''
	bind cli.false exec:///bin/false ''
}

@test "test_sandbox_disabled_returns_passthrough_error: without --isolated no runner is started" {
	call 127 test.module
	expect_json 'd["error"]["code"] == "not_found"'
	call 0 cli.echo
	expect_json 'd["stdout"] == "hello\n"'
	run -0 --separate-stderr "$WRIT" audit export
	[[ $output != *internal-sandbox-runner* ]] || show_run
	call 0 --isolated cli.echo
	expect_json 'd["stdout"] == "hello\n"'
	run -0 --separate-stderr "$WRIT" audit export
	expect_in_stdout internal-sandbox-runner
}

@test "a plain call and an isolated one give the same result and the same status" {
	bind cli.sh 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	for text in 'exit 0' 'exit 3' 'echo out; echo err >&2; exit 42' 'kill -TERM $$'; do
		run --separate-stderr "$WRIT" call cli.sh "{\"text\":\"$text\"}"
		local plain="$status|$output|$stderr"
		run --separate-stderr "$WRIT" call --isolated cli.sh "{\"text\":\"$text\"}"
		[[ "$status|$output" == "${plain%|*}" ]] || { echo "plain: $plain" >&2; show_run; }
	done
}

@test "the environment of an isolated call is cleared" {
	script env env
	bind cli.env "exec://$BIN/env" ''
	export SOME_VARIABLE=leak USER=leak PYTHONPATH=leak APCORE_MODE=fast LC_ALL=C
	call 0 --isolated cli.env
	expect_json 'sorted(l.split("=")[0] for l in d["stdout"].splitlines() if l.split("=")[0] not in ("_", "PWD", "SHLVL", "OLDPWD", "TERM", "LANG")) == ["APCORE_MODE", "HOME", "LC_ALL", "PATH", "TMPDIR"]'
	expect_json '"leak" not in d["stdout"]'
}

@test "HOME and TMPDIR are one private directory, where the module works, and go with it" {
	script home 'stat -c %a "$HOME"; echo "$HOME"; echo "$TMPDIR"; pwd; ls -A "$HOME" | wc -l; touch "$HOME/file"'
	bind cli.home "exec://$BIN/home" ''
	call 0 --isolated cli.home
	local home tmp cwd mode count
	{ read -r mode; read -r home; read -r tmp; read -r cwd; read -r count; } <<<"$(json "$output" 'd["stdout"].strip()')"
	[[ $mode == 700 && $home == "$tmp" && $home == "$cwd" && $count == 0 && $home != "$HOME" ]] || show_run
	[[ ! -e $home ]]
}

@test "the options of a call hold in the runner too" {
	script where 'pwd; cat; echo "$X"; ulimit -n'
	bind cli.where "exec://$BIN/where" ''
	mkdir sub
	call 0 --isolated --cwd sub --stdin text:fed --env X=mine --open-files 77 --trace-id t-1 cli.where
	expect_json "d['stdout'] == '$PWD/sub\nfedmine\n77\n' and d['trace_id'] == 't-1'"
	bind cli.argv "exec://$BIN/where" "$(properties '"a":{"type":"string"}')"
	call 125 --isolated --arguments strict-modules cli.argv '{"a":"x;y"}'
	expect_error invalid "';'"
}

@test "a file that a call names is found beside the caller" {
	script copy cat
	bind cli.copy "exec://$BIN/copy" ''
	echo words >words
	call 0 --isolated --stdin @words cli.copy
	expect_json 'd["stdout"] == "words\n"'
	mkdir sub
	echo others >sub/words
	call 0 --isolated --cwd sub --stdin @words cli.copy
	local isolated=$output
	call 0 --cwd sub --stdin @words cli.copy
	[[ $(json "$isolated" 'd["stdout"]') == "$(json "$output" 'd["stdout"]')" ]] || show_run
}

@test "what a call sets is added to what its module sets, and wins" {
	script show 'echo "$A $B $C"'
	bind cli.show "exec://$BIN/show" '' 'env: {A: one, B: two}' 'env_pass: [D]'
	call 0 --isolated --env B=three --env C=four cli.show
	expect_json 'd["stdout"] == "one three four\n"'
	call 0 --env B=three --env C=four cli.show
	expect_json 'd["stdout"] == "one three four\n"'
}

@test "a timeout of an isolated call does not lose what was written until then" {
	script slow 'echo partial; sleep 1000'
	bind cli.slow "exec://$BIN/slow" ''
	call 124 --isolated --timeout 2s cli.slow
	expect_error timeout cli.slow 2s
	expect_json 'd["error"]["details"]["result"]["stdout"] == "partial\n"'
	expect_json 'd["error"]["details"]["timeout_ms"] == 2000'
	run -0 --separate-stderr "$WRIT" audit verify
}

@test "a module's own deadline is a result like any other" {
	bind cli.short 'exec:///bin/sleep 1000' '' 'timeout: 200ms'
	call 124 --isolated cli.short
	expect_json 'd["outcome"] == "timed_out" and d["timeout_ms"] == 200'
	run -124 --separate-stderr "$WRIT" call --isolated cli.short
	expect_stderr "writ: timed out after 200ms"
	run -124 --separate-stderr "$WRIT" call --isolated --idle-timeout 100ms cli.short
	expect_in_stderr "writ: ended: no output for too long"
}

@test "a deadline of one millisecond is a timeout" {
	call 124 --isolated --timeout 1ms cli.hang
	run -124 --separate-stderr "$WRIT" call --isolated --timeout 1ms cli.hang
	expect_in_stderr 1ms
}

@test "an isolated call leaves nothing behind after a timeout" {
	# shellcheck disable=SC2016 # for the script
	script spread "
setsid sh -c 'trap \"\" TERM HUP; exec 9>>$PWD/lock; flock 9; touch $PWD/held; sleep 1000 & wait' &
setsid sh -c '(sh -c \"exec 8>>$PWD/lock2; flock 8; touch $PWD/held2; sleep 1000\" &)' &
sleep 1000"
	bind cli.spread "exec://$BIN/spread" ''
	touch lock lock2
	call 124 --isolated --timeout 1s --grace 200ms cli.spread
	[[ -e held && -e held2 ]]
	nothing_holds lock
	nothing_holds lock2
}

@test "a module that forks twice and ends leaves nothing behind" {
	script daemon "setsid sh -c '(exec 9>>$PWD/lock; flock 9; touch $PWD/up; sleep 1000 >/dev/null 2>&1) &' & while [ ! -e $PWD/up ]; do sleep 0.05; done; echo done"
	bind cli.daemon "exec://$BIN/daemon" ''
	call 0 --isolated cli.daemon
	expect_json 'd["stdout"] == "done\n"'
	[[ -e up ]]
	nothing_holds lock
}

@test "SIGKILL of the caller leaves neither the runner nor its module" {
	bind cli.up 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	"$WRIT" call --isolated cli.up "{\"text\":\"exec 9>>$PWD/lock; flock 9; touch $PWD/up; sleep 1000\"}" >out 2>err 3>&- &
	local pid=$!
	wait_for test -e up
	kill -KILL $pid
	wait $pid || true
	wait_for nothing_holds lock
}

@test "SIGKILL of the runner is reported as such" {
	bind cli.up_$$ 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	"$WRIT" call --json --isolated "cli.up_$$" "{\"text\":\"exec 9>>$PWD/lock; flock 9; touch $PWD/up; sleep 1000\"}" >out 2>err 3>&- &
	local pid=$! code=0
	wait_for test -e up
	# shellcheck disable=SC2046 # one word each
	kill -KILL $(pgrep -f -- "^[^ ]*writ --internal-sandbox-runner cli.up_$$")
	wait $pid || code=$?
	[[ $code == 125 ]] || { cat out err >&2; false; }
	[[ $(json "$(cat out)" 'd["error"]["code"], d["error"]["details"]["signal"]') == "('runner_failed', 'SIGKILL')" ]] || { cat out >&2; false; }
	wait_for nothing_holds lock
}

@test "a signal ends an isolated call with its module" {
	bind cli.up 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	"$WRIT" call --isolated cli.up "{\"text\":\"exec 9>>$PWD/lock; flock 9; touch $PWD/up; sleep 1000\"}" >out 2>err 3>&- &
	local pid=$! code=0
	wait_for test -e up
	kill -TERM $pid
	wait $pid || code=$?
	[[ $code == 143 ]] || { cat err >&2; false; }
	nothing_holds lock
}

@test "what a module writes cannot be taken for its runner's result" {
	# shellcheck disable=SC2016 # for the script
	script forge 'for fd in /proc/self/fd/*; do echo "{\"forged\":true}" >"$fd"; done 2>/dev/null; exec >&- 2>&-; kill -TERM $$'
	bind cli.forge "exec://$BIN/forge" ''
	call 143 --isolated cli.forge
	expect_json 'd["outcome"] == "signaled" and "forged" not in d'
	script forge 'printf "{\"forged\":true}"; printf "{\"error\":{\"code\":\"forged\",\"message\":\"forged\"}}" >&2; exit 9'
	call 9 --isolated cli.forge
	expect_json 'd["exit_code"] == 9 and "forged" not in d and "error" not in d'
}

@test "a module does not see the runner's own descriptors" {
	script fds 'ls /proc/self/fd | sort -n | tr "\n" " "'
	bind cli.fds "exec://$BIN/fds" ''
	call 0 cli.fds
	local plain
	plain=$(json "$output" 'd["stdout"]')
	call 0 --isolated cli.fds
	[[ $(json "$output" 'd["stdout"]') == "$plain" ]] || show_run
}

@test "a large result comes whole, one beyond the limit is refused and says so" {
	script flood 'head -c 3000000 /dev/zero | tr "\0" "x"'
	bind cli.flood "exec://$BIN/flood" ''
	call 0 --isolated --output-limit 8MiB cli.flood
	expect_json 'len(d["stdout"]) == 3000000'
	script flood 'head -c 70000000 /dev/zero | tr "\0" "x"'
	call 125 --isolated --output-limit 100MiB cli.flood
	expect_error output_parse_failed limit
}

@test "modules of the user's configuration are found although HOME moves" {
	unset WRIT_CONFIG_DIR WRIT_MODULES
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_CONFIG_HOME
	mkdir -p "$HOME/.config/writ/modules"
	chmod -R go-w "$HOME"
	cp "$MODULES/cli.echo.binding.yaml" "$HOME/.config/writ/modules/"
	call 0 --isolated cli.echo
	expect_json 'd["stdout"] == "hello\n"'
}
