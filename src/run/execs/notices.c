/* SPDX-License-Identifier: Apache-2.0 */

/* The listener of a run's filter; see notices.h. */

#include "run/execs/notices.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"

/* From Linux 6.6; missing in older headers. The caller waits for us and we for
 * it, so both are fastest on one processor. */
#define SET_FLAGS    SECCOMP_IOW(4, __u64)
#define SYNC_WAKE_UP (1UL << 0)

enum {
	/* Answers in a row before the rest of the loop gets its turn. Most
	 * notifications come alone: one is not worth looking for the next. */
	ANSWERS_TURN = 32,
	ANSWERS_ALONE = 1,
	/* The kernel's structures may grow. */
	ROOM = 512
};

union notice {
	struct seccomp_notif notif;
	char room[ROOM];
};

union notice_answer {
	struct seccomp_notif_resp resp;
	char room[ROOM];
};

struct w_notices {
	struct w_source source;
	int fd; /* -1: not listening */
	struct w_loop *loop;
	struct w_denials *denials;
	struct w_execve_watch *execve_watch;
	union notice notice;
	union notice_answer answer;
};

/* Only starts of programs are seen without the report of denials, and no filter
 * of ours refuses those. */
static void
notices_answer(struct w_notices *notices)
{
	const struct seccomp_notif *notif = &notices->notice.notif;
	struct seccomp_notif_resp *resp = &notices->answer.resp;

	notices->answer = (union notice_answer){.room = {0}};
	resp->id = notif->id;
	if (notices->execve_watch != NULL &&
	    !w_execve_watch_allows(notices->execve_watch, notices->fd, notif))
		resp->error = -EACCES;
	else if (notices->denials != NULL)
		w_denials_answer(notices->denials, notices->fd, notif, resp);
	else
		resp->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	/* Fails when the process was killed meanwhile, which is fine. */
	(void)ioctl(notices->fd, SECCOMP_IOCTL_NOTIF_SEND, resp);
}

/* Fetching without a notification would block. */
static bool
notices_is_ready(const struct w_notices *notices)
{
	struct pollfd poll_in = {.fd = notices->fd, .events = POLLIN};

	return poll(&poll_in, 1, 0) == 1 && (poll_in.revents & POLLIN) != 0;
}

static void
on_notice(struct w_source *source, uint32_t events)
{
	struct w_notices *notices =
	    W_CONTAINER_OF(source, struct w_notices, source);

	const int turn =
	    notices->denials == NULL ? ANSWERS_ALONE : ANSWERS_TURN;

	for (int i = 0; i < turn && notices_is_ready(notices); i++) {
		notices->notice = (union notice){.room = {0}};
		if (ioctl(notices->fd, SECCOMP_IOCTL_NOTIF_RECV,
			&notices->notice.notif) == 0)
			notices_answer(notices);
	}
	/* No process has the filter any more. */
	if ((events & (EPOLLHUP | EPOLLERR)) != 0 && !notices_is_ready(notices))
		w_notices_stop(notices);
}

writ_status
w_notices_new(struct w_loop *loop, struct w_denials *denials,
    struct w_execve_watch *execve_watch, struct w_notices **out_notices,
    writ_error *err)
{
	struct seccomp_notif_sizes sizes = {0};

	/* Without seccomp at all, loading the filter reports that. */
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 &&
	    (sizes.seccomp_notif > ROOM || sizes.seccomp_notif_resp > ROOM))
		return w_fail(err, WRIT_E_SANDBOX, "sandbox", 0,
		    "the kernel says more about a refused call than this "
		    "version of writ understands");
	struct w_notices *notices = calloc(1, sizeof(*notices));
	if (notices == NULL)
		return w_fail_nomem(err, "sandbox");
	notices->fd = -1;
	notices->source = (struct w_source){.fd = -1, .fn = on_notice};
	notices->loop = loop;
	notices->denials = denials;
	notices->execve_watch = execve_watch;
	*out_notices = notices;
	return WRIT_OK;
}

bool
w_notices_listen(struct w_notices *notices, int *fd)
{
	if (notices->fd >= 0)
		return true;
	notices->fd = w_take_fd(fd);
	w_fd_lift(&notices->fd);
	(void)ioctl(notices->fd, SET_FLAGS, SYNC_WAKE_UP);
	notices->source.fd = notices->fd;
	if (w_loop_add(notices->loop, &notices->source, EPOLLIN) == 0)
		return true;
	notices->source.fd = -1;
	w_close(&notices->fd);
	return false;
}

void
w_notices_stop(struct w_notices *notices)
{
	if (notices == NULL)
		return;
	w_loop_remove(notices->loop, &notices->source);
	w_close(&notices->fd);
}

void
w_notices_free(struct w_notices *notices)
{
	if (notices == NULL)
		return;
	w_notices_stop(notices);
	free(notices);
}
