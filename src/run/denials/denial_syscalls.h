/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIAL_SYSCALLS_H
#define W_RUN_DENIAL_SYSCALLS_H

#include <stdint.h>

#include "run/denials/denial_context.h"

/* The meaning of a system call's arguments. */
enum w_syscall_kind {
	W_SYSCALL_PATH,
	W_SYSCALL_OPEN,    /* a path; the flags give the operation */
	W_SYSCALL_ADDRESS, /* descriptor, address, length */
};

enum {
	W_SYSCALL_NO_ARG = -1
};

struct w_syscall_use {
	const char *name;
	enum w_syscall_kind kind;
	enum w_operation operation;
	int8_t dir; /* argument with a descriptor; W_SYSCALL_NO_ARG: the working
		       directory */
	int8_t path; /* argument; W_SYSCALL_NO_ARG: dir is the file */
	int8_t flags;
	bool follows;
};

/* Iterates over the uses of a call. last: NULL at first, then the previous one.
 * NULL: no more. */
const struct w_syscall_use *w_syscall_next(
    const char *name, const struct w_syscall_use *last);

/* What an open with these flags does to an existing file. */
enum w_operation w_syscall_open_operation(uint64_t flags);

#endif /* W_RUN_DENIAL_SYSCALLS_H */
