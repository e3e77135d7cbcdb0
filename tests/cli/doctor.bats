#!/usr/bin/env bats
# writ doctor: what this machine offers, and what it says where something is
# missing. What is taken away is taken by the kernel, from outside.
# Scripts in single quotes are for other shells, and `run` sets stderr.
# shellcheck disable=SC2016,SC2154
load helpers

: "${WRIT_TEST_PROGRAMS:?the folder of the test programs}"
export WRIT_TEST_PROGRAMS
bare_kernel=$WRIT_TEST_PROGRAMS/bare_kernel
filtered=$WRIT_TEST_PROGRAMS/filtered
contain=$BATS_TEST_DIRNAME/contain

setup() {
	unset container CI GITHUB_ACTIONS GITLAB_CI KUBERNETES_SERVICE_HOST
}

# py EXPRESSION: its value over d (the report), L (layers) and P (profiles by
# name).
py() {
	/usr/bin/python3 -c '
import json, sys
d = json.loads(sys.argv[1])
L = {l["name"]: l for l in d["layers"]}
P = {p["name"]: p for p in d["profiles"]}
print(eval(sys.argv[2]))' "$output" "$1"
}

# expect EXPRESSION VALUE
expect() {
	local value
	value=$(py "$1")
	[[ $value == "$2" ]] && return
	echo "$1: '$value', not '$2'" >&2
	show_run
}

# Where the machine under the test cannot do it, nothing is taken away.
need_spaces() {
	unshare --user --map-root-user --mount true 2>/dev/null && return
	[[ ${WRIT_MUST_RUN:-} != 1 ]] || return 1
	skip "no user namespaces here"
}

need_root() {
	[[ $(id -u) == 0 ]] || skip "needs root"
}

# The build may be where only root can look.
copy_for_all() {
	copy=$(mktemp -d)
	cp "$WRIT" "$copy/writ"
	chmod 755 "$copy" "$copy/writ"
}

teardown() {
	[[ -z ${copy:-} ]] || rm -rf "$copy"
}

# agree COMMAND...: within it, each profile is had by a run just when the doctor
# says so, and a refusal has the doctor's words.
agree() {
	local profile report wanted remedies can_start try shared
	# Whoever runs there makes a state directory of their own.
	shared=$(mktemp -d "$copy/shared-XXXXXX")
	chmod 1777 "$shared"
	local -x WRIT_STATE_DIR=$shared/state
	run --separate-stderr "$@" "$copy/writ" doctor --json
	report=$output
	for profile in none env readonly workspace strict; do
		output=$report
		can_start=$(py 'P["none"]["available"]')
		wanted=$(py "'0' if P['$profile']['available'] else '125'")
		remedies=$(py "chr(10).join(l['remedy'] or '' for l in d['layers'])")
		run --separate-stderr "$@" "$copy/writ" run --sandbox "$profile" --env HOME=/ -- true
		[[ $status == "$wanted" ]] || {
			echo "$*: $profile: the doctor said $wanted" >&2
			show_run
		}
		# Where nothing starts, the words are those of any run.
		try=$(sed -n 's/^  try: //p' <<<"$stderr")
		[[ $status == 0 || $can_start == False ]] || grep -qxF -- "$try" <<<"$remedies" || {
			echo "$*: $profile: the doctor did not say this" >&2
			show_run
		}
	done
}

# bats test_tags=smoke
@test "the report has each layer and each profile once" {
	run --separate-stderr "$WRIT" doctor --json
	expect_stderr ""
	expect 'list(L)' "['clone3', 'no_new_privs', 'capabilities', 'keyring', 'landlock', 'seccomp', 'userns', 'mountns', 'pidns', 'netns', 'ipcns', 'utsns', 'cgroupns', 'cgroup', 'pivot_root']"
	expect 'list(P)' "['none', 'env', 'container', 'readonly', 'workspace', 'strict']"
	expect 'len(d["layers"])' 15
	expect 'd["kernel"]' "$(uname -r)"
	expect 'd["uid"]' "$(id -u)"
}

@test "the exit status is that of workspace" {
	run --separate-stderr "$WRIT" doctor --json
	expect 'd["ok"] == P["workspace"]["available"]' True
	expect 'd["ok"]' "$([[ $status == 0 ]] && echo True || echo False)"
	[[ $status == 0 || $status == 1 ]]
}

@test "what is missing has a cause, a step, an errno and a remedy; what is there has none" {
	run --separate-stderr "$filtered" landlock userns keyctl -- "$WRIT" doctor --json
	expect '[l["name"] for l in d["layers"] if not l["available"] and not (l["cause"] and l["step"] and l["errno"] and l["remedy"])]' '[]'
	expect '[l["name"] for l in d["layers"] if l["available"] and (l["cause"] or l["errno"] or l["remedy"] or l["setting"])]' '[]'
	expect '[L[n]["available"] for n in ("landlock", "userns", "keyring")]' '[False, False, False]'
}

@test "a profile is available just when none of its layers is missing" {
	for words in landlock seccomp keyctl userns namespaces pivot; do
		run --separate-stderr "$filtered" "$words" -- "$WRIT" doctor --json
		expect '[p["name"] for p in d["profiles"] if p["available"] != (p["missing"] == [])]' '[]'
		expect 'all(not L[m]["available"] for p in d["profiles"] for m in p["missing"])' True
	done
}

@test "none and env need no layer" {
	run -1 --separate-stderr "$filtered" landlock seccomp keyctl userns pivot -- "$WRIT" doctor --json
	expect '[P[n]["available"] for n in ("none", "env", "readonly", "workspace", "strict")]' '[True, True, False, False, False]'
}

@test "without Landlock the filter around writ is named" {
	run -1 --separate-stderr "$filtered" landlock -- "$WRIT" doctor --json
	expect 'P["readonly"]["missing"]' "['landlock']"
	expect 'L["landlock"]["errno"]' ENOSYS
	expect 'L["landlock"]["setting"]' 'the seccomp filter that writ was started in'
}

@test "Landlock that was not started at boot is told from one that is hidden" {
	run -1 --separate-stderr "$filtered" off -- "$WRIT" doctor --json
	expect 'L["landlock"]["errno"]' EOPNOTSUPP
	expect '"lsm=landlock," in L["landlock"]["remedy"]' True
}

@test "a filter that kills is survived and reported" {
	run -1 --separate-stderr "$filtered" fatal -- "$WRIT" doctor --json
	expect 'L["landlock"]["available"]' False
	expect 'L["seccomp"]["available"]' True
}

@test "without further seccomp filters no wall stands" {
	run -1 --separate-stderr "$filtered" seccomp -- "$WRIT" doctor --json
	expect 'L["seccomp"]["errno"]' EPERM
	expect 'P["strict"]["missing"]' "['seccomp']"
}

@test "where clone3 is hidden, clone does" {
	run -1 --separate-stderr "$filtered" namespaces -- "$WRIT" doctor --json
	expect 'L["clone3"]["errno"]' ENOSYS
	expect 'L["clone3"]["needed"]' False
	expect '[P[n]["available"] for n in ("none", "env")]' '[True, True]'
	expect 'all(p["best_effort"] for p in d["profiles"])' True
}

@test "where no process can be started nothing runs, not even at best effort" {
	run -1 --separate-stderr "$filtered" clone3 -- "$WRIT" doctor --json
	expect '[p["missing"][0] for p in d["profiles"]]' "['clone3', 'clone3', 'clone3', 'clone3', 'clone3', 'clone3']"
	expect 'any(p["best_effort"] for p in d["profiles"])' False
	run -1 --separate-stderr "$filtered" clone3 -- "$WRIT" doctor
	expect_in_stdout "no  none          refused: no clone3"
}

@test "with user namespaces switched off the sysctl and its value are named" {
	need_spaces
	# Its root would do without them.
	run -1 --separate-stderr "$bare_kernel" setpriv --bounding-set=-sys_admin --inh-caps=-all -- "$WRIT" doctor --json
	expect 'L["userns"]["setting"]' 'user.max_user_namespaces=0'
	expect 'L["userns"]["errno"]' ENOSPC
	expect '"sysctl -w user.max_user_namespaces=" in L["userns"]["remedy"]' True
	expect '[l["name"] for l in d["layers"] if l["needs"] == "userns"]' "['mountns', 'pidns', 'netns', 'ipcns', 'utsns', 'cgroupns']"
	expect 'L["pivot_root"]["needs"]' mountns
	expect 'P["workspace"]["missing"][0]' userns
	run -1 --separate-stderr "$bare_kernel" setpriv --bounding-set=-sys_admin --inh-caps=-all -- "$WRIT" doctor
	expect_in_stdout "no  mountns       needs userns"
	expect_in_stdout "no  workspace     refused: no userns; best effort would lack userns, "
}

@test "who is privileged in a user namespace needs no further one" {
	need_spaces
	run -0 --separate-stderr unshare --user --map-root-user "$WRIT" doctor --json
	expect 'd["privileged"]' True
	expect 'L["userns"]["needed"]' False
	expect 'P["strict"]["available"]' True
}

@test "an ordinary user has the same profiles as root where user namespaces work" {
	need_root
	need_spaces
	copy_for_all
	run -0 --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'cd / && exec "$0" doctor --json' "$copy/writ"
	expect 'd["uid"]' 65534
	expect 'd["privileged"]' False
	expect 'L["userns"]["needed"]' True
	expect '[p["available"] for p in d["profiles"]]' '[True, True, True, True, True, True]'
}

@test "without pivot_root only strict is lost" {
	need_spaces
	run -0 --separate-stderr "$filtered" pivot -- "$WRIT" doctor --json
	expect 'P["strict"]["missing"]' "['pivot_root']"
	expect 'L["pivot_root"]["step"]' 'changing the root'
	expect 'P["workspace"]["available"]' True
}

# bats test_tags=full
@test "what the doctor says is what a run gets" {
	copy_for_all
	cd /usr
	agree env
	for words in landlock off seccomp keyctl pivot namespaces clone3; do
		agree "$filtered" "$words" --
	done
	need_spaces
	agree unshare --user --map-root-user --mount
	agree "$bare_kernel"
	agree "$contain" podman
	agree "$contain" --open-calls podman
	agree "$contain" --open-calls --open-proc podman
	[[ $(id -u) == 0 ]] || return 0
	agree "$contain" docker
	agree "$contain" --uid 1000 docker
	agree "$contain" --open-calls docker
	agree "$contain" --open-calls --open-proc docker
	agree "$contain" --open-calls --open-proc --uid 1000 docker
	agree "$contain" --privileged docker
}

@test "in Docker by its defaults the options that open it are named" {
	need_root
	run -1 --separate-stderr "$contain" docker "$WRIT" doctor --json
	expect 'd["container"]' docker
	expect 'd["privileged"]' False
	expect 'L["userns"]["remedy"].startswith("docker run --security-opt seccomp=unconfined ")' True
	expect 'L["landlock"]["available"]' True
}

# bats test_tags=full
@test "with the calls open, Docker's masks over /proc are in the way" {
	need_root
	run -1 --separate-stderr "$contain" --open-calls docker "$WRIT" doctor --json
	expect 'L["userns"]["available"]' True
	expect 'L["mountns"]["step"]' 'mounting a fresh /proc'
	expect 'L["mountns"]["setting"]' 'mounts below /proc'
	expect '"systempaths=unconfined" in L["mountns"]["remedy"]' True
}

# bats test_tags=full
@test "in Docker with those options everything can be had, as its root and as a user" {
	need_root
	need_spaces
	copy_for_all
	for uid in 0 1000; do
		run -0 --separate-stderr "$contain" --open-calls --open-proc --uid "$uid" docker \
			sh -c 'cd / && exec "$0" doctor --json' "$copy/writ"
		expect 'd["uid"]' "$uid"
		expect 'd["privileged"]' False
		expect '[p["available"] for p in d["profiles"]]' '[True, True, True, True, True, True]'
	done
}

# bats test_tags=full
@test "in a rootless Podman the masks and the filter are in the way, and its options open it" {
	need_spaces
	run -1 --separate-stderr "$contain" podman "$WRIT" doctor --json
	expect 'd["container"]' podman
	expect 'L["mountns"]["remedy"]' 'podman run --security-opt unmask=ALL --security-opt seccomp=unconfined ...'
	run -0 --separate-stderr "$contain" --open-calls --open-proc podman "$WRIT" doctor --json
	expect 'P["strict"]["available"]' True
}

@test "Kubernetes is told where its settings go" {
	KUBERNETES_SERVICE_HOST=10.0.0.1 run -1 --separate-stderr "$filtered" namespaces -- "$WRIT" doctor --json
	expect 'd["container"]' kubernetes
	[[ $(id -u) == 0 ]] || expect '"procMount: Unmasked" in L["userns"]["remedy"]' True
}

@test "CI is noticed" {
	GITHUB_ACTIONS=true run --separate-stderr "$WRIT" doctor --json
	expect 'd["ci"]' github
	GITLAB_CI=true run --separate-stderr "$WRIT" doctor --json
	expect 'd["ci"]' gitlab
	CI=1 run --separate-stderr "$WRIT" doctor
	expect_in_stdout ", CI: ci"
}

@test "nothing is left behind" {
	local before after
	before=$(find /sys/fs/cgroup -maxdepth 6 -name 'writ-doctor*' 2>/dev/null | wc -l)
	mounts=$(cat /proc/self/mountinfo)
	for ((i = 0; i < 3; i++)); do
		run "$WRIT" doctor
	done
	after=$(find /sys/fs/cgroup -maxdepth 6 -name 'writ-doctor*' 2>/dev/null | wc -l)
	[[ $before == "$after" ]]
	[[ $mounts == "$(cat /proc/self/mountinfo)" ]]
	[[ ! -e /writ-doctor ]]
	"$WRIT_TEST_PROGRAMS/warden" "$BATS_TEST_TMPDIR/report" 500 "$WRIT" doctor
	grep -qx 'zombies=0' "$BATS_TEST_TMPDIR/report"
	grep -qx 'left=0' "$BATS_TEST_TMPDIR/report"
	grep -qx 'alive=0' "$BATS_TEST_TMPDIR/report"
}

@test "words in a pipe, ticks and colour on a terminal" {
	need script
	run --separate-stderr "$filtered" landlock -- "$WRIT" doctor
	[[ $output != *$'\033'* && $output != *✓* ]]
	grep -qE '^  ok  seccomp$' <<<"$output"
	grep -qE '^  no  landlock      [a-z]' <<<"$output"
	grep -qE '^                    try: ' <<<"$output"
	[[ $output != *' '$'\n'* ]]
	run on_terminal "unset NO_COLOR; '$filtered' landlock -- '$WRIT' doctor"
	expect_in_stdout $'\033[32m✓\033[0m'
	expect_in_stdout $'\033[31m✗\033[0m'
}

@test "wrong usage is 2" {
	run -2 --separate-stderr "$WRIT" doctor now
	expect_in_stderr "writ: doctor: unexpected word 'now'"
	run -2 --separate-stderr "$WRIT" doctor --jsno
	expect_in_stderr "did you mean '--json'?"
}

@test "an answer that cannot be written is an error" {
	[[ -w /dev/full ]] || skip "no /dev/full"
	run -1 --separate-stderr sh -c '"$0" doctor >/dev/full' "$WRIT"
	expect_in_stderr "cannot write to standard output"
}
