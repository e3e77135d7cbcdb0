/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_SHELL_READING_H
#define W_ENGINE_SHELL_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/case.h"

/* Whether one of these commands, also inside others, is a shell that takes its
 * commands from standard input: then whoever writes there says what runs. */
bool w_case_reads_commands(const struct w_case *c);

/* The same of one command whose program has these names, NULL-ended; NULL:
 * none besides its first word. */
bool w_shell_reads_commands(
    const char *const *argv, size_t argc, const char *const *names);

#endif /* W_ENGINE_SHELL_READING_H */
