/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SHOTS_H
#define BENCH_SHOTS_H

#include "bench.h"

/*
 * The ways to take a sample, and the probes: what a fresh process of this
 * program does when it is to be looked at as a whole.
 */

/* posix_spawn(), two pipes read to their end, waitpid(). */
struct sample shot_floor(const struct seat *, const struct variant *);

/* The same command by writ_run(). */
struct sample shot_ours(const struct seat *, const struct variant *);

/* The command "writ", found where the settings say, as the floor starts it. */
struct sample shot_cold(const struct seat *, const struct variant *);

/* A fresh process that runs the probe argv[0] and reports on itself. */
struct sample shot_probe(const struct seat *, const struct variant *);

/* "writ" with argv and a flood of output, its memory watched from outside. */
struct sample shot_flood_cli(const struct seat *, const struct variant *);

/* Runs a probe and prints its sample; returns the exit status. */
int probe_main(const struct settings *settings, int argc, char **argv);

struct sample probe_flood_floor(const struct settings *, int number);
struct sample probe_flood_ours(const struct settings *, int hold);
struct sample probe_many_floor(const struct settings *, int number);
struct sample probe_many_ours(const struct settings *, int hold);

/* Starts a command with its output in pipes. The pid, or -1. */
pid_t spawn_piped(
    const char *path, char *const argv[], char *const envp[], int out_fds[2]);

enum {
	FLOOD_BYTES = 100000000,
	MANY_RUNS = 2000,
	MANY_QUICK = 200
};

#endif /* BENCH_SHOTS_H */
