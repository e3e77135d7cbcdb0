#!/usr/bin/env bats
# Other ways to say where a file is, without walls: only the policy stands there.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	sample_policy
	mkdir -p ../secret
	echo hidden >../secret/key
	place=$(cd ../secret && pwd -P)
}

# refused PATH: nothing of it is shown.
refused() {
	run -125 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask -- cat "$1" </dev/null
	expect_stdout ""
	expect_in_stderr "writ: denied: "
}

@test "links of /proc do not lead around a rule" {
	refused "/proc/self/root$place/key"
	refused "/proc/thread-self/root$place/key"
	refused "/proc/$$/root$place/key"
	refused "/proc/self/cwd/../secret/key"
	refused "/dev/fd/../root$place/key"
	ln -s /proc/self/root around
	refused "around$place/key"
}

@test "a run from elsewhere has its own /proc/self/cwd" {
	run -125 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask --cwd "$place" -- \
		cat /proc/self/cwd/key </dev/null
	expect_stdout ""
}

@test "what is open already is no such way" {
	local name
	for name in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
		run -0 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask --stdin inherit -- \
			cat "$name" < <(echo piped)
		expect_stdout piped
	done
}
