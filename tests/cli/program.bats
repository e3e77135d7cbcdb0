#!/usr/bin/env bats
# From a name to a program, and every way in which that fails.
load helpers
load running

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

script() { # NAME TEXT
	printf '%b' "$2" >"$1"
	chmod +x "$1"
}

# fails STATUS CODE MESSAGE WORD...: writ run of these words ends so, in words
# and in JSON.
fails() {
	run -"$1" --separate-stderr "$WRIT" run -- "${@:4}"
	expect_stdout ""
	expect_in_stderr "writ: "
	expect_in_stderr "$3"
	run -"$1" --separate-stderr "$WRIT" run --json -- "${@:4}"
	[[ $(json "$output" 'd["error"]["code"]') == "$2" ]] || show_run
}

# bats test_tags=smoke
@test "a name that is nowhere in PATH: 127" {
	fails 127 not_found "no program 'no-such-program' in PATH" no-such-program
}

@test "a path that leads nowhere: 127" {
	fails 127 not_found "no program at './nothing'" ./nothing
	fails 127 not_found "no program at '/nowhere/at/all'" /nowhere/at/all
	touch file
	fails 127 not_found "no program at './file/x'" ./file/x
	ln -s nothing dangling
	fails 127 not_found "no program at './dangling'" ./dangling
}

@test "a directory: 126" {
	mkdir dir
	fails 126 not_executable "'./dir' is a directory, not a program" ./dir
	fails 126 not_executable "'/' is a directory, not a program" /
}

@test "a file without the right to execute: 126, with the remedy" {
	echo 'echo x' >plain
	fails 126 not_executable "'./plain' is not an executable file" ./plain
	run -126 --separate-stderr "$WRIT" run -- ./plain
	expect_in_stderr "chmod +x"
}

@test "a file without any right: 126" {
	script secret '#!/bin/sh\necho ran\n'
	chmod 0 secret
	fails 126 not_executable "'./secret'" ./secret
}

@test "a program that may be executed but not read is run" {
	! is_root || skip "root reads every file"
	cp "$(type -P true)" blind
	chmod 111 blind
	run -0 --separate-stderr "$WRIT" run -- ./blind
	expect_stderr ""
}

@test "a script that may be executed but not read: its interpreter cannot either" {
	! is_root || skip "root reads every file"
	script blind '#!/bin/sh\necho ran\n'
	chmod 111 blind
	run --separate-stderr "$WRIT" run -- ./blind
	[[ $status == 126 || $status == 127 || $status == 2 ]] || show_run
	expect_stdout ""
	[[ -n $stderr ]]
}

@test "a device, a FIFO and a socket are no programs: 126" {
	mkfifo pipe
	chmod +x pipe
	fails 126 not_executable "'./pipe' is not an executable file" ./pipe
	fails 126 not_executable "'/dev/null' is not an executable file" /dev/null
}

@test "an empty file and one that is no program for this machine: 126" {
	script empty ''
	fails 126 not_executable "cannot execute './empty'" ./empty
	script text 'just some words\n'
	fails 126 not_executable "cannot execute './text': not a program for this machine" ./text
	script elf '\\x7fELF\\x02\\x01\\x01garbage and more of it, sixty four bytes at least, to be sure'
	fails 126 not_executable "cannot execute './elf'" ./elf
}

@test "a script without an interpreter line is not given to a shell" {
	script words 'touch ran\n'
	run -126 --separate-stderr "$WRIT" run -- ./words
	[[ ! -e ran ]]
}

@test "a script whose interpreter is missing, empty, a directory or not executable: 126" {
	script missing '#!/no/such/interpreter -x\necho ran\n'
	fails 126 not_executable "/no/such/interpreter" ./missing
	script none '#!\necho ran\n'
	fails 126 not_executable "script './none' names no interpreter" ./none
	script blank '#!   \necho ran\n'
	fails 126 not_executable "script './blank' names no interpreter" ./blank
	script dir '#!/tmp\necho ran\n'
	fails 126 not_executable "'./dir'" ./dir
	echo x >plain
	script other "#!$PWD/plain\necho ran\n"
	fails 126 not_executable "'./other'" ./other
}

@test "a script with Windows line ends: 126, and the message shows why" {
	script dos '#!/bin/sh\r\necho ran\r\n'
	fails 126 not_executable "'./dos'" ./dos
	run -126 --separate-stderr "$WRIT" run -- ./dos
	expect_in_stderr "CR LF"
	# The bare character would send the cursor over the message.
	[[ $stderr != *$'\r'* ]] || show_run
}

@test "scripts run: with and without an argument, blanks, and a script as interpreter" {
	script plain '#!/bin/sh\necho "plain $0 $*"\n'
	run -0 --separate-stderr "$WRIT" run -- ./plain a 'b c'
	[[ $output == "plain "*"/plain a b c" ]] || show_run
	script option '#! /bin/sh -e\nfalse\necho not reached\n'
	run -1 --separate-stderr "$WRIT" run -- ./option
	script inner "#!$PWD/plain\n"
	run -0 --separate-stderr "$WRIT" run -- ./inner
	[[ $output == "plain "*"/plain "*"/inner" ]] || show_run
	script unterminated '#!/bin/sh'
	run -0 --separate-stderr "$WRIT" run -- ./unterminated
}

@test "an empty name: 125" {
	fails 125 invalid "empty" ''
}

@test "a very long name: 127, and the message stays readable" {
	run -127 --separate-stderr "$WRIT" run -- "$(printf '%05000d' 0)"
	[[ $stderr == writ:* && ${#stderr} -lt 2000 ]] || show_run
	run -127 --separate-stderr "$WRIT" run -- "/$(printf '%0300d' 0)"
	expect_in_stderr "File name too long"
}

@test "an argument over the kernel's limit, and all of them together: 125 with the reason" {
	# 128 KiB is the most for one word; the command line of writ has the same
	# bound, so the words come by request.
	python3 -c 'import json; print(json.dumps({"argv": ["true", "x" * 200000]}))' >one
	python3 -c 'import json; print(json.dumps({"argv": ["true"] + ["x" * 100000] * 100}))' >all
	python3 -c 'import json; print(json.dumps({"argv": ["true"], "env": {"A": "x" * 200000}}))' >./env
	for request in one all env; do
		run -125 --separate-stderr "$WRIT" run --request "$request"
		expect_in_stderr "writ: the arguments and environment of 'true' are too long for the kernel"
		expect_in_stderr "try:"
	done
	too_long() {
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" --request all </dev/null >out
		take_report
		[[ $status == 125 ]] || show_report
		expect_nothing_left
		[[ $(json "$(<out)" 'd["error"]["code"]') == invalid ]]
	}
	each_hold too_long
}

@test "arguments pass literally: no shell, no splitting, no globbing" {
	# shellcheck disable=SC2016 # literal
	run -0 --separate-stderr "$WRIT" run -- printf '[%s]' '$HOME' '`id`' '*' 'a b' '' "it's" '"q"' '\n' ';' '|' '&' '>' $'new\nline' --
	# shellcheck disable=SC2016 # literal
	expect_stdout '[$HOME][`id`][*][a b][][it'"'"'s]["q"][\n][;][|][&][>][new'$'\n''line][--]'
}

@test "arguments that are no UTF-8 pass as they are" {
	[[ $("$WRIT" run -- printf '%s' $'\xff\xfe\x80' | od -An -tx1) == " ff fe 80" ]]
}

@test "a relative program is sought in --cwd, not where writ stands" {
	mkdir there
	script there/tool '#!/bin/sh\necho there\n'
	script tool '#!/bin/sh\necho here\n'
	run -0 --separate-stderr "$WRIT" run --cwd there -- ./tool
	expect_stdout there
	rm there/tool
	run -127 --separate-stderr "$WRIT" run --cwd there -- ./tool
}

@test "empty and relative elements of PATH never mean the working directory" {
	script ls '#!/bin/sh\necho evil\n'
	for path in ":/usr/bin:/bin" ".:/usr/bin:/bin" "/usr/bin:/bin:" "/nowhere::/usr/bin:/bin" "./:/usr/bin:/bin"; do
		run -0 --separate-stderr "$WRIT" run -e PATH="$path" -- ls -d /
		expect_stdout /
	done
	mv ls only-here
	run -127 --separate-stderr "$WRIT" run -e PATH=:.: -- only-here
	run -127 --separate-stderr "$WRIT" run -e PATH= -- true
}

@test "what cannot be executed early in PATH does not hide what can later" {
	mkdir first second
	echo x >first/tool
	mkdir second/tool
	mkdir third
	script third/tool '#!/bin/sh\necho third\n'
	run -0 --separate-stderr "$WRIT" run -e PATH="$PWD/first:$PWD/second:$PWD/third:/usr/bin:/bin" -- tool
	expect_stdout third
	run -126 --separate-stderr "$WRIT" run -e PATH="$PWD/first:$PWD/second" -- tool
}

@test "--shell runs /bin/sh, whatever PATH says" {
	mkdir bin
	script bin/sh '#!/bin/true\n'
	run -7 --separate-stderr "$WRIT" run -e PATH="$PWD/bin:/usr/bin:/bin" --shell 'echo "$0" | cat; exit 7'
	expect_stdout sh
}

@test "a program that somebody is writing to: 126" {
	cp "$(type -P true)" busy
	exec 8>>busy
	run --separate-stderr "$WRIT" run -- ./busy
	exec 8>&-
	[[ $status == 126 ]] || show_run
	expect_in_stderr "Text file busy"
	run -0 --separate-stderr "$WRIT" run -- ./busy
}

same_status() {
	script missing '#!/no/such/interpreter\n'
	run -127 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- no-such-program
	run -126 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- ./missing
	script text 'words\n'
	run -126 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- ./text
	script good '#!/bin/sh\nexit 9\n'
	run -9 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- ./good
}

@test "the statuses are the same under every hold" {
	each_hold same_status
}

@test "a start that fails leaves nothing, under any hold" {
	script text 'words\n'
	nothing_after_failure() {
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- ./text </dev/null 2>/dev/null
		take_report
		[[ $status == 126 && $zombies == 0 ]] || show_report
		expect_nothing_left
	}
	each_hold nothing_after_failure
}
