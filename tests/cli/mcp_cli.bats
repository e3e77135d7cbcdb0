#!/usr/bin/env bats
# bats file_tags=anyone
# The command line around the MCP server: serving, installing, checking. What the
# server answers is tested in tests/mcp.
# `run` sets output and stderr.
# shellcheck disable=SC2154
load helpers

setup() {
	export HOME=$BATS_TEST_TMPDIR/home
	export WRIT_CONFIG_DIR=$HOME/config WRIT_SYSTEM_DIR=$HOME/system WRIT_CACHE_DIR=$HOME/cache
	unset CLAUDE_CONFIG_DIR CODEX_HOME XDG_CONFIG_HOME
	BIN=$BATS_TEST_TMPDIR/bin
	mkdir -p "$HOME" "$BIN" "$BATS_TEST_TMPDIR/project"
	cd "$BATS_TEST_TMPDIR/project" || return 1
	PATH=$BIN:/usr/bin:/bin
}

# stand_in NAME [STATUS]: a program that writes down its words, one on each line
stand_in() {
	cat >"$BIN/$1" <<-EOT
		#!/bin/sh
		printf '%s\\n' "\$0" "\$@" >"$BATS_TEST_TMPDIR/words"
		echo "$1 was here"
		exit ${2:-0}
	EOT
	chmod 755 "$BIN/$1"
}

words() { tail -n +2 "$BATS_TEST_TMPDIR/words" | paste -sd ' '; }

ping='{"jsonrpc":"2.0","id":1,"method":"ping"}'

# bats test_tags=smoke
@test "serving: nothing but the protocol on standard output, and the end of input is the end" {
	run -0 --separate-stderr "$WRIT" mcp <<<"$ping"
	expect_stderr ""
	[[ $(json "$output" "d['id'], 'result' in d") == "(1, True)" ]]
}

@test "serving: 'serve' and --stdio are the same" {
	run -0 --separate-stderr "$WRIT" mcp serve --stdio <<<"$ping"
	[[ $(json "$output" "d['result']") == "{}" ]]
	run -0 --separate-stderr "$WRIT" mcp --stdio <<<"$ping"
	[[ $(json "$output" "d['result']") == "{}" ]]
}

@test "serving: a person at a terminal is told what this is" {
	run -0 on_terminal "'$WRIT' mcp"
	expect_in_stdout "MCP server"
	expect_in_stdout "writ mcp install"
}

@test "serving: who only looks leaves nothing behind" {
	"$WRIT" mcp >/dev/null <<<'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
	[[ ! -e $WRIT_STATE_DIR && ! -e $WRIT_CACHE_DIR && ! -e $WRIT_CONFIG_DIR ]]
}

@test "serving: wrong options are told before anything is read" {
	local -A wrong=(
		["--exec-shape round"]="--exec-shape: unknown word 'round'"
		["--expose some"]="--expose: unknown word 'some'"
		["--max-runs 0"]="--max-runs: expected a number from 1 to 4096, got '0'"
		["--max-runs many"]="--max-runs: expected a number from 1 to 4096, got 'many'"
		["--yield 1h"]="--yield: expected 1ms to 10m, got '1h'"
		["--yield soon"]="--yield"
		["--output 2MiB"]="--output: expected 1B to 1MiB, got '2MiB'"
		["--cwd ./nowhere"]="--cwd: './nowhere'"
		["--audit-failure perhaps"]="--audit-failure"
		["surplus"]="unknown word 'surplus'"
	)
	local words
	for words in "${!wrong[@]}"; do
		# shellcheck disable=SC2086 # they are words
		run -2 --separate-stderr "$WRIT" mcp $words <<<"$ping"
		expect_stdout ""
		expect_in_stderr "writ: mcp"
		expect_in_stderr "${wrong[$words]}"
	done
}

@test "install: the program's own command adds it, and is shown" {
	stand_in claude
	run -0 --separate-stderr "$WRIT" mcp install --client claude
	[[ $(words) == "mcp add --scope user writ -- $(realpath "$WRIT") mcp" ]]
	expect_in_stderr "running claude mcp add --scope user writ -- $(realpath "$WRIT") mcp"
	expect_in_stdout "claude was here"
	expect_in_stderr "work,"
	expect_in_stderr '"deny": ["Bash"]'
}

@test "install: what the server is to be started with goes along, with whole paths" {
	stand_in codex
	echo 'version: 1' >mine.yaml
	run -0 --separate-stderr "$WRIT" mcp install --client codex --name hands \
		--agent reviewer --cwd . --expose core
	[[ $(words) == "mcp add hands -- $(realpath "$WRIT") mcp --agent reviewer --cwd $PWD --expose core" ]]
	run -0 "$WRIT" mcp install --client codex --print --policy ./mine.yaml
	expect_in_stdout "\"--policy\", \"$PWD/./mine.yaml\""
}

@test "install: gemini and code have forms of their own" {
	stand_in gemini
	run -0 "$WRIT" mcp install --client gemini --scope project --agent a
	[[ $(words) == "mcp add --scope project writ $(realpath "$WRIT") mcp -- --agent a" ]]
	stand_in code
	run -0 "$WRIT" mcp install --client vscode
	[[ $(words) == "--add-mcp {\"name\":\"writ\",\"command\":\"$(realpath "$WRIT")\",\"args\":[\"mcp\"]}" ]]
}

@test "install: without a command the text is printed, and where it goes" {
	run -3 --separate-stderr "$WRIT" mcp install --client cursor
	expect_in_stderr "this goes into $HOME/.cursor/mcp.json"
	[[ $(json "$output" "d['mcpServers']['writ']['args']") == "['mcp']" ]]
	run -3 --separate-stderr "$WRIT" mcp install --client codex --scope project
	expect_in_stderr "this goes into .codex/config.toml"
	expect_stdout "[mcp_servers.writ]
command = \"$(realpath "$WRIT")\"
args = [\"mcp\"]"
	run -3 --separate-stderr "$WRIT" mcp install --client claude
	expect_in_stderr "there is no program 'claude' in PATH"
	[[ ! -e $HOME/.cursor && ! -e .codex && ! -e $HOME/.claude.json ]]
}

@test "install: --print changes nothing and runs nothing" {
	stand_in claude
	run -0 --separate-stderr "$WRIT" mcp install --client claude --scope project --print
	[[ $(json "$output" "d['mcpServers']['writ']['command']") == "$(realpath "$WRIT")" ]]
	[[ ! -e $BATS_TEST_TMPDIR/words ]]
}

@test "install: one that is there stays as it is" {
	stand_in claude
	echo '{"mcpServers":{"writ":{"command":"/old"}}}' >"$HOME/.claude.json"
	run -1 --separate-stderr "$WRIT" mcp install --client claude
	expect_in_stderr "Claude Code already has a server 'writ'"
	expect_in_stderr "claude mcp remove writ"
	[[ ! -e $BATS_TEST_TMPDIR/words ]]
	run -0 "$WRIT" mcp install --client claude --name writ2
	[[ $(words) == "mcp add --scope user writ2 -- "* ]]
}

@test "install: a command that fails is a failure" {
	stand_in claude 7
	run -1 --separate-stderr "$WRIT" mcp install --client claude
	expect_in_stdout "claude was here"
	[[ $stderr != *"checked"* ]]
}

@test "install: the policy judges that command, too" {
	stand_in claude
	printf 'version: 1\nrules:\n  - allow: {}\n  - ask: {program: claude}\n' >"$BATS_TEST_TMPDIR/asks.yaml"
	WRIT_POLICY=$BATS_TEST_TMPDIR/asks.yaml run -3 --separate-stderr "$WRIT" mcp install --client claude
	[[ ! -e $BATS_TEST_TMPDIR/words ]]
	expect_in_stderr "run it yourself"
	[[ $(json "$output" "d['mcpServers']['writ']['args']") == "['mcp']" ]]
}

@test "install: the command is in the record" {
	stand_in claude
	"$WRIT" mcp install --client claude 2>/dev/null
	run -0 "$WRIT" audit list
	expect_in_stdout "claude mcp add --scope user writ"
	run -0 "$WRIT" audit verify
}

@test "install: wrong usage" {
	run -2 --separate-stderr "$WRIT" mcp install
	expect_in_stderr "say for which program"
	run -2 --separate-stderr "$WRIT" mcp install --client claud
	expect_in_stderr "did you mean 'claude'?"
	run -2 --separate-stderr "$WRIT" mcp install --client claude --scope world
	expect_in_stderr "expected user or project"
	run -2 --separate-stderr "$WRIT" mcp install --client claude --name 'a b'
	expect_in_stderr "--name"
	run -2 --separate-stderr "$WRIT" mcp install --client claude --yield never
	expect_in_stderr "--yield"
}

@test "check: everything works" {
	run -0 --separate-stderr "$WRIT" mcp check
	expect_stderr ""
	for trial in start versions tools/list exec cancel resources "end of input" server/discover; do
		grep -Eq "^$trial +works " <<<"$output" || show_run
	done
	[[ $output != *fails* ]] || show_run
}

@test "check: under the default policy a form is offered and a no is a no" {
	unset WRIT_POLICY
	run -0 --separate-stderr "$WRIT" mcp check --json
	[[ $(json "$output" "d['ok']") == True ]] || show_run
	for trial in "approval by a form" "approval by a result" exec cancel; do
		[[ $(json "$output" "[t['result'] for t in d['trials'] if t['trial'] == '$trial'][0]") == works ]] || show_run
	done
	run -0 "$WRIT" approvals list --json
	expect_stdout "[]"
	run -0 "$WRIT" audit verify
}

# only PROGRAM...: a folder for PATH with links to these and nothing else
only() {
	local program
	mkdir -p "$BATS_TEST_TMPDIR/only"
	rm -f "$BATS_TEST_TMPDIR/only/"*
	for program; do
		ln -s "$(type -P "$program")" "$BATS_TEST_TMPDIR/only/$program"
	done
	echo "$BATS_TEST_TMPDIR/only"
}

result_of() { json "$output" "[t['result'] for t in d['trials'] if t['trial'] == '$1'][0]"; }

@test "check: works where there is neither curl nor wget nor git" {
	unset WRIT_POLICY
	run -0 --separate-stderr env -i HOME="$HOME" WRIT_STATE_DIR="$WRIT_STATE_DIR" \
		PATH="$(only sh cat echo env ls rm sleep true tty unlink)" "$WRIT" mcp check --json
	[[ $(json "$output" "{t['result'] for t in d['trials']}") == "{'works'}" ]] || show_run
}

@test "check: a program that is not installed is not what is asked about" {
	unset WRIT_POLICY
	run -0 --separate-stderr env -i HOME="$HOME" WRIT_STATE_DIR="$WRIT_STATE_DIR" \
		PATH="$(only sh cat echo shred sleep true tty)" "$WRIT" mcp check --json
	[[ $(result_of "approval by a form") == works ]] || show_run
	[[ $(result_of "approval by a result") == works ]] || show_run
}

@test "check: a policy that asks about nothing leaves nothing to approve" {
	run -0 --separate-stderr "$WRIT" mcp check --policy open --json
	[[ $(result_of "approval by a form") == skipped ]] || show_run
	expect_in_stdout "this policy asks about nothing"
	printf 'version: 1\nsandbox: workspace\nrules:\n  - allow: {program: "*"}\n  - allow: {effect: more}\n  - ask: {program: [curl, wget, unlink]}\n' >"$HOME/policy.yaml"
	run -0 --separate-stderr env PATH="$(only sh cat echo sleep true tty)" "$WRIT" mcp check --policy "$HOME/policy.yaml" --json
	[[ $(result_of "approval by a form") == skipped ]] || show_run
	expect_in_stdout "none of what this policy asks about is installed"
}

@test "check: what the policy forbids is skipped, not broken" {
	printf 'version: 1\ndefault: deny\n' >"$HOME/policy.yaml"
	run -0 --separate-stderr "$WRIT" mcp check --policy "$HOME/policy.yaml" --json
	[[ $(json "$output" "[t['result'] for t in d['trials'] if t['trial'] == 'exec'][0]") == skipped ]] || show_run
}

@test "check: a server that cannot start is told with what it says" {
	echo 'version: [' >broken.yaml
	run -1 --separate-stderr "$WRIT" mcp check --policy ./broken.yaml
	expect_in_stdout "fails"
	expect_in_stdout "broken.yaml"
}

@test "check: nothing of it is in the record, and nothing is left" {
	mkdir "$BATS_TEST_TMPDIR/tmp"
	"$WRIT" run -- true
	run -0 --separate-stderr env TMPDIR="$BATS_TEST_TMPDIR/tmp" "$WRIT" mcp check --state-dir "$WRIT_STATE_DIR"
	run -0 --separate-stderr "$WRIT" audit list --json
	[[ $(wc -l <<<"$output") == 1 && $output == *'"true"'* ]] || show_run
	run -0 --separate-stderr "$WRIT" approvals list --json
	[[ $output != *mcp* ]] || show_run
	[[ -z $(ls -A "$BATS_TEST_TMPDIR/tmp") ]]
}

@test "check: no process of it is left" {
	"$WRIT" mcp check --agent "left$$" >/dev/null
	run -1 pgrep -f "mcp --agent left$$"
}

@test "the examples: a client that talks, and a policy that holds what it expects" {
	need python3
	run -0 "$WRIT_SOURCE/examples/mcp/talk.py" echo hello
	expect_in_stdout "answer: good"$'\n'"hello"
	run -0 env WRIT_POLICY=developer "$WRIT_SOURCE/examples/mcp/talk.py" sudo id
	expect_in_stdout "answer: error"
	cp "$WRIT_SOURCE/examples/mcp/policy.yaml" "$HOME"
	chmod 644 "$HOME/policy.yaml"
	run -0 "$WRIT" policy test "$HOME/policy.yaml"
	run -0 "$WRIT" policy lint "$HOME/policy.yaml"
	[[ $(json "$(cat "$WRIT_SOURCE/examples/mcp/.mcp.json")" "d['mcpServers']['writ']['args'][0]") == mcp ]]
}
