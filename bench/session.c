/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a session costs a program over the library.
 *     writ-bench-session [ROUNDS]
 *
 * Prints lines of tab-separated words:
 *     open US...       writ_session_open() until it returns
 *     alone US...      a warm run of true in workspace, in no session
 *     shared US...     the same in a session
 *     memory BYTES     what one idle session adds to this process
 * The two runs take turns, so that what else the machine does falls on both.
 */

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <writ/writ.h>

enum {
	ROUNDS = 400,
	ROUNDS_MAX = 20000,
	OPENED = 40,
	IDLE = 50
};

static uint64_t
now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
fail(const writ_error *err)
{
	(void)fprintf(stderr, "bench: %s\n", err->message);
	exit(EXIT_FAILURE);
}

static uint64_t
run_once(writ_engine *engine, writ_session *session)
{
	const char *const argv[] = {"true", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error err = {0};
	const uint64_t began = now_ns();

	request.argv = argv;
	request.sandbox = "workspace";
	request.in_session = session;
	if (writ_run(engine, &request, &result, &err) != WRIT_OK)
		fail(&err);
	const uint64_t took = now_ns() - began;
	if (result->exit_code != 0)
		exit(EXIT_FAILURE);
	writ_result_free(result);
	/* What an engine prepares between two runs is not measured. */
	(void)usleep(2000);
	return took;
}

static void
print_series(const char *name, const uint64_t *series, size_t count)
{
	(void)printf("%s", name);
	for (size_t i = 0; i < count; i++)
		(void)printf("\t%.1f", (double)series[i] / 1000);
	(void)printf("\n");
}

static writ_session *
open_session(writ_engine *engine)
{
	writ_session *session = NULL;
	writ_error err = {0};

	if (writ_session_open(engine, NULL, &session, &err) != WRIT_OK)
		fail(&err);
	return session;
}

static void
measure_opening(writ_engine *engine)
{
	static uint64_t series[OPENED];

	for (size_t i = 0; i < OPENED; i++) {
		const uint64_t began = now_ns();
		writ_session *session = open_session(engine);

		series[i] = now_ns() - began;
		writ_session_close(session);
	}
	print_series("open", series, OPENED);
}

static void
measure_runs(writ_engine *engine, size_t rounds)
{
	static uint64_t alone[ROUNDS_MAX], shared[ROUNDS_MAX];
	writ_session *session = open_session(engine);

	for (int i = 0; i < 5; i++) {
		(void)run_once(engine, NULL);
		(void)run_once(engine, session);
	}
	for (size_t i = 0; i < rounds; i++) {
		alone[i] = run_once(engine, NULL);
		shared[i] = run_once(engine, session);
	}
	writ_session_close(session);
	print_series("alone", alone, rounds);
	print_series("shared", shared, rounds);
}

/* Pages that are resident. */
static long
resident(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long size = 0, pages = 0;

	if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2)
		exit(EXIT_FAILURE);
	(void)fclose(file);
	return pages * sysconf(_SC_PAGESIZE);
}

static void
measure_memory(writ_engine *engine)
{
	static writ_session *sessions[IDLE];

	writ_session_close(open_session(engine));
	const long before = resident();
	for (size_t i = 0; i < IDLE; i++)
		sessions[i] = open_session(engine);
	(void)printf("memory\t%ld\n", (resident() - before) / IDLE);
	for (size_t i = 0; i < IDLE; i++)
		writ_session_close(sessions[i]);
}

int
main(int argc, char **argv)
{
	const struct sched_param urgent = {.sched_priority = 1};
	const size_t asked =
	    argc > 1 ? strtoul(argv[1], NULL, 10) : (size_t)ROUNDS;
	const size_t rounds = asked < ROUNDS_MAX ? asked : ROUNDS_MAX;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;
	writ_error err = {0};

	/* Harmless where it may not be done. */
	if (argc <= 2 || strcmp(argv[2], "fair") != 0)
		(void)sched_setscheduler(0, SCHED_FIFO, &urgent);
	if (writ_engine_new(&options, &engine, &err) != WRIT_OK)
		fail(&err);
	measure_opening(engine);
	measure_runs(engine, rounds);
	measure_memory(engine);
	writ_engine_free(engine);
	return EXIT_SUCCESS;
}
