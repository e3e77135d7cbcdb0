/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_CONFINED_H
#define W_TEST_CONFINED_H

/* Confinements made by hand, and processes that enter their view. */

#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/mounts/mount_plan.h"

enum {
	NOBODY = 65534
};

/* How a test's process gets the power to mount. */
enum power {
	AS_ROOT,      /* has it */
	AS_ROOT_USER, /* root, in a user namespace */
	AS_USER,      /* an ordinary user in a user namespace */
	POWERS
};

static inline void
confined_add(struct w_real_paths *places, const char *path, unsigned may)
{
	struct stat found;

	assert_int_equal(lstat(path, &found), 0);
	places->items = realloc(
	    places->items, (places->count + 1) * sizeof(places->items[0]));
	assert_non_null(places->items);
	places->items[places->count++] = (struct w_real_path){
	    .path = strdup(path),
	    .may = may,
	    .is_dir = S_ISDIR(found.st_mode),
	    .dev = found.st_dev,
	    .ino = found.st_ino,
	};
}

static inline void
confined_add_if_there(struct w_real_paths *places, const char *path)
{
	struct stat found;

	if (lstat(path, &found) == 0 && S_ISDIR(found.st_mode))
		confined_add(places, path, W_MAY_READ | W_MAY_EXECUTE);
}

/* With what a program needs in order to start. */
static inline void
confined_init(struct w_resolved_profile *resolved, enum w_walls walls)
{
	*resolved = (struct w_resolved_profile){
	    .profile = strdup("hand made"),
	    .walls = walls,
	    .network = W_NETWORK_OFF,
	    .is_root = geteuid() == 0,
	};
	if (walls == W_WALLS_WORKSPACE) {
		confined_add_if_there(&resolved->grants, "/");
		return;
	}
	confined_add_if_there(&resolved->grants, "/etc");
	confined_add_if_there(&resolved->grants, "/lib");
	confined_add_if_there(&resolved->grants, "/lib64");
	confined_add_if_there(&resolved->grants, "/usr");
}

static inline void
confined_free_places(struct w_real_paths *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].path);
	free(places->items);
}

static inline void
confined_free(struct w_resolved_profile *resolved)
{
	free(resolved->profile);
	confined_free_places(&resolved->grants);
	confined_free_places(&resolved->hidden);
	confined_free_places(&resolved->guarded);
}

struct plan {
	struct w_string_table strings;
	struct w_mount_plan mounts;
};

static inline void
plan_make(struct plan *plan, const struct w_resolved_profile *resolved)
{
	writ_error err = {0};

	w_string_table_init(&plan->strings);
	assert_int_equal(w_mount_plan_build(resolved, NULL, NULL,
			     &plan->strings, &plan->mounts, &err),
	    WRIT_OK);
}

static inline void
plan_free(struct plan *plan)
{
	w_mount_plan_done(&plan->mounts);
	w_string_table_done(&plan->strings);
}

static inline const char *
plan_text(const struct plan *plan, uint32_t at)
{
	return plan->strings.text.data + at;
}

static inline long
plan_enter(const struct plan *plan, int is_per_run, uint32_t *out_failed)
{
	int kept[W_MOUNT_SLOTS];

	return w_enter_mounts(plan->mounts.ops, plan->mounts.count,
	    plan->strings.text.data, is_per_run, kept, out_failed);
}

static inline long
fork_into(unsigned long flags)
{
	return syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, 0);
}

static inline void
drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	if (syscall(SYS_capset, &header, data) != 0)
		_exit(99);
}

/* In a child that is about to try something: says which claim was wrong. */
#define CLAIM(what)                                                            \
	do {                                                                   \
		if (!(what)) {                                                 \
			(void)dprintf(2, "# %s:%d: %s (errno %d)\n", __FILE__, \
			    __LINE__, #what, errno);                           \
			_exit(1);                                              \
		}                                                              \
	} while (0)

static inline void
map_own_ids(unsigned uid, unsigned gid)
{
	char uids[32], gids[32];

	(void)snprintf(uids, sizeof(uids), "%u %u 1", uid, uid);
	(void)snprintf(gids, sizeof(gids), "%u %u 1", gid, gid);
	CLAIM(w_enter_id_maps(uids, gids) == 0);
}

/* Whether this test's user can have that power here. */
static inline bool
can_have(enum power power)
{
	if (geteuid() != 0)
		return power == AS_USER;
	return true;
}

/* A process in fresh namespaces with the ids mapped. 0: in it. */
static inline long
fork_with(enum power power, unsigned long flags)
{
	if (power == AS_ROOT)
		return fork_into(flags);

	/* The user who makes the namespace owns it. */
	long pid = fork_into(0);
	if (pid != 0)
		return pid;
	if (power == AS_USER && geteuid() == 0) {
		CLAIM(setresgid(NOBODY, NOBODY, NOBODY) == 0);
		CLAIM(setresuid(NOBODY, NOBODY, NOBODY) == 0);
		/* Else its files in /proc stay root's. */
		CLAIM(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
	}
	const unsigned own_uid = geteuid(), own_gid = getegid();
	pid = fork_into(flags | CLONE_NEWUSER);
	CLAIM(pid >= 0);
	if (pid == 0) {
		map_own_ids(own_uid, own_gid);
		return 0;
	}
	int status = 0;
	CLAIM(waitpid((pid_t)pid, &status, __WALL) == pid);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
}

static inline int
exit_of(long pid)
{
	int status = 0;

	assert_true(pid > 0);
	assert_int_equal(waitpid((pid_t)pid, &status, __WALL), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif /* W_TEST_CONFINED_H */
