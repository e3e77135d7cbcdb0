/* SPDX-License-Identifier: Apache-2.0 */

/* Collects the commands of a request and looks up what they touch. */

#include "engine/decide/access_set.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "os/resolve.h"

#define STAGE "policy"

void
w_access_set_done(struct w_access_set *access_set)
{
	w_arena_done(&access_set->arena);
	free(access_set->commands);
	*access_set = (struct w_access_set){.commands = NULL};
}

/* ---- paths ---- */

static const char *
access_set_keep(struct w_access_set *access_set, const char *text)
{
	return w_arena_text(&access_set->arena, text, strlen(text));
}

/* The text of a path. A path that is no word of the command comes from a
 * description or from the request's read and write lists: there ~/ is the
 * home directory. */
static bool
access_set_spell(const struct w_access_input *input, const char *target,
    size_t len, bool is_ours, char out_text[PATH_MAX])
{
	const bool is_home = is_ours && input->home != NULL &&
			     (len == 1 || target[1] == '/') && target[0] == '~';
	int n = is_home
		    ? snprintf(out_text, PATH_MAX, "%s%.*s", input->home,
			  (int)len - 1, target + 1)
		    : snprintf(out_text, PATH_MAX, "%.*s", (int)len, target);

	return n > 0 && n < PATH_MAX;
}

/* What a run already has open was judged when it was opened. */
static bool
access_set_is_stream(const char *path)
{
	static const char *const names[] = {
	    "/dev/stdin", "/dev/stdout", "/dev/stderr"};
	static const char *const dirs[] = {
	    "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(path, names[i]) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		const size_t len = strlen(dirs[i]);

		if (strncmp(path, dirs[i], len) == 0 && path[len] != '\0' &&
		    path[len + strspn(path + len, "0123456789")] == '\0')
			return true;
	}
	return false;
}

static bool
is_shared_cwd(const struct w_access_input *input)
{
	return input->view != NULL && input->cwd != NULL &&
	       w_session_view_has(input->view, input->cwd);
}

static writ_status
access_set_look_up(struct w_access_set *access_set,
    const struct w_access_input *input, const struct w_touch *touch,
    bool is_ours, struct w_policy_path *out, writ_error *err)
{
	const bool is_entry = touch->effect == W_EFFECT_DELETE;
	const char *target = touch->target;
	const size_t len = touch->len;
	char text[PATH_MAX], spelled[PATH_MAX];
	struct w_resolved_path resolved;

	if (++access_set->path_count > W_ACCESS_PATHS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the command names more than %d paths", W_ACCESS_PATHS_MAX);
	if (len == 0 || (target[0] != '/' && input->cwd == NULL))
		return WRIT_OK;
	if (!access_set_spell(input, target, len, is_ours, text))
		return WRIT_OK;
	if (!w_resolve_text(input->cwd, text, spelled))
		return WRIT_OK;
	out->spelled = access_set_keep(access_set, spelled);
	if (out->spelled == NULL)
		return w_fail_nomem(err, STAGE);
	/* What lies in a session is not the machine's to look up: the way out
	 * of its directory leads elsewhere here. */
	w_resolve(input->cwd_fd, is_shared_cwd(input) ? spelled : text,
	    is_entry, &resolved);
	out->exists = resolved.exists;
	out->is_directory = resolved.is_directory;
	out->is_elusive = resolved.is_elusive && !access_set_is_stream(spelled);
	if (resolved.path[0] == '\0')
		return WRIT_OK;
	out->resolved = strcmp(resolved.path, spelled) == 0
			    ? out->spelled
			    : access_set_keep(access_set, resolved.path);
	return out->resolved == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Whether the list holds this very string, compared by address. */
static bool
lists(const char *const *list, const char *text)
{
	for (; list != NULL && *list != NULL; list++) {
		if (*list == text)
			return true;
	}
	return false;
}

/* A path that a trusted caller opens for writing covers all below it. */
static bool
is_within_given(const struct w_access_set *access_set,
    const struct w_touch *touch, const struct w_policy_path *path)
{
	if (path->resolved == NULL ||
	    (touch->effect & (W_EFFECT_WRITE | W_EFFECT_DELETE)) == 0)
		return false;
	for (size_t i = 0; i < access_set->outermost_count; i++) {
		const struct w_policy_path *given = &access_set->outermost[i];

		if (given->is_given_for_write && given->resolved != NULL &&
		    w_resolve_is_in(path->resolved, given->resolved))
			return true;
	}
	return false;
}

/* Looks up the path of each touch. Paths on a remote host are skipped. */
static writ_status
look_up_all(struct w_access_set *access_set, const struct w_access_input *input,
    struct w_policy_command *command, writ_error *err)
{
	const struct w_analysis *analysis = command->analysis;
	struct w_policy_path *paths = w_arena_alloc(
	    &access_set->arena, analysis->touch_count + 1, sizeof(*paths));
	writ_status status = WRIT_OK;

	if (paths == NULL)
		return w_fail_nomem(err, STAGE);
	command->paths = paths;
	for (size_t i = 0; i < analysis->touch_count && status == WRIT_OK;
	     i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL ||
		    command->is_remote)
			continue;
		const bool is_ours =
		    touch->is_home || (touch->word >= analysis->argc &&
					  touch->target != input->stdin_path);

		/* Without a home directory it is known only at run time. */
		if (touch->is_home && input->home == NULL)
			continue;

		status = access_set_look_up(
		    access_set, input, touch, is_ours, &paths[i], err);
		paths[i].is_given_for_write =
		    input->is_trusted && lists(input->write, touch->target);
		paths[i].is_given =
		    paths[i].is_given_for_write ||
		    (input->is_trusted && lists(input->read, touch->target));
	}
	if (access_set->outermost == NULL) {
		access_set->outermost = paths;
		access_set->outermost_count = analysis->touch_count;
	}
	for (size_t i = 0; i < analysis->touch_count; i++) {
		if (is_within_given(
			access_set, &analysis->touches[i], &paths[i]))
			paths[i].is_given = true;
	}
	return status;
}

/* ---- what the request itself opens ---- */

static size_t
count_list(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		count++;
	return count;
}

static size_t
put_touches(struct w_touch *touches, const char *const *list, unsigned effect,
    size_t word, const char *why)
{
	size_t count = 0;

	for (; list != NULL && list[count] != NULL; count++)
		touches[count] = (struct w_touch){.effect = effect,
		    .kind = W_TOUCH_PATH,
		    .target = list[count],
		    .len = strlen(list[count]),
		    .word = word,
		    .why = why};
	return count;
}

const char w_access_asked_host[] = "asked for";

/* A pattern stands for its host, on whatever port. */
static writ_status
put_hosts(struct w_access_set *access_set, struct w_touch *touches,
    const char *const *hosts, size_t word, writ_error *err)
{
	for (; hosts != NULL && *hosts != NULL; hosts++) {
		char host[W_HOST_PATTERN_MAX + 1];
		writ_status status = w_host_pattern_host(*hosts, host, err);

		if (status != WRIT_OK)
			return status;
		*touches = (struct w_touch){.effect = W_EFFECT_NET,
		    .kind = W_TOUCH_HOST,
		    .target =
			w_arena_text(&access_set->arena, host, strlen(host)),
		    .len = strlen(host),
		    .word = word,
		    .why = w_access_asked_host};
		if (touches->target == NULL)
			return w_fail_nomem(err, STAGE);
		touches++;
	}
	return WRIT_OK;
}

/* What the request opens for a command counts as touched by the command. */
static writ_status
add_own_touches(struct w_access_set *access_set,
    const struct w_access_input *input, const struct w_analysis **analysis,
    writ_error *err)
{
	const char *const stdin_list[] = {input->stdin_path, NULL};
	const size_t more = count_list(input->read) + count_list(input->write) +
			    count_list(stdin_list) + count_list(input->hosts);
	const struct w_analysis *was = *analysis;

	if (more == 0)
		return WRIT_OK;
	struct w_analysis *now =
	    w_arena_alloc(&access_set->arena, 1, sizeof(*now));
	struct w_touch *touches = w_arena_alloc(
	    &access_set->arena, was->touch_count + more, sizeof(*touches));
	if (now == NULL || touches == NULL)
		return w_fail_nomem(err, STAGE);
	*now = *was;
	if (was->touch_count > 0)
		memcpy(
		    touches, was->touches, was->touch_count * sizeof(*touches));
	size_t at = was->touch_count;
	at += put_touches(touches + at, input->write, W_EFFECT_WRITE, was->argc,
	    "opened for writing");
	at += put_touches(touches + at, input->read, W_EFFECT_READ, was->argc,
	    "opened for reading");
	at += put_touches(touches + at, stdin_list, W_EFFECT_READ, was->argc,
	    "standard input");
	writ_status status =
	    put_hosts(access_set, touches + at, input->hosts, was->argc, err);
	if (status != WRIT_OK)
		return status;
	now->effects |= count_list(input->write) > 0 ? W_EFFECT_WRITE : 0U;
	now->effects |= at > was->touch_count + count_list(input->write)
			    ? W_EFFECT_READ
			    : 0U;
	at += count_list(input->hosts);
	now->effects |= count_list(input->hosts) > 0 ? W_EFFECT_NET : 0U;
	now->touches = touches;
	now->touch_count = at;
	*analysis = now;
	return WRIT_OK;
}

/* ---- commands ---- */

static struct w_policy_command *
access_set_add_command(struct w_access_set *access_set)
{
	if (!w_grow(&access_set->commands, access_set->count, &access_set->cap))
		return NULL;
	struct w_policy_command *command =
	    &access_set->commands[access_set->count++];
	*command = (struct w_policy_command){.analysis = NULL};
	return command;
}

static writ_status
fill_program(struct w_access_set *access_set,
    const struct w_access_input *input, struct w_policy_command *command,
    bool is_outermost, writ_error *err)
{
	const struct w_analysis *analysis = command->analysis;
	const char *word = analysis->argc > 0 ? analysis->argv[0] : "";

	if (analysis->shell != NULL)
		word = input->shell;
	else if (command->is_builtin || analysis->argc == 0) {
		command->is_builtin = true;
		command->program.called_as = word;
		return WRIT_OK;
	}
	if (command->is_remote) {
		static const struct w_program elsewhere = {.fd = -1};

		return w_access_find_program(access_set, input, word,
		    &elsewhere, &command->program, err);
	}
	return w_access_find_program(access_set, input, word,
	    is_outermost ? input->program : NULL, &command->program, err);
}

struct around {
	bool is_shell;
	bool is_remote;
};

static writ_status
fill_command(struct w_access_set *access_set,
    const struct w_access_input *input, const struct w_analysis *analysis,
    struct around around, bool is_outermost, writ_error *err)
{
	struct w_policy_command *command = access_set_add_command(access_set);

	if (command == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status =
	    around.is_remote
		? WRIT_OK
		: w_access_expand_managers(access_set, input, &analysis, err);
	if (status != WRIT_OK)
		return status;
	command->analysis = analysis;
	command->is_shell = around.is_shell || analysis->shell != NULL;
	command->is_remote = around.is_remote;
	command->is_builtin = analysis->is_builtin;
	status = fill_program(access_set, input, command, is_outermost, err);
	if (status == WRIT_OK)
		status = look_up_all(access_set, input, command, err);
	for (size_t i = 0; i < analysis->inner_count && status == WRIT_OK;
	     i++) {
		const struct w_inner *inner = &analysis->inner[i];
		const struct around inside = {
		    .is_shell = around.is_shell || inner->is_shell,
		    .is_remote =
			around.is_remote || (inner->how & W_INNER_REMOTE) != 0,
		};

		status = fill_command(
		    access_set, input, inner->analysis, inside, false, err);
	}
	return status;
}

writ_status
w_access_set_fill(struct w_access_set *access_set,
    const struct w_access_input *input, writ_error *err)
{
	const struct around outside = {.is_shell = false};
	const struct w_analysis *analysis = input->analysis;
	writ_status status = add_own_touches(access_set, input, &analysis, err);

	return status == WRIT_OK ? fill_command(access_set, input, analysis,
				       outside, true, err)
				 : status;
}
