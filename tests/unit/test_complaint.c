/* SPDX-License-Identifier: Apache-2.0 */

/* What programs say when they were refused something: real messages. */

#include "run/denials/complaint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The complaints of a text, as "kind name; kind name". */
struct list {
	char text[4096];
	size_t len;
	int count;
	int wanted; /* 0: all */
};

static const char *const kind_words[] = {
    [W_COMPLAINT_READ_ONLY] = "rofs",
    [W_COMPLAINT_NO_PERMISSION] = "acces",
    [W_COMPLAINT_NOT_PERMITTED] = "perm",
    [W_COMPLAINT_BUSY] = "busy",
    [W_COMPLAINT_FAMILY] = "family",
    [W_COMPLAINT_UNREACHABLE] = "unreachable",
    [W_COMPLAINT_UNRESOLVED] = "unresolved",
    [W_COMPLAINT_UNCONNECTED] = "unconnected",
};

static bool
add(void *ctx, const struct w_complaint *complaint)
{
	struct list *list = ctx;
	const struct w_complaint_part name =
	    complaint->path.at != NULL ? complaint->path : complaint->host;

	list->len += (size_t)snprintf(list->text + list->len,
	    sizeof(list->text) - list->len, "%s%s%s%s%.*s",
	    list->count == 0 ? "" : "; ", kind_words[complaint->kind],
	    complaint->is_write ? "+w" : "", name.at == NULL ? "" : " ",
	    (int)name.len, name.at == NULL ? "" : name.at);
	assert_true(list->len < sizeof(list->text));
	return ++list->count != list->wanted;
}

static void
expect(const char *text, const char *wanted)
{
	struct list list = {.text = ""};
	/* Nothing stands behind it, so that a step too far is seen. */
	char *copy = malloc(strlen(text) + 1);

	assert_non_null(copy);
	memcpy(copy, text, strlen(text));
	w_complaint_find_all(copy, strlen(text), add, &list);
	free(copy);
	if (strcmp(list.text, wanted) != 0)
		print_message("of: %s\n", text);
	assert_string_equal(list.text, wanted);
}

struct row {
	const char *text;
	const char *wanted;
};

static void
expect_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect(rows[i].text, rows[i].wanted);
}

#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof(*(rows)))

static void
shells_and_coreutils_name_a_path(void **state)
{
	static const struct row rows[] = {
	    {"sh: 1: cannot create /etc/zz: Read-only file system",
		"rofs+w /etc/zz"},
	    {"sh: 3: cannot open /root/.x: Permission denied",
		"acces /root/.x"},
	    {"bash: line 1: /srv/a b: Read-only file system",
		"rofs+w /srv/a b"},
	    {"bash: /srv/x: Permission denied", "acces /srv/x"},
	    {"cat: /srv/written: Permission denied", "acces /srv/written"},
	    {"zsh: read-only file system: /srv/x", "rofs+w /srv/x"},
	    {"cp: cannot create regular file '/srv/a b': Read-only file "
	     "system",
		"rofs+w /srv/a b"},
	    {"cp: cannot create regular file \xe2\x80\x98/srv/z\xe2\x80\x99: "
	     "Permission denied",
		"acces+w /srv/z"},
	    {"touch: cannot touch '../x': Read-only file system",
		"rofs+w ../x"},
	    {"touch: setting times of '/srv/x': Operation not permitted",
		"perm+w /srv/x"},
	    {"mkdir: cannot create directory '/opt/x': Permission denied",
		"acces+w /opt/x"},
	    {"tee: /srv/z: Read-only file system", "rofs+w /srv/z"},
	    {"rm: cannot remove '/srv/file': Read-only file system",
		"rofs+w /srv/file"},
	    {"mv: cannot move 'a' to '/srv/a': Read-only file system",
		"rofs+w /srv/a"},
	    {"mv: inter-device move failed: 'a' to '/srv/a'; unable to remove "
	     "target: Read-only file system",
		"rofs+w /srv/a"},
	    {"ln: failed to create symbolic link '/srv/l': Read-only file "
	     "system",
		"rofs+w /srv/l"},
	    {"install: cannot create regular file '/usr/local/bin/x': "
	     "Permission denied",
		"acces+w /usr/local/bin/x"},
	    {"dd: failed to open '/srv/z': Read-only file system",
		"rofs+w /srv/z"},
	    {"ls: cannot open directory '/root/.ssh': Permission denied",
		"acces /root/.ssh"},
	    {"cat: /root/.ssh/id: Permission denied", "acces /root/.ssh/id"},
	    {"tar: /srv/z.tar: Cannot open: Read-only file system",
		"rofs+w /srv/z.tar"},
	    {"sed: couldn't open temporary file /srv/sedSQ4sLM: Read-only file "
	     "system",
		"rofs+w /srv/sedSQ4sLM"},
	    {"rsync: [receiver] mkstemp \"/srv/.a.c.ef3poP\" failed: Read-only "
	     "file system (30)",
		"rofs+w /srv/.a.c.ef3poP"},
	    {"cp: cannot create regular file '/it's/x': Permission denied",
		"acces+w /it's/x"},
	    {"mkdir: can't create directory '/srv/x': Read-only file system",
		"rofs+w /srv/x"},
	};

	(void)state;
	EXPECT_ROWS(rows);
}

static void
compilers_and_build_tools_name_a_path(void **state)
{
	static const struct row rows[] = {
	    {"/usr/bin/ld: cannot open output file /srv/zz: Read-only file "
	     "system",
		"rofs+w /srv/zz"},
	    {"Fatal error: can't create /srv/zz.o: Read-only file system",
		"rofs+w /srv/zz.o"},
	    {"a.c:1:10: fatal error: opening dependency file /srv/a.d: "
	     "Permission denied",
		"acces /srv/a.d"},
	    {"error: unable to open output file '/srv/x': 'Permission denied'",
		"acces+w /srv/x"},
	    {"ccache: error: Failed to create directory "
	     "/root/.cache/ccache/tmp: Read-only file system",
		"rofs+w /root/.cache/ccache/tmp"},
	    {"make: /srv/tool: Permission denied", "acces /srv/tool"},
	    {"error: failed to create directory `/root/.cargo/registry`\n\n"
	     "Caused by:\n  Read-only file system (os error 30)",
		"rofs+w /root/.cargo/registry"},
	    {"error: couldn't create a temp dir: Read-only file system (os "
	     "error 30) at path \"/srv/rustcX\"",
		"rofs+w /srv/rustcX"},
	    {"error: failed to open file `/root/.cache/uv/.lock`: Read-only "
	     "file system (os error 30)",
		"rofs+w /root/.cache/uv/.lock"},
	    {"open /srv/x: permission denied", "acces /srv/x"},
	    {"failed to initialize build cache at /root/.cache/go-build: mkdir "
	     "/root/.cache/go-build: read-only file system",
		"rofs+w /root/.cache/go-build"},
	    {"rename /srv/a /srv/b: read-only file system", "rofs+w /srv/b"},
	    {"Error: java.io.FileNotFoundException: "
	     "/root/.gradle/x.lock (Read-only file system)",
		"rofs+w /root/.gradle/x.lock"},
	    {"java.nio.file.AccessDeniedException: /srv/x", "acces /srv/x"},
	    {"Errno::EROFS: Read-only file system @ rb_sysopen - /srv/x",
		"rofs+w /srv/x"},
	    {"mkdir /srv/x: Permission denied at /usr/share/perl5/A.pm line 3.",
		"acces+w /srv/x"},
	};

	(void)state;
	EXPECT_ROWS(rows);
}

static void
interpreters_and_package_managers_name_a_path(void **state)
{
	static const struct row rows[] = {
	    {"OSError: [Errno 30] Read-only file system: '/srv/z'",
		"rofs+w /srv/z"},
	    {"PermissionError: [Errno 13] Permission denied: '/root/.ssh/id'",
		"acces /root/.ssh/id"},
	    {"OSError: [Errno 30] Read-only file system: '/a' -> '/srv/b'",
		"rofs+w /srv/b"},
	    {"ERROR: Could not install packages due to an OSError: [Errno 30] "
	     "Read-only file system: '/usr/lib/python3/dist-packages/six.py'",
		"rofs+w /usr/lib/python3/dist-packages/six.py"},
	    {"WARNING: The directory '/root/.cache/pip' or its parent "
	     "directory is not owned or is not writable by the current user.",
		"acces+w /root/.cache/pip"},
	    {"Error: EROFS: read-only file system, open '/srv/z'",
		"rofs+w /srv/z"},
	    {"Error: EROFS: read-only file system, rename '/a' -> '/srv/b'",
		"rofs+w /srv/b"},
	    {"  code: 'EROFS',\n  syscall: 'mkdir',", ""},
	    {"npm ERR! code EROFS\nnpm ERR! syscall mkdir\n"
	     "npm ERR! path /root/.npm/_cacache\nnpm ERR! errno -30\n"
	     "npm ERR! rofs EROFS: read-only file system, mkdir "
	     "'/root/.npm/_cacache'",
		"rofs+w code; rofs+w /root/.npm/_cacache"},
	    {"npm error Error: EACCES: permission denied, mkdir "
	     "'/usr/lib/node_modules/x'",
		"acces+w /usr/lib/node_modules/x"},
	    {" EROFS  EROFS: read-only file system, mkdir "
	     "'/root/.local/share/pnpm'",
		"rofs+w /root/.local/share/pnpm"},
	};

	(void)state;
	EXPECT_ROWS(rows);
}

static void
git_names_a_path(void **state)
{
	static const struct row rows[] = {
	    {"error: could not write config file .git/config: Device or "
	     "resource busy",
		"busy+w .git/config"},
	    {"error: could not lock config file /root/.gitconfig: Read-only "
	     "file system",
		"rofs+w /root/.gitconfig"},
	    {"fatal: could not create work tree dir '/srv/w': Read-only file "
	     "system",
		"rofs+w /srv/w"},
	    {"fatal: Unable to create '/srv/.git/worktrees/wt/index.lock': "
	     "Read-only file system",
		"rofs+w /srv/.git/worktrees/wt/index.lock"},
	    {"/srv/.git: Read-only file system", "rofs+w /srv/.git"},
	    {"error: could not open '/srv/x' for writing", "acces+w /srv/x"},
	    {"error: could not open '/srv/x' for writing: No such file or "
	     "directory",
		""},
	    {"error: open(\"secret\"): Permission denied", "acces secret"},
	};

	(void)state;
	EXPECT_ROWS(rows);
}

static void
programs_name_a_host(void **state)
{
	static const struct row rows[] = {
	    {"curl: (6) Could not resolve host: example.com",
		"unresolved example.com"},
	    {"curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: "
	     "Couldn't connect to server",
		"unconnected 127.0.0.1"},
	    {"curl: (7) Failed to connect to ::1 port 9 after 0 ms: Couldn't "
	     "connect to server",
		"unconnected ::1"},
	    {"wget: unable to resolve host address "
	     "\xe2\x80\x98"
	     "example.com\xe2\x80\x99",
		"unresolved example.com"},
	    {"Resolving example.com (example.com)... failed: Temporary failure "
	     "in name resolution.",
		"unresolved example.com"},
	    {"Connecting to 192.0.2.1:80... failed: Network is unreachable.",
		"unreachable 192.0.2.1"},
	    {"Connecting to 127.0.0.1:80... failed: Address family not "
	     "supported by protocol.",
		"family 127.0.0.1"},
	    {"fatal: unable to access 'https://example.com/x/': Could not "
	     "resolve host: example.com",
		"unresolved example.com"},
	    {"ssh: Could not resolve hostname example.com: Temporary failure "
	     "in name resolution",
		"unresolved example.com"},
	    {"ssh: connect to host 192.0.2.1 port 22: Network is unreachable",
		"unreachable 192.0.2.1"},
	    {"go: example.com/m: Get \"https://proxy.example.com/\": dial tcp: "
	     "lookup proxy.example.com: no such host",
		"unresolved proxy.example.com"},
	    {"dial tcp 192.0.2.1:443: connect: network is unreachable",
		"unreachable 192.0.2.1"},
	    {"dial tcp [2001:db8::1]:443: connect: network is unreachable",
		"unreachable 2001:db8::1"},
	    {"listen tcp 127.0.0.1:8080: socket: address family not supported "
	     "by protocol",
		"family 127.0.0.1"},
	    {"npm ERR! network request to https://example.com/x failed, "
	     "reason: getaddrinfo EAI_AGAIN example.com",
		"unresolved example.com"},
	    {"Error: getaddrinfo ENOTFOUND example.com",
		"unresolved example.com"},
	    {"Error: listen EAFNOSUPPORT: address family not supported "
	     "127.0.0.1:3000",
		"family 127.0.0.1"},
	    {"Error: connect ENETUNREACH 192.0.2.1:80 - Local (0.0.0.0:0)",
		"unreachable 192.0.2.1"},
	    {"OSError: [Errno 97] Address family not supported by protocol",
		"family"},
	    {"urllib.error.URLError: <urlopen error [Errno -3] Temporary "
	     "failure in name resolution>",
		"unresolved"},
	    {"HTTPSConnectionPool(host='example.com', port=443): Max retries "
	     "exceeded (Caused by NewConnectionError('[Errno -3] Temporary "
	     "failure in name resolution'))",
		"unresolved example.com"},
	    {"  [6] Couldn't resolve host name (Could not resolve host: "
	     "index.example.com)",
		"unresolved index.example.com"},
	    {"  Temporary failure resolving 'deb.example.com'",
		"unresolved deb.example.com"},
	    {"psql: error: could not translate host name \"db\" to address: "
	     "Temporary failure in name resolution",
		"unresolved db"},
	    {"java.net.UnknownHostException: example.com",
		"unresolved example.com"},
	};

	(void)state;
	EXPECT_ROWS(rows);
}

static void
other_text_is_no_complaint(void **state)
{
	static const struct row rows[] = {
	    {"", ""},
	    {"\n\n\r\n", ""},
	    {"collect2: error: ld returned 1 exit status", ""},
	    {"cat: none: No such file or directory", ""},
	    {"make: *** [Makefile:2: all] Error 1", ""},
	    {"unimpeacces /srv/x", ""},
	    {"Permission denied", ""},
	    {"Read-only file system", ""},
	};

	(void)state;
	EXPECT_ROWS(rows);
	/* Bytes that end a string are no end here, and no part of a path. */
	struct list list = {.text = ""};
	static const char zeros[] = "cat: '/a\0b': Permission denied\0\n"
				    "cat: /b: Permission denied";
	w_complaint_find_all(zeros, sizeof(zeros) - 1, add, &list);
	assert_non_null(strstr(list.text, "acces /b"));
	assert_null(strstr(list.text, "/a"));
}

static void
it_ends_when_no_more_are_wanted(void **state)
{
	struct list list = {.wanted = 2};
	static const char text[] = "cat: /a: Permission denied\r\n"
				   "cat: /b: Permission denied\r\n"
				   "cat: /c: Permission denied\r\n";

	(void)state;
	w_complaint_find_all(text, sizeof(text) - 1, add, &list);
	assert_string_equal(list.text, "acces /a; acces /b");
}

/* A line of nothing but quotation marks, or of cues, takes no longer. */
static void
long_lines_are_read_in_linear_time(void **state)
{
	static const char *const pieces[] = {" '", " `", ": ", "lookup ",
	    "permission denied '", "erofs ", "\xe2\x80\x98 "};
	enum {
		SIZE = 64 * 1024
	};
	char *text = malloc(SIZE);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct list list = {.wanted = 1};

		for (size_t at = 0; at < SIZE; at++)
			text[at] = at % 4000 == 3999
				       ? '\n'
				       : pieces[i][at % strlen(pieces[i])];
		w_complaint_find_all(text, SIZE, add, &list);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shells_and_coreutils_name_a_path),
	    cmocka_unit_test(compilers_and_build_tools_name_a_path),
	    cmocka_unit_test(interpreters_and_package_managers_name_a_path),
	    cmocka_unit_test(git_names_a_path),
	    cmocka_unit_test(programs_name_a_host),
	    cmocka_unit_test(other_text_is_no_complaint),
	    cmocka_unit_test(it_ends_when_no_more_are_wanted),
	    cmocka_unit_test(long_lines_are_read_in_linear_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
