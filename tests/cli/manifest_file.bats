#!/usr/bin/env bats
# The file resource: what it makes, what it says, and that it is judged and
# recorded like a run.

load helpers
load manifest

setup() {
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	USER_ID=$(id -u)
	GROUP_ID=$(id -g)
}

# files: standard input is a list of file resources that belong to us; @ stands
# for $D.
files() {
	{
		printf 'ccm:\n  resources:\n    - file:\n'
		printf '        - defaults: {owner: "%s", group: "%s"}\n' "$USER_ID" "$GROUP_ID"
		sed "s|^|        |; s|@|$D|g"
	} >"$MANIFEST"
}

# bats test_tags=smoke
@test "a file is made, is stable then, and is mended" {
	files <<-'END'
		- @/motd: {content: "hello\n", mode: "0640"}
	END
	apply 0 --noop
	expect 'not has("motd")' 'es[0]["noop_message"] == "Would have created the file"' \
		'"+hello" in es[0]["diff"]'
	apply 0
	expect 'read("motd") == "hello\n"' 'kind(es[0]["name"]) == "changed"' \
		'es[0]["status"]["metadata"]["mode"] == "0640"' \
		'es[0]["status"]["protocol"] == "io.choria.ccm.v1.resource.file.state"'
	[[ $(stat -c %a motd) == 640 ]]
	apply 0
	expect 'kind(es[0]["name"]) == "stable"'
	chmod 600 motd
	apply 0
	expect 'kind(es[0]["name"]) == "changed"'
	[[ $(stat -c %a motd) == 640 ]]
}

@test "directories get x where they have r, with those above" {
	files <<-'END'
		- @/a/b: {ensure: directory, mode: "0640"}
	END
	apply 0
	[[ $(stat -c %a a/b) == 750 && $(stat -c %a a) == 755 ]]
	apply 0
	expect 'kind(es[0]["name"]) == "stable"'
}

@test "what is absent goes, and all of a directory only by force" {
	mkdir -p full/sub
	echo x >full/sub/f
	echo y >outside
	ln -s ../outside full/link
	files <<-'END'
		- @/full: {ensure: absent}
	END
	apply 4
	expect '"directory is not empty, set '"'force: true'"'" in es[0]["error"][0]' 'has("full/sub/f")'
	files <<-'END'
		- @/full: {ensure: absent, force: true}
	END
	apply 0
	expect 'not has("full")' 'read("outside") == "y\n"'
}

@test "a link at the path is not followed" {
	echo mine >victim
	ln -s victim file
	files <<-'END'
		- @/file: {mode: "0666"}
	END
	apply 4
	expect '"is a symlink; refusing to set attributes through it" in es[0]["error"][0]'
	files <<-'END'
		- @/file: {content: new, mode: "0666"}
	END
	apply 0
	[[ $(cat victim) == mine && $(cat file) == new && ! -L file ]]
}

@test "a change is in the record like a run, and its content is not" {
	files <<-'END'
		- @/motd: {content: "very-particular-words", mode: "0644"}
	END
	apply 0
	run -0 "$WRIT" audit list
	[[ $output == *"exited 0"*"writ-file present $D/motd"*"--sha256 "* ]]
	run -0 "$WRIT" audit verify
	[[ $output == proved:* ]]
	run ! grep -rq very-particular-words "$WRIT_STATE_DIR/audit"
}

@test "what the policy denies is not done, and the rule is named" {
	cat >"$BATS_TEST_TMPDIR/policy.yaml" <<-'END'
		version: 1
		default: allow
		sandbox: none
		agents: { "*": {} }
		rules:
		  - deny: { write: ["**/motd"] }
	END
	files <<-'END'
		- @/motd: {content: x, mode: "0644"}
		- @/other: {content: x, mode: "0644"}
	END
	apply 4 --noop --policy "$BATS_TEST_TMPDIR/policy.yaml"
	expect 'es[0]["failed"]' 'not has("other")'
	apply 4 --policy "$BATS_TEST_TMPDIR/policy.yaml"
	expect 'es[0]["failed"]' '"policy.yaml:6:" in es[0]["error"][0]' 'not has("motd")' 'has("other")'
	run -0 "$WRIT" audit list
	[[ $output == *denied* ]]
}

@test "the content of a secret file is nowhere but in the file" {
	files <<-'END'
		- @/key: {content: "{{ sensitive('hush-hush') }}", mode: "0600"}
	END
	echo old >key
	apply 0
	[[ $(cat key) == hush-hush ]]
	run ! grep -q hush-hush "$OUT" "$ERR"
	run ! grep -rq hush-hush "$WRIT_STATE_DIR"
	run ! grep -rq "$(printf hush-hush | sha256sum | cut -d' ' -f1)" "$WRIT_STATE_DIR" "$OUT"
}
