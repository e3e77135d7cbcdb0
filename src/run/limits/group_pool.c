/* SPDX-License-Identifier: Apache-2.0 */

/* Pooled control groups, and the watchdog that they share. */

#include "run/limits/group_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/cgroup.h"
#include "os/fd_message.h"
#include "os/file.h"

/* How long freeing an engine waits for killed processes. */
enum {
	EMPTY_WAIT_MS = 2000
};

void
w_group_pool_init(struct w_group_pool *groups)
{
	*groups = (struct w_group_pool){
	    .parent_fd = -1,
	    .base_fd = -1,
	    .claim_fd = -1,
	};
}

bool
w_group_pool_available(struct w_group_pool *groups)
{
	if (groups->error != 0)
		return false;
	if (groups->parent_fd >= 0)
		return true;
	groups->parent_fd = w_cgroup_open_own();
	if (groups->parent_fd < 0) {
		groups->error = errno;
		return false;
	}
	/* In a container the hierarchy is mostly read-only. */
	groups->error = faccessat(groups->parent_fd, ".", W_OK, AT_EACCESS) < 0
			    ? errno
			    : w_fd_raise(&groups->parent_fd);
	if (groups->error != 0)
		w_close(&groups->parent_fd);
	return groups->error == 0;
}

static int
make_group(const struct w_group_pool *groups, int parent_fd, const char *name)
{
	return groups->is_plain ? w_cgroup_make_any(parent_fd, name)
				: w_cgroup_make(parent_fd, name);
}

/* A new name each time: a leftover of an earlier process with our pid must not
 * be taken for ours. */
static int
make_base(struct w_group_pool *groups)
{
	const char *prefix = groups->prefix == NULL ? "writ." : groups->prefix;
	uint32_t salt = 0;

	(void)!getrandom(&salt, sizeof(salt), 0);
	(void)snprintf(groups->base_name, sizeof(groups->base_name),
	    "%s%d.%08x", prefix, (int)getpid(), salt);
	if (groups->prefix != NULL)
		w_cgroup_sweep(groups->parent_fd, groups->prefix);
	groups->base_fd =
	    make_group(groups, groups->parent_fd, groups->base_name);
	if (groups->base_fd < 0)
		return errno;
	if (groups->prefix != NULL) {
		groups->claim_fd = w_cgroup_claim(groups->base_fd);
		if (groups->claim_fd < 0)
			return errno;
	}
	return w_fd_raise(&groups->base_fd);
}

static int
remove_base(struct w_group_pool *groups)
{
	if (groups->base_fd < 0)
		return 0;
	w_close(&groups->claim_fd);
	w_close(&groups->base_fd);
	return w_cgroup_remove(groups->parent_fd, groups->base_name);
}

static int
send_group(int socket, const struct w_group_pool *groups)
{
	struct w_watch_request request = {.kind = W_HELPER_REQUEST_WATCH};
	int fds[] = {groups->parent_fd, groups->base_fd};
	const struct w_fd_message message = {
	    .bytes = &request,
	    .len = sizeof(request),
	    .fds = fds,
	    .count = 2,
	};

	memcpy(request.name, groups->base_name, sizeof(request.name));
	return w_fd_message_send(socket, &message);
}

/* Starts a watchdog. The names of the groups wait for it in its socket. */
static int
start_watchdog(struct w_watchdog *watchdog)
{
	W_AUTO_FD int ours = -1;
	W_AUTO_FD int theirs = -1;
	char name[] = "writ", role[] = {W_ROLE_CGROUP_WATCHDOG, '\0'};
	char empty[] = "";
	char *argv[] = {name, role, empty, NULL};
	char *const no_env[] = {NULL};

	int error = w_fd_pair(&ours, &theirs);
	for (size_t i = 0; i < watchdog->watched_count && error == 0; i++)
		error = send_group(ours, watchdog->watched[i]);
	if (error != 0)
		return error;
	struct w_child_plan plan = {
	    .program_fd = watchdog->helper_fd,
	    .argv = argv,
	    .envp = no_env,
	    .cwd_fd = -1,
	    .stdio = {-1, -1, -1},
	    .pass = {theirs, watchdog->engine_fd},
	    .pass_count = 2,
	    .umask = -1,
	};
	const struct w_spawn spawn = {.plan = &plan};
	error = w_spawn(watchdog->spawner, &spawn, &watchdog->child);
	if (error == 0)
		watchdog->socket = w_take_fd(&ours);
	return error;
}

/* Somebody may have killed the watchdog; then runs are unwatched until the next
 * run starts another one. */
static bool
watchdog_is_alive(struct w_watchdog *watchdog)
{
	struct pollfd life = {.fd = watchdog->child.pidfd, .events = POLLIN};

	if (watchdog->child.pidfd < 0)
		return false;
	if (poll(&life, 1, 0) == 0)
		return true;
	w_child_kill_and_reap(&watchdog->child);
	w_close(&watchdog->socket);
	return false;
}

/* Has a new pool watched, by the watchdog that runs or by a new one. */
static int
watch(struct w_watchdog *watchdog, bool is_alive,
    const struct w_group_pool *groups)
{
	watchdog->watched[watchdog->watched_count++] = groups;
	int error = is_alive ? send_group(watchdog->socket, groups)
			     : start_watchdog(watchdog);
	if (error != 0)
		watchdog->watched_count--;
	return error;
}

int
w_group_pool_open(struct w_group_pool *groups, struct w_watchdog *watchdog)
{
	const bool is_alive = watchdog_is_alive(watchdog);

	if (groups->is_open)
		return is_alive ? 0 : start_watchdog(watchdog);
	int error = make_base(groups);
	if (error == 0)
		error = watch(watchdog, is_alive, groups);
	if (error != 0)
		(void)remove_base(groups);
	groups->is_open = error == 0;
	return error;
}

void
w_watchdog_done(struct w_watchdog *watchdog, bool is_clean)
{
	const char quit[2] = {W_HELPER_REQUEST_QUIT, 0};

	/* Without the request the closed socket tells it to go on. */
	if (is_clean && watchdog->child.pidfd >= 0) {
		(void)send(watchdog->socket, quit, sizeof(quit), MSG_NOSIGNAL);
		w_child_kill_and_reap(&watchdog->child);
	}
	w_close(&watchdog->child.pidfd);
	w_close(&watchdog->socket);
}

static void
slot_name(const struct w_group *group, char out[16])
{
	(void)snprintf(out, 16, "r%u", group->number);
}

int
w_group_pool_take(struct w_group_pool *groups, struct w_group *out_group)
{
	if (groups->pool_count > 0) {
		*out_group = groups->pool[--groups->pool_count];
		return 0;
	}

	struct w_group group = {
	    .events_fd = -1, .number = groups->next_number++};
	char name[16];

	slot_name(&group, name);
	group.fd = make_group(groups, groups->base_fd, name);
	if (group.fd < 0)
		return errno;
	int error = w_fd_raise(&group.fd);
	if (error != 0) {
		w_close(&group.fd);
		(void)unlinkat(groups->base_fd, name, AT_REMOVEDIR);
		return error;
	}
	*out_group = group;
	return 0;
}

int
w_group_populated(struct w_group *group)
{
	if (group->events_fd < 0) {
		group->events_fd = w_cgroup_open_events(group->fd);
		if (group->events_fd < 0)
			return -errno;
		w_fd_lift(&group->events_fd);
	}
	return w_cgroup_read_events(group->events_fd);
}

static void
remove_group(struct w_group_pool *groups, struct w_group *group)
{
	char name[16];

	slot_name(group, name);
	w_close(&group->events_fd);
	w_close(&group->fd);
	(void)w_cgroup_remove(groups->base_fd, name);
}

void
w_group_pool_return(
    struct w_group_pool *groups, struct w_group *group, bool was_killed)
{
	if (group->fd < 0)
		return;
	if (was_killed || groups->pool_count == W_GROUP_POOL_MAX)
		remove_group(groups, group);
	else
		groups->pool[groups->pool_count++] = *group;
	group->fd = -1;
	group->events_fd = -1;
}

bool
w_group_pool_done(struct w_group_pool *groups)
{
	int error = 0;

	if (groups->is_open) {
		while (groups->pool_count > 0)
			remove_group(
			    groups, &groups->pool[--groups->pool_count]);
		if (w_cgroup_populated(groups->base_fd) != 0) {
			(void)w_cgroup_kill(groups->base_fd);
			for (int i = 0; i < EMPTY_WAIT_MS &&
					w_cgroup_populated(groups->base_fd) > 0;
			     i++)
				(void)usleep(1000);
		}
		error = remove_base(groups);
		groups->is_open = false;
	}
	w_close(&groups->parent_fd);
	return error == 0;
}
