#!/usr/bin/env bats
# What the policy says about hosts: of a request, of the policy, and of package
# managers.
# shellcheck disable=SC2030,SC2031,SC2154
load helpers
load policies

setup() {
	own_policies
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_CONFIG_HOME CARGO_HOME GOPROXY GOSUMDB NPM_CONFIG_REGISTRY npm_config_registry
	mkdir -p "$HOME"
	stand_in npm
	stand_in curl
}

# explain OPTION... -- COMMAND...: sets output to the decision object.
explain() {
	run --separate-stderr "$WRIT" policy explain --json "$@"
}

# says EXPRESSION VALUE: of the object that explain made.
says() {
	[[ $(json "$output" "$1") == "$2" ]] || show_run
}

@test "hosts of the policy need no question, others are asked about" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		network: { hosts: ["api.example.com:443", "*.example.org", "192.0.2.7"] }
	END
	explain -- curl https://api.example.com/x
	says "d['decision']" allow
	says "d['sandbox']['network']" hosts
	# The port of the policy's pattern applies, so it is not opened as a whole.
	says "d['sandbox']['hosts']" "[]"
	explain -- curl https://a.b.example.org/x
	says "d['decision']" allow
	explain -- curl https://192.0.2.7/x
	says "d['decision']" allow
	explain -- curl https://example.org/x
	says "d['decision']" ask
	says "d['hosts']" "['example.org']"
}

@test "a pattern that is none is refused where it stands" {
	user_policy <<-'END'
		version: 1
		network:
		  hosts:
		    - https://api.example.com/x
		    - "@nmp"
		    - 10.1.0.0/15
	END
	run -1 --separate-stderr "$WRIT" policy lint
	[[ $stderr$output == *"policy.yaml:4:7: error: host 'https://api.example.com/x': a host has no scheme and no path"* ]] || show_run
	[[ $stderr$output == *"did you mean 'api.example.com'?"* ]] || show_run
	[[ $stderr$output == *"policy.yaml:5:7: error: host '@nmp': there is no such package manager"* ]] || show_run
	[[ $stderr$output == *"did you mean '@npm'?"* ]] || show_run
	[[ $stderr$output == *"policy.yaml:6:7:"*"did you mean '10.0.0.0/15'?"* ]] || show_run
}

@test "a project's list opens nothing, and its cap applies" {
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	project_policy <<-'END'
		version: 1
		default: allow
		network: { hosts: [evil.example.com] }
		rules: [{ allow: { effect: [net, code, unknown], network: hosts } }]
	END
	explain -- curl https://evil.example.com/x
	says "d['decision']" ask
	project_policy <<-'END'
		version: 1
		default: allow
		network: loopback
	END
	explain -- curl https://a.example.com/x
	says "d['sandbox']['network']" loopback
}

@test "what an agent names is asked about, what a person names is given" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		agents: { bot: {} }
		rules: [{ allow: { host: known.example.com, network: hosts } }]
	END
	explain --agent bot --host new.example.com:22 -- true
	says "d['decision']" ask
	says "d['hosts']" "['new.example.com']"
	says "d['sandbox']['hosts']" "['new.example.com:22']"
	explain --agent bot --host known.example.com:22 -- true
	says "d['decision']" allow
	run -125 --separate-stderr "$WRIT" run --no-ask --agent bot --host new.example.com -- true
	expect_in_stderr "it reaches 'new.example.com'"
}

@test "hosts and another network cannot be given together" {
	run -125 --separate-stderr "$WRIT" run --network host --host a.example -- true
	expect_in_stderr "hosts and the network 'host' cannot be given together"
	run -125 --separate-stderr "$WRIT" run --sandbox none --host a.example -- true
	expect_in_stderr "no sandbox that could enforce this"
	run -125 --separate-stderr "$WRIT" run --host 'a b' -- true
	expect_in_stderr "--host: host 'a b': it has a blank or a control character"
}

@test "a package manager's hosts are those of the person's configuration" {
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	explain -- npm install
	says "d['decision']" ask
	says "d['hosts']" "['@npm']"
	printf 'registry=https://registry.example.com/\n@corp:registry=https://user:word@npm.corp.example:8443/\n' >"$HOME/.npmrc"
	explain -- npm install
	says "d['decision']" ask
	says "d['hosts']" "['registry.example.com', 'npm.corp.example']"
	says "d['sandbox']['network']" hosts
	[[ $output != *word* ]] || show_run
}

@test "an open shape allows what it adds no host to, also where the manager has some" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		rules:
		  - allow: npm install ...
	END
	echo 'registry=https://registry.example.com/' >"$HOME/.npmrc"
	explain -- npm install left-pad
	says "d['hosts']" "['registry.example.com']"
	says "d['decision']" allow
	explain -- npm install --registry https://evil.example.com/ left-pad
	says "d['decision']" ask
}

# installed_npm DIRECTORY HOST: an installed npm whose registry is there.
installed_npm() {
	mkdir -p "$1/bin" "$1/node_modules/@npmcli/config/lib/definitions"
	printf '#!/bin/sh\n' >"$1/bin/npm-cli.js"
	chmod +x "$1/bin/npm-cli.js"
	printf "  registry: new Definition('registry', {\n    default: 'https://%s/',\n    type: url,\n" "$2" \
		>"$1/node_modules/@npmcli/config/lib/definitions/definitions.js"
}

@test "where nothing names a registry, the installed tool's own files do" {
	local tools=$BATS_TEST_TMPDIR/tools
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	installed_npm "$tools/npm" tool.example.com
	mkdir -p "$tools/bin" "$tools/lib/python3.11/site-packages/pip/_internal/models" "$tools/go/bin"
	ln -s ../npm/bin/npm-cli.js "$tools/bin/npm"
	printf '#!/bin/sh\n' | tee "$tools/bin/pip" >"$tools/go/bin/go"
	chmod +x "$tools/bin/pip" "$tools/go/bin/go"
	ln -s ../go/bin/go "$tools/bin/go"
	printf '\nPyPI = PackageIndex("https://index.example.com/", file_storage_domain="files.example.com")\n' \
		>"$tools/lib/python3.11/site-packages/pip/_internal/models/index.py"
	printf 'GOPROXY=https://proxy.example.com,direct\nGOSUMDB=sums.example.com\n' >"$tools/go/go.env"
	PATH=$tools/bin:$PATH
	explain -- npm install
	says "d['decision']" ask
	says "d['hosts']" "['tool.example.com']"
	explain -- pip install x
	says "d['hosts']" "['index.example.com', 'files.example.com']"
	explain -- go mod download
	says "d['hosts']" "['proxy.example.com', 'sums.example.com']"
	# What is named besides changes nothing, what is named instead does.
	echo '@corp:registry=https://npm.corp.example/' >"$HOME/.npmrc"
	explain -- npm install
	says "d['hosts']" "['npm.corp.example', 'tool.example.com']"
	echo 'registry=https://registry.example.com/' >>"$HOME/.npmrc"
	explain -- npm install
	says "d['hosts']" "['registry.example.com', 'npm.corp.example']"
	rm "$HOME/.npmrc"
	# One that others can write is nobody's.
	chmod 666 "$tools/npm/node_modules/@npmcli/config/lib/definitions/definitions.js"
	explain -- npm install
	says "d['hosts']" "['@npm']"
}

@test "a tool of the project names no registry" {
	local tools=$BATS_TEST_TMPDIR/tools
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	installed_npm "$tools/npm" tool.example.com
	installed_npm "$PWD/node_modules/npm" evil.example.com
	mkdir -p "$tools/bin" bin
	ln -s ../npm/bin/npm-cli.js "$tools/bin/npm"
	ln -s ../node_modules/npm/bin/npm-cli.js bin/npm
	PATH=$PWD/bin:bin:$tools/bin:$PATH
	explain -- npm install
	says "d['hosts']" "['tool.example.com']"
	# Nor one that a link elsewhere leads to.
	ln -sf "$PWD/node_modules/npm/bin/npm-cli.js" "$tools/bin/npm"
	explain -- npm install
	says "d['hosts']" "['@npm']"
}

@test "a project's configuration names no hosts, by whatever way" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		network: { hosts: ["@npm"] }
	END
	echo 'registry=https://evil.example.com/' >.npmrc
	explain -- npm install
	says "d['hosts']" "['@npm']"
	ln -s "$PWD/.npmrc" "$HOME/.npmrc"
	explain -- npm install
	says "d['hosts']" "['@npm']"
	rm "$HOME/.npmrc"
	# One that others can write is nobody's.
	echo 'registry=https://evil.example.com/' >"$HOME/.npmrc"
	chmod 666 "$HOME/.npmrc"
	explain -- npm install
	says "d['hosts']" "['@npm']"
	chmod 644 "$HOME/.npmrc"
	explain -- npm install
	says "d['hosts']" "['evil.example.com']"
	says "d['decision']" allow
}

@test "an answer is remembered for the hosts that were shown, and no others" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		agents: { bot: {} }
	END
	echo 'registry=https://registry.example.com/' >"$HOME/.npmrc"
	run -125 --separate-stderr "$WRIT" run --agent bot -- npm install </dev/null
	id=$("$WRIT" approvals list --ids)
	run -0 --separate-stderr "$WRIT" approvals approve "$id" --scope project
	run -0 --separate-stderr "$WRIT" approvals grants
	expect_in_stdout "registry.example.com"
	explain --agent bot -- npm ci
	says "d['decision']" allow
	says "d['sandbox']['network']" hosts
	explain --agent bot -- npm publish
	says "d['decision']" ask
	echo 'registry=https://other.example.com/' >"$HOME/.npmrc"
	explain --agent bot -- npm ci
	says "d['decision']" ask
	says "d['hosts']" "['other.example.com']"
}

@test "a policy that was written before there were hosts means them by host" {
	user_policy <<-'END'
		version: 1
		default: allow
		agents: { bot: {} }
		rules: [{ ask: { effect: net, network: host } }]
	END
	explain --agent bot -- curl https://a.example.com/
	says "d['decision']" ask
	says "d['sandbox']['network']" host
	explain --agent bot --host a.example.com -- true
	says "d['decision']" ask
	says "d['sandbox']['network']" hosts
}

@test "a run that reaches hosts sees no other project, and not the rest of HOME" {
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	# /tmp is private in a sandbox, so HOME must lie elsewhere.
	HOME=$(mktemp -d "${XDG_RUNTIME_DIR:-/var/lib}/writ-test.XXXXXX" 2>/dev/null) ||
		skip "no place for a HOME outside of /tmp"
	mkdir -p "$HOME/src/app" "$HOME/src/other" "$HOME/Documents" "$HOME/.cache/tool"
	echo secret | tee "$HOME/src/other/key" "$HOME/todo" "$HOME/Documents/letter" "$HOME/.cache/tool/file" >/dev/null
	cd "$HOME/src/app"
	echo mine >file
	run --separate-stderr "$WRIT" run --host a.example -- sh -c 'cat file ~/.cache/tool/file ../other/key ~/todo ~/Documents/letter'
	[[ $output == $'mine\nsecret' && $status == 1 ]] || show_run
	run -0 --separate-stderr "$WRIT" run --host a.example --read "$HOME/src/other" -- cat ../other/key
	expect_stdout secret
	run -0 --separate-stderr "$WRIT" run -- cat ../other/key
	expect_stdout secret
	# Who is asked sees what it does not see.
	mkdir "$HOME/music"
	run -125 --separate-stderr "$WRIT" run -- curl https://a.example.com/
	run -0 "$WRIT" approvals show "$("$WRIT" approvals list --ids)"
	[[ $output == *"not seen"*"$HOME/Documents"* && $output == *"$HOME/src/other"* && $output == *"$HOME/todo"* ]] || show_run
	[[ $output != *"$HOME/.cache"* ]] || show_run
	cd /
	rm -r "$HOME"
}

@test "lint warns about names for rent and networks of everything" {
	user_policy <<-'END'
		version: 1
		include: [developer]
		network: { hosts: ["*.cloudfront.net", "0.0.0.0/0", api.example.com] }
		rules:
		  - allow: { host: "*.com", network: hosts }
		  - allow: { host: "*.s3.amazonaws.com", network: hosts }
		  - allow: { host: "*.example.com", network: hosts }
		  - deny: { host: "*.github.io" }
		expect: [{ ask: npm install }]
	END
	run -1 --separate-stderr "$WRIT" policy lint
	expect_in_stdout "'*.cloudfront.net' allows hosts of anybody"
	expect_in_stdout "'0.0.0.0/0' allows every host"
	expect_in_stdout "'*.com' allows hosts of anybody"
	expect_in_stdout "'*.s3.amazonaws.com' allows hosts of anybody"
	[[ $output != *"*.example.com'"* && $output != *"github.io'"* ]] || show_run
}

@test "init names the package managers of the project" {
	echo '{"name": "x"}' >package.json
	echo 'module example.com/x' >go.mod
	run -0 --separate-stderr "$WRIT" init
	expect_in_stdout 'writ policy allow --host @npm --project'
	expect_in_stdout 'writ policy allow --host @go --project'
	run -0 cat .writ/policy.yaml
	expect_in_stdout '#   - allow: { host: "@npm", network: hosts }'
	expect_in_stdout '#   - allow: { host: "@go", network: hosts }'
	[[ $output != *@cargo* ]] || show_run
}

@test "a profile has hosts, and bad ones are told" {
	mkdir -p "$WRIT_CONFIG_DIR/profiles"
	printf 'version: 1\nextends: workspace\nnetwork: { hosts: [api.example.com:443] }\n' >"$WRIT_CONFIG_DIR/profiles/agent.yaml"
	run -0 --separate-stderr "$WRIT" sandbox show agent
	expect_in_stdout $'network:\n  hosts:\n    - "api.example.com:443"'
	run -0 --separate-stderr "$WRIT" run --json --sandbox agent -- true
	[[ $(json "$output" "d['sandbox']['network']") == hosts ]] || show_run
	printf 'version: 1\nextends: workspace\nnetwork: { hosts: ["a b"] }\n' >bad.yaml
	run -1 --separate-stderr "$WRIT" sandbox check bad.yaml
	expect_in_stderr "host 'a b': it has a blank"
}

@test "a pattern is no address: an extra of a package asks for the hosts of the package manager only" {
	stand_in pip
	user_policy <<-'END'
		version: 1
		include: [developer]
	END
	explain -- bash -c 'pip install -e .[dev]'
	says "d['decision']" ask
	says "d['hosts']" "['@pip']"
	says "d['sandbox']['network']" hosts
	explain -- bash -c 'pip install -e .[dev]"$X"'
	says "d['decision']" ask
	says "d['sandbox']['network']" host
	for text in 'pip install --no-index --find-links ~/wheels a' 'export GOPROXY=off; go build' 'rm -f *.o build/*.o'; do
		explain -- bash -c "$text"
		says "d['decision']" allow
	done
}
