/* SPDX-License-Identifier: Apache-2.0 */

/* Reads control and health_checks. */

#include <string.h>

#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

struct conditions {
	const struct w_expr *expr[2];
	const char *text[2];
	struct w_manifest_location at[2];
};

static void
read_condition(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val)
{
	struct conditions *conditions = member;
	const size_t which = strcmp(key->name, "if") == 0 ? 0 : 1;
	const struct w_manifest_location at =
	    w_manifest_parse_location(parser, val);
	const char *text = w_manifest_parse_word(val);
	writ_error err = {.status = WRIT_OK};

	if (yyjson_is_bool(val))
		text = yyjson_get_bool(val) ? "true" : "false";
	else if (!w_manifest_parse_text(parser, val, key->name))
		return;
	conditions->text[which] = text;
	conditions->at[which] = at;
	if (w_expr_compile(&parser->manifest->arena, text, strlen(text),
		&conditions->expr[which], &err) != WRIT_OK)
		(void)w_manifest_parse_refuse_within(
		    parser, &at, text, key->name, &err);
	else
		parser->manifest->uses |= w_expr_uses(conditions->expr[which]);
}

const struct w_manifest_parse_key w_manifest_parse_control_keys[] = {
    {"if", read_condition, 0},
    {"unless", read_condition, 0},
    {NULL, NULL, 0},
};

void
w_manifest_parse_control(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct conditions read = {.expr = {NULL, NULL}};

	(void)key;
	if (!w_manifest_parse_map(
		parser, val, "control", w_manifest_parse_control_keys, &read))
		return;
	resource->control_if = read.expr[0];
	resource->if_text = read.text[0];
	resource->if_at = read.at[0];
	resource->control_unless = read.expr[1];
	resource->unless_text = read.text[1];
	resource->unless_at = read.at[1];
}

static void
read_format(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val)
{
	static const char *const words[] = {"nagios", NULL};

	(void)member;
	if (yyjson_equals_str(val, "goss"))
		(void)w_manifest_parse_refuse(
		    parser, val, "format 'goss' is not supported yet");
	else
		(void)w_manifest_parse_choice(parser, val, key->name, words);
}

static void
read_health_name(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val)
{
	const char **name = member;
	struct w_property property = {.text = NULL};

	w_manifest_parse_early_word(parser, key, &property, val);
	*name = property.text;
}

const struct w_manifest_parse_key w_manifest_parse_health_keys[] = {
    {"command", w_manifest_parse_command,
	offsetof(struct w_health_check, command)},
    {"name", read_health_name, offsetof(struct w_health_check, name)},
    {"tries", w_manifest_parse_tries, offsetof(struct w_health_check, tries)},
    {"try_sleep", w_manifest_parse_duration,
	offsetof(struct w_health_check, try_sleep_ms)},
    {"timeout", w_manifest_parse_duration,
	offsetof(struct w_health_check, timeout_ms)},
    {"format", read_format, 0},
    {"goss_rules", w_manifest_parse_unsupported, 0},
    {NULL, NULL, 0},
};

/* The basename of the first word. */
static const char *
default_name(
    struct w_manifest_parser *parser, const struct w_command_property *command)
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
	return w_manifest_parse_copy(parser, text + start, len - start);
}

static bool
read_health_check(struct w_manifest_parser *parser, yyjson_val *val,
    struct w_health_check *check)
{
	*check = (struct w_health_check){.tries = 1, .try_sleep_ms = 1000};
	check->at = w_manifest_parse_location(parser, val);
	if (!w_manifest_parse_map(parser, val, "a health check",
		w_manifest_parse_health_keys, check))
		return false;
	if (yyjson_obj_get(val, "command") == NULL)
		return w_manifest_parse_refuse(
		    parser, val, "a health check needs a command");
	if (check->command.line.template.parts != NULL)
		(void)w_manifest_parse_check_line(
		    parser, &check->command.line, "command");
	if (check->name == NULL)
		check->name = default_name(parser, &check->command);
	return true;
}

void
w_manifest_parse_health_checks(struct w_manifest_parser *parser,
    const struct w_manifest_parse_key *key, void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct w_manifest_parse_items items;

	if (!yyjson_is_arr(val)) {
		(void)w_manifest_parse_refuse(parser, val,
		    "%s must be a list, not %s", key->name,
		    w_json_type_words(val));
		return;
	}
	if (!w_manifest_parse_items(parser, val, key->name, &items))
		return;
	struct w_health_check *checks =
	    w_manifest_parse_alloc(parser, items.count, sizeof(*checks));
	size_t count = 0;
	if (checks == NULL)
		return;
	for (yyjson_val *item = w_manifest_parse_next(&items); item != NULL;
	     item = w_manifest_parse_next(&items)) {
		if (read_health_check(parser, item, &checks[count]))
			count++;
	}
	resource->health_checks = checks;
	resource->health_count = count;
}
