#!/usr/bin/env bats
# Undo of odd files, and of many at once.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers

setup() {
	PROJECT=$BATS_TEST_TMPDIR/project
	mkdir -p "$PROJECT"
	cd "$PROJECT" || exit
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
		GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
}

layered() { "$WRIT" run --sandbox workspace --undo on -- "$@"; }

# All that is in the project, with modes, times, links, holes and attributes.
tree() {
	find . ! -type d -printf '%p %y %m %u %g %s %b %T@ %n %l\n' | sort
	find . -type d -printf '%p %y %m %u %g %T@\n' | sort
	python3 - <<-'END'
		import os
		for top, dirs, files in sorted(os.walk(b".")):
		    for name in sorted(dirs + files):
		        path = os.path.join(top, name)
		        for key in sorted(os.listxattr(path, follow_symlinks=False)):
		            print(path, key, os.getxattr(path, key, follow_symlinks=False))
	END
}

# comes_back COMMAND...: what it changed is undone without a trace
comes_back() {
	tree >"$BATS_TEST_TMPDIR/before"
	layered "$@"
	! diff -q <(tree) "$BATS_TEST_TMPDIR/before" >/dev/null
	"$WRIT" undo >/dev/null
	diff <(tree) "$BATS_TEST_TMPDIR/before"
}

@test "hard links, fifos, sockets, sparse and large files" {
	echo one >a
	ln a b
	mkfifo fifo
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
	truncate -s 500M sparse
	echo end >>sparse
	comes_back sh -c 'echo two >>a; rm fifo socket sparse; mkfifo other; ln b c'
	[[ $(stat -c %h a) == 2 && a -ef b ]]
	comes_back sh -c 'truncate -s 0 sparse; rm b'
}

@test "attributes, access lists and capabilities" {
	mkdir dir
	echo x >file
	cp /bin/true program
	python3 - <<-'END' || skip "this file system has no attributes"
		import os
		os.setxattr("file", "user.one", b"1")
		os.setxattr("dir", "user.two", b"2")
		acl = bytes.fromhex("02000000" "01000600ffffffff" "02000700" "01000000" "04000400ffffffff" "10000700ffffffff" "20000400ffffffff")
		os.setxattr("file", "system.posix_acl_access", acl)
		os.setxattr("dir", "system.posix_acl_default", acl)
		if os.getuid() == 0:
		    os.setxattr("program", "security.capability", bytes.fromhex("0100000200040000000000000000000000000000"))
	END
	comes_back sh -c 'rm file program; rmdir dir; mkdir dir'
	comes_back sh -c 'echo y >>file; : >dir/new; chmod 700 dir; cp /bin/false program'
	comes_back python3 -c 'import os; os.removexattr("file", "user.one"); os.setxattr("dir", "user.two", b"3"); os.setxattr("dir", "user.three", b"")'
}

@test "names with newlines, escapes, and of every length" {
	local long
	long=$(printf '%0255d' 0)
	mkdir -p $'new\nline/\033[31m' "$long/$long/$long"
	echo x >$'new\nline/\033[31m/ '
	echo y >"$long/$long/$long/$long"
	comes_back sh -c 'rm -r *'
	comes_back sh -c 'for d in */; do echo z >"$d/new"; done'
	"$WRIT" redo >/dev/null
	run -0 "$WRIT" diff
	[[ $output == *'\n'* ]]
	[[ $output != *$'\033'* ]]
}

@test "an immutable file stays, as without a layer" {
	((EUID == 0)) || skip "only root makes files immutable"
	echo keep >fixed
	echo other >other
	chattr +i fixed 2>/dev/null || skip "no file here can be made immutable"
	run --separate-stderr "$WRIT" run --sandbox workspace --undo on --json -- sh -c 'rm -f fixed other'
	chattr -i fixed
	[[ $(<fixed) == keep && ! -e other ]]
	[[ $(json "$output" 'd["changes"]["state"]') == accepted && $(json "$output" 'd["changed"]') == "['other']" ]]
	"$WRIT" undo
	[[ $(<other) == other ]]
}

@test "a submodule, a linked work tree, a repository in the repository" {
	git init -q -b main "$BATS_TEST_TMPDIR/library"
	git -C "$BATS_TEST_TMPDIR/library" commit -q --allow-empty -m library
	git init -q -b main .
	echo one >file
	git add .
	git commit -qm one
	git -c protocol.file.allow=always submodule --quiet add "$BATS_TEST_TMPDIR/library" library
	git commit -qm library
	git init -q nested
	echo x >nested/x
	comes_back sh -c 'git worktree add -q tree -b side; cd tree; echo y >y; git add y; git -c user.name=a -c user.email=a@b commit -qm y'
	comes_back sh -c 'rm -rf library nested .git/modules; git reset -q --hard; git clean -qfdx'
	[[ $(git status --short) == "?? nested/" ]]
	[[ $(git -C library log --format=%s) == library ]]
}

@test "several runs, an undo and somebody's edits at once" {
	local i
	for i in 1 2 3 4 5 6; do echo "$i" >"f$i"; done
	for i in 1 2 3 4 5 6; do
		layered sh -c "echo run >>f$i; mkdir d$i; echo $i >d$i/x; echo $i >same" &
	done
	for i in 1 2 3; do echo "mine $i" >>mine; done
	"$WRIT" undo >/dev/null 2>&1 || true
	wait
	[[ $(wc -l <mine) == 3 ]]
	# One of them made it; the others' versions wait.
	[[ ! -e same || $(<same) == [1-6] ]]
	"$WRIT" undo --since 1h >/dev/null 2>&1 || true
	for i in 1 2 3 4 5 6; do [[ $(<"f$i") == "$i" && ! -e d$i ]]; done
	[[ ! -e same && $(wc -l <mine) == 3 ]]
}

@test "in a directory that folds case, if the machine has any" {
	local folds=false
	mkdir folded
	! chattr +F folded 2>/dev/null || folds=true
	run --separate-stderr layered sh -c 'echo x >folded/A'
	# The kernel may refuse to lay anything over such a directory.
	[[ $status == 0 || ($folds == true && $status == 125) ]]
}

# on_small_disk SCRIPT: in a project on a file system of 24 MiB, with its own
# state directory there.
on_small_disk() {
	mkdir -p "$BATS_TEST_TMPDIR/disk"
	unshare -m sh -c 'mount -t tmpfs -o size=24m none "$1" && mkdir "$1/project" "$1/state" && cd "$1/project" &&
		export WRIT_STATE_DIR="$1/state" && exec bash -c "$2"' sh "$BATS_TEST_TMPDIR/disk" "$1"
}

@test "a full disk while a run ends: nothing is lost, and it can be dropped or accepted" {
	((EUID == 0)) || skip "only root mounts a small file system"
	unshare -m true 2>/dev/null || skip "no mount namespace here"
	run -0 --separate-stderr on_small_disk '
		for i in $(seq 50); do echo old >f$i; done
		head -c 4000000 /dev/urandom >big
		"$WRIT" run --sandbox workspace --undo on -- sh -c "for i in \$(seq 50); do echo new >f\$i; done; head -c 40000000 /dev/zero >fill 2>/dev/null; true"
		cat f1
		"$WRIT" trial list
		"$WRIT" trial diff last f1
		! "$WRIT" trial accept || exit
		cat f1 f50
		rm big
		"$WRIT" trial accept
		cat f1
		"$WRIT" undo
		cat f1; ls | wc -l'
	expect_in_stderr "writ: its changes wait: cannot write the changes of "
	expect_in_stderr "No space left on device"
	[[ ${lines[0]} == old ]]
	expect_in_stdout "1 made, 50 changed"
	expect_in_stdout "changed   f1  4 to 4 bytes"
	[[ ${lines[-1]} == 50 && ${lines[-2]} == old && $output == *$'old\nold\naccepted 51 changes of '*$'\nnew\nundid 51 changes'* ]]
	rm -r "$BATS_TEST_TMPDIR/disk"
	run -0 --separate-stderr on_small_disk '
		echo old >f
		"$WRIT" run --sandbox workspace --undo on -- sh -c "echo new >f; head -c 40000000 /dev/zero >fill 2>/dev/null; true"
		"$WRIT" trial drop
		cat f; ls -A "$WRIT_STATE_DIR/undo"'
	[[ ${lines[-1]} == old && $output == *dropped* ]]
}

@test "where another file system is mounted in the project, it is said" {
	((EUID == 0)) || skip "only root mounts a file system"
	unshare -m true 2>/dev/null || skip "no mount namespace here"
	run -0 --separate-stderr on_small_disk '
		mkdir -p d/inner; mount -t tmpfs none d/inner; echo 1 >d/inner/a; echo 1 >b
		"$WRIT" run --sandbox workspace --undo on -- rm b && exit 1
		"$WRIT" run --sandbox workspace --undo auto --json -- rm d/inner/a b
		ls d/inner; ls'
	expect_in_stderr "its changes could not be undone: another file system is mounted in the project"
	[[ $(json "${lines[0]}" 'd["changes"]') == "{'state': 'none', 'why': 'another file system is mounted in the project'}" ]]
	[[ ${lines[1]} == d && ${#lines[@]} == 2 ]]
}

# bats test_tags=full
@test "100,000 changes" {
	python3 -c '
import os
for i in range(100):
    os.mkdir(str(i))
    for j in range(500):
        open(f"{i}/{j}", "w").close()'
	comes_back python3 -c '
import os
for i in range(100):
    for j in range(500):
        with open(f"{i}/{j}", "w") as file: file.write("x")
        with open(f"{i}/new{j}", "w") as file: file.write("x")'
}
