/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Thousands of runs in each sandbox: nothing may grow.
 *
 *     writ-soak COUNT [PROFILE...]
 *
 * One engine makes COUNT runs of each profile, as root and as an ordinary
 * user: commands that end well, that leave processes behind, that are ended
 * for their time, that do not exist. What it and its helpers hold is counted
 * after the first tenth and at the end, and again without the engine. Prints
 * TAP; works in the current directory, which a profile may make writable.
 */

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <writ/writ.h>

#include "census.h"

enum {
	NOBODY = 65534,
	KINDS = 10,
	PATIENCE = 100, /* times 50 ms for the kernel to clean up */
};

/* How much more there may be at the end. Pools breathe, each member of one
 * has mounts of its own, and the kernel's own counts are coarse. What an
 * engine gave back, the allocator may keep. */
static long
allowance(enum census_kind kind, long runs, bool has_engine)
{
	if (kind == CENSUS_ZOMBIES)
		return 0;
	if (kind == CENSUS_RSS)
		return has_engine ? 512 : 4096;
	if (kind == CENSUS_MOUNTS || kind >= CENSUS_KERNEL_PIDNS)
		return 100 + runs / 10;
	return 8;
}

struct soak {
	writ_engine *engine;
	const char *profile;
	char leftover[64]; /* a shell line with a word found nowhere else */
	char word[32];
	char why[400]; /* the first thing that went wrong; empty: none */
	bool is_refused;
};

/* How the process of one profile ends. */
enum {
	GOOD,
	BAD,
	REFUSED /* this machine cannot build the sandbox */
};

static void
note(struct soak *soak, const char *what, const char *why)
{
	if (soak->why[0] == '\0')
		(void)snprintf(
		    soak->why, sizeof(soak->why), "%s: %s", what, why);
}

static void
make_request(struct soak *soak, long number, writ_request *request)
{
	static const char *const true_argv[] = {"/bin/true", NULL};
	static const char *const slow_argv[] = {"/bin/sleep", "60", NULL};
	static const char *const missing_argv[] = {"/bin/no-such", NULL};

	request->sandbox = soak->profile;
	request->argv = true_argv;
	if (number % KINDS == 3) {
		request->argv = NULL;
		request->shell = soak->leftover;
	} else if (number % KINDS == 5) {
		request->argv = slow_argv;
		request->timeout_ms = 2;
		request->grace_ms = 1;
	} else if (number % KINDS == 7) {
		request->argv = missing_argv;
	}
}

static bool
is_expected(
    const writ_request *request, writ_status status, const writ_result *result)
{
	if (status == WRIT_E_NOTFOUND)
		return request->argv != NULL &&
		       strcmp(request->argv[0], "/bin/no-such") == 0;
	if (status != WRIT_OK)
		return false;
	if (request->timeout_ms != 0)
		return result->outcome == WRIT_TIMED_OUT;
	return result->outcome == WRIT_EXITED && result->exit_code == 0;
}

static void
run_one(struct soak *soak, long number)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error error = {0};

	make_request(soak, number, &request);
	writ_status status = writ_run(soak->engine, &request, &result, &error);
	soak->is_refused = soak->is_refused || status == WRIT_E_SANDBOX;
	if (!is_expected(&request, status, result))
		note(soak, "a run did not end as it should",
		    status == WRIT_OK ? writ_outcome_word(result->outcome)
				      : error.message);
	if (status == WRIT_OK &&
	    (result->sandbox == NULL ||
		strcmp(result->sandbox, soak->profile) != 0))
		note(soak, "a run had another sandbox",
		    result->sandbox == NULL ? "none" : result->sandbox);
	writ_result_free(result);
}

/* The first kind of which there is too much more, or CENSUS_COUNT. */
static enum census_kind
compare(const struct census *before, const struct census *after, long runs,
    bool has_engine)
{
	int kind = 0;

	for (; kind < CENSUS_COUNT; kind++) {
		long more = after->count[kind] - before->count[kind];

		if (more > allowance((enum census_kind)kind, runs, has_engine))
			break;
	}
	return (enum census_kind)kind;
}

/* Takes counts until they are no more than before: the kernel ends
 * namespaces and groups a little later than their processes. */
static void
settle(struct soak *soak, const struct census *before, long runs)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	struct census after = census_take();
	bool has_engine = soak->engine != NULL;
	enum census_kind kind = compare(before, &after, runs, has_engine);

	for (int i = 0; i < PATIENCE && kind != CENSUS_COUNT; i++) {
		(void)nanosleep(&pause, NULL);
		if (has_engine)
			(void)writ_engine_dispatch(soak->engine, 0, NULL);
		after = census_take();
		kind = compare(before, &after, runs, has_engine);
	}
	for (int i = 0; i < CENSUS_COUNT; i++)
		(void)printf("#   %-30s %6ld -> %6ld\n",
		    census_text((enum census_kind)i), before->count[i],
		    after.count[i]);
	if (kind != CENSUS_COUNT)
		note(soak, "there are more", census_text(kind));
	if (census_finds(soak->word))
		note(soak, "still running", soak->word);
}

/* The most of a few: what is made ahead of the next run comes and goes. */
static struct census
take_most(void)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	struct census most = census_take();

	for (int i = 0; i < 5; i++) {
		(void)nanosleep(&pause, NULL);
		struct census now = census_take();

		for (int kind = 0; kind < CENSUS_COUNT; kind++) {
			if (now.count[kind] > most.count[kind])
				most.count[kind] = now.count[kind];
		}
	}
	return most;
}

static void
make_runs(struct soak *soak, long count)
{
	long warm_up = count / 10 < 50 ? 50 : count / 10;
	struct census outside = census_take();
	writ_error error = {0};

	if (writ_engine_new(NULL, &soak->engine, &error) != WRIT_OK) {
		note(soak, "there is no engine", error.message);
		return;
	}
	for (long i = 0; i < warm_up && !soak->is_refused; i++)
		run_one(soak, i);
	struct census before = take_most();
	before.count[CENSUS_ZOMBIES] = 0;
	for (long i = 0; i < count && soak->why[0] == '\0'; i++)
		run_one(soak, i);
	settle(soak, &before, count);
	writ_engine_free(soak->engine);
	soak->engine = NULL;
	(void)printf("#  without the engine:\n");
	settle(soak, &outside, count);
}

/* bench/soak has made it: nobody's records are where another's are. */
static bool
move_state(void)
{
	const char *dir = getenv("WRIT_STATE_DIR");
	char own[PATH_MAX];

	if (dir == NULL)
		return true;
	(void)snprintf(own, sizeof(own), "%s-user", dir);
	return setenv("WRIT_STATE_DIR", own, 1) == 0;
}

static bool
become_user(void)
{
	return move_state() && setgroups(0, NULL) == 0 &&
	       setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
	       setresuid(NOBODY, NOBODY, NOBODY) == 0 &&
	       prctl(PR_SET_DUMPABLE, 1) == 0 && chdir("../user") == 0;
}

/* In a process of its own, so that one profile does not count another's. */
static int
soak_apart(const char *profile, long count, bool is_user)
{
	struct soak soak = {.profile = profile};
	int status = -1;

	(void)fflush(stdout);
	pid_t pid = fork();
	if (pid != 0) {
		(void)waitpid(pid, &status, 0);
		return WIFEXITED(status) ? WEXITSTATUS(status) : BAD;
	}
	(void)snprintf(soak.word, sizeof(soak.word), "86400.%d", (int)getpid());
	(void)snprintf(soak.leftover, sizeof(soak.leftover),
	    "sleep %s & exit 0", soak.word);
	if (is_user && !become_user())
		note(&soak, "cannot become an ordinary user", strerror(errno));
	else
		make_runs(&soak, count);
	if (soak.why[0] != '\0')
		(void)printf("# %s\n", soak.why);
	(void)fflush(stdout);
	if (soak.is_refused)
		_exit(REFUSED);
	_exit(soak.why[0] == '\0' ? GOOD : BAD);
}

static void
say(int number, int outcome, const char *what)
{
	(void)printf("%sok %d - %s%s\n", outcome == BAD ? "not " : "", number,
	    what, outcome == REFUSED ? " # SKIP this machine refuses it" : "");
}

int
main(int argc, char **argv)
{
	static const char *const all[] = {
	    "none", "env", "readonly", "workspace", "strict"};
	long count = argc > 1 ? atol(argv[1]) : 0;
	int first = geteuid() == 0 ? 0 : 1;
	int failed = 0, number = 0;
	int profiles = argc > 2 ? argc - 2 : 5;

	if (count <= 0) {
		(void)fprintf(stderr, "usage: writ-soak COUNT [PROFILE...]\n");
		return 2;
	}
	census_open();
	(void)printf("1..%d\n", profiles * (2 - first));
	for (int who = first; who < 2; who++) {
		for (int i = 0; i < profiles; i++) {
			const char *profile = argc > 2 ? argv[i + 2] : all[i];
			bool is_user = who == 1 && first == 0;
			int outcome = soak_apart(profile, count, is_user);
			char what[128];

			failed += outcome == BAD ? 1 : 0;
			(void)snprintf(what, sizeof(what),
			    "%ld runs in %s as %s leave nothing behind", count,
			    profile, who == 0 ? "root" : "a user");
			say(++number, outcome, what);
		}
	}
	return failed == 0 ? 0 : 1;
}
