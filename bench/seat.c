/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The processes in which samples are taken.
 *
 * A seat is forked before anything is measured, becomes who it shall be, and
 * then answers one request at a time. The variant travels as a pointer: both
 * sides are the same program in the same state.
 */

#include "seat.h"

#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	NOBODY = 65534
};

/* Lets what the last sample left to the kernel come to rest. */
enum {
	PAUSE_NS = 700000
};

static bool
become_user(void)
{
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return false;
	/* Otherwise /proc/self would still belong to root. */
	return prctl(PR_SET_DUMPABLE, 1) == 0;
}

/* Whether there is room for a large process, and for others beside it. */
static bool
has_memory(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *file = fopen("/proc/meminfo", "re");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	}
	if (file != NULL)
		(void)fclose(file);
	return kib / 1024 > (BENCH_BIG_BYTES >> 20) * 3 / 2;
}

static bool
become_big(void)
{
	char *heap = mmap(NULL, BENCH_BIG_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (heap == MAP_FAILED)
		return false;
	(void)madvise(heap, BENCH_BIG_BYTES, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < BENCH_BIG_BYTES; at += 4096)
		heap[at] = 1;
	return true;
}

/* Keeps other programs of the machine out of the samples. An ordinary user
 * cannot have it, and does without. */
static void
become_urgent(void)
{
	const struct sched_param param = {.sched_priority = 1};

	(void)sched_setscheduler(0, SCHED_FIFO, &param);
}

static char **
split_lines(char *text)
{
	size_t count = 0;

	for (const char *at = text; *at != '\0'; at++)
		count += *at == '\n' ? 1 : 0;
	char **lines = calloc(count + 1, sizeof(*lines));
	if (lines == NULL)
		return NULL;
	char *rest = text;
	for (size_t i = 0; i < count; i++)
		lines[i] = strsep(&rest, "\n");
	return lines;
}

/* The floor shall start programs with the environment that writ gives them. */
static bool
learn_environment(struct seat *seat)
{
	const char *const argv[] = {"/usr/bin/env", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	request.argv = argv;
	request.hold = WRIT_HOLD_CALLER;
	if (writ_run(seat->engine, &request, &result, NULL) != WRIT_OK)
		return false;
	char *text = strdup(result->out[WRIT_STDOUT].head);
	writ_result_free(result);
	seat->envp = text == NULL ? NULL : split_lines(text);
	return seat->envp != NULL;
}

/* The same, where records go, and the policy that was chosen: for programs of
 * writ itself. */
static bool
add_state(struct seat *seat)
{
	const char *policy = getenv("WRIT_POLICY");
	size_t count = 0;
	char *word = NULL, *choice = NULL;

	while (seat->envp[count] != NULL)
		count++;
	seat->own_envp = calloc(count + 3, sizeof(*seat->own_envp));
	if (seat->own_envp == NULL ||
	    asprintf(&word, "WRIT_STATE_DIR=%s", seat->state) < 0 ||
	    (policy != NULL && asprintf(&choice, "WRIT_POLICY=%s", policy) < 0))
		return false;
	memcpy(seat->own_envp, seat->envp, count * sizeof(*seat->own_envp));
	if (seat->state[0] != '\0')
		seat->own_envp[count++] = word;
	seat->own_envp[count] = choice;
	return true;
}

static bool
start_engines(struct seat *seat)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	if (seat->state[0] != '\0')
		(void)setenv("WRIT_STATE_DIR", seat->state, 1);
	options.no_audit = seat->state[0] == '\0';
	if (writ_engine_new(&options, &seat->engine, NULL) != WRIT_OK)
		return false;
	options.no_audit = true;
	return seat->settings->suite != SUITE_AUDIT ||
	       writ_engine_new(&options, &seat->silent, NULL) == WRIT_OK;
}

static bool
settle(struct seat *seat, bool is_real_time)
{
	if (is_real_time)
		become_urgent();
	if (seat->kind == SEAT_BIG && !become_big())
		return false;
	if (seat->kind == SEAT_USER && geteuid() == 0 && !become_user())
		return false;
	if (seat->stage[0] != '\0' && chdir(seat->stage) < 0)
		return false;
	return start_engines(seat) && learn_environment(seat) &&
	       add_state(seat);
}

static _Noreturn void
serve(struct seat *seat, bool is_real_time)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	const struct variant *variant = NULL;
	char ready = settle(seat, is_real_time) ? 1 : 0;

	(void)!write(seat->socket, &ready, 1);
	while (read(seat->socket, &variant, sizeof(variant)) ==
	       (ssize_t)sizeof(variant)) {
		(void)nanosleep(&pause, NULL);
		struct sample sample = variant->shot(seat, variant);
		(void)!write(seat->socket, &sample, sizeof(sample));
	}
	writ_engine_free(seat->silent);
	writ_engine_free(seat->engine);
	_exit(0);
}

void
seat_open(struct seat *seat, bool is_real_time)
{
	int sockets[2];
	char ready = 0;

	if (seat->kind != SEAT_USER && geteuid() != 0)
		seat->absent = "needs root";
	else if (seat->kind == SEAT_BIG && !has_memory())
		seat->absent = "needs 3 GiB of free memory";
	if (seat->absent != NULL)
		return;
	const char *whose = seat->kind == SEAT_USER ? "user" : "root";
	if (seat->settings->stage != NULL)
		(void)snprintf(seat->stage, sizeof(seat->stage), "%s/%s",
		    seat->settings->stage, whose);
	if (seat->settings->state != NULL)
		(void)snprintf(seat->state, sizeof(seat->state), "%s/%s",
		    seat->settings->state, whose);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) <
	    0) {
		seat->absent = strerror(errno);
		return;
	}
	seat->pid = fork();
	if (seat->pid == 0) {
		(void)close(sockets[0]);
		seat->socket = sockets[1];
		serve(seat, is_real_time);
	}
	(void)close(sockets[1]);
	seat->socket = sockets[0];
	if (seat->pid < 0 || read(seat->socket, &ready, 1) != 1 || ready != 1) {
		seat_close(seat);
		seat->absent = "its process could not be set up";
	}
}

struct sample
seat_ask(const struct seat *seat, const struct variant *variant)
{
	struct sample sample = {0};

	if (write(seat->socket, &variant, sizeof(variant)) < 0 ||
	    read(seat->socket, &sample, sizeof(sample)) !=
		(ssize_t)sizeof(sample))
		return (struct sample){0};
	return sample;
}

void
seat_close(struct seat *seat)
{
	if (seat->absent != NULL)
		return;
	/* Not only closed: the seats forked later hold copies of it. */
	(void)shutdown(seat->socket, SHUT_RDWR);
	(void)close(seat->socket);
	if (seat->pid > 0)
		(void)waitpid(seat->pid, NULL, 0);
}
