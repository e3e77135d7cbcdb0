/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Loads a manifest from a file.
 */

#include "cli/manifest/loaded_manifest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/options/text_file.h"
#include "manifest/facts/fact_files.h"
#include "manifest/manifest.h"

#define STAGE         "manifest"
#define TEXT_FILE_MAX ((size_t)16 << 20)
#define TEXT_FILES    64
#define HIERA_FILES   16

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

/* The texts of files: those of facts, or of --hiera. */
struct text_files {
	const struct w_text_file_kind *kind;
	size_t most;
	struct w_words texts;
	writ_manifest_text items[TEXT_FILES];
};

static writ_status
read_text_files(
    struct text_files *files, const struct w_words *paths, writ_error *err)
{
	if (paths->count > files->most)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %zu files of %s", files->most,
		    files->kind->what);
	for (size_t i = 0; i < paths->count; i++) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, TEXT_FILE_MAX);
		writ_status status =
		    w_text_file_read(files->kind, paths->items[i], &text, err);
		if (status != WRIT_OK)
			return status;
		if (files->kind == &facts_kind && strlen(text.data) != text.len)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the facts in '%s' have a NUL byte in them",
			    paths->items[i]);
		if (!w_words_add(&files->texts, text.data, text.len))
			return w_fail_nomem(err, STAGE);
		files->items[i] = (writ_manifest_text){
		    .file = paths->items[i], .len = text.len};
	}
	/* The list may have moved while it grew. */
	for (size_t i = 0; i < paths->count; i++)
		files->items[i].text = files->texts.items[i];
	return WRIT_OK;
}

writ_status
w_cli_facts_load(const struct w_fact_args *args,
    struct w_facts_scope **out_facts, writ_error *err)
{
	struct text_files files = {.kind = &facts_kind, .most = TEXT_FILES};
	writ_status status = read_text_files(&files, &args->files, err);
	const struct w_facts_options options = {
	    .files = (const char *const *)files.texts.items,
	    .names = (const char *const *)args->files.items,
	    .assignments = (const char *const *)args->assignments.items,
	    .find = w_fact_files_find,
	};

	if (status == WRIT_OK)
		status = w_facts_scope_new(&options, out_facts, err);
	w_words_done(&files.texts);
	return status;
}

/* The directory that holds path, as it is written. */
static writ_status
loaded_manifest_find_dir(const char *path, char **out_dir, writ_error *err)
{
	const char *slash = path == NULL ? NULL : strrchr(path, '/');

	*out_dir =
	    slash == NULL
		? strdup(".")
		: strndup(path, slash == path ? 1 : (size_t)(slash - path));
	return *out_dir == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_loaded_open(
    struct w_loaded_manifest *loaded, const char *path, writ_error *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;

	loaded->path = path;
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

static void
keep_faults(struct w_faults *faults, const writ_manifest_fault *items,
    size_t count, size_t more)
{
	for (size_t i = 0; i < count; i++) {
		writ_error err = {
		    .line = items[i].line, .column = items[i].column};

		(void)snprintf(
		    err.message, sizeof(err.message), "%s", items[i].message);
		w_faults_add(faults, &err);
		if (items[i].suggestion != NULL)
			w_faults_suggest(faults, items[i].suggestion);
		if (items[i].resource != NULL)
			w_faults_blame(faults, items[i].resource);
	}
	faults->more += more;
}

static void
on_faults(void *ctx, const writ_manifest_faults *found)
{
	struct w_loaded_manifest *loaded = ctx;

	keep_faults(&loaded->faults, found->items, found->count, found->more);
	keep_faults(
	    &loaded->warnings, found->warnings, found->warning_count, 0);
}

writ_status
w_loaded_read(struct w_loaded_manifest *loaded, const struct w_fact_args *args,
    const char *session, writ_error *err)
{
	struct text_files facts = {.kind = &facts_kind, .most = TEXT_FILES};
	struct text_files hiera = {.kind = &hiera_kind, .most = HIERA_FILES};
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_status status = read_text_files(&facts, &args->files, err);

	if (status == WRIT_OK)
		status = read_text_files(&hiera, &args->hiera, err);
	options.file = loaded->path != NULL ? loaded->path : "command line";
	options.dir = loaded->dir;
	options.facts = (const char *const *)args->assignments.items;
	options.fact_files = facts.items;
	options.fact_file_count = args->files.count;
	options.data = hiera.items;
	options.data_count = args->hiera.count;
	options.session = session;
	options.on_faults = on_faults;
	options.faults_ctx = loaded;
	if (status == WRIT_OK)
		status = writ_manifest_read(loaded->text.data, loaded->text.len,
		    &options, &loaded->manifest, err);
	w_words_done(&facts.texts);
	w_words_done(&hiera.texts);
	return status;
}

void
w_loaded_done(struct w_loaded_manifest *loaded)
{
	writ_manifest_free(loaded->manifest);
	w_faults_done(&loaded->faults);
	w_faults_done(&loaded->warnings);
	free(loaded->dir);
	if (loaded->text.data != NULL)
		w_buf_done(&loaded->text);
	*loaded = (struct w_loaded_manifest){.name = NULL};
}
