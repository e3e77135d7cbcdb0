/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shell texts: parsed, walked through, and their secrets hidden. What is not
 * followed makes the text "not understood" and able to do anything; the
 * commands that were recognised apply all the same.
 */

#include <string.h>

#include "command/analysis/analyzer.h"

void
w_analyzer_shell_place(const struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t at, size_t *out_word,
    size_t *out_offset)
{
	size_t word = shell->word;
	size_t offset = shell->offset + at;

	for (size_t i = 1; i < shell->joined_words; i++) {
		size_t len = strlen(analyzer->analysis->argv[word]);

		if (offset <= len)
			break;
		offset -= len + 1;
		word++;
	}
	*out_word = word;
	*out_offset = offset;
}

void
w_analyzer_shell_secret(struct w_analyzer *analyzer,
    const struct w_shell_text *shell, size_t from, size_t to)
{
	while (from < to) {
		size_t word;
		size_t offset;
		size_t len = to - from;

		w_analyzer_shell_place(analyzer, shell, from, &word, &offset);
		if (shell->joined_words > 0) {
			size_t left =
			    strlen(analyzer->analysis->argv[word]) - offset;
			len = len < left ? len : left;
		}
		w_analyzer_secret(analyzer, word, offset, len);
		from += len + 1;
	}
}

static void
hide_opaque(struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	w_analyzer_opaque_secrets(analyzer, shell->word, shell->offset);
	for (size_t i = 1; i < shell->joined_words; i++)
		w_analyzer_opaque_secrets(analyzer, shell->word + i, 0);
	w_analyzer_guessed_secrets(analyzer, shell);
}

/* An opaque string may do anything. */
static void
refuse_opaque(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    size_t at, const writ_error *err)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that writ cannot tell"};
	size_t word;
	size_t offset;

	w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
	w_analyzer_shell_place(analyzer, shell, at, &word, &offset);
	w_analyzer_refuse_error(analyzer, word, offset, err);
	hide_opaque(analyzer, shell);
}

/* Where a program is expected, no shell reads the text: it must be words that
 * nothing is done with but removing quotes. */
static bool
is_one_plain_command(
    const struct w_shell *parsed, const struct w_shell_text *shell)
{
	const struct w_shell_node *node = parsed->list->first;
	size_t end = 0;

	if (parsed->has_fault || node == NULL || node->next != NULL ||
	    node->kind != W_NODE_SIMPLE || node->words == NULL ||
	    node->is_negated || node->redirections != NULL ||
	    node->assignments != NULL)
		return false;
	for (const struct w_shell_word *word = node->words; word != NULL;
	     word = word->next) {
		end = word->end;
		for (const struct w_shell_part *part = word->parts;
		     part != NULL; part = part->next) {
			/* They are special to shells, or were once. */
			if (part->kind != W_PART_TEXT ||
			    (!part->is_quoted &&
				(memchr(part->text, '{', part->len) != NULL ||
				    memchr(part->text, '!', part->len) !=
					NULL ||
				    memchr(part->text, '$', part->len) !=
					NULL)))
				return false;
		}
	}
	while (end < shell->len && strchr(" \t\n", shell->text[end]) != NULL)
		end++;
	return end == shell->len;
}

/* NULL: it has been refused as a whole. */
static const struct w_shell *
analyzer_shell_parse(
    struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	const struct w_shell_input input = {.text = shell->text,
	    .len = shell->len,
	    .is_bash = shell->is_bash,
	    .has_history = shell->has_history};
	writ_error err;

	/* None of them could be analyzed, and each would take memory. */
	if (analyzer->shared->inner_count >= W_ANALYSIS_INNER_MAX ||
	    analyzer->context.depth >= W_ANALYSIS_DEPTH_MAX) {
		(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0,
		    "there are too many commands in one, or too deep");
		refuse_opaque(analyzer, shell, 0, &err);
		return NULL;
	}
	struct w_parsed_shell *parsed =
	    w_analyzer_alloc(analyzer, 1, sizeof(*parsed));
	if (parsed == NULL)
		return NULL;
	if (w_shell_parse(&input, &parsed->shell, &err) != WRIT_OK) {
		analyzer->shared->is_out_of_memory = true;
		return NULL;
	}
	parsed->next = analyzer->shared->shells;
	analyzer->shared->shells = parsed;
	return &parsed->shell;
}

/* Whether it may be analyzed; else it has been refused. */
static bool
is_acceptable(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    const struct w_shell *parsed)
{
	const struct w_source_place from = {
	    .word = shell->word, .why = "shell commands that writ cannot tell"};

	if (!shell->is_one_command || is_one_plain_command(parsed, shell))
		return true;
	w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
	w_analyzer_refuse(analyzer, shell->word, shell->offset,
	    "more than one plain command where a program is expected");
	hide_opaque(analyzer, shell);
	return false;
}

void
w_analyzer_shell(struct w_analyzer *analyzer, const struct w_shell_text *shell)
{
	const struct w_source_place from = {.word = shell->word};
	bool is_added_to = (shell->how & W_INNER_APPENDED) != 0;

	/* Text inserted into a shell string can be any command. */
	if ((is_added_to && !shell->is_one_command) ||
	    w_analyzer_is_placed(analyzer, shell->text, shell->len)) {
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_analyzer_refuse(analyzer, shell->word, shell->offset,
		    "a part of the shell commands comes only when it runs");
		hide_opaque(analyzer, shell);
		return;
	}
	const struct w_shell *parsed = analyzer_shell_parse(analyzer, shell);
	if (parsed == NULL || parsed->list == NULL ||
	    !is_acceptable(analyzer, shell, parsed))
		return;
	if (parsed->has_fault) {
		refuse_opaque(
		    analyzer, shell, parsed->fault_offset, &parsed->fault);
		analyzer->analysis->is_syntax_error |= parsed->is_syntax_error;
	}
	w_analyzer_walk(analyzer, shell, parsed);
}
