#!/usr/bin/env bats
# bats file_tags=anyone
# The archive resource: fetched, compared, extracted; and what it refuses.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	need python3 curl unzip
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	mkdir a
	echo hi >a/b
	ln -s b a/l
	tar -czf x.tgz a
	SUM=$(sha256sum x.tgz | cut -d' ' -f1)
}

teardown() {
	[[ -z ${SERVER-} ]] || kill "$SERVER"
}

# serve: a server of $D on $PORT. /cut promises more than it sends, /403
# refuses, /to leads to x.tgz, /asks wants a header.
serve() {
	python3 - "$D" >port <<-'PYTHON' 3>&- &
		import http.server, os, sys
		os.chdir(sys.argv[1])
		class Handler(http.server.BaseHTTPRequestHandler):
		    def log_message(self, *args): pass
		    def do_GET(self):
		        body = open("x.tgz", "rb").read()
		        if self.path == "/403" or (self.path == "/asks" and (
		                    self.headers.get("X-Key"), self.headers.get("X-Quote")) != ("say it", 'a "b" c')):
		            self.send_error(403)
		            return
		        self.send_response(302 if self.path == "/to" else 200)
		        if self.path == "/to":
		            self.send_header("Location", "/x.tgz")
		            body = b""
		        self.send_header("Content-Length", str(len(body) + (100 if self.path == "/cut" else 0)))
		        self.end_headers()
		        self.wfile.write(body)
		server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
		print(server.server_address[1], flush=True)
		server.serve_forever()
	PYTHON
	SERVER=$!
	until [[ -s port ]]; do :; done
	PORT=$(<port)
}

# archives: standard input is a list of archive resources; @ stands for $D.
archives() {
	{
		printf 'ccm:\n  resources:\n    - archive:\n'
		sed "s|^|        |; s|@|$D|g; s|SUM|$SUM|; s|URL|http://127.0.0.1:${PORT-}|"
	} >"$MANIFEST"
}

# bats test_tags=smoke
@test "a local archive is copied, compared and extracted once" {
	archives <<-'END'
		- @/y.tgz: {source: @/x.tgz, checksum: SUM, extract_parent: @/out, creates: @/out/a/b, mode: '0600'}
	END
	apply 0 --noop
	expect 'es[0]["noop_message"] == "Would have copied, would have extracted"' 'not has("out")'
	apply 0
	expect 'read("out/a/b") == "hi\n"' 'not has("out/.y.tgz.extracting")'
	[[ $(readlink out/a/l) == b && $(stat -c %a y.tgz) == 600 ]]
	apply 0
	expect 'kind(es[0]["name"]) == "stable"'
	# Another archive with another checksum is an update.
	echo ho >a/b
	tar -czf x.tgz a
	sed -i "s/$SUM/$(sha256sum x.tgz | cut -d' ' -f1)/" "$MANIFEST"
	apply 0
	expect 'read("out/a/b") == "ho\n"'
}

@test "a download: redirected, with a header, compared; clean up" {
	serve
	archives <<-'END'
		- @/y.tgz: {url: 'URL/to', checksum: 'sha256:SUM', extract_parent: @/out, strip: 1, creates: @/out/b, cleanup: true}
		- @/z.tgz: {url: 'URL/asks', headers: ["X-Key: {{ sensitive('say it') }}", 'X-Quote: a "b" c'], checksum: SUM}
	END
	apply 0
	expect 'read("out/b") == "hi\n"' 'not has("y.tgz") and has("z.tgz")' 'not has(".y.tgz.download")'
	! grep -rq 'say it' "$OUT" "$ERR" "$WRIT_STATE_DIR" || show
	apply 0
	expect 'not any(x["changed"] for x in es)'
}

@test "a wrong checksum, an early end, a refusal and no server are told; nothing stays" {
	serve
	archives <<-'END'
		- @/sum.tgz: {url: 'URL/x.tgz', checksum: 0000000000000000000000000000000000000000000000000000000000000000}
		- @/short.tgz: {url: 'URL/cut', extract_parent: @/out}
		- @/no.tgz: {url: 'URL/403'}
		- @/none.tgz: {url: 'http://127.0.0.1:1/x'}
	END
	apply 4
	expect '"wrong checksum" in e(es[0]["name"])["error"][0]' "'$SUM' in es[0]['error'][0]" \
		'"the download ended early" in es[1]["error"][0]' '"the server refused it" in es[2]["error"][0]' \
		'"does not answer" in es[3]["error"][0]' \
		'not any(has(x) for x in ("sum.tgz", "short.tgz", "no.tgz", ".sum.tgz.download", ".short.tgz.download"))'
	# What could not be fetched is fetched when it can be.
	sed -i 's|/cut|/x.tgz|' "$MANIFEST"
	apply 4
	expect 'read("out/a/b") == "hi\n"'
}

@test "members that lie, link or point outside are refused before anything is extracted" {
	python3 - <<-'PYTHON'
		import io, stat, tarfile, zipfile
		def make(name, *members):
		    with tarfile.open(name, "w:gz") as tar:
		        for path, kind, target in (("fine", tarfile.REGTYPE, ""),) + members:
		            info = tarfile.TarInfo(path)
		            info.type, info.linkname, info.size = kind, target, 2 if kind == tarfile.REGTYPE else 0
		            tar.addfile(info, io.BytesIO(b"x\n"))
		R, S, L = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
		make("up.tgz", ("a/../../up", R, ""))
		make("absolute.tgz", ("/tmp/absolute", R, ""))
		make("link.tgz", ("a/l", S, "../../x"))
		make("linked.tgz", ("l", S, "/etc"), )
		make("behind.tgz", ("d", S, "."), ("d/e", R, ""))
		make("twice.tgz", ("d", S, "."), ("d/e", S, ".."))
		make("late.tgz", ("d", S, "a/b/../../.."))
		make("hard.tgz", ("h", L, "../x"))
		make("device.tgz", ("dev", tarfile.CHRTYPE, ""))
		make("pipe.tgz", ("dev", tarfile.FIFOTYPE, ""))
		make("arrow.tgz", ("a -> b", S, "/etc"))
		make("blank.tgz", (" ../x", R, ""), (".. /x", R, ""))
		make("line.tgz", ("a\n-rw-r--r-- 0/0 0 1970-01-01 00:00 /b", S, "/etc"))
		with zipfile.ZipFile("up.zip", "w") as file:
		    file.writestr("fine", "x")
		    file.writestr("../up", "x")
		with zipfile.ZipFile("link.zip", "w") as file:
		    info = zipfile.ZipInfo("l")
		    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
		    file.writestr(info, "/etc")
	PYTHON
	for name in up absolute link linked behind twice late hard device pipe arrow line up.zip link.zip; do
		[[ $name == *.zip ]] || name+=.tgz
		archives <<<"- @/kept-$name: {source: @/$name, extract_parent: @/out}"
		apply 4
		expect '"is not safe" in es[0]["error"][0]' 'os.listdir("out") in ([], [".kept-'"$name"'.extracting"])' || {
			echo "$name" >&2
			false
		}
		rm -rf out
	done
	archives <<<"- @/kept: {source: @/blank.tgz, extract_parent: @/out}"
	sed -i 's|kept|kept.tgz|' "$MANIFEST"
	apply 0
	expect 'sorted(os.listdir("out")) == [" ..", ".. ", "fine"]'
}

@test "an extraction that was interrupted is made again, whatever creates says" {
	archives <<-'END'
		- @/x.tgz: {source: @/x.tgz, extract_parent: @/out, creates: @/out/a}
	END
	apply 0
	rm out/a/b
	apply 0
	expect 'not es[0]["changed"]'
	touch out/.x.tgz.extracting
	apply 0
	expect 'read("out/a/b") == "hi\n"' 'es[0]["decided_by"] == "its extraction was interrupted"' \
		'not has("out/.x.tgz.extracting")'
}

@test "a zip file, absence, and a broken archive" {
	need zip
	zip -qr x.zip a/b
	archives <<-'END'
		- @/y.zip: {source: @/x.zip, extract_parent: @/out}
	END
	apply 0
	expect 'read("out/a/b") == "hi\n"'
	archives <<<'- @/y.zip: {ensure: absent}'
	apply 0
	expect 'not has("y.zip")'
	echo x >bad.tgz
	archives <<<'- @/z.tgz: {source: @/bad.tgz, extract_parent: @/out}'
	apply 4
	expect '"tar failed" in es[0]["error"][0]'
}

@test "somebody else's directory is not used for a download" {
	serve
	ln -s "$D/elsewhere" .y.tgz.download
	mkdir elsewhere
	archives <<<"- @/y.tgz: {url: 'URL/x.tgz'}"
	apply 0
	expect 'os.listdir("elsewhere") == []' 'has("y.tgz")'
}
