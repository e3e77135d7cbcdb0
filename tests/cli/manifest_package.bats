#!/usr/bin/env bats
# Packages, with stand-ins for what Debian's package manager says and does.
# shellcheck disable=SC2016,SC2154
load helpers
load manifest

setup() {
	manifest_setup
	mkdir -p "$D/bin"
	# What is there is what was installed.
	cat >"$D/bin/dpkg-query" <<-END
		#!/bin/sh
		printf 'other\tall\t1\tinstall\tinstalled\n'
		[ ! -e $D/there ] || printf 'wtest\tall\t1.0\tinstall\tinstalled\n'
	END
	# Ends well each time, and installs at the one that $D/works says.
	cat >"$D/bin/apt-get" <<-END
		#!/bin/sh
		echo "\$@" >>$D/calls
		[ "\$(grep -c . $D/calls)" -lt "\$(cat $D/works)" ] || : >$D/there
	END
	chmod 755 "$D/bin"/*
	manifest <<-END
		ccm:
		  resources:
		    - package:
		        - wtest: { provider: apt, environment: ["PATH=$D/bin:/usr/bin:/bin"] }
	END
}

@test "a package manager that ends well and installs nothing is asked once more" {
	echo 2 >"$D/works"
	apply 0
	expect 'e("wtest")["changed"]' 'e("wtest")["final_ensure"] == "present"' \
		'"was not installed: tried again" in e("wtest")["warnings"][0]' 'read("calls").count("install wtest") == 2'
	apply 0
	expect 'not e("wtest")["changed"]' 'read("calls").count("install wtest") == 2'
}

@test "a package that is still not there has failed" {
	echo 9 >"$D/works"
	apply 4
	expect 'e("wtest")["failed"]' '"failed to reach desired state" in e("wtest")["error"][0]' \
		'"state=absent" in e("wtest")["error"][0]' 'read("calls").count("install wtest") == 2'
}

@test "a package that is there at once is installed once" {
	echo 1 >"$D/works"
	apply 0
	expect 'e("wtest")["changed"]' 'not e("wtest").get("warnings")' 'read("calls").count("install wtest") == 1'
}
