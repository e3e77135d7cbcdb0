/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROTOCOL_H
#define W_RUN_PROTOCOL_H

#include <stdint.h>

/*
 * The protocol between the engine and the helper.
 *
 * The helper is a program of a few kilobytes without libc that libwrit embeds
 * and executes from a sealed memfd. It is executed, not forked: nothing of the
 * engine's memory is in it.
 *
 *     init                        "writ" ROLE PID
 *     subreaper, setuid stub      "writ" ROLE PATH GROUP ARGV...
 *     session maker               "writ" ROLE OPTIONS
 *     session holder, forwarder   "writ" ROLE NAME
 *     all others                  "writ" ROLE ""
 *
 * ROLE is the letter of the role. For init and subreaper a 'b' follows when the
 * background may live on. For init, subreaper and sandbox init a 't' follows
 * when the run has a terminal, whose session they lead: the first two have it
 * already, a sandbox init opens it. For subreaper and setuid stub the identity
 * follows, if any, as in "l:1000:1000:4,24". PID is the command, already a
 * child. GROUP is the name of a control group to remove at the end; empty:
 * none. PATH is executed if it is still the file of W_HELPER_PROGRAM_FD; empty:
 * execute that descriptor. For a session maker follow 'n' when the session has
 * a network, 'd' when OPTIONS is a directory on disk and not the options of its
 * tmpfs, 'h' when it has a layer over HOME, 'r' when its network is one for
 * hosts; 'j' when it only makes the network of a session that it joins into
 * one, with 'u' for its user namespace; 'f' when it only makes a fresh
 * layer in a session that it joins, with 'u' for its user namespace. For a
 * forwarder an 'i' follows when it is to be inside the session, with 'u' for
 * its user namespace. Subreaper and setuid stub start with the command's
 * environment, streams, working directory and limits, and pass them on.
 */
enum {
	/* PID 1 of the run's namespace. */
	W_ROLE_INIT = 'i',
	/* Subreaper; with GROUP, of a control group. */
	W_ROLE_SUBREAPER = 'k',
	/* Changes the user and executes the command. */
	W_ROLE_SETUID_STUB = 'l',
	/* Removes an engine's groups when the engine dies. */
	W_ROLE_CGROUP_WATCHDOG = 'g',
	/* Builds a sandbox, starts the command in it and stays: as PID 1 or as
	 * a subreaper. */
	W_ROLE_SANDBOX_INIT = 'c',
	/* Enters a sandbox plan once and forks sandbox inits. */
	W_ROLE_FORK_SERVER = 's',
	/* Sets up the namespaces of a session, hands them over and exits. */
	W_ROLE_SESSION_MAKER = 'm',
	/* Keeps the descriptors of a named session: holder_protocol.h. */
	W_ROLE_SESSION_HOLDER = 'h',
	/* Passes connections on between a session and the machine:
	 * forward_protocol.h. */
	W_ROLE_FORWARDER = 'f',
	/* The relay, which is a program of its own: relay/relay_main.c. */
	W_ROLE_RELAY = 'r',
};

/* Descriptors of the helper. Roles without one leave its number free. */
enum {
	W_HELPER_SOCKET_FD = 3,  /* sequenced packets, both ways */
	W_HELPER_ENGINE_FD = 4,  /* pidfd of the engine */
	W_HELPER_PROGRAM_FD = 5, /* subreaper, setuid stub: the program */
	W_HELPER_PARENT_FD = 6,  /* parent directory of the group */
	W_HELPER_GROUP_FD = 7,   /* the group to use, kill and remove */
	/* Sandbox init, fork server: memfd with the plan. Session maker: with a
	 * struct w_session_order. */
	W_HELPER_SANDBOX_PLAN_FD = 5,
	/* Fork server of a session, maker of a fresh layer: its namespaces. */
	W_HELPER_USER_NS_FD = 6,
	W_HELPER_MOUNT_NS_FD = 7,
	W_HELPER_NET_NS_FD = 8,
	/* Subreaper, setuid stub: a pipe, closed when the command has been
	 * executed; W_HELPER_EVENT_FAILED may come before. Sandbox init: a
	 * socket, on which the spec arrives first. */
	W_HELPER_REPORT_FD = 8,
};

/* Engine to helper: one of these, followed by a byte of argument. */
enum {
	W_HELPER_REQUEST_SIGNAL = 'S', /* init: send this signal to all */
	W_HELPER_REQUEST_END = 'E',    /* the same, and wait for all */
	W_HELPER_REQUEST_KILL = 'X',   /* kill every process, report, end */
	W_HELPER_REQUEST_KEEP = 'K',  /* let the background processes live on */
	W_HELPER_REQUEST_QUIT = 'Q',  /* watchdog: nothing left to do */
	W_HELPER_REQUEST_WATCH = 'W', /* watchdog: a struct w_watch_request */
};

enum {
	W_GROUP_NAME = 40, /* size of a control group's name */
	W_WATCHED_MAX = 3, /* groups of an engine: one that contains its runs,
			      two that count for limits */
};

/* Comes with two descriptors: the parent directory and the group. */
struct w_watch_request {
	char kind;
	char name[W_GROUP_NAME];
};

/* Helper to engine. 3 to 5 come from a sandbox init. */
enum {
	W_HELPER_EVENT_FAILED = 1,   /* on W_HELPER_REPORT_FD: a step failed */
	W_HELPER_EVENT_ENDED = 2,    /* the command has ended */
	W_HELPER_EVENT_LISTENER = 3, /* with the seccomp listener */
	W_HELPER_EVENT_TMP = 4,      /* with the private /tmp */
	W_HELPER_EVENT_TERMINAL = 5, /* with both sides of the terminal */
	W_HELPER_EVENT_STOPPED = 6,  /* stopped; status is the signal */
	W_HELPER_EVENT_SESSION = 7,  /* session maker: with its namespaces */
	W_HELPER_EVENT_HOSTS = 8,    /* and after it: with the sockets for
					hosts; detail: netfilter redirects */
};

enum {
	W_LAYER_PATH_MAX = 4096,
	W_HOST_PORTS_MAX = 12,
	W_HOST_SOCKETS = W_HOST_PORTS_MAX + 1 /* the first is that of the DNS */
};

/* The ports that are listened at where the kernel has no nftables. */
struct w_host_ports {
	uint32_t count;
	uint16_t items[W_HOST_PORTS_MAX];
};

/* What a session maker is told besides its letters. */
struct w_session_order {
	char home[W_LAYER_PATH_MAX];  /* of its layer over HOME */
	char layer[W_LAYER_PATH_MAX]; /* with "upper" and "work" */
	struct w_host_ports ports;
};

/* The descriptors sent with W_HELPER_EVENT_SESSION. The detail of that event is
 * the errno with which no overlay could be mounted; 0: it is, or there is no
 * layer. */
enum {
	W_SESSION_FD_USER,
	W_SESSION_FD_MOUNT,
	W_SESSION_FD_NETWORK,
	W_SESSION_FD_TMP, /* its tmpfs, O_PATH */
	W_SESSION_FDS,
};

/* Engine to fork server: one byte for each sandbox init. */
enum {
	W_FORK_SERVER_MAKE = 'c',
	W_FORK_SERVER_MAKE_WITH_TERMINAL = 't', /* it opens one */
};

struct w_helper_event {
	int32_t kind;
	int32_t step; /* enum w_step, of W_HELPER_EVENT_FAILED */
	int32_t sys_errno;
	uint32_t detail;    /* of FAILED: index of the mount or rule */
	int32_t status;     /* as from wait4() */
	uint32_t killed;    /* processes that had to be killed */
	uint32_t remaining; /* 1: background processes are alive */
	uint32_t gone;      /* 1: only the helper itself is left */
	uint64_t user_us;
	uint64_t system_us;
	uint64_t max_rss_kib;
};

#endif /* W_RUN_PROTOCOL_H */
