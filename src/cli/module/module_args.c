/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command lines of `writ module ...`.
 */

#include "cli/module/module_args.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"

int
w_cli_module_begin(struct w_module_args *args, int argc, char **argv,
    int (*run)(struct w_module_args *args))
{
	writ_error err;

	if (writ_config_new(&args->config, &err) != WRIT_OK) {
		w_print_error(&err, NULL);
		return args->command->usage_exit;
	}

	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0)
		status = run(args);
	writ_modules_free(args->modules);
	w_words_done(&args->dirs);
	w_words_done(&args->operands);
	writ_config_free(args->config);
	return status;
}

writ_status
w_cli_module_open(struct w_module_args *args, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;

	options.config = args->config;
	options.dirs = (const char *const *)args->dirs.items;
	options.no_builtin = args->no_builtin;
	return writ_modules_new(&options, &args->modules, err);
}

void
w_cli_module_note_problem(const writ_module_problem *problem)
{
	const writ_error *error = &problem->error;
	const bool has_advice = error->suggestion[0] != '\0';
	char place[64] = "";

	if (error->line > 0)
		(void)snprintf(
		    place, sizeof(place), "%u:%u:", error->line, error->column);
	w_print_note("%s:%s %s%s%s%s", problem->file, place, error->message,
	    has_advice ? " (" : "", error->suggestion, has_advice ? ")" : "");
}

void
w_cli_module_note_problems(const writ_modules *modules)
{
	size_t count = 0;
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);

	for (size_t i = 0; i < count; i++)
		w_cli_module_note_problem(&problems[i]);
}

void
w_cli_module_add_problem(struct w_buf *buf, const writ_module_problem *problem)
{
	const writ_error *error = &problem->error;

	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "file", problem->file);
	w_buf_add_fmt(
	    buf, ",\"line\":%u,\"column\":%u", error->line, error->column);
	w_json_add_path_member(buf, "message", error->message);
	w_json_add_path_member(buf, "suggestion",
	    error->suggestion[0] != '\0' ? error->suggestion : NULL);
	w_buf_add_char(buf, '}');
}
