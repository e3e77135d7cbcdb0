/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "approving.h"
#include "engine/approval/approval_validity.h"

#define HOUR UINT64_C(3600000)

static struct w_timestamp
moment(uint64_t wall_ms, uint64_t boot_ms, const char *boot)
{
	struct w_timestamp now = {.wall_ms = wall_ms, .boot_ms = boot_ms};

	(void)snprintf(now.boot, sizeof(now.boot), "%s", boot);
	return now;
}

static void
a_span_ends_when_its_time_is_over(void **state)
{
	const struct w_timestamp start = moment(1000 * HOUR, HOUR, "b1");
	struct w_timestamp now =
	    moment(1000 * HOUR + 59999, HOUR + 59999, "b1");
	struct w_validity validity;

	(void)state;
	w_validity_init(&validity, &start, 60000);
	assert_false(w_validity_is_over(&validity, &start, true));
	assert_false(w_validity_is_over(&validity, &now, true));
	now = moment(1000 * HOUR + 60000, HOUR + 60000, "b1");
	assert_true(w_validity_is_over(&validity, &now, true));
	assert_true(w_validity_is_over(&validity, &now, false));
}

static void
a_clock_that_is_set_back_lengthens_nothing(void **state)
{
	const struct w_timestamp start = moment(1000 * HOUR, HOUR, "b1");
	const struct w_timestamp now = moment(1 * HOUR, HOUR + 60000, "b1");
	const struct w_timestamp early = moment(1 * HOUR, HOUR + 30000, "b1");
	struct w_validity validity;

	(void)state;
	w_validity_init(&validity, &start, 60000);
	assert_true(w_validity_is_over(&validity, &now, true));
	assert_false(w_validity_is_over(&validity, &early, true));
}

static void
a_clock_that_is_set_forward_ends_a_grant_but_no_question(void **state)
{
	const struct w_timestamp start = moment(1000 * HOUR, HOUR, "b1");
	const struct w_timestamp now = moment(2000 * HOUR, HOUR + 30000, "b1");
	struct w_validity validity;

	(void)state;
	w_validity_init(&validity, &start, 60000);
	assert_true(w_validity_is_over(&validity, &now, true));
	assert_false(w_validity_is_over(&validity, &now, false));
}

static void
after_another_boot_the_wall_clock_counts_unless_it_is_too_early(void **state)
{
	const struct w_timestamp start = moment(1000 * HOUR, HOUR, "b1");
	struct w_validity validity;
	struct w_timestamp now = moment(1003 * HOUR, 1000, "b2");

	(void)state;
	w_validity_init(&validity, &start, 8 * HOUR);
	assert_false(w_validity_is_over(&validity, &now, true));
	now = moment(1008 * HOUR, 1000, "b2");
	assert_true(w_validity_is_over(&validity, &now, true));
	now = moment(999 * HOUR, 1000, "b2");
	assert_true(w_validity_is_over(&validity, &now, true));
	now = moment(1000 * HOUR - 1000, 1000, "b2");
	assert_false(w_validity_is_over(&validity, &now, true));
	/* An unknown boot is never the same. */
	validity.boot[0] = '\0';
	now = moment(999 * HOUR, HOUR, "");
	assert_true(w_validity_is_over(&validity, &now, true));
}

static void
a_process_lives_until_it_is_dead(void **state)
{
	struct w_pidref pidref;
	int fds[2];
	pid_t pid;

	(void)state;
	w_pidref_of_self(&pidref);
	assert_false(w_pidref_is_dead(&pidref));
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		w_pidref_of_self(&pidref);
		(void)!write(fds[1], &pidref, sizeof(pidref));
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(fds[0], &pidref, sizeof(pidref)), sizeof(pidref));
	assert_int_equal(pidref.pid, pid);
	assert_false(w_pidref_is_dead(&pidref));
	assert_int_equal(kill(pid, SIGKILL), 0);
	/* A zombie. */
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(w_pidref_is_dead(&pidref));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(w_pidref_is_dead(&pidref));
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void
a_number_that_is_used_again_is_another_process(void **state)
{
	struct w_pidref pidref;

	(void)state;
	w_pidref_of_self(&pidref);
	pidref.ticks--;
	assert_true(w_pidref_is_dead(&pidref));
	w_pidref_of_self(&pidref);
	pidref.boot[0] = pidref.boot[0] == '0' ? '1' : '0';
	assert_true(w_pidref_is_dead(&pidref));
	/* A process that cannot be seen may be alive. */
	w_pidref_of_self(&pidref);
	pidref.ticks--;
	pidref.pidns++;
	assert_false(w_pidref_is_dead(&pidref));
}

static void
the_question_of_a_dead_asker_cannot_be_answered(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	int fds[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		ask(id);
		(void)!write(fds[1], id, sizeof(id));
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(fds[0], id, sizeof(id)), sizeof(id));
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(state_of(id), WRIT_APPROVAL_ABANDONED);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "the caller is gone"));
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void
a_question_whose_time_is_over_is_denied(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_question question = plain_question;
	writ_approval_state end;

	(void)state;
	question.timeout_ms = 1500;
	ask_with(&question, id);
	assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	assert_int_equal(
	    writ_approvals_wait(approvals, id, -1, &end, &err), WRIT_OK);
	assert_int_equal(end, WRIT_APPROVAL_EXPIRED);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "its time is over"));
	assert_int_equal(use(id, HASH_A), WRIT_E_REFUSED);
	assert_non_null(strstr(err.message, "in time"));
}

static void
a_session_is_the_terminal_session_and_children_share_it(void **state)
{
	char here[64];
	char there[64];
	int fds[2];

	(void)state;
	w_tty_session_id(here);
	assert_int_equal(pipe(fds), 0);
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			if (i == 1)
				(void)setsid();
			w_tty_session_id(there);
			(void)!write(fds[1], there, sizeof(there));
			_exit(0);
		}
		assert_int_equal(
		    read(fds[0], there, sizeof(there)), sizeof(there));
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_int_equal(strcmp(here, there) == 0, i == 0);
	}
	(void)close(fds[0]);
	(void)close(fds[1]);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_span_ends_when_its_time_is_over),
	    CASE(a_clock_that_is_set_back_lengthens_nothing),
	    CASE(a_clock_that_is_set_forward_ends_a_grant_but_no_question),
	    CASE(
		after_another_boot_the_wall_clock_counts_unless_it_is_too_early),
	    CASE(a_process_lives_until_it_is_dead),
	    CASE(a_number_that_is_used_again_is_another_process),
	    CASE(the_question_of_a_dead_asker_cannot_be_answered),
	    CASE(a_question_whose_time_is_over_is_denied),
	    CASE(a_session_is_the_terminal_session_and_children_share_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
