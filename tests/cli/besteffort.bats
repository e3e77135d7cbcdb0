#!/usr/bin/env bats
# --best-effort on kernels that lack a layer: it runs, and says without what.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers
load running

setup() {
	umask 022
	unset WRIT_CONFIG_DIR WRIT_SYSTEM_DIR XDG_CONFIG_HOME XDG_STATE_HOME
	export HOME=$BATS_TEST_TMPDIR/home WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/etc
	mkdir -p "$HOME/.ssh" "$BATS_TEST_TMPDIR/work/sub" "$BATS_TEST_TMPDIR/outside" "$WRIT_STATE_DIR"
	echo secret >"$HOME/.ssh/id"
	echo old >"$BATS_TEST_TMPDIR/outside/file"
	cd "$BATS_TEST_TMPDIR/work" || return
}

without() { "${WRIT_TEST_PROGRAMS:?}/without" "$@"; }

@test "a kernel without Landlock or filters: one layer less, by name" {
	local layer profile
	for layer in landlock seccomp; do
		for profile in readonly workspace strict; do
			run -0 --separate-stderr without "$layer" "$WRIT" run --json --best-effort --sandbox "$profile" -- true
			[[ $(json "$output" 'd["sandbox"]["missing"]') == "['$layer']" ]]
			[[ $(json "$output" "'$layer' in d['sandbox']['layers']") == False ]]
			run -0 --separate-stderr without "$layer" "$WRIT" run --best-effort --sandbox "$profile" -- echo ran
			expect_stdout ran
			expect_in_stderr "ran without $layer"
		done
	done
}

@test "without --best-effort the same is refused by the layer's name" {
	local layer
	for layer in landlock seccomp; do
		run -125 --separate-stderr without "$layer" "$WRIT" run --sandbox workspace -- touch ran
		expect_in_stderr "$layer"
		[[ ! -e ran ]]
	done
}

@test "without namespaces the rules carry the walls" {
	! is_root || skip "root needs no user namespace"
	run -0 --separate-stderr without userns "$WRIT" run --json --best-effort --sandbox workspace -- sh -c '
		echo x >here && echo here; echo x >"$TMPDIR/x" && echo tmp
		cat "$HOME/.ssh/id"; for place in ../outside /tmp /dev/shm; do echo x >"$place/new.$$" && echo "$place"; done; echo end'
	[[ $(json "$output" 'd["stdout"].split()') == "['here', 'tmp', 'end']" ]]
	[[ $(json "$output" '"mountns" in d["sandbox"]["missing"]') == True ]]
	[[ $(json "$output" 'd["tree_by"], d["sandbox"]["network"]') == "('keeper', 'off')" ]]
	[[ -e here ]]
}

@test "without namespaces each run has its own TMPDIR, gone afterwards" {
	! is_root || skip "root needs no user namespace"
	local profile first
	for profile in readonly workspace strict; do
		run -0 --separate-stderr without userns "$WRIT" run --best-effort --sandbox "$profile" -- \
			sh -c 'echo text >"$TMPDIR/file" && cat "$TMPDIR/file" >&2; echo "$TMPDIR"'
		expect_in_stderr text
		first=$output
		[[ $first == /*/writ-* && ! -e $first ]]
	done
}

@test "without a network namespace loopback becomes off, not the machine's" {
	! is_root || skip "root needs no user namespace"
	run -0 --separate-stderr without userns "$WRIT" run --json --best-effort --sandbox workspace --network loopback -- true
	[[ $(json "$output" 'd["sandbox"]["network"]') == off ]]
}
