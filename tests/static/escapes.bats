#!/usr/bin/env bats
# The escape suite's tables are complete, and the manual's page is made of them.

load ../cli/helpers

setup() {
	suite=$WRIT_SOURCE/tests/escape
	attempt=$WRIT_TEST_PROGRAMS/attempt
}

@test "docs/escapes.md is what the tables say" {
	"$suite/table" "$attempt" >"$BATS_TEST_TMPDIR/page"
	diff "$WRIT_SOURCE/docs/escapes.md" "$BATS_TEST_TMPDIR/page"
}

@test "every attempt has its line in expected.tsv, and no other has" {
	diff <("$attempt" --list | cut -f1,2) <(tail -n +2 "$suite/expected.tsv" | cut -f1,2)
	[[ -z $("$attempt" --list | cut -f2 | sort | uniq -d) ]]
}

@test "each expectation is one of the words, for each of the profiles" {
	run -0 awk -F'\t' 'NR > 1 && (NF != 10 || $3 $4 $5 $6 $7 $8 $9 $10 !~ /^(open|closed|root|user|-)+$/) { bad = 1 } END { exit bad }' "$suite/expected.tsv"
}

@test "nothing but what the page explains is open in a profile with walls" {
	run -0 awk -F'\t' 'NR > 1 && ($5 $6 $9 ~ /open|root|user/) { print $2 }' "$suite/expected.tsv"
	expect_stdout "$OPEN_BY_DESIGN"
}

@test "the profile container leaves open what it says it cannot close" {
	run -0 awk -F'\t' 'NR > 1 && ($10 ~ /open|root|user/) { print $2 }' "$suite/expected.tsv"
	expect_stdout "$OPEN_IN_A_CONTAINER"
}

@test "every environment says what becomes of every profile" {
	[[ $(tail -n +2 "$suite/environments.tsv" | cut -f1,2 | sort -u | wc -l) == 60 ]]
}

OPEN_BY_DESIGN='read-elsewhere
lock-elsewhere
workspace-write
unix-workspace
memfd-exec'

OPEN_IN_A_CONTAINER='read-elsewhere
read-tmp
lock-elsewhere
chmod
fchmod
fchmodat2
chown
fchown
utime
futime
input-null
dev-null
workspace-write
hook-new
hook-old
hook-chmod
hook-linked
git-config
git-config-replaced
git-moved
git-exchanged
hooks-moved
policy
policy-moved
protected-new
see-process
renice-process
pin-process
schedule-process
memfd-exec
proc-timers
proc-keys
proc-addresses
proc-memory
proc-hardware
bounding-set'
