/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ call --isolated`: writes the options of the call as a document for the
 * process that will make it.
 */

#include "cli/call/call_isolated.h"

#include <string.h>

#include "base/error.h"
#include "cli/call/call_report.h"
#include "cli/run/watch.h"
#include "data/json.h"

#define CALL_MAX ((size_t)1 << 20)

static bool
call_isolated_is_key(const struct w_request_given *given, const char *key)
{
	return given->option != NULL &&
	       given->option->kind == W_OPTION_REQUEST &&
	       strcmp(given->option->key, key) == 0;
}

/* Whether a later variable has the same name. */
static bool
is_set_again(const struct w_request_args *args, size_t at)
{
	const char *entry = args->given[at].value;
	const size_t len = strcspn(entry, "=") + 1;

	for (size_t i = at + 1; i < args->given_count; i++) {
		if (call_isolated_is_key(&args->given[i], "env") &&
		    strncmp(args->given[i].value, entry, len) == 0)
			return true;
	}
	return false;
}

static void
add_many(
    struct w_buf *buf, const struct w_request_args *args, const writ_key *key)
{
	const bool is_map = strcmp(key->type, "map") == 0;
	const char *comma = "";

	w_buf_add_char(buf, is_map ? '{' : '[');
	for (size_t i = 0; i < args->given_count; i++) {
		if (!call_isolated_is_key(&args->given[i], key->name) ||
		    (is_map && is_set_again(args, i)))
			continue;
		w_buf_add_str(buf, comma);
		comma = ",";
		const char *value = args->given[i].value;

		if (is_map) {
			const size_t len = strcspn(value, "=");

			w_json_add_string(buf, value, len);
			w_buf_add_char(buf, ':');
			value += len + (value[len] == '=');
		}
		w_json_add_text(buf, value);
	}
	w_buf_add_char(buf, is_map ? '}' : ']');
}

/* The values are valid: they were set in the call's draft before. */
static void
call_isolated_add_key(
    struct w_buf *buf, const struct w_request_args *args, const writ_key *key)
{
	const char *value = NULL;
	bool is_given = false;

	for (size_t i = 0; i < args->given_count; i++) {
		if (call_isolated_is_key(&args->given[i], key->name)) {
			value = args->given[i].value;
			is_given = true;
		}
	}
	if (!is_given)
		return;
	w_buf_add_str(buf, buf->len > 1 ? "," : "");
	w_json_add_text(buf, key->name);
	w_buf_add_char(buf, ':');
	if (strcmp(key->type, "list") == 0 || strcmp(key->type, "map") == 0)
		add_many(buf, args, key);
	else if (strcmp(key->type, "switch") == 0)
		w_buf_add_str(buf, "true");
	else if (strcmp(key->type, "count") == 0)
		w_buf_add_str(buf, value);
	else
		w_json_add_text(buf, value);
}

/* Members that are not named like an option. */
static void
call_isolated_add_rest(struct w_buf *buf, const struct w_request_args *args,
    const writ_request *request)
{
	const char *spec = args->stdin_spec;

	if (spec != NULL && strncmp(spec, "text:", 5) == 0)
		w_json_add_path_member(buf, "stdin", spec + 5);
	else if (spec != NULL && strncmp(spec, "file:", 5) == 0)
		w_json_add_path_member(buf, "stdin_file", spec + 5);
	else if (spec != NULL && spec[0] == '@')
		w_json_add_path_member(buf, "stdin_file", spec + 1);
	else if (spec != NULL)
		w_json_add_path_member(buf, "stdin", "");
	if (args->is_recorded && request->keep == W_REQUEST_KEEP_ALL)
		w_buf_add_fmt(
		    buf, "%s\"keep\":\"1GiB\"", buf->len > 1 ? "," : "");
	if (request->secrets != NULL)
		w_json_add_list_member(buf, "secrets", request->secrets);
}

/* The agent, and the secrets, which must stay out of the record. */
static writ_status
copy_identity(
    const struct w_call_args *args, writ_draft *draft, writ_error *err)
{
	const writ_request *request = writ_call_request(args->call);
	writ_status status = WRIT_OK;

	if (request->agent != NULL)
		status = writ_draft_set(draft, "agent", request->agent, err);
	for (size_t i = 0; status == WRIT_OK && request->secrets != NULL &&
			   request->secrets[i] != NULL;
	     i++)
		status =
		    writ_draft_set(draft, "secrets", request->secrets[i], err);
	return status;
}

static writ_status
call_isolated_make(
    const struct w_call_args *args, writ_draft **out_draft, writ_error *err)
{
	writ_isolated_options options = WRIT_ISOLATED_OPTIONS_INIT;
	size_t count = 0;
	const writ_key *keys = writ_draft_keys(&count);
	W_AUTO_BUF struct w_buf call;

	w_buf_init(&call, CALL_MAX);
	w_buf_add_char(&call, '{');
	for (size_t i = 0; i < count; i++)
		call_isolated_add_key(&call, &args->request, &keys[i]);
	call_isolated_add_rest(
	    &call, &args->request, writ_call_request(args->call));
	w_buf_add_char(&call, '}');
	if (call.failed)
		return w_fail(err, WRIT_E_INVALID, "isolated", 0,
		    "call: these options are too much for --isolated");
	options.config = args->request.config;
	options.dirs = (const char *const *)args->dirs.items;
	options.call = call.data;
	options.arguments = args->arguments;
	options.trace_id = writ_call_request(args->call)->trace_id;
	/* Only a timeout given as an option applies to the process. */
	for (size_t i = 0; i < args->request.given_count; i++) {
		if (call_isolated_is_key(&args->request.given[i], "timeout_ms"))
			options.timeout_ms =
			    writ_call_request(args->call)->timeout_ms;
	}
	options.modules = args->modules;
	return writ_isolated_new(args->id, args->input.data, args->input.len,
	    &options, out_draft, err);
}

int
w_cli_call_isolated(struct w_call_args *args)
{
	writ_draft *draft = NULL;
	writ_error err;
	writ_status status = call_isolated_make(args, &draft, &err);

	if (status == WRIT_OK)
		status = copy_identity(args, draft, &err);
	if (status != WRIT_OK) {
		writ_draft_free(draft);
		return w_cli_call_report(args, &err);
	}
	const struct w_watch_options watch_options = {
	    .is_raw = args->request.is_raw,
	    .request = writ_draft_request(draft),
	    .isolated_id = args->id,
	    .is_of_project = writ_call_is_of_project(args->call),
	    .config = args->request.config,
	    .is_json = args->request.is_json,
	    .is_quiet = args->request.is_quiet,
	    .never_asks = args->request.never_asks,
	    .ask_timeout_ms = args->request.ask_timeout_ms,
	};
	int exit_code = w_watch_run(&watch_options);
	writ_draft_free(draft);
	return exit_code;
}
