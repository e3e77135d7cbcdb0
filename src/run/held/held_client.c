/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the holder of a session; helper/session_holder.c answers. */

#include "run/held/held_client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/auto.h"
#include "os/fd_message.h"
#include "os/file.h"
#include "os/loop.h"
#include "run/held/held_dir.h"
#include "run/helper/holder_protocol.h"
#include "run/helper/protocol.h"

#define STAGE "session"

enum {
	/* Longer than a holder waits for those who are in the session. */
	END_MS = 8000,
	PAUSE_MS = 10
};

static int
pid_of_holder(int line)
{
	struct ucred peer = {.pid = 0};
	socklen_t len = sizeof(peer);

	return getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
		       peer.uid == geteuid()
		   ? peer.pid
		   : 0;
}

/* line: -1: it did not even accept. */
static writ_status
fail_silent(const char *name, int line, writ_error *err)
{
	const int pid = line < 0 ? 0 : pid_of_holder(line);

	if (pid > 0)
		(void)w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the holder of session '%s', process %d, does not answer: "
		    "it is stopped",
		    name, pid);
	else
		(void)w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the holder of session '%s' does not answer: it is stopped "
		    "or has too much to do",
		    name);
	if (pid > 0)
		w_suggest(err,
		    "kill -CONT %d, or end it: writ session end --force %s",
		    pid, name);
	else
		w_suggest(err, "writ session end --force %s", name);
	return WRIT_E_SYSTEM;
}

static writ_status
fail_form(const char *name, writ_error *err)
{
	(void)w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
	    "what the holder of session '%s' sent is not a session of this "
	    "writ: another version started it, or it was tampered with",
	    name);
	w_suggest(err, "writ session end --force %s", name);
	return WRIT_E_SYSTEM;
}

static writ_status
fail_word(const char *name, uint32_t word, writ_error *err)
{
	switch (word) {
	case W_HOLDER_FULL:
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "session '%s' is full: %d runs are in it", name,
		    W_HOLDER_CLIENTS);
	case W_HOLDER_REFUSED:
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the holder of session '%s' does not serve this process: "
		    "it has walls or namespaces that the holder does not have",
		    name);
	case W_HOLDER_BAD:
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "session '%s' does not take what was to be saved", name);
	default:
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "session '%s' is just ending", name);
	}
}

/* ---- packets ---- */

/* One whose queue of connections is full may be slow, or stopped. */
static writ_status
held_client_connect(
    int dir_fd, const char *name, int wait_ms, int *out_line, writ_error *err)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	int line = -EAGAIN;

	for (int i = 0; line == -EAGAIN && i <= wait_ms / PAUSE_MS; i++) {
		if (i > 0)
			(void)nanosleep(&pause, NULL);
		line = w_held_dir_connect(dir_fd, name);
	}
	if (line == -EAGAIN)
		return fail_silent(name, -1, err);
	if (line == -ENOENT || line == -ECONNREFUSED) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there is no session '%s'", name);
		w_suggest(err,
		    "writ session start %s; writ session list shows "
		    "those that there are",
		    name);
		return WRIT_E_NOTFOUND;
	}
	if (line < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -line,
		    "cannot reach session '%s'", name);
	if (pid_of_holder(line) <= 0) {
		w_close(&line);
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the holder of session '%s' is not this user's", name);
	}
	*out_line = line;
	return WRIT_OK;
}

static writ_status
held_client_ask(int line, const char *name, enum w_holder_kind kind, int fd,
    writ_error *err)
{
	struct w_holder_ask ask = {
	    .magic = W_HOLDER_MAGIC, .version = W_HOLDER_VERSION, .kind = kind};
	const struct w_fd_message message = {
	    .bytes = &ask, .len = sizeof(ask), .fds = &fd, .count = fd >= 0};
	const int error = w_fd_message_send(line, &message);

	if (error == EAGAIN)
		return fail_silent(name, line, err);
	/* One that refuses says so before it closes: the answer tells. */
	return error == 0 || error == EPIPE || error == ECONNRESET
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
			 "cannot ask the holder of session '%s'", name);
}

/* fds are yours on success. */
static writ_status
held_client_receive(int line, const char *name, int wait_ms,
    struct w_holder_answer *answer, int fds[W_HOLDER_SENT_MAX],
    size_t *out_count, writ_error *err)
{
	const uint64_t end_ns = w_now_ns() + (uint64_t)wait_ms * W_NS_PER_MS;
	struct pollfd poll_in = {.fd = line, .events = POLLIN};
	struct w_fd_message message = {
	    .bytes = answer, .len = sizeof(*answer), .fds = fds};
	bool was_reset = false;
	ssize_t n = -1;

	for (;;) {
		const uint64_t now_ns = w_now_ns();
		const int left_ms =
		    now_ns >= end_ns
			? 0
			: (int)((end_ns - now_ns) / W_NS_PER_MS) + 1;

		if (left_ms == 0 || poll(&poll_in, 1, left_ms) == 0)
			return fail_silent(name, line, err);
		message.count = W_HOLDER_SENT_MAX;
		n = w_fd_message_receive(line, 0, &message);
		/* One that refuses hangs up before it has read the question:
		 * the kernel tells that before the answer. */
		const bool is_first_reset =
		    n < 0 && errno == ECONNRESET && !was_reset;
		if (n >= 0 ||
		    (errno != EINTR && errno != EAGAIN && !is_first_reset))
			break;
		was_reset = was_reset || is_first_reset;
	}
	if (n == 0 || (n < 0 && errno == ECONNRESET)) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "session '%s' has just ended", name);
		return WRIT_E_NOTFOUND;
	}
	if (n > 0 &&
	    w_holder_answer_is_valid(answer, (size_t)n, message.count)) {
		*out_count = message.count;
		return WRIT_OK;
	}
	for (size_t i = 0; n >= 0 && i < message.count; i++)
		w_close(&fds[i]);
	return fail_form(name, err);
}

/* ---- what it keeps ---- */

static bool
read_charter(int fd, const char *name, struct w_held_charter *charter)
{
	const ssize_t n = pread(fd, charter, sizeof(*charter), 0);
	struct stat st;

	return n > 0 && fstat(fd, &st) == 0 && st.st_size == n &&
	       w_held_charter_is_valid(charter, (size_t)n, name);
}

static bool
read_saved(
    int fd, w_left_state_risky_fn is_risky, struct w_left_state *out_state)
{
	W_AUTO_FREE char *bytes = malloc(W_HOLDER_SAVED_MAX + 1);
	const ssize_t n =
	    bytes == NULL ? -1 : pread(fd, bytes, W_HOLDER_SAVED_MAX + 1, 0);

	return n > 0 &&
	       w_held_saved_read(bytes, (size_t)n, is_risky, out_state);
}

/* Takes the descriptors of the session. */
static writ_status
held_client_adopt(struct w_held *held, int *fds, size_t count, writ_error *err)
{
	const struct w_held_charter *charter = &held->charter;
	struct w_session_parts parts = {
	    .tmp_size = charter->tmp_size,
	    .disk_path = charter->has_disk != 0 ? charter->disk_path : NULL,
	    .disk_fd = -1,
	    .home_fd = -1,
	    .control = -1,
	    .home_path = charter->home_path,
	    .home_dir = charter->home_dir,
	    .home_kind = (enum w_home_kind)charter->home_kind,
	    .connects = charter->connects,
	};
	size_t at = 0;

	for (int i = 0; i < W_SESSION_FDS; i++) {
		const bool has_it = (charter->places >> i & 1) != 0;

		parts.fds[i] = has_it && at < count ? w_take_fd(&fds[at]) : -1;
		at += has_it;
	}
	if (charter->has_disk != 0 && at < count)
		parts.disk_fd = w_take_fd(&fds[at]);
	at += charter->has_disk;
	if (charter->has_home != 0 && at < count)
		parts.home_fd = w_take_fd(&fds[at]);
	at += charter->has_home;
	if (charter->hosts[0] != '\0' && at < count)
		parts.control = w_take_fd(&fds[at]);
	at += charter->hosts[0] != '\0';
	if (at == count)
		return w_session_walls_adopt(&parts, &held->walls, err);
	w_session_parts_close(&parts);
	return fail_form(charter->name, err);
}

static writ_status
held_client_take(struct w_held *held, const struct w_held_question *question,
    const struct w_holder_answer *answer, int *fds, size_t count,
    writ_error *err)
{
	const size_t first = 1 + answer->has_saved;

	if (count <= first ||
	    !read_charter(fds[0], question->name, &held->charter))
		return fail_form(question->name, err);
	if (answer->has_saved != 0)
		held->has_bad_saved =
		    !read_saved(fds[1], question->is_risky, &held->saved);
	held->runs = answer->runs;
	held->idle_ms = answer->idle_ms;
	held->left_ms = answer->left_ms;
	return held_client_adopt(held, fds + first, count - first, err);
}

void
w_held_done(struct w_held *held)
{
	if (held == NULL)
		return;
	w_session_walls_release(held->walls);
	w_left_state_done(&held->saved);
	w_close(&held->line);
	free(held);
}

writ_status
w_held_ask(int dir_fd, const struct w_held_question *question,
    struct w_held **out_held, writ_error *err)
{
	const char *name = question->name;
	struct w_holder_answer answer = {0};
	int fds[W_HOLDER_SENT_MAX];
	size_t count = 0;
	struct w_held *held = calloc(1, sizeof(*held));

	if (held == NULL)
		return w_fail_nomem(err, STAGE);
	held->line = -1;
	writ_status status = held_client_connect(
	    dir_fd, name, question->wait_ms, &held->line, err);
	if (status == WRIT_OK)
		status = held_client_ask(held->line, name,
		    question->joins ? W_HOLDER_JOIN : W_HOLDER_LOOK, -1, err);
	if (status == WRIT_OK)
		status = held_client_receive(held->line, name,
		    question->wait_ms, &answer, fds, &count, err);
	if (status == WRIT_OK && answer.word != W_HOLDER_OK)
		status = fail_word(name, answer.word, err);
	else if (status == WRIT_OK)
		status =
		    held_client_take(held, question, &answer, fds, count, err);
	for (size_t i = 0; i < count; i++)
		w_close(&fds[i]);
	if (status != WRIT_OK) {
		w_held_done(held);
		return status;
	}
	held->pid = pid_of_holder(held->line);
	*out_held = held;
	return WRIT_OK;
}

/* ---- saving, ending ---- */

writ_status
w_held_save(int line, const char *name, const struct w_left_state *saved,
    writ_error *err)
{
	struct w_holder_answer answer = {0};
	int fds[W_HOLDER_SENT_MAX];
	size_t count = 0;

	int fd = w_held_saved_write(saved);
	if (fd == -E2BIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the variables of session '%s' are more than 128 KiB",
		    name);
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -fd,
		    "cannot make a memory file");
	writ_status status =
	    held_client_ask(line, name, W_HOLDER_SAVE, fd, err);
	w_close(&fd);
	if (status == WRIT_OK)
		status = held_client_receive(
		    line, name, W_HELD_ANSWER_MS, &answer, fds, &count, err);
	for (size_t i = 0; i < count; i++)
		w_close(&fds[i]);
	return status != WRIT_OK || answer.word == W_HOLDER_OK
		   ? status
		   : fail_word(name, answer.word, err);
}

/* The process that accepted the connection, and no later one with its pid: it
 * has not ended, or the connection would have. -1: it has, or no descriptor is
 * left. */
static int
open_holder(int line)
{
	const int pid = pid_of_holder(line);
	struct pollfd hung_up = {.fd = line, .events = POLLHUP | POLLRDHUP};
	int pidfd = pid <= 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);

	if (pidfd >= 0 && poll(&hung_up, 1, 0) != 0)
		w_close(&pidfd);
	return pidfd;
}

/* It answers before it ends, and what it keeps is locked until then. */
static bool
await_gone(int holder)
{
	struct pollfd gone = {.fd = holder, .events = POLLIN};
	int ready;

	do
		ready = poll(&gone, 1, W_HELD_ANSWER_MS);
	while (ready < 0 && errno == EINTR);
	return ready == 1;
}

static bool
kill_holder(int holder)
{
	return holder >= 0 &&
	       syscall(SYS_pidfd_send_signal, holder, SIGKILL, NULL, 0) == 0 &&
	       await_gone(holder);
}

static writ_status
await_end(int line, const char *name, bool has_force, unsigned *out_left,
    writ_error *err)
{
	struct w_holder_answer answer = {0};
	int fds[W_HOLDER_SENT_MAX];
	size_t count = 0;
	writ_status status = held_client_receive(line, name,
	    has_force ? W_HELD_ANSWER_MS : END_MS, &answer, fds, &count, err);

	for (size_t i = 0; i < count; i++)
		w_close(&fds[i]);
	/* Somebody else's end was faster. */
	if (status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	if (status == WRIT_OK && answer.word == W_HOLDER_OK)
		*out_left = answer.runs;
	return status != WRIT_OK || answer.word == W_HOLDER_OK ||
		       answer.word == W_HOLDER_ENDING
		   ? status
		   : fail_word(name, answer.word, err);
}

writ_status
w_held_end(int dir_fd, const char *name, bool has_force, unsigned *out_left,
    writ_error *err)
{
	W_AUTO_FD int line = -1;
	unsigned left = 0;

	writ_status status =
	    held_client_connect(dir_fd, name, W_HELD_ANSWER_MS, &line, err);
	W_AUTO_FD int holder = status == WRIT_OK ? open_holder(line) : -1;
	if (status == WRIT_OK)
		status = held_client_ask(line, name, W_HOLDER_END, -1, err);
	if (status == WRIT_OK)
		status = await_end(line, name, has_force, &left, err);
	if (status == WRIT_OK && holder >= 0)
		(void)await_gone(holder);
	if (status == WRIT_E_SYSTEM && has_force && kill_holder(holder))
		status = WRIT_OK;
	if (status == WRIT_OK) {
		w_held_dir_clean(dir_fd, name);
		*out_left = left;
	}
	return status;
}
