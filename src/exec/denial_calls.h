/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_DENIAL_CALLS_H
#define W_EXEC_DENIAL_CALLS_H

#include <stdint.h>

#include "exec/scene.h"

/* What the arguments of a system call mean. */
enum w_call_kind {
	W_CALL_PATH,
	W_CALL_OPEN,    /* a path; what is done to it, the flags say */
	W_CALL_ADDRESS, /* descriptor, address, length */
};

enum {
	W_CALL_NO_ARG = -1
};

struct w_call {
	const char *name;
	enum w_call_kind kind;
	enum w_deed deed;
	int8_t dir;  /* argument with a descriptor; W_CALL_NO_ARG: relative to
			the working directory */
	int8_t path; /* argument; W_CALL_NO_ARG: the descriptor is it */
	int8_t flags;
	bool follows;
};

/* The uses of a call, one after the other: NULL at first, then the one
 * before. NULL: no more. */
const struct w_call *w_call_next(const char *name, const struct w_call *last);

/* What an open with these flags does to a file that is there. */
enum w_deed w_call_open_deed(uint64_t flags);

#endif /* W_EXEC_DENIAL_CALLS_H */
