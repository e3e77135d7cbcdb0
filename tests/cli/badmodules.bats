#!/usr/bin/env bats
# bats file_tags=anyone
# Bindings and inputs that are wrong: a clear message each, and nothing runs.
load helpers
load modules
load running

setup() {
	modules_setup
	script_argv
	script mark "touch '$BATS_TEST_TMPDIR/ran'; echo ran"
}

teardown() {
	[[ ! -e $BATS_TEST_TMPDIR/ran ]] || {
		echo 'something ran that was not meant to' >&2
		return 1
	}
}

# wrong TEXT LINE...: a binding with these keys is a problem whose message has
# TEXT, at a line of its file; its neighbour works.
wrong() {
	local text=$1 file=$MODULES/wrong.binding.yaml
	shift
	{
		printf 'spec_version: "1.0"\nbindings:\n- module_id: cli.wrong\n'
		printf '  %s\n' "$@"
	} >"$file"
	bind cli.right exec:///bin/true ''
	run --separate-stderr timeout -s KILL 60 "$WRIT" module check "$file"
	[[ $status == 1 ]] || show_run
	[[ $output$stderr =~ wrong.binding.yaml:[0-9]+:[0-9]+ ]] || show_run
	[[ $output$stderr == *"$text"* ]] || {
		echo "'$text' is not said" >&2
		show_run
	}
	call 125 cli.wrong
	call 0 cli.right
}

# ---- bindings

@test "a target that is none is refused" {
	wrong "invalid" 'target: invalid'
	wrong "exec://" 'target: "exec://"'
	wrong "exec://" 'target: "exec://  "'
	wrong "http" 'target: "http://example.org/x"'
	wrong "target" 'target: ""'
	wrong "target" 'target: 7'
	wrong "target" 'target: [exec:///bin/true]'
	wrong "./x" 'target: "exec://./x"'
	wrong "a/b" 'target: "exec://a/b"'
	wrong "target" 'description: nothing to run'
}

@test "words that do not say what the target says are refused" {
	wrong "argv" 'target: exec:///bin/true' 'argv: [/bin/false]'
	wrong "argv" 'argv: []'
	wrong "argv" 'argv: [7]'
	wrong "argv" 'argv: /bin/true'
}

@test "control characters and NUL in a binding are refused" {
	wrong "" 'target: "exec:///bin/true\u0000x"'
	wrong "" 'target: "exec:///bin/true\u0007"'
	wrong "" 'argv: ["/bin/echo", "a\u0000b"]'
	wrong "" 'target: exec:///bin/true' 'json_flag: "--json\u0000"'
}

@test "an unknown key is refused with the one that was meant" {
	wrong "did you mean 'target'" 'targt: exec:///bin/true'
	wrong "did you mean 'timeout'" 'target: exec:///bin/true' 'timout: 5s'
	wrong "did you mean 'readonly'" 'target: exec:///bin/true' 'annotations: {readonyl: true}'
	wrong "did you mean 'x-apexe-flag'" 'target: exec:///bin/true' \
		'input_schema: {"type":"object","properties":{"a":{"type":"string","x-apexe-falg":"-a"}}}'
}

@test "a wrong type says what was expected" {
	wrong "description" 'target: exec:///bin/true' 'description: [a]'
	wrong "tags" 'target: exec:///bin/true' 'tags: 7'
	wrong "bad duration 'soon'" 'target: exec:///bin/true' 'timeout: soon'
	wrong "timeout" 'target: exec:///bin/true' 'timeout: -5'
	wrong "input_schema" 'target: exec:///bin/true' 'input_schema: []'
	wrong "annotations" 'target: exec:///bin/true' 'annotations: yes please'
	wrong "success" 'target: exec:///bin/true' 'success: [256]'
	wrong "readonly" 'target: exec:///bin/true' 'annotations: {readonly: "true"}'
	wrong "env_mode" 'target: exec:///bin/true' 'env_mode: everything'
	wrong "'video'" 'target: exec:///bin/true' 'output: {as: video}'
}

@test "an id that is none is refused" {
	local id
	for id in 'Cli.Upper' '.cli' 'cli.' 'cli..x' 'cli.a b' '7cli' '"../../etc/x"' '""' 7; do
		printf 'spec_version: "1.0"\nbindings:\n- module_id: %s\n  target: exec:///bin/true\n' "$id" >"$MODULES/wrong.binding.yaml"
		run --separate-stderr "$WRIT" module check "$MODULES/wrong.binding.yaml"
		[[ $status == 1 && $output$stderr == *wrong.binding.yaml:3* ]] || show_run
	done
	call 125 'cli..x'
	call 125 '../../etc/x'
	bind cli.list exec:///bin/true ''
	call 127 cli.lst
	expect_error not_found "cli.list"
}

@test "keywords that contradict each other are refused" {
	local schema
	for schema in \
		'"a":{"type":"string","x-apexe-flag":"-a","x-apexe-positional":0}' \
		'"a":{"type":"string","x-apexe-positional":0},"b":{"type":"string","x-apexe-positional":0}' \
		'"a":{"type":"string","x-apexe-positional":-1}' \
		'"a":{"type":"string","x-apexe-flag":"no dash"}' \
		'"a":{"type":"string","x-apexe-flag":"-a b"}' \
		'"a":{"type":"string","x-apexe-flag":""}' \
		'"a":{"type":"string","x-apexe-conflicts-with":["nobody"]}' \
		'"a":{"type":"string","x-writ-requires":["nobody"]}' \
		'"a":{"type":"string","x-writ-attach":"glue"}' \
		'"a":{"type":"string","x-apexe-flag-position":"behind"}'; do
		wrong "" "target: exec://$BIN/mark" "input_schema: $(properties "$schema")"
	done
}

@test "one broken element hides neither the others of its file nor other files" {
	cat >"$MODULES/many.binding.yaml" <<-'END'
		spec_version: "1.0"
		bindings:
		- module_id: cli.first
		  target: exec:///bin/true
		- module_id: cli.second
		  target: nonsense
		- 17
		- module_id: cli.third
		  target: exec:///bin/true
	END
	printf 'bindings: [\n' >"$MODULES/broken.binding.yaml"
	printf 'spec_version: "9.9"\nbindings: []\n' >"$MODULES/future.binding.yaml"
	printf '\xff\xfe' >"$MODULES/bytes.binding.yaml"
	: >"$MODULES/empty.binding.yaml"
	run -0 --separate-stderr "$WRIT" module list --no-builtin --ids
	expect_stdout $'cli.first\ncli.third'
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_in_stderr many.binding.yaml:6
	expect_in_stderr many.binding.yaml:7
	expect_in_stderr broken.binding.yaml
	expect_in_stderr future.binding.yaml:1
	expect_in_stderr bytes.binding.yaml
	call 0 cli.third
}

@test "a second claim to an id is a problem, and the first is used" {
	bind cli.twice 'exec:///bin/echo first' ''
	cp "$MODULES/cli.twice.binding.yaml" "$MODULES/z.binding.yaml"
	sed -i 's/echo first/echo second/' "$MODULES/z.binding.yaml"
	run -0 --separate-stderr "$WRIT" module list --no-builtin
	expect_in_stdout cli.twice
	expect_in_stderr z.binding.yaml
	call 0 cli.twice
	expect_json 'd["stdout"] == "first\n"'
}

# ---- schemas

@test "a schema with a reference loop is refused or bounded, not followed for ever" {
	bind cli.loop "exec://$BIN/mark" '{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}'
	call 125 cli.loop '{"a":1}'
	expect_error invalid cli.loop
	bind cli.tree "exec://$BIN/argv" '{"type":"object","properties":{"n":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},"additionalProperties":false}}}'
	call 125 cli.tree '{"n":{"next":{"next":{"nxt":{}}}}}'
	expect_error invalid nxt
	call 0 cli.tree '{"n":{"next":{"next":{}}}}'
}

@test "a reference to nowhere, or to the network, is refused" {
	local schema
	for schema in '{"$ref":"#/$defs/none"}' '{"$ref":"http://127.0.0.1:1/schema.json"}' '{"$ref":"file:///etc/passwd"}'; do
		bind cli.ref "exec://$BIN/mark" "{\"type\":\"object\",\"properties\":{\"a\":$schema}}"
		call 125 cli.ref '{"a":1}'
		expect_error invalid cli.ref
	done
}

@test "a hostile pattern ends, and quickly" {
	local began
	bind cli.pattern "exec://$BIN/mark" "$(properties '"a":{"type":"string","pattern":"^(([a-z])+.)+[A-Z]([a-z])+$"},"b":{"type":"string","pattern":"^(a|a)*$"},"c":{"type":"string","pattern":"^(a+)+$"}')"
	began=$(now_ms)
	for key in a b c; do
		run --separate-stderr timeout -s KILL 30 "$WRIT" call --json cli.pattern "{\"$key\":\"$(printf 'a%.0s' {1..5000})!\"}"
		[[ $status == 125 ]] || show_run
		expect_error invalid
	done
	within 5000 $(($(now_ms) - began)) "three hostile patterns"
}

@test "a pattern that is none is a problem of the binding" {
	wrong "" "target: exec://$BIN/mark" "input_schema: $(properties '"a":{"type":"string","pattern":"("}')"
}

@test "an input of great depth is refused, not followed" {
	local deep
	deep=$(python3 -c 'print("{\"a\":" * 100000 + "1" + "}" * 100000)')
	bind cli.deep "exec://$BIN/mark" '{"type":"object"}'
	printf '%s' "$deep" >deep.json
	run -125 --separate-stderr timeout -s KILL 20 "$WRIT" call --json --input deep.json cli.deep
	expect_error invalid
}

# ---- inputs

@test "everything that is wrong with an input is said, with its place" {
	bind cli.count "exec://$BIN/mark" "$(properties '"count":{"type":"integer","minimum":1},"name":{"type":"string"},"mode":{"enum":["fast","slow"]}' '"required":["name"]')"
	call 125 cli.count '{"count":"five","mode":"fats","nam":"x"}'
	expect_error invalid
	expect_json 'len(d["error"]["details"]["problems"]) >= 4'
	expect_json 'any(p["instance"] == "/count" and "five" in p["message"] for p in d["error"]["details"]["problems"])'
	expect_json 'any("name" in str(p["suggestion"]) for p in d["error"]["details"]["problems"])'
	run -125 --separate-stderr "$WRIT" call cli.count '{"count":"five","name":"x"}'
	expect_in_stderr '/count: expected an integer, got "five"'
}

@test "an input that is no JSON object is refused with its place" {
	bind cli.any "exec://$BIN/mark" '{"type":"object"}'
	printf '{"a":1,\n "a":2}' >twice.json
	call 125 --input twice.json cli.any
	expect_error invalid
	expect_json 'd["error"]["details"]["line"] == 2'
	printf '[1]' >list.json
	call 125 --input list.json cli.any
	printf '{"a":\n nope}' >none.json
	call 125 --input none.json cli.any
	expect_json 'd["error"]["details"]["line"] == 2'
	printf '{"a":"\xff"}' >bytes.json
	call 125 --input bytes.json cli.any
	printf '{} {}' >two.json
	call 125 --input two.json cli.any
	call 125 --input missing.json cli.any
}

@test "NUL in a value is refused, other control characters arrive" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"a":{"type":"string"},"b":{"type":"string","x-apexe-positional":0}')"
	call 125 cli.argv '{"a":"x\u0000y"}'
	expect_error invalid "'a'" NUL
	call 125 cli.argv '{"b":"x\u0000y"}'
	expect_error invalid "'b'" NUL
	call 0 cli.argv '{"a":"\u0001\u001b[31m\u007f"}'
	expect_words '["--a","\u0001\u001b[31m\u007f"]'
}

@test "a value that no process could be given is refused with the way out" {
	bind cli.argv "exec://$BIN/argv" "$(properties '"a":{"type":"string"}')"
	python3 -c 'print("{\"a\":\"" + "x" * 200000 + "\"}")' >long.json
	call 125 --input long.json cli.argv
	expect_error invalid "'a'" 131071 'standard input'
	python3 -c 'print("{\"a\":\"" + "x" * 131000 + "\"}")' >fits.json
	call 0 --input fits.json cli.argv
}

@test "a missing program is named, and nothing else runs in its place" {
	bind cli.none exec:///no/such/program ''
	bind cli.name exec://no-such-program ''
	call 127 cli.none
	expect_error not_found /no/such/program
	call 127 cli.name
	expect_error not_found no-such-program
}

@test "what stands in a message does not write to the terminal" {
	bind cli.count "exec://$BIN/mark" "$(properties '"count":{"type":"integer"}')"
	run -125 --separate-stderr "$WRIT" call cli.count '{"count":"\u001b[2J\u0007"}'
	[[ $stderr != *$'\e'* && $stderr != *$'\a'* ]] || show_run
	run -125 --separate-stderr "$WRIT" call cli.count '{"\u001b[2J":1}'
	[[ $stderr != *$'\e'* ]] || show_run
}

# ---- size

@test "a binding of more than 16 MiB is refused, one below is read in time" {
	local began
	bind cli.small exec:///bin/true ''
	{
		cat "$MODULES/cli.small.binding.yaml"
		head -c $((17 * 1024 * 1024)) /dev/zero | tr '\0' '#'
		echo
	} >"$MODULES/huge.binding.yaml"
	run -0 --separate-stderr timeout -s KILL 60 "$WRIT" module list --no-builtin --ids
	expect_stdout cli.small
	run -0 --separate-stderr timeout -s KILL 60 "$WRIT" module list --no-builtin
	expect_in_stderr huge.binding.yaml
	expect_in_stderr 16
	python3 - "$MODULES/huge.binding.yaml" <<-'END'
		import sys
		with open(sys.argv[1], "w") as f:
		    f.write('spec_version: "1.0"\nbindings:\n- module_id: cli.huge\n  target: exec:///bin/true\n  documentation: |\n')
		    for i in range(200000):
		        f.write("    a line of documentation, one of very many of them, number %d\n" % i)
	END
	began=$(now_ms)
	run -0 --separate-stderr timeout -s KILL 60 "$WRIT" module list --no-builtin --ids
	expect_stdout $'cli.huge\ncli.small'
	within 8000 $(($(now_ms) - began)) "a binding of 13 MiB"
}

@test "ten thousand files are read, more are a problem" {
	python3 - "$MODULES" <<-'END'
		import os, sys
		for i in range(10001):
		    with open("%s/m%05d.binding.yaml" % (sys.argv[1], i), "w") as f:
		        f.write('spec_version: "1.0"\nbindings:\n- module_id: cli.m%05d\n  target: exec:///bin/true\n' % i)
	END
	rm "$MODULES/m10000.binding.yaml"
	run -0 --separate-stderr timeout -s KILL 120 "$WRIT" module list --no-builtin --ids
	[[ ${#lines[@]} == 10000 ]]
	call 0 cli.m09999
	cp "$MODULES/m00000.binding.yaml" "$MODULES/m10000.binding.yaml"
	sed -i s/m00000/m10000/ "$MODULES/m10000.binding.yaml"
	run --separate-stderr timeout -s KILL 120 "$WRIT" module list --no-builtin
	[[ $stderr == *10000* || $stderr == *10,000* ]] || {
		echo "stderr: $stderr" >&2
		false
	}
}

@test "a fifo, a directory or a device in the place of a binding holds nobody up" {
	bind cli.small exec:///bin/true ''
	mkfifo "$MODULES/pipe.binding.yaml"
	mkdir "$MODULES/folder.binding.yaml"
	ln -s /dev/zero "$MODULES/zero.binding.yaml"
	run -0 --separate-stderr timeout -s KILL 20 "$WRIT" module list --no-builtin --ids
	expect_stdout cli.small
}
