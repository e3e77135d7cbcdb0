/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_CLIENT_HABITS_H
#define W_MCP_CLIENT_HABITS_H

/* What a client does with the answer to a call. */
enum w_habit {
	/* It shows the object and the text; most show the object alone. */
	W_HABIT_SHOWS_BOTH = 1 << 0,
	/* It shows the model an error as JSON, with the call and the whole
	 * answer in it. */
	W_HABIT_QUOTES_ERRORS = 1 << 1,
	/* It parses the text as JSON if there is no object, takes the value for
	 * the object, and reports an error if it is a number, a string, an
	 * array. */
	W_HABIT_GUESSES_OBJECTS = 1 << 2,
};

/* The habits of the client with this name in clientInfo; 0: none is known. */
unsigned w_habits_of_client(const char *name);

#endif /* W_MCP_CLIENT_HABITS_H */
