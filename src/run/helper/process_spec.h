/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROCESS_SPEC_H
#define W_RUN_PROCESS_SPEC_H

#include <stdint.h>

#include "run/launch/child.h"

/*
 * One run in a sandbox, as a block of bytes: what the cell that runs it has to
 * know besides its realm. Members named after a thing are offsets from the
 * start of the block.
 */
enum {
	/* A larger one comes in a memory file. */
	W_PROCESS_SPEC_INLINE = 65536
};

struct w_process_spec {
	uint64_t size;
	uint64_t argv; /* uint64_t[] of offsets of strings, 0-ended */
	uint64_t envp; /* likewise */
	uint64_t program;
	uint64_t program_dev;
	uint64_t program_ino;
	uint64_t cwd;
	uint64_t cwd_dev;
	uint64_t cwd_ino;
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	uint64_t groups;   /* uint32_t[] */
	uint64_t fd_count; /* how many descriptors come with it */
	uint32_t limit_count;
	uint32_t group_count;
	uint32_t is_script;
	uint32_t has_identity;
	uint32_t uid;
	uint32_t gid;
	int32_t nice;
	int32_t umask;           /* -1: as it is */
	uint32_t wants_tmp;      /* a descriptor of the private /tmp, please */
	uint32_t is_in_file;     /* only this head was sent; the whole is in the
				    last descriptor */
	uint32_t has_files;      /* no view of its own: the directory and the
				    program come as descriptors, after the streams */
	uint32_t has_terminal;   /* the streams are that of the session */
	uint32_t has_null_input; /* standard input is /dev/null, as the view
				    has it */
};

/* The descriptors that come with an order: standard input, output and error,
 * perhaps the working directory and the program, then cgroup.procs of up to two
 * groups that limit the run, then perhaps the memory file. */
enum {
	W_PROCESS_SPEC_STREAMS = 3,
	W_PROCESS_SPEC_FDS_MAX = W_PROCESS_SPEC_STREAMS + 2 + 2 + 1,
};

/* What a spawner answers, unasked when it has entered its realm (pid 0), then
 * to each byte it is sent: a cell that waits for its order. */
struct w_fork_server_answer {
	int32_t pid; /* or a negative errno */
	uint32_t step;
	uint32_t detail;
};

/* The descriptors that come with a cell. */
enum {
	W_SANDBOX_INIT_PIDFD,
	W_SANDBOX_INIT_SOCKET, /* the engine's end of W_HELPER_SOCKET_FD */
	W_SANDBOX_INIT_SPEC,   /* and of W_HELPER_REPORT_FD */
	W_SANDBOX_INIT_FDS,
};

#endif /* W_RUN_PROCESS_SPEC_H */
