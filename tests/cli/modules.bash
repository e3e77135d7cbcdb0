# What the tests of modules share: a folder of bindings for each test, and
# programs to bind.
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by bats

# Nothing of this machine is read or written: no module, no cache, no trail.
modules_setup() {
	MODULES=$BATS_TEST_TMPDIR/modules
	BIN=$BATS_TEST_TMPDIR/bin
	mkdir -p "$MODULES" "$BIN" "$BATS_TEST_TMPDIR/work"
	chmod 755 "$MODULES" "$BIN"
	export WRIT_MODULES=$MODULES
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	unset APCORE_EXTENSIONS_ROOT
	cd "$BATS_TEST_TMPDIR/work" || return
}

# bind ID TARGET SCHEMA [LINE...]: a module in a file of its own. SCHEMA is
# JSON; "" leaves it out. Each LINE is a further key.
bind() {
	local id=$1 target=$2 schema=$3
	shift 3
	{
		printf 'spec_version: "1.0"\nbindings:\n- module_id: %s\n' "$id"
		[[ -z $target ]] || printf '  target: "%s"\n' "$target"
		printf '  description: %s for a test\n' "$id"
		[[ -z $schema ]] || printf '  input_schema: %s\n' "$schema"
		(($# == 0)) || printf '  %s\n' "$@"
	} >"$MODULES/$id.binding.yaml"
}

# properties JSON [KEYWORDS]: a closed schema of these properties.
properties() {
	printf '{"type":"object","properties":{%s},"additionalProperties":false%s}' "$1" "${2:+,$2}"
}

# script NAME TEXT: a shell script in $BIN.
script() {
	printf '#!/bin/sh\n%s\n' "$2" >"$BIN/$1"
	chmod 755 "$BIN/$1"
}

# A program that prints its arguments as a JSON array.
script_argv() {
	# shellcheck disable=SC2016 # for the script
	printf '#!/usr/bin/python3\nimport json, os, sys\nprint(json.dumps([os.fsencode(a).decode("utf-8") for a in sys.argv[1:]]))\n' >"$BIN/argv"
	chmod 755 "$BIN/argv"
}

# call STATUS ARGUMENT...: `writ call --json`, which must exit with this.
call() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 120 "$WRIT" call --json "$@"
}

# expect_words JSON: the last call ran `argv`, and these were its words.
expect_words() {
	local same
	same=$(python3 -ISE -c 'import json, sys
print(json.loads(json.loads(sys.argv[1])["stdout"]) == json.loads(sys.argv[2]))' "$output" "$1")
	[[ $same == True ]] || show_run
}

# expect_json EXPRESSION: it is true of the last output, which may be long.
expect_json() {
	python3 -ISE -c 'import json, sys; d = json.load(sys.stdin); sys.exit(eval(sys.argv[1]) is not True)' "$1" <<<"$output" && return
	echo "not true: $1" >&2
	output=${output:0:4096}
	show_run
}

# expect_error CODE [TEXT...]: the last output is such an error, and its
# message or suggestion has these texts.
expect_error() {
	local code=$1 text said
	shift
	[[ $(json "$output" 'd["error"]["code"]') == "$code" ]] || show_run
	said=$(json "$output" 'str(d["error"]["message"]) + " " + str(d["error"]["suggestion"]) + " " + str(d["error"]["details"])')
	for text; do
		[[ $said == *"$text"* ]] || {
			echo "'$text' is not in: $said" >&2
			show_run
		}
	done
}

# A lock that a process holds until it ends, also one that has left its
# session, its parent and its namespaces.
# nothing_holds FILE
nothing_holds() { flock -n "$1" true; }
