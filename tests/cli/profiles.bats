#!/usr/bin/env bats
# writ sandbox: the profiles, as they are listed, shown and checked.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	unset "${!WRIT_@}" 2>/dev/null || true
	WRIT=$writ
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/user WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	mkdir -p "$WRIT_CONFIG_DIR/profiles" "$WRIT_SYSTEM_DIR/profiles"
	chmod go-w "$WRIT_CONFIG_DIR/profiles" "$WRIT_SYSTEM_DIR/profiles"
	umask 022
	cd "$BATS_TEST_TMPDIR" || return
}

# setup() clears every WRIT_ variable, this name stays.
writ=$WRIT

user() { cat >"$WRIT_CONFIG_DIR/profiles/$1.yaml"; }
machine() { cat >"$WRIT_SYSTEM_DIR/profiles/$1.yaml"; }

# bats test_tags=smoke
@test "list has the built-in profiles, each with what it is for" {
	run -0 --separate-stderr "$WRIT" sandbox list
	expect_stderr ""
	[[ $(awk '{ print $1 }' <<<"$output" | paste -sd' ') == "none env container readonly workspace strict" ]] || show_run
	for name in none env readonly workspace strict; do
		grep -qE "^$name +built in +[a-z].{5,}" <<<"$output" || show_run
	done
}

@test "list has the profiles of the user and of the machine, with their files" {
	user mine <<<'{extends: strict, description: for me}'
	machine ours <<<'{extends: workspace, description: for all}'
	run -0 --separate-stderr "$WRIT" sandbox list
	grep -qE "^mine +$WRIT_CONFIG_DIR/profiles/mine.yaml +for me\$" <<<"$output" || show_run
	grep -qE "^ours +$WRIT_SYSTEM_DIR/profiles/ours.yaml +for all\$" <<<"$output" || show_run
	[[ $(awk '{ print index($0, "for ") }' <<<"$(grep for <<<"$output")" | sort -u | wc -l) == 1 ]]
}

@test "a profile that cannot be used is listed with its problem" {
	user broken <<<'{extends: strict, raed: [/]}'
	machine broken <<<'{extends: strict}'
	machine strict <<<'{extends: none}'
	run -0 --separate-stderr "$WRIT" sandbox list --json
	[[ $(json "$output" 'len(d)') == 9 ]]
	[[ $(json "$output" 'sorted(d[0])') == "['description', 'name', 'origin', 'problem']" ]]
	[[ $(json "$output" 'd[0]["problem"]') == None ]]
	[[ $(json "$output" 'd[6]["problem"]') == *"unknown key 'raed'"* ]]
	[[ $(json "$output" 'd[7]["problem"]') == "the name is that of another profile: $WRIT_CONFIG_DIR/profiles/broken.yaml" ]]
	[[ $(json "$output" 'd[8]["problem"]') == "the name is that of another profile: built in" ]]
	run -0 --separate-stderr "$WRIT" sandbox list
	expect_in_stdout "not usable: "
}

@test "files that cannot be named are not listed" {
	local dir=$WRIT_CONFIG_DIR/profiles
	touch "$dir/notes.txt" "$dir/.hidden.yaml" "$dir/.yaml" "$dir/"$'a\033b.yaml' "$dir/a b.yaml"
	run -0 --separate-stderr "$WRIT" sandbox list
	[[ $(wc -l <<<"$output") == 6 ]] || show_run
}

@test "a configuration that is not there is no error, one that is closed is" {
	rm -r "$WRIT_CONFIG_DIR" "$WRIT_SYSTEM_DIR"
	run -0 --separate-stderr "$WRIT" sandbox list
	[[ $(wc -l <<<"$output") == 6 ]] || show_run
	if [[ $(id -u) != 0 ]]; then
		mkdir -p "$WRIT_CONFIG_DIR/profiles"
		chmod 0 "$WRIT_CONFIG_DIR/profiles"
		run -1 --separate-stderr "$WRIT" sandbox list
		expect_in_stderr "writ: cannot list '$WRIT_CONFIG_DIR/profiles': Permission denied"
	fi
}

@test "options say where the configuration is" {
	mkdir -p other/profiles
	echo '{extends: strict, description: elsewhere}' >other/profiles/there.yaml
	run -0 --separate-stderr "$WRIT" sandbox list --config-dir "$PWD/other"
	expect_in_stdout "elsewhere"
	run -0 --separate-stderr "$WRIT" sandbox show there --system-dir "$PWD/other"
	expect_in_stdout 'description: "elsewhere"'
}

@test "show is a profile that can be saved, and means the same" {
	for name in none env readonly workspace strict; do
		"$WRIT" sandbox show "$name" | user copy
		run -0 --separate-stderr "$WRIT" sandbox check "$WRIT_CONFIG_DIR/profiles/copy.yaml"
		expect_in_stdout "copy.yaml: OK, sandbox $name, network "
		diff <("$WRIT" sandbox show --json "$name" | without_names) <("$WRIT" sandbox show --json copy | without_names)
	done
}

# Without what a copy has of its own: its name and its place, which is protected.
without_names() {
	python3 -c '
import json, sys
d = json.load(sys.stdin)
d["protect"] = [p for p in d["protect"] if not p.endswith(".yaml")]
del d["name"], d["origin"]
print(json.dumps(d, indent=1))'
}

@test "show has everything that a profile adds" {
	user base <<-'END'
		version: 1
		extends: workspace
		description: "a \"base\": for all"
		network: loopback
		read: [/srv, "~/a b"]
		hide: [/srv/secret]
	END
	user mine <<-'END'
		extends: base
		write: [~/out, ./here]
		execute: [/usr/bin]
		protect: [.github, "1"]
		limits: {timeout: 90s, idle: 1500ms, max_output: 1MiB, cpu: 10s, memory: 1000,
		         processes: 64, open_files: 128, file_size: 10MiB, tmp: 3GiB}
	END
	run -0 --separate-stderr "$WRIT" sandbox show --json mine
	[[ $(json "$output" 'd["walls"], d["network"], d["description"]') == "('workspace', 'loopback', 'a \"base\": for all')" ]]
	[[ $(json "$output" 'd["read"][-2:], d["write"][-2:]') == "(['/srv', '~/a b'], ['~/out', './here'])" ]]
	[[ $(json "$output" 'd["execute"], d["hide"][-1]') == "(['/usr/bin'], '/srv/secret')" ]]
	[[ $(json "$output" '".github" in d["protect"] and "1" in d["protect"]') == True ]]
	[[ $(json "$output" 'list(d["limits"].values())') == "[90000, 1500, 1048576, 10000, 1000, 64, 128, 10485760, 3221225472, None]" ]]
	"$WRIT" sandbox show mine | user copy
	diff <("$WRIT" sandbox show --json mine | without_names) <("$WRIT" sandbox show --json copy | without_names)
}

@test "show --json has every key" {
	run -0 --separate-stderr "$WRIT" sandbox show --json strict
	[[ $(json "$output" 'list(d)') == "['name', 'origin', 'description', 'walls', 'network', 'hosts', 'layers', 'read', 'write', 'execute', 'hide', 'protect', 'limits']" ]]
	[[ $(json "$output" 'd["name"], d["origin"], d["network"]') == "('strict', 'built in', 'off')" ]]
	[[ $(json "$output" '"seccomp" in d["layers"] and "mountns" in d["layers"]') == True ]]
	[[ $(json "$output" '("userns" in d["layers"])') == "$([[ $(id -u) == 0 ]] && echo False || echo True)" ]]
	[[ $(json "$output" 'set(d["limits"].values())') == "{None}" ]]
	[[ $(json "$output" '"~/.ssh" in d["hide"] and ".git/hooks" in d["protect"]') == True ]]
}

@test "an unknown profile suggests the nearest" {
	run -1 --separate-stderr "$WRIT" sandbox show workspce
	expect_stdout ""
	expect_in_stderr "'workspce', did you mean 'workspace'?"
	user mine <<<'{extends: strict}'
	run -1 --separate-stderr "$WRIT" sandbox show mien
	expect_in_stderr "did you mean 'mine'?"
	run -1 --separate-stderr "$WRIT" sandbox show --json workspce
	expect_stderr ""
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
}

@test "check says where a file is wrong" {
	printf 'extends: workspace\nwrite:\n  - /srv\nnetwrok: off\n' >bad.yaml
	run -1 --separate-stderr "$WRIT" sandbox check bad.yaml
	expect_stdout ""
	expect_in_stderr "bad.yaml:4:1: unknown key 'netwrok', did you mean 'network'?"
	printf 'extends: workspace\nread: [/srv, ../x]\n' >bad.yaml
	run -1 --separate-stderr "$WRIT" sandbox check bad.yaml
	expect_in_stderr "bad.yaml:2:14: "
	printf 'read: [\n' >bad.yaml
	run -1 --separate-stderr "$WRIT" sandbox check bad.yaml
	expect_in_stderr "bad.yaml:"
	run -1 --separate-stderr "$WRIT" sandbox check --json bad.yaml
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
}

@test "check reads a file, also one with the name of a profile elsewhere" {
	user mine <<<'{extends: strict}'
	run -1 --separate-stderr "$WRIT" sandbox check mine
	expect_in_stderr "cannot open profile './mine': No such file or directory"
	echo '{extends: readonly}' >mine
	run -0 --separate-stderr "$WRIT" sandbox check mine
	expect_stdout "mine: OK, sandbox readonly, network off"
	run -0 --separate-stderr "$WRIT" sandbox check --json mine
	[[ $(json "$output" 'd') == "{'file': 'mine', 'walls': 'readonly', 'network': 'off'}" ]]
}

@test "wrong usage says what there is" {
	run -2 --separate-stderr "$WRIT" sandbox
	expect_in_stderr "writ: sandbox: say what: list, show or check"
	run -2 --separate-stderr "$WRIT" sandbox --json
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
	run -2 --separate-stderr "$WRIT" sandbox lst
	expect_in_stderr "unknown word 'lst', did you mean 'list'?"
	run -2 --separate-stderr "$WRIT" sandbox frobnicate
	expect_in_stderr "unknown word 'frobnicate', expected list, show or check"
	run -2 --separate-stderr "$WRIT" sandbox show
	expect_in_stderr "writ: sandbox show: say which PROFILE"
	run -2 --separate-stderr "$WRIT" sandbox check
	expect_in_stderr "writ: sandbox check: say which FILE"
	run -2 --separate-stderr "$WRIT" sandbox list mine
	expect_in_stderr "writ: sandbox list: unexpected word 'mine'"
	run -2 --separate-stderr "$WRIT" sandbox show a b
	expect_in_stderr "writ: sandbox show: unexpected word 'b'"
	run -2 --separate-stderr "$WRIT" sandbox list --config-dir here
	expect_in_stderr "writ: sandbox list: --config-dir must be an absolute path"
}
