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
