/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_DECISION_PAGE_H
#define W_CLI_DECISION_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/buf.h"

/*
 * A decision for people: the verdict, the line of the policy behind it, what
 * the command would do, and its sandbox. Any string may come from an agent, so
 * all pass w_printable_add().
 */
struct w_decision_page {
	struct w_buf *buf;
	bool has_colour;
	const char *cwd; /* shown paths are relative to it; NULL: absolute */
	/* Appends a line of a policy file, without its newline. false: not
	 * available. NULL: no lines are shown. */
	bool (*quote)(
	    void *ctx, const char *file, unsigned line, struct w_buf *out_line);
	void *ctx;
};

/* The whole page. */
void w_cli_decision_add(
    const struct w_decision_page *page, yyjson_val *decision);

/* The parts of the page. */

/* "deny: MESSAGE", the reason, and the rule with its line. */
void w_cli_decision_add_verdict(
    const struct w_decision_page *page, yyjson_val *decision);

/* The other rules that matched. */
void w_cli_decision_add_others(
    const struct w_decision_page *page, yyjson_val *decision);

/* Every command, with its own verdict and what it touches. */
void w_cli_decision_add_commands(
    const struct w_decision_page *page, yyjson_val *decision);

/* The sandbox, limits and environment of the run. */
void w_cli_decision_add_sandbox(
    const struct w_decision_page *page, yyjson_val *decision);

/* The combined settings of policies, without rules; nothing for null. */
void w_cli_decision_add_effective(
    const struct w_decision_page *page, yyjson_val *effective);

/* Warnings, the nearest allowed command, and how to approve. */
void w_cli_decision_add_advice(
    const struct w_decision_page *page, yyjson_val *decision);

/* ---- decision_text.c ---- */

/* The deciding rule of a decision; NULL: none. */
yyjson_val *w_cli_decision_rule(yyjson_val *decision);

/* The reason given in the deciding rule; NULL: none, or the message of the
 * decision contains it. */
const char *w_cli_decision_reason(yyjson_val *decision);

/* A string member; NULL: none. */
const char *w_cli_decision_text(yyjson_val *object, const char *key);

/* Sets a colour, by the parameters of an SGR sequence; "0" resets it. */
void w_cli_decision_paint(
    const struct w_decision_page *page, const char *colour);

/* The colour of "allow", "ask" or "deny". */
const char *w_cli_decision_colour(const char *verdict);

void w_cli_decision_add_plain(
    const struct w_decision_page *page, const char *text);

/* A path, relative to page->cwd if it lies beneath it. */
void w_cli_decision_add_path(
    const struct w_decision_page *page, const char *path);

/* "FILE:LINE:COLUMN"; line 0: the file alone. */
void w_cli_decision_add_place(const struct w_decision_page *page,
    const char *file, unsigned line, unsigned column);

/* A label, padded to the column of the values. */
void w_cli_decision_add_label(
    const struct w_decision_page *page, const char *label);

/* The line of a file with a mark below the column; nothing if the line is not
 * available. source: the line; NULL: page->quote is asked for it. */
void w_cli_decision_add_quote(const struct w_decision_page *page,
    const char *file, unsigned line, unsigned column, const char *source);

#endif /* W_CLI_DECISION_PAGE_H */
