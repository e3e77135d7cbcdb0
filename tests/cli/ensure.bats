#!/usr/bin/env bats
# bats file_tags=anyone
# writ ensure: one resource from the command line.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
}

# event: the JSON of one ensure is in $OUT.
event() {
	local wanted=$1 type=$2
	shift 2
	to_files "$wanted" "$WRIT" ensure "$type" --json "$@"
}

# bats test_tags=smoke
@test "a command line is split, words behind -- are not" {
	to_files 0 "$WRIT" ensure exec "printf '%s|' a\\ b 'c d'" --logoutput
	says '    a b|c d|'
	to_files 0 "$WRIT" ensure exec --logoutput -- printf '%s|' 'a b' "it's"
	says "    a b|it's|" "exec#printf '%s|' 'a b'"
	printf '#!/bin/sh\necho spaced\n' >"$D/a program"
	chmod +x "$D/a program"
	to_files 0 "$WRIT" ensure exec --logoutput -- "$D/a program"
	says '    spaced'
}

@test "every property of an exec" {
	event 0 exec --name n "sh -c 'echo \$A; pwd; umask; cat; exit 3'" --returns 3 --returns 4 --timeout 5s --cwd "$D" \
		-e A=1 --environment B=2 --path /usr/bin:/bin --stdin text --umask 077 --tries 2 --try-sleep 1ms --alias al \
		--provider posix --logoutput --memory 200MiB --processes 50 --cpu 5s --max-output 1MiB
	expect 'e("n")["changed"] and e("al")["status"]["exitcode"] == 3'
	[[ $(xargs <"$ERR") == "1 $D 0077 text" ]] || show
}

@test "guards: creates, removes, --exec-if, --exec-unless" {
	event 0 exec "touch $D/a" --creates "$D/a"
	expect 'es[0]["changed"]'
	event 0 exec "touch $D/a" --creates "$D/a"
	expect 'not es[0]["changed"]'
	event 0 exec "touch $D/b" --removes "$D/none"
	event 0 exec "touch $D/b" --exec-if /bin/false
	event 0 exec "touch $D/b" --exec-if /bin/true --exec-if /bin/false
	event 0 exec "touch $D/b" --exec-unless /bin/true
	expect 'not has("b")'
	event 0 exec "touch $D/b" --exec-if /bin/true --exec-unless /bin/false
	expect 'has("b")'
}

@test "--if and --unless are expressions" {
	event 0 exec "touch $D/a" --if "Facts.role == 'web'" --fact role=db
	expect 'es[0]["skipped"] and not has("a")'
	event 0 exec "touch $D/a" --unless "Facts.role == 'web'" --fact role=db
	expect 'has("a")'
}

@test "expressions are filled in, and stay in their word" {
	event 0 exec "touch $D/{{ Facts.name }}" --fact 'name=a b'
	expect 'has("a b")'
	event 0 exec --name x -- touch "$D/\${ 1 + 1 }"
	expect 'has("2")'
	event 0 exec --name y -- touch "$D/{{{{"
	expect 'has("{{")'
}

@test "a shell because it says so" {
	to_files 0 "$WRIT" ensure exec 'echo a | tr a b' --provider shell --logoutput
	says '    b'
}

@test "the command has a minute, or what --timeout says" {
	event 4 exec 'sleep 30' --timeout 200ms
	expect '"timed out after 200ms" in es[0]["error"][0]'
	to_files 0 "$WRIT" ensure exec /bin/true --timeout 0
}

@test "a health check" {
	event 4 exec /bin/true --check "sh -c 'echo x >>$D/tries; exit 1'" --check-tries 3 --check-sleep 1ms
	expect 'read("tries") == "x\nx\nx\n"'
	to_files 1 "$WRIT" ensure exec /bin/true --check-tries 3
	says 'belong to a --check'
}

@test "files: content, source, mode, owner with its group, directories, absence" {
	event 0 file "$D/f" --content 'one {{ 1 + 1 }}' --mode 640
	[[ $(<"$D/f") == 'one 2' && $(stat -c %a "$D/f") == 640 ]]
	event 0 file "$D/f" --content 'one 2' --mode 0640
	expect 'not es[0]["changed"]'
	echo other >"$D/source"
	event 0 file "$D/f" --source source --owner "$(id -u):$(id -g)"
	[[ $(<"$D/f") == other ]]
	event 0 file "$D/dir" --ensure directory --mode 0700
	[[ $(stat -c %a "$D/dir") == 700 ]]
	touch "$D/dir/x"
	event 4 file "$D/dir" --ensure absent
	event 0 file "$D/dir" --ensure absent --force
	[[ ! -e $D/dir ]]
}

@test "an owner's group counts" {
	[[ $(id -u) == 0 ]] || skip "only root gives files away"
	event 0 file "$D/f" --content x --owner 12:34
	[[ $(stat -c %u:%g "$D/f") == 12:34 ]]
	to_files 1 "$WRIT" ensure file "$D/f" --owner 1:2 --group 3
	says 'names a group'
}

@test "--noop does nothing and shows the difference" {
	to_files 2 "$WRIT" ensure file "$D/f" --content $'new\n' --noop --detailed-exitcode
	says 'Would have created the file' '    +new'
	to_files 0 "$WRIT" ensure exec "touch $D/x" --noop
	says 'Would have executed'
	[[ ! -e $D/f && ! -e $D/x ]]
}

@test "exit statuses: 0, 2 and 4 of this resource, whatever the session has" {
	eval "$("$WRIT" session new)"
	to_files 4 "$WRIT" ensure exec /bin/false
	to_files 0 "$WRIT" ensure exec /bin/true
	to_files 2 "$WRIT" ensure exec /bin/true --detailed-exitcode
	to_files 0 "$WRIT" ensure exec /bin/true --creates / --detailed-exitcode
}

@test "faults are told without places that nobody wrote" {
	to_files 1 "$WRIT" ensure exec 'x' --timeout 30
	[[ $(head -n 1 "$ERR") == "writ: ensure exec: "*duration* ]] || show
	to_files 1 "$WRIT" ensure exec "unfinished 'quote"
	to_files 1 "$WRIT" ensure file relative/path --content x
	to_files 1 "$WRIT" ensure exec x --returns many
	says "--returns: 'many' is not a whole number"
	to_files 1 "$WRIT" ensure exec x --timeout 1s --timeout 2s
	says '--timeout was given twice'
	event 1 exec 'x' --timeout 30
	[[ $(json "$(<"$OUT")" 'len(d["error"]["details"]["problems"])') == 1 ]] || show
}

@test "wrong usage is 1" {
	to_files 1 "$WRIT" ensure
	to_files 1 "$WRIT" ensure exce
	says "did you mean 'exec'"
	to_files 1 "$WRIT" ensure exec
	says 'nothing to run'
	to_files 1 "$WRIT" ensure file
	to_files 1 "$WRIT" ensure file /a /b
	says "unexpected word '/b'"
}
