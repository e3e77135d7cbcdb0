/* SPDX-License-Identifier: Apache-2.0 */

/* The smallest program over the library: one engine, one run, the end. */

#include "shots.h"

static struct sample
run_one(bool no_audit)
{
	const char *const argv[] = {"/bin/true", NULL};
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *engine = NULL;
	writ_result *result = NULL;
	struct sample sample = {0};

	options.no_audit = no_audit;
	request.argv = argv;
	uint64_t start = bench_now_ns();
	if (writ_engine_new(&options, &engine, NULL) == WRIT_OK &&
	    writ_run(engine, &request, &result, NULL) == WRIT_OK &&
	    result->exit_code == 0)
		sample.ns = bench_now_ns() - start;
	writ_result_free(result);
	writ_engine_free(engine);
	return sample;
}

struct sample
probe_once(const struct settings *settings, int number)
{
	(void)settings;
	(void)number;
	return run_one(false);
}

struct sample
probe_once_silent(const struct settings *settings, int number)
{
	(void)settings;
	(void)number;
	return run_one(true);
}
