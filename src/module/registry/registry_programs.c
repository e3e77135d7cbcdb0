/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The described programs, and where their descriptions are.
 *
 * A program has one description: the first module directory with a file for it
 * decides, even if that file is invalid. Otherwise a typo in it would silently
 * bring back what its author meant to replace.
 */

#include "module/registry/registry_programs.h"

#include <stdlib.h>
#include <string.h>

#include "module/registry/curated.h"
#include "module/registry/registry_merge.h"

#define STAGE "modules"

/* The longest chain of same_as. */
#define SAME_AS_MAX 8

static bool
has_name(const struct w_module_index *module_index,
    const struct w_module_index_file *file, const char *name, size_t len)
{
	const char *at = w_module_index_string(module_index, file->names);

	for (uint32_t i = 0; i < file->name_count; i++) {
		const size_t at_len = strlen(at);

		if (at_len == len && memcmp(at, name, len) == 0)
			return true;
		at += at_len + 1;
	}
	return false;
}

static bool
find_on(const struct w_module_dir *module_dir, const char *name, size_t len,
    uint32_t *out_file)
{
	struct w_curated curated;

	if (module_dir->is_builtin) {
		if (!w_curated_find(name, len, &curated))
			return false;
		*out_file = (uint32_t)curated.place;
		return true;
	}
	for (uint32_t i = 0; module_dir->module_index.head != NULL &&
			     i < module_dir->module_index.head->file_count;
	     i++) {
		if (!has_name(&module_dir->module_index,
			&module_dir->module_index.files[i], name, len))
			continue;
		*out_file = i;
		return true;
	}
	return false;
}

static bool
find_strong(const struct w_registry *registry, const char *name, size_t len,
    struct w_described_program *out)
{
	for (uint32_t i = 0; i < registry->module_dir_count; i++) {
		if (registry->module_dirs[i].may_only_add ||
		    !find_on(&registry->module_dirs[i], name, len, &out->file))
			continue;
		out->module_dir = i;
		return true;
	}
	return false;
}

/* Another description, not from a directory that may only add, that has one of
 * the names of a file. */
static bool
find_rival(const struct w_registry *registry,
    const struct w_described_program *program,
    struct w_described_program *out_rival, const char **out_name)
{
	const struct w_module_index *module_index =
	    &registry->module_dirs[program->module_dir].module_index;
	const struct w_module_index_file *file =
	    &module_index->files[program->file];
	const char *at = w_module_index_string(module_index, file->names);

	for (uint32_t i = 0; i < file->name_count; i++) {
		if (find_strong(registry, at, strlen(at), out_rival)) {
			*out_name = at;
			return true;
		}
		at += strlen(at) + 1;
	}
	return false;
}

/*
 * The file that a program's name belongs to: the first module directory with a
 * description of that name, even an unusable one. A directory that may only add
 * is ignored for a program described elsewhere by any of its names. false:
 * none.
 */
static bool
find_owner(const struct w_registry *registry, const char *name, size_t len,
    struct w_described_program *out_owner)
{
	struct w_described_program rival;
	const char *unused;

	if (find_strong(registry, name, len, out_owner))
		return true;
	for (uint32_t i = 0; i < registry->module_dir_count; i++) {
		if (!registry->module_dirs[i].may_only_add ||
		    !find_on(
			&registry->module_dirs[i], name, len, &out_owner->file))
			continue;
		out_owner->module_dir = i;
		return !find_rival(registry, out_owner, &rival, &unused);
	}
	return false;
}

bool
w_registry_is_owner(const struct w_registry *registry,
    const struct w_described_program *program)
{
	const struct w_module_index *module_index =
	    &registry->module_dirs[program->module_dir].module_index;
	const struct w_module_index_file *file =
	    &module_index->files[program->file];
	const char *name = w_module_index_string(module_index, file->names);
	struct w_described_program owner;

	return find_owner(registry, name, strlen(name), &owner) &&
	       owner.module_dir == program->module_dir &&
	       owner.file == program->file;
}

bool
w_registry_check_programs(struct w_registry *registry, uint32_t module_dir)
{
	const struct w_module_index *module_index =
	    &registry->module_dirs[module_dir].module_index;
	struct w_described_program rival;
	const char *name;
	writ_error error;

	for (uint32_t i = 0; i < module_index->head->file_count; i++) {
		const struct w_described_program program = {module_dir, i};

		if (!find_rival(registry, &program, &rival, &name))
			continue;
		const struct w_module_index *other =
		    &registry->module_dirs[rival.module_dir].module_index;
		const char *where =
		    w_module_index_string(other, other->files[rival.file].path);
		(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
		    "the command '%.64s' is described already: %s", name,
		    where);
		w_suggest(&error, "descriptions of this directory can be "
				  "added, but replace none");
		if (!w_registry_add_problem(registry,
			w_module_index_string(
			    module_index, module_index->files[i].path),
			&error))
			return false;
	}
	return true;
}

/* ---- commands ---- */

/* The error found when the file was read. */
static writ_status
refuse_broken(const struct w_module_index *module_index,
    const struct w_module_index_file *file, writ_error *err)
{
	const struct w_module_index_problem *problem =
	    &module_index->problems[file->first_problem];

	if (file->problem_count == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' cannot be used",
		    w_module_index_string(module_index, file->path));
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
	    w_module_index_string(module_index, file->path), problem->line,
	    problem->column,
	    w_module_index_string(module_index, problem->message));
	if (problem->suggestion != 0)
		w_suggest(err, "%s",
		    w_module_index_string(module_index, problem->suggestion));
	return WRIT_E_INVALID;
}

static writ_status
registry_programs_read_command(const struct w_module_dir *module_dir,
    uint32_t place, struct w_module_dir_command *out, writ_error *err)
{
	const struct w_module_index *module_index = &module_dir->module_index;
	const struct w_module_index_file *file = &module_index->files[place];

	if (file->text_len == 0)
		return refuse_broken(module_index, file, err);
	out->doc = yyjson_read(module_index->texts + file->text, file->text_len,
	    YYJSON_READ_NOFLAG);
	if (out->doc == NULL)
		return w_fail_nomem(err, STAGE);
	return w_command_new(
	    yyjson_doc_get_root(out->doc), false, &out->command, NULL, err);
}

writ_status
w_registry_make_command(struct w_registry *registry,
    const struct w_described_program *program,
    const struct w_command **out_command, writ_error *err)
{
	struct w_module_dir *module_dir =
	    &registry->module_dirs[program->module_dir];

	if (module_dir->commands == NULL)
		module_dir->commands =
		    calloc(module_dir->module_index.head->file_count,
			sizeof(*module_dir->commands));
	if (module_dir->commands == NULL)
		return w_fail_nomem(err, STAGE);
	struct w_module_dir_command *made =
	    &module_dir->commands[program->file];
	if (made->command == NULL) {
		struct w_module_dir_command fresh = {NULL, NULL};
		writ_status status = registry_programs_read_command(
		    module_dir, program->file, &fresh, err);

		if (status != WRIT_OK) {
			yyjson_doc_free(fresh.doc);
			return status;
		}
		*made = fresh;
	}
	*out_command = made->command;
	return WRIT_OK;
}

/* An unusable directory might contain the description that applies. */
static writ_status
check_lost(const struct w_registry *registry,
    const struct w_described_program *owner, writ_error *err)
{
	const struct w_module_dir *module_dir =
	    &registry->module_dirs[owner->module_dir];

	if (registry->lost_dir == NULL ||
	    (owner->module_dir < registry->lost_before &&
		!module_dir->may_only_add))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the module directory '%s' cannot be used, and what it describes "
	    "is not known",
	    registry->lost_dir);
	w_suggest(err, "writ module list says why");
	return WRIT_E_INVALID;
}

writ_status
w_registry_command(struct w_registry *registry, const char *name, size_t len,
    const struct w_command **out_command, const char **out_origin,
    writ_error *err)
{
	const char *at = name;
	size_t at_len = len;

	for (int i = 0; i < SAME_AS_MAX; i++) {
		struct w_described_program owner;
		const struct w_command *command = NULL;

		if (!find_owner(registry, at, at_len, &owner))
			return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
			    "there is no description of '%.*s'",
			    (int)(at_len < 64 ? at_len : 64), at);
		writ_status status = check_lost(registry, &owner, err);
		if (status == WRIT_OK)
			status = w_registry_make_command(
			    registry, &owner, &command, err);
		if (status != WRIT_OK)
			return status;
		const char *same = w_command_same_as(command);
		const struct w_module_index *module_index =
		    &registry->module_dirs[owner.module_dir].module_index;
		*out_origin = w_module_index_string(
		    module_index, module_index->files[owner.file].path);
		*out_command = command;
		if (same == NULL)
			return WRIT_OK;
		at = same;
		at_len = strlen(same);
	}
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%.*s' is the same as another program, and so on without end",
	    (int)(len < 64 ? len : 64), name);
}

bool
w_registry_is_claim(struct w_registry *registry, const char *name, size_t len)
{
	struct w_described_program owner;

	for (int i = 0;
	     i < SAME_AS_MAX && find_owner(registry, name, len, &owner); i++) {
		const struct w_command *command = NULL;

		if (registry->module_dirs[owner.module_dir].may_only_add)
			return true;
		if (w_registry_make_command(registry, &owner, &command, NULL) !=
		    WRIT_OK)
			return false;
		name = w_command_same_as(command);
		if (name == NULL)
			return false;
		len = strlen(name);
	}
	return false;
}
