#!/usr/bin/env bats
# The record is out of reach of what it records: whatever a confined command
# tries, it can neither see nor change nor fill what writ keeps.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC1003,SC2016,SC2030,SC2031,SC2154,SC2317
load helpers
load trail

setup() {
	export HOME=$BATS_TEST_TMPDIR/home
	WORK=$BATS_TEST_TMPDIR/work
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	mkdir -p "$HOME" "$WORK"
	cd "$WORK" || return
	"$WRIT" run -- echo earlier
	run --separate-stderr "$WRIT" run --sandbox workspace -- true
	[[ $status == 0 ]] || cannot "no sandbox here: $stderr"
	before=$(sums)
}

# Everything there is, but for what writ itself adds: records and outputs.
sums() { (cd "$WRIT_STATE_DIR" && find . -name request.key -exec sha256sum {} + && head -2 audit/trail-000001.jsonl | sha256sum); }

# confined PROFILE SCRIPT: its output; the script sees the state as $S.
confined() {
	local profile=$1
	shift
	run --separate-stderr "$WRIT" run --sandbox "$profile" -e S="$WRIT_STATE_DIR" -- sh -c "$@"
}

each_profile() {
	local profile
	for profile in readonly workspace strict; do
		"$@" "$profile" || {
			echo "with $profile" >&2
			return 1
		}
	done
}

intact() {
	[[ $(sums) == "$before" ]] &&
		[[ $(trail 'all(a["hash"] == b["prev"] for a, b in zip(r, r[1:]))') == True ]]
}

cannot_read() {
	confined "$1" 'cat $S/audit/trail-000001.jsonl $S/audit/head $S/audit/request.key $S/outputs/*'
	[[ $status != 0 && -z $output ]] || show_run
}

@test "without walls each of these would succeed" {
	(! cannot_read none) 2>/dev/null
	(! cannot_list none) 2>/dev/null
	(! cannot_fill none)
	(! cannot_move none)
}

@test "it cannot be read" {
	each_profile cannot_read
	intact
}

cannot_list() {
	confined "$1" 'ls -A $S $S/audit $S/outputs 2>/dev/null | grep -v ":$" | grep .; find $S -type f 2>/dev/null'
	[[ -z $output ]] || show_run
}

@test "it cannot be listed" {
	each_profile cannot_list
	intact
}

cannot_write() {
	confined "$1" 'echo x >>$S/audit/trail-000001.jsonl; echo x >$S/audit/head; : >$S/audit/request.key; echo x >$S/audit/new; echo x >$S/outputs/new; true'
	[[ ! -e $WRIT_STATE_DIR/audit/new && ! -e $WRIT_STATE_DIR/outputs/new ]] || return
	[[ $(grep -cx x "$WRIT_STATE_DIR/audit/trail-000001.jsonl") == 0 ]] || return
	intact
}

@test "it cannot be written" {
	each_profile cannot_write
}

cannot_move() {
	confined "$1" 'mv $S $S.away; mv $S/audit $S/gone; rm -rf $S; rmdir $S; ln -s /etc $S/audit; ln $S/audit/request.key stolen; true'
	[[ -d $WRIT_STATE_DIR/audit && ! -e $WRIT_STATE_DIR.away && ! -e stolen ]] || return
	intact
}

@test "it cannot be moved, deleted or linked to" {
	each_profile cannot_move
}

cannot_fill() {
	confined "$1" 'dd if=/dev/zero of=$S/fill bs=64k count=16; dd if=/dev/zero of=$S/audit/fill bs=64k count=16; fallocate -l 1M $S/outputs/fill; true'
	[[ -z $(find "$WRIT_STATE_DIR" -name fill) ]]
}

@test "it cannot be filled" {
	each_profile cannot_fill
	intact
}

cannot_reach_spills() {
	confined "$1" 'cat $P/*; ls -A $P; echo x >$P/new; true'
	[[ $output != *earlier-output* && $output != *stdout* ]] || show_run || return
	[[ ! -e $SPILL/new ]]
}

@test "a spill directory elsewhere is out of reach too" {
	export SPILL=$WORK/spill WRIT_SPILL_DIR=$WORK/spill
	run -0 "$WRIT" run --json --output-limit 16 -- sh -c 'echo earlier-output earlier-output earlier-output'
	[[ -n $(ls "$SPILL") ]]
	confined() {
		local profile=$1
		shift
		run --separate-stderr "$WRIT" run --sandbox "$profile" -e P="$SPILL" -- sh -c "$@"
	}
	each_profile cannot_reach_spills
}

@test "it stays hidden where an option names the directory" {
	unset WRIT_STATE_DIR
	for profile in readonly workspace strict; do
		run --separate-stderr "$WRIT" run --state-dir "$BATS_TEST_TMPDIR/state" --sandbox "$profile" -- cat ../state/audit/head
		[[ $status != 0 && -z $output ]] || show_run
	done
}

@test "inside the workspace it is hidden, or nothing there is writable" {
	export WRIT_STATE_DIR=$WORK/state
	run -0 "$WRIT" run -- true
	before=$(sums)
	for profile in workspace strict; do
		# What writes nothing has nothing writable.
		run -0 "$WRIT" run --sandbox "$profile" -- true
		run -125 --separate-stderr "$WRIT" run --sandbox "$profile" -- sh -c 'eval "$HOME"'
		expect_in_stderr "it holds the state directory of writ"
		[[ $(trail '(r[-1]["kind"], r[-1]["error"]["code"])') == "('refused', 'invalid')" ]]
	done
	cannot_read readonly
	cannot_list readonly
	cannot_write readonly
	cannot_move readonly
}

@test "no option opens it" {
	run --separate-stderr "$WRIT" run --sandbox workspace --read "$WRIT_STATE_DIR/audit" -- cat "$WRIT_STATE_DIR/audit/head"
	[[ $status != 0 && -z $output ]] || show_run
	run --separate-stderr "$WRIT" run --sandbox workspace --write "$WRIT_STATE_DIR" -- sh -c "echo x >$WRIT_STATE_DIR/audit/new"
	[[ $status != 0 && ! -e $WRIT_STATE_DIR/audit/new ]] || show_run
	intact
}
