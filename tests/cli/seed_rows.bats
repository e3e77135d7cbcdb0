#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031
# What the documents ask that writ was made from, and that no other file of
# tests says by its name. tests/seeds/requirements.tsv has the whole list.
load helpers
load modules
load running
load seeds

setup() {
	modules_setup
	script_argv
}

# own_policy LINE...: of this test, for `call`.
own_policy() {
	printf '%s\n' "version: 1" "$@" >"$BATS_TEST_TMPDIR/policy.yaml"
	export WRIT_POLICY=$BATS_TEST_TMPDIR/policy.yaml
}

# modules_are_ours: in a directory that runs cannot write.
words() {
	bind cli.argv "exec://$BIN/argv" "$1"
	call 0 cli.argv "$2"
	expect_words "$3"
}

# ---- 000: modules

@test "000: a broken target is an invalid module, in these words" {
	bind cli.bad invalid ''
	call 125 cli.bad
	expect_error invalid "Invalid target format: invalid" cli.bad.binding.yaml:4
	run -1 --separate-stderr "$WRIT" module check "$MODULES/cli.bad.binding.yaml"
	expect_in_stderr "Invalid target format: invalid"
	bind cli.bad exec:// ''
	call 125 cli.bad
	expect_error invalid "Invalid target format: exec://"
}

@test "000: the items true, false and null of an array are items" {
	words '{"type":"object"}' '{"a":["x",1,true,false,null]}' '["--a","x","--a","1","--a","true","--a","false","--a","null"]'
	words "$(properties '"a":{"type":"array"}')" '{"a":[true]}' '["--a","true"]'
	# An array that can hold nothing but booleans is a switch, repeated.
	words "$(properties '"v":{"type":"array","items":{"type":"boolean"},"x-apexe-flag":"-v"}')" '{"v":[true,true,false]}' '["-v","-v"]'
}

@test "000: a registered module can be called under modules-strict, whether or not its program has a description" {
	export WRIT_POLICY=modules-strict
	need lslocks
	bind my.locks 'exec:///usr/bin/lslocks' "$(properties '"json":{"type":"boolean"}')"
	call 0 my.locks '{"json":true}'
	expect_json 'd["success"] is True'
	# The same words without the module, and a file of the project: nobody has
	# registered them.
	run -125 --separate-stderr "$WRIT" run --no-ask --json -- lslocks --json
	expect_error denied "no description covers it and it is no registered module"
	mkdir -p .writ/modules
	mv "$MODULES/my.locks.binding.yaml" .writ/modules/
	call 125 --no-ask my.locks
	expect_error denied
}

@test "000: a module that module add has put into the user's directory can be called under modules-strict" {
	export WRIT_POLICY=modules-strict
	need lslocks
	unset WRIT_MODULES
	bind my.locks 'exec:///usr/bin/lslocks' ''
	run -0 "$WRIT" module add "$MODULES/my.locks.binding.yaml"
	call 0 my.locks
}

@test "000: under modules-strict the walls hold a registered module, and its words have no shell characters" {
	export WRIT_POLICY=modules-strict
	need lslocks
	bind my.locks 'exec:///usr/bin/lslocks' "$(properties '"output":{"type":"string"}')"
	call 125 --no-ask my.locks '{"output":"PID;id"}'
	expect_error denied "one of the characters that a shell would act on"
	bind my.writer "exec:///usr/bin/awk BEGIN{print>>ARGV[1]}" "$(properties '"file":{"type":"string","x-apexe-positional":0}')"
	call 125 --no-ask my.writer '{"file":"/etc/writ-was-here"}'
	[[ ! -e /etc/writ-was-here ]]
}

@test "000: a policy names modules of one's own: allow" {
	bind my.wc exec:///usr/bin/wc "$(properties '"lines":{"type":"boolean"}')"
	bind other.wc exec:///usr/bin/wc ''
	own_policy 'default: deny' 'sandbox: none' 'rules: [{allow: {module: "my.*"}}]'
	echo a >in
	call 0 --stdin @in my.wc '{"lines":true}'
	call 125 --no-ask other.wc
	expect_error denied
}

@test "000: a policy names modules of one's own: deny" {
	bind my.wc exec:///usr/bin/wc ''
	own_policy 'default: allow' 'sandbox: none' 'rules: [{allow: {}}, {deny: {module: my.wc}}]'
	call 125 --no-ask my.wc
	expect_error denied
	call 125 --no-ask --isolated my.wc
	expect_error denied
}

@test "000: a policy names modules of one's own: the tools of an agent" {
	bind my.wc exec:///usr/bin/wc ''
	bind other.cat exec:///bin/cat ''
	own_policy 'default: deny' 'sandbox: none' 'rules: [{allow: {}}]' 'agents: {helper: {tools: ["my.*"]}}'
	echo a >in
	call 0 --agent helper --stdin @in my.wc
	call 125 --no-ask --agent helper other.cat
	expect_error denied
}

@test "000: a rule about the module that was called is about no other command" {
	need lslocks
	bind my.locks exec:///usr/bin/lslocks ''
	own_policy 'default: deny' 'rules: [{allow: {called: "my.*", effect: [unknown, exec], sandbox: workspace}}]'
	call 0 my.locks
	run -125 --separate-stderr "$WRIT" run --no-ask --json -- lslocks
	expect_error denied
	own_policy 'sandbox: none' 'rules: [{allow: {}}, {deny: {called: my.locks}}]'
	call 125 --no-ask my.locks
	run -0 "$WRIT" run --no-ask -- lslocks
	own_policy 'sandbox: none' 'rules: [{allow: {}}, {deny: {called: false}}]'
	call 0 my.locks
	run -125 "$WRIT" run --no-ask -- lslocks
	# A project gets out of no rule by a module of its own.
	mkdir -p .writ/modules
	mv "$MODULES/my.locks.binding.yaml" .writ/modules/
	call 125 --no-ask my.locks
	expect_error denied
}

@test "000: a module that wants approval is asked about" {
	bind my.wc exec:///usr/bin/wc '' 'annotations: {requires_approval: true}'
	own_policy 'include: [developer]'
	call 125 --no-ask my.wc
	expect_error approval_required
	export WRIT_POLICY=modules-strict
	call 125 --no-ask my.wc
	expect_error approval_required
}

# ---- 001: the runner

@test "001: a runner without an id says so" {
	run -125 --separate-stderr "$WRIT" --internal-sandbox-runner </dev/null
	[[ ${stderr%%$'\n'*} == "writ: sandbox runner: missing module_id argument" ]] || show_run
}

@test "001: an empty input of a runner cannot be parsed" {
	bind cli.true exec:///bin/true ''
	run -125 --separate-stderr "$WRIT" --internal-sandbox-runner cli.true </dev/null
	expect_stdout ""
	[[ $(json "${stderr##*$'\n'}" 'd["error"]["message"]') == "cannot parse the input: it is empty" ]] || show_run
	# A caller without input sends {}.
	call 0 --isolated cli.true
}

@test "001: a module without a time of its own has the 300 s of the sandbox" {
	bind cli.true exec:///bin/true ''
	bind cli.short exec:///bin/true '' 'timeout: 7s'
	call 0 --isolated cli.true
	expect_json 'd["timeout_ms"] == 300000'
	call 0 --isolated cli.short
	expect_json 'd["timeout_ms"] == 7000'
	call 0 cli.true
	expect_json 'd["timeout_ms"] == 30000'
}

# The runner's own environment, read while its module waits.
@test "001: the environment of a runner is what the manual page lists" {
	bind cli.wait 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	mkfifo go
	APCORE_SEEN=1 APCORE_AUTH_TOKEN=x WRIT_MODULE_SEEN=1 EDITOR=vi FOREIGN=1 AWS_SECRET_KEY=x \
		"$WRIT" call --isolated cli.wait "{\"text\":\": >'$PWD/up'; read x <'$PWD/go'\"}" 3>&- &
	wait_for test -e up
	local runner names
	runner=$(pgrep -f -- "--internal-sandbox-runner cli.wait$" | head -1)
	names=$(tr '\0' '\n' <"/proc/$runner/environ" | sed 's/=.*//' | sort)
	echo x >go
	wait $!
	local listed name
	listed=$(sed -n '/^# ISOLATED CALLS/,/^# OPTIONS/p' "$WRIT_SOURCE/docs/man/writ-call.1.scd" | tr -d '\\')
	for name in $names; do
		case $name in
		APCORE_SEEN) name='APCORE_*' ;;
		WRIT_MODULE_SEEN) name='WRIT_MODULE_*' ;;
		WRIT_MODULE_*) name='WRIT_MODULE_*' ;;
		WRIT_*) name='WRIT_*' ;;
		esac
		[[ $listed == *"$name"* ]] || { echo "not listed: $name" >&2; return 1; }
	done
	[[ $names == *HOME* && $names == *TMPDIR* && $names == *APCORE_SEEN* ]]
	[[ $names != *APCORE_AUTH* && $names != *EDITOR* && $names != *FOREIGN* && $names != *SECRET* ]]
}

@test "001: an ordinary user calls a module in a runner and a sandbox, as the tour shows it" {
	local home=$BATS_TEST_TMPDIR/home
	mkdir -p "$home/config"
	printf 'version: 1\ninclude: [developer]\n' >"$home/config/policy.yaml"
	install -m 644 "$WRIT_SOURCE/README.md" .
	if is_root; then
		open_to_others
		chmod 755 .
		chown -R 1000 "$home" .
		set -- setpriv --reuid 1000 --regid 1000 --clear-groups
	fi
	unset WRIT_POLICY WRIT_MODULES
	HOME=$home WRIT_STATE_DIR=$home/state WRIT_CACHE_DIR=$home/cache WRIT_CONFIG_DIR=$home/config \
		run -0 --separate-stderr "$@" "$WRIT" call --isolated --sandbox strict cli.wc --lines README.md
	[[ $output == "$(wc -l <README.md) README.md" ]] || show_run
}

# ---- 002 and 003: presets

@test "003: shell: allow lets a text run as it stands, and shell: judge holds its commands to the list" {
	seed_setup
	policy_of "include: [allowlist]" "programs: [echo]" "shell: allow"
	result_of --shell 'echo foo | tr f b; find . -name "*.x" -exec echo {} \;'
	expect_result 'd["stdout"]' "boo"
	policy_of "include: [allowlist]" "programs: [echo]" "shell: judge"
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy "$POLICY" --shell 'echo foo | tr f b'
	expect_result 'd["error"]["code"]' denied
	# Without a shell the list and the check stand.
	policy_of "include: [allowlist]" "programs: [echo]" "shell: allow"
	refused "structured_exec: binary 'tr' is not in the allowlist" -- tr f b
	refused "structured_exec: shell metacharacters or path traversal not allowed in arguments" -- echo '{}'
	run --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" -- echo a
	expect_stdout a
}

@test "003: every program, with a PATH of 40 directories" {
	seed_setup
	policy_of "include: [allowlist]" 'programs: ["*"]' "shell: allow"
	local dirs=$BATS_TEST_TMPDIR/many path=
	for i in {1..40}; do
		mkdir -p "$dirs/$i/bin"
		cp /bin/true "$dirs/$i/bin/true-$i"
		path+=:$dirs/$i/bin
	done
	PATH=$PATH$path result_of -- echo hi
	expect_result 'd["stdout"]' hi
	PATH=$PATH$path result_of -- true-33
	PATH=$PATH$path result_of --shell 'echo hi | tr h H'
	expect_result 'd["stdout"]' Hi
}

@test "003: variables that are not there have the tool's values" {
	seed_setup
	policy_of "include: [allowlist]" "programs: [env]"
	run -0 --separate-stderr env -i PATH="$PATH" WRIT_STATE_DIR="$WRIT_STATE_DIR" WRIT_CONFIG_DIR="$WRIT_CONFIG_DIR" \
		WRIT_SYSTEM_DIR="$WRIT_SYSTEM_DIR" HOME="$HOME" "$WRIT" run --no-ask --policy "$POLICY" -- env
	[[ $'\n'$output$'\n' == *$'\nLANG=en_US.UTF-8\n'* && $'\n'$output$'\n' == *$'\nUSER=\n'* &&
		$'\n'$output$'\n' == *$'\nLOGNAME=\n'* && $'\n'$output$'\n' == *$'\nTERM=dumb\n'* ]] || show_run
	# What the caller has stays. TMPDIR is there because /tmp is the run's own.
	[[ $(sed 's/=.*//' <<<"$output" | sort | paste -sd' ') == "HOME LANG LOGNAME PATH TERM TMPDIR USER" ]] || show_run
	LANG=C.UTF-8 USER=me result_of -- env
	[[ $(json "$output" '"LANG=C.UTF-8" in d["stdout"] and "USER=me" in d["stdout"]') == True ]] || show_run
}

@test "003: an agent is told the program as it spelled it" {
	seed_setup
	policy_of "include: [allowlist]" "programs: [ls]" "agents:" "  helper:" "    tools: [ls]" \
		"    message: \"structured_exec: agent '{agent}' is not allowed to execute '{command}'\""
	refused "structured_exec: agent 'helper' is not allowed to execute '../x'" --agent helper -- ../x
	grep -q "is not allowed to execute '{command}'" "$WRIT_SOURCE/data/policies/allowlist.yaml"
}

# ---- 004: manifests

@test "004: a command without words is refused in these words" {
	printf 'ccm:\n  resources:\n    - exec:\n        - a:\n            command: "   "\n' >m.yaml
	run --separate-stderr "$WRIT" apply m.yaml
	[[ $status != 0 ]] || show_run
	expect_in_stderr "no command specified"
	printf 'ccm:\n  resources:\n    - exec:\n        - a:\n            provider: shell\n            command: "   "\n' >m.yaml
	run --separate-stderr "$WRIT" apply m.yaml
	[[ $status != 0 && $stderr$output == *"no command to execute"* ]] || show_run
}

@test "004: a name with unbalanced quotes is refused, also beside a command" {
	printf 'ccm:\n  resources:\n    - exec:\n        - "it'"'"'s":\n            command: /bin/true\n' >m.yaml
	run --separate-stderr "$WRIT" apply m.yaml
	[[ $status != 0 ]] || show_run
	expect_in_stderr "Unterminated single-quoted string"
	printf 'ccm:\n  resources:\n    - exec:\n        - "a name of words":\n            command: /bin/true\n' >m.yaml
	run -0 --separate-stderr "$WRIT" apply m.yaml
}

@test "004: the environment is among the differences" {
	sed -n '/^## What differs/,/^Not here/p' "$WRIT_SOURCE/docs/manifest.md" >differences
	grep -q "clean environment" differences
}

# ---- what was so before, and no test said

@test "000: bindings become modules, with their targets" {
	bind cli.git.commit 'exec:///usr/bin/git commit' ''
	bind cli.docker.container.ls 'exec:///usr/bin/docker container ls' ''
	bind cli.ffmpeg exec:///usr/local/bin/ffmpeg ''
	run -0 --separate-stderr "$WRIT" module list --json --no-builtin
	expect_in_stdout cli.git.commit
	expect_in_stdout '"/usr/bin/git commit"'
	expect_in_stdout '"/usr/bin/docker container ls"'
	expect_in_stdout '"/usr/local/bin/ffmpeg"'
}

@test "000: an open schema and values of every type become options" {
	words '{"type":"object"}' '{"no_cache":true,"ratio":1.5,"of":{"a":[1,"x"]},"n":null}' \
		'["--no-cache","--ratio","1.5","--of","{\"a\":[1,\"x\"]}"]'
}

@test "000: what is refused is refused before anything runs, by a preview and a policy too" {
	bind my.mark "exec://$BIN/mark" "$(properties '"a":{"type":"string"}')"
	script mark ': >ran'
	run -125 --separate-stderr "$WRIT" call --preview --json --arguments strict-modules my.mark '{"a":"x;y"}'
	expect_error invalid
	run --separate-stderr "$WRIT" policy explain --policy modules-strict -- git commit -m 'a;b'
	expect_in_stdout "characters that a shell would act on"
	[[ ! -e ran ]]
}

@test "000: the words of json_flag come last, and output that is no JSON is no failure" {
	bind my.echo 'exec:///bin/echo first' "$(properties '"a":{"type":"string"}')" 'metadata: {json_flag: "--format json"}'
	call 0 my.echo '{"a":"b"}'
	expect_json 'd["stdout"] == "first --a b --format json\n" and d.get("json_output") is None'
}

@test "000: a timeout is an error of an isolated call, and leaves nothing" {
	bind my.sleep 'exec:///bin/sh -c' "$(properties '"text":{"type":"string","x-apexe-positional":0}')"
	call 124 --isolated --timeout 1ms my.sleep '{"text":"sleep 987654"}'
	expect_error timeout
	call 124 --timeout 1ms my.sleep '{"text":"sleep 987654"}'
	expect_json 'd["outcome"] == "timed_out" and d["timeout_ms"] == 1'
	run ! pgrep -f "sleep 98765[4]"
}

@test "000: where it runs, its trace and its record" {
	bind my.pwd exec:///bin/pwd ''
	mkdir -p sub
	call 0 --cwd sub --trace-id abc-123 my.pwd
	expect_json 'd["stdout"].endswith("/work/sub\n") and d["trace_id"] == "abc-123"'
	run -0 --separate-stderr "$WRIT" audit export --kind begin
	expect_in_stdout '"module":"my.pwd"'
	expect_in_stdout '"trace":"abc-123"'
}

@test "000: a real commit, in a sandbox, and a large output" {
	need git
	git init -q . && git config user.email a@b && git config user.name a
	echo a >a && git add a
	bind my.commit 'exec:///usr/bin/git commit' "$(properties '"message":{"type":"string"},"quiet":{"type":"boolean"}')"
	call 0 my.commit '{"message":"one of them","quiet":true}'
	[[ $(git log --format=%s) == "one of them" ]]
	echo b >a && git add a
	WRIT_POLICY=developer call 0 --sandbox workspace my.commit '{"message":"two","quiet":true}'
	[[ $(git log --format=%s -1) == two ]]
	bind my.many "exec:///usr/bin/seq" "$(properties '"last":{"type":"integer","x-apexe-positional":0}')"
	call 0 --output-limit 4MiB my.many '{"last":200000}'
	expect_json 'd["stdout"].endswith("\n200000\n") and len(d["stdout"]) == 1288895'
}

@test "001: modules of a relative APCORE_EXTENSIONS_ROOT are found by a runner and by its caller" {
	bind my.true exec:///bin/true ''
	unset WRIT_MODULES
	cp -r "$MODULES" extensions
	chmod 755 extensions
	export APCORE_EXTENSIONS_ROOT=./extensions
	call 0 --isolated my.true
	run -0 --separate-stderr "$WRIT" --internal-sandbox-runner my.true <<<'{}'
	expect_json 'd["success"] is True'
}

@test "001: a large input reaches the module of a runner" {
	script copy cat
	bind my.copy "exec://$BIN/copy" '{"type":"object"}' 'input: {as: json}'
	python3 -c 'import json; print(json.dumps({"a": "x" * 2000000}))' >input
	run -0 --separate-stderr "$WRIT" call --json --isolated --output-limit 8MiB --input input my.copy
	expect_json 'len(json.loads(d["stdout"])["a"]) == 2000000' 2>/dev/null || expect_json 'len(d["stdout"]) > 2000000'
}

@test "002: what is not on the list runs" {
	seed_setup
	policy_of "include: [denylist]"
	echo hello >hello.txt
	local line
	while read -r line; do
		command -v "${line%% *}" >/dev/null || continue
		read -ra words <<<"$line"
		run --separate-stderr "$WRIT" run --no-ask --policy "$POLICY" -- "${words[@]}"
		[[ $status -eq 0 ]] || { echo "$line" >&2; show_run; }
	done <<-'END'
		ls -la
		git --version
		whoami
		date
		uname -a
		python3 -c print(1)
		node --version
		make --version
		touch new
		mkdir -p d/e
		cp hello.txt copy
		gcc --version
	END
	result_of -- sh -c "echo hi"
	expect_result 'd["stdout"]' hi
	result_of -- bash -c "echo hi | tr h H"
	expect_result 'd["stdout"]' Hi
}

@test "002: on the command line too, and the code of a refusal" {
	seed_setup
	POLICY=denylist
	for name in rm sudo /bin/rm RM Sudo /usr/bin/sudo /BIN/RM ./rm ../../bin/rm; do
		refused "Command not allowed: $name" -- "$name" x
	done
	run -3 --separate-stderr "$WRIT" run --no-ask --json --policy denylist -- sh -c 'echo out; echo err >&2; exit 3'
	[[ $(json "$output" '(d["stdout"], d["stderr"], d["exit_code"])') == "('out\\n', 'err\\n', 3)" ]] || show_run
}

@test "003: unrestricted shell texts beside a list for programs, by a policy of one's own" {
	seed_setup
	policy_of "include: [allowlist]" "programs: [echo]" "shell: allow" "exec_shape: oxios"
	result_of --shell 'id -u >/dev/null; seq 2 | tail -1'
	expect_result 'd["stdout"]' 2
	refused "structured_exec: binary 'seq' is not in the allowlist" -- seq 2
}

@test "003: tools of an agent can be changed while the program runs" {
	seed_setup
	policy_of "include: [allowlist]" "programs: [echo, ls]" "agents: {helper: {tools: [ls]}}"
	run -125 "$WRIT" run --no-ask --policy "$POLICY" --agent helper -- echo hi
	policy_of "include: [allowlist]" "programs: [echo, ls]" "agents: {helper: {tools: [ls, echo]}}"
	run -0 "$WRIT" run --no-ask --policy "$POLICY" --agent helper -- echo hi
}
