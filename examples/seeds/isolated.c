/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A module in a process of its own: little of the environment, a private
 * directory as HOME, and its result as JSON.
 *
 *     cc isolated.c $(pkg-config --cflags --libs writ)
 *     ./a.out cli.date '{}' [WRIT]
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

int
main(int argc, char **argv)
{
	const char *id = argc > 1 ? argv[1] : "cli.date";
	const char *input = argc > 2 ? argv[2] : "{}";
	writ_isolated_options options = WRIT_ISOLATED_OPTIONS_INIT;
	writ_engine *engine = NULL;
	writ_draft *draft = NULL;
	writ_result *result = NULL;
	char *json = NULL;
	writ_error err;

	options.timeout_ms = 60000;
	options.runner = argc > 3 ? argv[3] : NULL; /* NULL: from PATH */
	writ_status status = writ_engine_new(NULL, &engine, &err);
	if (status == WRIT_OK)
		status = writ_isolated_new(
		    id, input, strlen(input), &options, &draft, &err);
	if (status == WRIT_OK)
		status =
		    writ_run(engine, writ_draft_request(draft), &result, &err);
	if (status == WRIT_OK)
		status = writ_isolated_decode(id, result, &json, NULL, &err);
	/* WRIT_E_TIMEOUT, _RUNNER and _PARSE are what can go wrong. */
	if (status == WRIT_OK)
		(void)puts(json);
	else
		(void)fprintf(stderr, "isolated: %s\n", err.message);
	free(json);
	writ_result_free(result);
	writ_draft_free(draft);
	writ_engine_free(engine);
	return writ_status_exit(status);
}
