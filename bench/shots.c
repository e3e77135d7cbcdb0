/* SPDX-License-Identifier: Apache-2.0 */

/* One command, run once: the floor, ours, and cold programs. */

#include "shots.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plan.h"

uint64_t
bench_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t
bench_peak_kib(pid_t pid)
{
	char path[48] = "/proc/self/status";
	char line[256];
	unsigned long long kib = 0;

	if (pid != 0)
		(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "VmHWM: %llu", &kib) == 1)
			break;
	}
	(void)fclose(file);
	return kib;
}

pid_t
spawn_piped(
    const char *path, char *const argv[], char *const envp[], int out_fds[2])
{
	posix_spawn_file_actions_t actions;
	int out[2], err[2];
	pid_t pid = -1;

	if (pipe2(out, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(err, O_CLOEXEC) < 0) {
		(void)close(out[0]);
		(void)close(out[1]);
		return -1;
	}
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	(void)posix_spawn_file_actions_adddup2(&actions, err[1], 2);
	if (posix_spawn(&pid, path, &actions, NULL, argv, envp) != 0)
		pid = -1;
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(out[1]);
	(void)close(err[1]);
	out_fds[0] = out[0];
	out_fds[1] = err[0];
	return pid;
}

static void
read_to_end(int fd)
{
	char buf[4096];
	ssize_t n;

	do {
		n = read(fd, buf, sizeof(buf));
	} while (n > 0 || (n < 0 && errno == EINTR));
	(void)close(fd);
}

struct sample
spawn_and_wait(const char *path, const char *const *argv, char *const *envp)
{
	struct sample sample = {0};
	int fds[2], status = -1;

	uint64_t start = bench_now_ns();
	pid_t pid =
	    spawn_piped(path, (char *const *)(uintptr_t)argv, envp, fds);
	if (pid < 0)
		return sample;
	read_to_end(fds[0]);
	read_to_end(fds[1]);
	if (waitpid(pid, &status, 0) == pid && status == 0)
		sample.ns = bench_now_ns() - start;
	return sample;
}

struct sample
shot_floor(const struct seat *seat, const struct variant *variant)
{
	return spawn_and_wait(variant->argv[0], variant->argv, seat->envp);
}

struct sample
shot_cold(const struct seat *seat, const struct variant *variant)
{
	return spawn_and_wait(
	    seat->settings->writ, variant->argv, seat->own_envp);
}

static void
note_holder(struct sample *sample, const writ_result *result)
{
	(void)snprintf(sample->by, sizeof(sample->by), "%s",
	    result->tree_by == NULL ? "" : result->tree_by);
}

/* Said once for each variant: there may be hundreds of samples. */
static void
tell(const struct variant *variant, const char *why)
{
	static const struct variant *told[VARIANTS_MAX];
	size_t i = 0;

	while (i < VARIANTS_MAX && told[i] != NULL && told[i] != variant)
		i++;
	if (i == VARIANTS_MAX || told[i] == variant)
		return;
	told[i] = variant;
	(void)fprintf(stderr, "bench: %s: %s\n", variant->name, why);
}

/* A run without the walls that were asked for measures nothing. */
static bool
is_as_asked(const writ_result *result, const struct variant *variant)
{
	if (result->exit_code != 0) {
		tell(variant, "the command failed");
		return false;
	}
	if (variant->sandbox == NULL)
		return true;
	if (result->sandbox == NULL ||
	    strcmp(result->sandbox, variant->sandbox) != 0) {
		tell(variant, "it ran in another sandbox");
		return false;
	}
	return true;
}

static struct sample
run_once(
    writ_engine *engine, const struct variant *variant, const uint64_t start)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_error error = {0};
	writ_result *result = NULL;
	struct sample sample = {0};

	request.argv = variant->argv;
	request.hold = variant->hold;
	request.sandbox = variant->sandbox;
	if (writ_run(engine, &request, &result, &error) != WRIT_OK) {
		tell(variant, error.message);
		if (error.status == WRIT_E_SANDBOX)
			(void)snprintf(sample.by, sizeof(sample.by), REFUSED);
		return sample;
	}
	bool is_good = is_as_asked(result, variant);
	note_holder(&sample, result);
	writ_result_free(result);
	if (is_good)
		sample.ns = bench_now_ns() - start;
	return sample;
}

struct sample
shot_ours(const struct seat *seat, const struct variant *variant)
{
	return run_once(seat->engine, variant, bench_now_ns());
}

struct sample
shot_silent(const struct seat *seat, const struct variant *variant)
{
	return run_once(seat->silent, variant, bench_now_ns());
}

struct sample
shot_first(const struct seat *seat, const struct variant *variant)
{
	struct sample sample = {0};
	writ_engine *engine = NULL;

	(void)seat;
	uint64_t start = bench_now_ns();
	if (writ_engine_new(NULL, &engine, NULL) == WRIT_OK)
		sample = run_once(engine, variant, start);
	writ_engine_free(engine);
	return sample;
}

/* The mean of a number in a row; 0 if one of them failed. */
static struct sample
mean(const struct seat *seat, const struct variant *variant,
    struct sample (*shot)(const struct seat *, const struct variant *))
{
	struct sample sample = {0};
	uint64_t start = bench_now_ns();

	for (int i = 0; i < IN_A_ROW; i++) {
		sample = shot(seat, variant);
		if (sample.ns == 0)
			return sample;
	}
	sample.ns = (bench_now_ns() - start) / IN_A_ROW;
	return sample;
}

struct sample
shot_floor_row(const struct seat *seat, const struct variant *variant)
{
	return mean(seat, variant, shot_floor);
}

struct sample
shot_ours_row(const struct seat *seat, const struct variant *variant)
{
	return mean(seat, variant, shot_ours);
}

struct sample
shot_silent_row(const struct seat *seat, const struct variant *variant)
{
	return mean(seat, variant, shot_silent);
}

struct sample
shot_once(const struct seat *seat, const struct variant *variant)
{
	const char *const argv[] = {
	    seat->settings->self, "--probe", variant->argv[0], NULL};

	return spawn_and_wait(seat->settings->self, argv, seat->own_envp);
}
