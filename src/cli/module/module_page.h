/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MODULE_PAGE_H
#define W_CLI_MODULE_PAGE_H

#include <writ/module.h>

/*
 * All about one module for people: what it is for, how it is called, its
 * arguments as a table, examples, where it is described. The help of
 * `writ call ID --help` and `writ module show ID`.
 *
 * Prints to standard output. Returns the exit status.
 */
int w_cli_module_page_print(writ_modules *modules, const writ_module *module);

/* One line for each argument, for completions: "--name", a tab, the words it
 * may have (or "-"), a tab, its help. */
int w_cli_module_page_names(writ_modules *modules, const writ_module *module);

#endif /* W_CLI_MODULE_PAGE_H */
