#!/usr/bin/env bats
# bats file_tags=anyone
# What a command writes: all of it, exactly, live and kept.
load helpers
load running

setup() {
	OUT=$BATS_TEST_TMPDIR/out
	ERR=$BATS_TEST_TMPDIR/err
}

# json_file EXPRESSION: over the result in $OUT, which may be too long for argv.
json_file() {
	python3 -c 'import base64, hashlib, json, os, sys
d = json.load(open(sys.argv[1]))
def sha(text): return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()
def b64(text): return base64.b64decode(text)
print(eval(sys.argv[2]))' "$OUT" "$1"
}

sum_of() { sha256sum "$@" | cut -d' ' -f1; }

# letters COUNT: so many bytes of text, no two parts of it alike.
letters() { seq 1 30000000 | head -c "$1"; }

# ---- live

# bats test_tags=smoke
@test "60 kB, 200 kB and 3 MB pass live, byte for byte" {
	for size in 60000 200000 3000000; do
		"$WRIT" run --shell "seq 1 30000000 | head -c $size" >"$OUT" 2>"$ERR"
		[[ ! -s $ERR ]]
		[[ $(stat -c %s "$OUT") == "$size" && $(sum_of "$OUT") == "$(letters "$size" | sum_of)" ]]
	done
}

@test "100 MB pass live, byte for byte" {
	[[ $("$WRIT" run -- head -c 100000000 /dev/zero | sum_of) == "$(head -c 100000000 /dev/zero | sum_of)" ]]
}

@test "every byte value passes live, on both streams" {
	printf '%b' "$(printf '\\x%02x' {0..255})" >"$BATS_TEST_TMPDIR/bytes"
	"$WRIT" run -- sh -c 'cat "$1"; cat "$1" >&2' sh "$BATS_TEST_TMPDIR/bytes" >"$OUT" 2>"$ERR"
	cmp "$OUT" "$BATS_TEST_TMPDIR/bytes"
	cmp "$ERR" "$BATS_TEST_TMPDIR/bytes"
}

@test "a megabyte of noise passes live" {
	head -c 1048576 /dev/urandom >"$BATS_TEST_TMPDIR/noise"
	"$WRIT" run -- cat "$BATS_TEST_TMPDIR/noise" | cmp - "$BATS_TEST_TMPDIR/noise"
}

@test "both streams are drained together: neither waits for the other" {
	"$WRIT" run --timeout 20s -- sh -c 'head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero; head -c 500000 /dev/zero >&2' \
		>"$OUT" 2>"$ERR"
	[[ $(stat -c %s "$OUT") == 1000000 && $(stat -c %s "$ERR") == 1500000 ]]
}

@test "output appears while the command runs" {
	under_warden "$WARDEN_MS" "$WRIT" run -- sh -c 'echo first; sleep 30' </dev/null >"$OUT"
	wait_for grep -q first "$OUT"
	kill -TERM "$(writ_pid)"
	take_report
	[[ $status == 143 ]] || show_report
}

@test "a limit on what is kept does not cut what is live" {
	"$WRIT" run --output-limit 1KiB --spill-limit 0 -- head -c 300000 /dev/zero >"$OUT"
	[[ $(stat -c %s "$OUT") == 300000 ]]
}

# ---- kept

@test "60 kB and 200 kB are kept whole" {
	for size in 60000 200000; do
		"$WRIT" run --json --shell "seq 1 30000000 | head -c $size" >"$OUT"
		[[ $(json_file 'd["stdout_bytes"], d["stdout_truncated"], d["stdout_spill"], sha(d["stdout"])') == \
			"($size, False, None, '$(letters "$size" | sum_of)')" ]]
	done
}

@test "100 MB: head and tail, the number in between, and all of it in the spill file" {
	"$WRIT" run --json --spill-dir "$BATS_TEST_TMPDIR/spill" --shell 'seq 1 30000000 | head -c 100000000' >"$OUT"
	[[ $(json_file 'd["stdout_bytes"], d["stdout_truncated"], d["exit_code"]') == "(100000000, True, 0)" ]]
	(($(stat -c %s "$OUT") < 2 << 20))
	local spill
	spill=$(json_file 'd["stdout_spill"]')
	[[ $spill == "$BATS_TEST_TMPDIR/spill/"* && $(stat -c '%s %a' "$spill") == "100000000 600" ]]
	[[ $(sum_of "$spill") == "$(letters 100000000 | sum_of)" ]]
	rm "$spill"
}

@test "100 MB: writ's memory stays small" {
	need python3
	run -0 python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
		"$WRIT" run --json --spill-limit 0 -- head -c 100000000 /dev/zero
	# Sanitizers multiply it.
	((output < 16 << 10)) || grep -qa __asan_init "$WRIT" || grep -qa __tsan_init "$WRIT"
}

@test "head, tail and the omitted number are exact to the byte" {
	letters 100000 >"$BATS_TEST_TMPDIR/text"
	for limit in 4 1000 4096 65536 99999; do
		"$WRIT" run --json --output-limit "${limit}B" --spill-limit 0 -- cat "$BATS_TEST_TMPDIR/text" >"$OUT"
		run -0 python3 - "$OUT" "$BATS_TEST_TMPDIR/text" "$limit" <<-'END'
			import json, re, sys
			d, text, limit = json.load(open(sys.argv[1])), open(sys.argv[2]).read(), int(sys.argv[3])
			head, omitted, tail = re.fullmatch(r'(.*)\n\[\.\.\. (\d+) bytes omitted \.\.\.\]\n(.*)', d["stdout"], re.S).groups()
			assert len(head) + len(tail) == limit, (len(head), len(tail))
			assert int(omitted) == 100000 - limit, omitted
			assert text.startswith(head) and text.endswith(tail)
			assert d["stdout_bytes"] == 100000 and d["stdout_truncated"] and d["stdout_spill"] is None
		END
	done
}

@test "output of exactly the limit is whole, one byte more is cut" {
	"$WRIT" run --json --output-limit 1000B --spill-limit 0 -- head -c 1000 /dev/zero >"$OUT"
	[[ $(json_file 'd["stdout_truncated"], len(d["stdout"])') == "(False, 1000)" ]]
	"$WRIT" run --json --output-limit 1000B --spill-limit 0 -- head -c 1001 /dev/zero >"$OUT"
	[[ $(json_file 'd["stdout_truncated"], "[... 1 bytes omitted ...]" in d["stdout"]') == "(True, True)" ]]
}

@test "a cut does not tear characters" {
	python3 -c 'print("äöü€𝄞" * 2000, end="")' >"$BATS_TEST_TMPDIR/text"
	for limit in 101 102 103 104 105 106 107; do
		"$WRIT" run --json --output-limit "${limit}B" --spill-limit 0 -- cat "$BATS_TEST_TMPDIR/text" >"$OUT"
		[[ $(json_file 'isinstance(d["stdout"], str) and "�" not in d["stdout"]') == True ]]
		[[ $(json_file '(lambda p: len(p[0].encode()) + int(p[1].split()[0]) + len(p[2].encode()))(
			(lambda s: (s[0], s[1].split(" ...]\n")[0], s[1].split(" ...]\n")[1]))(d["stdout"].split("\n[... ")))') == 26000 ]]
	done
}

@test "bytes that are no text are kept exactly" {
	head -c 100000 /dev/urandom >"$BATS_TEST_TMPDIR/noise"
	"$WRIT" run --json -- sh -c 'cat "$1"; cat "$1" >&2' sh "$BATS_TEST_TMPDIR/noise" >"$OUT"
	[[ $(json_file 'sha(b64(d["stdout"]["b64"])), sha(b64(d["stderr"]["b64"]))') == \
		"('$(sum_of "$BATS_TEST_TMPDIR/noise")', '$(sum_of "$BATS_TEST_TMPDIR/noise")')" ]]
}

@test "bytes that are no text are cut exactly" {
	head -c 100000 /dev/urandom >"$BATS_TEST_TMPDIR/noise"
	"$WRIT" run --json --output-limit 1000B --spill-limit 0 -- cat "$BATS_TEST_TMPDIR/noise" >"$OUT"
	run -0 python3 - "$OUT" "$BATS_TEST_TMPDIR/noise" <<-'END'
		import base64, json, sys
		d, noise = json.load(open(sys.argv[1]))["stdout"], open(sys.argv[2], "rb").read()
		head, tail = base64.b64decode(d["b64"]), base64.b64decode(d["tail_b64"])
		assert noise.startswith(head) and noise.endswith(tail)
		assert len(head) + len(tail) == 1000 and d["omitted"] == 99000
	END
}

@test "NUL, control characters and quotes survive JSON" {
	"$WRIT" run --json -- printf 'a\0b\1\33"\\\r\n\t\177' >"$OUT"
	[[ $(json_file 'd["stdout"] == "a\0b\1\x1b\"\\\r\n\t\x7f"') == True ]]
}

@test "both streams are kept apart" {
	run -3 --separate-stderr "$WRIT" run --json -- sh -c 'echo out; echo err >&2; exit 3'
	[[ $(json "$output" 'd["stdout"], d["stderr"], d["stdout_bytes"], d["stderr_bytes"]') == "('out\\n', 'err\\n', 4, 4)" ]]
}

# ---- endless

@test "endless output: a timeout ends it and what came before is there" {
	run -124 --separate-stderr "$WRIT" run --json --timeout 300ms --output-limit 1000B --spill-limit 0 -- yes
	[[ $(json "$output" 'd["outcome"], d["stdout_truncated"], d["stdout"][:4], d["stdout"][-2:]') == \
		"('timed_out', True, 'y\\ny\\n', 'y\\n')" ]]
}

@test "endless output: --max-output ends it" {
	run -143 --separate-stderr "$WRIT" run --json --max-output 1MiB --output-limit 1KiB --spill-limit 0 -- yes
	[[ $(json "$output" 'd["outcome"], d["limit"], 1 << 20 < d["stdout_bytes"] < 256 << 20, d["exit_code"], d["signal"]') == \
		"('limited', 'output', True, -1, 'SIGTERM')" ]]
}

@test "endless output: --max-output counts both streams and says so live" {
	set +o pipefail
	"$WRIT" run --max-output 100KiB -- sh -c 'yes >&2 & yes' >"$OUT" 2>"$ERR" || status=$?
	[[ $status == 143 ]]
	(($(stat -c %s "$OUT") + $(stat -c %s "$ERR") > 100 << 10))
	tail -n 1 "$ERR" | grep -q '^writ: ended: output limit 100KiB reached'
}

@test "--max-output that is not exceeded changes nothing" {
	run -0 --separate-stderr "$WRIT" run --json --max-output 1000B -- head -c 1000 /dev/zero
	[[ $(json "$output" 'd["outcome"], d["stdout_bytes"]') == "('exited', 1000)" ]]
}

@test "partial output, with and without a newline, is kept on a timeout" {
	run -124 --separate-stderr "$WRIT" run --json --timeout 300ms -- sh -c 'echo one; printf two; printf three >&2; sleep 30'
	[[ $(json "$output" 'd["stdout"], d["stderr"]') == "('one\\ntwo', 'three')" ]]
}

# ---- readers

@test "a reader that goes away ends the command at once" {
	local began
	began=$(now_ms)
	under_warden "$WARDEN_MS" sh -c '"$1" run --grace 30s -- yes | head -n 1' sh "$WRIT" </dev/null >"$OUT"
	take_report
	[[ $status == 0 && $(<"$OUT") == y ]] || show_report
	[[ $left == 0 ]] || show_report
	within 1000 $(($(now_ms) - began)) "the end"
}

@test "a reader that goes away is told by status 141" {
	run -0 bash -c '"$1" run -- yes 2>"$2" | head -n 1; echo "${PIPESTATUS[0]}"' bash "$WRIT" "$ERR"
	[[ ${lines[0]} == y && ${lines[1]} == 141 ]] || show_run
	[[ ! -s $ERR ]]
}

@test "a slow reader gets every byte" {
	[[ $("$WRIT" run -- head -c 1000000 /dev/zero | { sleep 0.5; sum_of; }) == "$(head -c 1000000 /dev/zero | sum_of)" ]]
}

@test "a reader that does not read does not stop the timeout" {
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 8<>"$BATS_TEST_TMPDIR/pipe"
	local began
	began=$(now_ms)
	under_warden "$WARDEN_MS" "$WRIT" run --timeout 300ms --grace 100ms -- \
		sh -c 'yes & echo $! >"$1"; wait' sh "$BATS_TEST_TMPDIR/child" </dev/null >&8 2>/dev/null
	wait_for test -e "$REPORT.pid"
	# The tree goes although writ still has output to get rid of.
	wait_for no_children "$(writ_pid)"
	within 1500 $(($(now_ms) - began)) "the end of the tree"
	kill -TERM "$(writ_pid)" 2>/dev/null || true
	take_report
	exec 8>&-
	[[ $status == 124 || $status == 143 ]] || show_report
	expect_nothing_left
}

no_children() { [[ -z $(cat "/proc/$1/task/$1/children" 2>/dev/null) ]]; }

@test "a reader that does not read does not stop SIGTERM" {
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	exec 8<>"$BATS_TEST_TMPDIR/pipe"
	local began
	under_warden "$WARDEN_MS" "$WRIT" run --grace 100ms -- yes </dev/null >&8 2>/dev/null
	sleep 0.3
	began=$(now_ms)
	kill -TERM "$(writ_pid)"
	take_report
	exec 8>&-
	[[ $status == 143 ]] || show_report
	expect_nothing_left
	within 2500 $(($(now_ms) - began)) "the end"
}

@test "output that cannot be written is an error, not silence" {
	[[ -e /dev/full ]] || skip "there is no /dev/full"
	run -125 bash -c '"$1" run -- echo x >/dev/full' bash "$WRIT"
	expect_in_stdout "writ: cannot write to standard output: No space left on device"
	run -125 bash -c '"$1" run --json -- echo x >/dev/full' bash "$WRIT"
	expect_in_stdout "writ: cannot write to standard output: No space left on device"
}

@test "a closed standard output does not become the command's file" {
	"$WRIT" run -- sh -c 'echo file >"$1"; exec 9>>"$1"; echo out; echo err >&2; sleep 0.2' sh "$OUT" >&- 2>&- || true
	[[ $(<"$OUT") == file ]]
}

# ---- spill files

@test "without --json nothing is spilled unless asked for" {
	"$WRIT" run --spill-dir "$BATS_TEST_TMPDIR/spill" -- head -c 3000000 /dev/zero >/dev/null
	[[ ! -e $BATS_TEST_TMPDIR/spill ]]
}

@test "asked for live, the spill file is kept and named" {
	"$WRIT" run --output-limit 1KiB --spill-limit 10MiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- \
		sh -c 'seq 1 100000; seq 1 50000 >&2' >"$OUT" 2>"$ERR"
	local note spill
	note=$(grep -a '^writ: stdout: all 588895 bytes in ' "$ERR")
	spill=${note#*\'}
	cmp "${spill%\'*}" "$OUT"
	grep -qa '^writ: stderr: all 288894 bytes in ' "$ERR"
}

@test "the spill limit cuts the file, says so, and the run goes on" {
	run -0 --separate-stderr "$WRIT" run --json --output-limit 1KiB --spill-limit 100KiB \
		--spill-dir "$BATS_TEST_TMPDIR/spill" -- sh -c 'seq 1 100000; exit 0'
	local spill
	spill=$(json "$output" 'd["stdout_spill"]')
	[[ $(json "$output" 'd["outcome"], d["stdout_bytes"], d["stdout_spill_error"]') == \
		"('exited', 588895, 'spill limit reached')" ]]
	cmp "$spill" <(seq 1 100000 | head -c 102400)
}

@test "the spill file is whole wherever the limit falls between two writes" {
	letters 80000 >"$BATS_TEST_TMPDIR/text"
	for first in 16384 65535 65536 65537; do
		"$WRIT" run --json --output-limit 64KiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- sh -c \
			'head -c "$1" "$2"; sleep 0.05; tail -c +$(($1 + 1)) "$2"' sh "$first" "$BATS_TEST_TMPDIR/text" >"$OUT"
		cmp "$(json_file 'd["stdout_spill"]')" "$BATS_TEST_TMPDIR/text"
	done
}

@test "output that fits leaves no spill file" {
	run -0 --separate-stderr "$WRIT" run --json --output-limit 1KiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- echo x
	[[ $(json "$output" 'd["stdout_spill"]') == None ]]
	[[ -z $(ls "$BATS_TEST_TMPDIR/spill" 2>/dev/null) ]]
}

@test "a full disk stops the spill file, not the run, and the result says so" {
	is_root || skip "only root can mount a small disk"
	local disk=$BATS_TEST_TMPDIR/disk
	mkdir "$disk"
	run -0 --separate-stderr unshare -m sh -c 'mount -t tmpfs -o size=256k none "$1" &&
		"$2" run --json --output-limit 1KiB --spill-dir "$1/spill" -- sh -c "seq 1 100000; echo end >&2" &&
		stat -c %s "$1"/spill/*.stdout >&2' sh "$disk" "$WRIT"
	[[ $(json "$output" 'd["outcome"], d["exit_code"], d["stdout_bytes"], d["stderr"], d["stdout_spill_error"]') == \
		"('exited', 0, 588895, 'end\\n', 'No space left on device')" ]]
	((stderr > 0 && stderr <= 256 << 10))
}

@test "a file size limit of writ's own stops the spill file, not the run" {
	run -0 --separate-stderr bash -c 'ulimit -f 100 && exec "$1" run --json --output-limit 1KiB --spill-dir "$2" -- \
		sh -c "seq 1 100000; echo end >&2"' bash "$WRIT" "$BATS_TEST_TMPDIR/spill"
	[[ $(json "$output" 'd["outcome"], d["exit_code"], d["stdout_bytes"], d["stderr"], "stdout_spill_error" in d') == \
		"('exited', 0, 588895, 'end\\n', True)" ]]
}

@test "a spill directory that cannot be made stops the spilling, not the run" {
	touch "$BATS_TEST_TMPDIR/file"
	run -0 --separate-stderr "$WRIT" run --json --output-limit 1KiB --spill-dir "$BATS_TEST_TMPDIR/file/spill" -- \
		sh -c 'seq 1 100000; echo end >&2'
	[[ $(json "$output" 'd["outcome"], d["stdout_bytes"], d["stdout_spill"], d["stdout_spill_error"], d["stderr"]') == \
		"('exited', 588895, None, 'Not a directory', 'end\\n')" ]]
	# Live, the same is a note.
	"$WRIT" run --output-limit 1KiB --spill-limit 1MiB --spill-dir "$BATS_TEST_TMPDIR/file/spill" -- seq 1 100000 >"$OUT" 2>"$ERR"
	cmp "$OUT" <(seq 1 100000)
	grep -q '^writ: stdout: .*Not a directory' "$ERR"
}

@test "a spill file is not written through a link that was laid there" {
	mkdir "$BATS_TEST_TMPDIR/spill"
	run -0 --separate-stderr "$WRIT" run --json --output-limit 1KiB --spill-dir "$BATS_TEST_TMPDIR/spill" -- seq 1 10000
	[[ $(stat -c '%a %F' "$(json "$output" 'd["stdout_spill"]')") == "600 regular file" ]]
}

@test "a command that is held back by a slow reader is not idle" {
	run -0 bash -c '"$1" run -q --idle-timeout 300ms -- yes | (sleep 1; head -c 5000000 | wc -c)' bash "$WRIT"
	[[ $output == 5000000 ]] || show_run
}
