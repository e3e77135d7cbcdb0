/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Conditions on data, in the comments above a key:
 *
 *   # @require
 *   user: bob
 *   # @validate isIPv4(value)
 *   address: 10.0.0.1
 *
 * They are checked on the data as it is at last, so that an override can bring
 * what is required. A comment belongs to the key below it that is not less
 * indented; the lines between are comments too. Values are never shown.
 */

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "manifest/read/manifest_parser.h"

struct annotating {
	struct w_parser *parser;
	const char *text; /* the document */
	size_t len;
	char path[256]; /* of the current key */
	const struct w_value *value;
	bool is_whole;
};

struct annotation_scope {
	const struct w_manifest *manifest;
	const struct w_expr_scope *outer;
	const struct w_value *value;
};

static const struct w_value *
annotation_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	const struct annotation_scope *scope = ctx;

	if (root == W_ROOT_VALUE)
		return scope->value;
	if (root == W_ROOT_DATA)
		return &scope->manifest->data;
	return scope->outer->root(scope->outer->ctx, root, err);
}

/* ---- one annotation ---- */

static struct w_manifest_location
locate(const struct annotating *in, const char *at)
{
	struct w_manifest_location location = {
	    .line = 1, .column = 1, .offset = (unsigned)(at - in->text)};

	for (const char *c = in->text; c < at; c++) {
		location.column++;
		if (*c == '\n') {
			location.line++;
			location.column = 1;
		}
	}
	return location;
}

static bool
is_empty(const struct w_value *value)
{
	return value == NULL || value->kind == W_VALUE_NULL ||
	       (value->kind == W_VALUE_STRING && value->as.string.len == 0);
}

static void
require_value(struct annotating *in, const char *at)
{
	const struct w_manifest_location location = locate(in, at);

	if (!is_empty(in->value))
		return;
	in->is_whole = w_parse_refuse_at(in->parser, &location,
	    "data: key '%s' is required but has no value", in->path);
}

/* [at, end) is the expression. */
static void
validate_value(struct annotating *in, const char *at, const char *end)
{
	struct w_arena scratch = {.chunks = NULL};
	struct annotation_scope over = {.manifest = in->parser->manifest,
	    .outer = in->parser->input->scope};
	const struct w_expr_scope scope = {
	    .root = annotation_root, .ctx = &over};
	const struct w_manifest_location location = locate(in, at);
	const struct w_expr *expr;
	struct w_value text;
	writ_error err = {.status = WRIT_OK};
	bool holds = false;

	writ_status status =
	    w_expr_compile(&scratch, at, (size_t)(end - at), &expr, &err);
	/* Lists and maps have no text to look at. */
	const bool is_looked_at = in->value != NULL &&
				  in->value->kind != W_VALUE_LIST &&
				  in->value->kind != W_VALUE_MAP;
	if (status == WRIT_OK && is_looked_at) {
		char number[W_VALUE_NUMBER_MAX];

		text = *in->value;
		if (text.kind != W_VALUE_STRING)
			text = w_value_text(
			    number, w_value_put_number(number, in->value));
		/* So that no error shows it. */
		text.is_secret = true;
		over.value = &text;
		status = w_expr_test(expr, &scope, &scratch, &holds, &err);
	}
	if (status == WRIT_E_NOMEM)
		in->parser->is_out_of_memory = true;
	else if (status != WRIT_OK)
		in->is_whole = w_parse_refuse_at(in->parser, &location,
		    "data: key '%s' validation '%.*s' failed: %s", in->path,
		    (int)(end - at), at, err.message);
	else if (is_looked_at && !holds)
		in->is_whole = w_parse_refuse_at(in->parser, &location,
		    "data: key '%s' failed validation '%.*s'", in->path,
		    (int)(end - at), at);
	w_arena_done(&scratch);
}

static void
warn_unknown(struct annotating *in, const char *at, size_t len)
{
	static const char *const words[] = {
	    "require", "required", "validate", NULL};
	const struct w_manifest_location location = locate(in, at);
	char word[32];

	(void)snprintf(word, sizeof(word), "%.*s", (int)len, at);
	w_parse_warn(in->parser, &location,
	    "'@%s' in a comment of data is no annotation", word);
	const char *nearest = w_match_nearest(word, words);
	if (nearest != NULL)
		w_parse_warn_suggest(
		    in->parser, "did you mean '@%s'?", nearest);
}

/* One line of comment, from behind its '#' to its end. */
static void
read_comment(struct annotating *in, const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '#'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	if (at == end || *at != '@')
		return;
	const char *word = at + 1;
	const size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyz");
	const char *rest = word + len;

	if ((len == 7 && memcmp(word, "require", len) == 0) ||
	    (len == 8 && memcmp(word, "required", len) == 0)) {
		require_value(in, at);
		return;
	}
	if (len != 8 || memcmp(word, "validate", len) != 0) {
		if (len > 0)
			warn_unknown(in, word, len);
		return;
	}
	while (rest < end && *rest == ' ')
		rest++;
	validate_value(in, rest, end);
}

/* ---- comments of a key ---- */

/* The start of the line before the one that starts at `line`. */
static const char *
line_before(const struct annotating *in, const char *line)
{
	if (line == in->text)
		return NULL;
	line--;
	while (line > in->text && line[-1] != '\n')
		line--;
	return line;
}

/* Only a key with nothing but blanks before it has comments. */
static void
read_comments(struct annotating *in, const char *key)
{
	const char *line = key;

	while (line > in->text && line[-1] == ' ')
		line--;
	if (line > in->text && line[-1] != '\n')
		return;
	const size_t indent = (size_t)(key - line);
	for (line = line_before(in, line); line != NULL;
	     line = line_before(in, line)) {
		const char *at = line + strspn(line, " ");

		/* What is further in is the text of another value. */
		if (*at != '#' || (size_t)(at - line) > indent)
			break;
		read_comment(in, at + 1, at + strcspn(at, "\n"));
	}
}

static void
annotate_map(
    struct annotating *in, yyjson_val *map, const struct w_value *value)
{
	const size_t len = strlen(in->path);
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	yyjson_obj_foreach(map, i, count, key, item)
	{
		const struct w_value *member = w_value_member(
		    value, w_parse_word(key), yyjson_get_len(key));

		(void)snprintf(in->path + len, sizeof(in->path) - len,
		    "%s%.60s", len > 0 ? "." : "", w_parse_word(key));
		in->value = member;
		read_comments(in,
		    in->text + w_yaml_offset(in->parser->manifest->yaml, key));
		if (yyjson_is_obj(item) && member != NULL &&
		    member->kind == W_VALUE_MAP)
			annotate_map(in, item, member);
		in->path[len] = '\0';
	}
}

bool
w_parse_annotations(struct w_parser *parser, yyjson_val *data)
{
	struct annotating in = {.parser = parser, .is_whole = true};

	in.text = w_yaml_text(parser->manifest->yaml, &in.len);
	/* Most manifests have none. */
	if (data == NULL || memmem(in.text, in.len, "@", 1) == NULL)
		return true;
	annotate_map(&in, data, &parser->manifest->data);
	return in.is_whole;
}
