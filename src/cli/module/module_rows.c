/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lists of modules.
 */

#include "cli/module/module_rows.h"

#include <unistd.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/module/module_args.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

#define LISTING_MAX ((size_t)256 << 20)
#define COMMAND_MAX 32  /* columns; one word may be a whole script */
#define NARROW      100 /* columns of a terminal */
#define RED         "31"

const char *
w_cli_module_effect(const writ_module *module)
{
	const bool has_net = module->is_open_world;

	if (module->is_destructive)
		return has_net ? "destructive, net" : "destructive";
	if (module->is_readonly)
		return has_net ? "read, net" : "read";
	/* The library reports a module without annotations by these flags;
	 * it may do anything. */
	if (module->requires_approval && has_net && !module->is_idempotent)
		return "?";
	return has_net ? "write, net" : "write";
}

static void
module_rows_add_command(
    struct w_text_table *table, const char *command, bool is_cut)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, LISTING_MAX);
	if (is_cut)
		(void)w_printable_add(&text, command, COMMAND_MAX);
	else
		w_buf_add_str(&text, command);
	w_text_table_add(table, text.data);
}

/* On a narrow terminal the descriptions need the room of the commands, which
 * say little more than the ids. */
int
w_cli_module_rows_print(const writ_module *const *modules, size_t count)
{
	static const char *const headings[] = {
	    "MODULE", "DOES", "COMMAND", "DESCRIPTION", NULL};
	static const char *const narrow_headings[] = {
	    "MODULE", "DOES", "DESCRIPTION", NULL};
	const size_t columns = w_printable_terminal_columns(STDOUT_FILENO);
	const bool is_narrow = columns > 0 && columns < NARROW;
	struct w_text_table table;

	w_text_table_init(&table, is_narrow ? narrow_headings : headings);
	for (size_t i = 0; i < count; i++) {
		w_text_table_add(&table, modules[i]->id);
		w_text_table_add(&table, w_cli_module_effect(modules[i]));
		if (modules[i]->is_destructive)
			w_text_table_tint(&table, RED);
		if (!is_narrow)
			module_rows_add_command(
			    &table, modules[i]->command, columns > 0);
		w_text_table_add(&table, modules[i]->description);
	}
	int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

int
w_cli_module_rows_ids(const writ_module *const *modules, size_t count)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, LISTING_MAX);
	for (size_t i = 0; i < count; i++)
		w_buf_add_fmt(&buf, "%s\n", modules[i]->id);
	return w_print(&buf);
}

static void
module_rows_add_object(struct w_buf *buf, const writ_module *module)
{
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "id", module->id);
	w_json_add_path_member(buf, "description", module->description);
	w_json_add_path_member(buf, "command", module->command);
	w_json_add_list_member(buf, "tags", module->tags);
	w_json_add_path_member(buf, "version", module->version);
	w_buf_add_str(buf, ",\"annotations\":{");
	w_json_add_bool_member(buf, "readonly", module->is_readonly);
	w_json_add_bool_member(buf, "destructive", module->is_destructive);
	w_json_add_bool_member(buf, "idempotent", module->is_idempotent);
	w_json_add_bool_member(
	    buf, "requires_approval", module->requires_approval);
	w_json_add_bool_member(buf, "open_world", module->is_open_world);
	w_buf_add_char(buf, '}');
	w_json_add_path_member(buf, "file", module->file);
	w_buf_add_fmt(buf, ",\"line\":%u", module->line);
	w_json_add_path_member(buf, "tier", module->tier);
	w_buf_add_char(buf, '}');
}

int
w_cli_module_rows_json(
    const writ_modules *set, const writ_module *const *modules, size_t count)
{
	size_t problem_count = 0;
	const writ_module_problem *problems =
	    writ_modules_problems(set, &problem_count);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, LISTING_MAX);
	w_buf_add_str(&buf, "{\"modules\":[");
	for (size_t i = 0; i < count; i++) {
		w_buf_add_str(&buf, i > 0 ? "," : "");
		module_rows_add_object(&buf, modules[i]);
	}
	w_buf_add_str(&buf, "],\"problems\":[");
	for (size_t i = 0; i < problem_count; i++) {
		w_buf_add_str(&buf, i > 0 ? "," : "");
		w_cli_module_add_problem(&buf, &problems[i]);
	}
	w_buf_add_str(&buf, "]}\n");
	return w_print(&buf);
}
