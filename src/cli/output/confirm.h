/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CONFIRM_H
#define W_CLI_CONFIRM_H

#include <stdbool.h>

/* Whether there is a person to ask: standard input and error are a terminal. */
bool w_cli_confirm_is_possible(void);

/* Asks "QUESTION [y/N]" there. Everything but y is a no. */
bool w_cli_confirm(const char *question);

#endif /* W_CLI_CONFIRM_H */
