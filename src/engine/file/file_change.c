/* SPDX-License-Identifier: Apache-2.0 */

/* Brings files into a wanted state: the public call and its result. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "edit/file_diff.h"
#include "engine/file/file_state.h"

/* A result and what it owns. The public part comes first. */
struct storage {
	writ_file_result result;
	struct w_arena arena;
	char *diff;
};

void
writ_file_result_free(writ_file_result *result)
{
	struct storage *storage = (struct storage *)result;

	if (storage == NULL)
		return;
	w_arena_done(&storage->arena);
	free(storage->diff);
	free(storage);
}

/* ---- the result ---- */

static const char *
file_change_keep(struct storage *storage, const char *text, bool *ok)
{
	if (text == NULL)
		return NULL;
	const char *copy = w_arena_text(&storage->arena, text, strlen(text));
	*ok = *ok && copy != NULL;
	return copy;
}

static bool
fill_stat(struct storage *storage, writ_file_state *out, const struct stat *st)
{
	out->mode = st->st_mode & 07777;
	out->size = (uint64_t)st->st_size;
	out->mtime = st->st_mtim.tv_sec;
	return w_engine_user_name(&storage->arena, st->st_uid, &out->owner) &&
	       w_engine_group_name(&storage->arena, st->st_gid, &out->group);
}

static const char *
sum_of(const struct w_file_change *job, const struct w_file_sum *sum)
{
	return sum->hex[0] == '\0' || job->request.hide_content ? NULL
								: sum->hex;
}

static bool
fill_before(const struct w_file_change *job, struct storage *storage)
{
	const struct w_file_seen *seen = &job->seen;
	writ_file_state *out = &storage->result.before;
	bool ok = true;

	out->ensure = w_engine_file_kind_word(seen->kind);
	if (seen->kind == W_FILE_NONE)
		return true;
	out->sha256 = file_change_keep(storage, sum_of(job, &seen->sum), &ok);
	return ok && fill_stat(storage, out, &seen->st);
}

/* The state after a dry run: what was seen, with the request applied. */
static struct stat
expected_stat(const struct w_file_change *job)
{
	struct stat st = job->seen.st;
	const bool is_new = job->action != W_FILE_ATTRIBUTES;

	if (is_new && job->seen.kind != W_FILE_REGULAR)
		st = (struct stat){.st_uid = geteuid(),
		    .st_gid = getegid(),
		    .st_mode = job->action == W_FILE_MAKE_DIR ? S_IFDIR | 0755
			       : job->action == W_FILE_MAKE_LINK
				   ? S_IFLNK | 0777
				   : S_IFREG | 0644};
	if (job->uid != (uid_t)-1)
		st.st_uid = job->uid;
	if (job->gid != (gid_t)-1)
		st.st_gid = job->gid;
	if (job->has_mode)
		st.st_mode = (st.st_mode & S_IFMT) | job->mode;
	if (job->has_content)
		st.st_size = (off_t)job->wanted.size;
	return st;
}

static writ_status
fill_after(
    const struct w_file_change *job, struct storage *storage, writ_error *err)
{
	writ_file_state *out = &storage->result.after;
	struct stat st;
	bool ok = true;

	if (job->action == W_FILE_NOTHING) {
		*out = storage->result.before;
		return WRIT_OK;
	}
	if (job->request.ensure == WRIT_FILE_ABSENT) {
		out->ensure = "absent";
		return WRIT_OK;
	}
	out->ensure = w_engine_file_ensure_word(job->request.ensure);
	if (job->request.dry_run)
		st = expected_stat(job);
	else if (job->is_pending)
		st = job->pending_st;
	else if (w_engine_file_restat(job, &st, err) != WRIT_OK)
		return err->status;
	out->sha256 = file_change_keep(storage,
	    sum_of(job, job->has_content ? &job->wanted : &job->seen.sum), &ok);
	ok = ok && fill_stat(storage, out, &st);
	return ok ? WRIT_OK : w_fail_nomem(err, W_FILE_STAGE);
}

static writ_status
fill_diff(
    const struct w_file_change *job, struct storage *storage, writ_error *err)
{
	const struct w_file_sum *old = &job->seen.sum;
	const struct w_file_sum *new = &job->wanted;
	const bool is_new = job->seen.kind == W_FILE_NONE;

	if (job->action != W_FILE_STORE || !job->has_content ||
	    job->request.hide_content || new->text == NULL ||
	    (!is_new && old->text == NULL))
		return WRIT_OK;
	const struct w_diff_side sides[2] = {
	    {.label = is_new ? "/dev/null" : job->request.path,
		.text = is_new ? "" : old->text,
		.len = is_new ? 0 : (size_t)old->size},
	    {.label = job->request.path,
		.text = new->text,
		.len = (size_t) new->size},
	};
	return w_diff_unified(&sides[0], &sides[1], &storage->diff, err);
}

/* Everything that can be known before the change, so that nothing can fail
 * after it. */
static writ_status
fill_plan(
    const struct w_file_change *job, struct storage *storage, writ_error *err)
{
	writ_file_result *result = &storage->result;
	bool ok = fill_before(job, storage);

	result->changed = job->action != W_FILE_NOTHING;
	result->what = w_engine_file_done_text(job);
	if (job->reason[0] != '\0')
		result->reason = file_change_keep(storage, job->reason, &ok);
	if (!ok)
		return w_fail_nomem(err, W_FILE_STAGE);
	writ_status status = fill_diff(job, storage, err);
	result->diff = storage->diff;
	return status;
}

static bool
fill_decision(const struct w_file_change *job, struct storage *storage)
{
	const struct w_run_decision *decision = &job->prepared.decision;
	bool ok = true;

	storage->result.decision = decision->verdict;
	storage->result.rule = file_change_keep(storage, decision->rule, &ok);
	if (job->storage != NULL)
		storage->result.run_id =
		    file_change_keep(storage, job->storage->run_id, &ok);
	return ok;
}

/* ---- the change ---- */

/* Between the begin record and the end record. */
static writ_status
act(struct w_file_change *job, struct storage *storage, writ_error *err)
{
	writ_status status = w_engine_file_begin(job, err);

	if (status == WRIT_OK && !fill_decision(job, storage))
		status = w_fail_nomem(err, W_FILE_STAGE);
	if (status == WRIT_OK && job->request.on_change != NULL)
		status = job->request.on_change(job->request.change_ctx, err);
	if (status == WRIT_OK)
		status = w_engine_file_apply(job, err);
	storage->result.pending = status == WRIT_OK && job->is_pending;
	return status;
}

static writ_status
change(struct w_file_change *job, struct storage *storage, writ_error *err)
{
	writ_status status = w_engine_file_decide(job, err);

	if (status == WRIT_OK && job->request.dry_run)
		status = fill_decision(job, storage)
			     ? WRIT_OK
			     : w_fail_nomem(err, W_FILE_STAGE);
	else if (status == WRIT_OK)
		status = act(job, storage, err);
	w_engine_file_end(job, status == WRIT_OK ? NULL : err);
	if (job->is_pending)
		w_engine_file_batch_keep(job);
	return status;
}

static writ_status
file_change_run(struct w_file_change *job, const writ_file_request *request,
    struct storage *storage, writ_error *err)
{
	writ_status status = w_engine_file_check(job, request, err);

	if (status == WRIT_OK)
		status = w_engine_file_inspect(job, err);
	if (status == WRIT_OK)
		status = w_engine_file_plan(job, err);
	if (status == WRIT_OK)
		status = fill_plan(job, storage, err);
	if (status == WRIT_OK && job->action != W_FILE_NOTHING)
		status = change(job, storage, err);
	return status == WRIT_OK ? fill_after(job, storage, err) : status;
}

static void
file_change_release(struct w_file_change *job)
{
	w_parent_dir_close(&job->parent);
	w_close(&job->source_fd);
	if (job->wanted.kept.max != 0)
		w_buf_done(&job->wanted.kept);
	if (job->seen.sum.kept.max != 0)
		w_buf_done(&job->seen.sum.kept);
	w_run_result_free(job->storage);
	free(job->seen.target);
	free(job->target_word);
	free(job);
}

writ_status
writ_file(writ_engine *engine, const writ_file_request *request,
    writ_file_result **out_result, writ_error *err)
{
	writ_error unseen = {0};
	struct storage *storage = calloc(1, sizeof(*storage));
	struct w_file_change *job = calloc(1, sizeof(*job));

	/* The record names the error even if the caller ignores it. */
	if (err == NULL)
		err = &unseen;
	if (storage == NULL || job == NULL) {
		free(storage);
		free(job);
		return w_fail_nomem(err, W_FILE_STAGE);
	}
	job->engine = engine;
	job->uid = (uid_t)-1;
	job->gid = (gid_t)-1;
	job->source_fd = -1;
	job->parent.fd = -1;
	job->prepared =
	    (struct w_prepared){.cwd_fd = -1, .program = {.fd = -1}};
	writ_status status = file_change_run(job, request, storage, err);
	file_change_release(job);
	if (status == WRIT_OK)
		*out_result = &storage->result;
	else
		writ_file_result_free(&storage->result);
	return status;
}
