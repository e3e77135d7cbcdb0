/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys of the dialog.
 */

#include "cli/approval/question_keys.h"

#include <string.h>

#define CTRL_C       '\003'
#define CTRL_D       '\004'
#define ESC          '\033'
#define EDIT_PROMPT  "rule: "
#define PROMPT       " > "
#define HELP_MAX     256
#define LINE_LEN_MAX 1024

/* What the user edits if no rule is proposed. */
#define RULE_START "allow: "

static const struct key {
	char letter;
	enum w_question_choice choice;
	const char *offer;
	const char *help;
	bool needs_rule;
	bool needs_later;
} keys_known[] = {
    {'y', W_QUESTION_ONCE, "[y] once", "let exactly this run, one time", false,
	false},
    {'s', W_QUESTION_SESSION, "[s] session",
	"let exactly this run for as long as this session lasts, at most a day",
	false, false},
    {'r', W_QUESTION_SHAPE, "[r] remember",
	"let whatever the proposed rule matches run, for eight hours", true,
	false},
    {'p', W_QUESTION_PROJECT, "[p] project",
	"the same in this project, for good", true, false},
    {'a', W_QUESTION_ALWAYS, "[a] always", "the same everywhere, for good",
	true, false},
    {'e', W_QUESTION_EDIT, "[e] edit", "change the rule, then remember it",
	false, false},
    {'n', W_QUESTION_DENY, "[n] no", "do not let it run", false, false},
    {'d', W_QUESTION_DETAILS, "[d] details",
	"everything about it, with the proposed rule", false, false},
    {'l', W_QUESTION_LATER, "[l] later", "leave the question to somebody else",
	false, true},
    {'j', W_QUESTION_NEXT, "[j/k] choose",
	"the next question; k or the arrows: another one", false, true},
    {'k', W_QUESTION_BEFORE, NULL, NULL, false, true},
    {'q', W_QUESTION_QUIT, "[q] leave", "answer no more questions", false,
	true},
    {'?', W_QUESTION_HELP, "[?]", "this help", false, false},
};

#define KEY_COUNT (sizeof(keys_known) / sizeof(keys_known[0]))

void
w_question_keys_init(struct w_question_keys *keys, const char *rule,
    bool has_later, size_t columns)
{
	*keys = (struct w_question_keys){
	    .has_rule = rule != NULL && rule[0] != '\0',
	    .has_later = has_later,
	    .columns = columns,
	};
	w_editor_init(&keys->edit, keys->has_rule ? rule : RULE_START);
	memcpy(keys->proposal, keys->edit.text, sizeof(keys->proposal));
}

static bool
is_offered(const struct w_question_keys *keys, const struct key *key)
{
	return (!key->needs_rule || keys->has_rule) &&
	       (!key->needs_later || keys->has_later);
}

bool
w_question_keys_offer(const struct w_question_keys *keys, struct w_words *lines)
{
	/* The cursor stands behind the last one. */
	const size_t room = keys->columns > sizeof(PROMPT)
				? keys->columns - sizeof(PROMPT)
				: LINE_LEN_MAX;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_LEN_MAX);
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *offer = keys_known[i].offer;

		if (offer == NULL || !is_offered(keys, &keys_known[i]))
			continue;
		if (line.len > 0 && line.len + 2 + strlen(offer) > room) {
			if (!w_words_add(lines, line.data, line.len))
				return false;
			line.len = 0;
		}
		w_buf_add_fmt(&line, "%s%s", line.len == 0 ? "" : "  ", offer);
	}
	w_buf_add_str(&line, PROMPT);
	return !line.failed && w_words_add(lines, line.data, line.len);
}

bool
w_question_keys_help(const struct w_question_keys *keys, struct w_words *lines)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct key *key = &keys_known[i];
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, HELP_MAX);
		if (key->help == NULL || !is_offered(keys, key))
			continue;
		w_buf_add_fmt(&line, "  %c  %s", key->letter, key->help);
		if (line.failed || !w_words_add(lines, line.data, line.len))
			return false;
	}
	return true;
}

void
w_question_keys_draw_rule(const struct w_question_keys *keys, struct w_buf *out)
{
	w_editor_draw(&keys->edit, EDIT_PROMPT, keys->columns, out);
}

static enum w_question_choice
take_edited(struct w_question_keys *keys, char byte)
{
	const enum w_editor_state state = w_editor_accept(&keys->edit, byte);

	if (state == W_EDITOR_OPEN)
		return W_QUESTION_TYPED;
	keys->is_editing = false;
	return state == W_EDITOR_DONE ? W_QUESTION_SHAPE : W_QUESTION_BACK;
}

/* ESC [ A and ESC O A are arrows. Any other key that begins with ESC is none
 * of ours, and neither is any byte of it: Alt-y is no yes. */
static enum w_question_choice
take_escaped(struct w_question_keys *keys, char byte)
{
	const bool is_begin = keys->escape == ESC;

	if (is_begin && (byte == '[' || byte == 'O')) {
		keys->escape = byte;
		return W_QUESTION_OPEN;
	}
	if (!is_begin && (byte < '@' || byte > '~'))
		return W_QUESTION_OPEN;
	keys->escape = '\0';
	if (is_begin)
		return byte == ESC ? W_QUESTION_BACK : W_QUESTION_OPEN;
	if (byte == 'A')
		return W_QUESTION_BEFORE;
	return byte == 'B' ? W_QUESTION_NEXT : W_QUESTION_OPEN;
}

enum w_question_choice
w_question_keys_accept(struct w_question_keys *keys, char byte)
{
	if (keys->is_editing)
		return take_edited(keys, byte);
	if (byte == CTRL_C || byte == CTRL_D)
		return W_QUESTION_STOP;
	if (keys->escape != '\0')
		return take_escaped(keys, byte);
	if (byte == ESC) {
		keys->escape = byte;
		return W_QUESTION_OPEN;
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (keys_known[i].letter != byte ||
		    !is_offered(keys, &keys_known[i]))
			continue;
		if (keys_known[i].choice == W_QUESTION_SHAPE)
			w_editor_init(&keys->edit, keys->proposal);
		return keys_known[i].choice;
	}
	return W_QUESTION_OPEN;
}

void
w_question_keys_edit(struct w_question_keys *keys)
{
	w_editor_init(&keys->edit, keys->proposal);
	keys->is_editing = true;
}

bool
w_question_keys_has_escape(const struct w_question_keys *keys)
{
	return keys->is_editing ? w_editor_has_escape(&keys->edit)
				: keys->escape != '\0';
}

enum w_question_choice
w_question_keys_wake(struct w_question_keys *keys)
{
	const bool is_escape = keys->is_editing || keys->escape == ESC;

	keys->escape = '\0';
	keys->is_editing = false;
	return is_escape ? W_QUESTION_BACK : W_QUESTION_OPEN;
}
