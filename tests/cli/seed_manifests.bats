#!/usr/bin/env bats
# bats file_tags=anyone
# shellcheck disable=SC2016
# The resources that the fourth document shows, each as a manifest that is in
# order; and what is simplest to say of them in one place. The conformance tests
# (manifest_conformance_*) have the rest.
load helpers
load manifest

setup() { manifest_setup; }

# shown NAME: standard input is the list of the document's example.
shown() {
	{
		printf 'ccm:\n  resources:\n'
		sed 's/^/    /'
	} >"$MANIFEST"
	run --separate-stderr "$WRIT" validate "$MANIFEST"
	[[ $status -eq 0 ]] || { echo "example $1" >&2; show_run; }
}

@test "004: every example of the document is in order" {
	shown extract-archive <<-'END'
		- exec:
		    - extract-archive:
		        command: tar xzf /tmp/app.tar.gz -C /opt
		        creates: /opt/app/bin/app
	END
	shown "file and reload" <<-'END'
		- file:
		    - /etc/app/config.yaml: { ensure: present, content: "..." }
		- exec:
		    - reload-app:
		        command: systemctl reload app
		        refresh_only: true
		        subscribe: [ "file#/etc/app/config.yaml" ]
	END
	shown check-status <<-'END'
		- exec:
		    - check-status: { command: /usr/local/bin/check-health, returns: [0, 1, 2] }
	END
	shown "by name and by command" <<-'END'
		- exec:
		    - /usr/bin/myapp --config /etc/myapp.conf:
		- exec:
		    - run-myapp: { command: /usr/bin/myapp --config /etc/myapp.conf }
	END
	shown build-app <<-'END'
		- exec:
		    - build-app:
		        command: make build
		        cwd: /opt/app
		        environment: [CC=gcc, CFLAGS=-O2]
		        path: /usr/local/bin:/usr/bin:/bin
	END
	shown "tar by name" <<-'END'
		- exec:
		    - /usr/bin/tar -xzf app.tar.gz: { creates: /opt/app/bin/app, cwd: /opt }
	END
	shown "systemctl by name" <<-'END'
		- file:
		    - /etc/httpd/conf/httpd.conf: { ensure: present, content: "" }
		- exec:
		    - systemctl reload httpd: { refreshonly: true, subscribe: [ "file#/etc/httpd/conf/httpd.conf" ] }
	END
	shown healthcheck <<-'END'
		- exec:
		    - /opt/app/healthcheck: { returns: [0, 1, 2] }
	END
	shown "both providers" <<-'END'
		- exec:
		    - /bin/echo $USER: { provider: posix }
		- exec:
		    - again: { command: /bin/echo $USER, provider: shell }
	END
	shown "a pipe" <<-'END'
		- exec:
		    - filter-logs:
		        command: cat /var/log/app.log | grep ERROR | tail -100 > /tmp/errors.txt
		        provider: shell
		        creates: /tmp/errors.txt
	END
	shown "alternatives" <<-'END'
		- exec:
		    - ensure-running: { command: "pgrep myapp || /opt/myapp/bin/start", provider: shell }
		- exec:
		    - check-service: { command: "systemctl is-active myapp || true", provider: shell, returns: [0] }
	END
	shown "several lines" <<-'END'
		- exec:
		    - deploy-app:
		        command: |
		          cd /opt/app &&
		          git pull origin main &&
		          npm install
		        provider: shell
		        timeout: 5m
	END
	shown "substitution" <<-'END'
		- exec:
		    - backup-home: { command: "tar -czf /backup/home-$(date +%Y%m%d).tar.gz $HOME", provider: shell }
		- exec:
		    - extract-archive: { command: "cd /opt && tar -xzf /tmp/app.tar.gz", provider: shell, creates: /opt/app/bin/app }
	END
	shown "reload by a shell" <<-'END'
		- file:
		    - /etc/nginx/nginx.conf: { ensure: present, content: "" }
		- exec:
		    - reload-nginx:
		        command: nginx -t && systemctl reload nginx
		        provider: shell
		        refreshonly: true
		        subscribe: [ "file#/etc/nginx/nginx.conf" ]
	END
	shown "secrets" <<-'END'
		- exec:
		    - use-secret: { command: "myapp --key=$SECRET_KEY", provider: shell }
		- exec:
		    - bad-example: { command: "mysql -p'secret123' -e 'SELECT 1'", provider: shell }
	END
}

@test "004: commands are split as by a shell, and nothing else is done to them" {
	printf '#!/bin/sh\nprintf "<%%s>\\n" "$@" >%s/words\n' "$D" >"$D/show-words"
	chmod +x "$D/show-words"
	local line
	while IFS=$'\t' read -r line wanted; do
		printf 'ccm:\n  resources:\n    - exec:\n        - a:\n            command: |-\n              %s/show-words %s\n' "$D" "$line" >"$MANIFEST"
		run -0 --separate-stderr "$WRIT" apply "$MANIFEST"
		[[ $(paste -sd' ' "$D/words") == "$wanted" ]] || { echo "$line: $(<"$D/words")" >&2; return 1; }
	done <<-'END'
		hello world	<hello> <world>
		'hello world'	<hello world>
		"hello world"	<hello world>
		hello\ world	<hello world>
		"it's a test"	<it's a test>
		a'b c'"d e"	<ab cd e>
		'' ""	<> <>
		"a\"b" "a\\b"	<a"b> <a\b>
		$HOME | cat > x `id` *	<$HOME> <|> <cat> <>> <x> <`id`> <*>
	END
}

@test "004: what failed triggers nothing" {
	execs <<-END
		- source: { command: /bin/false }
		- follower: { command: touch $D/ran, refreshonly: true, subscribe: exec#source }
	END
	run --separate-stderr "$WRIT" apply "$MANIFEST"
	[[ $status -eq 4 && ! -e $D/ran ]] || show_run
}
