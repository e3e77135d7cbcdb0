#!/usr/bin/env bats
# bats file_tags=anyone
# The help, and that what it says is what the program does.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

commands=(run mcp watch ps output attach wait kill diff undo redo trial quarantine approvals audit schema init config version help completion)

# The long options that the help of a command shows.
options_of() {
	"$WRIT" "$1" --help | sed -n 's/^  \(-., \)\?--\([a-z-]*\).*/\2/p'
}

# bats test_tags=smoke
@test "writ --help lists every command and no hidden one" {
	run -0 --separate-stderr "$WRIT" --help
	for command in "${commands[@]}"; do
		expect_in_stdout $'\n'"  $command "
	done
	[[ $output != *_manual* ]]
	expect_stderr ""
}

@test "writ help is writ --help" {
	diff <("$WRIT" --help) <("$WRIT" help)
	diff <("$WRIT" --help) <("$WRIT" -h)
}

@test "every command has the same text behind help and --help" {
	for command in "${commands[@]}"; do
		diff <("$WRIT" "$command" --help) <("$WRIT" help "$command")
	done
}

@test "a command within a command has its own help, reached both ways" {
	for words in "config show" "schema validate" "schema check" "sandbox list" "sandbox show" "sandbox check" \
		"audit "{list,show,tail,search,stats,verify,replay,export,prune,checkpoint} \
		"trial "{list,diff,accept,drop} "quarantine "{list,show,restore} "approvals "{list,show,approve,deny,watch,grants,revoke} "mcp "{serve,install,check}; do
		# shellcheck disable=SC2086 # two words
		diff <("$WRIT" $words --help) <("$WRIT" help $words)
		# shellcheck disable=SC2086
		run -0 "$WRIT" help $words
		expect_in_stdout $'\nUsage\n  writ '"$words"
	done
	run -0 "$WRIT" help sandbox
	expect_in_stdout $'\nCommands\n  list '
	run -2 --separate-stderr "$WRIT" help sandbox lst
	expect_in_stderr "writ: sandbox: unknown word 'lst', did you mean 'list'?"
	run -2 --separate-stderr "$WRIT" help config show more
	expect_in_stderr "writ: help: unexpected word 'more'"
}

@test "every help teaches: usage, examples, options, exit statuses" {
	for command in "${commands[@]}"; do
		run -0 "$WRIT" help "$command"
		for heading in Usage Examples "Exit status"; do
			expect_in_stdout $'\n'"$heading"$'\n'
		done
		expect_in_stdout "--help"
	done
}

@test "no help is wider than 80 columns" {
	for command in "${commands[@]}"; do
		"$WRIT" help "$command" | awk 'length > 80 { print; bad = 1 } END { exit bad }'
	done
	"$WRIT" --help | awk 'length > 80 { print; bad = 1 } END { exit bad }'
}

@test "the help of run has its groups in order" {
	run -0 "$WRIT" run --help
	expect_in_stdout "Exit status"
	local rest=$output
	for group in "What runs" "Where and as whom" "Environment" "Input and output" \
		"Time" "Limits" "Ending" "Output of writ" "Exit status"; do
		[[ $rest == *$'\n'"$group"$'\n'* ]] || show_run
		rest=${rest#*$'\n'"$group"$'\n'}
	done
}

@test "every option in a help is accepted by its command" {
	for command in "${commands[@]}"; do
		local count=0
		for option in $(options_of "$command"); do
			# Either it takes the word, or a time, or it is a switch.
			"$WRIT" "$command" "--$option" /x --help >/dev/null 2>&1 ||
				"$WRIT" "$command" "--$option" 2h --help >/dev/null 2>&1 ||
				"$WRIT" "$command" "--$option" --help >/dev/null
			count=$((count + 1))
		done
		((count > 0))
	done
}

@test "run has every option that it promises" {
	diff <(options_of run | sort) - <<-'END'
		agent
		approval
		approval-session
		ask-timeout
		audit-durability
		audit-failure
		audit-key
		background
		best-effort
		columns
		connect
		cpu
		cwd
		description
		detach
		drop
		dry-run
		env
		env-mode
		explain
		explain-denials
		file-size
		grace
		group
		help
		hide
		host
		idle-timeout
		json
		keep
		max-output
		memory
		network
		nice
		no-ask
		open-files
		output-limit
		pass
		policy
		processes
		pty
		publish
		quiet
		raw
		read
		record
		request
		root
		rows
		sandbox
		secret
		session
		shell
		spill-dir
		spill-limit
		state-dir
		stays
		stdin
		timeout
		tmp
		tmp-size
		trace-id
		tree
		umask
		undo
		user
		write
	END
}

@test "the options of run and the keys of a request are the same set" {
	# argv are the operands, stdin and stdin_file are both --stdin, and each
	# --secret finds one of the secrets.
	diff <("$WRIT" _manual run options | sed -n 's/.* Key: \(.*\)\.$/\1/p' | sort) \
		<("$WRIT" _manual run keys | sed -n 's/^\*\(.*\)\* (.*/\1/p' |
			grep -vx -e argv -e secrets -e stdin -e 'stdin\\_file' | sort)
}

@test "the help is plain in a pipe and has bold headings on a terminal" {
	need script
	run -0 "$WRIT" --help
	[[ $output != *$'\033'* ]]
	run -0 on_terminal "'$WRIT' --help"
	expect_in_stdout $'\033[1mUsage\033[0m'
	run -0 on_terminal "NO_COLOR=1 '$WRIT' --help"
	[[ $output != *$'\033'* ]]
	run -0 on_terminal "TERM=dumb '$WRIT' --help"
	[[ $output != *$'\033'* ]]
}

@test "a help that cannot be written is a failure" {
	run -1 --separate-stderr sh -c '"$1" --help >/dev/full' sh "$WRIT"
	expect_stderr "writ: cannot write to standard output: No space left on device"
}

@test "help of an unknown command says so and what is near" {
	run -2 --separate-stderr "$WRIT" help confg
	expect_stderr "writ: unknown command 'confg', did you mean 'config'?"$'\n'"  try: writ --help"
}

@test "version says which writ and which kernel" {
	run -0 --separate-stderr "$WRIT" version
	[[ ${lines[0]} =~ ^writ\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	[[ ${lines[1]} == "Linux $(uname -r) $(uname -m)" ]]
	diff <("$WRIT" version) <("$WRIT" --version)
	diff <("$WRIT" version) <("$WRIT" -V)
}

@test "version --json is one object" {
	run -0 --separate-stderr "$WRIT" version --json
	[[ $(json "$output" 'd["kernel"]') == "$(uname -r)" ]]
	[[ "writ $(json "$output" 'd["version"]')" == "$("$WRIT" version | head -n 1)" ]]
}

@test "every command and the library have a manual page that can be made" {
	need scdoc
	for name in writ.1 libwrit.3 "${commands[@]/%/.1}"; do
		local page="$WRIT_SOURCE/docs/man/$name.scd"
		[[ -f $page ]] || page="$WRIT_SOURCE/docs/man/writ-$name.scd"
		run -0 "$WRIT_SOURCE/tools/man-page" "$WRIT" scdoc 1.2.3 "$page"
		expect_in_stdout ".SH NAME"
		expect_in_stdout "writ 1.2.3"
		! grep -E '@[A-Z]+@' <<<"$output"
	done
}

@test "the manual page of run has each option and each exit status" {
	need scdoc
	run -0 "$WRIT_SOURCE/tools/man-page" "$WRIT" scdoc 1.2.3 "$WRIT_SOURCE/docs/man/writ-run.1.scd"
	local text=${output//\\/}
	for option in $(options_of run); do
		[[ $text == *"--$option"* ]] || show_run
	done
	for code in 124 125 126 127 128+N 130 141; do
		[[ $text == *"fB$code"* ]] || show_run
	done
}
