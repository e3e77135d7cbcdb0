/* SPDX-License-Identifier: Apache-2.0 */

/* Reading texts of a manifest, which are templates; and what is early of them
 * is filled in. */

#include "manifest/intake.h"

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "data/json_words.h"

bool
w_intake_text(struct w_intake *intake, yyjson_val *val, const char *what)
{
	if (!yyjson_is_str(val)) {
		(void)w_intake_refuse(intake, val, "%s must be text, not %s",
		    what, w_json_type_words(val));
		if (yyjson_is_num(val) || yyjson_is_bool(val))
			w_intake_suggest(intake, "put it in quotes");
		else if (yyjson_is_null(val))
			w_intake_suggest(intake, "leave the key out");
		return false;
	}
	if (!w_json_is_text(val))
		return w_intake_refuse(
		    intake, val, "%s has a NUL character in it", what);
	return true;
}

static bool
parse(struct w_intake *intake, yyjson_val *val, const char *text,
    const char *what, struct w_field *out_field)
{
	struct w_manifest *manifest = intake->manifest;
	struct w_field field = {.at = w_intake_spot(intake, val)};
	writ_error err = {.status = WRIT_OK};

	if (w_template_parse(&manifest->arena, text, strlen(text),
		&field.template, &err) != WRIT_OK)
		return w_intake_refuse_within(
		    intake, &field.at, text, what, &err);
	manifest->uses |= field.template.uses;
	*out_field = field;
	return true;
}

bool
w_intake_template(struct w_intake *intake, yyjson_val *val, const char *what,
    struct w_field *out_field)
{
	return w_intake_text(intake, val, what) &&
	       parse(intake, val, yyjson_get_str(val), what, out_field);
}

bool
w_intake_spend(struct w_intake *intake, const struct w_spot *at, size_t bytes)
{
	intake->filled += bytes;
	if (intake->filled <= W_MANIFEST_FILLED_MAX)
		return true;
	return w_intake_refuse_at(
	    intake, at, "the templates make more than 256MiB of text together");
}

/* What it makes on its way goes with the scratch arena. */
static bool
evaluate(struct w_intake *intake, const char *what, struct w_field *field,
    struct w_arena *scratch)
{
	struct w_value value;
	writ_error err = {.status = WRIT_OK};

	if (w_template_text(&field->template, intake->early, scratch, &value,
		&err) != WRIT_OK)
		return w_intake_refuse_within(
		    intake, &field->at, field->template.text, what, &err);
	if (value.is_secret) {
		(void)w_intake_refuse_at(intake, &field->at,
		    "%s cannot be secret: it is shown and recorded", what);
		w_intake_suggest(intake, "secrets may stand in environment, "
					 "stdin and the content of a file");
		return false;
	}
	if (!w_intake_spend(intake, &field->at, value.as.string.len))
		return false;
	field->text = scratch == &intake->manifest->arena
			  ? value.as.string.text
			  : w_intake_copy(intake, value.as.string.text,
				value.as.string.len);
	return field->text != NULL;
}

static bool
fill(struct w_intake *intake, const char *what, struct w_field *field)
{
	struct w_arena scratch = {.chunks = NULL};
	bool is_filled;

	if (w_template_is_plain(&field->template))
		return evaluate(intake, what, field, &intake->manifest->arena);
	if (intake->early == NULL || intake->filled > W_MANIFEST_FILLED_MAX)
		return false;
	is_filled = evaluate(intake, what, field, &scratch);
	w_arena_done(&scratch);
	return is_filled;
}

bool
w_intake_fill(struct w_intake *intake, yyjson_val *val, const char *what,
    struct w_field *out_field)
{
	return w_intake_template(intake, val, what, out_field) &&
	       fill(intake, what, out_field);
}

int
w_intake_choice(struct w_intake *intake, yyjson_val *val, const char *what,
    const char *const *words)
{
	struct w_field field;
	char shown[W_INTAKE_SHOWN_MAX];

	if (!w_intake_fill(intake, val, what, &field))
		return -1;
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(field.text, words[i]) == 0)
			return i;
	}
	(void)w_intake_refuse(intake, val, "there is no %s '%s'", what,
	    w_intake_shown(intake, field.text, shown));
	w_intake_suggest_word(intake, w_match_nearest(field.text, words));
	return -1;
}

void
w_intake_early(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	(void)w_intake_fill(intake, val, key->name, member);
}

/* Users and groups may be numbers. */
static const char *
digits_of(struct w_intake *intake, yyjson_val *val)
{
	char digits[24];
	const int len = snprintf(digits, sizeof(digits), "%llu",
	    (unsigned long long)yyjson_get_uint(val));

	return w_intake_copy(intake, digits, (size_t)len);
}

void
w_intake_early_word(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_field *field = member;
	const char *text = yyjson_get_str(val);

	if (yyjson_is_uint(val))
		text = digits_of(intake, val);
	else if (!w_intake_text(intake, val, key->name))
		return;
	if (text == NULL || !parse(intake, val, text, key->name, field) ||
	    !fill(intake, key->name, field))
		return;
	if (field->text[0] == '\0')
		(void)w_intake_refuse(
		    intake, val, "%s cannot be empty", key->name);
}

void
w_intake_deferred(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	(void)w_intake_template(intake, val, key->name, member);
}

void
w_intake_deferred_list(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_field_list *list = member;
	struct w_field_list made = {.items = NULL};
	struct w_intake_items items;

	if (!w_intake_items(intake, val, key->name, &items))
		return;
	made.items = w_intake_alloc(intake, items.count, sizeof(*made.items));
	if (made.items == NULL)
		return;
	for (yyjson_val *item = w_intake_next(&items); item != NULL;
	     item = w_intake_next(&items)) {
		if (w_intake_template(
			intake, item, key->name, &made.items[made.count]))
			made.count++;
	}
	*list = made;
}

void
w_intake_truth(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	bool *is_true = member;

	if (yyjson_is_bool(val)) {
		*is_true = yyjson_get_bool(val);
		return;
	}
	(void)w_intake_refuse(intake, val, "%s must be true or false, not %s",
	    key->name, w_json_type_words(val));
	if (yyjson_equals_str(val, "true") || yyjson_equals_str(val, "false"))
		w_intake_suggest(intake, "leave the quotes out");
	else if (yyjson_equals_str(val, "yes") || yyjson_equals_str(val, "no"))
		w_intake_suggest(intake, "write true or false");
}

void
w_intake_unsupported(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	(void)member;
	(void)w_intake_refuse(
	    intake, val, "%s is not supported yet", key->name);
}
