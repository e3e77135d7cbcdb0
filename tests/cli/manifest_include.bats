#!/usr/bin/env bats
# apply: the resources of other manifests.
# bats file_tags=anyone
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() {
	manifest_setup
	mkdir -p "$BATS_TEST_TMPDIR/sub"
}

# other NAME: standard input becomes sub/NAME, beside the manifest.
other() { cat >"$BATS_TEST_TMPDIR/sub/$1"; }

@test "its resources are applied with its data, and the given data over it" {
	manifest <<-'END'
		data: { who: outer, port: 1 }
		ccm:
		  resources:
		    - apply:
		        - sub/child.yaml: { data: { port: "{{ Data.port + 1 }}" }, alias: given }
		        - sub/other.yaml: {}
	END
	other child.yaml <<-'END'
		data: { port: 7, own: child }
		ccm: { resources: [ { exec: { name: a, argv: [ echo, "{{ Data.port }} {{ Data.own }} {{ Data.who ?? 'nobody' }}" ], logoutput: true } } ] }
	END
	other other.yaml <<-'END'
		data: { port: 7 }
		ccm: { resources: [ { exec: { name: b, argv: [ echo, "{{ Data.port }} {{ Data.who }}", "{{ file('beside') }}" ], logoutput: true } } ] }
	END
	echo text >"$BATS_TEST_TMPDIR/sub/beside"
	apply 0
	expect '"2 child nobody" in err and "1 outer text" in err' \
		'[x["name"] for x in es] == ["a", "sub/child.yaml", "b", "sub/other.yaml"]' \
		'e("given")["changed"] and e("given")["status"]["resource_count"] == 1' \
		'e("given")["status"]["changed_count"] == 1'
}

@test "references lead from one manifest into the other, and a change refreshes" {
	manifest <<-END
		ccm:
		  resources:
		    - exec: { name: before, command: "true" }
		    - apply: { name: sub/child.yaml }
		    - exec: { name: after, command: touch $D/after, refreshonly: true, subscribe: apply#sub/child.yaml, require: file#$D/f }
	END
	other child.yaml <<-END
		ccm:
		  resources:
		    - file: { name: $D/f, content: "x", require: exec#before }
	END
	apply 0
	expect 'has("after") and e("after")["refreshed"]'
	rm after
	apply 0
	expect 'not has("after")'
	sed -i 's/exec#before/exec#nope/' "$BATS_TEST_TMPDIR/sub/child.yaml"
	refused "m.yaml:4:22: sub/child.yaml:3:" "there is no resource 'exec#nope'"
}

@test "a refresh that a manifest owes is not lost" {
	manifest <<-END
		ccm:
		  fail_on_error: true
		  resources:
		    - apply: { name: sub/child.yaml }
		    - exec: { name: stops, command: test -e $D/go }
		    - exec: { name: after, command: touch $D/after, refreshonly: true, subscribe: apply#sub/child.yaml }
	END
	other child.yaml <<-END
		ccm: { resources: [ { file: { name: $D/f, content: x } } ] }
	END
	apply 4
	expect 'has("f") and not has("after")'
	touch go
	apply 0
	expect 'has("after") and not es[0]["changed"]'
}

@test "control, require and noop are those of all its resources" {
	manifest <<-END
		ccm:
		  resources:
		    - exec: { name: bad, command: "false" }
		    - apply:
		        - sub/child.yaml: { alias: off, control: { if: "1 > 2" } }
		    - apply:
		        - ./sub/child.yaml: { require: exec#bad }
		    - apply:
		        - sub//child.yaml: { noop: true }
	END
	other child.yaml <<-END
		ccm: { resources: [ { exec: { name: a, command: touch $D/canary } } ] }
	END
	apply 4
	expect 'not has("canary") and e("off")["skipped"]' \
		'e("./sub/child.yaml")["unmet_requirements"] == ["exec#bad"]' \
		'[x["noop"] for x in es if x["name"] == "a"] == [True]' 'e("sub//child.yaml")["changed"]'
}

@test "fail_on_error ends the manifest that says so" {
	manifest <<-END
		ccm:
		  resources:
		    - apply: { name: sub/child.yaml }
		    - exec: { name: after, command: touch $D/after }
	END
	other child.yaml <<-END
		ccm: { fail_on_error: true, resources: [ { exec: { name: a, command: "false" } }, { exec: { name: b, command: touch $D/canary } } ] }
	END
	apply 4
	expect 'has("after") and not has("canary") and "b" not in [x["name"] for x in es]' \
		'e("sub/child.yaml")["error"] == ["child manifest had 1 failed resource"]'
}

@test "allow_apply: false denies apply resources within" {
	manifest <<-END
		ccm:
		  resources:
		    - apply: [ sub/child.yaml: { allow_apply: false } ]
	END
	other child.yaml <<-END
		ccm: { resources: [ { exec: { name: a, command: touch $D/canary } }, { apply: { name: x.yaml } } ] }
	END
	accepted
	apply 4
	expect '"apply resources are denied" in e("sub/child.yaml")["error"][0] and not has("canary")'
}

@test "a circle, a depth, a missing file, a URL and faults are told with their place" {
	manifest <<-'END'
		ccm:
		  resources:
		    - apply: { name: sub/a.yaml }
		    - apply: { name: sub/missing.yaml }
		    - apply: { name: "http://example.org/m.yaml" }
		    - apply: { name: ../m.yaml }
	END
	other a.yaml <<<'ccm: { resources: [ { apply: { name: ./b.yaml } } ] }'
	other b.yaml <<-'END'
		ccm:
		  resources:
		    - apply: { name: .//a.yaml }
		    - exec: { name: x, timeout: 3 }
		    - exec: { name: y, command: "echo {{ Data.nope }}" }
	END
	refused "m.yaml:3:22: ./b.yaml:3:22: './/a.yaml' is being applied already: the manifests go in a circle" \
		"m.yaml:3:22: ./b.yaml:4:33: timeout: invalid duration '3'" \
		"m.yaml:4:22: apply: cannot" "m.yaml:5:22: name must be a file path, not a URL" "m.yaml:6:22: apply: '../m.yaml' leads out"
	manifest <<<'ccm: { resources: [ { apply: { name: sub/b.yaml } } ] }'
	other b.yaml <<<'ccm: { resources: [ { exec: { name: y, command: "echo {{ Data.nope }}" } } ] }'
	refused "m.yaml:1:38: sub/b.yaml:1:" "no member 'nope' in Data"
	other b.yaml <<<'ccm: ['
	refused "m.yaml:1:38: sub/b.yaml:2:1: not valid YAML"
	mkdir -p "$BATS_TEST_TMPDIR/deep"
	manifest <<<'ccm: { resources: [ { apply: { name: deep/1.yaml } } ] }'
	for n in {1..11}; do
		echo "ccm: { resources: [ { apply: { name: $((n + 1)).yaml } } ] }" >"$BATS_TEST_TMPDIR/deep/$n.yaml"
	done
	refused 'manifests apply each other more than 10 levels deep'
}

@test "an apply is not resumed when a manifest within has changed" {
	manifest <<<'ccm: { resources: [ { apply: { name: sub/a.yaml } } ] }'
	other a.yaml <<<'ccm: { resources: [ { exec: { name: "true" } } ] }'
	apply 0 --session "$D/session"
	echo '# more' >>"$BATS_TEST_TMPDIR/sub/a.yaml"
	apply 1 --resume "$D/session"
	expect '"the manifest has changed" in out + err'
}
