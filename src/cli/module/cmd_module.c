/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ module`: the modules that describe commands, and their files.
 */

#include "cli/module/cmd_module.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ module list", "every module, and what calling it may do"},
	{"writ module search commit log", "those that match both words"},
	{"writ module show cli.git.log", "its arguments, and how they are "
	                                 "rendered"},
	{"writ module explain -- rm -rf build", "what a command would do"},
	{"writ module check my.binding.yaml",
	 "what is wrong with a file, and where"},
	{"writ module add my.binding.yaml", "keep it with the user's modules"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "no such module, nothing found, not understood, or something is "
	      "wrong"},
	{"2", "wrong usage, or what cannot be read"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_module_list,
    &w_cmd_module_search,
    &w_cmd_module_show,
    &w_cmd_module_explain,
    &w_cmd_module_check,
    &w_cmd_module_add,
    NULL,
};

const struct w_cli_command w_cmd_module = {
    .name = "module",
    .summary = "List, show, explain, check and add described commands",
    .about = "A module describes a command: its arguments, their types, and "
	     "how they become words. 'writ call' checks an input against it "
	     "and runs the command; 'writ module explain' goes the other way "
	     "and says what the words of a command would do. The files are "
	     "described in writ-module(5) and writ-command(5).",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
