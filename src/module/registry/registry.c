/* SPDX-License-Identifier: Apache-2.0 */

/*
 * All modules of some directories: the module directories are loaded, then
 * their lists, each sorted by id, are merged. Summaries point into the indexes
 * of the directories; a module is made from its element on first use.
 */

#include "module/registry/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "module/binding/command_binding.h"
#include "module/registry/registry_merge.h"
#include "module/registry/registry_programs.h"
#include "module/registry/registry_read.h"
#include "module/registry/registry_state.h"

#define STAGE "modules"

/* A directory while it is loaded. */
struct dir_load {
	struct w_registry *registry;
	const struct w_registry_dir *dir;
};

/* The files in it are unknown, so they may be descriptions. */
static bool
registry_report(void *ctx, const char *path, const writ_error *error)
{
	const struct dir_load *dir_load = ctx;
	struct w_registry *registry = dir_load->registry;

	if (registry->lost_dir == NULL && !dir_load->dir->may_only_add) {
		registry->lost_dir = strdup(path);
		registry->lost_before = registry->module_dir_count;
		if (registry->lost_dir == NULL)
			return false;
	}
	return w_registry_add_problem(registry, path, error);
}

static writ_status
load_module_dir(struct w_registry *registry, const struct w_registry_dir *dir,
    const char *cache_dir, writ_error *err)
{
	struct dir_load dir_load = {registry, dir};
	const struct w_module_dir_reporter reporter = {
	    &dir_load, registry_report};
	W_AUTO_FD int fd = -1;
	W_AUTO_FREE char *path = NULL;
	struct stat st;
	writ_status status = w_module_dir_open(dir, &reporter, &fd, &path, err);

	if (status != WRIT_OK || fd < 0)
		return status;
	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at the module directory '%s'", path);
	for (size_t i = 0; i < registry->module_dir_count; i++) {
		if (registry->module_dirs[i].dev == st.st_dev &&
		    registry->module_dirs[i].ino == st.st_ino)
			return WRIT_OK;
	}

	struct w_module_dir *module_dir =
	    &registry->module_dirs[registry->module_dir_count++];
	module_dir->dev = st.st_dev;
	module_dir->ino = st.st_ino;
	module_dir->may_only_add = dir->may_only_add;
	module_dir->tier = strdup(dir->tier == NULL ? "" : dir->tier);
	if (module_dir->tier == NULL)
		return w_fail_nomem(err, STAGE);
	return w_module_dir_load(
	    module_dir, fd, path, cache_dir, &reporter, err);
}

static struct w_annotations
read_annotations(uint32_t bits)
{
	return (struct w_annotations){
	    .is_readonly = (bits & W_MODULE_INDEX_READONLY) != 0,
	    .is_destructive = (bits & W_MODULE_INDEX_DESTRUCTIVE) != 0,
	    .is_idempotent = (bits & W_MODULE_INDEX_IDEMPOTENT) != 0,
	    .requires_approval = (bits & W_MODULE_INDEX_APPROVAL) != 0,
	    .is_open_world = (bits & W_MODULE_INDEX_OPEN_WORLD) != 0,
	};
}

/* Fills in one summary, and its tags from *tags on. */
static void
summarize(const struct w_module_dir *module_dir,
    const struct w_module_index_entry *module, struct w_module_summary *out,
    const char ***tags)
{
	const struct w_module_index *module_index = &module_dir->module_index;
	const struct w_module_index_file *file =
	    &module_index->files[module->file];
	const char *tag = w_module_index_string(module_index, module->tags);

	*out = (struct w_module_summary){
	    .id = w_module_index_string(module_index, module->id),
	    .description =
		w_module_index_string(module_index, module->description),
	    .command = w_module_index_string(module_index, module->command),
	    .tags = *tags,
	    .version =
		module->version == 0
		    ? NULL
		    : w_module_index_string(module_index, module->version),
	    .annotations = read_annotations(module->annotations),
	    .file = w_module_index_string(module_index, file->path),
	    .tier = module_dir->tier,
	    .line = module->line,
	    .column = module->column,
	};
	for (uint32_t i = 0; i < module->tag_count; i++) {
		*(*tags)++ = tag;
		tag += strlen(tag) + 1;
	}
	*(*tags)++ = NULL;
}

static writ_status
summarize_all(struct w_registry *registry, writ_error *err)
{
	size_t tag_count = registry->count;

	for (size_t i = 0; i < registry->module_dir_count; i++) {
		const struct w_module_index *module_index =
		    &registry->module_dirs[i].module_index;

		if (module_index->head != NULL)
			tag_count += module_index->head->tag_count;
	}
	registry->summaries =
	    calloc(registry->count + 1, sizeof(*registry->summaries));
	registry->made = calloc(registry->count + 1, sizeof(*registry->made));
	registry->tags = calloc(tag_count + 1, sizeof(*registry->tags));
	if (registry->summaries == NULL || registry->made == NULL ||
	    registry->tags == NULL)
		return w_fail_nomem(err, STAGE);
	const char **tags = registry->tags;
	for (size_t i = 0; i < registry->count; i++) {
		const struct w_module_dir *module_dir =
		    &registry->module_dirs[registry->picks[i].module_dir];

		summarize(module_dir,
		    &module_dir->module_index
			 .modules[registry->picks[i].module],
		    &registry->summaries[i], &tags);
	}
	return WRIT_OK;
}

static writ_status
load_module_dirs(struct w_registry *registry,
    const struct w_registry_options *options, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (options->only != NULL)
		return w_module_dir_load_file(
		    &registry->module_dirs[registry->module_dir_count++],
		    options->only, err);
	if (options->text != NULL)
		status = w_module_dir_load_text(
		    &registry->module_dirs[registry->module_dir_count++],
		    options->text, options->text_len, err);
	for (size_t i = 0; i < options->dir_count && status == WRIT_OK; i++)
		status = load_module_dir(
		    registry, &options->dirs[i], options->cache_dir, err);
	if (status == WRIT_OK && options->has_builtin)
		status = w_module_dir_load_builtin(
		    &registry->module_dirs[registry->module_dir_count++], err);
	return status;
}

static writ_status
load_all(struct w_registry *registry, const struct w_registry_options *options,
    writ_error *err)
{
	registry->module_dirs =
	    calloc(options->dir_count + 3, sizeof(*registry->module_dirs));
	if (registry->module_dirs == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = load_module_dirs(registry, options, err);
	if (status != WRIT_OK)
		return status;
	if (!w_registry_merge(registry))
		return w_fail_nomem(err, STAGE);
	return summarize_all(registry, err);
}

writ_status
w_registry_load(const struct w_registry_options *options,
    struct w_registry **out_registry, writ_error *err)
{
	struct w_registry *registry = calloc(1, sizeof(*registry));

	if (registry == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = load_all(registry, options, err);
	if (status != WRIT_OK) {
		w_registry_free(registry);
		return status;
	}
	*out_registry = registry;
	return WRIT_OK;
}

void
w_registry_free(struct w_registry *registry)
{
	if (registry == NULL)
		return;
	for (size_t i = 0; registry->made != NULL && i < registry->count; i++) {
		w_module_free(registry->made[i].module);
		yyjson_doc_free(registry->made[i].doc);
	}
	for (size_t i = 0; i < registry->module_dir_count; i++)
		w_module_dir_done(&registry->module_dirs[i]);
	for (size_t i = 0; i < registry->problem_count; i++)
		free(registry->problems[i].file);
	free(registry->problems);
	free(registry->module_dirs);
	free(registry->lost_dir);
	free(registry->picks);
	free(registry->summaries);
	free(registry->made);
	free(registry->tags);
	free(registry);
}

size_t
w_registry_count(const struct w_registry *registry)
{
	return registry->count;
}

const struct w_module_summary *
w_registry_at(const struct w_registry *registry, size_t place)
{
	return place < registry->count ? &registry->summaries[place] : NULL;
}

size_t
w_registry_find(const struct w_registry *registry, const char *id)
{
	size_t from = 0;
	size_t to = registry->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = strcmp(id, registry->summaries[middle].id);

		if (order == 0)
			return middle;
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return SIZE_MAX;
}

struct w_registry_file
w_registry_file_of(const struct w_registry *registry, size_t place)
{
	const struct w_pick *pick = &registry->picks[place];
	const struct w_module_index *module_index =
	    &registry->module_dirs[pick->module_dir].module_index;
	const struct w_module_index_file *file =
	    &module_index->files[module_index->modules[pick->module].file];

	return (struct w_registry_file){
	    .path = w_module_index_string(module_index, file->path),
	    .identity = file->identity,
	    .id = registry->summaries[place].id,
	};
}

/* The node of a module, if it is a described command; else *out_node is
 * NULL. */
static writ_status
find_node(struct w_registry *registry, size_t place,
    const struct w_command_node **out_node, writ_error *err)
{
	const struct w_pick *pick = &registry->picks[place];
	const struct w_module_index *module_index =
	    &registry->module_dirs[pick->module_dir].module_index;
	const struct w_described_program program = {
	    pick->module_dir, module_index->modules[pick->module].file};
	const struct w_command *command;

	*out_node = NULL;
	if (module_index->files[program.file].name_count == 0)
		return WRIT_OK;
	writ_status status =
	    w_registry_make_command(registry, &program, &command, err);
	if (status != WRIT_OK)
		return status;
	*out_node = w_command_find(command, registry->summaries[place].id);
	if (*out_node == NULL)
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the description of '%s' has lost it",
		    registry->summaries[place].id);
	return WRIT_OK;
}

static writ_status
read_element(struct w_registry *registry, size_t place, yyjson_doc **out_doc,
    writ_error *err)
{
	const struct w_pick *pick = &registry->picks[place];
	const struct w_module_index *module_index =
	    &registry->module_dirs[pick->module_dir].module_index;
	const struct w_module_index_entry *module =
	    &module_index->modules[pick->module];

	*out_doc = yyjson_read(module_index->texts + module->text,
	    module->text_len, YYJSON_READ_NOFLAG);
	return *out_doc == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
make_module(struct w_registry *registry, size_t place, writ_error *err)
{
	const struct w_module_summary *summary = &registry->summaries[place];
	struct w_made *made = &registry->made[place];
	const struct w_command_node *node;
	writ_status status = find_node(registry, place, &node, err);

	if (status == WRIT_OK && made->doc == NULL)
		status = node == NULL
			     ? read_element(registry, place, &made->doc, err)
			     : w_binding_from_command(node, &made->doc, err);
	if (status != WRIT_OK)
		return status;
	status = w_module_new(
	    yyjson_doc_get_root(made->doc), &made->module, NULL, err);
	if (status == WRIT_OK && node != NULL)
		status = w_module_use_grammar(made->module, node, err);
	if (status == WRIT_E_INVALID && err != NULL)
		w_locate(err, summary->line, summary->column);
	return status;
}

writ_status
w_registry_module(struct w_registry *registry, size_t place,
    const struct w_module **out_module, writ_error *err)
{
	if (place >= registry->count)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is no module number %zu", place);
	if (registry->made[place].module == NULL) {
		writ_status status = make_module(registry, place, err);

		if (status != WRIT_OK)
			return status;
	}
	*out_module = registry->made[place].module;
	return WRIT_OK;
}

size_t
w_registry_problems(const struct w_registry *registry,
    const struct w_registry_problem **out_problems)
{
	*out_problems = registry->problems;
	return registry->problem_count;
}
