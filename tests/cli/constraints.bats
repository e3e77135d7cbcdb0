#!/usr/bin/env bats
# What the kernel holds of a decision: programs that are listed or denied, and
# places to write to. Each with a canary that would be seen.

setup() {
	load helpers
	mkdir "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	export WRIT_POLICY=$BATS_TEST_TMPDIR/policy.yaml
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	cp /bin/echo canary
}

policy() {
	{
		echo 'version: 1'
		cat
	} >"$WRIT_POLICY"
}

# sneak TEXT: a text for the shell as the only word of a listed one, so that
# judging does not see what is in it.
sneak() {
	printf '%s\n' "$1" >script
	run --separate-stderr "$WRIT" run -- sh ./script
}

only_listed() {
	policy <<-'END'
		sandbox: workspace
		programs: [sh, cat, cp, ls]
		rules:
		  - allow: {}
	END
}

# bats test_tags=smoke
@test "a listed program runs, another is denied before it starts" {
	only_listed
	run --separate-stderr "$WRIT" run -- ls -d /usr
	expect_stdout /usr
	run --separate-stderr "$WRIT" run -- id
	((status == 125 || status == 126)) || show_run
	expect_in_stderr "denied"
}

@test "what a listed shell starts is held by the kernel" {
	only_listed
	sneak 'id; /bin/id; exec /usr/bin/id'
	expect_stdout ""
	expect_in_stderr "Permission denied"
}

@test "neither a loader nor a copy gets around the list" {
	only_listed
	# shellcheck disable=SC2016 # expanded inside
	sneak '
		for l in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.* /lib/ld-musl-*; do
			"$l" /usr/bin/echo CANARY
			"$l" ./canary CANARY
		done
		./canary CANARY
		cp canary /tmp/c && /tmp/c CANARY
		cp /usr/bin/echo ./c && ./c CANARY
		cat /usr/bin/echo >d && ./d CANARY
		echo done'
	expect_stdout 'done'
}

@test "a program that runs whatever it is told to brings nothing along" {
	need make
	policy <<-'END'
		sandbox: workspace
		programs: [sh, make]
		rules:
		  - allow: {}
	END
	printf 'all:\n\t@echo made; /usr/bin/id; id\n' >Makefile
	run --separate-stderr "$WRIT" run -- make
	expect_stdout made
	expect_in_stderr "Permission denied"
}

@test "the list is said to the policy's reader" {
	only_listed
	run "$WRIT" policy explain --json -- ls
	[[ $(json "$output" '[p.rsplit("/")[-1] for p in d["sandbox"]["execute"]].count("ls")') == 1 ]] || show_run
}

@test "a program that is denied by name is hidden from what else runs" {
	policy <<-'END'
		sandbox: workspace
		rules:
		  - allow: {}
		  - deny: { program: [head, tail, sort, uniq, wc, cut, tee, od, nl, tac] }
	END
	sneak 'head -c 3 /etc/passwd; /bin/tail -c 3 /etc/passwd; cat /usr/bin/head; cp /usr/bin/sort x && ./x script; echo done'
	expect_stdout 'done'
}

@test "a command that is understood writes where it says, and not beside" {
	policy <<-'END'
		sandbox: workspace
		rules:
		  - allow: {}
	END
	mkdir in out
	run --separate-stderr "$WRIT" run -- touch in/new
	[[ -e in/new ]] || show_run
	run "$WRIT" policy explain --json -- touch in/new
	[[ $(json "$output" 'd["sandbox"]["write"]') == "['$PWD/in/new']" || \
		$(json "$output" 'd["sandbox"]["write"]') == "['$PWD/in']" ]] || show_run
	run --separate-stderr "$WRIT" run -- cp canary out/copy
	cmp canary out/copy
	run --separate-stderr "$WRIT" run -- mv out/copy in/moved
	[[ -e in/moved && ! -e out/copy ]] || show_run
	run --separate-stderr "$WRIT" run -- rm -r in
	[[ ! -e in ]] || show_run
}
