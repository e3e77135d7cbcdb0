#!/usr/bin/env bats
# Real tools go on working behind the walls: what people would switch a sandbox
# off for. Each works on a project of its own, in `workspace` and `strict`.
load helpers

# The project is where neither a private /tmp nor a masked home would be in the
# way: some are looked for, and as an ordinary user in the home directory.
setup() {
	local base
	for base in /srv /opt "$HOME"; do
		[[ ! -w $base ]] || break
	done
	PROJECT=$(mktemp -d "$base/writ-tools.XXXXXX")
	cd "$PROJECT" || exit
}

teardown() {
	cd /
	rm -rf "$PROJECT"
}

# inside PROFILE COMMAND...: must succeed, with its output in $output.
inside() {
	local profile=$1
	shift
	run -0 --separate-stderr "$WRIT" run --quiet --sandbox "$profile" --timeout 60s \
		--env GIT_AUTHOR_NAME=A --env GIT_AUTHOR_EMAIL=a@b --env GIT_COMMITTER_NAME=A --env GIT_COMMITTER_EMAIL=a@b \
		--env LC_ALL=C -- "$@" || show_run
}

# each_wall COMMAND...: the same in both profiles.
each_wall() {
	local profile
	for profile in workspace strict; do
		echo "profile: $profile" >&2
		"$@" "$profile"
	done
}

use_git() {
	rm -rf repository
	mkdir repository
	inside "$1" git init -q -b main repository
	cd repository || exit
	echo one >file
	inside "$1" git add file
	inside "$1" git commit -q -m first
	inside "$1" git checkout -q -b work
	echo two >>file
	inside "$1" git status --short
	expect_stdout " M file"
	inside "$1" git diff --stat
	expect_in_stdout "1 file changed, 1 insertion(+)"
	inside "$1" git commit -q -a -m second
	inside "$1" git log --format=%s work
	expect_stdout $'second\nfirst'
	inside "$1" git stash list
	inside "$1" git gc -q
	inside "$1" git fsck
	cd ..
	[[ $(git -C repository rev-list --count work) == 2 ]]
}

@test "git: init, add, commit, checkout -b, status, diff, log, gc" {
	need git
	each_wall use_git
}

build_with_make() {
	printf 'all: a b\na b: x.c\n\tcc -o $@ x.c\nclean:\n\trm -f a b\n' >Makefile
	echo 'int main(void) { return 3; }' >x.c
	inside "$1" make -s -j2
	[[ -x a && -x b ]]
	run -3 "$WRIT" run --quiet --sandbox "$1" -- ./a
	inside "$1" make -s clean
	[[ ! -e a ]]
}

@test "make -j2 and the compiler; the program it makes runs" {
	need make gcc cc
	each_wall build_with_make
}

compile() {
	echo '#include <stdio.h>
	int main(void) { return puts("compiled") < 0; }' >hello.c
	inside "$1" gcc -pipe -O2 -flto -o hello hello.c
	inside "$1" ./hello
	expect_stdout compiled
	inside "$1" gcc -save-temps -c hello.c -o hello.o
	[[ -s hello.s ]]
}

@test "gcc: through pipes, temporary files, link time optimisation" {
	need gcc
	each_wall compile
}

run_node() {
	cat >children.js <<-'END'
		const { spawnSync, execFileSync, exec, fork } = require('child_process');
		const { Worker, isMainThread } = require('worker_threads');
		if (process.argv[2] === 'child') { process.send('hello from a fork'); process.exit(0); }
		console.log(spawnSync('echo', ['spawned']).stdout.toString().trim());
		console.log(execFileSync('cat', { input: 'piped' }).toString());
		exec('echo executed', (error, out) => {
			if (error) throw error;
			console.log(out.trim());
			fork(__filename, ['child']).on('message', (m) => {
				console.log(m);
				new Worker("require('worker_threads').parentPort.postMessage('worked')", { eval: true })
					.on('message', (w) => console.log(w));
			});
		});
	END
	inside "$1" node children.js
	expect_stdout $'spawned\npiped\nexecuted\nhello from a fork\nworked'
}

@test "node: spawnSync, execFileSync, exec, fork, a worker" {
	need node
	each_wall run_node
}

run_asyncio() {
	cat >children.py <<-'END'
		import asyncio, socket, multiprocessing, tempfile, subprocess
		def double(n): return 2 * n
		async def main():
		    child = await asyncio.create_subprocess_exec('cat', stdin=-1, stdout=-1)
		    out, _ = await child.communicate(b'through a child')
		    print(out.decode())
		    a, b = socket.socketpair()
		    reader, writer = await asyncio.open_connection(sock=a)
		    b.sendall(b'through a pair\n')
		    print((await reader.readline()).decode().strip())
		    writer.close()
		    print(await asyncio.to_thread(subprocess.check_output, ['echo', 'in a thread'], text=True), end='')
		if __name__ == '__main__':
		    asyncio.run(main())
		    with multiprocessing.Pool(2) as pool: print(pool.map(double, [1, 2, 3]))
		    with tempfile.NamedTemporaryFile() as file: print(file.write(b'12345'))
	END
	inside "$1" /usr/bin/python3 children.py
	expect_stdout $'through a child\nthrough a pair\nin a thread\n[2, 4, 6]\n5'
}

@test "python: asyncio with a child, a socket pair, a thread; a pool of processes" {
	need /usr/bin/python3
	each_wall run_asyncio
}

run_npm() {
	echo '{"name":"x","version":"1.0.0","scripts":{"prehello":"echo before","hello":"node -p 6*7"}}' >package.json
	inside "$1" npm run --silent --offline hello
	expect_stdout $'before\n42'
}

@test "npm run, offline" {
	need node
	# Only ./check --full installs it.
	command -v npm >/dev/null || skip "there is no npm"
	each_wall run_npm
}

pack() {
	mkdir -p tree/deep
	echo content >tree/deep/file
	ln -sf deep/file tree/link
	inside "$1" tar czf tree.tgz tree
	rm -rf copy
	mkdir copy
	inside "$1" tar xzpf tree.tgz -C copy
	cmp tree/deep/file copy/tree/link
}

@test "tar: packs, compresses and unpacks, with modes and times" {
	need tar gzip
	each_wall pack
}

make_temporary() {
	inside "$1" sh -c 'f=$(mktemp) && echo x >"$f" && d=$(mktemp -d) && mv "$f" "$d/y" && cat "$d/y"; cat <<-END
		here
	END
	test -w "$TMPDIR" && test -w /tmp && test -w /dev/shm && echo >/dev/null && head -c 4 /dev/urandom | wc -c'
	expect_stdout $'x\nhere\n4'
	inside "$1" bash -c 'cat <(echo process) <(echo substitution)'
	expect_stdout $'process\nsubstitution'
}

@test "mktemp, here-documents, process substitution, the devices that scripts use" {
	each_wall make_temporary
}

query() {
	rm -f data.db
	inside "$1" sqlite3 data.db 'pragma journal_mode=wal; create table t(n); insert into t values (1), (2); select sum(n) from t'
	expect_stdout $'wal\n3'
}

@test "sqlite: locks, a write-ahead log, shared memory" {
	need sqlite3
	each_wall query
}

talk_to_itself() {
	cat >talk.py <<-'END'
		import http.server, threading, urllib.request, socket
		server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
		threading.Thread(target=server.serve_forever, daemon=True).start()
		print(urllib.request.urlopen('http://127.0.0.1:%d/talk.py' % server.server_port).status)
		# Not every small installation has the name.
		name = 'localhost' if 'localhost' in open('/etc/hosts').read() else '127.0.0.1'
		print(socket.getaddrinfo(name, 80, type=socket.SOCK_STREAM)[0][4][1])
	END
	[[ -e /etc/hosts ]] || sed -i "s|open('/etc/hosts').read()|''|" talk.py
	run -0 --separate-stderr "$WRIT" run --quiet --sandbox "$1" --network loopback -- /usr/bin/python3 talk.py || show_run
	expect_stdout $'200\n80'
}

@test "a server and its client in one sandbox, with --network loopback" {
	need /usr/bin/python3
	each_wall talk_to_itself
}

@test "with --network loopback two sandboxes do not meet, nor does the machine" {
	need /usr/bin/python3
	/usr/bin/python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
time.sleep(20)' >port &
	local server=$!
	wait_for test -s port
	run --separate-stderr "$WRIT" run --quiet --sandbox workspace --network loopback -- /usr/bin/python3 -c "import socket
socket.create_connection(('127.0.0.1', $(<port)), 2)"
	kill "$server"
	[[ $status == 1 ]] || show_run
	expect_in_stderr "Connection refused"
}

look_around() {
	inside "$1" sh -c 'id -u; ps -e | wc -l; df . >/dev/null; uname -n >/dev/null; find . -newer /etc/passwd >/dev/null; xargs -0 true </dev/null; date >/dev/null; sort -u /etc/passwd | head -1 >/dev/null; echo done'
	expect_in_stdout "done"
}

@test "the small tools of every script" {
	each_wall look_around
}
