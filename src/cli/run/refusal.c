/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prints the error of a run that a policy or a person refused.
 */

#include "cli/run/refusal.h"

#include <string.h>
#include <unistd.h>

#include <writ/result.h>

#include "base/auto.h"
#include "cli/caller.h"
#include "cli/output/print.h"
#include "cli/policy/decision_page.h"

#define TEXT_MAX  ((size_t)64 << 20)
#define SHAPE_MAX 160 /* longer ones are not offered */
#define CUT_AT    4   /* a message this close to its maximum may be cut */

bool
w_refusal_is(const writ_error *err)
{
	return err->status == WRIT_E_DENIED || err->status == WRIT_E_APPROVAL ||
	       err->status == WRIT_E_REFUSED;
}

static void
refusal_add_line(
    const struct w_decision_page *page, const char *label, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	w_buf_add_str(page->buf, label);
	w_cli_decision_add_plain(page, text);
	w_buf_add_char(page->buf, '\n');
}

static void
refusal_add_rule(const struct w_decision_page *page, yyjson_val *decision)
{
	yyjson_val *rule = w_cli_decision_rule(decision);
	const char *file = w_cli_decision_text(rule, "file");

	refusal_add_line(page, "  because: ", w_cli_decision_reason(decision));
	if (file == NULL)
		return;
	w_buf_add_str(page->buf, "  rule: ");
	w_cli_decision_add_place(page, file,
	    (unsigned)yyjson_get_uint(yyjson_obj_get(rule, "line")),
	    (unsigned)yyjson_get_uint(yyjson_obj_get(rule, "column")));
	w_buf_add_char(page->buf, '\n');
}

/* ---- what would allow it for good ---- */

/* A word that means itself in a shape. */
static bool
is_plain_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:=@,+-";

	return word != NULL && word[0] != '\0' &&
	       word[strspn(word, plain)] == '\0' && strstr(word, "..") == NULL;
}

/* The command as a shape; nothing if it is not a single, plain one. */
static void
refusal_add_shape(struct w_buf *shape, yyjson_val *decision)
{
	yyjson_val *commands = yyjson_obj_get(decision, "commands");
	yyjson_val *command = yyjson_arr_get_first(commands);
	size_t i;
	size_t count;
	yyjson_val *word;

	if (yyjson_arr_size(commands) != 1 ||
	    !yyjson_is_true(yyjson_obj_get(command, "understood")))
		return;
	yyjson_arr_foreach(yyjson_obj_get(command, "argv"), i, count, word)
	{
		if (!is_plain_word(yyjson_get_str(word))) {
			shape->len = 0;
			return;
		}
		w_buf_add_str(shape, i == 0 ? "" : " ");
		w_buf_add_str(shape, yyjson_get_str(word));
	}
	if (shape->failed)
		shape->len = 0;
}

/* Only a person may change the policy. */
static void
refusal_add_for_good(const struct w_decision_page *page, yyjson_val *decision)
{
	W_AUTO_BUF struct w_buf shape;

	w_buf_init(&shape, SHAPE_MAX);
	refusal_add_shape(&shape, decision);
	if (shape.len > 0 && w_cli_caller() == WRIT_CALLER_TRUSTED)
		w_buf_add_fmt(page->buf,
		    "  try: writ policy allow '%s' to allow it for good\n",
		    shape.data);
}

static void
refusal_print_text(const struct w_refusal *refusal, yyjson_val *decision)
{
	const writ_error *err = refusal->err;
	static const char nearest[] = "would be allowed";
	const bool is_nearest =
	    strncmp(err->suggestion, nearest, sizeof(nearest) - 1) == 0;
	const bool is_cut =
	    strlen(err->message) + CUT_AT >= sizeof(err->message);
	const char *whole = w_cli_decision_text(decision, "message");
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);
	W_AUTO_BUF struct w_buf buf;
	const struct w_decision_page page = {.buf = &buf,
	    .has_colour = w_print_has_colour(STDERR_FILENO),
	    .cwd = cwd};

	w_buf_init(&buf, TEXT_MAX);
	w_buf_add_str(&buf, "writ: ");
	w_cli_decision_paint(&page, "1;31");
	w_buf_add_str(&buf, err->status == WRIT_E_DENIED     ? "denied"
			    : err->status == WRIT_E_APPROVAL ? "approval needed"
							     : "not approved");
	w_cli_decision_paint(&page, "0");
	w_buf_add_str(&buf, ": ");
	w_cli_decision_add_plain(
	    &page, is_cut && whole != NULL ? whole : err->message);
	w_buf_add_char(&buf, '\n');
	refusal_add_rule(&page, decision);
	refusal_add_line(&page, is_nearest ? "  " : "  try: ", err->suggestion);
	if (err->status == WRIT_E_APPROVAL && !refusal->is_agent)
		refusal_add_for_good(&page, decision);
	(void)w_print_bytes(STDERR_FILENO, buf.data, buf.len);
}

/* The error object with the decision and the question as members of "details",
 * which is its last object: so the text ends with "}}}". */
static void
refusal_print_json(const struct w_refusal *refusal, bool has_decision)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	if (writ_error_json(refusal->err, &json, &len) != WRIT_OK) {
		w_print_error(refusal->err, NULL);
		return;
	}
	w_buf_add(&buf, json, len - strlen("}}}"));
	if (has_decision)
		w_buf_add_fmt(&buf, "%s\"decision\":%s",
		    w_buf_last(&buf) == '{' ? "" : ",", refusal->decision);
	if (refusal->approval != NULL)
		w_buf_add_fmt(&buf, "%s\"approval\":\"%s\"",
		    w_buf_last(&buf) == '{' ? "" : ",", refusal->approval);
	w_buf_add_str(&buf, "}}}\n");
	if (buf.failed)
		w_print_error_json(refusal->err);
	else
		(void)w_print(&buf);
}

int
w_refusal_print(const struct w_refusal *refusal)
{
	const writ_error *err = refusal->err;
	const char *decision = refusal->decision;
	yyjson_doc *doc = NULL;

	if (decision != NULL && w_refusal_is(err))
		doc =
		    yyjson_read(decision, strlen(decision), YYJSON_READ_NOFLAG);
	if (refusal->is_json && (doc != NULL || refusal->approval != NULL))
		refusal_print_json(refusal, doc != NULL);
	else if (refusal->is_json)
		w_print_error_json(err);
	else if (w_refusal_is(err))
		refusal_print_text(refusal, yyjson_doc_get_root(doc));
	else
		w_print_error(err, NULL);
	yyjson_doc_free(doc);
	return writ_status_exit(err->status);
}

void
w_refusal_add_reason(struct w_buf *buf, yyjson_val *decision)
{
	const char *message = w_cli_decision_text(decision, "message");
	const char *because = w_cli_decision_reason(decision);
	const char *place = w_cli_decision_text(decision, "rule");
	const char *nearest = w_cli_decision_text(decision, "nearest_allowed");
	const char *grant = w_cli_decision_text(decision, "grant");

	w_buf_add_str(buf, message == NULL ? "no reason" : message);
	if (because != NULL)
		w_buf_add_fmt(buf, "; because: %s", because);
	if (place != NULL)
		w_buf_add_fmt(buf, "; rule: %s", place);
	if (grant != NULL)
		w_buf_add_fmt(buf, "; by the grant %s", grant);
	if (nearest != NULL)
		w_buf_add_fmt(buf, "; would be allowed: %s", nearest);
}
