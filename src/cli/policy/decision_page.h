/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DECISION_PAGE_H
#define W_CLI_DECISION_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/buf.h"

/*
 * A decision for people: what it is, which line of which policy says so, and
 * what the command would do, within which walls. All words in it may be an
 * agent's: they pass w_printable_add().
 */
struct w_decision_page {
	struct w_buf *buf;
	bool has_colour;
	const char *cwd; /* files beneath it are shown from there; NULL: none */
	/* Appends a line of a policy file, without its end. false: it cannot
	 * be had. NULL: none can. */
	bool (*quote)(
	    void *ctx, const char *file, unsigned line, struct w_buf *out_line);
	void *ctx;
};

/* The whole page. */
void w_cli_decision_add(
    const struct w_decision_page *page, yyjson_val *decision);

/* Its parts. */

/* "deny: MESSAGE", the reason, and the rule with its line. */
void w_cli_decision_add_verdict(
    const struct w_decision_page *page, yyjson_val *decision);

/* The other rules that matched. */
void w_cli_decision_add_others(
    const struct w_decision_page *page, yyjson_val *decision);

/* Every command, with its own verdict and what it touches. */
void w_cli_decision_add_commands(
    const struct w_decision_page *page, yyjson_val *decision);

/* The walls, limits and environment of the run. */
void w_cli_decision_add_sandbox(
    const struct w_decision_page *page, yyjson_val *decision);

/* What several policies say together, besides rules; nothing for null. */
void w_cli_decision_add_effective(
    const struct w_decision_page *page, yyjson_val *effective);

/* Nearest form, approval: what can be done about it. */
void w_cli_decision_add_advice(
    const struct w_decision_page *page, yyjson_val *decision);

/* ---- decision_text.c: small pieces ---- */

/* The deciding rule of a decision; NULL. */
yyjson_val *w_cli_decision_rule(yyjson_val *decision);

/* Why the deciding rule is there; NULL: it does not say, or the message of the
 * decision has it already. */
const char *w_cli_decision_reason(yyjson_val *decision);

/* A member that is text; NULL. */
const char *w_cli_decision_text(yyjson_val *object, const char *key);

/* Starts and ends a colour: the parameters of an SGR sequence; "0" ends. */
void w_cli_decision_paint(
    const struct w_decision_page *page, const char *colour);

/* The colour of "allow", "ask" or "deny". */
const char *w_cli_decision_colour(const char *verdict);

void w_cli_decision_add_plain(
    const struct w_decision_page *page, const char *text);

/* A path, from where we are when it lies beneath. */
void w_cli_decision_add_path(
    const struct w_decision_page *page, const char *path);

/* "FILE:LINE:COLUMN"; without a line the file alone. */
void w_cli_decision_add_place(const struct w_decision_page *page,
    const char *file, unsigned line, unsigned column);

/* A label and blanks up to where values begin. */
void w_cli_decision_add_label(
    const struct w_decision_page *page, const char *label);

/* The line of a file with a mark below the column; nothing when the line cannot
 * be had. source: the line; NULL: the page is asked for it. */
void w_cli_decision_add_quote(const struct w_decision_page *page,
    const char *file, unsigned line, unsigned column, const char *source);

#endif /* W_CLI_DECISION_PAGE_H */
