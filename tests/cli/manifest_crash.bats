#!/usr/bin/env bats
# bats file_tags=anyone
# `kill -9` in the midst of an apply, then --resume, as often as it takes: each
# resource has one event, nothing is left running, and the trail says what was
# cut off.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# many COUNT: so many resources, each of which appends its number to a file.
many() {
	python3 -S - "$1" "$D" >"$MANIFEST" <<-'END'
		import sys
		print("ccm:\n  resources:\n    - exec:\n        - defaults: { provider: shell }")
		for i in range(int(sys.argv[1])):
		    print(f"        - r{i}: {{ command: 'echo {i} >>{sys.argv[2]}/log' }}")
	END
}

# rounds COUNT KILLS: applies and kills, then resumes until it is finished, and
# looks at what there is afterwards. Prints what came of it.
rounds() {
	python3 - "$WRIT" "$MANIFEST" "$D" "$WRIT_STATE_DIR" "$1" "$2" <<-'END'
		import glob, json, os, random, signal, subprocess, sys, time

		writ, manifest, folder, state = sys.argv[1:5]
		count, kills = int(sys.argv[5]), int(sys.argv[6])
		log = folder + "/log"

		def lines():
		    try:
		        return open(log).read().split()
		    except FileNotFoundError:
		        return []

		def start(*options):
		    # Into a file: a pipe that nobody reads would stop it.
		    return subprocess.Popen([writ, "apply", "--json", *options, manifest],
		                            stdout=open(folder + "/out", "wb"), stderr=subprocess.PIPE)

		def session():
		    found = sorted(os.listdir(state + "/sessions"))
		    assert len(found) == 1, found
		    return found[0]

		# The moments are counted in resources, so that each round gets somewhere
		# on a machine of any speed, and then a little of random time.
		shown, killed = [], 0
		moments = sorted(random.sample(range(1, count - 50), kills))
		process = start()
		while True:
		    if killed < kills:
		        end = time.monotonic() + 60
		        while len(lines()) < moments[killed] and process.poll() is None and time.monotonic() < end:
		            time.sleep(0.001)
		        time.sleep(random.random() * 0.004)
		        if process.poll() is None:
		            process.kill()
		            killed += 1
		    err = process.communicate(timeout=120)[1]
		    out = open(folder + "/out", "rb").read()
		    for line in out.decode().splitlines(True):
		        if line.endswith("\n") and "transaction.event" in line:
		            shown.append(json.loads(line))
		    if process.returncode != -signal.SIGKILL:
		        break
		    process = start("--resume", session())
		assert process.returncode == 0, (process.returncode, err.decode(), out.decode()[-500:])
		assert killed == kills, f"only {killed} of {kills} kills"

		kept = []
		for path in sorted(glob.glob(f"{state}/sessions/*/**/*.jsonl", recursive=True)):
		    for line in open(path):
		        record = json.loads(line)
		        if record["kind"] == "event":
		            kept.append(record["event"])
		names = [event["name"] for event in kept]
		assert names == [f"r{i}" for i in range(count)], "events are lost, doubled or out of order"
		assert len({event["event_id"] for event in kept}) == count
		# What was shown is what was kept, and was shown once.
		ids = [event["event_id"] for event in shown]
		assert len(ids) == len(set(ids)), "an event was shown twice"
		assert set(ids) <= {event["event_id"] for event in kept}, "an event was shown and not kept"
		assert all(event["changed"] and not event["failed"] for event in kept)

		# Each command ran, and again only where the cut fell between it and its
		# event: at most once more for each kill.
		ran = lines()
		assert set(ran) == {str(i) for i in range(count)}, "a command did not run"
		assert len(ran) - count <= kills, f"{len(ran) - count} commands more than {kills} kills explain"
		print(json.dumps({"session": session(), "again": len(ran) - count, "killed": killed}))
	END
}

@test "killed again and again, a thousand resources have a thousand events" {
	many 1000
	local report session
	report=$(rounds 1000 5)
	echo "$report"
	session=$(json "$report" 'd["session"]')
	to_files 0 "$WRIT" session report --session "$WRIT_STATE_DIR/sessions/$session" --json
	expect 's["total_resources"] == 1000 and s["changed_resources"] == 1000 and s["failed_resources"] == 0'
	# Nothing of it is running.
	run ! pgrep -f "$D/log"
	# The trail is whole; each run that has a begin and no end is named.
	to_files 0 "$WRIT" audit verify --json
	python3 -S - "$OUT" "$WRIT_STATE_DIR" <<-'END'
		import glob, json, sys
		said = open(sys.argv[1]).read()
		proof = json.loads(said)["proof"]
		assert proof["bad"] == 0, proof
		begun, ended = set(), set()
		for path in glob.glob(sys.argv[2] + "/audit/trail-*.jsonl"):
		    for line in open(path):
		        record = json.loads(line)
		        (begun if record["kind"] == "begin" else ended if record["kind"] == "end" else set()).add(record.get("run"))
		for run in begun - ended:
		    assert run in said, f"{run} is not explained"
		print(f"{len(begun)} begun, {len(begun - ended)} cut off")
	END
	# There is nothing to resume any more.
	status=0
	"$WRIT" apply --resume "$session" "$MANIFEST" >"$OUT" 2>"$ERR" || status=$?
	[[ $(wc -l <"$D/log") == $((1000 + $(json "$report" 'd["again"]'))) ]]
}

# cut_after NUMBER: kills an apply when its log has so many lines.
cut_after() {
	"$WRIT" apply "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	wait_for eval '[[ -e $D/log && $(wc -l <"$D/log") -ge '"$1"' ]]'
	kill -KILL "$pid"
	wait "$pid" || true
	SESSION=$(ls "$WRIT_STATE_DIR/sessions")
}

@test "another manifest, or other options, cannot continue a session" {
	many 300
	cut_after 20
	local before
	before=$(wc -l <"$D/log")
	to_files 1 "$WRIT" apply --resume "$SESSION" --noop "$MANIFEST"
	cp "$MANIFEST" "$MANIFEST.kept"
	sed -i 's/echo 299 /echo 1 /' "$MANIFEST"
	to_files 1 "$WRIT" apply --resume "$SESSION" "$MANIFEST"
	# Who was killed may have had one more on its way.
	(($(wc -l <"$D/log") <= before + 1))
	mv "$MANIFEST.kept" "$MANIFEST"
	to_files 0 "$WRIT" apply --resume "$SESSION" "$MANIFEST"
	[[ $(sort -un "$D/log" | wc -l) == 300 ]]
}

@test "what had failed or changed before the cut is known after it" {
	mkfifo "$D/go"
	execs <<-END
		- bad: { command: "false" }
		- source: { command: "true" }
		- wait: { command: "sh -c 'echo x >>$D/log; read x <$D/go; echo y >>$D/log'" }
		- skipped: { command: touch $D/skipped, require: [ "exec#bad" ] }
		- refreshed: { command: touch $D/refreshed, refreshonly: true, subscribe: [ "exec#source" ] }
	END
	cut_after 1
	# The command went with the one that ran it, or soon will.
	wait_for eval '! pgrep -f "read x <$D/g[o]"'
	rm "$D/go"
	touch "$D/go"
	apply 4 --resume "$SESSION"
	expect 'has("refreshed") and not has("skipped")' 's["total_resources"] == 5' \
		'[x["name"] for x in es] == ["wait", "skipped", "refreshed"]'
}

@test "an interrupted apply records the resource, says how to go on, and goes on" {
	mkfifo "$D/go"
	execs <<-END
		- a: { command: touch $D/a }
		- wait: { command: "sh -c 'echo x >>$D/log; read x <$D/go'" }
		- b: { command: touch $D/b }
	END
	# The shell has what it puts in the background ignore Ctrl-C.
	env --default-signal=INT "$WRIT" apply "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	wait_for test -s "$D/log"
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	[[ $status == 1 ]] || show
	says 'Summary' "$(ls "$WRIT_STATE_DIR/sessions")"
	[[ ! -e $D/b ]]
	run ! pgrep -f "read x <$D/go"
	# What was cut off is done again, and what was done is not.
	rm "$D/go" "$D/a"
	echo >"$D/go"
	apply 0 --resume "$(ls "$WRIT_STATE_DIR/sessions")"
	expect '[x["name"] for x in es] == ["wait", "b"]' 's["total_resources"] == 3 and s["failed_resources"] == 0'
	[[ -e $D/b && ! -e $D/a ]]
	[[ $(<"$D/log") == $'x\nx' ]]
}
