/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Options and operands as descriptions write them, and the parameters made from
 * them: "-o, --output <path:write>...", "file* <path:read>".
 */

#include "command/description/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "command/description/spelling_reader.h"

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

/* A trailing " ;" and "...". */
static writ_status
spelling_read_end(struct w_spelling_reader *in)
{
	w_spelling_skip_blanks(in);
	if (in->at < in->in->len && in->in->text[in->at] == ';') {
		if (in->type_count != 1 || in->types[0].kind != W_VALUE_COMMAND)
			return w_spelling_refuse(
			    in->in, in->at, "only a <command> goes on to ';'");
		in->is_until_end = true;
		in->at++;
		w_spelling_skip_blanks(in);
	}
	in->is_repeatable = w_spelling_skip(in, "...");
	if (in->at == in->in->len)
		return WRIT_OK;
	(void)w_spelling_refuse(in->in, in->at,
	    "'%.32s' is not understood here", in->in->text + in->at);
	w_suggest(in->in->err,
	    "names with commas between them, then the value: "
	    "'-o, --output <path:write>'");
	return WRIT_E_INVALID;
}

/* A name listed twice becomes one name with the spellings of both. */
static writ_status
merge_names(struct w_spelling_reader *in)
{
	size_t kept = 0;

	for (size_t i = 0; i < in->name_count; i++) {
		struct w_flag_name *name = &in->names[i];
		size_t same = 0;

		while (same < kept &&
		       strcmp(in->names[same].token, name->token) != 0)
			same++;
		if (same == kept) {
			in->names[kept++] = *name;
			continue;
		}
		if ((in->names[same].spellings | name->spellings) ==
		    in->names[same].spellings)
			return w_spelling_refuse(in->in, in->offsets[i],
			    "the name '%.64s' is there twice", name->token);
		in->names[same].spellings |= name->spellings;
	}
	in->name_count = kept;
	return WRIT_OK;
}

/* The option's main name: its first long one, or its first. */
static const struct w_flag_name *
main_name(const struct w_spelling_reader *in)
{
	for (size_t i = 0; i < in->name_count; i++) {
		if (w_spelling_is_long(&in->names[i]))
			return &in->names[i];
	}
	return &in->names[0];
}

/* Without leading dashes, with '_' for the others. */
static writ_status
spelling_make_key(
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

/* Which JSON types the values have. */
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
keep_values(struct w_spelling_reader *in, struct w_param *param)
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
keep_option(struct w_spelling_reader *in, struct w_param *param)
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
	if (in->type_count > 0 && (flag->spellings & W_SPELL_SEPARATE) != 0)
		param->attach = W_ATTACH_SEPARATE;
	else if (in->type_count > 0)
		param->attach = (flag->spellings & W_SPELL_JOINED) != 0
				    ? W_ATTACH_JOINED
				    : W_ATTACH_EQUALS;
	writ_status status = keep_values(in, param);
	if (status != WRIT_OK)
		return status;
	set_types(param);
	return spelling_make_key(in->in, flag->token, flag->len, param);
}

static writ_status
spelling_check_text(struct w_spelling *in)
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
	struct w_spelling_reader in = {.in = spelling};
	writ_status status = spelling_check_text(spelling);

	do {
		if (status == WRIT_OK)
			status = w_spelling_read_name(&in);
		if (status == WRIT_OK)
			status = w_spelling_read_value(&in);
	} while (status == WRIT_OK && w_spelling_skip(&in, ", "));
	if (status == WRIT_OK)
		status = spelling_read_end(&in);
	if (status == WRIT_OK && in.open < in.name_count && in.type_count > 0)
		status = w_spelling_refuse(spelling, in.offsets[in.open],
		    "a name without a value behind names with one");
	if (status == WRIT_OK)
		status = w_spelling_close(&in);
	if (status == WRIT_OK)
		status = merge_names(&in);
	return status == WRIT_OK ? keep_option(&in, param) : status;
}

/* "file*": its key and how many there may be. */
static writ_status
read_operand_name(struct w_spelling_reader *in, struct w_param *param)
{
	const char *text = in->in->text;
	size_t len = 0;

	while (
	    len < in->in->len && (w_is_name_start(text[len]) ||
				     w_is_digit(text[len]) || text[len] == '-'))
		len++;
	if (len == 0 || text[0] == '-')
		return w_spelling_refuse(in->in, 0,
		    "an operand's name begins with a letter or digit");
	in->at = len;
	bool is_optional = w_spelling_skip(in, "?");
	bool is_any = !is_optional && w_spelling_skip(in, "*");
	param->min_count = is_optional || is_any ? 0 : 1;
	param->is_repeatable =
	    is_any || (!is_optional && w_spelling_skip(in, "+"));
	return spelling_make_key(in->in, text, len, param);
}

writ_status
w_spelling_operand(struct w_spelling *spelling, struct w_param *param)
{
	struct w_spelling_reader in = {.in = spelling};
	writ_status status = spelling_check_text(spelling);

	if (status == WRIT_OK)
		status = read_operand_name(&in, param);
	if (status != WRIT_OK)
		return status;
	if (!w_spelling_has(&in, in.at, " <")) {
		(void)w_spelling_refuse(
		    spelling, in.at, "after an operand's name comes its type");
		w_suggest(spelling->err,
		    "like 'file* <path:read>'; 'NAME <text>' for anything");
		return WRIT_E_INVALID;
	}
	in.at++;
	status = w_spelling_read_types(&in, false);
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
	/* All following words are one value of type command. */
	bool is_command = in.types[0].kind == W_VALUE_COMMAND;
	param->is_repeatable &= !is_command;
	set_types(param);
	param->is_repeatable |= is_command;
	return WRIT_OK;
}
