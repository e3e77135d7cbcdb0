/* SPDX-License-Identifier: Apache-2.0 */

/* All faults of manifests, with their places. */

#include "manifesting.h"

#define BODY        "ccm:\n  resources:\n"
#define EXEC(body)  BODY "    - exec: " body "\n"
#define FILE_(body) BODY "    - file: " body "\n"

struct bad {
	const char *text;
	const char *said;
};

static void
check_all(const struct bad *cases, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		const char *said = faults_of(cases[i].text);

		if (strcmp(said, cases[i].said) == 0)
			continue;
		print_error("%s\nsaid:\n%s\nnot:\n%s\n", cases[i].text, said,
		    cases[i].said);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

#define CHECK_ALL(cases) check_all((cases), sizeof(cases) / sizeof((cases)[0]))

static void
documents_that_are_none_are_refused(void **state)
{
	static const struct bad cases[] = {
	    {"", "1:1: the document is empty\n"},
	    {"ccm: [\n", "2:1: not valid YAML: did not find expected node "
			 "content\n"},
	    {"ccm:\n\tresources: []\n",
		"2:1: not valid YAML: found character that cannot start any "
		"token (indent with blanks, not with tabs, and quote words "
		"that start with % @ or `)\n"},
	    {"ccm: {}\nccm: {}\n", "2:1: duplicate key 'ccm', first at 1:1\n"},
	    {"a: &a [x]\nb: [*a, *a]\n",
		"1:4: anchors and aliases are not allowed (write the value "
		"out, or quote text that starts with & or *)\n"},
	    {"ccm: \"a\xff\"\n", "1:8: the document is not valid UTF-8\n"},
	    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[x",
		"1:33: nested deeper than the limit\n"},
	    {"- a\n", "1:1: a manifest must be a map, not a list\n"},
	    {"null\n", "1:1: a manifest must be a map, not null\n"},
	    {"data: {}\n", "1:1: manifest must contain resources\n"},
	    {"ccm: {}\n", "1:6: manifest must contain resources\n"},
	    {"ccm: { resources: }\n", "1:6: manifest must contain resources\n"},
	    {"ccm: { resources: [] }\n",
		"1:19: manifest must contain resources\n"},
	    {"ccm: { resources: [exec: [defaults: {}]] }\n",
		"1:19: manifest must contain resources\n"},
	    {"ccm: { resources: { exec: {} } }\n",
		"1:19: resources must be a list, not a map\n"},
	    {"cmc: {}\n",
		"1:1: a manifest has no key 'cmc' (did you mean 'ccm'?)\n"
		"1:1: manifest must contain resources\n"},
	    {"writ: { resources: [{ exec: { name: a } }] }\n"
	     "ccm: { resources: [{ exec: { name: a } }] }\n",
		"1:7: ccm and writ are two names of the same, and both are "
		"there\n"},
	    {"data: [1]\n" EXEC("{ name: a }"),
		"1:7: data must be a map, not a list\n"},
	    {"ccm: { resources_jet_file: a, fail_on_error: 1,\n"
	     "  pre_message: [], resources: [{ exec: { name: a } }] }\n",
		"1:28: resources and resources_jet_file cannot be used "
		"together\n"
		"1:46: fail_on_error must be true or false, not a number\n"
		"2:16: pre_message must be text, not a list\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

/* One resource of a type. */
#define ONE(item) BODY "    - " item "\n"

static void
properties_of_packages_and_services_are_checked(void **state)
{
	static const struct bad cases[] = {
	    {ONE("package: { name: 'a;rm' }"),
		"3:24: package name contains dangerous characters: \"a;rm\"\n"},
	    {ONE("package: { name: --purge }"),
		"3:24: package name contains dangerous characters: "
		"\"--purge\"\n"},
	    {ONE("package: { name: a, ensure: 1.10 }"),
		"3:35: ensure must be text, not a number: a version like 1.10 "
		"would lose its zero (put it in quotes)\n"},
	    {ONE("package: { name: a, ensure: installed }"),
		"3:35: invalid ensure value 'installed' (write 'present')\n"},
	    {ONE("package: { name: a, ensure: -y }"),
		"3:35: invalid ensure value '-y': must be 'present', 'absent', "
		"'latest', 'held' or a version\n"},
	    {ONE("package: { name: a, provider: pip, ensure: held }"),
		"3:24: 'ensure: held' is only for the provider apt\n"},
	    {ONE("package: { name: a, purge: true }"),
		"3:34: 'purge: true' is only valid with 'ensure: absent'\n"},
	    {ONE("package: { name: a, ensure: held, hold: false }"),
		"3:47: 'ensure: held' and 'hold: false' contradict each "
		"other\n"},
	    {ONE("package: { name: a, directory: b, provider: pip }"),
		"3:38: directory must be an absolute path without '.', '..' or "
		"'//'\n"},
	    {ONE("package: { name: a, versoin: b }"),
		"3:27: package has no key 'versoin'\n"},
	    {ONE("service: { name: a, ensure: present }"),
		"3:35: invalid ensure value: must be one of 'running' or "
		"'stopped'\n"},
	    {ONE("service: { name: a b }"),
		"3:24: 'a b' cannot be the name of a service\n"},
	    {ONE("service: { name: a, subscribe: file#/b }"),
		"3:38: there is no resource 'file#/b'\n"},
	    {ONE("service: { name: a, settle: 5 }"),
		"3:35: settle: invalid duration '5': a unit is missing (write "
		"'5s' if seconds are meant)\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
properties_of_accounts_are_checked(void **state)
{
	static const struct bad cases[] = {
	    {ONE("user: { name: 'a:b' }"),
		"3:21: 'a:b' cannot be the name of a user\n"},
	    {ONE("user: { name: 0 }"), "3:21: name must be text, not a number "
				       "(put it in quotes)\n"},
	    {ONE("user: { name: '0' }"),
		"3:21: '0' cannot be the name of a user\n"},
	    {ONE("user: { name: a, comment: 'b:c' }"),
		"3:33: comment cannot have a ':' or a new line\n"},
	    {ONE("user: { name: a, groups: [b, '-c'] }"),
		"3:36: '-c' cannot be the name of a group\n"},
	    {ONE("user: { name: a, membership: inclusive }"),
		"3:36: membership says what groups means, and there are "
		"none\n"},
	    {ONE("user: { name: a, uid: 4294967295 }"),
		"3:29: uid must be a whole number from 0 to 4294967294\n"},
	    {ONE("group: { name: a, gid: '1' }"),
		"3:30: gid must be a whole number from 0 to 4294967294 (leave "
		"the quotes out)\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
properties_of_archives_and_edits_are_checked(void **state)
{
	static const struct bad cases[] = {
	    {ONE("archive: { name: /a.tgz, extract_parent: /b }"),
		"3:24: an archive needs a 'url' or a 'source'\n"},
	    {ONE("archive: { name: a.tgz, source: /b }"),
		"3:24: the name is where the archive is kept, and must be an "
		"absolute path without '.', '..' or '//'\n"},
	    {ONE("archive: { name: /a, url: 'file:///b' }"),
		"3:33: url must begin with http:// or https://\n"},
	    {ONE("archive: { name: /a, url: 'http://b:c@d/' }"),
		"3:33: url has a password in it, which is shown and recorded: "
		"write headers: ['Authorization: {{ sensitive(...) }}']\n"},
	    {ONE("archive: { name: /a, url: http://b, checksum: md5 }"),
		"3:53: checksum must be a SHA-256: 64 hexadecimal digits\n"},
	    {ONE("archive: { name: /a.gz, source: /b, extract_parent: /c }"),
		"3:24: the name of an archive that is extracted must end with "
		".tar, .tar.gz, .tgz, .tar.xz, .tar.bz2, .tar.zst or .zip\n"},
	    {ONE("archive: { name: /a.tgz, source: /b, creates: /c }"),
		"3:53: 'creates', 'cleanup' and 'strip' need an "
		"'extract_parent'\n"},
	    {ONE("archive: { name: /a.tgz, source: /b, extract_parent: /c, "
		 "cleanup: true }"),
		"3:73: 'cleanup: true' needs 'creates': else it would be "
		"fetched each time\n"},
	    {ONE("edit: { name: a, line: b }"),
		"3:21: the name is the file to edit, and must be an absolute "
		"path; or give 'path'\n"},
	    {ONE("edit: { name: /a }"),
		"3:21: an edit has one of 'line', 'block' and 'key'\n"},
	    {ONE("edit: { name: /a, line: b, block: c }"),
		"3:21: an edit has one of 'line', 'block' and 'key'\n"},
	    {ONE("edit: { name: /a, match: b }"),
		"3:32: 'match' says which line is replaced; 'line' is "
		"missing\n"},
	    {ONE("edit: { name: /a, line: b, after: c, before: d }"),
		"3:52: 'after' and 'before' are mutually exclusive\n"},
	    {ONE("edit: { name: /a, key: b }"),
		"3:30: a key needs a 'value'\n"},
	    {ONE("edit: { name: /a, key: b=c, value: d }"),
		"3:30: key cannot have '=', ':', '[' or a new line\n"},
	    {ONE("edit: { name: /a, block: b, marker: c }"),
		"3:43: marker must be one line with {mark} in it\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
items_that_are_no_resources_are_refused(void **state)
{
	static const struct bad cases[] = {
	    {BODY "    - exce: { name: a }\n",
		"3:7: unknown resource type 'exce' (did you mean 'exec'?)\n"},
	    {BODY "    - scaffold: { name: a }\n",
		"3:7: resource type 'scaffold' is not supported yet\n"},
	    {BODY "    - exec: { name: a }\n      file: { name: /b }\n",
		"4:7: an item has one resource type, and this one 'file' as "
		"well (begin another item with '- ')\n"},
	    {BODY "    - a\n    - {}\n    - exec:\n",
		"3:7: a resource must be a map from its type, not text\n"
		"4:7: a resource must be a map from its type, not a map\n"
		"5:12: exec must be a map with a name, or a list, not null\n"},
	    {EXEC("/bin/true"),
		"3:13: exec must be a map with a name, or a list, not text "
		"(write { name: '/bin/true' })\n"},
	    {EXEC("{ timeout: 1s }"),
		"3:13: name is required (add it, or make a list: "
		"'- NAME: { ... }' beneath exec)\n"},
	    {EXEC("{ name: '' }"),
		"3:21: name is required, and this one is empty\n"},
	    {EXEC("{ name: 3 }"),
		"3:21: name must be text, not a number (put it in quotes)\n"},
	    {BODY "    - exec:\n        - a: {}\n          b: {}\n"
		  "        - c\n        - d: { name: e }\n"
		  "        - defaults: { name: x, alias: y }\n"
		  "        - defaults: {}\n",
		"4:11: multiple resource names found in exec resource (check "
		"the indentation: properties go beneath the name)\n"
		"6:11: a resource in a list must be a map with its name as "
		"the only key, not text (write 'c: {}')\n"
		"7:22: the name is the key already: 'd' (use command for "
		"what it runs)\n"
		"8:29: defaults cannot have the key 'name'\n"
		"8:39: defaults cannot have the key 'alias'\n"
		"9:11: multiple defaults found in one list\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
properties_of_exec_are_checked(void **state)
{
	static const struct bad cases[] = {
	    {EXEC("{ name: a, comand: b }"),
		"3:24: exec has no key 'comand' (did you mean 'command'?)\n"},
	    {EXEC("{ name: a, register_when_stable: [] }"),
		"3:46: register_when_stable is not supported yet\n"},
	    {EXEC("{ name: a, ensure: '', }"),
		"3:32: ensure is required, and this one is empty\n"},
	    {EXEC("{ name: a, ensure: gone }"),
		"3:32: invalid ensure value: must be one of 'present' or "
		"'absent'\n"},
	    {EXEC("{ name: a, provider: shel }"),
		"3:34: there is no provider 'shel' (did you mean 'shell'?)\n"},
	    {EXEC("{ name: \"/bin/echo 'unterminated\" }"),
		"3:32: name: Unterminated single-quoted string (close it, or "
		"write \\' for the character)\n"},
	    {EXEC("{ name: '/bin/echo \"a {{ 1 }}' }"),
		"3:32: name: Unterminated double-quoted string (close it, or "
		"write \\\" for the character)\n"},
	    {EXEC("{ name: a\\ }"),
		"3:22: name: Unterminated backslash-escape\n"},
	    {EXEC("{ name: ' ' }"), "3:21: name: no command specified\n"},
	    {EXEC("{ name: a, command: 'b {{ 1 }} \"c' }"),
		"3:44: command: Unterminated double-quoted string (close it, "
		"or write \\\" for the character)\n"},
	    {EXEC("{ name: a, command: b, argv: [c] }"),
		"3:42: 'command' and 'argv' are mutually exclusive\n"},
	    {EXEC("{ name: a, argv: b }"),
		"3:30: argv must be a list of words, not text (use command "
		"for a text)\n"},
	    {EXEC("{ name: a, argv: [] }"), "3:30: argv has no word\n"},
	    {EXEC("{ name: a, argv: ['', b] }"),
		"3:31: argv: the first word is the program, and cannot be "
		"empty\n"},
	    {EXEC("{ name: a, argv: [b], provider: shell }"),
		"3:31: argv is not for the provider shell (use command)\n"},
	    {EXEC("{ name: a, timeout: invalid }"),
		"3:33: timeout: invalid duration 'invalid': a number is "
		"missing (write numbers with units, such as 90s, 1h30m or "
		"250ms)\n"},
	    {EXEC("{ name: a, timeout: 30 }"),
		"3:33: timeout: invalid duration '30': a unit is missing "
		"(write '30s' if seconds are meant)\n"},
	    {EXEC("{ name: a, timeout: 1.5 }"),
		"3:33: timeout: invalid duration: it must be text, not a "
		"number (write numbers with units, such as 90s or 1h30m)\n"},
	    {EXEC("{ name: a, path: '/usr/bin:local/bin' }"),
		"3:30: invalid path: 'local/bin' is not an absolute path\n"},
	    {EXEC("{ name: a, path: usr/bin }"),
		"3:30: invalid path: 'usr/bin' is not an absolute path\n"},
	    {EXEC("{ name: a, path: ':/usr/bin' }"),
		"3:30: invalid path: empty directory in path\n"},
	    {EXEC("{ name: a, path: '/usr/bin:' }"),
		"3:30: invalid path: empty directory in path\n"},
	    {EXEC("{ name: a, path: '/usr/bin::/bin' }"),
		"3:30: invalid path: empty directory in path\n"},
	    {EXEC("{ name: a, environment: [A=b, FOO, =v, 1A=b] }"),
		"3:43: environment: invalid environment variable 'FOO': "
		"missing '='\n"
		"3:48: environment: invalid environment variable '': empty "
		"key\n"
		"3:52: environment: invalid environment variable '1A': the "
		"name must have letters, digits and _ only\n"},
	    {EXEC("{ name: a, subscribe: ['file:/etc/x', 'a#b#c', ''] }"),
		"3:36: invalid subscribe format 'file:/etc/x' (write "
		"TYPE#NAME, such as file#/etc/motd)\n"
		"3:51: invalid subscribe format 'a#b#c' (write TYPE#NAME, "
		"such as file#/etc/motd)\n"
		"3:60: invalid subscribe format '' (write TYPE#NAME, such as "
		"file#/etc/motd)\n"},
	    {EXEC("{ name: a, refreshonly: true, refresh_only: false }"),
		"3:57: refreshonly and refresh_only are the same property, "
		"and differ\n"},
	    {EXEC("{ name: a, refresh_only: yes }"),
		"3:38: refresh_only must be true or false, not text (write "
		"true or false)\n"},
	    {EXEC("{ name: a, returns: [0, 256, -1, x] }"),
		"3:37: returns must be whole numbers from 0 to 255\n"
		"3:42: returns must be whole numbers from 0 to 255\n"
		"3:46: returns must be whole numbers from 0 to 255\n"},
	    {EXEC("{ name: a, logoutput: always }"),
		"3:35: logoutput must be true, false or on_failure\n"},
	    {EXEC("{ name: a, onlyif: '', unless: [b, \"c 'd\", []] }"),
		"3:32: onlyif: empty guard command\n"
		"3:51: unless: Unterminated single-quoted string (close it, or "
		"write \\' for the character)\n"
		"3:56: unless has no word\n"},
	    {EXEC("{ name: a, creates: '', cwd: tmp }"),
		"3:33: creates cannot be empty\n"
		"3:42: cwd must be an absolute path\n"},
	    {EXEC("{ name: a, user: '', umask: 1000, tries: 0 }"),
		"3:30: user cannot be empty\n"
		"3:41: umask '1000' exceeds maximum value 0777\n"
		"3:54: tries must be a whole number from 1 to 1000\n"},
	    {EXEC("{ name: a, limits: { memroy: 1, memory: 0, cpu: 1 } }"),
		"3:34: limits has no key 'memroy' (did you mean 'memory'?)\n"
		"3:53: memory must not be 0 (leave it out for no limit)\n"
		"3:61: cpu: invalid duration '1': a unit is missing (write "
		"'1s' if seconds are meant)\n"},
	    {EXEC("{ name: a, control: { iff: x, if: 1, unless: 'a b' } }"),
		"3:35: control has no key 'iff' (did you mean 'if'?)\n"
		"3:47: if must be text, not a number (put it in quotes)\n"
		"3:59: unless: unknown name 'a' (the names are Facts, Data and "
		"Environ; a text needs quotes)\n"},
	    {EXEC("{ name: a, health_checks: [{ name: x }, { goss_rules: {},"
		  " command: b, format: goss }] }"),
		"3:40: a health check needs a command\n"
		"3:67: goss_rules is not supported yet\n"
		"3:91: format 'goss' is not supported yet\n"},
	    {EXEC("{ name: a, command: , cwd: \"a\\0b\" }"),
		"3:33: command must be text, not null (leave the key out)\n"
		"3:40: cwd has a NUL character in it\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
properties_of_files_are_checked(void **state)
{
	static const struct bad cases[] = {
	    {FILE_("{ name: etc/x }"), "3:21: file path must be absolute\n"},
	    {FILE_("{ name: /etc/../x }"),
		"3:21: file path must be canonical\n"},
	    {FILE_("{ name: /etc/ }"), "3:21: file path must be canonical\n"},
	    {FILE_("{ name: /a, ensure: link }"),
		"3:21: a link needs a 'target'\n"},
	    {FILE_("{ name: /a, ensure: links }"),
		"3:33: invalid ensure value: must be one of 'present', "
		"'absent', 'directory' or 'link'\n"},
	    {FILE_("{ name: /a, target: /b }"),
		"3:33: target is only for 'ensure: link'\n"},
	    {FILE_("{ name: /a, ensure: link, target: b, mode: '0644' }"),
		"3:21: a link has no mode\n"},
	    {FILE_("{ name: /a, ensure: link, target: b, source: c }"),
		"3:58: source is only for 'ensure: present' and 'ensure: "
		"directory'\n"},
	    {FILE_("{ name: /a, content: b, validate: test -s }"),
		"3:47: validate must say where the file goes (write '%' for "
		"it, as in visudo -cf %)\n"},
	    {FILE_("{ name: /a, ensure: directory, validate: 'b %' }"),
		"3:54: validate is only for 'ensure: present'\n"},
	    {FILE_("{ name: /a, content: b, backup: /c }"),
		"3:45: backup is what is added to the name, and cannot have a "
		"'/' (write such as .bak)\n"},
	    {FILE_("{ name: /a, ensure: directory, backup: .b }"),
		"3:52: backup is only for 'ensure: present' and 'ensure: "
		"absent'\n"},
	    {FILE_("{ name: /a, purge: true }"),
		"3:21: 'recurse' and 'purge' are only for 'ensure: "
		"directory'\n"},
	    {FILE_("{ name: /, ensure: directory, purge: true }"),
		"3:21: 'purge: true' cannot be used with the filesystem "
		"root\n"},
	    {FILE_("{ name: /a, force: true }"),
		"3:21: 'force: true' is only valid with 'ensure: absent' or "
		"'ensure: link', got 'ensure: present'\n"},
	    {FILE_("{ name: /, ensure: absent, force: true }"),
		"3:21: 'force: true' cannot be used with the filesystem "
		"root\n"},
	    {FILE_("{ name: /a, content: x, source: y }"),
		"3:45: 'content' and 'source' are mutually exclusive\n"},
	    {FILE_("{ name: /a, owner: '', group: '', mode: '' }"),
		"3:32: owner cannot be empty\n"
		"3:43: group cannot be empty\n"
		"3:53: mode cannot be empty\n"},
	    {FILE_("{ name: /a, mode: 0o }"),
		"3:31: mode '0o' is not a valid octal number\n"},
	    {FILE_("{ name: /a, mode: 888 }"),
		"3:31: mode '888' is not a valid octal number\n"},
	    {FILE_("{ name: /a, mode: '17777' }"),
		"3:31: mode '17777' exceeds maximum value 07777\n"},
	    {FILE_("{ name: /a, ensure: directory, content: x }"),
		"3:53: content is only for 'ensure: present'\n"},
	    {FILE_("{ name: /a, command: x }"),
		"3:25: file has no key 'command'\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
references_that_lead_nowhere_are_refused(void **state)
{
	static const struct bad cases[] = {
	    {BODY "    - exec: { name: a, require: [exec#b, exec#a] }\n"
		  "    - exec: { name: b }\n",
		"3:34: 'exec#b' comes later in the file, in line 4 "
		"(resources are applied in the order of the file: move it "
		"up)\n"
		"3:42: 'exec#a' refers to itself\n"},
	    {BODY
		"    - exec: { name: install, alias: setup }\n"
		"    - exec: { name: b, require: [exec#instal, exec#setpu,\n"
		"        file#install, exce#install, exec, '#a', 'exec#'] }\n",
		"4:34: there is no resource 'exec#instal' (did you mean "
		"'exec#install'?)\n"
		"4:47: there is no resource 'exec#setpu' (did you mean "
		"'exec#setup'?)\n"
		"5:9: there is no resource 'file#install'\n"
		"5:23: unknown resource type 'exce' (did you mean 'exec'?)\n"
		"5:37: invalid require properties: 'exec' is not TYPE#NAME "
		"(write such as exec#/bin/true)\n"
		"5:43: invalid require properties: '#a' is not TYPE#NAME "
		"(write such as exec#/bin/true)\n"
		"5:49: invalid require properties: 'exec#' is not TYPE#NAME "
		"(write such as exec#/bin/true)\n"},
	    /* Faults in defaults are reported once. */
	    {BODY "    - exec:\n"
		  "        - defaults: { require: [exec#nope] }\n"
		  "        - a: {}\n"
		  "        - b: {}\n",
		"4:33: there is no resource 'exec#nope'\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void
templates_are_refused_where_they_are_wrong(void **state)
{
	static const struct bad cases[] = {
	    {EXEC("{ name: 'a {{ Data.x }}' }"),
		"3:31: name: no member 'x' in Data\n"},
	    {"data: { x: '{{ Data.y }}' }\n" EXEC("{ name: a }"),
		"1:16: data: data cannot be made from other data\n"},
	    {EXEC("{ name: \"a {{ invalid syntax }}\" }"),
		"3:27: name: unknown name 'invalid' (the names are Facts, "
		"Data and Environ; a text needs quotes)\n"},
	    {EXEC("{ name: a, cwd: '/{{ 1 + }}' }"),
		"3:38: cwd: the expression ends where a value should be\n"},
	    {EXEC("{ name: a, command: 'x ${ 1' }"),
		"3:36: command: this '${' is never closed (close it with "
		"'}', or write '$${' for the characters)\n"},
	    {EXEC("\n        name: |\n          a\n          b {{ 1 + }}\n"),
		"6:20: name: the expression ends where a value should be\n"},
	    {EXEC("{ name: \"{{ file('/etc/hosts') }}\" }"),
		"3:25: name: files cannot be read at this place\n"},
	    {"ccm:\n  sensitive: [environ.TOKEN]\n  resources:\n"
	     "    - exec: { name: 'a {{ Environ.TOKEN }}' }\n",
		"4:21: name cannot be secret: it is shown and recorded "
		"(secrets may be in environment, stdin and the content of a "
		"file)\n"},
	    {"data: { abc: 1 }\nccm:\n  sensitive: [abd]\n  resources:\n"
	     "    - exec: { name: a }\n",
		"3:15: sensitive: there is no 'abd' in 'abd' (did you mean "
		"'abc'?)\n"},
	    /* Some checks do not need valid data. */
	    {"data: { x: '{{ 1 + }}' }\n" EXEC(
		 "{ name: '{{ Data.x }}', timeout: 1x }"),
		"1:20: data: the expression ends where a value should be\n"
		"4:46: timeout: invalid duration '1x': unknown unit (write "
		"numbers with units, such as 90s, 1h30m or 250ms)\n"},
	};

	(void)state;
	CHECK_ALL(cases);
}

/* Faults do not quote a resource that is marked sensitive. */
static void
faults_do_not_tell_what_is_sensitive(void **state)
{
	const char *said = faults_of(
	    EXEC("{ name: a, sensitive: true, environment: [hunter2, A=b],"
		 " subscribe: [hunter2], path: hunter2, umask: hunter2 }"));

	(void)state;
	assert_null(strstr(said, "hunter2"));
	assert_non_null(strstr(said, "umask '(sensitive)' is not"));
}

static void
the_first_fault_is_the_error(void **state)
{
	struct w_faults faults = {.items = NULL};
	struct w_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	assert_int_equal(manifest_test_read(EXEC("{ name: a, umsk: 1, x: 1 }"),
			     &faults, &manifest, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, "m.yaml:3:24: exec has no key 'umsk'");
	assert_string_equal(err.suggestion, "did you mean 'umask'?");
	assert_int_equal(err.line, 3);
	assert_int_equal(err.column, 24);
	assert_int_equal(faults.count, 2);
	assert_string_equal(faults.items[0].resource, "exec#a");
	w_faults_done(&faults);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(documents_that_are_none_are_refused),
	    cmocka_unit_test(properties_of_packages_and_services_are_checked),
	    cmocka_unit_test(properties_of_accounts_are_checked),
	    cmocka_unit_test(properties_of_archives_and_edits_are_checked),
	    cmocka_unit_test(items_that_are_no_resources_are_refused),
	    cmocka_unit_test(properties_of_exec_are_checked),
	    cmocka_unit_test(properties_of_files_are_checked),
	    cmocka_unit_test(references_that_lead_nowhere_are_refused),
	    cmocka_unit_test(templates_are_refused_where_they_are_wrong),
	    cmocka_unit_test(faults_do_not_tell_what_is_sensitive),
	    cmocka_unit_test(the_first_fault_is_the_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
