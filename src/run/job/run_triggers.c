/* SPDX-License-Identifier: Apache-2.0 */

/* Finds files that a run has changed and that run code later (triggers). */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run/job/sandbox_use.h"
#include "sandbox/path/real_path.h"
#include "trigger/trigger_cache.h"

/* At most this many projects per run. */
#define PROJECTS_MAX 16

struct projects {
	struct w_words list;
	bool is_cut;
};

static bool
run_triggers_is_covered(const struct w_words *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++) {
		if (w_real_path_covers(list->items[i], path))
			return true;
	}
	return false;
}

/* Called for hidden directories last: settings and caches hold much that is not
 * a project. */
static void
run_triggers_collect(struct projects *projects,
    const struct w_real_paths *grants, bool is_hidden)
{
	char project[PATH_MAX];

	for (size_t i = 0; i < grants->count; i++) {
		const struct w_real_path *place = &grants->items[i];

		/* What lies in a session's layer is not run outside. */
		if ((place->may & W_MAY_WRITE) == 0 || place->is_layer)
			continue;
		w_trigger_project(place->path, place->is_dir, project);
		if ((strstr(project, "/.") != NULL) != is_hidden ||
		    run_triggers_is_covered(&projects->list, project))
			continue;
		if (projects->list.count == PROJECTS_MAX ||
		    !w_words_add(&projects->list, project, strlen(project)))
			projects->is_cut = true;
	}
}

/* A directory that was made for a file that is held back runs nothing. */
static void
drop_held(struct w_triggers *triggers, const struct w_run_result *storage)
{
	const writ_result *result = &storage->result;
	size_t kept = 0;

	for (size_t i = 0; i < triggers->count; i++) {
		union {
			const char *borrowed;
			char *owned;
		} path = {triggers->items[i].path};
		bool is_held = false;

		for (size_t j = 0; j < result->held_count && !is_held; j++)
			is_held = w_real_path_covers(
			    path.borrowed, result->held[j].path);
		if (is_held)
			free(path.owned);
		else
			triggers->items[kept++] = triggers->items[i];
	}
	triggers->count = kept;
}

void
w_run_find_triggers(struct writ_job *job)
{
	struct projects projects = {.is_cut = false};
	struct w_runner *runner = job->runner;

	if (job->sandbox == NULL || job->reach == W_TRIGGER_NOWHERE)
		return;
	struct w_triggers *triggers = calloc(1, sizeof(*triggers));
	if (runner->trigger_cache == NULL)
		runner->trigger_cache =
		    w_trigger_cache_new(W_TRIGGER_CACHE_SETTLE_MS);
	if (triggers != NULL) {
		const struct w_real_paths *grants =
		    &job->sandbox->resolved.grants;

		run_triggers_collect(&projects, grants, false);
		run_triggers_collect(&projects, grants, true);
		for (size_t i = 0; i < projects.list.count; i++)
			w_triggers_find(triggers, projects.list.items[i],
			    job->reach, &job->since, runner->trigger_cache);
		triggers->is_cut = triggers->is_cut || projects.is_cut;
		drop_held(triggers, job->storage);
		w_triggers_end(triggers);
	}
	w_words_done(&projects.list);
	w_run_result_set_triggers(job->storage, triggers);
}
