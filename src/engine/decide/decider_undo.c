/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether a run works on a layer, and which of its commands that covers: what
 * can be taken back needs no question.
 *
 * The layer is made later, with the sandbox. So this says what it must lie
 * over, and the run does not start if it cannot.
 */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/decide/decider.h"
#include "os/resolve.h"
#include "policy/evaluate/named_writes.h"
#include "policy/glob.h"
#include "run/run_session.h"
#include "trigger/trigger.h"
#include "undo/layer_dir.h"
#include "undo/staying_run.h"

/* Beyond the project, nothing is taken back. */
#define REACHES_OUT (W_EFFECT_NET | W_EFFECT_PUBLISH | W_EFFECT_PRIV)
#define CHANGES     (W_EFFECT_WRITE | W_EFFECT_DELETE)

enum {
	SESSION_MAX_S = 24 * 60 * 60
};

/* Of no use to anybody once the run has ended. */
static bool
is_passing(const char *path)
{
	return w_resolve_is_in(path, "/tmp") || w_resolve_is_in(path, "/dev");
}

static bool
is_git(const struct w_policy_command *command)
{
	const char *id = command->analysis->id;

	return id != NULL && strncmp(id, "cli.git", strlen("cli.git")) == 0;
}

/* A build writes in its directory, and what it writes can be built again. What
 * git writes there is somebody's. */
static bool
is_build(const struct w_policy_command *command)
{
	return (command->analysis->effects & W_EFFECT_CODE) != 0 &&
	       !is_git(command);
}

/* What it replaces, git keeps. */
static bool
only_adds(const struct w_policy_command *command)
{
	const char *id = command->analysis->id;

	return id != NULL && (strcmp(id, "cli.git.add") == 0 ||
				 strcmp(id, "cli.git.commit") == 0);
}

static bool
overwrites(const struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;

	if (only_adds(command))
		return false;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_policy_path *path = &command->paths[i];

		if ((analysis->touches[i].effect & W_EFFECT_WRITE) != 0 &&
		    path->exists && path->resolved != NULL &&
		    (!path->is_directory || !is_build(command)) &&
		    !is_passing(path->resolved))
			return true;
	}
	return false;
}

static bool
takes_away(const struct w_policy_facts *facts)
{
	const unsigned takes = W_EFFECT_DELETE | W_EFFECT_IRREVERSIBLE;

	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];

		if ((command->analysis->effects & takes) != 0 ||
		    overwrites(command))
			return true;
	}
	return false;
}

/* A layer is under what is understood to delete or overwrite, and under what is
 * not understood. Under the rest, such as a build or a server, it costs more
 * than it gives: watchers do not see through it. */
static bool
is_layer_wanted(const struct w_policy_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		if (!facts->commands[i].analysis->is_understood)
			return true;
	}
	return facts->count == 0 || takes_away(facts);
}

/* What stays would go on writing, and a server on a layer sees no change of
 * others. */
static bool
may_stay(const struct w_policy_facts *facts, const writ_request *request)
{
	if (request->stays || request->background == WRIT_BACKGROUND_KEEP)
		return true;
	for (size_t i = 0; i < facts->count; i++) {
		if (facts->commands[i].analysis->has_background)
			return true;
	}
	return false;
}

/* Renaming a directory that was there before fails on a layer. mv copies then;
 * git does not. */
static bool
renames_directory(const struct w_policy_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_command *command = &facts->commands[i];
		const struct w_analysis *analysis = command->analysis;

		if (analysis->id == NULL ||
		    strcmp(analysis->id, "cli.git.mv") != 0)
			continue;
		for (size_t j = 0; j < analysis->touch_count; j++) {
			if (command->paths[j].is_directory)
				return true;
		}
	}
	return false;
}

/* The directory that the layer will lie over; NULL: none. */
static const char *
find_root(const struct w_decider *decider)
{
	const char *const *roots = decider->constraints.roots;
	const char *found = NULL;

	for (; roots != NULL && *roots != NULL && decider->cwd != NULL;
	     roots++) {
		if (w_resolve_is_in(decider->cwd, *roots) &&
		    (found == NULL || strlen(*roots) > strlen(found)))
			found = *roots;
	}
	return found;
}

static bool
can_have_layer(const struct w_decider *decider,
    const struct w_prepared *prepared, const writ_request *request,
    const char *root)
{
	const enum w_walls walls = decider->constraints.walls;

	return root != NULL &&
	       (walls == W_WALLS_WORKSPACE || walls == W_WALLS_STRICT) &&
	       !decider->constraints.is_container &&
	       !decider->constraints.is_readonly && !request->best_effort &&
	       request->background != WRIT_BACKGROUND_KEEP &&
	       !prepared->is_cwd_shared &&
	       w_undo_layer_lack(
		   w_config_path(decider->config, W_SET_STATE_DIR), root) ==
		   NULL;
}

/* The .git of a linked work tree is elsewhere, and not on the layer. */
static bool
has_own_git(const char *root)
{
	char path[PATH_MAX];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/.git", root) <
		   (int)sizeof(path) &&
	       (lstat(path, &st) < 0 || S_ISDIR(st.st_mode));
}

static bool
stays_inside(
    const struct w_policy_command *command, const char *root, bool has_more)
{
	const struct w_analysis *analysis = command->analysis;

	for (size_t i = 0; i < analysis->touch_count; i++) {
		const char *path = command->paths[i].resolved;

		if ((analysis->touches[i].effect & CHANGES) == 0)
			continue;
		/* Known only when it runs: inside the walls in any case. */
		if (path == NULL && has_more)
			return false;
		if (path != NULL && !w_resolve_is_in(path, root) &&
		    !is_passing(path))
			return false;
	}
	return true;
}

void
w_decider_mark_undo(struct w_policy_command *commands, size_t count,
    const char *root, bool has_more)
{
	const bool covers_git = has_own_git(root);

	for (size_t i = 0; i < count; i++) {
		struct w_policy_command *command = &commands[i];

		command->can_undo =
		    (command->analysis->effects & REACHES_OUT) == 0 &&
		    !command->is_remote && (covers_git || !is_git(command)) &&
		    stays_inside(command, root, has_more);
	}
}

/* Why an automatic layer is none; NULL: it is. A server must see what others
 * change, and others what it does, so what stays works on the project itself,
 * and so does what nobody understands while it lives. What is understood to
 * delete or overwrite does not talk with servers, and keeps its layer. */
static const char *
find_lack(struct w_decider *decider, const char *root)
{
	const struct w_policy_facts *facts = &decider->facts;

	if (decider->stays_in != NULL)
		return "it is known to stay, so it works on the project itself";
	if (renames_directory(facts))
		return "it may rename a directory, which a layer cannot";
	if (root != NULL && !takes_away(facts) &&
	    w_staying_run_is_in(
		w_config_path(decider->config, W_SET_STATE_DIR), root))
		return "a run that stays works in the project, and would not "
		       "see what this one writes";
	return NULL;
}

void
w_decider_find_undo(struct w_decider *decider, struct w_prepared *prepared,
    writ_request *request)
{
	const struct w_constraints *constraints = &decider->constraints;
	struct w_access_set *set = &decider->access_set;

	decider->undo_root = NULL;
	decider->stays_in = NULL;
	if (request->undo < WRIT_UNDO_AUTO)
		return;
	const char *root = find_root(decider);
	if (request->undo == WRIT_UNDO_AUTO &&
	    may_stay(&decider->facts, request))
		decider->stays_in = root;
	/* The runner of an isolated call builds its own sandbox. */
	if (request->undo == WRIT_UNDO_AUTO && decider->call != NULL) {
		request->undo = WRIT_UNDO_OFF;
		return;
	}
	if (request->undo == WRIT_UNDO_AUTO && decider->stays_in == NULL &&
	    !is_layer_wanted(&decider->facts)) {
		request->undo = WRIT_UNDO_OFF;
		return;
	}
	prepared->decision.layer_lack =
	    request->undo != WRIT_UNDO_AUTO ? NULL : find_lack(decider, root);
	if (prepared->decision.layer_lack != NULL ||
	    !can_have_layer(decider, prepared, request, root))
		return;
	decider->undo_root = root;
	decider->has_more_writable = (constraints->asked_write != NULL &&
					 constraints->asked_write[0] != NULL) ||
				     (constraints->profile_write != NULL &&
					 constraints->profile_write[0] != NULL);
	w_decider_mark_undo(
	    set->commands, set->count, root, decider->has_more_writable);
}

/* A rule for all files is written for builds and names no hook of git. ".git"
 * holds too much to be a name for one of them. */
static bool
names_trigger(const char *glob)
{
	const char *name = w_trigger_in_path(glob);
	static const char git[] = ".git/";

	if (name == NULL || strncmp(name, git, strlen(git)) != 0)
		return name != NULL && strcmp(name, ".git") != 0;
	name += strlen(git);
	return name[0] != '\0' && w_glob_is_literal(name, strcspn(name, "/"));
}

writ_status
w_decider_permit_named(struct w_decider *decider, struct w_prepared *prepared,
    const writ_request *request, writ_error *err)
{
	const struct w_policy_set policy_set = {
	    .tiers = decider->constraints.tiers,
	    .count = decider->constraints.count,
	};

	if (request->undo < WRIT_UNDO_AUTO || decider->is_dry_run ||
	    prepared->decision.layer_lack != NULL)
		return WRIT_OK;
	w_words_done(&prepared->permit.named);
	prepared->permit.has = w_policy_is_named_write;
	return w_policy_named_writes(&policy_set, &decider->facts,
	    names_trigger, &prepared->permit.named, err);
}

/* What was allowed since it can be undone must not run if it cannot. */
const char *
w_decider_must_cover(const struct w_decider *decider)
{
	const struct w_policy_facts *facts = &decider->facts;

	if (decider->undo_root == NULL)
		return NULL;
	if (strcmp(decider->constraints.judge, "exec") == 0)
		return decider->undo_root;
	for (size_t i = 0; i < facts->count; i++) {
		if (facts->commands[i].can_undo &&
		    (facts->commands[i].analysis->effects &
			(W_EFFECT_DELETE | W_EFFECT_IRREVERSIBLE)) != 0)
			return decider->undo_root;
	}
	return NULL;
}

/* A server that is there for one session is as old as that. Of other callers it
 * is not known, so it is taken to be long. */
struct timespec
w_decider_session_began(const struct w_decider *decider)
{
	const writ_request *asked = &decider->checked;
	const bool is_brief =
	    decider->door != NULL && strcmp(decider->door, "cli") == 0;
	struct timespec began = decider->began;

	if ((is_brief && asked->caller != WRIT_CALLER_TRUSTED) ||
	    (asked->in_session != NULL && asked->in_session->held != NULL))
		began.tv_sec -= SESSION_MAX_S;
	return began;
}
