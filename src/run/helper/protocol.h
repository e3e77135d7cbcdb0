/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROTOCOL_H
#define W_RUN_PROTOCOL_H

#include <stdint.h>

/*
 * What the engine and the helper say to each other.
 *
 * The helper is a program of a few kilobytes without libc that libwrit
 * carries inside itself and executes from a sealed memory file. It is
 * executed, not forked: nothing of the engine's memory is in it.
 *
 *     init            "writ" ROLE PID
 *     keeper, launch  "writ" ROLE PATH GROUP ARGV...
 *     guard           "writ" ROLE GROUP
 *     cell, spawner   "writ" ROLE LIMITS
 *
 * ROLE is the letter of the role. For init and keeper a 'b' follows when the
 * background may live on; for keeper, init and cell a 't' when the run has a
 * terminal, whose session they lead: the first two have it already, a cell
 * makes it. For keeper and launch the identity to take, if any,
 * as in "l:1000:1000:4,24". PID is the command, a child already. GROUP is the
 * name of a control group to remove in the end; empty: none. PATH is executed
 * if W_HELPER_PROGRAM_FD still is the same file; empty: execute that
 * descriptor. Keeper and launch are entered with the command's environment,
 * streams, working directory and limits, and pass them on.
 */
enum {
	W_ROLE_INIT = 'i',      /* PID 1 of the run's namespace */
	W_ROLE_SUBREAPER = 'k', /* subreaper; with GROUP, of a control group */
	W_ROLE_SETUID_STUB =
	    'l', /* takes the identity and becomes the command */
	W_ROLE_CGROUP_WATCHDOG =
	    'g', /* ends an engine's groups when the engine dies */
	W_ROLE_SANDBOX_INIT = 'c', /* builds a sandbox, starts the command in it
			      and stays: as PID 1 or as a subreaper */
	W_ROLE_FORK_SERVER =
	    's', /* builds a realm once and copies cells from it */
};

/* Descriptors of the helper. Roles without one leave its number free. */
enum {
	W_HELPER_SOCKET_FD = 3,  /* sequenced packets, both ways */
	W_HELPER_ENGINE_FD = 4,  /* pidfd of the engine */
	W_HELPER_PROGRAM_FD = 5, /* keeper, launch: what to execute */
	W_HELPER_PARENT_FD = 6,  /* directory that holds the group */
	W_HELPER_GROUP_FD = 7,   /* the group to fill, kill and remove */
	W_HELPER_SANDBOX_PLAN_FD =
	    5,                  /* cell, spawner: memory file of the realm */
	W_HELPER_REPORT_FD = 8, /* keeper, launch: a pipe that ends when the
				   command has reached its program; before
				   that W_HELPER_EVENT_FAILED may come through
				   it. cell: a socket, through which the order
				   comes first */
};

/* Engine to helper: one of these, followed by a byte of argument. */
enum {
	W_HELPER_REQUEST_SIGNAL =
	    'S', /* init: send this signal to every process */
	W_HELPER_REQUEST_END =
	    'E', /* the same, and wait until all have ended */
	W_HELPER_REQUEST_KILL = 'X', /* kill every process, report, end */
	W_HELPER_REQUEST_KEEP = 'K', /* let the background processes live on */
	W_HELPER_REQUEST_QUIT =
	    'Q', /* guard: the engine has cleaned up itself */
};

/* Helper to engine. */
enum {
	W_HELPER_EVENT_FAILED = 1, /* over the report: a step failed */
	W_HELPER_EVENT_ENDED =
	    2, /* the command has ended: status, usage, ... */
	W_HELPER_EVENT_LISTENER =
	    3,                  /* cell: with a descriptor of the filter's */
	W_HELPER_EVENT_TMP = 4, /* cell: with one of its private /tmp */
	W_HELPER_EVENT_TERMINAL = 5, /* cell: with both sides of the terminal */
	W_HELPER_EVENT_STOPPED =
	    6, /* the command was stopped: status says by what */
};

struct w_helper_event {
	int32_t kind;
	int32_t step; /* enum w_step, of W_HELPER_EVENT_FAILED */
	int32_t sys_errno;
	uint32_t detail;    /* which of many, of W_HELPER_EVENT_FAILED */
	int32_t status;     /* as from wait4() */
	uint32_t killed;    /* processes that had to be killed */
	uint32_t remaining; /* 1: background processes are alive */
	uint32_t gone;      /* 1: nobody is, but the helper itself */
	uint64_t user_us;
	uint64_t system_us;
	uint64_t max_rss_kib;
};

#endif /* W_RUN_PROTOCOL_H */
