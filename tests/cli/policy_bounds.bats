#!/usr/bin/env bats
# bats file_tags=anyone
# Rules that end, and rules of one project.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME/src/app" "$HOME/src/other"
	HOME=$(realpath "$HOME")
	user_policy <<-END
		version: 1
		include: [developer]
		rules:
		  - allow: git push origin old
		    until: 2020-01-31T18:00:00Z
		  - allow: git push origin new
		    until: 2120-02-29T18:00:00Z
		  - allow: git push origin app
		    project: ~/src/app
		  - allow: git push origin here
		    project: $HOME/src/other
		  - deny: git push origin never
		    project: ~/src/app
		expect:
		  - allow: git push origin old
		    until: 2020-01-31T18:00:00Z
		  - ask: git push origin old
		  - allow: git push origin new
		  - allow: git push origin app
		    project: ~/src/app
		  - ask: git push origin app
		    project: $HOME/src/other
		  - deny: git push origin never
		    project: $HOME/src/app
	END
}

# decides DIRECTORY ANSWER WORD
decides() {
	run --separate-stderr "$WRIT" policy explain --json --cwd "$1" -- git push origin "$3"
	[[ $(json "$output" "d['decision']") == "$2" ]] || show_run
}

@test "a rule that has ended does not apply, and its expectation is not checked" {
	decides "$HOME/src/app" ask old
	decides "$HOME/src/app" allow new
}

@test "a rule of one project applies there and in its directories" {
	git -C "$HOME/src/app" init -q
	mkdir "$HOME/src/app/js"
	cd "$HOME/src/app/js"
	decides . allow app
	decides . deny never
	decides . ask here
	cd "$HOME/src/other"
	decides . ask app
	decides . ask never
	decides . allow here
}

@test "lint tells of rules that have ended" {
	run -1 --separate-stderr "$WRIT" policy lint
	[[ $output == *"policy.yaml:4:5: warning: this rule has ended"* && $output != *":6:5:"* ]] || show_run
}

@test "what is no time and no project is told with its place" {
	local word
	for word in tomorrow 2030-02-30T00:00:00Z 2030-01-01 2030-01-01T25:00:00Z 2030-01-01T00:00:00+01:00; do
		printf 'version: 1\nrules:\n  - allow: ls\n    until: %s\n' "$word" >"$WRIT_CONFIG_DIR/policy.yaml"
		run -2 --separate-stderr "$WRIT" policy explain -- ls
		expect_in_stderr "policy.yaml:4:12: until '$word' is not a point in time"
	done
	for word in src/app ./app '~' /a//b /a/../b /a/ /; do
		printf 'version: 1\nrules:\n  - allow: ls\n    project: "%s"\n' "$word" >"$WRIT_CONFIG_DIR/policy.yaml"
		run -2 --separate-stderr "$WRIT" policy explain -- ls
		expect_in_stderr "policy.yaml:4:14: project '$word' "
	done
}
