/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Options and operands as descriptions spell them:
 *
 *     NAME[VALUE], NAME[VALUE]... [;][...]
 *
 * where VALUE is " <T>", " <T> <T>", "=<T>", "<T>", "[=<T>]" or "[<T>]". A name
 * without one has the value of the next name that has one. Nothing is read in
 * two ways: what the style of the program could not tell apart is refused.
 */

#include "module/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/spelling_type.h"

#define NAMES_MAX 16
#define WORDS_MAX 8

/* How a value stands behind a name. */
enum value_form {
	FORM_NONE,
	FORM_SEPARATE,        /* " <T>" */
	FORM_EQUALS,          /* "=<T>" */
	FORM_JOINED,          /* "<T>" */
	FORM_OPTIONAL_EQUALS, /* "[=<T>]" */
	FORM_OPTIONAL_JOINED, /* "[<T>]" */
};

struct reading {
	struct w_spelling *in;
	size_t at;
	struct w_flag_name names[NAMES_MAX];
	size_t offsets[NAMES_MAX];
	size_t name_count;
	size_t open; /* the first name whose value is still to come */
	size_t value_at;
	size_t value_len; /* of all "<T>" together; 0: none so far */
	struct w_value_type types[WORDS_MAX];
	size_t type_count;
	bool is_optional;
	bool is_until_end;
	bool is_repeatable;
};

writ_status
w_spelling_refuse(struct w_spelling *spelling, size_t at, const char *fmt, ...)
{
	char what[160];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	spelling->at = at;
	return w_fail(spelling->err, WRIT_E_INVALID, W_SPELLING_STAGE, 0,
	    "'%.64s': %s", spelling->text, what);
}

static bool
has(const struct reading *in, size_t at, const char *word)
{
	size_t len = strlen(word);

	return in->in->len - at >= len &&
	       memcmp(in->in->text + at, word, len) == 0;
}

static bool
skip(struct reading *in, const char *word)
{
	if (!has(in, in->at, word))
		return false;
	in->at += strlen(word);
	return true;
}

static void
skip_blanks(struct reading *in)
{
	while (in->at < in->in->len && in->in->text[in->at] == ' ')
		in->at++;
}

static bool
is_bundled(enum w_style style)
{
	return style == W_STYLE_GNU || style == W_STYLE_POSIX ||
	       style == W_STYLE_CLUSTER;
}

static bool
is_long(const struct w_flag_name *name)
{
	return name->len > 2 && name->token[0] == '-' && name->token[1] == '-';
}

static bool
is_short(const struct w_flag_name *name)
{
	return name->len == 2 && name->token[0] == '-';
}

/* Where a name ends. Its first character is always its own: "(" and "," are
 * names of find. */
static size_t
end_of_name(const struct reading *in)
{
	size_t at = in->at + 1;

	while (at < in->in->len) {
		char c = in->in->text[at];

		if (c == ' ' || c == '<' || c == '=' || has(in, at, ", ") ||
		    has(in, at, "[=") || has(in, at, "[<"))
			break;
		if (has(in, at, "...") && at + 3 == in->in->len)
			break;
		at++;
	}
	return at;
}

static writ_status
check_name(struct reading *in, const struct w_flag_name *name)
{
	enum w_style style = in->in->style;
	const char *token = name->token;

	for (size_t i = 0; i < name->len; i++) {
		unsigned char c = (unsigned char)token[i];

		if (c <= ' ' || c == 0x7f)
			return w_spelling_refuse(in->in, in->at + i,
			    "a name cannot have this character");
	}
	if (style == W_STYLE_LITERAL)
		return w_spelling_refuse(in->in, in->at,
		    "a program of the style literal has no options");
	if (strcmp(token, "--") == 0)
		return w_spelling_refuse(
		    in->in, in->at, "'--' is no name of an option");
	if (token[0] == '-' || token[0] == '+' || style == W_STYLE_LEADING ||
	    style == W_STYLE_PAIRS)
		return WRIT_OK;
	(void)w_spelling_refuse(
	    in->in, in->at, "the name '%.64s' does not begin with '-'", token);
	w_suggest(in->in->err,
	    "operands stand under 'operands', and sub-commands under "
	    "'commands'");
	return WRIT_E_INVALID;
}

static writ_status
read_name(struct reading *in)
{
	struct w_flag_name *name = &in->names[in->name_count];

	skip_blanks(in);
	if (in->at == in->in->len || in->in->text[in->at] == '<')
		return w_spelling_refuse(in->in, in->at, "a name is missing");
	if (in->name_count == NAMES_MAX)
		return w_spelling_refuse(
		    in->in, in->at, "more than %d names", NAMES_MAX);
	size_t end = end_of_name(in);
	name->len = end - in->at;
	name->token =
	    w_arena_text(in->in->arena, in->in->text + in->at, name->len);
	if (name->token == NULL)
		return w_fail_nomem(in->in->err, W_SPELLING_STAGE);
	writ_status status = check_name(in, name);
	in->offsets[in->name_count++] = in->at;
	in->at = end;
	return status;
}

/* "<T>"; several, with a blank between them, when they may be. */
static writ_status
read_types(struct reading *in, bool may_be_several)
{
	size_t from = in->at;

	/* The same as before: a name's own way to the value of them all. */
	if (in->value_len > 0 && in->in->len - from >= in->value_len &&
	    memcmp(in->in->text + from, in->in->text + in->value_at,
		in->value_len) == 0) {
		in->at += in->value_len;
		return WRIT_OK;
	}
	if (in->value_len > 0)
		return w_spelling_refuse(
		    in->in, from, "names of one option with unlike values");
	do {
		const char *end;

		in->at++;
		if (in->type_count == WORDS_MAX)
			return w_spelling_refuse(
			    in->in, in->at, "more than %d values", WORDS_MAX);
		end = memchr(in->in->text + in->at, '>', in->in->len - in->at);
		if (end == NULL)
			return w_spelling_refuse(
			    in->in, in->in->len, "a '>' is missing");
		size_t len = (size_t)(end - in->in->text) - in->at;
		writ_status status = w_spelling_type(
		    in->in, in->at, len, &in->types[in->type_count++]);
		if (status != WRIT_OK)
			return status;
		in->at += len + 1;
	} while (may_be_several && has(in, in->at, " <") && in->at++ > 0);
	in->value_at = from;
	in->value_len = in->at - from;
	return WRIT_OK;
}

static enum value_form
read_form(struct reading *in)
{
	if (has(in, in->at, " <")) {
		in->at++;
		return FORM_SEPARATE;
	}
	if (skip(in, "[=")) {
		return FORM_OPTIONAL_EQUALS;
	}
	if (skip(in, "["))
		return FORM_OPTIONAL_JOINED;
	if (skip(in, "="))
		return FORM_EQUALS;
	return has(in, in->at, "<") ? FORM_JOINED : FORM_NONE;
}

/* 0: no argv could be written so. */
static unsigned
spellings_of(
    const struct w_flag_name *name, enum value_form form, enum w_style style)
{
	const unsigned separate = W_SPELL_SEPARATE;
	const unsigned bare = W_SPELL_BARE;

	switch (form) {
	case FORM_NONE:
		return bare;
	case FORM_SEPARATE:
		if (is_long(name))
			return separate | W_SPELL_EQUALS;
		if (is_short(name) && style != W_STYLE_LEADING)
			return separate | W_SPELL_JOINED;
		return name->len > 1 ? separate : 0;
	case FORM_EQUALS:
		return is_short(name) && is_bundled(style) ? 0 : W_SPELL_EQUALS;
	case FORM_JOINED:
		return is_long(name) ? 0 : W_SPELL_JOINED;
	case FORM_OPTIONAL_EQUALS:
		if (is_short(name) && is_bundled(style))
			return bare | W_SPELL_JOINED;
		return bare | W_SPELL_EQUALS;
	case FORM_OPTIONAL_JOINED:
		return is_long(name) ? 0 : bare | W_SPELL_JOINED;
	}
	return 0;
}

/* Several words, or all that follow, can only be words of their own. */
static unsigned
limit_spellings(const struct reading *in, unsigned spellings)
{
	if (in->type_count > 1 ||
	    (in->type_count == 1 && in->types[0].kind == W_VALUE_COMMAND))
		return spellings & W_SPELL_SEPARATE;
	return spellings;
}

static writ_status
close_names(struct reading *in, enum value_form form)
{
	for (; in->open < in->name_count; in->open++) {
		struct w_flag_name *name = &in->names[in->open];

		name->spellings = limit_spellings(
		    in, spellings_of(name, form, in->in->style));
		if (in->in->style == W_STYLE_PAIRS && name->token[0] != '-' &&
		    form != FORM_EQUALS) {
			(void)w_spelling_refuse(in->in, in->offsets[in->open],
			    "in the style pairs '%.64s' needs a value",
			    name->token);
			w_suggest(in->in->err, "'%s=<text>'", name->token);
			return WRIT_E_INVALID;
		}
		if (name->spellings != 0)
			continue;
		(void)w_spelling_refuse(in->in, in->offsets[in->open],
		    "'%.64s' cannot have such a value", name->token);
		w_suggest(in->in->err,
		    "'-o <T>' and '--output <T>' for a value that must be "
		    "there, '--output=<T>' or '-o<T>' for one that is "
		    "attached, '--output[=<T>]' for one that may be");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
read_value(struct reading *in)
{
	enum value_form form = read_form(in);
	bool is_optional =
	    form == FORM_OPTIONAL_EQUALS || form == FORM_OPTIONAL_JOINED;

	if (form == FORM_NONE)
		return WRIT_OK;
	if (!has(in, in->at, "<")) {
		(void)w_spelling_refuse(
		    in->in, in->at, "a value is spelled '<TYPE>'");
		w_suggest(in->in->err, "like '--output <path:write>'");
		return WRIT_E_INVALID;
	}
	writ_status status = read_types(in, form == FORM_SEPARATE);
	if (status == WRIT_OK && is_optional && !skip(in, "]"))
		status = w_spelling_refuse(in->in, in->at, "a ']' is missing");
	in->is_optional |= is_optional;
	return status == WRIT_OK ? close_names(in, form) : status;
}

/* " ;" and "..." behind all else. */
static writ_status
read_end(struct reading *in)
{
	skip_blanks(in);
	if (in->at < in->in->len && in->in->text[in->at] == ';') {
		if (in->type_count != 1 || in->types[0].kind != W_VALUE_COMMAND)
			return w_spelling_refuse(
			    in->in, in->at, "only a <command> goes on to ';'");
		in->is_until_end = true;
		in->at++;
		skip_blanks(in);
	}
	in->is_repeatable = skip(in, "...");
	if (in->at == in->in->len)
		return WRIT_OK;
	(void)w_spelling_refuse(in->in, in->at,
	    "'%.32s' is not understood here", in->in->text + in->at);
	w_suggest(in->in->err,
	    "names with commas between them, then the value: "
	    "'-o, --output <path:write>'");
	return WRIT_E_INVALID;
}

/* The same name in two ways is one name with both. */
static void
merge_names(struct reading *in)
{
	size_t kept = 0;

	for (size_t i = 0; i < in->name_count; i++) {
		size_t same = 0;

		while (same < kept &&
		       strcmp(in->names[same].token, in->names[i].token) != 0)
			same++;
		if (same < kept)
			in->names[same].spellings |= in->names[i].spellings;
		else
			in->names[kept++] = in->names[i];
	}
	in->name_count = kept;
}

/* The name that speaks for the option: its first long one, or its first. */
static const struct w_flag_name *
main_name(const struct reading *in)
{
	for (size_t i = 0; i < in->name_count; i++) {
		if (is_long(&in->names[i]))
			return &in->names[i];
	}
	return &in->names[0];
}

/* Without its dashes, and '_' for those inside. */
static writ_status
make_key(
    struct w_spelling *in, const char *name, size_t len, struct w_param *param)
{
	size_t dashes = 0;

	while (dashes < 2 && dashes + 1 < len && name[dashes] == '-')
		dashes++;
	char *key = w_arena_text(in->arena, name + dashes, len - dashes);
	if (key == NULL)
		return w_fail_nomem(in->err, W_SPELLING_STAGE);
	for (size_t i = 1; i < len - dashes; i++) {
		if (key[i] == '-')
			key[i] = '_';
	}
	param->key = key;
	param->key_len = len - dashes;
	return WRIT_OK;
}

static enum w_attach
attach_of(const struct w_flag_name *name)
{
	if ((name->spellings & W_SPELL_SEPARATE) != 0)
		return W_ATTACH_SEPARATE;
	return (name->spellings & W_SPELL_JOINED) != 0 ? W_ATTACH_JOINED
						       : W_ATTACH_EQUALS;
}

/* Which JSON stands for the values. */
static void
set_types(struct w_param *param)
{
	unsigned one = W_TYPE_BOOLEAN;

	if (param->values != NULL)
		one = w_spelling_json_types(param->values[0].kind);
	if (param->arity > 1)
		one = W_TYPE_ARRAY;
	if (param->is_value_optional)
		one |= W_TYPE_BOOLEAN;
	param->types = one;
	if ((one & W_TYPE_ARRAY) != 0)
		param->item_types = W_TYPE_STRING;
	if (param->arity > 1)
		param->item_types =
		    (unsigned)W_TYPE_STRING | (unsigned)W_TYPE_NUMBER;
	if (!param->is_repeatable)
		return;
	param->types |= W_TYPE_ARRAY;
	param->item_types |= one;
}

static writ_status
keep_values(struct reading *in, struct w_param *param)
{
	struct w_value_type *values;

	if (in->type_count == 0)
		return WRIT_OK;
	values = w_arena_alloc(in->in->arena, in->type_count, sizeof(*values));
	if (values == NULL)
		return w_fail_nomem(in->in->err, W_SPELLING_STAGE);
	memcpy(values, in->types, in->type_count * sizeof(*values));
	param->values = values;
	for (size_t i = 0; i < in->type_count; i++) {
		param->is_path |= values[i].kind == W_VALUE_PATH;
		param->is_secret |= values[i].kind == W_VALUE_SECRET;
	}
	return WRIT_OK;
}

static writ_status
keep_option(struct reading *in, struct w_param *param)
{
	const struct w_flag_name *flag = main_name(in);
	struct w_flag_name *names =
	    w_arena_alloc(in->in->arena, in->name_count, sizeof(*names));

	param->flag = strndup(flag->token, flag->len);
	if (names == NULL || param->flag == NULL)
		return w_fail_nomem(in->in->err, W_SPELLING_STAGE);
	memcpy(names, in->names, in->name_count * sizeof(*names));
	param->names = names;
	param->name_count = in->name_count;
	param->flag_len = flag->len;
	param->kind = W_PARAM_OPTION;
	param->slot = W_SLOT_FLAGS;
	param->arity = in->type_count > 1 ? (unsigned)in->type_count : 1;
	param->is_value_optional = in->is_optional;
	param->is_repeatable = in->is_repeatable;
	param->is_until_end = in->is_until_end;
	if (in->type_count > 0)
		param->attach = attach_of(flag);
	writ_status status = keep_values(in, param);
	if (status != WRIT_OK)
		return status;
	set_types(param);
	return make_key(in->in, flag->token, flag->len, param);
}

static writ_status
check_text(struct w_spelling *in)
{
	if (in->len > W_SPELLING_BYTES_MAX)
		return w_fail(in->err, WRIT_E_INVALID, W_SPELLING_STAGE, 0,
		    "a spelling of more than %d bytes", W_SPELLING_BYTES_MAX);
	if (memchr(in->text, '\0', in->len) != NULL)
		return w_spelling_refuse(in, 0, "it has a NUL in it");
	return WRIT_OK;
}

writ_status
w_spelling_option(struct w_spelling *spelling, struct w_param *param)
{
	struct reading in = {.in = spelling};
	writ_status status = check_text(spelling);

	do {
		if (status == WRIT_OK)
			status = read_name(&in);
		if (status == WRIT_OK)
			status = read_value(&in);
	} while (status == WRIT_OK && skip(&in, ", "));
	if (status == WRIT_OK)
		status = read_end(&in);
	if (status == WRIT_OK && in.open < in.name_count && in.type_count > 0)
		status = w_spelling_refuse(spelling, in.offsets[in.open],
		    "a name without a value behind names with one");
	if (status == WRIT_OK)
		status = close_names(&in, FORM_NONE);
	if (status != WRIT_OK)
		return status;
	merge_names(&in);
	return keep_option(&in, param);
}

static bool
is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* "file*": its key and how many there may be. */
static writ_status
read_operand_name(struct reading *in, struct w_param *param)
{
	const char *text = in->in->text;
	size_t len = 0;

	while (len < in->in->len && is_key_char(text[len]))
		len++;
	if (len == 0 || text[0] == '-')
		return w_spelling_refuse(in->in, 0,
		    "an operand's name begins with a letter or digit");
	in->at = len;
	param->min_count = 1;
	if (skip(in, "?") || has(in, in->at, "*"))
		param->min_count = 0;
	param->is_repeatable = skip(in, "*") || skip(in, "+");
	return make_key(in->in, text, len, param);
}

writ_status
w_spelling_operand(struct w_spelling *spelling, struct w_param *param)
{
	struct reading in = {.in = spelling};
	writ_status status = check_text(spelling);

	if (status == WRIT_OK)
		status = read_operand_name(&in, param);
	if (status != WRIT_OK)
		return status;
	if (!has(&in, in.at, " <")) {
		(void)w_spelling_refuse(spelling, in.at,
		    "behind an operand's name stands its type");
		w_suggest(spelling->err,
		    "like 'file* <path:read>'; 'NAME <text>' for anything");
		return WRIT_E_INVALID;
	}
	in.at++;
	status = read_types(&in, false);
	if (status == WRIT_OK && in.at != spelling->len)
		status = w_spelling_refuse(spelling, in.at,
		    "'%.32s' is not understood here", spelling->text + in.at);
	if (status == WRIT_OK)
		status = keep_values(&in, param);
	if (status != WRIT_OK)
		return status;
	param->kind = W_PARAM_OPERAND;
	param->slot = W_SLOT_TRAILING;
	param->arity = 1;
	/* All words from there on are one value of a command. */
	bool is_command = in.types[0].kind == W_VALUE_COMMAND;
	param->is_repeatable &= !is_command;
	set_types(param);
	param->is_repeatable |= is_command;
	return WRIT_OK;
}
