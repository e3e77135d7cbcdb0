/* SPDX-License-Identifier: Apache-2.0 */

/* Starts the holder of a session; helper/session_holder.c is the other side. */

#include "run/held/held_start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "os/loop.h"
#include "run/held/held_dir.h"
#include "run/helper/holder_protocol.h"
#include "run/home/home_store.h"
#include "run/launch/disk_tmp.h"
#include "run/launch/fork_server.h"
#include "run/launch/process_packet.h"

#define STAGE "session"

enum {
	ANSWER_MS = 5000
};

/* The descriptors that the holder is to keep: borrowed. The first is the
 * listening socket, the second the charter. */
struct held_start_fds {
	int fds[W_HOLDER_SENT_MAX];
	size_t count;
	size_t quiet; /* behind the first two */
};

static void
collect_fds(const struct w_session_walls *walls, struct w_held_charter *charter,
    struct held_start_fds *out)
{
	int places[W_SESSION_FDS];

	w_session_walls_places(walls, places);
	charter->places = 0;
	out->count = 2;
	for (int i = 0; i < W_SESSION_LINES; i++) {
		if (walls->lines[i] >= 0)
			out->fds[out->count++] = walls->lines[i];
	}
	out->quiet = out->count - 2;
	for (int i = 0; i < W_SHARED_CONNECTS; i++)
		(void)stpcpy(
		    charter->connects[i], walls->shared.connects[i].path);
	for (int i = 0; i < W_SESSION_FDS; i++) {
		if (places[i] < 0)
			continue;
		charter->places |= 1U << i;
		out->fds[out->count++] = places[i];
	}
	charter->has_disk = walls->disk != NULL;
	if (walls->disk != NULL)
		out->fds[out->count++] = walls->disk->dir_fd;
	charter->has_home = walls->home != NULL && walls->home_fd >= 0;
	charter->home_kind =
	    charter->has_home != 0 ? walls->home_kind : W_HOME_NONE;
	if (charter->has_home != 0)
		out->fds[out->count++] = walls->home->dir.fd;
	if (charter->hosts[0] != '\0')
		out->fds[out->count++] = walls->relay.control;
}

static writ_status
fill_charter(const struct w_session_walls *walls,
    struct w_held_charter *charter, writ_error *err)
{
	charter->magic = W_HELD_MAGIC;
	charter->version = W_HELD_VERSION;
	charter->size = sizeof(*charter);
	charter->tmp_size = walls->tmp_size;
	charter->began_us = w_unix_us();
	charter->disk_path[0] = '\0';
	if (walls->disk != NULL &&
	    strlen(walls->disk->path) < sizeof(charter->disk_path))
		(void)stpcpy(charter->disk_path, walls->disk->path);
	charter->home_path[0] = '\0';
	charter->home_dir[0] = '\0';
	if (charter->has_home != 0 &&
	    strlen(walls->home->home) < sizeof(charter->home_path) &&
	    strlen(walls->home->dir.path) < sizeof(charter->home_dir)) {
		(void)stpcpy(charter->home_path, walls->home->home);
		(void)stpcpy(charter->home_dir, walls->home->dir.path);
	}
	return w_held_charter_is_valid(charter, sizeof(*charter), NULL)
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_INVALID, STAGE, 0,
			 "the path of the working directory or the name of the "
			 "agent cannot be kept for a session");
}

/* It answers when it listens. */
static int
await_holder(int socket)
{
	const uint64_t end_ns = w_now_ns() + (uint64_t)ANSWER_MS * W_NS_PER_MS;
	struct pollfd poll_in = {.fd = socket, .events = POLLIN};
	struct w_holder_start start;

	for (;;) {
		const uint64_t now_ns = w_now_ns();

		if (now_ns >= end_ns)
			return ETIMEDOUT;
		const int ready = poll(
		    &poll_in, 1, (int)((end_ns - now_ns) / W_NS_PER_MS) + 1);
		const ssize_t n = ready > 0 ? recv(socket, &start,
						  sizeof(start), MSG_DONTWAIT)
					    : ready;
		if (n == (ssize_t)sizeof(start))
			return 0;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return errno;
		if (ready > 0 && n >= 0)
			return EPROTO;
	}
}

/* The last step of a start: from here on the holder lives. One that does not
 * hear of it ends. */
static int
tell_holder(int socket, const struct w_holder_start *start)
{
	ssize_t n;

	do
		n = send(socket, start, sizeof(*start), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*start) ? 0 : n < 0 ? errno : EPROTO;
}

static writ_status
spawn_holder(struct w_launcher *launcher, const struct w_held_charter *charter,
    struct held_start_fds *fds, writ_error *err)
{
	struct w_holder_start start = {
	    .magic = W_HOLDER_MAGIC,
	    .version = W_HOLDER_VERSION,
	    .idle_ms = charter->idle_ms,
	    .lifetime_ms = charter->lifetime_ms,
	    .quiet = (uint32_t)fds->quiet,
	};
	const struct w_fd_message message = {.bytes = &start,
	    .len = sizeof(start),
	    .fds = fds->fds,
	    .count = fds->count};
	struct w_attempt attempt = {.error = 0};
	struct w_child child = {.pidfd = -1};
	struct w_child_exit ended;
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;

	attempt.error = w_fd_pair(&ours, &theirs);
	const struct w_helper_role as = {
	    .role = W_ROLE_SESSION_HOLDER,
	    .text = charter->name,
	    .socket = theirs,
	    .spec_socket = -1,
	};
	if (attempt.error == 0)
		w_helper_spawn(launcher, NULL, &as, &child, &attempt);
	w_close(&theirs);
	if (attempt.error == 0)
		attempt.error = w_fd_message_send(ours, &message);
	if (attempt.error == 0)
		attempt.error = await_holder(ours);
	if (attempt.error == 0)
		attempt.error = tell_holder(ours, &start);
	/* The holder is a child of that child, which has ended. */
	if (child.pidfd >= 0 && attempt.error == 0)
		w_child_reap(&child, &ended);
	else
		w_child_kill_and_reap(&child);
	return attempt.error == 0
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_SYSTEM, STAGE, attempt.error,
			 "cannot start the holder of session '%s'",
			 charter->name);
}

writ_status
w_held_start(struct w_launcher *launcher, int dir_fd,
    struct w_session_walls *walls, struct w_held_charter *charter,
    writ_error *err)
{
	struct held_start_fds fds;

	collect_fds(walls, charter, &fds);
	writ_status status = fill_charter(walls, charter, err);
	if (status == WRIT_OK)
		status = w_launcher_need_helper(launcher, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int file =
	    w_memfd_sealed("writ-session", charter, sizeof(*charter));
	if (file < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -file,
		    "cannot make a memory file");
	int bound = w_held_dir_bind(dir_fd, charter->name);
	if (bound < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -bound,
		    "cannot make the socket of session '%s'", charter->name);
	fds.fds[0] = bound;
	fds.fds[1] = file;
	status = spawn_holder(launcher, charter, &fds, err);
	w_close(&bound);
	if (status != WRIT_OK)
		(void)unlinkat(dir_fd, charter->name, 0);
	else if (walls->disk != NULL)
		walls->disk->is_lent = true;
	if (status == WRIT_OK && charter->has_home != 0)
		walls->home->is_lent = true;
	return status;
}
