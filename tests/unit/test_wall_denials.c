/* SPDX-License-Identifier: Apache-2.0 */

/* What the walls make of the words of a failed command. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_profiles.h"
#include "os/file.h"
#include "run/denials/wall_denials.h"

enum {
	READ = W_MAY_READ | W_MAY_EXECUTE,
	WRITE = READ | W_MAY_WRITE,
	TEXT = 3 * PATH_MAX
};

/*
 *     work/            writable, but for work/guarded; the directory of the run
 *     work/out         leads to shown
 *     work/in          leads to home/secret/link
 *     shown/           readable, with the directory sub
 *     home/            the home directory, readable
 *     home/.cache/tool, home/.config
 *     home/secret      hidden; its link leads to shown
 *     state/           writ's own
 */
static struct workspace {
	char root[PATH_MAX];
	char state[PATH_MAX];
	struct w_run_sandbox sandbox;
	struct w_wall_denials found;
} site;

/* Replaces each @ by the root. */
static const char *
at(const char *text)
{
	static char texts[4][TEXT];
	static unsigned next;
	char *out = texts[next++ % 4];
	size_t len = 0;

	for (; *text != '\0' && len + PATH_MAX < TEXT; text++) {
		if (*text == '@')
			len += (size_t)snprintf(
			    out + len, TEXT - len, "%s", site.root);
		else
			out[len++] = *text;
	}
	out[len] = '\0';
	return out;
}

static void
make_dir(const char *name)
{
	assert_int_equal(mkdir(at(name), 0755), 0);
}

static int
set_up(void **state)
{
	char made[] = "/tmp/writ-walls-XXXXXX";
	static const char *const dirs[] = {"@/work", "@/work/guarded",
	    "@/shown", "@/shown/sub", "@/home", "@/home/.cache",
	    "@/home/.cache/tool", "@/home/.cache/tool/ab", "@/home/.config",
	    "@/home/secret", "@/state", NULL};

	(void)state;
	site = (struct workspace){.root = ""};
	assert_non_null(mkdtemp(made));
	assert_non_null(realpath(made, site.root));
	for (size_t i = 0; dirs[i] != NULL; i++)
		make_dir(dirs[i]);
	assert_int_equal(symlink(at("@/shown"), at("@/work/out")), 0);
	assert_int_equal(symlink(at("@/home/secret/link"), at("@/work/in")), 0);
	assert_int_equal(symlink(at("@/shown"), at("@/home/secret/link")), 0);
	(void)snprintf(site.state, sizeof(site.state), "%s", at("@/state"));

	struct w_run_sandbox *sandbox = &site.sandbox;
	sandbox->resolved.walls = W_WALLS_WORKSPACE;
	sandbox->resolved.network = W_NETWORK_OFF;
	sandbox->resolved.home = strdup(at("@/home"));
	sandbox->cwd = strdup(at("@/work"));
	assert_true(sandbox->resolved.home != NULL && sandbox->cwd != NULL);
	places_add(&sandbox->resolved.grants, "/", true, READ);
	places_add(&sandbox->resolved.grants, at("@/work"), true, WRITE);
	places_add(&sandbox->resolved.grants, at("@/shown"), true, READ);
	places_add(&sandbox->resolved.grants, at("@/home"), true, READ);
	places_add(&sandbox->resolved.guarded, at("@/work/guarded"), true, 0);
	places_add(&sandbox->resolved.hidden, at("@/home/secret"), true, 0);
	sandbox->layers =
	    W_LAYER_BIT(W_LAYER_MOUNTNS) | W_LAYER_BIT(W_LAYER_LANDLOCK) |
	    W_LAYER_BIT(W_LAYER_SECCOMP) | W_LAYER_BIT(W_LAYER_NETNS);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	places_close(&site.sandbox.resolved);
	free(site.sandbox.resolved.home);
	free(site.sandbox.cwd);
	assert_true(w_file_remove_tree(site.root));
	return 0;
}

static void
guess(const char *out, const char *err)
{
	const writ_output outputs[2] = {
	    {.head = out, .head_len = strlen(out), .tail = ""},
	    {.head = err, .head_len = strlen(err), .tail = ""}};
	const writ_output *const both[2] = {&outputs[0], &outputs[1]};

	site.found = (struct w_wall_denials){.count = 0};
	w_wall_denials_guess(&site.found, &site.sandbox, site.state, both);
}

/* The denials as "what name (wall) write=.. network=..", one a line. */
static void
expect(const char *err, const char *wanted)
{
	static char text[TEXT];
	size_t len = 0;
	char *said = strdup(at(err));

	assert_non_null(said);
	text[0] = '\0';
	guess("", said);
	free(said);
	for (size_t i = 0; i < site.found.count; i++) {
		const writ_wall_denial *item = &site.found.items[i];
		const char *name = item->path != NULL   ? item->path
				   : item->host != NULL ? item->host
							: item->family;

		assert_true(item->is_guessed);
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s%s%s%s (%s)%s%s%s%s", i == 0 ? "" : "\n", item->what,
		    name == NULL ? "" : " ", name == NULL ? "" : name,
		    item->wall, item->ask_write == NULL ? "" : " write=",
		    item->ask_write == NULL ? "" : item->ask_write,
		    item->ask_network == NULL ? "" : " network=",
		    item->ask_network == NULL ? "" : item->ask_network);
		assert_true(len < sizeof(text));
	}
	assert_string_equal(text, at(wanted));
}

static void
a_write_outside_names_the_directory_to_ask_for(void **state)
{
	(void)state;
	expect("touch: cannot touch '@/shown/new': Read-only file system",
	    "write @/shown/new (readonly) write=@/shown");
	expect("open @/shown/sub: read-only file system",
	    "write @/shown/sub (readonly) write=@/shown/sub");
	expect("mkdir @/shown/a/b/c: read-only file system",
	    "write @/shown/a/b/c (readonly) write=@/shown");
	expect("sh: 1: cannot create ../shown/x: Read-only file system",
	    "write @/shown/x (readonly) write=@/shown");
	expect("sh: 1: cannot create out/x: Read-only file system",
	    "write @/work/out/x (readonly) write=@/shown");
	expect("cp: cannot create regular file '@/shown/x': Permission denied",
	    "write @/shown/x (readonly) write=@/shown");
}

static void
a_cache_is_asked_for_as_a_whole(void **state)
{
	(void)state;
	expect("open @/home/.cache/tool/ab/x: read-only file system",
	    "write @/home/.cache/tool/ab/x (readonly) "
	    "write=@/home/.cache/tool");
	expect("open ~/.cache/tool/x: read-only file system",
	    "write @/home/.cache/tool/x (readonly) write=@/home/.cache/tool");
}

static void
protected_and_hidden_places_are_never_proposed(void **state)
{
	(void)state;
	expect("error: could not write config file guarded/config: Device or "
	       "resource busy",
	    "write @/work/guarded/config (protected)");
	expect("touch: cannot touch '@/work/guarded/x': Read-only file system",
	    "write @/work/guarded/x (protected)");
	expect("cat: @/home/secret/key: Permission denied",
	    "read @/home/secret/key (hidden)");
	expect("touch: cannot touch '@/home/secret/x': Permission denied",
	    "write @/home/secret/x (hidden)");
}

static void
dangerous_places_are_never_proposed(void **state)
{
	static const char *const places[] = {"/", "@/home", "@/home/x",
	    "@/home/.bashrc", "@/home/.config", "@/home/.config/x",
	    "@/home/bin/x", "@", "@/state/x", "/etc", "/etc/writ-none",
	    "/usr/bin/writ-none", "/usr/lib/writ-none/x", "/writ-none",
	    "/opt/writ-none", "/usr/local/bin/writ-none",
	    "/usr/local/sbin/writ-none", NULL};

	(void)state;
	for (size_t i = 0; places[i] != NULL; i++) {
		char text[TEXT];

		(void)snprintf(text, sizeof(text),
		    "touch: cannot touch '%s': Read-only file system",
		    places[i]);
		char *said = strdup(at(text));
		assert_non_null(said);
		guess(said, "");
		free(said);
		assert_true(site.found.count <= 1);
		if (site.found.count == 1)
			assert_null(site.found.items[0].ask_write);
	}
	site.sandbox.resolved.walls = W_WALLS_READONLY;
	expect("touch: cannot touch '@/shown/x': Read-only file system",
	    "write @/shown/x (readonly)");
}

/* What the profile allows failed for another reason; and so did reading what
 * may be read. */
static void
what_no_wall_refuses_is_not_told(void **state)
{
	(void)state;
	expect("touch: cannot touch 'x': Read-only file system", "");
	expect("touch: cannot touch '@/work/x': Permission denied", "");
	expect("cat: @/shown/file: Permission denied", "");
	expect("open @/shown/file: permission denied", "");
	expect("touch: cannot touch '/tmp/x': Permission denied", "");
	expect("sh: 1: cannot create /proc/sys/x: Read-only file system", "");
	expect("sh: 1: cannot open /dev/tty: Permission denied", "");
	expect("@/shown/x: Device or resource busy", "");
	expect("nothing at all", "");
}

/* A link in a hidden place would tell where it leads. */
static void
links_in_hidden_places_are_not_followed(void **state)
{
	(void)state;
	expect("touch: cannot touch '@/home/secret/link/x': Read-only file "
	       "system",
	    "write @/home/secret/link/x (hidden)");
	expect("touch: cannot touch 'in/x': Read-only file system",
	    "write @/work/in/x (hidden)");
}

static void
without_a_view_every_refusal_is_one_of_permission(void **state)
{
	(void)state;
	site.sandbox.layers = W_LAYER_BIT(W_LAYER_LANDLOCK);
	expect("open @/shown/x: permission denied",
	    "write @/shown/x (readonly) write=@/shown");
	expect("cat: @/home/secret/key: Permission denied",
	    "read @/home/secret/key (hidden)");
}

static void
loopback_is_proposed_where_it_is_enough(void **state)
{
	(void)state;
	expect("OSError: [Errno 97] Address family not supported by protocol",
	    "socket AF_INET (network) network=loopback");
	expect("listen tcp 127.0.0.1:80: socket: address family not supported",
	    "socket AF_INET (network) network=loopback");
	expect("curl: (7) Failed to connect to localhost port 9 after 0 ms",
	    "connect localhost (network) network=loopback");
	expect("Connecting to 192.0.2.1:80... failed: Address family not "
	       "supported by protocol.",
	    "connect 192.0.2.1 (network) network=host");
	expect("curl: (6) Could not resolve host: example.com",
	    "connect example.com (network) network=host");
	site.sandbox.resolved.network = W_NETWORK_LOOPBACK;
	expect("curl: (7) Failed to connect to ::1 port 9 after 0 ms", "");
	expect("socket: address family not supported by protocol", "");
	expect("ssh: connect to host 192.0.2.1 port 22: Network is unreachable",
	    "connect 192.0.2.1 (network) network=host");
	site.sandbox.resolved.network = W_NETWORK_HOST;
	expect("curl: (6) Could not resolve host: example.com", "");
}

static void
words_without_a_host_count_only_alone(void **state)
{
	(void)state;
	expect("gaierror: Temporary failure in name resolution",
	    "connect (network) network=host");
	expect("gaierror: Temporary failure in name resolution\n"
	       "curl: (6) Could not resolve host: example.com\n"
	       "gaierror: Temporary failure in name resolution",
	    "connect example.com (network) network=host");
}

static void
there_are_at_most_five_and_each_once(void **state)
{
	(void)state;
	expect("tee: @/shown/a: Read-only file system\n"
	       "tee: @/shown/b: Read-only file system\n"
	       "tee: @/shown/a: Read-only file system",
	    "write @/shown/a (readonly) write=@/shown");
	expect("tee: /etc/a: Read-only file system\n"
	       "tee: /etc/b: Read-only file system\n"
	       "tee: /etc/a: Read-only file system\n"
	       "tee: /etc/c: Read-only file system\n"
	       "tee: /etc/d: Read-only file system\n"
	       "tee: /etc/e: Read-only file system\n"
	       "tee: /etc/f: Read-only file system",
	    "write /etc/a (readonly)\nwrite /etc/b (readonly)\n"
	    "write /etc/c (readonly)\nwrite /etc/d (readonly)\n"
	    "write /etc/e (readonly)");
}

static void
names_are_short_and_harmless(void **state)
{
	char text[TEXT];
	char name[301];

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(text, sizeof(text),
	    "tee: %s/shown/%s: Read-only file system", site.root, name);
	guess("", text);
	assert_int_equal(site.found.count, 1);
	assert_int_equal(strlen(site.found.items[0].path), 200);
	assert_non_null(strstr(site.found.items[0].path, "aaa..."));
	/* What can be asked for is not cut. */
	assert_string_equal(site.found.items[0].ask_write, at("@/shown"));
	expect("tee: @/shown/\x1b[31mx\x07: Read-only file system",
	    "write @/shown/\\x1b[31mx\\x07 (readonly) write=@/shown");
	assert_int_equal(mkdir(at("@/shown/\x1b"), 0755), 0);
	expect("tee: @/shown/\x1b/x: Read-only file system",
	    "write @/shown/\\x1b/x (readonly)");
}

/* Only the end is read, from the beginning of a line on. */
static void
long_output_is_read_at_its_end(void **state)
{
	enum {
		SIZE = 200 * 1024
	};
	char *text = malloc(SIZE);

	(void)state;
	assert_non_null(text);
	memset(text, '\n', SIZE - 1);
	text[SIZE - 1] = '\0';
	memcpy(text, "tee: /etc/a: Read-only file system", 34);
	memcpy(text + SIZE - 40, "tee: /etc/b: Read-only file system", 34);
	guess(text, "");
	assert_int_equal(site.found.count, 1);
	assert_string_equal(site.found.items[0].path, "/etc/b");
	free(text);
}

static void
what_the_kernel_reported_is_certain(void **state)
{
	static char path[PATH_MAX];
	const writ_denial rows[] = {
	    {"mountns", "openat", "create", path, NULL, 3},
	    {"seccomp", "socket", "socket", "AF_INET", "--network loopback", 1},
	    {"netns", "connect", "connect", "192.0.2.1:80", "--network host",
		1},
	    {"seccomp", "unshare", "call", NULL, NULL, 1},
	    {NULL, NULL, "more", NULL, NULL, 9},
	};
	struct w_denial_context context;
	const writ_wall_denial *items = site.found.items;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s", at("@/shown/new"));
	assert_int_equal(w_denial_context_init(&context, &site.sandbox.resolved,
			     site.sandbox.layers, site.state, NULL),
	    WRIT_OK);
	w_wall_denials_take(&site.found, &context, rows, 5);
	w_denial_context_done(&context);
	assert_int_equal(site.found.count, 4);
	assert_false(items[0].is_guessed);
	assert_string_equal(items[0].what, "create");
	assert_string_equal(items[0].wall, "readonly");
	assert_string_equal(items[0].ask_write, at("@/shown"));
	assert_string_equal(items[1].family, "AF_INET");
	assert_string_equal(items[1].ask_network, "loopback");
	assert_string_equal(items[2].host, "192.0.2.1:80");
	assert_string_equal(items[2].wall, "network");
	assert_string_equal(items[3].what, "unshare");
	assert_string_equal(items[3].wall, "seccomp");
	assert_null(items[3].ask_network);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_write_outside_names_the_directory_to_ask_for),
	    TEST(a_cache_is_asked_for_as_a_whole),
	    TEST(protected_and_hidden_places_are_never_proposed),
	    TEST(dangerous_places_are_never_proposed),
	    TEST(what_no_wall_refuses_is_not_told),
	    TEST(links_in_hidden_places_are_not_followed),
	    TEST(without_a_view_every_refusal_is_one_of_permission),
	    TEST(loopback_is_proposed_where_it_is_enough),
	    TEST(words_without_a_host_count_only_alone),
	    TEST(there_are_at_most_five_and_each_once),
	    TEST(names_are_short_and_harmless),
	    TEST(long_output_is_read_at_its_end),
	    TEST(what_the_kernel_reported_is_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
