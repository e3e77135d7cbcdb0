/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_QUOTE_H
#define W_CLI_POLICY_QUOTE_H

#include <stdbool.h>

#include "base/buf.h"

/* Lines of policy files and presets, for w_decision_page. Starts all zero. */
struct w_policy_quotes {
	char *file; /* the last one read; NULL: none */
	struct w_buf text;
	bool has_text;
};

/* Appends a line, counted from 1. ctx: struct w_policy_quotes. false: no such
 * file, preset or line. */
bool w_cli_policy_quote(
    void *ctx, const char *file, unsigned line, struct w_buf *out_line);
void w_cli_policy_quotes_done(struct w_policy_quotes *quotes);

/* Appends the text of a preset. false: no preset has that name. */
bool w_cli_policy_preset(const char *name, struct w_buf *out_text);

#endif /* W_CLI_POLICY_QUOTE_H */
