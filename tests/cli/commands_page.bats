#!/usr/bin/env bats
# bats file_tags=anyone
# docs/commands.md is true: its descriptions are in order, and its commands are
# run and say what the page says. So are docs/effects.md, what docs/tour.md says
# about explaining, and the descriptions among the examples.
# shellcheck disable=SC2154
load helpers
load modules

setup() {
	need python3
	modules_setup
	unset WRIT_MODULES
	chmod 755 .
	mkdir -p "$BIN"
	ln -s "$WRIT" "$BIN/writ"
	export PATH=$BIN:$PATH
}

explain() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" module explain \
		--modules "$EXAMPLES" "$@"
}

# copy_examples: their directory must belong to whoever runs the test.
copy_examples() {
	EXAMPLES=$BATS_TEST_TMPDIR/examples
	mkdir -m 755 "$EXAMPLES"
	cp "$WRIT_SOURCE"/examples/commands/*.command.yaml "$EXAMPLES"
	chmod 644 "$EXAMPLES"/*
}

# run_page FILE [SECTION]: its blocks of YAML are checked and its commands are
# run, in order. Prints how many.
run_page() {
	run python3 - "$@" <<'PYTHON'
import os, re, subprocess, sys

KEYS = ("command: part\noptions:\n  --extract: x\n  --create: x\n  --append: x\n  --to-stdout: x\n"
        "  --global: x\n  --directory <path>: x\n  --file <path>: x\n  --member <path>: x\n"
        "  --value <text>: x\n  --object <text>: x\n")
ran = described = 0
page = open(sys.argv[1]).read()
if len(sys.argv) > 2:
    page = re.split(r"\n##+ ", page[page.index("\n### " + sys.argv[2]):])[1]


def shell(command):
    got = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=60)
    return got.returncode, got.stdout.replace(os.getcwd(), "/srv/app")


def describe(text):
    if text.startswith("when:"):
        text = KEYS + text + "effects: []\n"
    elif text.startswith("-"):
        text = "command: part\noptions:\n" + re.sub("^", "  ", text, flags=re.M).rstrip() + "\neffects: []\n"
    elif text.startswith("#"):
        text += "command: part\neffects: []\n"
    name = re.search(r"^command: (\S+)\n", text, re.M).group(1) + ".command.yaml"
    with open(name, "w") as file:
        file.write(text)
    status, said = shell("writ module check " + name)
    if status != 0:
        sys.exit(text + said)


for kind, text in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S):
    if kind == "yaml":
        describe(text)
        described += 1
        continue
    if kind != "console":
        sys.exit("a block of an unknown kind: " + repr(kind))
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
        got = shell(command)[1]
        ran += 1
        if got != wanted:
            sys.exit("$ %s\nwanted:\n%s\ngot:\n%s" % (command, wanted, got))
print(ran, "commands,", described, "descriptions")
PYTHON
}

@test "docs/commands.md does what it says" {
	run_page "$WRIT_SOURCE/docs/commands.md"
	[[ $status == 0 && $output =~ ^[5-9]\ commands,\ [4-9]\ descriptions$ ]] || show_run
}

@test "docs/effects.md shows explanations as they are" {
	run_page "$WRIT_SOURCE/docs/effects.md"
	[[ $status == 0 && $output == "2 commands, 0 descriptions" ]] || show_run
}

@test "docs/tour.md explains commands as it says" {
	cp -r "$WRIT_SOURCE/examples" .
	chmod -R go-w examples
	run_page "$WRIT_SOURCE/docs/tour.md" "What a command would do"
	[[ $status == 0 && $output == "5 commands, 0 descriptions" ]] || show_run
}

@test "every description among the examples is in order" {
	copy_examples
	run -0 --separate-stderr "$WRIT" module check "$EXAMPLES"
	[[ -z $stderr && ${#lines[@]} -ge 3 ]] || show_run
}

@test "iconv: names with a slash might be files" {
	copy_examples
	explain 0 -- iconv -f latin1 -t utf8 -o out.txt in.txt
	[[ ${lines[0]} == "writes out.txt; reads in.txt" ]] || show_run
	explain 0 -- iconv -f ./map a
	[[ ${lines[0]} == "reads ./map and a" ]] || show_run
	explain 1 -- iconv --from latin1 a
	need iconv
	printf 'gr\374n\n' >latin
	run -0 --separate-stderr "$WRIT" call --modules "$EXAMPLES" cli.iconv --from-code latin1 --to-code utf-8 latin
	expect_stdout "grün"
}

@test "sqlite3: statements are code, and -safe is no promise" {
	copy_examples
	explain 0 -- sqlite3 app.db 'select 1'
	[[ ${lines[0]} == "writes app.db and .; runs code; reads app.db" ]] || show_run
	explain 0 -- sqlite3 -safe --readonly app.db 'select 1'
	[[ ${lines[0]} == "runs code; reads app.db" ]] || show_run
	explain 0 -- sqlite3 --version
	[[ ${lines[0]} == "touches nothing" ]] || show_run
	explain 1 -- sqlite3 -A -cf x.db a
	explain 1 -- sqlite3 -- app.db
}

@test "apt-cache: sub-commands, and options that can name programs" {
	copy_examples
	explain 0 -- apt-cache -q policy bash
	[[ ${lines[0]} == "writes /var/cache/apt; reads /var/lib" ]] || show_run
	explain 0 -- apt-cache policy bash -o Dir::Bin::dpkg=./x
	[[ ${lines[0]} == *"runs code"* ]] || show_run
	explain 1 -- apt-cache polic bash
	expect_in_stdout "did you mean 'policy'?"
	run -0 --separate-stderr "$WRIT" call --modules "$EXAMPLES" --preview --json \
		cli.apt_cache.depends '{"package":["bash"],"recurse":true}'
	expect_json 'd["argv"] == ["apt-cache", "depends", "--recurse", "bash"]'
}
