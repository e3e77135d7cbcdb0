/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The programs that are described, and by whom.
 *
 * A program has one description, whole: the strongest shelf that has a file for
 * it decides, even when that file is wrong, for otherwise a slip in it would
 * silently bring back what its writer meant to replace.
 */

#include "module/registry/registry_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "module/registry/curated.h"
#include "module/registry/registry_merge.h"

#define STAGE "modules"

/* How often one program may be the same as another. */
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

/* The strong description that has one of the names of a file, too. */
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
 * Whose the name of a program is: the first shelf's that has a description with
 * that name, also when it cannot be used. What may only add has no say about a
 * program that is described elsewhere by any of its names. false: nobody's.
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

/* What was wrong with the file when it was read. */
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

/* Where the index of a cache was in order and the text behind it is not, the
 * file itself still has it. */
static writ_status
read_again(const struct w_module_index *module_index,
    const struct w_module_index_file *file, struct w_command **out_command,
    writ_error *err)
{
	const char *dir =
	    w_module_index_string(module_index, module_index->head->dir);
	W_AUTO_FD int fd = open(
	    dir[0] == '\0' ? "/" : dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot use the module directory '%s'", dir);
	return w_command_read_file(fd, w_module_index_name(module_index, file),
	    true, out_command, err);
}

static writ_status
registry_programs_read_command(const struct w_module_dir *module_dir,
    uint32_t place, struct w_module_dir_command *out, writ_error *err)
{
	const struct w_module_index_file *file =
	    &module_dir->module_index.files[place];
	W_AUTO_FREE char *own = NULL;
	const char *text = NULL;

	if (file->text_len == 0)
		return refuse_broken(&module_dir->module_index, file, err);
	if (module_dir->is_builtin)
		text = w_curated_at(place).json;
	else
		text = own =
		    w_module_index_description(&module_dir->module_index, file);
	if (text == NULL)
		return read_again(
		    &module_dir->module_index, file, &out->command, err);
	out->doc = yyjson_read(text, file->text_len, YYJSON_READ_NOFLAG);
	if (out->doc == NULL)
		return w_fail_nomem(err, STAGE);
	return w_command_new(
	    yyjson_doc_get_root(out->doc), false, &out->command, NULL, err);
}

static struct w_module_dir_command *
command_slot(struct w_module_dir *module_dir, uint32_t place)
{
	if (module_dir->commands == NULL)
		module_dir->commands =
		    calloc(module_dir->module_index.head->file_count,
			sizeof(*module_dir->commands));
	return module_dir->commands == NULL ? NULL
					    : &module_dir->commands[place];
}

writ_status
w_registry_make_command(struct w_registry *registry,
    const struct w_described_program *program,
    const struct w_command **out_command, writ_error *err)
{
	struct w_module_dir *module_dir =
	    &registry->module_dirs[program->module_dir];
	struct w_module_dir_command *made =
	    command_slot(module_dir, program->file);

	if (made == NULL)
		return w_fail_nomem(err, STAGE);
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

/* What lies in a directory that cannot be used might be the description that
 * counts. */
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
