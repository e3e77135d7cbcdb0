#!/usr/bin/env bats
# bats file_tags=anyone
# What a resource registers, and what an event shows of what was filled in.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# bats test_tags=smoke
@test "a result is used by later resources: texts, conditions, contents" {
	manifest <<-END
		ccm:
		  resources:
		    - exec:
		        - version: { command: "sh -c 'echo 1.2; echo 3; echo careful >&2; exit 3'", register: v, returns: [3] }
		        - bad: { command: "false", register: bad }
		        - guarded: { command: "echo no", creates: /, register: guarded }
		        - left-out: { command: "echo no", control: { if: "false" }, register: left_out }
		        - each {{ item }}: { each: [a, b], command: "echo {{ item }}!", register: "each-{{ item }}" }
		        - runs: { command: "test {{ Results.v.exit_code }} = 3", control: { if: "Results.bad.failed && !Results.v.failed" } }
		        - stays: { command: "false", control: { unless: "Results.guarded.stdout == nil && Results.left_out.skipped" } }
		    - file:
		        - $D/f: { content: "{{ Results.v.stdout }}|{{ Results.v.stderr }}|{{ Results['each-b'].stdout }}", register: f }
		        - $D/g: { content: "{{ Results.f.changed }} {{ Results.f.ensure }} {{ Results.nobody?.stdout ?? 'none' }}" }
	END
	sed -i 's/nil/null/' "$MANIFEST"
	apply 4
	expect 'read("f") == "1.2\n3|careful|b!"' 'read("g") == "true present none"' \
		'kind("runs") == "changed" and kind("stays") == "skipped"' \
		'e("version")["registered"] == {"name": "v", "value": {"changed": True, "failed": False, "skipped": False, "refreshed": False, "noop": False, "ensure": "present", "exit_code": 3, "stdout": "1.2\n3", "stderr": "careful"}}' \
		'"registered" not in e("runs")'
	apply 0 --noop
	expect 'e("version")["registered"]["value"]["stdout"] is None and e("version")["registered"]["value"]["noop"]'
}

@test "a name that nobody before registers is refused, with its place" {
	execs <<-'END'
		- a: { command: "echo {{ Results.vresion.stdout }}" }
		- b: { command: "true", register: version, control: { if: "Results['version'].changed" } }
		- d: { command: "true", onlyif: "test {{ Results.version.stdout }} = {{ Results.other }}" }
	END
	refused "m.yaml:5:42: command: no resource before this one registers 'vresion'" \
		"m.yaml:6:" "m.yaml:7:" "registers 'other'" "write 'register: other' there"
	execs <<<"- defaults: { register: x }"
	refused "defaults cannot have the key 'register'"
	execs <<-'END'
		- a: { command: "true", register: x, alias: "{{ Results.x.stdout }}" }
	END
	refused "'Results' is there only in what is filled in late"
}

@test "a secret stays one, and is not kept" {
	manifest <<-END
		ccm:
		  resources:
		    - exec:
		        - get: { command: printenv PW, environment: [ "PW={{ sensitive('hunter2') }}" ], register: pw }
		        - hidden: { command: echo hunter3, sensitive: true, register: more }
		        - leak: { command: "echo {{ Results.pw.stdout }}" }
		        - uses: { command: "sh -c 'cat >$D/in'", stdin: "{{ Results.pw.stdout }} {{ Results.more.stdout }}" }
		    - file:
		        - $D/f: { content: "{{ Results.pw.stdout }}", mode: "0600" }
		        - $D/stop: { content: "{{ file('$D/none') }}" }
	END
	apply 4
	expect 'read("f") == "hunter2" and read("in") == "hunter2 hunter3"' 'e("leak")["failed"] and not e("uses")["failed"]' \
		'"hunter" not in out + err' '"stdout" not in e("get")["registered"]["value"]'
	run ! grep -rqE 'hunter[23]' "$WRIT_STATE_DIR" || show_run
}

@test "output that is too long or no text cannot be registered" {
	execs <<-'END'
		- long: { command: "head -c 1048577 /dev/zero", register: a }
		- fits: { command: "sh -c 'head -c 1048576 /dev/zero | tr \\\\0 x'", register: b }
		- bytes: { command: "printf '\\377'", register: c }
		- size: { command: "test {{ len(Results.b.stdout) }} = 1048576" }
	END
	apply 4
	expect '"1048577 bytes, and 1048576 are the most" in e("long")["error"][0]' 'not e("fits")["failed"]' \
		'"stdout cannot be registered: it is not text" in e("bytes")["error"][0]' 'not e("size")["failed"]'
}

@test "a resumed apply knows the results of its first part" {
	mkfifo "$D/go"
	execs <<-END
		- first: { command: "echo one", register: first }
		- wait: { command: "sh -c 'echo x >>$D/log; read x <$D/go'" }
		- last: { command: "sh -c 'echo {{ Results.first.stdout }} >$D/last'" }
	END
	sed -i "s|sh -c 'echo {{ Results.first.stdout }} >$D/last'|tee $D/last|; s|tee $D/last\"|tee $D/last\", stdin: \"{{ Results.first.stdout }}\"|" "$MANIFEST"
	"$WRIT" apply "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	wait_for test -s "$D/log"
	kill -KILL "$pid"
	wait "$pid" || true
	rm "$D/go"
	touch "$D/go"
	status=0
	apply 4 --resume "$(ls "$WRIT_STATE_DIR/sessions")" || apply 0 --resume "$(ls "$WRIT_STATE_DIR/sessions")"
	expect 'read("last") == "one"' '[x["name"] for x in es] == ["wait", "last"]'
}

@test "an event shows what was filled in, and no secret" {
	manifest <<-END
		data: { p: 80, s: hunter2 }
		ccm:
		  sensitive: [ data.s ]
		  resources:
		    - exec:
		        - a:
		            command: "echo {{ Data.p }}"
		            onlyif: "test {{ Data.p }} = 80"
		            unless: [ [ test, "{{ Data.p }}", "=", "81" ] ]
		            refresh: "echo {{ Data.p + 1 }}"
		            stdin: "x{{ Data.p }}"
		            environment: [ "A={{ Data.p }}", "B={{ Data.s }}" ]
		            health_checks: [ { command: "test {{ Data.p }} -gt 1" } ]
		        - b: { command: "cat", stdin: "{{ Data.s }}" }
		    - edit:
		        - $D/f: { line: "port {{ Data.p }}", create: true }
	END
	apply 0
	expect 'e("a")["properties"]["onlyif"] == ["test 80 \x27=\x27 80"]' \
		'e("a")["properties"]["unless"] == [["test", "80", "=", "81"]]' \
		'e("a")["properties"]["refresh"] == "echo 81" and e("a")["properties"]["stdin"] == "x80"' \
		'e("a")["properties"]["environment"] == ["A=80", "B=(sensitive)"]' \
		'e("a")["properties"]["health_checks"][0]["command"] == "test 80 -gt 1"' \
		'e("b")["properties"]["stdin"] == "(sensitive)"' 'es[2]["properties"]["line"] == "port 80"' '"hunter2" not in out'
	# What is printed to be read back is as it was written.
	to_files 0 "$WRIT" apply --render "$MANIFEST"
	says 'test {{ Data.p }} = 80' 'x{{ Data.p }}'
}
