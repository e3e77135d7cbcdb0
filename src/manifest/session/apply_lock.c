/* SPDX-License-Identifier: Apache-2.0 */

/* The lock of an apply. */

#include "manifest/session/apply_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/pid_stat.h"
#include "log/log_format.h"
#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"
#include "manifest/session/session_state.h"

#define FILE_NAME     "apply.lock"
#define TEXT_MAX      4096
#define COMMAND_MAX   1024
#define ANCESTORS_MAX 64
#define PAUSE_NS      20000000
#define NS_PER_MS     UINT64_C(1000000)
#define NS_PER_S      UINT64_C(1000000000)

/* How long the children of a holder that has died are waited for. */
#define DYING_MS UINT64_C(10000)

/* ---- processes ---- */

/* pid 0: this process. */
static bool
read_pid_stat(pid_t pid, struct w_pid_stat *out_stat)
{
	char path[32] = "/proc/self/stat", text[1024];

	if (pid != 0)
		(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (len <= 0)
		return false;
	text[len] = '\0';
	return w_pid_stat_parse(text, out_stat);
}

static uint64_t
apply_lock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- who holds it ---- */

struct apply_holder {
	pid_t pid; /* 0: unknown */
	uint64_t start_ticks;
	char text[COMMAND_MAX]; /* for people */
};

static void
read_holder(int fd, struct apply_holder *out_holder)
{
	char text[TEXT_MAX];
	const ssize_t len = pread(fd, text, sizeof(text), 0);

	*out_holder = (struct apply_holder){.pid = 0};
	(void)snprintf(out_holder->text, sizeof(out_holder->text),
	    "it does not say which");
	if (len <= 0)
		return;
	yyjson_doc *doc = yyjson_read(text, (size_t)len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	const char *command = yyjson_get_str(yyjson_obj_get(root, "command"));
	const char *since = yyjson_get_str(yyjson_obj_get(root, "since"));
	const int64_t pid = yyjson_get_sint(yyjson_obj_get(root, "pid"));
	if (command != NULL && since != NULL && pid > 0 && pid <= INT32_MAX) {
		out_holder->pid = (pid_t)pid;
		out_holder->start_ticks =
		    yyjson_get_uint(yyjson_obj_get(root, "start"));
		(void)snprintf(out_holder->text, sizeof(out_holder->text),
		    "'%.800s' (pid %d, since %.19sZ)", command, (int)pid,
		    since);
	}
	yyjson_doc_free(doc);
}

static bool
holder_is_dead(const struct apply_holder *holder)
{
	struct w_pid_stat now;

	if (holder->pid == 0)
		return false;
	if (!read_pid_stat(holder->pid, &now))
		return kill(holder->pid, 0) < 0 && errno == ESRCH;
	return w_pid_stat_is_zombie(&now) ||
	       now.start_ticks != holder->start_ticks;
}

/* Whether the holder waits for this process. The numbers are those of /proc,
 * which a command in a pid namespace of its own may share with the holder. */
static bool
holder_is_above(const struct apply_holder *holder)
{
	struct w_pid_stat now;

	if (holder->pid == 0 || holder_is_dead(holder) ||
	    !read_pid_stat(0, &now))
		return false;
	pid_t pid = (pid_t)now.parent;
	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
		if (pid == holder->pid)
			return true;
		if (!read_pid_stat(pid, &now))
			return false;
		pid = (pid_t)now.parent;
	}
	return false;
}

/* ---- the file ---- */

static writ_status
open_lock(const char *state_dir, int *out_fd, writ_error *err)
{
	const int flags =
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat st;
	int error = w_manifest_session_make_dirs(state_dir);

	W_AUTO_FD int dir_fd =
	    error == 0 ? open(state_dir, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	W_AUTO_FD int fd =
	    dir_fd >= 0 ? openat(dir_fd, FILE_NAME, flags, 0600) : -1;
	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE,
		    error != 0 ? error : errno, "cannot open '%s/%s'",
		    state_dir, FILE_NAME);
	if (!S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    (st.st_uid != geteuid() && st.st_uid != 0)) {
		(void)w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
		    "'%s/%s' is not a file of yours", state_dir, FILE_NAME);
		w_suggest(err, "look who made it, and remove it");
		return WRIT_E_INVALID;
	}
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

/* Best effort: without it the message does not say who it is. */
static void
sign(int fd, const char *command)
{
	struct w_pid_stat own = {.start_ticks = 0};
	W_AUTO_BUF struct w_buf text;

	(void)read_pid_stat(getpid(), &own);
	w_buf_init(&text, TEXT_MAX - 1);
	w_event_add_number(&text, "{\"pid\":", (uint64_t)getpid());
	w_event_add_number(&text, ",\"start\":", own.start_ticks);
	w_event_add_time(&text, ",\"since\":", w_event_now_us());
	w_event_add_text(&text, ",\"command\":", command);
	w_buf_add_str(&text, "}\n");
	if (text.failed || ftruncate(fd, 0) < 0)
		return;
	(void)!pwrite(fd, text.data, text.len, 0);
}

/* ---- waiting ---- */

static writ_status
refuse(const struct w_apply_lock_options *options,
    const struct apply_holder *holder, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
	    "another apply is going on in '%.200s': %s", options->state_dir,
	    holder->text);
	w_suggest(err, "wait for it with --wait 5m, or look with --noop");
	return WRIT_E_INVALID;
}

/* Waits as long as is right, and a moment for what a dead one left. */
static writ_status
apply_lock_wait(const struct w_apply_lock_options *options, int fd,
    bool *out_is_part, writ_error *err)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	const uint64_t begun = apply_lock_now_ns();
	bool is_said = false;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		const uint64_t ms = (apply_lock_now_ns() - begun) / NS_PER_MS;
		struct apply_holder holder;

		if (errno != EWOULDBLOCK && errno != EINTR)
			return w_fail(err, WRIT_E_SYSTEM,
			    W_MANIFEST_SESSION_STAGE, errno,
			    "cannot lock '%s/%s'", options->state_dir,
			    FILE_NAME);
		read_holder(fd, &holder);
		*out_is_part = holder_is_above(&holder);
		if (*out_is_part)
			return WRIT_OK;
		const bool is_dead = holder_is_dead(&holder);
		if (ms >= options->wait_ms && !(is_dead && ms < DYING_MS))
			return refuse(options, &holder, err);
		if (!is_said && !is_dead && options->on_wait != NULL) {
			options->on_wait(options->ctx, holder.text);
			is_said = true;
		}
		(void)nanosleep(&pause, NULL);
	}
	return WRIT_OK;
}

writ_status
w_apply_lock_take(
    const struct w_apply_lock_options *options, int *out_fd, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	bool is_part = false;
	writ_status status = open_lock(options->state_dir, &fd, err);

	if (status == WRIT_OK)
		status = apply_lock_wait(options, fd, &is_part, err);
	if (status != WRIT_OK)
		return status;
	if (!is_part)
		sign(fd, options->command);
	*out_fd = is_part ? -1 : w_take_fd(&fd);
	return WRIT_OK;
}
