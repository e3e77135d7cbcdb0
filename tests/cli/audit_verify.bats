#!/usr/bin/env bats
# bats file_tags=anyone
# writ audit verify: each kind of tampering is found and named.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state TZ=UTC
	TRAIL=$WRIT_STATE_DIR/audit/trail-000001.jsonl
	cd "$BATS_TEST_TMPDIR" || return
	local i
	for i in 1 2 3 4; do "$WRIT" run -- echo "number $i" >/dev/null; done
}

# not_proved KIND: verify says so, with a place, and exits with 1.
not_proved() {
	run -1 --separate-stderr "$WRIT" audit verify
	grep -qE "^writ: ([^:]+: byte [0-9]+( \([^)]*\))?: )?$1: " <<<"$output" || show_run
	grep -q '^NOT proved: ' <<<"$output" || show_run
	run -1 --separate-stderr "$WRIT" audit verify --json
	[[ $(json "$output" "any(f['kind'] == '$1' and f['severity'] == 'bad' for f in d['findings']), d['proof']['proved'], d['proof']['bad'] > 0") == "(True, False, True)" ]] || show_run
}

# bats test_tags=smoke
@test "an untouched trail is proved" {
	run -0 --separate-stderr "$WRIT" audit verify
	expect_stderr ""
	[[ ${lines[0]} == "proved: 9 records in 1 file, 1 to 9, "*", 4 runs" ]] || show_run
	[[ ${lines[1]} == "last hash $(json "$(tail -n 1 "$TRAIL")" 'd["hash"]')" ]] || show_run
	run -0 --separate-stderr "$WRIT" audit verify --json
	[[ $(json "$output" 'd["findings"], d["proof"]["proved"], d["proof"]["records"], d["proof"]["runs"]') == "([], True, 9, 4)" ]] || show_run
}

@test "a trail that is not there is proved to be empty" {
	run -0 --separate-stderr "$WRIT" audit verify --state-dir "$BATS_TEST_TMPDIR/other"
	expect_stdout "proved: 0 records in 0 files"
}

@test "a changed letter is found at its record" {
	sed -i 's/number 2/number 7/' "$TRAIL"
	not_proved changed
	run -1 "$WRIT" audit verify
	local offset
	offset=$(grep -b 'number 7' "$TRAIL" | cut -d: -f1)
	grep -qE "^writ: trail-000001.jsonl: byte $offset \(line 4, record 4\): changed: " <<<"$output" || show_run
}

@test "a removed line is a gap" {
	sed -i 5d "$TRAIL"
	not_proved gap
}

@test "swapped lines are found" {
	sed -i '4{h;d};5{G}' "$TRAIL"
	not_proved reordered
}

@test "a line put in is found" {
	sed -i '4p' "$TRAIL"
	run -1 "$WRIT" audit verify
	expect_in_stdout "NOT proved"
}

@test "a cut tail is found" {
	sed -i '8,$d' "$TRAIL"
	run "$WRIT" audit verify
	grep -qE 'tail_(cut|lost)' <<<"$output" || show_run
}

# Soon after a start of the machine a power cut could be the cause.
@test "a cut tail is still found when the trail has gone on" {
	sed -i '8,$d' "$TRAIL"
	"$WRIT" run -- true
	local kind=tail_cut
	[[ $(cut -d. -f1 /proc/uptime) -gt 400 ]] || kind='tail_(cut|lost)'
	run "$WRIT" audit verify
	grep -qE "$kind" <<<"$output" || show_run
}

@test "warnings alone leave it proved, but not with --strict" {
	# The head of before the last run: as if who wrote had been stopped.
	cp "$WRIT_STATE_DIR/audit/head" head
	"$WRIT" run -- true
	"$WRIT" run -- true
	cp head "$WRIT_STATE_DIR/audit/head"
	run -0 --separate-stderr "$WRIT" audit verify
	grep -qE '^writ: .*unwitnessed \(warning\): ' <<<"$output" || show_run
	grep -qE '^proved: .*, 1 warning' <<<"$output" || show_run
	run -1 --separate-stderr "$WRIT" audit verify --strict
	grep -qE '^proved: ' <<<"$output" || show_run
}

@test "a trail without a head is not proved, also with a cut tail, and also later" {
	local head=$WRIT_STATE_DIR/audit/head
	cp "$head" head
	rm "$head"
	run -1 --separate-stderr "$WRIT" audit verify
	[[ $output == *"head_missing: there is no head: nothing tells whether record "*" is the last one, and records may have been cut off behind it"* ]] || show_run
	[[ $output == *"a checkpoint kept elsewhere tells whether records are gone"* ]] || show_run
	cp head "$head"
	run -0 "$WRIT" audit verify
	# The tail and its witness together.
	sed -i '$d' "$TRAIL"
	rm "$head"
	run -1 --separate-stderr "$WRIT" audit verify
	[[ $output == *"head_missing"* ]] || show_run
	# What nobody can read is none either.
	: >"$head"
	run -1 --separate-stderr "$WRIT" audit verify
	[[ $output == *"head_missing: the head is no head any more"* ]] || show_run
	rm "$head"
	"$WRIT" run -- true
	run -1 --separate-stderr "$WRIT" audit verify
	[[ $output == *"head_missing"* ]] || show_run
	run -1 --separate-stderr "$WRIT" audit verify --json
	[[ $(json "$output" '[f["kind"] for f in d["findings"] if f["severity"] == "bad"]') == "['head_missing']" ]] || show_run
}

@test "a trail in which nothing stands yet needs no head" {
	mkdir -m 700 empty
	run -0 --separate-stderr "$WRIT" audit verify --state-dir "$PWD/empty"
	mkdir -m 700 empty/audit
	: >empty/audit/trail-000001.jsonl
	chmod 600 empty/audit/trail-000001.jsonl
	run -0 --separate-stderr "$WRIT" audit verify --state-dir "$PWD/empty"
}

@test "a run without an end is named" {
	"$WRIT" run -- sleep 60 3>&- &
	local runner=$!
	wait_for grep -q '"sleep"' "$TRAIL"
	kill -KILL "$runner"
	wait "$runner" || true
	run --separate-stderr "$WRIT" audit verify
	[[ $output == *"$("$WRIT" audit list --ids -n 1)"* && $output == *"1 without an end"* ]] || show_run
	run -0 "$WRIT" audit list --json -n 1
	[[ $(json "$output" 'd[0]["state"]') == lost ]] || show_run
}

@test "an anchor kept elsewhere proves what was before it" {
	"$WRIT" audit checkpoint -o anchor.json
	"$WRIT" run -- true
	run -0 "$WRIT" audit verify --anchor anchor.json
	run -0 sh -c '"$1" audit verify --anchor - <anchor.json' sh "$WRIT"
	# Everything written anew is a sound chain, but not that one.
	rm -r "$WRIT_STATE_DIR"
	for _ in 1 2 3 4 5 6 7 8; do "$WRIT" run -- true; done
	run -0 "$WRIT" audit verify
	run -1 "$WRIT" audit verify --anchor anchor.json
	expect_in_stdout "NOT proved"
}

@test "what cannot be read is neither proved nor disproved" {
	run -3 --separate-stderr "$WRIT" audit verify --anchor nothing.json
	expect_stderr "writ: cannot open the anchor 'nothing.json': No such file or directory"
	run -3 --separate-stderr "$WRIT" audit verify --key nothing.key
	expect_in_stderr "nothing.key"
	run -3 --separate-stderr "$WRIT" audit verify --json --anchor nothing.json
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]] || show_run
	run -2 --separate-stderr "$WRIT" audit verify more
	expect_in_stderr "writ: audit verify: unexpected word 'more'"
}

@test "a keyed trail is proved with its key and with no other" {
	head -c 32 /dev/urandom >key
	head -c 32 /dev/urandom >other
	chmod 600 key other
	local dir=$BATS_TEST_TMPDIR/keyed
	WRIT_AUDIT_KEY=$PWD/key "$WRIT" run --state-dir "$dir" -- true
	run -0 --separate-stderr "$WRIT" audit verify --state-dir "$dir" --key "$PWD/key"
	[[ $output == *", keyed"* ]] || show_run
	run -1 --separate-stderr "$WRIT" audit verify --state-dir "$dir" --key "$PWD/other"
	expect_in_stdout wrong_key
	run -1 --separate-stderr "$WRIT" audit verify --state-dir "$dir"
	expect_in_stdout no_key
}

@test "signatures must be by the key that was given" {
	need openssl
	openssl genpkey -algorithm ed25519 -out sign.pem 2>/dev/null
	openssl pkey -in sign.pem -pubout -out public.pem
	openssl genpkey -algorithm ed25519 -out other.pem 2>/dev/null
	openssl pkey -in other.pem -pubout -out other-public.pem
	"$WRIT" audit checkpoint --sign sign.pem >/dev/null
	run -0 --separate-stderr "$WRIT" audit verify --public-key public.pem
	[[ $output == *"1 checkpoint, 1 signature proved"* ]] || show_run
	run -1 --separate-stderr "$WRIT" audit verify --public-key other-public.pem
	expect_in_stdout "NOT proved"
}

@test "--outputs proves the kept outputs too" {
	run -0 --separate-stderr "$WRIT" audit verify --outputs
	[[ $output == *", 4 kept outputs proved"* ]] || show_run
	local file
	file=$(find "$WRIT_STATE_DIR/outputs" -name '*.rec' | head -n 1)
	sed -i 's/number/humber/' "$file"
	run -0 "$WRIT" audit verify
	run -1 "$WRIT" audit verify --outputs
	expect_in_stdout "NOT proved"
	expect_in_stdout "$(basename "$file" .rec)"
}

@test "by hand: sha256sum gives the hash that the record carries" {
	local line body
	line=$(sed -n 4p "$TRAIL")
	body=${line%,\"hash\":*}
	[[ $(printf %s "$body" | sha256sum | cut -d' ' -f1) == "$(json "$line" 'd["hash"]')" ]]
	[[ $(json "$line" 'd["prev"]') == "$(json "$(sed -n 3p "$TRAIL")" 'd["hash"]')" ]]
}

@test "by hand: openssl proves a keyed record and a signature" {
	need openssl
	local line body key
	head -c 32 /dev/urandom >key
	chmod 600 key
	WRIT_AUDIT_KEY=$PWD/key "$WRIT" run --state-dir "$PWD/keyed" -- true
	line=$(sed -n 2p keyed/audit/trail-000001.jsonl)
	body=${line%,\"hash\":*}
	key=$(od -An -v -tx1 key | tr -d " \n")
	[[ $(printf %s "$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/.* //') == "$(json "$line" 'd["hash"]')" ]]

	openssl genpkey -algorithm ed25519 -out sign.pem 2>/dev/null
	openssl pkey -in sign.pem -pubout -out public.pem
	line=$("$WRIT" audit checkpoint --sign sign.pem)
	printf 'writ checkpoint 1\n%s\n%s\n' "$(json "$line" 'd["covers"]')" "$(json "$line" 'd["covers_hash"]')" >text
	json "$line" 'd["signature"]' | base64 -d >signature
	openssl pkeyutl -verify -rawin -pubin -inkey public.pem -in text -sigfile signature
}
