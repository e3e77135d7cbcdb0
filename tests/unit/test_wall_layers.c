/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sandbox/plan/wall_layers.h"

#define BIT(name) W_LAYER_BIT(W_LAYER_##name)

static void
none_and_env_stand_on_nothing(void **state)
{
	(void)state;
	for (int root = 0; root < 2; root++) {
		assert_int_equal(
		    w_walls_layers(W_WALLS_NONE, W_NETWORK_OFF, root != 0), 0);
		assert_int_equal(
		    w_walls_layers(W_WALLS_ENV, W_NETWORK_OFF, root != 0), 0);
	}
}

static void
readonly_has_the_layers_of_a_workspace(void **state)
{
	(void)state;
	assert_int_equal(w_walls_layers(W_WALLS_READONLY, W_NETWORK_OFF, true),
	    w_walls_layers(W_WALLS_WORKSPACE, W_NETWORK_OFF, true));
	assert_int_equal(
	    w_walls_layers(W_WALLS_READONLY, W_NETWORK_HOST, false),
	    w_walls_layers(W_WALLS_WORKSPACE, W_NETWORK_HOST, false));
}

static void
a_user_namespace_is_for_those_without_privileges(void **state)
{
	(void)state;
	for (enum w_walls walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT;
	     walls++) {
		uint32_t user = w_walls_layers(walls, W_NETWORK_OFF, false);
		uint32_t root = w_walls_layers(walls, W_NETWORK_OFF, true);

		assert_int_equal(user & ~root, BIT(USERNS));
		assert_int_equal(root & ~user, 0);
		assert_int_equal(user & BIT(CGROUP), 0);
	}
}

static void
only_the_network_of_the_host_needs_no_namespace(void **state)
{
	(void)state;
	uint32_t off = w_walls_layers(W_WALLS_STRICT, W_NETWORK_OFF, true);

	assert_int_equal(
	    w_walls_layers(W_WALLS_STRICT, W_NETWORK_LOOPBACK, true), off);
	assert_int_equal(w_walls_layers(W_WALLS_STRICT, W_NETWORK_HOST, true),
	    off & ~BIT(NETNS));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(none_and_env_stand_on_nothing),
	    cmocka_unit_test(readonly_has_the_layers_of_a_workspace),
	    cmocka_unit_test(a_user_namespace_is_for_those_without_privileges),
	    cmocka_unit_test(only_the_network_of_the_host_needs_no_namespace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
