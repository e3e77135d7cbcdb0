/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Detects the kinds of projects in a directory.
 */

#include "cli/setup/project.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/setup/project_kind.h"

/* A directory with more entries is not the top of a project. */
#define NAMES_MAX 20000
#define NOTE_MAX  512

bool
w_cli_project_has(const struct w_project_view *view, const char *glob)
{
	for (size_t i = 0; i < view->names.count; i++) {
		if (w_match_glob(glob, view->names.items[i]))
			return true;
	}
	return false;
}

void
w_cli_project_add(
    struct w_project_view *view, struct w_words *list, const char *line)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], line) == 0)
			return;
	}
	if (!w_words_add(list, line, strlen(line)))
		view->is_short = true;
}

void
w_cli_project_note(
    struct w_project_view *view, const char *name, const char *why)
{
	char note[NOTE_MAX];

	(void)snprintf(note, sizeof(note), "%s: %s", name, why);
	w_cli_project_add(view, &view->project->notes, note);
}

static void
project_add_all(
    struct w_project_view *view, struct w_words *list, const char *const *lines)
{
	for (; lines != NULL && *lines != NULL; lines++)
		w_cli_project_add(view, list, *lines);
}

static bool
project_is_kind(
    const struct w_project_view *view, const struct w_project_kind *kind)
{
	for (const char *const *mark = kind->marks; *mark != NULL; mark++) {
		if (w_cli_project_has(view, *mark))
			return true;
	}
	return false;
}

static void
take_kind(struct w_project_view *view, const struct w_project_kind *kind)
{
	struct w_project *project = view->project;

	w_cli_project_add(view, &project->kinds, kind->name);
	project_add_all(view, &project->commands, kind->commands);
	project_add_all(view, &project->daily, kind->daily);
	project_add_all(view, &project->asked, kind->asked);
	project_add_all(view, &project->secrets, kind->secrets);
	if (kind->manager != NULL)
		w_cli_project_add(view, &project->managers, kind->manager);
	if (kind->rule != NULL) {
		w_cli_project_add(view, &project->rules, kind->rule);
		w_cli_project_add(view, &project->rules, kind->because);
	}
	if (kind->detect != NULL)
		kind->detect(view);
}

static void
read_names(struct w_project_view *view, DIR *dir)
{
	const struct dirent *entry = readdir(dir);

	for (;
	     entry != NULL && !view->is_short && view->names.count < NAMES_MAX;
	     entry = readdir(dir)) {
		if (!w_words_add(
			&view->names, entry->d_name, strlen(entry->d_name)))
			view->is_short = true;
	}
}

static writ_status
project_finish(struct w_project_view *view, writ_error *err)
{
	w_words_done(&view->names);
	if (view->is_short)
		return w_fail_nomem(err, "project");
	return WRIT_OK;
}

writ_status
w_cli_project_detect(
    const char *dir, struct w_project *out_project, writ_error *err)
{
	struct w_project_view view = {.project = out_project};
	DIR *names = opendir(dir);

	*out_project = (struct w_project){.kinds = {.items = NULL}};
	if (names == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "project", errno,
		    "cannot read the directory '%s'", dir);
	view.dir_fd = dirfd(names);
	read_names(&view, names);
	for (size_t i = 0; w_cli_project_kinds[i].name != NULL; i++) {
		if (project_is_kind(&view, &w_cli_project_kinds[i]))
			take_kind(&view, &w_cli_project_kinds[i]);
	}
	w_cli_project_detect_secrets(&view);
	(void)closedir(names);
	return project_finish(&view, err);
}

writ_status
w_cli_project_any(struct w_project *out_project, writ_error *err)
{
	struct w_project_view view = {.project = out_project, .dir_fd = -1};

	*out_project = (struct w_project){.kinds = {.items = NULL}};
	take_kind(&view, &w_cli_project_kinds[0]);
	w_cli_project_detect_secrets(&view);
	w_words_done(&out_project->kinds);
	return project_finish(&view, err);
}

void
w_cli_project_done(struct w_project *project)
{
	w_words_done(&project->kinds);
	w_words_done(&project->commands);
	w_words_done(&project->daily);
	w_words_done(&project->asked);
	w_words_done(&project->secrets);
	w_words_done(&project->rules);
	w_words_done(&project->managers);
	w_words_done(&project->notes);
}
