/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>

#include "mcp/transport/timer.h"

enum {
	MANY = 1000
};

static struct w_mcp_timers timers;
static struct w_mcp_timer many[MANY];
static size_t order[MANY];
static size_t fired;

static void
note(void *ctx)
{
	order[fired++] = (size_t)((struct w_mcp_timer *)ctx - many);
}

static void
begin(void)
{
	timers = (struct w_mcp_timers){0};
	fired = 0;
	for (size_t i = 0; i < MANY; i++)
		many[i] = (struct w_mcp_timer){.fire = note, .ctx = &many[i]};
}

/* Makes a timer due, ordered by a number. */
static void
make_due(size_t i, uint64_t number)
{
	assert_true(w_mcp_timer_set(&timers, &many[i], 0));
	w_mcp_timer_stop(&timers, &many[i]);
	assert_true(w_mcp_timer_set(&timers, &many[i], number));
}

static void
they_fire_in_their_order(void **state)
{
	(void)state;
	begin();
	srandom(7);
	for (size_t i = 0; i < MANY; i++)
		make_due(i, (uint64_t)random() % 1000000);
	for (size_t i = 0; i < MANY; i += 3)
		w_mcp_timer_stop(&timers, &many[i]);
	assert_int_equal(timers.count, MANY - (MANY + 2) / 3);

	/* As if a day had passed. The clock starts with the machine, so
	 * subtract no more than that. */
	for (size_t i = 0; i < timers.count; i++)
		timers.heap[i]->at_ns /= UINT64_C(1000000);
	w_mcp_timers_run(&timers);
	assert_int_equal(fired, MANY - (MANY + 2) / 3);
	for (size_t i = 1; i < fired; i++) {
		assert_true(many[order[i - 1]].at_ns <= many[order[i]].at_ns);
		assert_true(order[i] % 3 != 0);
		assert_int_equal(many[order[i]].place, 0);
	}
	w_mcp_timers_done(&timers);
}

static void
waiting_is_rounded_up(void **state)
{
	(void)state;
	begin();
	assert_int_equal(w_mcp_timers_wait(&timers), -1);
	assert_true(w_mcp_timer_set(&timers, &many[0], 10000));
	const int wait = w_mcp_timers_wait(&timers);
	assert_true(wait > 9000 && wait <= 10000);
	w_mcp_timers_run(&timers);
	assert_int_equal(fired, 0);

	/* Less than a millisecond is not zero: otherwise the loop would
	 * spin. */
	many[0].at_ns = w_mcp_now_ns() + 900000;
	assert_in_range(w_mcp_timers_wait(&timers), 0, 1);
	many[0].at_ns = 1;
	assert_int_equal(w_mcp_timers_wait(&timers), 0);
	assert_true(w_mcp_timer_set(&timers, &many[0], UINT64_MAX));
	assert_int_equal(w_mcp_timers_wait(&timers), INT_MAX);
	w_mcp_timers_done(&timers);
	assert_int_equal(many[0].place, 0);
}

static void
set_again(void *ctx)
{
	fired++;
	assert_true(w_mcp_timer_set(&timers, ctx, 0));
}

static void
one_that_sets_itself_anew_does_not_keep_the_loop(void **state)
{
	(void)state;
	begin();
	many[0].fire = set_again;
	assert_true(w_mcp_timer_set(&timers, &many[0], 0));
	w_mcp_timers_run(&timers);
	assert_int_equal(fired, 1);
	assert_int_equal(timers.count, 1);
	w_mcp_timer_stop(&timers, &many[0]);
	w_mcp_timer_stop(&timers, &many[0]);
	assert_int_equal(timers.count, 0);
	w_mcp_timers_done(&timers);
}

static void
stop_other(void *ctx)
{
	(void)ctx;
	fired++;
	w_mcp_timer_stop(&timers, &many[1]);
	w_mcp_timer_stop(&timers, &many[2]);
}

static void
one_that_fires_may_stop_others(void **state)
{
	(void)state;
	begin();
	for (size_t i = 0; i < 3; i++) {
		many[i].fire = stop_other;
		assert_true(w_mcp_timer_set(&timers, &many[i], 0));
		many[i].at_ns = 1 + i;
	}
	w_mcp_timers_run(&timers);
	assert_int_equal(fired, 1);
	assert_int_equal(timers.count, 0);
	w_mcp_timers_done(&timers);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(they_fire_in_their_order),
	    cmocka_unit_test(waiting_is_rounded_up),
	    cmocka_unit_test(one_that_sets_itself_anew_does_not_keep_the_loop),
	    cmocka_unit_test(one_that_fires_may_stop_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
