/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <writ/writ.h>

/*
 * How the measuring is put together.
 *
 * A variant is one way to do one thing, for example to run /bin/true. It
 * lives in a seat: a process of its own that is small or large, root or an
 * ordinary user, and that takes one sample whenever it is asked. The main
 * process asks all variants of a section once in each round, in a new random
 * order, so that whatever else the machine does falls on all of them alike.
 */

#define BENCH_BIG_BYTES ((size_t)2 << 30)

/* Whose time a sample is taken in. */
enum seat_kind {
	SEAT_ROOT, /* as we were started, when that is root */
	SEAT_USER, /* an ordinary user */
	SEAT_BIG,  /* root with 2 GiB resident */
	SEAT_COUNT,
};

/* One measurement. ns is 0 when it failed. */
struct sample {
	uint64_t ns;
	uint64_t rss_kib; /* peak of the process that was measured; 0: not */
	char by[12];      /* what held the tree, as the result says */
};

/* In place of that, when this machine cannot build the sandbox. */
#define REFUSED "refused"

/* What is measured, of the things that can be asked for. */
enum suite {
	SUITE_USUAL,
	SUITE_CONFINEMENT,   /* the sandboxes */
	SUITE_AUDIT,         /* the trail */
	SUITE_MODULES,       /* descriptions, and calls by them */
	SUITE_UNDERSTANDING, /* what an argv means */
	SUITE_DECISION,      /* and what the policy says of it */
};

/* What the whole program was told. */
struct settings {
	const char *self;    /* this program */
	const char *writ;    /* the command line program */
	const char *flood;   /* writes so many bytes */
	const char *json;    /* where the figures go; NULL: nowhere */
	const char *only;    /* a part of a section's name; NULL: all */
	const char *stage;   /* holds a directory to work in for each user;
				NULL: there is none */
	const char *state;   /* holds a state directory for each user; NULL:
				there is none, and no record is left */
	const char *trail;   /* a state directory with many records; NULL */
	const char *records; /* how many those are; NULL */
	const char *shelf;   /* holds "few" and "many", each with a folder
				"modules"; NULL: there is none */
	const char *small;   /* a program over the library; NULL: none */
	const char *before;  /* the program of another build; NULL: none */
	const char *node;    /* a peer's program; NULL: not installed */
	const char *judge;   /* what node runs */
	const char *codex;   /* a peer's program; NULL: not installed */
	const char *bwrap;   /* the bubblewrap that codex brings; the same */
	enum suite suite;
	bool is_quick;
	bool is_fair; /* no real-time scheduling */
};

/* What a seat has at hand. */
struct seat {
	enum seat_kind kind;
	const struct settings *settings;
	char stage[256]; /* where its commands run; empty: where we do */
	char state[256]; /* where its records go; empty: nowhere */
	writ_engine *engine;
	writ_engine *silent; /* leaves no record; NULL: not this suite */
	char **envp;         /* the environment that writ gives to a command */
	char **own_envp;     /* and for writ itself: where its records go */
	pid_t pid;           /* in the main process */
	int socket;
	const char *absent; /* why there is no such seat; NULL: there is */
};

struct variant {
	const char *name;
	enum seat_kind seat;
	/* Takes one sample. */
	struct sample (*shot)(
	    const struct seat *seat, const struct variant *variant);
	writ_hold hold;
	const char *const *argv;
	const char *sandbox; /* a profile; NULL: none is asked for */
};

uint64_t bench_now_ns(void);

/* Peak resident set of a process, 0 meaning this one. */
uint64_t bench_peak_kib(pid_t pid);

#endif /* BENCH_BENCH_H */
