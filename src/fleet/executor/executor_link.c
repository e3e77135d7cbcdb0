/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The child that talks to the network: writ-agentd. Where root runs the
 * executor, it is another user without any group or right. It dies with the
 * executor and is started again when it dies, later each time; runs go on
 * meanwhile.
 */

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "fleet/executor/executor.h"

#define STAGE       "agentd"
#define PROGRAM     "writ-agentd"
#define LINK_FD     3
#define OUT_MAX     ((size_t)64 << 20)
#define IN_MAX      (W_FLEET_FRAME_MAX + 4096)
#define WAIT_MAX_MS 30000
#define STEADY_MS   10000

struct link_identity {
	bool is_changed;
	uid_t uid;
	gid_t gid;
};

static writ_status
find_identity(const char *user, struct link_identity *out, writ_error *err)
{
	static const char *const usual[] = {"writ-agentd", "nobody", NULL};
	const struct passwd *found = NULL;

	*out = (struct link_identity){.is_changed = false};
	if (geteuid() != 0)
		return WRIT_OK;
	if (user != NULL)
		found = getpwnam(user);
	for (size_t i = 0; user == NULL && found == NULL && usual[i] != NULL;
	     i++)
		found = getpwnam(usual[i]);
	if (found == NULL || found->pw_uid == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is no user '%s' without rights for it",
		    user == NULL ? "writ-agentd" : user);
	*out = (struct link_identity){true, found->pw_uid, found->pw_gid};
	return WRIT_OK;
}

/* Between fork and exec: system calls alone. */
static _Noreturn void
become_child(const char *program, int fd, const struct link_identity *identity,
    pid_t parent)
{
	static char word[] = PROGRAM, option[] = "--link";
	char *const argv[] = {word, option, NULL};
	char *const envp[] = {NULL};
	sigset_t none;

	(void)sigemptyset(&none);
	if (dup2(fd, LINK_FD) < 0 || chdir("/") < 0)
		_exit(126);
	if (close_range(LINK_FD + 1, ~0U, 0) < 0)
		_exit(126);
	if (identity->is_changed &&
	    (setgroups(0, NULL) < 0 ||
		setresgid(identity->gid, identity->gid, identity->gid) < 0 ||
		setresuid(identity->uid, identity->uid, identity->uid) < 0))
		_exit(126);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(126);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execve(program, argv, envp);
	_exit(127);
}

static writ_status
add_config(struct w_executor *executor, struct w_buf *text, writ_error *err)
{
	struct w_fleet_key key;
	char seed[W_FLEET_NKEY_MAX];
	char public_key[W_FLEET_NKEY_MAX];
	W_AUTO_BUF struct w_buf ca;

	w_buf_init(&ca, W_FLEET_FILE_MAX);
	writ_status status = WRIT_OK;
	if (executor->host.ca != NULL)
		status = w_fleet_file_read(executor->host.ca, &ca, err);
	if (status == WRIT_OK)
		status =
		    w_fleet_key_read_private(executor->paths.nkey, &key, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_nkey_seed(&key, seed);
	w_fleet_nkey_public(&key, public_key);
	w_fleet_key_done(&key);
	w_buf_add_char(text, '{');
	w_json_add_text_member(text, "server", executor->host.server);
	w_json_add_path_member(
	    text, "ca", executor->host.ca == NULL ? NULL : ca.data);
	w_json_add_text_member(text, "host", executor->host.name);
	w_json_add_text_member(text, "collective", executor->host.collective);
	w_json_add_text_member(text, "nkey", public_key);
	w_json_add_text_member(text, "seed", seed);
	w_buf_add_char(text, '}');
	explicit_bzero(seed, sizeof(seed));
	return text->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
start_child(struct w_executor *executor, writ_error *err)
{
	struct executor_link *link = &executor->link;
	char program[W_FLEET_PATH_MAX];
	struct link_identity identity;
	const pid_t parent = getpid();
	int ends[2];

	if (!w_executor_program(PROGRAM, program))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the program " PROGRAM " is not installed");
	writ_status status = find_identity(executor->host.user, &identity, err);
	if (status != WRIT_OK)
		return status;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot make a socket pair");
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	pid_t pid = fork();
	if (pid == 0)
		become_child(program, ends[1], &identity, parent);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot start '%s'", program);
	}
	link->pid = pid;
	link->fd = ends[0];
	link->started_ms = w_executor_clock_ms();
	w_buf_init(&link->in, IN_MAX);
	w_buf_init(&link->out, OUT_MAX);
	return WRIT_OK;
}

/* Twice as long after each failure, with chance in it: a thousand hosts must
 * not come back at once. */
static void
set_next_start(struct executor_link *link)
{
	const uint64_t now_ms = w_executor_clock_ms();
	uint32_t chance = 0;
	uint64_t wait_ms = UINT64_C(200)
			   << (link->failures < 8 ? link->failures : 8);

	if (now_ms - link->started_ms > STEADY_MS)
		link->failures = 0;
	link->failures++;
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) < 0)
		chance = 0;
	if (wait_ms > WAIT_MAX_MS)
		wait_ms = WAIT_MAX_MS;
	link->next_start_ms = now_ms + wait_ms / 2 + chance % (wait_ms / 2);
}

void
w_executor_link_end(struct w_executor *executor)
{
	struct executor_link *link = &executor->link;

	if (link->pid == 0)
		return;
	w_close(&link->fd);
	(void)kill(link->pid, SIGKILL);
	(void)waitpid(link->pid, NULL, 0);
	link->pid = 0;
	w_buf_done(&link->in);
	explicit_bzero(link->out.data, link->out.len);
	w_buf_done(&link->out);
	set_next_start(link);
	/* What it had not acknowledged is sent to the next one. */
	executor->sent_count = 0;
	for (size_t i = 0; i < w_fleet_ledger_count(executor->ledger); i++)
		w_fleet_ledger_at(executor->ledger, i)->is_sent = false;
}

writ_status
w_executor_link_start(struct w_executor *executor, writ_error *err)
{
	struct executor_link *link = &executor->link;
	W_AUTO_BUF struct w_buf config;

	w_buf_init(&config, W_FLEET_FRAME_MAX);
	if (link->pid != 0 || w_executor_clock_ms() < link->next_start_ms)
		return WRIT_OK;
	writ_status status = add_config(executor, &config, err);
	if (status == WRIT_OK)
		status = start_child(executor, err);
	if (status == WRIT_OK)
		w_executor_send(executor, W_FLEET_FRAME_CONFIG, "-",
		    config.data, config.len);
	else
		set_next_start(link);
	explicit_bzero(config.data, config.len);
	if (status == WRIT_OK)
		w_executor_publish(executor);
	return status;
}

void
w_executor_send(struct w_executor *executor, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len)
{
	if (executor->link.pid != 0)
		w_fleet_frame_add(&executor->link.out, kind, word, bytes, len);
}

static bool
write_out(struct executor_link *link)
{
	if (link->out.failed)
		return false; /* it takes nothing any more */
	while (link->out.len > 0) {
		ssize_t put =
		    send(link->fd, link->out.data, link->out.len, MSG_NOSIGNAL);

		if (put < 0)
			return errno == EAGAIN || errno == EINTR;
		link->out.len -= (size_t)put;
		memmove(
		    link->out.data, link->out.data + put, link->out.len + 1);
	}
	return true;
}

static void
take_published(struct w_executor *executor, const char *id)
{
	const struct w_fleet_entry *entry =
	    w_fleet_ledger_find(executor->ledger, id);
	writ_error err;

	if (entry == NULL || entry->state != W_FLEET_DONE || !entry->is_sent)
		return;
	if (w_fleet_ledger_publish(executor->ledger, id, &err) != WRIT_OK)
		return; /* it is sent again by the next child */
	if (executor->sent_count > 0)
		executor->sent_count--;
	w_executor_publish(executor);
}

/* false: it sent what it may not send. */
static bool
take_frame(struct w_executor *executor, const struct w_fleet_frame *frame)
{
	switch (frame->kind) {
	case W_FLEET_FRAME_WORK:
	case W_FLEET_FRAME_LIVE:
		w_executor_take(executor, frame);
		return true;
	case W_FLEET_FRAME_PUBLISHED:
		take_published(executor, frame->word);
		return true;
	case W_FLEET_FRAME_ACCEPTED:
	case W_FLEET_FRAME_DECLINED:
	case W_FLEET_FRAME_RESULT:
	case W_FLEET_FRAME_REPLY:
	case W_FLEET_FRAME_EVENT:
	case W_FLEET_FRAME_STATE:
	case W_FLEET_FRAME_CONFIG:
		break;
	}
	return false;
}

static bool
read_in(struct w_executor *executor)
{
	struct executor_link *link = &executor->link;
	struct w_fleet_frame frame;
	char part[8192];
	size_t used = 0;
	size_t at = 0;
	writ_error err;
	ssize_t got = recv(link->fd, part, sizeof(part), 0);

	if (got <= 0)
		return got < 0 && (errno == EAGAIN || errno == EINTR);
	w_buf_add(&link->in, part, (size_t)got);
	if (link->in.failed)
		return false;
	do {
		if (w_fleet_frame_read(link->in.data + at, link->in.len - at,
			&frame, &used, &err) != WRIT_OK)
			return false;
		if (used > 0 && !take_frame(executor, &frame))
			return false;
		at += used;
	} while (used > 0);
	link->in.len -= at;
	memmove(link->in.data, link->in.data + at, link->in.len + 1);
	return true;
}

bool
w_executor_link_work(struct w_executor *executor, short events)
{
	if ((events & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_in(executor))
		return false;
	return write_out(&executor->link);
}
