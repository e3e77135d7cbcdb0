# What the tests of manifests share: a manifest for each test, and Python
# expressions over what came of it.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # used by the tests; set by bats

# Nothing of this machine is read or written, and the policy is the one that
# manifests have when nobody says otherwise. D is where commands leave marks.
manifest_setup() {
	D=$BATS_TEST_TMPDIR/work
	MANIFEST=$BATS_TEST_TMPDIR/m.yaml
	OUT=$BATS_TEST_TMPDIR/out
	ERR=$BATS_TEST_TMPDIR/err
	mkdir -p "$D"
	export WRIT_CONFIG_DIR=$BATS_TEST_TMPDIR/config
	export WRIT_SYSTEM_DIR=$BATS_TEST_TMPDIR/system
	export WRIT_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	unset WRIT_POLICY WRIT_SESSION_STORE
	cd "$D" || return
}

# manifest: standard input becomes the manifest.
manifest() { cat >"$MANIFEST"; }

# execs [TOP]: standard input is a list of named exec resources; TOP is put
# before it.
execs() {
	{
		printf '%s\nccm:\n  resources:\n    - exec:\n' "${1-}"
		sed 's/^/        /'
	} >"$MANIFEST"
}

# show: what the last command said.
show() {
	printf 'status: %s\n' "$status" >&2
	head -c 8192 "$OUT" "$ERR" >&2
	return 1
}

# to_files STATUS COMMAND...: its output goes to $OUT and $ERR.
to_files() {
	local wanted=$1
	shift
	status=0
	timeout -s KILL 120 "$@" >"$OUT" 2>"$ERR" </dev/null || status=$?
	[[ $status == "$wanted" ]] || {
		echo "wanted: $wanted" >&2
		show
	}
}

# apply STATUS [OPTION...]: applies the manifest; one event a line is in $OUT.
apply() {
	local wanted=$1
	shift
	to_files "$wanted" "$WRIT" apply --json "$@" "$MANIFEST"
}

# refused TEXT...: the manifest is refused by validate and by apply, each text
# is in what they say, with the place, and nothing is done.
refused() {
	local text verb
	for verb in validate apply; do
		to_files 1 "$WRIT" "$verb" "$MANIFEST"
		cat "$OUT" >>"$ERR"
		grep -Eq ':[0-9]+:[0-9]+: ' "$ERR" || show
		for text; do
			grep -qF -- "$text" "$ERR" || {
				echo "not said by $verb: $text" >&2
				show
			}
		done
	done
	[[ ! -e $D/canary ]]
}

# accepted: the manifest can be read.
accepted() { to_files 0 "$WRIT" validate "$MANIFEST"; }

# expect EXPRESSION...: each is true of the last apply. es are its events in
# their order, e(NAME) the last of a name or alias, s the summary; has(FILE) and
# read(FILE) look beneath $D; out and err are what was said.
expect() {
	python3 -ISE - "$D" "$OUT" "$ERR" "$@" <<-'END' || show
		import json, os, sys
		folder, out, err = sys.argv[1], *(open(p, "rb").read().decode("utf-8", "replace") for p in sys.argv[2:4])
		lines = []
		for line in out.splitlines():
		    try:
		        lines.append(json.loads(line))
		    except ValueError:
		        pass
		es = [x for x in lines if isinstance(x, dict) and str(x.get("protocol", "")).endswith("transaction.event")]
		s = lines[-1] if lines else None
		def e(name):
		    return [x for x in es if name in (x["name"], x.get("alias"))][-1]
		def has(name):
		    return os.path.lexists(os.path.join(folder, name))
		def read(name):
		    try:
		        return open(os.path.join(folder, name)).read()
		    except FileNotFoundError:
		        return None
		def kind(name):
		    x = e(name)
		    return next((w for w in ("failed", "skipped", "changed") if x[w]), "stable")
		wrong = 0
		for text in sys.argv[4:]:
		    try:
		        is_true = bool(eval(text))
		    except Exception as problem:
		        is_true = False
		        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
		    if not is_true:
		        wrong += 1
		        print("not true: " + text, file=sys.stderr)
		sys.exit(wrong > 0)
	END
}

# says TEXT...: the last command said each of these.
says() {
	local text
	for text; do
		cat "$OUT" "$ERR" | grep -qF -- "$text" || {
			echo "not said: $text" >&2
			show
		}
	done
}
