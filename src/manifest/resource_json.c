/* SPDX-License-Identifier: Apache-2.0 */

/* What resources of all types have, as JSON. */

#include "manifest/resource_json.h"

#include <string.h>

#include "base/duration.h"
#include "data/json.h"

void
w_shown_key(struct w_buf *buf, const char *name)
{
	const bool is_first = w_buf_last(buf) == '{';

	w_buf_add_str(buf, is_first ? "\"" : ",\"");
	w_buf_add_str(buf, name);
	w_buf_add_str(buf, "\":");
}

/* Appends a text as a template that stands for it. */
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
w_shown_filled(const struct w_showing *showing, const char *text)
{
	if (showing->is_manifest && strpbrk(text, "{$") != NULL)
		add_as_template(showing->buf, text);
	else
		w_json_add_path(showing->buf, text);
}

/* Where the text goes on behind a part. A literal that begins with an opening
 * sign has the first half of its escape before it. */
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

/* Without the expressions that have a secret in their text. */
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
w_shown_template(struct w_buf *buf, const struct w_template *template)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(
	    &shown, template->len + template->count * sizeof(W_VALUE_HIDDEN));
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
w_shown_written(const struct w_showing *showing, const char *name,
    const struct w_field *field)
{
	if (field->template.parts == NULL)
		return;
	w_shown_key(showing->buf, name);
	if (showing->is_hidden)
		w_json_add_text(showing->buf, W_VALUE_HIDDEN);
	else
		w_shown_template(showing->buf, &field->template);
}

void
w_shown_early(const struct w_showing *showing, const char *name,
    const struct w_field *field)
{
	if (field->template.parts == NULL || field->text == NULL)
		return;
	w_shown_key(showing->buf, name);
	w_shown_filled(showing, field->text);
}

void
w_shown_list(const struct w_showing *showing, const char *name,
    const struct w_field_list *list, const char *const *made)
{
	struct w_buf *buf = showing->buf;

	if (list->count == 0)
		return;
	w_shown_key(buf, name);
	w_buf_add_char(buf, '[');
	for (size_t i = 0; made == NULL && i < list->count; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		w_shown_template(buf, &list->items[i].template);
	}
	for (size_t i = 0; made != NULL && made[i] != NULL; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		w_json_add_path(buf, made[i]);
	}
	w_buf_add_char(buf, ']');
}

void
w_shown_command(const struct w_showing *showing, const char *name,
    const struct w_command_field *command)
{
	struct w_showing plain = *showing;

	if (showing->is_hidden && command->words.count > 0) {
		w_shown_key(showing->buf, name);
		w_buf_add_str(showing->buf, "[\"" W_VALUE_HIDDEN "\"]");
		return;
	}
	plain.filled = NULL;
	w_shown_written(&plain, name, &command->line);
	w_shown_list(&plain, name, &command->words, NULL);
}

void
w_shown_references(const struct w_showing *showing, const char *name,
    const struct w_reference_list *list)
{
	/* What is required is never a template. */
	const bool is_plain = strcmp(name, "require") == 0;

	if (list->count == 0)
		return;
	w_shown_key(showing->buf, name);
	w_buf_add_char(showing->buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		w_buf_add_str(showing->buf, i > 0 ? "," : "");
		if (is_plain)
			w_json_add_text(showing->buf, list->items[i].text);
		else
			w_shown_filled(showing, list->items[i].text);
	}
	w_buf_add_char(showing->buf, ']');
}

void
w_shown_duration(const struct w_showing *showing, const char *name, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_json_add_text_member(showing->buf, name, text);
}

static void
add_health_check(
    const struct w_showing *showing, const struct w_health_check *check)
{
	w_buf_add_char(showing->buf, '{');
	w_shown_key(showing->buf, "name");
	w_shown_filled(showing, check->name);
	w_shown_command(showing, "command", &check->command);
	w_shown_key(showing->buf, "tries");
	w_buf_add_fmt(showing->buf, "%u", check->tries);
	w_shown_duration(showing, "try_sleep", check->try_sleep_ms);
	if (check->timeout_ms > 0)
		w_shown_duration(showing, "timeout", check->timeout_ms);
	w_json_add_text_member(showing->buf, "format", "nagios");
	w_buf_add_char(showing->buf, '}');
}

static void
add_health_checks(
    const struct w_showing *showing, const struct w_resource *resource)
{
	if (resource->health_count == 0)
		return;
	w_shown_key(showing->buf, "health_checks");
	w_buf_add_char(showing->buf, '[');
	for (size_t i = 0; i < resource->health_count; i++) {
		w_buf_add_str(showing->buf, i > 0 ? "," : "");
		add_health_check(showing, &resource->health_checks[i]);
	}
	w_buf_add_char(showing->buf, ']');
}

/* A condition is shown whole, or not at all. */
static const char *
condition(const struct w_showing *showing, const struct w_expr *expr,
    const char *text)
{
	const bool is_secret = (w_expr_uses(expr) & W_EXPR_USES_SECRET) != 0;

	return showing->is_hidden || is_secret ? W_VALUE_HIDDEN : text;
}

static void
add_control(const struct w_showing *showing, const struct w_resource *resource)
{
	if (resource->if_text == NULL && resource->unless_text == NULL)
		return;
	w_shown_key(showing->buf, "control");
	w_buf_add_char(showing->buf, '{');
	if (resource->if_text != NULL)
		w_json_add_text_member(showing->buf, "if",
		    condition(
			showing, resource->control_if, resource->if_text));
	if (resource->unless_text != NULL)
		w_json_add_text_member(showing->buf, "unless",
		    condition(showing, resource->control_unless,
			resource->unless_text));
	w_buf_add_char(showing->buf, '}');
}

void
w_shown_resource(
    const struct w_showing *showing, const struct w_resource *resource)
{
	struct w_buf *buf = showing->buf;

	w_buf_add_char(buf, '{');
	w_shown_key(buf, "name");
	w_shown_filled(showing, resource->name.text);
	w_shown_early(showing, "alias", &resource->alias);
	w_json_add_text_member(buf, "ensure", resource->ensure);
	if (strcmp(resource->provider, "posix") != 0)
		w_json_add_text_member(buf, "provider", resource->provider);
	if (resource->type == W_RESOURCE_EXEC)
		w_shown_exec(showing, resource);
	else
		w_shown_file(showing, resource);
	w_shown_references(showing, "require", &resource->require);
	add_control(showing, resource);
	add_health_checks(showing, resource);
	if (resource->is_sensitive)
		w_json_add_bool_member(buf, "sensitive", true);
	w_buf_add_char(buf, '}');
}

void
w_resource_add_properties(struct w_buf *buf, const struct w_resource *resource,
    const struct w_filled *filled)
{
	static const struct w_filled none = {.argv = NULL};
	const struct w_showing showing = {
	    .buf = buf,
	    .filled = filled != NULL ? filled : &none,
	    .is_hidden = resource->is_sensitive,
	};

	w_shown_resource(&showing, resource);
}
