/* SPDX-License-Identifier: Apache-2.0 */

/* Members of all resources, as JSON. */

#include "manifest/read/resource_json.h"

#include <string.h>

#include "base/duration.h"
#include "base/words.h"
#include "data/json.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

void
w_resource_write_key(struct w_buf *buf, const char *name)
{
	const bool is_first = w_buf_last(buf) == '{';

	w_buf_add_str(buf, is_first ? "\"" : ",\"");
	w_buf_add_str(buf, name);
	w_buf_add_str(buf, "\":");
}

/* Appends a literal text, escaped as a template. */
static void
add_as_template(struct w_buf *buf, const char *text)
{
	W_AUTO_BUF struct w_buf made;

	w_buf_init(&made, W_VALUE_TEXT_MAX * 2);
	while (*text != '\0') {
		const size_t plain = strcspn(text, "{$");

		w_buf_add(&made, text, plain);
		text += plain;
		if (text[0] == '\0')
			break;
		if (text[1] != '{') {
			w_buf_add_char(&made, *text++);
			continue;
		}
		w_buf_add_str(&made, text[0] == '{' ? "{{{{" : "$${");
		text += 2;
	}
	if (made.failed)
		buf->failed = true;
	w_json_add_string(buf, made.data, made.len);
}

void
w_resource_write_filled(
    const struct w_resource_writer *writer, const char *text)
{
	if (writer->is_manifest && strpbrk(text, "{$") != NULL)
		add_as_template(writer->buf, text);
	else
		w_json_add_path(writer->buf, text);
}

/* Where the text continues after a part. A literal that begins with an opening
 * delimiter has the first half of its escape before it. */
static const char *
behind(const struct w_template *template, size_t part)
{
	const struct w_template_part *next = &template->parts[part + 1];

	if (part + 1 == template->count)
		return template->text + template->len;
	const char *at = template->text + next->offset;
	if (next->literal == NULL)
		return at;
	if (strncmp(at, "{{", 2) == 0)
		return at - 2;
	return strncmp(at, "${", 2) == 0 ? at - 1 : at;
}

/* Omits expressions that contain a secret. */
static void
add_without_secrets(struct w_buf *out, const struct w_template *template)
{
	const char *from = template->text;

	for (size_t i = 0; i < template->count; i++) {
		const struct w_template_part *part = &template->parts[i];
		const char *at = template->text + part->offset;

		if (part->literal != NULL ||
		    (w_expr_uses(part->expr) & W_EXPR_USES_SECRET) == 0)
			continue;
		w_buf_add(out, from, (size_t)(at - from));
		w_buf_add_str(out, W_VALUE_HIDDEN);
		from = behind(template, i);
	}
	w_buf_add_str(out, from);
}

void
w_resource_write_words(struct w_buf *buf, const char *const *words)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_MAX_BYTES);
	for (size_t i = 0; words[i] != NULL; i++) {
		w_buf_add_str(&line, i > 0 ? " " : "");
		w_words_quote(&line, words[i]);
	}
	if (line.failed)
		buf->failed = true;
	w_json_add_path(buf, line.data);
}

/* false: it was not filled in. */
static bool
add_filled(
    const struct w_resource_writer *writer, const struct w_template *template)
{
	const struct w_filled *filled = writer->filled;

	for (size_t i = 0; filled != NULL && i < filled->part_count; i++) {
		const struct w_filled_part *part = &filled->parts[i];

		if (part->template != template)
			continue;
		if (part->argv != NULL)
			w_resource_write_words(writer->buf, part->argv);
		else
			w_json_add_path(
			    writer->buf, part->text == NULL ? "" : part->text);
		return true;
	}
	return false;
}

void
w_resource_write_template(
    const struct w_resource_writer *writer, const struct w_template *template)
{
	W_AUTO_BUF struct w_buf shown;
	struct w_buf *buf = writer->buf;

	w_buf_init(
	    &shown, template->len + template->count * sizeof(W_VALUE_HIDDEN));
	if (add_filled(writer, template))
		return;
	if ((template->uses & W_EXPR_USES_SECRET) == 0) {
		w_json_add_text(buf, template->text);
		return;
	}
	add_without_secrets(&shown, template);
	if (shown.failed)
		buf->failed = true;
	else
		w_json_add_string(buf, shown.data, shown.len);
}

void
w_resource_write_written(const struct w_resource_writer *writer,
    const char *name, const struct w_property *property)
{
	if (property->template.parts == NULL)
		return;
	w_resource_write_key(writer->buf, name);
	if (writer->is_hidden)
		w_json_add_text(writer->buf, W_VALUE_HIDDEN);
	else
		w_resource_write_template(writer, &property->template);
}

void
w_resource_write_early(const struct w_resource_writer *writer, const char *name,
    const struct w_property *property)
{
	if (property->template.parts == NULL || property->text == NULL)
		return;
	w_resource_write_key(writer->buf, name);
	w_resource_write_filled(writer, property->text);
}

void
w_resource_write_templates(
    const struct w_resource_writer *writer, const struct w_property_list *list)
{
	struct w_buf *buf = writer->buf;

	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		w_resource_write_template(writer, &list->items[i].template);
	}
	w_buf_add_char(buf, ']');
}

void
w_resource_write_list(const struct w_resource_writer *writer, const char *name,
    const struct w_property_list *list, const char *const *made)
{
	if (list->count == 0)
		return;
	if (made != NULL) {
		w_json_add_list_member(writer->buf, name, made);
		return;
	}
	w_resource_write_key(writer->buf, name);
	w_resource_write_templates(writer, list);
}

void
w_resource_write_command(const struct w_resource_writer *writer,
    const char *name, const struct w_command_property *command)
{
	if (writer->is_hidden && command->words.count > 0) {
		w_resource_write_key(writer->buf, name);
		w_buf_add_str(writer->buf, "[\"" W_VALUE_HIDDEN "\"]");
		return;
	}
	w_resource_write_written(writer, name, &command->line);
	w_resource_write_list(writer, name, &command->words, NULL);
}

void
w_resource_write_references(const struct w_resource_writer *writer,
    const char *name, const struct w_reference_list *list)
{
	/* References in require are never templates. */
	const bool is_plain = strcmp(name, "require") == 0;

	if (list->count == 0)
		return;
	w_resource_write_key(writer->buf, name);
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		if (is_plain)
			w_json_add_text(writer->buf, list->items[i].text);
		else
			w_resource_write_filled(writer, list->items[i].text);
	}
	w_buf_add_char(writer->buf, ']');
}

void
w_resource_write_duration(
    const struct w_resource_writer *writer, const char *name, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_json_add_text_member(writer->buf, name, text);
}

static void
add_health_check(
    const struct w_resource_writer *writer, const struct w_health_check *check)
{
	w_buf_add_char(writer->buf, '{');
	w_resource_write_key(writer->buf, "name");
	w_resource_write_filled(writer, check->name);
	w_resource_write_command(writer, "command", &check->command);
	w_resource_write_key(writer->buf, "tries");
	w_buf_add_fmt(writer->buf, "%u", check->tries);
	w_resource_write_duration(writer, "try_sleep", check->try_sleep_ms);
	if (check->timeout_ms > 0)
		w_resource_write_duration(writer, "timeout", check->timeout_ms);
	w_json_add_text_member(writer->buf, "format", "nagios");
	w_buf_add_char(writer->buf, '}');
}

static void
add_health_checks(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	if (resource->extras->health_count == 0)
		return;
	w_resource_write_key(writer->buf, "health_checks");
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; i < resource->extras->health_count; i++) {
		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		add_health_check(writer, &resource->extras->health_checks[i]);
	}
	w_buf_add_char(writer->buf, ']');
}

/* A condition is shown whole, or not at all. */
static void
add_condition(const struct w_resource_writer *writer, const char *name,
    const struct w_condition *condition)
{
	if (condition->text == NULL)
		return;
	const bool is_secret =
	    (w_expr_uses(condition->expr) & W_EXPR_USES_SECRET) != 0;
	w_json_add_text_member(writer->buf, name,
	    writer->is_hidden || is_secret ? W_VALUE_HIDDEN : condition->text);
}

/* A resource that was made for an element is read back with that one. */
static void
add_each(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	struct w_value_member member = {.name = ""};
	char number[W_VALUE_NUMBER_MAX + 1];

	if (resource->item == NULL || !writer->is_manifest)
		return;
	member.value = writer->is_hidden ? w_value_text(W_VALUE_HIDDEN,
					       strlen(W_VALUE_HIDDEN))
					 : *resource->item;
	if (resource->key->kind == W_VALUE_STRING) {
		member.name = resource->key->as.string.text;
		member.len = resource->key->as.string.len;
	} else {
		member.len = w_value_put_number(number, resource->key);
		number[member.len] = '\0';
		member.name = number;
	}
	const struct w_value each = {
	    .kind = W_VALUE_MAP, .as.map = {.members = &member, .count = 1}};
	w_resource_write_key(writer->buf, "each");
	w_resource_write_value(writer, &each);
}

static void
add_tags(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	if (resource->extras->tags.count == 0)
		return;
	w_resource_write_key(writer->buf, "tags");
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; i < resource->extras->tags.count; i++) {
		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		w_resource_write_filled(
		    writer, resource->extras->tags.items[i].text);
	}
	w_buf_add_char(writer->buf, ']');
}

static void
add_control(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	if (resource->extras->control_if.text == NULL &&
	    resource->extras->control_unless.text == NULL)
		return;
	w_resource_write_key(writer->buf, "control");
	w_buf_add_char(writer->buf, '{');
	add_condition(writer, "if", &resource->extras->control_if);
	add_condition(writer, "unless", &resource->extras->control_unless);
	w_buf_add_char(writer->buf, '}');
}

void
w_resource_write_resource(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	struct w_buf *buf = writer->buf;

	w_buf_add_char(buf, '{');
	w_resource_write_key(buf, "name");
	w_resource_write_filled(writer, resource->name.text);
	w_resource_write_early(writer, "alias", &resource->extras->alias);
	w_json_add_text_member(buf, "ensure", resource->ensure);
	if (strcmp(resource->provider, "posix") != 0)
		w_json_add_text_member(buf, "provider", resource->provider);
	if (resource->type == W_RESOURCE_EXEC)
		w_resource_write_exec(writer, resource);
	else if (resource->type == W_RESOURCE_APPLY)
		w_resource_write_include(writer, resource);
	else if (resource->type == W_RESOURCE_FILE)
		w_resource_write_file(writer, resource);
	else
		w_resource_write_typed(writer, resource);
	w_resource_write_references(writer, "require", &resource->require);
	add_each(writer, resource);
	add_tags(writer, resource);
	w_resource_write_early(
	    writer, "register", &resource->extras->registers);
	add_control(writer, resource);
	add_health_checks(writer, resource);
	if (resource->is_sensitive)
		w_json_add_bool_member(buf, "sensitive", true);
	w_buf_add_char(buf, '}');
}

void
w_resource_add_properties(struct w_buf *buf, const struct w_resource *resource,
    const struct w_filled *filled)
{
	static const struct w_filled none = {.argv = NULL};
	const struct w_resource_writer writer = {
	    .buf = buf,
	    .filled = filled != NULL ? filled : &none,
	    .is_hidden = resource->is_sensitive,
	};

	w_resource_write_resource(&writer, resource);
}
