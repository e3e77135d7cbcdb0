/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The commands of a decision: the outermost and those inside it, each with its
 * own verdict and what it touches.
 */

#include <string.h>

#include "base/printable.h"
#include "cli/module/explanation.h"
#include "cli/policy/decision_page.h"

#define INDENT     2
#define DEPTH_MAX  16
#define VERB_WIDTH 12

static void
decision_commands_indent(const struct w_decision_page *page, size_t depth)
{
	for (size_t i = 0; i < depth * INDENT; i++)
		w_buf_add_char(page->buf, ' ');
}

/* A string of any bytes; absolute paths are shortened. */
static void
decision_commands_add_bytes(const struct w_decision_page *page, yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	if (text != NULL && text[0] == '/')
		w_cli_decision_add_path(page, text);
	else
		w_explanation_add_text(page->buf, val);
}

/* The path as written, and the resolved one if it differs. */
static void
decision_commands_add_path(
    const struct w_decision_page *page, yyjson_val *path, size_t depth)
{
	const char *effect = w_cli_decision_text(path, "effect");
	const char *verb = w_explanation_verb(effect == NULL ? "" : effect);
	yyjson_val *written = yyjson_obj_get(path, "path");
	yyjson_val *spelled = yyjson_obj_get(path, "spelled");
	yyjson_val *resolved = yyjson_obj_get(path, "resolved");

	decision_commands_indent(page, depth);
	w_buf_add_fmt(page->buf, "%-*s", VERB_WIDTH,
	    verb[0] == '\0' && effect != NULL ? effect : verb);
	if (written == NULL || yyjson_is_null(written))
		w_buf_add_str(page->buf, "(known only when it runs)");
	else
		decision_commands_add_bytes(page, written);
	if (resolved != NULL && !yyjson_is_null(resolved) &&
	    !yyjson_equals(spelled == NULL ? written : spelled, resolved)) {
		w_buf_add_str(page->buf, " -> ");
		decision_commands_add_bytes(page, resolved);
	}
	w_buf_add_char(page->buf, '\n');
}

static bool
is_effect(yyjson_val *item, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *other;

	yyjson_arr_foreach(list, i, count, other)
	{
		if (yyjson_equals(yyjson_obj_get(other, "effect"), item))
			return true;
	}
	return false;
}

/* The effects that no path shows, and the hosts. */
static void
decision_commands_add_effects(
    const struct w_decision_page *page, yyjson_val *command, size_t depth)
{
	yyjson_val *paths = yyjson_obj_get(command, "paths");
	yyjson_val *hosts = yyjson_obj_get(command, "hosts");
	const bool has_hosts = yyjson_arr_size(hosts) > 0;
	bool has_any = false;
	size_t i;
	size_t count;
	yyjson_val *effect;

	yyjson_arr_foreach(yyjson_obj_get(command, "effects"), i, count, effect)
	{
		const char *word = yyjson_get_str(effect);

		if (word == NULL || is_effect(effect, paths))
			continue;
		if (!has_any) {
			decision_commands_indent(page, depth);
			w_buf_add_fmt(page->buf, "%-*s", VERB_WIDTH, "effects");
		}
		w_buf_add_fmt(page->buf, "%s%s", has_any ? ", " : "", word);
		has_any = true;
	}
	if (has_any)
		w_buf_add_char(page->buf, '\n');
	if (!has_hosts)
		return;
	decision_commands_indent(page, depth);
	w_buf_add_fmt(page->buf, "%-*s", VERB_WIDTH, "hosts");
	yyjson_arr_foreach(hosts, i, count, effect)
	{
		w_buf_add_str(page->buf, i > 0 ? ", " : "");
		w_explanation_add_text(page->buf,
		    yyjson_is_obj(effect) ? yyjson_obj_get(effect, "host")
					  : effect);
	}
	w_buf_add_char(page->buf, '\n');
}

static void
add_misunderstood(
    const struct w_decision_page *page, yyjson_val *command, size_t depth)
{
	yyjson_val *reason = yyjson_obj_get(command, "reason");
	const char *text = yyjson_is_str(reason)
			       ? yyjson_get_str(reason)
			       : w_cli_decision_text(reason, "message");

	if (!yyjson_is_false(yyjson_obj_get(command, "understood")))
		return;
	decision_commands_indent(page, depth);
	w_buf_add_str(page->buf, "not understood: ");
	w_cli_decision_add_plain(page, text == NULL ? "no reason" : text);
	w_buf_add_char(page->buf, '\n');
}

static void
decision_commands_add_command(
    const struct w_decision_page *page, yyjson_val *command)
{
	const uint64_t given =
	    yyjson_get_uint(yyjson_obj_get(command, "depth"));
	const size_t depth = given > DEPTH_MAX ? DEPTH_MAX : (size_t)given;
	const char *verdict = w_cli_decision_text(command, "decision");
	const char *module = w_cli_decision_text(command, "module");
	size_t i;
	size_t count;
	yyjson_val *path;

	decision_commands_indent(page, depth + 1);
	if (verdict != NULL) {
		w_cli_decision_paint(page, w_cli_decision_colour(verdict));
		w_buf_add_fmt(page->buf, "%-5s", verdict);
		w_cli_decision_paint(page, "0");
		w_buf_add_str(page->buf, "  ");
	}
	w_cli_decision_paint(page, "1");
	w_explanation_add_words(page->buf, command);
	w_cli_decision_paint(page, "0");
	if (module != NULL) {
		w_cli_decision_paint(page, "2");
		w_buf_add_fmt(page->buf, "  [%s]", module);
		w_cli_decision_paint(page, "0");
	}
	w_buf_add_char(page->buf, '\n');
	add_misunderstood(page, command, depth + 3);
	yyjson_arr_foreach(yyjson_obj_get(command, "paths"), i, count, path)
	{
		decision_commands_add_path(page, path, depth + 3);
	}
	decision_commands_add_effects(page, command, depth + 3);
}

void
w_cli_decision_add_commands(
    const struct w_decision_page *page, yyjson_val *decision)
{
	yyjson_val *commands = yyjson_obj_get(decision, "commands");
	size_t i;
	size_t count;
	yyjson_val *command;

	if (yyjson_arr_size(commands) == 0)
		return;
	w_buf_add_str(page->buf, "\ncommands\n");
	yyjson_arr_foreach(commands, i, count, command)
	{
		decision_commands_add_command(page, command);
	}
}
