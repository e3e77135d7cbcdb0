/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A call: its input is checked, its request is run, and its end is worded.
 * Whatever goes wrong is an answer, except that memory ran out.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "base/printable.h"
#include "data/json_words.h"
#include "tool/exec_tool.h"

#define STAGE "arguments"

enum {
	INPUT_DEPTH = 128
};

void
writ_tool_answer_done(writ_tool_answer *answer)
{
	free(answer->text);
	free(answer->json);
	*answer = (writ_tool_answer){.is_error = false};
}

/* ---- checking ---- */

static writ_status
read_input(
    struct writ_tool_run *run, const char *input, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = WRIT_REQUEST_MAX, .depth_max = INPUT_DEPTH};
	writ_status status = w_json_read(input, len, &limits, &run->input, err);

	if (status != WRIT_OK)
		return status == WRIT_E_NOMEM ? status : WRIT_E_INVALID;
	if (yyjson_is_obj(w_json_root(run->input)))
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the arguments must be an object, not %s",
	    w_json_type_words(w_json_root(run->input)));
}

static writ_status
exec_tool_call_fill(
    struct writ_tool_run *run, const char *input, size_t len, writ_error *err)
{
	const writ_tool *tool = run->tool;
	writ_status status = writ_draft_new(&run->draft, err);

	if (status == WRIT_OK)
		status = read_input(run, input, len, err);
	if (status == WRIT_OK)
		status = tool->shape->check(run, w_json_root(run->input), err);
	if (status != WRIT_OK)
		return status;
	writ_request *request = writ_draft_request(run->draft);
	request->agent = tool->agent;
	request->caller = WRIT_CALLER_UNTRUSTED;
	return WRIT_OK;
}

writ_status
writ_tool_check(writ_tool *tool, const char *input, size_t len,
    writ_tool_run **out_run, writ_error *err)
{
	struct writ_tool_run *run = calloc(1, sizeof(*run));
	writ_error unseen;
	writ_error *why = err == NULL ? &unseen : err;

	*why = (writ_error){.status = WRIT_OK};
	if (run == NULL)
		return w_fail_nomem(why, STAGE);
	run->tool = tool;
	writ_status status = exec_tool_call_fill(run, input, len, why);
	if (status == WRIT_OK) {
		*out_run = run;
		return WRIT_OK;
	}
	writ_tool_run_free(run);
	if (status == WRIT_E_NOMEM)
		return status;
	writ_request request = WRIT_REQUEST_INIT;
	request.agent = tool->agent;
	why->status = WRIT_E_INVALID;
	writ_refuse(tool->engine, &request, why);
	return WRIT_E_INVALID;
}

void
writ_tool_run_free(writ_tool_run *run)
{
	if (run == NULL)
		return;
	writ_draft_free(run->draft);
	w_json_free(run->input);
	free(run);
}

writ_request *
writ_tool_run_request(writ_tool_run *run)
{
	return writ_draft_request(run->draft);
}

/* ---- answering ---- */

static writ_status
exec_tool_call_take(
    struct w_tool_texts *texts, writ_tool_answer *out_answer, writ_error *err)
{
	out_answer->text = w_buf_take(&texts->text, &out_answer->text_len);
	out_answer->json = w_buf_take(&texts->json, &out_answer->json_len);
	if (out_answer->text != NULL && out_answer->json != NULL)
		return WRIT_OK;
	writ_tool_answer_done(out_answer);
	return w_fail_nomem(err, STAGE);
}

writ_status
writ_tool_run_answer(const writ_tool_run *run, const writ_result *result,
    const writ_tool_shown *shown, writ_tool_answer *out_answer, writ_error *err)
{
	writ_tool_answer answer = {.is_error = result->outcome != WRIT_EXITED ||
					       result->exit_code != 0};
	struct w_tool_texts texts;
	char *owned[2] = {NULL, NULL};
	writ_tool_shown all = {.is_cut = false};
	writ_status status =
	    shown == NULL ? w_shape_shown(result, &all, owned, err) : WRIT_OK;

	w_buf_init(&texts.text, W_TOOL_TEXT_MAX);
	w_buf_init(&texts.json, W_TOOL_TEXT_MAX);
	if (status == WRIT_OK) {
		run->tool->shape->answer(
		    run, result, shown == NULL ? &all : shown, &texts);
		status = exec_tool_call_take(&texts, &answer, err);
	}
	w_buf_done(&texts.text);
	w_buf_done(&texts.json);
	free(owned[0]);
	free(owned[1]);
	if (status == WRIT_OK)
		*out_answer = answer;
	return status;
}

/* Names of programs and directories may be any bytes. */
static void
add_utf8(struct w_buf *out, const struct w_buf *text)
{
	if (w_utf8_valid(text->data, text->len))
		w_buf_add(out, text->data, text->len);
	else
		(void)w_printable_add(out, text->data, 0);
}

static writ_status
exec_tool_call_refuse(const writ_tool *tool, const writ_tool_run *run,
    const writ_error *why, writ_tool_answer *out_answer, writ_error *err)
{
	writ_tool_answer answer = {.is_error = true, .status = why->status};
	struct w_tool_texts texts;
	W_AUTO_BUF struct w_buf said;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	w_buf_init(&said, W_TOOL_TEXT_MAX);
	w_buf_init(&texts.text, W_TOOL_TEXT_MAX);
	w_buf_init(&texts.json, W_TOOL_TEXT_MAX);
	if (run != NULL && tool->shape->refuse != NULL)
		tool->shape->refuse(run, why, &said);
	else
		w_buf_add_str(&said, why->message);
	add_utf8(&texts.text, &said);
	/* What a person can do about it belongs into every answer. */
	if ((why->status == WRIT_E_APPROVAL || why->status == WRIT_E_REFUSED) &&
	    why->suggestion[0] != '\0')
		w_buf_add_fmt(&texts.text, "\n%s", why->suggestion);
	writ_status status = writ_error_json(why, &json, &len);
	w_buf_add(&texts.json, json == NULL ? "" : json, len);
	if (status == WRIT_OK && !said.failed)
		status = exec_tool_call_take(&texts, &answer, err);
	else
		status = w_fail_nomem(err, STAGE);
	w_buf_done(&texts.text);
	w_buf_done(&texts.json);
	if (status == WRIT_OK)
		*out_answer = answer;
	return status;
}

writ_status
writ_tool_run_refuse(const writ_tool_run *run, const writ_error *why,
    writ_tool_answer *out_answer, writ_error *err)
{
	return exec_tool_call_refuse(run->tool, run, why, out_answer, err);
}

/* ---- a whole call ---- */

static writ_status
exec_tool_call_run(
    const writ_tool_run *run, writ_tool_answer *out_answer, writ_error *err)
{
	writ_result *result = NULL;
	writ_error why = {.status = WRIT_OK};
	writ_status status = writ_run(
	    run->tool->engine, writ_draft_request(run->draft), &result, &why);

	if (status != WRIT_OK)
		return writ_tool_run_refuse(run, &why, out_answer, err);
	status = writ_tool_run_answer(run, result, NULL, out_answer, err);
	writ_result_free(result);
	return status;
}

writ_status
writ_tool_call(writ_tool *tool, const char *input, size_t len,
    writ_tool_answer *out_answer, writ_error *err)
{
	writ_tool_run *run = NULL;
	writ_error why;
	writ_status status = writ_tool_check(tool, input, len, &run, &why);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK)
		return exec_tool_call_refuse(tool, NULL, &why, out_answer, err);
	status = exec_tool_call_run(run, out_answer, err);
	writ_tool_run_free(run);
	return status;
}

/* ---- without waiting ---- */

/* A started call. */
struct exec_tool_call_started {
	writ_tool_run *run;
	writ_tool_answer_fn on_answer;
	void *ctx;
};

static void
exec_tool_call_end(void *ctx, writ_job *job, writ_result *result)
{
	struct exec_tool_call_started *started = ctx;
	writ_tool_answer answer = {.is_error = true, .status = WRIT_E_NOMEM};

	(void)job;
	/* Without memory the answer has no texts. */
	(void)writ_tool_run_answer(started->run, result, NULL, &answer, NULL);
	writ_result_free(result);
	writ_tool_run_free(started->run);
	started->on_answer(started->ctx, &answer);
	free(started);
}

static writ_status
exec_tool_call_begin(struct exec_tool_call_started *started, writ_job **out_job,
    writ_tool_answer *out_refusal, writ_error *err)
{
	writ_error why = {.status = WRIT_OK};
	writ_status status = writ_start(started->run->tool->engine,
	    writ_draft_request(started->run->draft), exec_tool_call_end,
	    started, out_job, &why);

	return status == WRIT_OK
		   ? WRIT_OK
		   : writ_tool_run_refuse(started->run, &why, out_refusal, err);
}

writ_status
writ_tool_start(writ_tool *tool, const char *input, size_t len,
    writ_tool_answer_fn on_answer, void *ctx, writ_job **out_job,
    writ_error *err)
{
	struct exec_tool_call_started *started = calloc(1, sizeof(*started));
	writ_tool_answer refusal = {.status = WRIT_OK};
	writ_job *job = NULL;
	writ_error why;

	if (out_job != NULL)
		*out_job = NULL;
	if (started == NULL)
		return w_fail_nomem(err, STAGE);
	started->on_answer = on_answer;
	started->ctx = ctx;
	writ_status status =
	    writ_tool_check(tool, input, len, &started->run, &why);
	if (status == WRIT_OK)
		status = exec_tool_call_begin(started, &job, &refusal, err);
	else if (status == WRIT_E_INVALID)
		status = exec_tool_call_refuse(tool, NULL, &why, &refusal, err);
	else
		status = w_fail_nomem(err, STAGE);
	if (status == WRIT_OK && job != NULL) {
		if (out_job != NULL)
			*out_job = job;
		return WRIT_OK;
	}
	writ_tool_run_free(started->run);
	free(started);
	if (status == WRIT_OK)
		on_answer(ctx, &refusal);
	return status;
}
