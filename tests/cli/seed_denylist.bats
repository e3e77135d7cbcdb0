#!/usr/bin/env bats
# bats file_tags=anyone
# shellcheck disable=SC2016,SC2030,SC2031
# The preset denylist does what the exec tool of the second seed says, in its
# order and its words. What belongs to a tool's parameters (`command` and `args`
# of the right types) is the business of the door that has such a tool.
load helpers
load seeds

setup() {
	seed_setup
	POLICY=denylist
}

@test "test_blacklisted_command_rejected: each name of the list" {
	for name in rm sudo dd mkfs shutdown reboot passwd visudo; do
		refused "Command not allowed: $name" -- "$name" whoami
	done
}

@test "the list does not care for case" {
	for name in RM Sudo dD MkFs SHUTDOWN Reboot PassWD viSUDO; do
		refused "Command not allowed: $name" -- "$name" x
	done
}

@test "the list sees the last component of a path" {
	refused "Command not allowed: /bin/rm" -- /bin/rm -rf /
	refused "Command not allowed: ../../bin/rm" -- ../../bin/rm x
	refused "Command not allowed: /no/such/place/sudo" -- /no/such/place/sudo id
}

@test "a denial comes before a missing program and a missing directory" {
	refused "Command not allowed: /nowhere/mkfs" -- /nowhere/mkfs
	refused "Command not allowed: rm" --cwd no-such-directory -- rm x
	run -127 --separate-stderr "$WRIT" run --no-ask --policy open -- no-such-program
}

@test "wrappers, links and multi-call programs do not hide a name" {
	touch keep
	ln -s /bin/rm remove
	refused "Command not allowed: rm" -- env rm keep
	refused "Command not allowed: /bin/rm" -- nice timeout 5 /bin/rm keep
	refused "Command not allowed: rm" -- find . -name keep -exec rm {} +
	refused "Command not allowed: rm" -- sh -c 'true; rm keep'
	refused "Command not allowed: ./remove" -- ./remove keep
	refused "Command not allowed: rm" -- busybox rm keep
	[[ -e keep ]]
}

@test "the same by other names is refused with the same words" {
	refused "Command not allowed: mkfs.ext4" -- mkfs.ext4 /dev/null
	refused "Command not allowed: systemctl" -- systemctl reboot
	refused "Command not allowed: poweroff" -- poweroff
	refused "Command not allowed: su" -- su -c id
}

@test "code that is allowed does not find the programs of the list" {
	touch keep
	printf '#!/bin/sh\nrm keep\n/bin/rm keep\n/usr/bin/rm keep\n' >clean.sh
	chmod +x clean.sh
	run --separate-stderr "$WRIT" run --no-ask --policy denylist -- ./clean.sh
	[[ $status -ne 0 && $status -ne 125 ]] || show_run
	[[ -e keep ]]
	need python3
	run --separate-stderr "$WRIT" run --no-ask --policy denylist -- /usr/bin/python3 -c 'import subprocess; subprocess.run(["rm", "keep"])'
	[[ $status -eq 1 ]] || show_run
	[[ -e keep ]]
}

@test "test_shell_injection_prevented: arguments are literal" {
	result_of -- echo "; rm -rf /" "| cat" "&& id" '$(id)' '`id`'
	expect_result 'd["stdout"]' '; rm -rf / | cat && id $(id) `id`'
}

# The seed's tool has no texts. Here each command in one is judged, and one that
# cannot be followed is asked about.
@test "a text for a shell is no way around the list" {
	touch keep
	refused "Command not allowed: rm" --shell "echo hi; rm keep"
	refused "Command not allowed: rm" --shell 'r=rm; $r keep'
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy denylist --shell 'eval "$r keep"'
	expect_result 'd["error"]["code"]' approval_required
	[[ -e keep ]]
}

@test "both streams and the exit code are given back" {
	result_of -- python3 -c 'import sys; print("out"); print("err", file=sys.stderr)'
	expect_result 'd["stdout"], d["stderr"], d["exit_code"]' "('out\\n', 'err\\n', 0)"
}

@test "an exit code that is not zero is a result like another" {
	run -3 --separate-stderr "$WRIT" run --no-ask --json --policy denylist -- python3 -c 'print("so far"); exit(3)'
	expect_result 'd["exit_code"], d["stdout"]' "(3, 'so far\\n')"
}

@test "a run has thirty seconds, unless it says something else" {
	result_of -- true
	expect_result 'd["timeout_ms"]' 30000
	result_of --timeout 3s -- true
	expect_result 'd["timeout_ms"]' 3000
}

# The seed's words for it, "Command timed out after 1s", are those of its tool;
# here it is a result with all the output there was.
@test "at the end of its time the whole tree is gone" {
	POLICY=$BATS_TEST_TMPDIR/config/of-the-test.yaml
	policy_of "include: [denylist]" "limits: { timeout: 1s }"
	run -124 --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" -- python3 -c 'import time; print("started", flush=True); time.sleep(60)'
	expect_stdout started
	expect_in_stderr "timed out after 1s"
}

@test "test_cwd_path_traversal_blocked: a directory outside of the base directory" {
	POLICY=$BATS_TEST_TMPDIR/config/of-the-test.yaml
	policy_of "include: [denylist]" "roots: [$PWD]"
	mkdir -p in ../outside
	ln -s ../../outside in/link
	result_of --cwd in -- pwd -P
	expect_result 'd["stdout"]' "$(cd in && pwd -P)"
	refused "Working directory '/etc' is outside the allowed base directory" --cwd ../../../../../../../../etc -- pwd
	refused "Working directory '$(cd ../outside && pwd -P)' is outside the allowed base directory" --cwd in/link -- pwd
	# The list comes first.
	refused "Command not allowed: rm" --cwd /etc -- rm x
}
