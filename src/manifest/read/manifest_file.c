/* SPDX-License-Identifier: Apache-2.0 */

/* Reads file resources. */

#include <string.h>

#include "manifest/read/manifest_parser.h"

static const char *const ensure_words[] = {
    [W_FILE_PRESENT] = "present",
    [W_FILE_ABSENT] = "absent",
    [W_FILE_DIRECTORY] = "directory",
    NULL,
};

void
w_parse_ensure_file(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct w_property property = {.text = NULL};

	if (!w_parse_fill(parser, val, key->name, &property))
		return;
	for (int i = 0; ensure_words[i] != NULL; i++) {
		if (strcmp(ensure_words[i], property.text) == 0) {
			resource->ensure = ensure_words[i];
			resource->as.file.ensure = (enum w_file_ensure)i;
			return;
		}
	}
	(void)w_parse_refuse(parser, val,
	    property.text[0] == '\0'
		? "ensure is required, and this one is empty"
		: "invalid ensure value: must be one of 'present', 'absent' "
		  "or 'directory'");
}

static void
read_provider(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"posix", NULL};

	(void)member;
	(void)w_parse_choice(parser, val, key->name, words);
}

/* Each of content, source and template replaces all of the defaults. */
static struct w_file_resource
without_content(const struct w_file_resource *file)
{
	const struct w_property none = {.text = NULL};
	struct w_file_resource made = *file;

	made.content = made.source = made.template_file = none;
	return made;
}

static void
read_content(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_file_resource *file = member;
	struct w_property read;

	if (!w_parse_template(parser, val, key->name, &read))
		return;
	*file = without_content(file);
	file->content = read;
}

static void
read_source(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_file_resource *file = member;
	struct w_property read;

	if (!w_parse_template(parser, val, key->name, &read))
		return;
	if (read.template.len == 0) {
		(void)w_parse_refuse(
		    parser, val, "%s cannot be empty", key->name);
		return;
	}
	*file = without_content(file);
	if (key->name[0] == 's')
		file->source = read;
	else
		file->template_file = read;
}

static void
read_mode(struct w_parser *parser, const struct w_parse_key *key, void *member,
    yyjson_val *val)
{
	struct w_file_resource *file = member;

	if (w_parse_octal(parser, val, key->name, &file->mode))
		file->has_mode = true;
}

#define FILE_MEMBER(member) offsetof(struct w_resource, as.file.member)
const struct w_parse_key w_parse_file_keys[] = {
    W_PARSE_COMMON_KEYS(w_parse_ensure_file, read_provider),
    {"content", read_content, offsetof(struct w_resource, as.file)},
    {"source", read_source, offsetof(struct w_resource, as.file)},
    {"template", read_source, offsetof(struct w_resource, as.file)},
    {"owner", w_parse_early_word, FILE_MEMBER(owner)},
    {"group", w_parse_early_word, FILE_MEMBER(group)},
    {"mode", read_mode, offsetof(struct w_resource, as.file)},
    {"force", w_parse_truth, FILE_MEMBER(is_forced)},
    {NULL, NULL, 0},
};
#undef FILE_MEMBER

static void
manifest_file_begin(struct w_resource *resource)
{
	resource->as.file.ensure = W_FILE_PRESENT;
}

static void
manifest_file_check_map(struct w_parser *parser, yyjson_val *map)
{
	static const char *const keys[] = {"content", "source", "template"};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const yyjson_val *val = yyjson_obj_get(map, keys[i]);

		if (val != NULL && first != NULL)
			(void)w_parse_refuse(parser, val,
			    "'%s' and '%s' are mutually exclusive", first,
			    keys[i]);
		else if (val != NULL)
			first = keys[i];
	}
}

/* No empty component, no "." or "..", no trailing slash. */
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
manifest_file_check(struct w_parser *parser, struct w_resource *resource)
{
	const struct w_file_resource *file = &resource->as.file;
	const struct w_manifest_location *at = &resource->name.at;
	const char *path = resource->name.text;

	if (path[0] == '\0' || resource->name.template.parts == NULL)
		return;
	if (path[0] != '/')
		(void)w_parse_refuse_at(
		    parser, at, "file path must be absolute");
	else if (!is_canonical(path))
		(void)w_parse_refuse_at(
		    parser, at, "file path must be canonical");
	if (file->is_forced && file->ensure != W_FILE_ABSENT)
		(void)w_parse_refuse_at(parser, at,
		    "'force: true' is only valid with 'ensure: absent', got "
		    "'ensure: %s'",
		    resource->ensure);
	if (file->is_forced && strcmp(path, "/") == 0)
		(void)w_parse_refuse_at(parser, at,
		    "'force: true' cannot be used with the filesystem root");
	if (file->ensure == W_FILE_PRESENT)
		return;
	if (file->content.template.parts != NULL)
		(void)w_parse_refuse_at(parser, &file->content.at,
		    "content is only for 'ensure: present'");
	if (file->source.template.parts != NULL)
		(void)w_parse_refuse_at(parser, &file->source.at,
		    "source is only for 'ensure: present'");
	if (file->template_file.template.parts != NULL)
		(void)w_parse_refuse_at(parser, &file->template_file.at,
		    "template is only for 'ensure: present'");
}

const struct w_parse_type w_parse_file = {
    .keys = w_parse_file_keys,
    .begin = manifest_file_begin,
    .check_map = manifest_file_check_map,
    .check = manifest_file_check,
};
