# A machine and a project with policies of their own, for tests.
# shellcheck shell=bash

# Nothing of this machine's configuration counts.
own_policies() {
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	unset WRIT_POLICY APCORE_EXTENSIONS_ROOT WRIT_MODULES
	mkdir -p "$WRIT_CONFIG_DIR" "$WRIT_SYSTEM_DIR" "$BATS_TEST_TMPDIR/project"
	cd "$BATS_TEST_TMPDIR/project" || return
}

# user_policy: standard input becomes the user's policy.
user_policy() { cat >"$WRIT_CONFIG_DIR/policy.yaml"; }

# project_policy: likewise the project's.
project_policy() {
	mkdir -p .writ
	cat >.writ/policy.yaml
}

# The policy that most tests are about.
sample_policy() {
	user_policy <<-'END'
		version: 1
		default: ask
		sandbox: none
		rules:
		  - allow: { effect: read }
		  - allow: { write: ["./**"], delete: ["./**"] }
		  - deny: { program: [sudo, su] }
		    because: nothing here needs other rights
		    message: "{binary} is not for {agent}"
		  - deny: { read: ["**/secret/**"], write: ["**/secret/**"] }
		agents:
		  reviewer:
		    rules:
		      - deny: { effect: [write, delete] }
		expect:
		  - allow: cat a
		  - deny: env sudo id
	END
}
