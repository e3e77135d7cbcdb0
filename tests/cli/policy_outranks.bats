#!/usr/bin/env bats
# bats file_tags=anyone
# The one exception to "deny > ask > allow": an allow outranks the asks of what
# its own file includes.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME"
}

# file NAME: standard input becomes that policy file, beside the user's.
file() {
	cat >"$WRIT_CONFIG_DIR/$1"
	chmod 600 "$WRIT_CONFIG_DIR/$1"
}

# holds NAME: every line of its `expect` gets the answer that it names.
holds() {
	run --separate-stderr "$WRIT" policy test "$WRIT_CONFIG_DIR/$1"
	[[ $status -eq 0 ]] || show_run
}

# decides ANSWER COMMAND...: what all tiers together say.
decides() {
	local want=$1
	shift
	run --separate-stderr "$WRIT" policy explain --json -- "$@"
	[[ $(json "$output" "d['decision']") == "$want" ]] || show_run
}

@test "an allow outranks the asks of the preset that its file includes" {
	file own.yaml <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push origin main
		  - allow: pip install ...
		expect:
		  - allow: git push origin main
		  - ask: git push origin dev
		  - ask: git push --force origin main
		  - allow: pip install six
		  - allow: { shell: "cd js && pip install six" }
		  - ask: curl https://example.com/
		  - deny: sudo git push origin main
	END
	holds own.yaml
}

@test "never a deny, and no ask of its own file" {
	file denies.yaml <<-'END'
		version: 1
		default: allow
		rules:
		  - deny: git push --force ...
		  - ask: git push ...
	END
	file own.yaml <<-'END'
		version: 1
		include: [./denies.yaml]
		rules:
		  - allow: git push ...
		  - allow: git push --force
		  - allow: git fetch
		  - ask: git fetch ...
		  - allow: {}
		expect:
		  - allow: git push
		  - deny: git push --force
		  - ask: git fetch
	END
	holds own.yaml
}

@test "includes of includes, and files side by side" {
	file c.yaml <<-'END'
		version: 1
		default: allow
		rules:
		  - ask: touch one
		  - ask: touch two
		  - ask: touch three
	END
	file b.yaml <<-'END'
		version: 1
		include: ./c.yaml
		rules:
		  - ask: touch two
		  - allow: touch three
	END
	file beside.yaml <<-'END'
		version: 1
		rules:
		  - ask: touch four
		  - ask: touch three
		  - allow: touch one
	END
	file b-and-c.yaml <<-'END'
		version: 1
		include: ./b.yaml
		rules: [ { allow: touch two } ]
		expect:
		  - ask: touch one
		  - allow: touch two
		  - allow: touch three
	END
	holds b-and-c.yaml
	# An allow of b is nothing to a file that b does not include, and the
	# other way round.
	file all.yaml <<-'END'
		version: 1
		include: [./b.yaml, ./beside.yaml]
		rules: [ { allow: touch two } ]
		expect:
		  - ask: touch one
		  - allow: touch two
		  - ask: touch three
		  - ask: touch four
	END
	holds all.yaml
	file top.yaml <<-'END'
		version: 1
		include: ./all.yaml
		rules: [ { allow: { program: touch } } ]
		expect:
		  - allow: touch one
		  - allow: touch three
		  - allow: touch four
	END
	holds top.yaml
}

@test "rules of agents" {
	file inner.yaml <<-'END'
		version: 1
		default: allow
		rules: [ { ask: touch ... } ]
		agents:
		  careful: { rules: [ { ask: mkdir ... } ] }
	END
	file own.yaml <<-'END'
		version: 1
		include: ./inner.yaml
		rules:
		  - allow: mkdir a
		agents:
		  bold: { rules: [ { allow: touch a }, { ask: touch b }, { allow: touch b } ] }
		expect:
		  - ask: touch a
		  - allow: { command: touch a, agent: bold }
		  - ask: { command: touch b, agent: bold }
		  - ask: { command: touch a, agent: careful }
		  - allow: { command: mkdir a, agent: careful }
		  - ask: { command: mkdir b, agent: careful }
	END
	holds own.yaml
}

@test "a list of programs outranks nothing" {
	file inner.yaml <<-'END'
		version: 1
		rules: [ { ask: touch a } ]
	END
	file own.yaml <<-'END'
		version: 1
		include: ./inner.yaml
		programs: [touch]
		expect:
		  - ask: touch a
		  - allow: touch b
	END
	holds own.yaml
}

@test "each tier is judged alone: a project's allow answers no other tier" {
	project_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push origin main
		  - allow: {}
		expect:
		  - allow: git push origin main
	END
	decides ask git push origin main
	user_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push origin main
	END
	decides allow git push origin main
	# The project may tighten.
	project_policy <<-'END'
		version: 1
		include: [developer]
	END
	decides ask git push origin main
}

@test "explain names the allow, and the ask that it outranks" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push origin main
	END
	decides allow git push origin main
	[[ $(json "$output" "d['rule'].split('/')[-1]") == policy.yaml:4:5 ]] || show_run
	[[ $(json "$output" "[r['outranked_by'] == d['rule'] for r in d['rules'] if r['decision'] == 'ask']") == *True* ]] || show_run
	[[ $(json "$output" "d['commands'][0]['decision']") == allow ]] || show_run
	run -0 --separate-stderr "$WRIT" policy explain -- git push origin main
	[[ $output == *"policy.yaml:4:5 (user policy)"*"outranks: the ask of preset:developer:"*"(outranked)"* ]] || show_run
}

@test "lint tells of allows that never apply" {
	project_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push
		  - allow: sudo id
		  - ask: { write: ["./a"] }
		  - allow: touch a
		  - allow: git push origin ...
		  - allow: ls
	END
	run -1 --separate-stderr "$WRIT" policy lint
	[[ $output == *"policy.yaml:4:5: warning: this allow never applies: 'git push' is asked about by preset:developer:"*"belongs in the user policy"* ]] || show_run
	[[ $output == *"policy.yaml:5:5: warning: "*"denied by preset:developer:"* ]] || show_run
	[[ $output == *"policy.yaml:7:5: warning: this allow never applies: 'touch a' is asked about by "*"policy.yaml:6:5"*"only the asks of included files"* ]] || show_run
	[[ $output != *"policy.yaml:8:"* && $output != *"policy.yaml:9:"* ]] || show_run
	rm -r .writ
	user_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: git push
		  - allow: git push --force
	END
	run --separate-stderr "$WRIT" policy lint
	[[ $output != *"never applies"* && $output != *"decides nothing"* ]] || show_run
}
