/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A question as a page: what would run, where, what it does, in which sandbox,
 * why it is asked, and which rule would be remembered. Members of the request
 * without a row of their own are shown as JSON.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/approval/question.h"
#include "cli/audit/record_page.h"
#include "data/json.h"

#define TEXT_MAX W_QUESTION_PAGE_MAX

struct question_view {
	struct w_record_page page;
	yyjson_val *question;
	uint64_t now_ms;
};

static const char *const known[] = {"argv", "shell", "cwd", "program", "env",
    "stdin", "stdin_bytes", "stdin_text", "limits", "connects_to", NULL};

/* Adds a row from a buffer, which may have failed. */
static void
question_page_add_row(struct question_view *question_view, const char *label,
    const struct w_buf *text)
{
	w_page_row(&question_view->page, label, text->data);
	if (text->failed)
		question_view->page.out->failed = true;
}

static void
question_page_add_json(
    struct question_view *question_view, const char *label, yyjson_val *val)
{
	W_AUTO_FREE char *text = NULL;

	if (val == NULL || yyjson_is_null(val))
		return;
	if (yyjson_is_str(val)) {
		w_page_row(&question_view->page, label, yyjson_get_str(val));
		return;
	}
	text = yyjson_val_write(val, 0, NULL);
	w_page_row(&question_view->page, label, text);
	if (text == NULL)
		question_view->page.out->failed = true;
}

static void
question_page_add_text(
    struct question_view *question_view, const char *label, const char *pointer)
{
	question_page_add_json(question_view, label,
	    yyjson_ptr_get(question_view->question, pointer));
}

/* The command, or the shell string with one row per line. */
static void
question_page_add_command(struct question_view *question_view)
{
	const char *shell =
	    w_question_text(question_view->question, "/request/shell");
	W_AUTO_FREE char *copy = shell == NULL ? NULL : strdup(shell);
	const char *label = "shell";
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (shell == NULL) {
		w_question_add_command(&text, question_view->question);
		question_page_add_row(question_view, "command", &text);
		return;
	}
	if (copy == NULL)
		question_view->page.out->failed = true;
	for (char *line = copy; line != NULL; label = "") {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end = '\0';
		w_page_row(
		    &question_view->page, label, line[0] == '\0' ? " " : line);
		line = end == NULL ? NULL : end + 1;
	}
}

static void
question_page_add_variables(struct question_view *question_view)
{
	yyjson_val *env =
	    yyjson_ptr_get(question_view->question, "/request/env");
	size_t i;
	size_t count;
	yyjson_val *val;

	if (!yyjson_is_arr(env)) {
		question_page_add_json(question_view, "variables", env);
		return;
	}
	yyjson_arr_foreach(env, i, count, val)
	{
		question_page_add_json(
		    question_view, i == 0 ? "variables" : "", val);
	}
}

/* ---- standard input ---- */

/* The bar keeps input lines apart from the page's own text. */
static void
add_input_lines(struct question_view *question_view, yyjson_val *part)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, TEXT_MAX);
	if (part == NULL)
		return;
	if (!w_json_get_bytes(&bytes, part) || bytes.failed)
		question_view->page.out->failed = true;
	for (size_t at = 0; at < bytes.len;) {
		const char *line = bytes.data + at;
		const char *end = memchr(line, '\n', bytes.len - at);
		const size_t len =
		    end == NULL ? bytes.len - at : (size_t)(end - line);

		w_page_bytes(&question_view->page, "", "| ", line, len);
		at += len + 1;
	}
}

static void
question_page_add_input(struct question_view *question_view)
{
	yyjson_val *request =
	    yyjson_obj_get(question_view->question, "request");
	yyjson_val *bytes = yyjson_obj_get(request, "stdin_bytes");
	yyjson_val *text = yyjson_obj_get(request, "stdin_text");
	yyjson_val *left_out = yyjson_obj_get(text, "left_out");
	const char *kind = w_question_text(request, "/stdin");
	W_AUTO_BUF struct w_buf row;

	w_buf_init(&row, TEXT_MAX);
	if (kind == NULL) {
		question_page_add_text(
		    question_view, "input", "/request/stdin");
		return;
	}
	w_buf_add_str(&row, kind);
	if (strcmp(kind, "fd") == 0)
		w_buf_add_str(
		    &row, ": what writ itself reads, which nobody knows yet");
	if (yyjson_is_uint(bytes))
		w_buf_add_fmt(
		    &row, ", %" PRIu64 " bytes", yyjson_get_uint(bytes));
	question_page_add_row(question_view, "input", &row);
	add_input_lines(question_view, yyjson_obj_get(text, "head"));
	if (yyjson_is_uint(left_out)) {
		row.len = 0;
		w_buf_add_fmt(&row, "(%" PRIu64 " bytes are not shown)",
		    yyjson_get_uint(left_out));
		question_page_add_row(question_view, "", &row);
	}
	add_input_lines(question_view, yyjson_obj_get(text, "tail"));
}

/* "timeout 5s, processes 64": "_ms" values as durations. */
static void
question_page_add_limit(struct w_buf *text, const char *name, yyjson_val *val)
{
	static const char unit[] = "_ms";
	const size_t tail = sizeof(unit) - 1;
	const size_t len = strlen(name);
	char duration[W_DURATION_TEXT_MAX];

	w_buf_add_str(text, text->len == 0 ? "" : ", ");
	if (len > tail && strcmp(name + len - tail, unit) == 0) {
		w_duration_format(yyjson_get_uint(val), duration);
		w_buf_add_fmt(
		    text, "%.*s %s", (int)(len - tail), name, duration);
		return;
	}
	w_buf_add_fmt(text, "%s %" PRIu64, name, yyjson_get_uint(val));
}

static void
question_page_add_limits(struct question_view *question_view)
{
	yyjson_val *limits =
	    yyjson_ptr_get(question_view->question, "/request/limits");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	yyjson_obj_foreach(limits, i, count, key, val)
	{
		if (!yyjson_is_uint(val)) {
			question_page_add_json(question_view, "limits", limits);
			return;
		}
		question_page_add_limit(&text, yyjson_get_str(key), val);
	}
	if (yyjson_is_obj(limits))
		question_page_add_row(question_view, "limits", &text);
	else
		question_page_add_json(question_view, "limits", limits);
}

/* Whether a member of the request has its own row. */
static bool
question_page_is_known(const char *name, yyjson_val *val)
{
	for (size_t i = 0; known[i] != NULL; i++) {
		if (strcmp(known[i], name) == 0)
			return true;
	}
	return strcmp(name, "sandbox") == 0 && yyjson_is_obj(val);
}

/* The members that no row above shows. */
static void
question_page_add_rest(struct question_view *question_view)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(yyjson_obj_get(question_view->question, "request"),
	    i, count, key, val)
	{
		const bool is_empty =
		    yyjson_is_ctn(val) && unsafe_yyjson_get_len(val) == 0;

		if (is_empty ||
		    question_page_is_known(yyjson_get_str(key), val))
			continue;
		W_AUTO_BUF struct w_buf label;

		/* The name may be any text, too. */
		w_buf_init(&label, TEXT_MAX);
		(void)w_printable_add(&label, yyjson_get_str(key), 0);
		question_page_add_json(question_view, label.data, val);
		if (label.failed)
			question_view->page.out->failed = true;
	}
}

static void
add_who(struct question_view *question_view)
{
	const uint64_t at =
	    w_question_number(question_view->question, "/asked_at");
	const char *agent =
	    w_question_text(question_view->question, "/asker/agent");
	char ago[W_DURATION_TEXT_MAX] = "0s";
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (question_view->now_ms > at)
		w_duration_format(
		    (question_view->now_ms - at) / 1000 * 1000, ago);
	w_buf_add_fmt(&text,
	    "agent %s, process %" PRIu64 " of user %" PRIu64 ", %s ago",
	    agent == NULL ? "-" : agent,
	    w_question_number(question_view->question, "/asker/pid"),
	    w_question_number(question_view->question, "/asker/uid"), ago);
	question_page_add_row(question_view, "asked by", &text);
}

/* ---- effects ---- */

static void
question_page_add_words(struct w_buf *text, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(list, i, count, val)
	{
		const char *word = yyjson_is_obj(val)
				       ? w_question_text(val, "/host")
				       : yyjson_get_str(val);

		w_buf_add_str(text, i == 0 ? "" : ", ");
		w_buf_add_str(text, word == NULL ? "-" : word);
	}
}

static void
add_word_row(
    struct question_view *question_view, const char *label, yyjson_val *list)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	question_page_add_words(&text, list);
	question_page_add_row(question_view, label, &text);
}

static void
question_page_add_path(struct question_view *question_view, yyjson_val *path)
{
	const char *written = w_question_text(path, "/path");
	const char *real = w_question_text(path, "/resolved");
	const char *effect = w_question_text(path, "/effect");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_buf_add_fmt(&text, "%s ", effect == NULL ? "touch" : effect);
	w_printable_add_word(&text, written == NULL ? "" : written);
	if (real != NULL && written != NULL && strcmp(real, written) != 0) {
		w_buf_add_str(&text, " -> ");
		w_printable_add_word(&text, real);
	}
	question_page_add_row(question_view, "", &text);
}

static void
question_page_add_effects(struct question_view *question_view)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	add_word_row(question_view, "does",
	    yyjson_ptr_get(question_view->question, "/decision/effects"));
	yyjson_arr_foreach(
	    yyjson_ptr_get(question_view->question, "/decision/paths"), i,
	    count, val)
	{
		question_page_add_path(question_view, val);
	}
	add_word_row(question_view, "reaches",
	    yyjson_ptr_get(question_view->question, "/decision/hosts"));
	if (yyjson_is_false(yyjson_ptr_get(
		question_view->question, "/decision/understood")))
		w_page_row(&question_view->page, "",
		    "writ cannot tell all that it does: it may do anything "
		    "that the sandbox allows");
}

/* The sandbox the request asks for, or else the one of the decision. */
static void
question_page_add_sandbox(struct question_view *question_view)
{
	yyjson_val *sandbox =
	    yyjson_ptr_get(question_view->question, "/request/sandbox");
	if (!yyjson_is_obj(sandbox))
		sandbox = yyjson_ptr_get(
		    question_view->question, "/decision/sandbox");
	const char *profile = w_question_text(sandbox, "/profile");
	const char *network = w_question_text(sandbox, "/network");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (profile == NULL)
		return;
	w_buf_add_fmt(&text, "%s, network %s%s", profile,
	    network == NULL ? "off" : network,
	    yyjson_is_true(yyjson_obj_get(sandbox, "local_sockets"))
		? " with every local socket"
		: "");
	question_page_add_row(question_view, "sandbox", &text);
	add_word_row(question_view, "  reads", yyjson_obj_get(sandbox, "read"));
	add_word_row(
	    question_view, "  writes", yyjson_obj_get(sandbox, "write"));
	add_word_row(
	    question_view, "  executes", yyjson_obj_get(sandbox, "execute"));
	add_word_row(question_view, "  hides", yyjson_obj_get(sandbox, "hide"));
	add_word_row(
	    question_view, "  not seen", yyjson_obj_get(sandbox, "hidden"));
}

/* ---- the reason ---- */

/* Adds a reason unless the message contains it. */
static void
add_new(struct question_view *question_view, const char *text)
{
	const char *said =
	    w_question_text(question_view->question, "/decision/message");

	if (text != NULL && (said == NULL || strstr(said, text) == NULL))
		w_page_row(&question_view->page, "", text);
}

static void
question_page_add_rule(struct question_view *question_view, yyjson_val *rule)
{
	const char *file = w_question_text(rule, "/file");
	const char *words = w_question_text(rule, "/rule");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (file != NULL)
		w_buf_add_fmt(&text, "%s:%" PRIu64 ": ", file,
		    w_question_number(rule, "/line"));
	w_buf_add_str(&text, words == NULL ? "" : words);
	add_new(question_view, w_question_text(rule, "/matched"));
	question_page_add_row(question_view, "", &text);
	add_new(question_view, w_question_text(rule, "/because"));
}

/* The command that makes the proposed shape a rule. A rule that is no shape
 * has none. */
static void
question_page_add_for_good(struct question_view *question_view)
{
	static const char start[] = "allow: ";
	const char *rule = w_question_text(question_view->question, "/rule");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (rule == NULL || strncmp(rule, start, sizeof(start) - 1) != 0 ||
	    rule[sizeof(start) - 1] == '{')
		return;
	w_buf_add_str(&text, "writ policy allow ");
	w_words_quote(&text, rule + sizeof(start) - 1);
	question_page_add_row(question_view, "for good", &text);
}

static void
add_reasons(struct question_view *question_view)
{
	size_t i;
	size_t count;
	yyjson_val *rule;

	question_page_add_text(question_view, "why", "/decision/message");
	yyjson_arr_foreach(
	    yyjson_ptr_get(question_view->question, "/decision/rules"), i,
	    count, rule)
	{
		const char *verdict = w_question_text(rule, "/decision");

		if (verdict == NULL || strcmp(verdict, "ask") == 0)
			question_page_add_rule(question_view, rule);
	}
	question_page_add_text(question_view, "remember", "/rule");
	question_page_add_for_good(question_view);
}

static void
question_page_add_answer(struct question_view *question_view)
{
	yyjson_val *answer = yyjson_obj_get(question_view->question, "answer");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (!yyjson_is_obj(answer))
		return;
	if (yyjson_is_true(yyjson_obj_get(answer, "approved")))
		w_buf_add_fmt(&text, "approved, scope %s",
		    w_question_text(answer, "/scope"));
	else
		w_buf_add_str(&text, "denied");
	w_buf_add_fmt(
	    &text, ", by user %" PRIu64, w_question_number(answer, "/by/uid"));
	question_page_add_row(question_view, "answer", &text);
	w_page_row(
	    &question_view->page, "  via", w_question_text(answer, "/by/via"));
	w_page_row(
	    &question_view->page, "  rule", w_question_text(answer, "/rule"));
	w_page_row(
	    &question_view->page, "  note", w_question_text(answer, "/note"));
}

void
w_question_add_page(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms, bool has_colour)
{
	struct question_view question_view = {
	    .page = {.out = buf, .has_colour = has_colour},
	    .question = question,
	    .now_ms = now_ms,
	};

	question_page_add_command(&question_view);
	question_page_add_text(
	    &question_view, "connects to", "/request/connects_to");
	question_page_add_text(&question_view, "directory", "/request/cwd");
	question_page_add_text(&question_view, "program", "/request/program");
	question_page_add_variables(&question_view);
	question_page_add_input(&question_view);
	question_page_add_limits(&question_view);
	question_page_add_rest(&question_view);
	add_who(&question_view);
	question_page_add_effects(&question_view);
	question_page_add_sandbox(&question_view);
	add_reasons(&question_view);
	question_page_add_answer(&question_view);
}
