/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks tools against the limits of model providers. Most reject a whole
 * request because of one tool, so such a tool must not be listed. Each limit is
 * the strictest one known.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/json.h"
#include "mcp/tools/tool_list.h"
#include "mcp/tools/tool_list_state.h"

#define PREFIX "mcp__writ__" /* prefixed to names by some clients */

enum {
	FULL_NAME_MAX = 64,
	TITLE_MAX = 64,
	DESCRIPTION_MAX = 1024,
	KEY_MAX = 64,
	SCHEMA_MAX = 16 * 1024, /* bytes */
	DEPTH_MAX = 10,         /* nested schemas */
	PROPERTIES_MAX = 128,   /* in a whole schema */
	ENUM_MAX = 500,         /* values, in a whole schema */
	READ_DEPTH_MAX = 256,
	FAULT_MAX = 300,
};

static const char lower[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

struct lint {
	const struct w_tool *tool;
	w_tool_fault_fn fault;
	void *ctx;
	size_t properties;
	size_t values;
	bool is_deep; /* already reported */
	bool has_failed;
};

static void tool_lint_report(struct lint *lint, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
tool_lint_report(struct lint *lint, const char *fmt, ...)
{
	char text[FAULT_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	lint->fault(lint->ctx, lint->tool->name, text);
}

/* ---- texts ---- */

static void
tool_lint_check_name(struct lint *lint)
{
	const char *name = lint->tool->name;
	const size_t len = strlen(name);

	if (len == 0 || strspn(name, lower) != len)
		tool_lint_report(
		    lint, "its name has other characters than a-z 0-9 _");
	if (len > W_TOOL_NAME_MAX || len + strlen(PREFIX) > FULL_NAME_MAX)
		tool_lint_report(
		    lint, "its name is longer than %d", W_TOOL_NAME_MAX);
}

static void
check_texts(struct lint *lint)
{
	const char *description = lint->tool->description;

	if (lint->tool->title != NULL && strlen(lint->tool->title) > TITLE_MAX)
		tool_lint_report(
		    lint, "its title is longer than %d bytes", TITLE_MAX);
	if (description == NULL || description[0] == '\0')
		tool_lint_report(lint, "it has no description");
	else if (strlen(description) > DESCRIPTION_MAX)
		tool_lint_report(lint,
		    "its description is longer than %d bytes", DESCRIPTION_MAX);
}

/* ---- schemas ---- */

static void check_schema(
    struct lint *lint, yyjson_val *schema, const char *name, unsigned depth);

static void
check_root(struct lint *lint, yyjson_val *root, const char *which)
{
	static const char *const refused[] = {
	    "oneOf", "anyOf", "allOf", "not", "if", "enum", "const", NULL};

	if (!yyjson_equals_str(yyjson_obj_get(root, "type"), "object"))
		tool_lint_report(lint,
		    "the root of its %s schema is not of type object", which);
	for (size_t i = 0; refused[i] != NULL; i++) {
		if (yyjson_obj_get(root, refused[i]) != NULL)
			tool_lint_report(lint,
			    "the root of its %s schema has %s", which,
			    refused[i]);
	}
}

/* The values of an object that is not itself a schema; its keys are names. */
static void
check_named(
    struct lint *lint, yyjson_val *named, bool are_arguments, unsigned depth)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(named);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		const char *name = yyjson_get_str(key);
		const size_t len = yyjson_get_len(key);

		lint->properties += are_arguments;
		if (are_arguments && (len == 0 || len > KEY_MAX ||
					 strspn(name, key_letters) != len))
			tool_lint_report(lint,
			    "the argument '%.64s' has a name that is "
			    "not 1 to 64 of A-Z a-z 0-9 _ . -",
			    name);
		check_schema(
		    lint, yyjson_obj_iter_get_val(key), name, depth + 1);
	}
}

static void
check_keywords(struct lint *lint, yyjson_val *schema, const char *name)
{
	static const char *const references[] = {
	    "$ref", "$dynamicRef", "$recursiveRef", NULL};

	for (size_t i = 0; references[i] != NULL; i++) {
		if (yyjson_obj_get(schema, references[i]) != NULL)
			tool_lint_report(
			    lint, "'%.64s' has a %s", name, references[i]);
	}
	if (yyjson_equals_str(yyjson_obj_get(schema, "type"), "array") &&
	    yyjson_obj_get(schema, "items") == NULL &&
	    yyjson_obj_get(schema, "prefixItems") == NULL)
		tool_lint_report(lint,
		    "'%.64s' is an array whose items are not described", name);
	lint->values += yyjson_arr_size(yyjson_obj_get(schema, "enum"));
}

static void
check_inner(
    struct lint *lint, yyjson_val *schema, const char *name, unsigned depth)
{
	static const char *const single[] = {"items", "contains",
	    "additionalProperties", "propertyNames", "not", "if", "then",
	    "else", "unevaluatedItems", "unevaluatedProperties", NULL};
	static const char *const lists[] = {
	    "oneOf", "anyOf", "allOf", "prefixItems", NULL};
	static const char *const maps[] = {"patternProperties", "$defs",
	    "definitions", "dependentSchemas", NULL};

	check_named(lint, yyjson_obj_get(schema, "properties"), true, depth);
	for (size_t i = 0; maps[i] != NULL; i++)
		check_named(
		    lint, yyjson_obj_get(schema, maps[i]), false, depth);
	for (size_t i = 0; single[i] != NULL; i++)
		check_schema(
		    lint, yyjson_obj_get(schema, single[i]), name, depth + 1);
	for (size_t i = 0; lists[i] != NULL; i++) {
		yyjson_arr_iter iter =
		    yyjson_arr_iter_with(yyjson_obj_get(schema, lists[i]));
		yyjson_val *item;

		while ((item = yyjson_arr_iter_next(&iter)) != NULL)
			check_schema(lint, item, name, depth + 1);
	}
}

static void
check_schema(
    struct lint *lint, yyjson_val *schema, const char *name, unsigned depth)
{
	if (!yyjson_is_obj(schema))
		return;
	if (depth > DEPTH_MAX) {
		if (!lint->is_deep)
			tool_lint_report(lint,
			    "'%.64s' is more than %d levels deep", name,
			    DEPTH_MAX);
		lint->is_deep = true;
		return;
	}
	check_keywords(lint, schema, name);
	check_inner(lint, schema, name, depth);
}

static void
check_sizes(struct lint *lint, const char *text)
{
	const size_t len = strlen(text);

	if (len > SCHEMA_MAX)
		tool_lint_report(lint, "its schema has %zu bytes, more than %d",
		    len, SCHEMA_MAX);
	if (lint->properties > PROPERTIES_MAX)
		tool_lint_report(lint, "it has %zu arguments, more than %d",
		    lint->properties, PROPERTIES_MAX);
	if (lint->values > ENUM_MAX)
		tool_lint_report(lint,
		    "its schema lists %zu values, more than %d", lint->values,
		    ENUM_MAX);
}

static void
tool_lint_check_text(struct lint *lint, const char *text, const char *which)
{
	const struct w_json_limits limits = {strlen(text), READ_DEPTH_MAX};
	struct w_json *document = NULL;
	writ_error err;

	if (w_json_read(text, strlen(text), &limits, &document, &err) !=
	    WRIT_OK) {
		lint->has_failed =
		    lint->has_failed || err.status == WRIT_E_NOMEM;
		tool_lint_report(lint, "its %s schema cannot be read: %s",
		    which, err.message);
		return;
	}
	lint->properties = 0;
	lint->values = 0;
	lint->is_deep = false;
	check_root(lint, w_json_root(document), which);
	check_schema(lint, w_json_root(document), lint->tool->name, 0);
	check_sizes(lint, text);
	w_json_free(document);
}

bool
w_tool_lint(const struct w_tool *tool, w_tool_fault_fn fault, void *ctx)
{
	struct lint lint = {.tool = tool, .fault = fault, .ctx = ctx};

	tool_lint_check_name(&lint);
	check_texts(&lint);
	tool_lint_check_text(&lint, tool->input_schema, "input");
	if (tool->output_schema != NULL)
		tool_lint_check_text(&lint, tool->output_schema, "output");
	return !lint.has_failed;
}
