/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A question as a page: what would run, where, what it does, in which walls,
 * why it is asked, and which rule would be remembered. A member of the request
 * that no row knows is shown as it stands.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/plain.h"
#include "cli/audit_sections.h"
#include "cli/question.h"
#include "data/json.h"

#define TEXT_MAX W_QUESTION_PAGE_MAX

struct sight {
	struct w_page page;
	yyjson_val *question;
	uint64_t now_ms;
};

static const char *const known[] = {"argv", "shell", "cwd", "program", "env",
    "stdin", "stdin_bytes", "stdin_text", "limits", NULL};

/* A row that was made in a buffer of its own. */
static void
add_row(struct sight *sight, const char *label, const struct w_buf *text)
{
	w_page_row(&sight->page, label, text->data);
	if (text->failed)
		sight->page.out->failed = true;
}

static void
add_json(struct sight *sight, const char *label, yyjson_val *val)
{
	W_AUTO_FREE char *text = NULL;

	if (val == NULL || yyjson_is_null(val))
		return;
	if (yyjson_is_str(val)) {
		w_page_row(&sight->page, label, yyjson_get_str(val));
		return;
	}
	text = yyjson_val_write(val, 0, NULL);
	w_page_row(&sight->page, label, text);
	if (text == NULL)
		sight->page.out->failed = true;
}

static void
add_text(struct sight *sight, const char *label, const char *pointer)
{
	add_json(sight, label, yyjson_ptr_get(sight->question, pointer));
}

/* A text for a shell, line by line; its end stands in no other line. */
static void
add_shell(struct sight *sight, const char *text)
{
	W_AUTO_FREE char *copy = strdup(text);
	const char *label = "shell";

	if (copy == NULL)
		sight->page.out->failed = true;
	for (char *line = copy; line != NULL; label = "") {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end = '\0';
		w_page_row(&sight->page, label, line[0] == '\0' ? " " : line);
		line = end == NULL ? NULL : end + 1;
	}
}

static void
add_command(struct sight *sight)
{
	const char *shell = w_question_text(sight->question, "/request/shell");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (shell != NULL) {
		add_shell(sight, shell);
		return;
	}
	w_question_add_command(&text, sight->question);
	add_row(sight, "command", &text);
}

static void
add_variables(struct sight *sight)
{
	yyjson_val *env = yyjson_ptr_get(sight->question, "/request/env");
	size_t i;
	size_t count;
	yyjson_val *val;

	if (!yyjson_is_arr(env)) {
		add_json(sight, "variables", env);
		return;
	}
	yyjson_arr_foreach(env, i, count, val)
	{
		add_json(sight, i == 0 ? "variables" : "", val);
	}
}

/* ---- what it reads ---- */

/* The bar keeps a line apart from what the page says itself. */
static void
add_input_lines(struct sight *sight, yyjson_val *part)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, TEXT_MAX);
	if (part == NULL)
		return;
	if (!w_json_get_bytes(&bytes, part) || bytes.failed)
		sight->page.out->failed = true;
	for (size_t at = 0; at < bytes.len;) {
		const char *line = bytes.data + at;
		const char *end = memchr(line, '\n', bytes.len - at);
		const size_t len =
		    end == NULL ? bytes.len - at : (size_t)(end - line);

		w_page_bytes(&sight->page, "", "| ", line, len);
		at += len + 1;
	}
}

static void
add_input(struct sight *sight)
{
	yyjson_val *request = yyjson_obj_get(sight->question, "request");
	yyjson_val *bytes = yyjson_obj_get(request, "stdin_bytes");
	yyjson_val *text = yyjson_obj_get(request, "stdin_text");
	yyjson_val *left_out = yyjson_obj_get(text, "left_out");
	const char *kind = w_question_text(request, "/stdin");
	W_AUTO_BUF struct w_buf row;

	w_buf_init(&row, TEXT_MAX);
	if (kind == NULL) {
		add_text(sight, "input", "/request/stdin");
		return;
	}
	w_buf_add_str(&row, kind);
	if (strcmp(kind, "fd") == 0)
		w_buf_add_str(
		    &row, ": what writ itself reads, which nobody knows yet");
	if (yyjson_is_uint(bytes))
		w_buf_add_fmt(
		    &row, ", %" PRIu64 " bytes", yyjson_get_uint(bytes));
	add_row(sight, "input", &row);
	add_input_lines(sight, yyjson_obj_get(text, "head"));
	if (yyjson_is_uint(left_out)) {
		row.len = 0;
		w_buf_add_fmt(&row, "(%" PRIu64 " bytes are not shown)",
		    yyjson_get_uint(left_out));
		add_row(sight, "", &row);
	}
	add_input_lines(sight, yyjson_obj_get(text, "tail"));
}

/* "timeout 5s, processes 64": milliseconds as people say them. */
static void
add_limit(struct w_buf *text, const char *name, yyjson_val *val)
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
add_limits(struct sight *sight)
{
	yyjson_val *limits = yyjson_ptr_get(sight->question, "/request/limits");
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	yyjson_obj_foreach(limits, i, count, key, val)
	{
		if (!yyjson_is_uint(val)) {
			add_json(sight, "limits", limits);
			return;
		}
		add_limit(&text, yyjson_get_str(key), val);
	}
	if (yyjson_is_obj(limits))
		add_row(sight, "limits", &text);
	else
		add_json(sight, "limits", limits);
}

/* The name may be anything as well. */
static void
add_member(struct sight *sight, const char *name, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf label;

	w_buf_init(&label, TEXT_MAX);
	(void)w_plain_add(&label, name, 0);
	add_json(sight, label.data, val);
	if (label.failed)
		sight->page.out->failed = true;
}

/* The walls have rows of their own. */
static bool
is_known(const char *name, yyjson_val *val)
{
	for (size_t i = 0; known[i] != NULL; i++) {
		if (strcmp(known[i], name) == 0)
			return true;
	}
	return strcmp(name, "sandbox") == 0 && yyjson_is_obj(val);
}

/* What the rows above do not show. */
static void
add_rest(struct sight *sight)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(
	    yyjson_obj_get(sight->question, "request"), i, count, key, val)
	{
		const bool is_empty =
		    yyjson_is_ctn(val) && unsafe_yyjson_get_len(val) == 0;

		if (is_empty || is_known(yyjson_get_str(key), val))
			continue;
		add_member(sight, yyjson_get_str(key), val);
	}
}

static void
add_who(struct sight *sight)
{
	const uint64_t at = w_question_number(sight->question, "/asked_at");
	const char *agent = w_question_text(sight->question, "/asker/agent");
	char ago[W_DURATION_TEXT_MAX] = "0s";
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (sight->now_ms > at)
		w_duration_format((sight->now_ms - at) / 1000 * 1000, ago);
	w_buf_add_fmt(&text,
	    "agent %s, process %" PRIu64 " of user %" PRIu64 ", %s ago",
	    agent == NULL ? "-" : agent,
	    w_question_number(sight->question, "/asker/pid"),
	    w_question_number(sight->question, "/asker/uid"), ago);
	add_row(sight, "asked by", &text);
}

/* ---- what it does ---- */

static void
add_words(struct w_buf *text, yyjson_val *list)
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
add_word_row(struct sight *sight, const char *label, yyjson_val *list)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	add_words(&text, list);
	add_row(sight, label, &text);
}

static void
add_path(struct sight *sight, yyjson_val *path)
{
	const char *written = w_question_text(path, "/path");
	const char *real = w_question_text(path, "/resolved");
	const char *effect = w_question_text(path, "/effect");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_buf_add_fmt(&text, "%s ", effect == NULL ? "touch" : effect);
	w_plain_add_word(&text, written == NULL ? "" : written);
	if (real != NULL && written != NULL && strcmp(real, written) != 0) {
		w_buf_add_str(&text, " -> ");
		w_plain_add_word(&text, real);
	}
	add_row(sight, "", &text);
}

static void
add_effects(struct sight *sight)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	add_word_row(sight, "does",
	    yyjson_ptr_get(sight->question, "/decision/effects"));
	yyjson_arr_foreach(
	    yyjson_ptr_get(sight->question, "/decision/paths"), i, count, val)
	{
		add_path(sight, val);
	}
	add_word_row(sight, "reaches",
	    yyjson_ptr_get(sight->question, "/decision/hosts"));
	if (yyjson_is_false(
		yyjson_ptr_get(sight->question, "/decision/understood")))
		w_page_row(&sight->page, "",
		    "it is not understood: it may do anything that the walls "
		    "let it");
}

/* As the request would get them; the plan of the decision, where it does not
 * say. */
static void
add_walls(struct sight *sight)
{
	yyjson_val *walls = yyjson_ptr_get(sight->question, "/request/sandbox");
	if (!yyjson_is_obj(walls))
		walls = yyjson_ptr_get(sight->question, "/decision/sandbox");
	const char *profile = w_question_text(walls, "/profile");
	const char *network = w_question_text(walls, "/network");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (profile == NULL)
		return;
	w_buf_add_fmt(&text, "%s, network %s", profile,
	    network == NULL ? "off" : network);
	add_row(sight, "walls", &text);
	add_word_row(sight, "  reads", yyjson_obj_get(walls, "read"));
	add_word_row(sight, "  writes", yyjson_obj_get(walls, "write"));
	add_word_row(sight, "  executes", yyjson_obj_get(walls, "execute"));
	add_word_row(sight, "  hides", yyjson_obj_get(walls, "hide"));
}

/* ---- why ---- */

/* Unless the message says it already. */
static void
add_new(struct sight *sight, const char *text)
{
	const char *said =
	    w_question_text(sight->question, "/decision/message");

	if (text != NULL && (said == NULL || strstr(said, text) == NULL))
		w_page_row(&sight->page, "", text);
}

static void
add_rule(struct sight *sight, yyjson_val *rule)
{
	const char *file = w_question_text(rule, "/file");
	const char *words = w_question_text(rule, "/rule");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (file != NULL)
		w_buf_add_fmt(&text, "%s:%" PRIu64 ": ", file,
		    w_question_number(rule, "/line"));
	w_buf_add_str(&text, words == NULL ? "" : words);
	add_new(sight, w_question_text(rule, "/matched"));
	add_row(sight, "", &text);
	add_new(sight, w_question_text(rule, "/because"));
}

static void
add_reasons(struct sight *sight)
{
	size_t i;
	size_t count;
	yyjson_val *rule;

	add_text(sight, "why", "/decision/message");
	yyjson_arr_foreach(
	    yyjson_ptr_get(sight->question, "/decision/rules"), i, count, rule)
	{
		const char *verdict = w_question_text(rule, "/decision");

		if (verdict == NULL || strcmp(verdict, "ask") == 0)
			add_rule(sight, rule);
	}
	add_text(sight, "remember", "/rule");
}

static void
add_answer(struct sight *sight)
{
	yyjson_val *answer = yyjson_obj_get(sight->question, "answer");
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
	add_row(sight, "answer", &text);
	w_page_row(&sight->page, "  via", w_question_text(answer, "/by/via"));
	w_page_row(&sight->page, "  rule", w_question_text(answer, "/rule"));
	w_page_row(&sight->page, "  note", w_question_text(answer, "/note"));
}

void
w_question_add_page(
    struct w_buf *buf, yyjson_val *question, uint64_t now_ms, bool has_colour)
{
	struct sight sight = {
	    .page = {.out = buf, .has_colour = has_colour},
	    .question = question,
	    .now_ms = now_ms,
	};

	add_command(&sight);
	add_text(&sight, "directory", "/request/cwd");
	add_text(&sight, "program", "/request/program");
	add_variables(&sight);
	add_input(&sight);
	add_limits(&sight);
	add_rest(&sight);
	add_who(&sight);
	add_effects(&sight);
	add_walls(&sight);
	add_reasons(&sight);
	add_answer(&sight);
}
