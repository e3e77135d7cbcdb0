#!/usr/bin/env bats
# Writers of one trail are killed in the midst of it. What was acknowledged is
# there afterwards, and what is not whole is explained. The trail is read here
# by a reader of its own, which shares nothing with writ but the format.
# bench/trail200 does the same with more kills, and with bare writers.

load helpers

# oracle KILLS REFUSALS: eight loops of `writ run`, until so many were killed and
# so many refused; prints what came of it, and fails if something acknowledged
# is missing or the chain does not hold.
oracle() {
	python3 - "$WRIT" "$WRIT_STATE_DIR" "$1" "$2" <<-'END'
		import glob, hashlib, json, random, signal, subprocess, sys, threading, time

		writ, state = sys.argv[1:3]
		kills, refusals = int(sys.argv[3]), int(sys.argv[4])
		lock, fates, current = threading.Lock(), {}, [None] * 8
		is_over = False

		def loop(slot):
		    number = 0
		    while not is_over:
		        word = f"word-{slot}-{number}"
		        number += 1
		        process = subprocess.Popen([writ, "run", "--", "echo", word],
		                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        current[slot] = process
		        out, err = process.communicate()
		        with lock:
		            fates[word] = (word in out.decode(), process.returncode, err.decode())

		threads = [threading.Thread(target=loop, args=(i,)) for i in range(8)]
		for thread in threads:
		    thread.start()
		end = time.monotonic() + 120
		while time.monotonic() < end:
		    with lock:
		        codes = [code for _, code, _ in fates.values()]
		    enough = codes.count(-signal.SIGKILL) >= kills
		    if enough and sum(code > 0 for code in codes) >= refusals:
		        break
		    time.sleep(random.random() * 0.03)
		    victim = random.choice(current)
		    if victim is not None and not enough:
		        victim.kill()
		is_over = True
		for thread in threads:
		    thread.join()

		words, ends, refused, kinds = {}, set(), 0, {}
		seq, prev = 0, "0" * 64
		for path in sorted(glob.glob(state + "/audit/trail-*.jsonl")):
		    for line in open(path, "rb"):
		        record = json.loads(line)
		        digest = hashlib.sha256(line[: line.rindex(b',"hash":')]).hexdigest()
		        seq += 1
		        assert record["seq"] == seq, (path, record["seq"], seq)
		        assert record["prev"] == prev, (path, seq)
		        assert record["hash"] == digest, (path, seq)
		        prev = digest
		        kinds[record["kind"]] = kinds.get(record["kind"], 0) + 1
		        if record["kind"] == "begin":
		            words[record["argv"][1]] = record["run"]
		        if record["kind"] == "end":
		            ends.add(record["run"])
		for word, (seen, code, err) in fates.items():
		    if seen or code == 0:
		        assert word in words, f"{word} ran and has no begin"
		    if code == 0:
		        assert words[word] in ends, f"{word} was acknowledged and has no end"
		    if code not in (0, -signal.SIGKILL):
		        refused += 1
		        assert "No space left" in err or "full" in err, err
		killed = sum(code == -signal.SIGKILL for _, code, _ in fates.values())
		cut = sorted(run for run in words.values() if run not in ends)
		assert killed >= kills, f"only {killed} of {kills} were killed in time"
		print(json.dumps({"runs": len(fates), "killed": killed, "refused": refused,
		                  "cut": cut, "kinds": kinds, "records": seq}))
	END
}

# Every run without an end is named by verify, and nothing is bad.
expect_explained() { # REPORT
	local run
	run -0 --separate-stderr "$WRIT" audit verify --json
	json "$output" 'd["proof"]["bad"]' | grep -qx 0 || show_run
	for run in $(json "$1" '" ".join(d["cut"])'); do
		expect_in_stdout "$run"
	done
}

@test "writers killed at random moments lose nothing that was acknowledged" {
	report=$(oracle 24 0)
	echo "$report"
	expect_explained "$report"
}

@test "on a full file system runs are refused, and the trail stays whole" {
	need unshare mount
	unshare -rm true 2>/dev/null || skip "no mounts of one's own here"
	export -f oracle
	# The runs need room for some records only: the rest is taken.
	report=$(unshare -rm bash -ec '
		mkdir -p "$WRIT_STATE_DIR"
		mount -t tmpfs -o size=1m,mode=700 tmpfs "$WRIT_STATE_DIR"
		dd if=/dev/zero of="$WRIT_STATE_DIR/filler" bs=4k count=150 status=none
		oracle 16 1
		"$WRIT" audit verify >&2')
	echo "$report"
	[[ $(json "$report" 'd["refused"]') -gt 0 ]]
}
