#!/usr/bin/env bats
# bats file_tags=anyone
# Defects of the engine that manifests come from: none of them is here. The
# numbers are those of the list that they were found in.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest
load running

setup() { manifest_setup; }

@test "D1: a timeout ends the command when it is over, not when the command likes" {
	local began nap=98.$BASHPID
	execs <<-END
		- a: { command: sleep $nap, timeout: 300ms }
	END
	began=$(now_ms)
	apply 4
	within 2000 $(($(now_ms) - began)) "the apply"
	expect 'e("a")["failed"] and "timed out" in e("a")["error"][0]'
	run ! pgrep -f "sleep $nap"
}

@test "D2: an exec with a path runs" {
	execs <<-END
		- a: { command: touch $D/a, path: "/usr/bin:/bin" }
	END
	apply 0
	expect 'has("a")'
}

@test "D3: refresh_only means what it says, and no misspelt key vanishes" {
	execs <<-END
		- touch $D/a: { refresh_only: true }
		- touch $D/b: { refreshonly: true }
		- touch $D/c: { refreshonly: true, refresh_only: true }
	END
	apply 0
	expect 'not any(has(n) for n in "abc")' 'all(not x["changed"] for x in es)'
	execs <<-END
		- touch $D/canary: { refreshonly: true, refresh_only: false }
	END
	refused refresh
	manifest <<-END
		extra: 1
		ccm:
		  extra: 1
		  resources:
		    - exec: { name: touch $D/canary, timout: 1s }
	END
	refused "'timeout'" m.yaml:1:1 m.yaml:3: m.yaml:5:
}

@test "D4: the exit status says that resources failed" {
	execs <<-'END'
		- "true": {}
		- "false": {}
	END
	apply 4
	to_files 4 "$WRIT" ensure exec false
}

@test "D5: a health check that cannot start is UNKNOWN, and nothing crashes" {
	execs <<-END
		- a: { command: "true", health_checks: [ { command: $D/nothing } ] }
		- b: { command: touch $D/b }
	END
	apply 4
	expect 'e("a")["failed"] and e("a")["health_check"][0]["status"] == 3' 'has("b")' \
		's["health_check_unknown_count"] == 1'
}

@test "D6: what a value brings is never looked at again" {
	execs 'data: { evil: "{{{{ 40+2 }} $${ 1+1 }", more: "x" }' <<-END
		- "echo {{ Data.evil }}": {}
		- b: { command: "sh -c 'echo \"\$A\" >$D/b'", environment: [ "A={{ Data.evil }}" ] }
		- c: { command: "touch {{ '$D/{' + '{ 1+1 }}' }}" }
	END
	apply 0
	expect 'es[0]["name"] == "echo {{ 40+2 }} ${ 1+1 }"' 'read("b") == "{{ 40+2 }} ${ 1+1 }\n"' 'has("{{ 1+1 }}")'
}

@test 'D7: the variables of a shell can be written, and ${HOME} says how' {
	execs <<-END
		- a: { provider: shell, command: "V=own; echo \$V \$\${V} >$D/a" }
	END
	apply 0
	expect 'read("a") == "own own\n"'
	execs <<-END
		- touch $D/canary: {}
		- a: { provider: shell, command: "echo \${HOME}" }
	END
	refused 'HOME' '$${HOME}' m.yaml:6:
}

@test "D9: no guard runs that is not needed, and in noop it cannot change anything" {
	execs <<-END
		- source: { command: "true" }
		- creates: { command: "true", creates: /, onlyif: touch $D/a }
		- refresh: { command: "true", onlyif: touch $D/b, unless: touch $D/b, subscribe: [ "exec#source" ] }
		- only: { command: "true", refreshonly: true, onlyif: touch $D/c }
		- lazy: { command: "true", onlyif: "false", unless: touch $D/d }
	END
	apply 0
	expect 'not any(has(n) for n in "abcd")'
	execs <<-END
		- a: { command: "true", onlyif: touch $D/e }
	END
	apply 0 --noop
	expect 'not has("e")'
}

@test "D10: a bad exit code is not hidden by creates" {
	execs <<-END
		- warned: { command: "sh -c 'touch $D/a; exit 9'", creates: $D/a }
		- failed: { command: "sh -c 'touch $D/b; exit 9'", creates: $D/b, returns: [0, 1] }
	END
	apply 4
	expect 'e("warned")["changed"] and not e("warned")["failed"] and e("warned")["status"]["exitcode"] == 9' \
		'any("exit code 9" in w for w in e("warned")["warnings"])' \
		'e("failed")["failed"] and "exit code 9 not in allowed returns [0 1]" in e("failed")["error"][0]'
}

@test "D11: an item with two types is refused" {
	manifest <<-END
		ccm:
		  resources:
		    - exec: { name: touch $D/canary }
		      file: { name: $D/f, content: x }
		    - exec: [ { a: { command: "true" }, b: { command: "true" } } ]
	END
	refused m.yaml:4: m.yaml:5:
}

@test "D12: the last event of a resource is the last, also within a second" {
	execs <<-'END'
		- a: { command: "true", creates: / }
		- a: { command: "true" }
		- a: { command: "true", creates: / }
		- a: { command: "true" }
		- b: { command: "true", refreshonly: true, subscribe: [ "exec#a" ] }
		- a: { command: "true", creates: / }
		- c: { command: "true", refreshonly: true, subscribe: [ "exec#a" ] }
	END
	apply 0
	expect 'e("b")["refreshed"] and not e("c")["refreshed"]' \
		'[x["event_id"] for x in es] == sorted({x["event_id"] for x in es})'
	eval "$("$WRIT" session new --directory "$D/session")"
	for _ in 1 2 3 4 5; do
		"$WRIT" ensure exec true --alias a >/dev/null
		"$WRIT" ensure exec true --alias a --creates / >/dev/null
	done
	to_files 0 "$WRIT" ensure exec "touch $D/x" --refresh-only --subscribe exec#a
	[[ ! -e $D/x ]]
	"$WRIT" ensure exec true --alias a >/dev/null
	to_files 0 "$WRIT" ensure exec "touch $D/x" --refresh-only --subscribe exec#a
	[[ -e $D/x ]]
}

# chain N: N resources, each of which requires the one before and has nothing to do.
chain() {
	python3 -S - "$1" >"$MANIFEST" <<-'END'
		import sys
		print("ccm:\n  resources:\n    - exec:")
		for i in range(int(sys.argv[1])):
		    need = f', require: ["exec#r{i - 1}"]' if i else ""
		    print(f'        - r{i}: {{ command: "true", creates: /{need} }}')
	END
}

cpu_ms() { # COMMAND...: the processor time of it and its children
	python3 -S -c 'import os, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
t = os.times(); print(int((t.children_user + t.children_system) * 1000))' "$@"
}

@test "D13: looking up a requirement does not take longer the more there are" {
	local small large
	chain 2000
	small=$(cpu_ms "$WRIT" apply "$MANIFEST")
	chain 20000
	large=$(cpu_ms "$WRIT" apply "$MANIFEST")
	echo "2,000: $small ms, 20,000: $large ms"
	((large <= 20 * (small > 20 ? small : 20)))
}

@test "D14: session new makes the directory, and what it prints can be used" {
	to_files 0 "$WRIT" session new --directory "$D/new/session"
	[[ -d $D/new/session && $(stat -c %a "$D/new/session") == 700 ]]
	[[ $(<"$OUT") == "export WRIT_SESSION_STORE='$D/new/session'" ]] || show
	eval "$(<"$OUT")"
	to_files 0 "$WRIT" ensure exec true
	unset WRIT_SESSION_STORE
	eval "$("$WRIT" session new)"
	[[ -d $WRIT_SESSION_STORE ]]
	to_files 0 "$WRIT" ensure exec true
}

@test "D15: a mode is a number however it is written, and is reached" {
	local own
	own="owner: $(id -un), group: $(id -gn)"
	manifest <<-END
		ccm:
		  resources:
		    - file:
		        - $D/a: { content: x, mode: "644", $own }
		        - $D/b: { content: x, mode: "0644", $own }
		        - $D/c: { content: x, mode: "0o644", $own }
		        - $D/d: { content: x, mode: "600", $own }
		        - $D/e: { ensure: directory, mode: "644", $own }
	END
	apply 0
	expect '[oct(os.stat(folder + "/" + n).st_mode & 0o7777) for n in "abcde"] == ["0o644"] * 3 + ["0o600", "0o755"]'
	apply 0
	expect 's["stable_resources"] == 5'
}

@test "D16: a health check pauses between tries, and is one of Nagios" {
	execs <<-'END'
		- a: { command: "true", health_checks: [ { command: "false", tries: 2 } ] }
	END
	local began took
	began=$(now_ms)
	apply 4
	took=$(($(now_ms) - began))
	((took >= 1000))
	expect 'e("a")["health_check"][0]["tries"] == 2' '"goss" not in out + err' 'e("a")["health_check"][0].get("format", "nagios") == "nagios"'
}

@test "D17: standard error is shown, and a long line does not end the output" {
	execs <<-'END'
		- a: { provider: shell, command: "echo on-stderr >&2; head -c 100000 /dev/zero | tr '\\0' x; echo; echo behind-it", logoutput: true }
	END
	to_files 0 "$WRIT" apply "$MANIFEST"
	says on-stderr behind-it
}

@test "D18: output is bounded in memory, and nobody waits for a child that holds the pipe" {
	local nap=98.5$BASHPID
	execs <<-END
		- flood: { command: head -c 50000000 /dev/zero }
		- holder: { provider: shell, command: sleep $nap & echo hi }
	END
	local began rss
	began=$(now_ms)
	rss=$(python3 -S -c 'import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$WRIT" apply "$MANIFEST")
	within 5000 $(($(now_ms) - began)) "the apply"
	echo "$rss KiB"
	# With a sanitizer a program is larger than itself.
	((rss <= 40000)) || nm -C "$WRIT" 2>/dev/null | grep -q __asan_init
	run ! pgrep -f "sleep $nap"
}

@test "D19: nothing of the current directory is read unasked" {
	mkdir "$D/hostile"
	cd "$D/hostile"
	echo 'EVIL=1' >.env
	echo 'data: { evil: 1 }' >.hiera
	execs <<-END
		- a: { command: "sh -c 'echo \"[\$EVIL]\" >$D/a'" }
		- b: { command: "echo {{ lookup('environ.EVIL', 'none') }}{{ lookup('data.evil', 'none') }}" }
	END
	apply 0
	expect 'read("a") == "[]\n"' '"nonenone" in e("b")["properties"]["command"]'
}

@test "D20: events are for their owner only, and show no secret" {
	execs <<-'END'
		- a: { command: echo canary-4711, sensitive: true }
	END
	umask 000
	apply 0
	[[ $(find "$WRIT_STATE_DIR" -type f -perm /077) == "" ]]
	[[ $(find "$WRIT_STATE_DIR/sessions" -type d -perm /077) == "" ]]
	run ! grep -raF canary-4711 "$WRIT_STATE_DIR" "$OUT" "$ERR"
}

@test "D21: the owner that is asked for is the owner that is set" {
	[[ $(id -u) == 0 ]] || skip "needs root"
	to_files 0 "$WRIT" ensure file "$D/a" --content x --owner daemon --group nogroup --mode 0640
	[[ $(stat -c '%U:%G %a' "$D/a") == 'daemon:nogroup 640' ]]
	to_files 0 "$WRIT" ensure file "$D/b" --content x --owner daemon:nogroup --mode 0640 ||
		to_files 1 "$WRIT" ensure file "$D/b" --content x --owner daemon:nogroup --mode 0640
	[[ ! -e $D/b || $(stat -c '%U:%G' "$D/b") == daemon:nogroup ]]
}

@test "D22: the run time has the last resource in it" {
	execs <<-'END'
		- a: { command: sleep 0.3 }
	END
	apply 0
	expect 's["total_duration"] >= 300e6 if s["total_duration"] > 1000 else s["total_duration"] >= 0.3' \
		'e("a")["duration"] >= 300_000_000'
}

@test "D23: a failed event has its state and exit code" {
	execs <<-'END'
		- a: { command: sh -c 'exit 7' }
		- b: { command: sleep 60, timeout: 100ms }
	END
	apply 4
	expect 'e("a")["failed"] and e("a")["status"]["exitcode"] == 7 and e("a")["changed"]' \
		'e("b")["status"]["outcome"]' 's["failed_resources"] == 2 and s["changed_resources"] == 0'
}
