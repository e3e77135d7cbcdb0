/* SPDX-License-Identifier: Apache-2.0 */

/* A resolved profile as one block of bytes: everything in it, nothing
 * outside. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/filter.h>
#include <linux/sched.h>

#include "confining.h"
#include "sandbox/mounts/mount_plan.h"
#include "sandbox/plan/plan_builder.h"
#include "sandbox/plan/wall_layers.h"

enum {
	ABI = 6
};

static struct w_sandbox_plan *
build(const struct w_resolved_profile *resolved,
    const struct w_sandbox_plan_options *terms)
{
	struct w_sandbox_plan *sandbox_plan = NULL;

	assert_int_equal(
	    w_sandbox_plan_build(resolved, terms, &sandbox_plan, NULL),
	    WRIT_OK);
	assert_non_null(sandbox_plan);
	return sandbox_plan;
}

static struct w_sandbox_plan_options
terms_of(const struct w_resolved_profile *resolved, bool is_root)
{
	return (struct w_sandbox_plan_options){
	    .layers =
		w_walls_layers(resolved->walls, resolved->network, is_root),
	    .landlock_abi = ABI,
	};
}

static struct w_sandbox_plan *
build_walls(enum w_walls walls, bool is_root)
{
	struct w_resolved_profile resolved;

	resolve(walls, &resolved);
	const struct w_sandbox_plan_options terms =
	    terms_of(&resolved, is_root);
	struct w_sandbox_plan *sandbox_plan = build(&resolved, &terms);
	w_resolved_profile_done(&resolved);
	return sandbox_plan;
}

static void
expect_inside(const struct w_sandbox_plan *sandbox_plan, uint32_t at,
    uint32_t count, size_t size)
{
	assert_int_equal(at % 8, 0);
	assert_true(at >= sizeof(*sandbox_plan));
	assert_true(at + count * size <= sandbox_plan->size);
}

static void
expect_text(const struct w_sandbox_plan *sandbox_plan, uint32_t at)
{
	uint32_t room = sandbox_plan->size - sandbox_plan->strings;

	assert_true(at < room);
	assert_non_null(memchr(
	    W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->strings + at, char),
	    '\0', room - at));
}

static void
every_part_lies_inside_the_block(void **state)
{
	static const enum w_walls walls[] = {
	    W_WALLS_READONLY, W_WALLS_WORKSPACE, W_WALLS_STRICT};

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct w_sandbox_plan *sandbox_plan =
		    build_walls(walls[i / 2], i % 2 == 0);
		const struct w_mount_op *ops = W_SANDBOX_PLAN_AT(
		    sandbox_plan, sandbox_plan->ops, struct w_mount_op);
		const struct w_landlock_rule *rules = W_SANDBOX_PLAN_AT(
		    sandbox_plan, sandbox_plan->rules, struct w_landlock_rule);

		expect_inside(sandbox_plan, sandbox_plan->ops,
		    sandbox_plan->op_count, sizeof(*ops));
		expect_inside(sandbox_plan, sandbox_plan->rules,
		    sandbox_plan->rule_count, sizeof(*rules));
		expect_inside(sandbox_plan, sandbox_plan->filter,
		    sandbox_plan->filter_count, sizeof(struct sock_filter));
		expect_inside(sandbox_plan, sandbox_plan->strings, 1, 1);
		for (uint32_t k = 0; k < sandbox_plan->op_count; k++) {
			expect_text(sandbox_plan, ops[k].target);
			expect_text(sandbox_plan, ops[k].source);
		}
		for (uint32_t k = 0; k < sandbox_plan->rule_count; k++)
			expect_text(sandbox_plan, rules[k].path);
		assert_true(sandbox_plan->rule_count > 0);
		assert_true(sandbox_plan->filter_count > 0);
		free(sandbox_plan);
	}
}

/* Two lookups must give the same bytes. */
static void
the_same_confinement_gives_the_same_bytes(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct w_sandbox_plan *one =
		    build_walls(W_WALLS_WORKSPACE, i == 0);
		struct w_sandbox_plan *other =
		    build_walls(W_WALLS_WORKSPACE, i == 0);

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
	struct w_sandbox_plan *before = build_walls(W_WALLS_WORKSPACE, true);
	temp_dir(&temp, "home/project/.git");
	temp_dir(&temp, "home/project/.git/hooks");
	struct w_sandbox_plan *after = build_walls(W_WALLS_WORKSPACE, true);

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
	struct w_sandbox_plan *sandbox_plan =
	    build_walls(W_WALLS_WORKSPACE, true);
	assert_int_equal(sandbox_plan->namespaces, spaces);
	free(sandbox_plan);
	sandbox_plan = build_walls(W_WALLS_STRICT, false);
	assert_int_equal(sandbox_plan->namespaces, spaces | CLONE_NEWUSER);
	free(sandbox_plan);
}

static void
a_layer_that_is_left_out_leaves_nothing(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_WORKSPACE, &resolved);
	struct w_sandbox_plan_options terms = terms_of(&resolved, true);
	terms.layers &=
	    ~(W_LAYER_BIT(W_LAYER_LANDLOCK) | W_LAYER_BIT(W_LAYER_SECCOMP) |
		W_LAYER_BIT(W_LAYER_MOUNTNS));
	struct w_sandbox_plan *sandbox_plan = build(&resolved, &terms);
	assert_int_equal(sandbox_plan->rule_count, 0);
	assert_int_equal(sandbox_plan->filter_count, 0);
	assert_int_equal(sandbox_plan->op_count, 0);
	assert_int_equal(sandbox_plan->namespaces & CLONE_NEWNS, 0);
	assert_false(w_sandbox_plan_shares_network(sandbox_plan));
	free(sandbox_plan);
	w_resolved_profile_done(&resolved);
}

static void
a_sandbox_plan_without_walls_is_a_head(void **state)
{
	const struct w_resolved_profile none = {0};
	const struct w_sandbox_plan_options terms = {
	    .layers = W_LAYER_BIT(W_LAYER_PIDNS),
	    .is_late = true,
	    .may_keep = true,
	};

	(void)state;
	struct w_sandbox_plan *sandbox_plan = build(&none, &terms);
	assert_int_equal(sandbox_plan->namespaces, CLONE_NEWPID);
	assert_int_equal(sandbox_plan->op_count + sandbox_plan->rule_count +
			     sandbox_plan->filter_count,
	    0);
	assert_int_equal(sandbox_plan->is_late, 1);
	assert_int_equal(sandbox_plan->may_keep, 1);
	assert_int_equal(sandbox_plan->has_home, 0);
	free(sandbox_plan);
}

static void
only_a_root_of_its_own_has_a_home(void **state)
{
	struct w_profile_context context = context_here();
	static const char *const tmp[] = {"/tmp", NULL};
	struct w_resolved_profile resolved;

	(void)state;
	struct w_sandbox_plan *sandbox_plan =
	    build_walls(W_WALLS_WORKSPACE, true);
	assert_int_equal(sandbox_plan->has_home, 0);
	free(sandbox_plan);
	sandbox_plan = build_walls(W_WALLS_STRICT, true);
	assert_int_equal(sandbox_plan->has_home, 1);
	free(sandbox_plan);
	/* If the machine's own /tmp is granted, there is none. */
	struct w_profile profile = builtin(W_WALLS_STRICT);
	context.write = tmp;
	context.home = "/nonexistent";
	context.state_dir = "/nonexistent/state";
	resolve_with(&profile, &context, &resolved);
	const struct w_sandbox_plan_options terms = terms_of(&resolved, true);
	sandbox_plan = build(&resolved, &terms);
	assert_int_equal(sandbox_plan->has_home, 0);
	free(sandbox_plan);
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

#define SANDBOX_PLAN(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    SANDBOX_PLAN(every_part_lies_inside_the_block),
	    SANDBOX_PLAN(the_same_confinement_gives_the_same_bytes),
	    SANDBOX_PLAN(
		a_protected_path_that_came_into_being_gives_other_bytes),
	    SANDBOX_PLAN(namespaces_are_those_of_the_layers),
	    SANDBOX_PLAN(a_layer_that_is_left_out_leaves_nothing),
	    SANDBOX_PLAN(a_sandbox_plan_without_walls_is_a_head),
	    SANDBOX_PLAN(only_a_root_of_its_own_has_a_home),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
