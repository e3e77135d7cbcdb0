/* SPDX-License-Identifier: Apache-2.0 */

/* Reading file resources. */

#include <string.h>

#include "manifest/intake.h"

static const char *const ensure_words[] = {
    [W_FILE_PRESENT] = "present",
    [W_FILE_ABSENT] = "absent",
    [W_FILE_DIRECTORY] = "directory",
    NULL,
};

void
w_intake_ensure_file(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct w_field field = {.text = NULL};

	if (!w_intake_fill(intake, val, key->name, &field))
		return;
	for (int i = 0; ensure_words[i] != NULL; i++) {
		if (strcmp(ensure_words[i], field.text) == 0) {
			resource->ensure = ensure_words[i];
			resource->as.file.ensure = (enum w_file_ensure)i;
			return;
		}
	}
	(void)w_intake_refuse(intake, val,
	    field.text[0] == '\0'
		? "ensure is required, and this one is empty"
		: "invalid ensure value: must be one of 'present', 'absent' "
		  "or 'directory'");
}

static void
read_provider(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"posix", NULL};

	(void)member;
	(void)w_intake_choice(intake, val, key->name, words);
}

/* What is said replaces what defaults say of either. */
static void
read_content(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_file *file = member;
	struct w_field read;

	if (!w_intake_template(intake, val, key->name, &read))
		return;
	file->content = read;
	file->source = (struct w_field){.text = NULL};
}

static void
read_source(struct w_intake *intake, const struct w_intake_key *key,
    void *member, yyjson_val *val)
{
	struct w_file *file = member;
	struct w_field read;

	if (!w_intake_template(intake, val, key->name, &read))
		return;
	if (read.template.len == 0) {
		(void)w_intake_refuse(
		    intake, val, "%s cannot be empty", key->name);
		return;
	}
	file->source = read;
	file->content = (struct w_field){.text = NULL};
}

static void
read_mode(struct w_intake *intake, const struct w_intake_key *key, void *member,
    yyjson_val *val)
{
	struct w_file *file = member;

	if (w_intake_octal(intake, val, key->name, &file->mode))
		file->has_mode = true;
}

#define FILE_MEMBER(member) offsetof(struct w_resource, as.file.member)
const struct w_intake_key w_intake_file_keys[] = {
    W_INTAKE_COMMON_KEYS(w_intake_ensure_file, read_provider),
    {"content", read_content, offsetof(struct w_resource, as.file)},
    {"source", read_source, offsetof(struct w_resource, as.file)},
    {"owner", w_intake_early_word, FILE_MEMBER(owner)},
    {"group", w_intake_early_word, FILE_MEMBER(group)},
    {"mode", read_mode, offsetof(struct w_resource, as.file)},
    {"force", w_intake_truth, FILE_MEMBER(is_forced)},
    {NULL, NULL, 0},
};
#undef FILE_MEMBER

static void
begin(struct w_resource *resource)
{
	resource->as.file.ensure = W_FILE_PRESENT;
}

static void
check_map(struct w_intake *intake, yyjson_val *map)
{
	yyjson_val *source = yyjson_obj_get(map, "source");

	if (source != NULL && yyjson_obj_get(map, "content") != NULL)
		(void)w_intake_refuse(intake, source,
		    "'content' and 'source' are mutually exclusive");
}

/* No empty part, no "." and no "..", no slash at the end. */
static bool
is_canonical(const char *path)
{
	if (strcmp(path, "/") == 0)
		return true;
	while (*path == '/') {
		const size_t len = strcspn(++path, "/");

		if (len == 0 || (len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
	}
	return true;
}

static void
check(struct w_intake *intake, struct w_resource *resource)
{
	const struct w_file *file = &resource->as.file;
	const struct w_spot *at = &resource->name.at;
	const char *path = resource->name.text;

	if (path[0] == '\0' || resource->name.template.parts == NULL)
		return;
	if (path[0] != '/')
		(void)w_intake_refuse_at(
		    intake, at, "file path must be absolute");
	else if (!is_canonical(path))
		(void)w_intake_refuse_at(
		    intake, at, "file path must be canonical");
	if (file->is_forced && file->ensure != W_FILE_ABSENT)
		(void)w_intake_refuse_at(intake, at,
		    "'force: true' is only valid with 'ensure: absent', got "
		    "'ensure: %s'",
		    resource->ensure);
	if (file->is_forced && strcmp(path, "/") == 0)
		(void)w_intake_refuse_at(intake, at,
		    "'force: true' cannot be used with the filesystem root");
	if (file->ensure == W_FILE_PRESENT)
		return;
	if (file->content.template.parts != NULL)
		(void)w_intake_refuse_at(intake, &file->content.at,
		    "content is only for 'ensure: present'");
	if (file->source.template.parts != NULL)
		(void)w_intake_refuse_at(intake, &file->source.at,
		    "source is only for 'ensure: present'");
}

const struct w_intake_type w_intake_file = {
    .keys = w_intake_file_keys,
    .begin = begin,
    .check_map = check_map,
    .check = check,
};
