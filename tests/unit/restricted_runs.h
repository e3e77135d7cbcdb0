/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_RESTRICTED_RUNS_H
#define W_TEST_RESTRICTED_RUNS_H

/* Runs whose walls were narrowed by who decides. */

#include "sandboxed_runs.h"

static struct w_restriction restriction;
static bool is_without_view; /* rules have to hold all of it */
static char run_cwd[512];    /* empty: the directory of the test */

static inline void
decide_narrow(struct w_prepared *prepared)
{
	prepared->restriction = restriction;
}

static inline int
set_up_narrowed(void **state)
{
	int failed = set_up(state);

	restriction = (struct w_restriction){.has_write = false};
	run_cwd[0] = '\0';
	is_without_view = false;
	start_steps.decide = decide_narrow;
	return failed;
}

/* From now on as where no mounts can be made. */
static inline void
go_without_view(void)
{
	is_without_view = true;
	runner.missing |= W_LAYER_BIT(W_LAYER_MOUNTNS);
}

/* Runs a text for the shell in these walls, as often as it takes to have every
 * way of starting behind it; the output is the same each time. */
static inline void
expect_output(const char *walls, const char *text, const char *output)
{
	writ_request request = walled(text);

	request.sandbox = walls;
	request.best_effort = is_without_view;
	if (run_cwd[0] != '\0')
		request.cwd = run_cwd;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_walled(&request);

		if (strcmp(result->out[WRIT_STDOUT].head, output) != 0)
			fail_msg("in '%s' '%s' said '%s', errors '%s'", walls,
			    text, result->out[WRIT_STDOUT].head,
			    result->out[WRIT_STDERR].head);
		done(result);
	}
}

#define NARROWED(test) \
	cmocka_unit_test_setup_teardown(test, set_up_narrowed, tear_down)

#endif /* W_TEST_RESTRICTED_RUNS_H */
