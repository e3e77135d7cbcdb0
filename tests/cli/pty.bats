#!/usr/bin/env bats
# Commands with a terminal of their own.
# `run` sets output and stderr, the helpers the rest.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load asking

setup() {
	mkdir -p "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
}

# seat ARG...: what is on standard input, in Python, with a terminal at hand.
seat() {
	timeout -s KILL 100 env --default-signal=INT,QUIT,TSTP python3 -c "$(cat "$BATS_TEST_DIRNAME/seat.py" -)" "$@" </dev/null 3>&-
}

profiles=(none env readonly workspace strict)

# bats test_tags=smoke
@test "in every profile the three streams and /dev/tty are the terminal, and it has a name" {
	for profile in "${profiles[@]}"; do
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" --pty --rows 31 --columns 97 --stdin null -- \
			sh -c 'for i in 0 1 2; do test -t $i || exit 9; done; stty size; stty size </dev/tty; [ -c "$(tty)" ] && echo named; echo word >&2'
		[[ ${output//$'\r'/} == $'31 97\n31 97\nnamed\nword' ]] || show_run
		[[ -z $stderr ]] || show_run
	done
}

@test "a sandbox shows no other terminal than its own" {
	for profile in readonly workspace strict; do
		run -0 "$WRIT" run --sandbox "$profile" --pty --stdin null -- sh -c 'ls /dev/pts; tty; ps -e -o pid= | wc -l'
		[[ ${output//$'\r'/} == $'0\nptmx\n/dev/pts/0\n'* || ${output//$'\r'/} == $'0  ptmx\n/dev/pts/0\n'* ]] || show_run
	done
}

@test "nothing can be typed into a terminal from inside of a sandbox" {
	need perl
	for profile in readonly workspace strict; do
		run -0 "$WRIT" run --sandbox "$profile" --pty --stdin null -- \
			perl -e 'for my $n (0x5412, 0x541c, 0x100000000 | 0x5412) { my $x = "\x02"; print ioctl(STDIN, $n, $x) ? "typed" : $!{EPERM} ? "refused" : "other $!", "\n" }'
		[[ ${output//$'\r'/} == $'refused\nrefused\nrefused' ]] || show_run
	done
}

@test "the terminal of the caller is out of reach" {
	seat <<-'END'
		s = Seat(WRIT, "run", "--sandbox", "none", "--pty", "--", "sh", "-c",
		         "echo inside >/dev/tty; tty")
		outer = "/dev/pts/%d" % struct.unpack("i", fcntl.ioctl(s.fd, 0x80045430, b"\0" * 4))
		s.sees("inside")
		inner = s.sees(r"/dev/pts/\d+")
		assert inner != outer, (inner, outer)
		assert s.status() == 0
	END
}

@test "TERM is the caller's, or one that terminals have" {
	TERM=screen run -0 "$WRIT" run --pty --stdin null -- sh -c 'echo $TERM'
	[[ $output == screen* ]] || show_run
	for term in dumb '' ../../etc; do
		TERM=$term run -0 "$WRIT" run --pty --stdin null -- sh -c 'echo $TERM'
		[[ $output == xterm-256color* ]] || show_run
	done
	TERM=screen run -0 "$WRIT" run --pty -e TERM=vt100 --stdin null -- sh -c 'echo $TERM'
	[[ $output == vt100* ]] || show_run
	TERM=screen run -0 "$WRIT" run --stdin null -- sh -c 'echo $TERM'
	[[ $output == dumb ]] || show_run
	for mode in minimal clean isolated inherit; do
		TERM=dumb run -0 "$WRIT" run --env-mode "$mode" --pty --stdin null -- sh -c 'echo $TERM'
		[[ $output == xterm-256color* ]] || show_run
	done
}

@test "what comes on standard input is typed, and ends" {
	run -0 bash -c 'printf "one\ntwo" | timeout 20 "$WRIT" run --pty -- cat'
	[[ ${output//$'\r'/} == *$'one\n'*two* ]] || show_run
	run -3 bash -c 'echo "exit 3" | timeout 20 "$WRIT" run --pty -- bash --norc -i'
	run -0 timeout 20 "$WRIT" run --pty -- cat </dev/null
	run -0 timeout 20 "$WRIT" run --pty --stdin text:abc -- cat
	expect_in_stdout abc
	echo from a file >input
	run -0 timeout 20 "$WRIT" run --sandbox workspace --pty --stdin file:input -- cat
	expect_in_stdout "from a file"
}

@test "a long input arrives whole" {
	seq 1 30000 >numbers
	run -0 bash -c 'timeout 60 "$WRIT" run --pty -- sh -c "stty -echo; sleep 0.1; cat >copy" <numbers'
	cmp numbers copy
}

@test "the result has it all as standard output, and limits hold" {
	run -0 --separate-stderr "$WRIT" run --json --pty --stdin null -- sh -c 'echo out; echo err >&2'
	[[ $(json "$output" 'd["stdout"], d["stderr"], d["stdout_bytes"]') == "('out\\r\\nerr\\r\\n', '', 10)" ]] || show_run
	run -124 --separate-stderr "$WRIT" run --json --pty --timeout 200ms --grace 100ms -- sh -c 'echo soon; sleep 60' </dev/null
	[[ $(json "$output" 'd["outcome"], d["stdout"]') == "('timed_out', 'soon\\r\\n')" ]] || show_run
	run --separate-stderr "$WRIT" run --json --pty --max-output 10KiB --stdin null -- yes
	[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'output')" ]] || show_run
}

@test "a size without a terminal is refused" {
	run -125 --separate-stderr "$WRIT" run --rows 10 -- true
	expect_in_stderr "rows and columns are for a terminal, and there is none without pty"
	run -125 --separate-stderr "$WRIT" run --pty --columns 70000 -- true
	expect_in_stderr "columns: expected a whole number from 0 to 65535"
}

@test "every key is the command's, and the window is followed" {
	seat <<-'END'
		s = Seat(WRIT, "run", "--sandbox", "workspace", "--pty", "--", "bash", "--norc", "--noediting", "-i")
		s.sees("[#$] ")
		assert s.is_raw()
		s.type("stty size\r")
		s.sees("30 100")
		s.resize(41, 132)
		s.type("until [ \"$(stty size)\" = '41 132' ]; do sleep 0.05; done; echo fol''lowed\r")
		s.sees("followed")
		s.type("sh -c 'echo be\"\"gun; exec sleep 60'\r")
		s.sees("begun")
		s.type("\x03")
		s.sees("[#$] ")
		s.type("sh -c 'echo be\"\"gun; exec sleep 60'\r")
		s.sees("begun")
		s.type("\x1a")
		s.sees("Stopped")
		s.type("disown %1; exit 5\r")
		assert s.status() == 5
	END
}

@test "a size that was asked for stays" {
	seat <<-'END'
		s = Seat(WRIT, "run", "--pty", "--rows", "10", "--columns", "20", "--", "sh", "-c", "stty size; read x; stty size")
		s.sees("10 20")
		s.resize(41, 132)
		time.sleep(0.2)
		s.type("\r")
		s.sees("10 20")
		assert s.status() == 0
	END
}

@test "Ctrl-Z stops writ with its command, and fg lets both go on" {
	for options in "--sandbox workspace" "--sandbox none" "--sandbox none --tree pidns" "--sandbox none --tree keeper"; do
		# shellcheck disable=SC2086
		"$WRIT" run ${options} -- true || continue
		seat "$options" <<-'END'
			s = shell()
			s.type(WRIT + " run " + sys.argv[1] + " --pty -- cat\r")
			s.waits_raw()
			s.type("first\r")
			s.sees("first\r\nfirst\r\n")
			s.type("\x1a")
			s.sees("Stopped")
			s.waits_raw(False)
			s.type("echo sh''ell\r")
			s.sees("shell\r\n")
			s.resize(20, 70)
			s.type("fg\r")
			s.waits_raw()
			s.type("second\r")
			s.sees("second\r\nsecond\r\n")
			s.type("\x04")
			s.sees("PROMPT> ")
			s.type("echo st''atus $?; exit\r")
			s.sees("status 0")
			assert s.status() == 0
		END
	done
}

@test "what a command writes before it stops is on the screen before the shell is" {
	seat <<-'END'
		s = shell()
		s.type(WRIT + " run --pty -- sh -c 'seq 1 20000; echo la\"\"st; kill -TSTP $$; echo ba\"\"ck'\r")
		s.sees("last")
		s.sees("Stopped")
		s.type("fg\r")
		s.sees("back")
		s.sees("PROMPT> ")
	END
}

@test "that also holds when the screen is slow" {
	seat <<-'END'
		s = shell()
		s.type(WRIT + " run --pty -- sh -c 'seq 1 20000; echo la\"\"st; kill -TSTP $$; echo ba\"\"ck'\r")
		s.sees("17999\r\n")
		time.sleep(0.5)  # nobody reads: everything on the way is full
		s.sees("last")
		s.sees("Stopped")
		s.type("fg\r")
		s.sees("back")
		s.sees("PROMPT> ")
	END
}

@test "whoever stops writ itself gets the terminal, and gives it back" {
	seat <<-'END'
		s = shell()
		s.type(WRIT + " run --pty -- cat\r")
		s.waits_raw()
		s.type("first\r")
		s.sees("first\r\nfirst\r\n")
		os.kill(int(os.popen("pgrep -x writ -s %d" % s.pid).read().split()[0]), signal.SIGSTOP)
		s.sees("Stopped")
		s.waits_raw(False)
		s.type("fg\r")
		s.waits_raw()
		s.type("second\r")
		s.sees("second\r\nsecond\r\n")
		s.type("\x04")
		s.sees("PROMPT> ")
		assert not s.is_raw()
	END
}

@test "an editor can be left for the shell and come back to" {
	need vim.tiny
	seat <<-'END'
		s = shell()
		s.type(WRIT + " run --sandbox workspace --pty -- vim.tiny -u NONE -N -i NONE note\r")
		s.sees(r'"note" \[New\]')
		s.type("ihello\x1b")
		s.sees("hello")
		s.type("\x1a")
		s.sees("Stopped")
		s.resize(20, 70)
		s.type("fg\r")
		s.waits_raw()
		s.sees("hello")
		s.type(":set lines?\r")
		s.sees("lines=20")
		s.type(":set columns?\r")
		s.sees("columns=70")
		s.type(":wq\r")
		s.sees("PROMPT> ")
		assert open("note").read() == "hello\n"
	END
}

@test "where nobody could wake it a stopped command goes on" {
	seat <<-'END'
		s = Seat(WRIT, "run", "--pty", "--", "sh", "-c", "echo ready; read x; echo got $x")
		s.sees("ready")
		s.type("\x1a")
		s.type("on\r")
		s.sees("got on")
		assert s.status() == 0
	END
}

@test "however it ends the terminal is as it was" {
	seat <<-'END'
		for command, before, status in (
		        ("sh -c 'stty raw -echo; echo here; exit 3'", "", 3),
		        ("sh -c 'echo here; kill -SEGV $$'", "", 139),
		        ("sh -c 'echo here; sleep 60'", "kill -TERM $(pgrep -s 0 -x writ)", 143),
		        ("sh -c 'echo here; sleep 60'", "kill -INT $(pgrep -s 0 -x writ)", 130)):
		    s = shell()
		    if before:
		        s.type("(sleep 0.5; " + before + ") &\r")
		        s.sees("PROMPT> ")
		    s.type(WRIT + " run --pty -- " + command + "; echo st''atus $?\r")
		    s.sees("here")
		    s.sees("status %d" % status)
		    assert not s.is_raw()
		    s.type("exit\r")
		    s.status()
	END
}

@test "Ctrl-] three times is the way out, and three times more at once" {
	seat <<-'END'
		s = Seat(WRIT, "run", "--grace", "60s", "--pty", "--", "sh", "-c",
		         "trap '' INT QUIT TERM HUP TSTP; stty raw -echo; echo here; while :; do sleep 60; done")
		s.sees("here")
		s.type("\x03\x1c\x1a\x1d\x1dx\x1d")
		time.sleep(0.3)
		assert is_there(s.pid) and s.is_raw()
		s.type("\x1d\x1d\x1d")
		time.sleep(0.3)
		s.type("\x1d\x1d\x1d")
		assert s.status() == 137
	END
}

@test "a terminal that goes takes everything with it" {
	seat <<-'END'
		mark = "600%d" % os.getpid()
		s = Seat(WRIT, "run", "--grace", "200ms", "--pty", "--", "bash", "-c",
		         "nohup sleep %s >/dev/null 2>&1 & setsid sleep %s & sleep %s & kill -STOP $!; echo here; sleep %s" % ((mark,) * 4))
		s.sees("here")
		os.close(s.fd)
		os.waitpid(s.pid, 0)
		for pid in filter(str.isdigit, os.listdir("/proc")):
		    try:
		        words = open("/proc/%s/cmdline" % pid).read().split("\0")
		    except OSError:
		        continue
		    assert mark not in words, words
	END
}

@test "what has to be asked about is asked about first" {
	make_project
	seat <<-'END'
		s = Seat(WRIT, "run", "--pty", "--", "touch", "made")
		s.sees(r"\[y\] once")
		assert not os.path.exists("made")
		s.type("y")
		assert s.status() == 0
		assert os.path.exists("made")
	END
}

@test "a detached run can have a terminal, too" {
	id=$("$WRIT" run --detach --pty --rows 33 -- sh -c 'stty size; cat; echo over')
	run -0 "$WRIT" wait "$id"
	run -0 "$WRIT" output "$id"
	[[ ${output//$'\r'/} == $'33 80\nover' ]] || show_run
}

@test "the record says how large the terminal was, and a recording has that size" {
	run -0 --separate-stderr "$WRIT" run --json --pty --rows 12 --columns 34 --stdin null -- echo hello
	id=$(json "$output" 'd["run_id"]')
	run -0 "$WRIT" audit export --json "$id"
	[[ $(json "${lines[0]}" 'd["pty"]') == "{'rows': 12, 'columns': 34}" ]] || show_run
	run -0 "$WRIT" audit export --asciicast "$id"
	[[ $(json "${lines[0]}" 'd["width"], d["height"]') == "(34, 12)" ]] || show_run
	[[ ${lines[1]} == *'"hello\r\n"]' ]] || show_run
	run -0 "$WRIT" audit export --asciicast --size 50x20 "$id"
	[[ $(json "${lines[0]}" 'd["width"], d["height"]') == "(50, 20)" ]] || show_run
}

# What a hostile command writes: each piece of it makes a terminal do something.
# In the working directory as "hostile"; what is left of it is "text".
make_hostile() {
	python3 - <<-'END'
		pieces = [b"\033]52;c;AAAA\007", b"\033]0;title\007", b"\033]2;t\033\\", b"\033[6n", b"\033[c",
		          b"\033P$qm\033\\", b"\033[?2004h", b"\033[21t", b"\005", b"\033Z", b"\xc2\x9b5n", b"\xc2\x9d0;t\xc2\x9c"]
		drawing = [b"\033[?1049h", b"\033[2J", b"\033[1A", b"\033[H"]
		with open("hostile", "wb") as f:
		    f.write(b"".join(b"%d" % (i % 10) + piece for i, piece in enumerate(pieces + drawing)))
		    f.write(b"\033[31mred\033[0m \033]0;without an end\nlast\n")
		with open("text", "wb") as f:
		    f.write(b"".join(b"%d" % (i % 10) for i in range(len(pieces + drawing))))
		    f.write(b"\033[31mred\033[0m \nlast\n")
	END
}

# seat_hostile: with the helpers of the tests of hostile output.
seat_hostile() {
	seat < <(cat - <(echo) <<-'END'
		hostile = open("hostile", "rb").read()
		text = open("text", "rb").read()
		def shown(*argv, **how):
		    seen, status = Seat(*argv, **how).rest()
		    assert status == 0, (argv, status, seen)
		    return seen.replace(b"\r\n", b"\n")
		def expect(want, *argv):
		    seen = shown(*argv)
		    assert seen == want, (argv, seen, want)
	END
	cat "$BATS_TEST_TMPDIR/script")
}

@test "a terminal gets text and colours of live and kept output, and --raw all of it" {
	make_hostile
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		expect(text, WRIT, "run", "--", "cat", "hostile")
		expect(text, WRIT, "run", "--shell", "cat hostile >&2")
		expect(text, WRIT, "run", "--pty", "--stdin", "null", "--", "cat", "hostile")
		expect(hostile, WRIT, "run", "--raw", "--", "cat", "hostile")
		for args in (["output", "-"], ["audit", "replay", "-"], ["audit", "replay", "--safe", "-"]):
		    expect(text, WRIT, *args)
		expect(hostile, WRIT, "output", "--raw", "-")
		seen = shown(WRIT, "audit", "replay", "--raw", "-")
		assert seen.startswith(hostile), seen
	END
	seat_hostile
}

@test "each stream is made safe by where it goes; a pipe and a file get every byte" {
	make_hostile
	"$WRIT" run -- cat hostile | cmp - hostile
	"$WRIT" output - | cmp - hostile
	"$WRIT" audit replay - | cmp - hostile
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		expect(text, "sh", "-c", '"$0" run --shell "cat hostile; cat hostile >&2" >copy', WRIT)
		assert open("copy", "rb").read() == hostile
		expect(text, "sh", "-c", '"$0" run --shell "cat hostile; cat hostile >&2" 2>copy', WRIT)
		assert open("copy", "rb").read() == hostile
	END
	seat_hostile
}

@test "a sequence that is cut between two reads does not get through, and colours do not stay" {
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		cut = "printf 'a\\033'; sleep 0.05; printf ']52;c;'; sleep 0.05; printf 'AAAA\\033'; sleep 0.05; printf '\\\\b\\033[3'; sleep 0.05; printf '1mred\\n'"
		expect(b"ab\033[31mred\n\033[0m", WRIT, "run", "--shell", cut)
	END
	make_hostile
	seat_hostile
}

@test "writ call and writ apply make safe what a terminal gets" {
	make_hostile
	printf 'ccm:\n  resources:\n    - exec:\n        - cat hostile: { logoutput: true, cwd: %s }\n' "$PWD" >site.yaml
	export WRIT_MODULES=$BATS_TEST_TMPDIR/modules NO_COLOR=1
	mkdir -m 755 "$WRIT_MODULES"
	printf 'spec_version: "1.0"\nbindings:\n- module_id: my.show\n  target: "exec://%s hostile"\n  description: shows\n' "$(command -v cat)" \
		>"$WRIT_MODULES/my.binding.yaml"
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		expect(text, WRIT, "call", "my.show")
		expect(text, WRIT, "call", "--isolated", "--cwd", os.getcwd(), "my.show")
		expect(hostile, WRIT, "call", "--raw", "my.show")
		expect(hostile, WRIT, "call", "--isolated", "--cwd", os.getcwd(), "--raw", "my.show")
		for args in ([], ["--json"]):
		    seen = shown(WRIT, "apply", *args, "site.yaml").replace(b"    ", b"")
		    assert text in seen and b"\033]" not in seen, (args, seen)
		    seen = shown(WRIT, "apply", "--raw", *args, "site.yaml").replace(b"    ", b"")
		    assert hostile in seen, (args, seen)
	END
	seat_hostile
}

@test "a program that a person uses can draw, but nothing makes the terminal answer" {
	cat >"$BATS_TEST_TMPDIR/script" <<-'END'
		drawing = b"\033[?1049h\033[2J\033[3;4H\033[?25lx\r\b\033[K\033[?25h\033[?1049l"
		with open("drawing", "wb") as f:
		    f.write(drawing)
		with open("mixed", "wb") as f:
		    f.write(b"\033[6n\033]52;c;AAAA\007\033]0;t\007\033[c" + drawing + b"\033P+q544e\033\\\033[3J")
		expect(drawing, WRIT, "run", "--pty", "--", "cat", "mixed")
		mixed = open("mixed", "rb").read()
		expect(mixed, WRIT, "run", "--pty", "--raw", "--", "cat", "mixed")
		# What a program leaves behind when it is killed is put back.
		s = Seat(WRIT, "run", "--pty", "--", "sh", "-c", r"printf '\033[?1049h\033[?25l\033[?1000hx'; kill -9 $$")
		seen, status = s.rest()
		assert seen == b"\033[?1049h\033[?25l\033[?1000hx\033[?1049l\033[?25h\033[?1000l", seen
	END
	make_hostile
	seat_hostile
}

@test "--raw is for a person: not for an agent, and not beneath a run" {
	run -125 --separate-stderr "$WRIT" run --raw --agent bot -- true
	[[ $stderr == "writ: --raw is for a person, and an agent asked for this run" ]] || show_run
	run -125 --separate-stderr "$WRIT" run --sandbox none -- "$WRIT" run --raw -- true
	[[ $stderr == *"--raw is for a person at the command line, and this runs inside another writ run"* ]] || show_run
	run -2 --separate-stderr "$WRIT" audit replay --raw --safe -
	[[ $stderr == *"--raw and --safe cannot be used together"* ]] || show_run
	for words in run call apply output "ensure exec" "audit replay"; do
		# shellcheck disable=SC2086 # words
		run -0 "$WRIT" $words --help
		expect_in_stdout --raw
	done
}

# effects_of OPTION... -- WORD...: of that command.
effects_of() {
	json "$("$WRIT" run --dry-run --json "$@")" '" ".join(d["effects"])'
}

@test "what starts a pager on a terminal runs code there" {
	local line
	for line in "git branch" "git rev-parse HEAD" "git tag -l" "systemctl status" "journalctl -n 1" "dpkg -l" "apt list" "env git branch"; do
		# shellcheck disable=SC2086
		[[ $(effects_of --pty -- $line) == *code* ]] || { echo "$line is no code"; return 1; }
		# shellcheck disable=SC2086
		[[ $(effects_of -- $line) == read ]] || { echo "$line is more than reading"; return 1; }
	done
	for line in "git --no-pager branch" "git -P branch" "systemctl --no-pager status" "journalctl --no-pager -n 1" "dpkg --no-pager -l" "ls"; do
		# shellcheck disable=SC2086
		[[ $(effects_of --pty -- $line) == read ]] || { echo "$line is more than reading"; return 1; }
	done
	[[ $(effects_of --pty --shell "git branch") == *code* ]]
	[[ $(effects_of -- script -qc "git branch" /dev/null) == *code* ]]
}

@test "a repository's pager does not run where code is refused" {
	git init -q repo
	git -C repo config core.pager 'touch canary; cat'
	cd repo
	echo '{version: 1, sandbox: none, rules: [{allow: {effect: read}}, {deny: {effect: code}}]}' >../policy.yaml
	run -125 --separate-stderr "$WRIT" run --policy ../policy.yaml --pty -- git branch
	run -0 --separate-stderr "$WRIT" run --policy ../policy.yaml --pty -- git --no-pager branch
	run -0 --separate-stderr "$WRIT" run --policy ../policy.yaml -- git branch
	[[ ! -e canary ]]
}
