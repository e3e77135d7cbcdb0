#!/usr/bin/env bats
# bats file_tags=anyone
# writ manifest graph and fmt, and the manifest of writ init.
# shellcheck disable=SC2154
load helpers
load manifest

setup() { manifest_setup; }

# bats test_tags=smoke
@test "graph: the order, and who refreshes whom, also of applied manifests" {
	mkdir "$BATS_TEST_TMPDIR/roles"
	echo 'ccm: {resources: [{file: {name: /x/web, content: a}}]}' >"$BATS_TEST_TMPDIR/roles/web.yaml"
	manifest <<-'END'
		ccm:
		  resources:
		    - apply: { name: roles/web.yaml }
		    - exec:
		        - first: { command: "true", alias: "one" }
		        - last: { command: "true", require: [ exec#one ], subscribe: [ apply#roles/web.yaml, file#/x/web ] }
	END
	to_files 0 "$WRIT" manifest graph "$MANIFEST"
	says 'exec#last             exec#first  apply#roles/web.yaml, file#/x/web'
	to_files 0 "$WRIT" manifest graph --json "$MANIFEST"
	[[ $(json "$(<"$OUT")" '[(r["resource"], r["part_of"], r["line"], r["require"], r["subscribe"]) for r in d["resources"]]') == \
		"[('file#/x/web', 'apply#roles/web.yaml', 1, [], []), ('apply#roles/web.yaml', None, 3, [], []), ('exec#first', None, 5, [], []), ('exec#last', None, 6, ['exec#first'], ['apply#roles/web.yaml', 'file#/x/web'])]" ]] || show
	to_files 0 "$WRIT" manifest graph --dot "$MANIFEST"
	says '"exec#first" -> "exec#last";' '"file#/x/web" -> "exec#last" [style=dashed];'
	if command -v dot >/dev/null; then dot -Tsvg "$OUT" >"$D/svg"; fi
	echo 'ccm: {}' >"$MANIFEST"
	to_files 1 "$WRIT" manifest graph "$MANIFEST"
	says 'm.yaml:1:6: manifest must contain resources'
	to_files 2 "$WRIT" manifest graph
	to_files 2 "$WRIT" manifest graph --dot --json "$MANIFEST"
}

@test "fmt: printed, checked, written as a whole with its mode" {
	printf 'ccm:\n    # why\n    resources:\n    - exec: {name: "true"}   \n' >"$MANIFEST"
	chmod 640 "$MANIFEST"
	printf 'ccm:\n  # why\n  resources:\n    - exec: {name: "true"}\n' >"$D/wanted"
	to_files 0 "$WRIT" manifest fmt "$MANIFEST"
	cmp "$OUT" "$D/wanted"
	to_files 1 "$WRIT" manifest fmt --check "$MANIFEST"
	says "$MANIFEST"
	ln -s "$MANIFEST" "$D/link"
	to_files 0 "$WRIT" manifest fmt --write "$D/link"
	cmp "$MANIFEST" "$D/wanted"
	[[ -L $D/link && $(stat -c %a "$MANIFEST") == 640 && $(ls "$BATS_TEST_TMPDIR"/m.yaml*) == "$MANIFEST" ]]
	to_files 0 "$WRIT" manifest fmt --check "$MANIFEST"
	to_files 0 "$WRIT" manifest fmt - </dev/null || true
	printf 'a: [\n' >"$MANIFEST"
	to_files 1 "$WRIT" manifest fmt --write "$MANIFEST"
	says 'm.yaml:2:1: not valid YAML'
	[[ $(<"$MANIFEST") == 'a: [' ]]
	to_files 2 "$WRIT" manifest fmt
	to_files 2 "$WRIT" manifest fmt --check --write "$MANIFEST"
	to_files 1 "$WRIT" manifest fmt "$D/none"
}

@test "every manifest of the examples and documents keeps its meaning" {
	local file count=0
	for file in "$WRIT_SOURCE"/examples/*/*.yaml "$WRIT_SOURCE"/data/policies/*.yaml "$WRIT_SOURCE"/bench/*.yaml; do
		[[ -e $file ]] || continue
		to_files 0 "$WRIT" manifest fmt "$file"
		cp "$OUT" "$D/once.yaml"
		to_files 0 "$WRIT" manifest fmt --check "$D/once.yaml"
		count=$((count + 1))
	done
	((count > 5))
}

# bats test_tags=smoke
@test "init --manifest writes one that is valid, formatted and applies, with its schema" {
	to_files 0 "$WRIT" init --manifest site.yaml
	[[ $(head -n 1 site.yaml) == '# yaml-language-server: $schema=/'*/schemas/manifest.schema.json ]]
	to_files 0 "$WRIT" validate site.yaml
	to_files 0 "$WRIT" manifest fmt --check site.yaml
	sed -i "s|/tmp/writ-example|$D/made|" site.yaml
	to_files 0 "$WRIT" apply --json site.yaml
	expect 's["changed_resources"] == 3 and read("made/greeting").startswith("hello from ")'
	to_files 0 "$WRIT" apply --json site.yaml
	expect 's["changed_resources"] == 0'
	to_files 1 "$WRIT" init --manifest site.yaml
	says 'there is a file already'
	to_files 0 "$WRIT" init --manifest site.yaml --force
	to_files 0 "$WRIT" init --manifest x --print
	cmp "$OUT" site.yaml
	[[ ! -e x ]]
	to_files 2 "$WRIT" init --manifest x --user
	ln -s site.yaml link
	to_files 1 "$WRIT" init --manifest link
	to_files 0 "$WRIT" init --print
	[[ $(head -n 1 "$OUT") == '# yaml-language-server: $schema=/'*/schemas/policy.schema.json ]]
}
