/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_NAMES_H
#define W_CLI_CALL_NAMES_H

#include "cli/call/call_words.h"

/* For call_words.c: which argument a word names. len bytes, with dashes. */

/* The index of the parameter with that key ("--max-count"), or else with that
 * token ("-n"); count: none. */
size_t w_cli_call_names_find(
    const struct w_call_words *words, const char *word, size_t len);

/* Likewise for "--no-NAME" of a boolean. */
size_t w_cli_call_names_negated(
    const struct w_call_words *words, const char *word, size_t len);

/* Fails for an unknown name, and suggests the nearest. */
writ_status w_cli_call_names_unknown(const struct w_call_words *words,
    const char *word, size_t len, writ_error *err);

#endif /* W_CLI_CALL_NAMES_H */
