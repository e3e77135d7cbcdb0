#!/usr/bin/env bats
# bats file_tags=anyone
# writ audit show, tail and replay.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state TZ=UTC
	cd "$BATS_TEST_TMPDIR" || return
}

newest() { "$WRIT" audit list --ids -n 1; }

# bats test_tags=smoke
@test "show says what was asked, decided, walled, and how it ended" {
	FOO=1 "$WRIT" run --agent reviewer --timeout 30s --env BAR=2 -- sh -c 'echo out; echo err >&2; exit 3' || true
	local id
	id=$(newest)
	run -0 --separate-stderr "$WRIT" audit show "$id"
	expect_stderr ""
	[[ ${lines[0]} == "run $id" ]] || show_run
	for section in asked by decided walls outcome output records; do
		expect_in_stdout $'\n\n'"$section"$'\n'
	done
	grep -qE "^  command +sh -c 'echo out; echo err >&2; exit 3'$" <<<"$output" || show_run
	grep -qE '^  state +exited 3$' <<<"$output" || show_run
	grep -qE "^  directory +$PWD$" <<<"$output" || show_run
	grep -qE '^  agent +reviewer$' <<<"$output" || show_run
	grep -qE '^  variables +.*BAR' <<<"$output" || show_run
	grep -qE '^  limits +.*timeout_ms 30000' <<<"$output" || show_run
	grep -qE '^  profile +none$' <<<"$output" || show_run
	grep -qE '^  exit code +3$' <<<"$output" || show_run
	grep -qE '^  stdout +4B$' <<<"$output" || show_run
	grep -qE "^    sha256 +$(echo out | sha256sum | cut -d' ' -f1)$" <<<"$output" || show_run
	grep -qE '^  [0-9]+ begin +trail-000001.jsonl, byte [0-9]+$' <<<"$output" || show_run
	grep -qE '^    hash +[0-9a-f]{64}$' <<<"$output" || show_run
}

@test "the place that show names is where the record is" {
	"$WRIT" run -- true
	local line offset
	line=$("$WRIT" audit show - | grep -E '^  [0-9]+ end ')
	offset=${line##*byte }
	run -0 "$WRIT" audit show - --json
	diff <(json "$output" 'd["end"]["hash"]') \
		<(json "$(tail -c "+$((offset + 1))" "$WRIT_STATE_DIR/audit/trail-000001.jsonl" | head -n 1)" 'd["hash"]')
}

@test "show --json is the exact records" {
	"$WRIT" run -- echo hi
	run -0 --separate-stderr "$WRIT" audit show --json -
	[[ $(json "$output" 'd["begin"]["kind"], d["end"]["kind"], d["begin"]["run"] == d["end"]["run"]') == "('begin', 'end', True)" ]] || show_run
	grep -qF "$(sed -n 's/^{"begin":\(.*\),"end":{"seq".*/\1/p' <<<"$output")" "$WRIT_STATE_DIR/audit/trail-000001.jsonl"
}

@test "a run is found by the beginning of its id, and - is the newest" {
	"$WRIT" run -- echo one
	"$WRIT" run -- echo two
	local id
	id=$(newest)
	run -0 "$WRIT" audit show "$id"
	expect_in_stdout "echo two"
	run -0 "$WRIT" audit show -
	expect_in_stdout "run $id"
	run -0 "$WRIT" audit show "${id:0:20}"
	expect_in_stdout "run $id"
	run -1 --separate-stderr "$WRIT" audit show 0
	expect_stdout ""
	[[ $stderr == "writ: "* ]] || show_run
	run -1 --separate-stderr "$WRIT" audit show 0NOSUCHRUN
	expect_in_stderr "0NOSUCHRUN"
	run -1 --separate-stderr "$WRIT" audit show --json 0NOSUCHRUN
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]] || show_run
	run -2 --separate-stderr "$WRIT" audit show
	expect_in_stderr "writ: audit show: say which RUN"
}

@test "a number shows the record of that number" {
	"$WRIT" run -- true
	run -0 --separate-stderr "$WRIT" audit show 1
	[[ ${lines[0]} == "record 1" ]] || show_run
	grep -qE '^  kind +segment$' <<<"$output" || show_run
	grep -qE '^  1 segment +trail-000001.jsonl, byte 0$' <<<"$output" || show_run
	run -0 --separate-stderr "$WRIT" audit show --json 2
	expect_stdout "$(sed -n 2p "$WRIT_STATE_DIR/audit/trail-000001.jsonl")"
	run -1 --separate-stderr "$WRIT" audit show 4711
	expect_stderr "writ: there is no record 4711"
}

@test "a refused request is shown with its reason" {
	run -127 "$WRIT" run -- no-such-program
	run -0 "$WRIT" audit show -
	grep -qE '^  state +refused not_found$' <<<"$output" || show_run
	grep -qE "^  error +code not_found, .*no-such-program" <<<"$output" || show_run
}

@test "members that nobody knows yet are shown" {
	"$WRIT" run -- true
	run -0 "$WRIT" audit show --json -
	[[ $(json "$output" 'sorted(d["begin"])') == *"'argv'"* ]] || show_run
	local known="seq time prev hash kind run argv" key
	run -0 "$WRIT" audit show -
	local page=$output
	for key in $(json "$("$WRIT" audit show --json -)" '" ".join(k for k, v in d["begin"].items() if v not in (None, [], {}))'); do
		[[ " $known " == *" $key "* ]] && continue
		case $key in
		who) grep -q '^by$' <<<"$page" ;;
		cwd) grep -q '^  directory ' <<<"$page" ;;
		env) grep -q '^  variables ' <<<"$page" ;;
		stdin) grep -q '^  input ' <<<"$page" ;;
		as) grep -q '^  runs as ' <<<"$page" ;;
		sandbox) grep -q '^  profile ' <<<"$page" ;;
		*) grep -q "^  $key " <<<"$page" ;;
		esac || {
			echo "$key is not shown" >&2
			return 1
		}
	done
}

@test "tail has the newest records, the oldest of them first" {
	local i
	for i in {1..8}; do "$WRIT" run -- true "$i"; done
	run -0 --separate-stderr "$WRIT" audit tail
	[[ ${#lines[@]} == 10 ]] || show_run
	[[ ${lines[0]} =~ ^8\ +20.*Z\ +begin\ +[0-9A-Z]{26}\ +true\ 4$ ]] || show_run
	[[ ${lines[9]} =~ ^17\ +20.*Z\ +end\ +[0-9A-Z]{26}\ +exited\ 0$ ]] || show_run
	[[ $("$WRIT" audit tail -n 3 | wc -l) == 3 ]]
	[[ $("$WRIT" audit tail -n 100 | wc -l) == 17 ]]
	[[ -z $("$WRIT" audit tail -n 0) ]]
	diff <("$WRIT" audit tail -n 5 --json) <(tail -n 5 "$WRIT_STATE_DIR/audit/trail-000001.jsonl")
	run -0 "$WRIT" audit tail --kind end --json -n 2
	[[ $(wc -l <<<"$output") == 2 && $(grep -c '"kind":"end"' <<<"$output") == 2 ]] || show_run
}

@test "tail of a trail that is not there is empty" {
	run -0 --separate-stderr "$WRIT" audit tail
	expect_stdout ""
}

@test "tail -f goes on with what comes, across files, until Ctrl-C" {
	"$WRIT" run -- true first
	set -m
	"$WRIT" audit tail -f >followed 2>&1 3>&- &
	local tail=$!
	set +m
	wait_for grep -q 'true first' followed
	WRIT_AUDIT_SEGMENT=64KiB "$WRIT" run -- true second
	wait_for grep -q 'true second' followed
	kill -INT "$tail"
	local status=0
	wait "$tail" || status=$?
	[[ $status == 130 ]] || cat followed
	[[ $status == 130 ]]
	[[ $(grep -c 'begin ' followed) == 2 ]]
	run ! grep -v '^[0-9]' followed
}

@test "tail -f waits for a trail that is not there yet" {
	"$WRIT" audit tail -f >followed 2>&1 3>&- &
	local tail=$!
	"$WRIT" run -- true first
	wait_for grep -q 'true first' followed
	kill "$tail"
	local status=0
	wait "$tail" || status=$?
	[[ $status == 143 ]]
}

@test "tail -n 0 -f has only what comes" {
	"$WRIT" run -- true before
	"$WRIT" audit tail -n 0 -f --kind begin >followed 2>&1 3>&- &
	local tail=$!
	# It has looked once when it has made its signals a descriptor.
	wait_for sh -c "ls -l /proc/$tail/fd 2>/dev/null | grep -q signalfd"
	"$WRIT" run -- true after
	wait_for grep -q 'true after' followed
	kill "$tail"
	wait "$tail" || true
	[[ $(wc -l <followed) == 1 ]]
}

@test "tail -f ends when its reader does" {
	"$WRIT" run -- true
	run timeout 10 bash -c '"$1" audit tail -f | head -n 1' bash "$WRIT"
	[[ $status == 0 ]] || show_run
}

@test "replay gives back what the run wrote, each stream where it belongs" {
	"$WRIT" run -- sh -c 'printf "out\001\377\n"; printf "err\n" >&2' >want.out 2>want.err
	"$WRIT" audit replay - >got.out 2>got.err
	cmp want.out got.out
	cmp want.err got.err
	[[ $("$WRIT" audit replay --stdout - 2>&1 | od -c) == "$(od -c want.out)" ]]
	[[ $("$WRIT" audit replay --stderr - 2>&1) == err ]]
	[[ $("$WRIT" audit replay --stdout --stderr - 2>/dev/null | od -c) == "$(od -c want.out)" ]]
}

# took MS COMMAND...: it takes at least this long.
took() {
	local start=${EPOCHREALTIME/./}
	"${@:2}" >/dev/null
	(((${EPOCHREALTIME/./} - start) / 1000 >= $1))
}

# sooner MS COMMAND...: it can take less than this; a busy machine may need tries.
sooner() {
	for _ in 1 2 3 4 5; do
		took "$@" || return 0
	done
	return 1
}

@test "replay keeps the pauses on a terminal and with --speed, not in a pipe" {
	need script
	"$WRIT" run -- sh -c 'echo a; sleep 0.6; echo b' >/dev/null
	took 550 "$WRIT" audit replay --speed 1 -
	took 550 on_terminal "'$WRIT' audit replay -"
	took 1100 "$WRIT" audit replay --speed 0.5 -
	sooner 500 "$WRIT" audit replay -
	sooner 500 "$WRIT" audit replay --speed 0 -
	sooner 400 "$WRIT" audit replay --speed 10 -
	sooner 400 "$WRIT" audit replay --speed 1 --max-pause 100ms -
	run -0 on_terminal "'$WRIT' audit replay --speed 0 -"
	[[ $output == *$'a\r\nb\r'* ]] || show_run
}

@test "Ctrl-C ends a replay" {
	"$WRIT" run -- sh -c 'echo a; sleep 1; echo b' >/dev/null
	set -m
	"$WRIT" audit replay --speed 0.01 - >played 3>&- &
	local replay=$!
	set +m
	wait_for grep -q a played
	kill -INT "$replay"
	local status=0
	wait "$replay" || status=$?
	[[ $status == 130 ]]
	[[ $(<played) == a ]]
}

@test "replay shows colours as they were; --safe nothing but colours" {
	"$WRIT" run -- printf '\033[31mred\033[0m\033[2J\033]0;title\007 10%%\r20%%\n' >want
	"$WRIT" audit replay - | cmp want
	[[ $("$WRIT" audit replay --safe -) == $'\033[31mred\033[0m 10%\n20%' ]]
}

@test "replay --safe shows half a character at the end, too" {
	"$WRIT" run -- printf 'a\303' >/dev/null
	[[ $("$WRIT" audit replay --safe -) == $'a\357\277\275' ]]
}

@test "replay --json is an object for each piece" {
	"$WRIT" run -- sh -c 'echo a; sleep 0.1; printf "\377" >&2' >/dev/null 2>&1
	run -0 --separate-stderr "$WRIT" audit replay --json -
	[[ ${#lines[@]} == 2 ]] || show_run
	[[ $(json "${lines[0]}" 'd["stream"], d["data"]') == "('stdout', 'a\n')" ]] || show_run
	[[ $(json "${lines[1]}" 'd["stream"], d["data"], d["at_us"] >= 90000') == "('stderr', {'b64': '/w=='}, True)" ]] || show_run
}

@test "a run that wrote nothing, and one whose output is gone" {
	"$WRIT" run -- true
	run -0 --separate-stderr "$WRIT" audit replay -
	expect_stdout ""
	expect_stderr "writ: the run wrote nothing"
	"$WRIT" run -- echo hi
	rm "$WRIT_STATE_DIR/outputs/"*.rec
	run -1 --separate-stderr "$WRIT" audit replay -
	expect_in_stderr "writ: the output of run $(newest) is not kept"
}

@test "output beyond what is kept is said to be missing" {
	"$WRIT" run --keep 64KiB -- head -c 200000 /dev/zero >/dev/null
	run --separate-stderr "$WRIT" audit replay -
	[[ $status == 0 ]] || show_run
	expect_in_stderr "writ: of 200000 bytes of output the first 65536 were kept"
}
