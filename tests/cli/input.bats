#!/usr/bin/env bats
# What a command reads.
load helpers
load running

setup() {
	OUT=$BATS_TEST_TMPDIR/out
}

# bats test_tags=smoke
@test "text is given whole, then comes the end" {
	run -0 --separate-stderr "$WRIT" run --stdin 'text:two
lines' -- cat
	expect_stdout "two"$'\n'"lines"
	run -0 --separate-stderr "$WRIT" run --stdin text: -- wc -c
	expect_stdout 0
}

@test "text is not a shell's business" {
	# shellcheck disable=SC2016 # literal
	run -0 --separate-stderr "$WRIT" run --stdin 'text:$HOME `id` \n %s' -- cat
	# shellcheck disable=SC2016 # literal
	expect_stdout '$HOME `id` \n %s'
}

@test "a request can give text with NUL and newlines" {
	printf '{"argv":["od","-An","-c"],"stdin":"a\\u0000b\\n"}' >"$BATS_TEST_TMPDIR/request"
	run -0 --separate-stderr "$WRIT" run --request "$BATS_TEST_TMPDIR/request"
	[[ $(echo $output) == 'a \0 b \n' ]] || show_run
}

@test "a file is given whole" {
	seq 1 100000 >"$BATS_TEST_TMPDIR/in"
	"$WRIT" run --stdin "@$BATS_TEST_TMPDIR/in" -- cat | cmp - "$BATS_TEST_TMPDIR/in"
	"$WRIT" run --stdin "file:$BATS_TEST_TMPDIR/in" -- cat | cmp - "$BATS_TEST_TMPDIR/in"
}

@test "a file's name is relative to the command's directory" {
	mkdir "$BATS_TEST_TMPDIR/there"
	echo there >"$BATS_TEST_TMPDIR/there/in"
	echo here >"$BATS_TEST_TMPDIR/in"
	cd "$BATS_TEST_TMPDIR"
	run -0 --separate-stderr "$WRIT" run --cwd there --stdin @in -- cat
	expect_stdout there
}

@test "a missing file, a directory and a FIFO without a writer" {
	run -125 --separate-stderr "$WRIT" run --stdin "@$BATS_TEST_TMPDIR/no" -- touch "$OUT"
	expect_in_stderr "cannot read standard input from '$BATS_TEST_TMPDIR/no': No such file or directory"
	run -125 --separate-stderr "$WRIT" run --stdin "@$BATS_TEST_TMPDIR" -- touch "$OUT"
	expect_in_stderr "Is a directory"
	[[ ! -e $OUT ]]
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	run -0 --separate-stderr timeout -s KILL 10 "$WRIT" run --stdin "@$BATS_TEST_TMPDIR/fifo" -- cat
	expect_stdout ""
}

@test "an unreadable file is refused" {
	! is_root || skip "root reads every file"
	touch "$BATS_TEST_TMPDIR/in"
	chmod 0 "$BATS_TEST_TMPDIR/in"
	run -125 --separate-stderr "$WRIT" run --stdin "@$BATS_TEST_TMPDIR/in" -- cat
	expect_in_stderr "Permission denied"
}

@test "writ's own input is passed on: a pipe and a file" {
	[[ $(echo piped | "$WRIT" run -- cat) == piped ]]
	echo stored >"$BATS_TEST_TMPDIR/in"
	[[ $("$WRIT" run -- cat <"$BATS_TEST_TMPDIR/in") == stored ]]
}

@test "what the command leaves of a passed-on input is there for the next reader" {
	[[ $(printf 'one\ntwo\n' | { "$WRIT" run -- sh -c 'read -r line'; cat; }) == two ]]
}

@test "--stdin null reads nothing, whatever writ has" {
	[[ $(echo piped | "$WRIT" run --stdin null -- cat) == "" ]]
}

@test "a closed standard input is no disaster" {
	run -0 --separate-stderr bash -c 'exec "$1" run -- cat <&-' bash "$WRIT"
	expect_stdout ""
	run -0 --separate-stderr bash -c 'exec "$1" run -- ls -l /proc/self/fd/0 <&-' bash "$WRIT"
	expect_in_stdout /dev/null
}

@test "a terminal is not passed on: the command finds nothing to read" {
	run -0 on_terminal "'$WRIT' run -- sh -c 'cat; [ -t 0 ] || echo no terminal'"
	expect_in_stdout "no terminal"
}

@test "100 MB that nobody reads do not delay the end" {
	local began
	began=$(now_ms)
	run -0 --separate-stderr bash -c 'head -c 100000000 /dev/zero | "$1" run -- true' bash "$WRIT"
	python3 -c 'import json, sys; json.dump({"argv": ["true"], "stdin": "x" * 60000000}, sys.stdout)' >"$BATS_TEST_TMPDIR/request"
	run -0 --separate-stderr "$WRIT" run --request "$BATS_TEST_TMPDIR/request"
	within 5000 $(($(now_ms) - began)) "the end"
}

@test "100 MB of passed-on input arrive" {
	[[ $(head -c 100000000 /dev/zero | "$WRIT" run -- wc -c) == 100000000 ]]
}

@test "60 MB of given text arrive, while as much comes back" {
	python3 -c 'import json, sys; json.dump({"argv": ["cat"], "stdin": "0123456789" * 6000000}, sys.stdout)' >"$BATS_TEST_TMPDIR/request"
	[[ $("$WRIT" run --request "$BATS_TEST_TMPDIR/request" | sha256sum) == \
		$(python3 -c 'import sys; sys.stdout.write("0123456789" * 6000000)' | sha256sum) ]]
}

@test "a command that closes its input early meets no error, and writ no SIGPIPE" {
	python3 -c 'import json, sys; json.dump({"argv": ["sh", "-c", "head -c 10; exec <&-; sleep 0.2; echo; echo end"], "stdin": "x" * 10000000}, sys.stdout)' \
		>"$BATS_TEST_TMPDIR/request"
	run -0 --separate-stderr "$WRIT" run --request "$BATS_TEST_TMPDIR/request"
	expect_stdout "xxxxxxxxxx"$'\n'"end"
	expect_stderr ""
}

@test "a timeout ends a command that is still being fed" {
	python3 -c 'import json, sys; json.dump({"argv": ["sleep", "60"], "stdin": "x" * 10000000}, sys.stdout)' >"$BATS_TEST_TMPDIR/request"
	run -124 --separate-stderr "$WRIT" run --timeout 200ms --request "$BATS_TEST_TMPDIR/request"
}

# ---- /dev/tty

@test "reading the terminal fails at once, although writ has one" {
	local began
	began=$(now_ms)
	run on_terminal "'$WRIT' run -- sh -c 'read x </dev/tty'; echo status=\$?"
	expect_in_stdout "/dev/tty"
	[[ $output == *status=[12]* ]] || show_run
	within 1500 $(($(now_ms) - began)) "the refusal"
}

no_terminal() {
	run on_terminal "${BEFORE[*]} '$WRIT' run ${TREE[*]} -- sh -c 'cut -d\" \" -f7 /proc/self/stat'"
	[[ ${lines[0]//$'\r'/} == 0 ]] || show_run
}

@test "the command has no controlling terminal, under any hold" {
	each_hold no_terminal
}


@test "a password prompt does not hang" {
	# What getpass() does: the terminal first, then standard input.
	local began
	began=$(now_ms)
	run on_terminal "'$WRIT' run -- python3 -W ignore -c 'import getpass; getpass.getpass()'; echo status=\$?"
	expect_in_stdout "status=1"
	within 3000 $(($(now_ms) - began)) "the prompt"
}
