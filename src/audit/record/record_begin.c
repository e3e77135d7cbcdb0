/* SPDX-License-Identifier: Apache-2.0 */

/* The records of requests: of a run that begins, and of a refused request. */

#include <string.h>

#include "audit/record/record.h"
#include "data/json.h"

static const char *const stdin_words[] = {
    [WRIT_STDIN_NULL] = "null",
    [WRIT_STDIN_DATA] = "data",
    [WRIT_STDIN_FILE] = "file",
    [WRIT_STDIN_FD] = "fd",
    [WRIT_STDIN_PIPE] = "pipe",
};

static void
record_begin_add_command(
    struct w_buf *buf, struct w_redactor *redactor, const writ_request *request)
{
	const char *const *argv = request->argv;

	w_buf_add_str(buf, ",\"argv\":[");
	for (size_t i = 0; argv != NULL && argv[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_redact_add_word(redactor, buf, argv[i], i);
	}
	w_buf_add_str(buf, "],\"shell\":");
	if (request->shell == NULL)
		w_buf_add_str(buf, "null");
	else
		w_redact_add_word(
		    redactor, buf, request->shell, W_REDACT_SHELL);
}

/* The members up to the command. */
static void
add_asked(struct w_buf *buf, struct w_redactor *redactor, const char *kind,
    const char *run_id, const struct w_record_who *who,
    const writ_request *request, const char *understood)
{
	w_buf_add_str(buf, "\"kind\":");
	w_json_add_text(buf, kind);
	w_buf_add_str(buf, ",\"run\":");
	w_json_add_text(buf, run_id);
	w_buf_add_str(buf, ",\"trace\":");
	w_redact_add_name(redactor, buf, request->trace_id);
	w_buf_add_str(buf, ",\"module\":");
	w_redact_add(redactor, buf,
	    request->module != NULL ? request->module : understood);
	w_buf_add_str(buf, ",\"who\":{\"uid\":");
	w_record_add_decimal(buf, who->uid);
	w_record_add_number(buf, "pid", (uint64_t)who->pid);
	w_record_add_number(buf, "pidns", who->pidns);
	w_buf_add_str(buf, ",\"door\":");
	w_redact_add_name(redactor, buf, who->door);
	w_buf_add_str(buf, ",\"agent\":");
	w_redact_add_name(redactor, buf, who->agent);
	w_buf_add_char(buf, '}');
	record_begin_add_command(buf, redactor, request);
	if (request->description == NULL)
		return;
	w_buf_add_str(buf, ",\"description\":");
	w_redact_add(redactor, buf, request->description);
}

static void
record_begin_add_env(
    struct w_buf *buf, struct w_redactor *redactor, const char *const *env)
{
	w_buf_add_str(buf, ",\"env\":[");
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_redact_add_len(redactor, buf, env[i], strcspn(env[i], "="));
	}
	w_buf_add_char(buf, ']');
}

static void
record_begin_add_limits(struct w_buf *buf, const writ_request *request)
{
	const struct {
		const char *key;
		uint64_t value;
	} limits[] = {
	    {"timeout_ms", request->timeout_ms},
	    {"idle_timeout_ms", request->idle_timeout_ms},
	    {"grace_ms", request->grace_ms},
	    {"max_output", request->max_output},
	    {"cpu_ms", request->cpu_ms},
	    {"memory", request->memory},
	    {"processes", request->processes},
	    {"open_files", request->open_files},
	    {"file_size", request->file_size},
	    {"tmp_size", request->tmp_size},
	};
	size_t brace = 0;

	w_buf_add_str(buf, ",\"limits\":");
	brace = buf->len;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (limits[i].value != 0)
			w_record_add_number(
			    buf, limits[i].key, limits[i].value);
	}
	/* Replaces the comma of the first one by the brace. */
	if (buf->len == brace)
		w_buf_add_char(buf, '{');
	else if (!buf->failed)
		buf->data[brace] = '{';
	w_buf_add_char(buf, '}');
}

static void
record_begin_add_policy(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_policy *policy)
{
	w_buf_add_str(buf, ",\"policy\":");
	if (policy == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_str(buf, "{\"decision\":");
	w_json_add_text(buf, policy->decision);
	w_buf_add_str(buf, ",\"rule\":");
	w_redact_add_name(redactor, buf, policy->rule);
	w_buf_add_str(buf, ",\"grant\":");
	w_redact_add_name(redactor, buf, policy->grant);
	w_buf_add_str(buf, ",\"approval\":");
	w_redact_add_name(redactor, buf, policy->approval);
	w_buf_add_char(buf, '}');
}

static void
add_redacted(struct w_buf *buf, const struct w_redactor *redactor)
{
	w_json_add_bool_member(buf, "redacted", redactor->has_redacted);
}

static void
add_close(struct w_buf *buf, const struct w_redactor *redactor,
    const char *request_hash)
{
	w_buf_add_str(buf, ",\"request\":");
	w_json_add_text(buf, request_hash);
	add_redacted(buf, redactor);
}

void
w_record_add_begin(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_begin *begin)
{
	const writ_request *request = begin->request;

	add_asked(buf, redactor, "begin", begin->run_id, begin->who, request,
	    begin->understood);
	w_buf_add_str(buf, ",\"program\":");
	w_redact_add(redactor, buf, begin->program);
	w_buf_add_str(buf, ",\"cwd\":");
	w_redact_add(redactor, buf, begin->cwd);
	record_begin_add_env(buf, redactor, begin->env);
	w_buf_add_str(buf, ",\"stdin\":");
	w_json_add_text(buf, stdin_words[request->stdin_kind]);
	w_buf_add_str(buf, ",\"as\":{\"uid\":");
	w_record_add_decimal(buf, begin->uid);
	w_record_add_number(buf, "gid", begin->gid);
	w_buf_add_char(buf, '}');
	if (request->pty) {
		w_buf_add_str(buf, ",\"pty\":{\"rows\":");
		w_record_add_decimal(buf, request->rows);
		w_record_add_number(buf, "columns", request->columns);
		w_buf_add_char(buf, '}');
	}
	record_begin_add_limits(buf, request);
	record_begin_add_policy(buf, redactor, begin->policy);
	w_buf_add_str(buf, ",\"sandbox\":{\"profile\":");
	w_redact_add_name(redactor, buf, begin->profile);
	w_buf_add_str(buf, ",\"network\":");
	w_json_add_text(buf, begin->network);
	w_buf_add_str(buf, ",\"layers\":");
	w_json_add_list(buf, begin->layers);
	if (begin->session != NULL) {
		w_buf_add_str(buf, ",\"session\":");
		w_json_add_text(buf, begin->session);
	}
	w_buf_add_char(buf, '}');
	add_close(buf, redactor, begin->request_hash);
}

void
w_record_add_refused(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_refused *refused)
{
	add_asked(buf, redactor, "refused", refused->run_id, refused->who,
	    refused->request, refused->understood);
	w_buf_add_str(buf, ",\"cwd\":");
	w_redact_add(redactor, buf, refused->request->cwd);
	record_begin_add_policy(buf, redactor, refused->policy);
	w_buf_add_str(buf, ",\"error\":");
	w_record_add_error(buf, redactor, refused->error);
	add_close(buf, redactor, refused->request_hash);
}

void
w_record_add_input(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_input *input)
{
	w_buf_add_str(buf, "\"kind\":\"input\",\"run\":");
	w_json_add_text(buf, input->run_id);
	w_record_add_number(buf, "bytes", input->bytes);
	w_json_add_text_member(buf, "input", input->input_hash);
	record_begin_add_policy(buf, redactor, input->policy);
	add_redacted(buf, redactor);
}
