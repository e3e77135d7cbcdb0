/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A thousand commands at once from one thread, driven by the program's own
 * event loop: poll() on one descriptor, then writ_engine_dispatch().
 *
 *     cc many.c $(pkg-config --cflags --libs writ) && ./a.out [COUNT]
 */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <writ/writ.h>

enum {
	STANDARD_COUNT = 1000,
	OUTCOMES = WRIT_LIMITED + 1
};

struct tally {
	unsigned long ended[OUTCOMES];
	unsigned long failed; /* ended otherwise than they should have */
};

/* Each run holds a few descriptors of this process: pipes and a pidfd. */
static void
allow_many_descriptors(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
}

static void
on_done(void *ctx, writ_job *job, writ_result *result)
{
	struct tally *tally = ctx;

	(void)job; /* gone when this returns */
	tally->ended[result->outcome]++;
	if (result->exit_code != 0 || result->out[WRIT_STDOUT].bytes != 3)
		tally->failed++;
	writ_result_free(result);
}

static unsigned long
start_all(writ_engine *engine, unsigned long count, struct tally *tally)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_error err;

	request.shell = "sleep 1; echo ok";
	request.timeout_ms = 120000;
	for (unsigned long i = 0; i < count; i++) {
		if (writ_start(engine, &request, on_done, tally, NULL, &err) ==
		    WRIT_OK)
			continue;
		(void)fprintf(stderr, "many: %s\n", err.message);
		return i;
	}
	return count;
}

/* Here a real program would poll its own descriptors as well. */
static int
drive(writ_engine *engine)
{
	struct pollfd ready = {.fd = writ_engine_fd(engine), .events = POLLIN};
	writ_error err;

	while (writ_engine_live(engine) > 0) {
		(void)poll(&ready, 1, -1);
		if (writ_engine_dispatch(engine, 0, &err) != WRIT_OK) {
			(void)fprintf(stderr, "many: %s\n", err.message);
			return -1;
		}
	}
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned long count =
	    argc > 1 ? strtoul(argv[1], NULL, 10) : STANDARD_COUNT;
	struct tally tally = {0};
	writ_engine *engine;

	allow_many_descriptors();
	if (writ_engine_new(NULL, &engine, NULL) != WRIT_OK)
		return EXIT_FAILURE;
	unsigned long started = start_all(engine, count, &tally);
	int driven = drive(engine);
	writ_engine_free(engine);

	unsigned long ended = 0;
	for (int i = 0; i < OUTCOMES; i++) {
		ended += tally.ended[i];
		if (tally.ended[i] > 0)
			(void)printf("%s: %lu\n",
			    writ_outcome_word((writ_outcome)i), tally.ended[i]);
	}
	(void)printf("%lu of %lu ended, %lu of them badly\n", ended, count,
	    tally.failed);
	return driven == 0 && started == count && ended == count &&
		       tally.failed == 0
		   ? EXIT_SUCCESS
		   : EXIT_FAILURE;
}
