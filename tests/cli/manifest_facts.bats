#!/usr/bin/env bats
# Facts and data that come from outside of a manifest.

# bats file_tags=anyone
load helpers
load manifest

setup() {
	manifest_setup
	facts=$WRIT_CONFIG_DIR/facts.d
	mkdir -p "$facts"
	cat >m.yaml <<-'END'
	data: {port: 80}
	ccm:
	  resources:
	    - exec:
	        - show: {argv: [echo, "{{ Facts.rack ?? 'none' }} {{ Data.port }}"], logoutput: true}
	END
}

@test "facts of the configuration are known" {
	echo 'rack: r12' >"$facts/10-rack.yaml"
	echo '{"rack": "r13", "row": 7}' >"$facts/20-row.json"
	echo 'no facts' >"$facts/README"
	run -0 "$WRIT" apply m.yaml
	[[ $output == *'r13 80'* ]]
	run -0 "$WRIT" facts row
	[ "$output" = 7 ]
	run -0 "$WRIT" facts --fact row=8 row
	[ "$output" = 8 ]
}

@test "facts that another user could have written are refused" {
	echo 'rack: r12' >"$facts/rack.yaml"
	chmod o+w "$facts/rack.yaml"
	run -1 "$WRIT" apply m.yaml
	[[ $output == *"rack.yaml' can be written by other users"* ]]
	rm "$facts/rack.yaml"
	echo 'rack: [' >"$facts/rack.yaml"
	run -1 "$WRIT" facts rack
	[[ $output == *'/rack.yaml:'* ]]
}

@test "--hiera merges data over that of the manifest" {
	echo 'data: {port: 8080}' >h.yaml
	run -0 "$WRIT" apply --hiera h.yaml m.yaml
	[[ $output == *'none 8080'* ]]
	echo 'dta: {}' >h.yaml
	run -1 "$WRIT" validate --hiera h.yaml m.yaml
	[[ $output == *"h.yaml:1:1: a source of data has no key 'dta'"* ]]
	run -1 "$WRIT" apply --hiera missing.yaml m.yaml
	[[ $output == *"cannot open the data 'missing.yaml'"* ]]
}

@test "a word that is almost an annotation is warned about" {
	sed -i '1c data:\n  # @requierd\n  port: 80' m.yaml
	run -0 --separate-stderr "$WRIT" validate m.yaml
	[[ $stderr == *"m.yaml:2:6: warning: '@requierd' in a comment of data is no annotation, did you mean '@required'?"* ]]
	run -0 bash -c '"$WRIT" validate --json m.yaml | jq -r .results[0].warnings[0].line'
	[ "$output" = 2 ]
}
