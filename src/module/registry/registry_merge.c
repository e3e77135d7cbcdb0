/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Decides which module an id means. Each module directory has its modules by
 * id; one directory after the other is merged into the list, and existing ids
 * stay. Directories that may only add come last, wherever they are listed; they
 * also do not get an id that belongs to an unusable description.
 */

#include "module/registry/registry_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/grow.h"
#include "module/registry/registry_programs.h"

#define STAGE "modules"

bool
w_registry_add_problem(
    struct w_registry *registry, const char *path, const writ_error *error)
{
	if (registry->problem_count == W_REGISTRY_PROBLEMS_MAX) {
		registry->problems_left_out++;
		return true;
	}
	if (!w_grow(&registry->problems, registry->problem_count,
		&registry->problem_cap))
		return false;
	char *file = strdup(path);
	if (file == NULL)
		return false;
	registry->problems[registry->problem_count++] =
	    (struct w_registry_problem){.file = file, .error = *error};
	return true;
}

/* The last one becomes the number of problems left out. */
static void
count_left_out(struct w_registry *registry)
{
	if (registry->problems_left_out == 0)
		return;
	writ_error *last =
	    &registry->problems[registry->problem_count - 1].error;
	*last = (writ_error){0};
	(void)w_fail(last, WRIT_E_INVALID, STAGE, 0,
	    "%zu more problems, here and in other files",
	    registry->problems_left_out + 1);
}

static void
registry_merge_put_text(char *field, size_t size,
    const struct w_module_index *module_index, uint32_t text)
{
	const char *from = w_module_index_string(module_index, text);
	size_t len = strnlen(from, size - 1);

	memcpy(field, from, len);
	field[len] = '\0';
}

/* The problems found when the files were read. */
static bool
report_file_problems(
    struct w_registry *registry, const struct w_module_index *module_index)
{
	for (uint32_t i = 0; i < module_index->head->problem_count; i++) {
		const struct w_module_index_problem *problem =
		    &module_index->problems[i];
		const struct w_module_index_file *file =
		    &module_index->files[problem->file];
		writ_error error = {
		    .status = (writ_status)problem->status,
		    .sys_errno = problem->sys_errno,
		    .line = problem->line,
		    .column = problem->column,
		};

		registry_merge_put_text(error.stage, sizeof(error.stage),
		    module_index, problem->stage);
		registry_merge_put_text(error.message, sizeof(error.message),
		    module_index, problem->message);
		registry_merge_put_text(error.suggestion,
		    sizeof(error.suggestion), module_index,
		    problem->suggestion);
		if (!w_registry_add_problem(registry,
			w_module_index_string(module_index, file->path),
			&error))
			return false;
	}
	return true;
}

static const struct w_module_index_entry *
module_of(const struct w_registry *registry, const struct w_pick *pick)
{
	return &registry->module_dirs[pick->module_dir]
		    .module_index.modules[pick->module];
}

static const char *
id_of(const struct w_registry *registry, const struct w_pick *pick)
{
	return w_module_index_string(
	    &registry->module_dirs[pick->module_dir].module_index,
	    module_of(registry, pick)->id);
}

static const char *
registry_merge_path_of(
    const struct w_registry *registry, const struct w_pick *pick)
{
	const struct w_module_index *module_index =
	    &registry->module_dirs[pick->module_dir].module_index;

	return w_module_index_string(module_index,
	    module_index->files[module_of(registry, pick)->file].path);
}

/* A rejected claim to an id. */
static bool
report_claim(struct w_registry *registry, const struct w_pick *owner,
    const struct w_pick *claim)
{
	const struct w_module_index_entry *module = module_of(registry, claim);
	bool is_same_module_dir = owner->module_dir == claim->module_dir;
	writ_error error;

	if (!is_same_module_dir &&
	    !registry->module_dirs[claim->module_dir].may_only_add)
		return true;
	(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
	    "module '%s' is described already, in '%s' line %u",
	    id_of(registry, claim), registry_merge_path_of(registry, owner),
	    module_of(registry, owner)->line);
	w_locate(&error, module->line, module->column);
	w_suggest(&error, is_same_module_dir
			      ? "remove one of them, or give it another id"
			      : "give it another id: modules of this directory "
				"can be added, but replace none");
	return w_registry_add_problem(
	    registry, registry_merge_path_of(registry, claim), &error);
}

/* Whether the problem concerns the module: its message begins with the id, or
 * its file has the name of a file for that module. */
static bool
registry_merge_is_about(
    const struct w_registry_problem *problem, const char *id)
{
	const size_t len = strlen(id);
	const char *message = problem->error.message;
	const char *name = w_basename(problem->file);

	return (strncmp(message, id, len) == 0 && message[len] == ':') ||
	       (strncmp(name, id, len) == 0 &&
		   strncmp(name + len, ".binding.", 9) == 0);
}

/* Reports a claim to an id that another directory's broken description is
 * about; *out_is_free: there is none. */
static bool
check_broken(
    struct w_registry *registry, const struct w_pick *claim, bool *out_is_free)
{
	const struct w_module_index_entry *module = module_of(registry, claim);
	const char *id = id_of(registry, claim);
	writ_error error;
	size_t i = 0;

	while (i < registry->foreign_problems &&
	       !registry_merge_is_about(&registry->problems[i], id))
		i++;
	*out_is_free = i == registry->foreign_problems;
	if (*out_is_free)
		return true;
	(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
	    "module '%s' is described already, in '%s', which cannot be used",
	    id, registry->problems[i].file);
	w_locate(&error, module->line, module->column);
	w_suggest(&error, "mend that, or give this one another id");
	return w_registry_add_problem(
	    registry, registry_merge_path_of(registry, claim), &error);
}

/* Whether a module takes part at all: one from a description that is overridden
 * or unusable does not. Modules of one file are mostly adjacent, so the last
 * answer is cached. */
struct program_state {
	uint32_t file;
	bool is_known;
	bool is_used;
};

static bool
takes_part(const struct w_registry *registry, const struct w_pick *claim,
    struct program_state *last)
{
	const struct w_module_dir *module_dir =
	    &registry->module_dirs[claim->module_dir];
	const struct w_described_program program = {claim->module_dir,
	    module_dir->module_index.modules[claim->module].file};
	const struct w_module_index_file *file =
	    &module_dir->module_index.files[program.file];

	if (file->name_count == 0 ||
	    (module_dir->is_builtin && !registry->has_described))
		return true;
	if (!last->is_known || last->file != program.file)
		*last = (struct program_state){program.file, true,
		    file->text_len > 0 &&
			w_registry_is_owner(registry, &program)};
	return last->is_used;
}

/* Merges a module directory into the picks. */
static bool
merge_module_dir(struct w_registry *registry, uint32_t module_dir)
{
	const struct w_module_index *module_index =
	    &registry->module_dirs[module_dir].module_index;
	size_t more = module_index->head->module_count;
	W_AUTO_FREE struct w_pick *merged =
	    calloc(registry->count + more + 1, sizeof(*merged));
	struct program_state program_state = {0};
	size_t count = 0;
	size_t at = 0;

	if (merged == NULL)
		return false;
	for (size_t i = 0; i < more; i++) {
		const struct w_pick claim = {
		    module_dir, module_index->order[i]};
		const char *id = id_of(registry, &claim);

		if (!takes_part(registry, &claim, &program_state))
			continue;
		while (at < registry->count &&
		       strcmp(id_of(registry, &registry->picks[at]), id) <= 0)
			merged[count++] = registry->picks[at++];
		bool is_taken =
		    count > 0 &&
		    strcmp(id_of(registry, &merged[count - 1]), id) == 0;
		bool is_free = !is_taken;
		if (is_taken &&
		    !report_claim(registry, &merged[count - 1], &claim))
			return false;
		if (is_free && registry->module_dirs[module_dir].may_only_add &&
		    !check_broken(registry, &claim, &is_free))
			return false;
		if (is_free)
			merged[count++] = claim;
	}
	while (at < registry->count)
		merged[count++] = registry->picks[at++];
	free(registry->picks);
	registry->picks = w_take_ptr(&merged);
	registry->count = count;
	return true;
}

static bool
merge_those(struct w_registry *registry, bool may_only_add)
{
	for (size_t i = 0; i < registry->module_dir_count; i++) {
		const struct w_module_dir *module_dir =
		    &registry->module_dirs[i];

		if (module_dir->may_only_add != may_only_add ||
		    module_dir->module_index.head == NULL)
			continue;
		if (!report_file_problems(
			registry, &module_dir->module_index) ||
		    (may_only_add &&
			!w_registry_check_programs(registry, (uint32_t)i)) ||
		    !merge_module_dir(registry, (uint32_t)i))
			return false;
	}
	return true;
}

static bool
has_described(const struct w_registry *registry)
{
	for (size_t i = 0; i < registry->module_dir_count; i++) {
		const struct w_module_dir *module_dir =
		    &registry->module_dirs[i];

		if (module_dir->is_builtin ||
		    module_dir->module_index.head == NULL)
			continue;
		for (uint32_t at = 0;
		     at < module_dir->module_index.head->file_count; at++)
			if (module_dir->module_index.files[at].name_count > 0)
				return true;
	}
	return false;
}

bool
w_registry_merge(struct w_registry *registry)
{
	registry->has_described = has_described(registry);
	if (!merge_those(registry, false))
		return false;
	registry->foreign_problems = registry->problem_count;
	if (!merge_those(registry, true))
		return false;
	count_left_out(registry);
	return true;
}
