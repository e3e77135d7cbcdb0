/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_OPTIONS_H
#define W_CLI_OPTIONS_H

#include <stdbool.h>

#include "cli/cli_command.h"

/* Rows of an option table. */
#define W_OPTIONS_MAX 96

/*
 * Parses a command line by the table of the command, and stores the values in
 * args. argv[0] is the name of the command. Long names must be written in full.
 * A usage error is WRIT_E_INVALID with a message that starts with the name of
 * the command. Parsing stops at --help.
 */
writ_status w_options_parse(const struct w_cli_command *command, int argc,
    char **argv, void *args, bool *out_wants_help, writ_error *err);

/* Checks a value and stores it as the row says. For a row's own store(). */
writ_status w_option_put(const struct w_cli_command *command,
    const struct w_option *option, void *args, const char *value,
    writ_error *err);

/* Fails with WRIT_E_INVALID: the name of the command and the text, and its
 * --help as the suggestion. */
writ_status w_usage_fail(const struct w_cli_command *command, writ_error *err,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The library names the key, but the user wrote an option: puts the name of
 * the option into the error. Returns its status. */
writ_status w_options_name(const struct w_cli_command *command,
    const struct w_option *option, writ_error *err);

/* Whether --json is given: for errors found before it was parsed. */
bool w_options_want_json(int argc, char **argv);

/* The option of that name (len bytes), or NULL. */
const struct w_option *w_options_find(
    const struct w_option *options, const char *name, size_t len);

/* The option of that letter, or NULL. */
const struct w_option *w_options_find_letter(
    const struct w_option *options, char letter);

#endif /* W_CLI_OPTIONS_H */
