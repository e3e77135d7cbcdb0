/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A command as a module, made in memory and called with JSON.
 *
 *     cc module.c $(pkg-config --cflags --libs writ) && ./a.out
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

static const char bindings[] =
    "spec_version: \"1.0\"\n"
    "bindings:\n"
    "- module_id: cli.echo\n"
    "  target: exec:///bin/echo\n"
    "  input_schema: {type: object, properties:\n"
    "    {message: {type: string}, no_cache: {type: boolean}}}\n";

static int
fail(const writ_error *err)
{
	(void)fprintf(stderr, "module: %s\n", err->message);
	return writ_status_exit(err->status);
}

/* Refuses the characters of shells, as a caller may want it. */
static int
call(writ_engine *engine, writ_modules *modules, const char *input)
{
	writ_call_options options = WRIT_CALL_OPTIONS_INIT;
	writ_call *made = NULL;
	writ_result *result = NULL;
	char *json = NULL;
	writ_error err;

	options.arguments = WRIT_ARGUMENTS_STRICT_MODULES;
	writ_status status = writ_call_new(
	    modules, "cli.echo", input, strlen(input), &options, &made, &err);
	if (status == WRIT_OK)
		status =
		    writ_run(engine, writ_call_request(made), &result, &err);
	if (status == WRIT_OK)
		status = writ_call_result_json(made, result, &json, NULL, &err);
	if (status == WRIT_OK)
		(void)puts(json);
	free(json);
	writ_result_free(result);
	writ_call_free(made);
	return status == WRIT_OK ? 0 : fail(&err);
}

int
main(void)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_modules *modules = NULL;
	writ_engine *engine = NULL;
	writ_error err;

	options.text = bindings;
	options.text_len = strlen(bindings);
	if (writ_modules_new(&options, &modules, &err) != WRIT_OK ||
	    writ_engine_new(NULL, &engine, &err) != WRIT_OK)
		return fail(&err);
	int code = call(
	    engine, modules, "{\"message\": \"hello\", \"no_cache\": true}");
	/* This one is refused, before anything runs. */
	if (code == 0 && call(engine, modules, "{\"message\": \"a; rm\"}") == 0)
		code = 1;
	writ_engine_free(engine);
	writ_modules_free(modules);
	return code;
}
