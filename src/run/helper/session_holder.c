/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The holder of a named session: a process that keeps its descriptors.
 *
 *     starter ---- first packet: listening socket, charter, namespaces ...
 *        <-------- the same packet back: it listens
 *        --------- the same packet again: the starter has heard that
 *     (the starter exits)
 *
 * Until the third packet the session is the starter's. At end of file, or if
 * nothing comes, the holder ends: the starter has told its caller that there
 * is no session.
 *
 *     a run   ---- JOIN ---------------------------->  holder
 *        <-------- charter, saved state, namespaces --
 *        ========= the connection stays open =========
 *     end of file: the session has ended, and the run is killed by its engine
 *
 * It runs no command and reads no file but its own state and that of those who
 * ask. When it ends, however it does, the kernel frees what it kept, and every
 * run of the session sees the end of its connection. It ends by itself when
 * nobody has used the session for a while, and at the end of its lifetime.
 *
 * A client that says nothing, or that does not take its answer, never keeps it
 * waiting: all sockets are non-blocking, and an answer is one packet.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/stat.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/holder_protocol.h"

enum {
	BACKLOG = 64,
	/* For a first question. */
	SILENCE_MS = 5000,
	/* At the end, for those that have joined. */
	LEAVE_MS = 5000,
	/* For the starter, which has only to read and to send by then. */
	HEARD_MS = 20000,
	SEALS = 0x0f /* seal, shrink, grow, write */
};

enum {
	STARTED_LISTENER,
	STARTED_CHARTER,
	STARTED_FIRST /* of the session */
};

struct holder_client {
	int fd; /* -1: free */
	int has_joined;
	uint64_t since_ms; /* it came */
};

static struct session_keeper {
	int listener; /* -1: it ends */
	int charter;
	int saved; /* -1: none yet */
	int kept[W_HOLDER_FDS_MAX];
	size_t kept_count;
	uint64_t idle_ms;
	uint64_t idle_since_ms;
	uint64_t end_ms; /* of its lifetime; when it ends, of the wait */
	int ender;       /* who asked for the end; -1: nobody */
	uint32_t runs;
	struct holder_client clients[W_HOLDER_CLIENTS];
} holder;

static uint64_t
holder_now_ms(void)
{
	struct timespec now = {0};

	(void)w_sys2(__NR_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- answers ---- */

static long
holder_answer(int socket, enum w_holder_word word, int has_fds)
{
	const uint64_t now_ms = holder_now_ms();
	struct w_holder_answer answer = {
	    .magic = W_HOLDER_MAGIC,
	    .version = W_HOLDER_VERSION,
	    .word = word,
	    .runs = holder.runs,
	    .has_saved = has_fds && holder.saved >= 0,
	    .idle_ms = holder.runs > 0 ? 0 : now_ms - holder.idle_since_ms,
	    .left_ms = holder.end_ms > now_ms ? holder.end_ms - now_ms : 0,
	};
	int fds[W_HOLDER_SENT_MAX];
	size_t count = 0;

	if (has_fds)
		fds[count++] = holder.charter;
	if (answer.has_saved)
		fds[count++] = holder.saved;
	for (size_t i = 0; has_fds && i < holder.kept_count; i++)
		fds[count++] = holder.kept[i];
	return send_fds(socket, &answer, sizeof(answer), fds, count);
}

static void
holder_drop(struct holder_client *client)
{
	(void)w_sys1(__NR_close, client->fd);
	client->fd = -1;
	if (!client->has_joined)
		return;
	client->has_joined = 0;
	if (--holder.runs == 0)
		holder.idle_since_ms = holder_now_ms();
}

/* ---- questions ---- */

/* Nobody can change it any more, and reading it takes no memory to speak of. */
static int
is_sealed_memory(int fd)
{
	const long seals = w_sys3(__NR_fcntl, fd, F_GET_SEALS, 0);
	struct statx st;

	return seals >= 0 && (seals & SEALS) == SEALS &&
	       w_sys5(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_SIZE, &st) ==
		   0 &&
	       st.stx_size <= W_HOLDER_SAVED_MAX;
}

static long
holder_save(struct holder_client *client, int fd)
{
	if (!client->has_joined || !is_sealed_memory(fd)) {
		(void)w_sys1(__NR_close, fd);
		return holder_answer(client->fd, W_HOLDER_BAD, 0);
	}
	if (holder.saved >= 0)
		(void)w_sys1(__NR_close, holder.saved);
	holder.saved = fd;
	return holder_answer(client->fd, W_HOLDER_OK, 0);
}

/* Nobody joins any more; those that have are told by the end of what they
 * read. */
static void
holder_begin_end(struct holder_client *client)
{
	if (holder.listener < 0)
		return;
	(void)w_sys1(__NR_close, holder.listener);
	holder.listener = -1;
	holder.ender = client == NULL ? -1 : client->fd;
	holder.end_ms = holder_now_ms() + LEAVE_MS;
	for (int i = 0; i < W_HOLDER_CLIENTS; i++) {
		if (holder.clients[i].fd >= 0 && holder.clients[i].has_joined)
			(void)w_sys2(
			    __NR_shutdown, holder.clients[i].fd, SHUT_WR);
	}
}

static long
holder_join(struct holder_client *client)
{
	holder.runs += !client->has_joined;
	client->has_joined = 1;
	return holder_answer(client->fd, W_HOLDER_OK, 1);
}

/* Negative: the client is dropped. */
static long
holder_serve(
    struct holder_client *client, const struct w_holder_ask *ask, int fd)
{
	if (holder.listener < 0) {
		if (fd >= 0)
			(void)w_sys1(__NR_close, fd);
		return -ESHUTDOWN;
	}
	switch (ask->kind) {
	case W_HOLDER_JOIN:
		return holder_join(client);
	case W_HOLDER_LOOK:
		return holder_answer(client->fd, W_HOLDER_OK, 1);
	case W_HOLDER_SAVE:
		return holder_save(client, fd);
	default:
		holder_begin_end(client);
		return 0;
	}
}

static void
holder_read(struct holder_client *client)
{
	struct w_holder_ask ask;
	int fds[2] = {-1, -1};
	size_t count = 2;

	const long n = receive_fds(client->fd, &ask, sizeof(ask), fds, &count);
	if (n == -EINTR || n == -EAGAIN)
		return;
	const int is_valid =
	    n > 0 && w_holder_ask_is_valid(&ask, (size_t)n, count);
	for (size_t i = 0; !is_valid && i < count; i++)
		(void)w_sys1(__NR_close, fds[i]);
	if (is_valid && holder_serve(client, &ask, fds[0]) >= 0)
		return;
	if (client->fd == holder.ender)
		holder.ender = -1;
	holder_drop(client);
}

/* ---- clients ---- */

static void
holder_accept(void)
{
	const long fd = w_sys4(__NR_accept4, holder.listener, NULL, NULL,
	    SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (int i = 0; i < W_HOLDER_CLIENTS; i++) {
		struct holder_client *client = &holder.clients[i];

		if (client->fd >= 0)
			continue;
		if (!holder_peer_is_trusted((int)fd))
			break;
		*client = (struct holder_client){
		    .fd = (int)fd, .since_ms = holder_now_ms()};
		return;
	}
	(void)holder_answer((int)fd,
	    holder_peer_is_trusted((int)fd) ? W_HOLDER_FULL : W_HOLDER_REFUSED,
	    0);
	(void)w_sys1(__NR_close, fd);
}

/* Those that never asked. */
static void
holder_drop_silent(uint64_t now_ms)
{
	for (int i = 0; i < W_HOLDER_CLIENTS; i++) {
		struct holder_client *client = &holder.clients[i];

		if (client->fd >= 0 && !client->has_joined &&
		    client->fd != holder.ender &&
		    now_ms - client->since_ms > SILENCE_MS)
			holder_drop(client);
	}
}

/* Returns how long to wait at most. Ends the process when it is time. */
static uint64_t
holder_check_time(void)
{
	const uint64_t now_ms = holder_now_ms();
	uint64_t due_ms = holder.end_ms;
	int is_waiting = 0;

	holder_drop_silent(now_ms);
	if (holder.listener < 0 && (holder.runs == 0 || now_ms >= due_ms)) {
		if (holder.ender >= 0)
			(void)holder_answer(holder.ender, W_HOLDER_OK, 0);
		quit(0);
	}
	if (holder.listener >= 0 && holder.runs == 0 &&
	    holder.idle_since_ms + holder.idle_ms < due_ms)
		due_ms = holder.idle_since_ms + holder.idle_ms;
	for (int i = 0; i < W_HOLDER_CLIENTS; i++)
		is_waiting |=
		    holder.clients[i].fd >= 0 && !holder.clients[i].has_joined;
	if (holder.listener >= 0 && now_ms >= due_ms) {
		holder_begin_end(NULL);
		return 0;
	}
	const uint64_t wait_ms = due_ms - now_ms;
	return is_waiting && wait_ms > SILENCE_MS ? SILENCE_MS : wait_ms;
}

static void
holder_step(void)
{
	static struct pollfd polls[W_HOLDER_CLIENTS + 1];
	const uint64_t wait_ms = holder_check_time();
	const struct timespec wait = {
	    .tv_sec = (time_t)(wait_ms / 1000),
	    .tv_nsec = (long)(wait_ms % 1000) * 1000000,
	};

	for (int i = 0; i < W_HOLDER_CLIENTS; i++)
		polls[i] = (struct pollfd){
		    .fd = holder.clients[i].fd, .events = POLLIN};
	polls[W_HOLDER_CLIENTS] =
	    (struct pollfd){.fd = holder.listener, .events = POLLIN};
	if (w_sys5(__NR_ppoll, polls, W_HOLDER_CLIENTS + 1, &wait, NULL, 0) <=
	    0)
		return;
	for (int i = 0; i < W_HOLDER_CLIENTS; i++) {
		if (polls[i].revents != 0 &&
		    polls[i].fd == holder.clients[i].fd)
			holder_read(&holder.clients[i]);
	}
	if (polls[W_HOLDER_CLIENTS].revents != 0 && holder.listener >= 0)
		holder_accept();
}

/* ---- start ---- */

static void
holder_take_over(
    const struct w_holder_start *start, const int *fds, size_t count)
{
	const uint64_t now_ms = holder_now_ms();

	holder.listener = fds[STARTED_LISTENER];
	holder.charter = fds[STARTED_CHARTER];
	holder.saved = -1;
	holder.ender = -1;
	holder.idle_ms = start->idle_ms;
	holder.idle_since_ms = now_ms;
	holder.end_ms = now_ms + start->lifetime_ms;
	/* Those before stay open, and close with this process. */
	for (size_t i = STARTED_FIRST + start->quiet; i < count; i++)
		holder.kept[holder.kept_count++] = fds[i];
	for (int i = 0; i < W_HOLDER_CLIENTS; i++)
		holder.clients[i].fd = -1;
}

/* Leaves the starter: its session, its directory, and being its child. */
static void
holder_leave_starter(void)
{
	const long pid = w_sys5(__NR_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid != 0)
		quit(pid < 0 ? 125 : 0);
	(void)w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)w_sys5(__NR_prctl, PR_SET_NAME, "writ-session", 0, 0, 0);
	(void)w_sys1(__NR_chdir, "/");
	if (w_sys0(__NR_setsid) < 0)
		quit(125);
}

/* A signal can be what interrupted the wait, or the packet. */
static int
holder_is_heard(const struct w_holder_start *start)
{
	const struct timespec wait = {.tv_sec = HEARD_MS / 1000};
	struct pollfd poll_in = {.fd = W_HELPER_SOCKET_FD, .events = POLLIN};
	struct w_holder_start heard = {0};
	long n;

	do {
		n = w_sys5(__NR_ppoll, &poll_in, 1, &wait, NULL, 0);
		if (n > 0)
			n = w_sys5(__NR_recvfrom, W_HELPER_SOCKET_FD, &heard,
			    sizeof(heard), MSG_DONTWAIT, NULL);
		else if (n == 0)
			return 0;
	} while (n == -EINTR || n == -EAGAIN);
	return n == sizeof(heard) && heard.magic == start->magic;
}

_Noreturn void
session_holder(void)
{
	struct w_holder_start start = {0};
	int fds[W_HOLDER_SENT_MAX];
	size_t count = W_HOLDER_SENT_MAX;

	const long n =
	    receive_fds(W_HELPER_SOCKET_FD, &start, sizeof(start), fds, &count);
	if (n != sizeof(start) || start.magic != W_HOLDER_MAGIC ||
	    start.version != W_HOLDER_VERSION ||
	    start.quiet > W_HOLDER_QUIET_MAX ||
	    count <= STARTED_FIRST + start.quiet ||
	    count > STARTED_FIRST + start.quiet + W_HOLDER_FDS_MAX)
		quit(125);
	holder_leave_starter();
	holder_take_over(&start, fds, count);
	/* Here, so that those who connect learn the pid of this process. */
	if (w_sys2(__NR_listen, holder.listener, BACKLOG) < 0)
		quit(125);
	/* A starter that does not wait any longer removes the socket. */
	if (send_fds(W_HELPER_SOCKET_FD, &start, sizeof(start), NULL, 0) < 0 ||
	    !holder_is_heard(&start))
		quit(125);
	(void)w_sys1(__NR_close, W_HELPER_SOCKET_FD);
	(void)w_sys1(__NR_close, W_HELPER_ENGINE_FD);
	for (;;)
		holder_step();
}
