/* SPDX-License-Identifier: Apache-2.0 */

/*
 * $schema: which keywords apply. It names one of the two drafts, or a document
 * whose $vocabulary lists parts of 2020-12.
 */

#include <string.h>

#include "schema/compile/compiler.h"

#define VOCABULARY "https://json-schema.org/draft/2020-12/vocab/"

static const struct {
	const char *uri; /* after http:// or https://, without fragment */
	enum w_schema_draft draft;
} drafts[] = {
    {"json-schema.org/draft/2020-12/schema", W_SCHEMA_2020_12},
    {"json-schema.org/draft-07/schema", W_SCHEMA_DRAFT_07},
};

static const struct {
	const char *name;
	unsigned bit;
} vocabularies[] = {
    {"core", W_VOCABULARY_CORE},
    {"applicator", W_VOCABULARY_APPLICATOR},
    {"unevaluated", W_VOCABULARY_UNEVALUATED},
    {"validation", W_VOCABULARY_VALIDATION},
    {"format-assertion", W_VOCABULARY_FORMAT_ASSERTION},
    /* Annotations: nothing to validate. */
    {"format-annotation", 0},
    {"meta-data", 0},
    {"content", 0},
};

static bool
is_draft(const char *text, enum w_schema_draft *out_draft)
{
	size_t len = strcspn(text, "#");

	if (text[len] == '#' && text[len + 1] != '\0')
		return false;
	if (strncmp(text, "http://", 7) == 0) {
		text += 7;
		len -= 7;
	} else if (strncmp(text, "https://", 8) == 0) {
		text += 8;
		len -= 8;
	}
	for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++) {
		if (strlen(drafts[i].uri) == len &&
		    memcmp(drafts[i].uri, text, len) == 0) {
			*out_draft = drafts[i].draft;
			return true;
		}
	}
	return false;
}

static bool
find_vocabulary(const char *uri, unsigned *out_bit)
{
	size_t prefix = strlen(VOCABULARY);

	if (strncmp(uri, VOCABULARY, prefix) != 0)
		return false;
	for (size_t i = 0; i < sizeof(vocabularies) / sizeof(vocabularies[0]);
	     i++) {
		if (strcmp(uri + prefix, vocabularies[i].name) == 0) {
			*out_bit = vocabularies[i].bit;
			return true;
		}
	}
	return false;
}

static writ_status
read_vocabularies(
    struct w_compiler *compiler, yyjson_val *object, unsigned *out_bits)
{
	unsigned bits = W_VOCABULARY_CORE;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *is_needed;

	yyjson_obj_foreach(object, i, count, key, is_needed)
	{
		unsigned bit = 0;
		if (find_vocabulary(yyjson_get_str(key), &bit))
			bits |= bit;
		else if (yyjson_is_true(is_needed))
			return w_compile_fail(compiler, key,
			    "needs the vocabulary '%s', which is not known",
			    yyjson_get_str(key));
	}
	if (compiler->options.formats)
		bits |= W_VOCABULARY_FORMAT_ASSERTION;
	*out_bits = bits;
	return WRIT_OK;
}

static writ_status
dialect_refuse(struct w_compiler *compiler, yyjson_val *value)
{
	writ_status status = w_compile_fail(
	    compiler, value, "'%s' is not supported", yyjson_get_str(value));

	w_suggest(compiler->err,
	    "use https://json-schema.org/draft/2020-12/schema or "
	    "http://json-schema.org/draft-07/schema#");
	return status;
}

/* A metaschema given by the caller. Its own $schema must be one of the drafts,
 * which ends the recursion. */
static writ_status
read_custom(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource)
{
	const struct w_schema_options *options = &compiler->options;
	const char *uri = yyjson_get_str(value);
	size_t len = strcspn(uri, "#");
	yyjson_val *root = NULL;

	for (size_t i = 0; i < options->document_count; i++) {
		const struct w_schema_document *document =
		    &options->documents[i];
		if (strlen(document->uri) == len &&
		    memcmp(document->uri, uri, len) == 0)
			root = document->root;
	}
	if (root == NULL)
		return dialect_refuse(compiler, value);
	yyjson_val *above = yyjson_obj_get(root, "$schema");
	if (yyjson_is_str(above) &&
	    !is_draft(yyjson_get_str(above), &resource->draft))
		return dialect_refuse(compiler, value);
	yyjson_val *object = yyjson_obj_get(root, "$vocabulary");
	if (!yyjson_is_obj(object))
		return WRIT_OK;
	return read_vocabularies(compiler, object, &resource->vocabularies);
}

unsigned
w_dialect_vocabularies(const struct w_compiler *compiler)
{
	const unsigned all = ~0U;

	if (compiler->options.formats)
		return all;
	return all & ~(unsigned)W_VOCABULARY_FORMAT_ASSERTION;
}

writ_status
w_dialect_read(struct w_compiler *compiler, yyjson_val *value,
    struct w_schema_resource *resource)
{
	if (value == NULL)
		return WRIT_OK;
	if (!yyjson_is_str(value))
		return w_compile_fail_type(compiler, value, "a string");
	if (is_draft(yyjson_get_str(value), &resource->draft)) {
		resource->vocabularies = w_dialect_vocabularies(compiler);
		return WRIT_OK;
	}
	return read_custom(compiler, value, resource);
}
