/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module show`: everything about one module.
 */

#include "base/auto.h"
#include "cli/module/cmd_module.h"
#include "cli/module/module_args.h"
#include "cli/module/module_page.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

enum {
	FAILED = 1
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "names", W_TO(FLAG, struct w_module_args, has_names),
	 .help = "Only the names of its arguments, a line each, with the "
	         "words that they may have: for completions."},
	W_MODULE_ROWS,
};

static const struct w_example examples[] = {
	{"writ module show cli.git.log", "its arguments, and how they are "
	                                 "rendered"},
	{"writ module show --json cli.git.log", "with its schemas"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such module, or one that cannot be read"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static int
module_show(struct w_module_args *args)
{
	const writ_module *module = NULL;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_error err;

	if (args->operands.count != 1) {
		(void)w_usage_fail(args->command, &err,
		    args->operands.count == 0 ? "say which module"
					      : "one module at a time");
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	if (w_cli_module_open(args, &err) != WRIT_OK ||
	    writ_modules_find(args->modules, args->operands.items[0], &module,
		&err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	if (args->has_names)
		return w_cli_module_page_names(args->modules, module);
	if (!args->is_json)
		return w_cli_module_page_print(args->modules, module);
	if (writ_modules_json(args->modules, module->id, &json, &len, &err) !=
	    WRIT_OK)
		return w_print_failure(&err, true, FAILED);
	return w_print_json(json, len);
}

static int
module_show_run(int argc, char **argv)
{
	struct w_module_args args = {.command = &w_cmd_module_show};

	return w_cli_module_begin(&args, argc, argv, module_show);
}

const struct w_cli_command w_cmd_module_show = {
    .name = "module show",
    .summary = "Show one module: its arguments, examples and effects",
    .usage = "module show [--json] ID",
    .about = "Shows what a module is for, how it is called, which arguments "
	     "it has and what they become on the command line.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@module",
	W_TO(LIST, struct w_module_args, operands)},
    .usage_exit = 2,
    .run = module_show_run,
};
