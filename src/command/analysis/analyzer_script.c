/* SPDX-License-Identifier: Apache-2.0 */

/* The sed, awk and jq programs among the values. Several pieces (sed -e) are
 * one program: they are joined by newlines, as the interpreter does. */

#include "command/script/script.h"

#include <string.h>

#include "command/analysis/analyzer.h"

struct analyzer_script_reading {
	struct w_analyzer *analyzer;
	struct w_source_place from;
	enum w_script language;
	const char *text;
	size_t piece; /* the match that was looked up last */
	size_t begin; /* and where it begins in the text */
};

static const enum w_script languages[] = {
    W_SCRIPT_SED, W_SCRIPT_AWK, W_SCRIPT_JQ};

static const struct w_value_type *
type_of(const struct w_match *match)
{
	return match->count > 0 ? match->param->values : NULL;
}

static bool
is_of(const struct w_match *match, enum w_script language)
{
	const struct w_value_type *type = type_of(match);

	return type != NULL && type->kind == W_VALUE_SCRIPT &&
	       type->script == language;
}

static const char *
analyzer_script_text_of(
    const struct w_analyzer *analyzer, const struct w_match *match)
{
	return analyzer->analysis->argv[match->word] + match->offset;
}

/* NULL: no script in that language, or no memory. */
static char *
join_pieces(struct w_analyzer *analyzer, enum w_script language,
    size_t *out_len, const struct w_match **out_first, bool *out_is_placed)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	size_t len = 0;
	bool is_placed = false;
	char *text;

	*out_first = NULL;
	for (size_t i = parse->count; i > 0; i--) {
		if (!is_of(&parse->matches[i - 1], language))
			continue;
		*out_first = &parse->matches[i - 1];
		const char *piece =
		    analyzer_script_text_of(analyzer, *out_first);
		const size_t piece_len = strlen(piece);

		is_placed |= w_analyzer_is_placed(analyzer, piece, piece_len);
		len += piece_len + 1;
	}
	*out_is_placed = is_placed;
	if (*out_first == NULL)
		return NULL;
	text = w_analyzer_alloc(analyzer, len, 1);
	len = 0;
	for (size_t i = 0; text != NULL && i < parse->count; i++) {
		if (!is_of(&parse->matches[i], language))
			continue;
		const char *piece =
		    analyzer_script_text_of(analyzer, &parse->matches[i]);
		if (len > 0)
			text[len++] = '\n';
		size_t piece_len = strlen(piece);
		memcpy(text + len, piece, piece_len + 1);
		len += piece_len;
	}
	*out_len = len;
	return text;
}

/* Finds the piece that an offset in the joined text is in. It usually follows
 * the last one found. */
static void
analyzer_script_place_of(struct analyzer_script_reading *reading, size_t at,
    size_t *out_word, size_t *out_offset)
{
	const struct w_analyzer *analyzer = reading->analyzer;
	const struct w_argv_parse *parse = &analyzer->analysis->parse;

	if (at < reading->begin) {
		reading->piece = 0;
		reading->begin = 0;
	}
	for (; reading->piece < parse->count; reading->piece++) {
		const struct w_match *match = &parse->matches[reading->piece];

		if (!is_of(match, reading->language))
			continue;
		size_t len = strlen(analyzer_script_text_of(analyzer, match));
		size_t rest = at - reading->begin;
		*out_word = match->word;
		*out_offset = match->offset + (rest < len ? rest : len);
		if (rest <= len)
			return;
		reading->begin += len + 1;
	}
}

static bool
script_touches(void *ctx, unsigned effect, const char *path, size_t len)
{
	struct analyzer_script_reading *reading = ctx;

	if (effect == W_EFFECT_NET || effect == W_EFFECT_PUBLISH)
		w_analyzer_host(
		    reading->analyzer, effect, path, len, &reading->from);
	else
		w_analyzer_path(
		    reading->analyzer, effect, path, len, &reading->from);
	return !reading->analyzer->shared->is_out_of_memory;
}

static bool
script_runs(void *ctx, const char *command, size_t len)
{
	struct analyzer_script_reading *reading = ctx;
	struct w_analyzer *analyzer = reading->analyzer;
	struct w_shell_text shell = {.text = command, .len = len};

	if (command != NULL) {
		analyzer_script_place_of(reading,
		    (size_t)(command - reading->text), &shell.word,
		    &shell.offset);
		w_analyzer_shell(analyzer, &shell);
	} else {
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &reading->from);
		w_analyzer_refuse(analyzer, reading->from.word, 0,
		    "what the script executes is known only when it runs");
	}
	return !analyzer->shared->is_out_of_memory;
}

static void
analyzer_script_read_script(struct w_analyzer *analyzer, enum w_script language)
{
	const struct w_match *first;
	size_t len = 0;
	bool is_placed = false;
	const char *text =
	    join_pieces(analyzer, language, &len, &first, &is_placed);
	struct analyzer_script_reading reading = {
	    .analyzer = analyzer, .language = language, .text = text};
	const struct w_script_sink sink = {
	    .ctx = &reading, .touches = script_touches, .runs = script_runs};
	size_t at = 0;
	writ_error err = {.status = WRIT_OK};

	if (text == NULL)
		return;
	reading.from.word = first->word;
	reading.from.param = first->param;
	if (is_placed) {
		w_analyzer_effects(analyzer, W_EFFECT_CODE, &reading.from);
		w_analyzer_refuse(analyzer, first->word, first->offset,
		    "a part of the script comes only when it runs");
		return;
	}
	if (w_script_read(language, text, len, &sink, &at, &err) == WRIT_OK)
		return;
	size_t word = first->word;
	size_t offset = first->offset;
	analyzer_script_place_of(&reading, at, &word, &offset);
	w_analyzer_effects(analyzer, W_EFFECT_CODE, &reading.from);
	w_analyzer_refuse_error(analyzer, word, offset, &err);
}

void
w_analyzer_scripts(struct w_analyzer *analyzer)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	bool has_script = false;

	for (size_t i = 0; i < parse->count && !has_script; i++) {
		const struct w_value_type *type = type_of(&parse->matches[i]);
		has_script = type != NULL && type->kind == W_VALUE_SCRIPT;
	}
	for (size_t i = 0; has_script && i < 3; i++)
		analyzer_script_read_script(analyzer, languages[i]);
}
