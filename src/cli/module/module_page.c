/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One module as a page. All its texts come from a file, so all pass
 * w_printable_add().
 */

#include "cli/module/module_page.h"

#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/auto.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/call/call_words.h"
#include "cli/module/module_rows.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"

#define PAGE_MAX     ((size_t)16 << 20)
#define EXAMPLES_MAX 20

struct page {
	const writ_module *module;
	const writ_parameter *parameters;
	size_t count;
	yyjson_val *json; /* the whole module; NULL: not available */
	struct w_buf buf;
	bool has_colour;
};

static void
add_heading(struct page *page, const char *text)
{
	w_buf_add_fmt(&page->buf, "\n%s%s%s\n",
	    page->has_colour ? "\033[1m" : "", text,
	    page->has_colour ? "\033[0m" : "");
}

/* Each line of an untrusted text, indented. */
static void
module_page_add_lines(struct page *page, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		W_AUTO_FREE char *line = strndup(text, len);

		if (line == NULL) {
			page->buf.failed = true;
			return;
		}
		w_buf_add_str(&page->buf, "  ");
		(void)w_printable_add(&page->buf, line, 0);
		w_buf_add_char(&page->buf, '\n');
		text += len + (text[len] == '\n');
	}
}

static bool
has_type(const writ_parameter *parameter, unsigned bit)
{
	return (w_cli_call_types(parameter->type) & bit) != 0;
}

/* "[--max-count INTEGER]", "PATH..." */
static void
add_synopsis_word(struct w_buf *buf, const writ_parameter *parameter)
{
	char name[W_CALL_NAME_MAX];
	const char *more = has_type(parameter, W_CALL_ARRAY) ? "..." : "";

	w_cli_call_name(parameter->name, name);
	w_buf_add_str(buf, parameter->is_required ? " " : " [");
	if (parameter->operand >= 0) {
		for (char *c = name; *c != '\0'; c++)
			*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
		(void)w_printable_add(buf, name, 0);
	} else {
		w_buf_add_str(buf, "--");
		(void)w_printable_add(buf, name, 0);
		if (!has_type(parameter, W_CALL_BOOLEAN))
			w_buf_add_str(buf, " VALUE");
		else if (parameter->is_value_optional)
			w_buf_add_str(buf, "[=VALUE]");
	}
	w_buf_add_str(buf, more);
	w_buf_add_str(buf, parameter->is_required ? "" : "]");
}

/* Required options are listed; all of them would not fit. */
static void
add_synopsis(struct page *page)
{
	struct w_buf *buf = &page->buf;
	bool has_others = false;

	add_heading(page, "Usage");
	w_buf_add_fmt(buf, "  writ call %s", page->module->id);
	for (size_t i = 0; i < page->count; i++)
		has_others |= page->parameters[i].operand < 0 &&
			      !page->parameters[i].is_required;
	w_buf_add_str(buf, has_others ? " [--NAME VALUE]..." : "");
	for (size_t i = 0; i < page->count; i++) {
		if (page->parameters[i].operand < 0 &&
		    page->parameters[i].is_required)
			add_synopsis_word(buf, &page->parameters[i]);
	}
	for (int place = 0; place < (int)page->count; place++) {
		for (size_t i = 0; i < page->count; i++) {
			if (page->parameters[i].operand == place)
				add_synopsis_word(buf, &page->parameters[i]);
		}
	}
	w_buf_add_fmt(buf, "\n  writ call %s '{...}'\n", page->module->id);
}

static void
add_type(struct w_text_table *table, const writ_parameter *parameter)
{
	const bool is_array = has_type(parameter, W_CALL_ARRAY);
	W_AUTO_BUF struct w_buf type;

	w_buf_init(&type, 4096);
	if (parameter->words != NULL)
		w_buf_add_str(&type, parameter->words);
	else if (parameter->is_path)
		w_buf_add_str(&type, "path");
	else if (is_array && parameter->items != NULL)
		w_buf_add_str(&type, parameter->items);
	else
		w_buf_add_str(&type, parameter->type);
	w_buf_add_str(&type, is_array ? "..." : "");
	w_buf_add_str(&type, parameter->is_secret ? ", secret" : "");
	w_text_table_add(table, type.data);
}

/* A flag is shown with its '-'; "-" alone means none. */
static int
print_arguments(const struct page *page)
{
	static const char *const headings[] = {
	    "  NAME", "FLAG", "TYPE", "NEEDED", "DEFAULT", "HELP", NULL};
	struct w_text_table table;

	w_text_table_init(&table, headings);
	for (size_t i = 0; i < page->count; i++) {
		const writ_parameter *parameter = &page->parameters[i];
		char name[W_CALL_NAME_MAX + 4] = "  --";

		if (parameter->operand >= 0)
			name[2] = '\0';
		w_cli_call_name(parameter->name, name + strlen(name));
		w_text_table_add(&table, name);
		w_text_table_add(&table,
		    parameter->operand >= 0 ? "operand" : parameter->flag);
		add_type(&table, parameter);
		w_text_table_add(&table, parameter->is_required ? "yes" : NULL);
		w_text_table_add(&table, parameter->standard);
		w_text_table_add(&table, parameter->help);
	}
	int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

static void
add_example(struct page *page, yyjson_val *example)
{
	const char *title = yyjson_get_str(yyjson_obj_get(example, "title"));
	yyjson_val *inputs = yyjson_obj_get(example, "inputs");
	W_AUTO_FREE char *json =
	    yyjson_is_obj(inputs) ? yyjson_val_write(inputs, 0, NULL) : NULL;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, PAGE_MAX);
	if (title != NULL)
		module_page_add_lines(page, title);
	if (json == NULL)
		return;
	w_buf_add_fmt(&line, "writ call %s ", page->module->id);
	w_words_quote(&line, json);
	module_page_add_lines(page, line.data);
}

static void
module_page_add_examples(struct page *page)
{
	yyjson_val *examples = yyjson_obj_get(page->json, "examples");
	size_t count = yyjson_arr_size(examples);

	if (count == 0)
		return;
	add_heading(page, "Examples");
	for (size_t i = 0; i < count && i < EXAMPLES_MAX; i++)
		add_example(page, yyjson_arr_get(examples, i));
	if (count > EXAMPLES_MAX)
		w_buf_add_fmt(&page->buf, "  ... and %zu more: --json\n",
		    count - EXAMPLES_MAX);
}

static void
add_facts(struct page *page)
{
	const writ_module *module = page->module;

	add_heading(page, "Effects");
	w_buf_add_fmt(&page->buf, "  %s%s%s\n", w_cli_module_effect(module),
	    module->is_idempotent ? ", idempotent" : "",
	    module->requires_approval ? ", to be approved" : "");
	add_heading(page, "Described in");
	w_buf_add_str(&page->buf, "  ");
	if (strcmp(module->tier, "builtin") == 0) {
		w_buf_add_str(&page->buf, "writ itself: it is built in\n");
		return;
	}
	(void)w_printable_add(&page->buf, module->file, 0);
	w_buf_add_fmt(&page->buf, ":%u (%s)\n", module->line, module->tier);
}

static int
module_page_print_page(struct page *page)
{
	const writ_module *module = page->module;

	w_buf_add_fmt(&page->buf, "%s%s%s", page->has_colour ? "\033[1m" : "",
	    module->id, page->has_colour ? "\033[0m" : "");
	if (module->version != NULL) {
		w_buf_add_char(&page->buf, ' ');
		(void)w_printable_add(&page->buf, module->version, 0);
	}
	w_buf_add_char(&page->buf, '\n');
	module_page_add_lines(page, module->description);
	add_heading(page, "Command");
	module_page_add_lines(page, module->command);
	add_synopsis(page);
	if (page->count > 0)
		add_heading(page, "Arguments");
	int status = w_print(&page->buf);
	if (status == 0 && page->count > 0)
		status = print_arguments(page);
	if (status != 0)
		return status;
	page->buf.len = 0;
	module_page_add_examples(page);
	add_facts(page);
	return w_print(&page->buf);
}

static writ_status
module_page_fill(struct page *page, writ_modules *modules, yyjson_doc **out_doc,
    writ_error *err)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	const char *id = page->module->id;
	writ_status status = writ_modules_parameters(
	    modules, id, &page->parameters, &page->count, err);

	if (status == WRIT_OK)
		status = writ_modules_json(modules, id, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	*out_doc = yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW);
	page->json = yyjson_doc_get_root(*out_doc);
	return WRIT_OK;
}

int
w_cli_module_page_print(writ_modules *modules, const writ_module *module)
{
	struct page page = {
	    .module = module, .has_colour = w_print_has_colour(STDOUT_FILENO)};
	yyjson_doc *doc = NULL;
	writ_error err;
	int status;

	w_buf_init(&page.buf, PAGE_MAX);
	if (module_page_fill(&page, modules, &doc, &err) == WRIT_OK)
		status = module_page_print_page(&page);
	else
		status = w_print_failure(&err, false, 1);
	yyjson_doc_free(doc);
	w_buf_done(&page.buf);
	return status;
}

int
w_cli_module_page_names(writ_modules *modules, const writ_module *module)
{
	const writ_parameter *parameters = NULL;
	size_t count = 0;
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, PAGE_MAX);
	if (writ_modules_parameters(
		modules, module->id, &parameters, &count, &err) != WRIT_OK)
		return w_print_failure(&err, false, 1);
	for (size_t i = 0; i < count; i++) {
		char name[W_CALL_NAME_MAX];

		w_cli_call_name(parameters[i].name, name);
		w_buf_add_str(&buf, "--");
		(void)w_printable_add(&buf, name, 0);
		w_buf_add_char(&buf, '\t');
		/* An argument that may be a boolean takes no separate word. */
		(void)w_printable_add(&buf,
		    parameters[i].words != NULL &&
			    !has_type(&parameters[i], W_CALL_BOOLEAN)
			? parameters[i].words
			: "-",
		    0);
		w_buf_add_char(&buf, '\t');
		(void)w_printable_add(&buf, parameters[i].help, 0);
		w_buf_add_char(&buf, '\n');
	}
	return w_print(&buf);
}
