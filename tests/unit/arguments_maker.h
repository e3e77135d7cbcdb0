/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_ARGUMENTS_MAKER_H
#define W_TEST_ARGUMENTS_MAKER_H

/* Arguments that a form could be given, by chance, in their normal form; and
 * words that could be its argv. */

#include "command/parse/argv_parse.h"
#include "data/json.h"
#include "dice.h"

struct arguments {
	struct dice *dice;
	struct w_buf *json;
	const struct w_grammar *grammar;
	bool is_noisy; /* not in the normal form, but meaning the same */
	const char *between;
};

static const char *const texts[] = {"x", "word", "a b", "", "-", "-x", "--",
    "--long", "+1", "+", "@f", "a=b", "=", "(", "!", ",", ";", "{}", "{", "0",
    "-5", "5", "h:p", "u@h", "\xc3\xa9", "\xff\xfe", "sub1", "\"q'", "\n",
    "http://h/x", "A=1", "Name: v", "*.c"};
static const char *const assignments[] = {"A=1", "B=", "x=y=z", "-=1"};
static const char *const durations[] = {"5", "1.5s", "2m", "1h30m", "0"};
static const char *const sizes[] = {"10", "4k", "1MiB", "-1K", "2.5G"};
static const char *const numbers[] = {"1.5", "-2", "0", "1e3", "0.25"};
static const char *const hosts[] = {"h", "u@h", "h:22", "::1"};

static inline void
add_text(struct arguments *out, const char *text)
{
	w_json_add_bytes(out->json, text, strlen(text));
}

static inline void
add_integer(struct arguments *out, const struct w_value_type *type)
{
	int64_t near[] = {type->min, type->max, 0, 1, 7, -3};
	int64_t value = PICK(out->dice, near);

	if (value < type->min || value > type->max)
		value = type->min;
	w_buf_add_fmt(out->json, "%lld", (long long)value);
}

/* One word of a value. */
static inline void
add_one_value(struct arguments *out, const struct w_value_type *type)
{
	size_t count = 0;

	switch ((int)type->kind) {
	case W_VALUE_INTEGER:
		add_integer(out, type);
		return;
	case W_VALUE_NUMBER:
		w_buf_add_str(out->json, PICK(out->dice, numbers));
		return;
	case W_VALUE_DURATION:
		add_text(out, PICK(out->dice, durations));
		return;
	case W_VALUE_SIZE:
		add_text(out, PICK(out->dice, sizes));
		return;
	case W_VALUE_ASSIGNMENT:
		add_text(out, PICK(out->dice, assignments));
		return;
	case W_VALUE_HOST:
	case W_VALUE_REMOTE:
		add_text(out, PICK(out->dice, hosts));
		return;
	case W_VALUE_CHOICE:
		while (type->choices[count] != NULL)
			count++;
		add_text(out, type->choices[pick(out->dice, count)]);
		return;
	default:
		add_text(out, PICK(out->dice, texts));
	}
}

static inline void
add_inner(struct arguments *out, const struct w_param *param)
{
	w_buf_add_str(out->json, "[\"ls\"");
	for (size_t i = pick(out->dice, 3); i > 0; i--) {
		w_buf_add_char(out->json, ',');
		add_text(out, PICK(out->dice, texts));
	}
	if (param->is_until_end && chance(out->dice, 3))
		w_buf_add_str(out->json, ",\"{}\",\"+\"");
	w_buf_add_char(out->json, ']');
}

/* One use of a parameter. */
static inline void
add_use(struct arguments *out, const struct w_param *param)
{
	if (param->values == NULL ||
	    (param->is_value_optional && chance(out->dice, 3))) {
		w_buf_add_str(out->json, "true");
		return;
	}
	if (param->values[0].kind == W_VALUE_COMMAND) {
		add_inner(out, param);
		return;
	}
	if (param->arity == 1) {
		add_one_value(out, &param->values[0]);
		return;
	}
	w_buf_add_char(out->json, '[');
	for (size_t i = 0; i < param->arity; i++) {
		if (i > 0)
			w_buf_add_char(out->json, ',');
		add_one_value(out, &param->values[i]);
	}
	w_buf_add_char(out->json, ']');
}

static inline bool
is_many(const struct w_param *param)
{
	return param->is_repeatable &&
	       !(param->kind == W_PARAM_OPERAND && param->values != NULL &&
		   param->values[0].kind == W_VALUE_COMMAND);
}

static inline void
add_uses(struct arguments *out, const struct w_param *param)
{
	size_t count = pick(out->dice, 3) + 1;

	/* A switch that is there once is no list; of anything else a list of
	 * one may be given without its brackets. */
	if (!is_many(param) || (param->values == NULL && count == 1)) {
		add_use(out, param);
		return;
	}
	w_buf_add_char(out->json, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			w_buf_add_char(out->json, ',');
		if (param->values == NULL)
			w_buf_add_str(out->json, "true");
		else
			add_use(out, param);
	}
	w_buf_add_char(out->json, ']');
}

static inline void
add_member_key(struct arguments *out, const struct w_param *param)
{
	w_buf_add_str(out->json, out->between);
	w_json_add_string(out->json, param->key, param->key_len);
	w_buf_add_char(out->json, ':');
	out->between = ",";
}

static inline bool
is_wanted(struct arguments *out, const struct w_param *param)
{
	if (param->kind == W_PARAM_OPERAND)
		return param->min_count > 0 || chance(out->dice, 2);
	return chance(out->dice, out->grammar->count / 4 + 2);
}

/* Steps in an order that the operands can have. */
static inline void
add_made_steps(struct arguments *out, const struct w_param *sequence)
{
	const struct w_grammar *grammar = out->grammar;
	size_t operand = 0;
	const char *between = "";
	W_AUTO_BUF struct w_buf steps;
	struct arguments inner = *out;

	w_buf_init(&steps, 1024 * 1024);
	inner.json = &steps;
	for (size_t i = 0; i < grammar->count + grammar->operand_count; i++) {
		size_t place = pick(out->dice, grammar->count);

		if (chance(out->dice, 3) && operand < grammar->operand_count)
			place = grammar->operands[operand++];
		else if (grammar->params[place].kind != W_PARAM_OPTION ||
			 !chance(out->dice, grammar->count / 4 + 1))
			continue;
		const struct w_param *param = &grammar->params[place];
		if (!param->is_step)
			continue;
		w_buf_add_str(&steps, between);
		w_buf_add_char(&steps, '{');
		inner.between = "";
		add_member_key(&inner, param);
		add_use(&inner, param);
		w_buf_add_char(&steps, '}');
		between = ",";
	}
	if (steps.len == 0)
		return;
	add_member_key(out, sequence);
	w_buf_add_char(out->json, '[');
	w_buf_add(out->json, steps.data, steps.len);
	w_buf_add_char(out->json, ']');
}

static inline void
make_arguments(
    struct dice *dice, const struct w_grammar *grammar, struct w_buf *json)
{
	struct arguments out = {
	    .dice = dice, .json = json, .grammar = grammar, .between = ""};

	w_buf_add_char(json, '{');
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		if (param->kind == W_PARAM_SEQUENCE) {
			add_made_steps(&out, param);
		} else if (!param->is_step && is_wanted(&out, param)) {
			add_member_key(&out, param);
			add_uses(&out, param);
		}
	}
	w_buf_add_char(json, '}');
}

/* A word that might be one of the form's. */
static inline void
make_word(
    struct dice *dice, const struct w_grammar *grammar, struct w_buf *word)
{
	const struct w_param *param;
	const struct w_flag_name *name;

	if (grammar->count == 0 || chance(dice, 3)) {
		w_buf_add_str(word, PICK(dice, texts));
		return;
	}
	param = &grammar->params[pick(dice, grammar->count)];
	if (param->name_count == 0) {
		w_buf_add_str(word, PICK(dice, durations));
		return;
	}
	name = &param->names[pick(dice, param->name_count)];
	w_buf_add(word, name->token, name->len);
	if (name->len > 3 && chance(dice, 10))
		word->data[--word->len] = '\0';
	if ((name->spellings & W_SPELL_EQUALS) != 0 && chance(dice, 2))
		w_buf_add_char(word, '=');
	if (name->spellings != W_SPELL_BARE && chance(dice, 2))
		w_buf_add_str(word, chance(dice, 2) ? PICK(dice, durations)
						    : PICK(dice, texts));
	if (name->spellings == W_SPELL_BARE && name->len == 2 &&
	    chance(dice, 3))
		w_buf_add_str(word, PICK(dice, texts));
}

#endif /* W_TEST_ARGUMENTS_MAKER_H */
