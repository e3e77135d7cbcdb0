#!/usr/bin/env bats
# bats file_tags=anyone
# A refresh is owed from the moment before a change until it has succeeded, and
# one apply at a time owes and pays.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# service [TOP]: a file, and a command that subscribes to it; it fails as long
# as there is a file "broken".
service() {
	manifest <<-END
		${1-}
		ccm:
		  fail_on_error: ${2-false}
		  resources:
		    - file:
		        - $D/conf: { content: "{{ lookup('facts.v', 1) }}" }
		    - exec:
		        - between: { command: test ! -e $D/stops }
		        - restart:
		            command: sh -c 'test ! -e $D/broken && cat $D/conf >>$D/log'
		            refreshonly: true
		            subscribe: [ "file#$D/conf" ]
	END
}

owed() {
	to_files 0 "$WRIT" session owed --json
	json "$(<"$OUT")" "$1"
}

nothing_owed() { [[ $(owed 'len(d)') == 0 ]] || show; }

@test "a kill at any write or sync of an apply loses no refresh" {
	need strace
	strace -o /dev/null true || skip "no tracing here"
	python3 "$WRIT_SOURCE/tests/cli/owed_kills.py" sweep "$D" 1
}

@test "kills, interruptions, failures and partial applies lose no refresh" {
	python3 "$WRIT_SOURCE/tests/cli/owed_kills.py" random "$D" 8
}

# bats test_tags=full
@test "two hundred kills at random lose no refresh" {
	python3 "$WRIT_SOURCE/tests/cli/owed_kills.py" random "$D" 200
}

# bats test_tags=smoke
@test "a refresh that fails is owed until it succeeds, and is seen" {
	service
	touch "$D/broken"
	to_files 4 "$WRIT" apply "$MANIFEST"
	says "exec#restart is owed a refresh since" "file#$D/conf changed"
	[[ $(owed 'd[0]["resource"], d[0]["changed"], d[0]["manifest"]') == "('exec#restart', 'file#$D/conf', '$MANIFEST')" ]] || show
	to_files 0 "$WRIT" session owed
	says 'RESOURCE' 'exec#restart' "file#$D/conf"
	to_files 0 "$WRIT" session list
	says '1 refresh is owed'
	apply 4
	expect 'e("restart")["refreshed"]' 's["owed"][0]["resource"] == "exec#restart"' \
		'e("restart")["decided_by"].startswith("owed since 20") and "conf changed" in e("restart")["decided_by"]'
	apply 0 --noop
	expect 'e("restart")["noop_message"].startswith("Would have refreshed: owed since 20")' 'e("restart")["changed"]'
	[[ ! -e $D/log ]]
	rm "$D/broken"
	apply 0
	expect 'kind("restart") == "changed" and e("restart")["refreshed"]' 'read("log") == "1"' 's["owed"] == []'
	nothing_owed
	apply 0
	expect 'kind("restart") == "stable"' 'read("log") == "1"'
	to_files 0 "$WRIT" session owed
	says 'no refresh is owed'
}

@test "--only and Ctrl-C owe a refresh to the next apply" {
	service
	apply 0 --only "file#$D/conf"
	expect 'not has("log")'
	apply 0 --only exec#restart
	expect 'read("log") == "1"' 'e("restart")["decided_by"].startswith("owed since")'

	mkfifo "$D/go"
	sed -i "s|test ! -e $D/stops|sh -c 'echo >$D/here; read x <$D/go'|" "$MANIFEST"
	env --default-signal=INT "$WRIT" apply --fact v=2 "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	wait_for test -e "$D/here"
	kill -INT "$pid"
	wait "$pid" || true
	says 'is owed a refresh since' 'to go on'
	[[ $(<"$D/log") == 1 ]]
	service
	apply 0 --fact v=2
	expect 'read("log") == "12"'
	nothing_owed
}

@test "resume tries again what failed and stopped the run, and counts it once" {
	service '' true
	touch "$D/stops"
	apply 4
	expect '[x["name"].rpartition("/")[2] for x in es] == ["conf", "between"]' 's["terminated"]' 'not has("log")'
	local id
	id=$("$WRIT" session list --ids 2>/dev/null | head -n 1)
	to_files 0 "$WRIT" session list
	says 'unfinished'
	apply 4 --resume "$id"
	expect '[x["name"] for x in es] == ["between"]' 's["failed_resources"] == 1 and s["total_resources"] == 2'
	rm "$D/stops"
	apply 0 --resume "$id"
	expect '[x["name"] for x in es] == ["between", "restart"]' 'read("log") == "1"' \
		's["failed_resources"] == 0 and s["total_resources"] == 3 and s["refreshed_count"] == 1'
	apply 0 --resume "$id"
	expect 'es == []'
}

@test "resume makes the refresh that failed, and counts it once" {
	service
	touch "$D/broken"
	apply 4
	rm "$D/broken"
	apply 0 --resume "$("$WRIT" session list --ids 2>/dev/null | head -n 1)"
	expect '[x["name"] for x in es] == ["restart"]' 'read("log") == "1"' \
		's["failed_resources"] == 0 and s["total_resources"] == 3'
	nothing_owed
}

@test "a file that was changed and fails its check is owed its refresh when it is right" {
	manifest <<-END
		ccm:
		  resources:
		    - file:
		        - $D/conf: { content: one, health_checks: [ { command: test ! -e $D/broken } ] }
		    - exec:
		        - restart: { command: touch $D/log, refreshonly: true, subscribe: [ "file#$D/conf" ] }
	END
	touch "$D/broken"
	apply 4
	expect 'not has("log")'
	apply 4
	expect 'not has("log")'
	rm "$D/broken"
	apply 0
	expect 'has("log")'
	nothing_owed
}

@test "a command that may not start has changed nothing" {
	execs <<-END
		- source: { command: touch $D/source, creates: $D/source }
		- restart: { command: touch $D/log, refreshonly: true, subscribe: [ exec#source ] }
	END
	cat >"$D/policy.yaml" <<-END
		version: 1
		default: allow
		sandbox: none
		agents: { manifest: {} }
		rules: [ { deny: { program: touch } }, { allow: {} } ]
	END
	chmod 600 "$D/policy.yaml"
	apply 4 --policy "$D/policy.yaml"
	nothing_owed
	apply 0
	expect 'has("log")'
}

@test "who is no longer in the manifest is told once, and others wait for theirs" {
	service
	touch "$D/broken"
	apply 4
	cp "$MANIFEST" "$D/kept"
	# Another manifest with a command of that name does not pay.
	cp "$MANIFEST" "$BATS_TEST_TMPDIR/other.yaml"
	printf 'ccm: {resources: [{exec: [{restart: {command: "true"}}]}]}' >"$BATS_TEST_TMPDIR/other.yaml"
	to_files 0 "$WRIT" apply "$BATS_TEST_TMPDIR/other.yaml"
	[[ $(owed 'len(d)') == 1 ]]
	# The same manifest without the file that changed does.
	rm "$D/broken"
	execs <<<"- restart: { command: touch $D/restarted, refreshonly: true }"
	apply 0
	expect 'has("restarted")'
	nothing_owed

	touch "$D/broken"
	cp "$D/kept" "$MANIFEST"
	apply 4 --fact v=2
	execs <<<'- a: { command: "true" }'
	to_files 0 "$WRIT" apply "$MANIFEST"
	says 'exec#restart was owed a refresh' 'is no longer in the manifest'
	to_files 0 "$WRIT" apply "$MANIFEST"
	! grep -q 'owed' "$ERR" || show
	nothing_owed
}

@test "the same manifest elsewhere pays, and a person can say that it was done" {
	service
	touch "$D/broken"
	apply 4
	rm "$D/broken"
	mv "$MANIFEST" "$D/moved.yaml"
	to_files 0 "$WRIT" apply "$D/moved.yaml"
	expect 'read("log") == "1"'
	nothing_owed
	touch "$D/broken"
	to_files 4 "$WRIT" apply --fact v=2 "$D/moved.yaml"
	to_files 1 "$WRIT" session owed --drop exec#other
	says "no refresh of 'exec#other' is owed" 'try:'
	to_files 0 "$WRIT" session owed --drop exec#restart
	nothing_owed
}

# hold: an apply that goes on until there is a file "go"; its pid in $HOLDER.
hold() {
	mkfifo "$D/go"
	printf 'ccm: {resources: [{exec: [{a: {command: "sh -c \\"echo x >>%s/held; read x <%s/go\\""}}]}]}' "$D" "$D" >"$D/hold.yaml"
	"$WRIT" apply "$D/hold.yaml" >"$D/hold.out" 2>&1 3>&- &
	HOLDER=$!
	wait_for test -s "$D/held"
}

@test "a second apply is told who is at it, and can wait" {
	service
	hold
	to_files 1 "$WRIT" apply "$MANIFEST"
	says "another apply is going on" "'writ apply $D/hold.yaml' (pid $HOLDER, since 20" '--wait 5m'
	to_files 1 "$WRIT" session owed --drop exec#restart
	says "another apply is going on"
	to_files 1 "$WRIT" apply --wait 50ms "$MANIFEST"
	to_files 1 "$WRIT" apply --wait soon "$MANIFEST"
	says '--wait: bad duration'
	apply 0 --noop
	"$WRIT" apply --wait 1m "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local waiting=$!
	wait_for grep -q "waiting for 'writ apply $D/hold.yaml'" "$ERR"
	[[ ! -e $D/conf ]]
	echo >"$D/go"
	wait "$HOLDER"
	wait "$waiting" || show
	[[ $(<"$D/log") == 1 ]]
}

@test "two applies at once run a guarded command once" {
	execs <<<"- once: { command: \"sh -c 'echo x >>$D/log; sleep 0.1; touch $D/there'\", creates: $D/there }"
	local i pids=()
	for i in 1 2 3; do
		"$WRIT" apply --wait 1m "$MANIFEST" >"$OUT.$i" 2>&1 3>&- &
		pids+=($!)
	done
	for i in "${pids[@]}"; do wait "$i"; done
	[[ $(<"$D/log") == x ]]
}

@test "after kill -9 resume goes on at once, and a command may apply another manifest" {
	hold
	kill -KILL "$HOLDER"
	wait "$HOLDER" || true
	rm "$D/go"
	echo >"$D/go"
	to_files 0 "$WRIT" apply --resume "$("$WRIT" session list --ids 2>/dev/null | head -n 1)" "$D/hold.yaml"

	service
	cp "$MANIFEST" "$D/inner.yaml"
	execs <<<"- nested: { argv: [ '$WRIT', apply, '$D/inner.yaml' ], environment: [ 'WRIT_STATE_DIR=$WRIT_STATE_DIR', 'HOME=$D' ] }"
	apply 0
	[[ $(<"$D/log") == 1 ]]
}

@test "a list that was cut, changed or made by another is told, and used as far as it goes" {
	service
	touch "$D/broken"
	apply 4
	local log=$WRIT_STATE_DIR/owed/owed-000001.jsonl
	cp "$log" "$D/kept"
	sed -i '$d' "$log"
	to_files 0 "$WRIT" session owed
	says 'the list of owed refreshes is damaged'
	sed 's/"subject":"file/"subject":"tile/' "$D/kept" >"$log"
	to_files 0 "$WRIT" apply --noop "$MANIFEST"
	says 'the list of owed refreshes is damaged' '1 line left out'
	to_files 0 "$WRIT" apply "$MANIFEST"
	says 'the list of owed refreshes is damaged'
	# Once is enough.
	to_files 0 "$WRIT" apply "$MANIFEST"
	! grep -q damaged "$ERR" || show
	head -c 3000 /dev/urandom >>"$log"
	to_files 0 "$WRIT" apply --quiet "$MANIFEST"
	chmod 777 "$WRIT_STATE_DIR/owed"
	to_files 1 "$WRIT" apply "$MANIFEST"
	says 'owed'
	to_files 0 "$WRIT" apply --noop "$MANIFEST"
	says 'what is owed cannot be read'
	chmod 700 "$WRIT_STATE_DIR/owed"
	rm "$WRIT_STATE_DIR/apply.lock"
	ln -s "$D/elsewhere" "$WRIT_STATE_DIR/apply.lock"
	to_files 1 "$WRIT" apply "$MANIFEST"
	says 'cannot open' 'apply.lock'
	[[ ! -e $D/elsewhere ]]
}

@test "on a full disk nothing is changed that could not be owed" {
	need unshare mount
	unshare -rm true 2>/dev/null || skip "no mounts of one's own here"
	service
	apply 0
	# Room is made until the apply gets through; at each step what runs is
	# what is there, or it is owed.
	unshare -rm bash -ec '
		state=$1/state manifest=$2 writ=$3 folder=$1
		mkdir -p "$state"
		mount -t tmpfs -o size=2m,mode=700 tmpfs "$state"
		export WRIT_STATE_DIR=$state
		"$writ" apply --quiet "$manifest"
		dd if=/dev/zero of="$state/filler" bs=4k status=none 2>/dev/null || true
		for room in $(seq 480 -16 0); do
			echo "$room" >"$folder/room"
			truncate -s "${room}k" "$state/filler"
			if "$writ" apply --quiet --fact v=2 "$manifest" >"$folder/said" 2>&1; then break; fi
		done
		[ "$room" -gt 0 ]
		tail -c 1 "$folder/log" | grep -qx 2
		[ "$("$writ" session owed --json)" = "[]" ]
	' - "$D" "$MANIFEST" "$WRIT"
}
