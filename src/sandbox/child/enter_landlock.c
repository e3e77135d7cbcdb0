/* SPDX-License-Identifier: Apache-2.0 */

/* Builds a ruleset from the parent's plan and restricts the process by it. */

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"
#include "sandbox/landlock/landlock_abi.h"

static long
enter_landlock_add_rule(
    long ruleset_fd, const struct w_landlock_rule *rule, const char *strings)
{
	/* A symbolic link that was put into the path after it was resolved must
	 * not widen the rule to its target. */
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC,
	    .resolve = RESOLVE_NO_SYMLINKS,
	};

	long fd = w_sys4(
	    __NR_openat2, AT_FDCWD, strings + rule->path, &how, sizeof(how));
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
	(void)w_sys1(__NR_close, fd);
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

	*out_failed = (uint32_t)count;
	long fd = w_sys3(__NR_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (fd < 0)
		return fd;
	for (size_t i = 0; i < count; i++) {
		long ret = enter_landlock_add_rule(fd, &rules[i], strings);
		if (ret < 0) {
			*out_failed = (uint32_t)i;
			(void)w_sys1(__NR_close, fd);
			return ret;
		}
	}
	return fd;
}

long
w_enter_landlock(int ruleset_fd)
{
	return w_sys2(__NR_landlock_restrict_self, ruleset_fd, 0);
}
