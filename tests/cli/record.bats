#!/usr/bin/env bats
# Every run leaves a record: what is written, when, and what is not.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC1003,SC2016,SC2030,SC2031,SC2154,SC2317
load helpers
load trail

teardown() {
	[[ -z ${waiting-} ]] || kill "$waiting" 2>/dev/null || true
	wait
	drop_disk
}

# bats test_tags=smoke
@test "a run leaves a begin and an end" {
	run -0 --separate-stderr "$WRIT" run --trace-id t1 --agent ci --timeout 30s -- echo hello
	expect_stdout hello
	expect_stderr ""
	[[ $(trail '[x["kind"] for x in r]') == "['segment', 'begin', 'end']" ]]
	[[ $(trail 'r[1]["run"] == r[2]["run"] and len(r[1]["run"])') == 26 ]]
	[[ $(trail '(r[1]["trace"], r[1]["argv"], r[1]["shell"], r[1]["cwd"])') == "('t1', ['echo', 'hello'], None, '$PWD')" ]]
	[[ $(trail 'r[1]["program"].endswith("/bin/echo")') == True ]]
	[[ $(trail '(r[1]["who"]["uid"], r[1]["who"]["door"], r[1]["who"]["agent"])') == "($(id -u), 'cli', 'ci')" ]]
	[[ $(trail 'r[1]["who"]["pidns"]') == "$(stat -Lc %i /proc/self/ns/pid)" ]]
	[[ $(trail '(r[1]["as"]["uid"], r[1]["as"]["gid"])') == "($(id -u), $(id -g))" ]]
	[[ $(trail '(r[1]["limits"]["timeout_ms"], r[1]["policy"]["decision"], r[1]["redacted"])') == "(30000, 'allow', False)" ]]
	[[ $(trail '(r[1]["sandbox"]["profile"], r[1]["sandbox"]["layers"])') == "('none', [])" ]]
	[[ $(trail 'len(r[1]["request"])') == 64 ]]
	[[ $(trail '(r[2]["outcome"], r[2]["exit_code"], r[2]["signal"], r[2]["limit"])') == "('exited', 0, None, None)" ]]
	[[ $(trail 'r[2]["stdout"]["sha256"]') == "$(echo hello | sha256sum | cut -d' ' -f1)" ]]
	[[ $(trail 'r[2]["kept"]["bytes"], r[2]["kept"]["whole"]') == "(6, True)" ]]
	[[ -s $WRIT_STATE_DIR/outputs/$(trail 'r[2]["kept"]["file"]') ]]
}

@test "the result names its records" {
	run -0 --separate-stderr "$WRIT" run --json -- echo hello
	[[ $(json "$output" 'd["audit"]') == "{'begin': 2, 'end': 3}" ]]
	[[ $(trail 'r[1]["run"]') == "$(json "$output" 'd["run_id"]')" ]]
	[[ $(json "$output" 'd["recording"]') == "$WRIT_STATE_DIR/outputs/$(json "$output" 'd["run_id"]').rec" ]]
	[[ $(json "$output" 'd["recording_bytes"], d["stdout_sha256"]') == "(6, '$(echo hello | sha256sum | cut -d' ' -f1)')" ]]
}

@test "the begin is there before the command, the end is not" {
	run -0 --separate-stderr "$WRIT" run -- cat "$WRIT_STATE_DIR/audit/trail-000001.jsonl"
	[[ $(grep -c '"kind":"begin"' <<<"$output") == 1 ]]
	[[ $(grep -c '"kind":"end"' <<<"$output") == 0 ]]
	[[ $(json "$(tail -1 <<<"$output")" 'd["argv"][0]') == cat ]]
}

@test "how a run ended is in its end" {
	run -7 "$WRIT" run -- sh -c 'echo out; echo err >&2; exit 7'
	[[ $(trail 'of("end")[-1]["exit_code"]') == 7 ]]
	[[ $(trail 'of("end")[-1]["stderr"]["bytes"]') == 4 ]]
	run -124 "$WRIT" run --timeout 50ms --grace 100ms -- sleep 60
	[[ $(trail '(of("end")[-1]["outcome"], of("end")[-1]["signal"])') == "('timed_out', 'SIGTERM')" ]]
	run -143 "$WRIT" run -- sh -c 'kill -TERM $$'
	[[ $(trail '(of("end")[-1]["outcome"], of("end")[-1]["exit_code"])') == "('signaled', -1)" ]]
	run "$WRIT" run --max-output 1KiB -- head -c 100000 /dev/zero
	[[ $(trail '(of("end")[-1]["outcome"], of("end")[-1]["limit"])') == "('limited', 'output')" ]]
	[[ $(trail 'len(of("begin")) == len(of("end"))') == True ]]
}

@test "the walls are in the record" {
	cd "$BATS_TEST_TMPDIR"
	run --separate-stderr "$WRIT" run --sandbox workspace -- true
	[[ $status == 0 ]] || cannot "no sandbox here: $stderr"
	[[ $(trail 'of("begin")[0]["sandbox"]["profile"], of("begin")[0]["sandbox"]["network"]') == "('workspace', 'loopback')" ]]
	[[ $(trail '"seccomp" in of("begin")[0]["sandbox"]["layers"]') == True ]]
	[[ $(trail 'of("begin")[0]["sandbox"]["layers"] == of("end")[0]["layers"]') == True ]]
}

# refused STATUS CODE STAGE ARG...: the request is refused and recorded once.
refused() {
	local status=$1 code=$2 stage=$3
	shift 3
	run -"$status" --separate-stderr "$WRIT" run "$@"
	[[ $(trail 'r[-1]["kind"]') == refused ]] || { trail 'r[-1]' >&2; return 1; }
	[[ $(trail '(r[-1]["error"]["code"], r[-1]["error"]["stage"])') == "('$code', '$stage')" ]] || { trail 'r[-1]["error"]' >&2; return 1; }
	[[ $(trail 'len(r[-1]["run"]), len(r[-1]["request"])') == "(26, 64)" ]]
	expect_in_stderr "$(trail 'r[-1]["error"]["message"]')"
}

@test "a request that fails before it runs has a record saying so" {
	refused 127 not_found program --agent a1 -- no-such-program x
	[[ $(trail '(r[-1]["argv"], r[-1]["who"]["agent"])') == "(['no-such-program', 'x'], 'a1')" ]]
	refused 125 invalid cwd --cwd /no/such/dir -- true
	[[ $(trail 'r[-1]["cwd"]') == /no/such/dir ]]
	refused 126 not_executable program -- /etc/passwd
	refused 125 invalid request --read /tmp -- true
	refused 125 invalid profile --sandbox no-such-profile -- true
	[[ $(trail 'len(of("begin"))') == 0 ]]
	[[ $(trail 'len(of("refused"))') == 5 ]]
}

@test "argv is exact, whatever bytes it has" {
	run -0 --separate-stderr "$WRIT" run -- printf '%s' $'two\nlines' '' '"q\' $'\xff\x80' 'ä' '$HOME *'
	[[ $(trail 'of("begin")[0]["argv"]') == "['printf', '%s', 'two\\nlines', '', '\"q\\\\', {'b64': '/4A='}, 'ä', '\$HOME *']" ]]
	run -0 --separate-stderr "$WRIT" run --shell $'echo "a\n" | cat'
	[[ $(trail '(of("begin")[1]["argv"], of("begin")[1]["shell"])') == "([], 'echo \"a\\n\" | cat')" ]]
	[[ $(wc -l <"$WRIT_STATE_DIR/audit/trail-000001.jsonl") == 5 ]]
}

@test "of variables only the names are recorded" {
	PASSED=passed-value run -0 --separate-stderr "$WRIT" run -e GIVEN=given-value --pass PASSED -- sh -c 'echo $GIVEN $PASSED'
	expect_stdout "given-value passed-value"
	[[ $(trail '[x for x in of("begin")[0]["env"] if x in ("GIVEN", "PASSED", "PATH")]') == *GIVEN* ]]
	[[ $(trail '"PASSED" in of("begin")[0]["env"]') == True ]]
	keeps_out given-value
	keeps_out passed-value
}

@test "a secret is nowhere in the trail, and the rest of its word is" {
	run -0 --separate-stderr "$WRIT" run --secret text:hunter2 -- echo --password=hunter2
	expect_stdout --password=hunter2
	keeps_out hunter2
	[[ $(trail '(of("begin")[0]["argv"], of("begin")[0]["redacted"])') == "(['echo', '--password=[secret]'], True)" ]]
}

@test "secrets with quotes, newlines and odd bytes stay out too" {
	printf 'a"b\\c\n\xff\n' >"$BATS_TEST_TMPDIR/secret"
	run -0 --separate-stderr "$WRIT" run --secret "file:$BATS_TEST_TMPDIR/secret" -- printf '%s' $'x a"b\\c\n\xff y'
	[[ $(trail 'of("begin")[0]["argv"][2]') == "x [secret] y" ]]
	keeps_out 'b\\c'
	keeps_out "$(printf 'a"b\\c\n\xff' | base64)"
}

@test "secrets of variables are found in argv, also those that are not passed on" {
	MY_API_TOKEN=tok-12345678 run -0 --separate-stderr "$WRIT" run -e DB_PASSWORD=swordfish9 -- echo tok-12345678 --db=swordfish9
	expect_stdout "tok-12345678 --db=swordfish9"
	keeps_out tok-12345678
	keeps_out swordfish9
	[[ $(trail 'of("begin")[0]["argv"]') == "['echo', '[secret]', '--db=[secret]']" ]]
	MY_SECRET=from-a-variable run -0 --separate-stderr "$WRIT" run --secret env:MY_SECRET --cwd /tmp --shell 'echo from-a-variable'
	keeps_out from-a-variable
}

@test "a refused request shows no secret either" {
	run -127 --separate-stderr "$WRIT" run --secret text:/opt/hunter2 -- /opt/hunter2/prog
	keeps_out hunter2
	[[ $(trail '(r[-1]["argv"], r[-1]["redacted"])') == "(['[secret]/prog'], True)" ]]
	[[ $(trail '"[secret]" in r[-1]["error"]["message"]') == True ]]
	run -125 --separate-stderr "$WRIT" run --secret text:hunter2 --cwd /no/hunter2 -- true
	keeps_out hunter2
}

@test "a secret that cannot be had is told without being shown" {
	run -125 --separate-stderr "$WRIT" run --secret hunter2 -- true
	expect_in_stderr "writ: run: --secret: not a place of a secret"
	[[ $stderr != *hunter2* ]]
	run -125 --separate-stderr "$WRIT" run --secret env:NO_SUCH_VARIABLE -- true
	expect_in_stderr "there is no variable 'NO_SUCH_VARIABLE'"
	run -125 --separate-stderr "$WRIT" run --secret file:/no/such -- true
	expect_in_stderr "cannot read '/no/such': No such file or directory"
	run -125 --separate-stderr "$WRIT" run --secret text: -- true
	expect_in_stderr "the text is empty"
}

@test "the request hash is the same for the same request and differs by a secret" {
	hash_of() {
		"$WRIT" run "$@" >/dev/null
		trail 'of("begin")[-1]["request"]'
	}
	one=$(hash_of -- echo a)
	[[ $(hash_of -- echo a) == "$one" ]]
	[[ $(hash_of --trace-id other -- echo a) == "$one" ]]
	[[ $(hash_of -- echo b) != "$one" ]]
	first=$(hash_of --secret text:s1 -e P=s1 -- echo a)
	[[ $(hash_of --secret text:s2 -e P=s2 -- echo a) != "$first" ]]
	[[ $(hash_of --env-mode isolated -- echo a) == "$(hash_of --env-mode isolated -- echo a)" ]]
	rm "$WRIT_STATE_DIR/audit/request.key"
	[[ $(hash_of -- echo a) != "$one" ]]
}

@test "the files of the record are for their owner alone" {
	(umask 0 && "$WRIT" run -- echo hi)
	[[ $(stat -c %a "$WRIT_STATE_DIR/audit") == 700 ]]
	for file in "$WRIT_STATE_DIR"/audit/* "$WRIT_STATE_DIR"/outputs/*; do
		[[ $(stat -c %a "$file") == 600 ]]
	done
	[[ $(stat -c %s "$WRIT_STATE_DIR/audit/request.key") == 32 ]]
}

@test "a trail that others can write refuses the run" {
	"$WRIT" run -- true
	chmod 666 "$WRIT_STATE_DIR"/audit/trail-000001.jsonl
	run -125 --separate-stderr "$WRIT" run -- echo hi
	expect_stdout ""
	expect_in_stderr "writ: cannot record the run: "
	chmod 600 "$WRIT_STATE_DIR"/audit/trail-000001.jsonl
	chmod 644 "$WRIT_STATE_DIR/audit/request.key"
	run -125 --separate-stderr "$WRIT" run -- echo hi
	expect_in_stderr "is open to others (mode 0644)"
}

@test "kill -9 of writ leaves the begin without an end" {
	"$WRIT" run -- sleep 60 &
	pid=$!
	begun() { [[ $(trail 'len(of("begin"))' 2>/dev/null) == 1 ]]; }
	wait_for begun
	kill -9 "$pid"
	wait "$pid" || true
	[[ $(trail '(len(of("begin")), len(of("end")), of("begin")[0]["who"]["pid"])') == "(1, 0, $pid)" ]]
	run -0 "$WRIT" run -- true
	[[ $(trail '(len(of("begin")), len(of("end")))') == "(2, 1)" ]]
}

@test "without a place for the record nothing runs" {
	file=$BATS_TEST_TMPDIR/ran
	run -125 --separate-stderr "$WRIT" run --state-dir /proc/no/such -- touch "$file"
	expect_in_stderr "writ: cannot record the run: cannot make directory '/proc/no/such/audit'"
	expect_in_stderr "--audit-failure run"
	[[ ! -e $file ]]
	run -125 --separate-stderr "$WRIT" run --json --state-dir /proc/no/such -- touch "$file"
	[[ $(json "$output" '(d["error"]["code"], d["error"]["details"]["stage"], d["error"]["details"]["errno"])') == "('system', 'audit', 'ENOENT')" ]]
	[[ ! -e $file ]]
}

@test "audit-failure run runs without a record and says so" {
	run -0 --separate-stderr "$WRIT" run --state-dir /proc/no/such --audit-failure run -- echo hi
	expect_stdout hi
	expect_in_stderr "writ: this run has no record: cannot make directory '/proc/no/such/audit'"
	WRIT_AUDIT_FAILURE=run run -0 --separate-stderr "$WRIT" run --json --state-dir /proc/no/such -- echo hi
	[[ $(json "$output" '(d["audit"]["begin"], d["audit"]["end"], "cannot make" in d["audit"]["error"])') == "(None, None, True)" ]]
	run -0 --separate-stderr "$WRIT" run -q --state-dir /proc/no/such --audit-failure run -- echo hi
	expect_stderr ""
}

@test "a user without a home is told what to set" {
	[[ $(id -u) == 0 ]] || skip "needs root to be somebody else"
	nobody=(setpriv --reuid 3999999999 --regid 3999999999 --clear-groups env -i)
	open_to_others
	cd /
	run -125 --separate-stderr "${nobody[@]}" "$WRIT" run -- echo hi
	expect_in_stderr "writ: cannot record the run: cannot place state_dir: user 3999999999 has no home directory"
	expect_in_stderr "set WRIT_STATE_DIR or HOME"
	mkdir "$BATS_TEST_TMPDIR/theirs"
	chown 3999999999 "$BATS_TEST_TMPDIR/theirs"
	run -0 --separate-stderr "${nobody[@]}" WRIT_POLICY=open WRIT_STATE_DIR="$BATS_TEST_TMPDIR/theirs/state" "$WRIT" run -- echo hi
	run -0 --separate-stderr "${nobody[@]}" WRIT_POLICY=open WRIT_AUDIT_FAILURE=run "$WRIT" run -- echo hi
	expect_stdout hi
}

@test "a full disk refuses new runs, and lets those that run end with a record" {
	tiny_disk 640k
	export WRIT_STATE_DIR=$DISK/state
	fifo=$BATS_TEST_TMPDIR/fifo
	mkfifo "$fifo"
	"$WRIT" run -- cat "$fifo" &
	waiting=$!
	begun() { [[ $(trail 'len(of("begin"))' 2>/dev/null) == 1 ]]; }
	wait_for begun
	dd if=/dev/zero of="$DISK/fill" bs=1k 2>/dev/null || true
	# What is left of the last block may do for some.
	for ((i = 0; i < 20; i++)); do
		rm -f "$BATS_TEST_TMPDIR/ran"
		run --separate-stderr "$WRIT" run --keep 0 -- touch "$BATS_TEST_TMPDIR/ran"
		((status == 0)) || break
	done
	[[ $status == 125 && ! -e $BATS_TEST_TMPDIR/ran ]]
	expect_in_stderr "writ: cannot record the run: "
	expect_in_stderr "No space left on device"
	expect_in_stderr "make room for the audit trail"
	run -0 --separate-stderr "$WRIT" run --audit-failure run --keep 0 -- echo hi
	expect_stdout hi
	expect_in_stderr "writ: this run has no record: "
	: >"$fifo"
	wait "$waiting"
	[[ $(trail 'len(of("end")) - len(of("begin"))') == 0 ]]
	[[ $(trail 'of("end")[-1]["run"] == of("begin")[0]["run"]') == True ]]
	rm "$DISK/fill"
	run -0 --separate-stderr "$WRIT" run -- echo again
	[[ $(trail 'of("begin")[-1]["argv"][1], len(of("end")) - len(of("begin"))') == "('again', 0)" ]]
}

@test "every durability keeps the record" {
	for mode in sync batch none; do
		run -0 --separate-stderr "$WRIT" run --audit-durability "$mode" -- echo hi
		expect_stderr ""
	done
	[[ $(trail 'len(of("end"))') == 3 ]]
	WRIT_AUDIT_DURABILITY=snyc run -125 --separate-stderr "$WRIT" run -- echo hi
	expect_in_stderr "WRIT_AUDIT_DURABILITY must be sync, batch or none, got 'snyc', did you mean 'sync'?"
	run -125 --separate-stderr "$WRIT" run --audit-durability always -- echo hi
	expect_in_stderr "--audit-durability must be sync, batch or none, got 'always'"
}

@test "sync is on the disk before the command runs" {
	run -0 --separate-stderr "$WRIT" run --audit-durability sync -- cat "$WRIT_STATE_DIR/audit/head"
	[[ $(json "$output" 'int(d["seq"]) == int(d["synced"]) == 2') == True ]]
}

@test "a keyed trail names its key and is not written without it" {
	(umask 077 && head -c 32 /dev/urandom >"$BATS_TEST_TMPDIR/key")
	run -0 --separate-stderr "$WRIT" run --audit-key "$BATS_TEST_TMPDIR/key" -- echo hi
	[[ $(trail '(r[0]["chain"], len(r[0]["key"]))') == "('hmac-sha256', 16)" ]]
	chmod 644 "$BATS_TEST_TMPDIR/key"
	run -125 --separate-stderr "$WRIT" run --audit-key "$BATS_TEST_TMPDIR/key" -- echo hi
	expect_in_stderr "is open to others (mode 0644)"
	run -125 --separate-stderr "$WRIT" run --audit-key "$BATS_TEST_TMPDIR/none" -- echo hi
	expect_in_stderr "cannot open the key '$BATS_TEST_TMPDIR/none': No such file or directory"
}

@test "how much output is kept can be said" {
	run -0 "$WRIT" run --keep 0 -- echo hello
	[[ $(trail 'of("end")[-1]["kept"]') == None ]]
	run -0 "$WRIT" run --keep 3 -- echo hello
	[[ $(trail '(of("end")[-1]["kept"]["bytes"], of("end")[-1]["kept"]["whole"])') == "(3, False)" ]]
	WRIT_OUTPUT_KEEP=2 run -0 "$WRIT" run -- echo hello
	[[ $(trail 'of("end")[-1]["kept"]["bytes"]') == 2 ]]
	run -0 "$WRIT" run -- head -c 2000000 /dev/zero
	[[ $(trail 'of("end")[-1]["kept"]["bytes"]') == 1048576 ]]
	run -0 "$WRIT" run --record -- head -c 2000000 /dev/zero
	[[ $(trail '(of("end")[-1]["kept"]["bytes"], of("end")[-1]["kept"]["whole"])') == "(2000000, True)" ]]
}

@test "agent, secrets and keep are keys of a request" {
	run -0 --separate-stderr "$WRIT" run --request - <<<'{"argv":["echo","xyz"],"agent":"bot","secrets":["xyz"],"keep":0}'
	[[ $(trail '(of("begin")[0]["who"]["agent"], of("begin")[0]["argv"], of("end")[0]["kept"])') == "('bot', ['echo', '[secret]'], None)" ]]
	run -125 --separate-stderr "$WRIT" run --agent "$(printf 'a%.0s' {1..129})" -- true
	expect_in_stderr "agent must be 1 to 128 printable ASCII characters"
}

@test "a state directory that others could replace is refused, for records and approvals" {
	local base=$BATS_TEST_TMPDIR/base dir
	mkdir -p "$base/open/state" "$base/sticky" "$base/real"
	chmod 700 "$base/open/state"
	chmod 777 "$base/open"
	chmod 1777 "$base/sticky"
	ln -s "$base/real" "$base/open/link"
	for dir in open/state open/new open/link; do
		run -125 --separate-stderr "$WRIT" run --state-dir "$base/$dir" -- touch ran
		expect_in_stderr "the state directory '$base/$dir' is in '$base/open', which other users can change"
		run -1 --separate-stderr env WRIT_STATE_DIR="$base/$dir" "$WRIT" approvals list
		expect_in_stderr "is in '$base/open', which other users can change"
	done
	[[ ! -e ran && -z $(find "$base/real" "$base/open/state" -mindepth 1) && ! -e $base/open/new ]]
	chmod 770 "$base/open"
	run -125 --separate-stderr "$WRIT" run --state-dir "$base/open/state" -- touch ran
	# Where nobody else can take it away it may be.
	run -0 --separate-stderr "$WRIT" run --state-dir "$base/sticky/new" -- true
	is_root || return 0
	chmod 755 "$base/open"
	chown 65534 "$base/open"
	run -125 --separate-stderr "$WRIT" run --state-dir "$base/open/state" -- touch ran
	expect_in_stderr "is in '$base/open', which other users can change"
	[[ ! -e ran ]]
}
