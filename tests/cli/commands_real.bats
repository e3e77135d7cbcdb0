#!/usr/bin/env bats
# bats file_tags=anyone,full
# The descriptions that are built in against the programs that are installed:
# what --help names a description has, but for the differences that
# tests/commands/differences explains. Those are listed for the releases that
# Debian 12 has; that a description knows more than an older release is in order.

# Their help lists no options, only those of a few commands, or those of the
# release that happens to be installed.
apart="apt apt-get cargo docker dpkg gcc git go halt init journalctl kubectl mkfs node npm npx"
apart="$apart pip podman poweroff pytest python3 reboot ruby rustc systemctl telinit uv uvx zsh"

setup() {
	# shellcheck disable=SC1091
	. /etc/os-release
	[ "$ID$VERSION_ID" = debian12 ] || skip "the differences are listed for Debian 12"
	compare=$WRIT_SOURCE/tools/compare-command
}

is_apart() {
	case " $apart " in
	*" $1 "*) return 0 ;;
	esac
	return 1
}

# Where the first program of that name is not Debian's, its release is another.
is_ours() {
	dpkg -S "$(readlink -f "$(command -v "$1")")" >/dev/null 2>&1
}

lacks_nothing() { # PROGRAM [SUBCOMMAND]
	run "$compare" "$WRIT_BUILD" "$@"
	missing=$(echo "$output" | grep '^+' || true)
	[ -z "$missing" ] || {
		echo "$*: $missing"
		return 1
	}
}

@test "every option that a program's help names is described" {
	compared=0
	for file in "$WRIT_SOURCE"/data/commands/*.yaml; do
		program=$(basename "$file" .yaml)
		if is_apart "$program" || ! is_ours "$program"; then
			continue
		fi
		lacks_nothing "$program"
		compared=$((compared + 1))
	done
	echo "$compared programs compared"
	[ "$compared" -ge 80 ]
}

@test "the everyday commands of git have every option of their help" {
	is_ours git || skip "git is not Debian's"
	for sub in add blame branch cat-file checkout cherry-pick clean clone commit config describe \
		diff for-each-ref grep init log ls-files ls-remote ls-tree merge merge-base mv pull push \
		rebase reset restore revert rm show show-ref status switch tag; do
		lacks_nothing git "$sub"
	done
}
