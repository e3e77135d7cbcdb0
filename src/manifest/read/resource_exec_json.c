/* SPDX-License-Identifier: Apache-2.0 */

/* Members of exec resources, as JSON. */

#include <string.h>

#include "base/size.h"
#include "data/json.h"
#include "manifest/read/resource_json.h"

static void
resource_exec_json_add_words(
    const struct w_resource_writer *writer, const char *const *words)
{
	w_resource_write_key(writer->buf, "argv");
	w_buf_add_char(writer->buf, '[');
	for (size_t i = 0; words[i] != NULL; i++) {
		w_buf_add_str(writer->buf, i > 0 ? "," : "");
		w_resource_write_filled(writer, words[i]);
	}
	w_buf_add_char(writer->buf, ']');
}

/* An event always has a command: what was run, or as written. */
static void
add_event_command(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	const struct w_exec_resource *exec = &resource->as.exec;
	const struct w_filled *filled = writer->filled;
	struct w_buf *buf = writer->buf;

	w_resource_write_key(buf, "command");
	if (writer->is_hidden)
		w_json_add_text(buf, W_VALUE_HIDDEN);
	else if (filled->argv != NULL)
		w_resource_write_words(buf, filled->argv);
	else if (filled->shell != NULL)
		w_json_add_path(buf, filled->shell);
	else if (exec->command.line.template.parts != NULL)
		w_resource_write_template(writer, &exec->command.line.template);
	else if (exec->command.words.count > 0)
		w_json_add_text(buf, "");
	else
		w_json_add_text(buf, resource->name.text);
	if (writer->is_hidden || exec->command.words.count == 0)
		return;
	if (filled->argv != NULL)
		resource_exec_json_add_words(writer, filled->argv);
	else
		w_resource_write_list(
		    writer, "argv", &exec->command.words, NULL);
}

/* A name with expressions is split the same way when read back. */
static void
add_manifest_command(
    const struct w_resource_writer *writer, const struct w_exec_resource *exec)
{
	if (exec->command.line.template.parts != NULL ||
	    exec->command.words.count > 0) {
		w_resource_write_command(writer,
		    exec->command.words.count > 0 ? "argv" : "command",
		    &exec->command);
	} else if (exec->name_words != NULL && exec->is_shell) {
		w_resource_write_key(writer->buf, "command");
		w_resource_write_filled(writer, exec->name_words[0]);
	} else if (exec->name_words != NULL) {
		resource_exec_json_add_words(writer, exec->name_words);
	}
}

/* Of redacted variables only the names are shown. */
static void
add_hidden_environment(
    const struct w_resource_writer *writer, const struct w_property_list *list)
{
	struct w_buf *buf = writer->buf;

	w_resource_write_key(buf, "environment");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		const char *text = list->items[i].template.text;
		const size_t len = strcspn(text, "={$");
		W_AUTO_BUF struct w_buf entry;

		w_buf_init(&entry, len + sizeof("_=" W_VALUE_HIDDEN));
		w_buf_add(&entry, text, len);
		/* The name contains an expression. */
		if (text[len] != '=')
			w_buf_add_char(&entry, '_');
		w_buf_add_str(&entry, "=" W_VALUE_HIDDEN);
		w_buf_add_str(buf, i > 0 ? "," : "");
		w_json_add_text(buf, entry.data);
		if (entry.failed)
			buf->failed = true;
	}
	w_buf_add_char(buf, ']');
}

static void
resource_exec_json_add_environment(
    const struct w_resource_writer *writer, const struct w_exec_resource *exec)
{
	const struct w_filled *filled = writer->filled;

	if (writer->is_hidden && exec->settings->environment.count > 0)
		add_hidden_environment(writer, &exec->settings->environment);
	else
		w_resource_write_list(writer, "environment",
		    &exec->settings->environment,
		    filled != NULL ? filled->environment : NULL);
}

static void
add_guards(const struct w_resource_writer *writer, const char *name,
    const struct w_command_list *guards)
{
	struct w_buf *buf = writer->buf;

	if (guards->count == 0)
		return;
	w_resource_write_key(buf, name);
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < guards->count; i++) {
		const struct w_command_property *guard = &guards->items[i];

		w_buf_add_str(buf, i > 0 ? "," : "");
		if (writer->is_hidden)
			w_json_add_text(buf, W_VALUE_HIDDEN);
		else if (guard->words.count == 0)
			w_resource_write_template(
			    writer, &guard->line.template);
		else
			w_resource_write_templates(writer, &guard->words);
	}
	w_buf_add_char(buf, ']');
}

static void
add_returns(
    const struct w_resource_writer *writer, const struct w_exec_resource *exec)
{
	if (exec->settings->returns == NULL)
		return;
	w_resource_write_key(writer->buf, "returns");
	for (size_t i = 0; i < exec->settings->return_count; i++)
		w_buf_add_fmt(writer->buf, "%c%d", i > 0 ? ',' : '[',
		    exec->settings->returns[i]);
	w_buf_add_char(writer->buf, ']');
}

static void
add_size(
    const struct w_resource_writer *writer, const char *name, uint64_t size)
{
	char text[W_SIZE_TEXT_MAX];

	if (size == 0)
		return;
	w_size_format(size, text);
	w_json_add_text_member(writer->buf, name, text);
}

static void
resource_exec_json_add_count(
    const struct w_resource_writer *writer, const char *name, uint64_t count)
{
	if (count == 0)
		return;
	w_resource_write_key(writer->buf, name);
	w_buf_add_fmt(writer->buf, "%llu", (unsigned long long)count);
}

static void
resource_exec_json_add_time(
    const struct w_resource_writer *writer, const char *name, uint64_t ms)
{
	if (ms > 0)
		w_resource_write_duration(writer, name, ms);
}

static void
resource_exec_json_add_limits(
    const struct w_resource_writer *writer, const struct w_exec_limits *limits)
{
	static const struct w_exec_limits none = {.memory = 0};

	if (memcmp(limits, &none, sizeof(none)) == 0)
		return;
	w_resource_write_key(writer->buf, "limits");
	w_buf_add_char(writer->buf, '{');
	add_size(writer, "memory", limits->memory);
	resource_exec_json_add_time(writer, "cpu", limits->cpu_ms);
	resource_exec_json_add_count(writer, "processes", limits->processes);
	resource_exec_json_add_count(writer, "open_files", limits->open_files);
	add_size(writer, "file_size", limits->file_size);
	add_size(writer, "max_output", limits->max_output);
	add_size(writer, "output", limits->output);
	resource_exec_json_add_time(writer, "idle", limits->idle_ms);
	w_buf_add_char(writer->buf, '}');
}

static void
add_cwd(
    const struct w_resource_writer *writer, const struct w_exec_resource *exec)
{
	struct w_resource_writer open = *writer;

	/* The directory of a secret command is not secret. */
	open.is_hidden = false;
	if (writer->filled != NULL && writer->filled->cwd != NULL)
		w_json_add_path_member(writer->buf, "cwd", writer->filled->cwd);
	else
		w_resource_write_written(&open, "cwd", &exec->settings->cwd);
}

/* How it is run. */
static void
add_manner(
    const struct w_resource_writer *writer, const struct w_exec_resource *exec)
{
	static const char *const logoutput[] = {
	    [W_LOGOUTPUT_ON] = "true",
	    [W_LOGOUTPUT_ON_FAILURE] = "\"on_failure\"",
	};

	if (exec->settings->logoutput != W_LOGOUTPUT_OFF) {
		w_resource_write_key(writer->buf, "logoutput");
		w_buf_add_str(
		    writer->buf, logoutput[exec->settings->logoutput]);
	}
	w_resource_write_early(writer, "user", &exec->settings->user);
	w_resource_write_early(writer, "group", &exec->settings->group);
	if (exec->settings->has_umask) {
		w_resource_write_key(writer->buf, "umask");
		w_buf_add_fmt(writer->buf, "\"%04o\"", exec->settings->umask);
	}
	w_resource_write_written(writer, "stdin", &exec->settings->stdin_text);
	if (exec->settings->tries > 1)
		resource_exec_json_add_count(
		    writer, "tries", exec->settings->tries);
	resource_exec_json_add_time(
	    writer, "try_sleep", exec->settings->try_sleep_ms);
	resource_exec_json_add_limits(writer, &exec->settings->limits);
	w_resource_write_early(writer, "sandbox", &exec->settings->sandbox);
}

void
w_resource_write_exec(
    const struct w_resource_writer *writer, const struct w_resource *resource)
{
	const struct w_exec_resource *exec = &resource->as.exec;
	const struct w_filled *filled = writer->filled;

	if (writer->is_manifest)
		add_manifest_command(writer, exec);
	else
		add_event_command(writer, resource);
	add_cwd(writer, exec);
	resource_exec_json_add_environment(writer, exec);
	w_resource_write_early(writer, "path", &exec->settings->path);
	add_returns(writer, exec);
	resource_exec_json_add_time(
	    writer, "timeout", exec->settings->timeout_ms);
	w_resource_write_list(writer, "creates", &exec->creates,
	    filled != NULL ? filled->creates : NULL);
	w_resource_write_list(writer, "removes", &exec->guards->removes,
	    filled != NULL ? filled->removes : NULL);
	add_guards(writer, "onlyif", &exec->guards->onlyif);
	add_guards(writer, "unless", &exec->guards->unless);
	if (exec->guards->is_refreshonly)
		w_json_add_bool_member(writer->buf, "refreshonly", true);
	w_resource_write_command(writer, "refresh", &exec->guards->refresh);
	w_resource_write_references(
	    writer, "subscribe", &exec->guards->subscribe);
	add_manner(writer, exec);
}
