/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The elements of a binding file.
 *
 * An error in one element is a problem of that element, reported with its
 * place; reading goes on. An error of the file as a whole (not YAML, another
 * version, no list of bindings) ends it.
 */

#include <string.h>

#include "command/description/dotted_id.h"
#include "command/description/source_document.h"
#include "data/json_words.h"
#include "module/binding/binding.h"
#include "module/binding/module_builder.h"

#define STAGE   "module"
#define VERSION "1.0"

/* After these, only one more problem says that there are too many. */
#define PROBLEMS_MAX 100

struct binding_document_reader {
	struct w_source_document source;
	const struct w_binding_sink *sink;
	bool is_thorough;
	size_t problems;
};

static void
binding_document_locate(
    struct binding_document_reader *reader, yyjson_val *at, writ_error *err)
{
	unsigned line;
	unsigned column;

	w_source_document_place(&reader->source, at, &line, &column);
	w_locate(err, line, column);
}

static void
binding_document_tell(
    struct binding_document_reader *reader, yyjson_val *at, writ_error *problem)
{
	reader->problems++;
	if (reader->problems > PROBLEMS_MAX || problem == NULL)
		return;
	if (reader->problems == PROBLEMS_MAX) {
		(void)w_fail(problem, WRIT_E_INVALID, STAGE, 0,
		    "this and more is wrong with the file, after %d other "
		    "problems",
		    PROBLEMS_MAX - 1);
	}
	binding_document_locate(reader, at, problem);
	if (reader->sink->problem != NULL)
		reader->sink->problem(reader->sink->ctx, problem);
}

/* Puts the module's id before the message. */
static void
name_module(yyjson_val *element, writ_error *problem)
{
	const char *id = yyjson_get_str(yyjson_obj_get(element, "module_id"));
	const writ_error before = *problem;

	if (id == NULL || !w_dotted_id_valid(id))
		return;
	(void)w_fail(problem, before.status, before.stage, 0, "%s: %s", id,
	    before.message);
	problem->sys_errno = before.sys_errno;
	memcpy(
	    problem->suggestion, before.suggestion, sizeof(before.suggestion));
}

/* The result of checking an element. */
struct binding_document_verdict {
	yyjson_val *at; /* the error */
	bool is_usable; /* even if something is wrong */
};

static writ_status
check_module(struct binding_document_reader *reader, yyjson_val *element,
    struct binding_document_verdict *verdict, writ_error *err)
{
	struct w_module *module = NULL;
	writ_status status = w_module_new(element, &module, &verdict->at, err);

	verdict->is_usable = status == WRIT_OK;
	if (status == WRIT_OK && reader->is_thorough)
		status = w_module_builder_check(
		    module, &verdict->is_usable, &verdict->at, err);
	w_module_free(module);
	return status;
}

static writ_status
read_element(struct binding_document_reader *reader, yyjson_val *element,
    writ_error *err)
{
	struct binding_document_verdict verdict = {.at = element};
	writ_error problem = {.status = WRIT_OK};
	/* Formatting messages that are never shown would take minutes. */
	writ_error *to = reader->problems < PROBLEMS_MAX ? &problem : NULL;
	unsigned line;
	unsigned column;
	writ_status status = check_module(reader, element, &verdict, to);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		if (to != NULL)
			name_module(element, to);
		binding_document_tell(reader, verdict.at, to);
	}
	if (!verdict.is_usable)
		return WRIT_OK;
	w_source_document_place(&reader->source, element, &line, &column);
	return reader->sink->element(
	    reader->sink->ctx, element, line, column, err);
}

static writ_status
check_version(struct binding_document_reader *reader, writ_error *err)
{
	yyjson_val *root = reader->source.root;
	yyjson_val *version = yyjson_obj_get(root, "spec_version");

	if (yyjson_equals_str(version, VERSION))
		return WRIT_OK;
	if (version == NULL)
		(void)w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "there is no spec_version");
	else if (!yyjson_is_str(version))
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "spec_version must be text, not %s",
		    w_json_type_words(version));
	else
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "spec_version '%s' is not supported, only " VERSION,
		    yyjson_get_str(version));
	w_suggest(err, "spec_version: \"" VERSION "\"");
	binding_document_locate(reader, version != NULL ? version : root, err);
	return WRIT_E_INVALID;
}

static void
check_keys(struct binding_document_reader *reader)
{
	static const char *const names[] = {"spec_version", "bindings", NULL};
	yyjson_obj_iter iter = yyjson_obj_iter_with(reader->source.root);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		writ_error problem = {.status = WRIT_OK};

		if (yyjson_equals_str(key, names[0]) ||
		    yyjson_equals_str(key, names[1]))
			continue;
		(void)w_json_unknown_key(key, "key", names, STAGE, &problem);
		binding_document_tell(reader, key, &problem);
	}
}

static writ_status
binding_document_refuse_type(struct binding_document_reader *reader,
    const char *name, const char *wanted, yyjson_val *val, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s must be %s, not %s",
	    name, wanted, w_json_type_words(val));
	binding_document_locate(reader, val, err);
	return WRIT_E_INVALID;
}

static writ_status
binding_document_read_root(
    struct binding_document_reader *reader, writ_error *err)
{
	yyjson_val *root = reader->source.root;
	yyjson_val *bindings = yyjson_obj_get(root, "bindings");
	yyjson_val *element;
	size_t i;
	size_t count;

	if (!yyjson_is_obj(root))
		return binding_document_refuse_type(
		    reader, "a binding file", "a map", root, err);
	check_keys(reader);
	writ_status status = check_version(reader, err);
	if (status != WRIT_OK)
		return status;
	if (bindings == NULL) {
		(void)w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "there are no bindings");
		binding_document_locate(reader, root, err);
		return WRIT_E_INVALID;
	}
	if (!yyjson_is_arr(bindings))
		return binding_document_refuse_type(
		    reader, "bindings", "a list", bindings, err);
	yyjson_arr_foreach(bindings, i, count, element)
	{
		yyjson_val *id = yyjson_obj_get(element, "module_id");

		if (reader->sink->only == NULL ||
		    yyjson_equals_str(id, reader->sink->only))
			status = read_element(reader, element, err);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_binding_read_text(const char *text, size_t len, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err)
{
	struct binding_document_reader reader = {
	    .sink = sink, .is_thorough = is_thorough};
	writ_status status =
	    w_source_document_init(&reader.source, text, len, err);

	if (status == WRIT_OK)
		status = binding_document_read_root(&reader, err);
	w_source_document_done(&reader.source);
	return status;
}
