#!/usr/bin/env bats
# bats file_tags=anyone
# The presets as files: what each of them expects of itself holds, and what one
# calls secret or protected is what the walls hide and protect.
load helpers
load seeds

setup() { seed_setup; }

PRESETS=(allowlist denylist developer manifest modules-strict open)

@test "every preset is in order, and what it expects of itself holds" {
	for preset in "${PRESETS[@]}"; do
		run -0 --separate-stderr "$WRIT" policy test "$preset"
	done
}

@test "what is installed is what is built in" {
	for preset in "${PRESETS[@]}"; do
		cp "$WRIT_SOURCE/data/policies/$preset.yaml" "$POLICY"
		run -0 --separate-stderr "$WRIT" policy test "$POLICY"
	done
}

# globs KEY: those of all deny rules of the developer preset, one on each line.
globs() {
	"$WRIT_TEST_PROGRAMS/table-json" "$WRIT_SOURCE/data/policies/developer.yaml" | python3 -c '
import json, sys
for rule in json.load(sys.stdin)["rules"]:
    for glob in rule.get("deny", {}).get(sys.argv[1], []):
        print(glob)' "$1"
}

@test "developer: the walls hide everything that it calls secret" {
	"$WRIT" sandbox show --json workspace >profile.json
	globs read | python3 -c '
import fnmatch, json, sys
hidden = json.load(open("profile.json"))["hide"]
globs = [line.strip() for line in sys.stdin]
missing = [g for g in globs if not any(fnmatch.fnmatch(h, g.removesuffix("/**")) for h in hidden)]
assert len(globs) > 30 and not missing, missing'
}

@test "developer: what it does not let be written is what the walls protect" {
	"$WRIT" sandbox show --json workspace >profile.json
	globs write | python3 -c '
import json, sys
protected = json.load(open("profile.json"))["protect"]
globs = [line.strip() for line in sys.stdin if line.startswith("**/")]
missing = [g for g in globs if g.removeprefix("**/").removesuffix("/**") not in protected]
assert len(globs) > 15 and not missing, missing'
}

# What a word might be that comes when it runs is not held against the command.
@test "developer: words that come when it runs are no reason to ask or deny" {
	cat >"$POLICY" <<-'E'
	version: 1
	include: [developer]
	expect:
	  - allow: { shell: 'for f in *.sh; do chmod +x "$f"; done' }
	  - allow: { shell: "find . -name '*.sh' | xargs chmod +x" }
	  - allow: { shell: 'for f in *.epub; do unzip -l "$f"; done' }
	  - allow: { shell: 'tar xf "$f"' }
	  - allow: { shell: 'git checkout "$BRANCH"' }
	  - allow: { shell: 'git branch "$name"' }
	  - allow: { shell: 'dd if=/dev/zero of="$f" count=1' }
	  - allow: { shell: 'curl -sL http://localhost:$PORT/health' }
	  - allow: { shell: 'curl -s http://127.0.0.1:${PORT:-8080}/' }
	  - allow: wget -q http://localhost:8080/
	  - allow: docker compose ps
	  - allow: { shell: "find . | xargs awk '{print}'" }
	  - allow: { shell: 'kill -9 $(lsof -t -i:8080)' }
	  - ask: { shell: 'curl -s "$URL"' }
	  - ask: { shell: 'curl -s http://localhost$X/' }
	  - ask: { shell: 'git clone "$URL"' }
	  - ask: { shell: 'tar xf host:a.tar' }
	  - ask: { shell: 'git branch -D "$name"' }
	  - ask: { shell: 'for b in x y; do git branch -D $b; done' }
	  - ask: { shell: 'docker run "$image"' }
	  - deny: { shell: 'chmod u+s "$f"' }
	  - deny: { shell: 'for x in a b; do sudo $x; done' }
	  - deny: { shell: 'ls | xargs sudo chmod +x' }
	E
	run -0 --separate-stderr "$WRIT" policy test "$POLICY"
	# Without a sandbox it is not known what they do.
	sed -i 's/^include.*/&\nsandbox: none/; s/^  - allow:/  - ask:/' "$POLICY"
	run -0 --separate-stderr "$WRIT" policy test "$POLICY"
}

@test "developer counts where there is no policy at all, and that is said" {
	run -0 --separate-stderr "$WRIT" run --no-ask -- echo hello
	expect_stdout hello
	expect_in_stderr "developer"
	run -125 --separate-stderr "$WRIT" run --no-ask -- sudo id
}

@test "open lets everything run, without walls" {
	run -0 --separate-stderr "$WRIT" run --no-ask --json --policy open --agent whoever -- sh -c 'echo $((6 * 7))'
	expect_result 'd["stdout"].strip(), d["sandbox"]["profile"]' "('42', 'none')"
	run -127 --separate-stderr "$WRIT" run --no-ask --policy open -- no-such-program
}

@test "manifest: a clean environment, no limit of time, everything as it stands" {
	run -0 --separate-stderr "$WRIT" run --no-ask --json --policy manifest -- env
	expect_result 'sorted(l.split("=")[0] for l in d["stdout"].split("\n") if l)' \
		"['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'USER']"
	expect_result '"LC_ALL=C\n" in d["stdout"]' True
	expect_result 'd["timeout_ms"]' None
}

@test "modules-strict: what no module describes is refused, as are characters of shells" {
	POLICY=modules-strict
	result_of -- ls -a
	refused "an argument has one of the characters that a shell would act on" -- ls 'a;b'
	refused "an argument has one of the characters that a shell would act on" -- ls "it's"
	refused "a module is called by its values, not by a text for a shell" --shell ls
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy modules-strict -- no-such-program
	expect_result 'd["error"]["code"]' denied
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy modules-strict -- ls --no-such-option
	expect_result 'd["error"]["code"]' denied
	run -125 --separate-stderr "$WRIT" run --no-ask --json --policy modules-strict -- rm x
	expect_result 'd["error"]["code"]' approval_required
}
