/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_EDIT_H
#define W_CLI_POLICY_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

#include "base/buf.h"

/* A rule to add to a policy file, with the line of `expect` that goes with
 * it. */
struct w_policy_addition {
	const char *verdict; /* "allow", "ask", "deny" */
	const char *shape;
	bool is_host; /* shape is a host: a rule about connections to it */
	const char *expect;  /* a command that the shape matches; NULL: none */
	const char *project; /* the root it is for; NULL: anywhere */
	const char *until;   /* as in a policy; NULL: no end */
};

/*
 * Adds rules to the text of a policy, and keeps everything else as it is:
 * order, comments, blank lines. A rule that is there is not added again; one of
 * the same shape and project with another verdict, and its line of `expect`,
 * gets the new verdict in its place. *out_changes: how many rules are new or
 * changed. Fails for a text that is no policy in block style.
 */
writ_status w_cli_policy_edit(const struct w_buf *text,
    const struct w_policy_addition *added, size_t count, struct w_buf *out,
    size_t *out_changes, writ_error *err);

#endif /* W_CLI_POLICY_EDIT_H */
