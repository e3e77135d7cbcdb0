/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Bare writers: eight processes that append without a pause, so that a kill
 * falls into the midst of a write as often as not. What they were told is
 * noted in memory that outlives them.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log/log.h"
#include "log/verify/log_verify.h"
#include "trail.h"
#include "trail200.h"

enum {
	RECORDS_MAX = 1 << 22,
	BETWEEN_US = 12000, /* kills, at most */
	FULL_PAUSE_NS = 1000000
};

/* Of each record by its number: the start of its hash as the writer was told
 * it; 0: nobody was told. */
struct notes {
	uint64_t hashes[RECORDS_MAX];
	uint64_t refused;
};

static uint64_t
short_hash(const char *hex)
{
	char start[17] = "";

	memcpy(start, hex, 16);
	/* 0 means that there is none. */
	return strtoull(start, NULL, 16) | 1;
}

static _Noreturn void
write_on(const char *dir, struct notes *notes)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_NONE};
	const struct timespec pause = {.tv_nsec = FULL_PAUSE_NS};
	char payload[TRAIL_PAYLOAD + 1];
	struct w_log *log = NULL;
	writ_error err = {0};

	/* A first file that does not fit is a refusal like any other. */
	while (w_log_open(dir, &options, &log, &err) != WRIT_OK) {
		(void)__atomic_add_fetch(&notes->refused, 1, __ATOMIC_RELAXED);
		(void)nanosleep(&pause, NULL);
	}
	for (uint64_t number = 0;; number++) {
		struct w_log_mark mark;

		trail_begin(number, payload);
		if (w_log_append(log, payload, TRAIL_PAYLOAD, W_LOG_BEGINS,
			&mark, &err) == WRIT_OK &&
		    mark.seq < RECORDS_MAX) {
			notes->hashes[mark.seq] = short_hash(mark.hash);
			continue;
		}
		(void)__atomic_add_fetch(&notes->refused, 1, __ATOMIC_RELAXED);
		(void)nanosleep(&pause, NULL);
	}
}

static pid_t
start(const char *dir, struct notes *notes)
{
	pid_t pid = fork();

	if (pid == 0)
		write_on(dir, notes);
	return pid;
}

static bool
end(pid_t pid)
{
	int status = 0;

	return kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid &&
	       WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool
kill_around(const struct shock *shock, const char *dir, struct notes *notes,
    uint64_t *out_killed)
{
	unsigned seed = shock->seed;
	pid_t pids[WRITERS];
	bool is_good = true;

	for (int i = 0; i < WRITERS; i++)
		pids[i] = start(dir, notes);
	while (is_good && *out_killed < shock->kills) {
		unsigned victim = shock_random(&seed, WRITERS);
		const struct timespec pause = {
		    .tv_nsec = (long)shock_random(&seed, BETWEEN_US) * 1000};

		(void)nanosleep(&pause, NULL);
		is_good = end(pids[victim]);
		*out_killed += is_good ? 1 : 0;
		pids[victim] = start(dir, notes);
		is_good = is_good && pids[victim] > 0;
	}
	for (int i = 0; i < WRITERS; i++)
		(void)end(pids[i]);
	return is_good;
}

/* ---- afterwards ---- */

struct audit {
	const struct notes *notes;
	struct tally *tally;
	uint64_t found;
};

static void
on_line(
    void *ctx, const struct w_log_line *line, const struct w_log_place *place)
{
	struct audit *audit = ctx;

	(void)place;
	if (line->seq < RECORDS_MAX && audit->notes->hashes[line->seq] != 0)
		audit->found +=
		    audit->notes->hashes[line->seq] == short_hash(line->hash);
}

static void
on_fault(void *ctx, const struct w_log_fault *fault)
{
	struct audit *audit = ctx;

	if (w_log_fault_severity(fault->kind) != W_LOG_BAD)
		return;
	audit->tally->bad++;
	(void)fprintf(
	    stderr, "%s: %s\n", w_log_fault_word(fault->kind), fault->text);
}

static bool
check(const char *dir, const struct notes *notes, struct tally *tally)
{
	struct audit audit = {.notes = notes, .tally = tally};
	const struct w_log_verify_options verify = {.dir = dir,
	    .name = "trail",
	    .ctx = &audit,
	    .on_fault = on_fault,
	    .on_line = on_line};
	struct w_log_proof proof;
	writ_error err = {0};

	if (w_log_verify_run(&verify, &proof, &err) != WRIT_OK) {
		(void)fprintf(stderr, "writ-trail200: %s\n", err.message);
		return false;
	}
	for (size_t seq = 0; seq < RECORDS_MAX; seq++)
		tally->acknowledged += notes->hashes[seq] != 0;
	tally->missing = tally->acknowledged - audit.found;
	tally->refused = notes->refused;
	tally->records = proof.records;
	tally->recovered = proof.faults[W_LOG_FAULT_RECOVERED];
	return true;
}

bool
shock_log(const struct shock *shock, struct tally *tally)
{
	char dir[4096];
	struct notes *notes = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (notes == MAP_FAILED) {
		perror("writ-trail200");
		return false;
	}
	(void)snprintf(dir, sizeof(dir), "%s/audit", shock->state);
	bool is_good = kill_around(shock, dir, notes, &tally->killed) &&
		       check(dir, notes, tally);
	(void)munmap(notes, sizeof(*notes));
	return is_good;
}
