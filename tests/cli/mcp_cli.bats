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

# expect_same_after_removal CLIENT FILE: what is in FILE comes back byte for byte.
expect_same_after_removal() {
	local before
	before=$(sha256sum <"$2")
	run -0 "$WRIT" mcp install --client "$1" --replace-shell --yes
	[[ $(sha256sum <"$2") != "$before" ]] || show_run
	run -0 "$WRIT" mcp install --client "$1" --remove --yes
	[[ $(sha256sum <"$2") == "$before" ]] || show_run
	[[ -z $(ls "$WRIT_STATE_DIR/clients") ]]
}

@test "install: files of settings keep comments, order, mode and what is not ours" {
	mkdir -p "$HOME/.config/zed" "$HOME/.config/goose" "$HOME/.codex" "$HOME/.config/opencode"
	printf '// mine\n{\n    "theme": "x", // note\n    "agent": {"a": 1},\n}\n' >"$HOME/.config/zed/settings.json"
	printf 'model = "o" # c\n[features]\nshell_tool = true\n[mcp_servers.a]\ncommand = "b"' >"$HOME/.codex/config.toml"
	printf 'a: 1\nextensions:\n  developer:\n    enabled: true # on\n    type: builtin\n# end\nb: 2\n' >"$HOME/.config/goose/config.yaml"
	printf '{"permission": {"bash": "ask"}}' >"$HOME/.config/opencode/opencode.jsonc"
	chmod 640 "$HOME/.config/zed/settings.json"
	expect_same_after_removal zed "$HOME/.config/zed/settings.json"
	[[ $(stat -c %a "$HOME/.config/zed/settings.json") == 640 ]]
	expect_same_after_removal codex "$HOME/.codex/config.toml"
	expect_same_after_removal goose "$HOME/.config/goose/config.yaml"
	expect_same_after_removal opencode "$HOME/.config/opencode/opencode.jsonc"
	[[ ! -e $HOME/.config/opencode/opencode.json ]]
}

@test "install: every client gets its file, and loses it again" {
	local client file
	while read -r client file; do
		run -0 "$WRIT" mcp install --client "$client" --yes
		grep -q "$(realpath "$WRIT")" "$HOME/$file" || show_run
		[[ $(stat -c %a "$HOME/$file") == 600 ]] || show_run
		run -1 "$WRIT" mcp install --client "$client" --yes
		run -0 "$WRIT" mcp install --client "$client" --remove --yes
		[[ ! -e $HOME/$file ]] || show_run
	done <<-EOT
		claude .claude.json
		codex .codex/config.toml
		gemini .gemini/settings.json
		cursor .cursor/mcp.json
		vscode .config/Code/User/mcp.json
		opencode .config/opencode/opencode.json
		copilot .copilot/mcp-config.json
		qwen .qwen/settings.json
		claude-desktop .config/Claude/claude_desktop_config.json
		zed .config/zed/settings.json
		windsurf .codeium/windsurf/mcp_config.json
		goose .config/goose/config.yaml
	EOT
}

@test "install: --replace-shell writes the setting, also for a server that is there" {
	run -0 "$WRIT" mcp install --client claude --yes --replace-shell
	[[ $(json "$(cat "$HOME/.claude/settings.json")" "d['permissions']['deny']") == "['Bash']" ]]
	run -0 "$WRIT" mcp install --client claude --remove --yes
	[[ ! -e $HOME/.claude/settings.json && ! -e $HOME/.claude.json ]]
	run -0 "$WRIT" mcp install --client opencode --yes
	run -0 "$WRIT" mcp install --client opencode --yes --replace-shell
	[[ $(json "$(cat "$HOME/.config/opencode/opencode.json")" "d['permission']['bash']") == deny ]]
	run -0 "$WRIT" mcp install --client opencode --remove --yes
	[[ ! -e $HOME/.config/opencode/opencode.json ]]
	for client in copilot cursor vscode windsurf claude-desktop; do
		run -1 --separate-stderr "$WRIT" mcp install --client $client --yes --replace-shell
		expect_in_stderr "has no s"
	done
	[[ ! -e $HOME/.copilot && ! -e $HOME/.cursor ]]
}

@test "install: in a project" {
	run -0 "$WRIT" mcp install --client claude --scope project --replace-shell --yes
	[[ $(json "$(cat .mcp.json)" "d['mcpServers']['writ']['args']") == "['mcp']" ]]
	[[ $(json "$(cat .claude/settings.json)" "d['permissions']['deny']") == "['Bash']" ]]
	run -0 "$WRIT" mcp install --client claude --scope project --remove --yes
	[[ ! -e .mcp.json && ! -e .claude/settings.json ]]
	run -1 --separate-stderr "$WRIT" mcp install --client goose --scope project --yes
	expect_in_stderr "no servers of a project"
}

@test "install: --dry-run and a question without a terminal change nothing" {
	run -0 --separate-stderr "$WRIT" mcp install --client zed --dry-run --replace-shell
	expect_in_stdout '+  "context_servers": {'
	expect_in_stdout '+          "default": "deny"'
	run -3 --separate-stderr "$WRIT" mcp install --client zed
	expect_in_stderr "--yes changes it"
	[[ ! -e $HOME/.config && ! -e $WRIT_STATE_DIR/clients ]]
	stand_in claude
	run -0 --separate-stderr "$WRIT" mcp install --client claude --dry-run
	expect_in_stderr "would run claude mcp add"
	[[ ! -e $BATS_TEST_TMPDIR/words ]]
}

@test "install: a person sees the change and answers" {
	run -3 on_terminal "'$WRIT' mcp install --client zed"
	expect_in_stdout '+  "context_servers": {'
	expect_in_stdout "write this? [y/N]"
	[[ ! -e $HOME/.config/zed/settings.json ]]
	printf 'y\n' | TERM=xterm script -qec "'$WRIT' mcp install --client zed" /dev/null
	grep -q context_servers "$HOME/.config/zed/settings.json"
}

@test "install: Qwen Code shows its model the tools at once" {
	run -0 "$WRIT" mcp install --client qwen --yes
	[[ $(json "$(cat "$HOME/.qwen/settings.json")" "d['mcpServers']['writ']['alwaysLoadTools']") == True ]] || show_run
}

@test "install: what a person changed since stays" {
	run -0 "$WRIT" mcp install --client opencode --yes --replace-shell
	sed -i 's/"deny"/"ask"/; s/"enabled": true/"enabled": false/' "$HOME/.config/opencode/opencode.json"
	run -0 "$WRIT" mcp install --client opencode --remove --yes
	[[ $(json "$(cat "$HOME/.config/opencode/opencode.json")" "d") == "{'mcp': {}, 'permission': {'bash': 'ask'}}" ]] || show_run
}

@test "install: a file that another program wrote anew is still cleaned" {
	run -0 "$WRIT" mcp install --client qwen --yes --replace-shell
	python3 - "$HOME/.qwen/settings.json" <<-'EOT'
		import json, sys
		with open(sys.argv[1]) as file: settings = json.load(file)
		settings["permissions"]["deny"].append("Mine")
		settings["theme"] = "x"
		with open(sys.argv[1], "w") as file: json.dump(settings, file)
	EOT
	run -0 "$WRIT" mcp install --client qwen --remove --yes
	[[ $(json "$(cat "$HOME/.qwen/settings.json")" "d") == "{'mcpServers': {}, 'permissions': {'deny': ['Mine']}, 'theme': 'x'}" ]] || show_run
}

@test "install: a broken file is told with its place and left alone" {
	mkdir -p "$HOME/.qwen" "$HOME/.config/goose"
	printf '{\n "a": 1,\n "b" 2\n}\n' >"$HOME/.qwen/settings.json"
	run -1 --separate-stderr "$WRIT" mcp install --client qwen --yes
	expect_in_stderr "$HOME/.qwen/settings.json"
	expect_in_stderr "line 3, column 6"
	[[ $(sed -n 3p "$HOME/.qwen/settings.json") == ' "b" 2' ]]
	printf 'a: 1\nb: [\n' >"$HOME/.config/goose/config.yaml"
	run -1 --separate-stderr "$WRIT" mcp install --client goose --yes
	expect_in_stderr "$HOME/.config/goose/config.yaml"
}

@test "install: a link that leads out is not followed, one that stays is" {
	mkdir -p "$HOME/.qwen" "$HOME/dotfiles" "$BATS_TEST_TMPDIR/out" .claude
	echo '{}' >"$BATS_TEST_TMPDIR/out/settings.json"
	ln -s "$BATS_TEST_TMPDIR/out/settings.json" "$HOME/.qwen/settings.json"
	run -1 --separate-stderr "$WRIT" mcp install --client qwen --yes
	expect_in_stderr "a link that leads elsewhere"
	ln -sf "$HOME/dotfiles/settings.json" "$HOME/.qwen/settings.json"
	run -1 --separate-stderr "$WRIT" mcp install --client qwen --yes
	expect_in_stderr "a link that leads elsewhere"
	echo '{}' >"$HOME/dotfiles/settings.json"
	run -0 "$WRIT" mcp install --client qwen --yes
	grep -q mcpServers "$HOME/dotfiles/settings.json"
	[[ -L $HOME/.qwen/settings.json ]]
	rmdir .claude
	ln -s "$BATS_TEST_TMPDIR/out" .claude
	run -1 --separate-stderr "$WRIT" mcp install --client claude --scope project --replace-shell --yes
	[[ $(cat "$BATS_TEST_TMPDIR/out/settings.json") == '{}' && ! -e .mcp.json ]]
}

@test "install: --remove uses the program's own command for what that has added" {
	stand_in claude
	echo '{"mcpServers":{"writ":{"command":"/old"}}}' >"$HOME/.claude.json"
	run -0 "$WRIT" mcp install --client claude --remove
	[[ $(words) == "mcp remove --scope user writ" ]]
	run -0 --separate-stderr "$WRIT" mcp install --client claude --name other --remove
	expect_in_stderr "has no server 'other'"
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
