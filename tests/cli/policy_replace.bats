#!/usr/bin/env bats
# bats file_tags=anyone
# Programs that replace what they write do their work under the preset developer,
# where only what a command writes is writable.
# shellcheck disable=SC2154
load helpers
load policies

setup() {
	own_policies
	mkdir dir
	echo one >one
	echo two >dir/two
}

works() {
	run -0 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask -- "$@" </dev/null
}

@test "a link takes the place of a file, and of a link that leads elsewhere" {
	works ln -sf one dir/two
	[[ $(readlink dir/two) == one ]]
	ln -s dir/two link
	works ln -sfn one link
	[[ $(readlink link) == one ]]
	works ln -f one dir/two
	[[ dir/two -ef one ]]
}

@test "a second name is made in another directory" {
	works ln one dir/again
	[[ dir/again -ef one ]]
	works cp -l one dir/copied
	[[ dir/copied -ef one ]]
}

@test "a file that may not be written gets no second name" {
	mkdir .vscode
	echo kept >.vscode/tasks.json
	run -125 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask --sandbox none -- \
		ln .vscode/tasks.json dir/tasks </dev/null
	expect_in_stderr "writ: denied: "
	run -125 --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask --sandbox none -- \
		cp -l .vscode/tasks.json dir/tasks </dev/null
	[[ ! -e dir/tasks ]]
}

@test "a copy takes the place of a file" {
	works install -m 600 one dir/two
	[[ $(<dir/two) == one ]]
	echo two >dir/two
	works cp --remove-destination one dir/two
	[[ $(<dir/two) == one ]]
}

@test "a link itself gets another time" {
	ln -s dir/two link
	works touch -h -d 2001-02-03 link
	[[ $(stat -c %y link) == 2001-02-03* ]]
}

@test "rsync puts a file in the place of another" {
	need rsync
	works rsync -I one dir/two
	[[ $(<dir/two) == one ]]
}

@test "what lies outside of the roots stays as it is" {
	echo kept >../outside
	ln -s ../../outside dir/out
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask -- tee dir/out </dev/null
	run --separate-stderr timeout -s KILL 20 "$WRIT" run --no-ask -- ln -sf one dir/out </dev/null
	[[ $(<../outside) == kept ]]
}
