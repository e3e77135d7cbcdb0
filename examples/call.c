/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Commands as modules: lists those that there are, or calls one.
 *
 *     cc call.c $(pkg-config --cflags --libs writ)
 *     ./a.out                                  which modules there are
 *     ./a.out cli.git.log '{"max_count":3}'    calls one
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

static int
report(const writ_error *err)
{
	(void)fprintf(stderr, "call: %s\n", err->message);
	if (err->suggestion[0] != '\0')
		(void)fprintf(stderr, "call: %s\n", err->suggestion);
	return writ_status_exit(err->status);
}

static void
list(const writ_modules *modules)
{
	size_t count;
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);

	for (size_t i = 0; i < writ_modules_count(modules); i++) {
		const writ_module *module = writ_modules_at(modules, i);

		(void)printf("%s: %s\n", module->id, module->description);
	}
	/* What is wrong with one file hides none of the others. */
	for (size_t i = 0; i < count; i++)
		(void)fprintf(stderr, "call: %s:%u: %s\n", problems[i].file,
		    problems[i].error.line, problems[i].error.message);
}

/* Everything that is wrong with the arguments, not only the first thing. */
static int
refuse(const writ_call *call, const writ_error *err)
{
	size_t count = 0;
	const writ_problem *problems =
	    call == NULL ? NULL : writ_call_problems(call, &count);

	for (size_t i = 0; i < count; i++)
		(void)fprintf(stderr, "call: line %u, column %u: %s\n",
		    problems[i].line, problems[i].column, problems[i].message);
	return report(err);
}

static int
show(const writ_call *call, const writ_result *result)
{
	writ_error err;
	char *json;
	size_t len;

	if (writ_call_result_json(call, result, &json, &len, &err) != WRIT_OK)
		return report(&err);
	(void)puts(json);
	free(json);
	return writ_call_is_success(call, result) ? 0 : 1;
}

static int
run(writ_call *call)
{
	writ_engine *engine;
	writ_result *result;
	writ_error err;

	if (writ_engine_new(NULL, &engine, &err) != WRIT_OK)
		return report(&err);
	writ_status status =
	    writ_run(engine, writ_call_request(call), &result, &err);
	int code = status == WRIT_OK ? show(call, result) : report(&err);
	if (status == WRIT_OK)
		writ_result_free(result);
	writ_engine_free(engine);
	return code;
}

int
main(int argc, char **argv)
{
	const char *input = argc > 2 ? argv[2] : "{}";
	writ_modules *modules;
	writ_call *call = NULL;
	writ_error err;
	int code = 0;

	if (writ_modules_new(NULL, &modules, &err) != WRIT_OK)
		return report(&err);
	if (argc < 2) {
		list(modules);
	} else {
		writ_status status = writ_call_new(
		    modules, argv[1], input, strlen(input), NULL, &call, &err);

		code = status == WRIT_OK ? run(call) : refuse(call, &err);
	}
	writ_call_free(call);
	writ_modules_free(modules);
	return code;
}
