/* SPDX-License-Identifier: Apache-2.0 */

/* An explanation as a page: the verdict, why a command was not understood, and
 * the tree of commands. */

#include "cli/module/explanation.h"

#include <string.h>

#include "base/auto.h"
#include "base/printable.h"

#define INDENT     2
#define VERB_WIDTH 12
#define WIDTH_MIN  20
#define TEXT_MAX   ((size_t)1 << 20)

struct layout {
	struct w_buf *buf;
	bool has_colour;
};

static void
paint(const struct layout *layout, const char *colour)
{
	if (layout->has_colour)
		w_buf_add_fmt(layout->buf, "\033[%sm", colour);
}

static void
explanation_indent(const struct layout *layout, size_t depth)
{
	for (size_t i = 0; i < depth * INDENT; i++)
		w_buf_add_char(layout->buf, ' ');
}

static const char *
explanation_text_of(yyjson_val *node, const char *name)
{
	return yyjson_get_str(yyjson_obj_get(node, name));
}

static bool
is_understood(yyjson_val *node)
{
	return yyjson_is_true(yyjson_obj_get(node, "understood"));
}

/* ---- what was not understood ---- */

static void
explanation_add_reason(const struct layout *layout, yyjson_val *node)
{
	yyjson_val *reason = yyjson_obj_get(node, "reason");
	const char *message = explanation_text_of(reason, "message");
	const char *suggestion = explanation_text_of(reason, "suggestion");

	if (message == NULL)
		return;
	w_buf_add_char(layout->buf, '\n');
	w_explanation_add_mark(layout->buf, node);
	if (suggestion == NULL)
		return;
	w_buf_add_str(layout->buf, "  try: ");
	(void)w_printable_add(layout->buf, suggestion, 0);
	w_buf_add_char(layout->buf, '\n');
}

/* The innermost command that was not understood has the cause. */
static yyjson_val *
find_fault(yyjson_val *node)
{
	size_t i;
	size_t count;
	yyjson_val *inner;

	yyjson_arr_foreach(yyjson_obj_get(node, "runs"), i, count, inner)
	{
		if (!is_understood(inner) &&
		    explanation_text_of(
			yyjson_obj_get(inner, "reason"), "message") != NULL)
			return find_fault(inner);
	}
	return node;
}

static void
add_verdict(const struct layout *layout, yyjson_val *root)
{
	yyjson_val *fault = find_fault(root);
	const char *message =
	    explanation_text_of(yyjson_obj_get(fault, "reason"), "message");
	const bool has_effects =
	    yyjson_arr_size(yyjson_obj_get(root, "effects")) > 0;

	paint(layout, is_understood(root) ? "1" : "1;31");
	if (!is_understood(root)) {
		w_buf_add_str(layout->buf, "not understood: ");
		(void)w_printable_add(
		    layout->buf, message == NULL ? "no reason" : message, 0);
	} else {
		w_explanation_add_verdict(layout->buf, root);
	}
	paint(layout, "0");
	w_buf_add_char(layout->buf, '\n');
	if (is_understood(root))
		return;
	if (has_effects) {
		w_buf_add_str(layout->buf, "at least: ");
		w_explanation_add_verdict(layout->buf, root);
		w_buf_add_char(layout->buf, '\n');
	}
	explanation_add_reason(layout, fault);
}

/* ---- the tree ---- */

/* The source of a touch: "word 3, output". */
static void
add_source(struct w_buf *text, yyjson_val *touch)
{
	yyjson_val *word = yyjson_obj_get(touch, "word");
	const char *const says[] = {explanation_text_of(touch, "parameter"),
	    explanation_text_of(touch, "why")};

	if (yyjson_is_uint(word))
		w_buf_add_fmt(text, "word %u", (unsigned)yyjson_get_uint(word));
	for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		if (says[i] == NULL)
			continue;
		w_buf_add_str(text, text->len > 0 ? ", " : "");
		(void)w_printable_add(text, says[i], 0);
	}
}

static void
explanation_add_target(struct w_buf *text, yyjson_val *touch)
{
	const char *kind = "";
	yyjson_val *target = w_explanation_target(touch, &kind);

	if (target == NULL)
		w_buf_add_char(text, '-');
	else if (yyjson_is_null(target))
		w_buf_add_str(text, "(known only when it runs)");
	else
		w_explanation_add_target(text, touch);
}

static size_t
target_width(yyjson_val *touches)
{
	size_t width = WIDTH_MIN;
	size_t i;
	size_t count;
	yyjson_val *touch;

	yyjson_arr_foreach(touches, i, count, touch)
	{
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, TEXT_MAX);
		explanation_add_target(&text, touch);
		if (text.len > width && text.len < 2 * (size_t)WIDTH_MIN)
			width = text.len;
	}
	return width;
}

/* Deleting, running code and publishing are highlighted. */
static bool
explanation_is_harmful(const char *effect)
{
	static const char *const harmful[] = {
	    "delete", "code", "publish", "priv", "irreversible"};

	for (size_t i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++) {
		if (strcmp(harmful[i], effect) == 0)
			return true;
	}
	return false;
}

static void
explanation_pad(const struct layout *layout, size_t used, size_t width)
{
	for (; used < width; used++)
		w_buf_add_char(layout->buf, ' ');
	w_buf_add_str(layout->buf, "  ");
}

static void
explanation_add_touch(
    const struct layout *layout, yyjson_val *touch, size_t depth, size_t width)
{
	const char *effect = explanation_text_of(touch, "effect");
	const char *verb = w_explanation_verb(effect == NULL ? "" : effect);
	W_AUTO_BUF struct w_buf target;
	W_AUTO_BUF struct w_buf source;

	w_buf_init(&target, TEXT_MAX);
	w_buf_init(&source, TEXT_MAX);
	explanation_add_target(&target, touch);
	add_source(&source, touch);
	explanation_indent(layout, depth);
	paint(layout,
	    effect != NULL && explanation_is_harmful(effect) ? "31" : "0");
	w_buf_add_str(layout->buf, verb);
	paint(layout, "0");
	explanation_pad(layout, strlen(verb), VERB_WIDTH);
	w_buf_add(layout->buf, target.data, target.len);
	if (source.len > 0)
		explanation_pad(layout, target.len, width);
	w_buf_add(layout->buf, source.data, source.len);
	w_buf_add_char(layout->buf, '\n');
}

static void
add_helpers(const struct layout *layout, yyjson_val *helpers, size_t depth)
{
	size_t i;
	size_t count;
	yyjson_val *helper;

	if (yyjson_arr_size(helpers) == 0)
		return;
	explanation_indent(layout, depth);
	w_buf_add_str(layout->buf, "by itself");
	explanation_pad(layout, strlen("by itself"), VERB_WIDTH);
	yyjson_arr_foreach(helpers, i, count, helper)
	{
		w_buf_add_str(layout->buf, i > 0 ? ", " : "");
		w_explanation_add_text(layout->buf, helper);
	}
	w_buf_add_char(layout->buf, '\n');
}

static void
add_how(const struct layout *layout, yyjson_val *node)
{
	static const struct {
		const char *word;
		const char *says;
	} rows[] = {
	    {"remote", "on another machine"},
	    {"joined", "by a shell there"},
	    {"appended", "with more words"},
	    {"placed", "with {} replaced"},
	    {"shell", "by a shell"},
	    {"elsewhere", "in another directory"},
	};
	const char *comma = " (";
	bool is_joined = false; /* which already says that a shell does it */
	size_t i;
	size_t count;
	yyjson_val *how;

	w_buf_add_str(layout->buf, "runs");
	yyjson_arr_foreach(yyjson_obj_get(node, "how"), i, count, how)
	{
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			if (!yyjson_equals_str(how, rows[k].word) ||
			    (is_joined && strcmp(rows[k].word, "shell") == 0))
				continue;
			is_joined =
			    is_joined || strcmp(rows[k].word, "joined") == 0;
			w_buf_add_fmt(layout->buf, "%s%s", comma, rows[k].says);
			comma = ", ";
		}
	}
	w_buf_add_str(layout->buf, comma[0] == ',' ? "): " : ": ");
}

static void
add_origin(const struct layout *layout, yyjson_val *node)
{
	const char *id = explanation_text_of(node, "module");
	yyjson_val *origin = yyjson_obj_get(node, "description");

	paint(layout, "2");
	if (id != NULL)
		w_buf_add_fmt(layout->buf, "  [%s", id);
	if (id != NULL && origin != NULL && !yyjson_is_null(origin) &&
	    !yyjson_equals_str(origin, "builtin")) {
		w_buf_add_str(layout->buf, ", ");
		w_explanation_add_text(layout->buf, origin);
	}
	if (id != NULL)
		w_buf_add_char(layout->buf, ']');
	else if (!is_understood(node))
		w_buf_add_str(layout->buf, "  [?]");
	paint(layout, "0");
	w_buf_add_char(layout->buf, '\n');
}

/* The recursion is bounded by the library's depth limit. */
static void
explanation_add_node(
    const struct layout *layout, yyjson_val *node, size_t depth)
{
	yyjson_val *touches = yyjson_obj_get(node, "touches");
	const size_t width = target_width(touches);
	size_t i;
	size_t count;
	yyjson_val *touch;
	yyjson_val *inner;

	explanation_indent(layout, depth);
	if (depth > 0)
		add_how(layout, node);
	paint(layout, "1");
	w_explanation_add_words(layout->buf, node);
	paint(layout, "0");
	add_origin(layout, node);
	yyjson_arr_foreach(touches, i, count, touch)
	{
		explanation_add_touch(layout, touch, depth + 1, width);
	}
	add_helpers(layout, yyjson_obj_get(node, "helpers"), depth + 1);
	yyjson_arr_foreach(yyjson_obj_get(node, "runs"), i, count, inner)
	{
		explanation_add_node(layout, inner, depth + 1);
	}
}

void
w_explanation_add(struct w_buf *buf, const struct w_explanation *explanation)
{
	const struct layout layout = {
	    .buf = buf, .has_colour = explanation->has_colour};

	add_verdict(&layout, explanation->root);
	w_buf_add_char(buf, '\n');
	explanation_add_node(&layout, explanation->root, 0);
}
