#!/usr/bin/env bats
# bats file_tags=anyone
# docs/manifest.md is true: its files are written and its commands are run, in
# order, and they say what the page says, but for the times.
# shellcheck disable=SC2154
load helpers

setup() {
	need python3
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	unset WRIT_POLICY WRIT_SESSION_STORE
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/app"
	ln -s "$WRIT" "$BATS_TEST_TMPDIR/bin/writ"
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
	cd "$BATS_TEST_TMPDIR/app" || return
}

@test "docs/manifest.md does what it says" {
	run python3 - "$WRIT_SOURCE/docs/manifest.md" <<'PYTHON'
import os, re, subprocess, sys

here = os.getcwd()
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S)

def settled(text):
    text = text.replace(here, "/srv/app")
    text = re.sub(r" +[0-9.]+m?s(?=\s)", " TIME", text)
    return re.sub(r"(?<=\S)  +", "  ", text)

ran = 0
last = 0
for kind, text in blocks:
    text = text.replace("/srv/app", here)
    if kind == "yaml":
        name = re.match(r"# (\S+)\n", text).group(1)
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "w") as file:
            file.write(text)
        continue
    if kind != "console":
        sys.exit("a block of an unknown kind: " + repr(kind))
    for command, more, wanted in re.findall(r"^\$ (.*)\n((?:> .*\n)*)((?!\$ |> )(?:.*\n)*?(?=\$ |\Z))?", text, re.M):
        whole = "(exit %d)\n" % last + command + "\n" + re.sub(r"(?m)^> ", "", more)
        done = subprocess.run(["bash", "-c", whole], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)
        last = done.returncode
        ran += 1
        if settled(done.stdout) != settled(wanted):
            sys.exit("$ %s\nwanted:\n%s\ngot:\n%s" % (command, wanted, done.stdout))
print(ran, "commands")
PYTHON
	[[ $status == 0 && $output =~ ^[1-9][0-9]\ commands$ ]] || show_run
}
