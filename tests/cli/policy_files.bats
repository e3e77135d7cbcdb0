#!/usr/bin/env bats
# writ policy test, lint, show, presets and schema.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	sample_policy
}

policy() {
	local wanted=$1
	shift
	run "-$wanted" --separate-stderr timeout -s KILL 20 "$WRIT" policy "$@"
}

expect_json() { [[ $(json "$output" "$1") == True ]] || show_run; }

@test "test runs every line of expect" {
	policy 0 test
	expect_in_stdout "ok      $WRIT_CONFIG_DIR/policy.yaml:"
	expect_in_stdout "allow: cat a"
	expect_in_stdout "2 of 2 as expected"
}

@test "test of one file, and what came instead" {
	cat >bad.yaml <<-'END'
		version: 1
		rules:
		  - deny: { program: sudo }
		expect:
		  - allow: sudo id
	END
	policy 1 test bad.yaml
	expect_in_stdout "FAILED  bad.yaml:5:"
	expect_in_stdout "came: deny"
	expect_in_stdout "by:   bad.yaml:3:"
	expect_in_stdout "0 of 1 as expected"
	policy 1 test --json bad.yaml
	expect_json "d['policies'][0]['expect'][0]['passed'] == False"
	expect_json "d['policies'][0]['expect'][0]['decision'] == 'deny'"
}

@test "all that is wrong is told at once, with line, column and advice" {
	cat >bad.yaml <<-'END'
		version: 1
		defualt: ask
		rules:
		  - alow: ls
		  - deny: { programm: rm }
	END
	policy 1 lint bad.yaml
	expect_in_stdout "bad.yaml:2:1: error: "
	expect_in_stdout "did you mean 'default'?"
	expect_in_stdout "bad.yaml:4:5: error: "
	expect_in_stdout "bad.yaml:5:"
	expect_in_stdout "    2 | defualt: ask"
	policy 1 test bad.yaml
	expect_in_stdout "bad.yaml:2:1: error: "
	policy 1 show bad.yaml
	expect_in_stderr "bad.yaml:2:1: error: "
	policy 2 lint missing.yaml
	expect_in_stderr "missing.yaml"
}

@test "lint tells what is hardly meant" {
	cat >odd.yaml <<-'END'
		version: 1
		rules:
		  - deny: {}
		  - allow: { program: ls }
	END
	policy 1 lint odd.yaml
	expect_in_stdout "odd.yaml:"
	expect_in_stdout "warning: "
	cat >fine.yaml <<-'END'
		version: 1
		rules:
		  - allow: { effect: read }
	END
	policy 0 lint fine.yaml
	expect_stdout ""
}

@test "presets that stand in, or are included, are left out of lint and test" {
	rm "$WRIT_CONFIG_DIR/policy.yaml"
	policy 0 lint
	expect_stdout ""
	expect_in_stderr "no policy found; using the built-in preset 'developer'"
	policy 0 test
	expect_stdout ""
	policy 0 test developer
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	policy 0 lint
	expect_stdout ""
	policy 0 test
}

@test "show lists what counts, from the machine to the project" {
	project_policy <<-'END'
		version: 1
		default: allow
		rules:
		  - deny: git push ...
	END
	policy 0 show
	[[ ${lines[0]} == TIER* ]] || show_run
	expect_in_stdout "user"
	expect_in_stdout "$WRIT_CONFIG_DIR/policy.yaml"
	expect_in_stdout "project"
	expect_in_stdout "/project/.writ/policy.yaml"
	# The user's says none, the project's nothing: the stricter counts.
	expect_in_stdout "sandbox     workspace, network at most host"
	expect_in_stdout "roots       $PWD"
	policy 0 show --json
	expect_json "[p['tier'] for p in d['policies']] == ['user', 'project']"
}

@test "show without a policy has the preset that stands in" {
	rm "$WRIT_CONFIG_DIR/policy.yaml"
	policy 0 show
	expect_in_stdout "preset:developer"
}

@test "show --effective has everything, and can be read again" {
	cat >one.yaml <<-'END'
		version: 1
		include: [two.yaml]
		rules:
		  - deny: { program: sudo }
	END
	cat >two.yaml <<-'END'
		version: 1
		default: deny
		rules:
		  - allow: ls ...
	END
	policy 0 show --effective one.yaml
	expect_in_stdout "default: deny"
	expect_in_stdout "sudo"
	expect_in_stdout "ls ..."
	printf '%s\n' "$output" >whole.yaml
	policy 0 show whole.yaml
	mkdir .writ
	mv whole.yaml .writ
	run -0 "$WRIT" policy explain --policy .writ/whole.yaml -- ls
}

@test "a preset is shown as it is written, and can be used as it is" {
	policy 0 presets
	[[ ${lines[0]} == NAME* ]] || show_run
	local name
	policy 0 presets --names
	for name in $output; do
		run -0 --separate-stderr "$WRIT" policy show "$name"
		[[ $output == *"version: 1"* ]] || show_run
	done
	policy 0 presets --names
	for name in allowlist denylist developer manifest modules-strict open; do
		[[ $'\n'$output$'\n' == *$'\n'"$name"$'\n'* ]] || show_run
	done
	policy 0 show developer
	printf '%s\n' "$output" >mine.yaml
	policy 0 show --effective mine.yaml
}

@test "the schema is JSON and judges a policy" {
	policy 0 schema
	printf '%s' "$output" >schema.json
	run -0 "$WRIT" schema check schema.json
	run -0 "$WRIT" schema validate --schema schema.json "$WRIT_CONFIG_DIR/policy.yaml"
	echo 'version: 2' >bad.yaml
	run -1 "$WRIT" schema validate --schema schema.json bad.yaml
}

@test "wrong usage is told" {
	policy 2 test a b
	expect_in_stderr "unexpected word 'b'"
	policy 2 explian
	expect_in_stderr "did you mean 'explain'?"
	policy 2 schema x
}
