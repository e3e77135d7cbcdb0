/* SPDX-License-Identifier: Apache-2.0 */

/* Reading what decides whether a resource is applied, and what tells afterwards
 * whether all is well. */

#include <string.h>

#include "data/json_words.h"
#include "manifest/intake.h"

struct conditions {
	const struct w_expr *expr[2];
	const char *text[2];
	struct w_spot at[2];
};

static void
read_condition(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct conditions *conditions = member;
	const size_t which = strcmp(key->name, "if") == 0 ? 0 : 1;
	const struct w_spot at = w_intake_spot(intake, val);
	const char *text = w_intake_word(val);
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_bool(val))
		text = yyjson_get_bool(val) ? "true" : "false";
	else if (!w_intake_text(intake, val, key->name))
		return;
	conditions->text[which] = text;
	conditions->at[which] = at;
	if (w_expr_compile(&intake->manifest->arena, text, strlen(text),
		&conditions->expr[which], &err) != WRIT_OK)
		(void)w_intake_refuse_within(
		    intake, &at, text, key->name, &err);
	else
		intake->manifest->uses |= w_expr_uses(conditions->expr[which]);
}

const struct w_intake_key w_intake_control_keys[] = {
    {"if", read_condition, 0},
    {"unless", read_condition, 0},
    {NULL, NULL, 0},
};

void
w_intake_control(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct conditions read = {.expr = {NULL, NULL}};

	(void)key;
	if (!w_intake_map(intake, val, "control", w_intake_control_keys, &read))
		return;
	resource->control_if = read.expr[0];
	resource->if_text = read.text[0];
	resource->if_at = read.at[0];
	resource->control_unless = read.expr[1];
	resource->unless_text = read.text[1];
	resource->unless_at = read.at[1];
}

static void
read_format(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"nagios", NULL};

	(void)member;
	if (yyjson_equals_str(val, "goss"))
		(void)w_intake_refuse(
		    intake, val, "format 'goss' is not supported yet");
	else
		(void)w_intake_choice(intake, val, key->name, words);
}

static void
read_health_name(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	const char **name = member;
	struct w_field field = {.text = NULL};

	w_intake_early_word(intake, key, &field, val);
	*name = field.text;
}

const struct w_intake_key w_intake_health_keys[] = {
    {"command", w_intake_command, offsetof(struct w_health_check, command)},
    {"name", read_health_name, offsetof(struct w_health_check, name)},
    {"tries", w_intake_tries, offsetof(struct w_health_check, tries)},
    {"try_sleep", w_intake_duration,
	offsetof(struct w_health_check, try_sleep_ms)},
    {"timeout", w_intake_duration, offsetof(struct w_health_check, timeout_ms)},
    {"format", read_format, 0},
    {"goss_rules", w_intake_unsupported, 0},
    {NULL, NULL, 0},
};

/* The last part of the first word. */
static const char *
default_name(struct w_intake *intake, const struct w_command_field *command)
{
	const struct w_field *first = command->words.count > 0
					  ? &command->words.items[0]
					  : &command->line;
	const char *text = first->template.text;

	if (text == NULL)
		return NULL;
	const size_t len =
	    command->words.count > 0 ? strlen(text) : strcspn(text, " \t\n");
	size_t start = len;
	while (start > 0 && text[start - 1] != '/')
		start--;
	return w_intake_copy(intake, text + start, len - start);
}

static bool
read_health_check(
    struct w_intake *intake, yyjson_val *val, struct w_health_check *check)
{
	*check = (struct w_health_check){.tries = 1, .try_sleep_ms = 1000};
	check->at = w_intake_spot(intake, val);
	if (!w_intake_map(
		intake, val, "a health check", w_intake_health_keys, check))
		return false;
	if (yyjson_obj_get(val, "command") == NULL)
		return w_intake_refuse(
		    intake, val, "a health check needs a command");
	if (check->command.line.template.parts != NULL)
		(void)w_intake_check_line(
		    intake, &check->command.line, "command");
	if (check->name == NULL)
		check->name = default_name(intake, &check->command);
	return true;
}

void
w_intake_health_checks(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct w_intake_items items;

	if (!yyjson_is_arr(val)) {
		(void)w_intake_refuse(intake, val, "%s must be a list, not %s",
		    key->name, w_json_type_words(val));
		return;
	}
	if (!w_intake_items(intake, val, key->name, &items))
		return;
	struct w_health_check *checks =
	    w_intake_alloc(intake, items.count, sizeof(*checks));
	size_t count = 0;
	if (checks == NULL)
		return;
	for (yyjson_val *item = w_intake_next(&items); item != NULL;
	     item = w_intake_next(&items)) {
		if (read_health_check(intake, item, &checks[count]))
			count++;
	}
	resource->health_checks = checks;
	resource->health_count = count;
}
