#!/usr/bin/env bats
# Runs inside a sandbox: what a person sees of it.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

setup() {
	umask 022
	unset WRIT_CONFIG_DIR WRIT_SYSTEM_DIR XDG_CONFIG_HOME XDG_STATE_HOME
	# The machine's own directories decide nothing here.
	export HOME=$BATS_TEST_TMPDIR/home WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/etc
	mkdir -p "$HOME/.ssh" "$BATS_TEST_TMPDIR/work" "$BATS_TEST_TMPDIR/outside" "$WRIT_STATE_DIR"
	echo secret >"$HOME/.ssh/id"
	echo old >"$BATS_TEST_TMPDIR/outside/file"
	OUTSIDE=$BATS_TEST_TMPDIR/outside
	cd "$BATS_TEST_TMPDIR/work" || return
	need_walls
}

# Where this user can have no namespaces at all, there is nothing to look at.
need_walls() {
	if [[ $(id -u) == 0 ]]; then
		unshare -m true 2>/dev/null && return
	else
		unshare -Um true 2>/dev/null && return
	fi
	[[ ${WRIT_MUST_RUN:-} != 1 ]] || return
	skip "no namespaces for this user"
}

in_workspace() { "$WRIT" run --sandbox workspace "$@"; }

# refused MESSAGE OPTION...: nothing is run.
refused() {
	run -125 --separate-stderr "$WRIT" run "${@:2}" -- touch ran
	expect_stdout ""
	expect_in_stderr "$1"
	[[ ! -e ran ]]
}

# bats test_tags=smoke
@test "every profile runs a command and passes on output and status" {
	for profile in none env readonly workspace strict; do
		run -7 --separate-stderr "$WRIT" run --sandbox "$profile" --shell 'echo out; echo err >&2; exit 7'
		expect_stdout out
		expect_stderr err
		run -137 --separate-stderr "$WRIT" run --sandbox "$profile" --shell 'kill -9 $$'
		run -127 --separate-stderr "$WRIT" run --sandbox "$profile" -- no-such-program
		run -124 --separate-stderr "$WRIT" run --sandbox "$profile" --timeout 200ms --grace 0 -- sleep 60
	done
}

@test "the result names the profile, its network and its layers" {
	for profile in none env readonly workspace strict; do
		run -0 --separate-stderr "$WRIT" run --json --sandbox "$profile" -- true
		[[ $(json "$output" 'list(d["sandbox"])') == "['profile', 'network', 'session', 'tmp', 'tmp_by', 'layers', 'missing', 'created', 'denials']" ]]
		[[ $(json "$output" 'd["sandbox"]["profile"]') == "$profile" ]]
		[[ $(json "$output" 'd["sandbox"]["missing"] + d["sandbox"]["created"] + d["sandbox"]["denials"]') == "[]" ]]
		case $profile in
		none | env) [[ $(json "$output" 'd["sandbox"]["network"], d["sandbox"]["layers"]') == "('host', [])" ]] || show_run ;;
		workspace) [[ $(json "$output" 'd["sandbox"]["network"]') == loopback ]] || show_run ;;
		*) [[ $(json "$output" 'd["sandbox"]["network"], {"no_new_privs", "landlock", "seccomp"} <= set(d["sandbox"]["layers"])') == "('off', True)" ]] || show_run ;;
		esac
		case $profile in
		workspace | strict) [[ $(json "$output" '{"mountns", "pidns", "netns"} <= set(d["sandbox"]["layers"])') == True ]] || show_run ;;
		esac
	done
}

@test "without --sandbox there is none" {
	run -0 --separate-stderr "$WRIT" run --json -- true
	[[ $(json "$output" 'd["sandbox"]') == "{'profile': 'none', 'network': 'host', 'session': None, 'tmp': None, 'tmp_by': None, 'layers': [], 'missing': [], 'created': [], 'denials': []}" ]]
	WRIT_SANDBOX=strict run -0 --separate-stderr "$WRIT" run --json -- true
	[[ $(json "$output" 'd["sandbox"]["profile"]') == none ]]
}

@test "workspace writes the working directory and nothing else" {
	run -0 --separate-stderr in_workspace --shell 'echo new >file; mkdir -p d && echo x >d/x; cat file'
	expect_stdout new
	[[ $(<d/x) == x ]]
	run ! --separate-stderr in_workspace -- sh -c "echo new >'$OUTSIDE/file'"
	[[ $(<"$OUTSIDE/file") == old ]]
	run ! --separate-stderr in_workspace -- rm "$OUTSIDE/file"
	run ! --separate-stderr in_workspace -- touch /etc/writ-was-here
	run ! --separate-stderr in_workspace -- touch "$HOME/x"
	[[ -e $OUTSIDE/file && ! -e $HOME/x && ! -e /etc/writ-was-here ]]
}

@test "readonly writes nothing but its TMPDIR" {
	run ! --separate-stderr "$WRIT" run --sandbox readonly -- touch file
	[[ ! -e file ]]
	run -0 --separate-stderr "$WRIT" run --sandbox readonly --shell 'echo x >"$TMPDIR/x" && cat "$TMPDIR/x"'
	expect_stdout x
	echo here >there
	run -0 --separate-stderr "$WRIT" run --sandbox readonly -- cat there
	expect_stdout here
}

@test "strict sees neither the home directory nor other files" {
	run ! --separate-stderr "$WRIT" run --sandbox strict -- cat "$OUTSIDE/file"
	run ! --separate-stderr "$WRIT" run --sandbox strict -- ls "$HOME"
	run -0 --separate-stderr "$WRIT" run --sandbox strict -- cat /etc/passwd
	run -0 --separate-stderr "$WRIT" run --sandbox strict --read "$OUTSIDE" -- cat "$OUTSIDE/file"
	expect_stdout old
	run ! --separate-stderr "$WRIT" run --sandbox strict --read "$OUTSIDE" -- touch "$OUTSIDE/new"
}

@test "secrets are hidden from every profile with walls" {
	for profile in readonly workspace strict; do
		run ! --separate-stderr "$WRIT" run --sandbox "$profile" -- cat "$HOME/.ssh/id"
		[[ $output != *secret* ]] || show_run
	done
	echo state >"$WRIT_STATE_DIR/x"
	for profile in readonly workspace strict; do
		run ! --separate-stderr "$WRIT" run --sandbox "$profile" -- cat "$WRIT_STATE_DIR/x"
		[[ $output != *state* ]] || show_run
	done
}

@test "--write opens a directory or a file, and only that" {
	run -0 --separate-stderr in_workspace --write "$OUTSIDE" -- sh -c "echo new >'$OUTSIDE/file'"
	[[ $(<"$OUTSIDE/file") == new ]]
	echo old >"$OUTSIDE/other"
	run -0 --separate-stderr in_workspace --write "$OUTSIDE/file" -- sh -c "echo newer >'$OUTSIDE/file'"
	[[ $(<"$OUTSIDE/file") == newer ]]
	# Beneath /tmp, which is private, this may even succeed: elsewhere.
	run --separate-stderr in_workspace --write "$OUTSIDE/file" -- sh -c "echo new >'$OUTSIDE/other'"
	[[ $(<"$OUTSIDE/other") == old ]]
}

@test "a relative path starts at the working directory of the command" {
	mkdir -p sub/deeper
	echo x >sub/deeper/x
	for profile in readonly workspace strict; do
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" --cwd sub -- cat deeper/x
		expect_stdout x
		run ! --separate-stderr "$WRIT" run --sandbox "$profile" --cwd sub --hide deeper -- cat deeper/x
		[[ $output != x ]] || show_run
		refused "$PWD/deeper' does not exist" --sandbox "$profile" --hide deeper
	done
}

@test "--hide hides a file and a directory, also where one may write" {
	mkdir private
	echo secret >private/x
	echo secret >y
	run ! --separate-stderr in_workspace --hide private -- cat private/x
	[[ $output != *secret* ]] || show_run
	run --separate-stderr in_workspace --hide y -- cat y
	[[ $output != *secret* ]] || show_run
	run ! --separate-stderr in_workspace --hide private -- sh -c 'echo new >private/x'
	[[ $(<private/x) == secret ]]
	run ! --separate-stderr in_workspace --hide private -- mv private elsewhere
	[[ -d private ]]
}

@test "a git repository works, its hooks and settings stay" {
	need git
	git init -q .
	git config user.email a@b.c
	git config user.name n
	echo x >file
	run -0 --separate-stderr in_workspace -- git add file
	run -0 --separate-stderr in_workspace -- git commit -qm first
	run -0 --separate-stderr in_workspace -- git checkout -qb branch
	run -0 --separate-stderr in_workspace -- git status --short
	expect_stdout ""
	[[ $(git log --oneline | wc -l) == 1 ]]
	run ! --separate-stderr in_workspace --shell 'echo evil >.git/hooks/pre-commit'
	run ! --separate-stderr in_workspace -- git config core.pager evil
	run ! --separate-stderr in_workspace -- mv .git/hooks .git/other
	run ! --separate-stderr in_workspace -- mv .git moved
	[[ ! -e .git/hooks/pre-commit && -d .git/hooks ]]
	run ! git config core.pager
}

@test "a protected path that was not there is reported, not prevented" {
	run -0 --separate-stderr in_workspace -- mkdir .writ
	expect_in_stderr "writ: warning: the command made or changed '$PWD/.writ': writ obeys it"
	rmdir .writ
	run -0 --separate-stderr in_workspace --json -- mkdir .writ
	[[ $(json "$output" 'd["sandbox"]["created"]') == "['$PWD/.writ']" ]] || show_run
	run ! --separate-stderr in_workspace -- touch .writ/x
	run -0 --separate-stderr in_workspace --json -- true
	[[ $(json "$output" 'd["sandbox"]["created"]') == "[]" ]] || show_run
}

@test "no mount point and no file is left in the tree of the user" {
	mkdir -p .git/hooks
	find "$BATS_TEST_TMPDIR/work" "$HOME" "$OUTSIDE" | sort >"$BATS_TEST_TMPDIR/before"
	for profile in readonly workspace strict; do
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- true
	done
	run -0 --separate-stderr in_workspace --write "$OUTSIDE" --hide "$OUTSIDE/file" -- true
	diff "$BATS_TEST_TMPDIR/before" <(find "$BATS_TEST_TMPDIR/work" "$HOME" "$OUTSIDE" | sort)
}

# A server and a client in one command, over 127.0.0.1.
talk='
import socket, threading
server = socket.create_server(("127.0.0.1", 0))
def serve():
    peer, _ = server.accept()
    peer.sendall(b"hello")
    peer.close()
threading.Thread(target=serve, daemon=True).start()
print(socket.create_connection(server.getsockname()).recv(16).decode())'

@test "--network off has no network, loopback its own, host the machine's" {
	need /usr/bin/python3
	for profile in workspace strict; do
		run ! --separate-stderr "$WRIT" run --sandbox "$profile" --network off -- /usr/bin/python3 -c "$talk"
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" --network loopback -- /usr/bin/python3 -c "$talk"
		expect_stdout hello
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" --network host -- /usr/bin/python3 -c "$talk"
		expect_stdout hello
		run -0 --separate-stderr "$WRIT" run --json --sandbox "$profile" --network loopback -- true
		[[ $(json "$output" 'd["sandbox"]["network"]') == loopback ]]
	done
}

@test "loopback does not reach a server of the machine, host does" {
	need /usr/bin/python3
	local port
	/usr/bin/python3 -c '
import socket
server = socket.create_server(("127.0.0.1", 0))
open("port.new", "w").write(str(server.getsockname()[1]))
import os; os.rename("port.new", "port")
server.settimeout(60)
try:
    while True: server.accept()[0].sendall(b"hello")
except OSError: pass' &
	server=$!
	wait_for test -s port
	port=$(<port)
	local client="import socket; print(socket.create_connection(('127.0.0.1', $port), 5).recv(9).decode())"
	run ! --separate-stderr in_workspace --network loopback -- /usr/bin/python3 -c "$client"
	[[ $output != *hello* ]] || show_run
	run -0 --separate-stderr in_workspace --network host -- /usr/bin/python3 -c "$client"
	expect_stdout hello
	kill "$server"
	wait "$server" || true
}

@test "the root, the home directory and what holds the state are not writable" {
	refused "'/'" --sandbox workspace --write /
	refused "$HOME" --sandbox workspace --write "$HOME"
	refused "$BATS_TEST_TMPDIR" --sandbox workspace --write "$BATS_TEST_TMPDIR"
	# One can be there, and write nothing.
	cd "$HOME"
	for text in 'touch ran' 'x=ran; touch $x'; do
		run ! --separate-stderr in_workspace --shell "$text"
		[[ ! -e ran ]]
	done
	cd /
	run -0 --separate-stderr in_workspace -- true
	run ! --separate-stderr in_workspace -- touch /writ-was-here
	[[ ! -e /writ-was-here ]]
}

# put KIND NAME...: something of that kind in the place of each protected name.
put() {
	python3 -ISE - "$OUTSIDE/file" "$@" <<-'END'
		import os, socket, sys
		outside, kind, names = sys.argv[1], sys.argv[2], sys.argv[3:]
		links = {"dangling": os.path.abspath("missing"), "inside": os.path.abspath("target"), "elsewhere": "/etc",
		         "chain": os.path.abspath("second"), "outside": outside, "long": "x" * 300}
		for name in names:
		    if os.path.dirname(name):
		        os.makedirs(os.path.dirname(name), exist_ok=True)
		    if kind == "pipe":
		        os.mkfifo(name)
		    elif kind == "socket":
		        socket.socket(socket.AF_UNIX).bind(name)
		    elif kind in ("directory", "closed"):
		        os.mkdir(name, 0o755 if kind == "directory" else 0)
		    elif kind == "file":
		        open(name, "w").write("kept")
		    else:
		        os.symlink(links.get(kind, os.path.basename(name)), name)
	END
	case $1 in
	inside) echo kept >target ;;
	chain) echo kept >target && ln -s target second ;;
	esac
}

# Tries to replace each name, and to change what it leads to. Opening a pipe
# would wait for the other end.
evil='
import os, stat, sys
def attempt(call, *args):
    try:
        call(*args)
        if call not in (append, os.chmod): print(call.__name__, *args)
    except OSError: pass
def append(path):
    if not os.path.exists(path) or not stat.S_ISFIFO(os.stat(path).st_mode):
        os.write(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), b"evil")
open("evil", "w").close()
for name in sys.argv[1:]:
    attempt(os.unlink, name)
    attempt(os.rmdir, name)
    attempt(os.rename, "evil", name)
    attempt(os.rename, name, "away")
    attempt(os.link, "evil", name)
    attempt(os.chmod, name, 0o777)
    attempt(append, name)
    attempt(append, name + "/new")
    if "/" in name: attempt(os.rename, name.split("/")[0], "away")
for name in "target", "second":
    if os.path.lexists(name):
        attempt(os.rename, "evil", name)
        attempt(os.unlink, name)
        attempt(append, name)
os.unlink("evil")
'

@test "whatever stands in the place of a protected name, runs go on and it stays" {
	need python3
	local kind names before case profile
	read -ra names <<<"$(json "$("$WRIT" sandbox show workspace --json)" '" ".join(d["protect"])')"
	((${#names[@]} > 20))
	for case in {pipe,socket,directory,file,dangling,inside,chain,outside,elsewhere,loop,long,closed}:workspace {pipe,inside,elsewhere}:strict; do
		kind=${case%:*} profile=${case#*:}
		echo "$case" >&2
		mkdir "$case"
		pushd "$case" >/dev/null
		put "$kind" "${names[@]}"
		before=$(find . -printf '%P %y %m %i %l\n' | sort)
		run -0 --separate-stderr "$WRIT" run --json --sandbox "$profile" -- /usr/bin/python3 -ISE -c "$evil" "${names[@]}"
		[[ $(json "$output" 'd["stdout"]') == "" ]] || show_run
		# What was not there could be made before, too, and is told.
		[[ $kind != dangling || $(json "$output" 'd["sandbox"]["created"][0]') == "$PWD/missing" ]] || show_run
		rm -f missing
		diff <(echo "$before") <(find . -printf '%P %y %m %i %l\n' | sort)
		[[ $kind != @(inside|chain) || $(<target) == kept ]]
		[[ $(<"$OUTSIDE/file") == old ]]
		popd >/dev/null
	done
}

@test "a protected name that is a link to the workspace itself is refused with the remedy" {
	ln -s . .idea
	refused "the protected path '$PWD/.idea' is a link to '$PWD', where the command is to write" --sandbox workspace
	expect_in_stderr "remove the link"
}

@test "paths that are missing, links, or climb are refused" {
	refused "nowhere" --sandbox workspace --read nowhere
	refused "nowhere" --sandbox workspace --write nowhere
	ln -s "$OUTSIDE" link
	refused "$OUTSIDE" --sandbox workspace --write link
	refused "link" --sandbox workspace --read "$PWD/link"
	refused ".." --sandbox workspace --write ..
	refused ".." --sandbox workspace --write "$OUTSIDE/../outside"
	refused "newline" --sandbox workspace --write $'a\nb'
	mkfifo pipe
	refused "pipe" --sandbox workspace --write pipe
}

@test "what is hidden in the workspace cannot be moved out of its hiding place" {
	mkdir -p a/b c/d
	echo secret >a/b/file
	echo secret >c/d/file
	for profile in workspace strict; do
		for _ in 1 2; do
			run --separate-stderr "$WRIT" run --sandbox $profile --hide a/b/file --hide c/d -- \
				sh -c 'mv a moved; mv a/b moved; mv c moved; mv c/d moved; cat */file */*/file'
			[[ $output != *secret* ]] || show_run
		done
	done
	[[ -e a/b/file && -e c/d/file ]]
}

@test "a refusal never advises what would be refused, too" {
	refused "the program '$(realpath /usr/bin/touch)' is in '/usr/bin', which is hidden" --sandbox strict --hide /usr/bin
	[[ $stderr != *--read* ]] || show_run
	refused "read path '/proc/1' is in '/proc', of which every sandbox has its own" --sandbox strict --read /proc/1
	echo '{extends: workspace, execute: [/usr/bin/false]}' >few.yaml
	refused "profile 'few' does not let the program" --sandbox ./few.yaml
	[[ $stderr == *"'execute' in the profile"* ]] || show_run
}

@test "an unknown profile is refused with the nearest" {
	refused "did you mean 'workspace'?" --sandbox worksapce
	refused "no-such-profile" --sandbox ./no-such-profile.yaml
	run -125 --separate-stderr "$WRIT" run --json --sandbox worksapce -- touch ran
	[[ $(json "$output" 'd["error"]["code"]') == invalid ]]
	[[ ! -e ran ]]
}

@test "a profile that does not exist never suggests one without walls" {
	local name
	mkdir -p "$HOME/.config/writ/profiles"
	echo 'extends: none' >"$HOME/.config/writ/profiles/bare.yaml"
	echo 'extends: bares' >"$HOME/.config/writ/profiles/lost.yaml"
	for name in nope non nonee en envv bar lostt; do
		run -125 --separate-stderr "$WRIT" run --no-ask --sandbox "$name" -- touch ran
		expect_in_stderr "there is no profile '$name'"
		[[ $stderr != *"did you mean"* ]] || show_run
		run -1 --separate-stderr "$WRIT" sandbox show "$name"
		[[ $stderr == *"there is no profile '$name'"* && $stderr != *"did you mean"* ]] || show_run
		echo "{version: 1, sandbox: $name}" >"$HOME/policy.yaml"
		run -125 --separate-stderr "$WRIT" run --no-ask --policy "$HOME/policy.yaml" -- touch ran
		[[ $stderr == *"there is no profile '$name'"* && $stderr != *"did you mean"* ]] || show_run
	done
	echo '{version: 1, rules: [{allow: {effect: read, sandbox: nope}}]}' >"$HOME/policy.yaml"
	run -125 --separate-stderr "$WRIT" run --no-ask --policy "$HOME/policy.yaml" -- touch ran
	[[ $stderr == *"sandbox 'nope' must be none, env, container, readonly"* && $stderr != *"did you mean"* ]] || show_run
	# One with walls is suggested as before.
	echo 'extends: workspace' >"$HOME/.config/writ/profiles/mine.yaml"
	refused "did you mean 'mine'?" --sandbox min
	refused "did you mean 'readonly'?" --sandbox readonl
	[[ ! -e ran ]]
}

@test "a profile of one's own, by name and by file" {
	mkdir -p "$HOME/.config/writ/profiles"
	echo '{extends: strict, read: ["'"$OUTSIDE"'"], network: loopback}' >"$HOME/.config/writ/profiles/mine.yaml"
	run -0 --separate-stderr "$WRIT" run --sandbox mine -- cat "$OUTSIDE/file"
	expect_stdout old
	run -0 --separate-stderr "$WRIT" run --json --sandbox "$HOME/.config/writ/profiles/mine.yaml" -- true
	[[ $(json "$output" 'd["sandbox"]["profile"], d["sandbox"]["network"]') == "('mine', 'loopback')" ]] || show_run
	echo '{extends: strict, raed: [/]}' >"$HOME/.config/writ/profiles/bad.yaml"
	refused "bad.yaml:1:19: unknown key 'raed', did you mean 'read'?" --sandbox bad
	echo '{extends: env}' >"$HOME/.config/writ/profiles/open.yaml"
	refused "hide: the profile 'open' has no sandbox that could enforce this" --sandbox open --hide .
}

@test "a profile in the project is used by its path only" {
	mkdir -p .writ/profiles
	echo '{extends: none}' >.writ/profiles/mine.yaml
	refused "'mine'" --sandbox mine
	run -0 --separate-stderr "$WRIT" run --json --sandbox .writ/profiles/mine.yaml -- true
	[[ $(json "$output" 'd["sandbox"]["profile"]') == mine ]] || show_run
}

@test "limits of a profile count, and say their name" {
	echo '{extends: workspace, limits: {timeout: 300ms}}' >p.yaml
	run -124 --separate-stderr "$WRIT" run --sandbox ./p.yaml --grace 0 -- sleep 60
	expect_in_stderr "writ: timed out after 300ms"
	run -124 --separate-stderr "$WRIT" run --json --sandbox ./p.yaml --grace 0 --timeout 1h -- sleep 60
	[[ $(json "$output" 'd["timeout_ms"]') == 300 ]] || show_run
	echo '{extends: workspace, limits: {max_output: 1KiB}}' >p.yaml
	run --separate-stderr "$WRIT" run --sandbox ./p.yaml --grace 0 -- yes
	expect_in_stderr "writ: ended: output limit 1KiB reached"
	run --separate-stderr "$WRIT" run --sandbox ./p.yaml --max-output 1MiB --grace 0 -- yes
	expect_in_stderr "writ: ended: output limit 1KiB reached"
}

@test "the private TMPDIR has a size" {
	for profile in env readonly workspace strict; do
		run --separate-stderr "$WRIT" run --json --sandbox "$profile" --tmp-size 1MiB --grace 0 --timeout 20s --shell \
			'head -c 8M /dev/zero >"$TMPDIR/x"; sleep 60'
		[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'disk')" ]] || show_run
	done
	run --separate-stderr in_workspace --tmp-size 1MiB --grace 0 --timeout 20s --shell \
		'head -c 8M /dev/zero >"$TMPDIR/x"; sleep 60'
	expect_in_stderr "writ: ended: size limit of the private TMPDIR 1MiB reached"
}

@test "a request says the same as the options" {
	printf '{"argv":["cat","%s"],"sandbox":"strict","read":["%s"],"network":"loopback","best_effort":true}' \
		"$OUTSIDE/file" "$OUTSIDE" >request
	run -0 --separate-stderr "$WRIT" run --json --request request
	[[ $(json "$output" 'd["stdout"], d["sandbox"]["profile"], d["sandbox"]["network"]') == "('old\n', 'strict', 'loopback')" ]] || show_run
	run -0 --separate-stderr "$WRIT" run --json --request request --sandbox workspace --network off
	[[ $(json "$output" 'd["sandbox"]["profile"], d["sandbox"]["network"]') == "('workspace', 'off')" ]] || show_run
}

@test "--best-effort changes nothing where nothing is missing" {
	run -0 --separate-stderr "$WRIT" run --json --best-effort --sandbox strict -- true
	[[ $(json "$output" 'd["sandbox"]["missing"]') == "[]" ]] || show_run
	run -0 --separate-stderr "$WRIT" run --best-effort --sandbox strict -- true
	expect_stderr ""
}

@test "--explain-denials says what was refused, by what, and what would help" {
	mkdir -p .git/hooks
	run ! --separate-stderr in_workspace --explain-denials --shell 'echo x >.git/hooks/pre-commit'
	expect_in_stderr "writ: denied: create $PWD/.git/hooks/pre-commit (mountns)"
	run ! --separate-stderr "$WRIT" run --sandbox readonly --explain-denials -- touch here
	expect_in_stderr "writ: denied: create $PWD/here ("
	expect_in_stderr "--write $PWD would allow it"
	run -0 --separate-stderr in_workspace --explain-denials -- touch here
	expect_stderr ""
	run ! --separate-stderr in_workspace --explain-denials --quiet -- touch .git/hooks/pre-commit
	[[ $stderr != *"writ: "* ]] || show_run
}

@test "--explain-denials in JSON: one object for each, counted" {
	need /usr/bin/python3
	mkdir -p .git/hooks
	run -0 --separate-stderr in_workspace --json --network off --explain-denials --shell \
		'for i in 1 2 3; do true >.git/hooks/x; done; /usr/bin/python3 -c "import socket; socket.socket()"; true'
	[[ $(json "$output" 'sorted(d["sandbox"]["denials"][0])') == "['call', 'count', 'hint', 'layer', 'path', 'what']" ]] || show_run
	[[ $(json "$output" '[(x["layer"], x["what"], x["path"], x["count"]) for x in d["sandbox"]["denials"]]') == \
		"[('mountns', 'create', '$PWD/.git/hooks/x', 3), ('seccomp', 'socket', 'AF_INET', 1)]" ]] || show_run
	[[ $(json "$output" 'd["sandbox"]["denials"][1]["hint"]') == "--network "* ]] || show_run
}

@test "a denied path cannot drive the terminal" {
	mkdir -p .git/hooks
	run -0 --separate-stderr in_workspace --explain-denials --shell \
		'f=$(printf ".git/hooks/\033[2J\nwrit: all is well"); (: >"$f") 2>/dev/null; true'
	expect_in_stderr "hooks/?[2J?writ: all is well (mountns)"
	[[ $(wc -l <<<"$stderr") == 1 && $stderr != *$'\033'* ]] || show_run
}

@test "a file as input of a sandbox is a pipe there, whole and in order" {
	seq 200000 >numbers
	local want profile
	want=$(md5sum <numbers)
	for profile in readonly workspace strict; do
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- md5sum <numbers
		expect_stdout "$want"
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" --stdin file:numbers -- md5sum
		expect_stdout "$want"
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- sh -c '[ -p /dev/stdin ] && echo pipe' <numbers
		expect_stdout pipe
	done
}

@test "what is left of a long input does not hold up the end" {
	run -0 --separate-stderr timeout 10 "$WRIT" run --sandbox workspace -- sh -c 'head -c 3 | wc -c' </dev/zero
	expect_stdout 3
	seq 2000000 >numbers
	run -0 --separate-stderr timeout 10 "$WRIT" run --sandbox workspace -- head -n 1 <numbers
	expect_stdout 1
}

@test "the input cannot be changed through its descriptor" {
	echo text >given
	chmod 640 given
	local profile
	for profile in readonly workspace strict; do
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- sh -c 'chmod 600 /dev/stdin; echo more >/dev/stdin; true' <given
		[[ $(<given) == text && $(stat -c %a given) == 640 ]]
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- sh -c 'chmod 640 /proc/self/fd/0; cat' </dev/null
		expect_stdout ""
		[[ $(stat -c %a /dev/null) == 666 ]]
	done
}

@test "a directory is no input of a sandbox" {
	run -125 --separate-stderr "$WRIT" run --sandbox workspace -- touch ran </
	expect_in_stderr "standard input of a sandbox cannot be a directory"
	[[ ! -e ran ]]
}

@test "no program is left with the rights of its owner" {
	run -0 --separate-stderr in_workspace -- sh -c 'cp /bin/true program; chmod u+s program || echo refused; chmod 2755 . && echo shared'
	expect_stdout $'refused\nshared'
	[[ ! -u program && -g . ]]
}

@test "a socket of another program is not there" {
	local python=/usr/bin/python3 server client
	need "$python"
	"$python" -c 'import socket, sys, time
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(8); print("up", flush=True); time.sleep(60)' \
		"$OUTSIDE/socket" >up 3>&- &
	server=$!
	client='import socket; s = socket.socket(socket.AF_UNIX); s.connect("'$OUTSIDE'/socket"); print("open")'
	wait_for test -s up
	run -0 --separate-stderr "$WRIT" run -- "$python" -c "$client"
	expect_stdout open
	run -1 --separate-stderr in_workspace --read "$OUTSIDE" -- "$python" -c "$client"
	expect_stdout ""
	expect_in_stderr Error
	# Neither the command's own renames and links nor those of its owner beside the
	# name bring it back.
	run --separate-stderr in_workspace --read "$OUTSIDE" -- "$python" -c "import os
for call in os.rename, os.link:
    for name in 'mine', '$OUTSIDE/other':
        try: call('$OUTSIDE/socket', name); print('moved')
        except OSError: pass
$client"
	expect_stdout ""
	ln "$OUTSIDE/socket" "$OUTSIDE/linked"
	mv "$OUTSIDE/socket" "$OUTSIDE/renamed"
	for name in linked renamed; do
		run -0 --separate-stderr "$WRIT" run -- "$python" -c "${client//socket\")/$name\")}"
		expect_stdout open
		run -1 --separate-stderr in_workspace --read "$OUTSIDE" -- "$python" -c "${client//socket\")/$name\")}"
		expect_stdout ""
	done
	kill "$server"
}

@test "a missing /proc is named, with the remedy" {
	[[ $(id -u) == 0 ]] || skip "only root can take /proc away"
	! grep -qa __asan_init "$WRIT" || skip "the sanitizer itself reads /proc"
	local policy
	for policy in open developer; do
		run -125 --separate-stderr env WRIT_POLICY=$policy unshare -m sh -c 'umount -l /proc && exec "$@"' sh \
			"$WRIT" run --no-ask --sandbox workspace -- touch ran
		expect_in_stderr "'/proc' is not mounted"
		expect_in_stderr "mount -t proc proc /proc"
	done
	[[ ! -e ran ]]
	run --separate-stderr unshare -m sh -c 'umount -l /proc && exec "$@"' sh "$WRIT" doctor
	expect_in_stdout "/proc is not mounted"
}

@test "root in the directory of another user is told why it cannot write there" {
	[[ $(id -u) == 0 ]] || skip "only root can give a directory away"
	mkdir theirs
	echo kept >theirs/file
	chown -R 65534 theirs
	chmod 711 "$BATS_TEST_TMPDIR" "$PWD"
	cd theirs
	run -1 --separate-stderr in_workspace -- touch new
	expect_in_stderr "the working directory belongs to user 65534: in a sandbox root has no more rights than any user"
	expect_in_stderr "try: --user 65534"
	# What succeeds is not commented on.
	run -0 --separate-stderr in_workspace -- cat file
	expect_stderr ""
	run -1 --separate-stderr "$WRIT" run --sandbox readonly -- touch new
	[[ $stderr != *belongs* ]] || show_run
}

@test "a working directory behind a symbolic link is where that leads, and makes nothing writable" {
	mkdir -p "$BATS_TEST_TMPDIR/project/real" "$BATS_TEST_TMPDIR/elsewhere"
	cd "$BATS_TEST_TMPDIR/project"
	ln -s ../elsewhere out
	ln -s real in
	run "$WRIT" run --sandbox workspace --cwd out -- touch x
	[ "$status" = 1 ]
	[ ! -e ../elsewhere/x ]
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --cwd in -- sh -c 'touch y; pwd -P'
	[ "$output" = "$BATS_TEST_TMPDIR/project/real" ]
	[ -e real/y ]
}
