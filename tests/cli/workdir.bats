#!/usr/bin/env bats
# Where a command runs, and where it cannot.
load helpers
load running

setup() {
	ROOT=$BATS_TEST_TMPDIR/root
	mkdir -p "$ROOT/in/side" "$BATS_TEST_TMPDIR/outside"
	cd "$BATS_TEST_TMPDIR" || return
}

# bats test_tags=smoke
@test "the standard is writ's own directory" {
	cd "$ROOT/in"
	run -0 --separate-stderr "$WRIT" run -- pwd -P
	expect_stdout "$(pwd -P)"
}

@test "--cwd, absolute and relative, also through a link" {
	run -0 --separate-stderr "$WRIT" run --cwd "$ROOT/in" -- pwd -P
	expect_stdout "$(cd "$ROOT/in" && pwd -P)"
	run -0 --separate-stderr "$WRIT" run --cwd root/in/../in/./side -- pwd -P
	expect_stdout "$(cd "$ROOT/in/side" && pwd -P)"
	ln -s root/in link
	run -0 --separate-stderr "$WRIT" run --cwd link -- pwd -P
	expect_stdout "$(cd "$ROOT/in" && pwd -P)"
}

# refused MESSAGE COMMAND...: 125 with this message, not "command not found",
# and the command did not run.
refused() {
	run -125 --separate-stderr "${@:2}"
	expect_stdout ""
	expect_in_stderr "$1"
	[[ $stderr != *"program"* && $stderr != *"command not found"* ]] || show_run
	[[ $(wc -l <<<"$stderr") -le 2 ]] || show_run
}

@test "a missing directory is named, and is not a missing command" {
	refused "writ: cannot use working directory 'nowhere': No such file or directory" \
		"$WRIT" run --cwd nowhere -- no-such-program
	run -125 --separate-stderr "$WRIT" run --json --cwd nowhere -- true
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
}

@test "a file is no directory" {
	touch file
	refused "cannot use working directory 'file': Not a directory" "$WRIT" run --cwd file -- echo ran
	refused "cannot use working directory 'file/x': Not a directory" "$WRIT" run --cwd file/x -- echo ran
}

@test "an empty name, a loop of links, a name that is too long" {
	run -125 --separate-stderr "$WRIT" run --cwd '' -- echo ran
	expect_stdout ""
	ln -s b a
	ln -s a b
	refused "Too many levels of symbolic links" "$WRIT" run --cwd a -- echo ran
	refused "File name too long" "$WRIT" run --cwd "$(printf '%05000d' 0)" -- echo ran
}

@test "a directory that may not be entered" {
	! is_root || skip "root enters every directory"
	mkdir closed
	chmod 0 closed
	refused "closed': Permission denied" "$WRIT" run --cwd closed -- echo ran
	refused "cannot use working directory 'closed/x'" "$WRIT" run --cwd closed/x -- echo ran
	chmod 700 closed
}

@test "a directory that was deleted under writ" {
	mkdir gone
	cd gone
	rmdir "$BATS_TEST_TMPDIR/gone"
	run -125 --separate-stderr "$WRIT" run -- echo ran
	expect_stdout ""
	expect_in_stderr "working directory"
	cd "$BATS_TEST_TMPDIR"
}

@test "beneath the root: the root itself and all below" {
	for dir in "$ROOT" "$ROOT/" "$ROOT/." "$ROOT/in/side" "$ROOT/in/../in"; do
		run -0 --separate-stderr "$WRIT" run --root "$ROOT" --cwd "$dir" -- true
	done
	cd "$ROOT/in"
	run -0 --separate-stderr "$WRIT" run --root "$ROOT" -- true
	run -0 --separate-stderr "$WRIT" run --root .. --cwd side -- true
}

@test "outside of the root: beside, above, by .., by a link, by a similar name" {
	mkdir "$BATS_TEST_TMPDIR/root2"
	ln -s "$BATS_TEST_TMPDIR/outside" "$ROOT/link"
	ln -s ../outside "$ROOT/relative"
	ln -s / "$ROOT/in/slash"
	for dir in outside . / /etc "$ROOT/.." "$ROOT/in/../.." "$ROOT/../outside" "$ROOT/link" "$ROOT/relative" \
		"$ROOT/in/slash" "$ROOT/in/slash/etc" "$ROOT/link/../root2" "${ROOT}2" /proc/self/cwd/outside; do
		refused "is outside the allowed root '$ROOT'" "$WRIT" run --root "$ROOT" --cwd "$dir" -- echo ran
	done
}

@test "writ's own directory is held to the root, too" {
	cd outside
	refused "is outside the allowed root" "$WRIT" run --root "$ROOT" -- echo ran
}

@test "several roots: any of them will do" {
	run -0 --separate-stderr "$WRIT" run --root "$ROOT" --root outside --cwd outside -- true
	run -0 --separate-stderr "$WRIT" run --root outside --root "$ROOT" --cwd "$ROOT/in" -- true
	refused "outside the allowed root" "$WRIT" run --root outside --root "$ROOT" --cwd / -- echo ran
}

@test "a root that does not exist, or is a file, allows nothing" {
	touch file
	for root in nowhere file; do
		run -125 --separate-stderr "$WRIT" run --root "$root" --cwd "$ROOT" -- echo ran
		expect_stdout ""
		expect_in_stderr "$root"
	done
}

@test "a root that is a link means what it leads to" {
	ln -s "$ROOT" rootlink
	run -0 --separate-stderr "$WRIT" run --root rootlink --cwd rootlink/in -- true
	run -0 --separate-stderr "$WRIT" run --root rootlink --cwd "$ROOT/in" -- true
	refused "outside the allowed root" "$WRIT" run --root rootlink --cwd outside -- echo ran
}

# Without `run`, which takes longer than the race it should meet.
@test "a link that is swapped all the time never leads outside" {
	local i out refusals=0 runs=0 inside
	inside=$(cd "$ROOT" && pwd -P)
	ln -s in "$ROOT/way"
	ln -s ../outside "$ROOT/other"
	"$WRIT_TEST_PROGRAMS/swap" "$ROOT/way" "$ROOT/other" 3>&- &
	local swapper=$!
	for ((i = 0; i < 60; i++)); do
		status=0
		out=$("$WRIT" run --tree caller --root "$ROOT" --cwd "$ROOT/way" -- pwd -P 2>/dev/null) || status=$?
		case $status:$out in
		0:"$inside"/*) runs=$((runs + 1)) ;;
		125:) refusals=$((refusals + 1)) ;;
		*) break ;;
		esac
	done
	kill "$swapper" || true
	wait "$swapper" || true
	((runs + refusals == 60)) || { echo "status $status: $out" >&2; false; }
	# Both must have been met, else nothing was tried.
	((runs > 0 && refusals > 0)) || { echo "$runs runs, $refusals refusals" >&2; false; }
}

@test "a directory that is swapped for a link all the time never leads outside" {
	local i out inside
	inside=$(cd "$ROOT" && pwd -P)
	mkdir "$ROOT/dir"
	mkdir "$ROOT/dir/deep" "$BATS_TEST_TMPDIR/outside/deep"
	ln -s ../outside "$ROOT/trap"
	"$WRIT_TEST_PROGRAMS/swap" "$ROOT/dir" "$ROOT/trap" 3>&- &
	local swapper=$!
	for ((i = 0; i < 60; i++)); do
		status=0
		out=$("$WRIT" run --tree caller --root "$ROOT" --cwd "$ROOT/dir/deep" -- pwd -P 2>/dev/null) || status=$?
		case $status:$out in
		0:"$inside"/* | 125:) ;;
		*) break ;;
		esac
	done
	kill "$swapper" || true
	wait "$swapper" || true
	((i == 60)) || { echo "status $status: $out" >&2; false; }
}

lands_there() {
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" --root "$ROOT" --cwd "$ROOT/in" -- pwd -P
	expect_stdout "$(cd "$ROOT/in" && pwd -P)"
	refused "outside the allowed root" "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" --root "$ROOT" --cwd outside -- echo ran
}

@test "every hold keeps to the directory" {
	each_hold lands_there
}
