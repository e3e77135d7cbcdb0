/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The names of an option and the values after them:
 *
 *     NAME[VALUE], NAME[VALUE]...
 *
 * where VALUE is " <T>", " <T> <T>", "=<T>", "<T>", "[=<T>]" or "[<T>]". A name
 * without one takes the value of the next name that has one. Nothing is
 * ambiguous: what the program's style could not tell apart is an error.
 */

#include "command/description/spelling_reader.h"

#include <string.h>

/* How a value follows a name. */
enum value_form {
	FORM_NONE,
	FORM_SEPARATE,        /* " <T>" */
	FORM_EQUALS,          /* "=<T>" */
	FORM_JOINED,          /* "<T>" */
	FORM_OPTIONAL_EQUALS, /* "[=<T>]" */
	FORM_OPTIONAL_JOINED, /* "[<T>]" */
};

bool
w_spelling_has(const struct w_spelling_reader *in, size_t at, const char *word)
{
	size_t len = strlen(word);

	return in->in->len - at >= len &&
	       memcmp(in->in->text + at, word, len) == 0;
}

bool
w_spelling_skip(struct w_spelling_reader *in, const char *word)
{
	if (!w_spelling_has(in, in->at, word))
		return false;
	in->at += strlen(word);
	return true;
}

void
w_spelling_skip_blanks(struct w_spelling_reader *in)
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

bool
w_spelling_is_long(const struct w_flag_name *name)
{
	return name->len > 2 && name->token[0] == '-' && name->token[1] == '-';
}

static bool
is_short(const struct w_flag_name *name)
{
	return name->len == 2 && name->token[0] == '-';
}

static bool
ends_name(const struct w_spelling_reader *in, size_t at)
{
	switch (in->in->text[at]) {
	case ' ':
	case '<':
	case '=':
		return true;
	case ',':
		return w_spelling_has(in, at, ", ");
	case '[':
		return w_spelling_has(in, at, "[=") ||
		       w_spelling_has(in, at, "[<");
	case '.':
		return at + 3 == in->in->len && w_spelling_has(in, at, "...");
	default:
		return false;
	}
}

static writ_status
spelling_name_check_name(
    struct w_spelling_reader *in, const struct w_flag_name *name)
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
		    in->in, in->at, "'--' is not the name of an option");
	if (token[0] == '-' || token[0] == '+' || style == W_STYLE_LEADING ||
	    style == W_STYLE_PAIRS)
		return WRIT_OK;
	(void)w_spelling_refuse(
	    in->in, in->at, "the name '%.64s' does not begin with '-'", token);
	w_suggest(in->in->err,
	    "operands go under 'operands', and sub-commands under "
	    "'commands'");
	return WRIT_E_INVALID;
}

writ_status
w_spelling_read_name(struct w_spelling_reader *in)
{
	struct w_flag_name *name = &in->names[in->name_count];

	w_spelling_skip_blanks(in);
	if (in->at == in->in->len || in->in->text[in->at] == '<')
		return w_spelling_refuse(in->in, in->at, "a name is missing");
	if (in->name_count == W_SPELLING_NAMES_MAX)
		return w_spelling_refuse(
		    in->in, in->at, "more than %d names", W_SPELLING_NAMES_MAX);
	/* The first character always belongs to the name: "(" and "," are
	 * options of find. */
	size_t end = in->at + 1;
	while (end < in->in->len && !ends_name(in, end))
		end++;
	name->len = end - in->at;
	name->token =
	    w_arena_text(in->in->arena, in->in->text + in->at, name->len);
	if (name->token == NULL)
		return w_fail_nomem(in->in->err, W_SPELLING_STAGE);
	writ_status status = spelling_name_check_name(in, name);
	in->offsets[in->name_count++] = in->at;
	in->at = end;
	return status;
}

/* "<T>"; or several, separated by blanks, if allowed. */
writ_status
w_spelling_read_types(struct w_spelling_reader *in, bool may_be_several)
{
	size_t from = in->at;

	/* The same value as before, attached to this name in its own way. */
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
		if (in->type_count == W_SPELLING_WORDS_MAX)
			return w_spelling_refuse(in->in, in->at,
			    "more than %d values", W_SPELLING_WORDS_MAX);
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
	} while (
	    may_be_several && w_spelling_has(in, in->at, " <") && in->at++ > 0);
	in->value_at = from;
	in->value_len = in->at - from;
	return WRIT_OK;
}

static enum value_form
read_form(struct w_spelling_reader *in)
{
	if (w_spelling_has(in, in->at, " <")) {
		in->at++;
		return FORM_SEPARATE;
	}
	if (w_spelling_skip(in, "[=")) {
		return FORM_OPTIONAL_EQUALS;
	}
	if (w_spelling_skip(in, "["))
		return FORM_OPTIONAL_JOINED;
	if (w_spelling_skip(in, "="))
		return FORM_EQUALS;
	return w_spelling_has(in, in->at, "<") ? FORM_JOINED : FORM_NONE;
}

/* 0: no argv could be written this way. */
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
		if (w_spelling_is_long(name))
			return separate | W_SPELL_EQUALS;
		if (is_short(name) && style != W_STYLE_LEADING)
			return separate | W_SPELL_JOINED;
		return name->len > 1 ? separate : 0;
	case FORM_EQUALS:
		return is_short(name) && is_bundled(style) ? 0 : W_SPELL_EQUALS;
	case FORM_JOINED:
		return w_spelling_is_long(name) ? 0 : W_SPELL_JOINED;
	case FORM_OPTIONAL_EQUALS:
		if (is_short(name) && is_bundled(style))
			return bare | W_SPELL_JOINED;
		return bare | W_SPELL_EQUALS;
	case FORM_OPTIONAL_JOINED:
		return w_spelling_is_long(name) ? 0 : bare | W_SPELL_JOINED;
	}
	return 0;
}

static writ_status
close_names(struct w_spelling_reader *in, enum value_form form)
{
	for (; in->open < in->name_count; in->open++) {
		struct w_flag_name *name = &in->names[in->open];

		name->spellings = spellings_of(name, form, in->in->style);
		if (in->in->has_short_equals && name->token[0] == '-' &&
		    form == FORM_SEPARATE)
			name->spellings |= W_SPELL_EQUALS;
		/* Several words, or all that follow, cannot be attached. */
		if (in->type_count > 1 ||
		    (in->type_count == 1 &&
			in->types[0].kind == W_VALUE_COMMAND))
			name->spellings &= W_SPELL_SEPARATE;
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

writ_status
w_spelling_read_value(struct w_spelling_reader *in)
{
	enum value_form form = read_form(in);
	bool is_optional =
	    form == FORM_OPTIONAL_EQUALS || form == FORM_OPTIONAL_JOINED;

	if (form == FORM_NONE)
		return WRIT_OK;
	if (!w_spelling_has(in, in->at, "<")) {
		(void)w_spelling_refuse(
		    in->in, in->at, "a value is spelled '<TYPE>'");
		w_suggest(in->in->err, "like '--output <path:write>'");
		return WRIT_E_INVALID;
	}
	writ_status status = w_spelling_read_types(in, form == FORM_SEPARATE);
	if (status == WRIT_OK && is_optional && !w_spelling_skip(in, "]"))
		status = w_spelling_refuse(in->in, in->at, "a ']' is missing");
	in->is_optional |= is_optional;
	return status == WRIT_OK ? close_names(in, form) : status;
}

writ_status
w_spelling_close(struct w_spelling_reader *in)
{
	return close_names(in, FORM_NONE);
}
