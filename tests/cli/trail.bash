# What the tests of the record share: the trail as Python sees it.
# shellcheck shell=bash

# trail EXPRESSION: a Python expression over r, all records of the trail in
# their order, as Python prints it. of(KIND) are those of one kind. Fails when a
# line is no JSON.
trail() {
	python3 -ISE - "$1" "${2:-$WRIT_STATE_DIR}" <<-'END'
		import glob, json, sys
		r = []
		for name in sorted(glob.glob(sys.argv[2] + "/audit/trail-*.jsonl")):
		    with open(name, "rb") as file:
		        r += [json.loads(line) for line in file]
		def of(kind):
		    return [x for x in r if x["kind"] == kind]
		print(eval(sys.argv[1]))
	END
}

# keeps_out TEXT: the text stands nowhere in the files of the state directory, but
# for kept outputs.
keeps_out() {
	[[ -s $WRIT_STATE_DIR/audit/trail-000001.jsonl ]] || return
	if grep -raF --exclude-dir=outputs -e "$1" "$WRIT_STATE_DIR" >&2; then
		echo "'$1' is in the trail" >&2
		return 1
	fi
}

# cannot WHY: skips the test, or fails it where skipping is not allowed.
cannot() {
	[[ ${WRIT_MUST_RUN:-} != 1 ]] || {
		echo "$1" >&2
		return 1
	}
	skip "$1"
}

# tiny_disk SIZE: a file system of that size at $DISK, for root.
tiny_disk() {
	local disk=$BATS_TEST_TMPDIR/disk
	mkdir -p "$disk"
	[[ $(id -u) == 0 ]] || skip "needs root to mount a small disk"
	mount -t tmpfs -o "size=$1,mode=755" tmpfs "$disk" || cannot "no tmpfs can be mounted here"
	DISK=$disk
}

drop_disk() { [[ -z ${DISK-} ]] || umount "$DISK"; }
