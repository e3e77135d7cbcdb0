#!/usr/bin/env bats
# bats file_tags=anyone
# The completions, asked of the shells themselves.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2030,SC2031,SC2154
load helpers
load shower

# The scripts ask the writ that the shell finds.
setup() {
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

options_of_run() {
	"$WRIT" run --help | grep -o '^  \(-., \)\?--[a-z-]*' | grep -o -- '--.*' | sort
}

# in_bash WORD...: what bash offers for the last word, sorted, on one line. What it
# would put into the command line is read as bash reads it there.
in_bash() {
	bash --norc --noprofile -c '
		. /dev/stdin
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_writ
		eval "printf \"%s\n\" ${COMPREPLY[*]}" | sort | paste -sd" "
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

# answer WORD...: what `writ __complete` says of the last word. It never fails, and
# says nothing on standard error.
answer() {
	run -0 --separate-stderr "$WRIT" __complete -- "$@"
	expect_stderr ""
}

# typed SHELL LINE...: the words of each line after a TAB at its end.
typed() {
	local shell=$1
	shift
	"$WRIT" completion "$shell" >"$BATS_TEST_TMPDIR/script"
	HOME=$BATS_TEST_TMPDIR TERM=xterm \
		"$BATS_TEST_DIRNAME/typed.py" "$shell" "$BATS_TEST_TMPDIR/script" "$@"
}

@test "an unknown shell is refused" {
	run -2 --separate-stderr "$WRIT" completion csh
	expect_in_stderr "writ: completion: unknown shell 'csh', expected bash, zsh or fish"
	run -2 --separate-stderr "$WRIT" completion
	expect_in_stderr "writ: completion: say which shell: bash, zsh or fish"
}

# bats test_tags=smoke
@test "bash: commands, options and values" {
	[[ $(in_bash writ '') == "--help --version apply approvals attach audit call completion config diff doctor ensure facts fleet help init kill manifest mcp module output policy ps quarantine redo run sandbox schema session trial undo validate version wait watch" ]]
	[[ $(in_bash writ ru) == run ]]
	[[ $(in_bash writ run --time) == --timeout ]]
	[[ $(in_bash writ run --background '') == "keep kill" ]]
	[[ $(in_bash writ run --background = k) == "keep kill" ]]
	[[ $(in_bash writ run --env-mode i) == "inherit isolated" ]]
	[[ $(in_bash writ policy e) == explain ]]
	[[ $(in_bash writ config '') == show ]]
	[[ $(in_bash writ mcp i) == install ]]
	[[ $(in_bash writ mcp install --client c) == "claude claude-desktop codex copilot cursor" ]]
	[[ $(in_bash writ mcp --exp) == --expose ]]
	[[ $(in_bash writ completion '') == "bash fish zsh" ]]
	[[ $(in_bash writ help ve) == version ]]
	[[ $(in_bash writ ensure '') == "archive edit exec file group package service user" ]]
	[[ $(in_bash writ ensure file /x --ensure '') == "absent directory link present" ]]
	[[ $(in_bash writ session '') == "end list new owed report run show start" ]]
	[[ $(in_bash writ apply --no) == --noop ]]
	[[ $(in_bash writ sandbox '') == "check list show" ]]
	[[ $(in_bash writ sandbox list --j) == --json ]]
	[[ $(in_bash writ sandbox --config-dir /tmp show --j) == --json ]]
	[[ $(in_bash writ config show --state) == --state-dir ]]
	[[ $(in_bash writ audit se) == search ]]
	[[ $(in_bash writ audit stats --by '') == "agent day outcome program sandbox" ]]
	[[ $(in_bash writ audit verify --an) == --anchor ]]
	[[ $(in_bash writ run --network '') == "default host hosts loopback off" ]]
}

@test "presets and files are offered as policies" {
	need fish zsh
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
	mkdir -p "$BATS_TEST_TMPDIR/config/profiles"
	echo 'extends: strict' >"$BATS_TEST_TMPDIR/config/profiles/stricter.yaml"
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	[[ $(in_bash writ run --sandbox '') == "container env none readonly strict stricter workspace" ]]
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
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
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
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
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
	[[ $(in_fish 'writ ') == *"apply approvals attach audit call completion config diff doctor ensure facts fleet help init kill manifest mcp module output policy ps quarantine redo run sandbox schema session trial undo validate version wait watch"* ]]
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

@test "__complete: candidates have descriptions, values have none" {
	answer ''
	[[ ${lines[0]} == : && ${lines[1]} == $'run\tRun a command, confined'* ]] || show_run
	[[ $output != *__complete* && $output != *_manual* ]] || show_run
	answer run --idle
	expect_in_stdout $'--idle-timeout\tEnd the run after this long without output\n'
	[[ $output != *$'\n-q'* ]] || show_run
	answer run -
	expect_in_stdout $'\n-q\tNo status line'
	answer run --background ''
	expect_stdout $':\nkill\nkeep'
	answer run --background=k
	expect_stdout $':\n--background=kill\n--background=keep'
	answer help sandbox ''
	expect_in_stdout $'\nshow\tPrint a profile'
	answer help run ''
	expect_stdout :
}

@test "__complete: what the shell knows better is left to it" {
	answer run --request ''
	expect_stdout :files
	answer run --request=a/b
	expect_stdout ":files --request="
	answer run --cwd ''
	expect_stdout :directories
	answer run --user=''
	expect_stdout ":users --user="
	answer run -q ''
	expect_stdout :command
	answer run -qe A=1 -- git pu
	expect_stdout ":program 4"
	answer policy explain git pu
	expect_stdout ":program 2"
	answer run --sandbox ./a
	expect_stdout :files
	answer run --timeout ''
	expect_stdout :
	answer validate -
	expect_in_stdout --help
	answer validate -- -
	expect_stdout :files
}

@test "__complete: no words bring it out of step" {
	local word
	for word in '' - -- --- = --= --=x -x -- --nosuch=x '$(x)' $'a\nb' $'\e[2J' $'\xff\xfe' "'" '"' '\\'; do
		for command in '' run call audit nosuch; do
			answer "$command" --state-dir "$word" "$word"
			[[ ${lines[0]} == :* ]] || show_run
			answer "$command" "$word" -- "$word" "$word"
			[[ ${lines[0]} == :* && $output != *$'\e'* ]] || show_run
		done
	done
	[[ ! -e $WRIT_STATE_DIR ]]
	run -0 --separate-stderr "$WRIT" __complete
	expect_in_stdout "writ __complete -- WORD..."
}

@test "__complete: what cannot be read is no error" {
	local command
	echo : >"$BATS_TEST_TMPDIR/file"
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/file WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/file
	for command in "audit show" wait "approvals show" "approvals revoke" "apply --resume" "call nosuch" "module show" \
		"run --sandbox" "run --policy" "call"; do
		# shellcheck disable=SC2086
		answer $command ''
		[[ ${lines[0]} == :* ]] || show_run
	done
	WRIT_POLICY=/nosuch answer run --policy ''
	"$WRIT" __complete -- run -- '' >&-
	"$WRIT" __complete -- call '' 2>&- | grep -q cli.git
}

@test "__complete: a text of a module stays on its line" {
	make_modules
	cat >"$modules/evil.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.evil
		  command: [/bin/true]
		  input_schema:
		    properties:
		      a: {type: string, description: "one\n:files\ttwo\e[2J"}
		      b: {type: string, description: "\e[31mone\ttwo"}
		      c: {enum: ["x\n:directories", ":files", "\e]0;t\a", "y\tz"]}
	EOF
	answer call test.evil --
	[[ ${#lines[@]} == 5 && ${lines[0]} == : && $output != *$'\e'* ]] || show_run
	answer call test.evil --c ''
	[[ ${lines[0]} == : && $output != *$'\e'* && $output != *$'\n:directories'* && $output != *$'\t'* ]] || show_run
	expect_in_stdout $'\n:files'
}

@test "a closed list has no file names in it, and no text of the option" {
	need fish zsh
	cd "$BATS_TEST_TMPDIR"
	touch keepsake killer
	[[ $(in_fish 'writ run --background k') == "keep kill" ]]
	[[ $(in_fish 'writ ps k') == "" ]]
	HOME=$BATS_TEST_TMPDIR run -0 fish --no-config -c 'source writ.fish; complete -C "writ run --background k"'
	expect_stdout $'keep\nkill'
	run -0 in_zsh 'writ run --background k'
	expect_in_stdout "keep"
	[[ $output != *keepsake* ]] || show_run
}

@test "bash: words at '=' and ':' are put together, and the program is found" {
	in_bash_with_package() {
		bash --norc --noprofile -c '
			. "$1"
			_command_offset() { COMPREPLY=("$1 ${COMP_WORDS[$1]}"); }
			shift
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
			_writ
			echo "${COMPREPLY[@]}"
		' bash "$WRIT_SOURCE/completions/writ" "$@"
	}
	[[ $(in_bash_with_package writ run --network = off --stdin text : x -- git pu) == "10 git" ]]
	[[ $(in_bash_with_package writ run --network = off git pu) == "5 git" ]]
	[[ $(in_bash writ run --network=l) == --network=loopback ]]
	[[ $(in_bash writ run --stdin fil) == file: ]]
}

@test "without writ the shells offer nothing and say nothing" {
	need fish zsh
	local program
	"$WRIT" completion fish >"$BATS_TEST_TMPDIR/writ.fish"
	rm "$BATS_TEST_TMPDIR/bin/writ"
	for program in bash fish zsh; do
		ln -s "$(command -v "$program")" "$BATS_TEST_TMPDIR/bin/$program"
	done
	HOME=$BATS_TEST_TMPDIR PATH=$BATS_TEST_TMPDIR/bin run -0 fish --no-config -c \
		'source $argv[1]; complete -C "writ ru"; complete -C "writ run --cwd "' "$BATS_TEST_TMPDIR/writ.fish"
	expect_stdout ""
	PATH=$BATS_TEST_TMPDIR/bin run -0 bash --norc --noprofile -uc \
		'. "$1"; COMP_WORDS=(writ ru) COMP_CWORD=1; _writ; echo "${#COMPREPLY[@]}"' bash "$WRIT_SOURCE/completions/writ"
	expect_stdout 0
	PATH=$BATS_TEST_TMPDIR/bin run zsh -f -c \
		'compdef() { :; }; . "$1"; words=(writ ru) CURRENT=2 PREFIX=ru; _writ' zsh "$WRIT_SOURCE/completions/_writ"
	expect_stdout ""
}

# bats test_tags=full
@test "fish and zsh: the program's own completions are used" {
	need fish zsh
	cd "$BATS_TEST_TMPDIR"
	"$WRIT" completion fish >writ.fish
	HOME=$BATS_TEST_TMPDIR run -0 fish --no-config -c 'source writ.fish
		complete -c other -f -l option
		complete -C "writ run --timeout=3s -- other --opt"'
	expect_stdout --option
	run -0 in_zsh 'writ run --timeout=3s -- chmod --re'
	expect_in_stdout --reference
}

@test "what is completed is one word, and nothing of it is executed" {
	need bash zsh fish python3
	local shell
	make_modules
	cat >"$modules/evil.binding.yaml" <<-'EOF'
		spec_version: "1.0"
		bindings:
		- module_id: test.evil
		  command: [/bin/true]
		  input_schema:
		    properties:
		      c: {enum: ['x $(touch hit) y', 'z;`touch hit`', "q'\";touch hit"]}
	EOF
	touch 'a$(touch hit)' 'b`touch hit`' "c'; touch hit; '" 'd"; touch hit; "' $'e\ntouch hit' 'f&touch hit' 'g h'
	mkdir 'j $(touch hit)'
	cat >"$BATS_TEST_TMPDIR/expected" <<-'EOF'
		(writ)(run)
		(writ)(run)(--env-mode=clean)
		(writ)(run)(--request)(a$(touch hit))
		(writ)(run)(--request=b`touch hit`)
		(writ)(validate)(c'; touch hit; ')
		(writ)(run)(--policy)(d"; touch hit; ")
		(writ)(run)(--request)(e
		touch hit)
		(writ)(run)(--request)(f&touch hit)
		(writ)(run)(--)(cat)(g h)
		(writ)(run)(--cwd=j $(touch hit))
		(writ)(call)(test.evil)(--c)(x $(touch hit) y)
		(writ)(call)(test.evil)(--c=z;`touch hit`)
		(writ)(call)(test.evil)(--c)(q'";touch hit)
	EOF
	for shell in bash zsh fish; do
		# zsh takes the '/' of a directory away again.
		typed $shell 'writ ru' 'writ run --env-mode=cl' 'writ run --request a' 'writ run --request=b' \
			'writ validate c' 'writ run --policy d\"' 'writ run --request e' 'writ run --request f' \
			'writ run -- cat g' 'writ run --cwd=j' 'writ call test.evil --c x' \
			'writ call test.evil --c=z' 'writ call test.evil --c q' |
			sed 's:/)$:):' | diff "$BATS_TEST_TMPDIR/expected" -
	done
	[[ ! -e hit ]]
}
