#!/usr/bin/env bats
# writ quarantine: files that run something later are held back when the rest of
# what a run changed is accepted.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load policies

setup() {
	PROJECT=$BATS_TEST_TMPDIR/project
	EVIL=$BATS_TEST_TMPDIR/evil
	mkdir -p "$PROJECT"
	cd "$PROJECT" || exit
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
		GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
}

layered() { "$WRIT" run --sandbox workspace --undo on -- "$@"; }

repository() {
	git init -q -b main .
	echo one >file
	git add file
	git commit -qm one
}

# held: the paths that are held back, relative to the project, sorted.
held() {
	"$WRIT" quarantine --json | python3 -c '
import json, os, sys
print(*sorted(os.path.relpath(row["path"], sys.argv[1]) for row in json.load(sys.stdin)))' "$PROJECT"
}

# bats test_tags=smoke
@test "what runs later is held back, told, shown and restored" {
	echo old >.envrc
	run -0 --separate-stderr layered sh -c 'echo new >.envrc; mkdir -p .github/workflows d/.vscode; echo a >.github/workflows/ci.yml; echo b >d/.vscode/tasks.json; echo c >fine'
	expect_in_stderr "writ: warning: held back '$PROJECT/.envrc': direnv runs it; see 'writ quarantine'"
	[[ $(<.envrc) == old && $(<fine) == c && ! -e .github/workflows/ci.yml && ! -e d/.vscode/tasks.json ]]
	[[ $(held) == ".envrc .github/workflows/ci.yml d/.vscode/tasks.json" ]]
	run -0 --separate-stderr "$WRIT" quarantine list
	expect_in_stdout "$PROJECT/.envrc"
	expect_in_stdout "direnv runs it"
	run -0 --separate-stderr "$WRIT" quarantine show last .envrc
	expect_stdout "--- .envrc
+++ .envrc
@@ -1 +1 @@
-old
+new"
	run -0 --separate-stderr "$WRIT" quarantine restore last .envrc
	expect_in_stdout "restored 1 change of "
	[[ $(<.envrc) == new && $(held) == ".github/workflows/ci.yml d/.vscode/tasks.json" ]]
	run -0 "$WRIT" quarantine restore
	[[ $(<.github/workflows/ci.yml) == a && $(<d/.vscode/tasks.json) == b && $(held) == "" ]]
	# All of the run is one thing to undo, and to do again.
	run -0 "$WRIT" undo
	[[ $(<.envrc) == old && $(ls -A) == .envrc ]]
	run -0 "$WRIT" redo
	[[ $(<.envrc) == new && $(<d/.vscode/tasks.json) == b ]]
}

@test "what is held back is in the result and in the record, and is not undone" {
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --undo on --json -- sh -c 'echo x >.envrc'
	[[ $(json "$output" 'd["changes"]["state"]') == held ]]
	[[ $(json "$output" 'd["changes"]["held"]') == 1 ]]
	[[ $(json "$output" 'd["held"][0]["path"]') == "$PROJECT/.envrc" ]]
	[[ $(json "$output" 'd["held"][0]["why"]') == "direnv runs it" ]]
	[[ $(json "$output" 'd["triggers"]') == "[]" ]]
	run -0 "$WRIT" audit show "$(json "$output" 'd["run_id"]')"
	expect_in_stdout ".envrc"
	run -1 --separate-stderr "$WRIT" undo
	run -0 "$WRIT" trial
	[[ $(held) == .envrc ]]
}

@test "a trial that is accepted leaves behind what runs later" {
	"$WRIT" run --sandbox workspace --undo trial -- sh -c 'echo x >.envrc; echo y >fine'
	run -0 "$WRIT" trial accept
	expect_in_stdout "accepted 1 change of "
	[[ -e fine && ! -e .envrc && $(held) == .envrc ]]
}

@test "somebody's own file is not replaced by one that is restored" {
	layered sh -c 'echo x >.envrc'
	echo mine >.envrc
	run -1 --separate-stderr "$WRIT" quarantine restore
	expect_in_stderr "'.envrc' was left alone: somebody made it since"
	[[ $(<.envrc) == mine ]]
}

@test "a whole directory comes without what runs later in it" {
	layered sh -c 'mkdir -p new/deep; cd new; git init -q .; echo 1 >a; cd deep; git init -q .; echo e >.envrc; echo 2 >b'
	[[ -e new/a && -e new/deep/b && ! -e new/deep/.envrc ]]
	# A new repository whose settings run nothing is not held back.
	[[ -e new/.git/config && $(git -C new/deep rev-parse --is-inside-work-tree) == true ]]
	[[ $(held) == new/deep/.envrc ]]
	"$WRIT" quarantine restore
	[[ $(<new/deep/.envrc) == e ]]
	run -0 "$WRIT" undo
	[[ $(ls -A) == "" ]]
}

@test "the next git status runs nothing of the agent's" {
	repository
	git config core.hooksPath tools/hooks
	git config include.path ../tools/settings
	rm -rf .git/hooks
	cat >attack.py <<-END
		import os, subprocess
		evil = "touch $EVIL"
		def put(path, text):
		    try:
		        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
		        with open(path, "w") as file: file.write(text)
		        os.chmod(path, 0o755)
		    except OSError: pass
		put(".git/commondir", "../elsewhere\n")
		put(".git/hooks/post-checkout", "#!/bin/sh\n" + evil + "\n")
		put("tools/hooks/post-index-change", "#!/bin/sh\n" + evil + "\n")
		put("tools/hooks/post-checkout", "#!/bin/sh\n" + evil + "\n")
		put("tools/settings", '[core]\n\tfsmonitor = "' + evil + '; :"\n')
		put("elsewhere/config", '[core]\n\tfsmonitor = "' + evil + '; :"\n')
		subprocess.run(["git", "init", "-q", "nested"])
		put("nested/x", "x")
		subprocess.run("cd nested && git add x && git -c user.name=a -c user.email=a@b commit -qm x && git config core.fsmonitor '" + evil + "; :'", shell=True)
		subprocess.run(["git", "add", "nested"])
		put("bare/HEAD", "ref: refs/heads/main\n")
		os.makedirs("bare/objects"); os.makedirs("bare/refs")
		put("bare/config", '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "' + evil + '; :"\n\tbare = false\n\tworktree = ..\n')
		put("pointed/.git", "gitdir: ../bare/.git/modules/../..\n")
		put(".envrc", evil)
		put(".vimrc", evil)
		put("work", "done")
	END
	layered python3 attack.py
	[[ $(<work) == "done" && ! -e $EVIL ]]
	git status >/dev/null || true
	git status --ignore-submodules=none >/dev/null || true
	(cd nested && git status >/dev/null) || true
	(cd bare && git status >/dev/null) || true
	(cd pointed && git status >/dev/null) || true
	git checkout -q -b other || true
	[[ ! -e $EVIL ]] || { ls -la . .git; cat .git/config; false; }
	[[ $(held) == *nested/.git/config* && $(held) == *tools/settings* && $(held) == *tools/hooks/post-checkout* ]]
	[[ $(held) == *bare/config* && $(held) == *pointed/.git* && $(held) == *.envrc* && $(held) == *.vimrc* ]]
	# With all of it, it would have.
	"$WRIT" quarantine restore last tools/settings >/dev/null
	git status >/dev/null 2>&1 || true
	[[ -e $EVIL ]]
}

@test "git's own state is told, and not held back" {
	repository
	git checkout -q -b side
	echo two >file
	git commit -qam two
	git checkout -q main
	echo three >file
	git commit -qam three
	run --separate-stderr layered git rebase -x true side
	[[ -d .git/rebase-merge && $(held) == "" ]]
	git rebase --abort
}

@test "what a ref held before is not held back; what was committed meanwhile is" {
	repository
	mkdir -p .github/workflows
	seq 300 >.github/workflows/ci.yml
	git add .
	git commit -qm ci
	git checkout -q -b other
	echo more >>.github/workflows/ci.yml
	echo 'layout x' >.envrc
	git add .
	git commit -qm other
	git checkout -q main
	# Objects in packs, with deltas, and loose ones.
	for pack in "true" "git gc -q"; do
		$pack
		layered git checkout -q other
		[[ $(<.envrc) == "layout x" && $(git status --short) == "" && $(held) == "" ]]
		layered git checkout -q HEAD^
		[[ $(git status --short) == "" && $(held) == "" ]]
		layered git checkout -q main
		layered git worktree add -q tree other
		[[ $(<tree/.envrc) == "layout x" && $(held) == "" ]]
		git worktree remove tree
	done
	layered sh -c 'echo evil >.envrc; git add .envrc; git commit -qm evil; git checkout -q HEAD^; git checkout -q main'
	[[ ! -e .envrc && $(held) == .envrc ]]
}

@test "an object that is not what its name says is not believed" {
	repository
	echo good >.envrc
	git add .
	git commit -qm envrc
	git rm -q .envrc
	git commit -qm gone
	cat >forge.py <<-'END'
		import hashlib, os, subprocess, zlib
		name = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], capture_output=True, text=True).stdout.strip()
		blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], input=b"evil\n", capture_output=True).stdout.decode().strip()
		tree = b"100644 .envrc\0" + bytes.fromhex(blob)
		path = f".git/objects/{name[:2]}/{name[2:]}"
		os.remove(path)
		with open(path, "wb") as file: file.write(zlib.compress(b"tree %d\0" % len(tree) + tree))
		with open(".envrc", "w") as file: file.write("evil\n")
	END
	layered python3 forge.py
	[[ ! -e .envrc && $(held) == .envrc ]]
}

@test "an agent is told, and cannot restore" {
	layered sh -c 'echo x >.envrc'
	run -1 --separate-stderr "$WRIT" run --sandbox none -- "$WRIT" quarantine restore
	expect_in_stderr "'writ quarantine restore' is not for commands that run under writ"
	[[ ! -e .envrc ]]
}

@test "a directory that its owner cannot look into comes, without what runs later" {
	run -0 --separate-stderr layered sh -c 'mkdir -p a/b c d/.git/hooks e; echo x >a/b/.envrc; echo y >a/b/fine; echo x >c/.envrc; echo x >d/.git/hooks/pre-commit
		: >e/plain; chmod 0 a/b a e; chmod 400 c; chmod 0 d/.git/hooks d/.git'
	((EUID == 0)) || [[ ! -r a ]]
	[[ $(stat -c %a a) == 0 && $(stat -c %a c) == 400 && $(stat -c %a d/.git) == 0 && $(stat -c %a e) == 0 ]]
	[[ $(held) == "a/b/.envrc c/.envrc d/.git/hooks/pre-commit" ]]
	chmod -R u+rwx .
	[[ -e a/b/fine && ! -e a/b/.envrc && ! -e c/.envrc && ! -e d/.git/hooks/pre-commit && -e e/plain ]]
}

# ruled RULES: runs with these rules of the user
ruled() {
	own_policies
	printf 'version: 1\ninclude: [open]\nsandbox: workspace\nundo: on\nrules:\n%s\n' "$1" >"$WRIT_CONFIG_DIR/policy.yaml"
}

@test "what a rule allows by name is not held back" {
	ruled '  - allow: { write: ["./.envrc", "**/.husky/**"] }'
	run -0 --separate-stderr "$WRIT" run -- sh -c 'echo x >.envrc; mkdir -p d/.husky .vscode; echo y >d/.husky/pre-commit; echo z >.vscode/tasks.json'
	[[ $(<.envrc) == x && $(<d/.husky/pre-commit) == y && ! -e .vscode/tasks.json ]]
	[[ $(held) == .vscode/tasks.json ]]
}

@test "a rule for all files, for another program or for another agent names none" {
	ruled '  - allow: { write: ["./**", "/**", "./.*"] }
  - allow: { write: [./.envrc], program: direnv }
  - allow: { write: [./.envrc], agent: other }
  - allow: { write: ["./.git/**"] }'
	run -0 --separate-stderr "$WRIT" run -- sh -c 'echo x >.envrc; git init -q .; echo "exit 1" >.git/hooks/pre-commit'
	[[ ! -e .envrc && ! -e .git/hooks/pre-commit ]]
	[[ $(held) == ".envrc .git/hooks/pre-commit" ]]
}

@test "what a rule asks about or denies is held back, and a project allows nothing" {
	ruled '  - allow: { write: ["**/.envrc"] }
  - ask: { write: ["./secret/**"] }'
	printf 'mkdir secret; echo x >.envrc; echo x >secret/.envrc\n' >'make'
	run -0 --separate-stderr "$WRIT" run -- sh make
	[[ -e .envrc && ! -e secret/.envrc ]]
	[[ $(held) == secret/.envrc ]]
	ruled ''
	mkdir .writ
	printf 'version: 1\nrules:\n  - allow: { write: ["**/.envrc"] }\n' >.writ/policy.yaml
	run --separate-stderr "$WRIT" run -- sh -c 'echo y >.envrc'
	[[ $(<.envrc) == x ]]
}
