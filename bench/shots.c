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

static struct sample
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
	return spawn_and_wait(seat->settings->writ, variant->argv, seat->envp);
}

static void
note_holder(struct sample *sample, const writ_result *result)
{
	(void)snprintf(sample->by, sizeof(sample->by), "%s",
	    result->tree_by == NULL ? "" : result->tree_by);
}

struct sample
shot_ours(const struct seat *seat, const struct variant *variant)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	struct sample sample = {0};

	uint64_t start = bench_now_ns();
	request.argv = variant->argv;
	request.hold = variant->hold;
	if (writ_run(seat->engine, &request, &result, NULL) != WRIT_OK)
		return sample;
	bool is_good = result->exit_code == 0;
	note_holder(&sample, result);
	writ_result_free(result);
	if (is_good)
		sample.ns = bench_now_ns() - start;
	return sample;
}
