/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "audit/query/liveness.h"
#include "temp.h"

/* A /proc of our own: a machine that booted at second 1000. */
#define BOOT_US (UINT64_C(1000) * 1000000)
#define PIDNS   77
#define PID     0x3ffffff0 /* larger than any real pid */

static struct temp temp;
static struct w_liveness view;

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	view = (struct w_liveness){.proc = temp.path,
	    .pidns = PIDNS,
	    .boot_us = BOOT_US,
	    .slack_us = W_LIVENESS_SLACK_US};
	return 0;
}

/* A process that started this many seconds after boot. */
static void
make_process(char process_state, unsigned start_s)
{
	char path[64];
	char text[256];

	(void)snprintf(path, sizeof(path), "%d", PID);
	temp_dir(&temp, path);
	(void)snprintf(path, sizeof(path), "%d/stat", PID);
	(void)snprintf(text, sizeof(text),
	    "%d (a ) b) %c 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 %ld "
	    "100 200\n",
	    PID, process_state, (long)start_s * sysconf(_SC_CLK_TCK));
	temp_file(&temp, path, 0600, text);
}

static writ_run_state
state_of(unsigned begin_s)
{
	return w_liveness_state(
	    &view, PID, PIDNS, BOOT_US + UINT64_C(1000000) * begin_s);
}

static void
a_process_older_than_its_record_runs(void **state)
{
	(void)state;
	make_process('S', 50);
	assert_int_equal(state_of(50), WRIT_RUN_RUNNING);
	assert_int_equal(state_of(500), WRIT_RUN_RUNNING);
}

static void
a_number_that_was_used_again_is_another_process(void **state)
{
	(void)state;
	make_process('R', 60);
	assert_int_equal(state_of(50), WRIT_RUN_LOST);
}

static void
a_record_from_before_the_boot_is_of_nobody(void **state)
{
	(void)state;
	make_process('S', 1);
	assert_int_equal(
	    w_liveness_state(&view, PID, PIDNS, BOOT_US - UINT64_C(900000000)),
	    WRIT_RUN_LOST);
}

static void
a_zombie_does_not_run(void **state)
{
	(void)state;
	make_process('Z', 50);
	assert_int_equal(state_of(60), WRIT_RUN_LOST);
}

static void
nobody_with_the_number_is_lost(void **state)
{
	(void)state;
	assert_int_equal(state_of(60), WRIT_RUN_LOST);
}

static void
another_namespace_cannot_be_seen(void **state)
{
	(void)state;
	make_process('S', 50);
	assert_int_equal(w_liveness_state(&view, PID, PIDNS + 1, BOOT_US * 2),
	    WRIT_RUN_UNKNOWN);
	view.pidns = 0;
	assert_int_equal(state_of(60), WRIT_RUN_UNKNOWN);
}

static void
a_process_that_proc_hides_is_unknown(void **state)
{
	(void)state;
	assert_int_equal(w_liveness_state(&view, getpid(), PIDNS, BOOT_US * 2),
	    WRIT_RUN_UNKNOWN);
}

static void
this_very_process_runs(void **state)
{
	struct w_liveness real;
	struct timespec now;

	(void)state;
	w_liveness_init(&real);
	assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
	uint64_t now_us = (uint64_t)now.tv_sec * 1000000;
	assert_int_equal(w_liveness_state(&real, getpid(), real.pidns, now_us),
	    WRIT_RUN_RUNNING);
	/* As if the record were older than the process. */
	assert_int_equal(w_liveness_state(&real, getpid(), real.pidns,
			     now_us - UINT64_C(86400000000)),
	    WRIT_RUN_LOST);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_process_older_than_its_record_runs),
	    CASE(a_number_that_was_used_again_is_another_process),
	    CASE(a_record_from_before_the_boot_is_of_nobody),
	    CASE(a_zombie_does_not_run),
	    CASE(nobody_with_the_number_is_lost),
	    CASE(another_namespace_cannot_be_seen),
	    CASE(a_process_that_proc_hides_is_unknown),
	    CASE(this_very_process_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
