#!/usr/bin/env bats
# Which policies count, who may write them, and what becomes of a decision: the
# real program, with directories of its own for every tier.

load helpers

setup() {
	unset WRIT_POLICY
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	export HOME=$BATS_TEST_TMPDIR/home
	project=$BATS_TEST_TMPDIR/project
	mkdir -p "$WRIT_CONFIG_DIR" "$WRIT_SYSTEM_DIR" "$HOME" "$project/.writ"
	mkdir -p "$project/below/deeper"
	cd "$project" || return
}

# policy TIER: writes what is on standard input as the policy of that tier.
policy() {
	case $1 in
	system) cat >"$WRIT_SYSTEM_DIR/policy.yaml" ;;
	user) cat >"$WRIT_CONFIG_DIR/policy.yaml" ;;
	project) cat >"$project/.writ/policy.yaml" ;;
	esac
}

allow_all() {
	policy "$1" <<-'YAML'
		version: 1
		default: allow
		sandbox: none
		rules: [{allow: {}}]
	YAML
}

try() {
	local want=$1
	shift
	run --separate-stderr "$WRIT" run --no-ask "$@" </dev/null
	[[ $status == "$want" ]] || show_run
}

records() {
	"$WRIT" audit export --json
}

@test "without any policy the preset developer counts, and that is said" {
	try 0 -- ls
	expect_in_stderr "preset 'developer'"
	try 0 -- ls
	expect_stderr ""
	try 125 -- sudo id
	expect_in_stderr "does not allow 'sudo id'"
}

@test "with a policy of the user's nothing stands in for it" {
	allow_all user
	try 0 --json -- true
	[[ $(json "$output" "d['policy']['rule'].split('/')[-1]") == policy.yaml:4:* ]] || show_run
	[[ $stderr != *developer* ]] || show_run
}

@test "each tier is judged alone and the strictest answer counts" {
	allow_all user
	policy project <<-'YAML'
		version: 1
		default: allow
		sandbox: none
		rules:
		  - allow: {}
		  - deny: {program: echo}
		    because: not here
	YAML
	try 125 -- echo hi
	expect_in_stderr "not here"
	try 0 -- printf hi
	policy system <<-'YAML'
		version: 1
		default: allow
		sandbox: none
		rules:
		  - allow: {}
		  - deny: {program: printf}
		    because: nowhere
	YAML
	try 125 -- printf hi
	expect_in_stderr "nowhere"
}

@test "a project can only tighten" {
	policy user <<-'YAML'
		version: 1
		default: deny
		sandbox: none
	YAML
	allow_all project
	try 125 -- echo hi
}

@test "a project is found from below its directory" {
	allow_all user
	policy project <<-'YAML'
		version: 1
		sandbox: none
		rules: [{allow: {}}, {deny: {program: echo}}]
	YAML
	cd below/deeper
	try 125 -- echo hi
	cd /
	try 0 -- echo hi
}

@test "--policy takes the place of the user's and the project's, never of the system's" {
	policy user <<<'{version: 1, default: deny, sandbox: none}'
	policy project <<<'{version: 1, default: deny, sandbox: none}'
	WRIT_POLICY=open try 0 -- echo hi
	policy system <<<'{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {program: echo}}]}'
	WRIT_POLICY=open try 125 -- echo hi
	WRIT_POLICY=open try 0 -- printf hi
}

@test "a preset that there is not is refused with the nearest name" {
	WRIT_POLICY=developper try 125 -- true
	expect_in_stderr "there is no preset 'developper'"
	expect_in_stderr developer
}

@test "limits take the lowest and the default timeout is the policy's" {
	policy user <<<'{version: 1, sandbox: none, rules: [{allow: {}}], limits: {timeout: 40s, max_timeout: 1m}}'
	policy project <<<'{version: 1, sandbox: none, rules: [{allow: {}}], limits: {max_timeout: 50s}}'
	try 0 --json -- true
	[[ $(json "$output" "d['timeout_ms']") == 40000 ]] || show_run
	try 0 --json --timeout 10m -- true
	[[ $(json "$output" "d['timeout_ms']") == 50000 ]] || show_run
	try 0 --json --timeout 5s -- true
	[[ $(json "$output" "d['timeout_ms']") == 5000 ]] || show_run
}

@test "the stricter profile of two tiers counts, and that of an agent" {
	policy user <<<'{version: 1, sandbox: readonly, rules: [{allow: {}}], agents: {careful: {sandbox: strict}}}'
	policy project <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}], agents: {careful: {}}}'
	try 0 --json -- true
	[[ $(json "$output" "d['sandbox']['profile']") == readonly ]] || show_run
	try 0 --json --agent careful --sandbox none -- true
	[[ $(json "$output" "d['sandbox']['profile']") == strict ]] || show_run
}

@test "walls that write nothing stay so behind stronger ones" {
	policy user <<-'YAML'
		version: 1
		include: [developer]
		agents: {reviewer: {sandbox: readonly}, builder: {}}
	YAML
	printf '#!/bin/sh\necho ran\ntouch "$1"\n' >script
	chmod +x script
	try 0 --agent builder -- ./script by-builder
	[[ -e by-builder ]]
	try 1 --agent reviewer -- ./script by-reviewer
	expect_in_stdout ran
	[[ ! -e by-reviewer ]]
	# The result, the record and the explanation call it by its name.
	try 1 --json --agent reviewer -- ./script by-reviewer
	[[ $(json "$output" 'd["sandbox"]["profile"]') == readonly ]] || show_run
	run -0 --separate-stderr "$WRIT" audit show "$(json "$output" 'd["run_id"]')"
	[[ $output == *readonly* && $output != *workspace* ]] || show_run
	run --separate-stderr "$WRIT" policy explain --agent reviewer -- ./script by-reviewer
	[[ $output == *"readonly, network"* ]] || show_run
}

@test "an agent that no policy names is denied" {
	policy user <<<'{version: 1, sandbox: none, rules: [{allow: {}}], agents: {known: {}}}'
	try 0 --agent known -- true
	try 125 --agent stranger -- true
	expect_in_stderr stranger
}

@test "a policy that others can write is refused, and so is its directory" {
	allow_all user
	chmod g+w "$WRIT_CONFIG_DIR/policy.yaml"
	try 125 -- true
	expect_in_stderr "can be changed by other users"
	chmod g-w "$WRIT_CONFIG_DIR/policy.yaml"
	try 0 -- true
	chmod o+w "$WRIT_CONFIG_DIR"
	try 125 -- true
	expect_in_stderr "which other users can change"
	chmod o-w "$WRIT_CONFIG_DIR"
}

@test "a policy where runs may write is refused, but not one in .writ" {
	cat >mine.yaml <<<'{version: 1, rules: [{allow: {}}]}'
	WRIT_POLICY=$project/mine.yaml try 125 -- true
	expect_in_stderr "is in a place where runs may write"
	mv mine.yaml .writ/
	WRIT_POLICY=$project/.writ/mine.yaml try 0 -- true
}

@test "a policy with faults refuses every run, with the place and how many more" {
	policy user <<-'YAML'
		version: 1
		rules:
		  - alow: {}
		  - deny: {efect: read}
	YAML
	try 125 -- true
	expect_in_stderr "policy.yaml:3:"
	expect_in_stderr "and 2 more"
	try 125 --json -- true
	[[ $(json "$output" "d['error']['code']") == invalid ]] || show_run
}

@test "a failing line of expect is a fault, and one that was looked at is remembered" {
	policy user <<-'YAML'
		version: 1
		default: deny
		sandbox: none
		rules: [{allow: {program: echo}}]
		expect:
		  - allow: echo hi
		  - allow: printf hi
	YAML
	try 125 -- echo hi
	expect_in_stderr "policy.yaml:7:"
	expect_in_stderr "expected allow"
	policy user <<-'YAML'
		version: 1
		default: deny
		sandbox: none
		rules: [{allow: {program: echo}}]
		expect: [{allow: echo hi}, {deny: printf hi}]
	YAML
	try 0 -- echo hi
	[[ $(find "$WRIT_STATE_DIR/policies" -type f | wc -l) == 1 ]]
	try 0 -- echo hi
}

@test "a denial outranks what is missing" {
	policy user <<<'{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {program: nosuchprogram}}]}'
	try 125 -- nosuchprogram
	expect_in_stderr "does not allow"
	try 127 -- /no/such/one
	try 125 --cwd /no/such/directory -- nosuchprogram
	expect_in_stderr "does not allow"
	try 125 --cwd /no/such/directory -- true
	expect_in_stderr "/no/such/directory"
}

@test "the home directory is known without the variable as well" {
	local home
	home=$(getent passwd "$(id -u)" | cut -d: -f6)
	[[ -d $home ]] || skip "this user has no home directory"
	policy user <<<'{version: 1, rules: [{allow: {}}, {deny: {read: ["~/.ssh/**"]}}]}'
	unset HOME
	try 125 -- cat "$home/.ssh/id_none"
	expect_in_stderr "does not allow"
}

@test "nobody is asked about a program that is not there" {
	policy user <<<'{version: 1, rules: [{ask: {}}]}'
	try 127 -- nosuchprogram
	expect_in_stderr "no program 'nosuchprogram'"
	try 125 -- true
}

@test "a refusal tells an agent what it can do, and a person how to have it explained" {
	policy user <<<'{version: 1, rules: [{deny: {agent: reviewer}}, {allow: {}}], agents: {reviewer: {}}}'
	try 125 --agent reviewer -- true a
	expect_in_stderr "try: do it another way, or tell the user"
	run -3 "$WRIT" policy explain --agent reviewer -- true a
}

@test "the result and the records say what was decided, and by which rule" {
	policy user <<-'YAML'
		version: 1
		default: deny
		sandbox: none
		rules:
		  - allow: {program: echo}
		  - deny: {program: printf}
	YAML
	try 0 --json -- echo hi
	[[ $(json "$output" "d['policy']['decision']") == allow ]] || show_run
	[[ $(json "$output" "d['policy']['rule']") == "$WRIT_CONFIG_DIR/policy.yaml:5:5" ]] || show_run
	try 125 --json -- printf hi
	[[ $(json "$output" "d['error']['code']") == denied ]] || show_run
	run records
	[[ $output == *'"kind":"begin"'*'"policy":{"decision":"allow","rule":"'*'policy.yaml:5:5"'* ]] || show_run
	[[ $output == *'"kind":"refused"'*'"policy":{"decision":"deny","rule":"'*'policy.yaml:6:5"'* ]] || show_run
}

@test "what has to be asked about is refused where nobody is asked" {
	policy user <<<'{version: 1, default: ask, sandbox: readonly}'
	try 125 --json -- true
	[[ $(json "$output" "d['error']['code']") == approval_required ]] || show_run
	try 125 --json --sandbox none -- true
	[[ $(json "$output" "d['error']['code']") == denied ]] || show_run
	[[ $(json "$output" "d['error']['message']") == *"nobody can be asked: there is no terminal, and profile 'none' has no sandbox"* ]] || show_run
}

@test "a command that says what it writes can write beside that and nowhere else" {
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}]}'
	mkdir one other
	: >one/file
	try 0 -- touch one/file
	try 0 -- cp one/file other/copy
	[[ -e other/copy ]]
	try 0 -- mv other/copy one/moved
	[[ -e one/moved && ! -e other/copy ]]
	run --separate-stderr "$WRIT" policy explain --json -- touch one/file
	[[ $(json "$output" "d['sandbox']['write']") == "['$project/one']" ]] || show_run
	run --separate-stderr "$WRIT" policy explain --json -- sh -c 'eval "$X"'
	[[ $(json "$output" "d['sandbox']['write']") == "['$project']" ]] || show_run
}

@test "below the top of a repository the whole of it is the root" {
	need git
	rm -r .writ
	policy user <<<'{version: 1, include: [developer]}'
	git init -q .
	cd below/deeper || return
	try 0 -- git -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m one
	try 0 -- git log --format=%s
	expect_stdout one
	printf '#!/bin/sh\ntouch ../../made\n' >script
	chmod +x script
	try 0 -- ./script
	[[ -e $project/made ]]
	# Whose top anybody could have made is none; its directories are not
	# writable then, or not those of the machine.
	rm "$project/made"
	chmod o+w "$project"
	run "$WRIT" run --no-ask -- ./script
	[[ ! -e $project/made ]]
}

@test "outside of the roots only what a rule names becomes writable" {
	outside=$(mktemp -d /var/writ-outside-XXXXXX 2>/dev/null) || skip "nothing outside of /tmp can be written"
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}]}'
	run --separate-stderr "$WRIT" run --no-ask -- touch "$outside/file"
	[[ $status != 0 && ! -e $outside/file ]] || show_run
	policy user <<<"{version: 1, sandbox: workspace, rules: [{allow: {}}, {allow: {write: ['$outside/**']}}]}"
	try 0 -- touch "$outside/file"
	[[ -e $outside/file ]]
	rm -r "$outside"
}

@test "a path of a description's own is below the home directory" {
	need git
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}, {deny: {write: ["~/.gitconfig"]}}]}'
	try 125 -- git config --global user.name x
	expect_in_stderr .gitconfig
	try 0 -- touch '~'
}

@test "programs that nobody may run are not there, not even for scripts" {
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}, {deny: {program: [id]}}]}'
	try 126 -- python3 -c 'import os; os.execv("/usr/bin/id", ["id"])' || try 1 -- python3 -c 'import os; os.execv("/usr/bin/id", ["id"])'
	[[ $output != *uid=* ]] || show_run
}

@test "what the request opens for a command is judged like what the command opens" {
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}, {deny: {write: ["/srv/**", "~/.ssh/**"]}}, {deny: {read: ["**/secret"]}}]}'
	: >secret
	try 125 --write /srv -- true
	expect_in_stderr /srv
	# shellcheck disable=SC2088 # writ takes it for the home directory
	try 125 --write '~/.ssh' -- true
	expect_in_stderr .ssh
	try 125 --stdin file:secret -- cat
	expect_in_stderr secret
}

@test "a path that the request names is writable, also where a run has its own" {
	policy user <<<'{version: 1, sandbox: workspace, rules: [{allow: {}}]}'
	elsewhere=$(mktemp -d /tmp/writ-elsewhere-XXXXXX)
	try 0 --write "$elsewhere" -- touch "$elsewhere/typed"
	try 0 --write "$elsewhere" -- sh -c 'echo x >"$0"/untyped' "$elsewhere"
	[[ -e $elsewhere/typed && -e $elsewhere/untyped ]]
	rm -r "$elsewhere"
}

@test "the record says which agent counted" {
	policy user <<<'{version: 1, sandbox: none, default_agent: me, rules: [{allow: {}}]}'
	try 0 -- true
	run records
	[[ $output == *'"agent":"me"'* ]] || show_run
}

@test "a project does not say who asks" {
	policy user <<<'{version: 1, sandbox: none, rules: [{allow: {}}]}'
	policy project <<<'{version: 1, default_agent: other, rules: [{allow: {}}]}'
	try 0 -- true
	run records
	[[ $output == *'"agent":"local"'* && $output != *'"agent":"other"'* ]] || show_run
}

@test "a project includes nothing from elsewhere, and learns nothing of it" {
	echo 'hunter2: secret' >"$BATS_TEST_TMPDIR/secret.yaml"
	ln -s "$BATS_TEST_TMPDIR/secret.yaml" .writ/link.yaml
	for name in "$BATS_TEST_TMPDIR/secret.yaml" ../../secret.yaml ./link.yaml; do
		policy project <<<"{version: 1, include: [$name]}"
		try 125 -- true
		expect_in_stderr "includes presets, and files of its own directory"
		[[ $stderr != *hunter2* ]] || show_run
	done
	echo '{version: 1, rules: [{allow: {}}]}' >.writ/more.yaml
	policy project <<<'{version: 1, include: [./more.yaml]}'
	try 0 -- true
}

@test "a policy that includes a file follows that file" {
	mkdir "$WRIT_CONFIG_DIR/parts"
	cat >"$WRIT_CONFIG_DIR/parts/base.yaml" <<<'{version: 1, sandbox: none, rules: [{allow: {}}]}'
	policy user <<<'{version: 1, include: [parts/base.yaml], rules: [{deny: {program: printf}}]}'
	try 0 -- echo hi
	try 125 -- printf hi
	chmod o+w "$WRIT_CONFIG_DIR/parts/base.yaml"
	try 125 -- echo hi
	expect_in_stderr "can be changed by other users"
}

@test "an isolated call is decided by what its module runs" {
	policy user <<<'{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {program: writ}}, {deny: {module: cli.echo}}]}'
	run --separate-stderr "$WRIT" call --isolated cli.printf '{"format":"hi"}'
	[[ $status == 0 && $output == hi* ]] || show_run
	run --separate-stderr "$WRIT" call --isolated cli.echo '{"word":["hi"]}'
	[[ $status == 125 ]] || show_run
	expect_in_stderr "does not allow"
	run --separate-stderr "$WRIT" run -- "$WRIT" --internal-sandbox-runner cli.printf
	[[ $status == 125 ]] || show_run
}

@test "nobody can claim that a call was decided about" {
	policy user <<<'{version: 1, default: ask, sandbox: readonly}'
	WRIT_MODULE_DECIDED="$(date +%s):0000000000000000000000000000000000000000000000000000000000000000"
	export WRIT_MODULE_DECIDED
	run --separate-stderr "$WRIT" --internal-sandbox-runner cli.printf <<<'{"format":"hi"}'
	[[ $status != 0 ]] || show_run
	expect_in_stderr approval_required
}
