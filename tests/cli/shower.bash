# Modules for the tests of `writ module` and `writ call`.
# shellcheck shell=bash

# Nothing of this machine: no configuration, no cache, no project.
own_places() {
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	unset WRIT_MODULES APCORE_EXTENSIONS_ROOT
	modules=$BATS_TEST_TMPDIR/config/modules
	mkdir -p "$modules" "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return 1
}

# A program that prints its arguments, each with a NUL behind it.
make_shower() {
	shower=$BATS_TEST_TMPDIR/shower
	printf '#!/bin/sh\n[ $# = 0 ] || printf "%%s\\0" "$@"\n' >"$shower"
	chmod 755 "$shower"
}

# The modules test.show, with one argument of every kind, and test.fail.
make_modules() {
	own_places
	make_shower
	cat >"$modules/test.show.binding.yaml" <<-EOF
		spec_version: "1.0"
		bindings:
		- module_id: test.show
		  target: exec://$shower sub
		  description: Print the arguments as they are
		  tags: [test, shower]
		  annotations: {readonly: true, idempotent: true, requires_approval: false, open_world: false}
		  examples:
		  - {title: Two words, inputs: {paths: [a, "it's"]}}
		  input_schema:
		    type: object
		    additionalProperties: false
		    properties:
		      all: {type: boolean, x-apexe-flag: -a, description: Everything}
		      quiet: {type: boolean, x-apexe-conflicts-with: [all]}
		      max_count: {type: integer, minimum: 0, x-apexe-flag: -n, default: 10, description: How many}
		      message: {type: string, description: What to say}
		      color: {type: [string, boolean], enum: [always, never, true, false], x-apexe-value-optional: true}
		      mode: {type: string, enum: [fast, slow]}
		      include: {type: array, items: {type: string}, x-apexe-flag: -I}
		      token: {type: string, x-sensitive: true}
		      pattern: {type: [string, integer], x-apexe-positional: 0}
		      paths: {type: array, items: {type: string}, x-apexe-positional: 1, x-apexe-path: true}
		- module_id: test.fail
		  argv: [/bin/sh, -c, "echo out; echo err >&2; exit 3"]
		  description: Exit with 3
		  annotations: {destructive: true, open_world: false}
		  success: [0, 3]
	EOF
}

# shown WORD...: what the shower prints for these.
shown() {
	[[ $# == 0 ]] || printf '%s\0' "$@"
}
