/* SPDX-License-Identifier: Apache-2.0 */

/* Nested commands: analyzing them in their surroundings, and which of their
 * effects apply to the outer command. */

#include <string.h>

#include "command/analysis/analyzer.h"

/* On a remote machine these do not concern local files. */
#define OF_FILES  (W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE)

#define FIRST_CAP 4

static bool
inner_command_make_room(struct w_analyzer *analyzer)
{
	struct w_analysis *analysis = analyzer->analysis;

	if (analysis->inner_count < analyzer->inner_cap)
		return true;
	size_t more =
	    analyzer->inner_cap == 0 ? FIRST_CAP : analyzer->inner_cap * 2;
	struct w_inner *bigger =
	    w_analyzer_alloc(analyzer, more, sizeof(*bigger));
	if (bigger == NULL)
		return false;
	if (analysis->inner_count > 0)
		memcpy(bigger, analysis->inner,
		    analysis->inner_count * sizeof(*bigger));
	analysis->inner = bigger;
	analyzer->inner_cap = more;
	return true;
}

struct w_inner *
w_analyzer_enter(struct w_analyzer *analyzer, const struct w_inner_words *words,
    struct w_analyzer *out_analyzer)
{
	struct w_analysis *outer = analyzer->analysis;
	struct w_analysis_shared *shared = analyzer->shared;

	if (shared->inner_count >= W_ANALYSIS_INNER_MAX ||
	    analyzer->context.depth >= W_ANALYSIS_DEPTH_MAX) {
		w_analyzer_refuse(analyzer, words->word, words->offset,
		    "there are too many commands in one, or too deep");
		return NULL;
	}
	struct w_analysis *analysis =
	    w_analyzer_alloc(analyzer, 1, sizeof(*analysis));
	if (analysis == NULL || !inner_command_make_room(analyzer))
		return NULL;
	shared->inner_count++;
	analysis->argv = words->argv;
	analysis->argc = words->argc;
	analysis->is_understood = true;
	analysis->is_itself_understood = true;
	*out_analyzer = (struct w_analyzer){.shared = shared,
	    .analysis = analysis,
	    .context = analyzer->context};
	/* Words are appended to the last command only; its caller sets the
	 * bit. */
	out_analyzer->context.how &= ~(unsigned)W_INNER_APPENDED;
	out_analyzer->context.how |= words->how;
	out_analyzer->context.depth++;
	struct w_inner *inner = &outer->inner[outer->inner_count++];
	*inner = (struct w_inner){
	    .analysis = analysis, .how = words->how, .word = words->word};
	return inner;
}

static void
take_reason(struct w_analyzer *analyzer, const struct w_inner *inner,
    size_t offset, bool is_one_place)
{
	struct w_analysis *outer = analyzer->analysis;
	const struct w_analysis *analysis = inner->analysis;

	outer->is_understood = false;
	if (outer->reason != NULL)
		return;
	outer->reason = analysis->reason;
	outer->suggestion = analysis->suggestion;
	outer->reason_word = inner->word;
	outer->reason_offset = offset;
	if (is_one_place)
		return;
	outer->reason_word += analysis->reason_word;
	outer->reason_offset =
	    analysis->reason_offset + (analysis->reason_word == 0 ? offset : 0);
}

void
w_analyzer_leave(struct w_analyzer *analyzer, const struct w_inner *inner,
    size_t offset, bool is_one_place)
{
	const struct w_analysis *analysis = inner->analysis;
	unsigned mask = (inner->how & W_INNER_REMOTE) != 0 ? OF_FILES : 0U;

	analyzer->analysis->effects |= analysis->effects & ~mask;
	analyzer->analysis->needs_network |= analysis->needs_network;
	analyzer->analysis->has_background |= analysis->has_background;
	if (!analysis->is_understood)
		take_reason(analyzer, inner, offset, is_one_place);
	for (size_t i = 0; !is_one_place && i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];

		w_analyzer_secret(analyzer, inner->word + place->word,
		    place->offset + (place->word == 0 ? offset : 0),
		    place->len);
	}
}

static void
run_words(struct w_analyzer *analyzer, const struct w_inner_words *words)
{
	struct w_analyzer inside;
	struct w_inner *inner = w_analyzer_enter(analyzer, words, &inside);

	if (inner == NULL)
		return;
	w_analyzer_run(&inside);
	w_analyzer_leave(analyzer, inner, words->offset, false);
}

/* The placeholders set by options, with those of the surroundings. NULL: no
 * such option is given. */
static const char *const *
given_placeholders(struct w_analyzer *analyzer, const struct w_param *param)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const char *const *outer = analyzer->context.placeholders;
	size_t around = 0;
	size_t count = 0;
	const char **list = NULL;

	while (outer != NULL && outer[around] != NULL)
		around++;
	if (param->placeholder_count > 0)
		list = w_analyzer_alloc(analyzer,
		    parse->count * param->placeholder_count + around + 1,
		    sizeof(*list));
	for (size_t i = 0; list != NULL && i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		for (size_t k = 0; k < param->placeholder_count; k++) {
			size_t place = param->placeholders[k];

			if (match->param != &parse->grammar->params[place])
				continue;
			list[count++] =
			    match->count == 0
				? "{}"
				: parse->argv[match->word] + match->offset;
		}
	}
	if (count == 0)
		return NULL;
	if (around > 0)
		memcpy(list + count, outer, around * sizeof(*list));
	return list;
}

/* The words, with the beginning of the first one cut off. */
static const char *const *
cut_words(struct w_analyzer *analyzer, const struct w_inner_words *words)
{
	const char **list;

	if (words->offset == 0)
		return words->argv;
	list = w_analyzer_alloc(analyzer, words->argc + 1, sizeof(*list));
	if (list == NULL)
		return NULL;
	memcpy(list, words->argv, words->argc * sizeof(*list));
	list[0] += words->offset;
	return list;
}

void
w_analyzer_run_joined(
    struct w_analyzer *analyzer, const struct w_inner_words *words)
{
	size_t len = 0;
	char *text;

	for (size_t i = 0; i < words->argc; i++) {
		const struct w_source_place from = {.word = words->word + i};
		const size_t word_len = strlen(words->argv[i]);

		len += word_len + 1;
		if (w_analyzer_unseen(analyzer, words->argv[i], word_len) ==
		    NULL)
			continue;
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, from.word, 0,
		    "a part of the shell commands comes only when it runs");
	}
	text = w_analyzer_alloc(analyzer, len + 1, 1);
	if (text == NULL)
		return;
	len = 0;
	for (size_t i = 0; i < words->argc; i++) {
		size_t word_len = strlen(words->argv[i]);

		if (i > 0)
			text[len++] = ' ';
		memcpy(text + len, words->argv[i], word_len);
		len += word_len;
	}
	const struct w_shell_text shell = {.text = text,
	    .len = len,
	    .how = words->how,
	    .word = words->word,
	    .offset = words->offset,
	    .joined_words = words->argc};
	w_analyzer_shell(analyzer, &shell);
}

/* Without the terminating ";" or "+". */
static size_t
command_len(const struct w_match *match, const char *const *argv, size_t count)
{
	if (!match->param->is_until_end || count == 0)
		return count;
	if (strcmp(argv[count - 1], ";") == 0)
		return count - 1;
	if (count > 1 && strcmp(argv[count - 1], "+") == 0 &&
	    strcmp(argv[count - 2], "{}") == 0)
		return count - 1;
	return count;
}

void
w_analyzer_command(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip)
{
	struct w_analysis *analysis = analyzer->analysis;
	const struct w_command_context outer = analyzer->context;
	struct w_inner_words words = {
	    .argv = analysis->argv + match->word + skip,
	    .how = match->param->inner,
	    .word = match->word + skip,
	    .offset = skip == 0 ? match->offset : 0};
	const char *const *placeholders =
	    given_placeholders(analyzer, match->param);

	words.argc = command_len(match, words.argv, match->count - skip);
	words.argv = cut_words(analyzer, &words);
	if (words.argv == NULL)
		return;
	if ((outer.how & W_INNER_APPENDED) != 0 && !match->param->is_until_end)
		words.how |= W_INNER_APPENDED;
	if (placeholders != NULL) {
		words.how &= ~(unsigned)W_INNER_APPENDED;
		words.how |= W_INNER_PLACED;
		analyzer->context.placeholders = placeholders;
		analyzer->context.is_placed_freely = true;
	}
	if ((words.how & W_INNER_JOINED) != 0)
		w_analyzer_run_joined(analyzer, &words);
	else
		run_words(analyzer, &words);
	analyzer->context.placeholders = outer.placeholders;
	analyzer->context.is_placed_freely = outer.is_placed_freely;
}

void
w_analyzer_program(
    struct w_analyzer *analyzer, const struct w_match *match, size_t skip)
{
	const char *word = analyzer->analysis->argv[match->word + skip];
	size_t offset = skip == 0 ? match->offset : 0;
	const struct w_source_place from = {
	    .word = match->word + skip, .param = match->param};
	const struct w_shell_text shell = {.text = word + offset,
	    .len = strlen(word + offset),
	    .how = match->param->inner,
	    .word = from.word,
	    .offset = offset,
	    .is_one_command = true};

	/* The program that splits it has its own rule for backslashes. */
	if (strchr(shell.text, '\\') != NULL) {
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, from.word,
		    offset + strcspn(shell.text, "\\"),
		    "a command line with a backslash is split in several ways");
		w_analyzer_guessed_secrets(analyzer, &shell);
		return;
	}
	w_analyzer_shell(analyzer, &shell);
}
