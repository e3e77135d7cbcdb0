#!/usr/bin/env bats
# bats file_tags=anyone
# Requests as JSON, and what the command reads.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	file=$BATS_TEST_TMPDIR/request.json
}

# request TEXT: writes the request file.
request() { printf '%s' "$1" >"$file"; }

# bats test_tags=smoke
@test "a request comes from a file" {
	request '{"argv":["echo","a b","c"]}'
	run -0 --separate-stderr "$WRIT" run --request "$file"
	expect_stdout "a b c"
}

@test "a request comes from standard input" {
	run -7 --separate-stderr "$WRIT" run --request - <<<'{"shell":"echo out; exit 7"}'
	expect_stdout out
}

@test "after a request from standard input the command reads nothing" {
	run -0 --separate-stderr timeout 20 "$WRIT" run --request - < <(
		printf '{"argv":["cat"]}'
	)
	expect_stdout ""
}

@test "a request has its own input" {
	run -0 --separate-stderr "$WRIT" run --request - <<<'{"argv":["cat"],"stdin":"given"}'
	expect_stdout given
	request '{"argv":["cat"],"stdin":"given"}'
	run -0 --separate-stderr "$WRIT" run --request "$file" <<<'not this'
	expect_stdout given
}

@test "a request from a file without input reads what writ reads" {
	request '{"argv":["cat"]}'
	run -0 --separate-stderr "$WRIT" run --request "$file" <<<'piped'
	expect_stdout piped
}

@test "options override the keys of the request, before it and after it" {
	request '{"argv":["sh","-c","pwd; echo $A$B"],"cwd":"/usr","env":{"A":"1","B":"2"}}'
	run -0 --separate-stderr "$WRIT" run --cwd / --request "$file" -e A=9
	expect_stdout $'/\n92'
}

@test "a program beside a request is refused" {
	request '{"argv":["true"]}'
	run -125 --separate-stderr "$WRIT" run --request "$file" -- true
	expect_in_stderr "writ: run: a PROGRAM and --request cannot be used together"
}

@test "--shell beside a request with argv is refused" {
	request '{"argv":["true"]}'
	run -125 --separate-stderr "$WRIT" run --request "$file" --shell true
	expect_in_stderr "'argv' and 'shell' cannot be given together"
}

@test "an error in a request names the file, the line and the column" {
	request $'{"argv": ["true"],\n  "timout_ms": 3}'
	run -125 --separate-stderr "$WRIT" run --request "$file"
	expect_stdout ""
	expect_stderr "writ: $file:2:3: unknown key 'timout_ms', did you mean 'timeout_ms'?"
	run -125 --separate-stderr "$WRIT" run --request - <"$file"
	expect_stderr "writ: stdin:2:3: unknown key 'timout_ms', did you mean 'timeout_ms'?"
}

@test "an error in a request with --json has the place in its details" {
	request $'{"argv": ["true"],\n  "timout_ms": 3}'
	run -125 --separate-stderr "$WRIT" run --json --request "$file"
	[[ $(json "$output" 'd["error"]["code"], d["error"]["details"]["line"], d["error"]["details"]["column"]') == "('invalid', 2, 3)" ]]
	expect_stderr ""
}

@test "bad requests are refused and nothing runs" {
	local requests=(
		'' '[]' '{' 'null' '{}' '{"argv":[]}' '{"argv":"true"}' '{"argv":["touch","ran"],}'
		'{"argv":["touch","ran"],"argv":["true"]}'
		'{"argv":["touch","ran"],"timeout_ms":-1}'
		'{"argv":["touch","ran"],"timeout_ms":1e99}'
		'{"argv":["touch","ran"],"memory":"big"}'
		'{"argv":["touch","ran"],"env":["A=1"]}'
		'{"argv":["touch","ran"],"cwd":7}'
		'{"argv":["touch","ran\u0000"]}'
		'{"argv":["touch","ran"]} {}'
		$'{"argv":["touch","ran\xff"]}'
	)
	for text in "${requests[@]}"; do
		request "$text"
		run -125 --separate-stderr "$WRIT" run --cwd "$BATS_TEST_TMPDIR" --request "$file"
		[[ -n $stderr && -z $output ]] || show_run
		! compgen -G "$BATS_TEST_TMPDIR/ran*" >/dev/null
	done
}

@test "a missing request and a directory are named with the cause" {
	run -125 --separate-stderr "$WRIT" run --request "$BATS_TEST_TMPDIR/none"
	expect_stderr "writ: cannot open the request '$BATS_TEST_TMPDIR/none': No such file or directory"
	run -125 --separate-stderr "$WRIT" run --request "$BATS_TEST_TMPDIR"
	expect_stderr "writ: cannot read the request from '$BATS_TEST_TMPDIR': Is a directory"
}

@test "a request over 64 MiB is refused, from a file and from a pipe" {
	truncate -s $((64 * 1024 * 1024 + 1)) "$file"
	run -125 --separate-stderr "$WRIT" run --request "$file"
	expect_in_stderr "writ: the request in '$file' is larger than 64MiB"
	run -125 --separate-stderr sh -c 'head -c 67108865 /dev/zero | "$1" run --request -' sh "$WRIT"
	expect_in_stderr "writ: the request in 'standard input' is larger than 64MiB"
}

@test "an endless request ends at the limit" {
	run -125 --separate-stderr timeout 60 "$WRIT" run --request /dev/zero
	expect_in_stderr "is larger than 64MiB"
}

@test "a request of exactly 64 MiB is read" {
	local frame='{"argv":["cat"],"stdin":""}'
	{
		printf '%s' "${frame%\"\}}"
		head -c $((64 * 1024 * 1024 - ${#frame})) /dev/zero | tr '\0' x
		printf '"}'
	} >"$file"
	[[ $(stat -c %s "$file") == $((64 * 1024 * 1024)) ]]
	[[ $("$WRIT" run --request "$file" | wc -c) == $((64 * 1024 * 1024 - ${#frame})) ]]
}

@test "input: null, text, file" {
	echo "in a file" >"$BATS_TEST_TMPDIR/input"
	run -0 --separate-stderr "$WRIT" run --stdin null -- cat <<<'piped'
	expect_stdout ""
	run -0 --separate-stderr "$WRIT" run --stdin text:hello -- cat <<<'piped'
	expect_stdout hello
	run -0 --separate-stderr "$WRIT" run --stdin text: -- cat <<<'piped'
	expect_stdout ""
	run -0 --separate-stderr "$WRIT" run --stdin "file:$BATS_TEST_TMPDIR/input" -- cat
	expect_stdout "in a file"
	run -0 --separate-stderr "$WRIT" run --stdin "@$BATS_TEST_TMPDIR/input" -- cat
	expect_stdout "in a file"
}

@test "input from a file is relative to the working directory" {
	echo "in a file" >"$BATS_TEST_TMPDIR/input"
	run -0 --separate-stderr "$WRIT" run --cwd "$BATS_TEST_TMPDIR" --stdin @input -- cat
	expect_stdout "in a file"
}

@test "input: the pipe of writ by default and with inherit" {
	run -0 --separate-stderr "$WRIT" run -- cat <<<'piped'
	expect_stdout piped
	run -0 --separate-stderr "$WRIT" run --stdin inherit -- cat <<<'piped'
	expect_stdout piped
}

@test "input: what the command leaves is there for the next" {
	printf 'one\ntwo\n' >"$BATS_TEST_TMPDIR/input"
	run -0 bash -c '{ "$1" run -- dd bs=4 count=1 status=none >/dev/null; cat; } <"$2"' \
		bash "$WRIT" "$BATS_TEST_TMPDIR/input"
	expect_stdout two
}

@test "a terminal is not passed on: the command reads nothing" {
	need script
	run -0 timeout 20 bash -c "$(declare -f on_terminal); on_terminal \"'$WRIT' run -- cat; echo rc=\\\$?\""
	expect_in_stdout "rc=0"
}

@test "--stdin inherit on a terminal is refused with the reason" {
	need script
	run on_terminal "'$WRIT' run --stdin inherit -- cat; echo rc=\$?"
	expect_in_stdout "run: --stdin inherit: standard input is a terminal, and commands run without one"
	expect_in_stdout "rc=125"
}

@test "--stdin inherit after a request from standard input is refused" {
	run -125 --separate-stderr "$WRIT" run --request - --stdin inherit <<<'{"argv":["cat"]}'
	expect_stderr "writ: run: --stdin inherit: standard input was the request"
}

@test "an unknown input lists the ones there are" {
	run -125 --separate-stderr "$WRIT" run --stdin nowhere -- cat
	expect_stderr "writ: run: --stdin: unknown input 'nowhere'"$'\n'"  try: null, inherit, attach, text:STRING, file:PATH or @PATH"
}

@test "closed standard streams are no trap" {
	run -0 bash -c '"$1" run -- true <&- >&- 2>&-' bash "$WRIT"
	run -0 --separate-stderr bash -c '"$1" run -- cat <&-' bash "$WRIT"
	expect_stdout ""
}
