/* SPDX-License-Identifier: Apache-2.0 */

/* What is kept of a run whose input is open. */

#include "engine/job_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
job_context_copy_text(struct w_arena *arena, const char **text)
{
	if (*text == NULL)
		return true;
	*text = w_arena_text(arena, *text, strlen(*text));
	return *text != NULL;
}

static bool
job_context_copy_list(struct w_arena *arena, const char *const **list)
{
	const char *const *from = *list;
	size_t count = 0;

	if (from == NULL)
		return true;
	while (from[count] != NULL)
		count++;
	const char **copy =
	    w_arena_alloc(arena, count + 1, sizeof(const char *));
	if (copy == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		copy[i] = from[i];
		if (!job_context_copy_text(arena, &copy[i]))
			return false;
	}
	*list = copy;
	return true;
}

static bool
copy_request(struct w_arena *arena, writ_request *request)
{
	const char **const texts[] = {&request->shell, &request->cwd,
	    &request->stdin_path, &request->user, &request->group,
	    &request->trace_id, &request->sandbox, &request->agent,
	    &request->module, &request->approval, &request->session,
	    &request->description, &request->program};
	const char *const **const lists[] = {&request->argv, &request->roots,
	    &request->env, &request->env_pass, &request->env_drop,
	    &request->read, &request->write, &request->hide, &request->secrets,
	    &request->hosts};
	bool is_copied = true;

	request->stdin_data = NULL;
	request->stdin_len = 0;
	request->on_output = NULL;
	request->output_ctx = NULL;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		is_copied = is_copied && job_context_copy_text(arena, texts[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		is_copied = is_copied && job_context_copy_list(arena, lists[i]);
	return is_copied;
}

writ_status
w_job_context_new(writ_engine *engine, const writ_request *request,
    struct w_job_context **out_context, writ_error *err)
{
	writ_request asked;

	w_request_copy(request, &asked);
	*out_context = NULL;
	if (asked.stdin_kind != WRIT_STDIN_PIPE && !asked.pty)
		return WRIT_OK;
	struct w_job_context *context = calloc(1, sizeof(*context));
	if (context == NULL)
		return w_fail_nomem(err, "run");
	w_buf_init(&context->shell_input, W_JOB_SHELL_INPUT_MAX);
	context->engine = engine;
	context->request = asked;
	if (!copy_request(&context->arena, &context->request)) {
		w_job_context_free(context);
		return w_fail_nomem(err, "run");
	}
	*out_context = context;
	return WRIT_OK;
}

void
w_job_context_attach(struct w_job_context *context, writ_job *job)
{
	if (context == NULL)
		return;
	const struct w_decider *decider = &context->engine->decider;
	memcpy(context->hash, decider->hash, sizeof(context->hash));
	(void)snprintf(context->profile, sizeof(context->profile), "%s",
	    decider->constraints.profile == NULL
		? ""
		: decider->constraints.profile);
	job->note = context;
	job->free_note = w_job_context_free;
}

void
w_job_context_free(void *ptr)
{
	struct w_job_context *context = ptr;

	if (context == NULL)
		return;
	w_buf_done(&context->shell_input);
	w_arena_done(&context->arena);
	free(context);
}
