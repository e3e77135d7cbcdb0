/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A decision as a page: the verdict and its reason first, then the other rules
 * that matched, the commands, the sandbox, and advice.
 */

#include "cli/policy/decision_page.h"

#include <string.h>

#include "cli/module/explanation.h"

static unsigned
decision_page_number_of(yyjson_val *object, const char *key)
{
	return (unsigned)yyjson_get_uint(yyjson_obj_get(object, key));
}

/* Whether there is a text: a string, or an object with base64. */
static bool
has_text(yyjson_val *val)
{
	return yyjson_is_obj(val) || yyjson_get_len(val) > 0;
}

static void
decision_page_add_line(
    const struct w_decision_page *page, const char *start, yyjson_val *text)
{
	if (!has_text(text))
		return;
	w_buf_add_str(page->buf, start);
	w_explanation_add_text(page->buf, text);
	w_buf_add_char(page->buf, '\n');
}

static void
add_rule_place(const struct w_decision_page *page, yyjson_val *rule)
{
	const char *file = w_cli_decision_text(rule, "file");
	const char *tier = w_cli_decision_text(rule, "tier");

	w_cli_decision_paint(page, "1");
	w_cli_decision_add_place(page, file == NULL ? "?" : file,
	    decision_page_number_of(rule, "line"),
	    decision_page_number_of(rule, "column"));
	w_cli_decision_paint(page, "0");
	if (tier != NULL && strcmp(tier, "option") != 0)
		w_buf_add_fmt(page->buf, " (%s policy)", tier);
}

/* The ask of an included file that the deciding allow outranks. */
static void
add_outranked(const struct w_decision_page *page, yyjson_val *decision)
{
	yyjson_val *place = yyjson_obj_get(decision, "rule");
	size_t i;
	size_t count;
	yyjson_val *rule;

	if (!yyjson_is_str(place))
		return;
	yyjson_arr_foreach(yyjson_obj_get(decision, "rules"), i, count, rule)
	{
		if (!yyjson_equals(yyjson_obj_get(rule, "outranked_by"), place))
			continue;
		w_buf_add_str(page->buf, "  outranks: the ask of ");
		add_rule_place(page, rule);
		w_buf_add_str(page->buf, ", which it includes\n");
		return;
	}
}

/* A rule without a line, such as a built-in default, is shown by its text. */
static void
decision_page_add_rule(const struct w_decision_page *page, yyjson_val *decision)
{
	yyjson_val *rule = w_cli_decision_rule(decision);
	const char *because = w_cli_decision_reason(decision);
	const char *file = w_cli_decision_text(rule, "file");

	add_rule_place(page, rule);
	w_buf_add_char(page->buf, '\n');
	const size_t before = page->buf->len;
	w_cli_decision_add_quote(page, file == NULL ? "?" : file,
	    decision_page_number_of(rule, "line"),
	    decision_page_number_of(rule, "column"),
	    w_cli_decision_text(rule, "source"));
	if (page->buf->len == before)
		decision_page_add_line(
		    page, "  ", yyjson_obj_get(rule, "rule"));
	if (because != NULL) {
		w_buf_add_str(page->buf, "  because: ");
		w_cli_decision_add_plain(page, because);
		w_buf_add_char(page->buf, '\n');
	}
	decision_page_add_line(
	    page, "  matched: ", yyjson_obj_get(rule, "matched"));
	add_outranked(page, decision);
}

void
w_cli_decision_add_verdict(
    const struct w_decision_page *page, yyjson_val *decision)
{
	const char *verdict = w_cli_decision_text(decision, "decision");
	yyjson_val *message = yyjson_obj_get(decision, "message");
	yyjson_val *grant = yyjson_obj_get(decision, "grant");
	const char *grant_id = yyjson_is_str(grant)
				   ? yyjson_get_str(grant)
				   : w_cli_decision_text(grant, "id");

	verdict = verdict == NULL ? "deny" : verdict;
	w_cli_decision_paint(page, w_cli_decision_colour(verdict));
	w_buf_add_str(page->buf, verdict);
	w_cli_decision_paint(page, "0");
	if (has_text(message)) {
		w_buf_add_str(page->buf, ": ");
		w_explanation_add_text(page->buf, message);
	}
	w_buf_add_char(page->buf, '\n');
	if (grant_id != NULL) {
		w_buf_add_str(page->buf, "  granted: a person agreed, grant ");
		w_cli_decision_add_plain(page, grant_id);
		w_buf_add_char(page->buf, '\n');
	}
	if (w_cli_decision_rule(decision) != NULL)
		decision_page_add_rule(page, decision);
}

/* Whether an earlier entry reads the same. */
static bool
is_repeated(yyjson_val *rules, size_t place, yyjson_val *rule)
{
	static const char *const keys[] = {
	    "decision", "file", "line", "column", "matched"};
	size_t i;
	size_t count;
	yyjson_val *other;

	yyjson_arr_foreach(rules, i, count, other)
	{
		size_t same = 0;

		if (i >= place)
			return false;
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			same += yyjson_equals(yyjson_obj_get(rule, keys[k]),
			    yyjson_obj_get(other, keys[k]));
		if (same == sizeof(keys) / sizeof(keys[0]))
			return true;
	}
	return false;
}

static void
add_other(const struct w_decision_page *page, yyjson_val *rule)
{
	const char *verdict = w_cli_decision_text(rule, "decision");
	yyjson_val *matched = yyjson_obj_get(rule, "matched");

	verdict = verdict == NULL ? "?" : verdict;
	w_buf_add_str(page->buf, "  ");
	w_cli_decision_paint(page, w_cli_decision_colour(verdict));
	w_buf_add_fmt(page->buf, "%-5s", verdict);
	w_cli_decision_paint(page, "0");
	w_buf_add_str(page->buf, "  ");
	add_rule_place(page, rule);
	if (has_text(matched)) {
		w_buf_add_str(page->buf, ": ");
		w_explanation_add_text(page->buf, matched);
	}
	if (has_text(yyjson_obj_get(rule, "outranked_by")))
		w_buf_add_str(page->buf, " (outranked)");
	w_buf_add_char(page->buf, '\n');
}

void
w_cli_decision_add_others(
    const struct w_decision_page *page, yyjson_val *decision)
{
	yyjson_val *rules = yyjson_obj_get(decision, "rules");
	bool has_heading = false;
	size_t i;
	size_t count;
	yyjson_val *rule;

	yyjson_arr_foreach(rules, i, count, rule)
	{
		if (i == 0 || is_repeated(rules, i, rule))
			continue;
		if (!has_heading)
			w_buf_add_str(page->buf, "\nalso matched\n");
		has_heading = true;
		add_other(page, rule);
	}
}

void
w_cli_decision_add_advice(
    const struct w_decision_page *page, yyjson_val *decision)
{
	const char *verdict = w_cli_decision_text(decision, "decision");
	size_t i;
	size_t count;
	yyjson_val *warning;

	yyjson_arr_foreach(
	    yyjson_obj_get(decision, "warnings"), i, count, warning)
	{
		decision_page_add_line(
		    page, i == 0 ? "\nwarning: " : "warning: ", warning);
	}
	decision_page_add_line(page, "\nwould be allowed: ",
	    yyjson_obj_get(decision, "nearest_allowed"));
	if (verdict != NULL && strcmp(verdict, "ask") == 0)
		w_buf_add_str(page->buf,
		    "\nA person must approve: 'writ run' asks on its terminal, "
		    "and 'writ approvals'\nanswers from another one.\n");
}

void
w_cli_decision_add(const struct w_decision_page *page, yyjson_val *decision)
{
	w_cli_decision_add_verdict(page, decision);
	w_cli_decision_add_others(page, decision);
	w_cli_decision_add_commands(page, decision);
	w_cli_decision_add_sandbox(page, decision);
	w_cli_decision_add_advice(page, decision);
}
