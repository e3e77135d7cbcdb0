#!/usr/bin/env bats
# bats file_tags=anyone
# Command lines, right and wrong.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

# expect_usage MESSAGE HELP: the error on standard error and where to look.
expect_usage() {
	expect_stdout ""
	expect_stderr "writ: $1"$'\n'"  try: $2"
}

@test "no command is an error that shows the commands and points to the help" {
	run -2 --separate-stderr "$WRIT"
	expect_stdout ""
	[[ $stderr == Usage* && $stderr == *$'\n  run '* && $stderr == *$'\n  audit '* ]] || show_run
	[[ $stderr == *$'\n\nwrit: no command given\n  try: writ --help' ]] || show_run
}

@test "what other programs call the list of past runs points to it" {
	for word in history log list runs; do
		run -2 --separate-stderr "$WRIT" "$word"
		expect_usage "unknown command '$word'" "writ audit list"
	done
}

@test "an unknown command suggests the nearest" {
	run -2 --separate-stderr "$WRIT" rnu
	expect_usage "unknown command 'rnu', did you mean 'run'?" "writ --help"
}

@test "a word of a group of commands suggests it with its group" {
	run -2 --separate-stderr "$WRIT" lint
	expect_usage "unknown command 'lint', did you mean 'policy lint'?" "writ --help"
	run -2 --separate-stderr "$WRIT" list
	[[ $stderr != *"module list"* ]] || show_run
}

@test "an unknown command far from all others suggests none" {
	run -2 --separate-stderr "$WRIT" frobnicate
	expect_usage "unknown command 'frobnicate'" "writ --help"
}

@test "an unknown option of run suggests the nearest and exits 125" {
	run -125 --separate-stderr "$WRIT" run --timeot 3s -- true
	expect_usage "run: unknown option '--timeot', did you mean '--timeout'?" "writ run --help"
	run -125 --separate-stderr "$WRIT" run --timeot=3s -- true
	expect_usage "run: unknown option '--timeot', did you mean '--timeout'?" "writ run --help"
}

@test "an unknown option of other commands exits 2" {
	run -2 --separate-stderr "$WRIT" version --jsn
	expect_usage "version: unknown option '--jsn', did you mean '--json'?" "writ version --help"
	run -2 --separate-stderr "$WRIT" --versio
	expect_usage "unknown option '--versio', did you mean '--version'?" "writ --help"
}

@test "names of options cannot be abbreviated" {
	for option in --timeo --js --sand --env-m; do
		run -125 --separate-stderr "$WRIT" run "$option" x -- true
		expect_in_stderr "run: unknown option '$option'"
	done
	run -2 --separate-stderr "$WRIT" config show --js
	expect_in_stderr "config show: unknown option '--js'"
}

@test "an unknown letter is an error" {
	run -125 --separate-stderr "$WRIT" run -x -- true
	expect_usage "run: unknown option '-x'" "writ run --help"
	run -125 --separate-stderr "$WRIT" run -qx -- true
	expect_usage "run: unknown option '-x'" "writ run --help"
}

@test "a missing value is an error that says which kind" {
	run -125 --separate-stderr "$WRIT" run --timeout
	expect_usage "run: option '--timeout' needs a value: DURATION" "writ run --help"
	run -125 --separate-stderr "$WRIT" run -e
	expect_usage "run: option '--env' needs a value: NAME=VALUE" "writ run --help"
}

@test "a value for a switch is an error" {
	run -125 --separate-stderr "$WRIT" run --quiet=yes -- true
	expect_usage "run: option '--quiet' takes no value" "writ run --help"
}

@test "nothing to run is an error" {
	run -125 --separate-stderr "$WRIT" run
	expect_usage "run: nothing to run: give a PROGRAM, --shell or --request" "writ run --help"
	run -125 --separate-stderr "$WRIT" run --timeout 3s --
	expect_usage "run: nothing to run: give a PROGRAM, --shell or --request" "writ run --help"
}

@test "a program and --shell exclude each other" {
	run -125 --separate-stderr "$WRIT" run --shell 'exit 3' true
	expect_usage "run: a PROGRAM and --shell cannot be used together" "writ run --help"
}

@test "words that a command does not take are refused" {
	run -2 --separate-stderr "$WRIT" version now
	expect_usage "version: unexpected word 'now'" "writ version --help"
	run -2 --separate-stderr "$WRIT" help run run
	expect_usage "help: unexpected word 'run'" "writ help --help"
	run -2 --separate-stderr "$WRIT" completion bash zsh
	expect_usage "completion: unexpected word 'zsh'" "writ completion --help"
}

@test "an error of usage is an object when --json was asked for, before or after" {
	for words in "--json --timeot 3s -- true" "--timeot 3s --json -- true"; do
		# shellcheck disable=SC2086 # words
		run -125 --separate-stderr "$WRIT" run $words
		[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
		[[ $(json "$output" 'd["error"]["message"]') == *"'--timeot'"* ]]
		expect_stderr ""
	done
}

@test "a --json behind -- is not writ's" {
	run -125 --separate-stderr "$WRIT" run --timeot 3s -- true --json
	expect_stdout ""
	expect_in_stderr "unknown option '--timeot'"
}

@test "a bad value names the option, not the key" {
	local cases=(
		"--timeout soon" "--timeout 30" "--idle-timeout -1s" "--grace 1x" "--cpu 0"
		"--memory lots" "--memory 0" "--output-limit 1QiB" "--spill-limit x"
		"--max-output 0" "--file-size -1" "--processes 0" "--processes many"
		"--open-files 1.5" "--umask 9" "--umask 12345" "--nice 99" "--nice x"
		"--background maybe" "--tree oak" "--env-mode full"
		"--network internet" "--tmp ram" "--tmp-size 0" "--tmp-size big"
		"--env NOVALUE" "--env =x" "--stdin nowhere"
	)
	for words in "${cases[@]}"; do
		# shellcheck disable=SC2086 # words
		run -125 --separate-stderr "$WRIT" run $words -- true
		expect_stdout ""
		[[ $stderr == "writ: run: ${words%% *}:"* || $stderr == "writ: run: ${words%% *} "* ]] || show_run
	done
}

@test "a bad value with --json is an object" {
	run -125 --separate-stderr "$WRIT" run --json --timeout soon -- true
	[[ $(json "$output" 'd["error"]["message"]') == "run: --timeout: "* ]]
	expect_stderr ""
}

@test "words out of a closed list come with the nearest one" {
	run -125 --separate-stderr "$WRIT" run --env-mode minimul -- true
	expect_stderr "writ: run: --env-mode: unknown environment mode 'minimul', did you mean 'minimal'?"
}

@test "what an argument holds cannot drive the terminal" {
	run -125 --separate-stderr "$WRIT" run "--$(printf 'a\033[31m\nb')" -- true
	[[ $stderr != *$'\033'* ]]
	[[ ${stderr%%$'\n'*} == *"unknown option"*b* ]]
	run -125 --separate-stderr "$WRIT" run --request "$(printf '/nowhere/\033]0;x\007')"
	[[ $stderr != *$'\033'* && $stderr != *$'\007'* ]]
}

@test "options end at the first word that is not one" {
	run -0 --separate-stderr "$WRIT" run echo --json -q --help
	expect_stdout "--json -q --help"
}

@test "-- ends the options, and only the first one is writ's" {
	run -0 --separate-stderr "$WRIT" run -- echo -- --json
	expect_stdout "-- --json"
}

@test "a program may be named like an option" {
	PATH=/usr/bin:/bin run -127 --separate-stderr "$WRIT" run -- --help
	expect_in_stderr "--help"
}

@test "values are taken with = and without, and may be empty or look like options" {
	run -0 --separate-stderr "$WRIT" run --env=A=1 --env B=--json -e C= -eD=4 -- env
	for line in A=1 B=--json C= D=4; do
		grep -qxe "$line" <<<"$output"
	done
}

@test "the last of a repeated option counts" {
	run -0 --separate-stderr "$WRIT" run -e A=1 -e A=2 --cwd /nowhere --cwd / -- sh -c 'echo $A; pwd'
	expect_stdout $'2\n/'
}

@test "words reach the program as they are" {
	run -0 --separate-stderr "$WRIT" run -- printf '[%s]' 'a b' '' '$HOME' '*' "'\"" $'x\ny'
	expect_stdout $'[a b][][$HOME][*][\'"][x\ny]'
}

@test "POSIXLY_CORRECT changes nothing" {
	run -0 --separate-stderr env POSIXLY_CORRECT=1 "$WRIT" config show --json
	[[ $output == '['* ]]
}
