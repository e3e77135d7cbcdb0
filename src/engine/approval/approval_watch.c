/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Waits for changes of the queue.
 *
 * inotify reports files that come and go. Nothing reports that an asking
 * process has died or that a question has expired; so, while a question is
 * pending, the queue is read again every second. That also covers whatever
 * inotify missed.
 */

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approval_state.h"
#include "os/loop.h"

enum {
	LOOK_MS = 1000
};

#define EVENTS                                                 \
	(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | \
	    IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_CREATE)

/* Watches the directory or, if it does not exist yet, the nearest one above
 * it. Existing watches stay. */
static void
watch_place(const writ_approvals *approvals)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", approvals->store.state_dir,
	    W_APPROVALS_DIR);
	for (;;) {
		if (inotify_add_watch(approvals->inotify_fd, path, EVENTS) >=
			0 ||
		    errno == EEXIST)
			return;
		char *slash = strrchr(path, '/');
		if (slash == NULL || slash == path)
			return;
		*slash = '\0';
	}
}

static int
add_source(int epoll_fd, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	if (fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return errno;
	return 0;
}

static int
make_sources(writ_approvals *approvals)
{
	approvals->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	approvals->timer_fd =
	    timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	approvals->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (approvals->epoll_fd < 0)
		return errno;
	int error = add_source(approvals->epoll_fd, approvals->inotify_fd);
	if (error == 0)
		error = add_source(approvals->epoll_fd, approvals->timer_fd);
	return error;
}

int
writ_approvals_fd(writ_approvals *approvals, writ_error *err)
{
	if (approvals->epoll_fd >= 0)
		return approvals->epoll_fd;
	int error = make_sources(approvals);
	if (error != 0) {
		w_approvals_unwatch(approvals);
		(void)w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot watch the approvals");
		return -1;
	}
	w_approvals_rearm(approvals, true);
	return approvals->epoll_fd;
}

void
w_approvals_unwatch(writ_approvals *approvals)
{
	w_close(&approvals->epoll_fd);
	w_close(&approvals->inotify_fd);
	w_close(&approvals->timer_fd);
}

void
w_approvals_drain(writ_approvals *approvals)
{
	char bytes[4096];

	if (approvals->inotify_fd < 0)
		return;
	while (read(approvals->inotify_fd, bytes, sizeof(bytes)) > 0)
		continue;
}

void
w_approvals_rearm(writ_approvals *approvals, bool is_waiting)
{
	const struct itimerspec look = {
	    .it_value = {.tv_sec = is_waiting ? LOOK_MS / 1000 : 0}};

	if (approvals->epoll_fd < 0)
		return;
	(void)timerfd_settime(approvals->timer_fd, 0, &look, NULL);
	watch_place(approvals);
}

/* ---- waiting for one question ---- */

static writ_status
read_state(writ_approvals *approvals, const char *id,
    writ_approval_state *out_state, writ_error *err)
{
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	struct w_timestamp now;

	writ_status status = w_approvals_begin(approvals, err);
	w_timestamp_now(&now);
	if (status == WRIT_OK)
		status =
		    w_approval_read(&approvals->store, id, &now, &item, err);
	if (status == WRIT_OK)
		*out_state = item.state;
	return status;
}

/* How long to sleep in ms; 0: timed out. */
static int
next_step(uint64_t end_ns)
{
	const uint64_t now = w_now_ns();

	if (end_ns == 0 || now + LOOK_MS * W_NS_PER_MS <= end_ns)
		return LOOK_MS;
	return now >= end_ns ? 0 : (int)((end_ns - now) / W_NS_PER_MS) + 1;
}

static writ_status
approval_watch_await(writ_approvals *approvals, const char *id, uint64_t end_ns,
    writ_approval_state *out_state, writ_error *err)
{
	struct pollfd watch = {.fd = approvals->inotify_fd, .events = POLLIN};
	writ_approval_state state;

	for (;;) {
		/* Before reading: what happens afterwards wakes us. */
		w_approvals_drain(approvals);
		writ_status status = read_state(approvals, id, &state, err);
		if (status != WRIT_OK)
			return status;
		const int step = next_step(end_ns);
		if (state != WRIT_APPROVAL_PENDING || step == 0)
			break;
		(void)poll(&watch, 1, step);
	}
	*out_state = state;
	return WRIT_OK;
}

writ_status
writ_approvals_wait(writ_approvals *approvals, const char *id, int timeout_ms,
    writ_approval_state *out_state, writ_error *err)
{
	const uint64_t end_ns =
	    timeout_ms < 0 ? 0
			   : w_now_ns() + (uint64_t)timeout_ms * W_NS_PER_MS;
	char whole[WRIT_APPROVAL_ID_LEN + 1];

	writ_status status = w_approvals_begin(approvals, err);
	if (status == WRIT_OK)
		status = w_approval_find_id(
		    approvals->store.queue_fd, id, "question", whole, err);
	if (status != WRIT_OK)
		return status;
	/* Without it the queue is still read every second. */
	(void)writ_approvals_fd(approvals, NULL);
	return approval_watch_await(approvals, whole, end_ns, out_state, err);
}
