/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What one engine does again and again, for bench/run --gate.
 *
 *     writ-gate-warm run PROFILE COUNT    runs /bin/true
 *     writ-gate-warm decide - COUNT       decides about a command
 *
 * Does it a few times first, so that everything is there that an engine keeps.
 * Then gate_counted() does it COUNT times; that is what callgrind collects, and
 * what lies between the marks for writ-gate-trace.
 */

#include "mark.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <writ/writ.h>

enum {
	WARM_UP = 4
};

static bool
do_once(writ_engine *engine, const char *profile, writ_error *err)
{
	static const char *const true_argv[] = {"/bin/true", NULL};
	static const char *const grep_argv[] = {
	    "grep", "-rn", "--include=*.c", "main", ".", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	char *json = NULL;
	size_t len = 0;

	request.argv = profile == NULL ? grep_argv : true_argv;
	request.sandbox = profile;
	if (profile == NULL) {
		bool is_allowed =
		    writ_decide(engine, &request, &json, &len, err) ==
			WRIT_OK &&
		    strstr(json, "\"decision\":\"allow\"") != NULL;
		free(json);
		return is_allowed;
	}
	bool is_good = writ_run(engine, &request, &result, err) == WRIT_OK &&
		       result->exit_code == 0;
	writ_result_free(result);
	return is_good;
}

/* callgrind looks for this name. */
bool gate_counted(
    writ_engine *engine, const char *profile, int count, writ_error *err);

__attribute__((noinline)) bool
gate_counted(
    writ_engine *engine, const char *profile, int count, writ_error *err)
{
	bool is_good = true;

	for (int i = 0; i < count && is_good; i++)
		is_good = do_once(engine, profile, err);
	return is_good;
}

int
main(int argc, char **argv)
{
	writ_engine *engine = NULL;
	writ_error err = {0};
	bool is_good = true;

	if (argc != 4)
		return 2;
	const char *profile = strcmp(argv[1], "run") == 0 ? argv[2] : NULL;
	if (writ_engine_new(NULL, &engine, &err) != WRIT_OK) {
		(void)fprintf(stderr, "writ-gate-warm: %s\n", err.message);
		return 1;
	}
	for (int i = 0; i < WARM_UP && is_good; i++)
		is_good = do_once(engine, profile, &err);
	(void)prctl(GATE_MARK, 1, 0, 0, 0);
	is_good = is_good && gate_counted(engine, profile, atoi(argv[3]), &err);
	(void)prctl(GATE_MARK, 0, 0, 0, 0);
	if (!is_good)
		(void)fprintf(stderr, "writ-gate-warm: %s\n", err.message);
	writ_engine_free(engine);
	return is_good ? 0 : 1;
}
