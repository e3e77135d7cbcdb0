/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads YAML: builds a tree from the events of libyaml.
 *
 * libyaml does the grammar and the places; what a word means, what is refused
 * and every limit are decided here. Values are created in the order of the
 * text, and the tree stores them in that order, so value number n is at the
 * n-th mark. Nothing here recurses; the depth limit stops the parser before
 * libyaml's own handling of nested flows becomes slow.
 */

#include "data/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/encode.h"
#include "base/grow.h"
#include "base/position.h"
#include "base/size.h"
#include "data/json_keys.h"
#include "data/yaml_tree.h"

#define STAGE "yaml"

/* Line and column from 1, the column in bytes; the offset from 0. */
struct yaml_mark {
	unsigned line;
	unsigned column;
	unsigned offset;
};

/* A place in the text, found by walking on from the one before: values come in
 * the order of the text, so all places take one pass. Lines and columns are as
 * libyaml counts them: from 0, the column in characters. */
struct yaml_cursor {
	size_t line;
	size_t column;
	size_t line_start; /* in bytes, like the next */
	size_t at;
};

struct w_yaml {
	struct w_yaml_tree tree;
	char *text;
	size_t len;
	struct yaml_mark *marks; /* of the values, in the order of the tree */
	size_t count;
	size_t cap;
};

/* An open list or map. */
struct frame {
	size_t index; /* of its value */
	size_t len;   /* items, or keys and values */
	bool is_map;
};

struct composer {
	yaml_parser_t parser;
	struct w_yaml *yaml;
	struct yaml_cursor cursor;
	bool has_root;
	struct frame stack[W_YAML_DEPTH_MAX];
	size_t depth;
	size_t depth_max;
};

static unsigned
yaml_clamp(size_t value)
{
	return value < UINT_MAX ? (unsigned)value : UINT_MAX;
}

/* The length of the line break at text[at]; 0: none. These are the breaks that
 * libyaml counts. */
static size_t
break_len(const char *text, size_t len, size_t at)
{
	static const char *const breaks[] = {
	    "\r\n", "\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
	/* Rules out nearly every byte. */
	const unsigned char first = (unsigned char)text[at];

	if (first > '\r' && first != 0xc2 && first != 0xe2)
		return 0;

	for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
		size_t size = strlen(breaks[i]);

		if (size <= len - at && memcmp(text + at, breaks[i], size) == 0)
			return size;
	}
	return 0;
}

static void
walk_line(const struct w_yaml *yaml, struct yaml_cursor *cursor)
{
	size_t size = 0;

	while (size == 0 && cursor->at < yaml->len) {
		size = break_len(yaml->text, yaml->len, cursor->at);
		cursor->at += size > 0 ? size : 1;
	}
	cursor->line++;
	cursor->column = 0;
	cursor->line_start = cursor->at;
}

/* Converts a place in characters to one in bytes. */
static struct yaml_mark
yaml_find_place(
    const struct w_yaml *yaml, struct yaml_cursor *cursor, yaml_mark_t where)
{
	if (where.line < cursor->line ||
	    (where.line == cursor->line && where.column < cursor->column))
		*cursor = (struct yaml_cursor){.line = 0};
	while (cursor->line < where.line && cursor->at < yaml->len)
		walk_line(yaml, cursor);
	for (; cursor->column < where.column && cursor->at < yaml->len;
	     cursor->column++) {
		do {
			cursor->at++;
		} while (
		    cursor->at < yaml->len &&
		    ((unsigned char)yaml->text[cursor->at] & 0xc0) == 0x80);
	}
	return (struct yaml_mark){yaml_clamp(where.line + 1),
	    yaml_clamp(cursor->at - cursor->line_start + 1),
	    yaml_clamp(cursor->at)};
}

static writ_status
refuse_at(const struct composer *composer, yaml_mark_t where, writ_error *err,
    const char *why)
{
	struct yaml_cursor cursor = composer->cursor;
	struct yaml_mark mark = yaml_find_place(composer->yaml, &cursor, where);

	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s", why);
	w_locate(err, mark.line, mark.column);
	return WRIT_E_INVALID;
}

static writ_status
refuse_syntax(const struct composer *composer, writ_error *err)
{
	const yaml_parser_t *parser = &composer->parser;
	const char *problem = parser->problem;
	char why[200];

	if (parser->error == YAML_MEMORY_ERROR || problem == NULL)
		return w_fail_nomem(err, STAGE);
	(void)snprintf(why, sizeof(why), "not valid YAML: %s", problem);
	(void)refuse_at(composer, parser->problem_mark, err, why);
	/* For an invalid byte libyaml knows only the offset. */
	if (parser->error == YAML_READER_ERROR &&
	    parser->problem_offset < composer->yaml->len)
		w_locate_offset(
		    err, composer->yaml->text, parser->problem_offset);
	if (strstr(problem, "cannot start any token") != NULL)
		w_suggest(err, "indent with blanks, not with tabs, and quote "
			       "words that start with %% @ or `");
	else if (strstr(problem, "mapping values are not allowed") != NULL)
		w_suggest(err, "check the indentation, and quote text that has "
			       "': ' in it");
	else if (strstr(problem, "did not find expected ','") != NULL)
		w_suggest(err, "quote text that has { } [ ] or , in it");
	return WRIT_E_INVALID;
}

static bool
add_mark(struct composer *composer, yaml_mark_t where)
{
	struct w_yaml *yaml = composer->yaml;

	if (!w_grow(&yaml->marks, yaml->count, &yaml->cap))
		return false;
	yaml->marks[yaml->count++] =
	    yaml_find_place(yaml, &composer->cursor, where);
	return true;
}

/* Sets what JSON makes of a plain word; false: it is a string. */
static bool
set_plain(yyjson_val *val, const char *text)
{
	if (text[0] == '\0' || strcmp(text, "~") == 0 ||
	    strcmp(text, "null") == 0) {
		unsafe_yyjson_set_null(val);
		return true;
	}
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
		unsafe_yyjson_set_bool(val, text[0] == 't');
		return true;
	}
	if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
		return false;
	yyjson_val number = {0};
	const char *end = yyjson_read_number(text, &number, 0, NULL, NULL);
	if (end == NULL || *end != '\0')
		return false;
	*val = number;
	return true;
}

static bool
set_scalar(struct composer *composer, yyjson_val *val,
    const yaml_event_t *event, bool is_key)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;

	if (!is_key && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    set_plain(val, text))
		return true;
	const char *copy =
	    w_yaml_tree_text(&composer->yaml->tree, text, len, is_key);
	if (copy == NULL)
		return false;
	unsafe_yyjson_set_strn(val, copy, len);
	return true;
}

static struct frame *
top(struct composer *composer)
{
	return composer->depth > 0 ? &composer->stack[composer->depth - 1]
				   : NULL;
}

/* Not allowed: the document would mean more than it shows. */
static writ_status
check_plainness(
    const struct composer *composer, const yaml_event_t *event, writ_error *err)
{
	const yaml_char_t *anchor = NULL;
	const yaml_char_t *tag = NULL;

	if (event->type == YAML_ALIAS_EVENT) {
		anchor = event->data.alias.anchor;
	} else if (event->type == YAML_SCALAR_EVENT) {
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
	}
	if (anchor != NULL) {
		(void)refuse_at(composer, event->start_mark, err,
		    "anchors and aliases are not allowed");
		w_suggest(err, "write the value out, or quote text that "
			       "starts with & or *");
		return WRIT_E_INVALID;
	}
	if (tag != NULL) {
		(void)refuse_at(
		    composer, event->start_mark, err, "tags are not allowed");
		w_suggest(err, "quote text that starts with !");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
yaml_add_node(
    struct composer *composer, const yaml_event_t *event, writ_error *err)
{
	bool is_scalar = event->type == YAML_SCALAR_EVENT;
	struct frame *frame = top(composer);
	/* Of a map, each second one is a value. */
	bool is_key = frame != NULL && frame->is_map && frame->len % 2 == 0;
	struct w_yaml_tree *tree = &composer->yaml->tree;
	writ_status status = check_plainness(composer, event, err);

	if (status != WRIT_OK)
		return status;
	if (is_key && !is_scalar)
		return refuse_at(
		    composer, event->start_mark, err, "a key must be a word");
	if (!is_scalar && composer->depth == composer->depth_max)
		return refuse_at(composer, event->start_mark, err,
		    "nested deeper than the limit");
	yyjson_val *val = w_yaml_tree_add(tree);
	if (val == NULL || !add_mark(composer, event->start_mark) ||
	    (is_scalar && !set_scalar(composer, val, event, is_key)))
		return w_fail_nomem(err, STAGE);
	composer->has_root = true;
	if (frame != NULL)
		frame->len++;
	if (!is_scalar)
		composer->stack[composer->depth++] =
		    (struct frame){.index = tree->count - 1,
			.is_map = event->type == YAML_MAPPING_START_EVENT};
	return WRIT_OK;
}

static writ_status
start_document(
    const struct composer *composer, const yaml_event_t *event, writ_error *err)
{
	if (composer->has_root)
		return refuse_at(composer, event->start_mark, err,
		    "a second document starts here");
	if (event->data.document_start.version_directive != NULL ||
	    event->data.document_start.tag_directives.start !=
		event->data.document_start.tag_directives.end)
		return refuse_at(composer, event->start_mark, err,
		    "directives are not allowed");
	return WRIT_OK;
}

static void
close_container(struct composer *composer)
{
	const struct frame *frame = &composer->stack[--composer->depth];

	w_yaml_tree_close(&composer->yaml->tree, frame->index, frame->is_map,
	    frame->is_map ? frame->len / 2 : frame->len);
}

static writ_status
yaml_take_event(
    struct composer *composer, const yaml_event_t *event, writ_error *err)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return start_document(composer, event, err);
	case YAML_ALIAS_EVENT:
	case YAML_SCALAR_EVENT:
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return yaml_add_node(composer, event, err);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_container(composer);
		return WRIT_OK;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return WRIT_OK;
	}
	return WRIT_OK;
}

static writ_status
compose_events(struct composer *composer, writ_error *err)
{
	bool is_over = false;

	while (!is_over) {
		yaml_event_t event;

		if (!yaml_parser_parse(&composer->parser, &event))
			return refuse_syntax(composer, err);
		is_over = event.type == YAML_STREAM_END_EVENT;
		writ_status status = yaml_take_event(composer, &event, err);
		yaml_event_delete(&event);
		if (status != WRIT_OK)
			return status;
	}
	if (!composer->has_root)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the document is empty");
	return WRIT_OK;
}

static void
yaml_place_key(const void *yaml, const yyjson_val *key, unsigned *out_line,
    unsigned *out_column)
{
	w_yaml_place(yaml, key, out_line, out_column);
}

static writ_status
yaml_finish(struct composer *composer, writ_error *err)
{
	struct w_yaml *yaml = composer->yaml;
	struct yaml_mark *marks =
	    realloc(yaml->marks, yaml->count * sizeof(*marks));

	if (marks == NULL)
		return w_fail_nomem(err, STAGE);
	yaml->marks = marks;
	if (!w_yaml_tree_trim(&yaml->tree))
		return w_fail_nomem(err, STAGE);
	const struct w_json_keys_source source = {.vals = yaml->tree.vals,
	    .count = yaml->tree.count,
	    .stage = STAGE,
	    .place = yaml_place_key,
	    .ctx = yaml};
	return w_json_keys_check(&source, err);
}

static writ_status
compose(struct w_yaml *yaml, size_t depth_max, writ_error *err)
{
	struct composer composer = {.yaml = yaml, .depth_max = depth_max};
	writ_status status;

	if (!yaml_parser_initialize(&composer.parser))
		return w_fail_nomem(err, STAGE);
	yaml_parser_set_encoding(&composer.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	    &composer.parser, (const unsigned char *)yaml->text, yaml->len);
	status = compose_events(&composer, err);
	if (status == WRIT_OK)
		status = yaml_finish(&composer, err);
	yaml_parser_delete(&composer.parser);
	return status;
}

static writ_status
yaml_check_bytes(const char *text, size_t len,
    const struct w_json_limits *limits, writ_error *err)
{
	if (len > limits->bytes_max) {
		char have[W_SIZE_TEXT_MAX];
		char max[W_SIZE_TEXT_MAX];

		w_size_format(len, have);
		w_size_format(limits->bytes_max, max);
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the document has %s, the limit is %s", have, max);
	}
	if (!w_utf8_valid(text, len))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the document is not valid UTF-8");
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the document starts with a byte order mark");
		w_locate(err, 1, 1);
		w_suggest(err, "save it as UTF-8 without BOM");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_yaml_read(const char *text, size_t len, const struct w_json_limits *limits,
    struct w_yaml **out_yaml, writ_error *err)
{
	size_t depth_max = limits->depth_max < W_YAML_DEPTH_MAX
			       ? limits->depth_max
			       : W_YAML_DEPTH_MAX;
	writ_status status = yaml_check_bytes(text, len, limits, err);
	if (status != WRIT_OK)
		return status;

	struct w_yaml *yaml = calloc(1, sizeof(*yaml));
	if (yaml == NULL)
		return w_fail_nomem(err, STAGE);
	yaml->len = len;
	yaml->text = malloc(len + 1);
	if (yaml->text == NULL) {
		status = w_fail_nomem(err, STAGE);
	} else {
		memcpy(yaml->text, text, len);
		yaml->text[len] = '\0';
		status = compose(yaml, depth_max, err);
	}
	if (status != WRIT_OK) {
		w_yaml_free(yaml);
		return status;
	}
	*out_yaml = yaml;
	return WRIT_OK;
}

void
w_yaml_free(struct w_yaml *yaml)
{
	if (yaml == NULL)
		return;
	w_yaml_tree_done(&yaml->tree);
	free(yaml->marks);
	free(yaml->text);
	free(yaml);
}

void
w_yaml_forget_values(struct w_yaml *yaml)
{
	w_yaml_tree_forget(&yaml->tree);
	free(yaml->marks);
	yaml->marks = NULL;
	yaml->count = yaml->cap = 0;
}

yyjson_val *
w_yaml_root(const struct w_yaml *yaml)
{
	return yaml->tree.vals;
}

void
w_yaml_place(const struct w_yaml *yaml, const yyjson_val *val,
    unsigned *out_line, unsigned *out_column)
{
	size_t index = (size_t)(val - yaml->tree.vals);

	*out_line = yaml->marks[index].line;
	*out_column = yaml->marks[index].column;
}

const char *
w_yaml_text(const struct w_yaml *yaml, size_t *out_len)
{
	*out_len = yaml->len;
	return yaml->text;
}

size_t
w_yaml_offset(const struct w_yaml *yaml, const yyjson_val *val)
{
	return yaml->marks[val - yaml->tree.vals].offset;
}
