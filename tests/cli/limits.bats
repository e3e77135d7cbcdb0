#!/usr/bin/env bats
# Limits of time, processor, memory, processes and files.
load helpers
load running

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- time

timed_out() {
	local began
	began=$(now_ms)
	run -124 --separate-stderr "${BEFORE[@]}" "$WRIT" run --timeout 300ms --grace 100ms "${TREE[@]}" -- sleep 60
	within 900 $(($(now_ms) - began)) "the end"
	expect_in_stderr "writ: timed out after 300ms"
}

@test "a timeout ends the run in time, and says so" {
	each_hold timed_out
}

@test "a run within its timeout is not touched" {
	run -5 --separate-stderr "$WRIT" run --timeout 20s --idle-timeout 20s -- sh -c 'echo x; exit 5'
	expect_stdout x
	expect_stderr ""
}

@test "output keeps an idle timeout away, silence does not" {
	run -0 --separate-stderr "$WRIT" run --idle-timeout 1s -- sh -c 'for i in 1 2 3 4 5 6 7; do echo $i; sleep 0.25; done'
	run -0 --separate-stderr "$WRIT" run --idle-timeout 1s -- sh -c 'for i in 1 2 3 4 5 6 7; do echo $i >&2; sleep 0.25; done'
	run -124 --separate-stderr "$WRIT" run --json --idle-timeout 300ms --grace 100ms -- sh -c 'echo x; sleep 60'
	[[ $(json "$output" 'd["outcome"], d["stdout"]') == "('idle_timed_out', 'x\\n')" ]]
	run -124 --separate-stderr "$WRIT" run --idle-timeout 300ms --grace 100ms -- sleep 60
	expect_in_stderr "writ: ended: no output for 300ms"
}

@test "the first deadline counts" {
	run -124 --separate-stderr "$WRIT" run --json --timeout 200ms --idle-timeout 20s -- sleep 60
	[[ $(json "$output" 'd["outcome"]') == timed_out ]]
	run -124 --separate-stderr "$WRIT" run --json --timeout 20s --idle-timeout 200ms -- sleep 60
	[[ $(json "$output" 'd["outcome"]') == idle_timed_out ]]
}

no_grace() {
	run -124 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --timeout 200ms --grace 0s "${TREE[@]}" -- sh -c 'trap "" TERM; sleep 60'
	[[ $(json "$output" 'd["signal"], d["duration_ms"] < 2000') == "('SIGKILL', True)" ]] || show_run
}

@test "no grace means SIGKILL at once" {
	each_hold no_grace
}

@test "the grace is what was asked for: SIGTERM first, SIGKILL then" {
	run -124 --separate-stderr "$WRIT" run --json --timeout 100ms --grace 400ms -- sh -c 'trap "echo asked" TERM; while :; do sleep 0.05; done'
	[[ $(json "$output" 'd["stdout"], d["signal"], d["duration_ms"] >= 490') == "('asked\\n', 'SIGKILL', True)" ]] || show_run
}

# ---- processor

cpu_limited() {
	run --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --cpu 300ms --grace 200ms --timeout 20s "${TREE[@]}" -- sh -c 'while :; do :; done'
	[[ $status == $((128 + 24)) ]] || show_run
	[[ $(json "$output" 'd["outcome"], d["limit"], d["signal"], d["cpu_by"] is not None') == "('limited', 'cpu', 'SIGXCPU', True)" ]] || show_run
}

@test "the processor limit ends a command that computes" {
	each_hold cpu_limited
}

@test "the processor limit counts the whole tree" {
	run --separate-stderr "$WRIT" run --json --cpu 600ms --grace 100ms --timeout 20s -- sh -c \
		'for i in 1 2 3 4; do (while :; do :; done) & done; wait'
	[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'cpu')" ]] || show_run
}

@test "waiting takes no processor time" {
	run -0 --separate-stderr "$WRIT" run --cpu 200ms -- sleep 0.5
}

# ---- memory

# own_group CONTROLLER: the directory of our own group in its hierarchy.
own_group() {
	local path mount
	path=$(sed -n "s/^[0-9]*:\([^:]*,\)\{0,1\}$1\(,[^:]*\)\{0,1\}://p" /proc/self/cgroup)
	for mount in /sys/fs/cgroup/"$1" /sys/fs/cgroup/*,"$1" /sys/fs/cgroup/"$1",*; do
		[[ -n $path && -d $mount ]] && echo "$mount${path%/}" && return
	done
	return 1
}

# counter CONTROLLER HOLD: who must count there. The keeper never lets a group
# count; where the machine has only version 2, either may be.
counter() {
	if [[ $2 == keeper || $2 == bare_kernel ]] || ! is_root; then
		echo sampling
	elif [[ -w $(own_group "$1") ]]; then
		echo cgroup
	else
		echo either
	fi
}

# expect_counter KEY CONTROLLER: the result names who counted.
expect_counter() {
	local by want
	by=$(json "$output" "d[\"$1\"]")
	want=$(counter "$2" "$hold")
	[[ $by == "$want" || ($want == either && $by =~ ^(cgroup|sampling)$) ]] || show_run
}

# limit_groups PID: the groups of that writ that are still there.
limit_groups() {
	local controller dir
	for controller in memory pids; do
		dir=$(own_group "$controller") || continue
		find "$dir" -maxdepth 1 -name "writ-limits.$1.*"
	done
}

memory_limited() {
	run --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --memory 64MiB --grace 200ms --timeout 20s "${TREE[@]}" -- \
		"$WRIT_TEST_PROGRAMS/hog" 200
	[[ $status == 137 && $output != *took* ]] || show_run
	[[ $(json "$output" 'd["outcome"], d["limit"], d["signal"]') == "('limited', 'memory', 'SIGKILL')" ]] || show_run
	expect_counter memory_by memory
}

@test "the memory limit holds for one process" {
	each_hold memory_limited
}

@test "the memory limit counts the whole tree" {
	run --separate-stderr "$WRIT" run --json --memory 100MiB --grace 200ms --timeout 20s -- "$WRIT_TEST_PROGRAMS/hog" 40 4
	[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'memory')" ]] || show_run
}

@test "a child that is killed for memory ends the run, whatever becomes of its parent" {
	child_killed() {
		run -137 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --memory 64MiB --timeout 20s "${TREE[@]}" -- \
			sh -c '"$1" 200; exit 137' sh "$WRIT_TEST_PROGRAMS/hog"
		[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'memory')" ]] || show_run
	}
	each_hold child_killed
}

@test "a memory limit that was reached is told in words" {
	local by=""
	hold=auto
	[[ $(counter memory auto) != cgroup ]] || by=" (counted by the control group)"
	run -137 --separate-stderr "$WRIT" run --memory 64MiB -- "$WRIT_TEST_PROGRAMS/hog" 200
	expect_stderr "writ: ended: memory limit 64MiB reached$by"
}

@test "limits leave no group behind: not after many runs, not after SIGKILL of writ" {
	local i pid
	for ((i = 0; i < 200; i++)); do
		"$WRIT" run --memory 64MiB --processes 20 -- true &
		pid=$!
		wait "$pid"
		[[ -z $(limit_groups "$pid") ]] || { limit_groups "$pid" >&2; false; }
	done
	left_by_killed() {
		"$WRIT" run --memory 64MiB --processes 20 "${TREE[@]}" -- sleep 60 3>&- &
		pid=$!
		wait_for test -e "/proc/$pid/task/$pid/children"
		if [[ $(counter pids "$hold") == cgroup ]]; then
			wait_for eval '[[ $(limit_groups $pid) == */memory/*writ-limits*/pids/*writ-limits* ]]' || true
		fi
		kill -KILL "$pid"
		wait "$pid" || true
		wait_for eval "[[ -z \$(limit_groups $pid) ]]"
	}
	for hold in $(holds); do
		[[ $hold != bare_kernel ]] || continue
		set_hold "$hold"
		left_by_killed
	done
}

@test "a command within its memory is not touched" {
	run -0 --separate-stderr "$WRIT" run --memory 200MiB -- sh -c '"$1" 40 & sleep 0.5' sh "$WRIT_TEST_PROGRAMS/hog"
	expect_stdout "took x"
}

@test "programs that reserve much and use little run under a memory limit" {
	# Address space is not memory.
	run -0 --separate-stderr "$WRIT" run --memory 200MiB -- python3 -c 'import mmap
m = mmap.mmap(-1, 4 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
print("reserved")'
	expect_stdout reserved
}

# ---- processes

processes_limited() {
	run --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --processes 20 --timeout 15s "${TREE[@]}" -- \
		"$WRIT_TEST_PROGRAMS/forks" 200 14
	[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'processes')" ]] || show_run
	expect_counter processes_by pids
	# What the kernel counts is never exceeded, not even for a moment.
	[[ $(counter pids "$hold") != cgroup ]] || (($(json "$output" 'd["stdout"]') < 20)) || show_run
	[[ $(json "$output" 'd["duration_ms"] < 10000') == True ]] || show_run
}

@test "the processes limit ends a fork bomb" {
	each_hold processes_limited
}

@test "the end of a fork bomb leaves nothing" {
	bomb() {
		under_warden "$WARDEN_MS" "${BEFORE[@]}" "$WRIT" run --timeout 500ms --grace 100ms "${TREE[@]}" -- \
			"$WRIT_TEST_PROGRAMS/forks" 200 20 </dev/null >out 2>/dev/null
		take_report
		[[ $status == 124 && $(<out) == 200 ]] || show_report
		expect_nothing_left
	}
	each_hold bomb
}

@test "as many processes as are allowed are not touched" {
	run -0 --separate-stderr "$WRIT" run --processes 10 -- sh -c 'sleep 0.3 & sleep 0.3 & sleep 0.3 & wait; echo fine'
	expect_stdout fine
}

# ---- files

file_limited() {
	rm -f big
	run -153 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --file-size 100KiB "${TREE[@]}" -- sh -c 'exec head -c 1000000 /dev/zero >big'
	[[ $(json "$output" 'd["outcome"], d["limit"], d["signal"]') == "('limited', 'file_size', 'SIGXFSZ')" ]] || show_run
	(($(stat -c %s big) <= 102400))
}

@test "the file size limit" {
	each_hold file_limited
}

@test "the file size limit is named when the shell had the signal from its child" {
	run -153 --separate-stderr "$WRIT" run --file-size 100KiB -- sh -c 'head -c 1000000 /dev/zero >big; exit $?'
	expect_in_stderr "writ: ended: file size limit 100KiB reached"
}

@test "the file size limit is not for the output" {
	run -0 --separate-stderr "$WRIT" run --file-size 1KiB -- sh -c 'seq 1 100000 | tail -n 1'
	expect_stdout 100000
	"$WRIT" run --file-size 1KiB -- seq 1 100000 >out
	cmp out <(seq 1 100000)
}

# ---- the private TMPDIR

# in_place PROFILE: the directory from which such a run can be started.
in_place() {
	[[ $1 == readonly ]] && echo / || echo "$BATS_TEST_TMPDIR"
}

# disk_limited OPTION...: a run that fills its TMPDIR, slowly and at once.
disk_limited() {
	echo "options: $*" >&2
	run --separate-stderr "$WRIT" run --json --tmp-size 4MiB --timeout 20s "$@" -- \
		sh -c 'while head -c 500000 /dev/zero >>"$TMPDIR/x"; do sleep 0.02; done; sleep 20'
	[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'disk')" ]] || show_run
	[[ $(json "$output" 'd["duration_ms"] < 10000') == True ]] || show_run
	run --separate-stderr "$WRIT" run --tmp-size 4MiB "$@" -- sh -c 'head -c 9000000 /dev/zero >"$TMPDIR/x"'
	((status > 128)) || show_run
	[[ $stderr == *"writ: ended: size limit of the private TMPDIR 4MiB reached"* ]] || show_run
}

@test "the size of the private TMPDIR, in each profile" {
	local profile
	disk_limited --env-mode isolated
	for profile in env readonly workspace strict; do
		cd "$(in_place "$profile")"
		disk_limited --sandbox "$profile"
	done
}

@test "what fits into the private TMPDIR is not touched" {
	local profile
	for profile in env readonly workspace strict; do
		cd "$(in_place "$profile")"
		run -3 --separate-stderr "$WRIT" run --sandbox "$profile" --tmp-size 4MiB -- \
			sh -c 'head -c 2000000 /dev/zero >"$TMPDIR/x"; sleep 0.2; exit 3'
		expect_stderr ""
	done
}

# ---- in a sandbox

@test "memory and processes are limited by name in each profile" {
	local profile
	for profile in env readonly workspace strict; do
		cd "$(in_place "$profile")"
		hold=auto
		echo "profile: $profile" >&2
		run -137 --separate-stderr "$WRIT" run --json --sandbox "$profile" --memory 64MiB --timeout 20s -- \
			sh -c 'x=$(head -c 150000000 /dev/zero | tr "\0" x); sleep 20; echo "$x"'
		[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'memory')" ]] || show_run
		expect_counter memory_by memory
		run --separate-stderr "$WRIT" run --json --sandbox "$profile" --processes 8 --timeout 20s -- \
			sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20 & done; sleep 20'
		[[ $(json "$output" 'd["outcome"], d["limit"]') == "('limited', 'processes')" ]] || show_run
		expect_counter processes_by pids
	done
}

# default_memory: three quarters of the machine's memory, in bytes.
default_memory() {
	awk '/^MemTotal:/ { all = $2 * 1024; printf "%.0f", all - int(all / 4) }' /proc/meminfo
}

@test "an agent's command has three quarters of the memory, and the result says who holds it" {
	local want=none pid group
	hold=auto
	cd "$(in_place workspace)"
	[[ $(counter memory auto) == sampling ]] || want=$(counter memory auto)
	run -0 --separate-stderr "$WRIT" run --no-ask --json --agent tester --sandbox workspace -- true
	[[ $(json "$output" 'd["memory_by"]') == "$want" || $want == either ]] || show_run
	# A person's command has no limit that nobody asked for.
	run -0 --separate-stderr "$WRIT" run --json --sandbox workspace -- true
	[[ $(json "$output" 'd["memory_by"]') == None ]] || show_run
	[[ $want == cgroup ]] || return 0
	# Neither by saying nothing nor by asking for more does it get more.
	mkfifo held
	for asked in "" "--memory 900TiB"; do
		# shellcheck disable=SC2086 # two words or none
		"$WRIT" run --no-ask --agent tester --sandbox workspace $asked -- cat <held 3>&- &
		pid=$!
		exec 7>held
		wait_for eval '[[ -n $(limit_groups $pid) ]]'
		group=$(limit_groups "$pid" | head -n 1)
		wait_for eval '[[ -n $(cat "$group"/*/tasks 2>/dev/null) ]]'
		(($(cat "$group"/*/memory.limit_in_bytes) <= $(default_memory)))
		exec 7>&-
		wait "$pid"
	done
}

@test "the private /tmp and /dev/shm are a quarter of the memory and at most 8 GiB, unless a size is named" {
	local profile want
	want=$(awk '/^MemTotal:/ { want = int($2 / 4); print (want > 8388608 ? 8388608 : want) }' /proc/meminfo)
	for profile in readonly workspace strict; do
		cd "$(in_place "$profile")"
		run -0 --separate-stderr "$WRIT" run --sandbox "$profile" -- sh -c 'df -k --output=size /tmp /dev/shm | tail -n +2'
		while read -r size; do
			((size <= want + 4 && size >= want - 4)) || show_run
		done <<<"$output"
	done
	run -0 --separate-stderr "$WRIT" run --sandbox workspace --tmp-size 16MiB -- df -k --output=size /tmp
	[[ $output == *16384* ]] || show_run
	# An agent cannot name a larger one.
	run -0 --separate-stderr "$WRIT" run --no-ask --agent tester --sandbox workspace --tmp-size 900TiB -- df -k --output=size /tmp
	((${lines[1]} <= want + 4)) || show_run
}

# ---- open files

open_files_limited() {
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --open-files 30 "${TREE[@]}" -- sh -c 'ulimit -Sn; ulimit -Hn'
	expect_stdout $'30\n30'
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --json --open-files 30 "${TREE[@]}" -- true
	[[ $(json "$output" 'd["open_files"]') == 30 ]] || show_run
}

@test "the open files limit, soft and hard" {
	each_hold open_files_limited
}

@test "a limit of open files so small that only the standard streams fit" {
	local status=0
	"$WRIT" run --open-files 3 -- true 2>err || status=$?
	# A dynamic loader needs a fourth; but then it is the command that fails.
	[[ $status == 127 || $status == 0 ]]
	! grep '^writ: ' err
}

@test "an ordinary user cannot go above a hard limit" {
	! is_root || skip "root can"
	run -125 --separate-stderr bash -c 'ulimit -n 500; exec "$1" run --open-files 1000 -- true' bash "$WRIT"
	expect_in_stderr "the hard limit is 500"
}

core_limited() {
	run -0 --separate-stderr bash -c 'ulimit -c 1000; exec "$@"' bash "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- sh -c 'ulimit -c'
	expect_stdout 0
}

@test "no core files" {
	each_hold core_limited
}

@test "without limits the command has those of writ" {
	run -0 --separate-stderr bash -c 'ulimit -Sn 321; ulimit -Sf 12345; exec "$1" run -- sh -c "ulimit -n; ulimit -f"' bash "$WRIT"
	[[ ${lines[0]} == 321 ]] || show_run
	[[ ${lines[1]} == 12345 || ${lines[1]} == $((12345 * 2)) ]] || show_run # dash counts half a KiB
}

# ---- umask and niceness

umask_set() {
	run -0 --separate-stderr bash -c 'umask 027; exec "$@"' bash "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- sh -c umask
	expect_stdout 0027
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --umask 077 "${TREE[@]}" -- sh -c umask
	expect_stdout 0077
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --umask 0 "${TREE[@]}" -- sh -c umask
	expect_stdout 0000
}

@test "the umask is writ's, or the one asked for" {
	each_hold umask_set
}

nice_set() {
	local now
	now=$(nice)
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run "${TREE[@]}" -- nice
	expect_stdout "$now"
	run -0 --separate-stderr "${BEFORE[@]}" "$WRIT" run --nice 5 "${TREE[@]}" -- nice
	expect_stdout $((now + 5))
	run -0 --separate-stderr nice -n 3 "${BEFORE[@]}" "$WRIT" run --nice 5 "${TREE[@]}" -- nice
	expect_stdout $((now + 8))
}

@test "the niceness is added" {
	each_hold nice_set
}

@test "an ordinary user cannot lower the niceness, and is told so" {
	! is_root || skip "root can"
	run -125 --separate-stderr "$WRIT" run --nice -5 -- echo ran
	expect_stdout ""
	expect_in_stderr "cannot change the niceness"
}

@test "root lowers the niceness" {
	is_root || skip "only root can"
	local now
	now=$(nice)
	run -0 --separate-stderr "$WRIT" run --nice -5 -- nice
	expect_stdout $((now - 5))
}

# ---- exhaustion

@test "too few descriptors for writ itself: one message, 125, nothing started" {
	local n seen=0
	for n in 3 4 5 6 8 10 12 14 16 18 20 24; do
		rm -f ran
		under_warden "$WARDEN_MS" bash -c "ulimit -n $n; exec \"\$@\"" bash "$WRIT" run -- touch ran </dev/null >out 2>err
		take_report
		expect_nothing_left
		[[ $zombies == 0 ]] || show_report
		case $status in
		0) [[ -e ran ]] ;;
		125)
			seen=1
			[[ ! -e ran && $(grep -c '^writ: ' err) == 1 && ! -s out ]] || { cat err >&2; show_report; }
			grep -qi 'open files' err || { cat err >&2; show_report; }
			;;
		127) ((n < 5)) ;; # the loader of writ itself
		*) show_report ;;
		esac
	done
	((seen == 1))
}

@test "too few descriptors under every hold: 125 or it runs" {
	few_descriptors() {
		local n
		for n in 12 16 20 24 28; do
			under_warden "$WARDEN_MS" bash -c "ulimit -n $n; exec \"\$@\"" bash "${BEFORE[@]}" "$WRIT" run --json "${TREE[@]}" -- \
				sh -c 'echo x; exit 6' </dev/null >out 2>err
			take_report
			expect_nothing_left
			[[ $status == 6 || $status == 125 ]] || show_report
			# Not one that says the program is missing.
			[[ $status == 6 || $(json "$(<out)" 'd["error"]["code"]') == system ]] || { cat out >&2; show_report; }
		done
	}
	each_hold few_descriptors
}

@test "no more processes: one message with the reason, 125, nothing left" {
	! is_root || skip "the limit does not count for root"
	no_process() {
		under_warden "$WARDEN_MS" bash -c 'ulimit -u 1; exec "$@"' bash "$WRIT" run "${TREE[@]}" -- echo ran </dev/null >out 2>err
		take_report
		[[ $status == 125 && ! -s out && $zombies == 0 ]] || show_report
		expect_nothing_left
		[[ $(grep -c '^writ: ' err) == 1 ]] || { cat err >&2; false; }
		grep -q 'cannot start a process' err || { cat err >&2; false; }
		grep -q 'ulimit -u' err || { cat err >&2; false; }
	}
	for hold in auto keeper; do
		set_hold "$hold"
		no_process
	done
}
