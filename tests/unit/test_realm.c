/* SPDX-License-Identifier: Apache-2.0 */

/* A confinement as one block of bytes: everything in it, nothing outside. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/filter.h>
#include <linux/sched.h>

#include "confining.h"
#include "sandbox/layers_of.h"
#include "sandbox/mount_plan.h"
#include "sandbox/realm.h"

enum {
	ABI = 6
};

static struct w_realm *
build(const struct w_confine *confine, const struct w_realm_terms *terms)
{
	struct w_realm *realm = NULL;

	assert_int_equal(w_realm_build(confine, terms, &realm, NULL), WRIT_OK);
	assert_non_null(realm);
	return realm;
}

static struct w_realm_terms
terms_of(const struct w_confine *confine, bool is_root)
{
	return (struct w_realm_terms){
	    .layers = w_walls_layers(confine->walls, confine->network, is_root),
	    .landlock_abi = ABI,
	};
}

static struct w_realm *
build_walls(enum w_walls walls, bool is_root)
{
	struct w_confine confine;

	resolve(walls, &confine);
	const struct w_realm_terms terms = terms_of(&confine, is_root);
	struct w_realm *realm = build(&confine, &terms);
	w_confine_done(&confine);
	return realm;
}

static void
expect_inside(
    const struct w_realm *realm, uint32_t at, uint32_t count, size_t size)
{
	assert_int_equal(at % 8, 0);
	assert_true(at >= sizeof(*realm));
	assert_true(at + count * size <= realm->size);
}

static void
expect_text(const struct w_realm *realm, uint32_t at)
{
	uint32_t room = realm->size - realm->strings;

	assert_true(at < room);
	assert_non_null(memchr(
	    W_REALM_AT(realm, realm->strings + at, char), '\0', room - at));
}

static void
every_part_lies_inside_the_block(void **state)
{
	static const enum w_walls walls[] = {
	    W_WALLS_READONLY, W_WALLS_WORKSPACE, W_WALLS_STRICT};

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct w_realm *realm = build_walls(walls[i / 2], i % 2 == 0);
		const struct w_mount_op *ops =
		    W_REALM_AT(realm, realm->ops, struct w_mount_op);
		const struct w_landlock_rule *rules =
		    W_REALM_AT(realm, realm->rules, struct w_landlock_rule);

		expect_inside(realm, realm->ops, realm->op_count, sizeof(*ops));
		expect_inside(
		    realm, realm->rules, realm->rule_count, sizeof(*rules));
		expect_inside(realm, realm->filter, realm->filter_count,
		    sizeof(struct sock_filter));
		expect_inside(realm, realm->strings, 1, 1);
		for (uint32_t k = 0; k < realm->op_count; k++) {
			expect_text(realm, ops[k].target);
			expect_text(realm, ops[k].source);
		}
		for (uint32_t k = 0; k < realm->rule_count; k++)
			expect_text(realm, rules[k].path);
		assert_true(realm->rule_count > 0);
		assert_true(realm->filter_count > 0);
		free(realm);
	}
}

/* What was looked up again is compared byte by byte. */
static void
the_same_confinement_gives_the_same_bytes(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct w_realm *one = build_walls(W_WALLS_WORKSPACE, i == 0);
		struct w_realm *other = build_walls(W_WALLS_WORKSPACE, i == 0);

		assert_int_equal(one->size, other->size);
		assert_memory_equal(one, other, one->size);
		free(one);
		free(other);
	}
}

static void
a_protected_path_that_came_into_being_gives_other_bytes(void **state)
{
	(void)state;
	struct w_realm *before = build_walls(W_WALLS_WORKSPACE, true);
	temp_dir(&temp, "home/project/.git");
	temp_dir(&temp, "home/project/.git/hooks");
	struct w_realm *after = build_walls(W_WALLS_WORKSPACE, true);

	assert_true(before->size != after->size ||
		    memcmp(before, after, before->size) != 0);
	free(before);
	free(after);
}

static void
namespaces_are_those_of_the_layers(void **state)
{
	const uint32_t spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
				CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

	(void)state;
	struct w_realm *realm = build_walls(W_WALLS_WORKSPACE, true);
	assert_int_equal(realm->namespaces, spaces);
	free(realm);
	realm = build_walls(W_WALLS_STRICT, false);
	assert_int_equal(realm->namespaces, spaces | CLONE_NEWUSER);
	free(realm);
}

static void
a_layer_that_is_left_out_leaves_nothing(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_WORKSPACE, &confine);
	struct w_realm_terms terms = terms_of(&confine, true);
	terms.layers &=
	    ~(W_LAYER_BIT(W_LAYER_LANDLOCK) | W_LAYER_BIT(W_LAYER_SECCOMP) |
		W_LAYER_BIT(W_LAYER_MOUNTNS));
	struct w_realm *realm = build(&confine, &terms);
	assert_int_equal(realm->rule_count, 0);
	assert_int_equal(realm->filter_count, 0);
	assert_int_equal(realm->op_count, 0);
	assert_int_equal(realm->namespaces & CLONE_NEWNS, 0);
	assert_false(w_realm_shares_network(realm));
	free(realm);
	w_confine_done(&confine);
}

static void
a_realm_without_walls_is_a_head(void **state)
{
	const struct w_confine none = {0};
	const struct w_realm_terms terms = {
	    .layers = W_LAYER_BIT(W_LAYER_PIDNS),
	    .is_late = true,
	    .may_keep = true,
	};

	(void)state;
	struct w_realm *realm = build(&none, &terms);
	assert_int_equal(realm->namespaces, CLONE_NEWPID);
	assert_int_equal(
	    realm->op_count + realm->rule_count + realm->filter_count, 0);
	assert_int_equal(realm->is_late, 1);
	assert_int_equal(realm->may_keep, 1);
	assert_int_equal(realm->has_home, 0);
	free(realm);
}

static void
only_a_root_of_its_own_has_a_home(void **state)
{
	struct w_confine_context context = context_here();
	static const char *const tmp[] = {"/tmp", NULL};
	struct w_confine confine;

	(void)state;
	struct w_realm *realm = build_walls(W_WALLS_WORKSPACE, true);
	assert_int_equal(realm->has_home, 0);
	free(realm);
	realm = build_walls(W_WALLS_STRICT, true);
	assert_int_equal(realm->has_home, 1);
	free(realm);
	/* Where the machine's own /tmp is granted, there is none. */
	struct w_profile profile = builtin(W_WALLS_STRICT);
	context.write = tmp;
	context.home = "/nonexistent";
	context.state_dir = "/nonexistent/state";
	resolve_with(&profile, &context, &confine);
	const struct w_realm_terms terms = terms_of(&confine, true);
	realm = build(&confine, &terms);
	assert_int_equal(realm->has_home, 0);
	free(realm);
	w_confine_done(&confine);
	w_profile_done(&profile);
}

#define REALM(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    REALM(every_part_lies_inside_the_block),
	    REALM(the_same_confinement_gives_the_same_bytes),
	    REALM(a_protected_path_that_came_into_being_gives_other_bytes),
	    REALM(namespaces_are_those_of_the_layers),
	    REALM(a_layer_that_is_left_out_leaves_nothing),
	    REALM(a_realm_without_walls_is_a_head),
	    REALM(only_a_root_of_its_own_has_a_home),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
