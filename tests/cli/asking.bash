# What the tests of asking share: a project whose policy asks, questions in the
# queue, and terminals with people at them.
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by the tests
: "${WRIT_TEST_PROGRAMS:?set WRIT_TEST_PROGRAMS to the folder of the test programs}"

# A project in which touch is asked about, everything else that writes denied.
make_project() {
	PROJECT=$BATS_TEST_TMPDIR/project
	mkdir "$PROJECT"
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		default: deny
		rules:
		  - allow: { effect: read }
		  - ask: { program: touch }
		    because: files are counted here
	END
	export WRIT_POLICY=$BATS_TEST_TMPDIR/policy.yaml
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR.config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR.system
	cd "$PROJECT" || return
}

open_ids() { "$WRIT" approvals list --ids; }
has_question() { [[ -n $(open_ids) ]]; }
has_no_question() { [[ -z $(open_ids) ]]; }

# state_of ID
state_of() { json "$("$WRIT" approvals show --json "$1")" 'd["state"]'; }
is_state() { [[ $(state_of "$1") == "$2" ]]; }

# ask WORD...: runs writ run with these words in the background, with no
# terminal, and lets it wait; ASKER is its process, ID its question, $BATS_TEST_TMPDIR/err what
# it says.
ask() {
	env --default-signal=INT,QUIT "$WRIT" run --ask-timeout 5m "$@" </dev/null >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	ASKER=$!
	wait_for has_question
	ID=$(open_ids | tail -n 1)
}

# ended STATUS: the asker ends with it.
ended() {
	local status=0
	wait "$ASKER" || status=$?
	[[ $status == "$1" ]] && return
	echo "status $status: $(cat "$BATS_TEST_TMPDIR/err")" >&2
	return 1
}

# sit NAME COMMAND...: somebody sits at a terminal with that command on it.
sit() {
	local name=$1 fd
	shift
	mkfifo "$BATS_TEST_TMPDIR/$name.keys"
	TERM=xterm env --default-signal=INT,QUIT "$WRIT_TEST_PROGRAMS/onpty" "$@" \
		<"$BATS_TEST_TMPDIR/$name.keys" >"$BATS_TEST_TMPDIR/$name.screen" 2>&1 3>&- &
	declare -g "SEAT_$name=$!"
	exec {fd}>"$BATS_TEST_TMPDIR/$name.keys"
	declare -g "KEYS_$name=$fd"
}

# press NAME TEXT: types it there.
press() {
	local fd="KEYS_$1"
	printf '%b' "$2" >&"${!fd}"
}

screen() { tr -d '\r' <"$BATS_TEST_TMPDIR/$1.screen"; }
shows() { screen "$1" | grep -qF -- "$2"; }

# sees NAME TEXT: waits until it is on that screen.
sees() {
	wait_for shows "$1" "$2" && return
	screen "$1" >&2
	return 1
}

# leaves NAME STATUS: that command ends with it.
leaves() {
	local pid="SEAT_$1" status=0
	wait "${!pid}" || status=$?
	[[ $status == "$2" ]] && return
	echo "status $status:" >&2
	screen "$1" >&2
	return 1
}
