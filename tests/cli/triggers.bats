# Files that make a program outside the sandbox run something later: what a run
# made or changed of them is in its result, in the record, and told to a person.

load helpers

setup() {
	base=$(mktemp -d /var/tmp/writ-test-triggers.XXXXXX)
	mkdir "$base/project" "$base/state"
	export WRIT_STATE_DIR=$base/state WRIT_POLICY=open
	cd "$base/project" || exit
}

teardown() {
	cd / && rm -rf "$base"
}

# The files that a command in a shell is said to have changed, beneath the project.
triggers_of() {
	"$WRIT" run --json --agent somebody --sandbox workspace -- sh -c "$1" 2>/dev/null |
		jq -r '.triggers[] | .path // .why' | sed "s|^$base/project/||" | sort
}

@test "every file that runs something later is told" {
	git init -q . && git config core.hooksPath ours && git config include.path ../settings/more
	mkdir .git/hooks.kept && rm -rf .git/hooks
	while IFS='|' read -r command expected; do
		run triggers_of "$command"
		[ "$output" = "$expected" ] || { echo "$command: '$output', not '$expected'"; false; }
	done <<-'END'
		true|
		echo x >code.c; mkdir -p a/b; echo y >a/b/Makefile|
		echo x >.envrc|.envrc
		mkdir -p a/b; echo x >a/b/.envrc|a/b/.envrc
		mkdir .husky; echo x >.husky/pre-commit|.husky/pre-commit
		echo x >.prepared; mv .prepared .pre-commit-config.yaml|.pre-commit-config.yaml
		mkdir new; mv new .vscode|.vscode
		mkdir prepared; echo x >prepared/workspace.xml|
		mv prepared .idea|.idea
		ln -s /etc/passwd .nvimrc|.nvimrc
		mkfifo .exrc|.exrc
		mkdir .devcontainer; echo x >.devcontainer/devcontainer.json|.devcontainer/devcontainer.json
		mkdir -p .github/workflows; echo x >.github/workflows/a.yml; echo y >.github/README|.github/workflows/a.yml
		mkdir .git/hooks; echo x >.git/hooks/pre-commit; echo y >.git/hooks/x.sample|.git/hooks/pre-commit
		echo x >.git/commondir; rm .git/commondir|
		echo x >.git/commondir|.git/commondir
		mkdir .git/rebase-merge; echo "pick 1" >.git/rebase-merge/git-rebase-todo|
		echo "exec id" >.git/rebase-merge/git-rebase-todo|.git/rebase-merge/git-rebase-todo
		mkdir -p .git/worktrees/w/rebase-merge; echo ../.. >.git/worktrees/w/commondir|
		echo ../../../evil >.git/worktrees/w/commondir|.git/worktrees/w/commondir
		printf "[core]\n\tfsmonitor = ./x\n" >.git/worktrees/w/config.worktree|.git/worktrees/w/config.worktree
		echo "exec id" >.git/worktrees/w/rebase-merge/git-rebase-todo|.git/worktrees/w/rebase-merge/git-rebase-todo
		mkdir ours; echo x >ours/post-commit|ours/post-commit
		mkdir settings; echo x >settings/more|settings/more
	END
}

@test "nested repositories are told if their settings run something" {
	while IFS='|' read -r command expected; do
		run triggers_of "$command"
		[ "$output" = "$expected" ] || { echo "$command: '$output', not '$expected'"; false; }
	done <<-'END'
		git init -q plain; git -C plain config user.name x|
		git -C plain config core.fsmonitor ./x|plain/.git/config
		git init -q --bare below/bare|
		git -C below/bare config core.pager ./x|below/bare/config
		mkdir file; echo "gitdir: ../elsewhere" >file/.git|file/.git
		mkdir module; echo "gitdir: ../.git/modules/module" >module/.git|
		mkdir -p plain/.git/modules; git init -q --bare plain/.git/modules/m; git -C plain/.git/modules/m config core.editor x|plain/.git/modules/m/config
	END
}

@test "what was there before is not told, nor what a command that only reads could not change" {
	echo x >.envrc
	run triggers_of 'cat .envrc; touch other'
	[ -z "$output" ]
	run "$WRIT" run --json --sandbox workspace -- cat .envrc
	[ "$(jq -c .triggers <<<"$output")" = '[]' ]
}

@test "the walk does not follow links, and says when it did not see everything" {
	mkdir "$base/outside" && echo x >"$base/outside/.envrc"
	run triggers_of "ln -s ../outside link; ln -s . loop"
	[ -z "$output" ]
	run triggers_of 'mkdir many; cd many; i=0; while [ $i -lt 205 ]; do mkdir $i; cd $i; seq 100 | xargs touch; cd ..; i=$((i+1)); done'
	[ "$output" = "there are more files than were looked at" ]
}

@test "a directory that was closed is told, since the next command may open it" {
	[[ $EUID != 0 ]] || skip "root looks into everything"
	run triggers_of 'mkdir shut; git init -q shut/repository; git -C shut/repository config core.pager x; chmod 0 shut'
	chmod 700 shut
	[ "$output" = shut ]
}

@test "the record has it, and 'writ audit triggers' lists it" {
	triggers_of 'echo x >.envrc' >/dev/null
	run "$WRIT" audit triggers
	[ "$status" = 0 ]
	[[ $output == *"$base/project/.envrc"*"direnv runs it"* ]]
	run "$WRIT" audit triggers --json
	[ "$(jq -r '.path + " " + .why' <<<"$output")" = "$base/project/.envrc direnv runs it" ]
	run "$WRIT" audit show -
	[[ $output == *"runs later"*".envrc"* ]]
	run "$WRIT" audit verify
	[ "$status" = 0 ]
}

@test "a person is told on the next terminal, once, and no control character reaches it" {
	triggers_of "mkdir \$(printf 'a\\033[31m'); echo x >\$(printf 'a\\033[31m')/.envrc" >/dev/null
	run "$WRIT" version
	[[ $output != *envrc* ]]
	run script -qec "$WRIT version" /dev/null
	[[ $output == *".envrc: direnv runs it"* && $output != *$'\033[31m'* ]]
	run script -qec "$WRIT version" /dev/null
	[[ $output != *envrc* ]]
}

@test "a person who runs it himself sees it at the end, and not again" {
	run "$WRIT" run --sandbox workspace --network off -- sh -c 'echo x >.envrc'
	[[ $output == *"made or changed '$base/project/.envrc': direnv runs it"* ]]
	run script -qec "$WRIT version" /dev/null
	[[ $output != *envrc* ]]
}
