/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_GRAMMAR_MAKER_H
#define W_TEST_GRAMMAR_MAKER_H

/* Descriptions of commands that nobody has, in YAML: every style, and options
 * and operands of every spelling. */

#include <stdio.h>

#include "base/buf.h"
#include "dice.h"

struct grammar {
	struct dice *dice;
	struct w_buf *yaml;
	const char *style;
	size_t names; /* given out so far */
};

static const char *const grammar_types[] = {"text", "integer", "integer:0..255",
    "integer:-5..", "number", "duration", "size", "red|green|blue", "path",
    "path:read", "path:write", "url", "host", "remote:read", "revision",
    "regex", "glob", "secret", "header", "data", "form", "assignment",
    "program", "script:sh", "script:sed", "script"};

/* Letters for short names, each once in a program. */
static const char grammar_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static inline bool
is_style(const struct grammar *grammar, const char *style)
{
	return strcmp(grammar->style, style) == 0;
}

static inline bool
is_bundled_style(const struct grammar *grammar)
{
	return is_style(grammar, "gnu") || is_style(grammar, "posix") ||
	       is_style(grammar, "cluster");
}

/* An option with names, as the style has them. */
static inline void
spell_bundled(struct grammar *grammar, size_t number)
{
	const char *type = PICK(grammar->dice, grammar_types);
	char letter = grammar_letters[number % (sizeof(grammar_letters) - 1)];
	struct w_buf *yaml = grammar->yaml;

	switch (pick(grammar->dice, 12)) {
	case 0:
		w_buf_add_fmt(yaml, "-%c", letter);
		break;
	case 1:
		w_buf_add_fmt(yaml, "-%c, --long-%zu", letter, number);
		break;
	case 2:
		w_buf_add_fmt(yaml, "-%c...", letter);
		break;
	case 3:
		w_buf_add_fmt(yaml, "-%c <%s>", letter, type);
		break;
	case 4:
		w_buf_add_fmt(yaml, "-%c, --opt%zu, --other-%zu <%s>...",
		    letter, number, number, type);
		break;
	case 5:
		w_buf_add_fmt(yaml, "--only%zu=<%s>", number, type);
		break;
	case 6:
		w_buf_add_fmt(yaml, "--may%zu[=<%s>]", number, type);
		break;
	case 7:
		w_buf_add_fmt(yaml, "-%c[<%s>]", letter, type);
		break;
	case 8:
		w_buf_add_fmt(yaml, "-%c<%s>", letter, type);
		break;
	case 9:
		w_buf_add_fmt(yaml, "--pair%zu <%s> <text>...", number, type);
		break;
	case 10:
		w_buf_add_fmt(yaml, "--run%zu <command> ;", number);
		break;
	default:
		w_buf_add_fmt(yaml, "--value%zu <%s>", number, type);
	}
}

static inline void
spell_word(struct grammar *grammar, size_t number)
{
	const char *type = PICK(grammar->dice, grammar_types);
	struct w_buf *yaml = grammar->yaml;

	switch (pick(grammar->dice, 8)) {
	case 0:
		w_buf_add_fmt(yaml, "-switch%zu", number);
		break;
	case 1:
		w_buf_add_fmt(yaml, "-name%zu <%s>", number, type);
		break;
	case 2:
		w_buf_add_fmt(yaml, "-std%zu=<%s>", number, type);
		break;
	case 3:
		w_buf_add_fmt(yaml, "-f%zu<%s>...", number, type);
		break;
	case 4:
		w_buf_add_fmt(yaml, "-pair%zu <text> <%s>", number, type);
		break;
	case 5:
		w_buf_add_fmt(yaml, "-exec%zu <command> ;...", number);
		break;
	case 6:
		w_buf_add_fmt(yaml, "+plus%zu", number);
		break;
	default:
		w_buf_add_fmt(yaml, "--long%zu <%s>...", number, type);
	}
}

static inline void
add_grammar_option(struct grammar *grammar, const char *indent)
{
	size_t number = grammar->names++;
	struct w_buf *yaml = grammar->yaml;

	w_buf_add_fmt(yaml, "%s  \"", indent);
	if (is_style(grammar, "pairs"))
		w_buf_add_fmt(yaml, "name%zu=<%s>", number,
		    PICK(grammar->dice, grammar_types));
	else if (is_bundled_style(grammar))
		spell_bundled(grammar, number);
	else
		spell_word(grammar, number);
	w_buf_add_fmt(yaml, "\": {about: x, key: k%zu}\n", number);
}

/* Several operands: fixed ones, perhaps one of any number or one that may be
 * missing, perhaps a command, perhaps some behind "--". */
static inline void
add_grammar_operands(struct grammar *grammar, const char *indent)
{
	struct dice *dice = grammar->dice;
	struct w_buf *yaml = grammar->yaml;
	size_t fixed = pick(dice, 3);
	bool has_command = chance(dice, 4) && !is_style(grammar, "leading");

	w_buf_add_fmt(yaml, "%soperands:\n", indent);
	for (size_t i = 0; i < fixed; i++)
		w_buf_add_fmt(yaml, "%s  before%zu <%s>: x\n", indent, i,
		    PICK(dice, grammar_types));
	if (has_command && chance(dice, 2))
		w_buf_add_fmt(yaml, "%s  set* <assignment>: x\n", indent);
	else if (!has_command && chance(dice, 2))
		w_buf_add_fmt(yaml, "%s  any%s <%s>: x\n", indent,
		    PICK(dice, ((const char *const[]){"*", "+", "?"})),
		    PICK(dice, grammar_types));
	if (has_command)
		w_buf_add_fmt(yaml, "%s  command%s <command>: x\n", indent,
		    chance(dice, 2) ? "?" : "");
	else if (chance(dice, 3))
		w_buf_add_fmt(yaml, "%s  last <%s>: x\n", indent,
		    PICK(dice, grammar_types));
	else
		w_buf_add_fmt(yaml, "%s  also? <path>: x\n", indent);
	if (!has_command && is_style(grammar, "gnu") && chance(dice, 3))
		w_buf_add_fmt(yaml,
		    "%s  behind* <path>: {about: x, after_dashes: true}\n",
		    indent);
}

static inline void
add_grammar_node(struct grammar *grammar, const char *indent)
{
	struct w_buf *yaml = grammar->yaml;
	bool is_literal = is_style(grammar, "literal");

	if (!is_literal) {
		w_buf_add_fmt(yaml, "%soptions:\n", indent);
		for (size_t i = pick(grammar->dice, 8) + 1; i > 0; i--)
			add_grammar_option(grammar, indent);
	}
	if (!is_style(grammar, "pairs"))
		add_grammar_operands(grammar, indent);
	w_buf_add_fmt(yaml, "%seffects: []\n", indent);
	if (!is_literal && chance(grammar->dice, 4))
		w_buf_add_fmt(yaml, "%sordered: steps\n", indent);
}

static inline void
make_grammar(struct dice *dice, struct w_buf *yaml)
{
	static const char *const styles[] = {"gnu", "gnu", "posix", "words",
	    "leading", "cluster", "pairs", "literal"};
	struct grammar grammar = {
	    .dice = dice, .yaml = yaml, .style = PICK(dice, styles)};

	w_buf_add_fmt(
	    yaml, "command: made\nabout: x\nstyle: %s\n", grammar.style);
	if (!is_bundled_style(&grammar) || chance(dice, 2)) {
		add_grammar_node(&grammar, "");
		return;
	}
	w_buf_add_fmt(yaml, "globals: %s\noptions:\n",
	    chance(dice, 2) ? "before" : "anywhere");
	add_grammar_option(&grammar, "");
	add_grammar_option(&grammar, "");
	w_buf_add_str(yaml, "commands:\n");
	for (size_t i = pick(dice, 3) + 1; i > 0; i--) {
		w_buf_add_fmt(yaml, "  sub%zu:\n    about: x\n", i);
		add_grammar_node(&grammar, "    ");
	}
}

#endif /* W_TEST_GRAMMAR_MAKER_H */
