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

static writ_status
module_args_take_word(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_module_args *args = ctx;

	if (option == NULL) {
		args->operands[args->operand_count++] = value;
		return WRIT_OK;
	}
	if (option->target == W_TO_SETTING) {
		if (writ_config_set(args->config, option->key, value, err) ==
		    WRIT_OK)
			return WRIT_OK;
		return w_options_name(args->command, option, err);
	}
	if (option->id == W_MODULE_JSON)
		args->is_json = true;
	else if (option->id == W_MODULE_DIR)
		args->dirs[args->dir_count++] = value;
	else
		return args->take(args->ctx, option, value, err);
	return WRIT_OK;
}

int
w_cli_module_begin(struct w_module_args *args, int argc, char **argv,
    int (*run)(struct w_module_args *args))
{
	W_AUTO_FREE const char **dirs = calloc((size_t)argc + 1, sizeof(*dirs));
	W_AUTO_FREE const char **operands =
	    calloc((size_t)argc + 1, sizeof(*operands));
	writ_error err;

	if (dirs == NULL || operands == NULL) {
		w_print_note("out of memory");
		return args->command->usage_exit;
	}
	args->dirs = dirs;
	args->operands = operands;
	if (writ_config_new(&args->config, &err) != WRIT_OK) {
		w_print_error(&err, NULL);
		return args->command->usage_exit;
	}

	int status = w_cli_command_begin(
	    args->command, argc, argv, module_args_take_word, args);
	if (status < 0)
		status = run(args);
	writ_modules_free(args->modules);
	writ_config_free(args->config);
	return status;
}

writ_status
w_cli_module_open(struct w_module_args *args, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;

	options.config = args->config;
	options.dirs = args->dirs;
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
