#!/usr/bin/env bats
# What is told about a manifest beside its faults.
# bats file_tags=anyone
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# warned LINE:COLUMN TEXT: validate accepts the manifest and warns so.
warned() {
	grep -qF -- "m.yaml:$1: warning: $2" "$ERR" || show
}

@test "signs of a shell in a command without one are warned about" {
	execs <<-'END'
		- a: { command: "ls /tmp | wc -l" }
		- b: { command: "rm -f /tmp/x/*.log", unless: "test $(id -u) = 0" }
		- c: { command: "echo x >/dev/null" }
		- "true && false": {}
		- d: { command: "find /tmp -name '*.log' -exec ls {} \\;", onlyif: "echo 'a | b' a\\|b \"x > y\"" }
		- e: { provider: shell, command: "ls | wc >/dev/null" }
		- f: { argv: [ ls, "|", "*" ] }
		- g: { command: "echo {{ '|' }} 5 * 3" }
	END
	accepted
	warned 5:25 "command: '|' is an argument here, for no shell reads this"
	warned 6:25 "command: '*' is an argument"
	warned 6:55 "unless: '\$(' is an argument"
	warned 7:25 "command: '>' is an argument"
	warned 8:11 "name: '&&' is an argument"
	warned 12:25 "command: '*' is an argument"
	[[ $(grep -c warning: "$ERR") == 6 ]] || show
	to_files 0 "$WRIT" validate --json "$MANIFEST"
	expect 'json.loads(out)["results"][0]["warnings"][0]["resource"] == "exec#a"' 'json.loads(out)["valid"]'
}

@test "a value in the text of an inner shell is warned about" {
	execs 'data: { x: "; rm -rf /" }' <<-'END'
		- a: { command: "sh -c 'echo {{ Data.x }}'" }
		- b: { argv: [ /bin/bash, -ec, "echo {{ Data.x }}" ] }
		- c: { command: "sh -c 'echo \"$1\"' sh {{ Data.x }}" }
		- d: { command: "sh -c {{ raw(Data.x) }}" }
		- e: { command: "echo -c 'x {{ Data.x }}'" }
	END
	accepted
	warned 5:25 "command: the shell that it starts reads the value as commands"
	warned 6:40 "command: the shell that it starts reads the value as commands"
	[[ $(grep -c warning: "$ERR") == 2 ]] || show
}

@test "words of other tools get the word here" {
	execs <<-'END'
		- a: { command: "true", when: x }
		- b: { command: "true", loop: [ 1 ] }
		- c: { command: "true", notify: x }
		- d: { command: "true", state: latest }
		- e: { command: "true", chdir: /tmp }
	END
	refused 'control: { if: EXPR }' 'write each' 'subscribe: [TYPE#NAME]' 'write ensure' 'write cwd'
}

@test "a manifest of the network is not read" {
	to_files 1 "$WRIT" apply https://example.org/site.tgz
	expect '"a manifest is not read from the network" in err'
	to_files 1 "$WRIT" validate obj://bucket/site.tgz
	expect '"a manifest is not read from the network" in err'
}

@test "an exec that fails shows its last lines" {
	execs <<-'END'
		- a: { provider: shell, command: "seq 9; echo why >&2; exit 3" }
		- b: { provider: shell, command: "echo hidden; exit 3", sensitive: true }
		- c: { provider: shell, command: "echo fine" }
	END
	to_files 4 "$WRIT" apply "$MANIFEST"
	expect '"    5\n    6\n    7\n    8\n    9\n" in out' '"    4\n" not in out' '"    why\n" in out' \
		'"hidden" not in out' '"fine" not in out'
}

@test "--noop does not fail for an owner who is made before" {
	[[ $(id -u) == 0 ]] || skip "only root makes users"
	manifest <<-END
		ccm:
		  resources:
		    - user: [ writ-to-come: {} ]
		    - file:
		        - $D/a: { content: x, owner: writ-to-come }
		        - $D/b: { content: x, owner: writ-not-to-come }
	END
	apply 4 --noop
	expect 'es[1]["noop_message"] == "Would have created the file"' 'es[2]["failed"]'
}
