/* SPDX-License-Identifier: Apache-2.0 */

/* Reads control and health_checks. */

#include <string.h>

#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

static void
read_condition(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_condition *condition = member;
	const char *text = w_parse_word(val);
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_bool(val))
		text = yyjson_get_bool(val) ? "true" : "false";
	else if (!w_parse_text(parser, val, key->name))
		return;
	condition->text = text;
	condition->at = w_parse_location(parser, val);
	if (w_expr_compile(&parser->manifest->arena, text, strlen(text),
		&condition->expr, &err) != WRIT_OK)
		(void)w_parse_refuse_within(
		    parser, &condition->at, text, key->name, &err);
	else
		parser->manifest->uses |= w_expr_uses(condition->expr);
}

const struct w_parse_key w_parse_control_keys[] = {
    {"if", read_condition, offsetof(struct w_resource_extras, control_if)},
    {"unless", read_condition,
	offsetof(struct w_resource_extras, control_unless)},
    {NULL, NULL, 0},
};

void
w_parse_control(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource_extras *extras = member;

	/* It replaces the defaults as a whole. */
	if (yyjson_is_obj(val)) {
		extras->control_if = (struct w_condition){.expr = NULL};
		extras->control_unless = (struct w_condition){.expr = NULL};
	}
	(void)w_parse_map(parser, val, key->name, w_parse_control_keys, extras);
}

static void
read_format(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"nagios", NULL};

	(void)member;
	if (yyjson_equals_str(val, "goss"))
		(void)w_parse_refuse(
		    parser, val, "format 'goss' is not supported yet");
	else
		(void)w_parse_choice(parser, val, key->name, words);
}

static void
read_health_name(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	const char **name = member;
	struct w_property property = {.text = NULL};

	w_parse_early_word(parser, key, &property, val);
	*name = property.text;
}

const struct w_parse_key w_parse_health_keys[] = {
    {"command", w_parse_command, offsetof(struct w_health_check, command)},
    {"name", read_health_name, offsetof(struct w_health_check, name)},
    {"tries", w_parse_tries, offsetof(struct w_health_check, tries)},
    {"try_sleep", w_parse_duration,
	offsetof(struct w_health_check, try_sleep_ms)},
    {"timeout", w_parse_duration, offsetof(struct w_health_check, timeout_ms)},
    {"format", read_format, 0},
    {"goss_rules", w_parse_unsupported, 0},
    {NULL, NULL, 0},
};

/* The basename of the first word. */
static const char *
default_name(struct w_parser *parser, const struct w_command_property *command)
{
	const struct w_property *first = command->words.count > 0
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
	return w_parse_copy(parser, text + start, len - start);
}

static bool
read_health_check(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	struct w_health_check *check = element;

	(void)what;
	*check = (struct w_health_check){.tries = 1, .try_sleep_ms = 1000};
	check->at = w_parse_location(parser, val);
	if (!w_parse_map(
		parser, val, "a health check", w_parse_health_keys, check))
		return false;
	if (yyjson_obj_get(val, "command") == NULL)
		return w_parse_refuse(
		    parser, val, "a health check needs a command");
	if (check->command.line.template.parts != NULL)
		(void)w_parse_check_line(
		    parser, &check->command.line, "command");
	if (check->name == NULL)
		check->name = default_name(parser, &check->command);
	return true;
}

void
w_parse_health_checks(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(struct w_health_check), read_health_check};
	struct w_resource_extras *extras = member;
	size_t count;

	if (!yyjson_is_arr(val)) {
		(void)w_parse_refuse(parser, val, "%s must be a list, not %s",
		    key->name, w_json_type_words(val));
		return;
	}
	struct w_health_check *checks =
	    w_parse_list(parser, key->name, val, &element, &count);
	if (checks == NULL)
		return;
	extras->health_checks = checks;
	extras->health_count = count;
}
