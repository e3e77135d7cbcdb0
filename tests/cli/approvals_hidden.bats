#!/usr/bin/env bats
# Who is asked about cannot answer: whatever a confined command tries, it can
# neither see the questions nor approve one, nor give itself a grant.
# Scripts in single quotes are for other shells, and `run` sets output.
# shellcheck disable=SC2016,SC2030,SC2031,SC2034,SC2154,SC2317
load helpers
load asking

# The project is inside a directory of its own, the state beside it. One
# question waits, with a word that nobody else knows.
setup() {
	export HOME=$BATS_TEST_TMPDIR/home
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	mkdir -p "$HOME"
	make_project
	run --separate-stderr env WRIT_POLICY=open "$WRIT" run --sandbox workspace -- true
	[[ $status == 0 ]] || cannot "no sandbox here: $stderr"
	ask -- touch canary-6f1d
	Q=$WRIT_STATE_DIR/approvals/$ID
	before=$(sums)
}

teardown() {
	kill "$ASKER" 2>/dev/null || true
	wait "$ASKER" 2>/dev/null || true
}

# The files of the queue and of grants, and what is in them.
sums() {
	(cd "$WRIT_STATE_DIR" && find approvals grants audit/request.key -type f ! -name '.writ-*' -exec sha256sum {} + | sort)
}

# confined PROFILE SCRIPT: under a policy that allows everything; the script
# sees the state as $S, the question as $ID, the program as $W.
confined() {
	local profile=$1
	shift
	run env WRIT_POLICY=open "$WRIT" run --sandbox "$profile" -e S="$WRIT_STATE_DIR" -e ID="$ID" -e W="$WRIT" \
		-e WRIT_STATE_DIR="$WRIT_STATE_DIR" -- sh -c "$@"
}

each_profile() {
	local profile
	for profile in readonly workspace strict; do
		"$@" "$profile" || {
			echo "with $profile: $output" >&2
			return 1
		}
	done
}

# Nothing has changed, and the question still waits.
intact() {
	[[ $(sums) == "$before" ]] && [[ $(state_of "$ID") == pending ]] && [[ ! -e $PROJECT/canary-6f1d ]]
}

cannot_see() {
	confined "$1" 'cat $S/approvals/*; ls -A $S $S/approvals $S/grants; find $S -type f; grep -rs canary-6f1d $S /proc/1/root$S /proc/self/root$S; cd $S/approvals && ls; true'
	[[ $output != *canary-6f1d* && $output != *"$ID"* ]]
}

@test "without walls a question can be seen" {
	(! cannot_see none)
	(! cannot_see env)
}

@test "a question cannot be seen" {
	each_profile cannot_see
	intact
}

cannot_approve() {
	confined "$1" '$W approvals list; $W approvals show $ID; $W approvals approve $ID; $W approvals approve --scope session $ID; true'
	[[ $output != *canary-6f1d* ]] || return
	intact
}

@test "without walls writ inside approves it" {
	(! cannot_approve none)
}

@test "writ inside approves nothing" {
	each_profile cannot_approve
}

@test "writ inside approves nothing by another name of the directory" {
	local profile
	ln -s "$WRIT_STATE_DIR" link
	for profile in readonly workspace strict; do
		confined "$profile" 'for d in $PWD/link /proc/self/cwd/../state $PWD/../state /proc/1/root$S; do WRIT_STATE_DIR=$d $W approvals approve $ID; $W approvals --state-dir $d approve $ID; done; cat link/approvals/*; true'
		[[ $output != *canary-6f1d* ]] || return
		intact
	done
}

cannot_write() {
	confined "$1" 'mkdir -p $S/approvals $S/grants; for f in approvals/$ID.answer approvals/$ID.used grants/$ID.json approvals/0123456789abcdef.json; do echo "{\"approved\":true}" >$S/$f; done; : >$S/approvals/$ID.json; : >$S/audit/request.key; true'
	intact
}

@test "files cannot be put into the queue" {
	each_profile cannot_write
}

cannot_link() {
	confined "$1" 'ln $S/approvals/$ID.json stolen; ln -s $S/approvals q; cat q/$ID.json; cp $S/approvals/$ID.json stolen2; mv $S/approvals stolen3; mv $S away; rm -rf $S/approvals; rmdir $S; true'
	[[ $output != *canary-6f1d* && ! -s stolen && ! -s stolen2 && ! -e stolen3 ]] || return
	rm -f q
	intact
}

@test "questions cannot be linked to, moved or deleted" {
	each_profile cannot_link
}

# Whoever has made a second name for it in the project lets it be written. What
# was written so is not believed.
@test "a question that was changed by way of a hard link is none" {
	ln "$Q.json" early
	confined workspace 'sed -e s/canary-6f1d/other/ early >new; cat new >early'
	grep -q other "$Q.json"
	run -1 --separate-stderr "$WRIT" approvals approve "$ID"
	expect_in_stderr "was not written by writ, or changed since"
	ended 125
	[[ ! -e canary-6f1d && ! -e other ]]
}

cannot_signal() {
	confined "$1" "kill -CONT $ASKER; kill -9 $ASKER; true"
	kill -0 "$ASKER" || return
	intact
}

@test "who asks cannot be killed from inside" {
	each_profile cannot_signal
}

@test "no option opens the queue" {
	local profile
	for profile in readonly workspace strict; do
		run env WRIT_POLICY=open "$WRIT" run --sandbox "$profile" --read "$WRIT_STATE_DIR/approvals" -- cat "$Q.json"
		[[ $output != *canary-6f1d* ]] || return
		run env WRIT_POLICY=open "$WRIT" run --sandbox "$profile" --write "$WRIT_STATE_DIR/approvals" -- sh -c "echo x >$Q.answer"
		[[ ! -e $Q.answer ]] || return
	done
	intact
}

@test "at last a person answers, and it runs" {
	each_profile cannot_approve
	run -0 "$WRIT" approvals approve "$ID"
	ended 0
	[[ -e canary-6f1d ]]
	# The very same again: it was for one time.
	rm canary-6f1d
	run -125 --separate-stderr "$WRIT" run --approval "$ID" -- touch canary-6f1d </dev/null
	expect_in_stderr "has been used"
	[[ ! -e canary-6f1d ]]
}

@test "audit show tells who approved" {
	"$WRIT" approvals approve --note "fine by me" "$ID"
	ended 0
	run -0 "$WRIT" audit show -
	expect_in_stdout $'\n\napproved\n'
	grep -qE "^  by +user $(id -u), process [0-9]+$" <<<"$output" || show_run
	grep -qE '^  note +fine by me$' <<<"$output" || show_run
	grep -qE "^  approval +$ID$" <<<"$output" || show_run
	run -0 "$WRIT" audit tail -n 50
	grep -qE " ask +- +$ID$" <<<"$output" || show_run
	grep -qE " answer +- +$ID approved once: fine by me$" <<<"$output" || show_run
	run -0 "$WRIT" audit tail --kind answer -n 50
	[[ ${#lines[@]} == 1 ]] || show_run
	run -0 "$WRIT" audit verify
	run -0 "$WRIT" audit list --no-index
	run -0 "$WRIT" audit export
	grep -q '"kind":"ask"' <<<"$output" || show_run
	grep -q '"kind":"answer"' <<<"$output" || show_run
}
