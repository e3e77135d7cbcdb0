/* SPDX-License-Identifier: Apache-2.0 */

/* Reads exec resources. */

#include <string.h>

#include "data/json_words.h"
#include "manifest/read/manifest_parser.h"

#define RETURN_MAX 255

/* ---- properties ---- */

void
w_parse_ensure_exec(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"present", "absent", NULL};
	struct w_resource *resource = member;
	struct w_property property = {.text = NULL};

	if (!w_parse_fill(parser, val, key->name, &property))
		return;
	for (size_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], property.text) == 0) {
			resource->ensure = words[i];
			return;
		}
	}
	(void)w_parse_refuse(parser, val,
	    property.text[0] == '\0'
		? "ensure is required, and this one is empty"
		: "invalid ensure value: must be one of 'present' or 'absent'");
}

static void
read_provider(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"posix", "shell", NULL};
	struct w_resource *resource = member;
	const int which = w_parse_choice(parser, val, key->name, words);

	if (which < 0)
		return;
	resource->provider = words[which];
	resource->as.exec.is_shell = which == 1;
}

static bool
read_return(
    struct w_parser *parser, const char *what, void *element, yyjson_val *val)
{
	int *code = element;

	if (!yyjson_is_uint(val) || yyjson_get_uint(val) > RETURN_MAX)
		return w_parse_refuse(parser, val,
		    "%s must be whole numbers from 0 to %d", what, RETURN_MAX);
	*code = (int)yyjson_get_uint(val);
	return true;
}

static void
read_returns(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const struct w_parse_element element = {
	    sizeof(int), read_return};
	struct w_exec_settings *settings = member;
	size_t count;
	int *returns = w_parse_list(parser, key->name, val, &element, &count);

	if (returns == NULL)
		return;
	settings->returns = count > 0 ? returns : NULL;
	settings->return_count = count;
}

static void
read_logoutput(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	enum w_logoutput *logoutput = member;

	if (yyjson_is_bool(val)) {
		*logoutput =
		    yyjson_get_bool(val) ? W_LOGOUTPUT_ON : W_LOGOUTPUT_OFF;
	} else if (yyjson_equals_str(val, "on_failure")) {
		*logoutput = W_LOGOUTPUT_ON_FAILURE;
	} else {
		(void)w_parse_refuse(parser, val,
		    "%s must be true, false or on_failure", key->name);
		if (yyjson_equals_str(val, "true") ||
		    yyjson_equals_str(val, "false"))
			w_parse_suggest(parser, "leave the quotes out");
	}
}

static void
read_umask(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	struct w_exec_settings *settings = member;

	if (w_parse_octal(parser, val, key->name, 0777, &settings->umask))
		settings->has_umask = true;
}

/* The final "PATH". Empty: as if absent. */
static void
read_path(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	struct w_property *path = member;
	struct w_property read = {.text = NULL};
	char shown[W_PARSE_SHOWN_MAX];

	*path = read;
	if (!w_parse_fill(parser, val, key->name, &read) ||
	    read.text[0] == '\0')
		return;
	for (const char *at = read.text;; at++) {
		if (*at == ':' || *at == '\0') {
			(void)w_parse_refuse(parser, val,
			    "invalid path: empty directory in path");
			return;
		}
		if (*at != '/') {
			(void)w_parse_refuse(parser, val,
			    "invalid path: '%s' is not an absolute path",
			    w_parse_shown(parser, at, shown));
			return;
		}
		at = strchrnul(at, ':');
		if (*at == '\0')
			break;
	}
	*path = read;
}

#define EXEC(member)    offsetof(struct w_resource, as.exec.member)
#define GUARD(member)   offsetof(struct w_resource_draft, guards.member)
#define SETTING(member) offsetof(struct w_resource_draft, settings.member)
const struct w_parse_key w_parse_exec_keys[] = {
    W_PARSE_COMMON_KEYS(w_parse_ensure_exec, read_provider),
    {"command", w_parse_line, EXEC(command)},
    {"argv", w_parse_argv, EXEC(command)},
    {"cwd", w_parse_deferred, SETTING(cwd)},
    {"environment", w_parse_deferred_list, SETTING(environment)},
    {"path", read_path, SETTING(path)},
    {"returns", read_returns, offsetof(struct w_resource_draft, settings)},
    {"timeout", w_parse_duration, SETTING(timeout_ms)},
    {"creates", w_parse_deferred_list, EXEC(creates)},
    {"removes", w_parse_deferred_list, GUARD(removes)},
    {"onlyif", w_parse_commands, GUARD(onlyif)},
    {"unless", w_parse_commands, GUARD(unless)},
    {"refreshonly", w_parse_truth, GUARD(is_refreshonly)},
    {"refresh_only", w_parse_truth, GUARD(is_refreshonly)},
    {"refresh", w_parse_command, GUARD(refresh)},
    {"subscribe", w_parse_subscribe, GUARD(subscribe)},
    {"logoutput", read_logoutput, SETTING(logoutput)},
    {"user", w_parse_early_word, SETTING(user)},
    {"group", w_parse_early_word, SETTING(group)},
    {"umask", read_umask, offsetof(struct w_resource_draft, settings)},
    {"stdin", w_parse_deferred, SETTING(stdin_text)},
    {"tries", w_parse_tries, SETTING(tries)},
    {"try_sleep", w_parse_duration, SETTING(try_sleep_ms)},
    {"limits", w_parse_limits, SETTING(limits)},
    {"sandbox", w_parse_early_word, SETTING(sandbox)},
    {NULL, NULL, 0},
};
#undef EXEC
#undef GUARD
#undef SETTING

static void
manifest_exec_begin(struct w_resource_draft *draft)
{
	draft->settings.umask = 022;
	draft->settings.tries = 1;
}

static void
manifest_exec_check_map(struct w_parser *parser, yyjson_val *map)
{
	yyjson_val *one = yyjson_obj_get(map, "refreshonly");
	yyjson_val *other = yyjson_obj_get(map, "refresh_only");

	if (one != NULL && other != NULL && !yyjson_equals(one, other))
		(void)w_parse_refuse(parser, other,
		    "refreshonly and refresh_only are the same property, and "
		    "differ");
	one = yyjson_obj_get(map, "command");
	other = yyjson_obj_get(map, "argv");
	if (one != NULL && other != NULL)
		(void)w_parse_refuse(parser, other,
		    "'command' and 'argv' are mutually exclusive");
}

/* ---- whole resource ---- */

static bool
manifest_exec_is_set(const struct w_property *property)
{
	return property->template.parts != NULL;
}

static const char *const *
copy_words(struct w_parser *parser, const char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	const char **copy = w_parse_alloc(parser, count + 1, sizeof(*copy));
	for (size_t i = 0; copy != NULL && i < count; i++) {
		copy[i] = w_parse_copy(parser, words[i], strlen(words[i]));
		if (copy[i] == NULL)
			return NULL;
	}
	return copy;
}

/* If the name is the command, its template is split into words. */
static void
fill_name(struct w_parser *parser, struct w_resource *resource)
{
	const struct w_template *template = &resource->name.template;
	struct w_exec_resource *exec = &resource->as.exec;
	struct w_arena scratch = {.chunks = NULL};
	const char *text[2] = {NULL, NULL};
	const char *const *words = text;
	writ_error err = {.status = WRIT_OK};
	writ_status status = exec->is_shell
				 ? w_template_shell(template, parser->early,
				       &scratch, &text[0], &err)
				 : w_template_words(template, parser->early,
				       &scratch, &words, &err);

	if (status == WRIT_OK)
		exec->name_words = copy_words(parser, words);
	else
		(void)w_parse_refuse_within(
		    parser, &resource->name.at, template->text, "name", &err);
	w_arena_done(&scratch);
}

static void
manifest_exec_check_name(struct w_parser *parser, struct w_resource *resource)
{
	const struct w_exec_resource *exec = &resource->as.exec;

	if (!manifest_exec_is_set(&resource->name) ||
	    resource->name.text[0] == '\0')
		return;
	/* A name can be split into words even if it is not the command. */
	if (manifest_exec_is_set(&exec->command.line) ||
	    exec->command.words.count > 0) {
		(void)w_parse_check_quotes(parser, &resource->name, "name");
		return;
	}
	if (resource->is_sensitive) {
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "the name of a sensitive resource is shown, and this one "
		    "is its command");
		w_parse_suggest(parser, "give it another name, and the "
					"command by itself");
		return;
	}
	if (!exec->is_shell &&
	    !w_parse_check_line(parser, &resource->name, "name"))
		return;
	if (!w_template_is_plain(&resource->name.template) &&
	    parser->early != NULL)
		fill_name(parser, resource);
}

static void
manifest_exec_check_command(
    struct w_parser *parser, struct w_resource *resource)
{
	struct w_exec_resource *exec = &resource->as.exec;
	struct w_command_property *command = &exec->command;

	/* Treated as absent. */
	if (manifest_exec_is_set(&command->line) &&
	    command->line.template.len == 0)
		*command = (struct w_command_property){.words.count = 0};
	if (command->words.count > 0 && exec->is_shell) {
		(void)w_parse_refuse_at(parser, &command->words.items[0].at,
		    "argv is not for the provider shell");
		w_parse_suggest(parser, "use command");
	}
	if (manifest_exec_is_set(&command->line) && !exec->is_shell)
		(void)w_parse_check_line(parser, &command->line, "command");
	if (manifest_exec_is_set(&exec->guards->refresh.line) &&
	    !exec->is_shell)
		(void)w_parse_check_line(
		    parser, &exec->guards->refresh.line, "refresh");
}

static void
check_guards(struct w_parser *parser, const struct w_command_list *guards,
    const char *what, bool is_shell)
{
	for (size_t i = 0; i < guards->count; i++) {
		const struct w_property *line = &guards->items[i].line;

		if (!manifest_exec_is_set(line))
			continue;
		if (line->template.len == 0)
			(void)w_parse_refuse_at(
			    parser, &line->at, "%s: empty guard command", what);
		else if (!is_shell)
			(void)w_parse_check_line(parser, line, what);
	}
}

static void
check_paths(struct w_parser *parser, const struct w_property_list *paths,
    const char *what)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (paths->items[i].template.len == 0)
			(void)w_parse_refuse_at(parser, &paths->items[i].at,
			    "%s cannot be empty", what);
	}
}

static bool
manifest_exec_is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char c = text[i];
		const bool is_letter = (c >= 'a' && c <= 'z') ||
				       (c >= 'A' && c <= 'Z') || c == '_';

		if (!is_letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return true;
}

static writ_status
refuse_variable(const char *entry, const char *why, writ_error *err)
{
	/* Quotes the name only: the value may be secret. */
	return w_fail(err, WRIT_E_INVALID, "manifest", 0,
	    "invalid environment variable '%.*s': %s", (int)strcspn(entry, "="),
	    entry, why);
}

writ_status
w_manifest_check_variable(const char *entry, writ_error *err)
{
	const char *equals = strchr(entry, '=');

	if (equals == NULL)
		return refuse_variable(entry, "missing '='", err);
	if (equals == entry)
		return refuse_variable(entry, "empty key", err);
	if (!manifest_exec_is_name(entry, (size_t)(equals - entry)))
		return refuse_variable(entry,
		    "the name must have letters, digits and _ only", err);
	return WRIT_OK;
}

/* Values are not known yet; check only what is certain. */
static void
manifest_exec_check_variable(
    struct w_parser *parser, const struct w_property *property)
{
	const struct w_template *template = &property->template;
	char entry[256];
	writ_error err = {.status = WRIT_OK};

	if (!w_template_is_plain(template)) {
		const struct w_template_part *first = &template->parts[0];

		if (first->literal == NULL || first->len > sizeof(entry) - 2)
			return;
		memcpy(entry, first->literal, first->len);
		memcpy(entry + first->len, "x", 2);
		/* The name may contain an expression too. */
		if (strchr(entry, '=') == NULL ||
		    w_manifest_check_variable(entry, &err) == WRIT_OK)
			return;
	} else if (w_manifest_check_variable(template->text, &err) == WRIT_OK) {
		return;
	}
	if (parser->is_sensitive)
		(void)w_parse_refuse_at(parser, &property->at,
		    "environment: invalid environment variable");
	else
		(void)w_parse_refuse_error(
		    parser, &property->at, "environment", &err);
}

static void
hint_all(struct w_parser *parser, const struct w_resource *resource)
{
	const struct w_exec_resource *exec = &resource->as.exec;
	const struct w_command_property name = {.line = resource->name};
	const bool has_command = exec->command.words.count > 0 ||
				 manifest_exec_is_set(&exec->command.line);

	if (exec->is_shell)
		return;
	if (has_command)
		w_parse_hint_command(parser, "command", &exec->command);
	else
		w_parse_hint_command(parser, "name", &name);
	w_parse_hint_command(parser, "refresh", &exec->guards->refresh);
	for (size_t i = 0; i < exec->guards->onlyif.count; i++)
		w_parse_hint_command(
		    parser, "onlyif", &exec->guards->onlyif.items[i]);
	for (size_t i = 0; i < exec->guards->unless.count; i++)
		w_parse_hint_command(
		    parser, "unless", &exec->guards->unless.items[i]);
}

static void
manifest_exec_check(struct w_parser *parser, struct w_resource *resource)
{
	struct w_exec_resource *exec = &resource->as.exec;

	manifest_exec_check_command(parser, resource);
	manifest_exec_check_name(parser, resource);
	hint_all(parser, resource);
	check_guards(parser, &exec->guards->onlyif, "onlyif", exec->is_shell);
	check_guards(parser, &exec->guards->unless, "unless", exec->is_shell);
	check_paths(parser, &exec->creates, "creates");
	check_paths(parser, &exec->guards->removes, "removes");
	for (size_t i = 0; i < exec->settings->environment.count; i++)
		manifest_exec_check_variable(
		    parser, &exec->settings->environment.items[i]);
	if (manifest_exec_is_set(&exec->settings->cwd) &&
	    exec->settings->cwd.template.len > 0 &&
	    exec->settings->cwd.template.text[0] != '/' &&
	    w_template_is_plain(&exec->settings->cwd.template)) {
		(void)w_parse_refuse_at(parser, &exec->settings->cwd.at,
		    "cwd must be an absolute path");
	}
}

const struct w_parse_type w_parse_exec = {
    .keys = w_parse_exec_keys,
    .begin = manifest_exec_begin,
    .check_map = manifest_exec_check_map,
    .check = manifest_exec_check,
};
