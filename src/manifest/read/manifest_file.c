/* SPDX-License-Identifier: Apache-2.0 */

/* Reads file resources. */

#include <string.h>

#include "manifest/read/manifest_parser.h"

static const char *const ensure_words[] = {
    [W_FILE_PRESENT] = "present",
    [W_FILE_ABSENT] = "absent",
    [W_FILE_DIRECTORY] = "directory",
    [W_FILE_SYMLINK] = "link",
    NULL,
};

void
w_parse_ensure_file(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource_draft *draft = member;
	struct w_property property = {.text = NULL};

	if (!w_parse_fill(parser, val, key->name, &property))
		return;
	for (int i = 0; ensure_words[i] != NULL; i++) {
		if (strcmp(ensure_words[i], property.text) == 0) {
			draft->resource.ensure = ensure_words[i];
			draft->body.file.ensure = (enum w_file_ensure)i;
			return;
		}
	}
	(void)w_parse_refuse(parser, val,
	    property.text[0] == '\0'
		? "ensure is required, and this one is empty"
		: "invalid ensure value: must be one of 'present', 'absent', "
		  "'directory' or 'link'");
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

	if (w_parse_octal(parser, val, key->name, 07777, &file->mode))
		file->has_mode = true;
}

static bool
has_file_mark(const struct w_property *property)
{
	return property->template.text != NULL &&
	       strchr(property->template.text, '%') != NULL;
}

/* The file to check is '%'. */
static void
read_validate(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_command_property *command = member;
	bool has_mark;

	w_parse_command(parser, key, member, val);
	has_mark = has_file_mark(&command->line);
	for (size_t i = 0; i < command->words.count; i++)
		has_mark = has_mark || has_file_mark(&command->words.items[i]);
	if (has_mark ||
	    (command->line.template.text == NULL && command->words.count == 0))
		return;
	(void)w_parse_refuse(
	    parser, val, "validate must say where the file goes");
	w_parse_suggest(parser, "write '%%' for it, as in visudo -cf %%");
}

static void
read_backup(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_property *suffix = member;

	w_parse_early_word(parser, key, member, val);
	if (suffix->text == NULL || strchr(suffix->text, '/') == NULL)
		return;
	(void)w_parse_refuse(parser, val,
	    "backup is what is added to the name, and cannot have a '/'");
	w_parse_suggest(parser, "write such as .bak");
}

#define FILE_MEMBER(member) offsetof(struct w_resource_draft, body.file.member)
const struct w_parse_key w_parse_file_keys[] = {
    W_PARSE_COMMON_KEYS(w_parse_ensure_file, read_provider),
    {"content", read_content, offsetof(struct w_resource_draft, body.file)},
    {"source", read_source, offsetof(struct w_resource_draft, body.file)},
    {"template", read_source, offsetof(struct w_resource_draft, body.file)},
    {"owner", w_parse_early_word, FILE_MEMBER(owner)},
    {"group", w_parse_early_word, FILE_MEMBER(group)},
    {"mode", read_mode, offsetof(struct w_resource_draft, body.file)},
    {"force", w_parse_truth, FILE_MEMBER(is_forced)},
    {"target", w_parse_early_word, FILE_MEMBER(target)},
    {"validate", read_validate, FILE_MEMBER(validate)},
    {"backup", read_backup, FILE_MEMBER(backup)},
    {"recurse", w_parse_truth, FILE_MEMBER(is_recursive)},
    {"purge", w_parse_truth, FILE_MEMBER(is_purged)},
    {NULL, NULL, 0},
};
#undef FILE_MEMBER

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

/* A property that says nothing with this ensure. */
static void
refuse_with(struct w_parser *parser, const struct w_property *property,
    const char *name, const char *only)
{
	if (property->template.parts != NULL)
		(void)w_parse_refuse_at(
		    parser, &property->at, "%s is only for %s", name, only);
}

static void
check_link(struct w_parser *parser, const struct w_resource *resource)
{
	const struct w_file_resource *file = resource->as.file;
	const bool is_link = file->ensure == W_FILE_SYMLINK;

	if (is_link && file->target.template.parts == NULL)
		(void)w_parse_refuse_at(
		    parser, &resource->name.at, "a link needs a 'target'");
	if (!is_link)
		refuse_with(parser, &file->target, "target", "'ensure: link'");
	if (is_link && file->has_mode)
		(void)w_parse_refuse_at(
		    parser, &resource->name.at, "a link has no mode");
}

static void
check_combination(struct w_parser *parser, const struct w_resource *resource)
{
	const struct w_file_resource *file = resource->as.file;
	const bool is_present = file->ensure == W_FILE_PRESENT;
	const bool is_directory = file->ensure == W_FILE_DIRECTORY;
	const struct w_property *check = file->validate.words.count > 0
					     ? &file->validate.words.items[0]
					     : &file->validate.line;

	check_link(parser, resource);
	if (!is_present) {
		refuse_with(
		    parser, &file->content, "content", "'ensure: present'");
		refuse_with(parser, &file->template_file, "template",
		    "'ensure: present'");
		refuse_with(parser, check, "validate", "'ensure: present'");
	}
	if (!is_present && !is_directory)
		refuse_with(parser, &file->source, "source",
		    "'ensure: present' and 'ensure: directory'");
	if (!is_present && file->ensure != W_FILE_ABSENT)
		refuse_with(parser, &file->backup, "backup",
		    "'ensure: present' and 'ensure: absent'");
	if ((file->is_recursive || file->is_purged) && !is_directory)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'recurse' and 'purge' are only for 'ensure: directory'");
	if (file->is_purged && strcmp(resource->name.text, "/") == 0)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'purge: true' cannot be used with the filesystem root");
}

static void
manifest_file_check(struct w_parser *parser, struct w_resource *resource)
{
	const struct w_file_resource *file = resource->as.file;
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
	if (file->is_forced && file->ensure != W_FILE_ABSENT &&
	    file->ensure != W_FILE_SYMLINK)
		(void)w_parse_refuse_at(parser, at,
		    "'force: true' is only valid with 'ensure: absent' or "
		    "'ensure: link', got 'ensure: %s'",
		    resource->ensure);
	if (file->is_forced && strcmp(path, "/") == 0)
		(void)w_parse_refuse_at(parser, at,
		    "'force: true' cannot be used with the filesystem root");
	check_combination(parser, resource);
}

const struct w_parse_type w_parse_file = {
    .keys = w_parse_file_keys,
    .check_map = manifest_file_check_map,
    .check = manifest_file_check,
};
