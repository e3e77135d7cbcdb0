#!/usr/bin/env bats
# bats file_tags=anyone
# What is marked as sensitive is used, and shown nowhere: not on the screen, not
# in events, sessions, the trail, kept output, diffs or renderings.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

CANARY=canary-5eCr3t-4711
UPPER=${CANARY^^}

setup() {
	manifest_setup
	export OUR_SECRET=$CANARY
}

# hidden COMMAND...: what it says, and all that is kept, is without the secret.
hidden() {
	local text found=0
	status=0
	timeout -s KILL 120 "$@" >"$OUT" 2>"$ERR" </dev/null || status=$?
	for text in "$CANARY" "$UPPER" 5eCr3t 5ECR3T; do
		if grep -raF -e "$text" "$OUT" "$ERR" "$WRIT_STATE_DIR" 2>/dev/null; then
			echo "'$text' is shown by: $*" >&2
			found=1
		fi
	done
	[[ $found == 0 ]]
}

# everywhere STATUS: applies the manifest in every way there is.
everywhere() {
	hidden "$WRIT" apply --render "$MANIFEST"
	hidden "$WRIT" validate "$MANIFEST"
	hidden "$WRIT" apply --noop "$MANIFEST"
	hidden "$WRIT" apply --noop --json "$MANIFEST"
	hidden "$WRIT" apply "$MANIFEST"
	[[ $status == "$1" ]] || show
	hidden "$WRIT" apply --json "$MANIFEST"
	[[ $status == "$1" ]] || show
	expect 'len(es) > 0'
	cp "$OUT" "$OUT.events"
	local session
	for session in "$WRIT_STATE_DIR"/sessions/*; do
		hidden "$WRIT" session report --session "$session"
		hidden "$WRIT" session report --json --session "$session"
	done
	hidden "$WRIT" audit list --json
	hidden "$WRIT" audit export --json
	hidden "$WRIT" audit verify
	[[ $status == 0 ]]
	cp "$OUT.events" "$OUT"
}

@test "a secret of the data reaches the environment and nothing else" {
	execs "
data: { password: $CANARY, plain: visible-value, deep: { list: [ a, $CANARY ] } }" <<-END
		- env: { command: "sh -c 'printf %s \"\$PW\" >$D/env'", environment: [ "PW={{ Data.password }}", "P={{ Data.plain }}" ] }
		- upper: { command: "sh -c 'printf %s \"\$PW\" >$D/upper'", environment: [ "PW={{ upper(Data.password) }}" ] }
		- parts: { command: "sh -c 'printf %s \"\$PW\" >$D/parts'", environment: [ "PW=x{{ join(split(Data.password, '-'), '+') }}y" ] }
		- echo: { command: "sh -c 'echo \"\$PW\"; echo \"\$PW\" >&2'", environment: [ "PW={{ Data.password }}" ], logoutput: true }
		- fail: { command: "sh -c 'echo it was \"\$PW\"; exit 1'", environment: [ "PW={{ lookup('data.password') }}" ], logoutput: on_failure }
		- slow: { command: "sh -c 'echo it was \"\$PW\"; sleep 60'", environment: [ "PW={{ Data.deep.list[1] }}" ], timeout: 300ms, logoutput: true }
		- in: { command: "sh -c 'cat >$D/in'", stdin: "{{ Data.password }}" }
		- guard: { command: "true", onlyif: "sh -c 'echo \$PW; exit 1'", environment: [ "PW={{ Data.password }}" ] }
		- health: { command: "true", environment: [ "PW={{ Data.password }}" ], health_checks: [ { command: echo fine } ] }
	END
	sed -i 's/^ccm:$/ccm:\n  sensitive: [ password, deep.list ]/' "$MANIFEST"
	everywhere 4
	expect "read('env') == '$CANARY' and read('upper') == '$UPPER' and read('in') == '$CANARY'" \
		'"visible-value" in out' '"(sensitive)" in out' 'e("fail")["failed"] and e("slow")["failed"]'
}

@test "a secret of the environment, marked by path or by function" {
	execs <<-END
		- a: { command: "sh -c 'printf %s \"\$PW\" >$D/a'", environment: [ "PW={{ Environ.OUR_SECRET }}" ] }
		- b: { command: "sh -c 'printf %s \"\$PW\" >$D/b'", environment: [ "PW={{ lookup('environ.OUR_SECRET') }}" ] }
	END
	sed -i 's/^ccm:$/ccm:\n  sensitive: [ environ.OUR_SECRET ]/' "$MANIFEST"
	everywhere 0
	expect "read('a') == '$CANARY' and read('b') == '$CANARY'"
	rm -r "$WRIT_STATE_DIR"
	execs <<-END
		- a: { command: "sh -c 'printf %s \"\$PW\" >$D/c'", environment: [ "PW={{ sensitive(Environ.OUR_SECRET) }}" ], logoutput: true }
	END
	everywhere 0
	expect "read('c') == '$CANARY'"
}

@test "a sensitive resource shows nothing of itself" {
	execs <<-END
		- a:
		    command: sh -c 'echo $CANARY | tee $D/a; echo $CANARY >&2'
		    environment: [ "X=$CANARY" ]
		    stdin: $CANARY
		    onlyif: test -n $CANARY
		    unless: test x = $CANARY
		    creates: $D/$CANARY
		    logoutput: true
		    sensitive: true
		- b: { command: "sh -c 'echo $CANARY; exit 3'", sensitive: true, logoutput: on_failure }
		- c: { command: "sh -c 'echo $CANARY; sleep 60'", sensitive: true, timeout: 300ms, logoutput: true }
		- d: { command: $D/no-such-$CANARY, sensitive: true }
		- e: { command: "true", onlyif: $D/no-such-$CANARY, sensitive: true }
		- f: { argv: [ echo, $CANARY ], cwd: /no-such-$CANARY, sensitive: true }
		- g: { command: echo $CANARY | cat, provider: shell, sensitive: true, logoutput: true }
		- h: { command: "true", sensitive: true, health_checks: [ { command: "sh -c 'echo $CANARY; exit 2'" } ] }
	END
	everywhere 4
	expect "read('a') == '$CANARY\n'" 'len(es) == 8'
}

@test "the content of a sensitive file is in no diff" {
	local own
	own="owner: $(id -un), group: $(id -gn), mode: '0600'"
	printf 'old %s old\n' "$UPPER" >"$D/old"
	printf '%s\n' "$CANARY" >"$D/source"
	manifest <<-END
		data: { password: $CANARY }
		ccm:
		  sensitive: [ password ]
		  resources:
		    - file:
		        - $D/new: { content: "pw={{ Data.password }}\n", $own }
		        - $D/old: { content: "pw=$CANARY\n", $own, sensitive: true }
		        - $D/copy: { source: $D/source, $own, sensitive: true }
		        - $D/nowhere/x: { content: "pw={{ Data.password }}\n", $own }
	END
	everywhere 4
	expect "read('new') == 'pw=$CANARY\n' and read('old') == 'pw=$CANARY\n' and read('copy') == '$CANARY\n'" \
		'[x["failed"] for x in es] == [False] * 3 + [True]'
	[[ $(stat -c %a "$D/new") == 600 ]]
}

@test "a secret in an argv is refused, with a way out, and without showing it" {
	execs "data: { password: $CANARY }" <<-'END'
		- a: { command: "mysql -p{{ Data.password }}" }
		- b: { argv: [ mysql, "{{ upper(Data.password) }}" ] }
		- c: { command: "echo {{ Data.password }}", provider: shell }
		- d: { command: "true", onlyif: "test {{ Data.password }} = x" }
		- "echo {{ Data.password }}": {}
	END
	sed -i 's/^ccm:$/ccm:\n  sensitive: [ password ]/' "$MANIFEST"
	hidden "$WRIT" validate "$MANIFEST"
	hidden "$WRIT" apply --render "$MANIFEST"
	hidden "$WRIT" apply "$MANIFEST"
	[[ $status != 0 ]]
	hidden "$WRIT" apply --json "$MANIFEST"
	[[ $status != 0 ]]
	sed -i '$d' "$MANIFEST"
	hidden "$WRIT" apply --json "$MANIFEST"
	[[ $status != 0 ]]
	says environment stdin
}

@test "errors of templates do not show what is secret" {
	execs "data: { password: $CANARY, obj: { password: $CANARY } }" <<-'END'
		- a: { command: "true", environment: [ "A={{ int(Data.password) }}" ] }
		- b: { command: "true", environment: [ "A={{ Data.password / 2 }}" ] }
		- c: { command: "true", environment: [ "A={{ Data.password.x }}" ] }
		- d: { command: "true", environment: [ "A={{ fromJSON(Data.password) }}" ] }
		- e: { command: "true", environment: [ "A={{ file(Data.password) }}" ] }
		- f: { command: "true", control: { if: "Data.password" } }
		- g: { command: "true", cwd: "/{{ Data.password }}" }
		- h: { command: "true", creates: "/{{ Data.password }}" }
	END
	sed -i 's/^ccm:$/ccm:\n  sensitive: [ password, obj ]/' "$MANIFEST"
	hidden "$WRIT" apply --json "$MANIFEST"
	[[ $status != 0 ]]
	hidden "$WRIT" apply "$MANIFEST"
}

@test "messages before and after show no secret" {
	manifest <<-END
		data: { password: $CANARY }
		ccm:
		  sensitive: [ password ]
		  pre_message: "using {{ Data.password }}"
		  post_message: "used {{ upper(Data.password) }}"
		  resources: [ { exec: { name: "true" } } ]
	END
	hidden "$WRIT" apply "$MANIFEST"
	hidden "$WRIT" apply --json "$MANIFEST"
	hidden "$WRIT" apply --render "$MANIFEST"
}

@test "a secret given to ensure is as secret" {
	eval "$("$WRIT" session new --directory "$WRIT_STATE_DIR/script")"
	hidden "$WRIT" ensure exec "sh -c 'echo $CANARY; exit 1'" --name quiet --sensitive --logoutput
	[[ $status == 4 ]] || show
	hidden "$WRIT" ensure exec "sh -c 'echo $CANARY; exit 1'" --name quiet --sensitive --json
	# A name is shown, so it is not the command.
	hidden "$WRIT" ensure exec "sh -c 'echo $CANARY; exit 1'" --sensitive
	[[ $status == 4 ]] || show
	says 'exec#(sensitive)'
	hidden "$WRIT" session report
	hidden "$WRIT" session report --json
}

@test "while it runs, the secret is in nobody's arguments" {
	mkfifo "$D/go" "$D/ready"
	execs "data: { password: $CANARY }" <<-END
		- a: { command: "sh -c 'echo >$D/ready; read x <$D/go; printf %s \"\$PW\" >$D/a'", environment: [ "PW={{ Data.password }}" ] }
	END
	sed -i 's/^ccm:$/ccm:\n  sensitive: [ password ]/' "$MANIFEST"
	"$WRIT" apply "$MANIFEST" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$! file seen=0
	read -r _ <"$D/ready"
	for file in /proc/[0-9]*/cmdline; do
		! tr '\0' ' ' <"$file" 2>/dev/null | grep -qF "$CANARY" || seen=1
	done
	echo >"$D/go"
	wait "$pid"
	[[ $seen == 0 ]]
	[[ $(<"$D/a") == "$CANARY" ]]
}

@test "short words of a hidden command leave the names of its record whole" {
	execs <<-END
		- a: { command: "echo a 1 n", sensitive: true }
	END
	apply 0
	"$WRIT" audit export --json >"$D/trail"
	grep -qF '"argv":["[secret]","[secret]","[secret]","[secret]"]' "$D/trail"
	grep -qF '"door":"manifest","agent":"manifest"' "$D/trail"
	grep -qF '"rule":"preset:manifest:' "$D/trail"
	[[ $("$WRIT" audit list --json --agent manifest | grep -c .) -gt 0 ]]
}

@test "a secret that stands in the manifest is not shown as it was written" {
	manifest <<-END
		ccm:
		  resources:
		    - exec:
		        - in: { command: "true", stdin: "a {{ sensitive('$CANARY') }}{{{{ b" }
		        - env: { command: "true", environment: [ "A=x{{ sensitive('$CANARY') }}" ], creates: / }
		        - if: { command: "true", control: { if: "sensitive('$CANARY') == 'x'" } }
		        - unless: { command: "true", control: { unless: "sensitive('$CANARY') != 'x'" } }
		    - file:
		        - $D/f: { content: "\$\${{{ sensitive('$CANARY') }}\$\${ {{ 1 + 1 }}" }
	END
	everywhere 0
	expect 'e("in")["properties"]["stdin"] == "(sensitive)"'
	"$WRIT" apply --render "$MANIFEST" >"$D/again.yaml"
	grep -qF 'A=x(sensitive)' "$D/again.yaml"
	grep -qF "\$\${(sensitive)\$\${ {{ 1 + 1 }}" "$D/again.yaml"
}

@test "what is wrong in a sensitive resource has its place, and no words" {
	execs <<-END
		- a: { command: "echo {{ Data['$CANARY'] }}", sensitive: true }
		- b: { command: "true", sensitive: true, control: { if: "Data['$CANARY'] == 1" } }
	END
	hidden "$WRIT" apply "$MANIFEST"
	[[ $status == 1 ]] || show
	says 'm.yaml:5:' 'm.yaml:6:' 'no more is shown: it is sensitive'
	sed -i 's/Data\[/Environ[/' "$MANIFEST"
	hidden "$WRIT" apply "$MANIFEST"
	[[ $status == 4 ]] || show
	says 'm.yaml:5:' 'm.yaml:6:' 'no more is shown: it is sensitive'
}
