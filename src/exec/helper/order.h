/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_HELPER_ORDER_H
#define W_EXEC_HELPER_ORDER_H

#include <stdint.h>

/*
 * One run in a sandbox, as a block of bytes in a memory file: what the cell
 * that runs it has to know besides its realm. Members named after a thing are
 * offsets from the start of the block.
 */
struct w_order_limit {
	uint64_t resource;
	uint64_t soft;
	uint64_t hard;
};

enum {
	W_ORDER_LIMITS = 8
};

struct w_order {
	uint64_t argv; /* uint64_t[] of offsets of strings, 0-ended */
	uint64_t envp; /* likewise */
	uint64_t program;
	uint64_t program_dev;
	uint64_t program_ino;
	uint64_t cwd;
	uint64_t cwd_dev;
	uint64_t cwd_ino;
	struct w_order_limit limits[W_ORDER_LIMITS];
	uint64_t groups; /* uint32_t[] */
	uint32_t limit_count;
	uint32_t group_count;
	uint32_t is_script;
	uint32_t has_identity;
	uint32_t uid;
	uint32_t gid;
	int32_t nice;
	int32_t umask;      /* -1: as it is */
	uint32_t may_keep;  /* the background may live on */
	uint32_t wants_tmp; /* a descriptor of the private /tmp, please */
	uint32_t limit_fds; /* how many W_HELPER_LIMIT_FDs there are */
	uint32_t spare;
};

/* To the spawner, with the descriptors of the cell in this order. */
struct w_spawn_call {
	uint32_t fd_count;
	uint32_t wants_nest; /* no cell: a directory in the view that its runs
				share, and the rules for it */
	char nest[16];       /* the digits of its name */
};

enum {
	W_CALL_STDIN,
	W_CALL_STDOUT,
	W_CALL_STDERR,
	W_CALL_SOCKET,
	W_CALL_ORDER,
	W_CALL_REPORT,
	W_CALL_FDS, /* at least these; then up to two of W_HELPER_LIMIT_FDS */
	W_CALL_FDS_MAX = W_CALL_FDS + 2,
};

/* Its answer, with a pidfd of the cell, or the rules of a nest, when pid is
 * positive. */
struct w_spawn_answer {
	int32_t pid; /* 1 for a nest; or a negative errno */
	uint32_t step;
	uint32_t detail;
};

#endif /* W_EXEC_HELPER_ORDER_H */
