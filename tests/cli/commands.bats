#!/usr/bin/env bats
# bats file_tags=anyone
# Descriptions of commands: those that are built in, those of users, and what
# a project may not do.
# shellcheck disable=SC2154
load helpers
load modules

setup() {
	modules_setup
	unset WRIT_MODULES
	OWN=$WRIT_CONFIG_DIR/modules
	mkdir -p "$OWN" .writ/modules
	chmod -R go-w "$WRIT_CONFIG_DIR" .writ
}

# describe DIR NAME: a description from standard input.
describe() { cat >"$1/$2.command.yaml"; }

describe_shorten() {
	describe "$1" shorten <<-'EOF2'
		command: shorten
		about: Cuts long lines
		options:
		  -w, --width <integer:1..9999>: the longest line that stays as it is
		  -o, --output <path:write>: write there instead of standard output
		  --color[=<always|never|auto>]: mark what was cut
		  --filter <program>: pass every line through this program
		operands:
		  file* <path:read>: what to read
		effects: []
	EOF2
}

explain() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" module explain "$@"
}

# bats test_tags=smoke
@test "what is built in is listed, shown and searched" {
	run -0 --separate-stderr "$WRIT" module list --tier builtin --ids
	for id in cli.ls cli.git.log cli.find cli.timeout; do
		[[ $'\n'$output$'\n' == *$'\n'$id$'\n'* ]] || show_run
	done
	expect_stderr ""
	run -0 --separate-stderr "$WRIT" module list --json
	expect_json 'len(d["modules"]) > 100 and d["problems"] == []'
	expect_json 'all(m["file"] == "builtin" and m["tier"] == "builtin" for m in d["modules"])'
	expect_json '[m["annotations"]["readonly"] for m in d["modules"] if m["id"] == "cli.wc"] == [True]'
	expect_json '[m["annotations"]["destructive"] for m in d["modules"] if m["id"] == "cli.rm"] == [True]'
	# What reads, what may change something, and what takes away what was there.
	sort_of() { printf '%s' '(lambda a: "read" if a["readonly"] else "destructive" if a["destructive"] else "write")(m["annotations"])'; }
	expect_json "[$(sort_of) for i in 'git.log git.status git.diff git.grep ls cat grep rg diff docker.ps kubectl.get dig'.split() for m in d['modules'] if m['id'] == 'cli.' + i] == ['read'] * 12"
	expect_json "[$(sort_of) for i in 'cp tee touch mkdir ln sort git.add git.commit git.clone cargo.tree docker.pull'.split() for m in d['modules'] if m['id'] == 'cli.' + i] == ['write'] * 11"
	expect_json "[$(sort_of) for i in 'rm mv dd mkfs truncate shred git.reset git.clean git.branch git.submodule.foreach curl env python3 sh make cargo.build find tar'.split() for m in d['modules'] if m['id'] == 'cli.' + i] == ['destructive'] * 18"
	run -0 --separate-stderr "$WRIT" module search counts lines words
	expect_in_stdout cli.wc
	run -0 --separate-stderr "$WRIT" module show cli.wc
	expect_in_stdout "Counts lines, words and bytes"
	expect_in_stdout "built in"
	run -2 --separate-stderr "$WRIT" module list --tier bultin
	expect_in_stderr "did you mean 'builtin'?"
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout ""
}

@test "what is built in can be called, by JSON and by name" {
	printf 'a\nb\n' >two
	run -0 --separate-stderr "$WRIT" call cli.wc '{"lines":true,"file":["two"]}'
	expect_stdout "2 two"
	run -0 --separate-stderr "$WRIT" call cli.wc --lines two
	expect_stdout "2 two"
	run -0 --separate-stderr "$WRIT" call --preview --json cli.find \
		'{"start":["."],"expression":[{"name":"*.c"},{"o":true},{"newer":"two"}]}'
	expect_json 'd["argv"] == ["find", ".", "-name", "*.c", "-o", "-newer", "two"]'
	run -0 --separate-stderr "$WRIT" call --isolated --json cli.wc '{"lines":true,"file":["/dev/null"]}'
	expect_json 'd["module_id"] == "cli.wc" and d["stdout"] == "0 /dev/null\n"'
	run --separate-stderr "$WRIT" call --json cli.wc '{"line":true}'
	[[ $status != 0 ]]
	expect_in_stdout "lines"
}

@test "a user describes a command: it is understood, listed and called" {
	describe_shorten "$OWN"
	# shellcheck disable=SC2016 # for the script
	script shorten 'echo "$@"'
	explain 0 -- shorten -w 80 --output=out.txt notes.txt
	[[ ${lines[0]} == "writes out.txt; reads notes.txt" ]] || show_run
	expect_in_stdout "[cli.shorten, $OWN/shorten.command.yaml]"
	explain 0 --json -- shorten -w 80 --output=out.txt notes.txt
	expect_json 'd["module"] == "cli.shorten" and d["description"].endswith("/shorten.command.yaml")'
	expect_json 'd["arguments"] == {"width": 80, "output": "out.txt", "file": ["notes.txt"]}'
	run -0 --separate-stderr "$WRIT" module list --tier user --ids
	expect_stdout cli.shorten
	PATH=$BIN:$PATH run -0 --separate-stderr "$WRIT" call cli.shorten '{"color":"always","width":7,"file":["-x"]}'
	expect_stdout "--width 7 --color=always ./-x"
	PATH=$BIN:$PATH run -0 --separate-stderr "$WRIT" call --isolated --json cli.shorten '{"width":7}'
	expect_json 'd["stdout"] == "--width 7\n"'
}

@test "a word that a user's description does not have is marked" {
	describe_shorten "$OWN"
	explain 1 -- shorten notes.txt --widht=80
	[[ ${lines[0]} == "not understood: "*"--widht"* ]] || show_run
	expect_in_stdout $'  shorten notes.txt --widht=80\n                    ^^^^^^^^^^\n'
	expect_in_stdout "--width"
	explain 1 -- shorten -w zero notes.txt
	expect_in_stdout $'  shorten -w zero notes.txt\n             ^^^^\n'
}

@test "a value of another kind is told with what it can be" {
	describe_shorten "$OWN"
	explain 1 -- shorten --color=purple
	expect_in_stdout "'purple' of '--color' is not one of its choices"
	expect_in_stdout "  try: it can be: always, never, auto"
	explain 1 -- shorten --width=99999
	expect_in_stdout "'99999' of '--width' is not a whole number of its range"
	expect_in_stdout "  try: a whole number from 1 to 9999"
	explain 1 -- shorten -w 080
	expect_in_stdout "  try: write it without '+' and zeros before it"
}

@test "a user's description replaces the one that is built in, whole" {
	describe "$OWN" git <<-'EOF2'
		command: git
		commands:
		  frob:
		    about: Frobnicates
		    effects: [net]
	EOF2
	explain 0 -- git frob
	expect_in_stdout "uses the network"
	explain 1 -- git log
	run -0 --separate-stderr "$WRIT" module list --ids --prefix cli.git.
	expect_stdout cli.git.frob
	run -1 --separate-stderr "$WRIT" module show cli.git.log
	expect_in_stderr "there is no module 'cli.git.log'"
}

@test "a description that is wrong does not bring back the one that is built in" {
	describe "$OWN" git <<-'EOF2'
		command: git
		about: Another
		optoins: {}
	EOF2
	explain 1 -- git log
	expect_in_stdout "git.command.yaml:3:1: "
	expect_in_stdout optoins
	run -0 --separate-stderr "$WRIT" module list --ids --prefix cli.git.
	expect_stdout ""
	run -1 --separate-stderr "$WRIT" module list --strict
	expect_in_stderr "git.command.yaml:3:1: "
	run --separate-stderr "$WRIT" call cli.git.log
	[[ $status != 0 ]]
	expect_in_stderr "there is no module"
	explain 0 -- ls
}

@test "a description that other users can change is not used" {
	describe_shorten "$OWN"
	chmod o+w "$OWN/shorten.command.yaml"
	explain 1 -- shorten a
	expect_in_stdout "can be changed by other users"
	chmod o-w "$OWN/shorten.command.yaml"
	explain 0 -- shorten a
	mv "$OWN/shorten.command.yaml" real
	ln -s "$PWD/real" "$OWN/shorten.command.yaml"
	explain 1 -- shorten a
	expect_in_stdout "symbolic link"
}

@test "a directory that cannot be used makes nothing look harmless" {
	describe_shorten "$OWN"
	chmod o+w "$OWN"
	explain 1 -- shorten a
	explain 1 -- ls
	expect_in_stdout "the module directory '$OWN' cannot be used"
	chmod o-w "$OWN"
	explain 0 -- ls
	chmod o+w .writ/modules
	explain 0 -- ls
}

@test "a project adds descriptions and replaces none" {
	describe_shorten .writ/modules
	explain 0 -- shorten a
	expect_in_stdout ".writ/modules/shorten.command.yaml"
	[[ ${lines[0]} == *"executes shorten"* ]] || show_run
	expect_in_stdout "only the project describes it"
	run -0 --separate-stderr "$WRIT" module list --tier project --ids
	expect_stdout cli.shorten

	describe .writ/modules rm <<-'EOF2'
		command: rm
		operands: {file*: nothing at all}
		effects: []
	EOF2
	explain 0 -- rm -rf build
	[[ ${lines[0]} == "deletes build" ]] || show_run
	run -0 --separate-stderr "$WRIT" module list --tier project --ids
	expect_stdout cli.shorten
	run -0 --separate-stderr "$WRIT" module list
	expect_in_stderr "rm.command.yaml: the command 'rm' is described already: builtin"
}

@test "a project does not get a program by another name of its own" {
	describe .writ/modules tool <<-'EOF2'
		command: tool
		also: [rm]
		operands: {file*: nothing at all}
		effects: []
	EOF2
	explain 0 -- rm x
	[[ ${lines[0]} == "deletes x" ]] || show_run
	explain 1 -- tool x
	describe .writ/modules lister <<-'EOF2'
		command: lister
		same_as: ls
	EOF2
	explain 0 -- lister -l /etc
	expect_in_stdout "reads /etc"
	expect_in_stdout "executes lister"
	explain 0 -- env lister
	expect_in_stdout "executes lister"
}

@test "a project does not replace what a user describes, in order or not" {
	describe_shorten "$OWN"
	describe .writ/modules shorten <<-'EOF2'
		command: shorten
		operands: {file*: nothing at all}
		effects: []
	EOF2
	explain 0 -- shorten a
	[[ ${lines[0]} == "reads a" ]] || show_run
	echo "nonsense: 1" >"$OWN/shorten.command.yaml"
	explain 1 -- shorten a
}

@test "a binding of a project does not replace what is built in either" {
	# shellcheck disable=SC2034 # bind uses it
	MODULES=.writ/modules
	bind cli.wc exec:///bin/echo ""
	run -0 --separate-stderr "$WRIT" call --preview --json cli.wc
	expect_json 'd["argv"] == ["wc"]'
	run -0 --separate-stderr "$WRIT" module list
	expect_in_stderr "is described already"
	# shellcheck disable=SC2034
	MODULES=$OWN
	bind cli.wc exec:///bin/echo ""
	run -0 --separate-stderr "$WRIT" call --preview --json cli.wc
	expect_json 'd["argv"] == ["/bin/echo"]'
	run -0 --separate-stderr "$WRIT" module show --json cli.wc
	expect_json 'd["tier"] == "user"'
}

@test "directories count in their order" {
	mkdir -p "$WRIT_SYSTEM_DIR/modules" given
	chmod -R go-w "$WRIT_SYSTEM_DIR" given
	for dir in "$WRIT_SYSTEM_DIR/modules" "$OWN" given; do
		describe "$dir" shorten <<-EOF2
			command: shorten
			about: $dir
			effects: ["write ${dir##*/work/}"]
		EOF2
	done
	explain 0 -- shorten
	[[ ${lines[0]} == "writes $OWN" ]] || show_run
	explain 0 --modules given -- shorten
	[[ ${lines[0]} == "writes given" ]] || show_run
	WRIT_MODULES=given explain 0 -- shorten
	[[ ${lines[0]} == "writes given" ]] || show_run
	rm "$OWN/shorten.command.yaml"
	explain 0 -- shorten
	[[ ${lines[0]} == "writes $WRIT_SYSTEM_DIR/modules" ]] || show_run
}

@test "one program is the same as another, but not in circles" {
	describe "$OWN" ll <<-'EOF2'
		command: ll
		about: The same
		same_as: ls
	EOF2
	explain 0 -- ll -l /etc
	expect_in_stdout "reads /etc"
	printf 'command: a1\nsame_as: a2\n' | describe "$OWN" a1
	printf 'command: a2\nsame_as: a1\n' | describe "$OWN" a2
	printf 'command: a3\nsame_as: a3\n' | describe "$OWN" a3
	printf 'command: a4\nsame_as: nosuch\n' | describe "$OWN" a4
	for name in a1 a2 a3 a4; do
		explain 1 -- "$name"
	done
	explain 1 -- a1
	expect_in_stdout "without end"
}

@test "the cache knows descriptions and sees when one changes" {
	describe_shorten "$OWN"
	touch -d '1 hour ago' "$OWN/shorten.command.yaml"
	for _ in 1 2 3; do
		explain 0 -- shorten -o x
		[[ ${lines[0]} == "writes x" ]] || show_run
	done
	sed -i 's/path:write/path:delete/' "$OWN/shorten.command.yaml"
	explain 0 -- shorten -o x
	[[ ${lines[0]} == "deletes x" ]] || show_run
	for cache in "$WRIT_CACHE_DIR"/*; do
		dd if=/dev/zero of="$cache" bs=1 seek=200 count=2000 conv=notrunc status=none
	done
	explain 0 -- shorten -o x
	[[ ${lines[0]} == "deletes x" ]] || show_run
	rm "$OWN/shorten.command.yaml"
	explain 1 -- shorten -o x
}

@test "a file is checked, with the place of what is wrong" {
	describe_shorten .
	run -0 --separate-stderr "$WRIT" module check shorten.command.yaml
	expect_stdout "shorten.command.yaml: 1 module OK"
	run -0 --separate-stderr "$WRIT" module check .
	expect_in_stdout "shorten.command.yaml: 1 module OK"
	sed -i 's/integer:1/intger:1/' shorten.command.yaml
	run -1 --separate-stderr "$WRIT" module check shorten.command.yaml
	[[ $stderr == *"shorten.command.yaml:4:"*intger* ]] || show_run
	describe_shorten .
	mv shorten.command.yaml shrink.command.yaml
	run -1 --separate-stderr "$WRIT" module check shrink.command.yaml
	expect_in_stderr "call the file 'shorten.command.yaml'"
	cp shrink.command.yaml shorten.yaml
	run -1 --separate-stderr "$WRIT" module check shorten.yaml
	expect_in_stderr "call the file 'shorten.command.yaml'"
	run -1 --separate-stderr "$WRIT" module add shorten.yaml
	expect_in_stderr "call the file 'shorten.command.yaml'"
	: >empty.command.yaml
	run -1 --separate-stderr "$WRIT" module check empty.command.yaml
	[[ -n $stderr ]]
}

@test "a file is added as it is, and replaced only when one says so" {
	describe_shorten .
	echo "# a note that stays" >>shorten.command.yaml
	run -0 --separate-stderr "$WRIT" module add shorten.command.yaml
	expect_stdout "1 module added"
	cmp shorten.command.yaml "$OWN/shorten.command.yaml"
	explain 0 -- shorten a
	run -1 --separate-stderr "$WRIT" module add shorten.command.yaml
	expect_in_stderr "there is a file 'shorten.command.yaml' already"
	run -0 --separate-stderr "$WRIT" module add --replace shorten.command.yaml
	echo "x: 1" >>shorten.command.yaml
	run -1 --separate-stderr "$WRIT" module add --replace shorten.command.yaml
	grep -q "a note" "$OWN/shorten.command.yaml"
	run ! grep -q "^x:" "$OWN/shorten.command.yaml"
}

@test "the schema for editors accepts every description" {
	# Descriptions with their parts.
	for file in "$WRIT_SOURCE"/data/commands/*.yaml; do
		"$WRIT_TEST_PROGRAMS/commands" --text "$file" >"${file##*/}"
	done
	cp "$WRIT_SOURCE"/examples/commands/*.yaml .
	run "$WRIT" schema validate --schema "$WRIT_SOURCE/data/schemas/command.schema.json" *.yaml
	[ "$status" -eq 0 ]
	[ "$(printf '%s\n' "$output" | grep -c ': valid$')" -eq "$(ls *.yaml | wc -l)" ]
	[ "$(ls *.yaml | wc -l)" -ge 200 ]
	grep -q '^  rebase:$' git.yaml
	! grep -q '^#include' ./*.yaml
}

@test "the schema for editors refuses what the reader refuses" {
	schema=$WRIT_SOURCE/data/schemas/command.schema.json
	while IFS= read -r rest; do
		printf 'command: x\n%b' "$rest" >x.command.yaml
		run "$WRIT" module check x.command.yaml
		[ "$status" -ne 0 ]
		run "$WRIT" schema validate --schema "$schema" x.command.yaml
		[ "$status" -eq 1 ]
	done <<-'END'
		effects: []\noptins: {}\n
		effects: [wirte]\n
		effects: []\nstyle: gnuu\n
		effects: []\noperands:\n  f <path:read>: {dash: x}\n
		effects: []\noptions:\n  -f: {unless: g}\n
		effects: []\nglobals: behind\n
		effects: []\nwhen: [{has: f}]\n
		effects: []\ncommands: {a: {about: b}}\n
		effects: []\noptions:\n  -f <command>: {inner: there}\n
		same_as: y\neffects: []\n
		effects: []\nsets: {a: b}\n
		effects: [$a.b]\nsets: {a: [read]}\n
		effects: []\nwhen: {has: f, effects: [read]}\n
	END
}

@test "a list of modules on a narrow terminal has room for descriptions" {
	on_terminal "stty cols 99; '$WRIT' module list --prefix cli.apt.auto" >narrow
	grep -q 'MODULE.*DOES  *DESCRIPTION' narrow
	grep -q 'Deletes old packages that were fetched' narrow
	on_terminal "'$WRIT' module list --prefix cli.apt.auto" >wide
	grep -q 'MODULE.*DOES  *COMMAND  *DESCRIPTION' wide
}

@test "a set stands for what it names, and its mistakes are shown in it" {
	cat >trim.command.yaml <<-'END'
		command: trim
		sets:
		  changes: [write ., delete]
		  file: {about: what to trim, cases: {"-": [], "*": $changes}}
		operands:
		  file* <text>: $file
		effects: []
	END
	run "$WRIT" module check trim.command.yaml
	[ "$status" -eq 0 ]
	run "$WRIT" module explain --modules . -- trim a
	[ "$status" -eq 0 ]
	[[ "$output" == "deletes"*"writes"* ]]
	sed -i 's/delete\]/delte]/' trim.command.yaml
	run "$WRIT" module check trim.command.yaml
	[ "$status" -ne 0 ]
	[[ "$output" == *"trim.command.yaml:3:22: "*"delte"*"'delete'"* ]]
	sed -i 's/delte\]/delete]/; s/[$]changes/$chnges/' trim.command.yaml
	run "$WRIT" module check trim.command.yaml
	[ "$status" -ne 0 ]
	[[ "$output" == *"trim.command.yaml:4:53: there is no set 'chnges'"*"'changes'"* ]]
}

@test "a part is for built-in descriptions only: it adds nothing to a user's" {
	mkdir trim
	printf 'command: trim\neffects: []\n#include trim/more.yaml\n' >trim.command.yaml
	printf 'options:\n  -x: more\n' >trim/more.yaml
	run "$WRIT" module explain --modules . -- trim -x
	[[ "$output" == *"unknown option '-x'"* ]]
}
