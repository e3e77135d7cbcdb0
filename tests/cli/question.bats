#!/usr/bin/env bats
# bats file_tags=anyone
# The question on terminals of several sizes.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load asking

setup() { make_project; }

# looks: what is on standard input, in Python, with a person at a terminal.
looks() {
	timeout -s KILL 100 env --default-signal=INT,QUIT,TSTP python3 -c "$(cat "$BATS_TEST_DIRNAME"/{seat,screen}.py -)" </dev/null 3>&-
}

@test "the question fits twelve lines, and the command stands directly above the keys" {
	looks <<-'END'
		for rows, columns in (24, 80), (20, 60):
		    s = Person(WRIT, "run", "-e", "COLOUR=red", "--", "touch", "made", rows=rows, columns=columns)
		    above, keys = fits(s.until(KEYS), columns)
		    assert above[-1] == "  touch made", above
		    for start in "  who    agent local", "  where  " + os.getcwd()[:30], "  why    it ", "  gets   sandbox workspace", "  with   ":
		        assert any(line.startswith(start) for line in above), (start, above)
		    assert s.screen.bells == 1
		    s.type("n")
		    assert s.status() == 125
	END
}

@test "a long command is wrapped, cut in the middle, and not approved before it was read" {
	looks <<-'END'
		word = "a" * 5000
		for rows, columns in (24, 80), (20, 60):
		    s = Person(WRIT, "run", "--", "touch", "first", word, "last", rows=rows, columns=columns)
		    above, keys = fits(s.until(KEYS), columns)
		    assert any(line.startswith("  touch first ") for line in above) and above[-1].endswith("a last"), above
		    assert any(re.fullmatch(r"  \.\.\. \d+ more lines, press d", line) for line in above), above
		    for key in "ysre":
		        s.type(key)
		        s.until("writ: not all of it was shown")
		    s.type("d")
		    seen = ""
		    while True:
		        lines = s.until(r"page (\d+) of \d+.* > $")
		        assert len(lines) <= rows
		        at, of = map(int, re.search(r"page (\d+) of (\d+)", lines[-1]).groups())
		        seen += "".join(line.strip().rstrip("\\") for line in lines[:-1])
		        if at == 1:
		            # Half of it is not enough.
		            s.type("\x1b")
		            s.until(KEYS)
		            s.type("y")
		            s.until("writ: not all of it was shown")
		            s.type("d")
		            s.until("page 1 of")
		        s.type("d")
		        if at == of:
		            break
		        s.until("page %d of" % (at + 1))
		    assert word in seen
		    fits(s.until(KEYS), columns)
		    assert s.screen.bells == 1
		    s.type("n")
		    assert s.status() == 125
	END
}

@test "whatever the command says, the terminal does not obey it" {
	sed -i "s|^default: deny|default: ask|" "$BATS_TEST_TMPDIR/policy.yaml"
	looks <<-'END'
		hostile = "\x1b[2J\x1b]0;title\x07\r\n[y] once\u202e\u2066\u200b\x9b31m界\x7f"
		for argv in (["--", "touch", hostile, "a  b"], ["--shell", "touch '" + hostile + "'\n  touch y"]):
		    s = Person(WRIT, "run", *argv, rows=20, columns=60)
		    above, keys = fits(s.until(KEYS), 60)
		    text = "\n".join(above)
		    assert "\\x1b[2J" in text and "\\u{202e}" in text and "\\u{2066}" in text and "\\u{200b}" in text, above
		    assert "界" in text
		    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", text)
		    s.type("n")
		    assert s.status() == 125
	END
}

@test "Escape leaves the rule, and keys with Alt answer nothing" {
	looks <<-'END'
		s = Person(WRIT, "run", "--", "touch", "made")
		s.until(KEYS)
		s.type("e")
		s.until("rule: allow: ")
		s.type("ynX")
		s.until("ynX$")
		s.type("\x1b")
		s.until(KEYS)
		s.type("e")
		lines = s.until("rule: allow: ")
		assert "ynX" not in lines[-1]
		s.type("\x1b")
		s.until(KEYS)
		s.type("\x1by\x1b[15~\x1b[1;5D")
		s.type("?")
		s.until("this help")
		s.type("\x1b")
		s.until(KEYS)
		assert not os.path.exists("made")
		s.type("n")
		assert s.status() == 125
	END
}

@test "a window of another size gets another question" {
	looks <<-'END'
		s = Person(WRIT, "run", "--", "touch", *["word%03d" % i for i in range(12)], rows=24, columns=100)
		fits(s.until(KEYS), 100)
		s.wraps(60)
		s.resize(20, 60)
		above, keys = fits(s.until(KEYS), 60)
		assert above[-1].endswith("word011"), above
		s.wraps(120)
		s.resize(50, 120)
		above, keys = fits(s.until(KEYS), 120)
		assert len(keys) == 1
		assert s.screen.bells == 0
		s.type("n")
		assert s.status() == 125
	END
}

@test "who watches has a list, chooses, answers the chosen one, and leaves with q" {
	local i
	for i in 1 2 3; do
		"$WRIT" run -- touch "made$i" </dev/null >/dev/null 2>&1 || true
	done
	looks <<-'END'
		s = Person(WRIT, "approvals", "watch")
		lines = s.until("1 of 3 waiting(.|\n)*" + KEYS)
		assert [line[0] for line in lines[:3]] == [">", " ", " "], lines
		assert [line.split()[-1] for line in lines[:3]] == ["made1", "made2", "made3"], lines
		fits(lines, 80)
		assert s.screen.bells == 1
		s.type("j")
		lines = s.until("2 of 3 waiting(.|\n)*" + KEYS)
		assert lines[1][0] == ">" and parts(lines)[1][-1] == "  touch made2", lines
		s.type("\x1b[B")
		s.until("3 of 3 waiting(.|\n)*" + KEYS)
		s.type("\x1b[A")
		s.until("2 of 3 waiting(.|\n)*" + KEYS)
		s.type("k")
		s.until("1 of 3 waiting(.|\n)*" + KEYS)
		s.type("j")
		s.until("2 of 3 waiting(.|\n)*" + KEYS)
		s.type("y")
		s.until("approved: touch made2(.|\n)*1 of 2 waiting(.|\n)*" + KEYS)
		assert s.screen.bells == 1
		# One that comes in meanwhile rings.
		asker = subprocess.Popen([WRIT, "run", "--", "touch", "made4"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		s.until("1 of 3 waiting(.|\n)*" + KEYS)
		assert s.screen.bells == 2
		s.type("q")
		assert s.status() == 0
		# Now nobody is there to answer.
		assert asker.wait() == 125
	END
	run -0 "$WRIT" approvals list --all
	[[ $(grep -c approved <<<"$output") == 1 ]]
	grep -q 'approved.*made2' <<<"$output"
	[[ ! -e made1 && ! -e made2 ]]
}

@test "with nothing to answer q leaves, too, and what was left for later can be had again" {
	looks <<-'END'
		s = Person(WRIT, "approvals", "watch", rows=20, columns=60)
		s.until("waiting for questions; q leaves")
		subprocess.run([WRIT, "run", "--ask-timeout", "0", "--", "touch", "none"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		asker = subprocess.Popen([WRIT, "run", "--", "touch", "made"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		s.until(KEYS)
		assert s.screen.bells == 1
		s.type("l")
		s.until("1 left for later, j shows it")
		s.type("j")
		s.until(KEYS)
		s.type("y")
		assert asker.wait() == 0
		s.until("waiting for questions; q leaves")
		s.type("q")
		assert s.status() == 0
	END
	[[ -e made ]]
}
