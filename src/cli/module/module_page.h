/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MODULE_PAGE_H
#define W_CLI_MODULE_PAGE_H

#include <writ/module.h>

/*
 * One module for people: what it is for, how it is called, a table of its
 * arguments, examples, and its file. Used by `writ call ID --help` and `writ
 * module show ID`.
 *
 * Prints to standard output. Returns the exit status.
 */
int w_cli_module_page_print(writ_modules *modules, const writ_module *module);

/* One line per argument, for completions: "--name", a tab, the words it may
 * take (or "-"), a tab, its help. */
int w_cli_module_page_names(writ_modules *modules, const writ_module *module);

#endif /* W_CLI_MODULE_PAGE_H */
