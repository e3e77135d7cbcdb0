/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_VARIABLE_H
#define W_COMMAND_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Environment variables that make programs run code, load it, or read their
 * configuration from elsewhere: LD_PRELOAD, GIT_SSH_COMMAND, BASH_ENV, PATH,
 * HOME, ... by name and by pattern.
 *
 * Returns the effects of setting one for the programs run then; 0: none known.
 * *out_why (unless NULL) explains it to people.
 */
unsigned w_variable_effects(const char *name, size_t len, const char **out_why);

/* Whether the value is one that only keeps the programs from using the network:
 * GOPROXY=off, PIP_NO_INDEX=1, ... Any other value may say whom to reach. */
bool w_variable_is_offline(const char *name, size_t len, const char *value);

#endif /* W_COMMAND_VARIABLE_H */
