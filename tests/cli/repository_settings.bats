#!/usr/bin/env bats
# What a confined command may set in .git/config, and what not, whatever it does.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	need git python3
	base=$(mktemp -d /var/tmp/writ-test-settings.XXXXXX)
	export HOME=$base/home WRIT_STATE_DIR=$base/state WRIT_SYSTEM_DIR=$base/etc
	export GIT_CONFIG_NOSYSTEM=1
	mkdir "$HOME" "$WRIT_STATE_DIR"
	git init -q -b main "$base/up" && git -C "$base/up" -c user.name=n -c user.email=e commit -q --allow-empty -m first
	git clone -q "$base/up" "$base/work" 2>/dev/null
	cd "$base/work" || return
	if [[ $(id -u) == 0 ]]; then unshare -m true; else unshare -Um true; fi 2>/dev/null ||
		{ [[ ${WRIT_MUST_RUN:-} != 1 ]] && skip "no namespaces for this user"; }
}

teardown() { cd / && rm -rf "$base"; }

in_workspace() { "$WRIT" run --sandbox workspace "$@"; }

# No copy and no lock is left.
expect_tidy() { [[ ! -e .git/config.lock && ! -L .git/config ]]; }

@test "what a day needs can be set" {
	for policy in open developer; do
		export WRIT_POLICY=$policy
		run -0 --separate-stderr in_workspace -- git config user.name "A \"B\" #$policy"
		run -0 --separate-stderr in_workspace -- git config user.email "$policy@example.com"
		[[ $(git config user.name) == "A \"B\" #$policy" && $(git config user.email) == "$policy@example.com" ]]
		run -0 --separate-stderr in_workspace -- git remote add "up-$policy" git@example.com:x/y.git
		[[ $(git remote get-url "up-$policy") == git@example.com:x/y.git ]]
		[[ $(git config "remote.up-$policy.fetch") == "+refs/heads/*:refs/remotes/up-$policy/*" ]]
		run -0 --separate-stderr in_workspace -- git checkout -q -b "f-$policy" origin/main
		[[ $(git rev-parse --abbrev-ref '@{upstream}') == origin/main ]]
		run -0 --separate-stderr in_workspace -- git switch -q -c "g-$policy" --track origin/main
		run -0 --separate-stderr in_workspace -- git branch -m "h-$policy"
		[[ $(git rev-parse --abbrev-ref '@{upstream}') == origin/main ]]
		run -0 --separate-stderr in_workspace -- git checkout -q -b "i-$policy"
		run -0 --separate-stderr in_workspace -- git branch -q -u origin/main
		[[ $(git config "branch.i-$policy.merge") == refs/heads/main ]]
		expect_tidy
	done
	[[ $(git config --get-all user.name | wc -l) == 1 ]]
	git remote -v >/dev/null
}

@test "it works in a subdirectory and in a text for a shell" {
	mkdir deep && cd deep
	run -0 --separate-stderr in_workspace -- git config user.name deep
	run -0 --separate-stderr in_workspace --shell 'git config user.email a@b.c && git remote add two ssh://git@example.com/x'
	cd .. && [[ $(git config user.name) == deep && $(git remote get-url two) == ssh://git@example.com/x ]]
}

@test "what cannot be carried over is refused beforehand" {
	before=$(<.git/config)
	while IFS= read -r line; do
		# shellcheck disable=SC2086
		run -125 --separate-stderr in_workspace --policy developer -- $line
		expect_in_stderr "it writes '.git/config'"
		# shellcheck disable=SC2086
		run in_workspace -- $line
		[[ $status != 0 || $line == *submodule* ]] || { echo "$line"; false; }
	done <<-'END'
		git config core.pager evil
		git config alias.st !evil
		git config include.path /tmp/evil
		git config remote.origin.uploadpack evil
		git config branch.main.pushRemote evil
		git config --unset user.name
		git remote set-url origin https://example.com/evil
		git remote rename origin other
		git remote remove origin
		git remote add e ext::evil
		git remote add e /srv/evil
		git remote add e http://example.com/
		git remote add --mirror=fetch e https://example.com/x
		git branch --unset-upstream
		git submodule init
	END
	[[ $(<.git/config) == "$before" ]]
}

# smuggle TEXT: what happens when the settings get this text too.
smuggle() {
	cat >hook.py <<-'END'
		import os, sys
		open(os.path.realpath(".git/config"), "a").write(sys.argv[1].encode().decode("unicode_escape"))
	END
	in_workspace -- sh -c "git config user.email good@example.com && python3 hook.py '$1'"
}

@test "nothing else gets through the copy" {
	git config user.name n
	count=0
	while IFS= read -r text; do
		cp .git/config before
		run -0 --separate-stderr smuggle "$text"
		expect_in_stderr "writ: denied: write $PWD/.git/config: "
		git config --unset-all user.email || true
		# Only what was allowed is new: git's own list is the same without it.
		[[ $(git config --local --list) == "$(git config --file before --list)" ]] ||
			{ echo "$text"; git config --local --list; false; }
		cp before .git/config
		count=$((count + 1))
		expect_tidy
	done <<-'END'
		[core]\n\tpager = evil\n
		[core]\n\tsshCommand = evil\n
		[alias]\n\tst = !evil\n
		[include]\n\tpath = evil\n
		[includeIf "gitdir:/"]\n\tpath = evil\n
		[filter "x"]\n\tsmudge = evil\n
		[credential]\n\thelper = !evil\n
		[remote "origin"]\n\tuploadpack = evil\n
		[remote "origin"]\n\turl = https://example.com/evil\n
		[remote "origin"]\n\tpushurl = https://example.com/evil\n
		[branch "main"]\n\tpushRemote = evil\n
		[branch "main"]\n\tremote = evil\n
		[remote]\n\tpushDefault = evil\n
		[remote "e"]\n\turl = https://example.com/x\n\tuploadpack = evil\n
		[remote "e"]\n\turl = ext::sh -c evil\n
		[remote "e"]\n\turl = file:///tmp/x\n
		[remote "e"]\n\turl = --upload-pack=evil\n
		[remote "e"]\n\turl = ssh://-oProxyCommand=evil/x\n
		[remote "e"]\n\turl = -oProxyCommand=evil@x:y\n
		[remote "e"]\n\turl = "https://example.com/x\\n[core]\\n\\tpager = evil"\n
		[remote "e"]\n\turl = https://example.com/x\n\tfetch = +refs/heads/*:refs/heads/*\n
		[remote "e"]\n\turl = https://example.com/x\n\tvcs = evil\n
		[remote "../e"]\n\turl = https://example.com/x\n
		[remote "https://example.com/"]\n\turl = https://example.com/x\n
		[url "https://example.com/evil/"]\n\tinsteadOf = https://example.com/\n
		[branch "new"]\n\tremote = nosuch\n\tmerge = refs/heads/main\n
		[branch "new"]\n\tremote = origin\n\tmerge = refs/tags/x\n
		[branch "new"]\n\tremote = origin\n\tmerge = refs/heads/main\n\trebase = true\n
		[branch "-x"]\n\tremote = origin\n\tmerge = refs/heads/main\n
		[user]\n\tsigningKey = evil\n
		[user "x"]\n\tname = evil\n
		[user]\n\tname = "a\\nb"\n
		[user]\n\tname = one\n\tname = two\n
		[gpg]\n\tprogram = evil\n
		[core\n
		[submodule "x"]\n\tupdate = !evil\n
	END
	[[ $count == 36 ]]
}

@test "a copy that is no file, or huge, changes nothing" {
	before=$(<.git/config)
	for code in \
		'os.remove(p); os.symlink("/etc/passwd", p)' \
		'os.remove(p); os.mkdir(p)' \
		'os.remove(p); os.mkfifo(p)' \
		'os.remove(p)' \
		'open(p, "a").write("#" * 3000000)' \
		'open(p, "a").write("[user]\n" + "name = x\n" * 20000)' \
		'open(p, "wb").write(b"\0" * 100)' \
		'os.link(p, p + "2")' \
		'open(".git/config.lock", "w")'; do
		# `git config` fails at the end, if the copy is unusable by then.
		in_workspace --shell "git config user.email good@example.com; python3 -c 'import os
p = os.path.realpath(\".git/config\")
$code'" >/dev/null 2>&1 || true
		[[ $(<.git/config) == "$before" && ! -L .git/config ]] || { echo "$code"; cat .git/config; false; }
		rm -f .git/config.lock
	done
}

@test "the file itself stays protected while there is a copy" {
	ln .git/config other-name 2>/dev/null || true
	rm -f other-name
	before=$(<.git/config)
	run in_workspace -- sh -c 'git config user.email a@b.c; mv .git/config .git/x; rm -f .git/config; ln -s /etc/passwd .git/config; umount .git/config'
	[[ -f .git/config && ! -L .git/config ]]
	git config --unset user.email && git config --remove-section user 2>/dev/null || true
	[[ $(<.git/config) == "$before" ]] || { diff <(echo "$before") .git/config; false; }
}

@test "settings that are a link, or shared, are left alone" {
	mv .git/config elsewhere && ln -s ../elsewhere .git/config
	before=$(<elsewhere)
	run ! in_workspace -- git config user.email a@b.c
	[[ $(<elsewhere) == "$before" ]]
	rm .git/config && ln elsewhere .git/config
	run ! in_workspace -- git config user.email a@b.c
	[[ $(<elsewhere) == "$before" ]]
}

@test "what a file names that is included is no new remote or branch" {
	printf '[remote "origin"]\n\turl = https://example.com/x\n' >shared
	git config --remove-section remote.origin
	git config include.path ../shared
	before=$(<.git/config)
	for text in '[remote "origin"]\n\turl = https://example.com/evil\n' '[branch "new"]\n\tremote = .\n\tmerge = refs/heads/main\n'; do
		run -0 --separate-stderr smuggle "$text"
		expect_in_stderr "writ: denied: write $PWD/.git/config: "
		git config --unset user.email && git config --remove-section user 2>/dev/null || true
		[[ $(<.git/config) == "$before" ]] || { diff <(echo "$before") .git/config; false; }
	done
}

@test "a link in the place of .git leads the lock nowhere else" {
	mkdir "$base/elsewhere" && : >"$base/elsewhere/config"
	touch -d @1 "$base/elsewhere"
	# A run that began without a repository can move one that came later.
	mkfifo go
	mv .git kept
	in_workspace -- sh -c 'echo >ready; read -r x <go; mv .git moved; ln -s "$1" .git; echo >swapped' sh "$base/elsewhere" &
	wait_for test -s ready
	mv kept .git
	in_workspace -- sh -c 'git config user.email a@b.c; echo >go; until [ -s swapped ]; do sleep 0.05; done' >/dev/null 2>&1
	wait
	[[ -L .git ]] || { ls -la; false; }
	# Nothing was made there, not even for a moment.
	[[ $(stat -c %Y "$base/elsewhere") == 1 ]] || { stat "$base/elsewhere"; false; }
}

@test "a long name with many settings costs no memory and no time" {
	before=$(<.git/config)
	python3 - >long.py <<-'END'
		print('import os; open(os.path.realpath(".git/config"), "a").write("[remote \\"" + "a" * 60000 + "\\"]\\n" + "b\\n" * 4000)')
	END
	# A sanitizer reserves terabytes of addresses.
	limit=8000000
	! grep -qa __asan_init "$WRIT" || limit=unlimited
	run -0 --separate-stderr timeout 60 bash -c "ulimit -v $limit; '$WRIT' run --sandbox workspace --shell 'git config user.email a@b.c; python3 long.py'"
	expect_in_stderr "all of it"
	[[ $(<.git/config) == "$before" ]]
}

@test "what a person sets meanwhile stays" {
	mkfifo go
	in_workspace -- sh -c 'git config user.email a@b.c && echo ready >ready && read -r x <go' &
	wait_for test -s ready
	printf '[pull]\n\trebase = true\n' >>.git/config
	echo >go
	wait
	[[ $(git config pull.rebase) == true && $(git config user.email) == a@b.c ]]
}

@test "protected files are so from a directory below, too" {
	mkdir deep && echo evil >deep/file && cd deep
	before=$(<../.git/config)
	run ! in_workspace -- cp file ../.git/config
	run ! in_workspace -- tee ../.git/new ../.git/config <file
	run ! in_workspace -- cp file ../.git/hooks/pre-commit
	run ! in_workspace -- cp file ../.git/hooks
	[[ $(<../.git/config) == "$before" && ! -e ../.git/hooks/pre-commit && ! -e ../.git/hooks/file ]]
}
