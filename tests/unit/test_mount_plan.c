/* SPDX-License-Identifier: Apache-2.0 */

/* The order and structure of plans; test_view.c performs them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/mounts/mount_plan.h"

enum {
	PLACES_MAX = W_MOUNT_SLOTS + 16,
	WRITE = W_MAY_READ | W_MAY_WRITE
};

struct made {
	struct w_resolved_profile resolved;
	struct w_real_path grants[PLACES_MAX];
	struct w_real_path guarded[PLACES_MAX];
	char names[2 * PLACES_MAX][64];
	size_t name_count;
	struct w_string_table strings;
	struct w_mount_plan plan;
};

static void
start(struct made *made, enum w_walls walls)
{
	*made = (struct made){
	    .resolved = {.walls = walls, .profile = made->names[0]}};
	(void)snprintf(made->names[0], sizeof(made->names[0]), "mine");
	made->name_count = 1;
	made->resolved.grants.items = made->grants;
	made->resolved.guarded.items = made->guarded;
	w_string_table_init(&made->strings);
}

static void
put(struct made *made, struct w_real_paths *places, const char *path,
    unsigned may)
{
	char *name = made->names[made->name_count++];

	(void)snprintf(name, sizeof(made->names[0]), "%s", path);
	places->items[places->count] = (struct w_real_path){
	    .path = name,
	    .may = may,
	    .is_dir = true,
	    .dev = 1,
	    .ino = 100 + places->count,
	};
	places->count++;
}

static void
build(struct made *made)
{
	writ_error err = {0};

	assert_int_equal(w_mount_plan_build(&made->resolved, NULL, NULL,
			     &made->strings, &made->plan, &err),
	    WRIT_OK);
}

static void
finish(struct made *made)
{
	w_mount_plan_done(&made->plan);
	w_string_table_done(&made->strings);
}

static const char *
text(const struct made *made, uint32_t at)
{
	assert_true(at < made->strings.text.len);
	return made->strings.text.data + at;
}

/* The index of the first such step; the count if there is none. */
static size_t
find(const struct made *made, enum w_mount_kind kind, const char *target)
{
	size_t i = 0;

	for (; i < made->plan.count; i++) {
		const struct w_mount_op *op = &made->plan.ops[i];

		if (op->kind == kind &&
		    (target == NULL ||
			strcmp(text(made, op->target), target) == 0))
			break;
	}
	return i;
}

static void
what_is_writable_is_cloned_before_all_is_read_only(void **state)
{
	static struct made made;

	(void)state;
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		start(&made, (enum w_walls)walls);
		put(&made, &made.resolved.grants, "/srv/w", WRITE);
		build(&made);
		const size_t keep = find(&made, W_MOUNT_KEEP, NULL);
		const size_t lock = find(&made, W_MOUNT_PRIVATE, "/");
		const size_t put_back = find(&made, W_MOUNT_PUT, NULL);

		assert_true(keep < lock && lock < put_back);
		assert_true(put_back < made.plan.count);
		assert_int_equal(made.plan.ops[lock].attrs,
		    W_MOUNT_READONLY | W_MOUNT_NOSUID | W_MOUNT_NODEV);
		assert_int_equal(
		    made.plan.ops[keep].attrs, W_MOUNT_NOSUID | W_MOUNT_NODEV);
		assert_int_equal(made.plan.ops[keep].ino, 100);
		assert_int_equal(
		    made.plan.ops[keep].slot, made.plan.ops[put_back].slot);
		finish(&made);
	}
}

static void
nothing_is_made_in_the_machines_tree(void **state)
{
	static struct made made;

	(void)state;
	start(&made, W_WALLS_WORKSPACE);
	put(&made, &made.resolved.grants, "/srv/w", WRITE);
	put(&made, &made.resolved.grants, "/tmp/a/b", WRITE);
	put(&made, &made.resolved.guarded, "/srv/w/x/y", W_MAY_READ);
	build(&made);
	for (size_t i = 0; i < made.plan.count; i++) {
		const struct w_mount_op *op = &made.plan.ops[i];
		const char *target = text(&made, op->target);

		if (op->kind != W_MOUNT_DIR && op->kind != W_MOUNT_FILE &&
		    op->kind != W_MOUNT_SYMLINK)
			continue;
		assert_true(strncmp(target, "/proc/", 6) == 0 ||
			    strncmp(target, "/dev/", 5) == 0 ||
			    strncmp(target, "/tmp/", 5) == 0);
		/* What covers /tmp is there by then. */
		if (strncmp(target, "/tmp/", 5) == 0)
			assert_true(i > find(&made, W_MOUNT_MASK, "/tmp"));
	}
	finish(&made);
}

static void
each_directory_above_a_guarded_place_is_pinned_once(void **state)
{
	static struct made made;
	size_t pins = 0;

	(void)state;
	start(&made, W_WALLS_WORKSPACE);
	put(&made, &made.resolved.grants, "/srv/w", WRITE);
	put(&made, &made.resolved.guarded, "/srv/w/x/y/1", W_MAY_READ);
	put(&made, &made.resolved.guarded, "/srv/w/x/y/2", W_MAY_READ);
	put(&made, &made.resolved.guarded, "/srv/w/z", W_MAY_READ);
	build(&made);
	for (size_t i = 0; i < made.plan.count; i++) {
		const struct w_mount_op *op = &made.plan.ops[i];

		pins += op->kind == W_MOUNT_BIND && op->attrs == 0 &&
			op->source == op->target;
	}
	assert_int_equal(pins, 2);
	assert_true(find(&made, W_MOUNT_BIND, "/srv/w/x") <
		    find(&made, W_MOUNT_BIND, "/srv/w/x/y"));
	assert_true(find(&made, W_MOUNT_BIND, "/srv/w/x/y") <
		    find(&made, W_MOUNT_BIND, "/srv/w/x/y/1"));
	finish(&made);
}

static void
a_run_takes_what_its_tmp_would_cover(void **state)
{
	static struct made made;

	(void)state;
	start(&made, W_WALLS_STRICT);
	put(&made, &made.resolved.grants, "/tmp/a/w", WRITE);
	made.resolved.tmp_size = 12345;
	build(&made);
	const size_t take = find(&made, W_MOUNT_TAKE, NULL);
	const size_t tmp = find(&made, W_MOUNT_TMPFS, "/tmp");
	const size_t put_back = find(&made, W_MOUNT_PUT, "/tmp/a/w");

	assert_true(find(&made, W_MOUNT_PIVOT, NULL) < take);
	assert_true(take < tmp && tmp < put_back);
	assert_true(put_back < made.plan.count);
	assert_int_equal(made.plan.ops[tmp].number, 12345);
	assert_int_equal(made.plan.ops[tmp].mode, 01777);
	for (size_t i = take; i < made.plan.count; i++)
		assert_true((made.plan.ops[i].attrs & W_MOUNT_PER_RUN) != 0);
	for (size_t i = 0; i < take; i++)
		assert_true((made.plan.ops[i].attrs & W_MOUNT_PER_RUN) == 0);
	finish(&made);
}

static void
more_places_than_slots_are_refused(void **state)
{
	static struct made made;
	writ_error err = {0};
	struct w_mount_plan untouched = {.count = 7};

	(void)state;
	start(&made, W_WALLS_WORKSPACE);
	for (unsigned i = 0; i < W_MOUNT_SLOTS; i++) {
		char path[32];

		(void)snprintf(path, sizeof(path), "/srv/%03u", i);
		put(&made, &made.resolved.grants, path, WRITE);
	}
	assert_int_equal(w_mount_plan_build(&made.resolved, NULL, NULL,
			     &made.strings, &untouched, &err),
	    WRIT_E_INVALID);
	assert_int_equal(untouched.count, 7);
	assert_non_null(strstr(err.message, "'mine'"));
	w_string_table_done(&made.strings);
}

static void
the_empty_string_has_offset_zero(void **state)
{
	struct w_string_table table;

	(void)state;
	w_string_table_init(&table);
	assert_int_equal(w_string_table_add(&table, ""), 0);
	const uint32_t a = w_string_table_add(&table, "one");
	const uint32_t b = w_string_table_add(&table, "two");
	assert_string_equal(table.text.data, "");
	assert_string_equal(table.text.data + a, "one");
	assert_string_equal(table.text.data + b, "two");
	w_string_table_done(&table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		what_is_writable_is_cloned_before_all_is_read_only),
	    cmocka_unit_test(nothing_is_made_in_the_machines_tree),
	    cmocka_unit_test(
		each_directory_above_a_guarded_place_is_pinned_once),
	    cmocka_unit_test(a_run_takes_what_its_tmp_would_cover),
	    cmocka_unit_test(more_places_than_slots_are_refused),
	    cmocka_unit_test(the_empty_string_has_offset_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
