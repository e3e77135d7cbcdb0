/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MODULE_ROWS_H
#define W_CLI_MODULE_ROWS_H

#include <writ/module.h>

#include "base/buf.h"

/*
 * A list of modules as a table, as ids or as JSON.
 */

/* Prints the table. Returns the exit status. */
int w_cli_module_rows_print(const writ_module *const *modules, size_t count);

/* Prints the ids, one per line. */
int w_cli_module_rows_ids(const writ_module *const *modules, size_t count);

/* Prints {"modules":[...],"problems":[...]}. */
int w_cli_module_rows_json(
    const writ_modules *set, const writ_module *const *modules, size_t count);

/* What calling it may do, in a word or two: "read", "write", "destructive" or
 * "?" (unknown), with ", net" if it uses the network. */
const char *w_cli_module_effect(const writ_module *module);

#endif /* W_CLI_MODULE_ROWS_H */
