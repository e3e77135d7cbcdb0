/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_REFUSAL_H
#define W_CLI_REFUSAL_H

#include <stdbool.h>

#include <writ/error.h>

struct w_buf;
struct yyjson_val;

/* Whether it was a policy, or a person, that said no. */
bool w_refusal_is(const writ_error *err);

/*
 * Prints an error of a run; that of a policy with its reason, the place of the
 * rule and what would be allowed. decision is the decision object; NULL: there
 * is none. Returns the exit status.
 */
int w_refusal_print(const writ_error *err, const char *decision, bool is_json);

/* Appends why in one line, for who cannot show more: the message, the reason,
 * the place of the rule, what would be allowed. */
void w_refusal_add_reason(struct w_buf *buf, struct yyjson_val *decision);

#endif /* W_CLI_REFUSAL_H */
