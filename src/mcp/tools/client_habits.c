/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Clients whose handling of answers was measured (docs/mcp-clients.md). It is
 * about text only: no client gets more because of its name.
 */

#include "mcp/tools/client_habits.h"

#include <string.h>

/* The beginning of the name: Qwen Code appends that of the server. */
static const struct {
	const char *name;
	unsigned habits;
} known_clients[] = {
    {"gemini-cli-mcp-client", W_HABIT_QUOTES_ERRORS | W_HABIT_GUESSES_OBJECTS},
    {"inspector-cli", W_HABIT_SHOWS_BOTH},
    {"inspector-client", W_HABIT_SHOWS_BOTH},
    {"mcp-inspector", W_HABIT_SHOWS_BOTH},
    {"qwen-cli-mcp-client", W_HABIT_QUOTES_ERRORS},
};

unsigned
w_habits_of_client(const char *name)
{
	const size_t count = sizeof(known_clients) / sizeof(known_clients[0]);

	for (size_t i = 0; i < count; i++) {
		const char *known = known_clients[i].name;

		if (strncmp(name, known, strlen(known)) == 0)
			return known_clients[i].habits;
	}
	return 0;
}
