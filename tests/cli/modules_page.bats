#!/usr/bin/env bats
# bats file_tags=anyone
# docs/modules.md is true: its files are written and its commands are run, in
# order, and they say what the page says.
# shellcheck disable=SC2154
load helpers
load modules

setup() {
	need git jq python3
	modules_setup
	unset WRIT_MODULES
	mkdir -p "$BIN"
	ln -s "$WRIT" "$BIN/writ"
	export PATH=$BIN:$PATH GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
}

@test "docs/modules.md does what it says" {
	run python3 - "$WRIT_SOURCE/docs/modules.md" <<'PYTHON'
import os, re, subprocess, sys

blocks = re.findall(r"^```(\w*)\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S)
ran = 0
for kind, text in blocks:
    if kind == "yaml":
        name = re.match(r"# (\S+)\n", text).group(1)
        os.makedirs(os.path.dirname(name) or ".", mode=0o755, exist_ok=True)
        with open(name, "w") as file:
            file.write(text)
        continue
    if kind != "console":
        sys.exit("a block of an unknown kind: " + repr(kind))
    for part in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
        command, wanted = part
        got = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=60).stdout
        ran += 1
        if got != wanted:
            sys.exit("$ %s\nwanted:\n%s\ngot:\n%s" % (command, wanted, got))
print(ran, "commands")
PYTHON
	[[ $status == 0 && $output =~ ^[1-9][0-9]\ commands$ ]] || show_run
}
