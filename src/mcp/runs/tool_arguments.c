/* SPDX-License-Identifier: Apache-2.0 */

/* Turns arguments of tools into requests. The engine validates the request. */

#include "mcp/runs/tool_arguments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/json_words.h"
#include "mcp/runs/workdirs.h"

#define TEXT_MAX ((size_t)128 << 20)

/* JSON Schema counts 5.0 as an integer, and 1e300 too. */
static bool
whole_number(yyjson_val *value, uint64_t *out)
{
	const double real = yyjson_get_real(value);

	if (yyjson_is_uint(value))
		*out = yyjson_get_uint(value);
	else if (yyjson_is_real(value) && real >= 0)
		*out = real < 0x1p63 ? (uint64_t)real : INT64_MAX;
	else
		return false;
	return true;
}

/* A request does not accept 5.0. */
static bool
tool_arguments_add_key(struct w_buf *buf, const char *key, yyjson_val *value)
{
	uint64_t number = 0;
	size_t len = 0;

	/* A request has an older word for it. */
	w_buf_add_fmt(buf, "%c\"%s\":", buf->len == 0 ? '{' : ',',
	    strcmp(key, "command") == 0 ? "shell" : key);
	if (whole_number(value, &number)) {
		w_buf_add_fmt(buf, "%" PRIu64, number);
		return true;
	}
	char *text = yyjson_val_write(value, 0, &len);
	if (text == NULL)
		return false;
	w_buf_add(buf, text, len);
	free(text);
	return true;
}

writ_status
w_tool_arguments_request(yyjson_val *arguments, const char *const *keys,
    writ_draft *draft, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	for (size_t i = 0; keys[i] != NULL; i++) {
		yyjson_val *value = yyjson_obj_get(arguments, keys[i]);

		if (value != NULL &&
		    !tool_arguments_add_key(&text, keys[i], value))
			return w_fail_nomem(err, "arguments");
	}
	if (text.len == 0)
		return WRIT_OK;
	w_buf_add_char(&text, '}');
	if (text.failed)
		return w_fail_nomem(err, "arguments");
	writ_status status =
	    writ_draft_read_json(draft, text.data, text.len, err);
	/* Line and column refer to our text, not to the caller's. */
	if (status != WRIT_OK && err != NULL)
		w_locate(err, 0, 0);
	/* Models write for bash. */
	if (yyjson_obj_get(arguments, "command") != NULL)
		writ_draft_request(draft)->prefers_bash = true;
	return status;
}

static writ_status
text_argument(yyjson_val *arguments, const char *key, const char **out_text,
    writ_error *err)
{
	yyjson_val *value = yyjson_obj_get(arguments, key);

	*out_text = NULL;
	if (value == NULL)
		return WRIT_OK;
	if (!w_json_is_text(value))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "'%s' is not text without a NUL byte", key);
	*out_text = yyjson_get_str(value);
	return WRIT_OK;
}

writ_status
w_tool_arguments_workdir(struct w_mcp *server, yyjson_val *arguments,
    writ_draft *draft, char **out_workdir, writ_error *err)
{
	const char *cwd = NULL;
	const char *name = NULL;
	writ_status status = text_argument(arguments, "cwd", &cwd, err);

	if (status == WRIT_OK)
		status = text_argument(arguments, "session", &name, err);
	if (status == WRIT_OK)
		status = w_workdir_apply(server, name, cwd, draft, err);
	if (status != WRIT_OK || name == NULL)
		return status;
	char *workdir = strdup(name);
	if (workdir == NULL)
		return w_fail_nomem(err, "session");
	*out_workdir = workdir;
	return WRIT_OK;
}

uint64_t
w_tool_arguments_number(
    yyjson_val *arguments, const char *key, uint64_t standard)
{
	uint64_t number = 0;

	return whole_number(yyjson_obj_get(arguments, key), &number) ? number
								     : standard;
}

writ_status
w_tool_arguments_terminal(
    yyjson_val *arguments, writ_request *request, writ_error *err)
{
	const bool is_open =
	    yyjson_is_true(yyjson_obj_get(arguments, "stdin_open"));

	request->pty = yyjson_is_true(yyjson_obj_get(arguments, "pty"));
	request->rows = (unsigned)w_tool_arguments_number(arguments, "rows", 0);
	request->columns =
	    (unsigned)w_tool_arguments_number(arguments, "columns", 0);
	if (!request->pty && (request->rows != 0 || request->columns != 0))
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "'rows' and 'columns' need 'pty'");
	if (yyjson_obj_get(arguments, "stdin") == NULL ||
	    (!is_open && !request->pty))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "request", 0,
	    "'stdin' is all that a command reads, so there is no '%s' with it",
	    is_open ? "stdin_open" : "pty");
	w_suggest(err, "leave 'stdin' out and send it with run_input");
	return WRIT_E_INVALID;
}

/* An explicit zero is WRIT_ZERO. */
static uint64_t
explicit_number(yyjson_val *arguments, const char *key)
{
	const uint64_t value =
	    w_tool_arguments_number(arguments, key, UINT64_MAX);

	if (value == 0)
		return WRIT_ZERO;
	return value == UINT64_MAX ? 0 : value;
}

void
w_tool_arguments_plan(yyjson_val *arguments, struct w_mcp_run_plan *plan)
{
	plan->yield_ms = explicit_number(arguments, "yield_ms");
	plan->output = explicit_number(arguments, "max_bytes");
	plan->remembers = yyjson_obj_get(arguments, "cwd") == NULL &&
			  yyjson_obj_get(arguments, "session") == NULL;
	plan->has_input =
	    yyjson_is_true(yyjson_obj_get(arguments, "stdin_open"));
}
