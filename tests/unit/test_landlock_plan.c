/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_profiles.h"
#include "sandbox/landlock/landlock_plan.h"
#include "sandbox/landlock/landlock_rules.h"
#include "temp.h"

enum {
	NEWEST = 7
};

static struct temp temp;
static struct w_resolved_profile resolved;
static struct w_string_table strings;
static struct w_landlock_plan plan;
static writ_error err;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	w_string_table_init(&strings);
	memset(&resolved, 0, sizeof(resolved));
	memset(&plan, 0, sizeof(plan));
	memset(&err, 0, sizeof(err));
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_landlock_plan_done(&plan);
	w_string_table_done(&strings);
	places_close(&resolved);
	temp_close(&temp);
	return 0;
}

static writ_status
build(int abi, const char *scratch)
{
	return w_landlock_plan_build(
	    &resolved, abi, scratch, &strings, &plan, &err);
}

/* All rights that the rules for exactly this path grant. */
static uint64_t
granted_at(const char *path)
{
	uint64_t access = 0;

	for (size_t i = 0; i < plan.count; i++) {
		if (strcmp(strings.text.data + plan.rules[i].path, path) == 0)
			access |= plan.rules[i].access;
	}
	return access;
}

static uint64_t
granted(const char *name)
{
	return granted_at(temp_path(&temp, name));
}

static const uint64_t reading = W_LANDLOCK_READ | W_LANDLOCK_EXECUTE;

static void
an_older_kernel_is_asked_for_less(void **state)
{
	static const struct {
		int abi;
		uint64_t fs;
		bool has_network;
		bool has_scopes;
	} rows[] = {
	    {1, 0x1fff, false, false},
	    {2, 0x3fff, false, false},
	    {3, 0x7fff, false, false},
	    {4, 0x7fff, true, false},
	    {5, 0xffff, true, false},
	    {6, 0xffff, true, true},
	    {7, 0xffff, true, true},
	    {8, 0xffff, true, true},
	};

	(void)state;
	places_open(&resolved, W_WALLS_WORKSPACE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(build(rows[i].abi, NULL), WRIT_OK);
		assert_int_equal(plan.scope.fs, rows[i].fs);
		assert_int_equal(plan.scope.net, rows[i].has_network ? 3 : 0);
		assert_int_equal(plan.scope.scoped, rows[i].has_scopes ? 3 : 0);
		assert_true(plan.has_network == rows[i].has_network);
		assert_true(plan.has_scopes == rows[i].has_scopes);
		for (size_t k = 0; k < plan.count; k++)
			assert_int_equal(
			    plan.rules[k].access & ~plan.scope.fs, 0);
		w_landlock_plan_done(&plan);
	}
}

static void
a_network_that_is_on_is_not_handled(void **state)
{
	(void)state;
	places_open(&resolved, W_WALLS_WORKSPACE);
	resolved.network = W_NETWORK_LOOPBACK;
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(plan.scope.net, 0);
	assert_false(plan.has_network);
}

static void
a_kernel_without_landlock_is_refused(void **state)
{
	(void)state;
	places_open(&resolved, W_WALLS_STRICT);
	assert_int_equal(build(0, NULL), WRIT_E_SANDBOX);
	assert_string_equal(err.stage, "landlock");
	assert_string_not_equal(err.suggestion, "");
	assert_null(plan.rules);
}

static void
rules_alone_must_cover_truncation(void **state)
{
	(void)state;
	places_open(&resolved, W_WALLS_READONLY);
	assert_int_equal(build(2, NULL), WRIT_E_SANDBOX);
	assert_non_null(strstr(err.message, "ABI 2"));
	assert_non_null(strstr(err.suggestion, "6.2"));
	assert_int_equal(build(3, NULL), WRIT_OK);
}

static void
a_hidden_directory_is_left_out_of_its_surroundings(void **state)
{
	(void)state;
	temp_dir(&temp, "beside");
	temp_file(&temp, "file", 0600, "");
	temp_link(&temp, "secret", "link");
	temp_dir(&temp, "secret");
	temp_dir(&temp, "secret/deep");
	places_open(&resolved, W_WALLS_READONLY);
	places_add(&resolved.hidden, temp_path(&temp, "secret"), true, 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted("beside"), reading);
	assert_int_equal(granted("file"), reading & W_LANDLOCK_OF_FILE);
	assert_int_equal(granted("link"), 0);
	assert_int_equal(granted("secret"), 0);
	assert_int_equal(granted("secret/deep"), 0);
	/* Not even listing, on the whole way. */
	assert_int_equal(granted_at(temp.path), 0);
	assert_int_equal(granted_at("/"), 0);
	assert_int_equal(granted_at("/usr"), reading);
}

static void
a_hidden_file_leaves_lists_readable(void **state)
{
	(void)state;
	temp_file(&temp, "beside", 0600, "");
	temp_file(&temp, "secret", 0600, "");
	places_open(&resolved, W_WALLS_READONLY);
	places_add(&resolved.hidden, temp_path(&temp, "secret"), false, 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted_at("/"), W_LANDLOCK_READ_DIR);
	assert_int_equal(granted_at(temp.path), W_LANDLOCK_READ_DIR);
	assert_int_equal(granted("beside"), reading & W_LANDLOCK_OF_FILE);
	assert_int_equal(granted("secret"), 0);
}

static void
devices_are_granted_one_by_one(void **state)
{
	(void)state;
	places_open(&resolved, W_WALLS_READONLY);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted_at("/"), W_LANDLOCK_READ_DIR);
	assert_int_equal(granted_at("/dev"), W_LANDLOCK_READ_DIR);
	assert_int_equal(granted_at("/dev/null"),
	    W_LANDLOCK_READ_FILE | W_LANDLOCK_WRITE_FILE | W_LANDLOCK_TRUNCATE |
		W_LANDLOCK_IOCTL_DEV);
	assert_int_equal(granted_at("/dev/ptmx"), 0);
	assert_int_equal(granted_at("/proc"), reading);
}

static void
only_the_scratch_directory_is_writable(void **state)
{
	(void)state;
	temp_dir(&temp, "scratch");
	places_open(&resolved, W_WALLS_READONLY);
	assert_int_equal(build(NEWEST, temp_path(&temp, "scratch")), WRIT_OK);
	assert_int_equal(granted("scratch"), reading | W_LANDLOCK_WRITE);
	for (size_t i = 0; i < plan.count; i++) {
		const char *path = strings.text.data + plan.rules[i].path;
		if (strcmp(path, temp_path(&temp, "scratch")) != 0 &&
		    strncmp(path, "/dev/", 5) != 0)
			assert_int_equal(
			    plan.rules[i].access & W_LANDLOCK_WRITE, 0);
	}
}

/* Best effort without mounts. */
static void
a_guarded_place_is_readable_in_a_writable_one(void **state)
{
	(void)state;
	temp_dir(&temp, "work");
	temp_dir(&temp, "work/.git");
	temp_dir(&temp, "work/.git/hooks");
	temp_dir(&temp, "work/.git/objects");
	temp_dir(&temp, "work/src");
	places_open(&resolved, W_WALLS_READONLY);
	places_add(&resolved.grants, temp_path(&temp, "work"), true,
	    W_MAY_READ | W_MAY_WRITE | W_MAY_EXECUTE);
	places_add(
	    &resolved.guarded, temp_path(&temp, "work/.git/hooks"), true, 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted("work"), reading);
	assert_int_equal(granted("work/.git"), reading);
	assert_int_equal(granted("work/.git/hooks"), reading);
	assert_int_equal(
	    granted("work/.git/objects"), reading | W_LANDLOCK_WRITE);
	assert_int_equal(granted("work/src"), reading | W_LANDLOCK_WRITE);
}

static void
what_is_hidden_in_a_guarded_place_stays_hidden(void **state)
{
	(void)state;
	temp_dir(&temp, "work");
	temp_dir(&temp, "work/guarded");
	temp_dir(&temp, "work/guarded/secret");
	temp_dir(&temp, "work/guarded/plain");
	resolved = (struct w_resolved_profile){.walls = W_WALLS_READONLY};
	places_add(&resolved.grants, temp_path(&temp, "work"), true,
	    W_MAY_READ | W_MAY_WRITE);
	places_add(
	    &resolved.guarded, temp_path(&temp, "work/guarded"), true, 0);
	places_add(
	    &resolved.hidden, temp_path(&temp, "work/guarded/secret"), true, 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted("work"), 0);
	assert_int_equal(granted("work/guarded"), 0);
	assert_int_equal(granted("work/guarded/secret"), 0);
	assert_int_equal(granted("work/guarded/plain"), W_LANDLOCK_READ);
}

static void
a_directory_that_cannot_be_listed_is_passed_through(void **state)
{
	(void)state;
	if (geteuid() == 0)
		skip();
	temp_dir(&temp, "closed");
	temp_dir(&temp, "closed/home");
	temp_dir(&temp, "closed/home/secret");
	temp_dir(&temp, "closed/home/other");
	temp_dir(&temp, "closed/home/work");
	temp_dir(&temp, "closed/unknown");
	places_open(&resolved, W_WALLS_READONLY);
	places_add(
	    &resolved.hidden, temp_path(&temp, "closed/home/secret"), true, 0);
	places_add(
	    &resolved.hidden, temp_path(&temp, "closed/home/other"), true, 0);
	assert_int_equal(fchmodat(temp.fd, "closed", 0111, 0), 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted("closed/home/work"), reading);
	assert_int_equal(granted("closed/home/secret"), 0);
	assert_int_equal(granted("closed/unknown"), 0);
}

static void
too_many_neighbours_are_refused_with_their_place(void **state)
{
	(void)state;
	temp_dir(&temp, "crowd");
	temp_dir(&temp, "crowd/secret");
	temp_file(&temp, "one", 0600, "");
	for (int i = 0; i <= W_LANDLOCK_RULES_MAX; i++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "crowd/%d", i);
		assert_int_equal(linkat(temp.fd, "one", temp.fd, name, 0), 0);
	}
	places_open(&resolved, W_WALLS_READONLY);
	places_add(&resolved.hidden, temp_path(&temp, "crowd/secret"), true, 0);
	assert_int_equal(build(NEWEST, NULL), WRIT_E_SANDBOX);
	assert_non_null(strstr(err.message, temp_path(&temp, "crowd")));
	assert_string_not_equal(err.suggestion, "");
}

static void
a_view_is_completed(void **state)
{
	(void)state;
	temp_dir(&temp, "work");
	temp_file(&temp, "notes", 0600, "");
	places_open(&resolved, W_WALLS_WORKSPACE);
	places_add(&resolved.grants, temp_path(&temp, "work"), true,
	    W_MAY_READ | W_MAY_WRITE | W_MAY_EXECUTE);
	places_add(&resolved.grants, temp_path(&temp, "notes"), false,
	    W_MAY_READ | W_MAY_WRITE | W_MAY_EXECUTE);
	assert_int_equal(build(NEWEST, NULL), WRIT_OK);
	assert_int_equal(granted_at("/"), reading);
	assert_int_equal(granted("work"), reading | W_LANDLOCK_WRITE);
	assert_int_equal(granted("notes"),
	    (reading | W_LANDLOCK_WRITE) & W_LANDLOCK_OF_FILE);
	assert_int_equal(granted_at("/tmp"), reading | W_LANDLOCK_WRITE);
	assert_int_equal(granted_at("/dev/shm"), reading | W_LANDLOCK_WRITE);
	assert_int_equal(granted_at("/dev/pts") & W_LANDLOCK_MAKE_REG, 0);
	assert_true((granted_at("/dev/tty") & W_LANDLOCK_IOCTL_DEV) != 0);
}

static void
a_list_of_programs_leaves_no_other_place_to_execute(void **state)
{
	static const enum w_walls walls[] = {W_WALLS_WORKSPACE, W_WALLS_STRICT};

	(void)state;
	temp_dir(&temp, "bin");
	places_add(&resolved.grants, "/", true, W_MAY_READ);
	places_add(&resolved.grants, temp_path(&temp, "bin"), true,
	    W_MAY_READ | W_MAY_EXECUTE);
	for (size_t i = 0; i < 2; i++) {
		resolved.walls = walls[i];
		assert_int_equal(build(NEWEST, NULL), WRIT_OK);
		for (size_t k = 0; k < plan.count; k++) {
			const char *path =
			    strings.text.data + plan.rules[k].path;
			bool may_execute =
			    (plan.rules[k].access & W_LANDLOCK_EXECUTE) != 0;
			assert_true(
			    may_execute ==
			    (strcmp(path, temp_path(&temp, "bin")) == 0));
		}
		w_landlock_plan_done(&plan);
	}
}

static void
this_kernel_tells_its_abi(void **state)
{
	int error = -1;
	int abi = w_landlock_abi(&error);

	(void)state;
	assert_true(abi == 0 ? error > 0 : error == 0);
	assert_int_equal(w_landlock_abi(NULL), abi);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(an_older_kernel_is_asked_for_less),
	    CASE(a_network_that_is_on_is_not_handled),
	    CASE(a_kernel_without_landlock_is_refused),
	    CASE(rules_alone_must_cover_truncation),
	    CASE(a_hidden_directory_is_left_out_of_its_surroundings),
	    CASE(a_hidden_file_leaves_lists_readable),
	    CASE(devices_are_granted_one_by_one),
	    CASE(only_the_scratch_directory_is_writable),
	    CASE(a_guarded_place_is_readable_in_a_writable_one),
	    CASE(what_is_hidden_in_a_guarded_place_stays_hidden),
	    CASE(a_directory_that_cannot_be_listed_is_passed_through),
	    CASE(too_many_neighbours_are_refused_with_their_place),
	    CASE(a_view_is_completed),
	    CASE(a_list_of_programs_leaves_no_other_place_to_execute),
	    CASE(this_kernel_tells_its_abi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
