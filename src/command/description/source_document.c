/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a binding file as JSON or YAML. JSON is nearly a subset of YAML, except
 * for escaped surrogates and unescaped line separators in strings; so a text
 * that begins with a brace is tried as JSON first.
 */

#include "command/description/source_document.h"

#include <limits.h>
#include <string.h>

static const struct w_json_limits limits = {
    .bytes_max = W_SOURCE_DOCUMENT_BYTES_MAX, .depth_max = W_YAML_DEPTH_MAX};

static writ_status
read_yaml(struct w_source_document *source, const char *text, size_t len,
    writ_error *err)
{
	writ_status status =
	    w_yaml_read(text, len, &limits, &source->yaml, err);

	if (status == WRIT_OK)
		source->root = w_yaml_root(source->yaml);
	return status;
}

static size_t
source_document_skip_blanks(const char *text, size_t len, size_t at)
{
	while (
	    at < len && text[at] != '\0' && strchr(" \t\r\n", text[at]) != NULL)
		at++;
	return at;
}

/* A brace and a quoted key, or empty braces. */
static bool
looks_like_json(const char *text, size_t len)
{
	size_t at = source_document_skip_blanks(text, len, 0);

	if (at == len || text[at] != '{')
		return false;
	at = source_document_skip_blanks(text, len, at + 1);
	return at < len && (text[at] == '"' || text[at] == '}');
}

writ_status
w_source_document_init(struct w_source_document *source, const char *text,
    size_t len, writ_error *err)
{
	writ_error why;
	writ_status status;

	*source = (struct w_source_document){.text = text};
	if (!looks_like_json(text, len))
		return read_yaml(source, text, len, err);
	status = w_json_read(text, len, &limits, &source->json, &why);
	if (status == WRIT_OK) {
		source->root = w_json_root(source->json);
		return WRIT_OK;
	}
	/* Maybe a YAML flow map; if it is neither, the JSON error is
	 * reported. */
	if (status == WRIT_E_INVALID &&
	    read_yaml(source, text, len, NULL) == WRIT_OK)
		return WRIT_OK;
	if (err != NULL)
		*err = why;
	return status;
}

void
w_source_document_done(struct w_source_document *source)
{
	w_yaml_free(source->yaml);
	w_json_free(source->json);
	*source = (struct w_source_document){.yaml = NULL};
}

static void
source_document_count_lines(struct w_source_document *source, size_t offset)
{
	const char *newline;

	if (offset < source->at) {
		source->at = 0;
		source->line = 0;
		source->line_start = 0;
	}
	while ((newline = memchr(source->text + source->at, '\n',
		    offset - source->at)) != NULL) {
		source->at = (size_t)(newline - source->text) + 1;
		source->line_start = source->at;
		source->line++;
	}
	source->at = offset;
}

/* yyjson knows only the places of strings: the first key of a map will do, and
 * for a number the string before it. */
static size_t
find_offset(const struct w_source_document *source, yyjson_val *val)
{
	size_t offset = 0;

	if (yyjson_is_ctn(val) && yyjson_get_len(val) > 0 &&
	    w_json_offset(source->json, val + 1, &offset))
		return offset;
	while (
	    !w_json_offset(source->json, val, &offset) && val != source->root)
		val--;
	return offset;
}

void
w_source_document_place(struct w_source_document *source, yyjson_val *val,
    unsigned *out_line, unsigned *out_column)
{
	if (source->yaml != NULL) {
		w_yaml_place(source->yaml, val, out_line, out_column);
		return;
	}
	size_t offset = find_offset(source, val);
	source_document_count_lines(source, offset);
	/* The limit on bytes is far below UINT_MAX. */
	*out_line = (unsigned)source->line + 1;
	*out_column = (unsigned)(offset - source->line_start) + 1;
}
