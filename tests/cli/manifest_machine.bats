#!/usr/bin/env bats
# Packages, users, groups and services, in a copy of this machine: the programs
# are the real ones, except for systemctl.
# shellcheck disable=SC2154
load helpers
load manifest

setup() {
	[[ $(id -u) == 0 ]] || skip "only root makes a copy of the machine"
	need python3 unshare useradd
	mkdir "$BATS_TEST_TMPDIR/probe"
	"$BATS_TEST_DIRNAME/machine_copy" --probe "$BATS_TEST_TMPDIR/probe" 2>/dev/null ||
		skip "no copy of the machine can be made here (overlayfs)"
	manifest_setup
	export WRIT_STATE_DIR=$BATS_TEST_TMPDIR/state WRIT_SOURCE BATS_TEST_DIRNAME D MANIFEST OUT ERR
}

# on_copy: standard input is a bash script that runs in a copy, with the
# functions of the tests.
on_copy() {
	{
		declare -f manifest show to_files apply expect says fails edited
		cat
	} >"$D/script"
	bash -n "$D/script"
	"$BATS_TEST_DIRNAME/machine_copy" "$BATS_TEST_TMPDIR" bash -eu "$D/script"
}

# fails COMMAND...: it does not succeed.
fails() { ! "$@"; }

# edited: standard input replaces the manifest; @ stands for $D.
edited() { sed "s|@|$D|g" >"$MANIFEST"; }

# bats test_tags=smoke
@test "groups and users: made, changed, removed, and stable in between" {
	on_copy <<'SCRIPT'
edited <<'END'
ccm:
  resources:
    - group:
        - wapp: {system: true}
        - wmore: {gid: 54321}
    - user:
        - wapp:
            group: wapp
            groups: [wmore]
            shell: /bin/sh
            home: /srv/wapp
            comment: An app
            manage_home: true
            password: "$6$salt$hash"
END
apply 0 --noop
expect 'e("wmore")["noop_message"] == "Would have created the group"' \
	'[x["noop_message"] for x in es if x["type"] == "user"] == ["Would have created the user, would have set the password"]'
fails getent passwd wapp
apply 0
[[ $(getent group wmore) == wmore:x:54321:wapp && $(getent passwd wapp) == *:"An app:/srv/wapp:/bin/sh" ]]
[[ $(getent shadow wapp) == 'wapp:$6$salt$hash:'* && -d /srv/wapp && $(id -gn wapp) == wapp ]]
fails grep -rq 'salt.hash' "$OUT" "$ERR" "$WRIT_STATE_DIR"
apply 0
expect 'not any(x["changed"] for x in es)'
groupadd -g 60000 wthird
usermod -aG wthird wapp
sed -i 's|/bin/sh|/bin/bash|; s|groups: .*|groups: wmore\n            uid: 12345|; s|54321|54322|' "$MANIFEST"
apply 0
[[ $(getent passwd wapp) == wapp:x:12345:*:/bin/bash && $(id -Gn wapp) == *wthird* && $(getent group wmore) == wmore:x:54322:* ]]
expect 'e("wmore")["decided_by"] == "gid mismatch: state=54321 requested=54322"'
sed -i 's|groups: wmore|groups: wmore\n            membership: inclusive|' "$MANIFEST"
apply 0
[[ $(id -Gn wapp) == "wapp wmore" ]]
apply 0
expect 'not any(x["changed"] for x in es)'
edited <<'END'
ccm:
  resources:
    - user: [wapp: {ensure: absent, manage_home: true}]
    - group: [defaults: {ensure: absent}, wapp: , wmore: ]
END
apply 0
fails getent passwd wapp
fails getent group wmore
[[ ! -e /srv/wapp ]]
apply 0
expect 'not any(x["changed"] for x in es)'
SCRIPT
}

@test "a user that runs something, a group that is in use, a password that is no hash" {
	on_copy <<'SCRIPT'
useradd -m wbusy
setpriv --reuid wbusy --clear-groups sleep 300 &
until [[ $(stat -c %U /proc/$!) == wbusy ]]; do :; done
edited <<'END'
ccm:
  resources:
    - user:
        - wbusy: {ensure: absent}
        - root: {password: plain-text}
    - group: [wbusy: {ensure: absent}]
END
apply 4
kill $!
expect '"is logged in, or runs something" in es[0]["error"][0] and "process" in es[0]["error"][0]' \
	'"is no hash" in es[1]["error"][0]' '"first group of a user" in es[2]["error"][0]'
fails grep -q plain-text "$OUT"
getent passwd wbusy
SCRIPT
}

@test "packages of apt: installed, pinned, held, upgraded, removed" {
	need apt-get dpkg-deb
	on_copy <<'SCRIPT'
# repository VERSION...: the versions of the package wtest that can be had.
repository() {
	rm -rf /repo
	mkdir -p /repo
	for version; do
		mkdir -p "/tmp/p-$version/DEBIAN" "/tmp/p-$version/usr/share/wtest"
		printf 'Package: wtest\nVersion: %s\nArchitecture: all\nMaintainer: x <x@example.com>\nDescription: test\n' \
			"$version" >"/tmp/p-$version/DEBIAN/control"
		echo "$version" >"/tmp/p-$version/usr/share/wtest/version"
		dpkg-deb -b "/tmp/p-$version" "/repo/wtest_$version.deb" >/dev/null
		{
			cat "/tmp/p-$version/DEBIAN/control"
			printf 'Filename: ./wtest_%s.deb\nSize: %s\nSHA256: %s\n\n' "$version" "$(stat -c %s "/repo/wtest_$version.deb")" \
				"$(sha256sum <"/repo/wtest_$version.deb" | cut -d' ' -f1)"
		} >>/repo/Packages
	done
}
has_version() { [[ $(dpkg-query -W -f '${Version} ${db:Status-Want}' wtest 2>&1) == "$1" ]]; }
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d /var/lib/apt/lists /etc/apt/apt.conf.d
mkdir -p /etc/apt/sources.list.d /etc/apt/apt.conf.d
echo 'deb [trusted=yes] file:/repo ./' >/etc/apt/sources.list
repository 1.0
package() { printf 'ccm:\n  resources:\n    - package: [wtest: %s]\n' "$1" >"$MANIFEST"; }
package '{}'
apply 0 --noop
expect 'es[0]["noop_message"] == "Would have installed"' 'es[0]["provider"] == "apt"'
# The lists are fetched, since they do not know it.
apply 0
expect 'es[0]["status"]["metadata"]["version"] == "1.0"'
apply 0
expect 'not es[0]["changed"] and len(es[0]["run_ids"]) == 1'
repository 1.0 2.0
apt-get -qq update
package '{ensure: latest}'
apply 0 --noop
expect 'es[0]["noop_message"] == "Would have upgraded to latest"'
apply 0
has_version '2.0 install'
apply 0
expect 'not es[0]["changed"]'
package '{ensure: "1.0", hold: true}'
apply 0 --noop
expect 'es[0]["noop_message"] == "Would have downgraded to 1.0, would have held it"'
apply 0
has_version '1.0 hold'
# A hold is not overridden by one who does not speak of it.
package '{ensure: latest}'
apply 4
has_version '1.0 hold'
package '{ensure: latest, hold: false}'
apply 0
has_version '2.0 install'
package '{ensure: "3.0"}'
apply 4
expect '"3.0" in es[0]["error"][0]'
# An installation that was killed is finished.
sed -i '/^Package: wtest$/,/^$/s/^Status: .*/Status: install ok half-configured/' /var/lib/dpkg/status
package '{}'
apply 0
expect 'es[0]["decided_by"] == "its installation is incomplete"'
dpkg -s wtest | grep -q '^Status: install ok installed'
# A lock that somebody holds.
python3 -c 'import fcntl, time
f = open("/var/lib/dpkg/lock-frontend", "w")
fcntl.lockf(f, fcntl.LOCK_EX)
open("/tmp/locked", "w").close()
time.sleep(300)' &
until [[ -e /tmp/locked ]]; do :; done
package '{ensure: absent, wait: 0}'
apply 4
kill $!
expect '"the package manager is locked" in es[0]["error"][0] and "held by process" in es[0]["error"][0]'
apply 0
expect 'es[0]["status"]["metadata"]["version"] == "absent"'
apply 0
expect 'not es[0]["changed"]'
SCRIPT
}

@test "a service: started, enabled, refreshed, stopped; one that does not come up is told" {
	on_copy <<'SCRIPT'
cp "$BATS_TEST_DIRNAME/systemctl_stand_in" /usr/bin/systemctl
rm -f /usr/bin/journalctl
edited <<'END'
ccm:
  resources:
    - file:
        - /etc/systemd/system/web.service: {content: "[Service]\nExecStart=echo {{ Facts.v }} >/tmp/running\nExecReload=echo {{ Facts.v }}r >/tmp/running\n"}
        - /etc/web.conf: {content: "{{ Facts.c }}"}
    - service:
        - web: {enable: true, settle: 0, refresh: reload, subscribe: [file#/etc/systemd/system/web.service, file#/etc/web.conf]}
END
log() { [[ $(tr '\n' ',' </var/lib/units/log) == "$1" ]] || { cat /var/lib/units/log; return 1; }; rm /var/lib/units/log; }
apply 0 --noop --fact v=1 --fact c=1
expect 'e("web")["noop_message"] == "Would have started, would have enabled"'
apply 0 --fact v=1 --fact c=1
log 'start web,enable web,'
[[ $(</tmp/running) == 1 ]]
apply 0 --fact v=1 --fact c=1
expect 'not any(x["changed"] for x in es)'
apply 0 --fact v=1 --fact c=2
log 'reload web,'
expect 'e("web")["refreshed"]'
# A new unit file needs a restart, and systemd has to be told before.
apply 0 --noop --fact v=2 --fact c=2
expect 'e("web")["noop_message"] == "Would have reloaded via subscribe"'
apply 0 --fact v=2 --fact c=2
log 'daemon-reload ,restart web,'
[[ $(</tmp/running) == 2 ]]
# It does not come up: told, and the refresh stays owed until it does.
sed -i 's|content: "{{ Facts.c }}"|content: "{{ Facts.c }}", mode: "0600"|' "$MANIFEST"
sed -i 's|echo {{ Facts.v }} >/tmp/running|echo cannot open port 80; exit {{ Facts.v }}|' "$MANIFEST"
apply 4 --fact v=3 --fact c=2
expect '"\x27web\x27 does not come up: it is failed (stand-in): cannot open port 80" in e("web")["error"][0]'
rm /var/lib/units/log
"$WRIT" session owed | grep -q service#web
apply 4 --fact v=3 --fact c=2
apply 0 --fact v=0 --fact c=2
fails grep -q service#web <("$WRIT" session owed)
edited <<'END'
ccm:
  resources:
    - service:
        - web: {ensure: stopped, enable: false}
        - none: {settle: 0}
END
rm /var/lib/units/log
apply 4
log 'stop web,disable web,start none,'
expect 'e("web")["final_ensure"] == "stopped"' '"Unit none.service not found" in e("none")["error"][0]'
SCRIPT
}
