#!/usr/bin/env bats
# bats file_tags=anyone
# What a description calls a secret is in no record, whoever ran the command.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load modules
load trail

setup() { modules_setup; }

begin() { trail "of('begin')[-1]$1"; }

# describe DIR PROGRAM: a description of a program of ours, which has --pin.
describe() {
	mkdir -p "$1"
	cat >"$1/$2.command.yaml" <<-END
		command: $2
		about: A program of ours
		options:
		  --pin <secret>: what nobody may see
		effects: []
	END
	chmod -R go-w "$1"
}

# bats test_tags=smoke
@test "the secret of an option is in no record, and the rest of the argv is" {
	run --separate-stderr "$WRIT" run --json -- curl -s -u me:pw1 http://127.0.0.1:1/
	[[ $(begin '["argv"]') == "['curl', '-s', '-u', '[secret]', 'http://127.0.0.1:1/']" ]]
	[[ $(begin '["redacted"]') == True ]]
	[[ $output != *me:pw1* && $stderr != *me:pw1* ]]
	keeps_out me:pw1
	run -0 --separate-stderr "$WRIT" audit show -
	expect_in_stdout "curl -s -u '[secret]' http://127.0.0.1:1/"
	run -0 --separate-stderr "$WRIT" audit show - --json
	[[ $output != *me:pw1* ]]
	run -0 --separate-stderr "$WRIT" audit verify
}

@test "a record names the module that the words are a use of" {
	run -0 --separate-stderr "$WRIT" run -- echo hello
	[[ $(begin '["module"]') == cli.echo ]]
	run "$WRIT" run -- git --no-pager log -1
	[[ $(begin '["module"]') == cli.git.log ]]
	run "$WRIT" run -- git --no-such-option
	[[ $(begin '["module"]') == None ]]
	run -0 "$WRIT" run --shell 'echo hello'
	[[ $(begin '["module"]') == None ]]
	run -0 --separate-stderr "$WRIT" audit list --text cli.echo --json
	[[ $(json "$output" 'len(d)') == 1 ]]
}

@test "a secret inside a command inside a command goes too" {
	run "$WRIT" run -- timeout 9 env A=1 curl -s -u me:pw1 http://127.0.0.1:1/
	[[ $(begin '["argv"][-3:]') == "['-u', '[secret]', 'http://127.0.0.1:1/']" ]]
	run "$WRIT" run -- sh -c 'curl -s -u me:pw1 http://127.0.0.1:1/; echo done'
	run "$WRIT" run --shell 'curl -s -u "me:pw1" http://127.0.0.1:1/; echo done'
	run "$WRIT" run --shell 'MY_TOKEN=me:pw1 echo done'
	keeps_out me:pw1
	keeps_out pw1
}

@test "a secret is told even if the rest is not understood" {
	run "$WRIT" run -- curl -s --no-such-option -u me:pw1 http://127.0.0.1:1/
	[[ $(begin '["module"]') == None ]]
	run -127 "$WRIT" run -- no-such-program --password=me:pw1
	run -127 "$WRIT" run -- ./no/such/program --token me:pw1
	keeps_out me:pw1
	[[ $(trail 'len(of("refused"))') == 2 ]]
}

@test "a secret in a text for a shell that nobody understands goes too: record and question" {
	local text way
	for text in 'curl -u me:pw12345 http://127.0.0.1:1/$x; echo $?' 'x=$(curl -u "me:pw12345" $u)' \
		'if true; then curl -s -u me:pw12345 $u; fi' "bash -c 'curl -u me:pw12345 \$u'" 'API_TOKEN=pw12345 true $x'; do
		run "$WRIT" run -q -- sh -c "$text"
		[[ $(begin '["argv"]') == *"[secret]"* ]] || show_run
		run "$WRIT" run -q --shell "$text"
		[[ $(begin '["shell"]') == *"[secret]"* ]] || show_run
		run "$WRIT" run -q -- env sh -c "$text"
		run "$WRIT" run -q --stdin "text:$text" -- sh
		keeps_out pw12345
	done
	# What waits for an answer, with the text as words, as a string and as input.
	printf 'version: 1\ndefault: ask\n' >"$BATS_TEST_TMPDIR/ask.yaml"
	export WRIT_POLICY=$BATS_TEST_TMPDIR/ask.yaml
	text='curl -u me:pw12345 http://127.0.0.1:1/$x'
	for way in words string input; do
		case $way in
		words) set -- -- sh -c "$text" ;;
		string) set -- --shell "$text" ;;
		input) set -- --stdin "text:$text" -- sh ;;
		esac
		"$WRIT" run "$@" </dev/null >/dev/null 2>&1 3>&- &
		local asker=$!
		wait_for eval '[[ -n $("$WRIT" approvals list --ids) ]]'
		local id
		id=$("$WRIT" approvals list --ids)
		run -0 "$WRIT" approvals show "$id"
		[[ $output == *'[secret] http://127.0.0.1:1/$x'* ]] || show_run
		keeps_out pw12345
		"$WRIT" approvals deny "$id"
		wait "$asker" || true
	done
}

@test "a list of what runs has no secret of a text for a shell" {
	mkfifo go
	"$WRIT" run -q -- sh -c 'API_TOKEN=pw12345; read x <go; true $x' 3>&- &
	local asker=$!
	wait_for eval '[[ -n $("$WRIT" ps --ids) ]]'
	run -0 "$WRIT" ps
	[[ $output == *"API_TOKEN=[secret]; read x <go"* ]] || show_run
	run -0 "$WRIT" ps --json
	[[ $output != *pw12345* ]] || show_run
	echo >go
	wait "$asker"
}

@test "a short secret goes only where it stands" {
	run -0 "$WRIT" run -- env A_TOKEN=e echo here
	[[ $(begin '["argv"]') == "['env', 'A_TOKEN=[secret]', 'echo', 'here']" ]]
}

@test "a long secret goes wherever it stands" {
	run -0 "$WRIT" run -- env A_TOKEN=hunter-two echo say-hunter-two
	[[ $(begin '["argv"]') == "['env', 'A_TOKEN=[secret]', 'echo', 'say-[secret]']" ]]
}

@test "equal requests have equal hashes, also if a secret differs nowhere else" {
	run "$WRIT" run -- env A_TOKEN=one true
	run "$WRIT" run -- env A_TOKEN=one true
	run "$WRIT" run -- env A_TOKEN=two true
	[[ $(trail '[x["request"] == of("begin")[0]["request"] for x in of("begin")]') == "[True, True, False]" ]]
}

@test "a description of the user counts" {
	describe "$WRIT_CONFIG_DIR/modules" our-tool
	run -127 "$WRIT" run -- our-tool --pin 4711
	[[ $(trail '(of("refused")[-1]["argv"], of("refused")[-1]["module"])') == "(['our-tool', '--pin', '[secret]'], 'cli.our_tool')" ]]
}

@test "a description that is broken, or in foreign hands, fails no run and hides no less" {
	mkdir -p "$WRIT_CONFIG_DIR/modules"
	echo 'command: [' >"$WRIT_CONFIG_DIR/modules/env.command.yaml"
	run -0 --separate-stderr "$WRIT" run -- env A_TOKEN=hunter2 echo hello
	expect_stdout hello
	[[ $(begin '["module"]') == None ]]
	keeps_out hunter2
	describe "$WRIT_CONFIG_DIR/modules" env
	chmod 666 "$WRIT_CONFIG_DIR/modules/env.command.yaml"
	run -0 --separate-stderr "$WRIT" run -- env A_TOKEN=hunter2 echo hello
	[[ $(begin '["module"]') == None ]]
	keeps_out hunter2
}

@test "a project cannot hide what is run in it" {
	mkdir -p project/.writ
	describe project/.writ/modules our-tool
	cd project
	run -127 "$WRIT" run -- our-tool --pin 4711
	[[ $(trail '(of("refused")[-1]["argv"], of("refused")[-1]["module"])') == "(['our-tool', '--pin', '4711'], None)" ]]
}
