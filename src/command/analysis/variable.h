/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_VARIABLE_H
#define W_COMMAND_VARIABLE_H

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

#endif /* W_COMMAND_VARIABLE_H */
