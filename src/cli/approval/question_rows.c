/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The texts of a question's rows, each on one line of any length.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/approval/question.h"
#include "cli/approval/question_brief.h"
#include "data/json.h"

#define TEXT_MAX W_QUESTION_PAGE_MAX

enum {
	HIDDEN_SHOWN = 3 /* of the places that a run does not see */
};

static void
question_rows_add_plain(struct w_buf *text, const char *value)
{
	(void)w_printable_add(text, value == NULL ? "-" : value, 0);
}

static void
question_rows_separate(struct w_buf *text)
{
	w_buf_add_str(text, text->len == 0 ? "" : "; ");
}

static void
rows_add_who(yyjson_val *question, struct w_buf *text)
{
	w_buf_add_str(text, "agent ");
	question_rows_add_plain(
	    text, w_question_text(question, "/asker/agent"));
	w_buf_add_fmt(text, ", process %" PRIu64 " of user %" PRIu64,
	    w_question_number(question, "/asker/pid"),
	    w_question_number(question, "/asker/uid"));
	if (yyjson_is_true(yyjson_ptr_get(question, "/asker/stays")))
		w_buf_add_str(text, ", which does not wait");
}

/* ---- why ---- */

static void
rows_add_reason(struct w_buf *text, yyjson_val *rule)
{
	const char *matched = w_question_text(rule, "/matched");
	const char *because = w_question_text(rule, "/because");
	W_AUTO_BUF struct w_buf reason;

	w_buf_init(&reason, TEXT_MAX);
	if (matched != NULL) {
		w_buf_add_str(&reason, "it ");
		question_rows_add_plain(&reason, matched);
	}
	if (because != NULL) {
		w_buf_add_str(&reason, matched == NULL ? "" : ": ");
		question_rows_add_plain(&reason, because);
	}
	if (reason.len == 0 || strstr(text->data, reason.data) != NULL)
		return;
	question_rows_separate(text);
	w_buf_add_str(text, reason.data);
}

/* The rules that ask; without one, the message. */
static void
rows_add_why(yyjson_val *question, struct w_buf *text)
{
	size_t i;
	size_t count;
	yyjson_val *rule;

	yyjson_arr_foreach(
	    yyjson_ptr_get(question, "/decision/rules"), i, count, rule)
	{
		const char *verdict = w_question_text(rule, "/decision");

		if (verdict != NULL && strcmp(verdict, "ask") == 0)
			rows_add_reason(text, rule);
	}
	if (text->len == 0)
		question_rows_add_plain(
		    text, w_question_text(question, "/decision/message"));
	if (yyjson_is_false(yyjson_ptr_get(question, "/decision/understood"))) {
		question_rows_separate(text);
		w_buf_add_str(text, "writ cannot see what it does");
	}
}

/* ---- what it gets ---- */

/* The working directory is in a row of its own: here it is ".". */
static void
rows_add_paths(
    struct w_buf *text, const char *verb, yyjson_val *list, const char *cwd)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(list, i, count, val)
	{
		const char *path = yyjson_get_str(val);

		w_buf_add_str(text, i == 0 ? ", may " : " ");
		w_buf_add_str(text, i == 0 ? verb : "");
		w_buf_add_str(text, i == 0 ? " " : "");
		if (path != NULL && cwd != NULL && strcmp(path, cwd) == 0)
			path = ".";
		w_printable_add_word(text, path == NULL ? "-" : path);
	}
}

/* The first of them stand for all; the details have the rest. */
static void
rows_add_hidden(struct w_buf *text, yyjson_val *hidden)
{
	const size_t count = yyjson_arr_size(hidden);

	for (size_t i = 0; i < count && i < HIDDEN_SHOWN; i++) {
		const char *path = yyjson_get_str(yyjson_arr_get(hidden, i));

		w_buf_add_str(text, i == 0 ? ", does not see " : " ");
		w_printable_add_word(text, path == NULL ? "?" : path);
	}
	if (count > HIDDEN_SHOWN)
		w_buf_add_fmt(text, " and %zu more", count - HIDDEN_SHOWN);
}

static void
rows_add_gets(yyjson_val *question, struct w_buf *text)
{
	yyjson_val *sandbox = yyjson_ptr_get(question, "/request/sandbox");

	if (!yyjson_is_obj(sandbox))
		sandbox = yyjson_ptr_get(question, "/decision/sandbox");
	const char *profile = w_question_text(sandbox, "/profile");
	const char *network = w_question_text(sandbox, "/network");
	const char *cwd = w_question_text(question, "/request/cwd");
	const char *place = w_question_text(question, "/request/connects_to");
	if (place != NULL) {
		w_buf_add_str(text, "this connection, while it runs: ");
		question_rows_add_plain(text, place);
		return;
	}
	if (profile == NULL)
		return;
	if (strcmp(profile, "none") == 0 || strcmp(profile, "env") == 0) {
		w_buf_add_fmt(text,
		    "no sandbox (%s): everything that this user may do",
		    profile);
		return;
	}
	w_buf_add_str(text, "sandbox ");
	question_rows_add_plain(text, profile);
	w_buf_add_str(text, ", network ");
	question_rows_add_plain(text, network == NULL ? "off" : network);
	if (yyjson_is_true(yyjson_obj_get(sandbox, "local_sockets")))
		w_buf_add_str(text, " with every local socket");
	rows_add_paths(text, "write", yyjson_obj_get(sandbox, "write"), cwd);
	rows_add_paths(text, "read", yyjson_obj_get(sandbox, "read"), cwd);
	rows_add_paths(
	    text, "execute", yyjson_obj_get(sandbox, "execute"), cwd);
	rows_add_hidden(text, yyjson_obj_get(sandbox, "hidden"));
}

/* ---- with what it runs ---- */

/* A program of the system is what its name says. */
static bool
is_usual_program(const char *program)
{
	static const char *const places[] = {
	    "/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const size_t len = strlen(places[i]);

		if (strncmp(program, places[i], len) == 0 &&
		    strchr(program + len, '/') == NULL)
			return true;
	}
	return false;
}

static bool
rows_add_bytes(struct w_buf *text, yyjson_val *val, bool is_word)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, TEXT_MAX);
	if (!w_json_get_bytes(&bytes, val) || bytes.failed)
		return false;
	if (is_word)
		w_printable_add_word(text, bytes.data);
	else
		w_printable_add_bytes(text, bytes.data, bytes.len);
	return true;
}

/* false: a part of the input is not known. */
static bool
rows_add_input(const struct w_question_brief *brief, struct w_buf *text)
{
	yyjson_val *request = yyjson_obj_get(brief->question, "request");
	yyjson_val *input = yyjson_obj_get(request, "stdin_text");
	yyjson_val *left_out = yyjson_obj_get(input, "left_out");
	yyjson_val *tail = yyjson_obj_get(input, "tail");
	const char *kind = w_question_text(request, "/stdin");

	if (kind == NULL || strcmp(kind, "null") == 0)
		return true;
	if (strcmp(kind, "fd") == 0) {
		if (brief->is_own)
			return true;
		question_rows_separate(text);
		w_buf_add_str(text, "input that is not known yet");
		return true;
	}
	question_rows_separate(text);
	w_buf_add_str(text, "input ");
	question_rows_add_plain(text, kind);
	if (yyjson_obj_get(input, "head") != NULL) {
		w_buf_add_str(text, ": ");
		if (!rows_add_bytes(text, yyjson_obj_get(input, "head"), false))
			return false;
	}
	if (yyjson_is_uint(left_out))
		w_buf_add_fmt(text, " ... %" PRIu64 " bytes ... ",
		    yyjson_get_uint(left_out));
	return tail == NULL || yyjson_is_null(tail) ||
	       rows_add_bytes(text, tail, false);
}

static bool
is_shown_elsewhere(const char *name, yyjson_val *val)
{
	static const char *const names[] = {"argv", "shell", "cwd", "program",
	    "env", "stdin", "stdin_bytes", "stdin_text", "limits", "sandbox",
	    "connects_to"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	if (strcmp(name, "env_mode") == 0 && yyjson_equals_str(val, "minimal"))
		return true;
	return yyjson_is_null(val) || yyjson_is_false(val) ||
	       (yyjson_is_ctn(val) && unsafe_yyjson_get_len(val) == 0);
}

/* The members of the request that have no place of their own. */
static bool
rows_add_rest(yyjson_val *request, struct w_buf *text)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(request, i, count, key, val)
	{
		if (is_shown_elsewhere(yyjson_get_str(key), val))
			continue;
		W_AUTO_FREE char *value = yyjson_val_write(val, 0, NULL);

		if (value == NULL)
			return false;
		question_rows_separate(text);
		question_rows_add_plain(text, yyjson_get_str(key));
		w_buf_add_char(text, ' ');
		question_rows_add_plain(text, value);
	}
	return true;
}

static bool
rows_add_with(const struct w_question_brief *brief, struct w_buf *text)
{
	yyjson_val *request = yyjson_obj_get(brief->question, "request");
	const char *program = w_question_text(request, "/program");
	bool is_whole = true;
	size_t i;
	size_t count;
	yyjson_val *val;

	if (program != NULL && !is_usual_program(program)) {
		w_buf_add_str(text, "program ");
		w_printable_add_word(text, program);
	}
	yyjson_arr_foreach(yyjson_obj_get(request, "env"), i, count, val)
	{
		question_rows_separate(text);
		is_whole = rows_add_bytes(text, val, true) && is_whole;
	}
	is_whole = rows_add_input(brief, text) && is_whole;
	return rows_add_rest(request, text) && is_whole;
}

bool
w_question_add_row(
    const struct w_question_brief *brief, int row, struct w_buf *text)
{
	const char *cwd = w_question_text(brief->question, "/request/cwd");
	const char *rule = w_question_text(brief->question, "/rule");

	switch (row) {
	case W_QUESTION_WHO:
		rows_add_who(brief->question, text);
		return true;
	case W_QUESTION_WHERE:
		if (cwd != NULL)
			w_printable_add_word(text, cwd);
		return cwd != NULL;
	case W_QUESTION_WHY:
		rows_add_why(brief->question, text);
		return true;
	case W_QUESTION_GETS:
		rows_add_gets(brief->question, text);
		return true;
	case W_QUESTION_RULE:
		if (rule != NULL)
			question_rows_add_plain(text, rule);
		return true;
	default:
		return rows_add_with(brief, text);
	}
}

/* ---- the command ---- */

static bool
rows_add_shell_line(struct w_words *lines, const char *line, size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_printable_add_bytes(&text, line, len);
	return !text.failed && w_words_add(lines, text.data, text.len);
}

bool
w_question_command_lines(
    yyjson_val *question, struct w_words *lines, bool *out_is_shell)
{
	const char *shell = w_question_text(question, "/request/shell");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	*out_is_shell = shell != NULL;
	if (shell == NULL) {
		w_question_add_command(&text, question);
		return !text.failed && w_words_add(lines, text.data, text.len);
	}
	for (;;) {
		const char *end = strchrnul(shell, '\n');

		if (!rows_add_shell_line(lines, shell, (size_t)(end - shell)))
			return false;
		if (*end == '\0')
			return true;
		shell = end + 1;
	}
}
