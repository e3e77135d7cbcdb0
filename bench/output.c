/* SPDX-License-Identifier: Apache-2.0 */

/* 100 MB on standard output: a plain reader against writ_run(). */

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "shots.h"

enum {
	READ_BYTES = 64 * 1024
};

static struct sample
read_flood(const struct settings *settings, struct w_sha256 *sum)
{
	static char buf[READ_BYTES];
	char bytes[16];
	char *const argv[] = {(char *)(uintptr_t)settings->flood, bytes, NULL};
	struct sample sample = {0};
	int fds[2], status = -1;
	uint64_t total = 0;
	ssize_t n;

	(void)snprintf(bytes, sizeof(bytes), "%d", (int)FLOOD_BYTES);
	uint64_t start = bench_now_ns();
	pid_t pid = spawn_piped(settings->flood, argv, environ, fds);
	if (pid < 0)
		return sample;
	while ((n = read(fds[0], buf, sizeof(buf))) > 0) {
		total += (uint64_t)n;
		if (sum != NULL)
			w_sha256_add(sum, buf, (size_t)n);
	}
	if (waitpid(pid, &status, 0) == pid && status == 0 &&
	    total == FLOOD_BYTES)
		sample.ns = bench_now_ns() - start;
	return sample;
}

struct sample
probe_flood_floor(const struct settings *settings, int number)
{
	(void)number;
	return read_flood(settings, NULL);
}

struct sample
probe_flood_hashed(const struct settings *settings, int number)
{
	uint8_t out[W_SHA256_SIZE];
	struct w_sha256 sum;

	(void)number;
	w_sha256_init(&sum);
	struct sample sample = read_flood(settings, &sum);
	w_sha256_end(&sum, out);
	return sample;
}

static struct sample
flood(const struct settings *settings, int hold, bool no_audit, uint64_t keep)
{
	char bytes[16];
	const char *const argv[] = {settings->flood, bytes, NULL};
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *engine = NULL;
	writ_result *result = NULL;
	struct sample sample = {0};

	(void)snprintf(bytes, sizeof(bytes), "%d", (int)FLOOD_BYTES);
	options.no_audit = no_audit;
	request.argv = argv;
	request.spill_limit = WRIT_ZERO;
	request.keep = keep;
	request.hold = (writ_hold)hold;
	if (writ_engine_new(&options, &engine, NULL) != WRIT_OK)
		return sample;
	uint64_t start = bench_now_ns();
	if (writ_run(engine, &request, &result, NULL) == WRIT_OK &&
	    result->exit_code == 0 &&
	    result->out[WRIT_STDOUT].bytes == FLOOD_BYTES)
		sample.ns = bench_now_ns() - start;
	writ_result_free(result);
	writ_engine_free(engine);
	return sample;
}

struct sample
probe_flood_ours(const struct settings *settings, int hold)
{
	return flood(settings, hold, false, 0);
}

struct sample
probe_flood_silent(const struct settings *settings, int hold)
{
	return flood(settings, hold, true, WRIT_ZERO);
}

struct sample
probe_flood_unkept(const struct settings *settings, int hold)
{
	return flood(settings, hold, false, WRIT_ZERO);
}
