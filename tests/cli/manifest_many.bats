#!/usr/bin/env bats
# bats file_tags=anyone
# Files one after the other reach the disk together; nobody can tell.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# many COUNT: that many files in the directory f, as a list of resources.
many() {
	local i
	mkdir -p f
	printf 'ccm:\n  %s\n  resources:\n    - file:\n' "${2-}"
	for ((i = 0; i < $1; i++)); do
		printf '        - %s/f/%d: {content: "file %d {{ Facts.v }}"}\n' "$D" "$i" "$i"
	done
}

# bats test_tags=smoke
@test "many files wait for the disk together, and have their events in order" {
	need strace
	many 300 >"$MANIFEST"
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -c -o calls -e trace=fsync,fdatasync,syncfs "$WRIT" apply --json --fact v=1 "$MANIFEST" >"$OUT" 2>"$ERR" || show
	expect 'len(es) == 300' 'all(x["changed"] and len(x["run_ids"]) == 1 for x in es)' \
		'[int(os.path.basename(x["name"])) for x in es] == list(range(300))' \
		'len(os.listdir("f")) == 300' 'read("f/299") == "file 299 1"' \
		'all(x["status"]["metadata"]["size"] > 5 and x["status"]["metadata"]["mtime"] for x in es)'
	[[ $(awk '$NF ~ /sync/ { n += $4 } END { print n + 0 }' calls) -lt 30 ]] || {
		cat calls
		false
	}
	# Half of them again: those that stay keep their place.
	rm f/*[02468]
	apply 0 --fact v=1
	expect '[x["changed"] for x in es] == [i % 2 == 0 for i in range(300)]' \
		'[int(os.path.basename(x["name"])) for x in es] == list(range(300))'
	"$WRIT" audit verify
}

@test "what could see a file that is not there yet comes after it" {
	cat >"$MANIFEST" <<-END
		ccm:
		  resources:
		    - file:
		        - $D/a: {content: one}
		        - $D/b: {content: two}
		        - $D/c: {content: "{{ file('$D/a') }}"}
		        - $D/d: {content: x}
		        - $D/a: {content: three}
		        - $D/e: {content: y, require: ["file#$D/d"]}
		        - $D/f: {content: z}
		    - exec:
		        - cat: {command: cp $D/f $D/g}
		    - file:
		        - $D/h: {content: 1}
		        - $D/none/i: {content: 2}
		        - $D/j: {content: 3}
	END
	sed -i 's/content: \([0-9]\)/content: "\1"/' "$MANIFEST"
	apply 4
	expect 'read("c") == "one" and read("a") == "three" and read("g") == "z"' 'read("h") == "1" and read("j") == "3"' \
		'[x["failed"] for x in es].index(True) == 9 and sum(x["failed"] for x in es) == 1'
}

@test "fail_on_error stops behind the failure, and what came before is there" {
	{
		many 3 'fail_on_error: true'
		printf '        - %s/no/x: {content: x}\n        - %s/f/last: {content: x}\n        - %s/f/more: {content: x}\n' "$D" "$D" "$D"
	} >"$MANIFEST"
	apply 4 --fact v=1
	expect '[x["failed"] for x in es] == [False, False, False, True]' 'sorted(os.listdir("f")) == ["0", "1", "2"]'
}

@test "killed in the middle of a commit, nothing is half done and nothing is missing afterwards" {
	need strace
	many 100 >"$MANIFEST"
	echo "    - exec: [seen: {command: touch $D/seen, refreshonly: true, subscribe: [file#$D/f/50]}]" >>"$MANIFEST"
	for place in syncfs:1 linkat:20 linkat:60 fsync:2 fsync:3; do
		rm -rf f seen "$WRIT_STATE_DIR"
		mkdir f
		! strace -f -qq -o /dev/null -e trace="${place%:*}" -e inject="${place%:*}:signal=SIGKILL:when=${place#*:}" \
			"$WRIT" apply --fact v=1 "$MANIFEST" >"$OUT" 2>"$ERR"
		grep -rLE '^file [0-9]+ 1$' f >bad || true
		[[ ! -s bad ]] || {
			cat bad
			false
		}
		apply 0 --fact v=1
		expect 'len(os.listdir("f")) == 100 and has("seen")' || {
			echo "$place" >&2
			false
		}
	done
}

@test "a full disk in the middle is told, nothing is half done, and resume goes on" {
	need unshare mount
	unshare -rm true 2>/dev/null || skip "no mounts of one's own here"
	mkdir m
	{
		printf 'ccm:\n  fail_on_error: true\n  resources:\n    - file:\n'
		for ((i = 0; i < 60; i++)); do
			printf '        - %s/m/t/%d: {content: "{{ repeat('\''%d '\'', 5000) }}"}\n' "$D" "$i" "$i"
		done
		printf '    - exec:\n        - last: {command: touch %s/last}\n' "$D"
	} >"$MANIFEST"
	unshare -rm bash -ec '
		folder=$1 writ=$2 manifest=$3
		mount -t tmpfs -o size=1400k,mode=700 tmpfs "$folder/m"
		mkdir "$folder/m/t"
		head -c 1000k /dev/zero >"$folder/m/filler"
		status=0
		"$writ" apply --json "$manifest" >"$folder/out" 2>&1 || status=$?
		[ "$status" = 4 ]
		grep -q "No space left on device" "$folder/out"
		[ ! -e "$folder/last" ]
		# Each is whole or not there, and nothing else is.
		for file in $(ls -A "$folder/m/t"); do
			[ "$(wc -w <"$folder/m/t/$file")" = 5000 ]
		done
		[ "$(ls -A "$folder/m/t" | wc -l)" -gt 5 ]
		rm "$folder/m/filler"
		"$writ" apply --json --resume "$(ls "$WRIT_STATE_DIR/sessions")" "$manifest" >"$folder/out"
		[ "$(ls -A "$folder/m/t" | wc -l)" = 60 ] && [ -e "$folder/last" ]
		[ "$(tail -n 1 "$folder/out" | grep -c "\"failed_resources\":0")" = 1 ]
		"$writ" apply --json "$manifest" | tail -n 1 | grep -q "\"changed_resources\":1,"
	' - "$D" "$WRIT" "$MANIFEST"
}
