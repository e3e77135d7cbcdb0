#!/usr/bin/env bats
# Files: links, validate, backup, trees, modes, access control lists.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() { manifest_setup; }

# files: standard input is a list of named files; @ stands for $D.
files() {
	{
		printf 'ccm:\n  resources:\n    - file:\n'
		sed "s|^|        |; s|@|$D|g"
	} >"$MANIFEST"
}

# bats test_tags=smoke
@test "new content replaces the old only if a command finds it right" {
	files <<-'END'
		- @/conf: { content: "{{ Facts.v }}\n", validate: "sh -c 'test -f \"$1\" && echo \"$1\" >>@/seen && grep ok \"$1\" >&2 || { echo line 1 is wrong >&2; exit 3; }' sh %", backup: .bak }
	END
	apply 4 --fact v=bad
	expect 'not has("conf")' '"exit code 3: line 1 is wrong" in es[0]["error"][0] and "the file stays as it is" in es[0]["error"][0]'
	apply 0 --fact v=ok1
	expect 'read("conf") == "ok1\n" and not has("conf.bak")'
	chmod 640 conf
	apply 0 --fact v=ok2
	expect 'read("conf") == "ok2\n" and read("conf.bak") == "ok1\n"' 'len(es[0]["run_ids"]) == 5'
	[[ $(stat -c %a conf.bak) == 640 ]]
	apply 4 --fact v=bad
	expect 'read("conf") == "ok2\n" and read("conf.bak") == "ok1\n"'
	# It lies beside the file, and goes.
	[[ $(sort -u seen) == "$D/.conf.writ-check" && ! -e .conf.writ-check ]]
	# Nothing is looked at when nothing changes, nor in noop.
	rm seen
	apply 0 --fact v=ok2
	apply 0 --noop --fact v=bad
	expect 'es[0]["changed"] and not has("seen")'
}

@test "what is validated is what is stored, also of a source, and a secret is not shown" {
	echo ok >source
	files <<-'END'
		- @/copy: { source: @/source, validate: "sh -c 'grep -q ok \"$1\" && echo later >@/source' sh %" }
		- @/secret: { content: "{{ sensitive('hunter2') }}", mode: "0600", validate: "sh -c 'cat \"$1\"; exit 1' sh %" }
	END
	apply 4
	expect 'read("copy") == "ok\n" and read("source") == "later\n"' 'e(folder + "/secret")["failed"] and not has("secret")' '"hunter2" not in out'
	run ! grep -rq hunter2 "$WRIT_STATE_DIR" || show_run
}

@test "a killed validation leaves nothing in the way" {
	mkfifo go
	files <<-'END'
		- @/conf: { content: "new", validate: "sh -c 'echo x >@/here; read y <@/go; grep -q new \"$1\"' sh %" }
	END
	echo old >conf
	"$WRIT" apply "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	wait_for test -e here
	kill -KILL "$pid"
	wait "$pid" || true
	[[ $(<conf) == old ]]
	rm go && touch go && echo y >go
	apply 0
	expect 'read("conf") == "new"' 'not has(".conf.writ-check")'
}

@test "backup keeps what is removed, and is refused where it cannot be made" {
	echo old >a
	mkdir b~
	echo old >b
	files <<-'END'
		- @/a: { ensure: absent, backup: "~" }
		- @/b: { ensure: absent, backup: "~" }
	END
	apply 4
	expect 'not has("a") and read("a~") == "old\n"' 'read("b") == "old\n"'
}

# bats test_tags=smoke
@test "links: made, changed, kept, and never in the place of a directory" {
	echo 1 >r1
	files <<-'END'
		- @/now: { ensure: link, target: "{{ Facts.t }}" }
	END
	apply 0 --noop --fact t=r1
	expect 'es[0]["noop_message"] == "Would have created the link"'
	apply 0 --fact t=r1
	expect 'read("now") == "1\n"' 'es[0]["final_ensure"] == "link"'
	apply 0 --fact t=r1
	expect 'not es[0]["changed"]'
	apply 0 --fact t="$D/nothing"
	expect 'es[0]["decided_by"] == "target mismatch: state=r1 requested=" + folder + "/nothing"'
	[[ $(readlink now) == "$D/nothing" ]]
	rm now && echo mine >now
	apply 4 --fact t=r1
	expect '"exists as a file" in es[0]["error"][0]' 'read("now") == "mine\n"'
	sed -i 's/ensure: link/ensure: link, force: true/' "$MANIFEST"
	apply 0 --fact t=r1
	[[ -L now ]]
	rm now && mkdir now
	apply 4 --fact t=r1
	[[ -d now && $(ls -A) != *.tmp* ]]
}

@test "a directory is copied, purged, and leaves what others manage" {
	mkdir -p src/sub out/old/deep out/sub
	echo a >src/a
	printf '#!/bin/sh\n' >src/sub/x
	chmod 755 src/sub/x
	ln -s ../a src/sub/l
	touch out/old/deep/f out/z out/sub/stray
	ln -s /etc out/etc
	files <<-'END'
		- @/out: { ensure: directory, source: @/src, purge: true, mode: "0640" }
		- @/out/old/deep/mine: { content: kept }
		- @/out/own: { content: own }
	END
	apply 0 --noop
	expect '"removed" in es[0]["noop_message"] and has("out/z") and not has("out/a")'
	apply 0
	expect 'sorted(os.listdir("out")) == ["a", "old", "own", "sub"] and sorted(os.listdir("out/sub")) == ["l", "x"]' \
		'read("out/old/deep/mine") == "kept"' 'not has("out/old/deep/f")' 'os.path.isdir("/etc")'
	[[ $(stat -c %a out out/a out/sub/x) == $'750\n640\n750' && $(readlink out/sub/l) == ../a ]]
	# Each is a change of its own on record.
	expect 'len(es[0]["run_ids"]) >= 7'
	apply 0
	expect 'not any(x["changed"] for x in es)'
	echo b >src/a
	touch out/new
	apply 0
	expect 'es[0]["changed"] and read("out/a") == "b\n" and not has("out/new")'
	mkfifo src/pipe
	apply 4
	expect '"neither a file nor a directory nor a link" in es[0]["error"][0]'
}

@test "recurse sets the mode of all beneath, and follows no link" {
	mkdir -p out/sub
	touch out/f out/sub/g outside
	chmod 600 outside
	ln -s ../outside out/l
	files <<-'END'
		- @/out: { ensure: directory, recurse: true, mode: "0755" }
	END
	chmod 700 out/sub
	apply 0
	[[ $(stat -c %a out/f out/sub out/sub/g outside) == $'755\n755\n755\n600' ]]
	apply 0
	expect 'not es[0]["changed"]'
}

@test "modes up to 07777; a directory keeps its set-group-id bit, and the policy can deny set-id" {
	files <<-'END'
		- @/tool: { content: x, mode: "4755" }
		- @/tmp: { ensure: directory, mode: "1777" }
		- @/shared: { ensure: directory, mode: "0775" }
	END
	mkdir shared && chmod 2770 shared
	apply 0
	[[ $(stat -c %a tool tmp shared) == $'4755\n1777\n2775' ]]
	apply 0
	expect 'not any(x["changed"] for x in es)'
	sed -i 's/"4755"/"0755"/; s/"1777"/"3777"/' "$MANIFEST"
	apply 0
	[[ $(stat -c %a tool tmp) == $'755\n3777' ]]
	cat >"$D/policy.yaml" <<-END
		version: 1
		default: allow
		sandbox: none
		agents: { manifest: {} }
		rules: [ { deny: { effect: priv } }, { allow: {} } ]
	END
	chmod 600 policy.yaml
	sed -i 's/"0755"/"2755"/' "$MANIFEST"
	apply 4 --policy "$D/policy.yaml"
	[[ $(stat -c %a tool) == 755 ]]
}

# acl FILE default|access: rights for the user 1, with Python alone.
acl() {
	python3 -ISE - "$@" <<-'END'
		import os, struct, sys
		entries = [(1, 6, -1), (2, 6, 1), (4, 4, -1), (16, 6, -1), (32, 4, -1)]
		value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", t, p, i & 0xffffffff) for t, p, i in entries)
		os.setxattr(sys.argv[1], "system.posix_acl_" + sys.argv[2], value)
	END
}

@test "an access control list is kept, and an inherited one is not taken for it" {
	need python3
	echo old >listed
	acl listed access 2>/dev/null || skip "no access control lists on this file system"
	mkdir dir
	echo old >dir/plain
	acl dir default
	files <<-'END'
		- @/listed: { content: new }
		- @/dir/plain: { content: new }
		- @/dir/fresh: { content: new }
	END
	expected=$(python3 -c 'import os; print(os.getxattr("listed", "system.posix_acl_access"))')
	apply 0
	[[ $(python3 -c 'import os; print(os.getxattr("listed", "system.posix_acl_access"))') == "$expected" ]]
	[[ $(python3 -c 'import os; print(os.listxattr("dir/plain"))') != *posix_acl* ]]
	[[ $(<listed) == new && $(<dir/plain) == new ]]
	apply 0
	expect 'not any(x["changed"] for x in es)'
}
