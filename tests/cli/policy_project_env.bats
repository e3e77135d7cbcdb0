#!/usr/bin/env bats
# Whoever wrote a project's policy has no say over what runs get of the caller.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	export TOKEN=hidden KEPT=kept
}

prints() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask "$@" </dev/null
}

@test "a project's policy passes none of the caller's variables" {
	project_policy <<-'END'
		version: 1
		environment: { mode: inherit, pass: ["*"] }
		rules: [{ allow: {} }]
	END
	prints 1 -- printenv TOKEN
	expect_stdout ""
}

@test "a project's policy sets no variable, for an agent neither" {
	project_policy <<-END
		version: 1
		environment: { set: { LD_PRELOAD: $PWD/evil.so } }
		agents: { local: { environment: { set: { LD_AUDIT: $PWD/evil.so } } } }
		rules: [{ allow: {} }]
	END
	prints 1 --sandbox none -- printenv LD_PRELOAD
	prints 1 --sandbox none -- printenv LD_AUDIT
}

@test "a project's policy drops what the user's passes" {
	user_policy <<-'END'
		version: 1
		environment: { pass: [TOKEN, KEPT], set: { MADE: here } }
		rules: [{ allow: {} }]
	END
	project_policy <<-'END'
		version: 1
		environment: { drop: [TOKEN] }
		rules: [{ allow: {} }]
	END
	prints 1 -- printenv TOKEN
	prints 0 -- printenv KEPT MADE
	expect_stdout $'kept\nhere'
}
