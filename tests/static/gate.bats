#!/usr/bin/env bats
# bats file_tags=anyone
# What it costs cannot rise unseen: bench/run --gate.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# Counts as they are kept, so that most cases need not count.
	echo '{"kind": "gcc 1", "counts": {"cold-none": [1000000, 500], "decision": [100000, 200]}}' >counts
}

gate() { # ARG...
	run "$WRIT_SOURCE/bench/run" --gate --built "$WRIT_BUILD" --figures figures.tsv "$@"
}

figures() { # COLD-INSTRUCTIONS COLD-CALLS
	printf '# a comment\n' >figures.tsv
	printf '%s\t%s\t%s\t%s\t%s\n' decision 7 7 'clang 1' 'another compiler' \
		decision 100000 200 'gcc 1' 'as it was' \
		cold-none "$1" "$2" 'gcc 1' 'as it was' >>figures.tsv
}

@test "what is counted twice is the same" {
	gate --only decision --update 'first figures'
	[ "$status" != 77 ] || skip "$output"
	[ "$status" -eq 0 ]
	[[ $(cat figures.tsv) == decision* ]]
	gate --only decision
	[ "$status" -eq 0 ]
	before=$(cat figures.tsv)
	gate --only decision --update 'again'
	[ "$status" -eq 0 ]
	[ "$(cat figures.tsv)" = "$before" ]
	[[ $output == *'no figure has changed'* ]]
}

@test "a count 4 percent above its figure fails, with its scene and what to do" {
	figures 960000 500
	gate --counts counts
	[ "$status" -eq 1 ]
	[[ $output == *'cold-none: 4.2 % more instructions than its figure; 3 % are allowed'* ]]
	[[ $output == *"bench/run --gate --update 'what it is for'"* ]]
	[[ $output != *'decision: '* ]]
	figures 1000000 480
	gate --counts counts
	[ "$status" -eq 1 ]
	[[ $output == *'cold-none: 4.2 % more system calls'* ]]
}

@test "a count 2 percent above its figure passes, and so does one below" {
	figures 980000 490
	gate --counts counts
	[ "$status" -eq 0 ]
	figures 2000000 900
	gate --counts counts
	[ "$status" -eq 0 ]
}

@test "new figures change their row only: order, comments and other rows stay" {
	figures 960000 500
	sed 's/^cold-none.*/cold-none\t1000000\t500\tgcc 1\tit does more/' figures.tsv >expected
	gate --counts counts --update 'it does more'
	[ "$status" -eq 0 ]
	[[ $output == *'new figures for cold-none' ]]
	diff expected figures.tsv
	gate --counts counts
	[ "$status" -eq 0 ]
}

@test "a compiler without figures is told, and skipped until it has some" {
	figures 1000000 500
	sed -i 's/gcc 1/gcc 2/' counts
	gate --counts counts
	[ "$status" -eq 77 ]
	[[ $output == *'no figure for gcc 2: skipped'* ]]
	gate --counts counts --update 'a second compiler'
	[ "$status" -eq 0 ]
	[ "$(tail -n 2 figures.tsv)" = "$(printf '%s\t%s\t%s\tgcc 2\ta second compiler\n' cold-none 1000000 500 decision 100000 200)" ]
	sed -i '/decision.*gcc 2/d' figures.tsv
	gate --counts counts
	[ "$status" -eq 1 ]
	[[ $output == *'decision has no figure'* ]]
}

@test "a bad figure is told with its place, and no reason is no update" {
	figures 1000000 many
	gate --counts counts
	[ "$status" -eq 2 ]
	[[ $output == *'figures.tsv:4: instructions and system calls must be whole numbers'* ]]
	figures 1000000 500
	gate --counts counts --update ' '
	[ "$status" -eq 2 ]
	[[ $output == *'--update needs the reason'* ]]
}
