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

/* The same command by writ_run(), in the variant's sandbox. */
struct sample shot_ours(const struct seat *, const struct variant *);

/* The same by an engine that leaves no record. */
struct sample shot_silent(const struct seat *, const struct variant *);

/* The same as the first run of a new engine. */
struct sample shot_first(const struct seat *, const struct variant *);

/* The same command by the tool for agents, from its input to its answer. */
struct sample shot_tool(const struct seat *, const struct variant *);

/* Many in a row without a pause; the sample is their mean. */
struct sample shot_floor_row(const struct seat *, const struct variant *);
struct sample shot_ours_row(const struct seat *, const struct variant *);
struct sample shot_silent_row(const struct seat *, const struct variant *);

/* A peer's program as the floor starts it, after its words that begin with
 * '@' have been put in. */
struct sample shot_peer(const struct seat *, const struct variant *);

/* What a peer's program is called here: a path, or NULL if there is none. */
const char *peer_program(const struct seat *, const char *word);

/* The command "writ", found where the settings say, as the floor starts it. */
struct sample shot_cold(const struct seat *, const struct variant *);

/* A fresh process that runs the probe argv[0] and reports on itself. */
struct sample shot_probe(const struct seat *, const struct variant *);

/* The same, from outside: start, work and end of that process. */
struct sample shot_once(const struct seat *, const struct variant *);

/* A program that reads the large trail: "writ", or a peer. Words that begin
 * with '@' are put in: the trail's folder, a run's id, a time. */
struct sample shot_trail(const struct seat *, const struct variant *);

/* Look-ups in the large trail by the library; the word says which. */
struct sample shot_look(const struct seat *, const struct variant *);

/* Reading and judging an input, many times; the word says how. The sample is
 * the time of one. */
struct sample shot_judge(const struct seat *, const struct variant *);
struct sample shot_ajv(const struct seat *, const struct variant *);

/* Making an argv, likewise. */
struct sample shot_render(const struct seat *, const struct variant *);

/* A program that knows modules; words that begin with '@' are put in. */
struct sample shot_module(const struct seat *, const struct variant *);

/* The same, without a policy being chosen for it. */
struct sample shot_decided(const struct seat *, const struct variant *);

/* Understanding an argv: by one of the ways, one of the programs; and one of
 * 100,000 words, at once or in parts. */
struct sample shot_understand(const struct seat *, const struct variant *);
struct sample shot_many_words(const struct seat *, const struct variant *);

/* Deciding about an argv: by one of the policies, one of the lines. */
struct sample shot_decide(const struct seat *, const struct variant *);

/* "writ" with argv and a flood of output, its memory watched from outside. */
struct sample shot_flood_cli(const struct seat *, const struct variant *);

/* Runs a probe and prints its sample; returns the exit status. */
int probe_main(const struct settings *settings, int argc, char **argv);

struct sample probe_flood_floor(const struct settings *, int number);
struct sample probe_flood_hashed(const struct settings *, int number);
struct sample probe_flood_ours(const struct settings *, int hold);
struct sample probe_flood_silent(const struct settings *, int hold);
struct sample probe_flood_unkept(const struct settings *, int hold);
struct sample probe_many_floor(const struct settings *, int number);
struct sample probe_many_ours(const struct settings *, int hold);
struct sample probe_once(const struct settings *, int number);
struct sample probe_once_silent(const struct settings *, int number);

/* So many records, in the time of PER_SAMPLE. */
struct sample probe_log_batch(const struct settings *, int number);
struct sample probe_log_sync(const struct settings *, int number);
struct sample probe_log_none(const struct settings *, int number);
struct sample probe_log_eight(const struct settings *, int number);
struct sample probe_log_floor(const struct settings *, int number);
struct sample probe_log_floor_sync(const struct settings *, int number);
struct sample probe_log_sqlite(const struct settings *, int number);

/* Many modules: read without a cache, with one, and the floors of both. */
struct sample probe_known_fresh(const struct settings *, int number);
struct sample probe_known_cached(const struct settings *, int number);
struct sample probe_known_read(const struct settings *, int number);
struct sample probe_known_look(const struct settings *, int number);

/* Starts a command, reads both pipes to their end and waits for it. */
struct sample spawn_and_wait(
    const char *path, const char *const *argv, char *const *envp);

/* Starts a command with its output in pipes. The pid, or -1. */
pid_t spawn_piped(
    const char *path, char *const argv[], char *const envp[], int out_fds[2]);

enum {
	FLOOD_BYTES = 100000000,
	MANY_RUNS = 2000,
	MANY_QUICK = 200,
	IN_A_ROW = 25
};

#endif /* BENCH_SHOTS_H */
