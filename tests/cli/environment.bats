#!/usr/bin/env bats
# What a command finds in its environment, and what never gets there.
load helpers
load running

# names: the names of the variables in $output, sorted, on one line. The shell's
# own are not among them: env is executed directly.
names() { printf '%s\n' "${lines[@]}" | sed 's/=.*//' | sort | tr '\n' ' '; }

value() { printf '%s\n' "${lines[@]}" | sed -n "s/^$1=//p"; }

# bats test_tags=smoke
@test "minimal: six variables and nothing else" {
	run -0 --separate-stderr env -i WRIT_POLICY=open HOME=/h USER=u LOGNAME=l PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm \
		SECRET=1 SHELL=/bin/x EDITOR=vi LC_ALL=C DISPLAY=:0 "$WRIT" run --state-dir "$WRIT_STATE_DIR" -- env
	[[ $(names) == "HOME LANG LOGNAME PATH TERM USER " ]] || show_run
	[[ $(value TERM) == dumb && $(value HOME) == /h && $(value PATH) == /usr/bin:/bin ]] || show_run
}

@test "minimal is the standard" {
	run -0 --separate-stderr env FOO=bar "$WRIT" run --state-dir "$WRIT_STATE_DIR" -- env
	[[ $(value FOO) == "" ]] || show_run
}

@test "clean: what the user's account says, and the C locale" {
	run -0 --separate-stderr env -i WRIT_POLICY=open HOME=/h USER=u LOGNAME=l SHELL=/x PATH=/usr/bin:/bin LANG=de_DE LC_ALL=de_DE FOO=1 \
		"$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode clean -e BAR=2 -- env
	[[ $(names) == "BAR HOME LANG LC_ALL LOGNAME PATH SHELL USER " ]] || show_run
	[[ $(value LANG) == C && $(value LC_ALL) == C && $(value USER) == "$(id -un)" && $(value LOGNAME) == "$(id -un)" ]] || show_run
	[[ $(value HOME) == "$(getent passwd "$(id -u)" | cut -d: -f6)" ]] || show_run
	[[ $(value SHELL) == "$(getent passwd "$(id -u)" | cut -d: -f7)" ]] || show_run
}

@test "isolated: a private home, the module variables, no secrets" {
	run -0 --separate-stderr env -i WRIT_POLICY=open HOME=/h USER=u PATH=/usr/bin:/bin LANG=C LC_ALL=C APCORE_MODE=x APCORE_TOKEN=t \
		WRIT_MODULE_A=1 WRIT_MODULE_API_KEY=k FOO=1 "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- env
	[[ $(names) == "APCORE_MODE HOME LANG LC_ALL PATH TMPDIR WRIT_MODULE_A " ]] || show_run
	[[ $(value HOME) == /*/writ-* && $(value HOME) == "$(value TMPDIR)" ]] || show_run
}

@test "isolated: the private directory is fresh, private, and gone afterwards" {
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- \
		sh -c 'echo "$HOME"; ls -A "$HOME" | wc -l; stat -c "%a %u" "$HOME"; touch "$HOME/x" "$TMPDIR/y"'
	[[ ${lines[1]} == 0 && ${lines[2]} == "700 $(id -u)" && ! -e ${lines[0]} ]] || show_run
	first=${lines[0]}
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- sh -c 'echo "$HOME"'
	[[ ${lines[0]} != "$first" ]] || show_run
}

@test "isolated: the private directory goes, whatever was done to it" {
	# shellcheck disable=SC2016 # for the command's shell
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- sh -c '
		cd "$HOME" || exit 1
		mkdir -p a/b/c deep
		touch a/b/c/file a/b/other
		ln -s / root
		ln -s "$HOME" deep/loop
		mkfifo pipe
		chmod 0 a/b/c
		chmod 500 a/b
		chmod 0 a
		chmod 0 .
		echo "$HOME"'
	[[ -n ${lines[0]} && ! -e ${lines[0]} ]] || show_run
	[[ -d /etc ]]
}

@test "isolated: a very deep tree goes, too" {
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- python3 -c 'import os
print(os.environ["HOME"])
os.chdir(os.environ["HOME"])
for level in range(600):
    os.mkdir("n" * 100)
    os.chdir("n" * 100)'
	[[ -n ${lines[0]} && ! -e ${lines[0]} ]] || { rm -rf "${lines[0]}"; show_run; }
}

@test "isolated: the private directory goes after a timeout and after a start that failed" {
	local parent=/dev/shm before
	[[ -w $parent ]] || parent=/tmp
	run -124 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated --timeout 200ms --grace 100ms -- sh -c 'echo "$HOME"; sleep 30'
	[[ -n ${lines[0]} && ! -e ${lines[0]} ]] || show_run
	before=$(find "$parent" -maxdepth 1 -name 'writ-*' -user "$(id -u)" | sort)
	run -127 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode isolated -- no-such-program
	for dir in $(find "$parent" -maxdepth 1 -name 'writ-*' -user "$(id -u)" | sort); do
		# Others may be running writ at the same time; theirs do not stay.
		grep -qxF "$dir" <<<"$before" || wait_for test ! -e "$dir"
	done
}

@test "inherit: everything but what runs code" {
	run -0 --separate-stderr env -i PATH=/usr/bin:/bin FOO=1 BAR=2 LD_BIND_NOT=1 BASH_ENV=/x "$WRIT" run --policy open --state-dir "$WRIT_STATE_DIR" --env-mode inherit -- env
	[[ $(names) == "BAR FOO PATH " ]] || show_run
}

@test "variables that make programs run code never pass, in any mode" {
	local hostile=(LD_AUDIT=/x.so LD_LIBRARY_PATH=/x BASH_ENV=/x ENV=/x GIT_SSH_COMMAND=x GIT_EXTERNAL_DIFF=x
		PYTHONPATH=/x PYTHONSTARTUP=/x PERL5LIB=/x PERL5OPT=-Mx RUBYOPT=-rx NODE_OPTIONS=-rx JAVA_TOOL_OPTIONS=-x
		GCONV_PATH=/x SHELLOPTS=xtrace PS4=x IFS=x 'BASH_FUNC_ls%%=() { :; }' LESSOPEN=x PAGER=x EDITOR=x)
	for mode in minimal clean isolated inherit; do
		run -0 --separate-stderr env -i WRIT_POLICY=open PATH=/usr/bin:/bin "${hostile[@]}" "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode "$mode" --pass '*' -- env
		for entry in "${hostile[@]}"; do
			[[ $output != *"${entry%%=*}="* ]] || show_run
		done
	done
}

@test "LD_PRELOAD does not reach the command" {
	# The loader complains about an object that it cannot find.
	run -0 --separate-stderr bash -c 'LD_PRELOAD=/nowhere/evil.so exec "$1" run --env-mode inherit -- true' bash "$WRIT"
	[[ $(grep -c evil.so <<<"$stderr") -le 1 ]] || show_run # once: writ's own start
	run -0 --separate-stderr bash -c 'LD_PRELOAD=/nowhere/evil.so exec "$1" run --env-mode inherit -- env' bash "$WRIT"
	[[ $output != *LD_PRELOAD* ]] || show_run
}

@test "BASH_ENV is not read by the command's shell" {
	echo 'echo owned' >"$BATS_TEST_TMPDIR/rc"
	run -0 --separate-stderr env BASH_ENV="$BATS_TEST_TMPDIR/rc" ENV="$BATS_TEST_TMPDIR/rc" "$WRIT" run --state-dir "$WRIT_STATE_DIR" --env-mode inherit -- bash -c 'echo fine'
	expect_stdout fine
}

@test "what is set on purpose passes, code or not" {
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" -e PYTHONPATH=/x -e A= -e 'B=a b=c' -- env
	[[ $(value PYTHONPATH) == /x && $(value B) == "a b=c" && $output == *$'\nA='* ]] || show_run
	run -0 --separate-stderr env PYTHONPATH=/y "$WRIT" run --state-dir "$WRIT_STATE_DIR" --pass PYTHONPATH -- env
	[[ $(value PYTHONPATH) == /y ]] || show_run
}

@test "--pass takes patterns, --drop outweighs it, --env outweighs both" {
	run -0 --separate-stderr env A_1=1 A_2=2 B=3 "$WRIT" run --state-dir "$WRIT_STATE_DIR" --pass 'A_*' -- env
	[[ $(value A_1) == 1 && $(value A_2) == 2 && $(value B) == "" ]] || show_run
	run -0 --separate-stderr env A_1=1 A_2=2 B=3 "$WRIT" run --state-dir "$WRIT_STATE_DIR" --pass 'A_*' --pass B --drop '*_2' -- env
	[[ $(value A_1) == 1 && $(value A_2) == "" && $(value B) == 3 ]] || show_run
	run -0 --separate-stderr env A=1 "$WRIT" run --state-dir "$WRIT_STATE_DIR" --pass A --drop A -e A=2 -- env
	[[ $(value A) == 2 ]] || show_run
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" --drop HOME --drop 'LOG*' -- env
	[[ $(names) != *HOME* && $(names) != *LOGNAME* ]] || show_run
}

@test "a name that occurs twice in writ's environment occurs once in the command's" {
	run -0 --separate-stderr python3 -c 'import ctypes, sys
argv = [sys.argv[1], b"run", b"--state-dir", sys.argv[2], b"--pass", b"A", b"--", b"env"]
argv = [a if isinstance(a, bytes) else a.encode() for a in argv]
env = [b"PATH=/usr/bin:/bin", b"A=1", b"A=2", b"nonsense", b"=odd"]
array = lambda items: (ctypes.c_char_p * (len(items) + 1))(*items, None)
ctypes.CDLL(None).execve(argv[0], array(argv), array(env))' "$WRIT" "$WRIT_STATE_DIR"
	[[ $(grep -c '^A=' <<<"$output") == 1 && $output != *nonsense* && $output != *=odd* ]] || show_run
}

@test "without PATH the usual places are searched" {
	run -0 --separate-stderr env -i WRIT_POLICY=open "$WRIT" run --state-dir "$WRIT_STATE_DIR" -- env
	[[ $(value PATH) == *:/usr/bin:* ]] || show_run
}

@test "the command's PATH decides, not writ's" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho mine\n' >"$BATS_TEST_TMPDIR/bin/tool"
	chmod +x "$BATS_TEST_TMPDIR/bin/tool"
	run -0 --separate-stderr "$WRIT" run --state-dir "$WRIT_STATE_DIR" -e PATH="$BATS_TEST_TMPDIR/bin:/usr/bin:/bin" -- tool
	expect_stdout mine
	run -127 --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin:$PATH" "$WRIT" run --state-dir "$WRIT_STATE_DIR" -e PATH=/usr/bin:/bin -- tool
}

same_everywhere() {
	run -0 --separate-stderr env -i WRIT_POLICY=open PATH=/usr/bin:/bin HOME=/h LANG=C FOO=1 "${BEFORE[@]}" "$WRIT" run --state-dir "$WRIT_STATE_DIR" "${TREE[@]}" -- env
	[[ $(names) == "HOME LANG PATH TERM " ]] || show_run
}

@test "no hold adds anything to the environment" {
	each_hold same_everywhere
}
