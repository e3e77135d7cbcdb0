#!/usr/bin/env bats
# bats file_tags=anyone
# writ audit export, prune and checkpoint.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state TZ=UTC
	TRAIL=$WRIT_STATE_DIR/audit/trail-000001.jsonl
	cd "$BATS_TEST_TMPDIR" || return
}

# rows FILE: a CSV file as Python reads it, strictly.
rows() {
	python3 -c 'import csv, sys
print(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True)))' "$1"
}

# check_cast FILE: every rule of asciicast version 2.
check_cast() {
	python3 - "$1" <<-'END'
		import json, sys
		def strict(pairs):
		    assert len(pairs) == len(dict(pairs)), "a key twice"
		    return dict(pairs)
		data = open(sys.argv[1], "rb").read()
		assert data.endswith(b"\n")
		lines = data.decode("utf-8").split("\n")[:-1]
		head = json.loads(lines[0], object_pairs_hook=strict)
		assert head["version"] == 2
		for name in "width", "height", "timestamp":
		    assert type(head[name]) is int and head[name] > 0, name
		for name in "command", "title":
		    assert type(head[name]) is str
		assert set(head) <= {"version", "width", "height", "timestamp", "duration", "idle_time_limit", "command", "title", "env", "theme"}
		assert all(type(v) is str for v in head["env"].values())
		last = 0
		for line in lines[1:]:
		    at, kind, text = json.loads(line)
		    assert type(at) is float and at >= last, line
		    assert kind == "o" and type(text) is str and text != ""
		    last = at
	END
}

# bats test_tags=smoke
@test "export is the records, byte for byte" {
	"$WRIT" run -- true one
	"$WRIT" run --agent a -- true two
	run -127 "$WRIT" run -- no-such-program
	"$WRIT" audit export >all
	cmp all "$TRAIL"
	"$WRIT" audit export --json | cmp - "$TRAIL"
	"$WRIT" audit export - >refused
	[[ $(wc -l <refused) == 1 && $(json "$(<refused)" 'd["kind"]') == refused ]]
	"$WRIT" audit export --kind begin >begins
	[[ $(wc -l <begins) == 2 ]]
	grep -v '"kind":"begin"' begins && return 1
	[[ $("$WRIT" audit export --kind begin --limit 1) == "$(head -n 1 begins)" ]]
}

@test "export writes a file that nobody else may read" {
	"$WRIT" run -- true
	run -0 --separate-stderr "$WRIT" audit export -o out.jsonl
	expect_stdout ""
	cmp out.jsonl "$TRAIL"
	[[ $(stat -c %a out.jsonl) == 600 ]]
	run -1 --separate-stderr "$WRIT" audit export -o /dev/full
	expect_stderr "writ: cannot write '/dev/full': No space left on device"
	run -1 --separate-stderr "$WRIT" audit export -o nowhere/out
	expect_in_stderr "writ: cannot write 'nowhere/out': No such file or directory"
}

@test "a file is not touched when there is no such run" {
	"$WRIT" run -- true
	echo mine >out
	run -1 "$WRIT" audit export -o out 0NOSUCHRUN
	run -1 "$WRIT" audit export --asciicast -o out 0NOSUCHRUN
	[[ $(<out) == mine ]]
}

@test "CSV is what a strict reader reads" {
	"$WRIT" run --agent builder -- sh -c 'echo "a,b"
	echo c; exit 3' >/dev/null || true
	run -127 "$WRIT" run -- no-such-program
	"$WRIT" audit export --csv -o runs.csv
	python3 - <<-'END'
		import csv
		data = open("runs.csv", newline="", encoding="utf-8").read()
		assert data.endswith("\r\n")
		rows = list(csv.DictReader(open("runs.csv", newline="", encoding="utf-8"), strict=True))
		assert list(rows[0]) == "run_id state begin end duration_ms outcome exit_code signal agent door uid program command cwd sandbox stdout_bytes stderr_bytes begin_seq end_seq".split(), list(rows[0])
		assert len(rows) == 2
		first, second = rows
		assert first["agent"] == "builder" and first["exit_code"] == "3" and first["stdout_bytes"] == "6"
		assert first["command"] == "sh -c 'echo \"a,b\"\n\techo c; exit 3'", first["command"]
		assert second["state"] == "refused" and second["outcome"] == "not_found" and second["exit_code"] == ""
	END
}

@test "no cell of a CSV is a formula" {
	mkdir -- '=dir'
	cp /bin/true '=dir/=cmd'
	for program in =cmd +cmd -cmd @cmd; do
		ln -sf -- "$PWD/=dir/=cmd" "$program"
		PATH=$PWD:$PATH "$WRIT" run -- "$program" x || true
	done
	"$WRIT" audit export --csv -o runs.csv
	python3 - <<-'END'
		import csv
		rows = list(csv.reader(open("runs.csv", newline="", encoding="utf-8"), strict=True))
		assert len(rows) == 5, rows
		for row in rows:
		    for cell in row:
		        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell
		for name in "=cmd", "+cmd", "-cmd", "@cmd":
		    assert sum(name in " ".join(row) for row in rows[1:]) >= 1, name
	END
}

@test "CSV on a terminal does not drive it" {
	need script
	"$WRIT" run -- true $'\033[2J'
	run -0 on_terminal "'$WRIT' audit export --csv"
	[[ $output != *$'\033'* ]] || show_run
	expect_in_stdout '\x1b[2J'
	"$WRIT" audit export --csv | grep -q $'\033'
}

@test "an asciicast keeps every rule of the format" {
	"$WRIT" run -- sh -c 'printf "\033[1mbold\033[0m\n"; sleep 0.1; echo err >&2; printf "\377\303"; sleep 0.1; printf "\274\n"' >/dev/null 2>&1
	"$WRIT" audit export --asciicast -o demo.cast -
	check_cast demo.cast
	python3 - <<-'END'
		import json
		lines = [json.loads(line) for line in open("demo.cast", encoding="utf-8")]
		assert (lines[0]["width"], lines[0]["height"]) == (80, 24)
		assert lines[0]["env"] == {"TERM": "xterm-256color"}
		text = "".join(event[2] for event in lines[1:])
		assert text == "\033[1mbold\033[0m\r\nerr\r\n\ufffd\u00fc\r\n", repr(text)
		assert lines[-1][0] >= 0.2
	END
	"$WRIT" audit export --asciicast --size 132x50 - | python3 -c '
import json, sys
head = json.loads(sys.stdin.readline())
assert (head["width"], head["height"]) == (132, 50)'
}

@test "asciinema shows an asciicast" {
	need asciinema script
	"$WRIT" run -- sh -c 'printf "\033[31mred\033[0m\n"; echo err >&2' >/dev/null 2>&1
	"$WRIT" audit export --asciicast -o demo.cast -
	export HOME=$BATS_TEST_TMPDIR LC_ALL=C.UTF-8
	run -0 on_terminal "asciinema cat demo.cast"
	expect_in_stdout $'\033[31mred\033[0m'
	expect_in_stdout err
	run -0 on_terminal "asciinema play -s 10 demo.cast"
	expect_in_stdout $'\033[31mred\033[0m'
}

@test "an asciicast of any bytes is still one" {
	head -c 100000 /dev/urandom >noise
	"$WRIT" run -- cat noise >/dev/null
	"$WRIT" audit export --asciicast -o demo.cast -
	check_cast demo.cast
	"$WRIT" run -- true
	"$WRIT" audit export --asciicast -o empty.cast -
	check_cast empty.cast
	[[ $(wc -l <empty.cast) == 1 ]]
}

@test "export in two forms, or of no run, is wrong usage" {
	run -2 --separate-stderr "$WRIT" audit export --csv --asciicast
	expect_in_stderr "writ: audit export: say one of --json, --csv and --asciicast"
	run -2 --separate-stderr "$WRIT" audit export --asciicast
	expect_in_stderr "writ: audit export: --asciicast: say which RUN"
	for size in 80 80x 0x24 80x24x 80x-1 99999x24 'ax b'; do
		run -2 --separate-stderr "$WRIT" audit export --asciicast --size "$size" -
		expect_in_stderr "--size: expected COLUMNSxROWS, like 80x24, got '$size'"
	done
	run -1 --separate-stderr "$WRIT" audit export --agent nobody-of-this-name
	expect_stderr "writ: nothing matches"
}

@test "prune says what would go, then what went" {
	for _ in 1 2 3; do "$WRIT" run -- head -c 8000 /dev/zero >/dev/null; done
	run -0 --separate-stderr "$WRIT" audit prune --dry-run
	[[ $output == "would delete 0 outputs (0B); 3 outputs ("*") would stay" ]] || show_run
	run -0 --separate-stderr "$WRIT" audit prune --dry-run --outputs-size 20KiB
	[[ $output == "would delete "[12]" output"* ]] || show_run
	[[ $(find "$WRIT_STATE_DIR/outputs" -name '*.rec' | wc -l) == 3 ]]
	run -0 --separate-stderr "$WRIT" audit prune --json --outputs-age 1ms
	[[ $(json "$output" 'd["dry_run"], d["outputs"], d["kept_outputs"]') == "(False, 3, 0)" ]] || show_run
	[[ $(find "$WRIT_STATE_DIR/outputs" -name '*.rec' | wc -l) == 0 ]]
	[[ $("$WRIT" audit list --ids | wc -l) == 3 ]]
	run -0 "$WRIT" audit tail --kind prune -n 1 --json
	[[ $(json "$output" 'd["kind"]') == prune ]] || show_run
	run -2 --separate-stderr "$WRIT" audit prune --outputs-age 0
	expect_in_stderr "writ: audit prune: --outputs-age: must be more than 0"
	run -2 --separate-stderr "$WRIT" audit prune --outputs-age old
	expect_in_stderr "writ: audit prune: --outputs-age:"
	run -2 --separate-stderr "$WRIT" audit prune --outputs-size big
	expect_in_stderr "writ: audit prune: --outputs-size:"
}

@test "a checkpoint names the last record and its hash" {
	"$WRIT" run -- true
	local last
	last=$(tail -n 1 "$TRAIL")
	run -0 --separate-stderr "$WRIT" audit checkpoint
	[[ $(json "$output" 'd["kind"], d["seq"]') == "('checkpoint', $(($(json "$last" 'd["seq"]') + 1)))" ]] || show_run
	[[ $output == *"$(json "$last" 'd["hash"]')"* ]] || show_run
	[[ $output == "$(tail -n 1 "$TRAIL")" ]] || show_run
	run -0 --separate-stderr "$WRIT" audit checkpoint -o kept.json
	expect_stdout ""
	[[ $(<kept.json) == "$(tail -n 1 "$TRAIL")" && $(stat -c %a kept.json) == 600 ]]
}

@test "a checkpoint can be signed" {
	need openssl
	"$WRIT" run -- true
	openssl genpkey -algorithm ed25519 -out sign.pem 2>/dev/null
	run -0 --separate-stderr "$WRIT" audit checkpoint --sign sign.pem
	[[ $(json "$output" 'd["signature"] is not None') == True ]] || show_run
	run -1 --separate-stderr "$WRIT" audit checkpoint --sign nothing.pem
	expect_in_stderr "nothing.pem"
	echo nonsense >bad.pem
	run -1 --separate-stderr "$WRIT" audit checkpoint --sign bad.pem
	expect_in_stderr "bad.pem"
	run -1 --separate-stderr "$WRIT" audit checkpoint --json --sign bad.pem
	[[ $(json "$output" 'd["error"]["message"]') == *bad.pem* ]] || show_run
}
