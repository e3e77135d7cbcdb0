/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an explaining filter tells us; see denials.h. Everything that is read
 * from a process is bounded.
 */

#include "run/denials/denials.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "base/auto.h"
#include "run/denials/denial_context.h"
#include "run/denials/denial_syscalls.h"
#include "run/denials/target.h"
#include "sandbox/seccomp/seccomp_filter.h"

struct w_denials {
	int fd; /* of the listener, borrowed */
	struct w_run_result *storage;
	struct w_denial_context context;
	struct w_seccomp_filter plain; /* the filter that decides */
	struct w_denial found_denial;
};

/* ---- what other layers deny ---- */

/* Whether the process still waits. If not, the pid may have been reused, and
 * what was read is worthless. */
static bool
is_waiting(const struct w_denials *denials, const struct seccomp_notif *notif)
{
	uint64_t id = notif->id;

	return ioctl(denials->fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

static void
denials_note(struct w_denials *denials, const char *call, const char *what)
{
	const struct w_denial *found_denial = &denials->found_denial;
	const writ_denial denial = {
	    .layer = found_denial->layer,
	    .call = call,
	    .what = what,
	    .path = found_denial->path[0] == '\0' ? NULL : found_denial->path,
	    .hint = found_denial->hint[0] == '\0' ? NULL : found_denial->hint,
	    .count = 1,
	};

	w_run_result_add_denial(denials->storage, &denial);
}

/* One notification. */
struct denials_look {
	struct w_denials *denials;
	const struct seccomp_notif *notif;
	const struct w_syscall_use *call;
};

static pid_t
pid_of(const struct denials_look *look)
{
	return (pid_t)look->notif->pid;
}

static uint64_t
arg(const struct denials_look *look, int index)
{
	return look->notif->data.args[index];
}

/* The absolute path that a call names. */
static bool
read_path(const struct denials_look *look, char out_path[PATH_MAX])
{
	const struct w_syscall_use *call = look->call;
	int dir = call->dir == W_SYSCALL_NO_ARG ? AT_FDCWD
						: (int)arg(look, call->dir);
	char path[PATH_MAX] = "";

	/* Some calls accept NULL for the descriptor itself. */
	if (call->path != W_SYSCALL_NO_ARG && arg(look, call->path) != 0 &&
	    !w_target_text(pid_of(look), arg(look, call->path), path))
		return false;
	if (path[0] == '\0' && dir == AT_FDCWD)
		return false;
	return w_target_resolve(pid_of(look), dir, path, out_path);
}

static bool
denials_judge(const struct denials_look *look, const char *path,
    enum w_operation operation, bool follows)
{
	const struct w_denial_query use = {
	    .path = path,
	    .operation = operation,
	    .follows = follows,
	    .pid = pid_of(look),
	};

	return w_denial_find(
	    &look->denials->context, &use, &look->denials->found_denial);
}

/* Whether the sandbox denies it; then it is recorded. */
static bool
look_at_path(
    const struct denials_look *look, enum w_operation operation, bool follows)
{
	char path[PATH_MAX];

	if (!read_path(look, path) ||
	    !denials_judge(look, path, operation, follows) ||
	    !is_waiting(look->denials, look->notif))
		return false;
	denials_note(
	    look->denials, look->call->name, w_operation_word(operation));
	return true;
}

/* With O_CREAT, a file that does not exist would be created. */
static void
look_at_open(const struct denials_look *look)
{
	int at = look->call->flags;
	uint64_t flags = at == W_SYSCALL_NO_ARG ? O_CREAT | O_WRONLY | O_TRUNC
						: (uint32_t)arg(look, at);
	bool follows = (flags & O_NOFOLLOW) == 0;

	if (!look_at_path(look, w_syscall_open_operation(flags), follows) &&
	    (flags & O_CREAT) != 0)
		(void)look_at_path(look, W_OPERATION_CREATE, follows);
}

/* Only names in a file system; not abstract or unnamed sockets. */
static void
look_at_socket_path(
    const struct denials_look *look, const struct sockaddr_un *name)
{
	char path[PATH_MAX];
	char text[sizeof(name->sun_path) + 1] = "";

	memcpy(text, name->sun_path, sizeof(name->sun_path));
	if (text[0] != '\0' &&
	    w_target_resolve(pid_of(look), AT_FDCWD, text, path) &&
	    denials_judge(
		look, path, look->call->operation, look->call->follows) &&
	    is_waiting(look->denials, look->notif))
		denials_note(look->denials, look->call->name,
		    w_operation_word(look->call->operation));
}

static void
look_at_address(const struct denials_look *look)
{
	const struct w_syscall_use *call = look->call;
	struct w_denials *denials = look->denials;
	uint64_t len = (uint32_t)arg(look, call->flags);
	union {
		struct sockaddr_storage any;
		struct sockaddr_un un;
	} address = {0};

	if (len < sizeof(address.any.ss_family) || len > sizeof(address) ||
	    !w_target_bytes(pid_of(look), arg(look, call->path), &address, len))
		return;
	if (address.any.ss_family == AF_UNIX) {
		look_at_socket_path(look, &address.un);
	} else if (w_denial_find_address(&denials->context, &address.any,
		       call->operation, &denials->found_denial) &&
		   is_waiting(denials, look->notif)) {
		denials_note(
		    denials, call->name, w_operation_word(call->operation));
	}
}

/* The filter allows it; another layer may not. */
static void
look_at_allowed(struct w_denials *denials, const struct seccomp_notif *notif)
{
	const char *name = w_seccomp_call_name(notif->data.nr);
	struct denials_look look = {.denials = denials, .notif = notif};

	if (name == NULL)
		return;
	while ((look.call = w_syscall_next(name, look.call)) != NULL) {
		switch (look.call->kind) {
		case W_SYSCALL_PATH:
			(void)look_at_path(
			    &look, look.call->operation, look.call->follows);
			break;
		case W_SYSCALL_OPEN:
			look_at_open(&look);
			break;
		case W_SYSCALL_ADDRESS:
			look_at_address(&look);
			break;
		}
	}
}

/* ---- what the filter itself denies ---- */

static void
look_at_family(struct w_denials *denials, int family)
{
	/* Loopback may be enough. If not, the next refusal names the address.
	 */
	static const struct {
		int family;
		const char *name;
		const char *hint;
	} families[] = {
	    {AF_INET, "AF_INET", "--network loopback"},
	    {AF_INET6, "AF_INET6", "--network loopback"},
	    {AF_NETLINK, "AF_NETLINK", ""},
	    {AF_PACKET, "AF_PACKET", ""},
	    {AF_UNIX, "AF_UNIX", "--sandbox workspace"},
	};
	struct w_denial *found_denial = &denials->found_denial;

	(void)snprintf(found_denial->path, sizeof(found_denial->path),
	    "family %d", family);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (families[i].family != family)
			continue;
		(void)snprintf(found_denial->path, sizeof(found_denial->path),
		    "%s", families[i].name);
		(void)snprintf(found_denial->hint, sizeof(found_denial->hint),
		    "%s", families[i].hint);
	}
}

static void
look_at_denied(struct w_denials *denials, const struct seccomp_notif *notif)
{
	const char *name = w_seccomp_call_name(notif->data.nr);
	struct denials_look look = {.denials = denials, .notif = notif};
	struct w_denial *found_denial = &denials->found_denial;
	char path[PATH_MAX];
	const char *what = "call";

	found_denial->layer = w_layer_word(W_LAYER_SECCOMP);
	found_denial->path[0] = '\0';
	found_denial->hint[0] = '\0';
	if (notif->data.nr == SYS_socket || notif->data.nr == SYS_socketpair) {
		what = "socket";
		look_at_family(denials, (int)notif->data.args[0]);
	}
	/* A change to a file that no mount protects, or a mode that would make
	 * it another user's. */
	look.call = name == NULL ? NULL : w_syscall_next(name, NULL);
	if (look.call != NULL && look.call->kind != W_SYSCALL_ADDRESS &&
	    read_path(&look, path)) {
		what = w_operation_word(look.call->kind == W_SYSCALL_OPEN
					    ? W_OPERATION_CREATE
					    : look.call->operation);
		(void)snprintf(
		    found_denial->path, sizeof(found_denial->path), "%s", path);
	}
	if (is_waiting(denials, notif))
		denials_note(denials, name, what);
}

/* ---- the answer ---- */

void
w_denials_answer(struct w_denials *denials, int fd,
    const struct seccomp_notif *notif, struct seccomp_notif_resp *resp)
{
	uint32_t verdict = w_seccomp_evaluate(&denials->plain, &notif->data);

	denials->fd = fd;
	if (verdict == SECCOMP_RET_ALLOW) {
		look_at_allowed(denials, notif);
		resp->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	} else {
		look_at_denied(denials, notif);
		uint32_t error = verdict & SECCOMP_RET_DATA;
		bool is_error =
		    (verdict & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO;
		resp->error = is_error && error != 0 ? -(int)error : -EPERM;
	}
}

writ_status
w_denials_new(const struct w_run_sandbox *sandbox, const char *state_dir,
    struct w_run_result *storage, struct w_denials **out_denials,
    writ_error *err)
{
	const struct w_sandbox_plan_options terms = {.layers = sandbox->layers};
	struct w_denials *denials = calloc(1, sizeof(*denials));

	if (denials == NULL)
		return w_fail_nomem(err, "sandbox");
	denials->fd = -1;
	denials->storage = storage;
	w_sandbox_plan_filter(&sandbox->resolved, &terms, &denials->plain);
	writ_status status = w_denial_context_init(&denials->context,
	    &sandbox->resolved, sandbox->layers, state_dir, err);
	if (status != WRIT_OK)
		w_denials_free(denials);
	else
		*out_denials = denials;
	return status;
}

const struct w_denial_context *
w_denials_context(const struct w_denials *denials)
{
	return &denials->context;
}

void
w_denials_free(struct w_denials *denials)
{
	if (denials == NULL)
		return;
	w_denial_context_done(&denials->context);
	free(denials);
}
