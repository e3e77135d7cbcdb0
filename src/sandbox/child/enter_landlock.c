/* SPDX-License-Identifier: Apache-2.0 */

/* Builds a ruleset from the parent's plan and restricts the process by it. */

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"
#include "sandbox/landlock/landlock_abi.h"

/* Descriptors with neighbouring numbers, which one call closes. */
struct rule_fds {
	long first;
	long count;
};

enum {
	OPENED_MAX = 32
};

static void
close_opened(struct rule_fds *opened)
{
	if (opened->count > 0)
		(void)w_sys3(__NR_close_range, opened->first,
		    opened->first + opened->count - 1, 0);
	opened->count = 0;
}

static long
open_rule(const char *path, struct rule_fds *opened)
{
	/* A symbolic link that was put into the path after it was resolved must
	 * not widen the rule to its target. */
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC,
	    .resolve = RESOLVE_NO_SYMLINKS,
	};
	long fd = w_sys4(__NR_openat2, AT_FDCWD, path, &how, sizeof(how));

	if (fd == -EMFILE && opened->count > 0) {
		close_opened(opened);
		fd = w_sys4(__NR_openat2, AT_FDCWD, path, &how, sizeof(how));
	}
	if (fd < 0)
		return fd;
	if (fd != opened->first + opened->count || opened->count == OPENED_MAX)
		close_opened(opened);
	if (opened->count++ == 0)
		opened->first = fd;
	return fd;
}

static long
enter_landlock_add_rule(long ruleset_fd, const struct w_landlock_rule *rule,
    const char *strings, struct rule_fds *opened)
{
	long fd = open_rule(strings + rule->path, opened);
	/* A path that went away or changed its type is skipped: the sandbox
	 * only gets narrower. */
	if (rule->is_optional != 0 &&
	    (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP || fd == -EACCES))
		return 0;
	if (fd < 0)
		return fd;

	struct w_landlock_path_attr attr = {
	    .allowed_access = rule->access,
	    .parent_fd = (int32_t)fd,
	};
	long ret = w_sys4(__NR_landlock_add_rule, ruleset_fd,
	    W_LANDLOCK_RULE_PATH_BENEATH, &attr, 0);
	/* Directory rights on what has become a regular file. */
	return rule->is_optional != 0 && ret == -EINVAL ? 0 : ret;
}

long
w_enter_landlock_make(const struct w_landlock_scope *scope,
    const struct w_landlock_rule *rules, size_t count, const char *strings,
    uint32_t *out_failed)
{
	struct w_landlock_ruleset_attr attr = {
	    .handled_access_fs = scope->fs,
	    .handled_access_net = scope->net,
	    .scoped = scope->scoped,
	};

	struct rule_fds opened = {.first = 0};
	long ret = 0;

	*out_failed = (uint32_t)count;
	long fd = w_sys3(__NR_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (fd < 0)
		return fd;
	for (size_t i = 0; i < count && ret >= 0; i++) {
		ret = enter_landlock_add_rule(fd, &rules[i], strings, &opened);
		if (ret < 0)
			*out_failed = (uint32_t)i;
	}
	close_opened(&opened);
	if (ret < 0) {
		(void)w_sys1(__NR_close, fd);
		return ret;
	}
	return fd;
}

long
w_enter_landlock(int ruleset_fd)
{
	return w_sys2(__NR_landlock_restrict_self, ruleset_fd, 0);
}
