/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Making an image: each part grows in a buffer of its own, and in the end they
 * are put one behind the other. Buffers remember that they failed, so that it
 * is asked once.
 */

#include "module/registry_maker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGE "modules"

/* What is left for paths and problems. */
#define STRINGS_SPARE ((size_t)64 * 1024 * 1024)

/* Beyond what the strings allow anyway. */
#define RECORDS_BYTES_MAX ((size_t)512 * 1024 * 1024)

static uint32_t
add_bytes(struct w_image_maker *maker, const char *text, size_t len)
{
	size_t offset = maker->strings.len;

	w_buf_add(&maker->strings, text, len);
	w_buf_add_char(&maker->strings, '\0');
	return (uint32_t)offset;
}

static uint32_t
add_string(struct w_image_maker *maker, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return 0;
	return add_bytes(maker, text, strlen(text));
}

void
w_image_maker_init(struct w_image_maker *maker, const char *dir)
{
	*maker = (struct w_image_maker){0};
	w_buf_init(&maker->files, RECORDS_BYTES_MAX);
	w_buf_init(&maker->modules, RECORDS_BYTES_MAX);
	w_buf_init(&maker->problems, RECORDS_BYTES_MAX);
	w_buf_init(&maker->strings, W_IMAGE_STRINGS_MAX);
	w_buf_init(&maker->texts, W_IMAGE_TEXTS_MAX);
	(void)add_bytes(maker, "", 0);
	maker->dir = dir;
}

void
w_image_maker_done(struct w_image_maker *maker)
{
	w_buf_done(&maker->files);
	w_buf_done(&maker->modules);
	w_buf_done(&maker->problems);
	w_buf_done(&maker->strings);
	w_buf_done(&maker->texts);
}

bool
w_image_maker_has_room(const struct w_image_maker *maker, size_t len)
{
	size_t left = W_IMAGE_STRINGS_MAX - maker->strings.len;

	/* What is said of an element is in its text; quoted it is longer. */
	return left > STRINGS_SPARE && len < (left - STRINGS_SPARE) / 8 &&
	       len <= W_IMAGE_TEXTS_MAX - maker->texts.len;
}

static uint32_t
count_of(const struct w_buf *records, size_t size)
{
	return (uint32_t)(records->len / size);
}

static void
begin(struct w_image_maker *maker, const struct w_identity *identity)
{
	maker->file = (struct w_image_file){
	    .identity = *identity,
	    .first_module =
		count_of(&maker->modules, sizeof(struct w_image_module)),
	    .first_problem =
		count_of(&maker->problems, sizeof(struct w_image_problem)),
	};
}

void
w_image_maker_begin(struct w_image_maker *maker,
    const struct w_identity *identity, const char *name)
{
	begin(maker, identity);
	maker->file.path = (uint32_t)maker->strings.len;
	w_buf_add_str(&maker->strings, maker->dir);
	w_buf_add_char(&maker->strings, '/');
	(void)add_bytes(maker, name, strlen(name));
}

void
w_image_maker_end(struct w_image_maker *maker, bool is_unsure)
{
	maker->file.is_unsure = is_unsure;
	w_buf_add(&maker->files, &maker->file, sizeof(maker->file));
}

void
w_image_maker_name(struct w_image_maker *maker, const char *name)
{
	const uint32_t at = add_bytes(maker, name, strlen(name));

	if (maker->file.name_count++ == 0)
		maker->file.names = at;
}

void
w_image_maker_describe(
    struct w_image_maker *maker, const char *text, size_t len)
{
	maker->file.text = (uint32_t)maker->texts.len;
	maker->file.text_len = (uint32_t)len;
	maker->file.text_checksum = w_image_checksum(text, len);
	w_buf_add(&maker->texts, text, len);
}

static uint32_t
annotation_bits(const struct w_annotations *annotations)
{
	uint32_t bits = 0;

	bits |= annotations->is_readonly ? W_IMAGE_READONLY : 0;
	bits |= annotations->is_destructive ? W_IMAGE_DESTRUCTIVE : 0;
	bits |= annotations->is_idempotent ? W_IMAGE_IDEMPOTENT : 0;
	bits |= annotations->requires_approval ? W_IMAGE_APPROVAL : 0;
	bits |= annotations->is_open_world ? W_IMAGE_OPEN_WORLD : 0;
	return bits;
}

/* The fixed words as one would type them. */
static uint32_t
add_command(struct w_image_maker *maker, const struct w_words *words)
{
	uint32_t offset = (uint32_t)maker->strings.len;

	for (size_t i = 0; i < words->count; i++) {
		if (i > 0)
			w_buf_add_char(&maker->strings, ' ');
		w_words_quote(&maker->strings, words->items[i]);
	}
	w_buf_add_char(&maker->strings, '\0');
	return offset;
}

static void
add_record(struct w_image_maker *maker, struct w_image_module *record)
{
	record->file = count_of(&maker->files, sizeof(struct w_image_file));
	w_buf_add(&maker->modules, record, sizeof(*record));
	maker->tag_count += record->tag_count;
	maker->file.module_count++;
}

void
w_image_maker_add(struct w_image_maker *maker, const struct w_module *module,
    const struct w_image_element *element)
{
	struct w_image_module record = {
	    .id = add_string(maker, module->id),
	    .description = add_string(maker, module->description),
	    .command = add_command(maker, &module->words),
	    .version = add_string(maker, module->version),
	    .text = (uint32_t)maker->texts.len,
	    .text_len = (uint32_t)element->len,
	    .text_checksum = w_image_checksum(element->text, element->len),
	    .annotations = annotation_bits(&module->annotations),
	    .line = element->line,
	    .column = element->column,
	};
	size_t index;
	size_t count;
	yyjson_val *tag;

	w_buf_add(&maker->texts, element->text, element->len);
	record.tags = (uint32_t)maker->strings.len;
	yyjson_arr_foreach(module->tags, index, count, tag)
	{
		(void)add_bytes(
		    maker, yyjson_get_str(tag), strlen(yyjson_get_str(tag)));
		record.tag_count++;
	}
	add_record(maker, &record);
}

static void
add_problem(struct w_image_maker *maker, struct w_image_problem *problem)
{
	problem->file = count_of(&maker->files, sizeof(struct w_image_file));
	w_buf_add(&maker->problems, problem, sizeof(*problem));
	maker->file.problem_count++;
}

void
w_image_maker_complain(struct w_image_maker *maker, const writ_error *problem)
{
	struct w_image_problem record = {
	    .status = problem->status,
	    .sys_errno = problem->sys_errno,
	    .line = problem->line,
	    .column = problem->column,
	    .stage = add_string(maker, problem->stage),
	    .message = add_string(maker, problem->message),
	    .suggestion = add_string(maker, problem->suggestion),
	};

	add_problem(maker, &record);
}

static uint32_t
copy_string(
    struct w_image_maker *maker, const struct w_image *from, uint32_t offset)
{
	return add_string(maker, w_image_string(from, offset));
}

static void
copy_module(struct w_image_maker *maker, const struct w_image *from,
    const struct w_image_module *module)
{
	struct w_image_module record = *module;
	const char *tag = w_image_string(from, module->tags);

	record.id = copy_string(maker, from, module->id);
	record.description = copy_string(maker, from, module->description);
	record.command = copy_string(maker, from, module->command);
	record.version = copy_string(maker, from, module->version);
	record.text = (uint32_t)maker->texts.len;
	w_buf_add(&maker->texts, from->texts + module->text, module->text_len);
	record.tags = (uint32_t)maker->strings.len;
	for (uint32_t i = 0; i < module->tag_count; i++) {
		(void)add_bytes(maker, tag, strlen(tag));
		tag += strlen(tag) + 1;
	}
	add_record(maker, &record);
}

static void
copy_problem(struct w_image_maker *maker, const struct w_image *from,
    const struct w_image_problem *problem)
{
	struct w_image_problem record = *problem;

	record.stage = copy_string(maker, from, problem->stage);
	record.message = copy_string(maker, from, problem->message);
	record.suggestion = copy_string(maker, from, problem->suggestion);
	add_problem(maker, &record);
}

static void
copy_command(struct w_image_maker *maker, const struct w_image *from,
    const struct w_image_file *file)
{
	const char *name = w_image_string(from, file->names);

	for (uint32_t i = 0; i < file->name_count; i++) {
		w_image_maker_name(maker, name);
		name += strlen(name) + 1;
	}
	if (file->text_len > 0)
		w_image_maker_describe(
		    maker, from->texts + file->text, file->text_len);
}

void
w_image_maker_copy(struct w_image_maker *maker, const struct w_image *from,
    const struct w_image_file *file)
{
	begin(maker, &file->identity);
	maker->file.path = copy_string(maker, from, file->path);
	copy_command(maker, from, file);
	for (uint32_t i = 0; i < file->module_count; i++)
		copy_module(
		    maker, from, &from->modules[file->first_module + i]);
	for (uint32_t i = 0; i < file->problem_count; i++)
		copy_problem(
		    maker, from, &from->problems[file->first_problem + i]);
	w_image_maker_end(maker, file->is_unsure != 0);
}

static int
compare_ids(const void *a, const void *b, void *ctx)
{
	const struct w_image_maker *maker = ctx;
	const struct w_image_module *modules =
	    (const void *)maker->modules.data;
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int order = strcmp(maker->strings.data + modules[left].id,
	    maker->strings.data + modules[right].id);

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

static void
put_order(struct w_image_maker *maker, uint32_t *order, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count > 0)
		qsort_r(order, count, sizeof(*order), compare_ids, maker);
}

static void
put_head(
    const struct w_image_maker *maker, uint32_t dir, char *bytes, size_t size)
{
	struct w_image_head *head = (void *)bytes;

	*head = (struct w_image_head){
	    .format = W_IMAGE_FORMAT,
	    .user = (uint32_t)geteuid(),
	    .version = WRIT_VERSION,
	    .index_len = size,
	    .texts_len = maker->texts.len,
	    .texts_checksum =
		w_image_checksum(maker->texts.data, maker->texts.len),
	    .file_count = count_of(&maker->files, sizeof(struct w_image_file)),
	    .module_count =
		count_of(&maker->modules, sizeof(struct w_image_module)),
	    .problem_count =
		count_of(&maker->problems, sizeof(struct w_image_problem)),
	    .tag_count = maker->tag_count,
	    .strings_len = (uint32_t)maker->strings.len,
	    .dir = dir,
	};
	memcpy(head->magic, W_IMAGE_MAGIC, sizeof(head->magic));
	head->checksum = w_image_checksum(
	    bytes + W_IMAGE_CHECKED_FROM, size - W_IMAGE_CHECKED_FROM);
}

static char *
put_part(char *at, const struct w_buf *part)
{
	memcpy(at, part->data, part->len);
	return at + part->len;
}

static bool
has_failed(const struct w_image_maker *maker)
{
	return maker->files.failed || maker->modules.failed ||
	       maker->problems.failed || maker->strings.failed ||
	       maker->texts.failed;
}

/* The index; *out_size is its length. NULL: no memory. */
static char *
make_index(struct w_image_maker *maker, size_t *out_size)
{
	uint32_t modules =
	    count_of(&maker->modules, sizeof(struct w_image_module));
	uint32_t dir = add_string(maker, maker->dir);
	size_t size = sizeof(struct w_image_head) + maker->files.len +
		      maker->modules.len + modules * sizeof(uint32_t) +
		      maker->problems.len + maker->strings.len;
	char *bytes = has_failed(maker) ? NULL : malloc(size);

	if (bytes == NULL)
		return NULL;
	char *at = put_part(bytes + sizeof(struct w_image_head), &maker->files);
	at = put_part(at, &maker->modules);
	put_order(maker, (void *)at, modules);
	at = put_part(at + modules * sizeof(uint32_t), &maker->problems);
	(void)put_part(at, &maker->strings);
	put_head(maker, dir, bytes, size);
	*out_size = size;
	return bytes;
}

writ_status
w_image_maker_make(
    struct w_image_maker *maker, struct w_image *out_image, writ_error *err)
{
	size_t size = 0;
	struct w_image image = {0};
	char *bytes = make_index(maker, &size);

	if (bytes == NULL)
		return w_fail_nomem(err, STAGE);
	if (!w_image_open(&image, bytes, size)) {
		free(bytes);
		return w_fail(err, WRIT_E_INTERNAL, STAGE, 0,
		    "the list of modules was not put together well");
	}
	/* Without texts there is nothing to take. */
	image.texts = maker->texts.len == 0 ? calloc(1, 1)
					    : w_buf_take(&maker->texts, NULL);
	if (image.texts == NULL) {
		w_image_done(&image);
		return w_fail_nomem(err, STAGE);
	}
	*out_image = image;
	return WRIT_OK;
}
