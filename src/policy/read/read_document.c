/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads one file of a policy: its includes first, then its own keys in order.
 * So rules of included files come first, and their other settings are replaced
 * by later ones.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/position.h"
#include "data/json_words.h"
#include "policy/read/policy_reader.h"

/* agents > name > rules > rule > match > inputs > list, and some. */
#define DEPTH_MAX 16

static void
read_document_read_version(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	(void)target;
	(void)key;
	if (yyjson_is_uint(val) && yyjson_get_uint(val) == 1)
		return;
	(void)w_read_refuse(reader, val, "version must be 1");
	if (yyjson_equals_str(val, "1"))
		w_read_suggest(reader, "leave the quotes out");
}

/* Of the MCP tool. It cannot depend on the agent: tools are listed before
 * anybody calls one. */
static const char *const exec_shapes[] = {"argv", "story", "oxios", NULL};

#define MEMBER(member) offsetof(struct w_policy, member)

/* The profile of the sandbox is looked up later, by the sandbox layer. */
static const struct w_read_key keys[] = {
    {"version", .read = read_document_read_version},
    {"include", .read = NULL}, /* before all others */
    {"default", .read = w_read_default},
    {"sandbox", W_READ_LINE, .offset = MEMBER(terms.sandbox)},
    {"network", .read = w_read_network},
    {"judge", W_READ_WORD, MEMBER(terms.judge), .words = w_read_judge_words},
    {"undo", W_READ_WORD, MEMBER(terms.undo), .words = w_read_undo_words},
    {"roots", .read = w_read_roots},
    {"limits", .read = w_read_limits},
    {"environment", .read = w_read_environment},
    {"arguments", .read = w_read_arguments},
    {"shell", .read = w_read_shell},
    {"programs", .read = w_read_programs},
    {"exec_shape", W_READ_WORD, MEMBER(exec_shape), .words = exec_shapes},
    {"default_agent", .read = w_read_default_agent},
    {"agents", .read = w_read_agents},
    {"rules", .read = w_read_rules},
    {"expect", .read = w_read_expects},
    {.name = NULL},
};

/* Stops include loops, direct or indirect. */
static bool
check_chain(
    struct w_policy_reader *reader, const char *file, const yyjson_val *at)
{
	const struct w_read_document *above = reader->document;

	for (; above != NULL; above = above->parent) {
		if (strcmp(above->file, file) == 0)
			return w_read_refuse(
			    reader, at, "'%.128s' includes itself", file);
	}
	if (reader->document->depth == W_POLICY_DEPTH_MAX)
		return w_read_refuse(reader, at,
		    "more than %d files include each other",
		    W_POLICY_DEPTH_MAX);
	if (reader->document_count == W_POLICY_DOCUMENTS_MAX)
		return w_read_refuse(reader, at,
		    "more than %d files are included", W_POLICY_DOCUMENTS_MAX);
	return true;
}

static void
include(struct w_policy_reader *reader, yyjson_val *val)
{
	const struct w_policy_source *source = reader->source;
	const char *name = yyjson_get_str(val);
	W_AUTO_FREE char *text = NULL;
	W_AUTO_FREE char *file = NULL;
	size_t len = 0;
	writ_error err = {.status = WRIT_OK};

	if (source == NULL || source->include == NULL) {
		(void)w_read_refuse(
		    reader, val, "nothing can be included here");
		return;
	}
	if (source->include(source->ctx, name, reader->document->file, &text,
		&len, &file, &err) != WRIT_OK) {
		(void)w_read_refuse_error(reader, val, "include", &err);
		return;
	}
	if (check_chain(reader, file, val))
		w_read_document(reader, text, len, file);
}

static void
read_includes(struct w_policy_reader *reader, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;
	w_globs names = w_read_list(reader, val, "include", NULL, true);

	if (names == NULL)
		return;
	if (yyjson_is_str(val))
		include(reader, val);
	yyjson_arr_foreach(val, i, count, item) include(reader, item);
	/* Expectations of included files need not hold for the combined policy.
	 */
	reader->policy->expect_count = 0;
}

static void
read_document_read_root(struct w_policy_reader *reader, yyjson_val *root)
{
	yyjson_val *includes = yyjson_obj_get(root, "include");

	if (yyjson_is_null(root)) {
		(void)w_read_refuse(reader, root, "the policy is empty");
		w_read_suggest(reader, "begin with 'version: 1'");
		return;
	}
	if (includes != NULL)
		read_includes(reader, includes);
	if (!w_read_map(reader, root, "a policy", keys, reader->policy))
		return;
	if (yyjson_obj_get(root, "version") == NULL) {
		(void)w_read_refuse(reader, root, "the policy has no version");
		w_read_suggest(reader, "begin with 'version: 1'");
	}
}

/* Locates an error without a position: at the first invalid byte, else at the
 * start. */
static void
locate(const writ_error *err, const char *text, size_t len,
    struct w_policy_location *location)
{
	location->line = err->line;
	location->column = err->column;
	if (err->line > 0)
		return;
	const size_t bad = w_utf8_find_bad(text, len);
	w_position_of(
	    text, bad < len ? bad : 0, &location->line, &location->column);
}

/* Invalid YAML is one fault: parsing cannot continue after it. */
static bool
read_document_parse(
    struct w_policy_reader *reader, const char *text, size_t len)
{
	static const struct w_json_limits limits = {
	    .bytes_max = W_POLICY_TEXT_MAX, .depth_max = DEPTH_MAX};
	struct w_read_document *document = reader->document;
	writ_error err = {.status = WRIT_OK};
	struct w_policy_location location = {.file = document->file};

	if (w_yaml_read(text, len, &limits, &document->yaml, &err) == WRIT_OK)
		return true;
	if (err.status == WRIT_E_NOMEM) {
		reader->is_out_of_memory = true;
		return false;
	}
	reader->is_refused = true;
	locate(&err, text, len, &location);
	if (!w_policy_faults_add(reader->faults, &location, false, err.message,
		err.suggestion[0] != '\0' ? err.suggestion : NULL))
		reader->is_out_of_memory = true;
	return false;
}

void
w_read_document(struct w_policy_reader *reader, const char *text, size_t len,
    const char *file)
{
	struct w_policy *policy = reader->policy;
	struct w_read_document *const above = reader->document;
	struct w_read_document *document =
	    w_read_alloc(reader, 1, sizeof(*document));

	if (document == NULL)
		return;
	document->next = policy->documents;
	document->parent = above;
	document->depth = above != NULL ? above->depth + 1 : 1;
	document->bit = UINT64_C(1) << reader->document_count;
	document->file = w_read_copy(reader, file, strlen(file));
	policy->documents = document;
	reader->document_count++;
	reader->document = document;
	if (document->file != NULL && read_document_parse(reader, text, len))
		read_document_read_root(reader, w_yaml_root(document->yaml));
	if (above != NULL)
		above->includes |= document->bit | document->includes;
	reader->document = above;
}
