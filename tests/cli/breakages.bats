#!/usr/bin/env bats
# bats file_tags=anyone
# How running commands for others went wrong elsewhere, and does not here. Each
# test runs the real program of its story.
#
# Not here, because they belong to other parts: what a scanner makes of help
# texts (subcommands, coverage, probing of unknown programs), rules and
# approvals (who may call what with which arguments, generated rule files,
# prompts), and servers (identities and roles, alias routing, health).
load helpers
load modules
load running

setup() {
	modules_setup
	script_argv
	# Programs look for a name and an address, tests must not depend on one.
	export GIT_CONFIG_GLOBAL=$BATS_TEST_TMPDIR/gitconfig
	printf '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n' >"$GIT_CONFIG_GLOBAL"
}

repository() {
	need git
	git init -q repo
	git -C repo commit -q --allow-empty -m start
}

bind_git_commit() {
	bind cli.git.commit 'exec:///usr/bin/git commit' \
		"$(properties '"message":{"type":"string","x-apexe-flag":"-m"},"allow_empty":{"type":"boolean"}')" \
		'env_pass: [GIT_CONFIG_GLOBAL]'
}

# ---- structured output

@test "structured output is not dead: a json flag is used and what it yields is parsed" {
	script tool 'case $1 in --json) echo "{\"args\":\"$*\"}";; *) echo plain;; esac'
	bind cli.tool "exec://$BIN/tool" '' 'metadata: {json_flag: "--json"}'
	call 0 cli.tool
	expect_json 'd["json_output"]["args"] == "--json"'
}

@test "a json flag does not end up behind the operands or behind '--'" {
	bind cli.argv "exec://$BIN/argv" \
		"$(properties '"verbose":{"type":"boolean"},"file":{"type":"array","items":{"type":"string"},"x-apexe-positional":0}' '"x-apexe-end-of-options":true')" \
		'json_flag: [--format, json]'
	call 0 cli.argv '{"file":["-x","b"],"verbose":true}'
	expect_words '["--verbose","--format","json","--","-x","b"]'
}

@test "JSON that is an array, or a value a line, is structured output too" {
	script list 'echo "[1,2]"'
	script lines 'printf "{\"n\":1}\n{\"n\":2}\n"'
	script broken 'echo "{"'
	bind cli.list "exec://$BIN/list" '' 'output: {as: json}'
	bind cli.lines "exec://$BIN/lines" '' 'output: {as: json}'
	bind cli.broken "exec://$BIN/broken" '' 'output: {as: json}'
	call 0 cli.list
	expect_json 'd["json_output"] == [1, 2]'
	call 0 cli.lines
	expect_json 'd["json_output"] == [{"n": 1}, {"n": 2}]'
	call 0 cli.broken
	expect_json 'd["stdout"] == "{\n" and d.get("json_output") is None and d["json_error"] != ""'
}

# ---- output and its end

@test "a flood of output does not turn success into a timeout, nor lose what came" {
	bind cli.seq exec:///usr/bin/seq "$(properties '"last":{"type":"integer","x-apexe-positional":0}')"
	call 0 --timeout 60s cli.seq '{"last":3000000}'
	expect_json 'd["outcome"] == "exited" and d["exit_code"] == 0'
	expect_json 'd["stdout_bytes"] == 22888896 and d["stdout_truncated"]'
	expect_json 'd["stdout"].startswith("1\n2\n") and d["stdout"].endswith("\n3000000\n")'
}

@test "a timeout does not throw away what was written until then" {
	script slow 'echo partial; echo warning >&2; sleep 1000'
	bind cli.slow "exec://$BIN/slow" ''
	call 124 --timeout 500ms cli.slow
	expect_json 'd["outcome"] == "timed_out" and d["stdout"] == "partial\n" and d["stderr"] == "warning\n"'
}

@test "a timeout does not leave grandchildren, whatever they did to get away" {
	# shellcheck disable=SC2016 # for the script
	script spread '
setsid sh -c "trap \"\" TERM HUP; exec 9>>lock; flock 9; touch held; sleep 1000 & wait" &
while ! test -e held; do sleep 0.02; done; echo up; sleep 1000'
	bind cli.spread "exec://$BIN/spread" ''
	touch lock
	call 124 --timeout 1s --grace 200ms cli.spread
	expect_json 'd["stdout"] == "up\n" and d["killed"] > 0'
	[[ -e held ]]
	nothing_holds lock
}

@test "a background grandchild that holds stdout does not hold the call" {
	local began
	script leaves 'sleep 1000 & echo done'
	bind cli.leaves "exec://$BIN/leaves" ''
	began=$(now_ms)
	call 0 --timeout 60s cli.leaves
	expect_json 'd["outcome"] == "exited" and d["stdout"] == "done\n" and d["killed"] == 1'
	within 3000 $(($(now_ms) - began)) "the call"
}

@test "a death by signal does not become a bare -1" {
	script dies 'kill -SEGV $$'
	bind cli.dies "exec://$BIN/dies" ''
	call 139 cli.dies
	expect_json 'd["outcome"] == "signaled" and d["signal"] == "SIGSEGV" and d["exit_code"] == -1'
}

@test "output that is not UTF-8 does not lose a byte" {
	script bytes "printf '\\377\\000\\200x'"
	bind cli.bytes "exec://$BIN/bytes" ''
	call 0 cli.bytes
	[[ $(json "$output" '__import__("base64").b64decode(d["stdout"]["b64"]).hex()') == ff008078 ]] || show_run
	[[ $("$WRIT" call cli.bytes | od -An -tx1 | tr -d ' \n') == ff008078 ]]
}

@test "a running call does not keep its output to itself, and can be ended" {
	script ticks 'echo tick; sleep 1000'
	bind cli.ticks "exec://$BIN/ticks" ''
	"$WRIT" call cli.ticks >out 2>err 3>&- &
	local pid=$! code=0
	wait_for grep -q tick out
	kill -TERM $pid
	wait $pid || code=$?
	[[ $code == 143 ]] || { cat err >&2; false; }
}

# ---- values arrive as they are

@test "a value of several lines is not refused" {
	repository
	bind_git_commit
	call 0 --cwd repo cli.git.commit '{"allow_empty":true,"message":"Subject\n\nBody with \"quotes\", '"'"'these'"'"' and $HOME\n"}'
	[[ $(git -C repo log -1 --format=%B) == $'Subject\n\nBody with "quotes", \'these\' and $HOME' ]]
	bind cli.argv "exec://$BIN/argv" "$(properties '"text":{"type":"string"}')"
	call 0 cli.argv '{"text":"a\nb\rc\u2028d\u2029e\u0085f\tg"}'
	expect_words '["--text","a\nb\rc\u2028d\u2029e\u0085f\tg"]'
}

@test "a value that begins with a dash reaches the program" {
	repository
	bind_git_commit
	call 0 --cwd repo cli.git.commit '{"allow_empty":true,"message":"- an item"}'
	[[ $(git -C repo log -1 --format=%s) == '- an item' ]]

	printf -- '-x\ny\n' >text
	bind cli.grep exec:///usr/bin/grep "$(properties '"pattern":{"type":"string","x-apexe-flag":"-e"},"file":{"type":"string","x-apexe-positional":0,"x-apexe-path":true}')"
	call 0 --cwd . cli.grep '{"pattern":"-x","file":"text"}'
	expect_json 'd["stdout"] == "-x\n"'

	seq 8 >numbers
	bind cli.head exec:///usr/bin/head "$(properties '"lines":{"type":["string","integer"],"x-apexe-flag":"-n"},"file":{"type":"string","x-apexe-positional":0,"x-apexe-path":true}')"
	call 0 --cwd . cli.head '{"lines":"-5","file":"numbers"}'
	expect_json 'd["stdout"] == "1\n2\n3\n"'
	call 0 --cwd . cli.head '{"lines":-5,"file":"numbers"}'
	expect_json 'd["stdout"] == "1\n2\n3\n"'
}

@test "a file that is called like an option is not taken for one" {
	echo keep >other
	: >-f
	bind cli.rm exec:///bin/rm "$(properties '"file":{"type":"array","items":{"type":"string"},"x-apexe-positional":0,"x-apexe-path":true}')"
	call 0 --cwd . cli.rm '{"file":["-f"]}'
	[[ ! -e ./-f && -e other ]]
	: >-rf
	bind cli.rm exec:///bin/rm "$(properties '"file":{"type":"array","items":{"type":"string"},"x-apexe-positional":0}' '"x-apexe-end-of-options":true')"
	call 0 --cwd . cli.rm '{"file":["-rf"]}'
	[[ ! -e ./-rf && -e other ]]
}

@test "an operand that would be taken for an option is not passed on in hope" {
	: >file
	bind cli.ls exec:///bin/ls "$(properties '"file":{"type":"string","x-apexe-positional":0}')"
	call 125 --cwd . cli.ls '{"file":"--help"}'
	expect_error invalid file "'--help'"
}

@test "find with path -delete deletes nothing" {
	local input
	bind cli.find exec:///usr/bin/find "$(properties '"path":{"type":"array","items":{"type":"string"},"x-apexe-positional":0,"x-apexe-operand-position":"before-flags","x-apexe-path":true},"name":{"type":"string","x-apexe-flag":"-name"}' '"x-apexe-end-of-options":true')"
	mkdir tree
	: >tree/a
	for input in '["-delete"]' '["."," -delete"]' '["(","-delete",")"]' '["!","-delete"]' '["-exec","rm","{}",";"]' '["--","-delete"]' '[",","-delete"]'; do
		run --separate-stderr timeout -s KILL 60 "$WRIT" call --json --cwd tree cli.find "{\"path\":$input}"
		[[ -e tree/a ]] || show_run
	done
	mkdir tree/-delete
	call 0 --cwd tree cli.find '{"path":["-delete"]}'
	expect_json 'd["stdout"] == "./-delete\n"'
	[[ -e tree/a ]]
}

@test "a number does not become a text, nor lose its digits" {
	script copy cat
	bind cli.copy "exec://$BIN/copy" "$(properties '"a":{"type":"integer"},"b":{"type":"number"}')" 'input: {as: json}'
	run -0 --separate-stderr "$WRIT" call cli.copy --a 5 --b 2.50
	[[ $(json "$output" 'd == {"a": 5, "b": 2.5} and type(d["a"]) == int') == True ]] || show_run
	bind cli.argv "exec://$BIN/argv" "$(properties '"n":{"type":"integer"},"x":{"type":"number"}')"
	call 0 cli.argv '{"n":12345678901234567890123,"x":-0.5}'
	expect_words '["--n","12345678901234567890123","--x","-0.5"]'
}

# ---- the command line

@test "a program or a word with a blank does not fall apart" {
	mkdir "$BIN/my tools"
	cp "$BIN/argv" "$BIN/my tools/arg v"
	bind cli.blank '' '' "argv: [\"$BIN/my tools/arg v\", \"two words\", \"\"]"
	call 0 cli.blank
	expect_words '["two words",""]'
}

@test "options of more than one word are not beyond a module" {
	bind cli.jq "exec://$BIN/argv" "$(properties '"arg":{"type":"array","items":{"type":"array","items":{"type":"string"}},"x-apexe-flag":"--arg","x-writ-arity":2},"filter":{"type":"string","x-apexe-positional":0}')"
	call 0 cli.jq '{"arg":[["k","v 1"],["l","-2"]],"filter":".a | $k"}'
	expect_words '["--arg","k","v 1","--arg","l","-2",".a | $k"]'
}

@test "the order of the input's keys does not decide the order of the words" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"directory":{"type":"string","x-apexe-flag":"-C"},"extract":{"type":"boolean","x-apexe-flag":"-x"},"file":{"type":"string","x-apexe-flag":"-f"}')"
	call 0 cli.argv '{"file":"f","extract":true,"directory":"d"}'
	expect_words '["-C","d","-x","-f","f"]'
	call 0 cli.argv '{"directory":"d","file":"f","extract":true}'
	expect_words '["-C","d","-x","-f","f"]'
}

@test "an order that matters is not beyond a module: options can be interleaved" {
	bind cli.ffmpeg "exec://$BIN/argv" "$(properties '"input":{"type":"string","x-apexe-flag":"-i"},"time":{"type":"integer","x-apexe-flag":"-t"},"steps":{"type":"array","items":{"type":"object"},"x-writ-sequence":true}')"
	call 0 cli.ffmpeg '{"steps":[{"input":"a"},{"time":5},{"input":"b"}]}'
	expect_words '["-i","a","-t","5","-i","b"]'
}

@test "a conflict is not overlooked for being declared on one side only" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"a":{"type":"boolean"},"b":{"type":"boolean","x-apexe-conflicts-with":["a"]},"c":{"type":"boolean","x-apexe-conflicts-with":["d"]},"d":{"type":"boolean"}')"
	call 125 cli.argv '{"a":true,"b":true}'
	expect_error invalid "'a'" "'b'"
	call 125 cli.argv '{"c":true,"d":true}'
	expect_error invalid "'c'" "'d'"
	call 0 cli.argv '{"a":true,"b":false,"d":true}'
	expect_words '["--a","--d"]'
}

@test "what an argument needs is not left to the program" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"user":{"type":"string"},"password":{"type":"string","x-writ-requires":["user"]}')"
	call 125 cli.argv '{"password":"x"}'
	expect_error invalid "'password'" "'user'"
}

@test "an option that takes a value does not swallow the next one" {
	bind cli.curl "exec://$BIN/argv" "$(properties '"proxy":{"type":"string"},"connect_timeout":{"type":"integer"}')"
	call 125 cli.curl '{"proxy":true,"connect_timeout":3}'
	expect_error invalid proxy
	call 0 cli.curl '{"proxy":"","connect_timeout":3}'
	expect_words '["--proxy","","--connect-timeout","3"]'
}

@test "a value is not attached to its option, and a short one has no two dashes" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"max_time":{"type":"integer","x-apexe-flag":"--max-time"},"long":{"type":"boolean","x-apexe-flag":"-l"},"maxdepth":{"type":"integer","x-apexe-flag":"-maxdepth"},"color":{"type":["string","boolean"],"x-apexe-flag":"--color","x-apexe-value-optional":true}')"
	call 0 cli.argv '{"max_time":5,"long":true,"maxdepth":2,"color":"never"}'
	expect_words '["--max-time","5","-l","-maxdepth","2","--color=never"]'
	call 0 cli.argv '{"color":true}'
	expect_words '["--color"]'
}

@test "the tool is not named twice, and its global options come before the subcommand" {
	repository
	bind cli.git.log 'exec:///usr/bin/git log' "$(properties '"git_dir":{"type":"string","x-apexe-flag":"-C","x-apexe-flag-position":"before-subcommand"},"format":{"type":"string","x-writ-attach":"equals"}')"
	call 0 cli.git.log "{\"git_dir\":\"$PWD/repo\",\"format\":\"%s\"}"
	expect_json 'd["stdout"].strip() == "start"'
	run -0 --separate-stderr "$WRIT" call --preview --json cli.git.log '{"git_dir":"x"}'
	expect_json 'd["argv"] == ["/usr/bin/git", "-C", "x", "log"]'
}

@test "what is listed can be called, whatever its command is called" {
	bind cli.git.cherry_pick "exec://$BIN/argv cherry-pick" ''
	bind cli.git.t2 "exec://$BIN/argv 2" ''
	run -0 --separate-stderr "$WRIT" module list --ids --no-builtin
	expect_stdout $'cli.git.cherry_pick\ncli.git.t2'
	for id in $output; do
		"$WRIT" call "$id" >/dev/null
	done
}

# ---- where and with what

@test "a call has a directory, an input and variables of its own" {
	script where 'pwd; cat; echo "$PROFILE"'
	bind cli.where "exec://$BIN/where" ''
	mkdir sub
	call 0 --cwd sub --stdin text:fed --env PROFILE=mine cli.where
	expect_json "d['stdout'] == '$PWD/sub\nfedmine\n'"
	script where 'echo "$KUBECONFIG"'
	KUBECONFIG=here call 0 --pass KUBECONFIG cli.where
	expect_json 'd["stdout"] == "here\n"'
}

@test "a variable that is not UTF-8 does not matter" {
	bind cli.true exec:///bin/true ''
	export BAD=$'\xff\xfe' APCORE_BAD=$'\xff'
	call 0 cli.true
	call 0 --isolated cli.true
	call 0 --env-mode inherit cli.true
}

@test "variables that make programs run code do not pass" {
	script show 'echo "[$BASH_ENV$GIT_SSH_COMMAND$SECRET_TOKEN]"'
	bind cli.show "exec://$BIN/show" ''
	export BASH_ENV=/x GIT_SSH_COMMAND=y SECRET_TOKEN=z
	call 0 cli.show
	expect_json 'd["stdout"] == "[]\n"'
}

@test "a program without the right to be executed is not called denied or missing" {
	script tool 'echo never'
	chmod 644 "$BIN/tool"
	bind cli.tool "exec://$BIN/tool" ''
	call 126 cli.tool
	expect_error not_executable tool
}

@test "a module that may never end by itself does not run for ever" {
	: >log
	echo line >>log
	bind cli.tail exec:///usr/bin/tail "$(properties '"follow":{"type":"boolean","x-apexe-flag":"-f","x-apexe-long-running":true},"file":{"type":"string","x-apexe-positional":0,"x-apexe-path":true}')" 'timeout: 1s'
	call 124 --cwd . cli.tail '{"follow":true,"file":"log"}'
	expect_json 'd["outcome"] == "timed_out" and d["stdout"] == "line\n" and d["timeout_ms"] == 1000'
}

# ---- what a module is

@test "a module is not harmless for its name" {
	bind cli.env exec:///usr/bin/env ''
	bind cli.git.diff 'exec:///usr/bin/git diff' ''
	for id in cli.env cli.git.diff; do
		run -0 --separate-stderr "$WRIT" module show --json "$id"
		expect_json 'd["annotations"]["readonly"] is False and d["annotations"]["requires_approval"] is True'
	done
}

@test "listing, showing and previewing run nothing" {
	script mark "touch '$BATS_TEST_TMPDIR/ran'"
	bind cli.mark "exec://$BIN/mark" "$(properties '"help":{"type":"boolean"}')"
	"$WRIT" module list >/dev/null
	"$WRIT" module show cli.mark >/dev/null
	"$WRIT" call --preview cli.mark '{"help":true}' >/dev/null
	"$WRIT" call cli.mark --help >/dev/null
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	"$WRIT" call cli.mark
	[[ -e $BATS_TEST_TMPDIR/ran ]]
}

@test "a changed binding is not hidden by the cache, nor a moved program" {
	local nth
	for nth in 1 2 3 4 5; do
		bind cli.echo "exec:///bin/echo $nth" ''
		call 0 cli.echo
		expect_json "d['stdout'] == '$nth\n'"
	done
	script tool 'echo old'
	bind cli.tool "exec://$BIN/tool" ''
	call 0 cli.tool
	script tool 'echo new'
	call 0 cli.tool
	expect_json 'd["stdout"] == "new\n"'
	rm "$MODULES/cli.tool.binding.yaml"
	call 127 cli.tool
}

@test "what somebody wrote by hand is not overwritten" {
	bind cli.mine 'exec:///bin/echo new' ''
	mkdir -p keep
	chmod 755 keep
	run -0 --separate-stderr "$WRIT" module add --dir keep "$MODULES/cli.mine.binding.yaml"
	echo '# by hand' >>keep/cli.mine.binding.yaml
	run --separate-stderr "$WRIT" module add --dir keep "$MODULES/cli.mine.binding.yaml"
	[[ $status != 0 ]] || show_run
	grep -q '# by hand' keep/cli.mine.binding.yaml
	run -0 --separate-stderr "$WRIT" module add --replace --dir keep "$MODULES/cli.mine.binding.yaml"
	[[ -z $(grep '# by hand' keep/cli.mine.binding.yaml) ]]
}

@test "a binding that others could have changed is not used" {
	bind cli.open exec:///bin/true ''
	bind cli.linked exec:///bin/true ''
	chmod 666 "$MODULES/cli.open.binding.yaml"
	mv "$MODULES/cli.linked.binding.yaml" "$BATS_TEST_TMPDIR/elsewhere.yaml"
	ln -s "$BATS_TEST_TMPDIR/elsewhere.yaml" "$MODULES/cli.linked.binding.yaml"
	call 127 cli.open
	call 127 cli.linked
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_stdout ""
	expect_in_stderr cli.open.binding.yaml
	expect_in_stderr cli.linked.binding.yaml
}

@test "a filter that matches nothing is not taken for no filter" {
	bind cli.a exec:///bin/true '' 'tags: [one]'
	bind cli.b exec:///bin/true '' 'tags: [two]'
	run -0 --separate-stderr "$WRIT" module list --ids --tag one
	expect_stdout cli.a
	run -0 --separate-stderr "$WRIT" module list --ids --tag nothing
	expect_stdout ""
}

@test "a long description of many-byte characters does not break a listing" {
	local long
	long=$(printf 'Größe漢字🎉%.0s' {1..200})
	bind cli.long exec:///bin/true '' "documentation: \"$long\"" "tags: [\"$long\"]"
	sed -i "s/cli.long for a test/$long/" "$MODULES/cli.long.binding.yaml"
	run -0 --separate-stderr "$WRIT" module list
	expect_in_stdout "$long"
	on_terminal "WRIT_MODULES=$WRIT_MODULES '$WRIT' module list" >out
	grep -q 'Größe漢字' out
	iconv -f UTF-8 -t UTF-8 out >/dev/null
	run -0 --separate-stderr "$WRIT" call cli.long --help
	run -0 --separate-stderr "$WRIT" module show cli.long
}

# ---- the record

@test "a record does not leave out what ran, for whom and as part of what" {
	bind cli.echo 'exec:///bin/echo hello' ''
	call 0 --trace-id story-7 --agent tester cli.echo
	expect_json 'd["trace_id"] == "story-7"'
	local id
	id=$(json "$output" 'd["run_id"]')
	run -0 --separate-stderr "$WRIT" audit show --json "$id"
	expect_in_stdout story-7
	expect_in_stdout tester
	expect_in_stdout cli.echo
	expect_in_stdout hello
	run -0 --separate-stderr "$WRIT" audit verify
}

@test "a call that is refused does not go without a record" {
	bind cli.count "exec://$BIN/argv" "$(properties '"count":{"type":"integer"},"a":{"type":"boolean"},"b":{"type":"boolean","x-apexe-conflicts-with":["a"]}')"
	call 125 --trace-id one cli.count '{"count":"five"}'
	call 125 --trace-id two cli.count '{"a":true,"b":true}'
	call 125 --trace-id three --arguments strict-modules cli.count '{"x":"a;b"}'
	call 127 --trace-id four cli.unknown
	run -0 --separate-stderr "$WRIT" audit export
	for trace in one two three four; do
		[[ $(python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print([r["kind"] for r in rows if r.get("trace") == sys.argv[1]])' "$trace" <<<"$output") == "['refused']" ]] || show_run
	done
	run -0 --separate-stderr "$WRIT" audit verify
}

@test "an isolated call and its module are on record as parts of one thing" {
	bind cli.echo 'exec:///bin/echo hello' ''
	call 0 --isolated --trace-id both cli.echo
	run -0 --separate-stderr "$WRIT" audit export
	[[ $(python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print([(r["who"]["door"], r["module"]) for r in rows if r.get("trace") == "both" and r["kind"] == "begin"])' <<<"$output") \
		== "[('cli', None), ('runner', 'cli.echo')]" ]] || show_run
}

@test "a secret argument does not get into the record, nor when the call fails" {
	bind cli.login "exec://$BIN/argv" "$(properties '"token":{"type":"string","x-sensitive":true},"n":{"type":"integer"}')"
	bind cli.gone "exec:///nonexistent" "$(properties '"token":{"type":"string","x-sensitive":true}')"
	call 0 cli.login '{"token":"hunter2hunter2"}'
	call 0 --isolated cli.login '{"token":"hunter2hunter2"}'
	call 127 cli.gone '{"token":"hunter2hunter2"}'
	call 125 cli.login '{"token":"hunter2hunter2","n":"x"}'
	run -0 --separate-stderr "$WRIT" call --preview --json cli.login '{"token":"hunter2hunter2"}'
	[[ $output != *hunter2* ]] || show_run
	[[ -n $(grep -rl cli.login "$WRIT_STATE_DIR" --include='*trail*') ]]
	[[ -z $(grep -rl hunter2hunter2 "$WRIT_STATE_DIR" --include='*trail*') ]]
	run -0 --separate-stderr "$WRIT" audit export
	[[ $output != *hunter2* ]] || show_run
}

@test "a record does not change the rights of the folder it is kept in" {
	mkdir -m 755 shared
	bind cli.true exec:///bin/true ''
	WRIT_STATE_DIR=$PWD/shared/state call 0 cli.true
	[[ $(stat -c %a shared) == 755 ]]
}

@test "an input without end is not read into memory" {
	bind cli.true exec:///bin/true ''
	run -125 --separate-stderr timeout -s KILL 60 bash -c "'$WRIT' call --json --input - cli.true </dev/zero"
	expect_error invalid 'MiB'
}

# ---- isolated calls

@test "an isolated call is not merely called so: another process, home and deadline" {
	script who 'echo "$HOME $PPID"; sleep "$1"'
	bind cli.who "exec://$BIN/who" "$(properties '"seconds":{"type":"integer","x-apexe-positional":0}')"
	call 0 --isolated cli.who '{"seconds":0}'
	expect_json "not d['stdout'].startswith('$HOME ')"
	call 124 --isolated --timeout 500ms --grace 100ms cli.who '{"seconds":1000}'
}

@test "an isolated call does not lose modules that are named by a relative path" {
	mkdir -p ext
	chmod 755 ext
	bind cli.here exec:///bin/true ''
	mv "$MODULES/cli.here.binding.yaml" ext/
	APCORE_EXTENSIONS_ROOT=ext call 0 --isolated cli.here
	APCORE_EXTENSIONS_ROOT=./ext call 0 --isolated cli.here
	WRIT_MODULES=ext call 0 --isolated cli.here
	call 0 --modules ext --isolated cli.here
	call 127 cli.here
}

@test "an isolated call does not report another deadline than the one it had" {
	bind cli.hang 'exec:///bin/sleep 1000' ''
	run -124 --separate-stderr "$WRIT" call --isolated --timeout 300ms --grace 100ms cli.hang
	expect_in_stderr 300ms
}

@test "an isolated call does not leak what unlocks or approves things" {
	script env env
	bind cli.env "exec://$BIN/env" ''
	export APCORE_AUTH_API_KEY=leak1 APCORE_CLI_CONFIG_PASSPHRASE=leak2 APCORE_CLI_AUTO_APPROVE=leak3
	export APCORE_AUTH_REALM=leak4 WRIT_MODULE_TOKEN=leak5 APCORE_MODE=plain
	call 0 --isolated cli.env
	expect_json '"leak" not in d["stdout"]'
	expect_json '"APCORE_MODE=plain\n" in d["stdout"]'
	expect_json '"WRIT_" not in d["stdout"]'
}

@test "an isolated call does not lose the status of what went wrong" {
	bind cli.gone exec:///nonexistent ''
	bind cli.count "exec://$BIN/argv" "$(properties '"count":{"type":"integer"}')"
	script data 'echo never'
	chmod 644 "$BIN/data"
	bind cli.data "exec://$BIN/data" ''
	bind cli.seven 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	call 127 --isolated cli.unknown
	expect_error not_found
	call 127 --isolated cli.gone
	expect_error runner_failed /nonexistent
	expect_json 'd["error"]["details"]["cause"]["code"] == "not_found"'
	call 126 --isolated cli.data
	expect_json 'd["error"]["details"]["cause"]["code"] == "not_executable"'
	call 125 --isolated cli.count '{"count":"five"}'
	expect_error invalid five
	call 7 --isolated cli.seven '{"text":"exit 7"}'
	expect_json 'd["exit_code"] == 7 and d["outcome"] == "exited"'
}

@test "a module that writes to stdout does not break or forge the result of its runner" {
	# shellcheck disable=SC2016 # for the script
	script forge '
echo "{\"forged\":true}"
echo "{\"forged\":true}" >&2
for fd in /proc/self/fd/* /proc/$$/fd/*; do echo "{\"forged\":true}" >"$fd"; done 2>/dev/null
exit 0'
	bind cli.forge "exec://$BIN/forge" ''
	call 0 --isolated cli.forge
	expect_json 'd["module_id"] == "cli.forge" and "forged" not in d'
	expect_json 'd["stdout"].startswith("{\"forged\":true}\n")'
}

@test "walls are not left out because a call is isolated" {
	bind cli.cat exec:///bin/cat "$(properties '"file":{"type":"string","x-apexe-positional":0,"x-apexe-path":true}')"
	mkdir project
	echo inside >project/file
	echo outside >"$BATS_TEST_TMPDIR/outside"
	cd project
	call 0 --isolated --sandbox strict cli.cat '{"file":"file"}'
	expect_json 'd["stdout"] == "inside\n" and d["sandbox"]["profile"] == "strict"'
	call 1 --isolated --sandbox strict cli.cat "{\"file\":\"$BATS_TEST_TMPDIR/outside\"}"
}
