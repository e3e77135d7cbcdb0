/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What `writ call` prints when it runs nothing: errors and previews.
 */

#include "cli/call/call_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include <writ/result.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/output/print.h"
#include "data/json.h"

#define REPORT_MAX ((size_t)64 << 20)
#define FACT_MAX   200 /* columns of a variable or of input */

/* The name of the document that line and column refer to; NULL: none that the
 * user could look at. */
static const char *
document_of(const struct w_call_args *args)
{
	if (!args->is_verbatim || args->input_path == NULL)
		return NULL;
	return strcmp(args->input_path, "-") == 0 ? "stdin" : args->input_path;
}

static void
print_problem(const struct w_call_args *args, const writ_problem *problem)
{
	const char *document = document_of(args);
	const char *advice = problem->suggestion;
	const bool is_asked = advice != NULL && w_print_is_question(advice);
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, REPORT_MAX);
	if (document != NULL && problem->line > 0)
		w_buf_add_fmt(&line, "%s:%u:%u: ", document, problem->line,
		    problem->column);
	else
		w_buf_add_str(&line, "call: ");
	if (problem->instance[0] != '\0')
		w_buf_add_fmt(&line, "%s: ", problem->instance);
	w_buf_add_str(&line, problem->message);
	if (is_asked)
		w_buf_add_fmt(&line, ", %s", advice);
	else if (advice != NULL)
		w_buf_add_fmt(&line, " (%s)", advice);
	w_print_note("%s", line.data);
}

static void
call_report_add_problem(struct w_buf *buf, const struct w_call_args *args,
    const writ_problem *problem)
{
	const bool has_place = args->is_verbatim && problem->line > 0;

	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "instance", problem->instance);
	w_json_add_path_member(buf, "schema", problem->schema);
	w_json_add_path_member(buf, "message", problem->message);
	w_json_add_path_member(buf, "suggestion", problem->suggestion);
	if (has_place)
		w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", problem->line,
		    problem->column);
	else
		w_buf_add_str(buf, ",\"line\":null,\"column\":null");
	w_buf_add_char(buf, '}');
}

/* Inserts the problems at the end of the error object, as its details. */
static int
print_problems_json(const struct w_call_args *args, const writ_error *err,
    const writ_problem *problems, size_t count)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, REPORT_MAX);
	if (writ_error_json(err, &json, &len) != WRIT_OK)
		return w_print_failure(err, true, 1);
	w_buf_add(&buf, json, len - strlen("}}}"));
	w_buf_add_str(&buf, w_buf_last(&buf) == '{' ? "" : ",");
	w_buf_add_str(&buf, "\"problems\":[");
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(&buf, i > 0 ? "," : "");
		call_report_add_problem(&buf, args, &problems[i]);
	}
	w_buf_add_str(&buf, "]}}}\n");
	return w_print(&buf);
}

static bool
has_operands(const struct w_call_args *args)
{
	for (size_t i = 0; i < args->words.count; i++) {
		if (args->words.parameters[i].operand >= 0)
			return true;
	}
	return false;
}

static void
print_error(const struct w_call_args *args, writ_error *err)
{
	static const char broken[] = "not valid JSON";
	const bool is_word = args->words.json != NULL;
	size_t count = 0;

	if (is_word && has_operands(args) &&
	    strncmp(err->message, broken, sizeof(broken) - 1) == 0) {
		/* The word may not have been meant as JSON. */
		char hint[sizeof(err->suggestion)];

		memcpy(hint, err->suggestion, sizeof(hint));
		w_suggest(err,
		    "%.128s%san operand that begins with '{' goes after '--'",
		    hint, hint[0] == '\0' ? "" : "; ");
	}
	w_print_error(err, is_word ? "input" : document_of(args));
	/* A module may be missing because its file is invalid. */
	if (err->status == WRIT_E_NOTFOUND && args->modules != NULL &&
	    args->module == NULL)
		(void)writ_modules_problems(args->modules, &count);
	if (count > 0)
		w_print_note("%zu problem%s in files of modules: see writ "
			     "module list",
		    count, count == 1 ? "" : "s");
}

int
w_cli_call_report(const struct w_call_args *args, const writ_error *err)
{
	size_t count = 0;
	const writ_problem *problems =
	    args->call != NULL ? writ_call_problems(args->call, &count) : NULL;
	writ_error shown = *err;

	if (!args->is_verbatim)
		shown.line = 0;
	if (count > 0 && args->request.is_json)
		(void)print_problems_json(args, &shown, problems, count);
	else if (args->request.is_json)
		w_print_error_json(&shown);
	else if (count == 0)
		print_error(args, &shown);
	for (size_t i = 0; !args->request.is_json && i < count; i++)
		print_problem(args, &problems[i]);
	return writ_status_exit(err->status);
}

static void
call_report_add_shown(struct w_buf *buf, const char *text)
{
	/* In a pipe it is for a shell; on a terminal nothing may be hidden. */
	if (isatty(STDOUT_FILENO) == 1)
		(void)w_printable_add(buf, text, 0);
	else
		w_buf_add_str(buf, text);
}

static const char *
call_report_text_of(yyjson_val *preview, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(preview, key));
}

static void
add_fact(struct w_buf *buf, const char *label, const char *text)
{
	if (text == NULL)
		return;
	w_buf_add_fmt(buf, "%s: ", label);
	call_report_add_shown(buf, text);
	w_buf_add_char(buf, '\n');
}

static void
call_report_add_place(
    struct w_buf *buf, const struct w_call_args *args, yyjson_val *preview)
{
	const char *cwd = call_report_text_of(preview, "cwd");
	const char *sandbox = call_report_text_of(preview, "sandbox");
	/* A sandbox uses the caller's directory; without one, the process of an
	 * isolated call has its own. */
	const bool is_own = args->is_isolated &&
			    (sandbox == NULL || strcmp(sandbox, "none") == 0 ||
				strcmp(sandbox, "env") == 0);
	W_AUTO_FREE char *here = cwd == NULL ? getcwd(NULL, 0) : NULL;

	if (cwd == NULL && is_own)
		w_buf_add_str(buf, "cwd: a fresh one, removed afterwards\n");
	else
		add_fact(buf, "cwd", cwd != NULL ? cwd : here);
}

/* Texts may be long and have newlines; --json has them in full. */
static void
add_texts(struct w_buf *buf, yyjson_val *preview)
{
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *value;
	const char *input = call_report_text_of(preview, "stdin");

	yyjson_obj_foreach(
	    yyjson_obj_get(preview, "env"), i, count, name, value)
	{
		w_buf_add_str(buf, "variable: ");
		(void)w_printable_add(buf, yyjson_get_str(name), FACT_MAX);
		w_buf_add_char(buf, '=');
		(void)w_printable_add(buf, yyjson_get_str(value), FACT_MAX);
		w_buf_add_char(buf, '\n');
	}
	if (input != NULL) {
		w_buf_add_str(buf, "stdin: ");
		(void)w_printable_add(buf, input, FACT_MAX);
		w_buf_add_char(buf, '\n');
	}
	add_fact(buf, "stdin from", call_report_text_of(preview, "stdin_file"));
}

static void
add_preview(
    struct w_buf *buf, const struct w_call_args *args, yyjson_val *preview)
{
	yyjson_val *timeout = yyjson_obj_get(preview, "timeout_ms");
	const char *command = call_report_text_of(preview, "command");
	const char *network = call_report_text_of(preview, "network");
	char text[W_DURATION_TEXT_MAX];

	call_report_add_shown(buf, command != NULL ? command : "");
	w_buf_add_char(buf, '\n');
	call_report_add_place(buf, args, preview);
	if (yyjson_is_uint(timeout)) {
		w_duration_format(yyjson_get_uint(timeout), text);
		add_fact(buf, "timeout", text);
	}
	add_fact(buf, "sandbox", call_report_text_of(preview, "sandbox"));
	if (network != NULL && strcmp(network, "default") != 0)
		add_fact(buf, "network", network);
	add_fact(buf, "environment", call_report_text_of(preview, "env_mode"));
	add_texts(buf, preview);
}

static int
call_report_print(const struct w_call_args *args, struct w_buf *buf)
{
	return w_print(buf) == 0 ? 0 : args->request.command->usage_exit;
}

int
w_cli_call_report_preview(const struct w_call_args *args)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, REPORT_MAX);
	if (writ_call_preview(args->call, &json, &len, &err) != WRIT_OK)
		return w_cli_call_report(args, &err);
	if (args->request.is_json) {
		w_buf_add(&buf, json, len);
		w_buf_add_char(&buf, '\n');
		return call_report_print(args, &buf);
	}
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);
	add_preview(&buf, args, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return call_report_print(args, &buf);
}
