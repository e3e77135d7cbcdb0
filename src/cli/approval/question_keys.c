/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys of the dialog.
 */

#include "cli/approval/question_keys.h"

#define CTRL_C      '\003'
#define CTRL_D      '\004'
#define EDIT_PROMPT "rule: "

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
	"let whatever the rule above matches run, for eight hours", true,
	false},
    {'e', W_QUESTION_OPEN, "[e] edit", "change the rule, then remember it",
	false, false},
    {'n', W_QUESTION_DENY, "[n] no", "do not let it run", false, false},
    {'l', W_QUESTION_LATER, "[l] later", "leave the question to somebody else",
	false, true},
    {'?', W_QUESTION_OPEN, "[?]", "this help", false, false},
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
}

static bool
is_offered(const struct w_question_keys *keys, const struct key *key)
{
	return (!key->needs_rule || keys->has_rule) &&
	       (!key->needs_later || keys->has_later);
}

void
w_question_keys_prompt(const struct w_question_keys *keys, struct w_buf *out)
{
	if (keys->is_editing) {
		w_editor_draw(&keys->edit, EDIT_PROMPT, keys->columns, out);
		return;
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (is_offered(keys, &keys_known[i]))
			w_buf_add_fmt(out, "%s%s", i == 0 ? "" : "  ",
			    keys_known[i].offer);
	}
	w_buf_add_str(out, " > ");
}

static void
add_help(const struct w_question_keys *keys, struct w_buf *out)
{
	w_buf_add_char(out, '\n');
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (is_offered(keys, &keys_known[i]))
			w_buf_add_fmt(out, "  %c  %s\n", keys_known[i].letter,
			    keys_known[i].help);
	}
}

static enum w_question_choice
take_edited(struct w_question_keys *keys, char byte, struct w_buf *out)
{
	const enum w_editor_state state = w_editor_accept(&keys->edit, byte);

	if (state == W_EDITOR_OPEN) {
		w_question_keys_prompt(keys, out);
		return W_QUESTION_OPEN;
	}
	keys->is_editing = false;
	w_buf_add_char(out, '\n');
	if (state == W_EDITOR_DONE)
		return W_QUESTION_SHAPE;
	w_question_keys_prompt(keys, out);
	return W_QUESTION_OPEN;
}

static enum w_question_choice
take_key(struct w_question_keys *keys, const struct key *key, struct w_buf *out)
{
	if (key->letter == '?') {
		add_help(keys, out);
		w_question_keys_prompt(keys, out);
	} else if (key->letter == 'e') {
		w_buf_add_str(out, "e\n");
		keys->is_editing = true;
		w_question_keys_prompt(keys, out);
	} else {
		w_buf_add_fmt(out, "%c\n", key->letter);
	}
	return key->choice;
}

enum w_question_choice
w_question_keys_accept(
    struct w_question_keys *keys, char byte, struct w_buf *out)
{
	if (keys->is_editing)
		return take_edited(keys, byte, out);
	if (byte == CTRL_C || byte == CTRL_D) {
		w_buf_add_char(out, '\n');
		return W_QUESTION_STOP;
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (keys_known[i].letter == byte &&
		    is_offered(keys, &keys_known[i]))
			return take_key(keys, &keys_known[i], out);
	}
	return W_QUESTION_OPEN;
}
