/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sandbox/mounts/mount_view.h"

enum {
	READ = W_MAY_READ,
	WRITE = W_MAY_READ | W_MAY_WRITE,
	PLACES_MAX = 8
};

/* Entries by name only: nothing here opens the files. */
struct made {
	struct w_resolved_profile resolved;
	struct w_real_path grants[PLACES_MAX];
	struct w_real_path guarded[PLACES_MAX];
	struct w_real_path hidden[PLACES_MAX];
	char names[3 * PLACES_MAX][64];
	size_t name_count;
	struct w_mount_view places;
};

static void
start(struct made *made, enum w_walls walls)
{
	*made = (struct made){.resolved = {.walls = walls}};
	made->resolved.grants.items = made->grants;
	made->resolved.guarded.items = made->guarded;
	made->resolved.hidden.items = made->hidden;
}

static void
put(struct made *made, struct w_real_paths *places, const char *path,
    unsigned may)
{
	char *name = made->names[made->name_count++];

	(void)snprintf(name, sizeof(made->names[0]), "%s", path);
	places->items[places->count++] = (struct w_real_path){
	    .path = name, .may = may, .is_dir = true, .dev = 1, .ino = 2};
}

static void
build(struct made *made)
{
	writ_error err = {0};

	assert_int_equal(
	    w_mount_view_build(&made->resolved, true, &made->places, &err),
	    WRIT_OK);
}

static const struct w_mount_entry *
at(const struct made *made, const char *path)
{
	for (size_t i = 0; i < made->places.count; i++) {
		if (strcmp(made->places.items[i].path, path) == 0)
			return &made->places.items[i];
	}
	fail_msg("no place at %s", path);
	return NULL;
}

static const char *
around(const struct made *made, const char *path)
{
	return made->places.items[at(made, path)->within].path;
}

static void
what_contains_another_comes_first(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_WORKSPACE);
	put(&made, &made.resolved.grants, "/w/a/b", READ);
	put(&made, &made.resolved.grants, "/w-2", WRITE);
	put(&made, &made.resolved.grants, "/w/a", READ);
	put(&made, &made.resolved.grants, "/w", WRITE);
	build(&made);
	assert_string_equal(made.places.items[0].path, "/");
	assert_string_equal(around(&made, "/w"), "/");
	assert_string_equal(around(&made, "/w-2"), "/");
	assert_string_equal(around(&made, "/w/a"), "/w");
	/* A readable entry in a readable one adds nothing. */
	assert_false(at(&made, "/w/a")->is_void);
	assert_true(at(&made, "/w/a/b")->is_void);
	w_mount_view_done(&made.places);
}

static void
the_strictest_place_at_a_path_counts(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	put(&made, &made.resolved.grants, "/w", WRITE);
	put(&made, &made.resolved.grants, "/x", WRITE);
	put(&made, &made.resolved.guarded, "/w", READ);
	put(&made, &made.resolved.hidden, "/x", 0);
	build(&made);
	assert_int_equal(at(&made, "/w")->visibility, W_VISIBILITY_READ);
	assert_true(at(&made, "/w")->is_grant);
	assert_false(at(&made, "/w")->is_void);
	assert_int_equal(at(&made, "/x")->visibility, W_VISIBILITY_HIDDEN);
	w_mount_view_done(&made.places);
}

static void
a_guarded_place_matters_only_in_a_writable_one(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	put(&made, &made.resolved.grants, "/r", READ);
	put(&made, &made.resolved.grants, "/w", WRITE);
	put(&made, &made.resolved.guarded, "/nowhere/g", READ);
	put(&made, &made.resolved.guarded, "/r/g", READ);
	put(&made, &made.resolved.guarded, "/w/g", READ);
	build(&made);
	assert_true(at(&made, "/nowhere/g")->is_void);
	assert_true(at(&made, "/r/g")->is_void);
	assert_false(at(&made, "/w/g")->is_void);
	w_mount_view_done(&made.places);
}

static void
a_hidden_directory_with_a_grant_in_it_is_an_empty_one(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_WORKSPACE);
	put(&made, &made.resolved.grants, "/h/in/w", WRITE);
	put(&made, &made.resolved.hidden, "/h", 0);
	put(&made, &made.resolved.hidden, "/h/in/w/key", 0);
	put(&made, &made.resolved.hidden, "/h/other", 0);
	build(&made);
	assert_int_equal(at(&made, "/h")->visibility, W_VISIBILITY_EMPTY);
	assert_true(at(&made, "/h")->has_grants);
	assert_false(at(&made, "/h/in/w/key")->is_void);
	assert_true(at(&made, "/h/other")->is_void);
	w_mount_view_done(&made.places);
}

static void
a_granted_tmp_is_the_machines(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	build(&made);
	assert_non_null(w_mount_view_tmp(&made.places));
	assert_true(at(&made, "/tmp")->is_per_run);
	assert_true(at(&made, "/dev/shm")->is_link);
	w_mount_view_done(&made.places);

	put(&made, &made.resolved.grants, "/tmp", WRITE);
	build(&made);
	assert_null(w_mount_view_tmp(&made.places));
	assert_int_equal(at(&made, "/tmp")->visibility, W_VISIBILITY_WRITE);
	assert_false(at(&made, "/dev/shm")->is_link);
	w_mount_view_done(&made.places);
}

static void
devices_and_processes_are_never_the_machines(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	put(&made, &made.resolved.grants, "/dev", WRITE);
	put(&made, &made.resolved.grants, "/proc", WRITE);
	build(&made);
	assert_int_equal(at(&made, "/dev")->visibility, W_VISIBILITY_EMPTY);
	assert_int_equal(at(&made, "/proc")->visibility, W_VISIBILITY_EMPTY);
	w_mount_view_done(&made.places);
}

static void
strict_with_all_readable_keeps_the_machines_root(void **state)
{
	struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	build(&made);
	assert_true(made.places.has_own_root);
	w_mount_view_done(&made.places);
	put(&made, &made.resolved.grants, "/", READ);
	build(&made);
	assert_false(made.places.has_own_root);
	assert_int_equal(at(&made, "/")->visibility, W_VISIBILITY_READ);
	w_mount_view_done(&made.places);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_contains_another_comes_first),
	    cmocka_unit_test(the_strictest_place_at_a_path_counts),
	    cmocka_unit_test(a_guarded_place_matters_only_in_a_writable_one),
	    cmocka_unit_test(
		a_hidden_directory_with_a_grant_in_it_is_an_empty_one),
	    cmocka_unit_test(a_granted_tmp_is_the_machines),
	    cmocka_unit_test(devices_and_processes_are_never_the_machines),
	    cmocka_unit_test(strict_with_all_readable_keeps_the_machines_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
