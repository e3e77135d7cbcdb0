/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A change of a file is judged and recorded like a run of a command that makes
 * it: data/commands/writ-file.yaml describes that command.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/file/file_state.h"
#include "os/resolve.h"
#include "run/resolve/identity.h"
#include "run/resolve/request_check.h"

#define NS_PER_MS UINT64_C(1000000)

/* Timers of a run, as run_start.c reserves them; the record uses one. */
enum {
	TIMERS = 8
};

/* ---- the command ---- */

static size_t
put_option(
    struct w_file_change *job, size_t at, const char *name, const char *value)
{
	if (value == NULL)
		return at;
	job->words[at] = name;
	job->words[at + 1] = value;
	return at + 2;
}

/* What a link leads to from where it is: that can be read through it. */
static bool
make_target(struct w_file_change *job)
{
	const char *target = job->request.target;
	const char *path = job->request.path;

	if (target == NULL || job->target_word != NULL)
		return true;
	if (target[0] == '/')
		job->target_word = strdup(target);
	else if (asprintf(&job->target_word, "%.*s/%s",
		     (int)(strrchr(path, '/') - path), path, target) < 0)
		job->target_word = NULL;
	return job->target_word != NULL;
}

static void
make_command(struct w_file_change *job)
{
	const writ_file_request *request = &job->request;
	size_t at = 0;

	job->words[at++] = "writ-file";
	job->words[at++] = w_engine_file_ensure_word(request->ensure);
	job->words[at++] = request->path;
	if (request->force)
		job->words[at++] = "--force";
	at = put_option(job, at, "--target", job->target_word);
	if (request->ensure == WRIT_FILE_ABSENT)
		return;
	at = put_option(job, at, "--owner", request->owner);
	at = put_option(job, at, "--group", request->group);
	(void)snprintf(
	    job->mode_word, sizeof(job->mode_word), "%04o", job->mode & 07777);
	at = put_option(
	    job, at, "--mode", job->has_mode ? job->mode_word : NULL);
	at = put_option(job, at, "--sha256",
	    job->has_content && !request->hide_content ? job->wanted.hex
						       : NULL);
	(void)put_option(job, at, "--source", request->source);
}

static void
file_decide_make_request(struct w_file_change *job)
{
	const writ_request standard = WRIT_REQUEST_INIT;
	const writ_file_request *request = &job->request;
	writ_request *asked = &job->asked;

	make_command(job);
	*asked = standard;
	asked->argv = job->words;
	asked->cwd = "/";
	asked->agent = request->agent;
	asked->trace_id = request->trace_id;
	asked->secrets = request->secrets;
	asked->session = request->session;
	/* A dry run uses up no approval. */
	asked->approval = request->dry_run ? NULL : request->approval;
	if (!job->has_content || !request->hide_content)
		return;
	/* An approval is for this content only. Its checksum must not be
	 * shown; but the hash of the request, which includes it, is keyed. */
	asked->stdin_kind = WRIT_STDIN_DATA;
	asked->stdin_data = job->wanted.hex;
	asked->stdin_len = W_SHA256_HEX;
}

/* ---- what was judged is what is changed ---- */

static bool
is_in_any(const char *path, const char *const *dirs)
{
	for (; dirs != NULL && *dirs != NULL; dirs++) {
		if (w_resolve_is_in(path, *dirs))
			return true;
	}
	return false;
}

/* writ itself is not in the sandbox, so what the sandbox would prevent must
 * fail here. */
static writ_status
file_decide_check_walls(const struct w_file_change *job,
    const struct w_touch *touch, const struct w_policy_path *path,
    writ_error *err)
{
	const struct w_decider *decider = &job->engine->decider;
	const struct w_constraints *constraints = &decider->constraints;
	const bool is_read = touch->effect == W_EFFECT_READ;
	const bool can_write =
	    w_walls_can_write(constraints->walls) && !constraints->is_readonly;

	if (constraints->walls <= W_WALLS_ENV)
		return WRIT_OK;
	if (path->resolved != NULL &&
	    (is_read ? is_in_any(path->resolved, constraints->roots)
		     : can_write &&
			   is_in_any(path->resolved, constraints->roots)))
		return WRIT_OK;
	writ_status status = w_fail(err, WRIT_E_DENIED, "policy", 0,
	    "'%.200s' cannot be %s in sandbox profile '%.64s'",
	    path->spelled == NULL ? touch->target : path->spelled,
	    is_read ? "a source" : "changed", constraints->profile);
	w_suggest(err, "files are changed by writ itself, in the directories "
		       "that the policy names as roots");
	return status;
}

static bool
is_same_place(const struct w_file_change *job, const struct w_touch *touch,
    const struct w_policy_path *path)
{
	char at[PATH_MAX], whole[PATH_MAX];

	/* What a link leads to is not opened. */
	if (touch->effect == W_EFFECT_READ &&
	    job->request.ensure == WRIT_FILE_LINK)
		return true;
	if (touch->effect == W_EFFECT_READ)
		return w_resolve_fd(job->source_fd, at) &&
		       path->resolved != NULL &&
		       strcmp(at, path->resolved) == 0;
	/* A link at the end is replaced; it was judged by its own path and
	 * by its target. */
	if (job->seen.kind == W_FILE_LINK && touch->effect != W_EFFECT_DELETE)
		return true;
	if (!w_resolve_fd(job->parent.fd, at) || path->resolved == NULL)
		return false;
	int len = snprintf(whole, sizeof(whole), "%s/%s",
	    strcmp(at, "/") == 0 ? "" : at, job->parent.rest);
	return len > 0 && (size_t)len < sizeof(whole) &&
	       strcmp(whole, path->resolved) == 0;
}

static writ_status
check_touches(const struct w_file_change *job, writ_error *err)
{
	const struct w_policy_command *command =
	    &job->engine->decider.access_set.commands[0];
	const struct w_analysis *analysis = command->analysis;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < analysis->touch_count && status == WRIT_OK;
	     i++) {
		const struct w_touch *touch = &analysis->touches[i];
		const struct w_policy_path *path = &command->paths[i];

		if (touch->kind != W_TOUCH_PATH)
			continue;
		status = file_decide_check_walls(job, touch, path, err);
		if (status == WRIT_OK && !is_same_place(job, touch, path))
			status = w_fail(err, WRIT_E_SYSTEM, W_FILE_STAGE, 0,
			    "the way to '%.200s' changed while it was judged",
			    job->request.path);
	}
	return status;
}

/* ---- the decision ---- */

static writ_status
file_decide_prepare(struct w_file_change *job, writ_error *err)
{
	struct w_prepared *prepared = &job->prepared;

	prepared->cwd = strdup("/");
	if (prepared->cwd == NULL)
		return w_fail_nomem(err, W_FILE_STAGE);
	prepared->cwd_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (prepared->cwd_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, W_FILE_STAGE, errno, "cannot open '/'");
	return w_identity_find(NULL, NULL, &prepared->identity, err);
}

writ_status
w_engine_file_decide(struct w_file_change *job, writ_error *err)
{
	struct w_decider *decider = &job->engine->decider;
	const writ_error missing = {.status = WRIT_OK};

	if (!make_target(job))
		return w_fail_nomem(err, W_FILE_STAGE);
	file_decide_make_request(job);
	writ_status status = w_engine_accept(job->engine, &job->asked, err);
	if (status == WRIT_OK)
		status = w_run_check_request(&job->asked, &job->granted, err);
	if (status == WRIT_OK)
		status = file_decide_prepare(job, err);
	if (status == WRIT_OK)
		status = w_decider_constrain(
		    decider, &job->prepared, &job->granted, err);
	if (status == WRIT_OK)
		status = w_decider_decide(
		    decider, &job->prepared, &missing, &job->granted, err);
	if (status == WRIT_OK)
		status = check_touches(job, err);
	return status;
}

/* ---- the record ---- */

writ_status
w_engine_file_begin(struct w_file_change *job, writ_error *err)
{
	struct w_runner *runner = &job->engine->runner;
	const struct w_run_decision *decision = &job->prepared.decision;

	job->storage = w_run_result_new(job->asked.trace_id);
	job->prepared.program.path = strdup(job->words[0]);
	if (job->storage == NULL || job->prepared.program.path == NULL ||
	    !w_run_result_set_policy(job->storage, decision->verdict,
		decision->rule, decision->grant, decision->approval) ||
	    !w_loop_reserve_timers(
		&runner->loop, (runner->live_count + 1) * TIMERS))
		return w_fail_nomem(err, W_FILE_STAGE);
	job->start_ns = w_now_ns();
	if (job->engine->is_unaudited)
		return WRIT_OK;
	writ_status status = w_recorder_begin_run(&job->engine->recorder,
	    &job->asked, &job->prepared, job->storage, err);
	job->has_begun = status == WRIT_OK;
	return status;
}

void
w_engine_file_settle(writ_engine *engine, struct w_run_result *storage,
    uint64_t start_ns, const writ_error *failure)
{
	struct w_recorder *recorder = &engine->recorder;
	writ_result *result = &storage->result;

	if (failure != NULL) {
		w_recorder_fail_run(recorder, storage->run_id, failure);
		return;
	}
	result->outcome = WRIT_EXITED;
	result->duration_ms = (w_now_ns() - start_ns) / NS_PER_MS;
	w_recorder_end_run(recorder, storage);
}

void
w_engine_file_end(struct w_file_change *job, const writ_error *failure)
{
	const writ_request standard = WRIT_REQUEST_INIT;

	if (job->has_begun && !job->is_pending)
		w_engine_file_settle(
		    job->engine, job->storage, job->start_ns, failure);
	w_recorder_finish(&job->engine->recorder, &job->asked,
	    job->request.dry_run ? NULL : failure);
	w_decider_finish(&job->engine->decider);
	/* They point into the job. */
	job->engine->decider.asked = standard;
	job->engine->decider.checked = standard;
	w_prepared_done(&job->prepared);
}
