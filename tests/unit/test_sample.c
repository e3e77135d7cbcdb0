/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "launching.h"
#include "run/limits/sample.h"

static const writ_hold holds[] = {
    WRIT_HOLD_CGROUP, WRIT_HOLD_PIDNS, WRIT_HOLD_KEEPER, WRIT_HOLD_CALLER};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static void
each_limit_is_broken_by_what_is_above_it(void **state)
{
	static const struct {
		struct w_sample sample;
		writ_limit limit;
	} cases[] = {
	    {{.processes = 4, .cpu_ms = 99, .memory_bytes = 1000},
		WRIT_LIMIT_NONE},
	    {{.processes = 5, .cpu_ms = 0, .memory_bytes = 0},
		WRIT_LIMIT_PROCESSES},
	    {{.processes = 1, .cpu_ms = 0, .memory_bytes = 1001},
		WRIT_LIMIT_MEMORY},
	    {{.processes = 1, .cpu_ms = 100, .memory_bytes = 0},
		WRIT_LIMIT_CPU},
	};
	writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	request.processes = 4;
	request.memory = 1000;
	request.cpu_ms = 100;
	const struct w_sample limits = w_sample_limits(&request, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(
		    w_sample_check(&cases[i].sample, &limits), cases[i].limit);
}

static void
what_a_group_counts_is_not_sampled(void **state)
{
	const struct w_sample huge = {.processes = 9, .memory_bytes = 9999};
	writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	request.processes = 4;
	request.memory = 1000;
	struct w_sample limits = w_sample_limits(&request, W_COUNTS_PROCESSES);
	assert_int_equal(w_sample_check(&huge, &limits), WRIT_LIMIT_MEMORY);
	limits = w_sample_limits(&request, W_COUNTS_MEMORY);
	assert_int_equal(w_sample_check(&huge, &limits), WRIT_LIMIT_PROCESSES);
	limits =
	    w_sample_limits(&request, W_COUNTS_MEMORY | W_COUNTS_PROCESSES);
	assert_int_equal(w_sample_check(&huge, &limits), WRIT_LIMIT_NONE);
}

static void
without_limits_nothing_is_broken(void **state)
{
	const struct w_sample huge = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
	const writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	const struct w_sample limits = w_sample_limits(&request, 0);
	assert_int_equal(w_sample_check(&huge, &limits), WRIT_LIMIT_NONE);
	assert_int_equal(w_sample_interval_ms(&request), 0);
}

static void
each_limit_needs_a_look_now_and_then(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	request.cpu_ms = 1;
	assert_in_range(w_sample_interval_ms(&request), 1, 100);
	request.cpu_ms = 0;
	request.memory = 1;
	assert_in_range(w_sample_interval_ms(&request), 1, 100);
	request.processes = 1;
	assert_in_range(w_sample_interval_ms(&request), 1, 50);
}

static void
sample_under(struct w_launcher *launcher, writ_hold hold)
{
	struct w_sample sample = {0};
	struct w_tree tree;
	int fd;
	writ_status status = launch_shell(launcher,
	    "sleep 300 & x=$(head -c 20000000 /dev/zero | tr '\\0' x); "
	    "echo ready; read forever; echo \"$x\"",
	    hold, &tree, &fd);

	if (status == WRIT_E_SANDBOX)
		return;
	assert_int_equal(status, WRIT_OK);
	/* The shell ends at once, as its input is empty: so it is stopped
	 * by a full pipe instead. */
	await_line(fd);
	assert_true(w_sample_take(&tree, &sample));
	assert_in_range(sample.processes, 2, 3);
	assert_true(sample.memory_bytes > 15000000);
	assert_true(sample.cpu_ms > 0);
	struct w_pids pids = {0};
	assert_true(w_tree_pids(&tree, &pids));
	w_tree_end_now(&tree);
	if (hold == WRIT_HOLD_CALLER)
		(void)kill(pids.items[pids.count - 1], SIGKILL);
	w_pids_done(&pids);
	(void)close(fd);
}

static void
a_sample_adds_up_the_whole_tree(void **state)
{
	struct w_launcher launcher;

	(void)state;
	assert_int_equal(w_launcher_init(&launcher, NULL), WRIT_OK);
	for (int i = 0; i < HOLDS; i++)
		sample_under(&launcher, holds[i]);
	w_launcher_done(&launcher);
	assert_int_equal(settle_marked(mark_of_test(), 0), 0);
}

static void
a_group_that_cannot_be_read_is_no_sample(void **state)
{
	struct w_tree tree = {.by = W_TREE_BY_GROUP, .group = {.fd = -1}};
	struct w_sample sample = {.processes = 77};

	(void)state;
	assert_false(w_sample_take(&tree, &sample));
	assert_int_equal(sample.processes, 77);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_limit_is_broken_by_what_is_above_it),
	    cmocka_unit_test(what_a_group_counts_is_not_sampled),
	    cmocka_unit_test(without_limits_nothing_is_broken),
	    cmocka_unit_test(each_limit_needs_a_look_now_and_then),
	    cmocka_unit_test(a_sample_adds_up_the_whole_tree),
	    cmocka_unit_test(a_group_that_cannot_be_read_is_no_sample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
