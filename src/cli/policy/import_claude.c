/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Permission rules of Claude Code: "Bash(npm run test:*)" in the lists allow,
 * ask and deny of `permissions`. ":*" and " *" at the end stand for further
 * words. A "*" elsewhere stands for any text there, blanks too, and in a shape
 * for one word: an allow gets narrower by that, which is safe, and a deny is
 * left out, since it would deny less.
 */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/words.h"
#include "cli/policy/import_rules.h"
#include "data/json.h"

#define STAGE     "import"
#define TEXT_MAX  ((size_t)4 << 20)
#define DEPTH_MAX 64

/* ---- the list ---- */

void
w_cli_import_done(struct w_import *import)
{
	free(import->items);
	w_arena_done(&import->arena);
}

static const char *
import_copy(struct w_import *import, const char *text)
{
	return text == NULL ? NULL
			    : w_arena_text(&import->arena, text, strlen(text));
}

static bool
import_is_known(const struct w_import *import, const struct w_import_rule *rule)
{
	for (size_t i = 0; rule->shape != NULL && i < import->count; i++) {
		const struct w_import_rule *known = &import->items[i];

		if (known->shape != NULL &&
		    strcmp(known->shape, rule->shape) == 0 &&
		    strcmp(known->verdict, rule->verdict) == 0)
			return true;
	}
	return false;
}

writ_status
w_cli_import_add(
    struct w_import *import, const struct w_import_rule *rule, writ_error *err)
{
	if (import_is_known(import, rule))
		return WRIT_OK;
	if (import->count == W_IMPORT_RULES_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the file has more than %d rules", W_IMPORT_RULES_MAX);
	if (!w_grow(&import->items, import->count, &import->cap))
		return w_fail_nomem(err, STAGE);
	const struct w_import_rule copy = {
	    .verdict = import_copy(import, rule->verdict),
	    .shape = import_copy(import, rule->shape),
	    .from = import_copy(import, rule->from),
	    .why = import_copy(import, rule->why)};
	if (copy.from == NULL || (rule->shape != NULL && copy.shape == NULL))
		return w_fail_nomem(err, STAGE);
	import->items[import->count++] = copy;
	return WRIT_OK;
}

/* ---- one rule ---- */

/* The text in parentheses; false: it has none. */
static bool
take_inside(const char *text, const char *tool, struct w_buf *out)
{
	const size_t len = strlen(tool);
	const size_t all = strlen(text);

	if (strncmp(text, tool, len) != 0 || text[len] != '(' ||
	    text[all - 1] != ')')
		return false;
	out->len = 0;
	w_buf_add(out, text + len + 1, all - len - 2);
	return true;
}

/* Makes a shape of a command in place. Returns why not; NULL: it is one. */
static const char *
make_shape(struct w_buf *command, bool is_allow, const char **out_remark)
{
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	bool is_open = false;
	char *text = command->data;

	if (command->len >= 2 && strcmp(text + command->len - 2, ":*") == 0) {
		is_open = true;
		command->len -= 2;
	} else if (command->len >= 2 &&
		   strcmp(text + command->len - 2, " *") == 0) {
		is_open = true;
		command->len -= 2;
	}
	text[command->len] = '\0';
	if (command->len == 0 || strcmp(text, "*") == 0)
		return "it is about every command: 'default' and the sandbox "
		       "of a policy say that";
	if (strpbrk(text, "|&;<>$`\n") != NULL)
		return "it is a text for a shell, and a shape is one command";
	for (const char *star = strchr(text, '*'); star != NULL;
	     star = strchr(star + 1, '*')) {
		const bool is_word = star > text && star[-1] == ' ' &&
				     (star[1] == ' ' || star[1] == '\0');

		if (!is_word)
			return "a '*' in a word: a shape has whole words";
		if (!is_allow)
			return "a '*' is one word in a shape, so it would say "
			       "less";
		*out_remark = "'*' is one word here";
	}
	if (w_words_split(text, command->len, &words, NULL) != WRIT_OK)
		return "its quotes do not match";
	for (size_t i = 0; i < words.count; i++) {
		if (strcmp(words.items[i], "...") == 0)
			return "'...' means further words in a shape";
	}
	if (words.count == 0)
		return "it names no command";
	if (is_open)
		w_buf_add_str(command, " ...");
	return NULL;
}

static const char *
reason_of_tool(const char *text)
{
	if (strncmp(text, "Read(", 5) == 0)
		return "a rule about files: deny: { read: [\"./...\"] } is its "
		       "like";
	if (strncmp(text, "Edit(", 5) == 0 || strncmp(text, "Write(", 6) == 0)
		return "a rule about files: deny: { write: [\"./...\"] } is "
		       "its like";
	if (strncmp(text, "WebFetch(", 9) == 0)
		return "a rule about hosts: ask: { host: NAME } is its like";
	if (strcmp(text, "Bash") == 0)
		return "it is about every command: 'default' and the sandbox "
		       "of a policy say that";
	return "it is about a tool of Claude Code, not about commands";
}

static writ_status
import_rule(struct w_import *import, const char *verdict, const char *text,
    writ_error *err)
{
	struct w_import_rule rule = {.verdict = verdict, .from = text};
	W_AUTO_BUF struct w_buf command;

	w_buf_init(&command, TEXT_MAX);
	if (!take_inside(text, "Bash", &command)) {
		rule.why = reason_of_tool(text);
	} else {
		const char *remark = NULL;
		const char *why = make_shape(
		    &command, strcmp(verdict, "allow") == 0, &remark);

		rule.shape = why == NULL ? command.data : NULL;
		rule.why = why == NULL ? remark : why;
	}
	return command.failed ? w_fail_nomem(err, STAGE)
			      : w_cli_import_add(import, &rule, err);
}

/* ---- the file ---- */

static writ_status
import_list(struct w_import *import, yyjson_val *permissions,
    const char *verdict, writ_error *err)
{
	yyjson_val *list = yyjson_obj_get(permissions, verdict);
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (list != NULL && !yyjson_is_arr(list))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "permissions.%s is not a list", verdict);
	yyjson_arr_foreach(list, i, count, item)
	{
		if (!yyjson_is_str(item) ||
		    strlen(yyjson_get_str(item)) != yyjson_get_len(item) ||
		    yyjson_get_len(item) == 0)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "permissions.%s[%zu] is not a text", verdict, i);
		status =
		    import_rule(import, verdict, yyjson_get_str(item), err);
		if (status != WRIT_OK)
			return status;
	}
	return status;
}

static writ_status
import_settings(
    struct w_import *import, yyjson_val *permissions, writ_error *err)
{
	static const struct w_import_rule settings[] = {
	    {.from = "defaultMode",
		.why = "'default' and 'sandbox' of a policy are its like"},
	    {.from = "additionalDirectories",
		.why = "'roots' of a policy are its like"},
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (yyjson_obj_get(permissions, settings[i].from) == NULL)
			continue;
		if (w_cli_import_add(import, &settings[i], err) != WRIT_OK)
			return err->status;
	}
	return WRIT_OK;
}

writ_status
w_cli_import_claude(
    struct w_import *import, const struct w_buf *text, writ_error *err)
{
	static const char *const verdicts[] = {"allow", "ask", "deny"};
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;
	writ_status status =
	    w_json_read(text->data, text->len, &limits, &json, err);

	if (status != WRIT_OK)
		return status;
	yyjson_val *permissions =
	    yyjson_obj_get(w_json_root(json), "permissions");
	if (!yyjson_is_obj(permissions))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the file has no \"permissions\"");
	for (size_t i = 0; status == WRIT_OK && i < 3; i++)
		status = import_list(import, permissions, verdicts[i], err);
	if (status == WRIT_OK)
		status = import_settings(import, permissions, err);
	w_json_free(json);
	return status;
}
