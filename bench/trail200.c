/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Kills writers of a trail and counts what is left of their words.
 *
 *     writ-trail200 log STATE_DIR [KILLS]          bare writers, no pause
 *     writ-trail200 runs STATE_DIR [KILLS] WRIT    loops of `writ run`
 *
 * Exits 1 when something acknowledged is gone, when a run without an end is
 * not named, or when verification finds anything bad. bench/trail200 starts
 * it, also on a file system that is too small.
 */

#include "trail200.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	KILLS = 200,
	KILLS_MAX = 100000
};

uint64_t
shock_now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

unsigned
shock_random(unsigned *seed, unsigned bound)
{
	return (unsigned)rand_r(seed) % bound;
}

static bool
report(const char *what, const struct shock *shock, const struct tally *tally)
{
	(void)printf("%s: %d at once, %" PRIu64 " killed, seed %u\n", what,
	    (int)WRITERS, tally->killed, shock->seed);
	(void)printf("  acknowledged %" PRIu64 ", of these missing %" PRIu64
		     "; refused %" PRIu64 "\n",
	    tally->acknowledged, tally->missing, tally->refused);
	(void)printf("  begun and cut off %" PRIu64
		     ", of these not named %" PRIu64 "\n",
	    tally->cut, tally->unexplained);
	(void)printf("  ends mended by a later writer %" PRIu64
		     "; verified %" PRIu64 " records, bad %" PRIu64 "\n",
	    tally->recovered, tally->records, tally->bad);
	bool is_good = tally->missing == 0 && tally->unexplained == 0 &&
		       tally->bad == 0 && tally->acknowledged > 0;
	(void)printf("  %s\n", is_good ? "nothing is lost" : "FAILED");
	return is_good;
}

static int
usage(void)
{
	(void)fprintf(stderr,
	    "usage: writ-trail200 log STATE_DIR [KILLS]\n"
	    "       writ-trail200 runs STATE_DIR KILLS WRIT\n");
	return 2;
}

int
main(int argc, char **argv)
{
	struct tally tally = {0};
	const struct shock shock = {
	    .state = argc > 2 ? argv[2] : NULL,
	    .writ = argc > 4 ? argv[4] : NULL,
	    .kills = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10)
			      : (unsigned)KILLS,
	    .seed = (unsigned)shock_now_us(),
	};

	if (shock.state == NULL || shock.kills == 0 || shock.kills > KILLS_MAX)
		return usage();
	bool is_log = strcmp(argv[1], "log") == 0;
	if (!is_log && (strcmp(argv[1], "runs") != 0 || shock.writ == NULL))
		return usage();
	bool is_done =
	    is_log ? shock_log(&shock, &tally) : shock_runs(&shock, &tally);
	if (!is_done)
		return 2;
	return report(argv[1], &shock, &tally) ? 0 : 1;
}
