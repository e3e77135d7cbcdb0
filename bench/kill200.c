/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How long it takes until nothing of a run is left: 200 processes that have
 * all called setsid, forked twice and ignore SIGTERM.
 *
 *     writ-bench-kill [ROUNDS [fair]]
 *
 * The time goes from the request to end the run until its result is there.
 * Afterwards every process of the machine is looked at: one that carries the
 * mark of the run has survived. Exits 1 when one has, or when the median is
 * above the bar. Run it as root, and as an ordinary user. For root it is done
 * under real-time scheduling, as the other measures are, unless told "fair".
 *
 * As `writ-bench-kill swarm` it is the command that is run.
 */

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <writ/writ.h>

enum {
	SWARM = 200,
	ROUNDS = 20,
	ROUNDS_MAX = 1000,
	BAR_US = 25000,
	AIM_US = 10000
};

/* ---- the command ---- */

static void
ignore_and_wait(void)
{
	(void)signal(SIGTERM, SIG_IGN);
	(void)!write(STDOUT_FILENO, "x", 1);
	for (;;)
		(void)pause();
}

static int
swarm(void)
{
	for (int i = 0; i < SWARM; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid > 0)
			continue;
		(void)setsid();
		pid = fork();
		if (pid == 0)
			ignore_and_wait();
		_exit(pid < 0);
	}
	(void)signal(SIGTERM, SIG_IGN);
	for (;;)
		(void)pause();
}

/* ---- a sample ---- */

struct way {
	const char *name;
	writ_hold hold;
	const char *sandbox; /* NULL: none */
	bool has_bar;
};

static const struct way ways[] = {
    {"cgroup", WRIT_HOLD_CGROUP, NULL, true},
    {"pidns", WRIT_HOLD_PIDNS, NULL, true},
    {"keeper", WRIT_HOLD_KEEPER, NULL, false},
    {"sandbox readonly", WRIT_HOLD_AUTO, "readonly", true},
    {"sandbox workspace", WRIT_HOLD_AUTO, "workspace", true},
    {"sandbox strict", WRIT_HOLD_AUTO, "strict", true},
};

struct watch {
	size_t ready; /* of the swarm */
	writ_result *result;
};

static int
on_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	struct watch *watch = ctx;

	(void)job;
	(void)bytes;
	watch->ready += stream == WRIT_STDOUT ? len : 0;
	return 0;
}

static void
on_done(void *ctx, writ_job *job, writ_result *result)
{
	struct watch *watch = ctx;

	(void)job;
	watch->result = result;
}

static uint64_t
now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static bool
carries(const char *pid, const char *mark)
{
	static char text[65536];
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t len = read(fd, text, sizeof(text));
	(void)close(fd);
	return len > 0 && memmem(text, (size_t)len, mark, strlen(mark)) != NULL;
}

static int
count_marked(const char *mark)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	int count = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			count += carries(entry->d_name, mark);
	}
	if (dir != NULL)
		(void)closedir(dir);
	return count;
}

struct tally {
	uint64_t us[ROUNDS_MAX];
	size_t count;
	int survivors;
	char error[320]; /* why there are no samples; empty: there are */
};

/* Drives the run until its swarm is there, and ends it. */
static void
end_swarm(writ_engine *engine, writ_job *job, struct watch *watch,
    struct tally *tally)
{
	while (watch->ready < SWARM && watch->result == NULL)
		(void)writ_engine_dispatch(engine, 1000, NULL);
	if (watch->result != NULL) {
		(void)snprintf(tally->error, sizeof(tally->error),
		    "the swarm ended by itself, %zu were there", watch->ready);
		return;
	}
	uint64_t began = now_us();
	writ_job_cancel(job, SIGKILL);
	while (watch->result == NULL)
		(void)writ_engine_dispatch(engine, 1000, NULL);
	tally->us[tally->count++] = now_us() - began;
}

static void
take_sample(writ_engine *engine, const char *self, const struct way *way,
    struct tally *tally)
{
	const char *const argv[] = {self, "swarm", NULL};
	const char *const read[] = {self, NULL};
	char mark[64];
	const char *const env[] = {mark, NULL};
	writ_request request = WRIT_REQUEST_INIT;
	struct watch watch = {0};
	writ_error err = {0};
	writ_job *job;

	(void)snprintf(mark, sizeof(mark), "WRIT_KILL_MARK=%d.%zux",
	    (int)getpid(), tally->count);
	request.argv = argv;
	request.env = env;
	request.hold = way->hold;
	request.sandbox = way->sandbox;
	request.read = way->sandbox == NULL ? NULL : read;
	request.on_output = on_output;
	request.output_ctx = &watch;
	if (writ_start(engine, &request, on_done, &watch, &job, &err) !=
	    WRIT_OK) {
		(void)snprintf(
		    tally->error, sizeof(tally->error), "%s", err.message);
		return;
	}
	end_swarm(engine, job, &watch, tally);
	writ_result_free(watch.result);
	tally->survivors += count_marked(mark);
}

/* Harmless where it may not be done. */
static void
become_urgent(void)
{
	const struct sched_param param = {.sched_priority = 1};

	(void)sched_setscheduler(0, SCHED_FIFO, &param);
}

/* ---- the table ---- */

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool
report(const struct way *way, struct tally *tally)
{
	if (tally->error[0] != '\0' || tally->count == 0) {
		(void)printf("%-18s  %s\n", way->name, tally->error);
		return true;
	}
	qsort(tally->us, tally->count, sizeof(*tally->us), compare);
	uint64_t median = tally->us[tally->count / 2];
	bool is_good =
	    tally->survivors == 0 && (!way->has_bar || median <= BAR_US);
	const char *verdict = !is_good           ? "MISSED"
			      : !way->has_bar    ? ""
			      : median <= AIM_US ? "aim"
						 : "bar";

	(void)printf("%-18s  %8.1f %8.1f %8.1f  %9d  %s\n", way->name,
	    (double)tally->us[0] / 1000, (double)median / 1000,
	    (double)tally->us[tally->count - 1] / 1000, tally->survivors,
	    verdict);
	return is_good;
}

static bool
measure(writ_engine *engine, const char *self, size_t rounds)
{
	static struct tally tallies[sizeof(ways) / sizeof(*ways)];
	size_t count = sizeof(ways) / sizeof(*ways);
	bool is_good = true;

	/* In turn, so that what else the machine does falls on all alike. */
	for (size_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < count; i++) {
			if (tallies[i].error[0] == '\0')
				take_sample(
				    engine, self, &ways[i], &tallies[i]);
		}
	}
	(void)printf("%d processes, %zu rounds, milliseconds (bar %d, aim %d, "
		     "by the median)\n",
	    SWARM, rounds, BAR_US / 1000, AIM_US / 1000);
	(void)printf("%-18s  %8s %8s %8s  %9s\n", "held by", "least", "median",
	    "most", "survivors");
	for (size_t i = 0; i < count; i++)
		is_good = report(&ways[i], &tallies[i]) && is_good;
	return is_good;
}

int
main(int argc, char **argv)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine;
	writ_error err;
	char self[4096];

	if (argc > 1 && strcmp(argv[1], "swarm") == 0)
		return swarm();
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (rounds < 1 || rounds > ROUNDS_MAX || len < 0) {
		(void)fprintf(
		    stderr, "usage: writ-bench-kill [ROUNDS [fair]]\n");
		return 2;
	}
	self[len] = '\0';
	if (argc < 3)
		become_urgent();
	if (writ_engine_new(&options, &engine, &err) != WRIT_OK) {
		(void)fprintf(stderr, "writ-bench-kill: %s\n", err.message);
		return 2;
	}
	bool is_good = measure(engine, self, rounds);
	writ_engine_free(engine);
	return is_good ? 0 : 1;
}
