#!/usr/bin/env bats
# bats file_tags=anyone
# `writ policy import`: the permission rules of Claude Code and Codex.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME"
	corpus=$WRIT_SOURCE/fuzz/corpus/import
	file=$WRIT_CONFIG_DIR/policy.yaml
}

@test "rules of Claude Code, and what is left" {
	run -0 --separate-stderr "$WRIT" policy import "$corpus/settings.json"
	for line in "- allow: npm run test ..." "- allow: npm install" "- allow: git log ..." "- allow: git * main" \
		"- ask: git push ..." "- deny: rm -rf ..." "#   allow Bash(ls*): a '*' in a word" \
		"#   allow Bash(a && b): it is a text for a shell" "#   deny Bash(git * --force): a '*' is one word" \
		"#   ask Read(./.env): a rule about files" "#   defaultMode: "; do
		expect_in_stdout "$line"
	done
	# What is printed is a policy.
	printf '%s\n' "$output" >"$file"
	run -0 --separate-stderr "$WRIT" policy explain -- npm run test
}

@test "rules of Codex" {
	run -0 --separate-stderr "$WRIT" policy import "$corpus/default.rules"
	for line in "- ask: git push origin ..." "- ask: git fetch origin ..." '# it leaves "this" machine' \
		"- allow: git status ..." "- deny: rm -rf ..." "- allow: ls ..." "#   host_executable("; do
		expect_in_stdout "$line"
	done
	run -0 --separate-stderr "$WRIT" policy import "$corpus/config.toml"
	expect_in_stdout '#   sandbox_mode = "workspace-write": '
}

@test "they are added to the user's policy, as far as they hold" {
	cat >settings.json <<-'END'
		{"permissions": {"allow": ["Bash(git push origin main)", "Bash(sudo id)", "Bash(pip install:*)"], "deny": ["Bash(npm publish:*)"]}}
	END
	run -2 --separate-stderr "$WRIT" policy import settings.json --write </dev/null
	[[ ! -e $file ]]
	run -0 --separate-stderr "$WRIT" policy import settings.json --write --yes
	expect_in_stdout "#   allow Bash(sudo id): "
	expect_in_stdout "+  - allow: git push origin main"
	run -0 --separate-stderr "$WRIT" policy test
	expect_in_stdout "3 of 3 as expected"
	run -0 --separate-stderr "$WRIT" policy explain -- pip install six
	run -3 --separate-stderr "$WRIT" policy explain -- npm publish --tag x
	# A second time there is nothing to do.
	cp "$file" before
	run -0 --separate-stderr "$WRIT" policy import settings.json --write --yes
	expect_in_stderr "nothing to add"
	cmp "$file" before
}

@test "what is no such file is told" {
	refuses() {
		printf '%b' "$1" >bad.rules
		run -2 --separate-stderr "$WRIT" policy import "${@:3}" bad.rules
		expect_in_stderr "$2"
	}
	refuses 'hello' "cannot tell whose rules 'bad.rules' has"
	refuses '{"permissions": 1}' 'has no "permissions"'
	refuses '{"permissions": {"allow": [1]}}' 'permissions.allow[0] is not a text'
	refuses '{"permissions": {"allow": {}}}' 'permissions.allow is not a list'
	refuses '{"permissions"' "writ: "
	refuses '\nprefix_rule(pattern=["a)' "line 2: a text without an end"
	refuses 'prefix_rule(decision="allow")' "without a pattern"
	refuses 'prefix_rule(pattern=["a"], decision="maybe")' "not allow, prompt or forbidden"
	refuses 'prefix_rule(pattern=["a"]' "line 1: "
	refuses 'x = 1' "only calls such as prefix_rule" --from codex
	run -2 --separate-stderr "$WRIT" policy import missing.json
	run -2 --separate-stderr "$WRIT" policy import
	expect_in_stderr "say which FILE"
}
