/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The text of the approval form. The command is indented, so that a client that
 * renders Markdown shows it verbatim.
 */

#include "mcp/approval/elicitation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/printable.h"
#include "data/json.h"

#define INDENT "    "

enum {
	HIDDEN_SHOWN = 10 /* of the places that a run does not see */
};

/* Shown in rows of their own, or not worth showing. */
static const char *const known[] = {"argv", "shell", "caller_says", "cwd",
    "program", "env", "limits", "sandbox", "stdin_text", "connects_to", NULL};

/* Defaults that are not worth showing. */
static const struct {
	const char *name;
	const char *value;
} usual[] = {{"env_mode", "minimal"}, {"stdin", "null"}};

static const char *
text_at(yyjson_val *val, const char *pointer)
{
	return yyjson_get_str(yyjson_ptr_get(val, pointer));
}

/* Words that are not UTF-8 are base64 in the question. */
static void
elicitation_add_word(struct w_buf *text, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, W_ELICITATION_TEXT_MAX);
	if (w_json_get_bytes(&bytes, val) && !bytes.failed)
		w_printable_add_word(text, bytes.data);
	else
		text->failed = true;
}

static void
begin_row(struct w_buf *text, const char *label)
{
	w_buf_add_str(text, "- ");
	(void)w_printable_add(text, label, 0);
	w_buf_add_str(text, ": ");
}

static void
elicitation_add_row(struct w_buf *text, const char *label, const char *value)
{
	if (value == NULL)
		return;
	begin_row(text, label);
	(void)w_printable_add(text, value, 0);
	w_buf_add_char(text, '\n');
}

/* ---- what runs ---- */

/* Text of several lines. */
static void
elicitation_add_lines(
    struct w_buf *text, const char *label, const char *bytes, size_t len)
{
	W_AUTO_FREE char *copy = strndup(bytes, len);

	if (copy == NULL)
		text->failed = true;
	w_buf_add_fmt(text, INDENT "%s:\n", label);
	for (char *line = copy; line != NULL;) {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end = '\0';
		w_buf_add_str(text, INDENT INDENT);
		(void)w_printable_add(text, line, 0);
		w_buf_add_char(text, '\n');
		line = end == NULL ? NULL : end + 1;
	}
}

static void
elicitation_add_command(struct w_buf *text, yyjson_val *question)
{
	const char *shell = text_at(question, "/request/shell");
	size_t i;
	size_t count;
	yyjson_val *word;

	if (shell != NULL) {
		const char *program = text_at(question, "/request/program");
		const bool is_bash =
		    program != NULL && strcmp(w_basename(program), "bash") == 0;

		elicitation_add_lines(
		    text, is_bash ? "bash -c" : "sh -c", shell, strlen(shell));
		return;
	}
	w_buf_add_str(text, INDENT);
	yyjson_arr_foreach(
	    yyjson_ptr_get(question, "/request/argv"), i, count, word)
	{
		w_buf_add_str(text, i == 0 ? "" : " ");
		elicitation_add_word(text, word);
	}
	w_buf_add_char(text, '\n');
}

/* Head or tail of the standard input. */
static void
add_input_part(struct w_buf *text, yyjson_val *part)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, W_ELICITATION_TEXT_MAX);
	if (part == NULL)
		return;
	if (!w_json_get_bytes(&bytes, part) || bytes.failed)
		text->failed = true;
	for (size_t at = 0; at < bytes.len;) {
		const char *line = bytes.data + at;
		const char *end = memchr(line, '\n', bytes.len - at);
		const size_t len =
		    end == NULL ? bytes.len - at : (size_t)(end - line);

		w_buf_add_str(text, INDENT INDENT);
		w_printable_add_bytes(text, line, len);
		w_buf_add_char(text, '\n');
		at += len + 1;
	}
}

/* Shown because a shell runs its standard input. */
static void
elicitation_add_input(struct w_buf *text, yyjson_val *request)
{
	yyjson_val *input = yyjson_obj_get(request, "stdin_text");
	yyjson_val *left_out = yyjson_obj_get(input, "left_out");
	const uint64_t bytes =
	    yyjson_get_uint(yyjson_obj_get(request, "stdin_bytes"));

	if (input == NULL || bytes == 0)
		return;
	w_buf_add_fmt(
	    text, INDENT "standard input, %" PRIu64 " bytes:\n", bytes);
	add_input_part(text, yyjson_obj_get(input, "head"));
	if (yyjson_is_uint(left_out))
		w_buf_add_fmt(text,
		    INDENT "(%" PRIu64 " bytes are not shown)\n",
		    yyjson_get_uint(left_out));
	add_input_part(text, yyjson_obj_get(input, "tail"));
}

/* Names only: a value may be a secret. */
static void
elicitation_add_variables(struct w_buf *text, yyjson_val *env)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	if (yyjson_arr_size(env) == 0)
		return;
	begin_row(text, "variables");
	yyjson_arr_foreach(env, i, count, val)
	{
		const char *entry = yyjson_get_str(val);
		W_AUTO_FREE char *name =
		    entry == NULL ? NULL : strndup(entry, strcspn(entry, "="));

		w_buf_add_str(text, i == 0 ? "" : ", ");
		if (name != NULL)
			(void)w_printable_add(text, name, 0);
		else
			text->failed = true;
	}
	w_buf_add_char(text, '\n');
}

static bool
elicitation_is_shown(const char *name, yyjson_val *val)
{
	for (size_t i = 0; known[i] != NULL; i++) {
		if (strcmp(known[i], name) == 0)
			return false;
	}
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (strcmp(usual[i].name, name) == 0 &&
		    yyjson_equals_str(val, usual[i].value))
			return false;
	}
	return !yyjson_is_null(val) &&
	       (!yyjson_is_ctn(val) || yyjson_get_len(val) > 0);
}

/* Unknown members are shown as they are. */
static void
elicitation_add_rest(struct w_buf *text, yyjson_val *request)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (!yyjson_is_obj(request))
		return;
	yyjson_obj_foreach(request, i, count, key, val)
	{
		const char *name = yyjson_get_str(key);

		if (!elicitation_is_shown(name, val))
			continue;
		W_AUTO_FREE char *json =
		    yyjson_is_str(val) ? NULL : yyjson_val_write(val, 0, NULL);
		if (json == NULL && !yyjson_is_str(val))
			text->failed = true;
		elicitation_add_row(
		    text, name, json != NULL ? json : yyjson_get_str(val));
	}
}

/* ---- what it does ---- */

static void
elicitation_add_list(struct w_buf *text, const char *label, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	if (yyjson_arr_size(list) == 0)
		return;
	begin_row(text, label);
	yyjson_arr_foreach(list, i, count, val)
	{
		const char *word = yyjson_is_obj(val) ? text_at(val, "/host")
						      : yyjson_get_str(val);

		w_buf_add_str(text, i == 0 ? "" : ", ");
		(void)w_printable_add(text, word == NULL ? "?" : word, 0);
	}
	w_buf_add_char(text, '\n');
}

static void
elicitation_add_paths(struct w_buf *text, yyjson_val *paths)
{
	size_t i;
	size_t count;
	yyjson_val *path;

	yyjson_arr_foreach(paths, i, count, path)
	{
		const char *effect = text_at(path, "/effect");
		const char *real = text_at(path, "/resolved");
		const char *place =
		    real != NULL ? real : text_at(path, "/path");

		w_buf_add_str(text, "  - ");
		(void)w_printable_add(
		    text, effect == NULL ? "touch" : effect, 0);
		w_buf_add_char(text, ' ');
		w_printable_add_word(text, place == NULL ? "" : place);
		w_buf_add_char(text, '\n');
	}
}

static void
elicitation_add_effects(struct w_buf *text, yyjson_val *decision)
{
	elicitation_add_list(text, "does", yyjson_obj_get(decision, "effects"));
	if (yyjson_is_false(yyjson_obj_get(decision, "understood")))
		w_buf_add_str(text,
		    "- not understood: it may do anything that the sandbox "
		    "lets it\n");
	elicitation_add_paths(text, yyjson_obj_get(decision, "paths"));
	elicitation_add_list(
	    text, "reaches", yyjson_obj_get(decision, "hosts"));
}

/* Too many would leave no room for the rest of the form. */
static void
elicitation_add_hidden(struct w_buf *text, yyjson_val *hidden)
{
	const size_t count = yyjson_arr_size(hidden);

	if (count == 0)
		return;
	begin_row(text, "does not see");
	for (size_t i = 0; i < count && i < HIDDEN_SHOWN; i++) {
		const char *path = yyjson_get_str(yyjson_arr_get(hidden, i));

		w_buf_add_str(text, i == 0 ? "" : ", ");
		w_printable_add_word(text, path == NULL ? "?" : path);
	}
	if (count > HIDDEN_SHOWN)
		w_buf_add_fmt(text, ", and %zu more", count - HIDDEN_SHOWN);
	w_buf_add_char(text, '\n');
}

static void
elicitation_add_sandbox(struct w_buf *text, yyjson_val *question)
{
	yyjson_val *sandbox = yyjson_ptr_get(question, "/request/sandbox");

	if (!yyjson_is_obj(sandbox))
		sandbox = yyjson_ptr_get(question, "/decision/sandbox");
	elicitation_add_row(text, "sandbox", text_at(sandbox, "/profile"));
	elicitation_add_row(text, "network",
	    yyjson_is_true(yyjson_obj_get(sandbox, "local_sockets"))
		? "host with every local socket"
		: text_at(sandbox, "/network"));
	elicitation_add_list(text, "may read", yyjson_obj_get(sandbox, "read"));
	elicitation_add_list(
	    text, "may write", yyjson_obj_get(sandbox, "write"));
	elicitation_add_hidden(text, yyjson_obj_get(sandbox, "hidden"));
}

static void
elicitation_add_rules(struct w_buf *text, yyjson_val *rules)
{
	size_t i;
	size_t count;
	yyjson_val *rule;

	yyjson_arr_foreach(rules, i, count, rule)
	{
		const char *verdict = text_at(rule, "/decision");
		const char *because = text_at(rule, "/because");
		const char *file = text_at(rule, "/file");
		const char *words = text_at(rule, "/rule");

		if (verdict == NULL || strcmp(verdict, "ask") != 0)
			continue;
		begin_row(text, "rule");
		(void)w_printable_add(text, file == NULL ? "?" : file, 0);
		w_buf_add_fmt(text, ":%" PRIu64 ": ",
		    yyjson_get_uint(yyjson_obj_get(rule, "line")));
		(void)w_printable_add(text, words == NULL ? "?" : words, 0);
		w_buf_add_str(text, because == NULL ? "" : " # ");
		(void)w_printable_add(text, because == NULL ? "" : because, 0);
		w_buf_add_char(text, '\n');
	}
}

static void
add_message(struct w_buf *text, yyjson_val *question)
{
	yyjson_val *decision = yyjson_obj_get(question, "decision");

	const char *place = text_at(question, "/request/connects_to");

	if (place == NULL) {
		w_buf_add_str(text, "May this run?\n\n");
	} else {
		w_buf_add_str(text, "This is running. May it connect to ");
		(void)w_printable_add(text, place, 0);
		w_buf_add_str(text, "?\n\n");
	}
	elicitation_add_command(text, question);
	elicitation_add_input(text, yyjson_obj_get(question, "request"));
	w_buf_add_char(text, '\n');
	elicitation_add_row(
	    text, "the agent says", text_at(question, "/request/caller_says"));
	elicitation_add_row(
	    text, "program", text_at(question, "/request/program"));
	elicitation_add_row(
	    text, "directory", text_at(question, "/request/cwd"));
	elicitation_add_variables(
	    text, yyjson_ptr_get(question, "/request/env"));
	elicitation_add_rest(text, yyjson_obj_get(question, "request"));
	elicitation_add_effects(text, decision);
	elicitation_add_sandbox(text, question);
	elicitation_add_row(text, "why", text_at(decision, "/message"));
	elicitation_add_rules(text, yyjson_obj_get(decision, "rules"));
	elicitation_add_row(text, "agent", text_at(question, "/asker/agent"));
	elicitation_add_row(text, "approval", text_at(question, "/id"));
}

/* ---- the form ---- */

static const struct elicitation_choice {
	const char *word;
	const char *title;
	const char *of_host; /* likewise, where a connection waits */
	bool lasts;
} choices[] = {
    {"once", "Run it this time", "This connection", false},
    {"session", "Run it whenever it is asked for in this session",
	"This host, in this session", false},
    {"project", "Remember the rule for this project",
	"Remember the host for this project", true},
    {"always", "Remember the rule for all projects",
	"Remember the host for all projects", true},
    {"deny", "Do not run it", "Refuse it", false},
};

#define CHOICE_COUNT (sizeof(choices) / sizeof(choices[0]))

static void
elicitation_add_choices(
    struct w_buf *buf, bool has_titles, bool can_last, bool is_host)
{
	W_AUTO_BUF struct w_buf titles;

	w_buf_init(&titles, W_ELICITATION_TEXT_MAX);
	w_buf_add_fmt(buf,
	    "{\"type\":\"string\",\"title\":\"Decision\",\"%s\":[",
	    has_titles ? "oneOf" : "enum");
	for (size_t i = 0; i < CHOICE_COUNT; i++) {
		const struct elicitation_choice *choice = &choices[i];
		const char *comma = i > 0 ? "," : "";
		const char *title = is_host ? choice->of_host : choice->title;

		if (choice->lasts && !can_last)
			continue;
		if (has_titles)
			w_buf_add_fmt(buf,
			    "%s{\"const\":\"%s\",\"title\":\"%s\"}", comma,
			    choice->word, title);
		else
			w_buf_add_fmt(buf, "%s\"%s\"", comma, choice->word);
		w_buf_add_fmt(&titles, "%s\"%s\"", comma, title);
	}
	if (!has_titles)
		w_buf_add_fmt(buf, "],\"enumNames\":[%s", titles.data);
	w_buf_add_str(buf, "]}");
}

void
w_elicitation_add(
    struct w_buf *buf, yyjson_val *question, bool has_titles, bool can_last)
{
	const char *rule = text_at(question, "/rule");
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_ELICITATION_TEXT_MAX);
	add_message(&text, question);
	can_last = can_last && rule != NULL;
	if (can_last)
		elicitation_add_row(&text, "would remember", rule);
	w_buf_add_str(buf, "\"message\":");
	w_json_add_string(buf, text.data, text.len);
	w_buf_add_str(buf,
	    ",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
	    "\"decision\":");
	elicitation_add_choices(buf, has_titles, can_last,
	    text_at(question, "/request/connects_to") != NULL);
	w_buf_add_fmt(buf,
	    ",\"note\":{\"type\":\"string\",\"title\":\"Note\","
	    "\"description\":\"for the agent and the record\","
	    "\"maxLength\":%d}},\"required\":[\"decision\"]}",
	    W_ELICITATION_NOTE_MAX);
	buf->failed = buf->failed || text.failed;
}
