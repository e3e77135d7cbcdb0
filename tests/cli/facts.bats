#!/usr/bin/env bats
# bats file_tags=anyone
# writ facts: what is known about this machine.
# shellcheck disable=SC2154
load helpers

# bats test_tags=smoke
@test "all of them, in YAML and in JSON" {
	run -0 --separate-stderr "$WRIT" facts
	[[ $output == *$'\nkernel:\n'* || $output == kernel:* ]] || show_run
	run -0 --separate-stderr "$WRIT" facts --json
	[[ $(json "$output" 'd["kernel"]["name"], d["cpu"]["count"] > 0, "memory" in d, "network" in d, "host" in d, "os" in d') \
		== "('Linux', True, True, True, True, True)" ]] || show_run
}

@test "a query is the path of a lookup" {
	run -0 --separate-stderr "$WRIT" facts kernel.release
	expect_stdout "$(uname -r)"
	run -0 --separate-stderr "$WRIT" facts --json kernel.release
	expect_stdout "\"$(uname -r)\""
	run -0 --separate-stderr "$WRIT" facts cpu.count
	[[ $output =~ ^[0-9]+$ ]] || show_run
	run -0 --separate-stderr "$WRIT" facts kernel
	[[ $output == *"name: Linux"* ]] || show_run
	run -1 --separate-stderr "$WRIT" facts kernel.nam
	[[ $stderr == "writ: there is no fact 'kernel.nam', did you mean 'kernel.name'?" && -z $output ]] || show_run
	run -1 --separate-stderr "$WRIT" facts kernle.name
	[[ $stderr == "writ: there is no fact 'kernle.name', did you mean 'kernel.name'?" && -z $output ]] || show_run
	run -1 --separate-stderr "$WRIT" facts frobnicate
	[[ $stderr == "writ: there is no fact 'frobnicate'" && -z $output ]] || show_run
	run -1 --separate-stderr "$WRIT" facts --json 'kernel.*'
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]] || show_run
}

@test "facts that are given count, the last word over the file" {
	printf 'a: { b: 1, c: two }\n' >"$BATS_TEST_TMPDIR/f.yaml"
	printf '{"a": {"b": 5}}' >"$BATS_TEST_TMPDIR/g.json"
	run -0 --separate-stderr "$WRIT" facts --json --facts "$BATS_TEST_TMPDIR/f.yaml" --facts "$BATS_TEST_TMPDIR/g.json" \
		--fact a.d=x a
	[[ $(json "$output" 'd') == "{'b': 5, 'c': 'two', 'd': 'x'}" ]] || show_run
	run -1 --separate-stderr "$WRIT" facts --facts /nonexistent
	expect_in_stderr "/nonexistent"
	printf 'a: 1\nx: [1\n' >"$BATS_TEST_TMPDIR/bad.yaml"
	run -1 --separate-stderr "$WRIT" facts --facts "$BATS_TEST_TMPDIR/bad.yaml"
	[[ $stderr == *"/bad.yaml:3:1: not valid YAML"* ]]
	echo text >"$BATS_TEST_TMPDIR/bad.yaml"
	run -1 --separate-stderr "$WRIT" facts --facts "$BATS_TEST_TMPDIR/bad.yaml"
	[[ $stderr == *"bad.yaml': facts must be a map"* ]]
	run -1 --separate-stderr "$WRIT" facts --fact novalue
	expect_in_stderr "novalue"
}

@test "nothing is run" {
	need strace
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 run -0 strace -f -qq -e trace=execve,clone,clone3,fork,vfork -o "$BATS_TEST_TMPDIR/trace" "$WRIT" facts
	[[ $(wc -l <"$BATS_TEST_TMPDIR/trace") == 1 ]] || { cat "$BATS_TEST_TMPDIR/trace" >&2; false; }
}

@test "wrong usage is 2" {
	run -2 --separate-stderr "$WRIT" facts a b
	run -2 --separate-stderr "$WRIT" facts --jsn
}
