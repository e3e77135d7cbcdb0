#!/usr/bin/env bats
# bats file_tags=anyone
# The words behind the ID of writ call, up to the argv of a real program.
# shellcheck disable=SC2154
load helpers
load shower

setup() { make_modules; }

# arrives [--] WORD...: calls test.show with the words before '=>' and expects
# the program to get exactly those behind it.
arrives() {
	local words=()
	while [[ $1 != '=>' ]]; do
		words+=("$1")
		shift
	done
	shift
	"$WRIT" call test.show "${words[@]}" >got </dev/null || return
	shown sub "$@" >wanted
	cmp got wanted || {
		echo "got:    $(tr '\0' '|' <got)"
		echo "wanted: $(tr '\0' '|' <wanted)"
		return 1
	}
}

@test "names, in both spellings and both forms" {
	arrives --max-count 3 '=>' -n 3
	arrives --max_count=3 '=>' -n 3
	arrives -n 3 '=>' -n 3
	arrives --message hello '=>' --message hello
	arrives --all --message=a=b '=>' -a --message a=b
}

@test "booleans, and values that may be left out" {
	arrives --all '=>' -a
	arrives --no-all '=>'
	arrives --all=false '=>'
	arrives --color '=>' --color
	arrives --color=always '=>' --color=always
	arrives --no-color '=>'
}

@test "arrays by repetition" {
	arrives --include a --include 'b c' -I '' '=>' -I a -I 'b c' -I ''
}

@test "operands in their order, and what is behind two dashes" {
	arrives x '=>' x
	arrives x a b '=>' x a b
	arrives --pattern x a b '=>' x a b
	arrives --all x a -- b '=>' -a x a b
	arrives -- '{x}' '{y}' '=>' '{x}' '{y}'
	arrives -- x -b '=>' x ./-b
}

@test "JSON and names together: names win" {
	arrives '{"max_count":1,"all":true}' --max-count 2 '=>' -a -n 2
	arrives '{"include":["a","b"]}' -I c '=>' -I c
	arrives --all '{"message":"m"}' x '=>' -a --message m x
}

@test "values arrive byte for byte" {
	arrives --message $'fix: "quotes" and \'more\'\n\nSecond line $HOME `id` \\ ; | & > <\ttab' \
		'=>' --message $'fix: "quotes" and \'more\'\n\nSecond line $HOME `id` \\ ; | & > <\ttab'
	arrives --message '.a[] | select(.b == "c") | {d: .e, "f g": "\(.h)"}' \
		'=>' --message '.a[] | select(.b == "c") | {d: .e, "f g": "\(.h)"}'
	arrives --message 'https://example.invalid/a?b=c&d=%20#e' '=>' --message 'https://example.invalid/a?b=c&d=%20#e'
	arrives --message '' '=>' --message ''
	arrives --message -x '=>' --message -x
	arrives --message --all '=>' --message --all
	arrives --message 'größe 日本 🙂' '=>' --message 'größe 日本 🙂'
	arrives --message '*' '=>' --message '*'
	arrives '' '=>' ''
}

@test "negative numbers are values and operands" {
	arrives -- -5 '=>' -5
	arrives -5 '=>' -5
	run -125 --separate-stderr "$WRIT" call test.show --max-count -3
	expect_in_stderr "writ: call: /max_count: "
}

@test "long numbers keep their digits" {
	arrives --max-count 123456789012345678901234567890 '=>' -n 123456789012345678901234567890
}

@test "a megabyte of arguments arrives byte for byte" {
	local big
	big=$(head -c 75000 /dev/urandom | base64 -w 0)
	big=${big:0:100000}
	arrives --message "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" \
		'=>' --message "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big" -I "$big"
}

@test "a word that no process can be given is refused with a way out" {
	head -c 200000 /dev/zero | tr '\0' x | python3 -c 'import json, sys; print(json.dumps({"message": sys.stdin.read()}))' >long.json
	run -125 --separate-stderr "$WRIT" call --input long.json test.show
	expect_in_stderr "message"
	expect_in_stderr "standard input"
}

@test "unknown names are refused with the nearest" {
	run -125 --separate-stderr "$WRIT" call test.show --max-cout 3
	expect_stderr "writ: call: test.show has no argument '--max-cout', did you mean '--max-count'?"
	run -125 --separate-stderr "$WRIT" call test.show --json
	expect_in_stderr "try: options of writ call go before the ID"
	run -125 --separate-stderr "$WRIT" call test.show -x
	expect_in_stderr "try: put a word that begins with '-' after '--'"
	run -125 --separate-stderr "$WRIT" call test.fail word
	expect_in_stderr "unexpected word 'word'"
	run -125 --separate-stderr "$WRIT" call test.show --max-count
	expect_stderr "writ: call: '--max-count' needs a value: integer"
	run -125 --separate-stderr "$WRIT" call test.show --message a --message b
	expect_stderr "writ: call: '--message' is given twice"
	run -125 --separate-stderr "$WRIT" call test.show '{}' '{}'
	expect_in_stderr "two words begin with '{'"
}

@test "what is no number is told by the schema" {
	run -125 --separate-stderr "$WRIT" call test.show --max-count five
	expect_stderr 'writ: call: /max_count: expected an integer, got "five"'
	run -125 --separate-stderr "$WRIT" call test.show --all=yes
	expect_in_stderr "writ: call: /all: "
	run -125 --separate-stderr "$WRIT" call test.show --mode fst
	expect_in_stderr "writ: call: /mode: "
}

@test "words that are not UTF-8 are refused" {
	run -125 --separate-stderr "$WRIT" call test.show --message $'\xff'
	expect_in_stderr "'--message' is not UTF-8"
}

@test "the help of a module" {
	run -0 --separate-stderr "$WRIT" call test.show --max-count 3 --help
	expect_in_stdout "Print the arguments as they are"
	[[ $output =~ --max-count\ +-n\ +integer\ +-\ +10\ +How\ many ]] || show_run
	run -0 --separate-stderr "$WRIT" call test.show -h
	expect_in_stdout "Print the arguments as they are"
}

@test "a commit message arrives in the repository as it is" {
	need git
	local message=$'fix: "it\'s" $(done)\n\n- one `two`\n- three \\ four\n'
	cat >"$modules/git.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: cli.git.commit
		  target: exec://$(command -v git) commit
		  input_schema:
		    type: object
		    additionalProperties: false
		    properties:
		      message: {type: string, x-apexe-flag: -m}
		      allow_empty: {type: boolean}
	EOF
	git init -q repository
	git -C repository config user.email nobody@example.invalid
	git -C repository config user.name Nobody
	run -0 --separate-stderr "$WRIT" call --cwd repository cli.git.commit --allow-empty --message "$message"
	[[ $(git -C repository log -1 --format=%B) == "${message%$'\n'}" ]]
}

@test "find with a path that looks like an action deletes nothing" {
	cat >"$modules/find.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: cli.find
		  target: exec://$(command -v find)
		  input_schema:
		    type: object
		    additionalProperties: false
		    x-apexe-end-of-options: true
		    properties:
		      paths: {type: array, items: {type: string}, x-apexe-positional: 0, x-apexe-operand-position: before-flags, x-apexe-path: true}
		      name: {type: string, x-apexe-flag: -name}
	EOF
	touch keep
	run --separate-stderr "$WRIT" call cli.find -- -delete
	[[ -f keep && $status == 1 ]] || show_run
	run --separate-stderr "$WRIT" call cli.find '{"paths":["-delete"]}'
	[[ -f keep && $status == 1 ]] || show_run
	run --separate-stderr "$WRIT" call cli.find '{"paths":[".","-delete"]}'
	[[ -f keep ]] || show_run
	mkdir ./-delete ./'(' ./'!'
	run -0 --separate-stderr "$WRIT" call cli.find '{"paths":["-delete","(","!"]}'
	expect_stdout $'./-delete\n./(\n./!'
	[[ -f keep ]]
	run -0 --separate-stderr "$WRIT" call cli.find --name keep .
	expect_stdout ./keep
}
