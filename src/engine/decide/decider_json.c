/* SPDX-License-Identifier: Apache-2.0 */

/* The decision object, and the request as shown for approval. */

#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "data/json_fields.h"
#include "engine/decide/decider.h"

#define STAGE    "policy"
#define JSON_MAX ((size_t)64 << 20)

static const char *const network_words[] = {
#define X(name, word) [W_NETWORK_##name] = word,
    W_NETWORK_MAP(X)
#undef X
};

static const char *const env_words[] = {
#define X(name, word) [WRIT_ENV_##name] = word,
    WRIT_ENV_MODE_MAP(X)
#undef X
};

static void
decider_json_add_sandbox(struct w_buf *buf, const struct w_decider *decider)
{
	const struct w_restriction *restriction = &decider->restriction;
	const writ_request *granted = &decider->granted;

	w_buf_add_str(buf, ",\"sandbox\":{");
	w_json_add_path_member(buf, "profile", decider->constraints.profile);
	w_json_add_text_member(
	    buf, "network", network_words[decider->facts.network]);
	if (decider->facts.network == W_POLICY_NETWORK_HOSTS)
		w_json_add_list_member(buf, "hosts", granted->hosts);
	/* Nothing but the question tells a person. */
	if (decider->constraints.walls == W_WALLS_CONTAINER &&
	    decider->facts.network == W_POLICY_NETWORK_HOST)
		w_json_add_bool_member(buf, "local_sockets", true);
	w_json_add_list_member(buf, "read", granted->read);
	w_json_add_list_member(buf, "write", restriction->write);
	if (restriction->has_execute) {
		w_json_add_list_member(buf, "execute", restriction->execute);
		w_json_add_list_member(buf, "helpers", restriction->helpers);
	}
	w_json_add_list_member(buf, "hide", granted->hide);
	if (restriction->hide != NULL && restriction->hide[0] != NULL)
		w_json_add_list_member(buf, "hidden", restriction->hide);
	w_buf_add_char(buf, '}');
}

#define LIMIT(member)                                                  \
	{                                                              \
#member, W_JSON_UINT, W_JSON_AT(writ_request, member), \
		    .flags = W_JSON_OMIT_EMPTY                         \
	}

static const struct w_json_field limit_fields[] = {
    LIMIT(timeout_ms),
    LIMIT(idle_timeout_ms),
    LIMIT(grace_ms),
    LIMIT(output_limit),
    LIMIT(spill_limit),
    LIMIT(max_output),
    LIMIT(cpu_ms),
    LIMIT(memory),
    LIMIT(processes),
    LIMIT(open_files),
    LIMIT(file_size),
    LIMIT(tmp_size),
    {.key = NULL},
};

/* Names only: values may be secrets. */
static void
decider_json_add_environment(struct w_buf *buf, const writ_request *request)
{
	const char *const *env = request->env;

	w_buf_add_str(buf, ",\"environment\":{");
	w_json_add_text_member(buf, "mode", env_words[request->env_mode]);
	w_json_add_list_member(buf, "pass", request->env_pass);
	w_json_add_list_member(buf, "drop", request->env_drop);
	w_buf_add_str(buf, ",\"set\":[");
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_bytes(buf, env[i], strcspn(env[i], "="));
	}
	w_buf_add_str(buf, "]}");
}

static void
decider_json_add_policies(struct w_buf *buf, const struct w_policies *policies)
{
	w_buf_add_str(buf, ",\"policies\":[");
	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];

		w_buf_add_str(buf, i == 0 ? "{" : ",{");
		w_json_add_text_member(buf, "tier", w_tier_word(one->tier));
		w_json_add_path_member(buf, "file", one->file);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

static void
add_warnings(struct w_buf *buf, const struct w_decider *decider)
{
	const struct w_policies *policies = &decider->policies;
	const char *comma = "";

	w_buf_add_str(buf, ",\"warnings\":[");
	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];

		if (one->fault.status == WRIT_OK)
			continue;
		w_buf_add_str(buf, comma);
		w_json_add_path(buf, one->fault.message);
		comma = ",";
	}
	if (decider->trouble != NULL) {
		w_buf_add_str(buf, comma);
		w_json_add_path(buf, decider->trouble);
	}
	w_buf_add_char(buf, ']');
}

writ_status
w_decider_json(struct w_decider *decider, char **out_json, size_t *out_len,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, JSON_MAX);
	w_buf_add_char(&buf, '{');
	w_decision_add_json(&buf, &decider->decision, &decider->facts);
	w_json_add_path_member(&buf, "approval", decider->approval);
	decider_json_add_sandbox(&buf, decider);
	w_json_add_object_member(
	    &buf, "limits", limit_fields, &decider->granted);
	decider_json_add_environment(&buf, &decider->granted);
	w_json_add_path_member(&buf, "request_hash",
	    decider->hash[0] == '\0' ? NULL : decider->hash);
	decider_json_add_policies(&buf, &decider->policies);
	add_warnings(&buf, decider);
	w_buf_add_char(&buf, '}');
	return w_json_take(&buf, STAGE, out_json, out_len, err);
}

/* ---- for approval ---- */

static void
decider_json_add_words(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	const char *const *argv = request->argv;

	if (request->shell != NULL) {
		w_buf_add_str(buf, "\"shell\":");
		w_redact_add_word(
		    redactor, buf, request->shell, W_REDACT_SHELL);
		return;
	}
	w_buf_add_str(buf, "\"argv\":[");
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_redact_add_word(redactor, buf, argv[i], i);
	}
	w_buf_add_char(buf, ']');
}

static void
add_changes(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	const char *comma = "";

	w_buf_add_str(buf, ",\"env\":[");
	for (size_t i = 0; request->env != NULL && request->env[i] != NULL;
	     i++) {
		w_buf_add_str(buf, comma);
		w_redact_add(redactor, buf, request->env[i]);
		comma = ",";
	}
	w_buf_add_char(buf, ']');
	w_json_add_text_member(buf, "env_mode", env_words[request->env_mode]);
	if (request->env_pass != NULL)
		w_json_add_list_member(buf, "env_pass", request->env_pass);
	if (request->env_drop != NULL)
		w_json_add_list_member(buf, "env_drop", request->env_drop);
}

/* An input up to INPUT_WHOLE is shown whole, a longer one by its head and
 * tail. A shell runs what it reads: the person who approves has to see it. */
#define INPUT_WHOLE ((size_t)4096)
#define INPUT_HEAD  ((size_t)2048)
#define INPUT_TAIL  ((size_t)1024)

static void
add_input_text(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	const char *bytes = request->stdin_data;
	const size_t len = request->stdin_len;
	size_t head = len;
	size_t tail = len;

	if (len > INPUT_WHOLE) {
		head = w_utf8_trim_end(bytes, INPUT_HEAD);
		tail = len - INPUT_TAIL;
		tail += w_utf8_trim_start(bytes + tail, INPUT_TAIL);
	}
	w_buf_add_fmt(
	    buf, ",\"stdin_bytes\":%zu,\"stdin_text\":{\"head\":", len);
	w_redact_add_input(redactor, buf, bytes, len, 0, head);
	if (head < len) {
		w_buf_add_fmt(buf, ",\"left_out\":%zu,\"tail\":", tail - head);
		w_redact_add_input(redactor, buf, bytes, len, tail, len);
	}
	w_buf_add_char(buf, '}');
}

static void
decider_json_add_input(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	static const char *const words[] = {
	    [WRIT_STDIN_NULL] = "null",
	    [WRIT_STDIN_DATA] = "data",
	    [WRIT_STDIN_FILE] = "file",
	    [WRIT_STDIN_FD] = "fd",
	    [WRIT_STDIN_PIPE] = "pipe",
	};

	w_json_add_text_member(buf, "stdin", words[request->stdin_kind]);
	if (request->stdin_kind == WRIT_STDIN_FILE) {
		w_buf_add_str(buf, ",\"stdin_file\":");
		w_redact_add(redactor, buf, request->stdin_path);
	}
	if (request->stdin_kind == WRIT_STDIN_DATA)
		add_input_text(buf, redactor, request);
	if (request->user != NULL)
		w_json_add_path_member(buf, "user", request->user);
	if (request->group != NULL)
		w_json_add_path_member(buf, "group", request->group);
}

writ_status
w_decider_request_json(struct w_decider *decider,
    const struct w_prepared *prepared, char **out_json, writ_error *err)
{
	const writ_request *request = &decider->checked;
	struct w_redactor *redactor = decider->redactor;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, JSON_MAX);
	w_buf_add_char(&buf, '{');
	decider_json_add_words(&buf, redactor, request);
	/* Named for what it is: the caller may say anything. */
	if (request->description != NULL) {
		w_buf_add_str(&buf, ",\"caller_says\":");
		w_redact_add(redactor, &buf, request->description);
	}
	w_buf_add_str(&buf, ",\"cwd\":");
	w_redact_add(redactor, &buf, prepared->cwd);
	w_buf_add_str(&buf, ",\"program\":");
	w_redact_add(redactor, &buf, prepared->program.path);
	add_changes(&buf, redactor, request);
	decider_json_add_input(&buf, redactor, request);
	if (request->hosts != NULL && request->hosts[0] != NULL)
		w_json_add_list_member(&buf, "hosts", request->hosts);
	decider_json_add_sandbox(&buf, decider);
	w_json_add_object_member(
	    &buf, "limits", limit_fields, &decider->granted);
	w_buf_add_char(&buf, '}');
	return w_json_take(&buf, STAGE, out_json, NULL, err);
}
