#!/usr/bin/env bats
# bats file_tags=anyone
# What applying an exec does, case by case: when the state is as wanted (D),
# applying (A), and applying without doing anything (P).
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

@test "D-1: creates that is there is the wanted state, and creates that is not makes it run" {
	touch "$D/there"
	execs <<-END
		- there: { command: touch $D/a, creates: $D/there }
		- missing: { command: touch $D/b, creates: $D/b }
		- list: { command: touch $D/c, creates: [ $D/there, $D/c ] }
		- both: { command: touch $D/d, creates: [ $D/there, $D/b ] }
	END
	apply 0
	expect 'not has("a") and has("b") and has("c") and not has("d")' \
		'[kind(n) for n in ("there", "missing", "list", "both")] == ["stable", "changed", "changed", "stable"]' \
		'e("there")["status"]["creates_satisfied"] and e("there")["status"]["stable"]' \
		'"exitcode" not in e("there")["status"]' '"creates" in e("there")["decided_by"]' \
		'not e("missing")["status"]["stable"]'
}

@test "D-2: refreshonly is the wanted state until it ran, then its exit code counts" {
	execs <<-END
		- source: { command: "true" }
		- quiet: { command: touch $D/a, refreshonly: true }
		- good: { command: touch $D/b, refresh_only: true, subscribe: [ exec#source ] }
		- bad: { command: "false", refreshonly: true, subscribe: [ exec#source ] }
	END
	sed -i 's/\[ exec#source \]/["exec#source"]/' "$MANIFEST"
	apply 4
	expect 'kind("quiet") == "stable" and not has("a")' 'e("quiet")["decided_by"] == "refreshonly"' \
		'kind("good") == "changed" and has("b") and e("good")["refreshed"]' 'kind("bad") == "failed"'
}

@test "D-3: exit codes are judged by returns, which is [0] unless said" {
	execs <<-'END'
		- zero: { command: "true" }
		- one: { command: "false" }
		- listed: { command: sh -c 'exit 1', returns: [0, 1, 2] }
		- unlisted: { command: sh -c 'exit 3', returns: [0, 1, 2] }
		- empty: { command: sh -c 'exit 0', returns: [] }
	END
	apply 4
	expect '[x["failed"] for x in es] == [False, True, False, True, False]' \
		'es[3]["error"] == ["failed to reach desired state: exit code 3: exit code 3 not in allowed returns [0 1 2]"]'
}

@test "D-4, D-5: guards count before a run, and not after it" {
	execs <<-END
		- onlyif-no: { command: touch $D/a, onlyif: "false" }
		- onlyif-yes: { command: touch $D/b, onlyif: "true" }
		- unless-yes: { command: touch $D/c, unless: "true" }
		- unless-no: { command: touch $D/d, unless: "false" }
		- later-onlyif: { command: rm $D/b, onlyif: test -e $D/b }
		- later-unless: { command: touch $D/e, unless: test -e $D/e }
		- bad: { command: "false", onlyif: "true" }
	END
	apply 4
	expect '[kind(x["name"]) for x in es] == ["stable", "changed", "stable", "changed", "changed", "changed", "failed"]' \
		'not has("a") and not has("b") and not has("c") and has("d") and has("e")' \
		'e("unless-yes")["status"]["unless_satisfied"]' '"onlyif" in e("onlyif-no")["decided_by"]' \
		'not e("onlyif-no")["status"].get("onlyif_satisfied")'
}

@test "D-6: creates wins over the guards" {
	touch "$D/there"
	execs <<-END
		- a: { command: touch $D/a, creates: $D/there, onlyif: touch $D/guard, unless: "false" }
	END
	apply 0
	expect 'kind("a") == "stable"' 'not has("a")'
}

@test "D-7, A3: with no guard it runs each time" {
	execs <<-END
		- a: { command: sh -c 'echo x >>$D/a' }
	END
	apply 0
	expect 'e("a")["changed"] and e("a")["status"]["exitcode"] == 0' 'e("a")["final_ensure"] == "present"' \
		'not e("a")["status"]["stable"] and not e("a")["noop"] and not e("a")["refreshed"]'
	apply 0
	expect 'read("a") == "x\nx\n"'
}

@test "A1: a state that cannot be told fails the resource, and the rest goes on" {
	execs <<-END
		- a: { command: touch $D/a, creates: "{{ file('$D/nowhere') }}" }
		- b: { command: touch $D/b }
	END
	apply 4
	expect 'e("a")["failed"] and len(e("a")["error"]) == 1' 'not has("a") and has("b")' \
		"'nowhere' in e('a')['error'][0]"
}

@test "A2: creates that is there, not run, not changed" {
	execs <<-END
		- a: { command: touch $D/a, creates: / }
	END
	apply 0
	expect 'not has("a")' 'not e("a")["changed"] and not e("a")["skipped"]' 's["stable_resources"] == 1'
}

@test "A4: exit 1 is a failure to reach the desired state" {
	execs <<-'END'
		- a: { command: "false" }
	END
	apply 4
	expect 'e("a")["error"] == ["failed to reach desired state: exit code 1: exit code 1 not in allowed returns [0]"]' \
		'e("a")["failed"]' 'e("a")["status"]["exitcode"] == 1'
}

@test "A5: returns [0,1], exit 1 is changed and not failed" {
	execs <<-'END'
		- a: { command: "false", returns: [0, 1] }
	END
	apply 0
	expect 'e("a")["changed"] and not e("a")["failed"]' 'e("a")["status"]["exitcode"] == 1'
}

@test "A6: a command that cannot start fails the resource, not the apply" {
	execs <<-END
		- a: { command: $D/no-such-program }
		- b: { command: no-such-program-anywhere }
		- c: { command: $D }
		- d: { command: "true", cwd: $D/no-such-directory }
		- e: { command: touch $D/e }
	END
	apply 4
	expect '[kind(x["name"]) for x in es] == ["failed"] * 4 + ["changed"]' 'has("e")' \
		'all(len(x["error"]) == 1 for x in es[:4])' '"no-such-program" in e("a")["error"][0]' \
		'"no-such-directory" in e("d")["error"][0]'
}

@test "A7: onlyif decides, and a guard that cannot start fails the resource" {
	execs <<-END
		- no: { command: touch $D/a, onlyif: "false" }
		- yes: { command: touch $D/b, onlyif: "true" }
		- bad: { command: touch $D/c, onlyif: $D/no-such-guard }
		- words: { command: touch $D/d, onlyif: "echo 'open" }
	END
	refused Unterminated
	sed -i '$d' "$MANIFEST"
	apply 4
	expect 'not has("a") and has("b") and not has("c")' '"no-such-guard" in e("bad")["error"][0]'
}

@test "A7, A8: of several guards all must hold, and the one that decided is named" {
	execs <<-END
		- a: { command: touch $D/a, onlyif: [ "true", test -e $D/nope, touch $D/never ] }
		- b: { command: touch $D/b, onlyif: [ "true", [ test, -d, "$D" ] ], unless: [ "false", [ test, -e, $D/nope ] ] }
		- c: { command: touch $D/c, unless: [ "false", test -d $D, touch $D/never ] }
		- d: { command: touch $D/d, removes: $D/nope }
		- e: { command: rm $D/b, removes: $D/b }
	END
	apply 0
	expect '[kind(x["name"]) for x in es] == ["stable", "changed", "stable", "stable", "changed"]' \
		'not has("a") and not has("b") and not has("c") and not has("d") and not has("never")' \
		'"test -e" in e("a")["decided_by"]' '"test -d" in e("c")["decided_by"]' '"removes" in e("d")["decided_by"]'
}

@test "A8: unless that holds, not run; unless that does not, run" {
	execs <<-END
		- no: { command: touch $D/a, unless: "true" }
		- yes: { command: touch $D/b, unless: "false" }
	END
	apply 0
	expect 'not has("a") and has("b")' '[x["changed"] for x in es] == [False, True]'
}

@test "A9, A11, A13: what it subscribed to has changed, so it runs, whatever the guards say" {
	execs <<-END
		- source: { command: "true" }
		- onlyif: { command: touch $D/a, onlyif: "false", subscribe: [ "exec#source" ] }
		- creates: { command: touch $D/b, creates: $D, subscribe: [ "exec#source" ] }
		- only: { command: touch $D/c, refreshonly: true, subscribe: [ "exec#source" ] }
		- unless: { command: touch $D/d, unless: "true", subscribe: [ "exec#source" ] }
		- other: { command: touch $D/e, refresh: touch $D/f, refreshonly: true, subscribe: [ "exec#source" ] }
	END
	apply 0
	expect 'all(has(n) for n in "abcdf") and not has("e")' 'all(x["changed"] and x["refreshed"] for x in es[1:])' \
		's["refreshed_count"] == 5 and s["changed_resources"] == 6' '"exec#source" in e("only")["decided_by"]'
}

@test "A10: refreshonly without a trigger does not run" {
	execs <<-END
		- source: { command: "true", creates: / }
		- a: { command: touch $D/a, refreshonly: true, subscribe: [ "exec#source" ] }
		- b: { command: touch $D/b, refreshonly: true }
	END
	apply 0
	expect 'not has("a") and not has("b")' 'all(kind(x["name"]) == "stable" for x in es)'
}

@test "A12: without refreshonly it runs although its source has not changed" {
	execs <<-END
		- source: { command: "true", creates: / }
		- a: { command: touch $D/a, subscribe: [ "exec#source" ] }
		- failed: { command: "false" }
		- b: { command: touch $D/b, refreshonly: true, subscribe: [ "exec#failed" ] }
	END
	apply 4
	expect 'has("a") and e("a")["changed"] and not e("a")["refreshed"]' 'not has("b")'
}

@test "A14: a source that nobody knows is an error, and nothing runs" {
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "true", subscribe: [ "exec#nobody" ] }
		- b: { command: "true", subscribe: [ "exec#c" ] }
		- c: { command: "true" }
	END
	refused exec#nobody exec#c m.yaml:6: m.yaml:7:
	eval "$("$WRIT" session new --directory "$D/session")"
	to_files 1 "$WRIT" ensure exec "touch $D/canary" --subscribe exec#nobody
	[[ ! -e $D/canary ]]
}

@test "P1, P2, P5: noop tells what would be run, and runs nothing" {
	execs <<-END
		- a: { command: touch $D/a }
		- b: { command: touch $D/b, refreshonly: true, subscribe: [ "exec#a" ] }
		- c: { command: touch $D/c, creates: / }
		- d: { command: touch $D/d, refreshonly: true, subscribe: [ "exec#c" ] }
		- e: { command: touch $D/e, subscribe: [ "exec#b" ], creates: / }
	END
	apply 0 --noop
	expect 'not any(has(n) for n in "abcde")' 'all(x["noop"] for x in es)' \
		'[x["changed"] for x in es] == [True, True, False, False, True]' \
		'e("a")["noop_message"] == "Would have executed"' 'not e("a")["refreshed"]' \
		'e("b")["noop_message"] == "Would have executed via subscribe" and e("b")["refreshed"]' \
		'not e("c").get("noop_message")' 'e("e")["noop_message"] == "Would have executed via subscribe"' \
		'"exitcode" not in e("a")["status"]'
	to_files 0 "$WRIT" apply --noop "$MANIFEST"
	says 'Would have executed via subscribe'
	[[ ! -e $D/a ]]
}

@test "P3, P4: guards are asked in noop, where they can change nothing" {
	execs <<-END
		- no: { command: touch $D/a, onlyif: test -e $D/nope }
		- yes: { command: touch $D/b, onlyif: test -d $D }
		- writes: { command: touch $D/c, onlyif: touch $D/guard }
		- unless: { command: touch $D/d, unless: test -d $D }
	END
	apply 0 --noop
	expect '[x["changed"] for x in es[:2]] == [False, True]' 'all(x["noop"] for x in es)' \
		'e("yes")["noop_message"] == "Would have executed"' 'not e("unless")["changed"]' \
		'not any(has(n) for n in ("a", "b", "c", "d", "guard"))'
}

@test "only: what is asked for is applied, and nothing else" {
	execs <<-END
		- a: { command: touch $D/a }
		- b: { command: touch $D/b, require: [ "exec#a" ], subscribe: [ "exec#a" ] }
		- c: { command: touch $D/c, refreshonly: true, subscribe: [ "exec#a" ] }
	END
	apply 0 --only exec#b --only exec#c
	expect 'len(es) == 2' 'has("b") and not has("a") and not has("c")'
	to_files 1 "$WRIT" apply --only exec#nobody "$MANIFEST"
	says exec#nobody
}

@test "detailed exit codes tell changes and failures apart" {
	execs <<-'END'
		- a: { command: "true", creates: / }
	END
	apply 0 --detailed-exitcode
	execs <<-'END'
		- a: { command: "true" }
	END
	apply 2 --detailed-exitcode
	apply 0
	execs <<-'END'
		- a: { command: "false" }
	END
	apply 4
	execs <<-'END'
		- a: { command: "false" }
		- b: { command: "true" }
	END
	apply 6 --detailed-exitcode
}

@test "tries: a command is tried again until its exit code is in order" {
	execs <<-END
		- a: { command: "sh -c 'echo x >>$D/a; test \$(wc -l <$D/a) -ge 3'", tries: 5, try_sleep: 10ms }
		- b: { command: "sh -c 'echo x >>$D/b; exit 1'", tries: 2, try_sleep: 10ms }
	END
	apply 4
	expect 'read("a") == "x\n" * 3 and read("b") == "x\n" * 2' 'kind("a") == "changed" and kind("b") == "failed"' \
		'e("a")["tries"] == 3 or e("a")["status"]["tries"] == 3'
}

@test "stdin, umask and limits are those of the manifest" {
	execs <<-END
		- in: { command: sh -c 'cat >$D/in', stdin: "some text\n" }
		- mask: { command: touch $D/mask, umask: "077" }
		- plain: { command: touch $D/plain }
		- files: { command: "sh -c 'ulimit -n >$D/files'", limits: { open_files: 77 } }
		- group: { command: "sh -c 'id -gn >$D/group'" }
	END
	umask 027
	apply 0
	expect 'read("in") == "some text\n"' 'os.stat(folder + "/mask").st_mode & 0o777 == 0o600' \
		'os.stat(folder + "/plain").st_mode & 0o777 == 0o644' 'read("files") == "77\n"'
}

@test "user and group: the command runs as another, with that one's home" {
	[[ $(id -u) == 0 ]] || skip "needs root"
	chmod 777 "$D"
	chmod 755 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	execs <<-END
		- a: { command: "sh -c 'echo \$(id -un) \$(id -gn) \$USER \$HOME >$D/a'", user: daemon, group: nogroup }
		- b: { command: "true", onlyif: "sh -c 'test \$(id -un) = daemon'", user: daemon }
		- c: { command: "true", user: no-such-user }
	END
	apply 4
	expect 'read("a").split()[:3] == ["daemon", "nogroup", "daemon"]' 'kind("b") == "changed"' \
		'kind("c") == "failed" and "no-such-user" in e("c")["error"][0]'
}

@test "a denied resource fails with the rule, and the rest goes on" {
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		default: allow
		sandbox: none
		agents: { manifest: {} }
		rules:
		  - deny: { program: [touch] }
		    because: nothing is touched here
	END
	execs <<-END
		- a: { command: touch $D/canary }
		- b: { command: "true" }
		- c: { command: "true", onlyif: touch $D/canary }
	END
	apply 4 --policy "$BATS_TEST_TMPDIR/policy.yaml"
	expect 'e("a")["failed"] and "touched here" in str(e("a"))' 'kind("b") == "changed"' 'e("c")["failed"]' \
		'not has("canary")'
}

@test "every run is in the trail, as the agent manifest" {
	execs <<-'END'
		- a: { command: "true", onlyif: test -d / }
		- b: { command: "false" }
	END
	apply 4
	expect 'len(e("a")["run_ids"]) >= 1'
	run -0 --separate-stderr "$WRIT" audit list --json
	[[ $(json "$output" 'sorted({r["agent"] for r in d})') == "['manifest']" ]]
	[[ $(json "$output" 'len(d)') == 3 ]]
	run -0 "$WRIT" audit verify
}
