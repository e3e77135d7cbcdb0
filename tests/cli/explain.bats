#!/usr/bin/env bats
# bats file_tags=anyone
# writ module explain: what a command would do, for people and for programs.
# shellcheck disable=SC2154
load helpers

# Nothing of this machine is read or written.
setup() {
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	unset APCORE_EXTENSIONS_ROOT WRIT_MODULES
	cd "$BATS_TEST_TMPDIR" || return
}

# expect_json EXPRESSION: it is true of the last output.
expect_json() { [[ $(json "$output" "$1") == True ]] || show_run; }

explain() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" module explain "$@"
	[[ -z $stderr || $wanted == 2 ]] || show_run
}

# says TEXT: the verdict of the last one.
says() { [[ ${lines[0]} == "$1" ]] || show_run; }

# bats test_tags=smoke
@test "the first line is a verdict in words" {
	explain 0 -- cat a b
	says "reads a and b"
	explain 0 -- rm -rf build
	says "deletes build"
	explain 0 -- cp -r a b c d target
	expect_in_stdout "writes target"
	explain 0 -- cat a b c d e
	says "reads a, b and 3 more"
	explain 0 -- true
	says "touches nothing"
	explain 0 -- env PAGER=less git log
	# shellcheck disable=SC2016 # as it is printed
	expect_in_stdout 'runs code from $PAGER and more'
	explain 0 -- curl -o page.html https://example.com/
	expect_in_stdout "writes page.html; "
	expect_in_stdout "reaches example.com"
}

@test "each thing is told with the word that it comes from" {
	explain 0 -- sort -o out.txt notes.txt
	expect_in_stdout "sort -o out.txt notes.txt  [cli.sort]"
	[[ $output =~ writes\ +out.txt\ +word\ 2,\ output ]] || show_run
	[[ $output =~ reads\ +notes.txt\ +word\ 3,\ file ]] || show_run
}

@test "commands inside stand below those that run them" {
	explain 0 -- env -i A=1 timeout -k 1 5 rm -rf build
	says "deletes build"
	expect_in_stdout $'\n  runs: timeout -k 1 5 rm -rf build  [cli.timeout]\n    runs: rm -rf build  [cli.rm]\n      deletes '
	explain 0 -- find . -name '*.o' -exec rm -f '{}' ';'
	expect_in_stdout "runs (with {} replaced): rm -f '{}'"
	explain 0 -- xargs -n1 rm
	expect_in_stdout "runs (with more words): rm"
	explain 0 -- ssh host rm -rf /x
	expect_in_stdout "on another machine"
}

@test "a string for a shell is taken apart" {
	explain 0 --shell 'sort words | uniq -c > counts && rm words'
	expect_in_stdout "deletes words; writes counts; reads words"
	explain 0 -- sh -c 'cat a | tee b'
	says "writes b; reads a"
	# shellcheck disable=SC2016 # for the shell that never runs
	explain 0 --shell 'rm $(cat list)'
	expect_in_stdout "deletes what is known only when it runs"
	# shellcheck disable=SC2016 # likewise
	explain 1 --shell 'eval "$list"'
	[[ ${lines[0]} == "not understood: "* ]] || show_run
	expect_in_stdout "^"
}

@test "files of a host are not the host" {
	explain 0 -- rsync -a --delete src/ user@host:/srv/
	says "deletes files on host; publishes to host; reaches host; reads src/"
	explain 0 -- ssh host 'rm -rf /x'
	expect_in_stdout "runs (on another machine, by a shell there): rm -rf /x"
}

@test "the word at fault is marked, wherever it stands" {
	explain 1 -- sort --outp=x a
	expect_in_stdout $'\n  sort --outp=x a\n       ^^^^^^^^\n'
	expect_in_stdout "  try: write '--output'"
	explain 1 -- timeout 5
	expect_in_stdout $'\n  timeout 5\n            ^\n'
	explain 1 -- env -i timeout 5 sort --nosuch 'two words'
	expect_in_stdout $'\n  sort --nosuch \'two words\'\n       ^^^^^^^^\n'
	explain 1 -- sort 'two words' --nosuch
	expect_in_stdout $'\n  sort \'two words\' --nosuch\n                   ^^^^^^^^\n'
}

@test "what nobody has described is not understood" {
	explain 1 -- nosuchprogram a b
	says "not understood: no description of 'nosuchprogram'"
	expect_in_stdout "at least: executes nosuchprogram"
	expect_in_stdout "  try: describe it in 'nosuchprogram.command.yaml', see writ-command(5)"
	explain 1 -- ./configure
	expect_in_stdout "at least: runs code from ./configure"
	explain 1 -- timeout 5 nosuchprogram
	[[ ${lines[0]} == "not understood: "*nosuchprogram* ]] || show_run
	explain 1 -- /tmp/rm x
	explain 0 -- /bin/rm x
	says "deletes x"
}

@test "variables that are set count" {
	explain 0 -- ls
	[[ $output != *code* ]] || show_run
	explain 0 --env LD_PRELOAD=x.so -- ls
	# shellcheck disable=SC2016 # as it is printed
	expect_in_stdout 'runs code from $LD_PRELOAD'
	explain 0 -e A=1 -e B=2 -- ls
	[[ $output != *code* ]] || show_run
}

@test "secrets are not shown" {
	explain 0 -- curl -u joe:hunter2 -H 'Authorization: Bearer t0ken' https://example.com/
	[[ $output != *hunter2* && $output != *t0ken* ]] || show_run
	expect_in_stdout '***'
	explain 0 --json -- curl -u joe:hunter2 -H 'Authorization: Bearer t0ken' https://example.com/
	[[ $output != *hunter2* && $output != *t0ken* ]] || show_run
	expect_json 'd["secrets"] != []'
}

@test "JSON has all of it" {
	explain 0 --json -- timeout -k 1 5 rm -rf build
	expect_json 'd["argv"] == ["timeout", "-k", "1", "5", "rm", "-rf", "build"]'
	expect_json 'd["understood"] is True and d["module"] == "cli.timeout" and d["description"] == "builtin"'
	expect_json 'd["effects"] == ["delete"] and d["touches"] == []'
	expect_json 'd["runs"][0]["module"] == "cli.rm" and d["runs"][0]["word"] == 4'
	expect_json 'd["runs"][0]["touches"][0]["effect"] == "delete" and d["runs"][0]["touches"][0]["path"] == "build"'
	explain 1 --json -- sort --outp=x
	expect_json 'd["understood"] is False and d["reason"]["word"] == 1'
	expect_json '"output" in d["reason"]["message"] + str(d["reason"]["suggestion"])'
	explain 0 --json --shell 'ls | wc -l'
	expect_json 'd["shell"] == "ls | wc -l" and len(d["runs"]) == 2'
}

@test "words from elsewhere do nothing to a terminal" {
	explain 0 -- cat $'a\e[31mb' $'two\nlines' $'\xff\xfe'
	[[ $output != *$'\e'* ]] || show_run
	expect_in_stdout '\x1b[31m'
	expect_in_stdout '\n'
	explain 0 --json -- cat $'\xff\xfe'
	expect_json 'd["argv"][1] == {"b64": "//4="}'
}

@test "colours are for terminals only" {
	explain 0 -- rm x
	[[ $output != *$'\e'* ]] || show_run
	run -0 on_terminal "'$WRIT' module explain -- rm x"
	[[ $output == *$'\e['*deletes* ]] || show_run
	NO_COLOR=1 run -0 on_terminal "'$WRIT' module explain -- rm x"
	[[ $output != *$'\e['*deletes* ]] || show_run
}

@test "nothing is run and nothing is opened" {
	explain 0 -- touch made
	[[ ! -e made ]]
	explain 0 -- sh -c 'touch made'
	[[ ! -e made ]]
	need strace
	# Who is traced cannot look for leaks.
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 timeout -s KILL 20 \
		strace -f -o trace "$WRIT" module explain -- rm -rf some-thing
	# But for the words that it was started with.
	run -1 grep -v execve <(grep some-thing trace | grep -v '^[0-9 ]*write(1')
	[[ $(grep -c execve trace) == 1 ]]
}

@test "wrong usage is told" {
	explain 2
	expect_in_stderr "say which command"
	explain 2 --shell x -- ls
	expect_in_stderr "not both"
	explain 2 --env NAME -- ls
	expect_in_stderr "--env is NAME=VALUE"
	explain 2 --nosuch -- ls
	explain 2 --json
	expect_json 'd["error"]["code"] != ""'
}

@test "a hundred thousand words are no trouble" {
	python3 - "$WRIT" <<-'EOF2'
		import json, subprocess, sys, time
		began = time.monotonic()
		done = subprocess.run([sys.argv[1], "module", "explain", "--json", "--", "cat"] + ["f"] * 100000,
		                      capture_output=True, timeout=60)
		assert done.returncode == 0, done.stderr
		assert len(json.loads(done.stdout)["touches"]) > 0
		assert time.monotonic() - began < 20
	EOF2
}
