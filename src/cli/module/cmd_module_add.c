/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module add`: copies the modules of a file into a directory.
 */

#include "base/buf.h"
#include "cli/module/cmd_module.h"
#include "cli/module/module_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"

enum {
	FAILED = 1
};

struct module_add_args {
	struct w_module_args module; /* first: its rows are shared */
	const char *dir;             /* NULL: the user's */
	bool may_replace;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "dir", .letter = 'd', .arg = "DIR", W_TO(TEXT, struct module_add_args, dir),
	 .words = "@dir", .help = "Where to.",
	 .standard = "modules in the user's configuration"},
	{.name = "replace", W_TO(FLAG, struct module_add_args, may_replace),
	 .help = "Replace modules that have the same ids."},
	{.name = "json", W_TO(FLAG, struct w_module_args, is_json), .help = "Print JSON."},
	{.name = "config-dir", .arg = "DIR", 
	 W_TO(SETTING, struct w_module_args, config),
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, with its folder 'modules'."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ module add my.binding.yaml", "keep it with the user's modules"},
	{"writ module add shorten.command.yaml",
	 "the description of a command"},
	{"writ module add --dir .writ/modules deploy.binding.yaml",
	 "with those of this project"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the file is invalid, or could not be written; nothing was "
	      "added"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static int
module_add(struct w_module_args *args)
{
	const struct module_add_args *own = (const void *)args;
	writ_error err;
	size_t count = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (args->operands.count != 1) {
		(void)w_usage_fail(args->command, &err,
		    args->operands.count == 0 ? "say which FILE"
					      : "one FILE at a time");
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	}
	if (writ_modules_add(args->config, args->operands.items[0], own->dir,
		own->may_replace, &count, &err) != WRIT_OK) {
		if (args->is_json)
			w_print_error_json(&err);
		else
			w_print_error(&err, args->operands.items[0]);
		return FAILED;
	}
	if (args->is_json)
		w_buf_add_fmt(&buf, "{\"added\":%zu}\n", count);
	else
		w_buf_add_fmt(
		    &buf, "%zu module%s added\n", count, count == 1 ? "" : "s");
	return w_print(&buf);
}

static int
module_add_run(int argc, char **argv)
{
	struct module_add_args args = {
	    .module = {.command = &w_cmd_module_add}};

	return w_cli_module_begin(&args.module, argc, argv, module_add);
}

const struct w_cli_command w_cmd_module_add = {
    .name = "module add",
    .summary = "Add the modules of a file to a directory of modules",
    .usage = "module add [--dir DIR] [--replace] FILE",
    .about = "Checks a file and copies its modules into a directory, each "
	     "into a file of its own; the description of a command is "
	     "copied as it is.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct w_module_args, operands)},
    .usage_exit = 2,
    .run = module_add_run,
};
