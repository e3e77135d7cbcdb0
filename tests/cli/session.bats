#!/usr/bin/env bats
# bats file_tags=anyone
# writ session: for scripts, and to look at applies.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
}

# bats test_tags=smoke
@test "new prints what a shell evaluates, and has made the directory" {
	local line
	line=$("$WRIT" session new)
	[[ $line == "export WRIT_SESSION_STORE='$WRIT_STATE_DIR/sessions/"*"'" ]]
	eval "$line"
	[[ -d $WRIT_SESSION_STORE && $(stat -c %a "$WRIT_SESSION_STORE") == 700 ]]
	line=$("$WRIT" session new --directory "$D/it's here")
	eval "$line"
	[[ $WRIT_SESSION_STORE == "$D/it's here" && -d $WRIT_SESSION_STORE ]]
	[[ $(json "$("$WRIT" session new --directory "$D/other" --json)" 'd["directory"]') == "$D/other" ]]
	to_files 1 "$WRIT" session new --directory "$D/other"
	says 'has a session already'
}

@test "a script: later commands know of earlier ones" {
	eval "$("$WRIT" session new)"
	"$WRIT" ensure file "$D/conf" --content one
	run -0 "$WRIT" ensure exec "touch $D/reloaded" --refresh-only -S "file#$D/conf"
	[[ $output == *refreshed* && -e $D/reloaded ]] || show_run
	"$WRIT" ensure file "$D/conf" --content one
	rm "$D/reloaded"
	run -0 "$WRIT" ensure exec "touch $D/reloaded" --refresh-only -S "file#$D/conf"
	[[ $output == *stable* && ! -e $D/reloaded ]] || show_run
	run -4 "$WRIT" ensure exec /bin/false --alias bad
	run -0 "$WRIT" ensure exec "touch $D/never" --require exec#bad
	[[ $output == *skipped*'unmet requirement exec#bad'* && ! -e $D/never ]] || show_run
	to_files 1 "$WRIT" ensure exec /bin/true --require exec#nobody
	says 'exec#nobody'
}

@test "require and subscribe without a session are refused" {
	local option
	for option in --require --subscribe; do
		to_files 1 "$WRIT" ensure exec "touch $D/x" "$option" exec#y
		says "$option needs a session" 'session store should be set' 'writ session new'
	done
	[[ ! -e $D/x ]]
}

@test "the option wins over the variable, and a session that is not there is refused" {
	eval "$("$WRIT" session new)"
	"$WRIT" session new --directory "$D/s" >/dev/null
	"$WRIT" ensure exec /bin/true --session "$D/s"
	[[ $(json "$("$WRIT" session report --json)" 'd["total_resources"]') == 0 ]]
	[[ $(json "$("$WRIT" session report --session "$D/s" --json)" 'd["total_resources"]') == 1 ]]
	to_files 1 "$WRIT" ensure exec /bin/true --session "$D/none"
	says "session store '$D/none' does not exist"
}

@test "report counts, lists the events, and removes" {
	eval "$("$WRIT" session new)"
	"$WRIT" ensure exec /bin/true
	"$WRIT" ensure exec /bin/true --creates /
	run -4 "$WRIT" ensure exec /bin/false
	to_files 0 "$WRIT" session report
	says 'Session Summary' 'Total Resources: 3' 'Unique Resources: 2' 'Changed Resources: 1' 'Stable Resources: 1' \
		'Failed Resources: 1' 'Total Errors: 1'
	[[ $(json "$("$WRIT" session report --json)" '[(e["name"], e["changed"]) for e in d["events"]]') \
		== "[('/bin/true', True), ('/bin/true', False), ('/bin/false', True)]" ]]
	to_files 0 "$WRIT" session report --remove
	[[ ! -e $WRIT_SESSION_STORE ]]
	to_files 1 "$WRIT" session report
}

@test "report without a session says which there are to name" {
	to_files 1 "$WRIT" session report
	says WRIT_SESSION_STORE 'writ session list'
}

@test "an apply's session is reported by its id, and listed" {
	execs <<-END
		- a: { command: /bin/true }
		- b: { command: /bin/false }
	END
	apply 4
	local id
	id=$("$WRIT" session list --ids)
	[[ $(json "$("$WRIT" session report --session "$id" --json)" 'd["finished"], d["failed_resources"]') == "(True, 1)" ]]
	to_files 0 "$WRIT" session list
	grep -Eq "^$id +[0-9:]+ +complete +2 +1 +1 +$MANIFEST\$" "$OUT" || show
	[[ $(json "$("$WRIT" session list --json)" '[(s["session"], s["state"], s["resources"]) for s in d]') == "[('$id', 'complete', 2)]" ]]
}

@test "an unfinished one is listed as that" {
	execs <<<"- b: { command: \"sh -c 'echo x >>$D/log; exec sleep 60'\" }"
	"$WRIT" apply "$MANIFEST" >"$OUT" 2>&1 3>&- </dev/null &
	local pid=$!
	wait_for test -s "$D/log"
	kill -KILL "$pid"
	wait "$pid" || true
	to_files 0 "$WRIT" session list
	says unfinished
}

@test "no session yet" {
	to_files 0 "$WRIT" session list
	says 'there are no sessions yet'
	[[ $("$WRIT" session list --json) == '[]' && -z $("$WRIT" session list --ids) ]]
}

@test "wrong usage is 2" {
	to_files 2 "$WRIT" session
	to_files 2 "$WRIT" session nwe
	says "did you mean 'new'"
	to_files 2 "$WRIT" session new extra
}
