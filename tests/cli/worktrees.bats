#!/usr/bin/env bats
# Linked work trees of git: their part of the repository can be written, the
# rest of it cannot, and no other repository.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	need git python3
	base=$(mktemp -d /var/tmp/writ-test-worktrees.XXXXXX)
	export HOME=$base/home WRIT_STATE_DIR=$base/state WRIT_SYSTEM_DIR=$base/etc
	export GIT_CONFIG_NOSYSTEM=1
	mkdir "$HOME" "$WRIT_STATE_DIR"
	make_repository "$base/main"
	git -C "$base/main" worktree add -q "$base/tree" -b feature
	git -C "$base/main" worktree add -q "$base/other" -b other
	common=$base/main/.git own=$base/main/.git/worktrees/tree
	cd "$base/tree" || return
	if [[ $(id -u) == 0 ]]; then unshare -m true; else unshare -Um true; fi 2>/dev/null ||
		{ [[ ${WRIT_MUST_RUN:-} != 1 ]] && skip "no namespaces for this user"; }
}

teardown() { cd / && rm -rf "$base"; }

make_repository() {
	git init -q -b main "$1"
	git -C "$1" config user.name n
	git -C "$1" config user.email n@example.com
	git -C "$1" commit -q --allow-empty -m first
}

in_workspace() { "$WRIT" run --sandbox workspace "$@"; }

# What code that nobody understands can write: prints the paths that it could.
writable() {
	in_workspace -- python3 -c '
import os, sys
for path in sys.argv[1:]:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
        print(path)
    except OSError:
        pass
    try:
        os.rename(path, path + ".moved")
        print("moved", path)
        os.rename(path + ".moved", path)
    except OSError:
        pass
' "$@"
}

@test "git works in a linked work tree" {
	for policy in open developer; do
		export WRIT_POLICY=$policy
		echo "$policy" >file
		run -0 --separate-stderr in_workspace -- git add file
		run -0 --separate-stderr in_workspace -- git commit -qm "$policy"
		echo more >>file
		run -0 --separate-stderr in_workspace -- git stash -q
		run -0 --separate-stderr in_workspace -- git stash pop -q
		run -0 --separate-stderr in_workspace -- git status --short
		expect_stdout " M file"
		run -0 --separate-stderr in_workspace -- git commit -qam "$policy again"
		run -0 --separate-stderr in_workspace -- git tag "t-$policy"
	done
	WRIT_POLICY=open
	run -0 --separate-stderr in_workspace -- git tag -d t-open
	run -0 --separate-stderr in_workspace -- git pack-refs --all
	run -0 --separate-stderr "$WRIT" run --sandbox strict -- git commit -q --allow-empty -m strict
	[[ $(git log --oneline | wc -l) == 6 ]]
	git fsck --strict
}

@test "a subdirectory of a linked work tree is as good" {
	mkdir deep && echo x >deep/file && cd deep
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --policy developer -- git add file
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --policy developer -- git commit -qm deep
}

@test "the rest of the repository stays as it is" {
	touch "$common/info/attributes" "$own/config.worktree"
	run -0 --separate-stderr writable "$common/hooks" "$common/config" "$common/HEAD" "$common/index" \
		"$common/info/attributes" "$common/info" "$own" "$own/gitdir" "$own/commondir" "$own/config.worktree" \
		"$common/worktrees" "$common/worktrees/other/HEAD" "$common/worktrees/other" "$common" \
		"$PWD/.git" "$common/description"
	expect_stdout ""
	run ! in_workspace -- python3 -c "open('$common/hooks/pre-commit', 'w')"
	# What is around it is private: nothing of it is left.
	run in_workspace -- python3 -c "open('$base/main/file', 'w')"
	[[ ! -e $base/main/file ]]
}

@test "what runs later and was not there is reported" {
	run -0 --separate-stderr in_workspace --agent a -- python3 -c "open('$common/commondir', 'w').write('x')"
	expect_in_stderr "$common/commondir"
}

@test "a command that needs no repository gets none" {
	run ! in_workspace -- touch "$common/refs/x"
	run ! in_workspace -- cp file "$common/refs/x"
	[[ ! -e $common/refs/x ]]
}

@test "a hostile .git file opens no other repository" {
	make_repository "$base/victim"
	git -C "$base/victim" worktree add -q "$base/victims" -b v
	victim=$base/victim/.git
	target=$victim/refs/heads/main
	mkdir "$base/evil" "$base/evil/fake" && cd "$base/evil"
	# Somebody else's work tree; the repository itself; a directory that looks
	# like one; one of our own whose commondir leads there; links.
	for kind in foreign whole modules commondir link symlink missing long; do
		rm -rf .git fake && mkdir -p fake/worktrees/x
		printf '%s\n' "$PWD/.git" >fake/worktrees/x/gitdir
		case $kind in
		foreign) echo "gitdir: $victim/worktrees/victims" >.git ;;
		whole) echo "gitdir: $victim" >.git ;;
		modules) echo "gitdir: $victim/worktrees" >.git ;;
		commondir)
			echo "gitdir: $PWD/fake/worktrees/x" >.git
			echo "$victim" >fake/worktrees/x/commondir
			;;
		link)
			echo "gitdir: $PWD/fake/worktrees/x" >.git
			rm -r fake/worktrees/x && ln -s "$victim/worktrees/victims" fake/worktrees/x
			;;
		symlink) ln -s "$victim" .git ;;
		missing) echo "gitdir: $victim/worktrees/none" >.git ;;
		long) { printf 'gitdir: ' && head -c 100000 /dev/zero | tr '\0' x; } >.git ;;
		esac
		# Some of these are refused as a whole, which is as good.
		run writable "$target" "$victim/HEAD" "$victim/config" "$victim/worktrees/victims/HEAD"
		[[ $output != *"$victim/refs"* && $output != *"$victim/HEAD"* && $output != *"victims/HEAD"* ]] ||
			{ echo "$kind: $output"; false; }
	done
}

@test "a work tree that moved away without git's knowledge gets nothing" {
	mv "$base/tree" "$base/moved" && cd "$base/moved"
	run -0 --separate-stderr writable "$common/refs/heads/feature" "$own/HEAD"
	expect_stdout ""
}

@test "links in the repository lead nowhere else" {
	rm -r "$common/hooks" && mkdir "$base/elsewhere" && ln -s "$base/elsewhere" "$common/hooks"
	touch "$base/elsewhere/pre-commit"
	run -0 --separate-stderr writable "$common/hooks" "$base/elsewhere/pre-commit"
	expect_stdout ""
	[[ -L $common/hooks ]]
	run -0 --separate-stderr in_workspace -- git commit -q --allow-empty -m linked
}
