/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_REFUSAL_H
#define W_CLI_REFUSAL_H

#include <stdbool.h>

#include <writ/error.h>

struct w_buf;
struct yyjson_val;

/* Whether a policy or a person refused the run. */
bool w_refusal_is(const writ_error *err);

struct w_refusal {
	const writ_error *err;
	const char *decision; /* as JSON; NULL: none */
	const char *approval; /* the id of the question that stays open; NULL:
				 none */
	bool is_json;
	bool is_agent; /* an agent asked: it is not told what only a person
			  may do */
};

/*
 * Prints the error of a run; a refusal with its reason, the location of the
 * rule, what would be allowed and what to do. Returns the exit status.
 */
int w_refusal_print(const struct w_refusal *refusal);

/* Appends the refusal as one line: the message, the reason, the location of
 * the rule, what would be allowed. */
void w_refusal_add_reason(struct w_buf *buf, struct yyjson_val *decision);

#endif /* W_CLI_REFUSAL_H */
