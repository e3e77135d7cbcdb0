#!/usr/bin/env bats
# bats file_tags=anyone
# The completions, asked of the shells themselves.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load shower

options_of_run() {
	"$WRIT" run --help | grep -o '^  \(-., \)\?--[a-z-]*' | grep -o -- '--.*' | sort
}

# in_bash WORD...: what bash offers for the last word, sorted, on one line.
in_bash() {
	bash --norc --noprofile -c '
		. /dev/stdin
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_writ
		printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd" "
	' bash "$@" < <("$WRIT" completion bash)
}

# in_fish LINE: what fish offers, sorted, on one line.
in_fish() {
	HOME=$BATS_TEST_TMPDIR "$WRIT" completion fish >"$BATS_TEST_TMPDIR/writ.fish"
	HOME=$BATS_TEST_TMPDIR fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
		"$BATS_TEST_TMPDIR/writ.fish" "$1" | cut -f1 | sort | paste -sd' '
}

# in_zsh LINE: the list that zsh shows for the end of the line. It needs a
# terminal for that, which zpty gives it.
in_zsh() {
	"$WRIT" completion zsh >"$BATS_TEST_TMPDIR/_writ"
	ZDOTDIR=$BATS_TEST_TMPDIR timeout 60 zsh -f -s "$BATS_TEST_TMPDIR" "$1" <<-'END'
		zmodload zsh/zpty
		zpty -b shell 'zsh -f -i'
		wait_for() {
			local i chunk
			text=
			for ((i = 0; i < 1000; i++)); do
				while zpty -rt shell chunk; do text+=$chunk; done
				[[ $text == *${~1}* ]] && return
				sleep 0.02
			done
			print -r -- "zsh never came to $1: $text" >&2
			exit 1
		}
		zpty -w shell "PROMPT= RPROMPT=; stty cols 200 rows 100; LISTMAX=10000"
		zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
		zpty -w shell "listed() { zle list-choices; zle -R; zle -M LIS''TED }"
		zpty -w shell "zle -N listed; bindkey '^Y' listed; print REA''DY"
		wait_for 'READY*2004h'
		zpty -w -n shell "$2"$'\x19'
		wait_for LISTED
		print -r -- "$text"
	END
}

@test "an unknown shell is refused" {
	run -2 --separate-stderr "$WRIT" completion csh
	expect_in_stderr "writ: completion: unknown shell 'csh', expected bash, zsh or fish"
	run -2 --separate-stderr "$WRIT" completion
	expect_in_stderr "writ: completion: say which shell: bash, zsh or fish"
}

# bats test_tags=smoke
@test "bash: commands, options and values" {
	[[ $(in_bash writ '') == "--help --version apply approvals audit call completion config doctor ensure facts help init kill mcp module output policy ps run sandbox schema session validate version wait" ]]
	[[ $(in_bash writ r) == run ]]
	[[ $(in_bash writ run --time) == --timeout ]]
	[[ $(in_bash writ run --background '') == "keep kill" ]]
	[[ $(in_bash writ run --background = k) == "keep kill" ]]
	[[ $(in_bash writ run --env-mode i) == "inherit isolated" ]]
	[[ $(in_bash writ policy e) == explain ]]
	[[ $(in_bash writ config '') == show ]]
	[[ $(in_bash writ mcp i) == install ]]
	[[ $(in_bash writ mcp install --client c) == "claude codex cursor" ]]
	[[ $(in_bash writ mcp --exp) == --expose ]]
	[[ $(in_bash writ completion '') == "bash fish zsh" ]]
	[[ $(in_bash writ help ve) == version ]]
	[[ $(in_bash writ ensure '') == "exec file" ]]
	[[ $(in_bash writ ensure file /x --ensure '') == "absent directory present" ]]
	[[ $(in_bash writ session '') == "list new report" ]]
	[[ $(in_bash writ apply --no) == --noop ]]
	[[ $(in_bash writ sandbox '') == "check list show" ]]
	[[ $(in_bash writ sandbox list --j) == --json ]]
	[[ $(in_bash writ sandbox --config-dir /tmp show --j) == --json ]]
	[[ $(in_bash writ config show --state) == --state-dir ]]
	[[ $(in_bash writ audit se) == search ]]
	[[ $(in_bash writ audit stats --by '') == "agent day outcome program sandbox" ]]
	[[ $(in_bash writ audit verify --an) == --anchor ]]
	[[ $(in_bash writ run --network '') == "default host loopback off" ]]
}

@test "presets and files are offered as policies" {
	need fish zsh
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
	cd "$BATS_TEST_TMPDIR"
	touch devices.yaml
	[[ $(in_bash writ run --policy dev) == "developer devices.yaml" ]]
	[[ $(in_bash writ policy show devel) == developer ]]
	[[ $(in_fish 'writ run --policy devel') == *developer* ]]
	run -0 in_zsh 'writ run --policy devel'
	expect_in_stdout developer
}

@test "the profiles are offered, those of the user too" {
	need fish zsh
	mkdir -p "$BATS_TEST_TMPDIR/config/profiles" "$BATS_TEST_TMPDIR/bin"
	echo 'extends: strict' >"$BATS_TEST_TMPDIR/config/profiles/stricter.yaml"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config PATH=$BATS_TEST_TMPDIR/bin:$PATH
	[[ $(in_bash writ run --sandbox '') == "env none readonly strict stricter workspace" ]]
	[[ $(in_bash writ run --sandbox str) == "strict stricter" ]]
	cd "$BATS_TEST_TMPDIR"
	[[ $(in_bash writ run --sandbox ./con) == ./config ]]
	[[ $(in_fish 'writ run --sandbox str') == "strict stricter" ]]
	run -0 in_zsh 'writ run --sandbox str'
	expect_in_stdout stricter
}

@test "what a module says is offered and never executed" {
	need fish zsh
	make_modules
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	cat >"$modules/evil.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: test.evil
		  command: [/bin/true]
		  input_schema:
		    properties:
		      'a\$(touch\${IFS}$BATS_TEST_TMPDIR/hit)': {type: string}
		      'b\`touch\${IFS}$BATS_TEST_TMPDIR/hit\`': {type: string}
		      c: {enum: ['\$(touch $BATS_TEST_TMPDIR/hit)', 'x y']}
	EOF
	in_bash writ call test.evil --
	[[ $(in_bash writ call test.evil --c x) == "x y" ]]
	[[ $(in_bash writ call test.evil --c '') == *'$(touch '* ]]
	in_fish 'writ call test.evil --'
	in_fish 'writ call test.evil --c '
	run in_zsh 'writ call test.evil --'
	run in_zsh 'writ call test.evil --c '
	[[ ! -e $BATS_TEST_TMPDIR/hit ]]
}

@test "modules are offered, then their names and words" {
	need fish zsh
	make_modules
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	[[ $(in_bash writ call test.) == "test.fail test.show" ]]
	[[ $(in_bash writ call --ti) == --timeout ]]
	[[ $(in_bash writ call --timeout 5s test.show --m) == "--max-count --message --mode" ]]
	[[ $(in_bash writ call test.show --mode '') == "fast slow" ]]
	[[ $(in_bash writ call test.show --mode = f) == fast ]]
	[[ $(in_bash writ call test.show --mode =) == "fast slow" ]]
	[[ $(in_bash writ module '') == "add check explain list search show" ]]
	[[ $(in_bash writ module show test.s) == test.show ]]
	[[ $(in_bash writ module explain --sh) == --shell ]]
	[[ $(in_bash writ module list --tier b) == builtin ]]
	[[ $(in_bash writ call cli.timeou) == cli.timeout ]]
	[[ $(in_bash writ call cli.timeout --kill) == --kill-after ]]
	[[ $(in_fish 'writ call test.s') == test.show ]]
	[[ $(in_fish 'writ call --timeout 5s test.show --me') == --message ]]
	[[ $(in_fish 'writ call test.show --mode f') == fast ]]
	[[ $(in_fish 'writ call test.show --mode=f') == --mode=fast ]]
	[[ $(in_fish 'writ call --ti') == --timeout ]]
	[[ $(in_fish 'writ module show test.s') == test.show ]]
	run -0 in_zsh 'writ call test.'
	expect_in_stdout test.fail
	run -0 in_zsh 'writ call test.show --m'
	expect_in_stdout "How many"
	run -0 in_zsh 'writ call test.show --mode '
	expect_in_stdout slow
	run -0 in_zsh 'writ call test.show --mode='
	expect_in_stdout slow
}

@test "the runs that are going are offered to those who wait for them or end them" {
	need fish zsh
	local id
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state PATH=$BATS_TEST_TMPDIR/bin:$PATH
	id=$("$WRIT" run --detach -- sleep 60)
	[[ $(in_bash writ wait '') == "$id" ]]
	[[ $(in_bash writ kill --now 0) == "$id" ]]
	[[ $(in_fish 'writ kill 0') == "$id" ]]
	run -0 in_zsh "writ wait ${id:0:25}"
	expect_in_stdout "$id"
	"$WRIT" kill "$id"
	[[ $(in_bash writ kill '') == "" ]]
}

@test "the ids of runs are offered" {
	need fish zsh
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state PATH=$BATS_TEST_TMPDIR/bin:$PATH
	"$WRIT" run -- true
	local id
	id=$("$WRIT" audit list --ids)
	[[ $(in_bash writ audit show "${id:0:3}") == "$id" ]]
	[[ $(in_fish "writ audit replay ${id:0:3}") == "$id" ]]
	run -0 in_zsh "writ audit show ${id:0:3}"
	expect_in_stdout "$id"
}

@test "the sessions of applies are offered" {
	need fish zsh
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
	"$WRIT" apply - <<<'ccm: { resources: [ { exec: { name: /bin/true } } ] }'
	local id
	id=$("$WRIT" session list --ids)
	[[ $(in_bash writ apply --resume "${id:0:3}") == "$id" ]]
	[[ $(in_fish "writ session report --session ${id:0:3}") == "$id" ]]
	run -0 in_zsh "writ apply --resume ${id:0:3}"
	expect_in_stdout "$id"
}

@test "bash: every option of run is offered" {
	local offered
	offered=$(in_bash writ run -- | tr ' ' '\n')
	[[ $offered == *--timeout* && $offered == "$(options_of_run)" ]]
}

@test "bash: directories where a directory is wanted" {
	mkdir "$BATS_TEST_TMPDIR/dir"
	touch "$BATS_TEST_TMPDIR/dirt"
	[[ $(in_bash writ run --cwd "$BATS_TEST_TMPDIR/di") == "$BATS_TEST_TMPDIR/dir" ]]
	[[ $(in_bash writ run --request "$BATS_TEST_TMPDIR/di") == "$BATS_TEST_TMPDIR/dir $BATS_TEST_TMPDIR/dirt" ]]
}

@test "bash: the program's words are not writ's" {
	[[ $(in_bash writ run --timeout 3s -- true --time) == "" ]]
	[[ $(in_bash writ run -e A=1 true --time) == "" ]]
	[[ " $(in_bash writ run -- print) " == *" printf "* ]]
	[[ " $(in_bash writ run -q print) " == *" printf "* ]]
}

@test "bash: the script has no findings" {
	need shellcheck
	shellcheck -s bash - < <("$WRIT" completion bash)
}

# bats test_tags=full
@test "fish: commands, options and values" {
	need fish
	[[ $(in_fish 'writ ') == *"apply approvals audit call completion config doctor ensure facts help init kill mcp module output policy ps run sandbox schema session validate version wait"* ]]
	[[ $(in_fish 'writ run --time') == --timeout ]]
	[[ $(in_fish 'writ run --background ') == "keep kill" ]]
	[[ $(in_fish 'writ run --env-mode i') == "inherit isolated" ]]
	[[ $(in_fish 'writ config sh') == show ]]
	[[ $(in_fish 'writ config show --state') == --state-dir ]]
	[[ $(in_fish 'writ sandbox ') == "check list show" ]]
	[[ $(in_fish 'writ sandbox list --j') == --json ]]
	[[ $(in_fish 'writ completion ') == "bash fish zsh" ]]
}

# bats test_tags=full
@test "fish: every option of run is offered" {
	need fish
	local offered
	offered=$(in_fish 'writ run --' | tr ' ' '\n')
	[[ $offered == *--timeout* && $offered == "$(options_of_run)" ]]
}

# bats test_tags=full
@test "fish: the program's words are not writ's" {
	need fish
	[[ $(in_fish 'writ run --timeout 3s true --time') == "" ]]
	[[ $(in_fish 'writ run -- true --time') == "" ]]
	[[ " $(in_fish 'writ run print') " == *" printf "* ]]
}

# bats test_tags=full
@test "fish: a value is not taken for the program" {
	need fish
	[[ $(in_fish 'writ run --timeout 3s --idle') == --idle-timeout ]]
}

# bats test_tags=full
@test "zsh: the function is found by its name" {
	need zsh
	"$WRIT" completion zsh >"$BATS_TEST_TMPDIR/_writ"
	run -0 zsh -f -c 'fpath=($1 $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[writ]' \
		zsh "$BATS_TEST_TMPDIR"
	expect_stdout _writ
}

# bats test_tags=full
@test "zsh: commands, options and values" {
	need zsh
	run -0 in_zsh 'writ '
	for command in run config version help completion; do
		expect_in_stdout "$command "
	done
	[[ $output != *_manual* ]]
	run -0 in_zsh 'writ run --idle-timeout 3s --'
	expect_in_stdout "--timeout"
	expect_in_stdout "End the run after this long, like 30s"
	run -0 in_zsh 'writ run --tree '
	expect_in_stdout "keeper"
	expect_in_stdout "pidns"
	run -0 in_zsh 'writ config '
	expect_in_stdout "show"
	run -0 in_zsh 'writ sandbox '
	expect_in_stdout "Show what is wrong with a profile file"
	run -0 in_zsh 'writ config show --state'
	expect_in_stdout "--state-dir"
}

# bats test_tags=full
@test "zsh: the program's words are not writ's" {
	need zsh
	run -0 in_zsh 'writ run true --'
	[[ $output != *--idle-timeout* ]]
	run -0 in_zsh 'writ run -q -- print'
	expect_in_stdout "printf"
}
