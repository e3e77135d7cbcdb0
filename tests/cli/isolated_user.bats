#!/usr/bin/env bats
# Which file the module of an isolated call is in, and in whose hands: users
# other than root have a runner in a user namespace, where root's files look
# like anybody's.
load helpers
load modules
load running

setup() {
	modules_setup
	bind cli.echo 'exec:///bin/echo hello' ''
}

# as UID COMMAND...: with places of its own to write to.
as() {
	local uid=$1 dir=$BATS_TEST_TMPDIR/of-$1
	shift
	mkdir -p "$dir"
	chown "$uid" "$dir"
	HOME=$dir WRIT_STATE_DIR=$dir/state WRIT_CACHE_DIR=$dir/cache WRIT_CONFIG_DIR=$dir/config \
		setpriv --reuid "$uid" --regid "$uid" --clear-groups timeout -s KILL 60 "$@"
}

# The tests of root become others, who must get here and to the program.
become_others() {
	is_root || skip "needs root"
	open_to_others
	as 1000 "$WRIT" run -- true || skip "another user cannot run anything here"
}

# proof FILE: what a caller says of it.
proof() {
	python3 -c 'import os, sys
s = os.lstat(sys.argv[1])
times = [n for t in (s.st_mtime_ns, s.st_ctime_ns) for n in divmod(t, 10**9)]
print("".join("%x," % n for n in [s.st_dev, s.st_ino, s.st_size, *times, s.st_mode]) + sys.argv[1])' "$1"
}

# runner STATUS FILE-VARIABLE [ID]
runner() {
	WRIT_MODULE_FILE=$2 run "-$1" --separate-stderr timeout -s KILL 60 "$WRIT" --internal-sandbox-runner "${3:-cli.echo}" <<<'{}'
}

@test "root's modules are found by an isolated call of every user" {
	become_others
	for uid in 0 65534 1000; do
		run -0 --separate-stderr as $uid "$WRIT" call --json --isolated cli.echo
		expect_json 'd["stdout"] == "hello\n"'
	done
}

@test "a user's own modules are found by an isolated call" {
	become_others
	chown 1000 "$MODULES" "$MODULES"/*
	run -0 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.echo
	expect_json 'd["stdout"] == "hello\n"'
}

@test "modules of another user are not used, isolated or not" {
	become_others
	bind cli.foreign 'exec:///bin/echo hello' ''
	chown 1001 "$MODULES" "$MODULES"/*
	run -127 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.foreign
	expect_error not_found cli.foreign
	run -127 --separate-stderr as 1000 "$WRIT" call --json cli.foreign
	expect_error not_found cli.foreign
}

# policy_of UID: its own, from standard input.
policy_of() {
	local dir=$BATS_TEST_TMPDIR/of-$1/config
	unset WRIT_POLICY
	mkdir -p "$dir"
	cat >"$dir/policy.yaml"
	chown -R "$1" "$BATS_TEST_TMPDIR/of-$1"
}

@test "an isolated call obeys the user's own policy, which lies below root's directories" {
	become_others
	bind cli.other 'exec:///usr/bin/printf other' ''
	policy_of 1000 <<<'{version: 1, sandbox: none, rules: [{allow: {}}, {deny: {program: printf}}]}'
	run -0 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.echo
	expect_json 'd["stdout"] == "hello\n"'
	run -125 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.other
	expect_error denied "does not allow"
	chown 1001 "$BATS_TEST_TMPDIR/of-1000/config/policy.yaml"
	run -125 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.echo
	expect_error invalid "can be changed by other users"
}

@test "a runner without a proof believes no policy whose owner it cannot see" {
	become_others
	policy_of 1000 <<<'{version: 1, sandbox: none, rules: [{allow: {}}]}'
	told=$(proof "$MODULES/cli.echo.binding.yaml")
	for proof in "" "$(date +%s):0000000000000000000000000000000000000000000000000000000000000000"; do
		WRIT_MODULE_FILE=$told WRIT_MODULE_DECIDED=$proof WRIT_MODULE_POLICIES=0000000000000000000000000000000000000000000000000000000000000000 \
			run -125 --separate-stderr as 1000 unshare -U --map-user=1000 "$WRIT" --internal-sandbox-runner cli.echo <<<'{}'
		expect_stdout ""
		expect_in_stderr "in this user namespace nobody can tell who owns"
	done
}

@test "an isolated call leaves the cache of modules as it was" {
	local cache before
	cache=$WRIT_CACHE_DIR
	sleep 0.2
	call 0 cli.echo
	before=$(stat -c '%n %i %z' "$cache"/modules-*)
	call 0 --isolated cli.echo
	[[ $(stat -c '%n %i %z' "$cache"/modules-*) == "$before" ]] || show_run
	become_others
	cache=$BATS_TEST_TMPDIR/of-1000/cache
	as 1000 "$WRIT" call cli.echo
	before=$(stat -c '%n %i %z' "$cache"/modules-*)
	run -0 --separate-stderr as 1000 "$WRIT" call --json --isolated cli.echo
	[[ $(stat -c '%n %i %z' "$cache"/modules-*) == "$before" ]] || show_run
	as 1000 unshare -U --map-user=1000 "$WRIT" --internal-sandbox-runner cli.echo <<<'{}' || true
	[[ $(stat -c '%n %i %z' "$cache"/modules-*) == "$before" ]] || show_run
}

@test "a runner takes the file that it was told, and only as it was" {
	local file=$MODULES/cli.echo.binding.yaml told
	bind cli.other 'exec:///bin/echo other' ''
	told=$(proof "$file")
	WRIT_MODULES=/nonexistent runner 0 "$told"
	expect_json 'd["stdout"] == "hello\n"'
	runner 127 "$told" cli.other
	touch "$file"
	runner 125 "$told"
	expect_stdout ""
	expect_in_stderr "cli.echo.binding.yaml' has changed since the call was checked"
}

@test "a runner follows no link to the file that it was told" {
	local file=$MODULES/cli.echo.binding.yaml told
	told=$(proof "$file")
	mv "$file" moved
	ln -s "$PWD/moved" "$file"
	runner 125 "$told"
	expect_stdout ""
	expect_in_stderr "symbolic link"
	rm "$file"
	mkfifo "$file"
	runner 125 "$told"
	expect_in_stderr "has changed"
	rm "$file"
	runner 125 "$told"
	expect_in_stderr "cannot open"
}

@test "a runner that is told nonsense reads nothing" {
	local told
	for told in x / 1,2,3 "1,2,3,4,5,6,7,$MODULES/cli.echo.binding.yaml" "1,2,3,4,5,6,7,8," 1,2,3,4,5,6,7,8,relative \
		"11111111111111111,2,3,4,5,6,7,8,/x" "1,2,3,4,100000000,6,7,8,/x" "-1,2,3,4,5,6,7,8,/x" " 1,2,3,4,5,6,7,8,/x"; do
		runner 125 "$told"
		expect_stdout ""
	done
}

@test "neither the module nor its runner has the caller's own word on the file" {
	script env env
	bind cli.env "exec://$BIN/env" ''
	export WRIT_MODULE_FILE=1,2,3,4,5,6,7,8,/nonexistent
	call 0 --isolated --env-mode inherit cli.env
	expect_json '"WRIT_MODULE_FILE" not in d["stdout"]'
	call 0 --isolated cli.env
	expect_json '"WRIT_MODULE_FILE" not in d["stdout"]'
	call 127 --isolated cli.unknown
}
