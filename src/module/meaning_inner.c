/* SPDX-License-Identifier: Apache-2.0 */

/* Commands inside a command: entering them with what is around them, and what
 * of them counts outside. */

#include <string.h>

#include "module/meaning_frame.h"

/* On another machine these are not about files of this one. */
#define OF_FILES  (W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE)

#define FIRST_CAP 4

static bool
make_room(struct w_frame *frame)
{
	struct w_meaning *meaning = frame->meaning;

	if (meaning->inner_count < frame->inner_cap)
		return true;
	size_t more = frame->inner_cap == 0 ? FIRST_CAP : frame->inner_cap * 2;
	struct w_inner *bigger = w_frame_alloc(frame, more, sizeof(*bigger));
	if (bigger == NULL)
		return false;
	if (meaning->inner_count > 0)
		memcpy(bigger, meaning->inner,
		    meaning->inner_count * sizeof(*bigger));
	meaning->inner = bigger;
	frame->inner_cap = more;
	return true;
}

struct w_inner *
w_frame_enter(struct w_frame *frame, const struct w_inner_words *words,
    struct w_frame *out_frame)
{
	struct w_meaning *outer = frame->meaning;
	struct w_judge *judge = frame->judge;

	if (judge->inner_count >= W_MEANING_INNER_MAX ||
	    frame->setting.depth >= W_MEANING_DEPTH_MAX) {
		w_frame_refuse(frame, words->word, words->offset,
		    "there are too many commands in one, or too deep");
		return NULL;
	}
	struct w_meaning *meaning = w_frame_alloc(frame, 1, sizeof(*meaning));
	if (meaning == NULL || !make_room(frame))
		return NULL;
	judge->inner_count++;
	meaning->argv = words->argv;
	meaning->argc = words->argc;
	meaning->is_understood = true;
	meaning->is_itself_understood = true;
	*out_frame = (struct w_frame){
	    .judge = judge, .meaning = meaning, .setting = frame->setting};
	/* What is added outside is added to the last command only, and who
	 * enters that one says so. */
	out_frame->setting.how &= ~(unsigned)W_INNER_APPENDED;
	out_frame->setting.how |= words->how;
	out_frame->setting.depth++;
	struct w_inner *inner = &outer->inner[outer->inner_count++];
	*inner = (struct w_inner){
	    .meaning = meaning, .how = words->how, .word = words->word};
	return inner;
}

static void
take_reason(struct w_frame *frame, const struct w_inner *inner, size_t offset,
    bool is_one_place)
{
	struct w_meaning *outer = frame->meaning;
	const struct w_meaning *meaning = inner->meaning;

	outer->is_understood = false;
	if (outer->reason != NULL)
		return;
	outer->reason = meaning->reason;
	outer->suggestion = meaning->suggestion;
	outer->reason_word = inner->word;
	outer->reason_offset = offset;
	if (is_one_place)
		return;
	outer->reason_word += meaning->reason_word;
	outer->reason_offset =
	    meaning->reason_offset + (meaning->reason_word == 0 ? offset : 0);
}

void
w_frame_leave(struct w_frame *frame, const struct w_inner *inner, size_t offset,
    bool is_one_place)
{
	const struct w_meaning *meaning = inner->meaning;
	unsigned mask = (inner->how & W_INNER_REMOTE) != 0 ? OF_FILES : 0U;

	frame->meaning->effects |= meaning->effects & ~mask;
	if (!meaning->is_understood)
		take_reason(frame, inner, offset, is_one_place);
	for (size_t i = 0; !is_one_place && i < meaning->secret_count; i++) {
		const struct w_secret_place *place = &meaning->secrets[i];

		w_frame_secret(frame, inner->word + place->word,
		    place->offset + (place->word == 0 ? offset : 0),
		    place->len);
	}
}

static void
run_words(struct w_frame *frame, const struct w_inner_words *words)
{
	struct w_frame inside;
	struct w_inner *inner = w_frame_enter(frame, words, &inside);

	if (inner == NULL)
		return;
	w_frame_judge(&inside);
	w_frame_leave(frame, inner, words->offset, false);
}

static size_t
count_of(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		count++;
	return count;
}

/* What options say stands for something else in the command, with what did so
 * around it. NULL: no such option is given. */
static const char *const *
given_placeholders(struct w_frame *frame, const struct w_param *param)
{
	const struct w_parse *parse = &frame->meaning->parse;
	size_t around = count_of(frame->setting.placeholders);
	size_t count = 0;
	const char **list = NULL;

	if (param->placeholder_count > 0)
		list = w_frame_alloc(frame,
		    parse->count * param->placeholder_count + around + 1,
		    sizeof(*list));
	for (size_t i = 0; list != NULL && i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		for (size_t k = 0; k < param->placeholder_count; k++) {
			size_t place = param->placeholders[k];

			if (match->param != &parse->form->params[place])
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
		memcpy(list + count, frame->setting.placeholders,
		    around * sizeof(*list));
	return list;
}

/* The words with the first one's beginning cut off. */
static const char *const *
cut_words(struct w_frame *frame, const struct w_inner_words *words)
{
	const char **list;

	if (words->offset == 0)
		return words->argv;
	list = w_frame_alloc(frame, words->argc + 1, sizeof(*list));
	if (list == NULL)
		return NULL;
	memcpy(list, words->argv, words->argc * sizeof(*list));
	list[0] += words->offset;
	return list;
}

void
w_frame_run_joined(struct w_frame *frame, const struct w_inner_words *words)
{
	size_t len = 0;
	char *text;

	for (size_t i = 0; i < words->argc; i++)
		len += strlen(words->argv[i]) + 1;
	text = w_frame_alloc(frame, len + 1, 1);
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
	w_frame_shell(frame, &shell);
}

/* Without the ";" or "+" that ends it. */
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
w_frame_command(struct w_frame *frame, const struct w_match *match, size_t skip)
{
	struct w_meaning *meaning = frame->meaning;
	const struct w_setting outer = frame->setting;
	struct w_inner_words words = {
	    .argv = meaning->argv + match->word + skip,
	    .how = match->param->inner,
	    .word = match->word + skip,
	    .offset = skip == 0 ? match->offset : 0};
	const char *const *placeholders =
	    given_placeholders(frame, match->param);

	words.argc = command_len(match, words.argv, match->count - skip);
	words.argv = cut_words(frame, &words);
	if (words.argv == NULL)
		return;
	if ((outer.how & W_INNER_APPENDED) != 0 && !match->param->is_until_end)
		words.how |= W_INNER_APPENDED;
	if (placeholders != NULL) {
		words.how &= ~(unsigned)W_INNER_APPENDED;
		words.how |= W_INNER_PLACED;
		frame->setting.placeholders = placeholders;
		frame->setting.is_placed_freely = true;
	}
	if ((words.how & W_INNER_JOINED) != 0)
		w_frame_run_joined(frame, &words);
	else
		run_words(frame, &words);
	frame->setting.placeholders = outer.placeholders;
	frame->setting.is_placed_freely = outer.is_placed_freely;
}

void
w_frame_program(struct w_frame *frame, const struct w_match *match, size_t skip)
{
	const char *word = frame->meaning->argv[match->word + skip];
	size_t offset = skip == 0 ? match->offset : 0;
	const struct w_source_place from = {
	    .word = match->word + skip, .param = match->param};
	const struct w_shell_text shell = {.text = word + offset,
	    .len = strlen(word + offset),
	    .how = match->param->inner,
	    .word = from.word,
	    .offset = offset,
	    .is_one_command = true};

	/* Whoever splits it has a meaning of its own for that. */
	if (strchr(shell.text, '\\') != NULL) {
		w_frame_effects(frame, W_EFFECT_EXEC | W_EFFECT_CODE, &from);
		w_frame_refuse(frame, from.word,
		    offset + strcspn(shell.text, "\\"),
		    "a command line with a backslash is split in several ways");
		w_frame_loose_secrets(frame, &shell);
		return;
	}
	w_frame_shell(frame, &shell);
}
