/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The entry of the server: its value in the settings of each program, and the
 * program's commands that add and remove it.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/error.h"
#include "cli/mcp/install_hosts.h"
#include "cli/options/text_file.h"
#include "data/json.h"

#define GOOSE_SECONDS 300

/* ---- the value ---- */

/* ["mcp", OPTION...], with the program in front if it is in the same list. */
static void
install_entry_add_args(
    const struct w_install_entry *entry, bool has_path, struct w_buf *buf)
{
	w_buf_add_char(buf, '[');
	if (has_path) {
		w_json_add_text(buf, entry->path);
		w_buf_add_char(buf, ',');
	}
	w_buf_add_str(buf, "\"mcp\"");
	for (size_t i = 0; i < entry->option_count; i++) {
		w_buf_add_char(buf, ',');
		w_json_add_text(buf, entry->options[i]);
	}
	w_buf_add_char(buf, ']');
}

static void
install_entry_add_value(const struct w_install_entry *entry, struct w_buf *buf)
{
	const enum w_install_form form = entry->host->form;

	w_buf_add_char(buf, '{');
	if (form == W_INSTALL_STDIO) {
		w_buf_add_str(buf, "\"type\":\"stdio\",");
	} else if (form == W_INSTALL_COPILOT) {
		w_buf_add_str(buf, "\"type\":\"local\",\"tools\":[\"*\"],");
	} else if (form == W_INSTALL_OPENCODE) {
		w_buf_add_str(buf, "\"type\":\"local\",\"command\":");
		install_entry_add_args(entry, true, buf);
		w_buf_add_str(buf, ",\"enabled\":true}");
		return;
	} else if (form == W_INSTALL_QWEN) {
		w_buf_add_str(buf, "\"alwaysLoadTools\":true,");
	} else if (form == W_INSTALL_GOOSE) {
		w_buf_add_str(buf, "\"enabled\":true,\"type\":\"stdio\"");
		w_json_add_text_member(buf, "name", entry->name);
		w_buf_add_fmt(buf,
		    ",\"description\":\"Runs commands in a sandbox, by a "
		    "policy\",\"timeout\":%d,",
		    GOOSE_SECONDS);
	}
	w_buf_add_str(
	    buf, form == W_INSTALL_GOOSE ? "\"cmd\":" : "\"command\":");
	w_json_add_text(buf, entry->path);
	w_buf_add_str(buf, ",\"args\":");
	install_entry_add_args(entry, false, buf);
	w_buf_add_char(buf, '}');
}

struct w_client_settings_value
w_install_entry_value(const struct w_install_entry *entry, struct w_buf *json)
{
	install_entry_add_value(entry, json);
	return (struct w_client_settings_value){
	    .path = {entry->host->key, entry->name}, .json = json->data};
}

void
w_install_entry_add_text(const struct w_install_entry *entry, struct w_buf *buf)
{
	W_AUTO_BUF struct w_buf json;
	W_AUTO_BUF struct w_buf none;
	W_AUTO_SPLICE struct w_client_settings_splice splice;
	writ_error err;

	w_buf_init(&json, W_SETTINGS_TEXT_MAX);
	w_buf_init(&none, 1);
	w_client_settings_splice_init(&splice);
	const struct w_client_settings_value value =
	    w_install_entry_value(entry, &json);
	if (w_client_settings_put(
		entry->host->format, &none, &value, &splice, &err) != WRIT_OK)
		buf->failed = true;
	w_buf_add(buf, splice.now.data, splice.now.len);
}

bool
w_install_entry_can_be_written(const struct w_install_entry *entry)
{
	bool is_good = w_utf8_valid(entry->path, strlen(entry->path));

	for (size_t i = 0; i < entry->option_count; i++)
		is_good = is_good && w_utf8_valid(entry->options[i],
					 strlen(entry->options[i]));
	return is_good;
}

/* ---- looking for it ---- */

void
w_install_fail_place(writ_error *err, const char *path, const writ_error *why)
{
	char place[64] = "";

	if (why->line != 0)
		(void)snprintf(place, sizeof(place), ", line %u, column %u",
		    why->line, why->column);
	(void)w_fail(err, why->status, "mcp", 0,
	    "'%.160s'%s: %s; it stays as it is", path, place, why->message);
	if (why->suggestion[0] != '\0')
		w_suggest(err, "%s", why->suggestion);
	else
		w_suggest(err, "--print shows what to add by hand");
}

writ_status
w_install_entry_is_in(const struct w_install_entry *entry, struct w_buf *text,
    bool *out_is_there, writ_error *err)
{
	const struct w_client_settings_value value = {
	    .path = {entry->host->key, entry->name}};

	*out_is_there = false;
	return w_client_settings_find(
	    entry->host->format, text, &value, out_is_there, err);
}

writ_status
w_install_entry_is_there(const struct w_install_entry *entry, const char *path,
    bool *out_is_there, writ_error *err)
{
	const struct w_text_file_kind kind = {
	    .what = "settings", .advice = "is this the right file?"};
	writ_error why;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_SETTINGS_TEXT_MAX);
	*out_is_there = false;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return WRIT_OK;
	writ_status status = w_text_file_read(&kind, path, &text, err);
	if (status != WRIT_OK)
		return status;
	status = w_install_entry_is_in(entry, &text, out_is_there, &why);
	if (status == WRIT_OK)
		return WRIT_OK;
	w_install_fail_place(err, path, &why);
	return status;
}

/* ---- the commands ---- */

bool
w_install_entry_has_command(const struct w_install_entry *entry)
{
	return entry->host->program != NULL &&
	       (!entry->is_project || entry->host->adds_to_project);
}

/* `code --add-mcp` takes an object. */
static int
install_entry_add_object(
    const struct w_install_entry *entry, struct w_words *argv)
{
	W_AUTO_BUF struct w_buf object;

	w_buf_init(&object, W_SETTINGS_TEXT_MAX);
	w_buf_add_fmt(&object, "{\"name\":\"%s\",\"command\":", entry->name);
	w_json_add_text(&object, entry->path);
	w_buf_add_str(&object, ",\"args\":");
	install_entry_add_args(entry, false, &object);
	w_buf_add_char(&object, '}');
	return !object.failed &&
	       w_words_add(argv, "--add-mcp", strlen("--add-mcp")) &&
	       w_words_add(argv, object.data, object.len);
}

static int
install_entry_add_word(struct w_words *argv, const char *word)
{
	return w_words_add(argv, word, strlen(word));
}

static int
install_entry_add_scope(
    const struct w_install_entry *entry, struct w_words *argv)
{
	return !entry->host->adds_to_project ||
	       (install_entry_add_word(argv, "--scope") &&
		   install_entry_add_word(
		       argv, entry->is_project ? "project" : "user"));
}

/* "mcp add [--scope user] NAME [--] WRIT mcp [--] OPTION...": everything after
 * a "--" belongs to the server; for Gemini CLI that is only the options. */
static int
install_entry_add_words(
    const struct w_install_entry *entry, struct w_words *argv)
{
	const bool is_late = strcmp(entry->host->name, "gemini") == 0;
	int is_good = install_entry_add_word(argv, "mcp") &&
		      install_entry_add_word(argv, "add") &&
		      install_entry_add_scope(entry, argv) &&
		      install_entry_add_word(argv, entry->name) &&
		      (is_late || install_entry_add_word(argv, "--")) &&
		      install_entry_add_word(argv, entry->path) &&
		      install_entry_add_word(argv, "mcp");

	if (is_late && entry->option_count > 0)
		is_good = is_good && install_entry_add_word(argv, "--");
	for (size_t i = 0; i < entry->option_count; i++)
		is_good =
		    is_good && install_entry_add_word(argv, entry->options[i]);
	return is_good;
}

writ_status
w_install_entry_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err)
{
	const bool is_object = strcmp(entry->host->name, "vscode") == 0;

	if (install_entry_add_word(out_argv, entry->host->program) &&
	    (is_object ? install_entry_add_object(entry, out_argv)
		       : install_entry_add_words(entry, out_argv)))
		return WRIT_OK;
	return w_fail_nomem(err, "mcp");
}

writ_status
w_install_entry_remove_command(const struct w_install_entry *entry,
    struct w_words *out_argv, writ_error *err)
{
	if (install_entry_add_word(out_argv, entry->host->program) &&
	    install_entry_add_word(out_argv, "mcp") &&
	    install_entry_add_word(out_argv, "remove") &&
	    install_entry_add_scope(entry, out_argv) &&
	    install_entry_add_word(out_argv, entry->name))
		return WRIT_OK;
	return w_fail_nomem(err, "mcp");
}
