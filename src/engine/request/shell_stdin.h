/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_SHELL_STDIN_H
#define W_ENGINE_SHELL_STDIN_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/policy_facts.h"

/* Whether one of these commands, inner ones included, is a shell that reads
 * commands from standard input: then whoever writes there decides what runs. */
bool w_stdin_is_script(const struct w_policy_facts *facts);

/* The same for one command whose program has these names, NULL-ended; NULL:
 * only its first word. */
bool w_stdin_is_script_of(
    const char *const *argv, size_t argc, const char *const *names);

#endif /* W_ENGINE_SHELL_STDIN_H */
