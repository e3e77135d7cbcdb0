#!/usr/bin/env bats
# A real service from nothing, in a Debian system made for the test: the manifest
# of examples/manifests/service, killed at random and resumed.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	[[ $(id -u) == 0 ]] || skip "only root makes a copy of the machine"
	need python3 unshare useradd apt-get dpkg-deb
	mkdir "$BATS_TEST_TMPDIR/probe"
	"$BATS_TEST_DIRNAME/machine_copy" --probe "$BATS_TEST_TMPDIR/probe" 2>/dev/null ||
		skip "no copy of the machine can be made here (overlayfs)"
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state WRIT_SOURCE BATS_TEST_DIRNAME D OUT ERR
}

# bats test_tags=smoke
@test "a service from nothing, without a guard: once, again, changed; then killed at random" {
	"$BATS_TEST_DIRNAME/machine_copy" "$BATS_TEST_TMPDIR" python3 "$BATS_TEST_DIRNAME/service_kills.py" 4
}

# bats test_tags=full
@test "a service from nothing, killed at fifty random moments and resumed" {
	"$BATS_TEST_DIRNAME/machine_copy" "$BATS_TEST_TMPDIR" python3 "$BATS_TEST_DIRNAME/service_kills.py" 50
}
