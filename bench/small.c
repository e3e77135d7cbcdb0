/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The smallest program over the library, which a cold `writ run` is held
 * against: one engine, one command, the end.
 *     writ-bench-small [--bare] PROGRAM [ARGUMENT]...
 * --bare: without a policy to speak of, a record and walls.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

int
main(int argc, char **argv)
{
	const bool is_bare = argc > 1 && strcmp(argv[1], "--bare") == 0;
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *engine = NULL;
	writ_result *result = NULL;
	writ_error err = {0};

	options.no_audit = is_bare;
	if (is_bare && setenv("WRIT_POLICY", "open", 1) < 0)
		return EXIT_FAILURE;
	request.sandbox = is_bare ? "none" : NULL;
	request.argv = (const char *const *)argv + (is_bare ? 2 : 1);
	if (writ_engine_new(&options, &engine, &err) != WRIT_OK ||
	    writ_run(engine, &request, &result, &err) != WRIT_OK) {
		(void)fprintf(stderr, "bench: %s\n", err.message);
		writ_engine_free(engine);
		return EXIT_FAILURE;
	}
	int status = result->exit_code;
	writ_result_free(result);
	writ_engine_free(engine);
	return status;
}
