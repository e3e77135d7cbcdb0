/* SPDX-License-Identifier: Apache-2.0 */

/* An exec's deferred properties, and requests made of them. */

#include <string.h>

#include "manifest/exec.h"

#define STAGE "manifest"

/* What is kept of an output in memory, of which the first and the last part
 * are shown. Whoever wants all of it watches. */
#define OUTPUT_KEPT ((uint64_t)64 << 10)

/* Without a command the name is it, as a template: a value in it is one word,
 * or a part of one. */
static bool
fill_name(struct w_exec_turn *x)
{
	const struct w_command_field field = {.line = x->turn->resource->name};
	const char *const *words = x->exec->name_words;

	if (words == NULL)
		return w_fill_command(
		    x->turn, &field, x->exec->is_shell, &x->command);
	if (x->exec->is_shell)
		x->command.shell = words[0];
	else
		x->command.argv = words;
	return true;
}

static bool
fill_command(struct w_exec_turn *x)
{
	const struct w_command_field *field = &x->exec->command;
	const bool is_named =
	    field->words.count == 0 && field->line.template.parts == NULL;

	if (is_named ? !fill_name(x)
		     : !w_fill_command(
			   x->turn, field, x->exec->is_shell, &x->command))
		return false;
	return w_fill_command(
	    x->turn, &x->exec->refresh, x->exec->is_shell, &x->refresh);
}

static bool
fill_guards(struct w_exec_turn *x, const struct w_command_list *list,
    struct w_command **out_commands)
{
	struct w_command *commands;

	if (list->count == 0)
		return true;
	commands =
	    w_arena_alloc(&x->turn->arena, list->count, sizeof(*commands));
	if (commands == NULL) {
		x->turn->is_short = true;
		return false;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!w_fill_command(x->turn, &list->items[i], x->exec->is_shell,
			&commands[i]))
			return false;
	}
	*out_commands = commands;
	return true;
}

static bool
fill_cwd(struct w_exec_turn *x)
{
	writ_error err;

	if (!w_fill_text(x->turn, &x->exec->cwd, &x->cwd))
		return false;
	if (x->cwd.text == NULL || x->cwd.text[0] == '\0')
		x->cwd = (struct w_filled_text){.text = "/"};
	if (x->cwd.text[0] == '/')
		return true;
	(void)w_fail(&err, WRIT_E_INVALID, STAGE, 0,
	    "cwd '%s' is not an absolute path", x->cwd.text);
	w_turn_fail_at(
	    x->turn, &x->exec->cwd.at, x->exec->cwd.template.text, &err);
	return false;
}

/* ---- the environment ---- */

const char *const w_exec_plain_env[] = {
    "PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin", NULL};

static size_t
count_of(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		count++;
	return count;
}

/* "PATH=" and the property, as it is; NULL: no memory. */
static const char *
path_entry(struct w_turn *turn, const char *path)
{
	static const char name[] = "PATH=";
	const size_t len = strlen(path);
	char *entry = w_arena_alloc(&turn->arena, sizeof(name) + len, 1);

	if (entry != NULL) {
		memcpy(entry, name, sizeof(name) - 1);
		memcpy(entry + sizeof(name) - 1, path, len + 1);
	}
	return entry;
}

/* The property path comes first, so that environment can say otherwise.
 * Without it the path is always the same one: what a manifest does must not
 * depend on the shell that it is applied from. */
static bool
add_path(struct w_exec_turn *x)
{
	const size_t count = count_of(x->env);
	const char *path = x->exec->path.text;
	const char **env;

	if (path != NULL && path[0] == '\0')
		path = NULL;
	if (count == 0 && path == NULL) {
		x->env = w_exec_plain_env;
		return true;
	}
	env = w_arena_alloc(&x->turn->arena, count + 2, sizeof(*env));
	const char *entry =
	    path == NULL ? w_exec_plain_env[0] : path_entry(x->turn, path);
	if (env == NULL || entry == NULL) {
		x->turn->is_short = true;
		return false;
	}
	env[0] = entry;
	if (count > 0)
		memcpy(env + 1, x->env, count * sizeof(*env));
	x->env = env;
	return true;
}

/* ---- secrets ---- */

static bool
add_words(
    struct w_texts *list, struct w_turn *turn, const struct w_command *command)
{
	if (command->shell != NULL)
		return w_texts_add(
		    list, &turn->arena, command->shell, strlen(command->shell));
	for (size_t i = 0; command->argv != NULL && command->argv[i] != NULL;
	     i++) {
		if (command->argv[i][0] != '\0' &&
		    !w_texts_add(list, &turn->arena, command->argv[i],
			strlen(command->argv[i])))
			return false;
	}
	return true;
}

static bool
add_commands(struct w_texts *list, struct w_turn *turn,
    const struct w_command *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!add_words(list, turn, &commands[i]))
			return false;
	}
	return true;
}

/* No record shows the values; of a sensitive resource not the words either. */
static bool
gather_secrets(struct w_exec_turn *x)
{
	struct w_turn *turn = x->turn;
	struct w_texts list = {.count = 0};
	bool ok = true;

	x->secrets = turn->secrets.items;
	if (!turn->resource->is_sensitive)
		return true;
	for (size_t i = 0; ok && i < turn->secrets.count; i++)
		ok = w_texts_add(&list, &turn->arena, turn->secrets.items[i],
		    strlen(turn->secrets.items[i]));
	ok = ok && add_words(&list, turn, &x->command) &&
	     add_words(&list, turn, &x->refresh) &&
	     add_commands(&list, turn, x->onlyif, x->exec->onlyif.count) &&
	     add_commands(&list, turn, x->unless, x->exec->unless.count);
	turn->is_short = turn->is_short || !ok;
	x->secrets = list.items;
	return ok;
}

bool
w_exec_fill(struct w_exec_turn *x)
{
	const struct w_exec *exec = x->exec;
	struct w_turn *turn = x->turn;

	return fill_command(x) && fill_cwd(x) &&
	       w_fill_environment(
		   turn, &exec->environment, &x->env, &x->env_shown) &&
	       add_path(x) &&
	       w_fill_list(
		   turn, &exec->creates, &x->creates, &x->creates_shown) &&
	       w_fill_list(
		   turn, &exec->removes, &x->removes, &x->removes_shown) &&
	       fill_guards(x, &exec->onlyif, &x->onlyif) &&
	       fill_guards(x, &exec->unless, &x->unless) &&
	       w_fill_text(turn, &exec->stdin_text, &x->input) &&
	       gather_secrets(x);
}

/* ---- requests ---- */

static void
set_limits(const struct w_exec *exec, writ_request *request)
{
	const struct w_exec_limits *limits = &exec->limits;

	request->memory = limits->memory;
	request->cpu_ms = limits->cpu_ms;
	request->processes = limits->processes;
	request->open_files = limits->open_files;
	request->file_size = limits->file_size;
	request->max_output = limits->max_output;
	request->idle_timeout_ms = limits->idle_ms;
	request->output_limit =
	    limits->output == 0 ? OUTPUT_KEPT : limits->output;
	request->spill_limit = WRIT_ZERO;
}

void
w_exec_request(const struct w_exec_turn *x, const struct w_command *command,
    writ_request *out_request)
{
	const struct w_exec *exec = x->exec;
	const struct w_turn *turn = x->turn;
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = command->argv;
	request.shell = command->shell;
	request.cwd = x->cwd.text;
	request.env = x->env;
	request.timeout_ms = exec->timeout_ms;
	request.umask = WRIT_UMASK(exec->has_umask ? exec->umask : 022);
	request.user = exec->user.text;
	request.group = exec->group.text;
	request.sandbox = exec->sandbox.text;
	request.agent = turn->agent;
	request.caller = turn->options->caller;
	request.trace_id = turn->trace_id;
	request.secrets = x->secrets;
	if (turn->resource->is_sensitive || turn->secrets.count > 0)
		request.keep = WRIT_ZERO;
	set_limits(exec, &request);
	*out_request = request;
}
