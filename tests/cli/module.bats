#!/usr/bin/env bats
# bats file_tags=anyone
# writ module: list, search, show, check, add.
# shellcheck disable=SC2154
load helpers
load shower

setup() { make_modules; }

# bats test_tags=smoke
@test "the list has ids, effects, commands and descriptions" {
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_stderr ""
	[[ ${lines[0]} == "MODULE "*"DOES "*"COMMAND "*DESCRIPTION ]]
	[[ ${lines[1]} == "test.fail "*"destructive "*"/bin/sh "*"Exit with 3" ]]
	[[ ${lines[2]} == "test.show "*"read "*"$shower sub "*"Print the arguments as they are" ]]
	[[ ${#lines[@]} == 3 ]]
}

@test "what a file does not say is unknown" {
	cat >"$modules/plain.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- {module_id: test.plain, target: "exec:///bin/true"}
	EOF
	run -0 --separate-stderr "$WRIT" module list --no-builtin --prefix test.plain
	[[ ${lines[1]} == "test.plain "*"? "*"/bin/true "* ]]
}

@test "the list is filtered by tag and by prefix" {
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'test.fail\ntest.show'
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids --tag shower
	expect_stdout test.show
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids --prefix test.f
	expect_stdout test.fail
	run -0 --separate-stderr "$WRIT" module list --no-builtin --prefix other.
	expect_stdout ""
	expect_stderr "writ: none of the 2 modules matches"
}

@test "the list as JSON has all of it" {
	run -0 --separate-stderr "$WRIT" module list --no-builtin --json
	[[ $(json "$output" '[m["id"] for m in d["modules"]]') == "['test.fail', 'test.show']" ]]
	[[ $(json "$output" 'd["modules"][1]["annotations"]["readonly"], d["modules"][1]["tags"], d["modules"][1]["line"], d["problems"]') == \
		"(True, ['test', 'shower'], 3, [])" ]]
	[[ $(json "$output" 'd["modules"][0]["file"]') == "$modules/test.show.binding.yaml" ]]
}

caches() { stat -c '%n %i %z' "$WRIT_CACHE_DIR"/*; }

# Files that have just been written are not relied on, and read again.
is_settled() {
	local before
	before=$(caches)
	for _ in 1 2; do
		"$WRIT" module list --no-builtin --ids
		unshare --user "$WRIT" module list --no-builtin --ids
	done >/dev/null
	[[ $(caches) == "$before" ]]
}

# Which files are in good hands looks different there, so that one cache for
# both would be made anew by each of them.
@test "a user namespace has a cache of its own" {
	unshare --user true 2>/dev/null || skip "no user namespace can be made"
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	run -0 --separate-stderr unshare --user "$WRIT" module list --no-builtin --ids
	expect_stdout $'test.fail\ntest.show'
	wait_for is_settled
}

@test "a file that is wrong is told with its place and takes no other with it" {
	printf 'spec_version: "1.0"\nbindings:\n- module_id: test.bad\n  target: exec:///bin/true\n  descripton: x\n' \
		>"$modules/bad.binding.yaml"
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'test.fail\ntest.show'
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	[[ ${#stderr_lines[@]} == 1 ]] || show_run
	expect_in_stderr "writ: $modules/bad.binding.yaml:5:3: "
	expect_in_stderr "descripton"
	expect_in_stderr "did you mean 'description'?"
	run -1 --separate-stderr "$WRIT" module list --no-builtin --strict
	run -1 --separate-stderr "$WRIT" module list --no-builtin --strict --json
	[[ $(json "$output" 'd["problems"][0]["line"], d["problems"][0]["column"], len(d["modules"])') == "(5, 3, 2)" ]]
	expect_stderr ""
}

@test "no module at all: the places are named" {
	rm "$modules"/*
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_stdout ""
	expect_in_stderr "WRIT_MODULES"
	expect_in_stderr ".writ/modules"
	run -0 --separate-stderr "$WRIT" module list --no-builtin --json
	[[ $(json "$output" 'd["modules"]') == "[]" ]]
}

@test "modules come from where one says" {
	mkdir more project project/.writ project/.writ/modules project/sub
	sed 's/test\.show/more.show/; /test.fail/,$d' "$modules/test.show.binding.yaml" >more/a.binding.yaml
	sed 's/test\.show/project.show/; /test.fail/,$d' "$modules/test.show.binding.yaml" >project/.writ/modules/b.binding.yaml
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids --modules more
	expect_stdout $'more.show\ntest.fail\ntest.show'
	WRIT_MODULES=$PWD/more run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'more.show\ntest.fail\ntest.show'
	APCORE_EXTENSIONS_ROOT=$PWD/more run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'more.show\ntest.fail\ntest.show'
	cd project/sub
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'project.show\ntest.fail\ntest.show'
}

@test "a search finds what matches every word" {
	run -0 --separate-stderr "$WRIT" module search --ids print arguments
	expect_stdout test.show
	run -1 --separate-stderr "$WRIT" module search print nonsense
	expect_stdout ""
	expect_stderr "writ: no module matches 'print nonsense'"
	run -0 --separate-stderr "$WRIT" module search --json shower
	[[ $(json "$output" '[m["id"] for m in d["modules"]]') == "['test.show']" ]]
	run -2 --separate-stderr "$WRIT" module search
	expect_in_stderr "say what to look for"
}

@test "one module is shown with its arguments" {
	run -0 --separate-stderr "$WRIT" module show test.show
	expect_in_stdout "Print the arguments as they are"
	expect_in_stdout "$shower sub"
	expect_in_stdout "writ call test.show [--NAME VALUE]... [PATTERN] [PATHS...]"
	[[ $output =~ --max-count\ +-n\ +integer\ +-\ +10\ +How\ many ]] || show_run
	[[ $output =~ --message\ +--message\ +string\ +-\ +-\ +What\ to\ say ]] || show_run
	[[ $output =~ --mode\ +--mode\ +fast\|slow ]] || show_run
	[[ $output =~ paths\ +operand\ +path\.\.\. ]] || show_run
	[[ $output =~ --token\ +--token\ +string,\ secret ]] || show_run
	expect_in_stdout "writ call test.show '{\"paths\":[\"a\",\"it'\\''s\"]}'"
	expect_in_stdout "$modules/test.show.binding.yaml:3 (user)"
}

@test "one module as JSON has its schemas" {
	run -0 --separate-stderr "$WRIT" module show --json test.show
	[[ $(json "$output" 'd["id"], d["input_schema"]["properties"]["max_count"]["minimum"]') == "('test.show', 0)" ]]
}

@test "the names of the arguments, for completions" {
	run -0 --separate-stderr "$WRIT" module show --names test.show
	[[ ${lines[2]} == $'--max-count\t-\tHow many' ]] || show_run
	[[ ${lines[5]} == $'--mode\tfast|slow\t' ]] || show_run
}

@test "an unknown module is refused with the nearest" {
	run -1 --separate-stderr "$WRIT" module show test.shwo
	expect_in_stderr "test.shwo"
	expect_in_stderr "did you mean 'test.show'?"
	run -1 --separate-stderr "$WRIT" module show --json test.shwo
	[[ $(json "$output" 'd["error"]["code"]') == not_found ]]
	run -2 --separate-stderr "$WRIT" module show
	run -2 --separate-stderr "$WRIT" module show a b
	run -2 --separate-stderr "$WRIT" module shwo
	expect_in_stderr "did you mean 'show'?"
}

@test "a file in order is in order" {
	run -0 --separate-stderr "$WRIT" module check "$modules/test.show.binding.yaml"
	expect_stdout "$modules/test.show.binding.yaml: 2 modules OK"
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" module check "$modules"
	expect_stdout "$modules/test.show.binding.yaml: 2 modules OK"
}

@test "every file of a directory that is loaded is checked" {
	echo '{"spec_version":"1.0","bindings":[{"module_id":"test.json","target":"exec://"}]}' \
		>"$modules/test.json.binding.json"
	run -1 --separate-stderr "$WRIT" module check "$modules"
	expect_in_stderr "test.json.binding.json:1:"
}

@test "everything that is wrong with files is told" {
	cat >wrong.binding.yaml <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.one
		  target: exec://
		- module_id: Test.Two
		  target: exec:///bin/true
		- module_id: test.three
		  target: exec:///bin/true
		  input_schema: {type: object, properties: {a: {type: sting}}}
		- module_id: test.four
		  target: invalid
		- module_id: test.five
		  target: exec:///bin/true
	EOF
	run -1 --separate-stderr "$WRIT" module check wrong.binding.yaml
	expect_in_stderr "writ: wrong.binding.yaml:4:"
	expect_in_stderr "writ: wrong.binding.yaml:5:"
	expect_in_stderr "writ: wrong.binding.yaml:9:"
	expect_in_stderr "writ: wrong.binding.yaml:11:"
	[[ ${#stderr_lines[@]} == 4 ]] || show_run
	run -1 --separate-stderr "$WRIT" module check --json wrong.binding.yaml "$modules"
	[[ $(json "$output" 'd["ok"], [(f["modules"], len(f["problems"])) for f in d["files"]]') == "(False, [(1, 4), (2, 0)])" ]]
}

@test "what cannot be read is told apart from what is wrong" {
	run -2 --separate-stderr "$WRIT" module check absent.binding.yaml
	expect_in_stderr "absent.binding.yaml"
	expect_in_stderr "No such file or directory"
	run -2 --separate-stderr "$WRIT" module check
	printf 'spec_version: "1.0"\nbindings: [' >torn.binding.yaml
	run -1 --separate-stderr "$WRIT" module check torn.binding.yaml
	expect_in_stderr "writ: torn.binding.yaml:3:1: "
}

@test "a file is added, each module in a file of its own" {
	cp "$modules/test.show.binding.yaml" mine.yaml
	rm "$modules"/*
	run -0 --separate-stderr "$WRIT" module add mine.yaml
	expect_stdout "2 modules added"
	[[ $(ls "$modules") == $'test.fail.binding.yaml\ntest.show.binding.yaml' ]]
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'test.fail\ntest.show'
	run -0 --separate-stderr "$WRIT" call test.show a
	run -1 --separate-stderr "$WRIT" module add mine.yaml
	expect_in_stderr "there is a file 'test.show.binding.yaml' already"
	expect_in_stderr "try: add --replace"
	run -0 --separate-stderr "$WRIT" module add --replace --json mine.yaml
	expect_stdout '{"added":2}'
	mkdir other
	run -0 --separate-stderr "$WRIT" module add --dir other mine.yaml
	[[ -f other/test.show.binding.yaml ]]
}

@test "a file that is not in order is not added" {
	printf 'spec_version: "1.0"\nbindings:\n- module_id: test.new\n  target: exec://\n' >wrong.yaml
	run -1 --separate-stderr "$WRIT" module add wrong.yaml
	expect_in_stderr "wrong.yaml:4:"
	[[ $(ls "$modules") == test.show.binding.yaml ]]
	run -2 --separate-stderr "$WRIT" module add
	run -2 --separate-stderr "$WRIT" module add a b
}

@test "what a file says cannot act on a terminal" {
	need script
	cat >"$modules/evil.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.evil
		  target: exec:///bin/true
		  description: "nice\e[2Jand\rclean"
		  input_schema:
		    type: object
		    properties: {a: {type: string, description: "he\e]0;x\alp"}}
	EOF
	run -0 on_terminal "'$WRIT' module list --no-builtin"
	expect_in_stdout 'nice\x1b[2Jand\rclean'
	run -0 on_terminal "'$WRIT' module show test.evil"
	expect_in_stdout 'nice\x1b[2Jand\rclean'
	expect_in_stdout 'he\x1b]0;x\x07lp'
	mv "$modules/evil.binding.yaml" "$modules"/$'e\e[2Jvil.binding.yaml'
	run -0 --separate-stderr "$WRIT" module check "$modules"
	expect_in_stdout 'e\x1b[2Jvil.binding.yaml: 1 module OK'
}

@test "on a terminal a long command leaves room for the description" {
	need script
	cat >"$modules/long.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.long
		  argv: [/bin/sh, -c, "echo this is a script of more than thirty letters; echo done"]
		  description: It has a long command
	EOF
	run -0 on_terminal "'$WRIT' module list --no-builtin"
	expect_in_stdout "…  It has a long command"
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_in_stdout "thirty letters; echo done'  It has a long command"
}

@test "on a terminal a long description is cut, in a pipe it is whole" {
	need script
	long=$(printf 'word %.0s' {1..60})
	sed -i "s/Exit with 3/$long/" "$modules/test.show.binding.yaml"
	run -0 on_terminal "'$WRIT' module list --no-builtin"
	expect_in_stdout "…"
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_in_stdout "${long% }"
}
