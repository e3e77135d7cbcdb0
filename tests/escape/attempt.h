/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ESCAPE_ATTEMPT_H
#define ESCAPE_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * An attempt really does the hostile thing and says what came of it. Where it
 * succeeds it puts things back, so that any of them can be made again, in any
 * order, against the machine itself.
 */
enum {
	OPEN = 0, /* it worked */
	/* Negative: an errno, the thing was refused. */
	CANNOT = 1, /* what it would be tried on is not here */
	TRIED = 2,  /* whoever set the stage looks at what came of it */
};

struct attempt {
	const char *name;
	const char *what; /* the hostile thing, for the table in the manual */
	int (*try)(void);
	bool is_alone; /* needs a run of its own */
};

/* A family of attempts; the list ends with a NULL name. */
struct family {
	const char *name;
	const struct attempt *attempts;
};

extern const struct attempt file_attempts[];
extern const struct attempt metadata_attempts[];
extern const struct attempt detour_attempts[];
extern const struct attempt input_attempts[];
extern const struct attempt workspace_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt tree_attempts[];
extern const struct attempt leak_attempts[];
extern const struct attempt ipc_attempts[];
extern const struct attempt neighbour_attempts[];
extern const struct attempt network_attempts[];
extern const struct attempt socket_attempts[];
extern const struct attempt namespace_attempts[];
extern const struct attempt mount_attempts[];
extern const struct attempt kernel_attempts[];
extern const struct attempt machine_attempts[];
extern const struct attempt privilege_attempts[];
extern const struct attempt limit_attempts[];

/* What is known of the stage: the words NAME=VALUE of the command line. NULL:
 * nothing of that name. */
const char *fact(const char *name);
/* The same as a number; -1 without it. */
long fact_number(const char *name);
/* DIRECTORY/NAME, with the directory from a fact; NULL without it. In a ring
 * of buffers: good for the next few calls. */
const char *beneath(const char *directory_fact, const char *name);

/* The process that started us. */
extern pid_t starter;

/* Returns OPEN or the errno of a system call's result. */
int outcome(long result);

/* Whether a file can be opened and its content starts with the token that
 * marks secrets of the stage: OPEN, or why not. */
int holds_secret(const char *path);
int fd_holds_secret(int fd);

/* A directory that may be written to: ".", else $TMPDIR, else /tmp. */
const char *own_directory(void);

/* Calls see for the pid of every process in /proc, until it returns true. */
bool each_process(bool (*see)(pid_t pid, void *ctx), void *ctx);

/* Whether this kernel, here, has Landlock. */
bool has_landlock(void);

/* Says the layers that the kernel shows, one on each line; 0. */
int show_walls(void);

#endif /* ESCAPE_ATTEMPT_H */
