/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MODULE_ARGS_H
#define W_CLI_MODULE_ARGS_H

#include <stdbool.h>

#include <writ/module.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/cli_command.h"

/*
 * What the module commands share: where modules are searched, and notes about
 * files that could not be used.
 */

/* clang-format off */
#define W_MODULE_DIR_ROW(heading_text, type, member) \
	{.name = "modules", .letter = 'm', .arg = "DIR", W_TO(LIST, type, member), \
	 .words = "@dir", .heading = heading_text, \
	 .help = "Look for modules in DIR before all other places. May be " \
	         "repeated."}

#define W_MODULE_ROWS \
	{.name = "json", W_TO(FLAG, struct w_module_args, is_json), .help = "Print JSON."}, \
	W_MODULE_DIR_ROW("", struct w_module_args, dirs), \
	{.name = "config-dir", .arg = "DIR", \
	 W_TO(SETTING, struct w_module_args, config), \
	 .key = "config_dir", .words = "@dir", \
	 .help = "The user's configuration, with its folder 'modules'."}, \
	{.name = "system-dir", .arg = "DIR", \
	 W_TO(SETTING, struct w_module_args, config), \
	 .key = "system_dir", .words = "@dir", \
	 .help = "The machine's configuration, with its folder 'modules'."}, \
	W_HELP_ROW, \
	{.name = ""}
/* clang-format on */

struct w_module_args {
	const struct w_cli_command *command;
	bool is_json;
	bool no_builtin;
	bool has_names;      /* only the names of arguments */
	struct w_words dirs; /* of --modules */
	struct w_words operands;
	writ_config *config;
	writ_modules *modules; /* set by w_cli_module_open() */
};

/*
 * Parses the command line, calls run, and frees everything. Returns the exit
 * status.
 */
int w_cli_module_begin(struct w_module_args *args, int argc, char **argv,
    int (*run)(struct w_module_args *args));

/* Finds the modules. */
writ_status w_cli_module_open(struct w_module_args *args, writ_error *err);

/* Prints the problems of the files on standard error, one line each. */
void w_cli_module_note_problem(const writ_module_problem *problem);
void w_cli_module_note_problems(const writ_modules *modules);

/* Appends a problem as a JSON object. */
void w_cli_module_add_problem(
    struct w_buf *buf, const writ_module_problem *problem);

#endif /* W_CLI_MODULE_ARGS_H */
