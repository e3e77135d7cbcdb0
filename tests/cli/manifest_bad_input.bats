#!/usr/bin/env bats
# bats file_tags=anyone
# Manifests that cannot be: each is refused with a place and a reason, exit
# status 1, and nothing of it is applied.
# shellcheck disable=SC2016,SC2059,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# hostile TEXT: a manifest whose first resource would leave the canary.
hostile() {
	{
		printf 'ccm:\n  resources:\n    - exec: { name: touch %s/canary }\n' "$D"
		printf -- "$1"
	} >"$MANIFEST"
}

@test "what is no manifest at all" {
	local text
	for text in '' '[]' 'text' '{}' 'ccm: []' 'ccm: { resources: {} }' 'ccm: { resources: [ x ] }' 'ccm: { resources: [ {} ] }' \
		'ccm: { resources: [ { exec: 5 } ] }' 'ccm: {}' 'data: 5' '---\n---\n' '{"ccm":' '"' '\0'; do
		printf -- "$text" >"$MANIFEST"
		to_files 1 "$WRIT" validate "$MANIFEST"
		[[ -s $ERR || -s $OUT ]]
		to_files 1 "$WRIT" apply "$MANIFEST"
	done
	to_files 1 "$WRIT" apply "$D/no-such-file"
	says no-such-file
	to_files 1 "$WRIT" apply "$D"
}

@test "values of the wrong type, each with its place" {
	hostile ''
	cat >>"$MANIFEST" <<-END
		    - exec: { name: [ a ] }
		    - exec: { name: a, returns: -1 }
		    - exec: { name: a, returns: [ x ] }
		    - exec: { name: a, returns: [ 1.5 ] }
		    - exec: { name: a, environment: [ [ A=1 ] ] }
		    - exec: { name: a, environment: { A: 1 } }
		    - exec: { name: a, creates: { x: 1 } }
		    - exec: { name: a, refreshonly: sometimes }
		    - exec: { name: a, logoutput: loud }
		    - exec: { name: a, tries: 0 }
		    - exec: { name: a, tries: -1 }
		    - exec: { name: a, umask: 9z }
		    - exec: { name: a, require: exec#b }
		    - exec: { name: a, control: maybe }
		    - exec: { name: a, health_checks: { command: x } }
		    - exec: { name: a, argv: [ a ], command: b }
		    - exec: { name: a, returns: [ 256 ] }
		    - exec: { name: a, limits: { memry: 1M } }
		    - exec: { name: a, subscribe: [ 5 ] }
	END
	refused
	local line
	for ((line = 4; line <= 22; line++)); do
		says "m.yaml:$line:"
	done
}

@test "durations that are none" {
	hostile ''
	local text
	for text in 30 -1s 1x s 1.s.2 '1 s' 1s1 soon '"1h 5m"' '""' 1e3s 99999999999y; do
		echo "    - exec: { name: a, timeout: $text }" >>"$MANIFEST"
	done
	refused 'duration' 30s
	local line
	for ((line = 4; line <= 15; line++)); do
		says "m.yaml:$line:"
	done
}

@test "files that cannot be asked for" {
	hostile ''
	cat >>"$MANIFEST" <<-END
		    - file: { name: relative, content: x }
		    - file: { name: /etc/../x, content: x }
		    - file: { name: $D/, content: x }
		    - file: { name: $D//x, content: x }
		    - file: { name: $D/x, content: x, source: /y }
		    - file: { name: $D/x, content: x, force: true }
		    - file: { name: /, ensure: absent, force: true }
		    - file: { name: $D/x, content: x, mode: "888" }
		    - file: { name: $D/x, content: x, mode: "017777" }
		    - file: { name: $D/x, ensure: link }
		    - file: { name: $D/x, content: x, owner: "" }
	END
	refused absolute canonical 'mutually exclusive' 'only valid with' 'filesystem root' 'not a valid octal number' 'exceeds'
	local line
	for ((line = 4; line <= 14; line++)); do
		says "m.yaml:$line:"
	done
}

@test "types, sources and keys that are not there (yet)" {
	local text
	hostile ''
	for text in 'package: { nmae: x }' 'service: { name: a b }' 'archive: { name: /x }' 'scaffold: { name: /x }' 'apply: { name: x }' \
		'exec: { name: a, register_when_stable: [] }' 'exec: { name: a, health_checks: [ { goss_rules: x } ] }'; do
		echo "    - $text" >>"$MANIFEST"
	done
	refused m.yaml:4: m.yaml:5: m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10:
	manifest <<-END
		ccm: { resources_jet_file: x.jet }
	END
	refused resources_jet_file
}

@test "YAML bombs: anchors, aliases, tags, deep nesting, floods of keys" {
	hostile 'data:\n  a: &a [x, x, x]\n  b: &b [*a, *a, *a]\n  c: [*b, *b, *b]\n'
	refused m.yaml:5:
	hostile 'data: { a: !!python/object:x {} }\n'
	refused m.yaml:4:
	hostile ''
	python3 -S -c 'print("data: { a: " + "[" * 100000 + "]" * 100000 + " }")' >>"$MANIFEST"
	refused
	hostile ''
	python3 -S -c 'print("data: " + "{ a: " * 100 + "1" + " }" * 100)' >>"$MANIFEST"
	refused
}

@test "a document that is too large is refused before it is read" {
	hostile ''
	truncate -s 70M "$MANIFEST"
	to_files 1 "$WRIT" apply "$MANIFEST"
	says '64'
	[[ ! -e $D/canary ]]
	# Whoever names something without an end is told so.
	to_files 1 "$WRIT" apply /dev/zero
}

@test "duplicate keys, tabs, bytes that are no UTF-8, NUL" {
	hostile '  resources: []\n'
	refused m.yaml:4:
	hostile '    - exec:\n        name: a\n        name: b\n'
	refused m.yaml:6:
	hostile '    - exec:\n\tname: a\n'
	refused m.yaml:5:
	hostile '    - exec: { name: "a\377b" }\n'
	refused m.yaml:4:
	hostile '    - exec: { name: "a\\0b" }\n'
	refused
	hostile '    - exec: { name: a\000b }\n'
	refused
}

@test "templates that never end, refer to themselves, or do not close" {
	hostile 'data: { a: "{{ Data.b }}", b: "{{ Data.a }}" }\n'
	refused m.yaml:4:
	hostile 'data: { a: "{{ 1" }\n'
	refused m.yaml:4:
	hostile '    - exec: { name: "echo {{ 1" }\n    - exec: { name: "echo ${ 1" }\n    - exec: { name: "echo {{ '"'x }}"'" }\n'
	refused m.yaml:4: m.yaml:5: m.yaml:6:
	hostile ''
	# Deeper than any reader may follow, and more steps than there is fuel for.
	python3 -S -c 'print("    - exec: { name: \"echo {{ " + "(" * 5000 + "1" + ")" * 5000 + " }}\" }")' >>"$MANIFEST"
	refused m.yaml:4:
	execs "data: { l: [$(seq -s, 1 300)] }" <<-'END'
		- a: { command: "echo {{ len(map(Data.l, map(Data.l, map(Data.l, map(Data.l, #))))) }}" }
		- b: { command: "true" }
	END
	refused m.yaml:5: 'takes too long to evaluate'
	sed -i 's/, #)/, # + (Environ.NOPE ?? 0))/' "$MANIFEST"
	apply 4
	expect 'e("a")["failed"] and kind("b") == "changed"'
	hostile '    - exec: { name: "echo {{ 1/0 }}" }\n    - exec: { name: "echo {{ 9223372036854775807 + 1 }}" }\n'
	refused m.yaml:4: m.yaml:5:
}

@test "quotes that are never closed, in every command of a resource" {
	hostile ''
	cat >>"$MANIFEST" <<-'END'
		    - exec: { name: "echo 'x" }
		    - exec: { name: a, command: 'echo "x' }
		    - exec: { name: a, onlyif: "echo 'x" }
		    - exec: { name: a, unless: [ "true", "echo 'x" ] }
		    - exec: { name: a, refresh: "echo 'x" }
		    - exec: { name: a, health_checks: [ { command: "echo 'x" } ] }
		    - exec: { name: 'echo x\' }
	END
	refused Unterminated m.yaml:4: m.yaml:5: m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10:
}

@test "all that is wrong is told at once, and as JSON for programs" {
	hostile ''
	local i
	for ((i = 0; i < 50; i++)); do
		echo "    - exec: { name: a, wrong$i: 1 }" >>"$MANIFEST"
	done
	refused wrong0 wrong49 m.yaml:53:
	to_files 1 "$WRIT" validate --json "$MANIFEST"
	python3 -S -c 'import json, sys; d = json.load(open(sys.argv[1])); assert "wrong49" in str(d) and "line" in str(d)' "$OUT" || show
}

@test "unusable options end it before anything is applied" {
	hostile ''
	local options
	for options in '--only exec' '--only exec#nope' '--fact novalue' '--facts /nonexistent' '--resume nosuchsession' \
		'--unknown'; do
		# shellcheck disable=SC2086 # options are words
		to_files 1 "$WRIT" apply $options "$MANIFEST" || to_files 2 "$WRIT" apply $options "$MANIFEST"
		[[ ! -e $D/canary ]]
	done
	to_files 1 "$WRIT" apply --policy /nonexistent "$MANIFEST"
	says '/nonexistent'
	echo '{ "a": ' >"$D/facts.json"
	to_files 1 "$WRIT" apply --facts "$D/facts.json" "$MANIFEST"
	[[ ! -e $D/canary ]]
}
