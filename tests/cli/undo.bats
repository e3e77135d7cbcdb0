#!/usr/bin/env bats
# writ diff, undo, redo and trial: what runs change, and taking it back.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers

setup() {
	PROJECT=$BATS_TEST_TMPDIR/project
	mkdir -p "$PROJECT"
	cd "$PROJECT" || exit
}

# All that is in the project, with modes, times and numbers of links.
tree() { find . -printf '%p %y %m %u %g %s %T@ %n %l\n' | sort; }

# set_of_run: the one run whose changes are kept.
set_of_run() {
	for dir in "$WRIT_STATE_DIR"/undo/*/; do basename "$dir"; done
}

layered() { "$WRIT" run --sandbox workspace --undo on -- "$@"; }

# furnish: a project with some of everything.
furnish() {
	mkdir -p src/deep empty
	echo 'int main(void);' >src/a.c
	echo b >src/deep/b
	ln -s a.c src/link
	ln src/deep/b src/hard
	mkfifo src/fifo
	echo x >$'src/new\nline'
	touch -d 2001-02-03 src/a.c src/deep
	chmod 640 src/a.c
}

# bats test_tags=smoke
@test "what a run deleted and changed comes back as it was" {
	furnish
	tree >"$BATS_TEST_TMPDIR/before"
	layered sh -c 'rm -rf src; echo new >new; rmdir empty'
	[[ ! -e src && -e new && ! -e empty ]]
	run -0 --separate-stderr "$WRIT" undo
	expect_in_stdout "undid 3 changes of "
	diff <(tree) "$BATS_TEST_TMPDIR/before"
	run -0 "$WRIT" redo
	[[ ! -e src && -e new && ! -e empty ]]
	run -0 "$WRIT" undo last
	diff <(tree) "$BATS_TEST_TMPDIR/before"
	run -1 --separate-stderr "$WRIT" undo
	expect_stderr "writ: no run in this directory has changes that could be undone"
}

@test "the result counts what changed, and names the first" {
	echo 1 >a
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo on --json -- sh -c 'echo 2 >>a; mkdir d; : >d/x'
	[[ $(json "$output" 'd["changes"]["state"]') == accepted ]]
	[[ $(json "$output" 'd["changes"]["made"]') == 2 ]]
	[[ $(json "$output" 'd["changes"]["changed"]') == 1 ]]
	[[ $(json "$output" 'd["changed"]') == "['a', 'd', 'd/x']" ]]
	local sum
	sum=$(json "$output" 'd["changes"]["sha256"]')
	run -0 "$WRIT" audit show "$(json "$output" 'd["run_id"]')" --json
	expect_in_stdout "\"sha256\":\"$sum\""
}

@test "a run that changes nothing keeps nothing" {
	layered sh -c 'touch x; rm x'
	run -0 ls -A "$WRIT_STATE_DIR/undo"
	expect_stdout ""
	run -0 --separate-stderr "$WRIT" run --sandbox readonly --undo on --json -- true
	[[ $(json "$output" 'd["changes"]["why"]') == "it may only read the project" ]]
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --json -- true
	[[ $(json "$output" '"changes" in d') == False ]]
}

@test "diff lists it, and shows the lines of texts" {
	printf '1\n2\n' >a
	echo gone >b
	layered sh -c 'echo 3 >>a; rm b; chmod 700 .; mkdir d'
	run -0 --separate-stderr "$WRIT" diff
	expect_in_stdout "accepted  1 made, 1 changed, 1 deleted, 1 settings"
	expect_in_stdout $'\nchanged   a  4 to 6 bytes\n'
	expect_in_stdout $'\ndeleted   b  5 bytes\n'
	expect_in_stdout $'\nmade      d  directory'
	run -0 --separate-stderr "$WRIT" diff --text last a
	expect_stdout $'--- a\n+++ a\n@@ -1,2 +1,3 @@\n 1\n 2\n+3'
	run -0 --separate-stderr "$WRIT" diff --json
	[[ $(json "$output" '[c["kind"] for c in d["changes"]]') == "['settings', 'changed', 'deleted', 'made']" ]]
	run -1 --separate-stderr "$WRIT" diff nosuch
	expect_stderr "writ: there are no changes of a run 'nosuch'"
}

@test "somebody's edit is named and kept" {
	echo 1 >a
	echo 1 >b
	layered sh -c 'echo 2 >a; echo 2 >b'
	echo mine >a
	run -1 --separate-stderr "$WRIT" undo
	expect_stdout "undid 1 change of $(set_of_run)"
	expect_stderr "writ: 'a' was left alone: somebody changed it since"
	[[ $(cat a) == mine && $(cat b) == 1 ]]
}

@test "some paths only, from a directory below" {
	mkdir -p d/e
	echo 1 >d/e/a
	echo 1 >d/e/b
	echo 1 >c
	layered sh -c 'echo 2 >d/e/a; echo 2 >d/e/b; echo 2 >c'
	cd d
	run -0 "$WRIT" undo last e/a
	[[ $(cat e/a e/b ../c) == $'1\n2\n2' ]]
	run -1 --separate-stderr "$WRIT" undo last /etc/passwd
	expect_stderr "writ: '/etc/passwd' is not in '$PROJECT', where the run worked"
	run -1 --separate-stderr "$WRIT" undo last e/none
	expect_stderr "writ: the run did not change 'd/e/none'"
	run -0 "$WRIT" undo last "$PROJECT"
	[[ $(cat e/a e/b ../c) == $'1\n1\n1' ]]
}

@test "runs are a stack, and --since takes back several" {
	echo 0 >a
	layered sh -c 'echo 1 >a'
	layered sh -c 'echo 2 >a'
	layered rm a
	run -0 --separate-stderr "$WRIT" undo --dry-run --since 10m
	[[ ! -e a && $(grep -c '^would undo 1 change' <<<"$output") == 3 ]]
	run -0 "$WRIT" undo --since 10m
	[[ $(cat a) == 0 ]]
	run -0 "$WRIT" redo
	[[ $(cat a) == 1 ]]
	run -0 "$WRIT" redo
	[[ $(cat a) == 2 ]]
	run -0 "$WRIT" undo
	run -0 "$WRIT" undo
	[[ $(cat a) == 0 ]]
}

@test "a trial waits until a person accepts it" {
	echo 1 >a
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo trial --json -- sh -c 'echo 2 >a; echo n >n; cat a n'
	[[ $(json "$output" 'd["stdout"]') == $'2\nn' ]]
	[[ $(json "$output" 'd["changes"]["state"]') == waits ]]
	[[ $(cat a) == 1 && ! -e n ]]
	run -0 "$WRIT" trial
	expect_in_stdout "$PROJECT  1 made, 1 changed"
	run -0 "$WRIT" trial diff --text last n
	expect_stdout $'--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+n'
	run -0 "$WRIT" trial accept last n
	[[ $(cat a) == 1 && $(cat n) == n ]]
	run -0 "$WRIT" trial accept
	[[ $(cat a) == 2 ]]
	run -0 "$WRIT" undo
	[[ $(cat a) == 1 && ! -e n ]]
}

@test "a trial can be dropped" {
	echo 1 >a
	"$WRIT" run --sandbox workspace --undo trial -- rm a
	run -0 "$WRIT" trial drop --dry-run
	run -0 "$WRIT" trial drop
	[[ -e a ]]
	run -0 --separate-stderr "$WRIT" trial list
	expect_stderr "writ: no changes wait"
	run -0 ls -A "$WRIT_STATE_DIR/undo"
	expect_stdout ""
}

@test "the trail says who moved what" {
	echo 1 >a
	layered rm a
	"$WRIT" undo
	"$WRIT" run --sandbox workspace --undo trial -- rm a
	"$WRIT" trial drop
	run -0 "$WRIT" audit tail -n 9 --kind changes --json
	expect_in_stdout '"action":"undo"'
	expect_in_stdout '"action":"drop"'
	expect_in_stdout "\"uid\":$(id -u)"
	run -0 "$WRIT" audit verify
}

@test "a command beneath a run cannot undo, nor see what is kept" {
	echo 1 >a
	layered rm a
	run -1 --separate-stderr "$WRIT" run --sandbox none -- "$WRIT" undo
	expect_in_stderr "'writ undo' is not for commands that run under writ"
	run --separate-stderr "$WRIT" run --sandbox workspace -- "$WRIT" undo
	[[ $status != 0 && ! -e a ]]
	run --separate-stderr "$WRIT" run --sandbox workspace --undo on -- ls "$WRIT_STATE_DIR/undo"
	[[ $status != 0 ]]
}

@test "what is protected in a project is so on a layer" {
	git init -q .
	echo secret >.env
	run --separate-stderr layered sh -c 'echo x >.git/hooks/pre-commit; mv .git g; cat .git/config >c; echo y >>.git/config'
	[[ ! -e .git/hooks/pre-commit && ! -e g && -e c ]]
	git config --list >/dev/null
	run -0 "$WRIT" diff --json
	[[ $(json "$output" '[c["path"] for c in d["changes"]]') == "['c']" ]]
}

@test "a command that is understood writes what it names, and that is on the layer" {
	mkdir -p d
	echo 1 >d/a
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo on --json -- rm d/a
	[[ $(json "$output" 'd["changed"]') == "['d/a']" && ! -e d/a ]]
	run -0 "$WRIT" undo
	[[ $(cat d/a) == 1 ]]
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo on --json -- cat d/a
	[[ $(json "$output" 'd["changes"]["why"]') == "it may only read the project" ]]
}

@test "in strict, and with a terminal" {
	echo 1 >a
	run -0 --separate-stderr "$WRIT" run --sandbox strict --undo on -- sh -c 'rm a; ls'
	expect_stdout ""
	run -0 "$WRIT" undo
	[[ -e a ]]
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --pty --undo on -- sh -c 'rm a'
	run -0 "$WRIT" undo
	[[ -e a ]]
}

@test "where there can be no layer, it is said" {
	echo 1 >a
	run --separate-stderr env WRIT_STATE_DIR=/dev/shm/writ-undo-$$ "$WRIT" run --sandbox workspace --undo on -- rm a
	rm -rf "/dev/shm/writ-undo-$$"
	[[ $status == 125 && -e a ]]
	expect_in_stderr "its changes could not be undone: the state directory is on another mount than the project"
	run -0 --separate-stderr env WRIT_STATE_DIR=/dev/shm/writ-undo-$$ "$WRIT" run --sandbox workspace --undo auto --json -- rm a
	rm -rf "/dev/shm/writ-undo-$$"
	[[ $(json "$output" 'd["changes"]["state"]') == none && ! -e a ]]
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo auto --background keep --json -- rm -f none
	[[ $(json "$output" 'd["changes"]["why"]') == "it is known to stay, so it works on the project itself" ]]
	run -125 --separate-stderr "$WRIT" run --undo on --sandbox none -- true
	expect_in_stderr "the profile 'none' has no sandbox that could enforce this"
}

@test "a run that is killed with its writ waits, and the project is as it was" {
	echo 1 >a
	"$WRIT" run --sandbox workspace --undo on -- sh -c 'rm a; echo ready; exec sleep 60' >"$BATS_TEST_TMPDIR/out" 3>&- &
	local pid=$!
	until grep -q ready "$BATS_TEST_TMPDIR/out"; do sleep 0.02; done
	run -1 --separate-stderr "$WRIT" undo "$(ls "$WRIT_STATE_DIR/undo")"
	expect_in_stderr "has not ended"
	kill -9 "$pid"
	wait "$pid" || true
	[[ -e a ]]
	run -0 "$WRIT" trial
	expect_in_stdout "1 deleted"
	run -0 "$WRIT" trial accept
	[[ ! -e a ]]
	run -0 "$WRIT" undo
	[[ -e a ]]
}

@test "the working directory, and a program in it, are those of the layer" {
	mkdir d
	printf '#!/bin/sh\npwd; echo ran >>here\n' >d/tool
	chmod +x d/tool
	cd d
	run -0 "$WRIT" run --sandbox workspace --undo on -- ./tool
	expect_stdout "$PROJECT/d"
	[[ $(cat here) == ran ]]
	cp /bin/true ./true
	run -0 "$WRIT" run --sandbox workspace --undo on -- ./true
}

@test "what would not fit waits, and is told" {
	head -c 3000000 /dev/urandom >big
	run -0 --separate-stderr env WRIT_UNDO_SIZE=1MiB "$WRIT" run --sandbox workspace --undo on --json -- sh -c 'rm big; echo n >n'
	[[ $(json "$output" 'd["changes"]["state"]') == waits && -e big && ! -e n ]]
	[[ $(json "$output" 'd["changes"]["why"]') == "what it replaced takes 3 MiB to keep, which does not fit in undo_size (1 MiB)" ]]
	run -0 --separate-stderr env WRIT_UNDO_SIZE=1MiB "$WRIT" run --sandbox workspace --undo on -- rm big
	expect_stderr "writ: its changes wait: what it replaced takes 3 MiB to keep, which does not fit in undo_size (1 MiB); see 'writ trial'"
	run -0 "$WRIT" trial
	[[ $(grep -c "1 deleted" <<<"$output") == 2 ]]
	run -0 "$WRIT" trial accept
	[[ ! -e big ]]
	run -0 "$WRIT" undo
	[[ -e big ]]
}

@test "the oldest of what is kept goes, and the age is a setting" {
	echo 1 >a
	layered rm a
	echo 2 >b
	touch -d "3 days ago" "$WRIT_STATE_DIR"/undo/*/size
	run -0 env WRIT_UNDO_AGE=2d "$WRIT" run --sandbox workspace --undo on -- rm b
	run -0 "$WRIT" undo
	[[ -e b && ! -e a ]]
	run -1 "$WRIT" undo
}

@test "a directory that was there before: mv copies it, and what fails is told why" {
	mkdir -p d/e
	echo 1 >d/e/f
	layered mv d d2
	[[ ! -e d && $(<d2/e/f) == 1 ]]
	"$WRIT" undo
	[[ $(<d/e/f) == 1 && ! -e d2 ]]
	run -1 --separate-stderr layered python3 -c 'import os; os.mkdir("new"); os.rename("new", "other"); os.rename("d", "d2")'
	expect_in_stderr "Invalid cross-device link"
	expect_in_stderr "writ: a layer cannot rename a directory that was there before the run (EXDEV); mv copies it"
	[[ -e d/e/f && -d other ]]
	run -1 --separate-stderr "$WRIT" run --sandbox workspace --undo off -- python3 -c 'raise OSError(18, "Invalid cross-device link")'
	[[ $stderr != *"a layer cannot"* ]]
}
