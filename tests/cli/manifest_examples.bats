#!/usr/bin/env bats
# bats file_tags=anyone
# The manifests among the examples are in order, do what they say, and leave
# alone what is as it should be.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() {
	manifest_setup
	EXAMPLES=$WRIT_SOURCE/examples/manifests
}

# example STATUS NAME [OPTION...]: applies one beneath $D/root.
example() {
	local wanted=$1 name=$2
	shift 2
	to_files "$wanted" "$WRIT" apply --json --fact root="$D/root" "$@" "$EXAMPLES/$name.yaml"
}

# twice NAME: everything changes the first time, and nothing the second.
twice() {
	[[ $1 == server ]] || example 0 "$1" --noop
	[[ ! -e $D/root ]]
	example 0 "$1"
	expect 's["failed_resources"] == 0 and s["changed_resources"] > 0'
	cp "$OUT" "$OUT.first"
	example 0 "$1"
	expect 's["changed_resources"] == 0 and s["failed_resources"] == 0 and s["skipped_resources"] == 0'
	cp "$OUT.first" "$OUT"
}

@test "every example is in order, and the page beside them knows each" {
	local file
	for file in "$EXAMPLES"/*.yaml; do
		to_files 0 "$WRIT" validate "$file"
		grep -qF "($(basename "$file"))" "$EXAMPLES/README.md"
	done
}

@test "an archive is unpacked once, and again when it is gone" {
	need tar gzip
	twice archive
	expect "read('root/opt/app/version').strip() in ('1.0', '1')"
	rm -r "$D/root/opt/app"
	example 0 archive
	expect 's["changed_resources"] == 1 and e("extract-archive")["changed"]' "has('root/opt/app/version')"
}

@test "nginx is reloaded when its configuration changes, and only then" {
	twice nginx
	expect 'e("reload-nginx")["refreshed"]' 'read("root/nginx.conf") == read("root/nginx.conf.running")' \
		'read("root/nginx.conf.log").count("loaded") == 1'
	example 0 nginx --fact port=8081
	expect 's["changed_resources"] == 2' '"listen 8081;" in read("root/nginx.conf.running")'
	# What is wrong is not loaded.
	example 4 nginx --fact 'port=8082 and no end
x'
	expect 'e("reload-nginx")["failed"]' '"listen 8081;" in read("root/nginx.conf.running")'
}

@test "a build is done where there is something to build" {
	need make gcc
	twice build
	[[ $("$D/root/app/hello") == hello ]]
	rm "$D/root/app/hello"
	example 0 build
	expect 's["changed_resources"] == 1'
}

@test "a health check that is not all well is in order, and its code is told" {
	example 0 healthcheck
	expect 'e("check-status")["status"]["exitcode"] == 1 and e("check-status")["changed"]' \
		's["health_check_ok_count"] == 1'
	example 0 healthcheck
	expect 's["changed_resources"] == 1'
	rm "$D/root/bin/check-health"
	printf '#!/bin/sh\nexit 3\n' >"$D/root/bin/check-health"
	chmod 755 "$D/root/bin/check-health"
	example 4 healthcheck --only exec#check-status
}

@test "pipes filter, and a value in a shell command stays a value" {
	twice pipes
	expect 'read("root/errors.txt") == "ERROR three\nERROR; rm -rf $HOME\n"' 'read("root/count.txt") == "1\n"' \
		'read("root/lines.txt") == "6 lines\n"'
}

@test "a password reaches its commands, and is shown nowhere" {
	export DEMO_PASSWORD=canary-sw0rdfish
	twice secrets
	expect "read('root/credentials') == 'user=demo\npassword=canary-sw0rdfish\n'" 'has("root/logged-in")'
	[[ $(stat -c %a "$D/root/credentials") == 600 ]]
	[[ $(<"$D/root/digest") == "$(printf %s "$DEMO_PASSWORD" | sha256sum)" ]]
	run ! grep -raF canary-sw0rdfish "$WRIT_STATE_DIR" "$OUT" "$OUT.first" "$ERR"
}

@test "a server is set up once, and reloaded when its configuration changes" {
	# Its health cannot be looked at before there is something that has any.
	example 4 server --noop
	expect 's["failed_resources"] == 1 and e("reload-server")["failed"]'
	[[ ! -e $D/root ]]
	twice server
	expect 'e("reload-server")["refreshed"]' 'read("root/var/reloads") == "reload\n"' '"mail = yes" in read("root/etc/server.conf")'
	echo edited >>"$D/root/etc/server.conf"
	example 0 server
	expect 's["changed_resources"] == 3' 'read("root/var/reloads") == "reload\nreload\n"' '"edited" not in read("root/etc/server.conf")'
	to_files 0 "$WRIT" apply --fact root="$D/root" "$EXAMPLES/server.yaml"
	says 'Setting up shop' 'shop is set up'
}
