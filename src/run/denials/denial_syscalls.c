/* SPDX-License-Identifier: Apache-2.0 */

/* The system calls that a sandbox may deny, and which arguments name a path. */

#include "run/denials/denial_syscalls.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#define NONE W_SYSCALL_NO_ARG
#define PATH(word, act, dir, path, follows)                               \
	{                                                                 \
		word, W_SYSCALL_PATH, W_OPERATION_##act, dir, path, NONE, \
		    follows                                               \
	}

static const struct w_syscall_use calls[] = {
    {"open", W_SYSCALL_OPEN, W_OPERATION_READ, NONE, 0, 1, true},
    {"openat", W_SYSCALL_OPEN, W_OPERATION_READ, 0, 1, 2, true},
    {"creat", W_SYSCALL_OPEN, W_OPERATION_WRITE, NONE, 0, NONE, true},
    PATH("truncate", WRITE, NONE, 0, true),
    PATH("unlink", DELETE, NONE, 0, false),
    PATH("unlinkat", DELETE, 0, 1, false),
    PATH("rmdir", DELETE, NONE, 0, false),
    PATH("rename", RENAME, NONE, 0, false),
    PATH("rename", RENAME_TO, NONE, 1, false),
    PATH("renameat", RENAME, 0, 1, false),
    PATH("renameat", RENAME_TO, 2, 3, false),
    PATH("renameat2", RENAME, 0, 1, false),
    PATH("renameat2", RENAME_TO, 2, 3, false),
    PATH("mkdir", CREATE, NONE, 0, false),
    PATH("mkdirat", CREATE, 0, 1, false),
    PATH("mknod", CREATE, NONE, 0, false),
    PATH("mknodat", CREATE, 0, 1, false),
    PATH("link", CREATE, NONE, 1, false),
    PATH("linkat", CREATE, 2, 3, false),
    PATH("symlink", CREATE, NONE, 1, false),
    PATH("symlinkat", CREATE, 1, 2, false),
    PATH("execve", EXECUTE, NONE, 0, true),
    PATH("execveat", EXECUTE, 0, 1, true),
    PATH("chmod", WRITE, NONE, 0, true),
    PATH("fchmod", WRITE, 0, NONE, true),
    PATH("fchmodat", WRITE, 0, 1, true),
    PATH("fchmodat2", WRITE, 0, 1, true),
    PATH("chown", WRITE, NONE, 0, true),
    PATH("lchown", WRITE, NONE, 0, false),
    PATH("fchown", WRITE, 0, NONE, true),
    PATH("fchownat", WRITE, 0, 1, true),
    PATH("utime", WRITE, NONE, 0, true),
    PATH("utimes", WRITE, NONE, 0, true),
    PATH("futimesat", WRITE, 0, 1, true),
    PATH("utimensat", WRITE, 0, 1, true),
    PATH("setxattr", WRITE, NONE, 0, true),
    PATH("lsetxattr", WRITE, NONE, 0, false),
    PATH("fsetxattr", WRITE, 0, NONE, true),
    PATH("setxattrat", WRITE, 0, 1, true),
    PATH("removexattr", WRITE, NONE, 0, true),
    PATH("lremovexattr", WRITE, NONE, 0, false),
    PATH("fremovexattr", WRITE, 0, NONE, true),
    PATH("removexattrat", WRITE, 0, 1, true),
    PATH("file_setattr", WRITE, 0, 1, true),
    {"connect", W_SYSCALL_ADDRESS, W_OPERATION_CONNECT, 0, 1, 2, true},
    {"bind", W_SYSCALL_ADDRESS, W_OPERATION_BIND, 0, 1, 2, false},
};

const struct w_syscall_use *
w_syscall_next(const char *name, const struct w_syscall_use *last)
{
	const struct w_syscall_use *call = last == NULL ? calls : last + 1;

	for (; call < calls + sizeof(calls) / sizeof(*calls); call++) {
		if (strcmp(call->name, name) == 0)
			return call;
	}
	return NULL;
}

enum w_operation
w_syscall_open_operation(uint64_t flags)
{
	if ((flags & O_PATH) != 0)
		return W_OPERATION_READ;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return W_OPERATION_WRITE;
	return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0
		   ? W_OPERATION_WRITE
		   : W_OPERATION_READ;
}
