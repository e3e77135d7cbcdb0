#!/usr/bin/env bats
# tools/check-layers finds what it is there to find.

setup() {
	tree=$BATS_TEST_TMPDIR
	mkdir -p "$tree/src/base" "$tree/include/writ"
	plant base/ok.h '#include <writ/error.h>'
}

# plant FILE LINE...: a source file of those lines
plant() {
	mkdir -p "$(dirname "$tree/src/$1")"
	printf '%s\n' "${@:2}" >"$tree/src/$1"
}

layers() {
	run "$WRIT_SOURCE/tools/check-layers" "$tree"
}

refused() {
	layers
	[ "$status" -ne 0 ]
	[ "$output" = "$1" ]
}

@test "a tree that keeps the rule passes" {
	plant os/x.c '#include "base/ok.h"' '#include <stdio.h>' '#include <sys/types.h>'
	plant engine/x.c '#include "run/x.h"' '#include "policy/x.h"' '#include <writ/run.h>'
	plant run/x.c '#include "sandbox/x.h"' '#include "os/x.h"'
	plant policy/x.c '#include "command/x.h"'
	plant cli/x.c '#include "mcp/x.h"' '#include "data/x.h"' '#include <writ/run.h>'
	layers
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "an upward include is found" {
	plant base/x.c '' '#include "os/x.h"'
	refused "src/base/x.c:2: base may not include os"
}

@test "a sideways include is found" {
	plant os/x.c '#include "data/x.h"'
	refused "src/os/x.c:1: os may not include data"
}

@test "an arrow points one way only" {
	plant sandbox/x.c '#include "run/x.h"'
	refused "src/sandbox/x.c:1: sandbox may not include run"
	rm "$tree/src/sandbox/x.c"
	plant module/x.c '#include "policy/x.h"'
	refused "src/module/x.c:1: module may not include policy"
}

@test "no front door and no command reaches around the public headers" {
	for layer in scan manifest mcp http fleet cli; do
		for below in os run sandbox policy command module audit engine; do
			rm -rf "$tree/src"
			plant "$layer/x.c" "#include \"$below/x.h\""
			refused "src/$layer/x.c:1: $layer may not include $below"
		done
	done
}

@test "angle brackets and blanks do not hide an include" {
	plant cli/x.c '  #  include <run/x.h>'
	refused "src/cli/x.c:1: cli may not include run"
}

@test "a path without its folder is refused" {
	plant cli/x.c '#include "../run/x.h"'
	refused 'src/cli/x.c:1: write "folder/file.h", not "../run/x.h"'
}

@test "files in folders of a folder are looked at" {
	plant run/helper/x.c '#include "engine/x.h"'
	refused "src/run/helper/x.c:1: run may not include engine"
}

@test "the layers at the bottom see only the public words for errors" {
	plant data/x.c '#include <writ/run.h>'
	refused "src/data/x.c:1: data may not include writ/run.h"
}

@test "a public header stays public" {
	printf '#include "run/x.h"\n' >"$tree/include/writ/run.h"
	refused "include/writ/run.h:1: a public header may not include run"
}

@test "a folder that is not in the table is refused" {
	plant utils/x.c ''
	refused "src/utils/x.c:1: the layer utils is not in the table of tools/check-layers"
}
