/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "leftovers.h"
#include "os/loop.h"

enum {
	TIMERS = 200,
	ROUNDS = 300
};

/* ---- timers ---- */

struct ticker {
	struct w_timer timer;
	int fired;
};

static struct w_loop loop;
static struct ticker tickers[TIMERS];
static struct ticker *order[TIMERS];
static size_t order_len;

static void
on_tick(struct w_timer *timer)
{
	struct ticker *ticker = W_CONTAINER_OF(timer, struct ticker, timer);

	ticker->fired++;
	assert_true(order_len < TIMERS);
	order[order_len++] = ticker;
}

static int
open_loop(void **state)
{
	(void)state;
	if (w_loop_init(&loop, NULL) != WRIT_OK)
		return -1;
	memset(tickers, 0, sizeof(tickers));
	for (size_t i = 0; i < TIMERS; i++)
		tickers[i].timer.fn = on_tick;
	order_len = 0;
	return w_loop_reserve_timers(&loop, TIMERS) ? 0 : -1;
}

/* As by a host that waits for the descriptor itself. */
static int
open_shown_loop(void **state)
{
	return open_loop(state) == 0 && w_loop_fd(&loop) >= 0 ? 0 : -1;
}

static int
close_loop(void **state)
{
	(void)state;
	w_loop_done(&loop);
	return 0;
}

static void
dispatch(int timeout_ms)
{
	writ_error err;

	assert_int_equal(w_loop_dispatch(&loop, timeout_ms, &err), WRIT_OK);
}

/* Applies one random change to the loop and to the model, in which 0 is a timer
 * that is not armed. */
static void
change_one(uint64_t model[TIMERS])
{
	size_t which = (size_t)random() % TIMERS;

	if (random() % 4 == 0) {
		w_loop_disarm(&loop, &tickers[which].timer);
		model[which] = 0;
	} else {
		model[which] = (uint64_t)(random() % 1000 + 1);
		w_loop_arm(&loop, &tickers[which].timer, model[which]);
	}
}

static void
expect_model(const uint64_t model[TIMERS])
{
	size_t armed = 0;
	uint64_t last = 0;

	for (size_t i = 0; i < TIMERS; i++) {
		armed += model[i] != 0;
		assert_int_equal(tickers[i].fired, model[i] != 0);
		tickers[i].fired = 0;
	}
	assert_int_equal(order_len, armed);
	for (size_t i = 0; i < order_len; i++) {
		uint64_t due = model[order[i] - tickers];

		assert_true(due >= last);
		last = due;
	}
	order_len = 0;
}

static void
timers_fire_once_in_the_order_of_a_sorted_list(void **state)
{
	uint64_t model[TIMERS];

	(void)state;
	srandom(20);
	for (int round = 0; round < ROUNDS; round++) {
		memset(model, 0, sizeof(model));
		for (int i = 0; i < 3 * round; i++)
			change_one(model);
		dispatch(0);
		expect_model(model);
	}
	assert_int_equal(loop.heap_len, 0);
}

static void
a_timer_does_not_fire_before_it_is_due(void **state)
{
	uint64_t due = w_now_ns() + 30 * W_NS_PER_MS;

	(void)state;
	w_loop_arm(&loop, &tickers[0].timer, due);
	dispatch(0);
	assert_int_equal(order_len, 0);
	while (order_len == 0)
		dispatch(-1);
	assert_true(w_now_ns() >= due);
}

static void
a_timer_that_moves_away_fires_only_at_its_new_time(void **state)
{
	uint64_t now = w_now_ns();
	uint64_t due = now + 40 * W_NS_PER_MS;

	(void)state;
	w_loop_arm(&loop, &tickers[0].timer, now + 5 * W_NS_PER_MS);
	w_loop_arm(&loop, &tickers[0].timer, due);
	while (order_len == 0)
		dispatch(-1);
	assert_true(w_now_ns() >= due);
	assert_int_equal(tickers[0].fired, 1);
}

static void
a_timer_that_comes_nearer_is_not_kept_waiting(void **state)
{
	uint64_t now = w_now_ns();

	(void)state;
	w_loop_arm(&loop, &tickers[0].timer, now + 3600000 * W_NS_PER_MS);
	w_loop_arm(&loop, &tickers[1].timer, now + 5 * W_NS_PER_MS);
	while (order_len == 0)
		dispatch(10000);
	assert_ptr_equal(order[0], &tickers[1]);
	assert_int_equal(tickers[0].fired, 0);
}

static void
the_descriptor_polls_readable_when_a_timer_is_due(void **state)
{
	struct pollfd ready = {.fd = w_loop_fd(&loop), .events = POLLIN};

	(void)state;
	assert_int_equal(poll(&ready, 1, 0), 0);
	w_loop_arm(&loop, &tickers[0].timer, w_now_ns() + 5 * W_NS_PER_MS);
	assert_int_equal(poll(&ready, 1, 10000), 1);
	dispatch(0);
	assert_int_equal(tickers[0].fired, 1);
	assert_int_equal(poll(&ready, 1, 0), 0);
}

static void
on_tick_disarm_next(struct w_timer *timer)
{
	on_tick(timer);
	w_loop_disarm(&loop, &tickers[1].timer);
	w_loop_arm(&loop, &tickers[2].timer, 1);
}

static void
a_timer_callback_may_disarm_and_arm_others(void **state)
{
	(void)state;
	tickers[0].timer.fn = on_tick_disarm_next;
	w_loop_arm(&loop, &tickers[0].timer, 1);
	w_loop_arm(&loop, &tickers[1].timer, 2);
	dispatch(0);
	dispatch(0);
	assert_int_equal(tickers[0].fired, 1);
	assert_int_equal(tickers[1].fired, 0);
	assert_int_equal(tickers[2].fired, 1);
}

static void
a_timer_that_arms_itself_again_does_not_stop_the_others(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		w_loop_arm(&loop, &tickers[0].timer, w_now_ns() + 1);
		while (tickers[0].fired <= i)
			dispatch(1000);
	}
	assert_int_equal(tickers[0].fired, 3);
}

static void
room_for_too_many_timers_is_refused(void **state)
{
	(void)state;
	assert_false(w_loop_reserve_timers(&loop, SIZE_MAX / 4));
	assert_true(w_loop_reserve_timers(&loop, TIMERS));
}

/* ---- sources ---- */

struct listener {
	struct w_source source;
	struct listener *victim; /* removed or paused by the callback */
	int pauses;
	int called;
	uint32_t events;
	int write_end;
};

static void
on_ready(struct w_source *source, uint32_t events)
{
	struct listener *self = W_CONTAINER_OF(source, struct listener, source);

	self->called++;
	self->events = events;
	if (self->victim != NULL && self->pauses)
		assert_int_equal(
		    w_loop_modify(&loop, &self->victim->source, 0), 0);
	else if (self->victim != NULL)
		w_loop_remove(&loop, &self->victim->source);
}

static int
listen_to_pipe(struct listener *listener)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	*listener = (struct listener){
	    .source = {.fd = ends[0], .fn = on_ready},
	    .write_end = ends[1],
	};
	assert_int_equal(w_loop_add(&loop, &listener->source, EPOLLIN), 0);
	return ends[0];
}

static void
hear_no_more(struct listener *listener, int fd)
{
	w_loop_remove(&loop, &listener->source);
	(void)close(fd);
	if (listener->write_end >= 0)
		(void)close(listener->write_end);
}

static void
readable_sources_are_called_with_their_events(void **state)
{
	struct listener one, two;
	int fd_one = listen_to_pipe(&one);
	int fd_two = listen_to_pipe(&two);

	(void)state;
	assert_int_equal(write(two.write_end, "x", 1), 1);
	dispatch(1000);
	assert_int_equal(one.called, 0);
	assert_int_equal(two.called, 1);
	assert_int_equal(two.events, EPOLLIN);
	hear_no_more(&one, fd_one);
	hear_no_more(&two, fd_two);
}

static void
silence_within_one_batch(int pauses)
{
	struct listener one, two;
	int fd_one = listen_to_pipe(&one);
	int fd_two = listen_to_pipe(&two);

	one.victim = &two;
	two.victim = &one;
	one.pauses = pauses;
	two.pauses = pauses;
	assert_int_equal(write(one.write_end, "x", 1), 1);
	assert_int_equal(write(two.write_end, "x", 1), 1);
	dispatch(1000);
	assert_int_equal(one.called + two.called, 1);
	one.victim = NULL;
	two.victim = NULL;
	hear_no_more(&one, fd_one);
	hear_no_more(&two, fd_two);
}

static void
a_source_removed_by_a_callback_of_the_same_batch_is_silent(void **state)
{
	(void)state;
	silence_within_one_batch(0);
}

static void
a_source_paused_by_a_callback_of_the_same_batch_is_silent(void **state)
{
	(void)state;
	silence_within_one_batch(1);
}

static void
a_callback_may_remove_its_own_source(void **state)
{
	struct listener one;
	int fd = listen_to_pipe(&one);

	(void)state;
	one.victim = &one;
	assert_int_equal(write(one.write_end, "x", 1), 1);
	dispatch(1000);
	dispatch(0);
	assert_int_equal(one.called, 1);
	assert_int_equal(one.source.fd, -1);
	hear_no_more(&one, fd);
}

static void
a_paused_source_that_hangs_up_does_not_spin(void **state)
{
	struct pollfd ready = {.fd = w_loop_fd(&loop), .events = POLLIN};
	struct listener one;
	int fd = listen_to_pipe(&one);

	(void)state;
	assert_int_equal(w_loop_modify(&loop, &one.source, 0), 0);
	(void)close(one.write_end);
	one.write_end = -1;
	assert_int_equal(poll(&ready, 1, 20), 0);
	dispatch(0);
	assert_int_equal(one.called, 0);

	assert_int_equal(w_loop_modify(&loop, &one.source, EPOLLIN), 0);
	dispatch(1000);
	assert_int_equal(one.called, 1);
	assert_true((one.events & EPOLLHUP) != 0);
	hear_no_more(&one, fd);
}

static void
pausing_and_resuming_twice_changes_nothing(void **state)
{
	struct listener one;
	int fd = listen_to_pipe(&one);

	(void)state;
	assert_int_equal(w_loop_modify(&loop, &one.source, 0), 0);
	assert_int_equal(w_loop_modify(&loop, &one.source, 0), 0);
	assert_int_equal(w_loop_modify(&loop, &one.source, EPOLLIN), 0);
	assert_int_equal(w_loop_modify(&loop, &one.source, EPOLLIN), 0);
	assert_int_equal(write(one.write_end, "x", 1), 1);
	dispatch(1000);
	assert_int_equal(one.called, 1);
	hear_no_more(&one, fd);
}

static void
a_removed_source_is_silent_even_while_a_copy_is_open(void **state)
{
	struct listener one;
	int fd = listen_to_pipe(&one);
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	(void)state;
	assert_true(copy >= 0);
	assert_int_equal(write(one.write_end, "x", 1), 1);
	hear_no_more(&one, fd);
	dispatch(10);
	assert_int_equal(one.called, 0);
	(void)close(copy);
}

static void
a_source_that_cannot_be_watched_is_an_errno(void **state)
{
	struct w_source closed = {.fd = 9999, .fn = on_ready};
	struct w_source file = {.fn = on_ready};

	(void)state;
	assert_int_equal(w_loop_add(&loop, &closed, EPOLLIN), EBADF);
	file.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(file.fd >= 0);
	int copy = file.fd;
	assert_int_equal(w_loop_add(&loop, &file, EPOLLIN), EPERM);
	w_loop_remove(&loop, &file);
	(void)close(copy);
}

static void
more_sources_than_one_batch_are_all_served(void **state)
{
	enum {
		MANY = 150
	};
	static struct listener many[MANY];
	int fds[MANY], called = 0;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		fds[i] = listen_to_pipe(&many[i]);
		assert_int_equal(write(many[i].write_end, "x", 1), 1);
	}
	for (int i = 0; i < 4; i++)
		dispatch(0);
	for (int i = 0; i < MANY; i++) {
		called += many[i].called > 0;
		hear_no_more(&many[i], fds[i]);
	}
	assert_int_equal(called, MANY);
}

/* ---- the loop itself ---- */

static void
do_nothing(int sig)
{
	(void)sig;
}

static void
an_interrupted_wait_is_no_error(void **state)
{
	const struct sigaction action = {.sa_handler = do_nothing};
	const struct itimerval soon = {.it_value.tv_usec = 20000};
	struct sigaction saved;

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, &saved), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	dispatch(10000);
	assert_int_equal(sigaction(SIGALRM, &saved, NULL), 0);
}

static void
without_descriptors_the_loop_fails_and_leaves_none(void **state)
{
	struct rlimit saved, tight;
	struct w_loop second;
	writ_error err = {0};

	(void)state;
	int before = count_fds();
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(next >= 0);
	(void)close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &saved), 0);
	for (rlim_t spare = 0; spare < 2; spare++) {
		tight = saved;
		tight.rlim_cur = (rlim_t)next + spare;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
		writ_status status = w_loop_init(&second, &err);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &saved), 0);
		assert_int_equal(status, WRIT_E_SYSTEM);
		assert_int_equal(err.sys_errno, EMFILE);
		assert_true(err.message[0] != '\0');
		assert_int_equal(count_fds(), before);
	}
}

/* What was there before somebody asked for the descriptor is seen by it. */
static void
a_descriptor_that_is_asked_for_late_tells_of_all(void **state)
{
	struct listener one, two;
	int fd_one = listen_to_pipe(&one);
	int fd_two = listen_to_pipe(&two);
	struct pollfd ready = {.events = POLLIN};

	(void)state;
	w_loop_arm(&loop, &tickers[0].timer, w_now_ns() + 5 * W_NS_PER_MS);
	assert_int_equal(w_loop_modify(&loop, &two.source, 0), 0);
	ready.fd = w_loop_fd(&loop);
	assert_int_equal(write(two.write_end, "x", 1), 1);
	assert_int_equal(poll(&ready, 1, 10000), 1);
	dispatch(0);
	assert_int_equal(tickers[0].fired, 1);
	assert_int_equal(one.called + two.called, 0);
	assert_int_equal(poll(&ready, 1, 0), 0);
	assert_int_equal(write(one.write_end, "x", 1), 1);
	assert_int_equal(poll(&ready, 1, 10000), 1);
	dispatch(0);
	assert_int_equal(one.called, 1);
	assert_int_equal(w_loop_modify(&loop, &two.source, EPOLLIN), 0);
	dispatch(0);
	assert_int_equal(two.called, 1);
	hear_no_more(&one, fd_one);
	hear_no_more(&two, fd_two);
}

#define IN_LOOP(test)                                                    \
	cmocka_unit_test_setup_teardown(test, open_loop, close_loop),    \
	{                                                                \
		"shown: " #test, test, open_shown_loop, close_loop, NULL \
	}
#define IN_SHOWN_LOOP(test) \
	cmocka_unit_test_setup_teardown(test, open_shown_loop, close_loop)

/* The kernel's value, in whole seconds. */
static void
the_start_of_the_machine_is_the_kernels(void **state)
{
	char line[256];
	uint64_t said = 0;
	FILE *stat = fopen("/proc/stat", "re");

	(void)state;
	assert_non_null(stat);
	while (said == 0 && fgets(line, sizeof(line), stat) != NULL)
		if (strncmp(line, "btime ", 6) == 0)
			said = strtoull(line + 6, NULL, 10);
	(void)fclose(stat);
	assert_in_range(
	    w_boot_us(), (said - 2) * 1000000, (said + 2) * 1000000);
	assert_true(w_unix_us() > w_boot_us());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_LOOP(the_start_of_the_machine_is_the_kernels),
	    IN_LOOP(timers_fire_once_in_the_order_of_a_sorted_list),
	    IN_LOOP(a_timer_does_not_fire_before_it_is_due),
	    IN_LOOP(a_timer_that_moves_away_fires_only_at_its_new_time),
	    IN_LOOP(a_timer_that_comes_nearer_is_not_kept_waiting),
	    IN_LOOP(the_descriptor_polls_readable_when_a_timer_is_due),
	    IN_LOOP(a_timer_callback_may_disarm_and_arm_others),
	    IN_LOOP(a_timer_that_arms_itself_again_does_not_stop_the_others),
	    IN_LOOP(room_for_too_many_timers_is_refused),
	    IN_LOOP(readable_sources_are_called_with_their_events),
	    IN_LOOP(a_source_removed_by_a_callback_of_the_same_batch_is_silent),
	    IN_LOOP(a_source_paused_by_a_callback_of_the_same_batch_is_silent),
	    IN_LOOP(a_callback_may_remove_its_own_source),
	    IN_LOOP(a_paused_source_that_hangs_up_does_not_spin),
	    IN_LOOP(pausing_and_resuming_twice_changes_nothing),
	    IN_LOOP(a_removed_source_is_silent_even_while_a_copy_is_open),
	    IN_LOOP(a_descriptor_that_is_asked_for_late_tells_of_all),
	    IN_SHOWN_LOOP(a_source_that_cannot_be_watched_is_an_errno),
	    IN_LOOP(more_sources_than_one_batch_are_all_served),
	    IN_LOOP(an_interrupted_wait_is_no_error),
	    IN_LOOP(without_descriptors_the_loop_fails_and_leaves_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
