#!/usr/bin/env bats
# bats file_tags=anyone
# Input that is wrong: one clear message, the right status, nothing started and
# nothing left.
load helpers
load running

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	RAN=$BATS_TEST_TMPDIR/ran
}

# refused MESSAGE COMMAND...: 125, one message and perhaps one hint, no output,
# and no command that ran.
refused() {
	run -125 --separate-stderr "${@:2}"
	expect_stdout ""
	expect_in_stderr "$1"
	[[ $stderr == "writ: "* && $(grep -c '^writ: ' <<<"$stderr") == 1 && $(wc -l <<<"$stderr") -le 2 ]] || show_run
	[[ ! -e $RAN ]]
}

# bad_request MESSAGE TEXT: the same for a request, from a file, from standard
# input, and as JSON.
bad_request() {
	printf '%b' "$2" >request
	refused "$1" "$WRIT" run --request request
	refused "$1" bash -c '"$1" run --request - <request' bash "$WRIT"
	run -125 --separate-stderr "$WRIT" run --json --request request
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]] || show_run
	expect_stderr ""
	[[ ! -e $RAN ]]
}

@test "an empty argv" {
	bad_request "argv" '{"argv":[]}'
	bad_request "" '{}'
	bad_request "" '{"cwd":"/"}'
	refused "nothing to run" "$WRIT" run --
}

@test "argv and shell at once" {
	bad_request "" '{"argv":["touch","ran"],"shell":"touch ran"}'
}

@test "NUL in a word" {
	bad_request "NUL" '{"argv":["touch","ran\\u0000x"]}'
	bad_request "NUL" '{"argv":["tou\\u0000ch"]}'
	bad_request "NUL" '{"shell":"touch ran\\u0000"}'
	bad_request "NUL" '{"argv":["touch","ran"],"cwd":"/\\u0000"}'
	bad_request "NUL" '{"argv":["touch","ran"],"env":{"A":"\\u0000"}}'
}

@test "names of variables that are none" {
	bad_request "" '{"argv":["touch","ran"],"env":{"":"x"}}'
	bad_request "" '{"argv":["touch","ran"],"env":{"A=B":"x"}}'
	refused "" "$WRIT" run -e =x -- touch "$RAN"
	refused "" "$WRIT" run -e NOVALUE -- touch "$RAN"
}

@test "words that are no strings" {
	for word in 1 null true '{}' '["x"]' 1.5; do
		bad_request "argv" '{"argv":["touch",'"$word"',"ran"]}'
	done
	bad_request "argv" '{"argv":"touch ran"}'
	bad_request "shell" '{"shell":["touch ran"]}'
}

@test "durations" {
	for value in '' ' ' x 5 -1s 1.s s 1x 1s1 1h30 '1 h' 99999999999999999999h 1e3s +1s 0x1s 1s-1s NaN inf '1s ' ' 1s'; do
		refused "--timeout" "$WRIT" run --timeout "$value" -- touch "$RAN"
	done
	for value in -1 1.5 true '[]' '{}' 18446744073709551616 1e300 '"soon"' '"-1s"'; do
		bad_request "timeout_ms" '{"argv":["touch","ran"],"timeout_ms":'"$value"'}'
	done
}

@test "sizes" {
	for value in '' x -1 1QiB 1.5.5MiB MiB 99999999999999999999 1e3 0x10 '1 MiB ' 1mib1; do
		refused "--output-limit" "$WRIT" run --output-limit "$value" -- touch "$RAN"
	done
	for value in -1 true '[]' 18446744073709551616 1e300 '"much"'; do
		bad_request "memory" '{"argv":["touch","ran"],"memory":'"$value"'}'
	done
}

@test "numbers out of range" {
	refused "--processes" "$WRIT" run --processes 0 -- touch "$RAN"
	refused "--processes" "$WRIT" run --processes -1 -- touch "$RAN"
	refused "--processes" "$WRIT" run --processes 99999999999999999999 -- touch "$RAN"
	refused "--nice" "$WRIT" run --nice 41 -- touch "$RAN"
	refused "--nice" "$WRIT" run --nice -41 -- touch "$RAN"
	refused "--umask" "$WRIT" run --umask 1000 -- touch "$RAN"
	refused "--umask" "$WRIT" run --umask 8 -- touch "$RAN"
	refused "--umask" "$WRIT" run --umask -1 -- touch "$RAN"
	bad_request "processes" '{"argv":["touch","ran"],"processes":-1}'
	bad_request "nice" '{"argv":["touch","ran"],"nice":99999999999}'
}

@test "JSON that is none" {
	for text in '' ' ' '{' '}' 'x' '{"argv":["touch","ran"]' '{"argv":["touch","ran"]}}' '{"argv":["touch","ran"]} x' \
		'{"argv":["touch","ran",]}' "{'argv':['touch','ran']}" '{"argv":["touch" "ran"]}' '{argv:["touch","ran"]}' \
		'[]' 'null' '"touch ran"' '1' '// x\n{"argv":["touch","ran"]}' '{"argv":["touch","r\tan"]}' \
		'{"argv":["touch","\\x"]}' '{"argv":["touch","\\ud800"]}' '{"argv":["touch","ran"]}\0'; do
		bad_request "" "$text"
	done
}

@test "the message says where in the request" {
	printf '{\n  "argv": ["touch", "ran"],\n  "timeout_ms": "soon"\n}\n' >request
	refused "writ: request:3:" "$WRIT" run --request request
	printf '{\n  "argv": ["touch", "ran"],\n  oops\n}\n' >request
	refused "writ: request:3:" "$WRIT" run --request request
}

@test "unknown and duplicate keys" {
	bad_request "unknown key 'timeout'" '{"argv":["touch","ran"],"timeout":"1s"}'
	bad_request "did you mean 'argv'" '{"arg":["touch","ran"]}'
	bad_request "argv" '{"argv":["touch","ran"],"argv":["true"]}'
	bad_request "A" '{"argv":["touch","ran"],"env":{"A":"1","A":"2"}}'
	bad_request "argv" '{"argv":["true"],"\\u0061rgv":["touch","ran"]}'
}

@test "keys of later issues are refused, not ignored" {
	bad_request "policy" '{"argv":["touch","ran"],"policy":"x"}'
}

@test "a sandbox that is badly asked for" {
	bad_request "sandbox: expected a string, got a number" '{"argv":["touch","ran"],"sandbox":7}'
	bad_request "sandbox must not be empty" '{"argv":["touch","ran"],"sandbox":""}'
	bad_request "read: expected a list of strings, got a string" '{"argv":["touch","ran"],"sandbox":"strict","read":"/"}'
	bad_request "write[1] must not be empty" '{"argv":["touch","ran"],"sandbox":"strict","write":["a",""]}'
	bad_request "hide[0] has a newline in it" '{"argv":["touch","ran"],"sandbox":"strict","hide":["a\\nb"]}'
	bad_request "did you mean 'loopback'?" '{"argv":["touch","ran"],"sandbox":"strict","network":"lopback"}'
	bad_request "best_effort: expected true or false" '{"argv":["touch","ran"],"sandbox":"strict","best_effort":"yes"}'
	bad_request "tmp_size must be at least 1" '{"argv":["touch","ran"],"sandbox":"strict","tmp_size":0}'
	bad_request "did you mean 'explain_denials'?" '{"argv":["touch","ran"],"explain":true}'
}

@test "what only walls can keep, without walls" {
	local key
	for profile in none env; do
		for key in '"read":["."]' '"write":["."]' '"hide":["."]' '"network":"off"' '"network":"loopback"' '"explain_denials":true'; do
			bad_request "the profile '$profile' has no sandbox that could enforce this" \
				"{\"argv\":[\"touch\",\"ran\"],\"sandbox\":\"$profile\",$key}"
		done
	done
	refused "write: the profile 'none' has no sandbox" "$WRIT" run --write . -- touch ran
	refused "writ: run: --hide must not be empty" "$WRIT" run --sandbox strict --hide "" -- touch ran
	refused "writ: run: --hide has a newline in it" "$WRIT" run --sandbox strict --hide $'a\nb' -- touch ran
}

@test "bytes that are no UTF-8" {
	bad_request "" '{"argv":["touch","ran\xff"]}'
	bad_request "" '{"argv":["touch","ran\xc0\x80"]}'
	bad_request "" '{"argv":["touch","ran\xed\xa0\x80"]}'
	bad_request "" '\xff\xfe{\0}\0'
}

@test "deep nesting" {
	for depth in 1000 100000 3000000; do
		python3 -c 'import sys; n = int(sys.argv[1]); sys.stdout.write("{\"argv\":" + "[" * n + "]" * n + "}")' "$depth" >request
		refused "" "$WRIT" run --request request
		python3 -c 'import sys; n = int(sys.argv[1]); sys.stdout.write("{\"a\":" * n + "1" + "}" * n)' "$depth" >request
		refused "" "$WRIT" run --request request
	done
}

@test "over 64 MiB, also where it never ends" {
	head -c 67108865 /dev/zero | tr '\0' ' ' >request
	echo '{"argv":["touch","ran"]}' >>request
	refused "64MiB" "$WRIT" run --request request
	refused "64MiB" bash -c 'yes " " | "$1" run --request -' bash "$WRIT"
	refused "64MiB" "$WRIT" run --request /dev/zero
}

@test "a request that cannot be read" {
	refused "nowhere" "$WRIT" run --request nowhere
	refused "Is a directory" "$WRIT" run --request .
	refused "" "$WRIT" run --request ''
	refused "" bash -c '"$1" run --request - <&-' bash "$WRIT"
}

@test "hostile names do not reach the terminal raw" {
	run -127 --separate-stderr "$WRIT" run -- $'\e[2Jevil\a'
	[[ $stderr != *$'\e'* && $stderr != *$'\a'* ]] || show_run
	run -125 --separate-stderr "$WRIT" run --cwd $'\e]0;evil\a' -- touch "$RAN"
	[[ $stderr != *$'\e'* && $stderr != *$'\a'* ]] || show_run
	run -127 --separate-stderr "$WRIT" run -- $'two\nwrit: lines'
	[[ $(grep -c '^writ: ' <<<"$stderr") == 1 ]] || show_run
	run -127 --separate-stderr "$WRIT" run --json -- $'\e"\\\n\xff'
	json "$output" 'd["error"]["message"]'
}

@test "many variables, roots and arguments" {
	python3 -c 'import json
json.dump({"argv": ["sh", "-c", "echo $#", "sh"] + ["x"] * 20000,
	"env": {"V%d" % i: "x" for i in range(2000)}, "roots": ["/tmp"] * 500 + ["/"]}, open("request", "w"))'
	run -0 --separate-stderr "$WRIT" run --request request
	expect_stdout 20000
}

@test "refusals leave nothing behind under any hold" {
	refusals() {
		for words in "--cwd nowhere -- true" "-- no-such-program" "--open-files 1 -- true" "--stdin @nowhere -- true" "--timeout x -- true"; do
			# shellcheck disable=SC2086 # words
			under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" $words </dev/null >/dev/null 2>&1
			take_report
			[[ $status != 0 && $zombies == 0 ]] || show_report
			expect_nothing_left
		done
	}
	each_hold refusals
}
