/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/manifest.h>: manifests that a host reads. */

#include "manifest/library/manifest_library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/words.h"
#include "data/json.h"
#include "manifest/facts/fact_files.h"

#define STAGE        "manifest"
#define NAMELESS     "memory"
#define STDIN_NAME   "stdin"
#define TEXTS_MAX    64
#define DATA_MAX     16
#define RENDERED_MAX ((size_t)512 << 20)
#define ROOM         256 /* around the properties of one resource */
#define JSON_DEPTH   (W_MANIFEST_DEPTH_MAX * 2)

void
writ_manifest_free(writ_manifest *manifest)
{
	if (manifest == NULL)
		return;
	w_manifest_free(manifest->read);
	w_manifest_session_free(manifest->session);
	w_facts_scope_free(manifest->facts);
	free(manifest->text);
	free(manifest->file);
	free(manifest->dir);
	free(manifest->path);
	free(manifest);
}

static void
manifest_library_done(writ_manifest **slot)
{
	writ_manifest_free(*slot);
}
#define W_AUTO_LIBRARY_MANIFEST __attribute__((cleanup(manifest_library_done)))

/* ---- what it is read with ---- */

/* The texts as strings: a reader of facts has no use for a NUL. */
static writ_status
copy_facts(const writ_manifest_options *options, struct w_words *out_texts,
    struct w_words *out_names, writ_error *err)
{
	if (options->fact_file_count > TEXTS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d files of facts", TEXTS_MAX);
	for (size_t i = 0; i < options->fact_file_count; i++) {
		const writ_manifest_text *text = &options->fact_files[i];
		const char *name = text->file == NULL ? NAMELESS : text->file;

		if (text->len > W_FACTS_BYTES_MAX)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the facts in '%s' are larger than 16MiB", name);
		if (text->len > 0 && memchr(text->text, '\0', text->len))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the facts in '%s' have a NUL byte in them", name);
		if (!w_words_add(out_texts, text->len > 0 ? text->text : "",
			text->len) ||
		    !w_words_add(out_names, name, strlen(name)))
			return w_fail_nomem(err, STAGE);
	}
	return WRIT_OK;
}

static writ_status
load_facts(writ_manifest *manifest, const writ_manifest_options *options,
    writ_error *err)
{
	W_AUTO_WORDS struct w_words texts = {.items = NULL};
	W_AUTO_WORDS struct w_words names = {.items = NULL};
	writ_status status = copy_facts(options, &texts, &names, err);
	const struct w_facts_options wanted = {
	    .files = (const char *const *)texts.items,
	    .names = (const char *const *)names.items,
	    .assignments = options->facts,
	    .find = w_fact_files_find,
	};

	return status == WRIT_OK
		   ? w_facts_scope_new(&wanted, &manifest->facts, err)
		   : status;
}

static writ_status
join_session(writ_manifest *manifest, const char *dir, writ_error *err)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true};

	if (dir == NULL)
		return WRIT_OK;
	writ_status status =
	    w_manifest_session_open(&options, &manifest->session, err);
	if (status == WRIT_E_NOTFOUND) {
		(void)w_fail(err, WRIT_E_NOTFOUND, "session", 0,
		    "session store '%s' does not exist", dir);
		w_suggest(err, "eval \"$(writ session new)\" makes one");
	}
	return status;
}

static writ_status
find_places(
    writ_manifest *manifest, const char *file, const char *dir, writ_error *err)
{
	const char *slash = file == NULL ? NULL : strrchr(file, '/');
	const char *name = slash == NULL ? file : slash + 1;

	manifest->dir = realpath(dir == NULL ? "." : dir, NULL);
	if (manifest->dir == NULL)
		return errno == ENOMEM
			   ? w_fail_nomem(err, STAGE)
			   : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
				 "cannot find the directory '%s'",
				 dir == NULL ? "." : dir);
	if (file != NULL) {
		manifest->file = strdup(file);
		if (manifest->file == NULL)
			return w_fail_nomem(err, STAGE);
	}
	if (file == NULL || strcmp(file, "-") == 0)
		manifest->path = strdup("-");
	else if (asprintf(&manifest->path, "%s/%s",
		     strcmp(manifest->dir, "/") == 0 ? "" : manifest->dir,
		     name) < 0)
		manifest->path = NULL;
	return manifest->path == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* ---- reading ---- */

static bool
library_knows(void *ctx, const char *type, const char *name)
{
	struct w_last_event past;

	return w_manifest_session_last(ctx, type, name, &past);
}

static void
tell_faults(const writ_manifest_options *options, const struct w_faults *faults,
    const struct w_faults *warnings)
{
	const writ_manifest_faults all = {
	    .size = sizeof(all),
	    .items = faults->items,
	    .count = faults->count,
	    .more = faults->more,
	    .warnings = warnings->items,
	    .warning_count = warnings->count,
	};

	if (options->on_faults != NULL &&
	    (faults->count > 0 || warnings->count > 0))
		options->on_faults(options->faults_ctx, &all);
}

/* A document around the properties of one resource begins with a line of its
 * own, which nobody wrote. */
static void
shift_lines(struct w_faults *faults, unsigned lines)
{
	for (size_t i = 0; i < faults->count; i++) {
		if (faults->items[i].line > lines)
			faults->items[i].line -= lines;
		else
			faults->items[i].line = faults->items[i].column = 0;
	}
}

static writ_status
read_text(writ_manifest *manifest, size_t len, unsigned lines,
    const writ_manifest_options *options, writ_error *err)
{
	const char *file = manifest->file;
	const struct w_expr_scope *scope = w_facts_scope_get(manifest->facts);
	struct w_faults faults = {.items = NULL};
	struct w_faults warnings = {.items = NULL};
	const struct w_manifest_input input = {
	    .file = file == NULL             ? NAMELESS
		    : strcmp(file, "-") == 0 ? STDIN_NAME
					     : file,
	    .dir = manifest->dir,
	    .text = manifest->text,
	    .len = len,
	    .scope = scope,
	    .knows = manifest->session != NULL ? library_knows : NULL,
	    .knows_ctx = manifest->session,
	    .hiera = options->data,
	    .hiera_count = options->data_count,
	    .reads_files = true,
	    .warnings = &warnings,
	};
	writ_error inner;
	writ_status status =
	    w_manifest_read(&input, &faults, &manifest->read, &inner);

	if (status == WRIT_OK) {
		w_manifest_scope_init(
		    &manifest->scope, manifest->read, input.scope);
	} else if (err != NULL) {
		*err = inner;
		err->line = err->line > lines ? err->line - lines : 0;
	}
	shift_lines(&faults, lines);
	shift_lines(&warnings, lines);
	tell_faults(options, &faults, &warnings);
	w_faults_done(&faults);
	w_faults_done(&warnings);
	return status;
}

/* Options of an older caller may be shorter than ours. */
static writ_manifest_options
options_of(const writ_manifest_options *given)
{
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;

	if (given != NULL && given->size >= sizeof(given->size))
		memcpy(&options, given,
		    given->size < sizeof(options) ? given->size
						  : sizeof(options));
	return options;
}

/* Takes the text, which ends with a NUL. */
static writ_status
make_manifest(char *text, size_t len, unsigned lines,
    const writ_manifest_options *options, writ_manifest **out_manifest,
    writ_error *err)
{
	W_AUTO_LIBRARY_MANIFEST writ_manifest *manifest =
	    calloc(1, sizeof(*manifest));

	if (manifest == NULL) {
		free(text);
		return w_fail_nomem(err, STAGE);
	}
	manifest->text = text;
	if (options->data_count > DATA_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d files of data", DATA_MAX);
	writ_status status =
	    find_places(manifest, options->file, options->dir, err);
	if (status == WRIT_OK)
		status = join_session(manifest, options->session, err);
	if (status == WRIT_OK)
		status = load_facts(manifest, options, err);
	if (status == WRIT_OK)
		status = read_text(manifest, len, lines, options, err);
	if (status == WRIT_OK)
		*out_manifest = w_take_ptr(&manifest);
	return status;
}

static writ_status
check_length(size_t len, writ_error *err)
{
	if (len <= W_MANIFEST_BYTES_MAX)
		return WRIT_OK;
	(void)w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "the manifest is larger than 64MiB");
	w_suggest(err, "several manifests, one after the other");
	return WRIT_E_INVALID;
}

writ_status
writ_manifest_read(const char *text, size_t len,
    const writ_manifest_options *opts, writ_manifest **out_manifest,
    writ_error *err)
{
	const writ_manifest_options options = options_of(opts);
	writ_status status = check_length(len, err);

	if (status != WRIT_OK)
		return status;
	char *copy = malloc(len + 1);
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	if (len > 0)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return make_manifest(copy, len, 0, &options, out_manifest, err);
}

/* A file or a pipe. */
static writ_status
read_whole(const char *path, struct w_buf *buf, writ_error *err)
{
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot open the manifest '%s'", path);
	const int error = w_buf_read(buf, fd);
	if (error == EFBIG)
		return check_length(SIZE_MAX, err);
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot read the manifest from '%s'", path);
	return WRIT_OK;
}

/* The directory of a path, as it is written. */
static char *
directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

writ_status
writ_manifest_open(const char *path, const writ_manifest_options *opts,
    writ_manifest **out_manifest, writ_error *err)
{
	writ_manifest_options options = options_of(opts);
	W_AUTO_FREE char *dir = directory_of(path);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_MANIFEST_BYTES_MAX);
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = read_whole(path, &text, err);
	if (status != WRIT_OK)
		return status;
	if (options.file == NULL)
		options.file = path;
	if (options.dir == NULL)
		options.dir = dir;
	size_t len;
	char *taken = w_buf_take(&text, &len);
	if (taken == NULL)
		return w_fail_nomem(err, STAGE);
	return make_manifest(taken, len, 0, &options, out_manifest, err);
}

/* ---- one resource ---- */

static writ_status
check_type(const char *type, writ_error *err)
{
	for (int i = 0; i < W_RESOURCE_TYPES; i++) {
		if (strcmp(type, w_resource_word((enum w_resource_type)i)) == 0)
			return WRIT_OK;
	}
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "there is no type of resource '%.64s'", type);
}

/* By itself it has to be an object, so that it cannot be more than one
 * resource. */
static writ_status
check_properties(const char *properties, size_t len, writ_error *err)
{
	const struct w_json_limits limits = {W_MANIFEST_BYTES_MAX, JSON_DEPTH};
	struct w_json *json = NULL;
	writ_status status = w_json_read(properties, len, &limits, &json, err);

	if (status != WRIT_OK)
		return status;
	if (!yyjson_is_obj(w_json_root(json)))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the properties of a resource are a JSON object");
	w_json_free(json);
	return status;
}

writ_status
writ_manifest_read_resource(const char *type, const char *properties,
    size_t len, const writ_manifest_options *opts, writ_manifest **out_manifest,
    writ_error *err)
{
	const writ_manifest_options options = options_of(opts);
	W_AUTO_BUF struct w_buf text;
	size_t total;
	writ_status status = check_length(len, err);

	w_buf_init(&text, W_MANIFEST_BYTES_MAX + ROOM);
	if (status == WRIT_OK)
		status = check_type(type, err);
	if (status == WRIT_OK)
		status = check_properties(properties, len, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_fmt(&text, "{\"ccm\":{\"resources\":[{\"%s\":\n", type);
	w_buf_add(&text, properties, len);
	w_buf_add_str(&text, "}]}}");
	char *made = w_buf_take(&text, &total);
	if (made == NULL)
		return w_fail_nomem(err, STAGE);
	return make_manifest(made, total, 1, &options, out_manifest, err);
}

/* ---- what was read ---- */

size_t
writ_manifest_count(const writ_manifest *manifest)
{
	return manifest->read->count;
}

writ_status
writ_manifest_look(const writ_manifest *manifest, size_t index,
    writ_manifest_resource *out_resource, writ_error *err)
{
	if (out_resource->size < sizeof(out_resource->size))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "writ_manifest_resource has no size");
	if (index >= manifest->read->count)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the manifest has %zu resources", manifest->read->count);
	const struct w_resource *resource = &manifest->read->resources[index];
	const size_t size = out_resource->size;
	const writ_manifest_resource found = {
	    .size = size,
	    .id = resource->id,
	    .type = w_resource_word(resource->type),
	    .name = resource->name.text,
	    .alias = resource->extras->alias.text,
	    .ensure = resource->ensure,
	    .provider = resource->provider,
	    .line = resource->at.line,
	    .column = resource->at.column,
	};
	memcpy(
	    out_resource, &found, size < sizeof(found) ? size : sizeof(found));
	return WRIT_OK;
}

const char *
writ_manifest_pre_message(const writ_manifest *manifest)
{
	return manifest->read->pre_message.text;
}

const char *
writ_manifest_post_message(const writ_manifest *manifest)
{
	return manifest->read->post_message.text;
}

const char *
writ_manifest_dir(const writ_manifest *manifest)
{
	return manifest->dir;
}

writ_status
writ_manifest_render(const writ_manifest *manifest, bool is_json,
    char **out_text, size_t *out_len, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	size_t len;

	w_buf_init(&text, RENDERED_MAX);
	w_manifest_render(&text, manifest->read, is_json);
	if (text.len > 0 && w_buf_last(&text) != '\n')
		w_buf_add_char(&text, '\n');
	char *made = w_buf_take(&text, &len);
	if (made == NULL)
		return w_fail_nomem(err, STAGE);
	*out_text = made;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}

const char *
writ_manifest_schema(size_t *out_len)
{
	size_t len;
	const char *schema = w_manifest_schema(&len);

	if (out_len != NULL)
		*out_len = len;
	return schema;
}
