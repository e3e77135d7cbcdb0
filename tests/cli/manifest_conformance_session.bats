#!/usr/bin/env bats
# bats file_tags=anyone
# What resources know about each other, case by case: requirements, control and
# health (B), and sessions (E).
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

@test "B1: requirements that are met, one that is not, several that are not" {
	execs <<-END
		- ok: { command: "true" }
		- bad: { command: "false" }
		- worse: { command: "false" }
		- none: { command: touch $D/a }
		- met: { command: touch $D/b, require: [ "exec#ok" ] }
		- one: { command: touch $D/c, require: [ "exec#ok", "exec#bad" ], health_checks: [ { command: touch $D/h } ] }
		- two: { command: touch $D/d, require: [ "exec#bad", "exec#ok", "exec#worse" ] }
		- cascade: { command: touch $D/e, require: [ "exec#one" ] }
		- control: { command: touch $D/f, control: { if: "false" } }
		- behind: { command: touch $D/g, require: [ "exec#control" ] }
	END
	apply 4
	expect 'has("a") and has("b") and has("g")' 'not any(has(n) for n in "cdefh")' \
		'e("one")["skipped"] and e("one")["unmet_requirements"] == ["exec#bad"]' \
		'e("two")["unmet_requirements"] == ["exec#bad", "exec#worse"]' \
		'e("cascade")["unmet_requirements"] == ["exec#one"]' 'not e("one")["failed"]' \
		's["requirements_unmet_count"] == 3 and s["skipped_resources"] == 4 and s["total_errors"] == 2'
	to_files 4 "$WRIT" apply "$MANIFEST"
	says 'unmet' exec#bad
}

@test "B1: a requirement that nobody knows, or that comes later, ends it before it begins" {
	execs <<-END
		- touch $D/canary: { alias: canary }
		- a: { command: "true", require: [ "exec#cannary" ] }
		- b: { command: "true", require: [ "exec#c" ] }
		- c: { command: "true", require: [ "exec#c" ] }
		- d: { command: "true", require: [ "file#/none" ] }
		- e: { command: "true", require: [ "service#x" ] }
	END
	refused exec#canary m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10:
}

@test "B2: the nine ways of control, and facts in it" {
	execs 'data: { on: true, off: false }' <<-END
		- a: { command: touch $D/a }
		- b: { command: touch $D/b, control: { if: "true" } }
		- c: { command: touch $D/c, control: { if: "false" } }
		- d: { command: touch $D/d, control: { unless: "false" } }
		- e: { command: touch $D/e, control: { unless: "true" } }
		- f: { command: touch $D/f, control: { if: "Data.on", unless: "Data.off" } }
		- g: { command: touch $D/g, control: { if: "Data.on", unless: "Data.on" } }
		- h: { command: touch $D/h, control: { if: "Data.off", unless: "Data.off" } }
		- i: { command: touch $D/i, control: { if: "Data.off", unless: "Data.on" } }
		- j: { command: touch $D/j, control: { if: "Facts.role == 'web' && lookup('facts.kernel.name', 'Linux') == 'Linux'" } }
	END
	apply 0 --fact role=web
	expect '"".join(n for n in "abcdefghij" if has(n)) == "abdfj"' \
		'[x["name"] for x in es if x["skipped"]] == list("ceghi")' 's["skipped_resources"] == 5' \
		'"control" in e("c")["decided_by"]'
}

@test "B2: control that is no expression is refused, one that fails fails its resource" {
	execs <<-END
		- touch $D/canary: { control: { if: "1 +" } }
	END
	refused m.yaml:5:
	execs <<-END
		- a: { command: touch $D/a, control: { if: "lookup('environ.nope')" } }
		- b: { command: touch $D/b, control: { if: "Environ.NOPE ?? 'text'" } }
		- c: { command: touch $D/c }
	END
	apply 4
	expect '[kind(n) for n in "abc"] == ["failed", "failed", "changed"]' 'not has("a") and not has("b") and has("c")'
}

@test "B2: where control says no, nothing is filled in and nothing is checked" {
	execs <<-END
		- a:
		    command: "echo {{ lookup('data.nope') }}"
		    control: { if: "false" }
		    health_checks: [ { command: touch $D/h } ]
	END
	apply 0
	expect 'e("a")["skipped"] and not e("a")["failed"]' 'not has("h")'
}

@test "B3: health that is good, bad, a warning, unknown, and a check that cannot start" {
	execs <<-END
		- ok: { command: "true", health_checks: [ { command: "sh -c 'echo all well'" } ] }
		- critical: { command: "true", health_checks: [ { command: "sh -c 'echo broken; exit 2'", name: mine } ] }
		- warning: { command: "true", health_checks: [ { command: "sh -c 'exit 1'" } ] }
		- unknown: { command: "true", health_checks: [ { command: "sh -c 'exit 9'" } ] }
		- nostart: { command: "true", health_checks: [ { command: $D/no-check } ] }
		- retried: { command: "true", health_checks: [ { command: "sh -c 'echo x >>$D/r; test \$(wc -l <$D/r) -ge 3'", tries: 5, try_sleep: 10ms } ] }
		- failed: { command: "false", health_checks: [ { command: touch $D/never } ] }
	END
	apply 4
	expect '[kind(x["name"]) for x in es] == ["changed", "failed", "failed", "failed", "failed", "changed", "failed"]' \
		'e("ok")["health_check"][0]["status"] == 0 and "all well" in str(e("ok")["health_check"][0])' \
		'e("critical")["changed"] and "health check status \"CRITICAL\"" in e("critical")["error"][0]' \
		'"health check status \"WARNING\"" in e("warning")["error"][0]' \
		'e("retried")["health_check"][0]["tries"] == 3' 'not has("never")' '"mine" in str(e("critical")["health_check"])' \
		's["health_checked_count"] == 6' \
		's["health_check_ok_count"] == 2 and s["health_check_warning_count"] == 1 and s["health_check_critical_count"] == 1 and s["health_check_unknown_count"] == 2'
}

@test "B3: only the health is looked at, and nothing is applied" {
	execs <<-END
		- a: { command: touch $D/a, health_checks: [ { command: test -e / } ] }
		- b: { command: touch $D/b, health_checks: [ { command: test -e $D/b } ] }
	END
	apply 4 --monitor-only
	expect 'not has("a") and not has("b")' 'e("b")["failed"] and not e("a")["failed"]' 'not e("a")["changed"]'
}

@test "B4: of several sources the first that changed is named; none, no refresh" {
	execs <<-END
		- a: { command: "true", creates: / }
		- b: { command: "true" }
		- c: { command: "true" }
		- x: { command: "true", refreshonly: true, subscribe: [ "exec#a", "exec#b", "exec#c" ] }
		- y: { command: "true", refreshonly: true, subscribe: [ "exec#a" ] }
		- z: { command: "true", refreshonly: true, subscribe: [] }
	END
	apply 0
	expect 'e("x")["refreshed"] and "exec#b" in e("x")["decided_by"]' 'not e("y")["refreshed"] and not e("z")["refreshed"]'
}

@test "B5: events have ids of their own, and of two with one name the last counts" {
	execs <<-'END'
		- twice: { command: "true", alias: first }
		- twice: { command: "true", creates: /, alias: second }
		- a: { command: "true", refreshonly: true, subscribe: [ "exec#first" ] }
		- b: { command: "true", refreshonly: true, subscribe: [ "exec#second" ] }
		- c: { command: "true", refreshonly: true, subscribe: [ "exec#twice" ] }
	END
	apply 0
	expect 'len({x["event_id"] for x in es}) == 5' \
		'[x["event_id"] for x in es] == sorted(x["event_id"] for x in es)' \
		'[e(n)["refreshed"] for n in "abc"] == [True, False, False]' \
		's["total_resources"] == 5 and s["unique_resources"] == 4'
}

# new_session: a session that the following commands of a script belong to.
new_session() { eval "$("$WRIT" session new --directory "$D/session")"; }

@test "E1: a script's session: made, joined, reported" {
	new_session
	[[ -n $WRIT_SESSION_STORE && -d $WRIT_SESSION_STORE ]]
	to_files 0 "$WRIT" ensure exec "touch $D/a" --creates "$D/a" --alias one --json
	expect 'es[-1]["changed"]'
	to_files 0 "$WRIT" ensure exec "touch $D/b" --subscribe "exec#touch $D/a" --refresh-only --json
	expect 'es[-1]["refreshed"] and has("b")'
	to_files 0 "$WRIT" ensure exec "touch $D/c" --subscribe exec#one --require exec#one --json
	expect 'es[-1]["refreshed"]'
	to_files 0 "$WRIT" ensure file "$D/f" --content hello --owner "$(id -un)" --group "$(id -gn)" --mode 0644 --json
	expect 'read("f") == "hello"'
	to_files 0 "$WRIT" ensure exec "touch $D/d" --subscribe "file#$D/f" --refresh-only --json
	expect 'has("d")'
	to_files 4 "$WRIT" ensure exec false
	to_files 0 "$WRIT" ensure exec "touch $D/e" --require exec#false --json
	expect 'es[-1]["skipped"] and not has("e")'
	to_files 0 "$WRIT" session report --json
	expect 's["total_resources"] == 7 and s["changed_resources"] == 5 and s["failed_resources"] == 1 and s["skipped_resources"] == 1' \
		's["refreshed_count"] == 3'
	to_files 0 "$WRIT" session report
	says 'Session Summary' 'Total Resources: 7'
	[[ $(find "$WRIT_SESSION_STORE" -type f ! -perm 600) == "" ]]
}

@test "E1: a session that is nowhere, has no name, or is somebody else's is refused" {
	local session
	for session in "$D/nowhere" '' ../nowhere "$D/file"; do
		touch "$D/file"
		to_files 1 "$WRIT" ensure exec "touch $D/canary" --session "$session"
		to_files 1 "$WRIT" session report --session "$session"
	done
	mkdir -m 777 "$D/open"
	to_files 1 "$WRIT" ensure exec "touch $D/canary" --session "$D/open"
	[[ ! -e $D/canary ]]
}

@test "E1: an alias counts within its type" {
	new_session
	to_files 0 "$WRIT" ensure exec true --alias same
	to_files 1 "$WRIT" ensure exec "touch $D/canary" --require file#same
	says file#same
	[[ ! -e $D/canary ]]
}

@test "E1: a session whose log somebody changed is not believed" {
	new_session
	to_files 0 "$WRIT" ensure exec true --alias one
	local log
	log=$(find "$WRIT_SESSION_STORE" -name '*.jsonl' | head -1)
	sed -i 's/"changed":true/"changed":none/' "$log"
	status=0
	"$WRIT" ensure exec "touch $D/canary" --require exec#one >"$OUT" 2>"$ERR" || status=$?
	((status != 0)) || show
	[[ ! -e $D/canary ]]
}

@test "E1: requirements need a session to be looked up in" {
	to_files 1 "$WRIT" ensure exec "touch $D/canary" --require exec#a
	says session
	to_files 1 "$WRIT" ensure exec "touch $D/canary" --subscribe exec#a
	says session
	[[ ! -e $D/canary ]]
}

@test "E2: each event is in one class, and the classes add up" {
	execs <<-'END'
		- stable: { command: "true", creates: / }
		- changed: { command: "true" }
		- refreshed: { command: "true", refreshonly: true, subscribe: [ "exec#changed" ] }
		- failed: { command: "false" }
		- skipped: { command: "true", control: { if: "false" } }
		- unmet: { command: "true", require: [ "exec#failed" ] }
		- changed: { command: "true" }
	END
	apply 4
	expect 's["total_resources"] == 7 and s["unique_resources"] == 6' \
		's["stable_resources"] == 1 and s["changed_resources"] == 3 and s["failed_resources"] == 1 and s["skipped_resources"] == 2' \
		's["refreshed_count"] == 1 and s["requirements_unmet_count"] == 1 and s["total_errors"] == 1' \
		's["start_time"] <= s["end_time"] and s["total_duration"] > 0'
	to_files 4 "$WRIT" apply "$MANIFEST"
	says 'Manifest Run Summary' 'Total Resources: 7' 'Stable Resources: 1' 'Changed Resources: 3' 'Failed Resources: 1' \
		'Skipped Resources: 2' 'Refreshed Resources: 1' 'Unmet Requirements: 1' 'Total Errors: 1'
}

@test "E2: a session with nothing in it is all zeros" {
	new_session
	to_files 0 "$WRIT" session report --json
	expect 's["total_resources"] == 0 and s["changed_resources"] == 0 and s["total_errors"] == 0'
}
