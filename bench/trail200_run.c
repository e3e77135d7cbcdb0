/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Loops of `writ run`: eight at once, each run an echo of a word of its own.
 *
 * The word on the output proves that the command ran, so its begin must be
 * in the trail; exit status 0 of writ is the acknowledgement that the end is
 * there as well. A run that was killed with its begin written and its end
 * not must be named by verification.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <writ/writ.h>

#include "trail200.h"

enum {
	RUNS_MAX = 200000,
	BETWEEN_US = 8000 /* kills, at most */
};

/* One run, by its number. */
struct fate {
	bool was_seen;   /* its output came */
	bool was_ended;  /* writ exited 0 */
	bool was_killed; /* writ was */
	bool has_begin;
	bool has_end;
	bool is_named; /* as lost, by verification */
	char id[32];
};

struct slot {
	pid_t pid; /* 0: none */
	int fd;
	unsigned number;
	bool is_killed;
};

struct field {
	const struct shock *shock;
	struct tally *tally;
	struct fate *fates;
	unsigned count;
	unsigned seed;
	struct slot slots[WRITERS];
};

static _Noreturn void
become_writ(const struct shock *shock, unsigned number, int out_fd)
{
	char word[32];

	(void)snprintf(word, sizeof(word), "echo%06u", number);
	/* Hundreds are refused where there is no room; they are counted. */
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	(void)dup2(out_fd, STDOUT_FILENO);
	(void)dup2(null_fd, STDIN_FILENO);
	(void)dup2(null_fd, STDERR_FILENO);
	(void)setenv("WRIT_STATE_DIR", shock->state, 1);
	(void)execl(
	    shock->writ, "writ", "run", "--", "echo", word, (const char *)NULL);
	_exit(99);
}

static bool
start(struct field *field, struct slot *slot)
{
	int fds[2];

	if (field->count == RUNS_MAX || pipe2(fds, O_CLOEXEC) < 0)
		return false;
	*slot = (struct slot){.number = field->count++, .fd = fds[0]};
	slot->pid = fork();
	if (slot->pid == 0)
		become_writ(field->shock, slot->number, fds[1]);
	(void)close(fds[1]);
	return slot->pid > 0;
}

/* Its output is at an end: so is the process, or will be in a moment. */
static bool
collect(struct field *field, struct slot *slot)
{
	struct fate *fate = &field->fates[slot->number];
	char text[64];
	int status = 0;

	ssize_t len = read(slot->fd, text, sizeof(text));
	if (len > 0) {
		fate->was_seen = true;
		return true;
	}
	(void)close(slot->fd);
	if (waitpid(slot->pid, &status, 0) != slot->pid)
		return false;
	slot->pid = 0;
	fate->was_killed = WIFSIGNALED(status) && slot->is_killed;
	fate->was_ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	field->tally->killed += fate->was_killed ? 1 : 0;
	field->tally->refused += !fate->was_killed && !fate->was_ended ? 1 : 0;
	return true;
}

/* Waits so long for output, and takes what comes. */
static bool
attend(struct field *field, unsigned wait_us)
{
	struct pollfd fds[WRITERS];
	const struct timespec wait = {.tv_nsec = (long)wait_us * 1000};

	for (int i = 0; i < WRITERS; i++) {
		fds[i].fd = field->slots[i].pid > 0 ? field->slots[i].fd : -1;
		fds[i].events = POLLIN;
		fds[i].revents = 0;
	}
	if (ppoll(fds, WRITERS, &wait, NULL) < 0)
		return errno == EINTR;
	for (int i = 0; i < WRITERS; i++) {
		if (fds[i].revents != 0 && !collect(field, &field->slots[i]))
			return false;
	}
	return true;
}

static bool
fill_slots(struct field *field)
{
	for (int i = 0; i < WRITERS; i++) {
		if (field->slots[i].pid == 0 && !start(field, &field->slots[i]))
			return false;
	}
	return true;
}

static bool
is_idle(const struct field *field)
{
	for (int i = 0; i < WRITERS; i++) {
		if (field->slots[i].pid > 0)
			return false;
	}
	return true;
}

static bool
kill_around(struct field *field)
{
	uint64_t next_us = 0;

	while (field->tally->killed < field->shock->kills) {
		if (!fill_slots(field) || !attend(field, 500))
			return false;
		if (shock_now_us() < next_us)
			continue;
		struct slot *victim =
		    &field->slots[shock_random(&field->seed, WRITERS)];
		if (victim->pid > 0 && kill(victim->pid, SIGKILL) == 0)
			victim->is_killed = true;
		next_us =
		    shock_now_us() + shock_random(&field->seed, BETWEEN_US);
	}
	while (!is_idle(field)) {
		if (!attend(field, 500))
			return false;
	}
	return true;
}

/* ---- afterwards ---- */

static bool
on_run(void *ctx, const writ_audit_run *run)
{
	struct field *field = ctx;
	const char *word = strstr(run->command, "echo0");
	unsigned number = RUNS_MAX;

	if (word == NULL || sscanf(word, "echo%u", &number) != 1 ||
	    number >= field->count)
		return true;
	struct fate *fate = &field->fates[number];
	fate->has_begin = run->begin_seq != 0;
	fate->has_end = run->end_seq != 0;
	(void)snprintf(fate->id, sizeof(fate->id), "%s", run->run_id);
	return true;
}

static void
on_finding(void *ctx, const writ_audit_finding *finding)
{
	struct field *field = ctx;

	if (strcmp(finding->severity, "bad") == 0)
		(void)fprintf(stderr, "%s: %s\n", finding->kind, finding->text);
	if (strcmp(finding->kind, "recovered") == 0)
		field->tally->recovered++;
	for (unsigned i = 0; finding->run_id != NULL && i < field->count; i++) {
		if (strcmp(field->fates[i].id, finding->run_id) == 0)
			field->fates[i].is_named = true;
	}
}

static void
judge(struct field *field)
{
	struct tally *tally = field->tally;

	for (unsigned i = 0; i < field->count; i++) {
		const struct fate *fate = &field->fates[i];
		bool is_told = fate->was_seen || fate->was_ended;

		tally->acknowledged += is_told ? 1 : 0;
		if ((is_told && !fate->has_begin) ||
		    (fate->was_ended && !fate->has_end))
			tally->missing++;
		if (fate->has_begin && !fate->has_end) {
			tally->cut++;
			tally->unexplained += fate->is_named ? 0 : 1;
		}
	}
}

static bool
check(struct field *field)
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	writ_audit_proof proof;
	writ_audit *audit = NULL;
	writ_error err = {0};

	options.state_dir = field->shock->state;
	options.no_index = true;
	bool is_good =
	    writ_audit_open(&options, &audit, &err) == WRIT_OK &&
	    writ_audit_runs(audit, &filter, on_run, field, &err) == WRIT_OK &&
	    writ_audit_verify(audit, NULL, on_finding, field, &proof, &err) ==
		WRIT_OK;
	writ_audit_free(audit);
	if (!is_good) {
		(void)fprintf(stderr, "writ-trail200: %s\n", err.message);
		return false;
	}
	judge(field);
	field->tally->records = proof.records;
	field->tally->bad = proof.bad;
	return true;
}

bool
shock_runs(const struct shock *shock, struct tally *tally)
{
	struct field field = {.shock = shock, .tally = tally};

	field.seed = shock->seed;
	field.fates = calloc(RUNS_MAX, sizeof(*field.fates));
	bool is_good =
	    field.fates != NULL && kill_around(&field) && check(&field);
	free(field.fates);
	return is_good;
}
