/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is filled in late, but can be known before: texts that use only data,
 * facts and elements of each. They are filled in here as well, so that their
 * faults are told before anything is applied. A resource that control leaves
 * out on this machine is passed over. Of what uses results, the names are
 * checked: an earlier resource must register them.
 */

#include <stdint.h>
#include <string.h>

#include "base/position.h"
#include "manifest/read/manifest_parser.h"
#include "manifest/types/typed.h"

/* Beyond this, the rest is only checked when it is applied. */
#define LATE_BYTES_MAX ((size_t)64 << 20)

/* What may be different when it is applied. */
#define LATE_ONLY (W_EXPR_USES_FILE | W_EXPR_USES_RESULTS | W_EXPR_USES_ENVIRON)

struct late_check {
	struct w_parser *parser;
	struct w_arena scratch;
	struct w_hash_table registered; /* names, so far */
	size_t bytes;
};

enum late_purpose {
	LATE_TEXT,
	LATE_WORDS,
	LATE_SHELL
};

/* What a message quotes may be what is sensitive. */
static void
refuse(struct late_check *check, const char *what,
    const struct w_manifest_location *at, const char *text,
    const writ_error *err)
{
	struct w_manifest_location location = *at;
	writ_error placed = *err;

	if (!check->parser->is_sensitive || err->status == WRIT_E_NOMEM) {
		(void)w_parse_refuse_within(check->parser, at, text, what, err);
		return;
	}
	w_manifest_locate(check->parser->home, at, text, &placed);
	location.line = placed.line;
	location.column = placed.column;
	(void)w_parse_refuse_at(check->parser, &location,
	    "%s: %s (no more is shown: it is sensitive)", what,
	    writ_status_text(err->status));
}

/* ---- results ---- */

struct late_place {
	struct late_check *check;
	const char *what;
	const struct w_manifest_location *at;
};

static bool
check_result(void *ctx, const struct w_expr_member *member)
{
	const struct late_place *place = ctx;
	struct late_check *check = place->check;
	writ_error err = {.status = WRIT_OK};

	if (w_hash_table_get(&check->registered, member->name, member->len) !=
	    NULL)
		return true;
	(void)w_fail(&err, WRIT_E_INVALID, "manifest", 0,
	    "no resource before this one registers '%.*s'",
	    member->len > 128 ? 128 : (int)member->len, member->name);
	w_suggest(&err, "write 'register: %.*s' there",
	    member->len > 64 ? 64 : (int)member->len, member->name);
	w_locate_offset(&err, member->text, member->at);
	refuse(check, place->what, place->at, member->text, &err);
	return false;
}

static void
check_results(struct late_check *check, const char *what,
    const struct w_property *property)
{
	const struct w_template *template = &property->template;
	struct late_place place = {check, what, &property->at};

	for (size_t i = 0; i < template->count; i++) {
		const struct w_expr *expr = template->parts[i].expr;

		if (template->parts[i].literal == NULL &&
		    !w_expr_members(expr, W_ROOT_RESULTS, check_result, &place))
			return;
	}
}

static void
register_name(struct late_check *check, const struct w_resource *resource)
{
	const char *name = resource->extras->registers.text;

	if (name != NULL && !w_hash_table_put(&check->registered, name,
				strlen(name), (void *)(uintptr_t)name))
		check->parser->is_out_of_memory = true;
}

/* ---- texts ---- */

static void
check_property(struct late_check *check, const char *what,
    const struct w_property *property, enum late_purpose purpose)
{
	const struct w_template *template = &property->template;
	const struct w_expr_scope *scope = check->parser->early;
	struct w_value value = {.kind = W_VALUE_NULL};
	const char *const *words;
	const char *shell = "";
	writ_error err = {.status = WRIT_OK};
	writ_status status;

	if (template->parts != NULL &&
	    (template->uses & W_EXPR_USES_RESULTS) != 0)
		check_results(check, what, property);
	if (template->parts == NULL || property->text != NULL ||
	    w_template_is_plain(template) ||
	    (template->uses & LATE_ONLY) != 0 ||
	    check->bytes > LATE_BYTES_MAX || check->parser->is_out_of_memory)
		return;
	if (purpose == LATE_WORDS)
		status = w_template_words(
		    template, scope, &check->scratch, &words, &err);
	else if (purpose == LATE_SHELL)
		status = w_template_shell(
		    template, scope, &check->scratch, &shell, &err);
	else
		status = w_template_text(
		    template, scope, &check->scratch, &value, &err);
	check->bytes +=
	    template->len + strlen(shell) +
	    (value.kind == W_VALUE_STRING ? value.as.string.len : 0);
	if (status != WRIT_OK)
		refuse(check, what, &property->at, template->text, &err);
	w_arena_reset(&check->scratch);
}

static void
check_list(struct late_check *check, const char *what,
    const struct w_property_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		check_property(check, what, &list->items[i], LATE_TEXT);
}

static void
check_command(struct late_check *check, const char *what,
    const struct w_command_property *command, bool is_shell)
{
	check_property(
	    check, what, &command->line, is_shell ? LATE_SHELL : LATE_WORDS);
	check_list(check, what, &command->words);
}

static void
check_commands(struct late_check *check, const char *what,
    const struct w_command_list *list, bool is_shell)
{
	for (size_t i = 0; i < list->count; i++)
		check_command(check, what, &list->items[i], is_shell);
}

static void
check_exec(struct late_check *check, const struct w_exec_resource *exec)
{
	check_command(check, "command", &exec->command, exec->is_shell);
	check_property(check, "cwd", &exec->settings->cwd, LATE_TEXT);
	check_list(check, "environment", &exec->settings->environment);
	check_list(check, "creates", &exec->creates);
	check_list(check, "removes", &exec->guards->removes);
	check_commands(check, "onlyif", &exec->guards->onlyif, exec->is_shell);
	check_commands(check, "unless", &exec->guards->unless, exec->is_shell);
	check_command(check, "refresh", &exec->guards->refresh, exec->is_shell);
	check_property(check, "stdin", &exec->settings->stdin_text, LATE_TEXT);
}

/* What the condition is here; otherwise, if that cannot be known, or it is not
 * there. A fault is told. */
static bool
condition_holds(struct late_check *check, const struct w_condition *condition,
    bool absent, bool unknown)
{
	writ_error err = {.status = WRIT_OK};
	bool holds = false;
	struct late_place place = {check, "control", &condition->at};

	if (condition->expr == NULL)
		return absent;
	(void)w_expr_members(
	    condition->expr, W_ROOT_RESULTS, check_result, &place);
	if ((w_expr_uses(condition->expr) & LATE_ONLY) != 0)
		return unknown;
	const writ_status status = w_expr_test(condition->expr,
	    check->parser->early, &check->scratch, &holds, &err);
	if (status == WRIT_E_NOMEM)
		check->parser->is_out_of_memory = true;
	else if (status != WRIT_OK)
		refuse(check, "control", &condition->at, condition->text, &err);
	w_arena_reset(&check->scratch);
	return status == WRIT_OK ? holds : unknown;
}

static void
check_typed(struct late_check *check, const struct w_resource *resource)
{
	const struct w_parse_key *key = w_typed_keys(resource->type);

	for (; key != NULL && key->name != NULL; key++) {
		const struct w_property_list *list =
		    w_typed_values(resource, key);

		if (list != NULL && w_typed_is_deferred(key))
			check_list(check, key->name, list);
	}
}

static void
check_resource(struct late_check *check, const struct w_resource *resource)
{
	if (!condition_holds(
		check, &resource->extras->control_if, true, false) ||
	    condition_holds(
		check, &resource->extras->control_unless, false, true))
		return;
	if (resource->type == W_RESOURCE_EXEC) {
		check_exec(check, &resource->as.exec);
	} else if (resource->type == W_RESOURCE_FILE) {
		check_property(
		    check, "content", &resource->as.file->content, LATE_TEXT);
		check_property(
		    check, "source", &resource->as.file->source, LATE_TEXT);
		check_command(
		    check, "validate", &resource->as.file->validate, false);
		check_property(check, "template",
		    &resource->as.file->template_file, LATE_TEXT);
	} else if (resource->type != W_RESOURCE_APPLY) {
		check_typed(check, resource);
	}
	for (size_t i = 0; i < resource->extras->health_count; i++)
		check_command(check, "command",
		    &resource->extras->health_checks[i].command, false);
}

void
w_parse_check_late(struct w_parser *parser)
{
	struct late_check check = {.parser = parser};
	struct w_manifest *manifest = parser->manifest;

	for (size_t i = 0; i < manifest->count; i++) {
		struct w_resource *resource = &manifest->resources[i];

		parser->scope->manifest = resource->home;
		parser->home = resource->home;
		parser->scope->item = resource->item;
		parser->scope->key = resource->key;
		parser->resource = resource->id;
		parser->is_sensitive = resource->is_sensitive;
		check_resource(&check, resource);
		register_name(&check, resource);
	}
	w_hash_table_done(&check.registered);
	parser->scope->item = parser->scope->key = NULL;
	parser->resource = NULL;
	parser->home = NULL;
	parser->is_sensitive = false;
	w_arena_done(&check.scratch);
}
