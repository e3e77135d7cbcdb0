/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIAL_SYSCALLS_H
#define W_RUN_DENIAL_SYSCALLS_H

#include <stdint.h>

#include "run/denials/denial_context.h"

/* What the arguments of a system call mean. */
enum w_syscall_kind {
	W_SYSCALL_PATH,
	W_SYSCALL_OPEN,    /* a path; what is done to it, the flags say */
	W_SYSCALL_ADDRESS, /* descriptor, address, length */
};

enum {
	W_SYSCALL_NO_ARG = -1
};

struct w_syscall_use {
	const char *name;
	enum w_syscall_kind kind;
	enum w_operation operation;
	int8_t dir; /* argument with a descriptor; W_SYSCALL_NO_ARG: relative to
		       the working directory */
	int8_t path; /* argument; W_SYSCALL_NO_ARG: the descriptor is it */
	int8_t flags;
	bool follows;
};

/* The uses of a call, one after the other: NULL at first, then the one
 * before. NULL: no more. */
const struct w_syscall_use *w_syscall_next(
    const char *name, const struct w_syscall_use *last);

/* What an open with these flags does to a file that is there. */
enum w_operation w_syscall_open_operation(uint64_t flags);

#endif /* W_RUN_DENIAL_SYSCALLS_H */
