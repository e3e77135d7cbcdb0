/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_KNOWN_COMMANDS_H
#define W_ENGINE_KNOWN_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"
#include "engine/config/config_state.h"
#include "schema/hash_table.h"

/*
 * The descriptions that runs ask for, each looked for once and remembered.
 *
 * No directory is listed: a program is looked for by the name of its file, so
 * the other names that a file gives its program are not known here. The
 * project is not asked. Whoever works in it could write a description that
 * calls everything a secret, and so keep what was run out of the record.
 */
struct w_command;
struct w_known_command;

/* All zero is one that knows nothing yet. */
struct w_known_commands {
	struct w_words dirs; /* the strongest first */
	bool has_dirs;
	struct w_hash_table by_name;
	struct w_known_command *newest;
	size_t unknown_count; /* programs that nobody has described */
};

void w_known_commands_done(struct w_known_commands *known);

struct w_known {
	const struct w_command *command; /* borrowed; NULL: there is none */
	bool is_doubtful; /* there is a file for the program that cannot be
			     used, and the command is what is built in */
};

/* Fails only without memory. */
writ_status w_known_commands_find(struct w_known_commands *known,
    const writ_config *config, const char *name, size_t len,
    struct w_known *out_known, writ_error *err);

#endif /* W_ENGINE_KNOWN_COMMANDS_H */
