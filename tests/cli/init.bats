#!/usr/bin/env bats
# bats file_tags=anyone
# Policies to start from, for several kinds of projects.
# `run` sets output and stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	unset WRIT_POLICY
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR.config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR.system
	mkdir "$BATS_TEST_TMPDIR/project"
	cd "$BATS_TEST_TMPDIR/project" || return
}

# in_order: what init wrote is read without a warning, and all that it expects
# holds.
in_order() {
	run -0 --separate-stderr "$WRIT" init "$@"
	expect_in_stdout "wrote $PWD/.writ/policy.yaml"
	run -0 --separate-stderr "$WRIT" policy lint .writ/policy.yaml
	[[ $output$stderr != *warning* ]] || show_run
	run -0 --separate-stderr "$WRIT" policy test .writ/policy.yaml
	[[ $output != *FAILED* ]] || show_run
}

# expects LINE...: each is a line under expect.
expects() {
	local line
	for line; do
		grep -qxF -- "  - $line" .writ/policy.yaml && continue
		echo "no line '$line' in:" >&2
		cat .writ/policy.yaml >&2
		return 1
	done
}

# bats test_tags=smoke
@test "an empty directory" {
	in_order
	expects "deny: cat .env" "deny: env sudo id"
	grep -q "^include: \[developer\]$" .writ/policy.yaml
}

@test "a git repository" {
	mkdir .git
	in_order
	expects "allow: git status" "allow: git commit -m 'a message'" "ask: git push" "ask: git fetch"
}

@test "Node.js with npm" {
	echo '{"scripts":{"test":"node --test","lint":"x","deploy":"x"}}' >package.json
	in_order
	expects "ask: npm install" "ask: npm publish"
	grep -qE '^  - (allow|ask): npm test$' .writ/policy.yaml
	run ! grep -q deploy .writ/policy.yaml
}

@test "Node.js with an installer that writ does not know" {
	echo '{"private":true,"scripts":{"test":"x","test:unit":"x"}}' >package.json
	touch yarn.lock
	in_order
	expects "allow: yarn install"
}

@test "Python" {
	echo requests >requirements.txt
	touch setup.py
	in_order
	expects "allow: pytest" "ask: pip install -r requirements.txt"
}

@test "Python with uv" {
	touch pyproject.toml uv.lock
	in_order
	expects "ask: uv sync" "ask: uv publish"
}

@test "Rust" {
	touch Cargo.toml
	in_order
	expects "allow: cargo test --offline" "ask: cargo fetch" "ask: cargo publish"
}

@test "Go" {
	touch go.mod
	in_order
	expects "ask: go mod download"
}

@test "make, CMake and Meson" {
	printf 'all:\n\ttrue\ntest:\n\ttrue\n' >Makefile
	touch CMakeLists.txt meson.build
	in_order
	expects "allow: make" "allow: make test"
	# A rule is written only for programs that are there.
	if command -v meson >/dev/null; then
		expects "allow: meson compile -C build"
		run -0 "$WRIT" policy explain --policy .writ/policy.yaml -- meson compile -C build
		run -0 "$WRIT" policy explain --policy .writ/policy.yaml -- meson compile -C elsewhere
	else
		run ! grep -q "meson compile" .writ/policy.yaml
	fi
}

@test "Ruby and PHP" {
	touch Gemfile composer.json
	in_order
	grep -q '"./config/master.key"' .writ/policy.yaml
}

@test "Docker and Terraform" {
	touch Dockerfile main.tf
	in_order
	expects "ask: docker build ."
	grep -q '"./\*\*/\*.tfstate"' .writ/policy.yaml
}

@test "files with secrets are not read" {
	touch .env .env.production .env.example id_rsa
	in_order
	expects "deny: cat .env"
	run -3 --separate-stderr "$WRIT" policy explain --json -- cat .env.production
	[[ $(json "$output" 'd["decision"]') == deny ]]
	run -0 --separate-stderr "$WRIT" policy explain --json -- cat .env.example
	[[ $(json "$output" 'd["decision"]') == allow ]]
	run -125 "$WRIT" run -- cat id_rsa
}

@test "every preset can be started from" {
	mkdir .git
	for preset in developer denylist allowlist modules-strict manifest open; do
		in_order --preset "$preset" --force
		grep -q "^include: \[$preset\]$" .writ/policy.yaml
	done
}

@test "an unknown preset is told, and nothing is written" {
	run -1 --separate-stderr "$WRIT" init --preset develper
	expect_in_stderr "there is no preset 'develper'"
	[[ ! -e .writ ]]
}

@test "a policy that is there stays unless --force is given" {
	mkdir .writ
	echo "version: 1" >.writ/policy.yaml
	run -1 --separate-stderr "$WRIT" init
	expect_in_stderr "writ: there is a policy already: '$PWD/.writ/policy.yaml'"
	[[ $(cat .writ/policy.yaml) == "version: 1" ]]
	run -0 "$WRIT" init --force
	grep -q "^expect:" .writ/policy.yaml
	[[ $(ls -A .writ) == policy.yaml ]]
}

@test "a link in the place of the policy is not followed" {
	mkdir .writ
	echo kept >"$BATS_TEST_TMPDIR/other"
	ln -s "$BATS_TEST_TMPDIR/other" .writ/policy.yaml
	run -1 "$WRIT" init
	run -0 "$WRIT" init --force
	[[ $(cat "$BATS_TEST_TMPDIR/other") == kept && ! -L .writ/policy.yaml ]]
}

@test "--print writes nothing" {
	mkdir .git
	run -0 --separate-stderr "$WRIT" init --print
	expect_in_stdout "include: [developer]"
	expect_stderr ""
	[[ ! -e .writ ]]
	run -0 "$WRIT" init
	diff <("$WRIT" init --print) .writ/policy.yaml
}

@test "--user writes the user's policy" {
	run -0 "$WRIT" init --user
	[[ -e $WRIT_CONFIG_DIR/policy.yaml && ! -e .writ ]]
	run -0 "$WRIT" policy lint "$WRIT_CONFIG_DIR/policy.yaml"
	run -1 --separate-stderr "$WRIT" policy explain --json -- git push
	[[ $(json "$output" 'd["decision"]') == ask ]]
	run -1 "$WRIT" init --user
}

@test "neither / nor the home directory is a project" {
	cd /
	run -1 --separate-stderr "$WRIT" init --print
	expect_in_stderr "writ: '/' is not a project"
	mkdir "$BATS_TEST_TMPDIR/home"
	cd "$BATS_TEST_TMPDIR/home"
	HOME=$PWD run -1 --separate-stderr "$WRIT" init
	expect_in_stderr "is not a project"
	expect_in_stderr "writ init --user"
	[[ ! -e .writ ]]
}

@test "a directory that cannot be written to is told" {
	touch .writ
	run -1 --separate-stderr "$WRIT" init
	expect_in_stderr "writ: cannot"
}

@test "nothing in the directory is executed" {
	mkdir .git bin
	for name in git npm make node python3; do
		printf '#!/bin/sh\ntouch %q\n' "$BATS_TEST_TMPDIR/hit" >"bin/$name"
		chmod +x "bin/$name"
	done
	printf 'X := $(shell touch %s)\ntest:\n' "$BATS_TEST_TMPDIR/hit" >Makefile
	echo '{"scripts":{"test":"touch hit"}}' >package.json
	PATH=$PWD/bin:$PATH run -0 "$WRIT" init
	[[ ! -e $BATS_TEST_TMPDIR/hit && ! -e hit ]]
}

@test "what runs afterwards runs under it" {
	mkdir .git
	run -0 "$WRIT" init
	run -0 "$WRIT" run -- ls
	run -125 --separate-stderr "$WRIT" run -- cat .env
	expect_in_stderr "it contains secrets"
}

@test "wrong words are wrong usage" {
	run -2 --separate-stderr "$WRIT" init here
	expect_in_stderr "writ: init: unexpected word 'here'"
}

@test "a link in a project is not followed: nothing is written where it leads" {
	mkdir ../elsewhere
	for force in "" --force; do
		ln -s ../elsewhere .writ
		run -1 --separate-stderr "$WRIT" init $force
		[[ $stderr == "writ: '$PWD/.writ' is a symbolic link, which writ init does not follow"* ]] || show_run
		[[ -z $(ls -A ../elsewhere) && -L .writ ]] || show_run
		rm .writ
	done
	# Neither one that leads nowhere, nor one in the place of the file.
	ln -s ../nowhere .writ
	run -1 --separate-stderr "$WRIT" init
	[[ ! -e ../nowhere ]]
	rm .writ
	mkdir .writ
	echo mine >../elsewhere/file
	ln -s ../../elsewhere/file .writ/policy.yaml
	run -1 --separate-stderr "$WRIT" init
	[[ $stderr == *"/.writ/policy.yaml' is a symbolic link, which writ init does not follow"* ]] || show_run
	run -0 --separate-stderr "$WRIT" init --force
	[[ $(cat ../elsewhere/file) == mine && ! -L .writ/policy.yaml ]] || show_run
	[[ $(ls -A ../elsewhere) == file ]]
	# The project itself may be reached by one.
	rm -r .writ
	ln -s "$PWD" ../way
	(cd ../way && "$WRIT" init)
	[[ -f .writ/policy.yaml ]]
	# What is shown or checked writes nothing.
	rm -r .writ
	ln -s ../elsewhere .writ
	"$WRIT" init --print >/dev/null
	run "$WRIT" policy lint
	run "$WRIT" policy test
	run "$WRIT" policy show
	[[ $(ls -A ../elsewhere) == file ]]
}

@test "the user's own directory may be a link" {
	mkdir "$BATS_TEST_TMPDIR/real"
	ln -s "$BATS_TEST_TMPDIR/real" "$BATS_TEST_TMPDIR/config"
	run -0 --separate-stderr "$WRIT" init --user --config-dir "$BATS_TEST_TMPDIR/config"
	[[ -f $BATS_TEST_TMPDIR/real/policy.yaml ]] || show_run
}

@test "--hook writes the settings of an agent program, and its shell runs through writ" {
	local place
	for place in claude:.claude/settings.json codex:.codex/hooks.json cursor:.cursor/hooks.json gemini:.gemini/settings.json; do
		run -0 --separate-stderr "$WRIT" init --hook "${place%%:*}"
		[[ $(jq -r '.. | .command? // empty' "${place#*:}" | head -n 1) == "writ policy check --confine" ]]
		run -0 --separate-stderr "$WRIT" init --hook "${place%%:*}" --print
		cmp - "${place#*:}" <<<"$output"
		run -1 --separate-stderr "$WRIT" init --hook "${place%%:*}"
		expect_in_stderr "there are settings already"
		expect_in_stderr "add to it what --print shows"
	done
	[[ ! -e .writ ]]
	# What it is told to run is a run in walls.
	run -0 --separate-stderr "$WRIT" policy check --confine <<<"{\"session_id\":\"s\",\"cwd\":\"$PWD\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}"
	[[ $(jq -r .hookSpecificOutput.updatedInput.command <<<"$output") == *"run "*"--shell"*ls* ]] || show_run
}

@test "--hook follows no link, and wants a known program" {
	mkdir elsewhere
	ln -s elsewhere .claude
	run -1 --separate-stderr "$WRIT" init --hook claude
	expect_in_stderr "link"
	[[ -z $(ls elsewhere) ]]
	run -2 --separate-stderr "$WRIT" init --hook emacs
	expect_in_stderr "'emacs' is not claude, codex, cursor or gemini"
	run -2 --separate-stderr "$WRIT" init --hook codex --force
	expect_in_stderr "cannot be used together"
}
