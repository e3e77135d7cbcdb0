#!/usr/bin/env bats
# writ watch: what every agent does now.
# `run` sets output and stderr, the helpers the rest.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load asking

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
}

# window: what is on standard input, in Python, with windows at hand.
window() {
	timeout -s KILL 100 env --default-signal=INT,QUIT,TSTP python3 -c "$(cat "$BATS_TEST_DIRNAME/seat.py" "$BATS_TEST_DIRNAME/window.py" -)" </dev/null 3>&-
}

# events: starts writ watch --json in the background; WATCHER is its process.
events() {
	env --default-signal=INT "$WRIT" watch "$@" </dev/null >"$BATS_TEST_TMPDIR/events" 2>"$BATS_TEST_TMPDIR/watch.err" 3>&- &
	WATCHER=$!
	# From then on it misses nothing.
	wait_for attended
}

attended() { [[ -e $WRIT_STATE_DIR/approvals/attended ]]; }

# event EXPRESSION: a Python expression over e, all events so far.
event() {
	python3 -ISc 'import json, sys
e = [json.loads(line) for line in open(sys.argv[2]) if line.endswith("\n")]
def of(kind): return [x for x in e if x["event"] == kind]
print(eval(sys.argv[1]))' "$1" "$BATS_TEST_TMPDIR/events"
}
is_true() { [[ $(event "$1") == True ]]; }

# leave STATUS: Ctrl-C ends the watcher.
leave() {
	local status=0
	kill -INT "$WATCHER"
	wait "$WATCHER" || status=$?
	[[ $status == 130 ]]
}

# bats test_tags=smoke
@test "in a pipe each event is a line of JSON" {
	events
	run -3 "$WRIT" run --agent bob -- sh -c 'echo out; echo err >&2; exit 3'
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event '[x["event"] for x in e]') == "['started', 'output', 'output', 'ended']" ]] || cat "$BATS_TEST_TMPDIR/events" >&2
	[[ $(event 'len({x["run_id"] for x in e}), {x["agent"] for x in e}') == "(1, {'bob'})" ]]
	[[ $(event 'sorted((x["stream"], x["data"]) for x in of("output"))') == "[('stderr', 'err\\n'), ('stdout', 'out\\n')]" ]]
	[[ $(event 'e[0]["command"], e[0]["door"], e[3]["exit_code"], e[3]["state"], e[3]["denials"]') == "(\"sh -c 'echo out; echo err >&2; exit 3'\", 'cli', 3, 'ended', [])" ]]
	leave
	[[ ! -s $BATS_TEST_TMPDIR/watch.err ]]
}

@test "what runs already is told, what ended before is not" {
	"$WRIT" run -- true
	id=$("$WRIT" run --detach -- sh -c 'echo early; exec sleep 100')
	events --json
	wait_for is_true 'len(of("output")) == 1'
	[[ $(event '[x["run_id"] for x in of("started")]') == "['$id']" ]]
	"$WRIT" kill "$id"
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event 'e[-1]["outcome"], e[-1]["signal"]') == "('cancelled', 15)" ]]
	leave
}

@test "a run whose process is killed has an end" {
	events
	id=$("$WRIT" run --detach -- sleep 100)
	wait_for is_true 'len(of("started")) == 1'
	kill -9 "$(event 'e[0]["pid"]')"
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event 'e[-1]["state"], e[-1]["run_id"]') == "('lost', '$id')" ]]
	leave
}

@test "--agent tells nothing of others" {
	events --agent bob
	"$WRIT" run --agent eve -- true
	"$WRIT" run --agent bob -- true
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event '{x["agent"] for x in e}') == "{'bob'}" ]]
	leave
}

@test "what the policy and the walls refuse is told" {
	"$WRIT" run --sandbox readonly -- true || cannot "no walls here"
	make_project
	events
	run -125 "$WRIT" run -- rm -f x
	WRIT_POLICY=open run -1 "$WRIT" run --sandbox readonly -- mkdir "$PROJECT/sub"
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event '[(x["code"], x["command"]) for x in of("refused")]') == "[('denied', 'rm -f x')]" ]]
	[[ $(event '[(x["what"], x["wall"]) for x in of("ended")[0]["denials"]]') == "[('write', 'readonly')]" ]]
	leave
}

@test "questions are told, and their answers; who asks waits for them" {
	make_project
	events
	# No terminal, and no --ask-timeout: only the watcher makes it wait.
	"$WRIT" run -- touch made </dev/null >/dev/null 2>&1 3>&- &
	asker=$!
	wait_for is_true 'len(of("asked")) == 1'
	[[ $(event 'e[-1]["question"]["request"]["argv"]') == "['touch', 'made']" ]]
	"$WRIT" approvals approve "$(event 'of("asked")[0]["approval"]')"
	wait "$asker"
	[[ -e made ]]
	wait_for is_true 'len(of("ended")) == 1'
	[[ $(event '[(x["state"] in ("approved", "used"), x["answer"]["approved"]) for x in of("answered")]') == "[(True, True)]" ]]
	leave
}

@test "a trail that is replaced while it is watched is read anew" {
	events
	"$WRIT" run -- true
	wait_for is_true 'len(of("ended")) == 1'
	mv "$WRIT_STATE_DIR/audit" "$WRIT_STATE_DIR/old"
	"$WRIT" run -- true
	wait_for is_true 'len(of("ended")) == 2'
	rm -r "$WRIT_STATE_DIR/old"
	"$WRIT" run -- true
	wait_for is_true 'len(of("ended")) == 3'
	leave
}

@test "pruning while it is watched loses no event" {
	events
	run -0 "$WRIT" run -- echo first
	wait_for is_true 'len(of("ended")) == 1'
	run -0 --separate-stderr "$WRIT" audit prune --json --outputs-age 1ms
	[[ $(json "$output" 'd["outputs"]') == 1 ]] || show_run
	run -0 "$WRIT" run -- echo second
	wait_for is_true 'len(of("ended")) == 2'
	[[ $(event '[x["data"] for x in of("output")]') == "['first\n', 'second\n']" ]]
	leave
}

@test "the reader of the events may go away" {
	"$WRIT" run -- true
	run -141 bash -c 'set -o pipefail; "$WRIT" watch </dev/null | true'
}

@test "a reader that does not read does not hold Ctrl-C" {
	mkfifo pipe
	exec {held}<>pipe
	env --default-signal=INT "$WRIT" watch >pipe 2>/dev/null </dev/null 3>&- &
	WATCHER=$!
	wait_for attended
	"$WRIT" run -- head -c 1000000 /dev/zero >/dev/null
	is_stuck() { [[ $(cat "/proc/$WATCHER/wchan" 2>/dev/null) == *poll* ]]; }
	wait_for is_stuck
	leave
	exec {held}>&-
}

# bats test_tags=smoke
@test "a person sees runs, follows their output and reads how they ended" {
	window <<-'END'
		w = Window(WRIT, "watch")
		w.until("^  nothing has run here yet")
		assert w.is_alternate and not w.has_cursor
		p = begin("--agent", "bob", "--", "sh", "-c", "echo first; read x </dev/tty || sleep 100; exit 4")
		w.until("^> running +[0-9]+s +bob .*sh -c")
		w.until("^first$")
		w.until("walls: none, network host; by cli, process %d" % p.pid)
		w.type("\r")
		w.until("Esc back")
		w.type("\033")
		w.until("j/k choose")
		w.type("x")
		w.until("^End .* y: yes, other keys: no")
		w.type("n")
		w.until("j/k choose")
		assert p.poll() is None
		w.type("x")
		w.until("^End ")
		w.type("y")
		w.until("^> cancelled .*bob")
		p.wait()
		w.type("q")
		assert w.leaves() == 0
		assert not w.is_alternate and w.has_cursor and w.wraps
	END
}

@test "a person ends what an agent runs" {
	window <<-'END'
		import json
		agent = subprocess.Popen([WRIT, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		def say(**message):
		    agent.stdin.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
		    agent.stdin.flush()
		say(id=1, method="initialize", params={"protocolVersion": "2025-06-18", "capabilities": {},
		                                       "clientInfo": {"name": "t", "version": "1"}})
		say(method="notifications/initialized")
		say(id=2, method="tools/call", params={"name": "exec", "arguments": {"command": "echo here; sleep 1000"}})
		w = Window(WRIT, "watch")
		w.until("^> running .*sleep 1000")
		w.until("^here$")
		listens = "%s/attach/server-%d" % (os.environ["WRIT_STATE_DIR"], agent.pid)
		while not os.path.exists(listens):
		    time.sleep(0.01)
		w.type("x")
		w.until("^End .* y: yes, other keys: no")
		w.type("y")
		w.until("^> cancelled ")
		agent.stdout.readline()
		assert b"cancelled" in agent.stdout.readline()
		w.type("q")
		assert w.leaves() == 0
		agent.stdin.close()
		assert agent.wait() == 0
	END
}

@test "a question rings once, and is answered only where it was shown" {
	make_project
	window <<-'END'
		w = Window(WRIT, "watch")
		w.until("0 running")
		p = begin("--", "touch", "made")
		w.until("1 question waits")
		w.until("^  asks .*touch made")
		# No key of the list answers it.
		w.type("ysra")
		w.type("x")
		w.until("choose a run that is going on")
		assert p.poll() is None and not os.path.exists("made")
		w.type("w")
		w.until(r"\[y\] once")
		w.until("files are counted here")
		w.type("y")
		w.until("exit 0")
		assert p.wait() == 0 and os.path.exists("made")
		assert w.bells == 1, w.bells
		p = begin("--", "touch", "again")
		w.until("1 question waits")
		w.type("w")
		w.until(r"\[y\] once")
		# It is answered elsewhere meanwhile.
		listed = subprocess.run([WRIT, "approvals", "list", "--ids"], stdout=subprocess.PIPE, check=True)
		subprocess.run([WRIT, "approvals", "deny", listed.stdout.decode().strip()], check=True, stdout=subprocess.DEVNULL)
		w.until("question .*: denied")
		assert p.wait() == 125 and not os.path.exists("again")
		w.type("\003")
		assert w.leaves() == 130
	END
}

@test "output cannot draw over the view, set titles or hide the rest" {
	window <<-'END'
		bad = (r"\033[2J\033[1;1Hfake title\033[5;5H\033]0;t\007\033]52;c;eA==\007\033[6n\033[?1049l\033[?25h\033P+q\033\\"
		       r"\302\2332J\r\xe2\x80\xaeoverride\033[38:2:1:2:3mcolour\033[31")
		w = Window(WRIT, "watch", rows=20, columns=60)
		p = begin("--", "bash", "-c", "printf '%s'; echo; printf 'x%%.0s' {1..300}; echo; echo done; sleep 100" % bad)
		w.until("^done$")
		assert w.lines()[0].startswith("writ watch: 1 running"), w.text()
		assert w.lines()[-1].startswith("j/k choose"), w.text()
		assert w.is_alternate and not w.has_cursor
		assert any(line == "x" * 60 for line in w.lines()), w.text()
		assert not any("\u202e" in line for line in w.lines())
		w.type("q")
		assert w.leaves() == 0
		p.terminate()
		p.wait()
	END
}

@test "every size of the window will do, however fast it changes" {
	window <<-'END'
		p = begin("--", "sh", "-c", "seq 100; exec sleep 100")
		w = Window(WRIT, "watch", rows=20, columns=60)
		w.until("^100$")
		for i in range(200):
		    Seat.resize(w, 5 + i % 40, 20 + i * 7 % 150)
		w.resize(24, 80)
		# Frames for earlier sizes may still come.
		w.until(r"(?s)\Awrit watch: 1 running.*^100$.*^j/k choose[^\n]*\Z")
		for rows, columns in ((3, 20), (10, 40), (50, 200), (24, 80)):
		    w.resize(rows, columns)
		    w.until("writ watch: 1 runni")
		w.until("^100$")
		w.type("q")
		assert w.leaves() == 0
		p.terminate()
		p.wait()
	END
}

@test "kill -9 of the watcher gives the terminal back, and harms no run" {
	window <<-'END'
		p = begin("--", "sleep", "100")
		w = Window(WRIT, "watch")
		w.until("1 running")
		before = termios.tcgetattr(w.fd)[3]
		assert not before & termios.ICANON
		os.kill(w.pid, signal.SIGKILL)
		w.leaves()
		assert not w.is_alternate and w.has_cursor and w.wraps
		assert p.poll() is None
		assert len(run_ids()) == 1
		p.terminate()
		p.wait()
	END
}

@test "a terminal that cannot move its cursor gets lines" {
	make_project
	window <<-'END'
		os.environ["TERM"] = "dumb"
		s = Seat("env", "TERM=dumb", WRIT, "watch")
		s.waits_raw()
		p = begin("--", "true")
		s.sees(" started local: true")
		s.sees(" exit 0 local: true")
		p = begin("--", "touch", "made")
		s.sees("y. once")
		s.type("y")
		s.sees(" exit 0 local: touch made")
		p.wait()
		s.type("q")
		rest, status = s.rest()
		assert status == 0
		assert b"\033" not in rest, rest
	END
}

# bats test_tags=full
@test "two hundred runs at once are listed, and the chosen one stays chosen" {
	for ((i = 0; i < 200; i++)); do
		"$WRIT" run --sandbox none -- sh -c "echo number $i; until [ -e go ]; do sleep 0.3; done" >/dev/null </dev/null 3>&- &
	done
	window <<-'END'
		w = Window(WRIT, "watch")
		w.until("200 running", 90)
		number = w.until("^> running .*number ([0-9]+);").group(1)
		for _ in range(20):
		    w.type("j")
		    number = w.until("^> running .*number (?!%s;)([0-9]+);" % number).group(1)
		w.until("^number %s$" % number)
		open("go", "w").close()
		w.until("^writ watch: 0 running", 90)
		w.until("^> exit 0 .*number %s;" % number)
		w.until("^number %s$" % number)
		w.type("q")
		assert w.leaves() == 0
	END
	wait
}

@test "it waits without using the processor" {
	"$WRIT" run -- true
	events
	sleep 1
	read -r -a before <"/proc/$WATCHER/stat"
	sleep 2
	read -r -a after <"/proc/$WATCHER/stat"
	((after[13] + after[14] - before[13] - before[14] <= 1))
	leave
}
