#!/usr/bin/env bats
# bats file_tags=anyone
# writ schema validate and writ schema check.
# Dollar signs in single quotes are those of schemas; `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cat >schema.json <<-'END'
		{
		  "$schema": "https://json-schema.org/draft/2020-12/schema",
		  "type": "object",
		  "properties": {
		    "count": {"type": "integer", "minimum": 0},
		    "name": {"type": "string", "pattern": "^[a-z]+$"},
		    "when": {"type": "string", "format": "date"}
		  },
		  "required": ["name"],
		  "additionalProperties": false
		}
	END
	echo '{"name": "abc", "count": 5}' >good.json
}

validate() {
	"$WRIT" schema validate --schema schema.json "$@"
}

# bats test_tags=smoke
@test "a valid document exits 0 and says so" {
	run -0 --separate-stderr validate good.json
	expect_stdout "good.json: valid"
	expect_stderr ""
	run -0 --separate-stderr validate --quiet good.json
	expect_stdout ""
}

@test "every problem is told, with line and column and pointer" {
	printf '{\n  "name": "ABC",\n  "count": "five",\n  "nam": [1]\n}\n' >input.json
	run -1 --separate-stderr validate input.json
	expect_stdout ""
	expect_stderr 'writ: input.json:2:11: /name: must match the pattern "^[a-z]+$", got "ABC"
writ: input.json:3:12: /count: expected an integer, got "five"
writ: input.json:4:3: unknown key '"'nam', did you mean 'name'?"
	run -1 --separate-stderr validate -q input.json
	expect_stderr ""
}

@test "numbers, objects and the whole document have places too" {
	printf '[\n 1]' >list.json
	run -1 --separate-stderr validate list.json
	expect_in_stderr "writ: list.json:1:1: expected an object, got "
	printf '{"name": "a",\n\n   "count":\t-1 }' >minus.json
	run -1 --separate-stderr validate minus.json
	expect_in_stderr "writ: minus.json:3:13: /count: "
}

@test "YAML is judged, and its places are told" {
	printf 'name: abc\ncount: 5\n' >good.yaml
	printf 'name: abc\ncount: five\n' >bad.yml
	run -1 --separate-stderr validate good.yaml bad.yml
	expect_stdout "good.yaml: valid"
	expect_stderr 'writ: bad.yml:2:8: /count: expected an integer, got "five"'
	printf 'type: object\nrequired: [a]\n' >schema.yaml
	run -1 --separate-stderr "$WRIT" schema validate -s schema.yaml good.yaml
	expect_stderr "writ: good.yaml:1:1: missing key 'a'"
}

@test "standard input is a document, or the schema, but not both" {
	run -0 --separate-stderr validate - <good.json
	expect_stdout "standard input: valid"
	run -0 --separate-stderr validate - <<<'name: abc'
	expect_stdout "standard input: valid"
	run -0 --separate-stderr "$WRIT" schema validate --schema - good.json <schema.json
	run -2 --separate-stderr "$WRIT" schema validate --schema - - <schema.json
	expect_in_stderr "standard input can be read only once"
}

@test "formats judge when they are asked to" {
	echo '{"name": "a", "when": "today"}' >when.json
	run -0 validate when.json
	run -1 --separate-stderr validate --formats when.json
	expect_in_stderr "/when: "
	expect_in_stderr "date"
}

@test "of several documents the worst decides, and each is named" {
	echo '{}' >bad.json
	echo '{' >broken.json
	run -1 --separate-stderr validate good.json bad.json good.json
	expect_stdout $'good.json: valid\ngood.json: valid'
	expect_stderr "writ: bad.json:1:1: missing key 'name'"
	run -2 --separate-stderr validate broken.json bad.json none.json good.json
	expect_stdout "good.json: valid"
	expect_in_stderr "writ: broken.json:2:1: not valid JSON: the document ends too early"
	expect_in_stderr "writ: bad.json:1:1: missing key 'name'"
	expect_in_stderr "writ: cannot open 'none.json': No such file or directory"
}

@test "what cannot be judged exits 2: bytes that are no document" {
	printf '{"name": "\xff"}' >latin.json
	run -2 --separate-stderr validate latin.json
	expect_in_stderr "writ: latin.json:1:"
	: >empty.json
	run -2 --separate-stderr validate empty.json
	expect_in_stderr "writ: empty.json: the document is empty"
	echo '{"name": "a", "name": "b"}' >twice.json
	run -2 --separate-stderr validate twice.json
	expect_in_stderr "writ: twice.json:1:15: "
	run -2 --separate-stderr validate .
	expect_in_stderr "cannot read '.': Is a directory"
	run -2 --separate-stderr validate /dev/zero
	expect_in_stderr "'/dev/zero' is larger than 64MiB"
}

@test "deep nesting is refused with its place" {
	python3 -c 'print("[" * 600 + "]" * 600)' >deep.json
	run -2 --separate-stderr validate deep.json
	expect_in_stderr "writ: deep.json:1:513: nested deeper than the limit of 512 levels"
	python3 -c 'print("[" * 500 + "]" * 500)' >less.json
	run -1 --separate-stderr validate less.json
	python3 -c 'print("{\"not\":" * 500 + "{}" + "}" * 500)' >deepschema.json
	run --separate-stderr "$WRIT" schema check deepschema.json
	[[ $status == 0 || $status == 1 ]] || show_run
	python3 -c 'print("{\"items\":" * 500 + "{}" + "}" * 500)' >items.json
	run --separate-stderr "$WRIT" schema validate -s items.json less.json
	[[ $status == 0 || $status == 2 ]] || show_run
}

@test "a schema that is none exits 2, with the place of the mistake" {
	printf '{\n "properties": {"a": {"type": "strin"}}}' >none.json
	run -2 --separate-stderr "$WRIT" schema validate -s none.json good.json
	expect_stdout ""
	expect_in_stderr "writ: none.json:2:31: /properties/a/type: "
	printf '{"pattern": "(a"}' >pattern.json
	run -2 --separate-stderr "$WRIT" schema validate -s pattern.json good.json
	expect_in_stderr "writ: pattern.json:1:13: /pattern: "
	expect_in_stderr "the group is not closed (character 1)"
	printf '{"$ref": "#/nowhere"}' >ref.json
	run -2 --separate-stderr "$WRIT" schema validate -s ref.json good.json
	expect_in_stderr "writ: ref.json:1:10: "
	printf '{"$ref": "https://example.com/x.json"}' >far.json
	run -2 --separate-stderr "$WRIT" schema validate -s far.json good.json
	expect_in_stderr "writ: far.json:1:10: "
	printf '3' >three.json
	run -2 --separate-stderr "$WRIT" schema validate -s three.json good.json
}

@test "a schema that leads back to itself ends" {
	echo '{"$ref": "#"}' >loop.json
	run --separate-stderr timeout 10 "$WRIT" schema validate -s loop.json good.json
	[[ $status == 2 ]] || show_run
	echo '{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}}' >loop2.json
	run --separate-stderr timeout 10 "$WRIT" schema validate -s loop2.json good.json
	[[ $status == 2 ]] || show_run
	echo '{"properties": {"child": {"$ref": "#"}}, "additionalProperties": false}' >tree.json
	echo '{"child": {"child": {"child": {}}}}' >tree-value.json
	run -0 timeout 10 "$WRIT" schema validate -s tree.json tree-value.json
}

@test "a hostile pattern does not hold up, and is not taken for valid" {
	echo '{"pattern": "^(a+)+$"}' >hostile.json
	echo '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"' >text.json
	run -2 --separate-stderr timeout 5 "$WRIT" schema validate -s hostile.json text.json
	expect_in_stderr "text.json"
	echo '{"pattern": "(*LIMIT_MATCH=1000000000)(a+)+$"}' >verb.json
	run -2 --separate-stderr "$WRIT" schema validate -s verb.json text.json
	expect_in_stderr "not a regular expression"
}

@test "a document of 16 MiB is judged" {
	python3 - >big.json <<-'END'
		print('{"name": "a", "count": 1, "rest": [')
		print(",\n".join('{"number": %d, "text": "%s"}' % (i, "x" * 100) for i in range(135000)))
		print("]}")
	END
	[[ $(stat -c %s big.json) -gt $((16 << 20)) ]]
	run -1 --separate-stderr timeout 60 "$WRIT" schema validate -s schema.json big.json
	expect_stderr "writ: big.json:1:27: unknown key 'rest'"
	echo '{"properties": {"rest": {"items": {"properties": {"number": {"maximum": 134998}}}}}}' >items.json
	run -1 --separate-stderr timeout 60 "$WRIT" schema validate -s items.json big.json
	expect_in_stderr "writ: big.json:135001:12: /rest/134999/number: "
}

@test "many problems are cut off, and counted" {
	python3 -c 'import json; print(json.dumps({"name": "a", **{"k%d" % i: 1 for i in range(150)}}))' >many.json
	run -1 --separate-stderr validate many.json
	[[ $(wc -l <<<"$stderr") == 101 ]] || show_run
	expect_in_stderr "writ: many.json: and 50 more"
}

@test "what a document says cannot act on a terminal" {
	printf '{"name": "\\u001b[31mred\\u202e"}' >ansi.json
	run -1 --separate-stderr validate ansi.json
	[[ $stderr != *$'\e'* && $stderr != *$'\u202e'* ]] || show_run
	mv ansi.json $'a\e[31m.json'
	run -1 --separate-stderr validate $'a\e[31m.json'
	[[ $stderr != *$'\e'* ]] || show_run
}

@test "on a terminal the pointer is coloured, with NO_COLOR not" {
	echo '{"name": 3}' >bad.json
	[[ $(on_terminal "$WRIT schema validate -s schema.json bad.json") == *$'\e[31m/name\e[0m'* ]]
	[[ $(NO_COLOR=1 on_terminal "$WRIT schema validate -s schema.json bad.json") != *$'\e'* ]]
}

@test "--json is one object with all of it" {
	printf '{"name": 3,\n "nam": 1}' >bad.json
	echo '{' >broken.json
	run -2 --separate-stderr validate --json good.json bad.json broken.json
	expect_stderr ""
	[[ $(json "$output" 'd["valid"]') == None ]]
	[[ $(json "$output" '[(r["file"], r["valid"]) for r in d["results"]]') == "[('good.json', True), ('bad.json', False), ('broken.json', None)]" ]]
	[[ $(json "$output" 'd["results"][0]["problems"]') == "[]" ]]
	[[ $(json "$output" '[(p["instance"], p["schema"], p["line"], p["column"]) for p in d["results"][1]["problems"]]') == \
		"[('/name', '/properties/name/type', 1, 10), ('', '/additionalProperties', 2, 2)]" ]]
	[[ $(json "$output" 'd["results"][1]["problems"][1]["suggestion"]') == "did you mean 'name'?" ]]
	[[ $(json "$output" 'd["results"][2]["error"]["details"]["line"]') == 2 ]]
	run -2 --separate-stderr "$WRIT" schema validate --json -s broken.json good.json
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
	run -1 --separate-stderr validate --json bad.json
	[[ $(json "$output" 'd["valid"]') == False ]]
}

@test "--lines judges each line" {
	printf '{"name": "a"}\n\n{"name": 1}\r\n{"name"\n{"name": "b"}' >log.jsonl
	run -2 --separate-stderr validate --lines log.jsonl
	expect_stdout $'log.jsonl:1: valid\nlog.jsonl:5: valid'
	expect_in_stderr "writ: log.jsonl:3:10: /name: expected a string, got 1"
	expect_in_stderr "writ: log.jsonl:4:8: not valid JSON"
	run -2 --separate-stderr validate --lines --json log.jsonl
	[[ $(json "$output" '[(r["line"], r["valid"]) for r in d["results"]]') == "[(1, True), (3, False), (4, None), (5, True)]" ]]
}

@test "--draft decides for schemas that do not say" {
	echo '{"items": [{"type": "string"}]}' >old.json
	echo '[1]' >list.json
	run -1 "$WRIT" schema validate --draft 07 -s old.json list.json
	run -2 "$WRIT" schema validate --draft 2020-12 -s old.json list.json
	run -2 --separate-stderr "$WRIT" schema validate --draft 4 -s old.json list.json
	expect_in_stderr "--draft must be 2020-12 or 07, got '4'"
	echo '{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}' >says.json
	run -1 "$WRIT" schema validate -s says.json list.json
}

@test "numbers are judged as they were written" {
	echo '{"items": {"multipleOf": 0.01, "maximum": 9007199254740993}}' >numbers.json
	echo '[0.07, 1.10, 4.35, 9007199254740993, 1e2]' >exact.json
	run -0 "$WRIT" schema validate -s numbers.json exact.json
	echo '[0.075, 9007199254740994, 123456789012345678901234567890, 1e400]' >not.json
	run -1 --separate-stderr "$WRIT" schema validate -s numbers.json not.json
	[[ $(wc -l <<<"$stderr") == 4 ]] || show_run
	expect_in_stderr "not.json:1:27: /2: must be at most 9007199254740993, got 123456789012345678901234567890"
	echo '{"maximum": 1e400}' >huge.json
	run -2 --separate-stderr "$WRIT" schema validate -s huge.json exact.json
	expect_in_stderr "huge.json:1:13: not valid JSON: the number is too large"
}

@test "--document gives what a reference leads to" {
	echo '{"$ref": "https://example.com/base.json#/$defs/count"}' >refers.json
	echo '{"$id": "https://example.com/base.json", "$defs": {"count": {"type": "integer"}}}' >base.json
	echo '"five"' >five.json
	run -2 "$WRIT" schema validate -s refers.json five.json
	run -1 --separate-stderr "$WRIT" schema validate --document https://example.com/base.json=base.json -s refers.json five.json
	expect_stderr 'writ: five.json:1:1: expected an integer, got "five"'
	run -2 --separate-stderr "$WRIT" schema validate --document base.json -s refers.json five.json
	expect_in_stderr "--document must be URI=FILE, got 'base.json'"
	run -2 --separate-stderr "$WRIT" schema validate --document https://example.com/base.json=none.json -s refers.json five.json
	expect_in_stderr "cannot open 'none.json'"
	run -1 "$WRIT" schema validate --document=https://example.com/base.json=base.json -s refers.json five.json
}

@test "check says which files are schemas" {
	echo '{"type": 3}' >bad.json
	run -0 --separate-stderr "$WRIT" schema check schema.json good.json
	expect_stdout $'schema.json: a schema\ngood.json: a schema'
	run -1 --separate-stderr "$WRIT" schema check bad.json schema.json
	expect_stdout "schema.json: a schema"
	expect_in_stderr "writ: bad.json:1:10: /type: "
	run -2 --separate-stderr "$WRIT" schema check bad.json none.json
	expect_in_stderr "cannot open 'none.json'"
	run -1 --separate-stderr "$WRIT" schema check --json bad.json schema.json
	[[ $(json "$output" '[r["valid"] for r in d["results"]]') == "[False, True]" ]]
	[[ $(json "$output" 'd["results"][0]["error"]["details"]["column"]') == 10 ]]
	run -1 --separate-stderr "$WRIT" schema check --quiet bad.json
	expect_stderr ""
}

@test "wrong usage exits 2 and points to the help" {
	run -2 --separate-stderr "$WRIT" schema validate good.json
	expect_in_stderr "no schema given: --schema FILE"
	run -2 --separate-stderr validate
	expect_in_stderr "INSTANCE is missing"
	run -2 --separate-stderr "$WRIT" schema check
	expect_in_stderr "FILE is missing"
	run -2 --separate-stderr "$WRIT" schema vaildate
	expect_in_stderr "did you mean 'validate'?"
	run -2 --separate-stderr "$WRIT" schema check --formts x
	expect_in_stderr "--formts"
}

@test "a reader that has gone ends it" {
	for ((i = 0; i < 20000; i++)); do echo '{"name": "abcdefghijklmnopqrstuvwxyz"}'; done >long.jsonl
	run bash -c '"$1" schema validate --lines -s schema.json long.jsonl | head -n 1' - "$WRIT"
	expect_stdout "long.jsonl:1: valid"
}
