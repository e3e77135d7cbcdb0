/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes to the standard input of a run on behalf of somebody else.
 *
 *  1. The request of the run is evaluated again, by the policy as it is now:
 *     a caller who could no longer start it cannot write to it either.
 *  2. If a shell reads commands there, the input is evaluated as shell text:
 *     alone, appended to its unfinished line, and appended to everything this
 *     shell was given. The strictest decision applies. So neither a command
 *     sent in two pieces, nor an earlier cd, nor a quote that another command
 *     has read can hide what it does.
 *  3. The input is recorded before the command gets it.
 */

#include <errno.h>
#include <string.h>

#include <writ/run.h>

#include "base/auto.h"
#include "base/hex.h"
#include "engine/job_context.h"
#include "engine/request/shell_stdin.h"

#define STAGE     "input"
#define INPUT_MAX ((size_t)64 * 1024)

/* The decision about an input. */
struct job_input_answer {
	const struct w_job_context *context;
	const writ_job *job;
	bool is_text; /* shell text; false: the request itself */
	bool reads_commands;
	writ_status status;
	enum w_verdict verdict;
	char *rule;
	char *grant;
	writ_error why;
};

static void
answer_done(struct job_input_answer *answer)
{
	free(answer->rule);
	free(answer->grant);
	answer->rule = NULL;
	answer->grant = NULL;
}

#define W_AUTO_ANSWER __attribute__((cleanup(answer_done)))

/* ---- evaluation ---- */

static writ_status
job_input_copy(char **slot, const char *text, writ_error *err)
{
	free(*slot);
	*slot = text == NULL ? NULL : strdup(text);
	return text != NULL && *slot == NULL ? w_fail_nomem(err, STAGE)
					     : WRIT_OK;
}

/* An approval was for this very request, and let it start. */
static bool
is_approved(
    const struct job_input_answer *answer, const struct w_decider *decider)
{
	const char *approval = answer->job->storage->result.approval;

	return !answer->is_text && approval != NULL &&
	       answer->context->hash[0] != '\0' &&
	       strcmp(answer->context->hash, decider->hash) == 0;
}

static writ_status
job_input_refuse(
    struct job_input_answer *answer, const struct w_decider *decider)
{
	const char *profile = decider->constraints.profile;

	if (decider->decision.verdict == W_DENY)
		return w_decider_explain(
		    decider, WRIT_E_DENIED, NULL, &answer->why);
	if (decider->decision.verdict == W_ASK &&
	    !is_approved(answer, decider)) {
		(void)w_decider_explain(
		    decider, WRIT_E_APPROVAL, NULL, &answer->why);
		w_suggest(&answer->why, "run it by itself: then a person can "
					"be asked");
		return WRIT_E_APPROVAL;
	}
	if (profile != NULL && strcmp(profile, answer->context->profile) == 0)
		return WRIT_OK;
	answer->verdict = W_DENY;
	return w_fail(&answer->why, WRIT_E_DENIED, STAGE, 0,
	    "the policy now has another sandbox for it than the run was "
	    "started in");
}

static writ_status
take_decision(void *ctx, struct w_decider *decider, writ_error *err)
{
	struct job_input_answer *answer = ctx;

	answer->reads_commands |= w_stdin_is_script(&decider->facts);
	answer->verdict =
	    decider->decision.verdict == W_ASK && is_approved(answer, decider)
		? W_ALLOW
		: decider->decision.verdict;
	answer->status = job_input_refuse(answer, decider);
	writ_status status = job_input_copy(&answer->rule, decider->rule, err);
	if (status == WRIT_OK)
		status = job_input_copy(&answer->grant, decider->grant, err);
	return status;
}

static writ_status
job_input_judge(struct job_input_answer *answer, const writ_request *request,
    writ_error *err)
{
	return w_engine_evaluate(
	    answer->context->engine, request, take_decision, answer, err);
}

/* ---- a shell ---- */

/* Keys that only the terminal acts on. */
static bool
is_only_keys(const struct w_job_context *context, const char *bytes, size_t len)
{
	static const char keys[] = {
	    '\x03', '\x04', '\x1a', '\x1c'}; /* Ctrl-C D Z \ */

	for (size_t i = 0; i < len; i++) {
		if (memchr(keys, bytes[i], sizeof(keys)) == NULL)
			return false;
	}
	return context->request.pty;
}

static writ_status
append_text(struct w_job_context *context, const char *bytes, size_t len,
    writ_error *err)
{
	if (memchr(bytes, '\0', len) != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "what a shell reads must not have a NUL byte");
	if (context->shell_input.len + len >= W_JOB_SHELL_INPUT_MAX) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the shell was given too much already to judge more");
		w_suggest(err, "start another one");
		return WRIT_E_INVALID;
	}
	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		/* A line editor ends a line at a carriage return, and a tab may
		 * become anything. */
		if (context->request.pty && c == '\r')
			c = '\n';
		else if (context->request.pty && c == '\t')
			c = '\x01';
		w_buf_add_char(&context->shell_input, c);
	}
	return context->shell_input.failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Evaluates the text from at on; the rest of the request is unchanged. */
static writ_status
judge_from(struct job_input_answer *answer, size_t at, writ_error *err)
{
	writ_request request = answer->context->request;

	request.argv = NULL;
	request.shell = answer->context->shell_input.data + at;
	request.approval = NULL;
	request.module = NULL;
	request.needs_approval = false; /* the call was approved */
	request.parse_json = false;
	request.stdin_kind = WRIT_STDIN_NULL;
	return job_input_judge(answer, &request, err);
}

static writ_status
judge_text(struct job_input_answer *answer, struct w_job_context *context,
    const char *bytes, size_t len, writ_error *err)
{
	const size_t before = context->shell_input.len;
	size_t line = before;
	writ_status status = append_text(context, bytes, len, err);
	if (status != WRIT_OK)
		return status;
	answer->is_text = true;
	while (line > 0 && context->shell_input.data[line - 1] != '\n')
		line--;
	const size_t starts[] = {before, line, 0};
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (i > 0 && starts[i] == starts[i - 1])
			continue;
		status = judge_from(answer, starts[i], err);
		if (status != WRIT_OK || answer->status != WRIT_OK)
			break;
	}
	return status;
}

/* ---- the record ---- */

static void
hash(const struct w_trail *trail, const char *bytes, size_t len,
    char out_hex[W_SHA256_HEX + 1])
{
	uint8_t sum[W_SHA256_SIZE];
	struct w_hmac mac;

	w_hmac_init(&mac, &trail->request_key);
	w_hmac_add(&mac, bytes, len);
	w_hmac_end(&mac, sum);
	w_hex_put(out_hex, sum, sizeof(sum));
	out_hex[W_SHA256_HEX] = '\0';
}

static writ_status
job_input_record(const struct job_input_answer *answer, const char *bytes,
    size_t len, writ_error *err)
{
	const writ_engine *engine = answer->context->engine;
	struct w_recorder *recorder = &answer->context->engine->recorder;
	const writ_result *result = &answer->job->storage->result;
	const struct w_record_policy policy = {
	    .decision = w_verdict_word(answer->verdict),
	    .rule = answer->rule,
	    .grant = answer->grant,
	    .approval = answer->is_text ? NULL : result->approval,
	};
	char hex[W_SHA256_HEX + 1];
	writ_error inner = {0};
	uint64_t seq;

	/* A run without a begin record gets no other records either. */
	if (engine->is_unaudited || recorder->trail == NULL ||
	    result->begin_seq == 0)
		return WRIT_OK;
	hash(recorder->trail, bytes, len, hex);
	const struct w_record_input input = {
	    .run_id = result->run_id,
	    .bytes = len,
	    .input_hash = hex,
	    .policy = &policy,
	};
	recorder->redactor.has_redacted = false;
	w_record_add_input(
	    w_recorder_buf(recorder), &recorder->redactor, &input);
	writ_status status =
	    w_recorder_append(recorder, W_LOG_BEGINS, &seq, &inner);
	if (status == WRIT_OK || recorder->may_run)
		return WRIT_OK;
	return w_recorder_fail(recorder, &inner, err);
}

/* ---- writing ---- */

static writ_status
job_input_check(const writ_job *job, size_t len, writ_error *err)
{
	if (job->note == NULL || job->storage == NULL ||
	    job->input.source.fd < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    job->note == NULL ? "the run was not started with an open "
					"input"
				      : "the run reads no more");
	if (len > INPUT_MAX) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "that is too much at once: %zu bytes", len);
		w_suggest(err, "give at most 64 KiB at a time");
		return WRIT_E_INVALID;
	}
	if (w_input_is_waiting(&job->input))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, EAGAIN,
		    "the command has not read what it was given before");
	return WRIT_OK;
}

static writ_status
queue_input(writ_job *job, const char *bytes, size_t len, writ_error *err)
{
	int error = w_input_queue(&job->input, &job->runner->loop, bytes, len);

	if (error == 0)
		return WRIT_OK;
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error == EPIPE)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the run reads no more");
	return w_fail(
	    err, WRIT_E_SYSTEM, STAGE, error, "cannot give the run its input");
}

static writ_status
judge_and_record(struct job_input_answer *answer, struct w_job_context *context,
    const char *bytes, size_t len, writ_error *err)
{
	writ_status status = job_input_judge(answer, &context->request, err);

	if (status == WRIT_OK && answer->status == WRIT_OK &&
	    answer->reads_commands && !is_only_keys(context, bytes, len))
		status = judge_text(answer, context, bytes, len, err);
	if (status == WRIT_OK)
		status = job_input_record(answer, bytes, len, err);
	if (status != WRIT_OK || answer->status == WRIT_OK)
		return status;
	*err = answer->why;
	return answer->status;
}

writ_status
writ_job_input(writ_job *job, const void *bytes, size_t len, writ_error *err)
{
	writ_error unseen;

	if (err == NULL)
		err = &unseen;
	writ_status status = job_input_check(job, len, err);
	if (status != WRIT_OK || len == 0)
		return status;
	struct w_job_context *context = job->note;
	const size_t before = context->shell_input.len;
	W_AUTO_ANSWER struct job_input_answer answer = {
	    .context = context, .job = job};
	status = judge_and_record(&answer, context, bytes, len, err);
	if (status == WRIT_OK)
		status = queue_input(job, bytes, len, err);
	if (status != WRIT_OK) {
		context->shell_input.failed = false;
		if (context->shell_input.len != before) {
			context->shell_input.len = before;
			context->shell_input.data[before] = '\0';
		}
	}
	return status;
}
