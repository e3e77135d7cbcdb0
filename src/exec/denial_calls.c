/* SPDX-License-Identifier: Apache-2.0 */

/* The calls that walls refuse, and where their arguments name a path. */

#include "exec/denial_calls.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#define NONE W_CALL_NO_ARG
#define PATH(word, act, dir, path, follows)                               \
	{                                                                 \
		word, W_CALL_PATH, W_DEED_##act, dir, path, NONE, follows \
	}

static const struct w_call calls[] = {
    {"open", W_CALL_OPEN, W_DEED_READ, NONE, 0, 1, true},
    {"openat", W_CALL_OPEN, W_DEED_READ, 0, 1, 2, true},
    {"creat", W_CALL_OPEN, W_DEED_WRITE, NONE, 0, NONE, true},
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
    {"connect", W_CALL_ADDRESS, W_DEED_CONNECT, 0, 1, 2, true},
    {"bind", W_CALL_ADDRESS, W_DEED_BIND, 0, 1, 2, false},
};

const struct w_call *
w_call_next(const char *name, const struct w_call *last)
{
	const struct w_call *call = last == NULL ? calls : last + 1;

	for (; call < calls + sizeof(calls) / sizeof(*calls); call++) {
		if (strcmp(call->name, name) == 0)
			return call;
	}
	return NULL;
}

enum w_deed
w_call_open_deed(uint64_t flags)
{
	if ((flags & O_PATH) != 0)
		return W_DEED_READ;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return W_DEED_WRITE;
	return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0
		   ? W_DEED_WRITE
		   : W_DEED_READ;
}
