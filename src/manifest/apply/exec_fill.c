/* SPDX-License-Identifier: Apache-2.0 */

/* Fills in an exec's deferred properties, and builds requests from them. */

#include <string.h>

#include "manifest/apply/exec_resource.h"
#include "manifest/apply/registered.h"

#define STAGE "manifest"

/* Output kept in memory, of which head and tail are shown. To see all of it,
 * use the watch. */
#define OUTPUT_KEPT ((uint64_t)64 << 10)

/* Without a command the name is the command, as a template: a value in it is
 * one word, or a part of one. */
static bool
fill_name(struct w_exec_step *x)
{
	const struct w_command_property property = {
	    .line = x->step->resource->name};
	const char *const *words = x->exec->name_words;

	if (words == NULL)
		return w_fill_command(
		    x->step, &property, x->exec->is_shell, &x->command);
	if (x->exec->is_shell)
		x->command.shell = words[0];
	else
		x->command.argv = words;
	return true;
}

static bool
fill_command(struct w_exec_step *x)
{
	const struct w_command_property *property = &x->exec->command;
	const bool is_named =
	    property->words.count == 0 && property->line.template.parts == NULL;

	if (is_named ? !fill_name(x)
		     : !w_fill_command(
			   x->step, property, x->exec->is_shell, &x->command))
		return false;
	return w_fill_command(
	    x->step, &x->exec->guards->refresh, x->exec->is_shell, &x->refresh);
}

static bool
fill_guards(struct w_exec_step *x, const struct w_command_list *list,
    struct w_filled_command **out_commands)
{
	struct w_filled_command *commands;

	if (list->count == 0)
		return true;
	commands =
	    w_arena_alloc(&x->step->arena, list->count, sizeof(*commands));
	if (commands == NULL) {
		x->step->is_short = true;
		return false;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!w_fill_command(x->step, &list->items[i], x->exec->is_shell,
			&commands[i]))
			return false;
	}
	*out_commands = commands;
	return true;
}

static bool
fill_cwd(struct w_exec_step *x)
{
	writ_error err;

	if (!w_fill_text(x->step, &x->exec->settings->cwd, &x->cwd))
		return false;
	if (x->cwd.text == NULL || x->cwd.text[0] == '\0')
		x->cwd = (struct w_filled_text){.text = "/"};
	if (x->cwd.text[0] == '/')
		return true;
	(void)w_fail(&err, WRIT_E_INVALID, STAGE, 0,
	    "cwd '%s' is not an absolute path", x->cwd.text);
	w_resource_step_fail_at(x->step, &x->exec->settings->cwd.at,
	    x->exec->settings->cwd.template.text, &err);
	return false;
}

/* ---- environment ---- */

const char *const w_exec_plain_env[] = {
    "PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin", NULL};

/* "PATH=" and the property verbatim; NULL: no memory. */
static const char *
path_entry(struct w_resource_step *step, const char *path)
{
	static const char name[] = "PATH=";
	const size_t len = strlen(path);
	char *entry = w_arena_alloc(&step->arena, sizeof(name) + len, 1);

	if (entry != NULL) {
		memcpy(entry, name, sizeof(name) - 1);
		memcpy(entry + sizeof(name) - 1, path, len + 1);
	}
	return entry;
}

/* The property path comes first, so that environment can override it. The
 * default is fixed: what a manifest does must not depend on the shell that
 * applies it. */
static bool
exec_fill_add_path(struct w_exec_step *x)
{
	const char *path = x->exec->settings->path.text;
	const char **env;
	size_t count = 0;

	while (x->env != NULL && x->env[count] != NULL)
		count++;

	if (path != NULL && path[0] == '\0')
		path = NULL;
	if (count == 0 && path == NULL) {
		x->env = w_exec_plain_env;
		return true;
	}
	env = w_arena_alloc(&x->step->arena, count + 2, sizeof(*env));
	const char *entry =
	    path == NULL ? w_exec_plain_env[0] : path_entry(x->step, path);
	if (env == NULL || entry == NULL) {
		x->step->is_short = true;
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
exec_fill_add_words(struct w_texts *list, struct w_resource_step *step,
    const struct w_filled_command *command)
{
	if (command->shell != NULL)
		return w_texts_add(
		    list, &step->arena, command->shell, strlen(command->shell));
	for (size_t i = 0; command->argv != NULL && command->argv[i] != NULL;
	     i++) {
		if (command->argv[i][0] != '\0' &&
		    !w_texts_add(list, &step->arena, command->argv[i],
			strlen(command->argv[i])))
			return false;
	}
	return true;
}

static bool
exec_fill_add_commands(struct w_texts *list, struct w_resource_step *step,
    const struct w_filled_command *commands, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!exec_fill_add_words(list, step, &commands[i]))
			return false;
	}
	return true;
}

/* Values are never recorded; of a sensitive resource the words neither. */
static bool
gather_secrets(struct w_exec_step *x)
{
	struct w_resource_step *step = x->step;
	struct w_texts list = {.count = 0};
	bool ok = true;

	x->secrets = step->secrets.items;
	if (!step->resource->is_sensitive)
		return true;
	for (size_t i = 0; ok && i < step->secrets.count; i++)
		ok = w_texts_add(&list, &step->arena, step->secrets.items[i],
		    strlen(step->secrets.items[i]));
	ok = ok && exec_fill_add_words(&list, step, &x->command) &&
	     exec_fill_add_words(&list, step, &x->refresh) &&
	     exec_fill_add_commands(
		 &list, step, x->onlyif, x->exec->guards->onlyif.count) &&
	     exec_fill_add_commands(
		 &list, step, x->unless, x->exec->guards->unless.count);
	step->is_short = step->is_short || !ok;
	x->secrets = list.items;
	return ok;
}

bool
w_exec_fill(struct w_exec_step *x)
{
	const struct w_exec_resource *exec = x->exec;
	struct w_resource_step *step = x->step;

	return fill_command(x) && fill_cwd(x) &&
	       w_fill_environment(step, &exec->settings->environment, &x->env,
		   &x->env_shown) &&
	       exec_fill_add_path(x) &&
	       w_fill_list(
		   step, &exec->creates, &x->creates, &x->creates_shown) &&
	       w_fill_list(step, &exec->guards->removes, &x->removes,
		   &x->removes_shown) &&
	       fill_guards(x, &exec->guards->onlyif, &x->onlyif) &&
	       fill_guards(x, &exec->guards->unless, &x->unless) &&
	       w_fill_text(step, &exec->settings->stdin_text, &x->input) &&
	       gather_secrets(x);
}

/* ---- requests ---- */

static void
set_limits(const struct w_exec_resource *exec, bool is_registered,
    writ_request *request)
{
	const struct w_exec_limits *limits = &exec->settings->limits;

	request->memory = limits->memory;
	request->cpu_ms = limits->cpu_ms;
	request->processes = limits->processes;
	request->open_files = limits->open_files;
	request->file_size = limits->file_size;
	request->max_output = limits->max_output;
	request->idle_timeout_ms = limits->idle_ms;
	request->output_limit =
	    limits->output == 0 ? OUTPUT_KEPT : limits->output;
	if (is_registered && request->output_limit < W_REGISTERED_OUTPUT_MAX)
		request->output_limit = W_REGISTERED_OUTPUT_MAX;
	request->spill_limit = WRIT_ZERO;
}

void
w_exec_request(const struct w_exec_step *x,
    const struct w_filled_command *command, writ_request *out_request)
{
	const struct w_exec_resource *exec = x->exec;
	const struct w_resource_step *step = x->step;
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = command->argv;
	request.shell = command->shell;
	request.cwd = x->cwd.text;
	request.env = x->env;
	request.timeout_ms = exec->settings->timeout_ms;
	request.umask =
	    WRIT_UMASK(exec->settings->has_umask ? exec->settings->umask : 022);
	request.user = exec->settings->user.text;
	request.group = exec->settings->group.text;
	request.sandbox = exec->settings->sandbox.text;
	request.agent = step->agent;
	request.caller = step->options->caller;
	request.trace_id = step->trace_id;
	request.secrets = x->secrets;
	if (step->resource->is_sensitive || step->secrets.count > 0)
		request.keep = WRIT_ZERO;
	set_limits(
	    exec, step->resource->extras->registers.text != NULL, &request);
	*out_request = request;
}
