#!/usr/bin/env bats
# bats file_tags=anyone
# What manifests may say, case by case: validation (V), templates (T), YAML (Y),
# new resources (N), the manifest itself (M), and the splitting of commands.
# Scripts in single quotes are for other shells.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

@test "V1, V2, V10: commands with arguments, quotes and globs are names" {
	execs <<-'END'
		- /bin/echo hello: {}
		- /bin/echo hello there world: {}
		- /usr/bin/find / -maxdepth 0 -name '*.nothing': {}
		- /bin/sh -c 'echo hello | cat': {}
		- PATH=/usr/bin /bin/echo test: { command: /bin/true }
		- '/bin/echo "hello world"': {}
		- '/bin/echo "it''s working"': {}
	END
	accepted
	apply 0
	expect 'len(es) == 7' 's["changed_resources"] == 7' \
		'es[3]["properties"]["name"] == "/bin/sh -c '"'echo hello | cat'"'"'
}

@test "V3: durations in every unit, also several at once" {
	execs <<-'END'
		- a: { command: "true", timeout: 30s }
		- b: { command: "true", timeout: 5m }
		- c: { command: "true", timeout: 1h }
		- d: { command: "true", timeout: 1h30m }
		- e: { command: "true", timeout: 1d }
		- f: { command: "true", timeout: 2w }
		- g: { command: "true", timeout: 1M }
		- h: { command: "true", timeout: 1Y1M }
		- i: { command: "true", timeout: 1500ms }
		- j: { command: "true", timeout: "0" }
		- k: { command: "true", timeout: 1.5h }
	END
	accepted
	apply 0
	expect 's["changed_resources"] == 11'
}

@test "V4: ensure absent is accepted, and is what the event says was asked" {
	execs <<-'END'
		- a: { command: "true", ensure: absent }
	END
	apply 0
	expect 'e("a")["requested_ensure"] == "absent"' 'e("a")["changed"]' 'e("a")["status"]["ensure"] == "present"'
}

@test "V5, V7, V8: an empty name, an empty ensure and a bad duration are told at once" {
	manifest <<-END
		ccm:
		  resources:
		    - exec: { name: "", command: touch $D/canary }
		    - exec: { name: touch $D/canary, ensure: "" }
		    - exec: { name: touch $D/canary, timeout: invalid }
		    - exec: { name: touch $D/canary, ensure: running }
	END
	refused name ensure 'invalid duration' m.yaml:3: m.yaml:4: m.yaml:5: m.yaml:6:
}

@test "V6: a quote that is never closed is refused with its place" {
	execs <<-END
		- touch $D/canary: {}
		- "/bin/echo 'unterminated": {}
		- x: { command: 'echo "open' }
	END
	refused Unterminated m.yaml:6: m.yaml:7:
}

@test "V9: nothing switches validation off" {
	execs <<-END
		- touch $D/canary: { cretes: /x }
	END
	export NO_SCHEMA_VALIDATION=1
	refused "'creates'"
}

@test "V11: subscribe entries have a type and a name, and one # between them" {
	execs <<-'END'
		- a: { command: "true" }
		- b: { command: "true" }
		- c: { command: "true", subscribe: [ "exec#a" ] }
		- d: { command: "true", subscribe: [ "exec#a", "exec#b" ] }
		- e: { command: "true", subscribe: [] }
	END
	accepted
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "true" }
		- b: { command: "true", subscribe: [ "exec:a" ] }
		- c: { command: "true", subscribe: [ "exec#a#extra" ] }
		- d: { command: "true", subscribe: [ "" ] }
		- e: { command: "true", subscribe: [ "exec#a", "bad" ] }
	END
	refused 'invalid subscribe format' m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10:
}

@test "V12: the directories of a path are absolute, and none is empty" {
	mkdir "$D/a b"
	execs <<-END
		- a: { command: "true", path: "" }
		- b: { command: "true", path: /usr/bin }
		- c: { command: "true", path: "/usr/local/bin:/usr/bin:/bin" }
		- d: { command: "true", path: "$D/a b:/usr/bin:/bin" }
	END
	accepted
	apply 0
	expect 's["changed_resources"] == 4'
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "true", path: usr/bin }
		- b: { command: "true", path: "/usr/bin:local/bin" }
		- c: { command: "true", path: ":/usr/bin" }
		- d: { command: "true", path: "/usr/bin:" }
		- e: { command: "true", path: "/usr/bin::/bin" }
		- f: { command: "true", path: ":" }
	END
	refused 'not an absolute path' 'empty directory in path' m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10: m.yaml:11:
}

@test "V13: environment entries have a name, = and a value" {
	execs <<-END
		- a: { command: "true", environment: [] }
		- b: { command: sh -c 'echo "\$FOO" >>$D/env', environment: [ FOO=bar ] }
		- c: { command: sh -c 'echo "\$FOO \$B" >>$D/env', environment: [ FOO=bar=baz, "B=two words" ] }
		- d: { command: sh -c 'env | grep -c ^E= >>$D/env', environment: [ "E=" ] }
	END
	apply 0
	expect 'read("env") == "bar\nbar=baz two words\n1\n"'
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "true", environment: [ FOO ] }
		- b: { command: "true", environment: [ "=value" ] }
		- d: { command: "true", environment: [ FOO=bar, BAD ] }
	END
	refused "missing '='" 'empty key' m.yaml:6: m.yaml:7: m.yaml:8:
}

@test "T1, T2: early properties are filled in by reading, deferred ones by applying" {
	execs 'data: { who: world, dir: DIR, first: one }' <<-'END'
		- one: { command: "true" }
		- "{{ lookup('data.first') }}-two":
		    command: sh -c 'pwd; echo "$A" {{ Data.who }}'
		    cwd: "{{ Data.dir }}"
		    environment: [ "A=${ lookup('data.who') }" ]
		    creates: "{{ Data.dir }}/never"
		    subscribe: [ "exec#{{ Data.first }}" ]
		    ensure: "{{ 'present' }}"
		    logoutput: true
	END
	sed -i "s|DIR|$D|" "$MANIFEST"
	to_files 0 "$WRIT" apply --render "$MANIFEST"
	says one-two exec#one 'Data.who' 'Data.dir' "lookup('data.who')"
	apply 0
	expect "e('one-two')['properties']['cwd'] == '$D'" \
		"e('one-two')['properties']['environment'] == ['A=world']" \
		"'$D/never' in str(e('one-two')['properties']['creates'])" \
		"'world' in str(e('one-two')['properties']['command'])" \
		"e('one-two')['refreshed']"
}

@test "T3: plain text and empty lists stay as they are" {
	execs <<-END
		- a:
		    command: sh -c 'printf %s "\$1" >$D/a' - 'p l a i n \$ { } } %'
		    environment: []
		    subscribe: []
	END
	apply 0
	expect 'read("a") == "p l a i n $ { } } %"'
}

@test "T4: what cannot be computed is refused early if that is known, and fails the resource later" {
	execs <<-END
		- touch $D/canary: {}
		- "{{ lookup('data.nope') }}": {}
		- a: { command: "true" }
		- b: { command: "true", subscribe: [ "exec#{{ lookup('data.nope') }}" ] }
	END
	refused "missing key 'data.nope' in environment" m.yaml:6: m.yaml:8:
	execs <<-'END'
		- a: { command: "true", cwd: "{{ lookup('data.nope') }}" }
		- b: { command: "true", environment: [ "A={{ lookup('data.nope') }}" ] }
		- c: { command: "echo {{ lookup('data.nope') }}" }
		- d: { command: "true", creates: "{{ lookup('data.nope') }}" }
		- e: { command: "true", onlyif: "echo {{ lookup('data.nope') }}" }
		- f: { command: "true" }
	END
	refused m.yaml:5: m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: "missing key 'data.nope' in environment"
	sed -i "s/data.nope/environ.nope/" "$MANIFEST"
	accepted
	apply 4
	expect '[x["failed"] for x in es] == [True] * 5 + [False]' \
		'all("missing key '"'environ.nope'"' in environment" in x["error"][0] for x in es[:5])'
}

@test "T4: an expression that is none is refused wherever it stands" {
	execs <<-END
		- touch $D/canary: {}
		- a: { command: "true", cwd: "{{ invalid syntax }}" }
		- b: { command: "true", environment: [ "A={{ 1 + }}" ] }
		- c: { command: "echo {{ (1 }}" }
		- d: { command: "true", creates: "{{ nope(1) }}" }
		- "{{ invalid syntax }}": {}
		- f: { command: "true", control: { if: "1 ==" } }
	END
	refused m.yaml:6: m.yaml:7: m.yaml:8: m.yaml:9: m.yaml:10: m.yaml:11:
}

@test "T5: a later exec reads the file that an earlier one made" {
	execs <<-END
		- make: { command: sh -c 'echo made >$D/made' }
		- use: { command: "cp /dev/null $D/\${ trim(file('$D/made')) }-copy" }
	END
	apply 0
	expect 'has("made-copy")' "e('use')['properties']['command'].endswith('/made-copy')"
}

@test "Y1, Y4: every property is read, in both spellings" {
	manifest <<-END
		ccm:
		  resources:
		    - exec:
		        name: direct
		        alias: other
		        ensure: present
		        command: sh -c 'exit 3'
		        cwd: $D
		        environment: [ A=1, B=2 ]
		        path: /usr/bin:/bin
		        returns: [ 0, 3 ]
		        timeout: 1m
		        creates: $D/never
		        refreshonly: false
		        logoutput: true
		        provider: posix
		    - exec:
		        - defaults: { cwd: $D, returns: [ 5 ] }
		        - listed: { command: sh -c 'exit 5', subscribe: [ "exec#other" ] }
		        - over: { command: sh -c 'exit 6', returns: [ 6 ] }
		        - pwd:
		    - exec: { name: pwd -L }
	END
	apply 4
	expect 'es[0]["type"] == "exec"' 'e("other")["name"] == "direct"' 'e("direct")["status"]["exitcode"] == 3' \
		'kind("direct") == "changed"' 'kind("listed") == "changed"' 'kind("over") == "changed"' \
		'e("listed")["refreshed"]' 'kind("pwd") == "failed"' 'kind("pwd -L") == "changed"' \
		'e("direct")["properties"]["returns"] == [0, 3]' 'e("direct")["provider"] == "posix"'
}

@test "Y2: ensure is present unless it is said" {
	execs <<-'END'
		- a: { command: "true" }
		- b: { command: "true", ensure: absent }
	END
	apply 0
	expect '[x["requested_ensure"] for x in es] == ["present", "absent"]'
}

@test "Y3: what is no YAML is refused with its place" {
	printf 'ccm:\n  resources:\n    - exec: [ { a\n' >"$MANIFEST"
	refused
}

@test "Y5: render names what was said, in one spelling" {
	execs <<-END
		- a: { command: "true", cwd: $D, timeout: 90s, creates: $D/x, refresh_only: true }
	END
	to_files 0 "$WRIT" apply --render "$MANIFEST"
	says 'a' ensure present cwd "$D" timeout creates 'refreshonly: true'
	[[ ! -s $WRIT_STATE_DIR/sessions ]]
	# And what it prints is a manifest again.
	cp "$OUT" "$MANIFEST"
	accepted
}

@test "Y6: protocol names are those that others read" {
	execs <<-'END'
		- a: { command: "true" }
	END
	apply 0
	expect 'e("a")["protocol"] == "io.choria.ccm.v1.transaction.event"' \
		'e("a")["status"]["protocol"] == "io.choria.ccm.v1.resource.exec.state"' \
		'e("a")["status"]["type"] == "exec" and e("a")["status"]["name"] == "a"' \
		'len(e("a")["event_id"]) == 27' 'e("a")["error"] == [] and e("a")["unmet_requirements"] == []' \
		'isinstance(e("a")["duration"], int) and e("a")["timestamp"].endswith("Z")'
	grep -qr 'io.choria.ccm.v1.session.start' "$WRIT_STATE_DIR/sessions"
}

@test "N1, N2, N4: a resource without a name, an ensure of nothing, a bad subscribe" {
	manifest <<-END
		ccm:
		  resources:
		    - exec: { name: touch $D/canary }
		    - exec: {}
		    - exec: { name: "true", ensure: null }
		    - exec: { name: "true", subscribe: [ x ] }
	END
	refused name 'invalid subscribe format' m.yaml:4: m.yaml:6:
}

@test "N3: an alias is in the event, and is a name for references" {
	execs <<-'END'
		- a: { command: "true", alias: first }
		- b: { command: "true", require: [ "exec#first" ], subscribe: [ "exec#first" ] }
	END
	apply 0
	expect 'e("a")["alias"] == "first"' 'e("b")["refreshed"]' '"alias" not in e("b") or e("b")["alias"] in (None, "")'
	to_files 0 "$WRIT" apply "$MANIFEST"
	says 'exec#first (alias)'
}

@test "M1: looking at the health and changing nothing exclude each other" {
	execs <<-'END'
		- a: { command: "true" }
	END
	to_files 1 "$WRIT" apply --noop --monitor-only "$MANIFEST"
}

@test "M2: fail_on_error ends with the first failure, and without it all is applied" {
	local says
	for says in '' 'fail_on_error: false'; do
		manifest <<-END
			ccm:
			  $says
			  resources:
			    - exec: [ { "false": {} }, { "touch $D/b": {} } ]
		END
		apply 4
		expect 'len(es) == 2' 'has("b")'
		rm "$D/b"
	done
	manifest <<-END
		ccm:
		  fail_on_error: true
		  resources:
		    - exec: [ { "false": {} }, { "touch $D/b": {} } ]
	END
	apply 4
	expect 'len(es) == 1' 'not has("b")'
	to_files 4 "$WRIT" apply "$MANIFEST"
	says 'failed'
	sed -i 's/fail_on_error: true/fail_on_error: maybe/' "$MANIFEST"
	refused fail_on_error
}

@test "M3: unknown keys anywhere are refused, each with what was meant" {
	manifest <<-END
		dta: {}
		ccm:
		  resource: []
		  resources:
		    - exec: { name: touch $D/canary, cmmand: x }
		    - exce: { name: x }
		    - exec: [ { x: { creats: /x } } ]
		    - exec: { name: y, control: { iff: "true" } }
		    - exec: { name: z, health_checks: [ { comand: x } ] }
	END
	refused "'data'" "'resources'" "'command'" "'exec'" "'creates'" "'if'" m.yaml:1:1 m.yaml:3: m.yaml:5: m.yaml:6: \
		m.yaml:7: m.yaml:8: m.yaml:9:
}

@test "M5: a health check needs a command" {
	execs <<-END
		- touch $D/canary: { health_checks: [ { name: x } ] }
		- a: { command: "true", health_checks: [ { goss_rules: {} } ] }
		- b: { command: "true", health_checks: [ { command: "true", format: goss } ] }
		- c: { command: "true", health_checks: [ { command: "true", timeout: soon } ] }
	END
	refused command m.yaml:5: m.yaml:6: m.yaml:7: m.yaml:8:
}

# words EXPRESSION: the arguments of the resource "a" of the last apply were these.
words() { expect "json.loads(read('argv')) == $1"; }

# argv_of PROPERTIES [DATA]: runs a program that tells its arguments.
argv_of() {
	cat >"$D/tell" <<-END
		#!/usr/bin/python3 -S
		import json, sys
		json.dump(sys.argv[1:], open("$D/argv", "w"))
	END
	chmod 755 "$D/tell"
	execs "${2-}" <<<"- a: { $1, path: '$D:/usr/bin:/bin' }"
	apply 0
}

@test "words: a value is a part of one word, whatever is in it" {
	local data='data: { v: "a b; $(touch x) '"'"' \"q\" *", e: "", n: 5, l: [1, "x y"] }'
	argv_of 'command: "tell {{ Data.v }}"' "$data"
	words "['a b; \$(touch x) \\' \"q\" *']"
	argv_of 'command: "tell pre{{ Data.v }}post ${ Data.n }{{ Data.n }} {{ Data.e }} end"' "$data"
	words "['prea b; \$(touch x) \\' \"q\" *post', '55', '', 'end']"
	argv_of 'command: "tell '"'single {{ Data.v }}'"' \"double {{ Data.v }}\" back\\ {{ Data.n }}"' "$data"
	words "['single a b; \$(touch x) \\' \"q\" *', 'double a b; \$(touch x) \\' \"q\" *', 'back 5']"
	argv_of 'command: "tell {{{{ x }} $${HOME} ${{ Data.n }}"' "$data"
	words "['{{', 'x', '}}', '\${HOME}', '\$5']"
	argv_of 'argv: [ tell, "{{ Data.v }}", "a b", "", "{{ Data.l }}" ]' "$data"
	words "['a b; \$(touch x) \\' \"q\" *', 'a b', '', '[1,\"x y\"]']"
	[[ ! -e $D/x ]]
}

@test "words: in a shell a value is quoted, unless raw() says that it is shell" {
	local v="it's; touch $D/x \$(touch $D/y) \`touch $D/z\` \"q\" \\"
	printf '%s' "$v" >"$D/v"
	execs "data: { script: 'echo raw | tr a-z A-Z' }" <<-END
		- plain: { provider: shell, command: "printf %s {{ file('$D/v') }} >$D/plain" }
		- single: { provider: shell, command: "printf %s 'a {{ file('$D/v') }} b' >$D/single" }
		- double: { provider: shell, command: 'printf %s "a {{ file("$D/v") }} b" >$D/double' }
		- raw: { provider: shell, command: "{{ raw(Data.script) }} >$D/raw" }
		- own: { provider: shell, command: "V=1; echo \$\${V} \$V >$D/own" }
	END
	apply 0
	expect 'read("plain") == read("v")' 'read("single") == "a " + read("v") + " b"' \
		'read("double") == "a " + read("v") + " b"' 'read("raw") == "RAW\n"' 'read("own") == "1 1\n"' \
		'not has("x") and not has("y") and not has("z")'
}
