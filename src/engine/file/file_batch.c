/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files that reach the disk together.
 *
 * Each was written into a nameless file and judged; its begin record is
 * written. The commit has three steps, each for all files:
 *
 *   1. put the contents on the disk: one call for a file system
 *   2. name them, in the order of the calls
 *   3. put the names on the disk: one call for a directory
 *
 * So a name never leads to content that a crash could lose. The end records
 * follow.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/file/file_state.h"
#include "os/stage.h"

#define BATCH_MAX 256
/* Descriptors that a file takes, and those that are left for others. */
#define FDS_EACH 2
#define FDS_LEFT 128

struct file_batch_entry {
	struct w_stage stage; /* owns its directory, too */
	dev_t dev;
	struct stat dir;
	char *name;
	char *path;
	bool may_replace;
	struct w_run_result *storage; /* NULL: it is not recorded */
	uint64_t start_ns;
	bool is_named;
	int error; /* of naming it, or of the disk */
};

struct writ_file_batch {
	writ_engine *engine;
	struct file_batch_entry entries[BATCH_MAX];
	size_t count;
	size_t max;
};

writ_status
writ_file_batch_new(
    writ_engine *engine, writ_file_batch **out_batch, writ_error *err)
{
	writ_file_batch *batch = calloc(1, sizeof(*batch));
	struct rlimit limit;

	if (batch == NULL)
		return w_fail_nomem(err, W_FILE_STAGE);
	batch->engine = engine;
	batch->max = BATCH_MAX;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur < FDS_LEFT + BATCH_MAX * FDS_EACH)
		batch->max = limit.rlim_cur <= FDS_LEFT
				 ? 0
				 : (limit.rlim_cur - FDS_LEFT) / FDS_EACH;
	*out_batch = batch;
	return WRIT_OK;
}

static void
entry_done(struct file_batch_entry *entry)
{
	int dir_fd = entry->stage.dir_fd;

	w_stage_drop(&entry->stage);
	w_close(&dir_fd);
	free(entry->name);
	free(entry->path);
	w_run_result_free(entry->storage);
}

static void
empty(writ_file_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		entry_done(&batch->entries[i]);
	batch->count = 0;
}

static void drop(writ_file_batch *batch, struct file_batch_entry *entry);

void
writ_file_batch_free(writ_file_batch *batch)
{
	for (size_t i = 0; batch != NULL && i < batch->count; i++)
		drop(batch, &batch->entries[i]);
	if (batch == NULL)
		return;
	empty(batch);
	free(batch);
}

/* ---- adding ---- */

/* Secrets are forgotten when the call ends, and the end record of a batch comes
 * later. */
static bool
has_secrets(const writ_file_request *request)
{
	return request->hide_content ||
	       (request->secrets != NULL && request->secrets[0] != NULL);
}

bool
w_engine_file_batch_take(struct w_file_change *job, struct w_stage *stage)
{
	writ_file_batch *batch = job->request.batch;

	if (batch == NULL || batch->engine != job->engine ||
	    batch->count >= batch->max || has_secrets(&job->request) ||
	    fstat(stage->fd, &job->pending_st) < 0)
		return false;
	struct file_batch_entry *entry = &batch->entries[batch->count];
	*entry = (struct file_batch_entry){
	    .name = strdup(job->parent.name),
	    .path = strdup(job->request.path),
	    .dev = job->pending_st.st_dev,
	    .may_replace = job->seen.kind != W_FILE_NONE,
	};
	if (entry->name == NULL || entry->path == NULL ||
	    fstat(job->parent.fd, &entry->dir) < 0) {
		free(entry->name);
		free(entry->path);
		return false;
	}
	entry->stage = *stage;
	entry->stage.dir_fd = job->parent.fd;
	job->parent.fd = -1;
	batch->count++;
	job->is_pending = true;
	return true;
}

void
w_engine_file_batch_keep(struct w_file_change *job)
{
	writ_file_batch *batch = job->request.batch;
	struct file_batch_entry *entry = &batch->entries[batch->count - 1];

	entry->start_ns = job->start_ns;
	if (!job->has_begun)
		return;
	entry->storage = job->storage;
	job->storage = NULL;
}

/* ---- committing ---- */

/* syncfs() says so if anything could not be written. Where it fails, each file
 * is asked. */
static bool
is_first_of_disk(const writ_file_batch *batch, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (batch->entries[i].dev == batch->entries[at].dev)
			return false;
	}
	return true;
}

static void
sync_contents(writ_file_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const dev_t dev = batch->entries[i].dev;

		if (!is_first_of_disk(batch, i) ||
		    (batch->count > 1 &&
			syncfs(batch->entries[i].stage.fd) == 0))
			continue;
		for (size_t j = i; j < batch->count; j++) {
			struct file_batch_entry *entry = &batch->entries[j];

			if (entry->dev == dev && fsync(entry->stage.fd) < 0)
				entry->error = errno;
		}
	}
}

static size_t
name_all(writ_file_batch *batch, bool stop)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct file_batch_entry *entry = &batch->entries[i];
		const struct w_stage_end how = {
		    .may_replace = entry->may_replace};

		if (entry->error == 0)
			entry->error = w_stage_publish(
			    &entry->stage, entry->name, &how, &entry->is_named);
		if (entry->error != 0 && stop)
			return i + 1;
	}
	return batch->count;
}

static bool
is_same_dir(
    const struct file_batch_entry *one, const struct file_batch_entry *other)
{
	return one->dir.st_ino == other->dir.st_ino &&
	       one->dir.st_dev == other->dir.st_dev;
}

/* A directory that cannot be read cannot be opened to be synced. */
static int
sync_directory(int dir_fd)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno == EACCES ? 0 : errno;
	return fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
}

static void
sync_names(writ_file_batch *batch, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct file_batch_entry *entry = &batch->entries[i];
		bool is_synced = false;

		for (size_t j = 0; j < i && !is_synced; j++)
			is_synced = batch->entries[j].is_named &&
				    is_same_dir(&batch->entries[j], entry);
		if (!entry->is_named || is_synced)
			continue;
		const int error = sync_directory(entry->stage.dir_fd);
		for (size_t j = i; error != 0 && j < count; j++) {
			if (batch->entries[j].is_named &&
			    is_same_dir(&batch->entries[j], entry))
				batch->entries[j].error = error;
		}
	}
}

static void
settle(writ_file_batch *batch, struct file_batch_entry *entry, size_t index,
    writ_file_done_fn done, void *ctx)
{
	writ_error failure = {.status = WRIT_OK};

	if (entry->error != 0)
		(void)w_fail(&failure, WRIT_E_SYSTEM, W_FILE_STAGE,
		    entry->error,
		    entry->is_named
			? "cannot be sure that a crash would spare the new "
			  "'%.200s'"
			: "cannot replace '%.200s'",
		    entry->path);
	const writ_error *said = entry->error == 0 ? NULL : &failure;
	if (entry->storage != NULL)
		w_engine_file_settle(
		    batch->engine, entry->storage, entry->start_ns, said);
	if (done != NULL)
		done(ctx, index, said);
}

/* A change that is dropped has a begin record, so it needs an end, too. */
static void
drop(writ_file_batch *batch, struct file_batch_entry *entry)
{
	writ_error failure = {.status = WRIT_OK};

	(void)w_fail(&failure, WRIT_E_SYSTEM, W_FILE_STAGE, ECANCELED,
	    "'%.200s' was not changed", entry->path);
	if (entry->storage != NULL)
		w_engine_file_settle(
		    batch->engine, entry->storage, entry->start_ns, &failure);
}

void
writ_file_batch_commit(
    writ_file_batch *batch, bool stop, writ_file_done_fn done, void *ctx)
{
	if (batch->count == 0)
		return;
	sync_contents(batch);
	const size_t named = name_all(batch, stop);
	sync_names(batch, named);
	for (size_t i = 0; i < batch->count; i++) {
		if (i < named)
			settle(batch, &batch->entries[i], i, done, ctx);
		else
			drop(batch, &batch->entries[i]);
	}
	empty(batch);
}
