#!/usr/bin/env bats
# --user and --group.
load helpers
load running

setup() {
	cd / # where every user can be
}

need_root() { is_root || skip "only root can run as another user"; }

@test "an ordinary user is told that only root can" {
	! is_root || skip "this is about an ordinary user"
	for option in --user --group; do
		run -125 --separate-stderr "$WRIT" run "$option" root -- echo ran
		expect_stdout ""
		expect_in_stderr "writ: only root can run a command as another user or group"
	done
}

ids_of_nobody() {
	run -0 --separate-stderr "$WRIT" run "${TREE[@]}" --user nobody -- grep -E '^(Uid|Gid|Groups):' /proc/self/status
	local uid gid
	uid=$(id -u nobody)
	gid=$(id -g nobody)
	[[ $(echo ${lines[0]}) == "Uid: $uid $uid $uid $uid" ]] || show_run
	[[ $(echo ${lines[1]}) == "Gid: $gid $gid $gid $gid" ]] || show_run
	[[ $(echo ${lines[2]}) == "Groups: $(id -G nobody)" ]] || show_run
}

# Not "bare_kernel": there root is not really root.
each_root_hold() {
	local hold
	for hold in $(holds); do
		[[ $hold != bare_kernel ]] || continue
		echo "hold: $hold" >&2
		set_hold "$hold"
		"$@"
	done
	set_hold caller
	"$@"
}

@test "--user: all four ids, the user's group, and none of root's groups" {
	need_root
	each_root_hold ids_of_nobody
}

no_way_back() {
	run -0 --separate-stderr "$WRIT" run "${TREE[@]}" --user nobody -- grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status
	for field in "${lines[@]}"; do
		[[ $field == *$'\t'0000000000000000 ]] || show_run
	done
	run --separate-stderr "$WRIT" run "${TREE[@]}" --user nobody -- cat /etc/shadow
	[[ $status == 1 && -z $output ]] || show_run
	run --separate-stderr "$WRIT" run "${TREE[@]}" --user nobody -- /usr/bin/python3 -c 'import os; os.setuid(0)'
	[[ $status == 1 ]] || show_run
}

@test "--user: no capability, no way back" {
	need_root
	each_root_hold no_way_back
}

@test "--user by number, and with --group" {
	need_root
	run -0 --separate-stderr "$WRIT" run --user "$(id -u nobody)" -- id -un
	expect_stdout nobody
	run -0 --separate-stderr "$WRIT" run --user nobody --group daemon -- id -gn
	expect_stdout daemon
	run -0 --separate-stderr "$WRIT" run --user 54321 --group 54322 -- sh -c 'id -u; id -g; id -G'
	expect_stdout $'54321\n54322\n54322'
}

@test "--group alone: root's user, that group, and none of root's groups" {
	need_root
	run -0 --separate-stderr "$WRIT" run --group daemon -- sh -c 'id -un; id -gn; id -Gn'
	expect_stdout $'root\ndaemon\ndaemon'
}

@test "HOME, USER and LOGNAME are the user's" {
	need_root
	local home
	home=$(getent passwd nobody | cut -d: -f6)
	for mode in minimal clean inherit; do
		run -0 --separate-stderr "$WRIT" run --env-mode "$mode" --user nobody -- sh -c 'echo $HOME $USER $LOGNAME'
		expect_stdout "$home nobody nobody"
	done
}

@test "isolated: the private directory is the user's, and gone afterwards" {
	need_root
	run -0 --separate-stderr "$WRIT" run --env-mode isolated --user nobody -- sh -c 'echo $HOME; stat -c "%U %a" $HOME; mkdir -p $HOME/a/b; chmod 0 $HOME/a'
	[[ ${lines[1]} == "nobody 700" && ! -e ${lines[0]} ]] || show_run
}

@test "unknown users and groups, and numbers out of range" {
	need_root
	run -125 --separate-stderr "$WRIT" run --user no-such-user -- echo ran
	expect_in_stderr "writ: no user 'no-such-user'"
	run -125 --separate-stderr "$WRIT" run --group no-such-group -- echo ran
	expect_in_stderr "writ: no group 'no-such-group'"
	for id in 4294967295 4294967296 99999999999999999999 -1 '' 0x10 ' 0'; do
		run -125 --separate-stderr "$WRIT" run --user "$id" --group 1 -- echo ran
		expect_stdout ""
	done
	run -125 --separate-stderr "$WRIT" run --user 54321 -- echo ran
	expect_in_stderr "its group must be given"
}

@test "a program that the user may not execute: 126" {
	need_root
	mkdir "$BATS_TEST_TMPDIR/private"
	cp "$(type -P true)" "$BATS_TEST_TMPDIR/private/tool"
	chmod 755 "$BATS_TEST_TMPDIR/private"
	chmod 700 "$BATS_TEST_TMPDIR/private/tool"
	not_for_nobody() {
		run -126 --separate-stderr "$WRIT" run "${TREE[@]}" --user nobody -- "$BATS_TEST_TMPDIR/private/tool"
		expect_in_stderr "Permission denied"
	}
	each_root_hold not_for_nobody
}

@test "the command of another user cannot touch writ or its helper" {
	need_root
	strike_as_nobody() {
		under_warden "$WARDEN_MS" "$WRIT" run --timeout 300ms --grace 100ms "${TREE[@]}" --user nobody -- \
			sh -c 'kill -9 $PPID; kill -STOP $PPID; sleep 60' </dev/null >/dev/null 2>&1
		take_report
		[[ $status == 124 ]] || show_report
		expect_nothing_left
	}
	local hold
	for hold in $(holds); do
		[[ $hold != bare_kernel ]] || continue
		set_hold "$hold"
		strike_as_nobody
	done
}

payload_as_nobody() {
	start_payload_as() {
		DIR=$(mktemp -d "$BATS_TEST_TMPDIR/payload.XXXXXX")
		chmod 777 "$DIR"
		under_warden "$WARDEN_MS" "$WRIT" run --grace "${GRACE_MS}ms" "${TREE[@]}" --user nobody \
			-- "$BATS_TEST_TMPDIR/payload" "$DIR" 3 </dev/null >"$DIR/out" 2>"$DIR/err"
		await_payload
	}
	start_payload_as
	touch "$DIR/go"
	expect_payload_gone 3
	start_payload_as
	kill -KILL "$(writ_pid)"
	take_report
	[[ $status == 137 ]] || show_report
	expect_soon_gone
	expect_no_group
}

@test "seven processes of another user" {
	need_root
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.." 2>/dev/null || true
	cp "$WRIT_TEST_PROGRAMS/payload" "$BATS_TEST_TMPDIR/payload"
	run -0 --separate-stderr setpriv --reuid nobody --regid nogroup --clear-groups test -x "$BATS_TEST_TMPDIR/payload"
	local hold
	for hold in $(holds); do
		[[ $hold != bare_kernel ]] || continue
		set_hold "$hold"
		payload_as_nobody
	done
}
