#!/usr/bin/env bats
# A question is put only if a yes can be carried out.
# shellcheck disable=SC2154
load helpers

setup() {
	need git
	# Not in a private directory of the sandbox.
	case ${HOME:-/}/ in
	/tmp/* | /var/tmp/*) skip "the home directory is below /tmp" ;;
	esac
	base=$(mktemp -d "${HOME:-/}/.writ-test-void.XXXXXX" 2>/dev/null) || skip "no directory outside /tmp"
	export HOME=$base/home WRIT_STATE_DIR=$base/state WRIT_SYSTEM_DIR=$base/etc WRIT_POLICY=$base/asks.yaml
	mkdir -p "$HOME/project" "$base/project" "$WRIT_STATE_DIR"
	printf 'version: 1\ndefault: ask\n' >"$WRIT_POLICY"
	if [[ $(id -u) == 0 ]]; then unshare -m true; else unshare -Um true; fi 2>/dev/null ||
		{ [[ ${WRIT_MUST_RUN:-} != 1 ]] && skip "no namespaces for this user"; }
}

teardown() { cd / && rm -rf "${base:-}"; }

@test "a file beside the project, where that is the home directory" {
	cd "$HOME/project"
	run -125 --separate-stderr "$WRIT" run -- touch ../new
	expect_in_stderr "nobody is asked: a yes could not be carried out, since the sandbox never makes '$HOME' writable"
}

@test "a place outside for a command that runs code" {
	cd "$base/project" && git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m x
	run -125 --separate-stderr "$WRIT" run -- git worktree add ../tree
	expect_in_stderr "nobody is asked: it runs code, so a yes would not make '$base/tree' writable"
}
