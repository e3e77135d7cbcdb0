/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_KNOWN_COMMANDS_H
#define W_ENGINE_KNOWN_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"
#include "engine/config/config_state.h"
#include "schema/hash_table.h"

/*
 * The command descriptions that runs need, each looked up once and cached.
 *
 * No directory is listed: a program is looked up by its file name, so aliases
 * in the files are unknown here. The project's descriptions are ignored:
 * whoever works in it could write one that calls everything a secret, and so
 * keep what was run out of the record.
 */
struct w_command;
struct w_known_command;

/* All zero is empty. */
struct w_known_commands {
	struct w_words dirs; /* highest precedence first */
	bool has_dirs;
	struct w_hash_table by_name;
	struct w_known_command *newest;
	size_t unknown_count; /* cached programs without a description */
};

void w_known_commands_done(struct w_known_commands *known);

struct w_known {
	const struct w_command *command; /* borrowed; NULL: none */
	bool is_doubtful; /* a file for the program cannot be used, and the
			     command is the built-in one */
};

/* Fails only with WRIT_E_NOMEM. */
writ_status w_known_commands_find(struct w_known_commands *known,
    const writ_config *config, const char *name, size_t len,
    struct w_known *out_known, writ_error *err);

#endif /* W_ENGINE_KNOWN_COMMANDS_H */
