/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a call would run, for people to inspect. It shows the request itself, so
 * that nothing is shown that would not run; secrets are redacted as in the
 * record.
 */

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "engine/call/call.h"

#define STAGE "input"

/* One byte becomes at most six characters ("\u0000"). */
#define JSON_MAX         ((size_t)WRIT_REQUEST_MAX * 8)

#define WORD(name, word) word,

static const char *const env_modes[] = {WRIT_ENV_MODE_MAP(WORD)};
static const char *const networks[] = {WRIT_NETWORK_MAP(WORD)};
static const char *const outputs[] = {
    [W_OUTPUT_TEXT] = "text",
    [W_OUTPUT_JSON] = "json",
    [W_OUTPUT_IMAGE] = "image",
    [W_OUTPUT_AUDIO] = "audio",
    [W_OUTPUT_RESOURCE] = "resource",
};

static writ_status
learn(struct w_redactor *redactor, const writ_request *request, writ_error *err)
{
	writ_status status = w_redactor_add(redactor, request->secrets, err);

	if (status == WRIT_OK)
		status = w_redactor_add_env(redactor, request->env, err);
	if (status == WRIT_OK)
		status = w_redactor_add_env(
		    redactor, (const char *const *)environ, err);
	return status;
}

static void
call_preview_add_list(struct w_buf *buf, struct w_redactor *redactor,
    const char *key, const char *const *list)
{
	w_buf_add_fmt(buf, ",\"%s\":[", key);
	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_redact_add(redactor, buf, list[i]);
	}
	w_buf_add_char(buf, ']');
}

/* The argv as one would type it. */
static void
call_preview_add_command(
    struct w_buf *buf, struct w_redactor *redactor, const char *const *argv)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf word;

	w_buf_init(&text, JSON_MAX);
	w_buf_init(&word, JSON_MAX);
	for (size_t i = 0; argv[i] != NULL; i++) {
		word.len = 0;
		w_redact_text(redactor, &word, argv[i], strlen(argv[i]));
		if (i > 0)
			w_buf_add_char(&text, ' ');
		w_words_quote(&text, word.len == 0 ? "" : word.data);
	}
	if (text.failed || word.failed)
		buf->failed = true;
	w_buf_add_str(buf, ",\"command\":");
	w_json_add_bytes(buf, text.data, text.len);
}

static void
call_preview_add_variable(
    struct w_buf *buf, struct w_redactor *redactor, const char *entry)
{
	const size_t len = strcspn(entry, "=");
	const char *value = entry + len + (entry[len] == '=');

	w_json_add_string(buf, entry, len);
	w_buf_add_char(buf, ':');
	if (!w_redact_is_secret_name(entry, len)) {
		w_redact_add(redactor, buf, value);
		return;
	}
	redactor->has_redacted = true;
	w_json_add_text(buf, W_REDACTED);
}

static void
call_preview_add_env(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	const char *const *env = request->env;

	w_buf_add_str(buf, ",\"env\":{");
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		call_preview_add_variable(buf, redactor, env[i]);
	}
	w_buf_add_char(buf, '}');
	w_json_add_text_member(buf, "env_mode", env_modes[request->env_mode]);
	call_preview_add_list(buf, redactor, "env_pass", request->env_pass);
	call_preview_add_list(buf, redactor, "env_drop", request->env_drop);
}

static void
add_stdin(struct w_buf *buf, struct w_redactor *redactor, const writ_call *call,
    const writ_request *request)
{
	w_buf_add_str(buf, ",\"stdin\":");
	if (request->stdin_kind != WRIT_STDIN_DATA) {
		w_buf_add_str(buf, "null");
	} else if (call->compiled->module->wants_json_input &&
		   call->secrets.count > 0) {
		/* A secret may be escaped in JSON. */
		w_json_add_text(buf, W_REDACTED);
		redactor->has_redacted = true;
	} else {
		w_redact_add_len(
		    redactor, buf, request->stdin_data, request->stdin_len);
	}
	w_buf_add_str(buf, ",\"stdin_file\":");
	w_redact_add(redactor, buf,
	    request->stdin_kind == WRIT_STDIN_FILE ? request->stdin_path
						   : NULL);
}

static void
call_preview_add_all(struct w_buf *buf, struct w_redactor *redactor,
    const writ_call *call, const writ_request *request)
{
	const struct w_module *module = call->compiled->module;

	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "module_id", module->id);
	call_preview_add_list(buf, redactor, "argv", request->argv);
	call_preview_add_command(buf, redactor, request->argv);
	w_buf_add_str(buf, ",\"cwd\":");
	w_redact_add(redactor, buf, request->cwd);
	call_preview_add_env(buf, redactor, request);
	add_stdin(buf, redactor, call, request);
	w_buf_add_str(buf, ",\"timeout_ms\":");
	if (request->timeout_ms == 0)
		w_buf_add_str(buf, "null");
	else
		w_buf_add_fmt(buf, "%" PRIu64, request->timeout_ms);
	/* null: from the policy, which is not evaluated yet. */
	w_json_add_path_member(buf, "sandbox", request->sandbox);
	w_json_add_text_member(buf, "network", networks[request->network]);
	w_json_add_list_member(
	    buf, "json_flag", (const char *const *)module->json_flag.items);
	w_json_add_text_member(buf, "output", outputs[module->output_as]);
	w_json_add_bool_member(
	    buf, "requires_approval", module->annotations.requires_approval);
	w_json_add_bool_member(buf, "redacted", redactor->has_redacted);
	w_buf_add_char(buf, '}');
}

writ_status
writ_call_preview(
    const writ_call *call, char **out_json, size_t *out_len, writ_error *err)
{
	struct w_redactor redactor = {.values = NULL};

	if (call->draft == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the input of the call is not valid");
	W_AUTO_BUF struct w_buf buf;
	const writ_request *request = writ_draft_request(call->draft);
	writ_status status = learn(&redactor, request, err);
	w_buf_init(&buf, JSON_MAX);
	if (status == WRIT_OK)
		call_preview_add_all(&buf, &redactor, call, request);
	w_redactor_done(&redactor);
	if (status != WRIT_OK)
		return status;
	return w_json_take(&buf, STAGE, out_json, out_len, err);
}
