#!/usr/bin/env bats
# bats file_tags=anyone
# The edit resource: a line, a block, a key; the rest of the file stays.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# edits: standard input is a list of edit resources; @ stands for $D.
edits() {
	{
		printf 'ccm:\n  resources:\n    - edit:\n'
		sed "s|^|        |; s|@|$D|g"
	} >"$MANIFEST"
}

# bats test_tags=smoke
@test "a line is replaced, appended, and removed" {
	printf 'a 1\n# b\nb 2\nb 3' >f
	edits <<-'END'
		- b: {path: @/f, line: b 9, match: '^b '}
		- c: {path: @/f, line: c 4}
		- d: {path: @/f, line: d 5, after: '^a'}
		- e: {path: @/f, line: e 6, before: '^b'}
	END
	apply 0 --noop
	expect 'read("f") == "a 1\n# b\nb 2\nb 3"' 'e("b")["noop_message"] == "Would have set the line"' \
		'"-b 3" in e("b")["diff"] and "+b 9" in e("b")["diff"]'
	apply 0
	expect 'read("f") == "a 1\nd 5\n# b\ne 6\nb 2\nb 9\nc 4\n"' 'all(x["changed"] for x in es)'
	apply 0
	expect 'not any(x["changed"] for x in es)'
	edits <<-'END'
		- b: {path: @/f, ensure: absent, match: '^b '}
		- c: {path: @/f, ensure: absent, line: c 4}
		- x: {path: @/f, ensure: absent, line: x}
		- gone: {path: @/none, ensure: absent, line: x}
	END
	apply 0
	expect 'read("f") == "a 1\nd 5\n# b\ne 6\n"' '[x["changed"] for x in es] == [True, True, False, False]'
}

@test "a block stands between two lines that mark it" {
	printf 'top\nend\n' >f
	edits <<-'END'
		- nets: {path: @/f, before: ^end, block: "a {{ 1 + 1 }}\nb"}
		- other: {path: @/f, block: "x\n", marker: '; {mark} x'}
	END
	apply 0
	expect 'read("f") == "top\n# BEGIN nets\na 2\nb\n# END nets\nend\n; BEGIN x\nx\n; END x\n"'
	apply 0
	expect 'not any(x["changed"] for x in es)'
	sed -i 's/block: "a.*"/block: "c"/' "$MANIFEST"
	apply 0
	expect 'read("f") == "top\n# BEGIN nets\nc\n# END nets\nend\n; BEGIN x\nx\n; END x\n"'
	edits <<-'END'
		- nets: {path: @/f, ensure: absent, marker: '# {mark} nets'}
	END
	apply 0
	expect 'read("f") == "top\nend\n; BEGIN x\nx\n; END x\n"'
	printf '# BEGIN nets\n' >f
	apply 4
	expect '"line 1 has no end" in e("nets")["error"][0]' 'read("f") == "# BEGIN nets\n"'
}

@test "a key of an ini file" {
	printf '; head\n[one]\n  port=1\nhost : a\n\n[two]\nport = 2\nport = 3\n' >f
	edits <<-'END'
		- a: {path: @/f, section: one, key: port, value: '80'}
		- b: {path: @/f, section: one, key: host, value: b}
		- c: {path: @/f, section: one, key: new, value: x y}
		- d: {path: @/f, section: two, key: port, value: '9'}
		- e: {path: @/f, section: three, key: k, value: v}
		- f: {path: @/f, key: top, value: '1'}
	END
	apply 0
	expect 'read("f") == "; head\ntop = 1\n[one]\n  port=80\nhost : b\nnew = x y\n\n[two]\nport = 2\nport = 9\n\n[three]\nk = v\n"'
	apply 0
	expect 'not any(x["changed"] for x in es)'
	edits <<-'END'
		- d: {path: @/f, section: two, key: port, ensure: absent}
		- none: {path: @/f, section: four, key: port, ensure: absent}
	END
	apply 0
	expect '"[two]\n\n[three]" in read("f")' 'not e("none")["changed"]'
}

@test "line ends, owner, mode and what is not edited stay" {
	printf 'a\r\n\xff\xfe\r\nb\r\n' >f
	chmod 640 f
	edits <<<"- @/f: {line: c, match: ^b}"
	apply 0
	[[ $(od -An -c f | tr -d ' \n') == 'a\r\n377376\r\nc\r\n' && $(stat -c %a f) == 640 ]]
}

@test "what cannot be edited is told, and nothing is done" {
	printf 'a\0b' >nul
	ln -s f link
	edits <<-'END'
		- none: {path: @/none, line: x}
		- nul: {path: @/nul, line: x}
		- link: {path: @/link, line: x}
		- two: {path: @/f, line: "x\ny", create: true}
		- dir: {path: @, line: x}
	END
	apply 4
	expect '"create: true" in e("none")["error"][0]' '"NUL" in e("nul")["error"][0]' \
		'"symbolic link" in e("link")["error"][0]' '"new line" in e("two")["error"][0]' \
		'e("dir")["failed"]' 'not has("f") and not has("none")'
	edits <<<"- @/f: {line: x, create: true}"
	apply 0
	expect 'read("f") == "x\n"'
}

@test "a change refreshes those that subscribe, a policy decides, the record has it" {
	echo a >f
	edits <<-'END'
		- @/f: {line: b}
	END
	cat >>"$MANIFEST" <<-END
		    - exec: {name: touch $D/seen, refreshonly: true, subscribe: ['edit#$D/f']}
	END
	printf 'version: 1\nrules:\n  - deny: {write: ["%s/**"]}\n  - allow: {}\n' "$D" >"$BATS_TEST_TMPDIR/p.yaml"
	WRIT_POLICY=$BATS_TEST_TMPDIR/p.yaml apply 4
	expect 'read("f") == "a\n"' 'not has("seen")'
	apply 0
	expect 'read("f") == "a\nb\n"' 'has("seen")'
	"$WRIT" audit list --json | grep -q 'writ-file'
}

@test "a secret in a value is not shown" {
	edits <<-'END'
		- k: {path: @/f, key: password, value: "{{ sensitive('hush-hush') }}", create: true}
	END
	apply 0
	expect 'read("f") == "password = hush-hush\n"'
	! grep -rq hush-hush "$OUT" "$ERR" "$WRIT_STATE_DIR" || show
}

@test "on the command line" {
	printf 'a\n' >f
	to_files 0 "$WRIT" ensure edit "$D/f" --line b --after ^a
	to_files 0 "$WRIT" ensure edit "$D/f" --key c --value d
	[[ $(<f) == $'a\nb\nc = d' ]]
	to_files 1 "$WRIT" ensure edit "$D/f" --line b --block c
	to_files 1 "$WRIT" ensure edit "$D/f" --match '('  --line b
}
