#!/usr/bin/env bats
# bats file_tags=anyone
# The modules among the examples are in order, and their calls do what they
# say, where the program is installed.
# shellcheck disable=SC2154,SC2016
load helpers
load modules

setup() {
	modules_setup
	export WRIT_MODULES=$WRIT_SOURCE/examples/modules
}

# A repository with two commits and something not committed.
make_repository() {
	need git
	export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
	git init -q -b main .
	git config user.name writ
	git config user.email writ@localhost
	echo one >a
	git add a
	git commit -q -m first
	echo two >>a
	git commit -q -a -m 'second: more'
	echo three >>a
	echo new >b
}

@test "every example is in order" {
	run -0 --separate-stderr "$WRIT" module check "$WRIT_MODULES"
	[[ -z $stderr ]] || show_run
}

@test "git status, log and diff tell about a repository" {
	make_repository
	call 0 cli.git.status '{"porcelain":"v1"}'
	expect_json 'd["stdout"] == " M a\n?? b\n"'
	call 0 cli.git.status '{"porcelain":"v1","untracked_files":"no","paths":["a"]}'
	expect_json 'd["stdout"] == " M a\n"'
	call 0 cli.git.log '{"format":"%s","max_count":1}'
	expect_json 'd["stdout"] == "second: more\n"'
	call 0 cli.git.log '{"format":"%s","revision":"HEAD~1","paths":["a"]}'
	expect_json 'd["stdout"] == "first\n"'
	call 0 cli.git.diff '{"name_only":true,"revisions":["HEAD~1","HEAD"]}'
	expect_json 'd["stdout"] == "a\n"'
	call 125 cli.git.log '{"oneline":true,"format":"%s"}'
	expect_error invalid oneline format
	call 125 cli.git.log '{"revision":"--output=x"}'
	[[ ! -e x && ! -e =x ]]
}

@test "git commit takes any message" {
	make_repository
	local message=$'-m "it\'s" $(rm) `x`\n\n\tsecond; line \\ \xc3\xa4'
	input=$(python3 -c 'import json, sys; print(json.dumps({"message": sys.argv[1], "all": True}))' "$message")
	call 0 cli.git.commit "$input"
	[[ $(git log -1 --format=%B) == "$message" ]]
	git checkout -q -B other
	call 0 cli.git.commit '{"message":"in place","allow_empty":true,"directory":"."}'
	[[ $(git log -1 --format=%s) == "in place" ]]
}

@test "find finds, and deletes nothing" {
	mkdir -p dir/sub
	touch dir/a.h dir/b.c dir/sub/c.h
	call 0 cli.find '{"paths":["dir"],"name":"*.h","maxdepth":1}'
	expect_json 'd["stdout"] == "dir/a.h\n"'
	call 0 cli.find '{"paths":["dir"],"type":"f","mtime":"-1"}'
	expect_json 'sorted(d["stdout"].split()) == ["dir/a.h", "dir/b.c", "dir/sub/c.h"]'
	call 1 cli.find '{"paths":["-delete"]}'
	call 1 cli.find '{"paths":["dir","-delete"]}'
	call 1 cli.find '{"paths":["dir","("]}'
	[[ -e dir/a.h && -e dir/sub/c.h ]]
	call 125 cli.find '{"paths":["dir"],"delete":true}'
}

@test "grep tells what is there, and calls nothing found no failure" {
	printf 'one\n-v two\nthree\n' >file
	call 0 cli.grep '{"pattern":"-v","line_number":true,"paths":["file"]}'
	expect_json 'd["stdout"] == "2:-v two\n"'
	call 1 cli.grep '{"pattern":"four","paths":["file"]}'
	expect_json 'd["success"]'
	call 2 cli.grep '{"pattern":"four","paths":["-r"]}'
	expect_json 'not d["success"]'
	call 0 cli.grep '{"pattern":"e$","recursive":true,"include":["f*"],"count":true,"paths":["."]}'
	expect_json 'd["stdout"] == "./file:2\n"'
}

@test "jq reads the input's text" {
	need jq
	call 0 cli.jq '{"filter":".[].name","input":"[{\"name\":\"a b\"},{\"name\":\"c\"}]","raw_output":true}'
	expect_json 'd["stdout"] == "a b\nc\n"'
	call 0 cli.jq '{"filter":"if .a then \"$x; `y`\" else 1 end | [., 2]","input":"{\"a\":1}","compact_output":true}'
	expect_json 'd["stdout"] == "[\"$x; `y`\",2]\n"'
}

@test "a whole input can be a command's standard input" {
	need python3
	call 0 cli.python.json_tool '{"b":[1,2],"a":null}'
	expect_json 'list(d["json_output"].items()) == [("a", None), ("b", [1, 2])]'
}

@test "an image comes back as one" {
	call 0 cli.base64.image '{"data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}'
	expect_json 'd["content"] == {"type": "image", "mime_type": "image/gif", "data": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}'
}

@test "curl asks a server, and nothing but the web" {
	need curl python3
	python3 -c 'import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(204, self.headers["X-Word"])
        self.end_headers()
    def log_message(self, *args):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()' >port &
	local server=$!
	wait_for test -s port
	call 0 cli.curl.head "{\"url\":\"http://127.0.0.1:$(cat port)/\",\"max_time\":10,\"header\":[\"X-Word: geheim\"]}"
	kill "$server"
	expect_json 'd["stdout"].startswith("HTTP/1.0 204 ")'
	call 125 cli.curl.head '{"url":"file:///etc/passwd"}'
	call 125 cli.curl.head '{"url":"-o/tmp/x"}'
}

@test "wc counts in files whose names begin with a dash" {
	printf 'a\nb\n' >-l
	call 0 cli.wc '{"lines":true,"files":["-l"]}'
	expect_json 'd["stdout"] == "2 ./-l\n"'
}
