/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_IMPORT_RULES_H
#define W_CLI_IMPORT_RULES_H

#include <stddef.h>

#include <writ/error.h>

#include "base/arena.h"
#include "base/buf.h"

/*
 * Permission rules of other agent programs, as shapes of writ. What has no
 * counterpart, or would mean less than it does there, is told with the reason.
 */
#define W_IMPORT_RULES_MAX 500

struct w_import_rule {
	const char
	    *verdict;      /* "allow", "ask", "deny"; NULL: not carried over */
	const char *shape; /* NULL: not carried over */
	const char *from;  /* as it is written there */
	const char *why;   /* a remark, or why it is not carried over; NULL:
			      none */
};

struct w_import {
	struct w_arena arena;
	struct w_import_rule *items;
	size_t count;
	size_t cap;
};
void w_cli_import_done(struct w_import *import);

/* Adds a rule, or what is left out if shape is NULL; copies the texts. A rule
 * that is there is not added again. */
writ_status w_cli_import_add(
    struct w_import *import, const struct w_import_rule *rule, writ_error *err);

/* Claude Code: settings.json with "permissions". */
writ_status w_cli_import_claude(
    struct w_import *import, const struct w_buf *text, writ_error *err);

/* Codex: a .rules file with prefix_rule(...), or config.toml. */
writ_status w_cli_import_codex(
    struct w_import *import, const struct w_buf *text, writ_error *err);
writ_status w_cli_import_codex_config(
    struct w_import *import, const struct w_buf *text, writ_error *err);

#endif /* W_CLI_IMPORT_RULES_H */
