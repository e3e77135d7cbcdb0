/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Thousands of commands at once from one thread: a bare loop of vfork, pipes
 * and epoll against an engine.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shots.h"

static const char sleep_path[] = "/bin/sleep";
static const char *const sleep_argv[] = {"/bin/sleep", "1", NULL};

struct lot {
	pid_t pid;
	int open;
};

static int
how_many(const struct settings *settings)
{
	return settings->is_quick ? MANY_QUICK : MANY_RUNS;
}

static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	if (geteuid() == 0 && limit.rlim_max < 65536)
		limit.rlim_max = 65536;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static pid_t
vfork_sleep(const int out[2], const int err[2])
{
	pid_t pid = vfork();

	if (pid == 0) {
		(void)dup2(out[1], STDOUT_FILENO);
		(void)dup2(err[1], STDERR_FILENO);
		(void)execve(
		    sleep_path, (char *const *)(uintptr_t)sleep_argv, environ);
		_exit(127);
	}
	return pid;
}

/* What an event carries: the number of the run and the descriptor. */
static int
watch(int epoll_fd, int fd, int number)
{
	struct epoll_event event = {
	    .events = EPOLLIN,
	    .data.u64 = (uint64_t)number << 32 | (unsigned)fd,
	};

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static bool
start_one(int epoll_fd, struct lot *lot, int number)
{
	int out[2], err[2];

	if (pipe2(out, O_CLOEXEC | O_NONBLOCK) < 0 ||
	    pipe2(err, O_CLOEXEC | O_NONBLOCK) < 0)
		return false;
	lot->pid = vfork_sleep(out, err);
	lot->open = 2;
	(void)close(out[1]);
	(void)close(err[1]);
	return lot->pid > 0 && watch(epoll_fd, out[0], number) == 0 &&
	       watch(epoll_fd, err[0], number) == 0;
}

/* Reads a stream that is ready. 1: that was the last of its run. */
static int
read_one(const struct epoll_event *event, struct lot *lots)
{
	struct lot *lot = &lots[event->data.u64 >> 32];
	int fd = (int)(event->data.u64 & 0xffffffffU);
	char buf[4096];
	int status;

	if (read(fd, buf, sizeof(buf)) != 0)
		return 0;
	(void)close(fd);
	lot->open--;
	if (lot->open > 0)
		return 0;
	(void)waitpid(lot->pid, &status, 0);
	return 1;
}

static bool
run_lots(int epoll_fd, struct lot *lots, int count)
{
	struct epoll_event events[64];
	int ended = 0;

	for (int i = 0; i < count; i++) {
		if (!start_one(epoll_fd, &lots[i], i))
			return false;
	}
	while (ended < count) {
		int n = epoll_wait(epoll_fd, events, 64, -1);

		if (n < 0 && errno != EINTR)
			return false;
		for (int i = 0; i < n; i++)
			ended += read_one(&events[i], lots);
	}
	return true;
}

struct sample
probe_many_floor(const struct settings *settings, int number)
{
	int count = how_many(settings);
	struct sample sample = {0};

	(void)number;
	raise_file_limit();
	uint64_t start = bench_now_ns();
	struct lot *lots = calloc((size_t)count, sizeof(*lots));
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (lots != NULL && epoll_fd >= 0 && run_lots(epoll_fd, lots, count))
		sample.ns = bench_now_ns() - start;
	(void)close(epoll_fd);
	free(lots);
	return sample;
}

struct tally {
	int ended;
	int good;
	char by[12];
};

static void
count_one(void *ctx, writ_job *job, writ_result *result)
{
	struct tally *tally = ctx;

	(void)job;
	tally->ended++;
	tally->good += result->exit_code == 0 ? 1 : 0;
	if (result->tree_by != NULL)
		(void)strncpy(
		    tally->by, result->tree_by, sizeof(tally->by) - 1);
	writ_result_free(result);
}

static bool
run_engine(writ_engine *engine, writ_hold hold, int count, struct tally *tally)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = sleep_argv;
	request.hold = hold;
	for (int i = 0; i < count; i++) {
		if (writ_start(engine, &request, count_one, tally, NULL,
			NULL) != WRIT_OK)
			return false;
	}
	while (tally->ended < count) {
		if (writ_engine_dispatch(engine, -1, NULL) != WRIT_OK)
			return false;
	}
	return tally->good == count;
}

struct sample
probe_many_ours(const struct settings *settings, int hold)
{
	struct sample sample = {0};
	struct tally tally = {0};
	writ_engine *engine = NULL;

	raise_file_limit();
	uint64_t start = bench_now_ns();
	if (writ_engine_new(NULL, &engine, NULL) != WRIT_OK)
		return sample;
	if (run_engine(engine, (writ_hold)hold, how_many(settings), &tally))
		sample.ns = bench_now_ns() - start;
	writ_engine_free(engine);
	memcpy(sample.by, tally.by, sizeof(sample.by));
	return sample;
}
