#!/usr/bin/env bats
# bats file_tags=anyone
# Policies that are not in order, as people write them: what is wrong is told
# with its place, and nothing runs.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
}

# refuses TEXT...: a policy with this text is no policy; $stderr says why.
refuses() {
	printf '%s\n' "$@" >bad.yaml
	chmod 600 bad.yaml
	rm -f ran
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --policy "$PWD/bad.yaml" -- touch ran
	[[ $status -eq 125 ]] || show_run
	[[ ! -e ran ]]
}

@test "unknown keys, with the one that was meant" {
	refuses 'version: 1' 'defualt: ask'
	expect_in_stderr "bad.yaml:2:1: a policy has no key 'defualt'"
	expect_in_stderr "did you mean 'default'?"
	refuses 'version: 1' 'rules:' '  - deny: { progam: rm }'
	expect_in_stderr "bad.yaml:3:13: a match has no key 'progam'"
}

@test "wrong types" {
	refuses 'version: 1' 'rules: { deny: rm }'
	expect_in_stderr "bad.yaml:2:8: rules must be a list, not a map"
	refuses 'version: 1' 'limits: { timeout: 30 }'
	expect_in_stderr "bad.yaml:2:20: timeout: bad duration '30'"
	refuses 'version: 1' 'roots: /'
	expect_in_stderr "bad.yaml:2:8: the root '/' is everything"
}

@test "bad globs" {
	refuses 'version: 1' 'rules:' '  - deny: { program: "[ab" }'
	expect_in_stderr "bad.yaml:3:22: program '[ab' has a '[' without a ']'"
	refuses 'version: 1' 'rules:' '  - deny: { write: secrets/** }'
	expect_in_stderr "bad.yaml:3:20: write 'secrets/**' must begin with"
	expect_in_stderr "'./secrets/**' in the roots"
}

@test "a text that is no YAML, and one that is nothing" {
	refuses 'version: 1' 'rules: [ { deny: rm }'
	expect_in_stderr "bad.yaml:3:1: not valid YAML"
	refuses ''
	expect_in_stderr "bad.yaml:1:1: the document is empty"
	printf 'version: 1\nrules: []\n\xff\n' >bad.yaml
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --policy "$PWD/bad.yaml" -- true
	[[ $status -eq 125 ]] || show_run
	expect_in_stderr "bad.yaml:3:1: "
}

@test "files that include each other" {
	printf 'version: 1\ninclude: ./bad.yaml\n' >other.yaml
	chmod 600 other.yaml
	refuses 'version: 1' 'include: ./other.yaml'
	expect_in_stderr "other.yaml:2:10:"
	expect_in_stderr "includes itself"
}

@test "what is included and not there" {
	refuses 'version: 1' 'include: [developr]'
	expect_in_stderr "bad.yaml:2:11: include:"
	expect_in_stderr "did you mean 'developer'?"
	refuses 'version: 1' 'include: ./nothing.yaml'
	expect_in_stderr "bad.yaml:2:10: include:"
	expect_in_stderr "there is no policy"
}

@test "a fault of an included file has that file's place" {
	printf 'version: 1\nrules: [ { deny: { effect: reed } } ]\n' >other.yaml
	chmod 600 other.yaml
	refuses 'version: 1' 'include: other.yaml'
	expect_in_stderr "other.yaml:2:28: there is no effect 'reed'"
}

@test "an expectation that does not hold" {
	refuses 'version: 1' 'default: allow' 'expect:' '  - deny: ls'
	expect_in_stderr "bad.yaml:4:5"
}

@test "an included policy gives its rules, and its words to what is said anew" {
	local list=$BATS_TEST_TMPDIR/list.yaml
	printf '%s\n' 'version: 1' 'include: allowlist' 'programs: [ls, cat]' >"$list"
	chmod 600 "$list"
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --policy "$list" -- ls -d .
	[[ $status -eq 0 ]] || show_run
	expect_stdout .
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --policy "$list" -- id
	[[ $status -eq 125 ]] || show_run
	expect_in_stderr "structured_exec: binary 'id' is not in the allowlist"
	expect_in_stderr "list.yaml:3:1"
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --policy "$list" -- /usr/bin/id
	expect_in_stderr "structured_exec: binary must be a bare name, not a path"
}

@test "the examples do what they say" {
	local example
	# Lint names programs that are not here; an example may list any.
	mkdir programs
	ln -s /bin/true programs/cmake
	export PATH=$PATH:$PWD/programs
	for example in "$WRIT_SOURCE"/examples/policies/*.yaml; do
		cp "$example" example.yaml
		chmod 600 example.yaml
		run --separate-stderr timeout -s KILL 20 "$WRIT" policy test "$PWD/example.yaml"
		[[ $status -eq 0 ]] || show_run
		run --separate-stderr timeout -s KILL 20 "$WRIT" policy lint "$PWD/example.yaml"
		[[ $status -eq 0 && -z $output ]] || show_run
	done
}
