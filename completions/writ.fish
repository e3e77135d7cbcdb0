# fish completion for writ: `writ __complete` says what may stand here.
function __writ_ask
	set -l words (commandline -opc)
	set -l word (commandline -ct | string unescape)
	command -q writ; and command writ __complete -- $words[2..-1] "$word" 2>/dev/null
end

function __writ_offer
	set -l rows (__writ_ask)
	set -l first (string split -m 1 ' ' -- "$rows[1]")
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	test (count $rows) -gt 1; and printf '%s\n' $rows[2..-1]
	switch "$first[1]"
		case :directories
			printf '%s\n' "$first[2]"(__fish_complete_directories (string sub -s (math 1 + (string length -- "$first[2]")) -- $word) '')
		case :command
			__fish_complete_command
		case :users
			__fish_complete_users
		case :groups
			__fish_complete_groups
		case :program
			complete -C (string join ' ' -- (string escape -- $words[(math 2 + $first[2])..-1]) "$word")
	end
end

complete -c writ -e
complete -c writ -f -a '(__writ_offer)'
# Files are fish's own: it knows how to quote them, and the path in --option=PATH.
complete -c writ -n 'string match -q ":files*" -- (__writ_ask)[1]' -F
