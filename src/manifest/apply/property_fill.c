/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fills in a resource's properties, just before it is examined.
 *
 * Most have no expressions; then nothing is copied.
 */

#include "manifest/apply/property_fill.h"

#include <string.h>

#include "base/words.h"

#define STAGE     "manifest"
#define SHOWN_MAX ((size_t)1 << 20)

static bool
property_fill_fail(struct w_resource_step *step,
    const struct w_property *property, const writ_error *err)
{
	if (err->status == WRIT_E_NOMEM)
		step->is_short = true;
	else
		w_resource_step_fail_at(
		    step, &property->at, property->template.text, err);
	return false;
}

/* ---- secrets ---- */

/* The secret is a part of the text, and must be found in output also without
 * the rest around it. */
static bool
note_secrets(struct w_resource_step *step, const struct w_template *template)
{
	writ_error err;

	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];
		struct w_value value;

		if (part->literal != NULL)
			continue;
		if (w_expr_eval(part->expr, step->scope, &step->arena, &value,
			&err) != WRIT_OK)
			return false;
		if (w_value_has_secret(&value) &&
		    !w_secrets_add_value(&step->secrets, &step->arena, &value))
			return false;
	}
	return true;
}

/* ---- texts ---- */

bool
w_fill_text(struct w_resource_step *step, const struct w_property *property,
    struct w_filled_text *out_text)
{
	struct w_value value;
	writ_error err;

	*out_text = (struct w_filled_text){.text = NULL};
	if (property->text != NULL) {
		value = w_value_text(property->text, strlen(property->text));
		value.is_secret = property->is_secret;
	} else if (property->template.parts == NULL) {
		return true;
	} else if (w_template_text(&property->template, step->scope,
		       &step->arena, &value, &err) != WRIT_OK) {
		return property_fill_fail(step, property, &err);
	}
	out_text->text = value.as.string.text;
	out_text->len = value.as.string.len;
	out_text->shown = value.is_secret || step->resource->is_sensitive
			      ? W_VALUE_HIDDEN
			      : out_text->text;
	if (value.is_secret && (!w_secrets_add(&step->secrets, &step->arena,
				    out_text->text, out_text->len) ||
				   !note_secrets(step, &property->template))) {
		step->is_short = true;
		return false;
	}
	w_resource_step_show(step, &property->template, NULL, out_text->shown);
	return true;
}

static const char **
make_list(struct w_resource_step *step, size_t count)
{
	const char **items =
	    w_arena_alloc(&step->arena, count + 1, sizeof(*items));

	if (items == NULL)
		step->is_short = true;
	return items;
}

bool
w_fill_list(struct w_resource_step *step, const struct w_property_list *list,
    const char *const **out_texts, const char *const **out_shown)
{
	*out_texts = NULL;
	*out_shown = NULL;
	if (list->count == 0)
		return true;
	const char **texts = make_list(step, list->count);
	const char **shown = make_list(step, list->count);
	if (texts == NULL || shown == NULL)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		struct w_filled_text text;

		if (!w_fill_text(step, &list->items[i], &text))
			return false;
		texts[i] = text.text;
		shown[i] = text.shown;
	}
	*out_texts = texts;
	*out_shown = shown;
	return true;
}

/* ---- environment ---- */

static bool
fill_entry(struct w_resource_step *step, const struct w_property *property,
    const char **out_entry, const char **out_shown)
{
	struct w_filled_text text;
	writ_error err;

	if (!w_fill_text(step, property, &text))
		return false;
	if (w_manifest_check_variable(text.text, &err) != WRIT_OK)
		return property_fill_fail(step, property, &err);
	*out_entry = text.text;
	*out_shown = text.text;
	if (text.shown == text.text)
		return true;
	const size_t name = (size_t)(strchr(text.text, '=') - text.text);
	/* Programs print values of variables without their names. */
	if (!w_secrets_add(&step->secrets, &step->arena, text.text + name + 1,
		text.len - name - 1))
		step->is_short = true;
	char *shown =
	    w_arena_alloc(&step->arena, name + sizeof("=" W_VALUE_HIDDEN), 1);
	if (shown == NULL) {
		step->is_short = true;
		return false;
	}
	memcpy(shown, text.text, name);
	memcpy(shown + name, "=" W_VALUE_HIDDEN, sizeof("=" W_VALUE_HIDDEN));
	*out_shown = shown;
	return true;
}

bool
w_fill_environment(struct w_resource_step *step,
    const struct w_property_list *list, const char *const **out_env,
    const char *const **out_shown)
{
	*out_env = NULL;
	*out_shown = NULL;
	if (list->count == 0)
		return true;
	const char **env = make_list(step, list->count);
	const char **shown = make_list(step, list->count);
	if (env == NULL || shown == NULL)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		if (!fill_entry(step, &list->items[i], &env[i], &shown[i]))
			return false;
	}
	*out_env = env;
	*out_shown = shown;
	return true;
}

/* ---- commands ---- */

static bool
fill_words(struct w_resource_step *step, const struct w_property_list *words,
    struct w_filled_command *out_command)
{
	const char **argv = make_list(step, words->count);

	for (size_t i = 0; argv != NULL && i < words->count; i++) {
		const size_t secrets = step->secrets.count;
		struct w_filled_text text;

		if (!w_fill_text(step, &words->items[i], &text))
			return false;
		if (step->secrets.count > secrets) {
			writ_error err;

			(void)w_fail(&err, WRIT_E_INVALID, STAGE, 0,
			    "a secret cannot be an argument: every user can "
			    "read it");
			w_suggest(&err, "use environment or stdin");
			return property_fill_fail(step, &words->items[i], &err);
		}
		argv[i] = text.text;
	}
	out_command->argv = argv;
	return argv != NULL;
}

static bool
property_fill_check_words(struct w_resource_step *step,
    const struct w_property *property, const struct w_filled_command *command)
{
	const bool is_empty =
	    command->shell != NULL
		? command->shell[strspn(command->shell, " \t\n")] == '\0'
		: command->argv[0] == NULL || command->argv[0][0] == '\0';
	writ_error err;

	if (!is_empty)
		return true;
	(void)w_fail(&err, WRIT_E_INVALID, STAGE, 0,
	    command->shell != NULL ? "no command to execute"
				   : "no command specified");
	return property_fill_fail(step, property, &err);
}

bool
w_fill_command(struct w_resource_step *step,
    const struct w_command_property *property, bool is_shell,
    struct w_filled_command *out_command)
{
	const struct w_property *line = &property->line;
	writ_error err;
	writ_status status;

	*out_command = (struct w_filled_command){.argv = NULL};
	if (property->words.count > 0)
		return fill_words(step, &property->words, out_command) &&
		       property_fill_check_words(
			   step, &property->words.items[0], out_command);
	if (line->template.parts == NULL)
		return true;
	if (is_shell)
		status = w_template_shell(&line->template, step->scope,
		    &step->arena, &out_command->shell, &err);
	else
		status = w_template_words(&line->template, step->scope,
		    &step->arena, &out_command->argv, &err);
	if (status != WRIT_OK)
		return property_fill_fail(step, line, &err);
	w_resource_step_show(
	    step, &line->template, out_command->argv, out_command->shell);
	return property_fill_check_words(step, line, out_command);
}

const char *
w_filled_command_text(
    struct w_resource_step *step, const struct w_filled_command *command)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf hidden;

	w_buf_init(&text, SHOWN_MAX);
	w_buf_init(&hidden, SHOWN_MAX);
	if (step->resource->is_sensitive)
		return W_VALUE_HIDDEN;
	if (command->shell != NULL)
		w_buf_add_str(&text, command->shell);
	for (size_t i = 0; command->argv != NULL && command->argv[i] != NULL;
	     i++) {
		if (i > 0)
			w_buf_add_char(&text, ' ');
		w_words_quote(&text, command->argv[i]);
	}
	w_secrets_redact(&step->secrets, &hidden, text.data, text.len);
	return text.failed ? "" : w_resource_step_copy(step, &hidden);
}
