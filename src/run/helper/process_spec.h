/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROCESS_SPEC_H
#define W_RUN_PROCESS_SPEC_H

#include <stdint.h>

#include "run/launch/child.h"

/*
 * One run in a sandbox, as a block of bytes: what its init has to know besides
 * the sandbox plan. Members named after a thing are offsets from the start of
 * the block.
 */
enum {
	/* A larger one is passed in a memfd. */
	W_PROCESS_SPEC_INLINE = 65536
};

struct w_process_spec {
	uint64_t size;
	uint64_t argv; /* uint64_t[] of offsets of strings, 0-ended */
	uint64_t envp; /* the same */
	uint64_t program;
	uint64_t program_dev;
	uint64_t program_ino;
	uint64_t cwd;
	uint64_t cwd_dev;
	uint64_t cwd_ino;
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	uint64_t groups;   /* uint32_t[] */
	uint64_t fd_count; /* number of descriptors sent with it */
	uint32_t limit_count;
	uint32_t group_count;
	uint32_t is_script;
	uint32_t has_identity;
	uint32_t uid;
	uint32_t gid;
	int32_t nice;
	int32_t umask;         /* -1: inherit */
	uint32_t wants_tmp;    /* send a descriptor of the private /tmp */
	uint32_t is_in_file;   /* only this header was sent; the last descriptor
				  has all of it */
	uint32_t has_files;    /* no view: the directory and the program come as
				  descriptors, after the streams */
	uint32_t has_terminal; /* the streams are the session's terminal */
	uint32_t has_null_input; /* standard input is the view's /dev/null */
};

/* The descriptors sent with a spec: standard input, output and error, perhaps
 * the working directory and the program, then cgroup.procs of up to two groups
 * that limit the run, then perhaps the memfd. */
enum {
	W_PROCESS_SPEC_STREAMS = 3,
	W_PROCESS_SPEC_FDS_MAX = W_PROCESS_SPEC_STREAMS + 2 + 2 + 1,
};

/* What a fork server sends: once after it has entered its sandbox plan (pid 0,
 * with its fork note), then for each byte it receives a sandbox init that waits
 * for its spec. */
struct w_fork_server_answer {
	int32_t pid; /* or a negative errno */
	uint32_t step;
	uint32_t detail;
};

/* A page that a fork server shares with the engine. The kernel itself writes
 * the pid of a sandbox init to it, before that can run: a fork server that is
 * stopped or killed before it answers leaves no child unknown. */
struct w_fork_note {
	volatile int32_t pid; /* 0: none since it was asked last */
};

enum {
	W_FORK_NOTE_FDS = 1
};

/* The descriptors sent with a sandbox init. */
enum {
	W_SANDBOX_INIT_PIDFD,
	W_SANDBOX_INIT_SOCKET, /* the engine's end of W_HELPER_SOCKET_FD */
	W_SANDBOX_INIT_SPEC,   /* and of W_HELPER_REPORT_FD */
	W_SANDBOX_INIT_FDS,
};

#endif /* W_RUN_PROCESS_SPEC_H */
