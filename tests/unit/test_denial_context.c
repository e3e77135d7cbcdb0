/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_profiles.h"
#include "os/file.h"
#include "run/denials/denial_context.h"

enum {
	READ = W_MAY_READ | W_MAY_EXECUTE,
	WRITE = READ | W_MAY_WRITE,
	TEXT = PATH_MAX + 32
};

/*
 * A tree on this machine, granted and hidden by hand:
 *
 *     work/          writable, but for work/guarded
 *     work/link      leads to work/guarded
 *     shown/file     readable
 *     shown/secret   hidden
 *     state/         writ's own
 */
struct workspace {
	char root[PATH_MAX];
	struct w_resolved_profile resolved;
	struct w_denial_context scene;
	struct w_denial finding;
};

static const char *
at(const struct workspace *site, const char *name)
{
	static char text[4][TEXT];
	static unsigned next;
	char *path = text[next++ % 4];

	(void)snprintf(path, TEXT, "%s/%s", site->root, name);
	return path;
}

static void
make_file(const struct workspace *site, const char *name)
{
	int fd = open(at(site, name), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

static void
make_tree(struct workspace *site)
{
	char made[] = "/tmp/writ-scene-XXXXXX";

	assert_non_null(mkdtemp(made));
	assert_non_null(realpath(made, site->root));
	assert_int_equal(mkdir(at(site, "work"), 0755), 0);
	assert_int_equal(mkdir(at(site, "work/guarded"), 0755), 0);
	assert_int_equal(mkdir(at(site, "shown"), 0755), 0);
	assert_int_equal(mkdir(at(site, "state"), 0755), 0);
	make_file(site, "work/file");
	make_file(site, "work/guarded/file");
	make_file(site, "shown/file");
	make_file(site, "shown/secret");
	make_file(site, "state/file");
	make_file(site, "unseen");
	assert_int_equal(symlink("guarded", at(site, "work/link")), 0);
}

static void
build(struct workspace *site, uint32_t layers)
{
	writ_error err = {0};

	assert_int_equal(w_denial_context_init(&site->scene, &site->resolved,
			     layers, at(site, "state"), &err),
	    WRIT_OK);
}

static void
start(struct workspace *site, enum w_walls walls)
{
	*site = (struct workspace){.resolved = {.walls = walls}};
	make_tree(site);
	site->resolved.home = strdup("/nowhere");
	assert_non_null(site->resolved.home);
	if (walls != W_WALLS_STRICT)
		places_add(&site->resolved.grants, "/", true, READ);
	if (walls != W_WALLS_READONLY)
		places_add(
		    &site->resolved.grants, at(site, "work"), true, WRITE);
	places_add(&site->resolved.grants, at(site, "shown"), true, READ);
	places_add(&site->resolved.guarded, at(site, "work/guarded"), true, 0);
	places_add(&site->resolved.hidden, at(site, "shown/secret"), false, 0);
	build(site, W_LAYER_BIT(W_LAYER_MOUNTNS) |
			W_LAYER_BIT(W_LAYER_LANDLOCK) |
			W_LAYER_BIT(W_LAYER_NETNS));
}

static void
finish(struct workspace *site)
{
	w_denial_context_done(&site->scene);
	places_close(&site->resolved);
	free(site->resolved.home);
	assert_true(w_file_remove_tree(site->root));
}

static bool
denies(struct workspace *site, const char *name, enum w_operation operation)
{
	const struct w_denial_query use = {
	    .path = name[0] == '/' ? name : at(site, name),
	    .operation = operation,
	    .follows = true,
	};

	return w_denial_find(&site->scene, &use, &site->finding);
}

static void
expect_denied(struct workspace *site, const char *name,
    enum w_operation operation, const char *option, const char *on)
{
	char hint[TEXT + 64] = "";

	assert_true(denies(site, name, operation));
	if (option != NULL)
		(void)snprintf(
		    hint, sizeof(hint), "%s %s", option, at(site, on));
	assert_string_equal(site->finding.hint, hint);
}

static void
what_a_workspace_may_not_change_is_denied(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	expect_denied(
	    &site, "shown/file", W_OPERATION_WRITE, "--write", "shown");
	assert_string_equal(site.finding.path, at(&site, "shown/file"));
	assert_string_equal(site.finding.layer, "mountns");
	expect_denied(
	    &site, "shown/new", W_OPERATION_CREATE, "--write", "shown");
	expect_denied(
	    &site, "shown/file", W_OPERATION_DELETE, "--write", "shown");
	expect_denied(
	    &site, "shown/file", W_OPERATION_RENAME, "--write", "shown");
	expect_denied(
	    &site, "shown/file", W_OPERATION_RENAME_TO, "--write", "shown");
	expect_denied(&site, "shown", W_OPERATION_WRITE, "--write", "shown");
	expect_denied(&site, "work/guarded/file", W_OPERATION_WRITE,
	    "no longer protecting", "work/guarded");
	expect_denied(&site, "work/link/new", W_OPERATION_CREATE,
	    "no longer protecting", "work/guarded");
	assert_string_equal(site.finding.path, at(&site, "work/guarded/new"));
	finish(&site);
}

static void
what_may_be_done_or_cannot_be_is_no_denial(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	assert_false(denies(&site, "work/file", W_OPERATION_WRITE));
	assert_false(denies(&site, "work/new", W_OPERATION_CREATE));
	assert_false(denies(&site, "work/../work/file", W_OPERATION_DELETE));
	assert_false(denies(&site, "work/guarded/file", W_OPERATION_READ));
	assert_false(denies(&site, "shown/file", W_OPERATION_READ));
	assert_false(denies(&site, "shown/file", W_OPERATION_EXECUTE));
	assert_false(denies(&site, "shown/file", W_OPERATION_CREATE));
	assert_false(denies(&site, "shown/none", W_OPERATION_WRITE));
	assert_false(denies(&site, "shown/none", W_OPERATION_DELETE));
	assert_false(denies(&site, "shown/none/new", W_OPERATION_CREATE));
	assert_false(denies(&site, "/", W_OPERATION_WRITE));
	assert_false(denies(&site, "/proc/1/mem", W_OPERATION_WRITE));
	finish(&site);
}

static void
what_is_hidden_is_denied(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	expect_denied(&site, "shown/secret", W_OPERATION_READ,
	    "no longer hiding", "shown/secret");
	expect_denied(&site, "shown/secret", W_OPERATION_WRITE,
	    "no longer hiding", "shown/secret");
	finish(&site);
}

static void
a_strict_view_lacks_what_was_not_granted(void **state)
{
	const struct w_denial_query hidden = {
	    .path = "/home", .operation = W_OPERATION_READ, .pid = getpid()};
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_STRICT);
	assert_false(denies(&site, "shown/file", W_OPERATION_READ));
	expect_denied(&site, "shown/secret", W_OPERATION_READ,
	    "no longer hiding", "shown/secret");
	/* Our own root, which has everything. */
	assert_false(w_denial_find(&site.scene, &hidden, &site.finding));
	finish(&site);
}

static void
rules_alone_deny_by_the_lists(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	w_denial_context_done(&site.scene);
	build(&site, W_LAYER_BIT(W_LAYER_LANDLOCK));
	expect_denied(
	    &site, "shown/file", W_OPERATION_WRITE, "--write", "shown");
	assert_string_equal(site.finding.layer, "landlock");
	assert_true(denies(&site, "shown/secret", W_OPERATION_READ));
	assert_false(denies(&site, "work/file", W_OPERATION_WRITE));
	w_denial_context_done(&site.scene);
	build(&site, 0);
	assert_false(denies(&site, "shown/file", W_OPERATION_WRITE));
	finish(&site);
}

static void
a_read_only_profile_hints_at_another(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_READONLY);
	expect_denied(&site, "shown/file", W_OPERATION_WRITE,
	    "--sandbox workspace --write", "shown");
	finish(&site);
}

static void
there_is_no_hint_that_would_be_refused(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	free(site.resolved.home);
	site.resolved.home = strdup(at(&site, "shown"));
	assert_non_null(site.resolved.home);
	expect_denied(&site, "shown/new", W_OPERATION_CREATE, NULL, NULL);
	expect_denied(
	    &site, "shown/file", W_OPERATION_WRITE, "--write", "shown/file");
	static char hint[W_DENIAL_HINT_MAX];
	w_denial_hint(
	    &site.scene, at(&site, "state/file"), W_OPERATION_READ, hint);
	assert_string_equal(hint, "");
	w_denial_hint(&site.scene, at(&site, "new"), W_OPERATION_CREATE, hint);
	assert_string_equal(hint, "");
	w_denial_hint(&site.scene, "/dev/sda", W_OPERATION_READ, hint);
	assert_string_equal(hint, "");
	w_denial_hint(&site.scene, "/usr/a\nb", W_OPERATION_READ, hint);
	assert_string_equal(hint, "--read /usr");
	finish(&site);
}

static void
only_what_the_profile_names_may_be_executed(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	site.resolved.grants.items[0].may = W_MAY_READ;
	assert_true(denies(&site, "/usr/bin/env", W_OPERATION_EXECUTE));
	assert_string_equal(site.finding.layer, "landlock");
	assert_false(denies(&site, "work/file", W_OPERATION_EXECUTE));
	finish(&site);
}

static bool
denies_address(
    struct workspace *site, const char *text, enum w_operation operation)
{
	struct sockaddr_storage address = {0};
	struct sockaddr_in *in = (struct sockaddr_in *)&address;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&address;

	if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		in->sin_port = htons(80);
	} else {
		assert_int_equal(inet_pton(AF_INET6, text, &in6->sin6_addr), 1);
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(53);
	}
	return w_denial_find_address(
	    &site->scene, &address, operation, &site->finding);
}

static void
an_address_is_denied_by_where_it_leads(void **state)
{
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	site.resolved.network = W_NETWORK_LOOPBACK;
	assert_true(denies_address(&site, "192.0.2.1", W_OPERATION_CONNECT));
	assert_string_equal(site.finding.path, "192.0.2.1:80");
	assert_string_equal(site.finding.layer, "netns");
	assert_string_equal(site.finding.hint, "--network host");
	assert_true(denies_address(&site, "2001:db8::1", W_OPERATION_CONNECT));
	assert_string_equal(site.finding.path, "[2001:db8::1]:53");
	assert_true(denies_address(&site, "192.0.2.1", W_OPERATION_BIND));
	assert_false(denies_address(&site, "127.0.0.1", W_OPERATION_CONNECT));
	assert_false(denies_address(&site, "::1", W_OPERATION_CONNECT));
	assert_false(
	    denies_address(&site, "::ffff:127.0.0.1", W_OPERATION_CONNECT));
	assert_false(denies_address(&site, "0.0.0.0", W_OPERATION_BIND));
	site.resolved.network = W_NETWORK_OFF;
	assert_true(denies_address(&site, "127.0.0.1", W_OPERATION_CONNECT));
	site.scene.layers = 0;
	assert_false(denies_address(&site, "192.0.2.1", W_OPERATION_CONNECT));
	finish(&site);
}

static void
paths_are_flattened_by_their_letters(void **state)
{
	static const char *const cases[][2] = {{"/", "/"}, {"//", "/"},
	    {"/..", "/"}, {"/a//b/", "/a/b"}, {"/a/./b", "/a/b"},
	    {"/a/../b", "/b"}, {"/a/b/../..", "/"}, {"/../a", "/a"},
	    {"/a/..b/.", "/a/..b"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "%s", cases[i][0]);
		w_denial_flatten_path(path);
		assert_string_equal(path, cases[i][1]);
	}
}

static void
paths_are_resolved_as_far_as_they_exist(void **state)
{
	static char path[PATH_MAX], spelled[TEXT];
	char *longest = calloc(1, PATH_MAX + 1);
	static struct workspace site;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	assert_true(
	    w_denial_resolve_path(at(&site, "work/link/none/x"), true, path));
	assert_string_equal(path, at(&site, "work/guarded/none/x"));
	assert_true(w_denial_resolve_path(at(&site, "work/link"), true, path));
	assert_string_equal(path, at(&site, "work/guarded"));
	assert_true(w_denial_resolve_path(at(&site, "work/link"), false, path));
	assert_string_equal(path, at(&site, "work/link"));
	(void)snprintf(
	    spelled, sizeof(spelled), "%s/../file", at(&site, "work/link"));
	assert_true(w_denial_resolve_path(spelled, false, path));
	assert_string_equal(path, at(&site, "work/file"));
	assert_false(w_denial_resolve_path("", true, path));
	assert_non_null(longest);
	memset(longest, 'a', PATH_MAX);
	longest[0] = '/';
	assert_false(w_denial_resolve_path(longest, true, path));
	free(longest);
	finish(&site);
}

static void
a_closed_place_shows_its_names_only(void **state)
{
	static struct workspace site;
	struct w_real_paths *grants = &site.resolved.grants;

	(void)state;
	start(&site, W_WALLS_WORKSPACE);
	make_file(&site, "shown/program");
	site.resolved.has_allowlist = true;
	for (size_t i = 0; i < grants->count; i++)
		grants->items[i].may &= ~(unsigned)W_MAY_EXECUTE;
	places_add(grants, at(&site, "shown/program"), false, READ);
	places_add(&site.resolved.closed, at(&site, "shown"), true, 0);
	assert_true(denies(&site, "shown/file", W_OPERATION_READ));
	assert_string_equal(site.finding.layer, "landlock");
	assert_non_null(strstr(site.finding.hint, "policy"));
	assert_true(denies(&site, "shown/file", W_OPERATION_EXECUTE));
	assert_false(denies(&site, "shown/program", W_OPERATION_EXECUTE));
	assert_false(denies(&site, "shown/program", W_OPERATION_READ));
	assert_false(denies(&site, "shown", W_OPERATION_READ));
	assert_true(denies(&site, "work/file", W_OPERATION_EXECUTE));
	w_real_paths_done(&site.resolved.closed);
	finish(&site);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_workspace_may_not_change_is_denied),
	    cmocka_unit_test(what_may_be_done_or_cannot_be_is_no_denial),
	    cmocka_unit_test(what_is_hidden_is_denied),
	    cmocka_unit_test(a_strict_view_lacks_what_was_not_granted),
	    cmocka_unit_test(rules_alone_deny_by_the_lists),
	    cmocka_unit_test(a_read_only_profile_hints_at_another),
	    cmocka_unit_test(there_is_no_hint_that_would_be_refused),
	    cmocka_unit_test(only_what_the_profile_names_may_be_executed),
	    cmocka_unit_test(an_address_is_denied_by_where_it_leads),
	    cmocka_unit_test(paths_are_flattened_by_their_letters),
	    cmocka_unit_test(paths_are_resolved_as_far_as_they_exist),
	    cmocka_unit_test(a_closed_place_shows_its_names_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
