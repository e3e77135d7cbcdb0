/* SPDX-License-Identifier: Apache-2.0 */

/* A ruleset made from the parent's plan, and the step behind it. */

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"
#include "sandbox/landlock/landlock_abi.h"

/* A symbolic link that somebody put into the path since it was resolved must
 * not widen the rule to where it points. */
static long
open_rule_path(const char *path)
{
	struct open_how how = {
	    .flags = O_PATH | O_CLOEXEC,
	    .resolve = RESOLVE_NO_SYMLINKS,
	};

	return w_sys4(__NR_openat2, AT_FDCWD, path, &how, sizeof(how));
}

/* A place that went away or changed its kind is left out: the sandbox is
 * narrower then. */
static int
enter_landlock_is_gone(long ret)
{
	return ret == -ENOENT || ret == -ENOTDIR || ret == -ELOOP ||
	       ret == -EACCES;
}

static long
enter_landlock_add_rule(
    long ruleset_fd, const struct w_landlock_rule *rule, const char *strings)
{
	long fd = open_rule_path(strings + rule->path);
	if (fd < 0)
		return rule->is_optional != 0 && enter_landlock_is_gone(fd)
			   ? 0
			   : fd;

	struct w_landlock_path_attr attr = {
	    .allowed_access = rule->access,
	    .parent_fd = (int32_t)fd,
	};
	long ret = w_sys4(__NR_landlock_add_rule, ruleset_fd,
	    W_LANDLOCK_RULE_PATH_BENEATH, &attr, 0);
	(void)w_sys1(__NR_close, fd);
	/* Rights of a directory for what has become a plain file. */
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
