#!/usr/bin/env bats
# A private /tmp on disk: --tmp disk, in a policy, in a profile.
# shellcheck disable=SC2016,SC2154
load helpers
load running
load seeds

setup() {
	need python3
	base=$(mktemp -d /var/tmp/writ-test-disk.XXXXXX)
	export HOME=$base/home WRIT_STATE_DIR=$base/state WRIT_SYSTEM_DIR=$base/etc WRIT_POLICY=open
	mkdir "$HOME" "$base/work"
	cd "$base/work" || return
	if [[ $(id -u) == 0 ]]; then unshare -m true; else unshare -Um true; fi 2>/dev/null ||
		{ [[ ${WRIT_MUST_RUN:-} != 1 ]] && skip "no namespaces for this user"; }
}

teardown() { cd / && rm -rf "$base"; }

on_disk() { "$WRIT" run --sandbox workspace --tmp disk "$@"; }

# What is left in the state directory.
left() { ls -A "$WRIT_STATE_DIR/tmp" 2>/dev/null || true; }

@test "the temporary directories lie on disk, are private, and are gone at the end" {
	touch /var/tmp/writ-others-$$
	run -0 --separate-stderr on_disk --json -- sh -c '
		ls -A /var/tmp /dev/shm; echo a >/tmp/a; echo b >/var/tmp/b; echo c >/dev/shm/c; cat /tmp/a /var/tmp/b /dev/shm/c
		stat -f -c %T /tmp; stat -c %a /tmp'
	rm /var/tmp/writ-others-$$
	[[ $(json "$output" 'd["stdout"].endswith("a\nb\nc\n" + d["stdout"].split("\n")[-3] + "\n1777\n")') == True ]] || show_run
	expect_result '"writ-others" in d["stdout"]' False
	expect_result 'd["sandbox"]["tmp"], d["sandbox"]["tmp_by"]' "('disk', 'sampling')"
	[[ ! -e /tmp/a && -z $(left) ]] || show_run
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --json -- stat -f -c %T /tmp
	expect_result 'd["stdout"], d["sandbox"]["tmp"], d["sandbox"]["tmp_by"]' "('tmpfs\\n', 'memory', 'kernel')"
}

@test "it is the file system of the state directory" {
	run -0 --separate-stderr on_disk -- stat -c %d /tmp
	expect_stdout "$(stat -c %d "$WRIT_STATE_DIR")"
}

@test "what is left in it may be shut, deep or no file: all of it goes" {
	run -0 --separate-stderr on_disk -- sh -c '
		cd /tmp; mkdir -p shut/in; touch shut/in/x; mkfifo pipe; ln -s /etc/passwd link; ln -s / shut/root
		i=0; while [ $i -lt 200 ]; do mkdir d; cd d; i=$((i + 1)); done; chmod 0 /tmp/shut/in /tmp/shut'
	[[ -z $(left) && -e /etc/passwd ]] || show_run
}

@test "a run sees nothing of the directory but its own part" {
	run --separate-stderr on_disk -- sh -c 'ls "$1"; ls "$1/tmp"; ls /tmp/../tmp/..' sh "$WRIT_STATE_DIR"
	[[ $output != *"hook"* ]] || show_run
	run --separate-stderr on_disk -- sh -c 'find / -xdev -name hook -path "*state/tmp*" 2>/dev/null'
	expect_stdout ""
}

@test "beyond its size the run is ended, and the result says that this was sampled" {
	run --separate-stderr on_disk --json --tmp-size 4MiB --timeout 60s -- sh -c 'head -c 9000000 /dev/zero >/tmp/x; sleep 50'
	expect_result 'd["outcome"], d["limit"], d["sandbox"]["tmp_by"]' "('limited', 'disk', 'sampling')"
	run --separate-stderr on_disk --tmp-size 4MiB --timeout 60s -- sh -c 'for i in 1 2 3; do head -c 3000000 /dev/zero >/dev/shm/$i; done; sleep 50'
	expect_in_stderr "4MiB"
	expect_in_stderr "sampled"
	[[ -z $(left) ]] || show_run
}

@test "many small files are added up, too" {
	run --separate-stderr on_disk --json --tmp-size 8MiB --timeout 60s -- /usr/bin/python3 -c '
import os, time
for i in range(60):
    os.makedirs(f"/tmp/{i}/a/b")
    for j in range(100):
        with open(f"/tmp/{i}/a/b/{j}", "w") as file:
            file.write("x" * 4000)
time.sleep(50)'
	expect_result 'd["outcome"], d["limit"]' "('limited', 'disk')"
}

@test "what a killed writ has left is removed by the next" {
	# No function: the pid is that of writ.
	"$WRIT" run --sandbox workspace --tmp disk -- sh -c 'echo kept >/tmp/kept; echo ready; exec sleep 600' >out 2>&1 3>&- &
	local pid=$!
	wait_for grep -q ready out
	[[ -n $(left) ]] || show_run
	# Another writ leaves alone what is in use.
	run -0 --separate-stderr on_disk -- true
	[[ $(left | wc -l) == 1 ]] || show_run
	kill -KILL "$pid"
	wait "$pid" || true
	[[ $(cat "$WRIT_STATE_DIR"/tmp/*/tmp/kept) == kept ]] || show_run
	run -0 --separate-stderr on_disk -- true
	[[ -z $(left) ]] || show_run
}

@test "a policy and a profile can say it" {
	printf 'version: 1\ninclude: [open]\nsandbox: workspace\nlimits: { tmp: { size: 4MiB, on: disk } }\n' >"$base/policy.yaml"
	run -0 --separate-stderr "$WRIT" run --json --policy "$base/policy.yaml" -- true
	expect_result 'd["sandbox"]["tmp"]' disk
	run --separate-stderr "$WRIT" run --json --policy "$base/policy.yaml" -- sh -c 'head -c 9000000 /dev/zero >/tmp/x; sleep 50'
	expect_result 'd["outcome"], d["limit"]' "('limited', 'disk')"
	printf 'version: 1\nextends: workspace\nlimits: { tmp: disk }\n' >"$base/large.yaml"
	run -0 --separate-stderr "$WRIT" run --json --sandbox "$base/large.yaml" -- true
	expect_result 'd["sandbox"]["tmp"]' disk
	run -0 --separate-stderr "$WRIT" sandbox show "$base/large.yaml"
	[[ $output == *"  tmp: disk"* ]] || show_run
	# A caller that is no person cannot take memory instead.
	run -0 --separate-stderr "$WRIT" run --no-ask --agent tester --json --tmp memory --policy "$base/policy.yaml" -- true
	expect_result 'd["sandbox"]["tmp"]' disk
}

@test "bad values are told with their place" {
	local text
	for text in 'tmp: dsk' 'tmp: { on: ram }' 'tmp: { at: disk }' 'tmp: { size: 0, on: disk }' 'tmp: [disk]' 'tmp: {on: {}}'; do
		printf 'version: 1\nlimits: { %s }\n' "$text" >"$base/bad.yaml"
		run -1 --separate-stderr "$WRIT" policy lint "$base/bad.yaml"
		[[ $output$stderr == *bad.yaml:2:* ]] || show_run
		printf 'version: 1\nextends: workspace\nlimits: { %s }\n' "$text" >"$base/bad.yaml"
		run -125 --separate-stderr "$WRIT" run --sandbox "$base/bad.yaml" -- true
		[[ $stderr == *bad.yaml:3:* ]] || show_run
	done
}

@test "where there is no /tmp of its own it is refused" {
	for profile in none env container; do
		run -125 --separate-stderr on_disk --sandbox "$profile" -- touch ran
		[[ ! -e ran ]] || show_run
	done
	run -125 --separate-stderr on_disk --background keep -- touch ran
	expect_in_stderr "cannot be used with a background that keeps running"
	[[ ! -e ran ]] || show_run
}
