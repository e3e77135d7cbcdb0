/* SPDX-License-Identifier: Apache-2.0 */

/* An analysis as JSON. Secrets are masked in the words first, and everything
 * shown is made from those words: the argv and the arguments alike. */

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "command/analysis/analysis.h"
#include "data/json.h"

#define HIDDEN   "***"
#define WORD_MAX (16U << 20U)

static void add_analysis(struct w_buf *buf, const struct w_analysis *analysis);

static void
analysis_json_add_key(struct w_buf *buf, const char *key)
{
	if (buf->len > 0 && w_buf_last(buf) != '{')
		w_buf_add_char(buf, ',');
	w_buf_add_fmt(buf, "\"%s\":", key);
}

static void
add_bytes_member(
    struct w_buf *buf, const char *key, const char *bytes, size_t len)
{
	analysis_json_add_key(buf, key);
	if (bytes == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_bytes(buf, bytes, len);
}

/* The words as they may be shown: the argv's own, or a masked copy. The places
 * of secrets are sorted, so one pass is enough. */
struct analysis_json_shown {
	const char **argv;
	char **made;
	size_t count;
	struct w_secret_place *places;
};

static void
shown_done(struct analysis_json_shown *shown)
{
	for (size_t i = 0; shown->made != NULL && i < shown->count; i++)
		free(shown->made[i]);
	free(shown->made);
	free(shown->argv);
	free(shown->places);
}

static int
by_place(const void *left, const void *right)
{
	const struct w_secret_place *one = left;
	const struct w_secret_place *other = right;

	if (one->word != other->word)
		return one->word < other->word ? -1 : 1;
	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return 0;
}

/* Appends the text with "***" for every run of secret bytes. Returns how many
 * of the places were in this word. */
static size_t
analysis_json_add_shown(struct w_buf *buf, const char *text,
    const struct w_secret_place *places, size_t count)
{
	size_t len = strlen(text);
	size_t at = 0;
	size_t i = 0;

	for (; i < count && places[i].word == places[0].word; i++) {
		size_t from = places[i].offset < len ? places[i].offset : len;
		size_t left = len - from;
		size_t end =
		    from + (places[i].len < left ? places[i].len : left);

		if (from > at || i == 0) {
			w_buf_add(buf, text + at, from - at);
			w_buf_add_str(buf, HIDDEN);
		}
		at = end > at ? end : at;
	}
	w_buf_add(buf, text + at, len - at);
	return i;
}

static bool
sort_places(
    struct analysis_json_shown *shown, const struct w_analysis *analysis)
{
	size_t count = analysis->secret_count;

	shown->places = calloc(count, sizeof(*shown->places));
	if (shown->places == NULL)
		return false;
	memcpy(
	    shown->places, analysis->secrets, count * sizeof(*shown->places));
	qsort(shown->places, count, sizeof(*shown->places), by_place);
	return true;
}

/* false: no memory. */
static bool
analysis_json_show(
    struct analysis_json_shown *shown, const struct w_analysis *analysis)
{
	size_t argc = analysis->shell != NULL ? 1 : analysis->argc;
	size_t used;

	shown->argv = calloc(argc + 1, sizeof(*shown->argv));
	shown->made = calloc(analysis->secret_count, sizeof(*shown->made));
	if (shown->argv == NULL || shown->made == NULL ||
	    !sort_places(shown, analysis))
		return false;
	for (size_t i = 0; i < argc; i++)
		shown->argv[i] = analysis->shell != NULL ? analysis->shell
							 : analysis->argv[i];
	for (size_t i = 0; i < analysis->secret_count; i += used) {
		const struct w_secret_place *place = &shown->places[i];
		W_AUTO_BUF struct w_buf buf;
		size_t len;

		w_buf_init(&buf, WORD_MAX);
		used = analysis_json_add_shown(&buf, shown->argv[place->word],
		    place, analysis->secret_count - i);
		char *text = w_buf_take(&buf, &len);
		if (text == NULL)
			return false;
		shown->made[shown->count++] = text;
		shown->argv[place->word] = text;
	}
	return true;
}

static void
analysis_json_add_words(struct w_buf *buf, const char *const *argv, size_t argc)
{
	analysis_json_add_key(buf, "argv");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < argc; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_bytes(buf, argv[i], strlen(argv[i]));
	}
	w_buf_add_char(buf, ']');
}

static void
analysis_json_add_arguments(struct w_buf *buf,
    const struct w_analysis *analysis, const char *const *argv)
{
	struct w_argv_parse parse = analysis->parse;

	analysis_json_add_key(buf, "arguments");
	if (parse.grammar == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	parse.argv = argv;
	w_argv_parse_add_json(buf, &parse, false);
}

static void
analysis_json_add_effects(struct w_buf *buf, unsigned effects)
{
	bool is_first = true;

	analysis_json_add_key(buf, "effects");
	w_buf_add_char(buf, '[');
	for (unsigned bit = 0; bit < W_EFFECT_COUNT; bit++) {
		if ((effects & (1U << bit)) == 0)
			continue;
		w_buf_add_fmt(
		    buf, "%s\"%s\"", is_first ? "" : ",", w_effect_words[bit]);
		is_first = false;
	}
	w_buf_add_char(buf, ']');
}

static void
analysis_json_add_target(struct w_buf *buf, const struct w_touch *touch)
{
	static const char *const kinds[] = {[W_TOUCH_UNNAMED] = NULL,
	    [W_TOUCH_PATH] = "path",
	    [W_TOUCH_HOST] = "host",
	    [W_TOUCH_PROGRAM] = "program",
	    [W_TOUCH_VARIABLE] = "variable"};
	const char *kind = kinds[touch->kind];

	if (kind == NULL)
		return;
	if (touch->target != NULL && touch->param != NULL &&
	    touch->param->is_secret)
		add_bytes_member(buf, kind, HIDDEN, strlen(HIDDEN));
	else
		add_bytes_member(buf, kind, touch->target, touch->len);
}

static void
analysis_json_add_touch(struct w_buf *buf, const struct w_analysis *analysis,
    const struct w_touch *touch)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "effect", w_effect_word(touch->effect));
	analysis_json_add_target(buf, touch);
	if (touch->word < analysis->argc)
		w_buf_add_fmt(buf, ",\"word\":%zu", touch->word);
	if (touch->param != NULL)
		w_json_add_text_member(buf, "parameter", touch->param->key);
	if (touch->why != NULL)
		w_json_add_text_member(buf, "why", touch->why);
	if (touch->is_possible &&
	    (touch->effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0)
		w_buf_add_str(buf, ",\"possible\":true");
	w_buf_add_char(buf, '}');
}

static void
analysis_json_add_touches(struct w_buf *buf, const struct w_analysis *analysis)
{
	analysis_json_add_key(buf, "touches");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < analysis->touch_count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		analysis_json_add_touch(buf, analysis, &analysis->touches[i]);
	}
	w_buf_add_char(buf, ']');
}

static void
add_how(struct w_buf *buf, const struct w_inner *inner)
{
	static const struct {
		unsigned bit;
		const char *word;
	} words[] = {{W_INNER_REMOTE, "remote"}, {W_INNER_JOINED, "joined"},
	    {W_INNER_APPENDED, "appended"}, {W_INNER_PLACED, "placed"},
	    {W_INNER_ELSEWHERE, "elsewhere"}, {W_INNER_TERMINAL, "terminal"}};
	bool is_first = true;

	analysis_json_add_key(buf, "how");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if ((inner->how & words[i].bit) == 0)
			continue;
		w_buf_add_fmt(
		    buf, "%s\"%s\"", is_first ? "" : ",", words[i].word);
		is_first = false;
	}
	if (inner->is_shell)
		w_buf_add_str(buf, is_first ? "\"shell\"" : ",\"shell\"");
	w_buf_add_char(buf, ']');
}

static void
add_runs(struct w_buf *buf, const struct w_analysis *analysis)
{
	analysis_json_add_key(buf, "runs");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < analysis->inner_count; i++) {
		const struct w_inner *inner = &analysis->inner[i];

		w_buf_add_str(buf, i > 0 ? ",{" : "{");
		add_how(buf, inner);
		if (inner->word < analysis->argc)
			w_buf_add_fmt(buf, ",\"word\":%zu", inner->word);
		add_analysis(buf, inner->analysis);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

static void
add_helpers(struct w_buf *buf, const struct w_analysis *analysis)
{
	const char *const *helper = analysis->helpers;

	analysis_json_add_key(buf, "helpers");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; helper != NULL && helper[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_bytes(buf, helper[i], strlen(helper[i]));
	}
	w_buf_add_char(buf, ']');
}

static void
add_secrets(struct w_buf *buf, const struct w_analysis *analysis,
    const struct analysis_json_shown *shown)
{
	bool is_first = true;

	analysis_json_add_key(buf, "secrets");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < analysis->argc && analysis->secret_count > 0;
	     i++) {
		if (shown->argv[i] == analysis->argv[i])
			continue;
		w_buf_add_fmt(buf, "%s%zu", is_first ? "" : ",", i);
		is_first = false;
	}
	w_buf_add_char(buf, ']');
}

static void
analysis_json_add_reason(struct w_buf *buf, const struct w_analysis *analysis)
{
	if (analysis->is_understood)
		return;
	analysis_json_add_key(buf, "reason");
	w_buf_add_char(buf, '{');
	add_bytes_member(buf, "message", analysis->reason,
	    analysis->reason == NULL ? 0 : strlen(analysis->reason));
	add_bytes_member(buf, "suggestion", analysis->suggestion,
	    analysis->suggestion == NULL ? 0 : strlen(analysis->suggestion));
	if (analysis->reason_word < analysis->argc)
		w_buf_add_fmt(buf, ",\"word\":%zu", analysis->reason_word);
	else
		w_buf_add_str(buf, ",\"word\":null");
	w_buf_add_fmt(buf, ",\"offset\":%zu}", analysis->reason_offset);
}

/* The members, without braces. */
static void
add_analysis(struct w_buf *buf, const struct w_analysis *analysis)
{
	struct analysis_json_shown shown = {.count = 0};
	const char *const *argv = analysis->argv;
	const char *shell = analysis->shell;

	if (analysis->secret_count > 0) {
		if (!analysis_json_show(&shown, analysis)) {
			buf->failed = true;
			shown_done(&shown);
			return;
		}
		argv = shown.argv;
		shell = shell != NULL ? shown.argv[0] : NULL;
	}
	if (shell != NULL)
		add_bytes_member(buf, "shell", shell, strlen(shell));
	else
		analysis_json_add_words(buf, argv, analysis->argc);
	w_json_add_bool_member(buf, "understood", analysis->is_understood);
	w_json_add_text_member(buf, "module", analysis->id);
	w_json_add_path_member(buf, "description", analysis->origin);
	analysis_json_add_arguments(buf, analysis, argv);
	analysis_json_add_effects(buf, analysis->effects);
	analysis_json_add_touches(buf, analysis);
	add_runs(buf, analysis);
	add_helpers(buf, analysis);
	add_secrets(buf, analysis, &shown);
	analysis_json_add_reason(buf, analysis);
	shown_done(&shown);
}

void
w_analysis_add_json(struct w_buf *buf, const struct w_analysis *analysis)
{
	w_buf_add_char(buf, '{');
	add_analysis(buf, analysis);
	w_buf_add_char(buf, '}');
}
