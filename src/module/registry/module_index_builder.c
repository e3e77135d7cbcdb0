/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds a module index: each part grows in a buffer of its own, and at the end
 * they are concatenated. Buffers remember a failure, so it is checked once.
 */

#include "module/registry/module_index_builder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGE "modules"

/* Reserved for paths and problems. */
#define STRINGS_SPARE ((size_t)64 * 1024 * 1024)

/* More than the strings allow anyway. */
#define RECORDS_BYTES_MAX ((size_t)512 * 1024 * 1024)

static uint32_t
module_index_builder_add_bytes(
    struct w_module_index_builder *builder, const char *text, size_t len)
{
	size_t offset = builder->strings.len;

	w_buf_add(&builder->strings, text, len);
	w_buf_add_char(&builder->strings, '\0');
	return (uint32_t)offset;
}

static uint32_t
module_index_builder_add_string(
    struct w_module_index_builder *builder, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return 0;
	return module_index_builder_add_bytes(builder, text, strlen(text));
}

void
w_module_index_builder_init(
    struct w_module_index_builder *builder, const char *dir)
{
	*builder = (struct w_module_index_builder){0};
	w_buf_init(&builder->files, RECORDS_BYTES_MAX);
	w_buf_init(&builder->modules, RECORDS_BYTES_MAX);
	w_buf_init(&builder->problems, RECORDS_BYTES_MAX);
	w_buf_init(&builder->strings, W_MODULE_INDEX_STRINGS_MAX);
	w_buf_init(&builder->texts, W_MODULE_INDEX_TEXTS_MAX);
	(void)module_index_builder_add_bytes(builder, "", 0);
	builder->dir = dir;
}

void
w_module_index_builder_done(struct w_module_index_builder *builder)
{
	w_buf_done(&builder->files);
	w_buf_done(&builder->modules);
	w_buf_done(&builder->problems);
	w_buf_done(&builder->strings);
	w_buf_done(&builder->texts);
}

bool
w_module_index_builder_has_room(
    const struct w_module_index_builder *builder, size_t len)
{
	size_t left = W_MODULE_INDEX_STRINGS_MAX - builder->strings.len;

	/* A message quotes the text of its element, which makes it longer. */
	return left > STRINGS_SPARE && len < (left - STRINGS_SPARE) / 8 &&
	       len <= W_MODULE_INDEX_TEXTS_MAX - builder->texts.len;
}

static uint32_t
module_index_builder_count_of(const struct w_buf *records, size_t size)
{
	return (uint32_t)(records->len / size);
}

static void
module_index_builder_begin(
    struct w_module_index_builder *builder, const struct w_stat_data *identity)
{
	builder->file = (struct w_module_index_file){
	    .identity = *identity,
	    .first_module = module_index_builder_count_of(
		&builder->modules, sizeof(struct w_module_index_entry)),
	    .first_problem = module_index_builder_count_of(
		&builder->problems, sizeof(struct w_module_index_problem)),
	};
}

void
w_module_index_builder_begin(struct w_module_index_builder *builder,
    const struct w_stat_data *identity, const char *name)
{
	module_index_builder_begin(builder, identity);
	builder->file.path = (uint32_t)builder->strings.len;
	if (builder->dir != NULL)
		w_buf_add_fmt(&builder->strings, "%s/", builder->dir);
	(void)module_index_builder_add_bytes(builder, name, strlen(name));
}

void
w_module_index_builder_end(
    struct w_module_index_builder *builder, bool is_unsure)
{
	builder->file.is_unsure = is_unsure;
	w_buf_add(&builder->files, &builder->file, sizeof(builder->file));
}

void
w_module_index_builder_name(
    struct w_module_index_builder *builder, const char *name)
{
	const uint32_t at =
	    module_index_builder_add_bytes(builder, name, strlen(name));

	if (builder->file.name_count++ == 0)
		builder->file.names = at;
}

void
w_module_index_builder_describe(
    struct w_module_index_builder *builder, const char *text, size_t len)
{
	builder->file.text = (uint32_t)builder->texts.len;
	builder->file.text_len = (uint32_t)len;
	w_buf_add(&builder->texts, text, len);
}

static uint32_t
annotation_bits(const struct w_annotations *annotations)
{
	uint32_t bits = 0;

	bits |= annotations->is_readonly ? W_MODULE_INDEX_READONLY : 0;
	bits |= annotations->is_destructive ? W_MODULE_INDEX_DESTRUCTIVE : 0;
	bits |= annotations->is_idempotent ? W_MODULE_INDEX_IDEMPOTENT : 0;
	bits |= annotations->requires_approval ? W_MODULE_INDEX_APPROVAL : 0;
	bits |= annotations->is_open_world ? W_MODULE_INDEX_OPEN_WORLD : 0;
	return bits;
}

/* The fixed words as one would type them. */
static uint32_t
module_index_builder_add_command(
    struct w_module_index_builder *builder, const struct w_words *words)
{
	uint32_t offset = (uint32_t)builder->strings.len;

	for (size_t i = 0; i < words->count; i++) {
		if (i > 0)
			w_buf_add_char(&builder->strings, ' ');
		w_words_quote(&builder->strings, words->items[i]);
	}
	w_buf_add_char(&builder->strings, '\0');
	return offset;
}

static void
add_record(
    struct w_module_index_builder *builder, struct w_module_index_entry *record)
{
	record->file = module_index_builder_count_of(
	    &builder->files, sizeof(struct w_module_index_file));
	w_buf_add(&builder->modules, record, sizeof(*record));
	builder->tag_count += record->tag_count;
	builder->file.module_count++;
}

void
w_module_index_builder_add(struct w_module_index_builder *builder,
    const struct w_module *module, const struct w_module_index_element *element)
{
	struct w_module_index_entry record = {
	    .id = module_index_builder_add_string(builder, module->id),
	    .description =
		module_index_builder_add_string(builder, module->description),
	    .command =
		module_index_builder_add_command(builder, &module->words),
	    .version =
		module_index_builder_add_string(builder, module->version),
	    .text = (uint32_t)builder->texts.len,
	    .text_len = (uint32_t)element->len,
	    .annotations = annotation_bits(&module->annotations),
	    .line = element->line,
	    .column = element->column,
	};
	size_t index;
	size_t count;
	yyjson_val *tag;

	w_buf_add(&builder->texts, element->text, element->len);
	record.tags = (uint32_t)builder->strings.len;
	yyjson_arr_foreach(module->tags, index, count, tag)
	{
		(void)module_index_builder_add_bytes(
		    builder, yyjson_get_str(tag), strlen(yyjson_get_str(tag)));
		record.tag_count++;
	}
	add_record(builder, &record);
}

static void
module_index_builder_add_problem(struct w_module_index_builder *builder,
    struct w_module_index_problem *problem)
{
	problem->file = module_index_builder_count_of(
	    &builder->files, sizeof(struct w_module_index_file));
	w_buf_add(&builder->problems, problem, sizeof(*problem));
	builder->file.problem_count++;
}

void
w_module_index_builder_add_problem(
    struct w_module_index_builder *builder, const writ_error *problem)
{
	struct w_module_index_problem record = {
	    .status = problem->status,
	    .sys_errno = problem->sys_errno,
	    .line = problem->line,
	    .column = problem->column,
	    .stage = module_index_builder_add_string(builder, problem->stage),
	    .message =
		module_index_builder_add_string(builder, problem->message),
	    .suggestion =
		module_index_builder_add_string(builder, problem->suggestion),
	};

	module_index_builder_add_problem(builder, &record);
}

static uint32_t
copy_string(struct w_module_index_builder *builder,
    const struct w_module_index *from, uint32_t offset)
{
	return module_index_builder_add_string(
	    builder, w_module_index_string(from, offset));
}

static void
copy_module(struct w_module_index_builder *builder,
    const struct w_module_index *from,
    const struct w_module_index_entry *module)
{
	struct w_module_index_entry record = *module;
	const char *tag = w_module_index_string(from, module->tags);

	record.id = copy_string(builder, from, module->id);
	record.description = copy_string(builder, from, module->description);
	record.command = copy_string(builder, from, module->command);
	record.version = copy_string(builder, from, module->version);
	record.text = (uint32_t)builder->texts.len;
	w_buf_add(
	    &builder->texts, from->texts + module->text, module->text_len);
	record.tags = (uint32_t)builder->strings.len;
	for (uint32_t i = 0; i < module->tag_count; i++) {
		(void)module_index_builder_add_bytes(builder, tag, strlen(tag));
		tag += strlen(tag) + 1;
	}
	add_record(builder, &record);
}

static void
copy_command(struct w_module_index_builder *builder,
    const struct w_module_index *from, const struct w_module_index_file *file)
{
	const char *name = w_module_index_string(from, file->names);

	for (uint32_t i = 0; i < file->name_count; i++) {
		w_module_index_builder_name(builder, name);
		name += strlen(name) + 1;
	}
	if (file->text_len > 0)
		w_module_index_builder_describe(
		    builder, from->texts + file->text, file->text_len);
}

void
w_module_index_builder_copy(struct w_module_index_builder *builder,
    const struct w_module_index *from, const struct w_module_index_file *file)
{
	module_index_builder_begin(builder, &file->identity);
	builder->file.path = copy_string(builder, from, file->path);
	copy_command(builder, from, file);
	for (uint32_t i = 0; i < file->module_count; i++)
		copy_module(
		    builder, from, &from->modules[file->first_module + i]);
	for (uint32_t i = 0; i < file->problem_count; i++) {
		struct w_module_index_problem problem =
		    from->problems[file->first_problem + i];

		problem.stage = copy_string(builder, from, problem.stage);
		problem.message = copy_string(builder, from, problem.message);
		problem.suggestion =
		    copy_string(builder, from, problem.suggestion);
		module_index_builder_add_problem(builder, &problem);
	}
	w_module_index_builder_end(builder, file->is_unsure != 0);
}

static int
compare_ids(const void *a, const void *b, void *ctx)
{
	const struct w_module_index_builder *builder = ctx;
	const struct w_module_index_entry *modules =
	    (const void *)builder->modules.data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int order = strcmp(builder->strings.data + modules[left].id,
	    builder->strings.data + modules[right].id);

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

static void
put_head(const struct w_module_index_builder *builder, uint32_t dir,
    char *bytes, size_t size)
{
	struct w_module_index_head *head = (void *)bytes;

	*head = (struct w_module_index_head){
	    .format = W_MODULE_INDEX_FORMAT,
	    .user = (uint32_t)geteuid(),
	    .version = WRIT_VERSION,
	    .texts_len = builder->texts.len,
	    .file_count = module_index_builder_count_of(
		&builder->files, sizeof(struct w_module_index_file)),
	    .module_count = module_index_builder_count_of(
		&builder->modules, sizeof(struct w_module_index_entry)),
	    .problem_count = module_index_builder_count_of(
		&builder->problems, sizeof(struct w_module_index_problem)),
	    .tag_count = builder->tag_count,
	    .strings_len = (uint32_t)builder->strings.len,
	    .dir = dir,
	};
	memcpy(head->magic, W_MODULE_INDEX_MAGIC, sizeof(head->magic));
	head->checksum =
	    w_module_index_checksum(bytes + W_MODULE_INDEX_CHECKED_FROM,
		size - W_MODULE_INDEX_CHECKED_FROM);
}

static char *
put_part(char *at, const struct w_buf *part)
{
	if (part->len > 0)
		memcpy(at, part->data, part->len);
	return at + part->len;
}

/* The index; *out_size is its length. NULL: no memory. */
static char *
make_index(struct w_module_index_builder *builder, size_t *out_size)
{
	uint32_t modules = module_index_builder_count_of(
	    &builder->modules, sizeof(struct w_module_index_entry));
	uint32_t dir = module_index_builder_add_string(
	    builder, builder->dir == NULL ? "" : builder->dir);
	size_t size = sizeof(struct w_module_index_head) + builder->files.len +
		      builder->modules.len + modules * sizeof(uint32_t) +
		      builder->problems.len + builder->strings.len +
		      builder->texts.len;

	if (builder->files.failed || builder->modules.failed ||
	    builder->problems.failed || builder->strings.failed ||
	    builder->texts.failed)
		return NULL;
	char *bytes = malloc(size);
	if (bytes == NULL)
		return NULL;
	char *at = put_part(
	    bytes + sizeof(struct w_module_index_head), &builder->files);
	at = put_part(at, &builder->modules);
	uint32_t *order = (void *)at;
	for (uint32_t i = 0; i < modules; i++)
		order[i] = i;
	if (modules > 0)
		qsort_r(order, modules, sizeof(*order), compare_ids, builder);
	at = put_part(at + modules * sizeof(uint32_t), &builder->problems);
	at = put_part(at, &builder->strings);
	(void)put_part(at, &builder->texts);
	put_head(builder, dir, bytes, size);
	*out_size = size;
	return bytes;
}

writ_status
w_module_index_builder_make(struct w_module_index_builder *builder,
    struct w_module_index *out_module_index, writ_error *err)
{
	size_t size = 0;
	struct w_module_index module_index = {0};
	char *bytes = make_index(builder, &size);

	if (bytes == NULL)
		return w_fail_nomem(err, STAGE);
	if (!w_module_index_open(&module_index, bytes, size)) {
		free(bytes);
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the list of modules was not put together well");
	}
	*out_module_index = module_index;
	return WRIT_OK;
}
