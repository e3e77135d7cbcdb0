#!/usr/bin/env bats
# Hosts that a person is asked about while the connection waits. The hosts are in
# a network of the test's own.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load running
load asking

setup() {
	need python3 openssl
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
	cp "$BATS_TEST_DIRNAME/outside.py" "$BATS_TEST_DIRNAME/reach.py" .
	export WRIT_POLICY=developer
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR.config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR.system
	python3 outside.py world true 3>&- || skip 'no network of its own can be made here'
}

teardown() {
	"$WRIT" session end --all --force --quiet 2>/dev/null || true
}

# begin WORD...: writ run with these words, in the world of outside.py.
begin() {
	python3 outside.py world "$WRIT" run --sandbox workspace --host good.example --ask-timeout 5m "$@" \
		</dev/null >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	ASKER=$!
}

tries() { begin -- python3 reach.py "$@"; }

# asked: waits for a question that was not there before; ID is its id.
asked() {
	wait_for has_question
	ID=$(open_ids | tail -n 1)
}

# done_with TEXT: the run has printed this.
done_with() {
	wait "$ASKER" || true
	[[ $(cat "$BATS_TEST_TMPDIR/out") == "$1" ]] && return
	cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err" >&2
	return 1
}

r=ConnectionResetError

# bats test_tags=smoke
@test "a connection waits for the answer; once is for what waits, and a no is for the run" {
	tries get:http://good.example/ get:http://evil.example/ get:http://evil.example/ get:http://evil.example/
	asked
	run -0 "$WRIT" approvals show "$ID"
	expect_in_stdout 'connects to   evil.example:80'
	expect_in_stdout "it is running, and connects to 'evil.example:80' (nobody has agreed to this host yet)"
	expect_in_stdout 'remember      allow: { host: "evil.example", network: hosts }'
	run -0 "$WRIT" approvals list
	expect_in_stdout '(connects to evil.example:80)'
	# Nothing has left for it, not even a question.
	run ! grep -q evil world/names
	"$WRIT" approvals approve "$ID"
	wait_for is_state "$ID" used
	asked
	"$WRIT" approvals deny "$ID"
	done_with $'hello from good.example\nhello from evil.example\n'$r$'\n'$r
	[[ -z $(open_ids) ]]
}

@test "what was refused is told" {
	begin --json -- sh -c 'python3 reach.py get:http://evil.example/; exit 1'
	asked
	"$WRIT" approvals deny "$ID" --note 'not there'
	wait "$ASKER" || true
	run -0 json "$(cat "$BATS_TEST_TMPDIR/out")" '[x["host"] for x in d["denials"]]'
	expect_in_stdout 'evil.example:80'
}

@test "an answer for the session is for later connections and runs" {
	tries get:http://evil.example/ get:http://evil.example:8080/
	asked
	"$WRIT" approvals approve "$ID" --scope session
	done_with $'hello from evil.example\nhello from evil.example:8080'
	tries get:http://evil.example/
	done_with 'hello from evil.example'
}

@test "an answer for the project is a rule, which can be edited to one that matches" {
	tries get:http://api.good.example/ get:http://evil.example/
	asked
	run -1 --separate-stderr "$WRIT" approvals approve "$ID" --scope project --rule 'allow: { host: other.example, network: hosts }'
	expect_in_stderr 'would not match'
	"$WRIT" approvals approve "$ID" --scope project --rule 'allow: { host: "*.good.example", network: hosts }'
	wait_for has_question_besides "$ID"
	ID=$(open_ids | tail -n 1)
	"$WRIT" approvals approve "$ID" --scope project
	done_with $'hello from api.good.example\nhello from evil.example'
	tries get:http://evil.example/ get:http://api.good.example/
	done_with $'hello from evil.example\nhello from api.good.example'
}

has_question_besides() { open_ids | grep -qv "$1"; }

@test "while one waits others go on, and a host is asked about once" {
	begin -- sh -c 'for i in 1 2 3 4 5 6; do python3 reach.py get:http://evil.example/ & done
		python3 reach.py get:http://good.example/ echo:good.example:2525 >there; wait; cat there'
	asked
	wait_for test -s there
	wait_for grep -q same there
	[[ $(open_ids | wc -l) == 1 ]]
	# All six are there.
	wait_for six_wait
	"$WRIT" approvals approve "$ID"
	wait "$ASKER"
	[[ $(grep -c 'hello from evil.example' "$BATS_TEST_TMPDIR/out") == 6 ]]
	[[ $("$WRIT" approvals list --all --ids | wc -l) == 1 ]]
}

# Connections of the run that were accepted, seen from the relay.
six_wait() {
	local pid count=0
	for pid in $(pgrep -x writ-relay); do
		count=$(find "/proc/$pid/fd" -lname 'socket:*' 2>/dev/null | wc -l)
		[[ $count -ge 10 ]] && return
	done
	return 1
}

@test "many hosts are asked about one after the other" {
	begin -- sh -c 'python3 reach.py get:http://evil.example/ & python3 reach.py get:http://api.good.example/ & wait'
	asked
	local first=$ID
	[[ $(open_ids | wc -l) == 1 ]]
	"$WRIT" approvals deny "$first"
	wait_for has_question_besides "$first"
	ID=$(open_ids)
	"$WRIT" approvals approve "$ID"
	wait "$ASKER"
	[[ $(sort "$BATS_TEST_TMPDIR/out" | cut -c1-10 | tr '\n' ' ') == 'Connection hello from ' ]]
}

@test "an address is asked about too, but no private one" {
	tries get:http://10.1.2.3/ get:http://203.0.113.66/
	asked
	run -0 "$WRIT" approvals show "$ID"
	expect_in_stdout 'connects to   203.0.113.66:80'
	"$WRIT" approvals approve "$ID" --scope project
	done_with $r$'\nhello from 203.0.113.66'
}

@test "a name that was agreed to does not lead to a private address" {
	tries get:http://private.example/
	asked
	"$WRIT" approvals approve "$ID"
	done_with "$r"
	run -0 packets
	expect_stdout ''
}

packets() { sort -u world/packets; }

@test "a run that ends takes its question with it" {
	begin --timeout 3s -- python3 reach.py get:http://evil.example/
	asked
	wait "$ASKER" || true
	[[ $(state_of "$ID") == abandoned ]]
}

@test "nobody to ask: refused at once" {
	run --separate-stderr python3 outside.py world "$WRIT" run --sandbox workspace --host good.example \
		-- python3 reach.py get:http://evil.example/ get:http://203.0.113.66/ 3>&-
	expect_stdout $'gaierror\n'$r
	[[ -z $("$WRIT" approvals list --all --ids) ]]
	# Nor does one ask who was told not to.
	"$WRIT" approvals watch --lines >"$BATS_TEST_TMPDIR/watch" 2>&1 3>&- &
	run --separate-stderr python3 outside.py world "$WRIT" run --sandbox workspace --host good.example --no-ask \
		-- python3 reach.py get:http://evil.example/ 3>&-
	expect_stdout gaierror
	kill %1 2>/dev/null || true
}

@test "who sits at the terminal is asked, and the output waits meanwhile" {
	sit one python3 outside.py world "$WRIT" run --sandbox workspace --host good.example -- \
		sh -c 'python3 reach.py get:http://good.example/; python3 reach.py get:http://evil.example/ & sleep 1; printf "%s%s\n" bet ween; wait'
	sees one "[y] once"
	shows one 'this connection, while it runs: evil.example:80'
	press one y
	sees one 'hello from evil.example'
	leaves one 0
	# What it wrote is there, after the answer.
	[[ $(screen one | grep -c between) == 1 ]]
}

@test "n at the terminal refuses it, and the run goes on" {
	sit one python3 outside.py world "$WRIT" run --sandbox workspace --host good.example -- \
		python3 reach.py get:http://evil.example/ get:http://good.example/
	sees one "[n] no"
	press one n
	sees one 'hello from good.example'
	leaves one 0
	shows one "$r"
}

@test "Ctrl-C at the question ends the run" {
	sit one python3 outside.py world "$WRIT" run --sandbox workspace --host good.example -- \
		python3 reach.py get:http://evil.example/ get:http://good.example/
	sees one "[n] no"
	press one '\003'
	leaves one 130
}

@test "in a session with a name, who knows the host answers before a person is asked" {
	cat >both <<-'EOF'
		"$WRIT" session start --host good.example dev
		"$WRIT" run --session dev --host evil.example -- sh -c 'echo >one; while ! test -e two; do sleep 0.05; done' &
		while ! test -e one; do sleep 0.05; done
		"$WRIT" run --session dev --host good.example --ask-timeout 5m -- python3 reach.py get:http://evil.example/
		echo >two
		wait
		"$WRIT" session end -q dev
	EOF
	run --separate-stderr python3 outside.py world bash both 3>&-
	[[ $output == *'hello from evil.example'* ]] || show_run
	[[ -z $("$WRIT" approvals list --all --ids) ]]
}

# bats test_tags=full
@test "more than 10,000 connections wait at once" {
	[[ $(ulimit -Hn) == unlimited || $(ulimit -Hn) -ge 11000 ]] || skip 'too few open files are allowed here'
	# Those that have left free their places.
	begin -- sh -c 'python3 reach.py crowd:evil.example:10400
		until python3 reach.py get:http://good.example/ | grep hello; do :; done'
	asked
	wait "$ASKER"
	cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err" >&2
	[[ $(head -n 1 "$BATS_TEST_TMPDIR/out") =~ ^([0-9]+)\ refused$ && ${BASH_REMATCH[1]} -ge 400 && ${BASH_REMATCH[1]} -le 500 ]]
	grep -qx 'hello from good.example' "$BATS_TEST_TMPDIR/out"
	[[ $("$WRIT" approvals list --all --ids | wc -l) == 1 ]]
}
