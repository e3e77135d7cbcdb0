/* SPDX-License-Identifier: Apache-2.0 */

/* What exec resources have, as JSON. */

#include <string.h>

#include "base/size.h"
#include "base/words.h"
#include "data/json.h"
#include "manifest/resource_json.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

/* Words as one text that can be split into them again. */
static void
add_line(struct w_buf *buf, const char *const *words)
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

static void
add_words(const struct w_showing *showing, const char *const *words)
{
	w_shown_key(showing->buf, "argv");
	w_buf_add_char(showing->buf, '[');
	for (size_t i = 0; words[i] != NULL; i++) {
		w_buf_add_str(showing->buf, i > 0 ? "," : "");
		w_shown_filled(showing, words[i]);
	}
	w_buf_add_char(showing->buf, ']');
}

/* An event always has a command: what was run, or is said. */
static void
add_event_command(
    const struct w_showing *showing, const struct w_resource *resource)
{
	const struct w_exec *exec = &resource->as.exec;
	const struct w_filled *filled = showing->filled;
	struct w_buf *buf = showing->buf;

	w_shown_key(buf, "command");
	if (showing->is_hidden)
		w_json_add_text(buf, W_VALUE_HIDDEN);
	else if (filled->argv != NULL)
		add_line(buf, filled->argv);
	else if (filled->shell != NULL)
		w_json_add_path(buf, filled->shell);
	else if (exec->command.line.template.parts != NULL)
		w_shown_template(buf, &exec->command.line.template);
	else if (exec->command.words.count > 0)
		w_json_add_text(buf, "");
	else
		w_json_add_text(buf, resource->name.text);
	if (showing->is_hidden || exec->command.words.count == 0)
		return;
	if (filled->argv != NULL)
		add_words(showing, filled->argv);
	else
		w_shown_list(showing, "argv", &exec->command.words, NULL);
}

/* A name that had expressions in it is split as it was before. */
static void
add_manifest_command(const struct w_showing *showing, const struct w_exec *exec)
{
	if (exec->command.line.template.parts != NULL ||
	    exec->command.words.count > 0) {
		w_shown_command(showing,
		    exec->command.words.count > 0 ? "argv" : "command",
		    &exec->command);
	} else if (exec->name_words != NULL && exec->is_shell) {
		w_shown_key(showing->buf, "command");
		w_shown_filled(showing, exec->name_words[0]);
	} else if (exec->name_words != NULL) {
		add_words(showing, exec->name_words);
	}
}

/* Of what is hidden only names are shown. */
static void
add_hidden_environment(
    const struct w_showing *showing, const struct w_field_list *list)
{
	struct w_buf *buf = showing->buf;

	w_shown_key(buf, "environment");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		const char *text = list->items[i].template.text;
		const size_t len = strcspn(text, "={$");
		W_AUTO_BUF struct w_buf entry;

		w_buf_init(&entry, len + sizeof("_=" W_VALUE_HIDDEN));
		w_buf_add(&entry, text, len);
		/* A name that has an expression in it. */
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
add_environment(const struct w_showing *showing, const struct w_exec *exec)
{
	const struct w_filled *filled = showing->filled;

	if (showing->is_hidden && exec->environment.count > 0)
		add_hidden_environment(showing, &exec->environment);
	else
		w_shown_list(showing, "environment", &exec->environment,
		    filled != NULL ? filled->environment : NULL);
}

static void
add_guards(const struct w_showing *showing, const char *name,
    const struct w_command_list *guards)
{
	struct w_buf *buf = showing->buf;

	if (guards->count == 0)
		return;
	w_shown_key(buf, name);
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < guards->count; i++) {
		const struct w_command_field *guard = &guards->items[i];

		w_buf_add_str(buf, i > 0 ? "," : "");
		if (showing->is_hidden) {
			w_json_add_text(buf, W_VALUE_HIDDEN);
			continue;
		}
		if (guard->words.count == 0) {
			w_shown_template(buf, &guard->line.template);
			continue;
		}
		w_buf_add_char(buf, '[');
		for (size_t j = 0; j < guard->words.count; j++) {
			w_buf_add_str(buf, j > 0 ? "," : "");
			w_shown_template(buf, &guard->words.items[j].template);
		}
		w_buf_add_char(buf, ']');
	}
	w_buf_add_char(buf, ']');
}

static void
add_returns(const struct w_showing *showing, const struct w_exec *exec)
{
	if (exec->returns == NULL)
		return;
	w_shown_key(showing->buf, "returns");
	for (size_t i = 0; i < exec->return_count; i++)
		w_buf_add_fmt(
		    showing->buf, "%c%d", i > 0 ? ',' : '[', exec->returns[i]);
	w_buf_add_char(showing->buf, ']');
}

static void
add_size(const struct w_showing *showing, const char *name, uint64_t size)
{
	char text[W_SIZE_TEXT_MAX];

	if (size == 0)
		return;
	w_size_format(size, text);
	w_json_add_text_member(showing->buf, name, text);
}

static void
add_count(const struct w_showing *showing, const char *name, uint64_t count)
{
	if (count == 0)
		return;
	w_shown_key(showing->buf, name);
	w_buf_add_fmt(showing->buf, "%llu", (unsigned long long)count);
}

static void
add_time(const struct w_showing *showing, const char *name, uint64_t ms)
{
	if (ms > 0)
		w_shown_duration(showing, name, ms);
}

static void
add_limits(const struct w_showing *showing, const struct w_exec_limits *limits)
{
	static const struct w_exec_limits none = {.memory = 0};

	if (memcmp(limits, &none, sizeof(none)) == 0)
		return;
	w_shown_key(showing->buf, "limits");
	w_buf_add_char(showing->buf, '{');
	add_size(showing, "memory", limits->memory);
	add_time(showing, "cpu", limits->cpu_ms);
	add_count(showing, "processes", limits->processes);
	add_count(showing, "open_files", limits->open_files);
	add_size(showing, "file_size", limits->file_size);
	add_size(showing, "max_output", limits->max_output);
	add_size(showing, "output", limits->output);
	add_time(showing, "idle", limits->idle_ms);
	w_buf_add_char(showing->buf, '}');
}

static void
add_cwd(const struct w_showing *showing, const struct w_exec *exec)
{
	struct w_showing open = *showing;

	/* Where a secret command runs is none itself. */
	open.is_hidden = false;
	if (showing->filled != NULL && showing->filled->cwd != NULL)
		w_json_add_path_member(
		    showing->buf, "cwd", showing->filled->cwd);
	else
		w_shown_written(&open, "cwd", &exec->cwd);
}

/* How it is run. */
static void
add_manner(const struct w_showing *showing, const struct w_exec *exec)
{
	static const char *const logoutput[] = {
	    [W_LOGOUTPUT_ON] = "true",
	    [W_LOGOUTPUT_ON_FAILURE] = "\"on_failure\"",
	};

	if (exec->logoutput != W_LOGOUTPUT_OFF) {
		w_shown_key(showing->buf, "logoutput");
		w_buf_add_str(showing->buf, logoutput[exec->logoutput]);
	}
	w_shown_early(showing, "user", &exec->user);
	w_shown_early(showing, "group", &exec->group);
	if (exec->has_umask) {
		w_shown_key(showing->buf, "umask");
		w_buf_add_fmt(showing->buf, "\"%04o\"", exec->umask);
	}
	w_shown_written(showing, "stdin", &exec->stdin_text);
	if (exec->tries > 1)
		add_count(showing, "tries", exec->tries);
	add_time(showing, "try_sleep", exec->try_sleep_ms);
	add_limits(showing, &exec->limits);
	w_shown_early(showing, "sandbox", &exec->sandbox);
}

void
w_shown_exec(const struct w_showing *showing, const struct w_resource *resource)
{
	const struct w_exec *exec = &resource->as.exec;
	const struct w_filled *filled = showing->filled;

	if (showing->is_manifest)
		add_manifest_command(showing, exec);
	else
		add_event_command(showing, resource);
	add_cwd(showing, exec);
	add_environment(showing, exec);
	w_shown_early(showing, "path", &exec->path);
	add_returns(showing, exec);
	add_time(showing, "timeout", exec->timeout_ms);
	w_shown_list(showing, "creates", &exec->creates,
	    filled != NULL ? filled->creates : NULL);
	w_shown_list(showing, "removes", &exec->removes,
	    filled != NULL ? filled->removes : NULL);
	add_guards(showing, "onlyif", &exec->onlyif);
	add_guards(showing, "unless", &exec->unless);
	if (exec->is_refreshonly)
		w_json_add_bool_member(showing->buf, "refreshonly", true);
	w_shown_command(showing, "refresh", &exec->refresh);
	w_shown_references(showing, "subscribe", &exec->subscribe);
	add_manner(showing, exec);
}
