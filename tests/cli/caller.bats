#!/usr/bin/env bats
# Whose words a command line has. A person's options are taken as they are; a
# command line that names an agent, or runs beneath a run of writ, asks for more
# than the walls like any other untrusted caller.
load helpers
load running

# Walls give every run a /tmp of its own: what is to be found unchanged lies
# elsewhere.
setup() {
	BASE=$(mktemp -d /var/tmp/writ-caller.XXXXXX)
	mkdir "$BASE/project" "$BASE/elsewhere"
	echo '{version: 1, include: [developer], agents: {"*": {}}}' >"$BASE/policy.yaml"
	export WRIT_POLICY=$BASE/policy.yaml WRIT_CONFIG_DIR=$BASE/config
	cd "$BASE/project" || return
}

teardown() {
	rm -rf "$BASE"
}

# asked WORD ARG...: is refused with a question or a denial about it.
asked() {
	local word=$1
	shift
	run -125 --separate-stderr "$WRIT" run --no-ask "$@"
	expect_in_stderr "asks for"
	expect_in_stderr "$word"
}

@test "a person's options are his word: nobody is asked again" {
	local options
	for options in "--sandbox none" "--sandbox env" "--sandbox readonly" "--network host" "--write $BASE/elsewhere"; do
		# shellcheck disable=SC2086
		run --separate-stderr "$WRIT" run --no-ask $options -- true
		[[ $status == 0 ]] || show_run
	done
}

@test "who names an agent asks for more than the walls like an agent" {
	asked "sandbox 'none'" --agent coder --sandbox none -- true
	asked "sandbox 'env'" --agent coder --sandbox env -- ls
	asked "network 'host'" --agent coder --network host -- true
	asked elsewhere --agent coder --write "$BASE/elsewhere" -- true
	asked "layers that are missing" --agent coder --best-effort -- true
	run -0 --separate-stderr "$WRIT" run --no-ask --agent coder -- true
	[[ -z $(ls ../elsewhere) ]]
}

@test "who names an agent names no profile by its file" {
	printf 'extends: workspace\nwrite: [%s]\n' "$(realpath ../elsewhere)" >p.yaml
	run -125 --separate-stderr "$WRIT" run --no-ask --agent coder --sandbox ./p.yaml -- touch ../elsewhere/x
	expect_in_stderr "an agent chooses a profile by its name"
	[[ -z $(ls ../elsewhere) ]]
}

@test "beneath a run of writ nobody is trusted" {
	cat >inner <<-EOF
		#!/bin/sh
		exec "$WRIT" run --policy developer --no-ask --sandbox none -- true
	EOF
	chmod +x inner
	run -125 --separate-stderr "$WRIT" run --policy open --pass 'WRIT_*' -- ./inner
	expect_in_stderr "sandbox 'none'"
	# Nor is who was left behind by his parents.
	cat >orphan <<-EOF
		#!/bin/sh
		(setsid ./inner >said 2>&1 &)
		until [ -s said ]; do sleep 0.05; done
	EOF
	chmod +x orphan
	run -0 --separate-stderr timeout 30 "$WRIT" run --policy open --pass 'WRIT_*' -- ./orphan
	[[ $(<said) == *"sandbox 'none'"* ]] || show_run
}

@test "the working directory of a run is no root" {
	run --separate-stderr "$WRIT" run --no-ask --cwd "$BASE/elsewhere" -- python3 -c 'import os; print(os.getcwd(), flush=True); open("x", "w")'
	[[ $status != 0 && $output == "$BASE/elsewhere" ]] || show_run
	[[ -z $(ls ../elsewhere) ]]
	run --separate-stderr "$WRIT" run --no-ask --write "$BASE/elsewhere" --cwd "$BASE/elsewhere" -- sh -c "touch y"
	[[ $status == 0 ]] || show_run
	[[ -e ../elsewhere/y ]]
}

# The project's module, which names a profile file of its own.
wide_module() {
	mkdir -p .writ/modules
	printf 'extends: workspace\nwrite: [%s]\n' "$BASE/elsewhere" >.writ/p.yaml
	cat >.writ/modules/my.touch.binding.yaml <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: my.touch
		  target: "exec:///usr/bin/touch $BASE/elsewhere/x"
		  description: my.touch for a test
		  sandbox: "$1"
	EOF
}

@test "a module of the project brings no walls along" {
	local how
	for how in "" --isolated; do
		wide_module "$BASE/project/.writ/p.yaml"
		# shellcheck disable=SC2086
		run --separate-stderr "$WRIT" call $how --no-ask my.touch
		[[ $status == 125 ]] || show_run
		expect_in_stderr "an agent chooses a profile by its name"
		wide_module none
		# shellcheck disable=SC2086
		run --separate-stderr "$WRIT" call $how --no-ask my.touch
		[[ $status == 125 ]] || show_run
		expect_in_stderr "asks for"
		[[ -z $(ls ../elsewhere) ]]
	done
}

# bind_wc DIR [LINE]: my.wc, a module that counts bytes; LINE is a further key.
bind_wc() {
	mkdir -p "$1"
	cat >"$1/my.wc.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: my.wc
		  target: "exec:///usr/bin/wc -c /etc/hostname"
		  description: my.wc for a test
		  ${2-}
	EOF
}

@test "a rule means a module by the id that is called" {
	local how
	bind_wc "$BASE/config/modules"
	for how in "" --isolated; do
		echo '{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {module: my.wc}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -125 --separate-stderr "$WRIT" call $how --no-ask my.wc
		expect_in_stderr "does not allow"
		echo '{version: 1, sandbox: none, default: deny, rules: [{allow: {module: my.wc}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$WRIT" call $how --no-ask my.wc
		echo '{version: 1, sandbox: none, rules: [{allow: {}}], agents: {a: {tools: [my.wc]}, b: {tools: [cli.wc]}, c: {tools: [my.cat]}}}' >"$WRIT_POLICY"
		for agent in a b; do
			# shellcheck disable=SC2086
			run -0 --separate-stderr "$WRIT" call $how --no-ask --agent $agent my.wc
		done
		# shellcheck disable=SC2086
		run -125 --separate-stderr "$WRIT" call $how --no-ask --agent c my.wc
	done
	run -3 --separate-stderr "$WRIT" call --dry-run --json --agent c my.wc
	[[ $(json "$output" 'd["module"] + " " + d["called"]') == "cli.wc my.wc" ]] || show_run
}

@test "a module of the project gets nothing by its id" {
	local how
	bind_wc .writ/modules
	for how in "" --isolated; do
		echo '{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {module: my.wc}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -125 --separate-stderr "$WRIT" call $how --no-ask my.wc
		echo '{version: 1, sandbox: none, default: deny, rules: [{allow: {module: my.wc}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -125 --separate-stderr "$WRIT" call $how --no-ask my.wc
		echo '{version: 1, sandbox: none, rules: [{allow: {}}], agents: {a: {tools: [my.wc]}, b: {tools: [cli.wc]}}}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -125 --separate-stderr "$WRIT" call $how --no-ask --agent a my.wc
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$WRIT" call $how --no-ask --agent b my.wc
	done
	echo '{version: 1, rules: [{allow: {module: my.wc}}], agents: {a: {tools: [my.wc, my.cw]}}}' >"$WRIT_POLICY"
	run "$WRIT" policy lint "$WRIT_POLICY"
	[[ $(grep -c "'my.wc' is a module of the project" <<<"$output") == 2 ]] || show_run
	[[ $output == *"neither a program nor a module 'my.cw'"*"did you mean 'my.wc'"* ]] || show_run
	# It has no id that is taken.
	mv .writ/modules/my.wc.binding.yaml .writ/modules/cli.wc.binding.yaml
	sed -i 's/my[.]wc/cli.wc/; s/-c/-l/' .writ/modules/cli.wc.binding.yaml
	run -0 --separate-stderr "$WRIT" call --preview --json cli.wc
	[[ $(json "$output" 'd["argv"]') == "['wc']" ]] || show_run
}

# runner: what an agent can write itself, a request for a runner of my.wc.
runner() {
	run --separate-stderr "$WRIT" run --no-ask --stdin text:'{}' --env "WRIT_MODULE_FILE=$marks$BASE/project/my.wc.binding.yaml" -- \
		"$WRIT" --internal-sandbox-runner my.wc
}

@test "who starts a runner himself chooses no id that allows" {
	# The file that it names is the caller's, and so is the id in it.
	bind_wc "$BASE/project"
	local marks
	marks=$(python3 -ISE -c 'import os, sys
s = os.stat(sys.argv[1])
print("".join("%x," % n for n in (s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns // 10**9, s.st_mtime_ns % 10**9, s.st_ctime_ns // 10**9,
                                  s.st_ctime_ns % 10**9, s.st_mode)))' my.wc.binding.yaml)
	echo '{version: 1, sandbox: none, default: deny, rules: [{allow: {module: cli.wc}}]}' >"$WRIT_POLICY"
	runner
	[[ $status == 0 ]] || show_run
	echo '{version: 1, sandbox: none, default: deny, rules: [{allow: {module: my.wc}}]}' >"$WRIT_POLICY"
	runner
	[[ $status == 125 ]] || show_run
}

@test "a module that wants approval is asked about, whoever calls it" {
	local how agent
	for how in "" --isolated; do
		# What is only a default asks nobody.
		bind_wc "$BASE/config/modules" 'annotations: {destructive: true}'
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$WRIT" call $how --no-ask my.wc
		bind_wc "$BASE/config/modules" 'annotations: {readonly: true, requires_approval: true}'
		for agent in "" "--agent coder"; do
			# shellcheck disable=SC2086
			run -125 --separate-stderr "$WRIT" call $how --no-ask $agent my.wc
			expect_in_stderr "is a call of the module 'my.wc', which wants each call approved"
		done
		echo '{version: 1, include: [developer], rules: [{allow: {module: my.wc}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$WRIT" call $how --no-ask my.wc
		echo '{version: 1, include: [developer], rules: [{allow: {effect: approval}}]}' >"$WRIT_POLICY"
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$WRIT" call $how --no-ask my.wc
		echo '{version: 1, include: [developer], agents: {"*": {}}}' >"$WRIT_POLICY"
	done
	run -1 --separate-stderr "$WRIT" call --dry-run --json my.wc
	[[ $(json "$output" 'd["effects"]') == "['read', 'approval']" ]] || show_run
}
