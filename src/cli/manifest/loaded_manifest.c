/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Loads a manifest from a file.
 */

#include "cli/manifest/loaded_manifest.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/manifest/fact_files.h"
#include "cli/options/text_file.h"

#define STAGE          "manifest"
#define FACTS_FILE_MAX ((size_t)16 << 20)
#define FACTS_FILES    64
#define HIERA_FILES    16

static const struct w_text_file_kind manifest_kind = {
    .what = "manifest", .advice = "several manifests, one after the other"};
static const struct w_text_file_kind hiera_kind = {
    .what = "data", .advice = "a file with the data that is needed"};
static const struct w_text_file_kind facts_kind = {
    .what = "facts", .advice = "a file with the facts that are needed"};

void
w_cli_facts_done(struct w_fact_args *args)
{
	w_words_done(&args->assignments);
	w_words_done(&args->files);
	w_words_done(&args->hiera);
}

static writ_status
read_facts_files(
    const struct w_words *files, struct w_words *out_texts, writ_error *err)
{
	if (files->count > FACTS_FILES)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d files of facts", FACTS_FILES);
	for (size_t i = 0; i < files->count; i++) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, FACTS_FILE_MAX);
		writ_status status =
		    w_text_file_read(&facts_kind, files->items[i], &text, err);
		if (status != WRIT_OK)
			return status;
		if (strlen(text.data) != text.len)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the facts in '%s' have a NUL byte in them",
			    files->items[i]);
		if (!w_words_add(out_texts, text.data, text.len))
			return w_fail_nomem(err, STAGE);
	}
	return WRIT_OK;
}

writ_status
w_cli_facts_load(const struct w_fact_args *args,
    struct w_facts_scope **out_facts, writ_error *err)
{
	W_AUTO_WORDS struct w_words texts = {.items = NULL};
	writ_status status = read_facts_files(&args->files, &texts, err);
	const struct w_facts_options options = {
	    .files = (const char *const *)texts.items,
	    .names = (const char *const *)args->files.items,
	    .assignments = (const char *const *)args->assignments.items,
	    .find = w_cli_fact_files_find,
	};

	return status == WRIT_OK ? w_facts_scope_new(&options, out_facts, err)
				 : status;
}

/* The real path of the directory that holds path. */
static writ_status
loaded_manifest_find_dir(const char *path, char **out_dir, writ_error *err)
{
	const char *slash = path == NULL ? NULL : strrchr(path, '/');
	W_AUTO_FREE char *dir = NULL;

	if (slash == NULL)
		dir = strdup(".");
	else
		dir = strndup(path, slash == path ? 1 : (size_t)(slash - path));
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	char *real = realpath(dir, NULL);
	if (real == NULL)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot find the directory '%s'", dir);
	*out_dir = real;
	return WRIT_OK;
}

writ_status
w_loaded_open(
    struct w_loaded_manifest *loaded, const char *path, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;

	loaded->name = is_stdin ? "stdin" : path;
	if (strstr(path, "://") != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a manifest is not read from the network: '%s'", path);
		w_suggest(err, "fetch it first, and look at it");
		return WRIT_E_INVALID;
	}
	w_buf_init(&loaded->text, W_MANIFEST_BYTES_MAX);
	writ_status status =
	    w_text_file_read(&manifest_kind, path, &loaded->text, err);
	return status == WRIT_OK
		   ? loaded_manifest_find_dir(
			 is_stdin ? NULL : path, &loaded->dir, err)
		   : status;
}

writ_status
w_loaded_set(
    struct w_loaded_manifest *loaded, struct w_buf *text, writ_error *err)
{
	if (text->failed)
		return w_fail_nomem(err, STAGE);
	loaded->text = *text;
	w_buf_init(text, text->max);
	return loaded_manifest_find_dir(NULL, &loaded->dir, err);
}

/* The sources of --hiera; their texts are owned by out_texts. */
static writ_status
read_hiera_files(const struct w_words *files, struct w_words *out_texts,
    struct w_manifest_text out_sources[HIERA_FILES], writ_error *err)
{
	if (files->count > HIERA_FILES)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d files of data", HIERA_FILES);
	for (size_t i = 0; i < files->count; i++) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, FACTS_FILE_MAX);
		writ_status status =
		    w_text_file_read(&hiera_kind, files->items[i], &text, err);
		if (status != WRIT_OK)
			return status;
		if (!w_words_add(out_texts, text.data, text.len))
			return w_fail_nomem(err, STAGE);
		out_sources[i].file = files->items[i];
		out_sources[i].len = text.len;
	}
	for (size_t i = 0; i < files->count; i++)
		out_sources[i].text = out_texts->items[i];
	return WRIT_OK;
}

writ_status
w_loaded_read(struct w_loaded_manifest *loaded, const struct w_fact_args *args,
    bool (*knows)(void *ctx, const char *type, const char *name),
    void *knows_ctx, writ_error *err)
{
	W_AUTO_WORDS struct w_words texts = {.items = NULL};
	struct w_manifest_text hiera[HIERA_FILES];
	writ_status status = w_cli_facts_load(args, &loaded->facts, err);

	if (status == WRIT_OK)
		status = read_hiera_files(&args->hiera, &texts, hiera, err);
	if (status != WRIT_OK)
		return status;
	const struct w_manifest_input input = {
	    .file = loaded->name != NULL ? loaded->name : "command line",
	    .dir = loaded->dir,
	    .text = loaded->text.data,
	    .len = loaded->text.len,
	    .scope = w_facts_scope_get(loaded->facts),
	    .knows = knows,
	    .knows_ctx = knows_ctx,
	    .hiera = hiera,
	    .hiera_count = args->hiera.count,
	    .reads_files = true,
	    .warnings = &loaded->warnings,
	};
	status =
	    w_manifest_read(&input, &loaded->faults, &loaded->manifest, err);
	if (status == WRIT_OK)
		w_manifest_scope_init(
		    &loaded->scope, loaded->manifest, input.scope);
	return status;
}

void
w_loaded_done(struct w_loaded_manifest *loaded)
{
	w_manifest_free(loaded->manifest);
	w_faults_done(&loaded->faults);
	w_faults_done(&loaded->warnings);
	w_facts_scope_free(loaded->facts);
	free(loaded->dir);
	if (loaded->text.data != NULL)
		w_buf_done(&loaded->text);
	*loaded = (struct w_loaded_manifest){.name = NULL};
}
