#!/usr/bin/env bats
# bats file_tags=anyone
# writ validate: everything that is wrong, and nothing else.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
}

# bats test_tags=smoke
@test "what is in order is said on standard output, with its resources" {
	execs <<-END
		- a: { command: touch $D/a }
		- b: { command: "{{ Facts.kernel.name }}" }
	END
	to_files 0 "$WRIT" validate "$MANIFEST"
	[[ $(<"$OUT") == "$MANIFEST: OK, 2 resources" && ! -s $ERR && ! -e $D/a ]] || show
	execs <<<'- a: { command: x }'
	to_files 0 "$WRIT" validate "$MANIFEST"
	says "OK, 1 resource"
	to_files 0 "$WRIT" validate --quiet "$MANIFEST"
	[[ ! -s $OUT && ! -s $ERR ]] || show
}

@test "several manifests, one of them bad: each is told, the status is 1" {
	execs <<<'- a: { command: x }'
	cp "$MANIFEST" "$D/good.yaml"
	execs <<<'- a: { comand: x }'
	to_files 1 "$WRIT" validate "$MANIFEST" "$D/good.yaml" "$D/none.yaml"
	says "did you mean 'command'?" "good.yaml: OK" "none.yaml': No such file"
	to_files 1 "$WRIT" validate --quiet "$MANIFEST"
	[[ ! -s $OUT && ! -s $ERR ]] || show
}

@test "--json: one object with the problems of each" {
	execs <<-END
		- a: { comand: x }
		- b: { command: x, require: [exec#nope] }
	END
	to_files 1 "$WRIT" validate --json "$MANIFEST" "$D/none.yaml"
	[[ $(wc -l <"$OUT") == 1 && ! -s $ERR ]] || show
	[[ $(json "$(<"$OUT")" 'd["valid"], [r["valid"] for r in d["results"]], [p["line"] for p in d["results"][0]["problems"]]') \
		== "(False, [False, False], [5, 6])" ]] || show
	[[ $(json "$(<"$OUT")" 'd["results"][0]["problems"][0]["suggestion"], d["results"][1]["problems"][0]["message"]') \
		== *"did you mean 'command'?"*none.yaml* ]] || show
	execs <<<'- a: { command: x }'
	to_files 0 "$WRIT" validate --json "$MANIFEST"
	[[ $(json "$(<"$OUT")" 'd["valid"], d["results"][0]["resources"], d["results"][0]["problems"]') == "(True, 1, [])" ]] || show
}

@test "standard input, and facts that are needed" {
	run -0 --separate-stderr "$WRIT" validate - <<<'ccm: { resources: [ { exec: { name: "{{ Facts.role }}" } } ] }' --fact role=x
	expect_stdout "stdin: OK, 1 resource"
	run -1 --separate-stderr "$WRIT" validate - <<<'ccm: { resources: [ { exec: { name: "{{ Facts.role }}" } } ] }'
	[[ $stderr == "writ: stdin:1:"*role* ]] || show_run
}

@test "--schema is a JSON Schema by which manifests are valid" {
	to_files 0 "$WRIT" validate --schema
	cp "$OUT" "$D/manifest.schema.json"
	"$WRIT" schema check "$D/manifest.schema.json"
	execs 'data: { x: 1 }' <<-END
		- defaults: { cwd: / }
		- a: { command: /bin/true, creates: [/x, /y], onlyif: [[test, -e, x]], timeout: 5s }
	END
	"$WRIT" schema validate -s "$D/manifest.schema.json" "$MANIFEST"
	execs <<<'- a: { comand: /bin/true }'
	run -1 "$WRIT" schema validate -s "$D/manifest.schema.json" "$MANIFEST"
}

@test "wrong usage is 2" {
	to_files 2 "$WRIT" validate
	says 'no manifest given'
	to_files 2 "$WRIT" validate --jsn x
	says "did you mean '--json'"
}

@test "a reader that goes away" {
	execs <<<'- a: { command: x }'
	local i files=()
	for ((i = 0; i < 3000; i++)); do files+=("$MANIFEST"); done
	run bash -c '"$@" | head -n 1; exit ${PIPESTATUS[0]}' bash "$WRIT" validate "${files[@]}"
	[[ $status == 141 || $status == 0 ]] || show_run
}
