#!/usr/bin/env bats
# `writ policy allow|ask|deny`: one more rule in the user's policy, which keeps
# everything else as it was.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME"
	file=$WRIT_CONFIG_DIR/policy.yaml
}

# decides ANSWER COMMAND...
decides() {
	local want=$1
	shift
	run --separate-stderr "$WRIT" policy explain --json -- "$@"
	[[ $(json "$output" "d['decision']") == "$want" ]] || show_run
}

@test "without a policy one is made that includes developer" {
	rm -r "$WRIT_CONFIG_DIR"
	run -0 --separate-stderr "$WRIT" policy allow 'git push origin main' --yes
	[[ $output == "--- /dev/null"*"+  - allow: git push origin main"* ]] || show_run
	expect_in_stderr "wrote $file"
	grep -qx 'include: \[developer\]' "$file"
	decides allow git push origin main
	decides ask git push origin dev
	run -0 --separate-stderr "$WRIT" policy test
	[[ $output == *"allow: git push origin main"*"1 of 1 as expected"* ]] || show_run
	# Twice is once.
	run -0 --separate-stderr "$WRIT" policy allow 'git push origin main' --yes
	expect_in_stderr "there already"
	[[ $(grep -c 'git push' "$file") == 2 ]]
	run -0 --separate-stderr "$WRIT" policy lint
}

@test "comments, order, mode and line ends are kept" {
	user_policy <<-'END'
		# mine
		version: 1
		include: [developer]   # the default

		rules:
		  # pushing
		  - allow: git push origin main   # often
		    because: "# it is mine"

		  # the end of the rules

		# what must hold
		expect:
		- allow: git push origin main
		# the last line
	END
	chmod 640 "$file"
	cp "$file" before
	run -0 --separate-stderr "$WRIT" policy allow 'npm publish' --yes
	[[ $output == *"+  - allow: npm publish"*"+- allow: npm publish"* ]] || show_run
	[[ $(stat -c %a "$file") == 640 ]]
	# Nothing was taken away, two lines were added.
	[[ $(diff before "$file" | grep -c '^<') == 0 && $(diff before "$file" | grep -c '^>') == 2 ]]
	[[ $(ls -A "$WRIT_CONFIG_DIR") == policy.yaml ]]
	sed -i 's/$/\r/' "$file"
	run -0 --separate-stderr "$WRIT" policy allow 'cargo publish' --yes
	[[ $(grep -vc $'\r$' "$file") == 0 ]]
	# Lists on one line, and no lists.
	printf 'version: 1\ninclude: developer\nrules: []\nexpect: [ { ask: git push } ]' >"$file"
	run -0 --separate-stderr "$WRIT" policy allow 'npm publish' --yes
	run -0 --separate-stderr "$WRIT" policy test
	[[ $output == *"2 of 2 as expected"* ]] || show_run
}

@test "the same shape with another answer takes its place" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push   # why not
		expect:
		  - allow: git push
	END
	run -0 --separate-stderr "$WRIT" policy deny 'git push' --yes
	grep -qx '  - deny: git push   # why not' "$file"
	[[ $(wc -l <"$file") == 6 ]]
	decides deny git push
}

@test "a rule of a project, and one that ends" {
	mkdir -p other/.writ .git
	run -0 --separate-stderr "$WRIT" policy allow 'pip install ...' --project --yes
	grep -qx "    project: $(realpath .)" "$file"
	# The registry of the configuration comes with it, another one does not.
	decides allow pip install six
	decides ask pip install --index-url https://other.example/simple six
	cd other
	decides ask pip install six
	run -0 --separate-stderr "$WRIT" policy allow 'git push' --for 1h30m --yes
	[[ $(grep -c 'until: "20..-..-..T..:..:..Z"' "$file") == 2 ]]
	decides allow git push
}

@test "what would not hold is not written" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		expect:
		  - ask: git push origin main
	END
	cp "$file" before
	run -2 --separate-stderr "$WRIT" policy allow 'sudo id' --yes
	expect_in_stderr "'sudo id' has to be 'allow', and would be 'deny', by preset:developer:"
	run -2 --separate-stderr "$WRIT" policy allow 'git push ...' --yes
	expect_in_stderr "'git push origin main' has to be 'ask', and would be 'allow', by $file:"
	run -2 --separate-stderr "$WRIT" policy allow '...' --yes
	expect_in_stderr "a shape begins with the name of a program"
	run -2 --separate-stderr "$WRIT" policy allow 'a | b' --yes
	expect_in_stderr "a shape is one command, and '|' is a shell's"
	run -2 --separate-stderr "$WRIT" policy allow '' --yes
	run -2 --separate-stderr "$WRIT" policy allow
	expect_in_stderr "say which SHAPE"
	run -2 --separate-stderr "$WRIT" policy allow git push
	run -2 --separate-stderr "$WRIT" policy allow ls --user --project
	cmp "$file" before
	printf 'rules: [\n' >"$file"
	run -2 --separate-stderr "$WRIT" policy allow ls --yes
	expect_in_stderr "not valid YAML"
	printf '{version: 1, include: developer}' >"$file"
	run -2 --separate-stderr "$WRIT" policy allow ls --yes
	expect_in_stderr "not written in lines"
	[[ $(ls -A "$WRIT_CONFIG_DIR") == policy.yaml ]]
}

@test "a link to the file stays a link" {
	mkdir "$HOME/dotfiles"
	printf 'version: 1\ninclude: [./more.yaml]\n' >"$HOME/dotfiles/mine.yaml"
	printf 'version: 1\ninclude: [developer]\n' >"$WRIT_CONFIG_DIR/more.yaml"
	ln -s "$HOME/dotfiles/mine.yaml" "$file"
	run -0 --separate-stderr "$WRIT" policy allow 'git push' --yes
	[[ -L $file ]] && grep -q 'allow: git push' "$HOME/dotfiles/mine.yaml"
	decides allow git push
}

@test "nothing is written without a person's word" {
	run -2 --separate-stderr "$WRIT" policy allow 'git push' </dev/null
	expect_in_stderr "nobody can be asked here"
	run -0 --separate-stderr "$WRIT" policy allow 'git push' --dry-run
	[[ $output == *"+  - allow: git push"* ]] || show_run
	[[ ! -e $file ]]
}

@test "inside of a run no policy is changed" {
	run --separate-stderr "$WRIT" run --policy open -- "$WRIT" policy allow 'git push' --yes
	[[ $status -eq 2 && ! -e $file ]] || show_run
	expect_in_stderr "this runs inside another writ run"
}

@test "a host is opened, asked about or denied, and one rule is enough" {
	rm -r "$WRIT_CONFIG_DIR"
	stand_in curl
	run -0 --separate-stderr "$WRIT" policy allow --host api.example.com --yes
	grep -qx '  - allow: { host: "api.example.com", network: hosts }' "$file"
	decides allow curl https://api.example.com/x
	decides ask curl https://other.example.com/x
	run -0 --separate-stderr "$WRIT" policy allow --host api.example.com --yes
	expect_in_stderr "there already"
	run -0 --separate-stderr "$WRIT" policy ask --host api.example.com --yes
	decides ask curl https://api.example.com/x
	run -0 --separate-stderr "$WRIT" policy allow --host '*.example.com' --project --for 1h --yes
	decides allow curl https://other.example.com/x
	run -0 --separate-stderr "$WRIT" policy lint
	run -0 --separate-stderr "$WRIT" policy deny --host evil.example.com --yes
	grep -qx '  - deny: { host: "evil.example.com" }' "$file"
	decides deny curl https://evil.example.com/x
	# Also into a list on one line.
	printf 'version: 1\ninclude: [developer]\nrules: [{allow: git push}]\n' >"$file"
	run -0 --separate-stderr "$WRIT" policy allow --host '[2001:db8::1]:443' --yes
	grep -qx 'rules: \[{allow: git push}, { allow: { host: "\[2001:db8::1\]:443", network: hosts } }\]' "$file"
	run -2 --separate-stderr "$WRIT" policy allow --host 'https://a.example/' --yes
	expect_in_stderr "nothing was written"
	run -2 --separate-stderr "$WRIT" policy allow --host a.example ls
	expect_in_stderr "not both"
}
