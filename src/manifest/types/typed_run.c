/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the commands of a type that a table describes. */

#include <stdarg.h>
#include <string.h>

#include "manifest/apply/apply_owed.h"
#include "manifest/apply/exec_resource.h"
#include "manifest/apply/manifest_runner.h"
#include "manifest/apply/resource_output.h"
#include "manifest/types/typed_step.h"

#define KEPT       ((uint64_t)64 << 10)
#define LINES_MAX  4096
#define LAST_LINES 3

void
w_typed_add(struct w_typed_command *command, ...)
{
	const char *word;
	va_list args;

	va_start(args, command);
	while ((word = va_arg(args, const char *)) != NULL &&
	       command->count < W_TYPED_WORDS_MAX)
		command->words[command->count++] = word;
	va_end(args);
	command->words[command->count] = NULL;
}

static void
typed_run_request(const struct w_typed_step *x,
    const struct w_typed_command *command, writ_request *out_request)
{
	const struct w_resource_step *step = x->step;
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = command->words;
	request.cwd = "/";
	request.env = x->env;
	request.user = command->user;
	request.group = command->group;
	request.timeout_ms = command->timeout_ms;
	request.umask = WRIT_UMASK(022);
	request.agent = step->agent;
	request.caller = step->options->caller;
	request.trace_id = step->trace_id;
	request.secrets = step->secrets.items;
	if (step->resource->is_sensitive || step->secrets.count > 0)
		request.keep = WRIT_ZERO;
	request.output_limit = command->output == 0 ? KEPT : command->output;
	request.spill_limit = WRIT_ZERO;
	if (command->input != NULL) {
		request.stdin_kind = WRIT_STDIN_DATA;
		request.stdin_data = command->input;
		request.stdin_len = command->input_len;
	}
	*out_request = request;
}

/* Head and tail; what lies between is missing only if is_cut. */
static void
keep_answer(struct w_typed_step *x, const struct w_typed_command *command,
    const writ_result *result, struct w_typed_answer *answer)
{
	const size_t max = command->output == 0 ? KEPT : command->output;

	for (int i = 0; i < 2; i++) {
		const writ_output *output = &result->out[i];
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, max * 2 + 1);
		answer->is_cut |= output->truncated;
		if (output->truncated || x->step->secrets.count > 0) {
			w_resource_output_add_tail(&text, x->step, output, max);
		} else {
			w_buf_add(&text, output->head, output->head_len);
			w_buf_add(&text, output->tail, output->tail_len);
		}
		answer->text[i] = w_resource_step_copy(x->step, &text);
		answer->len[i] = text.len;
	}
}

/* false: it did not end by itself. */
static bool
typed_run_evaluate(struct w_typed_step *x,
    const struct w_typed_command *command, const writ_result *result,
    struct w_typed_answer *answer)
{
	struct w_resource_step *step = x->step;

	w_resource_step_add_run(step, result->run_id);
	if (!command->is_query)
		step->event.changed = true;
	if (result->unrecorded != NULL)
		w_resource_step_warn(
		    step, "its record is missing: %s", result->unrecorded);
	if (result->outcome == WRIT_EXITED && result->status_known) {
		answer->code = result->exit_code;
		keep_answer(x, command, result, answer);
		return !step->is_short;
	}
	if (result->outcome == WRIT_CANCELLED)
		step->is_cut = true;
	else
		w_resource_step_fail(step, "%s %s", command->words[0],
		    w_exec_ending(step, result));
	return false;
}

bool
w_typed_run(struct w_typed_step *x, const struct w_typed_command *command,
    struct w_typed_answer *out_answer)
{
	struct w_resource_step *step = x->step;
	struct w_typed_answer answer = {.code = -1, .text = {"", ""}};
	writ_error err = {.status = WRIT_OK};
	writ_result *result = NULL;
	writ_request request;
	writ_status status = WRIT_OK;

	typed_run_request(x, command, &request);
	if (!command->is_query) {
		step->has_acted = true;
		status = w_apply_owed_promise(step, &err);
	}
	if (status == WRIT_OK)
		status = w_manifest_runner_run(
		    step->runner, &request, &result, &err);
	if (status == WRIT_E_NOTFOUND && command->is_missing_ok) {
		answer.is_missing = true;
		*out_answer = answer;
		return true;
	}
	if (status != WRIT_OK) {
		step->is_short |= status == WRIT_E_NOMEM;
		w_resource_step_fail_error(step, &err);
		return false;
	}
	const bool ok = typed_run_evaluate(x, command, result, &answer);
	writ_result_free(result);
	if (ok)
		*out_answer = answer;
	return ok;
}

/* ---- what it said ---- */

const char *
w_typed_line_with(struct w_typed_step *x, const struct w_typed_answer *answer,
    const char *word)
{
	for (int i = 1; i >= 0; i--) {
		const char *at = strstr(answer->text[i], word);

		if (at == NULL)
			continue;
		while (at > answer->text[i] && at[-1] != '\n')
			at--;
		return w_resource_step_text(
		    x->step, "%.*s", (int)strcspn(at, "\n"), at);
	}
	return NULL;
}

const char *
w_typed_last_lines(
    struct w_typed_step *x, const struct w_typed_answer *answer, int count)
{
	const int stream = answer->len[1] > 0 ? 1 : 0;
	const char *text = answer->text[stream];
	size_t from = strlen(text);
	W_AUTO_BUF struct w_buf lines;

	w_buf_init(&lines, LINES_MAX);
	while (from > 0 && text[from - 1] == '\n')
		from--;
	const char *end = text + from;
	while (from > 0 && (text[from - 1] != '\n' || --count > 0) &&
	       (size_t)(end - text) - from < LINES_MAX / 2)
		from--;
	for (const char *at = text + from; at < end;) {
		const size_t len = strcspn(at, "\n");

		if (len > 0) {
			w_buf_add_str(&lines, lines.len > 0 ? "; " : "");
			w_buf_add(&lines, at, len);
		}
		at += len + (at[len] != '\0');
	}
	return w_resource_step_copy(x->step, &lines);
}

void
w_typed_fail_answer(struct w_typed_step *x,
    const struct w_typed_command *command, const struct w_typed_answer *answer)
{
	if (x->resource->is_sensitive)
		w_resource_step_fail(x->step, "%s failed: exit code %d",
		    command->words[0], answer->code);
	else
		w_resource_step_fail(x->step, "%s failed: exit code %d%s%s",
		    command->words[0], answer->code,
		    answer->len[0] + answer->len[1] > 0 ? ": " : "",
		    w_typed_last_lines(x, answer, LAST_LINES));
}

bool
w_typed_must_run(struct w_typed_step *x, const struct w_typed_command *command)
{
	struct w_typed_answer answer;

	if (!w_typed_run(x, command, &answer))
		return false;
	if (answer.code == 0)
		return true;
	w_typed_fail_answer(x, command, &answer);
	return false;
}
