#!/usr/bin/env bats
# What the "..." of an allowed shape stands for: further words that add nothing.
# What fetches code and runs it takes further names, and nothing that whoever
# asks could have written.
load helpers

setup() {
	need git
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p project/pkg config
	export WRIT_CONFIG_DIR=$PWD/config HOME=$PWD
	cat >policy.yaml <<-'END'
		version: 1
		default: ask
		sandbox: workspace
		rules:
		  - allow: pip install ...
		  - allow: npm install ...
		  - allow: cargo install ...
		  - allow: uv add ...
		  - allow: git fetch ...
		  - allow: make ...
		expect:
	END
	cd project || return
}

# holds WORD: the policy answers each line of standard input by that word.
holds() {
	local line
	{ cat ../policy.yaml; while IFS= read -r line; do printf '  - %s: "%s"\n' "$1" "$line"; done; } >../table.yaml
	run --separate-stderr "$WRIT" policy test ../table.yaml
	[[ $status == 0 ]] || show_run
}

@test "names, versions and harmless options are further words" {
	holds allow <<-'END'
		pip install six
		pip install six attrs==23.1.0
		pip install 'requests[socks]>=2,<3' -U --user
		npm install left-pad
		npm install -D @types/node@20 left-pad@^1.3
		npm install --ignore-scripts left-pad
		cargo install ripgrep@14.1.0 --locked
		uv add six
		git fetch origin
		git fetch --tags
		make -j4 test
	END
}

@test "files, directories, addresses and indexes are not" {
	holds ask <<-'END'
		pip install .
		pip install ./pkg
		pip install pkg/
		pip install pkg/six.whl
		pip install six-1.0-py3-none-any.whl
		pip install six-1.0.tar.gz
		pip install file:pkg
		pip install git+https://example.com/x
		pip install 'six @ file:///tmp/x'
		pip install six@https://example.com/x.whl
		pip install -e pkg
		pip install -epkg
		pip install six -r requirements.txt
		pip install -rrequirements.txt
		pip install -c constraints.txt six
		pip install six --index-url https://example.com/
		pip install -i https://example.com/ six
		pip install --extra-index-url=https://example.com/ six
		pip install -f pages six
		pip install --trusted-host example.com six
		pip install --proxy example.com six
		pip install --no-build-isolation six
		pip install --config-settings a=b six
		pip install --global-option x six
		pip install --target /opt six
		pip install --prefix /opt six
		pip install --python bin/python six
		npm install ./pkg
		npm install pkg/
		npm install ../pkg
		npm install someone/repository
		npm install x@someone/repository
		npm install @a/b/c
		npm install github:someone/repository
		npm install pkg.tgz
		npm install x@npm:y
		npm install x@file:pkg
		npm install --registry https://example.com/ x
		npm install --userconfig npmrc x
		npm install --node-options=-r./x.js x
		npm install --dangerously-allow-all-scripts x
		npm install --script-shell ./x x
		cargo install --path pkg
		cargo install --git https://example.com/x
		cargo install --index https://example.com/ x
		cargo install --config build.rustc-wrapper=./x y
		uv add ./pkg
		uv add --editable pkg
		uv add -r requirements.txt
		uv add git+https://example.com/x
		uv add --index https://example.com/ six
		uv add --no-build-isolation six
		uv add --no-build-isolation-package six six
		git fetch https://example.com/x
		git fetch example.com:x
		git fetch ext::sh
		git fetch --upload-pack=./x origin
		make -f other.mk
	END
}

# explained WORD ARG...: the answer to an agent.
explained() {
	local word=$1
	shift
	run --separate-stderr "$WRIT" policy explain --policy ../asking.yaml --agent a "$@"
	[[ $output == "$word:"* ]] || { echo "$*" >&2; show_run; }
}

@test "variables and redirections are not of the command that is allowed" {
	cat >../asking.yaml <<-'END'
		version: 1
		include: [developer]
		agents: { "*": {} }
		rules:
		  - allow: pip install ...
		  - allow: git fetch
		  - allow: { program: wget }
		  - allow: { shell: "PIP_QUIET=1 PATH=/opt:$PATH frob; curl https://example.com/" }
	END
	explained allow -- pip install six
	explained allow -- git fetch
	explained allow -- wget https://example.com/
	explained allow -e COLOUR=red -- pip install six
	explained allow --shell 'COLOUR=red pip install six 2>&1 | tail -n 3'
	explained allow --shell 'PIP_QUIET=1 PATH=/opt:$PATH frob; curl https://example.com/'
	for variable in LD_PRELOAD=./x.so PATH=. BASH_ENV=x PYTHONPATH=. HTTPS_PROXY=http://example.com/ GIT_SSH_COMMAND=./x HOME=.; do
		explained ask -e "$variable" -- pip install six
		explained ask -e "$variable" -- git fetch
		explained ask --shell "$variable pip install six"
		# These reach the host that was agreed to, and no other.
		[[ $variable == *://* ]] && word=ask || word=allow
		explained $word -e "$variable" -- wget https://example.com/
		explained $word -e "$variable" --shell 'PIP_QUIET=1 PATH=/opt:$PATH frob; curl https://example.com/'
	done
	explained ask --shell 'pip install six >out'
}

@test "a list of programs has no variables that make them others" {
	cat >../asking.yaml <<-'END'
		version: 1
		include: [allowlist]
		programs: [ls]
		agents: { a: { tools: [ls] } }
	END
	explained allow -- ls
	explained allow -e COLOUR=red -- ls
	explained deny -e LD_PRELOAD=./x.so -- ls
	explained deny -e PATH=. -- ls
}

@test "an approval of a package is proposed for the hosts of its manager" {
	printf 'version: 1\nagents: {"*": {}}\ninclude: [developer]\n' >../asking.yaml
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state
	stand_in pip
	while IFS='|' read -r command expected; do
		# shellcheck disable=SC2086
		run "$WRIT" run --policy ../asking.yaml --agent a --json -- $command
		id=$(jq -r '.error.details.approval // .error.details.approval_id // empty' <<<"$output")
		[[ -n $id ]] || show_run
		run -0 "$WRIT" approvals show --json "$id"
		[[ $(jq -r .rule <<<"$output") == "$expected" ]] || { echo "$command: $expected"; show_run; }
	done <<-'END'
		pip install six|allow: { host: "@pip", network: hosts }
		pip install ./pkg|allow: { host: "@pip", network: hosts }
		pip install -e pkg|allow: { host: "@pip", network: hosts }
	END
}
