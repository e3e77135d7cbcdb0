/* SPDX-License-Identifier: Apache-2.0 */

/* Expands words: variables that the text itself sets are known, other
 * expansions are not. */

#include "command/shell/shell_expansion.h"

#include <string.h>

#include "base/ascii.h"

/* Values further back are not looked for, and long results not made: each could
 * be used very often. */
#define LOOK_MAX  200
#define TOTAL_MAX ((size_t)1 << 20)

/* Where the words go. */
struct expansion {
	struct w_shell_expander *expander;
	char *text;
	size_t len;
	struct w_unseen *unseen;
	size_t unseen_count;
	bool is_there; /* the word has something that is quoted, or a byte */
	bool is_assignment;
};

const struct w_shell_value *
w_shell_value_of(
    const struct w_shell_value *values, const char *name, size_t len)
{
	for (size_t i = 0; i < LOOK_MAX && values != NULL;
	     i++, values = values->next) {
		if (values->name == NULL)
			return NULL;
		if (values->name_len == len &&
		    memcmp(values->name, name, len) == 0)
			return values->value == NULL ? NULL : values;
	}
	return NULL;
}

static void
put(struct expansion *to, const char *text, size_t len)
{
	memcpy(to->text + to->len, text, len);
	to->len += len;
	to->is_there |= len > 0;
}

static void
put_unseen(struct expansion *to, const char *text, size_t len,
    enum w_unseen_kind kind, bool is_many)
{
	to->unseen[to->unseen_count++] =
	    (struct w_unseen){.at = to->text + to->len,
		.len = len,
		.kind = kind,
		.is_many = is_many};
	put(to, text, len);
}

/* Whether a value stays one word without quotes. */
static bool
is_one_word(const char *value)
{
	return strpbrk(value, " \t\n*?[\\") == NULL;
}

/* Whether "~" or $HOME is a whole directory of the path here. */
static bool
is_before_slash(const struct w_shell_part *part)
{
	const struct w_shell_part *next = part->next;

	while (next != NULL && next->kind == W_PART_TEXT && next->len == 0)
		next = next->next;
	return next == NULL ||
	       (next->kind == W_PART_TEXT && next->text[0] == '/');
}

static void
put_variable(
    struct expansion *to, const struct w_shell_part *part, size_t begin)
{
	const struct w_shell_expander *expander = to->expander;
	const struct w_shell_value *known =
	    w_shell_value_of(expander->values, part->text, part->len);
	const bool is_split = !part->is_quoted && !to->is_assignment;

	if (known == NULL && expander->is_home_known && part->len == 4 &&
	    memcmp(part->text, "HOME", 4) == 0 && to->len == begin &&
	    is_before_slash(part)) {
		put_unseen(to, "~", 1, W_UNSEEN_HOME, false);
		return;
	}
	if (known == NULL || (is_split && (!expander->is_ifs_known ||
					      !is_one_word(known->value)))) {
		put_unseen(to, "$", 1, W_UNSEEN_FREE, is_split);
		to->unseen[to->unseen_count - 1].len += part->len;
		put(to, part->text, part->len);
		return;
	}
	const size_t len = strlen(known->value);
	put(to, known->value, known->names_at);
	if (known->names_at < len)
		put_unseen(to, known->value + known->names_at,
		    len - known->names_at, W_UNSEEN_NAMES, is_split);
}

/* bash evaluates what a variable in arithmetic holds: only numbers are
 * harmless. */
static bool
is_known_arithmetic(
    const struct w_shell_expander *expander, const struct w_shell_part *part)
{
	size_t at = 3;

	while (at < part->len) {
		size_t len = 0;

		while (at + len < part->len &&
		       (w_is_name_start(part->text[at + len]) ||
			   w_is_digit(part->text[at + len])))
			len++;
		if (len == 0) {
			/* $1, $@: words from outside. */
			if (part->text[at] == '$' && at + 1 < part->len &&
			    (w_is_digit(part->text[at + 1]) ||
				strchr("@*-", part->text[at + 1]) != NULL))
				return false;
			at++;
			continue;
		}
		if (!w_is_digit(part->text[at])) {
			const struct w_shell_value *known = w_shell_value_of(
			    expander->values, part->text + at, len);

			if (known == NULL || known->value[0] == '\0' ||
			    strspn(known->value, "0123456789") !=
				strlen(known->value))
				return false;
		}
		at += len;
	}
	return true;
}

static void
expand_part(struct expansion *to, const struct w_shell_word *word,
    const struct w_shell_part *part, size_t begin)
{
	struct w_shell_expander *expander = to->expander;
	const bool is_split = !part->is_quoted && !to->is_assignment;

	expander->is_assigning |= part->is_assigning;
	switch (part->kind) {
	case W_PART_TEXT:
		put(to, part->text, part->len);
		break;
	case W_PART_VARIABLE:
		put_variable(to, part, begin);
		break;
	case W_PART_NUMBER:
		if (part->is_arithmetic && expander->refusal == NULL &&
		    !is_known_arithmetic(expander, part)) {
			expander->refusal =
			    "some shells evaluate what a variable in "
			    "arithmetic holds";
			expander->refusal_offset = word->offset;
		}
		/* Arithmetic may be negative. */
		put_unseen(to, part->text, part->len,
		    part->is_arithmetic ? W_UNSEEN_FREE : W_UNSEEN_NUMBER,
		    is_split && !expander->is_ifs_known);
		break;
	case W_PART_UNSEEN:
		put_unseen(to, part->text, part->len, W_UNSEEN_FREE,
		    (is_split || part->is_many) && !to->is_assignment);
		break;
	case W_PART_PATTERN:
		put_unseen(to, part->text, part->len, W_UNSEEN_NAMES,
		    !to->is_assignment);
		break;
	case W_PART_HOME:
		put_unseen(to, part->text, part->len,
		    expander->is_home_known ? W_UNSEEN_HOME : W_UNSEEN_FREE,
		    false);
		break;
	}
	to->is_there |= part->is_quoted;
}

/* How many bytes and unseen parts the words can have. */
static void
measure(const struct w_shell_expander *expander,
    const struct w_shell_word *words, size_t counts[3])
{
	for (; words != NULL; words = words->next) {
		counts[0]++;
		counts[1]++;
		for (const struct w_shell_part *part = words->parts;
		     part != NULL; part = part->next) {
			const struct w_shell_value *known =
			    part->kind == W_PART_VARIABLE
				? w_shell_value_of(
				      expander->values, part->text, part->len)
				: NULL;

			counts[1] += part->len + 1;
			if (known != NULL)
				counts[1] += strlen(known->value);
			if (part->kind != W_PART_TEXT)
				counts[2]++;
		}
	}
}

bool
w_shell_expand(struct w_shell_expander *expander,
    const struct w_shell_word *words, bool are_assignments,
    struct w_expanded *out)
{
	size_t counts[3] = {0, 0, 0};
	struct expansion to = {
	    .expander = expander, .is_assignment = are_assignments};
	size_t argc = 0;

	measure(expander, words, counts);
	const struct w_shell_value *values = expander->values;
	if (counts[1] > TOTAL_MAX)
		expander->values = NULL;
	const char **argv =
	    w_arena_alloc(expander->arena, counts[0] + 1, sizeof(*argv));
	to.text = w_arena_alloc(expander->arena, counts[1] + 1, 1);
	to.unseen =
	    w_arena_alloc(expander->arena, counts[2] + 1, sizeof(*to.unseen));
	if (argv == NULL || to.text == NULL || to.unseen == NULL) {
		expander->values = values;
		return false;
	}
	for (; words != NULL; words = words->next) {
		const size_t begin = to.len;

		to.is_there = words->is_quoted || are_assignments;
		for (const struct w_shell_part *part = words->parts;
		     part != NULL; part = part->next)
			expand_part(&to, words, part, begin);
		if (!to.is_there)
			continue; /* of a variable that is empty */
		argv[argc++] = to.text + begin;
		to.text[to.len++] = '\0';
	}
	expander->values = values;
	*out = (struct w_expanded){.argv = argv,
	    .argc = argc,
	    .unseen = to.unseen,
	    .unseen_count = to.unseen_count};
	return true;
}
