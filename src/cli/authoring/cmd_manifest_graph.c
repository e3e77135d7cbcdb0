/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ manifest graph`: the order of the resources, what each requires, and
 * whom it refreshes. As a table, for Graphviz, or as JSON.
 */

#include "base/error.h"
#include "cli/authoring/cmd_manifest.h"
#include "cli/manifest/fault_page.h"
#include "cli/manifest/loaded_manifest.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"
#include "manifest/library/manifest_library.h"

#define TEXT_MAX ((size_t)1 << 30)

enum {
	INVALID = 1
};

struct manifest_graph_args {
	struct w_fact_args facts;
	const char *file;
	bool is_dot;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "dot", W_TO(FLAG, struct manifest_graph_args, is_dot),
	 .help = "Print it for Graphviz; dashed lines are refreshes."},
	{.name = "json", W_TO(FLAG, struct manifest_graph_args, is_json),
	 .help = "Print a JSON object with the resources in their order."},
	W_FACT_ROWS("Facts", struct manifest_graph_args, facts),
	W_HIERA_ROW(struct manifest_graph_args, facts),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ manifest graph site.yaml",
	 "what is applied when, and who refreshes whom"},
	{"writ manifest graph --dot site.yaml | dot -Tsvg >site.svg",
	 "as a picture"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "it was shown"},
	{"1", "the manifest is not valid; each error was printed"},
	{"2", "wrong usage"},
	{.status = ""},
};

static const char *const headings[] = {
	">N", "RESOURCE", "REQUIRES", "REFRESHED BY", NULL};
/* clang-format on */

/* The resource that a reference leads to; its own name is not that of an
 * alias. */
static const char *
name_of(const struct w_manifest *manifest, const struct w_reference *reference)
{
	return reference->target == W_NO_TARGET
		   ? reference->text
		   : manifest->resources[reference->target].id;
}

/* ---- a table ---- */

static void
add_names(struct w_text_table *table, const struct w_manifest *manifest,
    const struct w_reference_list *list)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	for (size_t i = 0; list != NULL && i < list->count; i++) {
		w_buf_add_str(&text, i > 0 ? ", " : "");
		w_buf_add_str(&text, name_of(manifest, &list->items[i]));
	}
	w_text_table_add(table, text.len == 0 ? "" : text.data);
}

static int
print_table(const struct w_manifest *manifest)
{
	struct w_text_table table;

	w_text_table_init(&table, headings);
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];
		W_AUTO_BUF struct w_buf number;

		w_buf_init(&number, 32);
		w_buf_add_fmt(&number, "%zu", i + 1);
		w_text_table_add(&table, number.data);
		w_text_table_add(&table, resource->id);
		add_names(&table, manifest, &resource->require);
		add_names(&table, manifest, w_resource_subscriptions(resource));
	}
	const int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

/* ---- for Graphviz ---- */

/* In double quotes, which JSON and dot escape alike. */
static void
add_edges(struct w_buf *buf, const struct w_manifest *manifest,
    const struct w_resource *to, const struct w_reference_list *list,
    const char *style)
{
	for (size_t i = 0; list != NULL && i < list->count; i++) {
		w_buf_add_str(buf, "  ");
		w_json_add_path(buf, name_of(manifest, &list->items[i]));
		w_buf_add_str(buf, " -> ");
		w_json_add_path(buf, to->id);
		w_buf_add_str(buf, style);
	}
}

static int
print_dot(const struct w_manifest *manifest)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_buf_add_str(&buf, "digraph manifest {\n  node [shape=box];\n");
	for (size_t i = 0; i < manifest->count; i++) {
		w_buf_add_str(&buf, "  ");
		w_json_add_path(&buf, manifest->resources[i].id);
		w_buf_add_str(&buf, ";\n");
	}
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];

		add_edges(&buf, manifest, resource, &resource->require, ";\n");
		add_edges(&buf, manifest, resource,
		    w_resource_subscriptions(resource), " [style=dashed];\n");
	}
	w_buf_add_str(&buf, "}\n");
	return w_print(&buf);
}

/* ---- for programs ---- */

static void
add_list(struct w_buf *buf, const char *key, const struct w_manifest *manifest,
    const struct w_reference_list *list)
{
	w_buf_add_fmt(buf, ",\"%s\":[", key);
	for (size_t i = 0; list != NULL && i < list->count; i++) {
		w_buf_add_str(buf, i > 0 ? "," : "");
		w_json_add_path(buf, name_of(manifest, &list->items[i]));
	}
	w_buf_add_char(buf, ']');
}

static int
print_json(const struct w_manifest *manifest)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, TEXT_MAX);
	w_buf_add_str(&buf, "{\"resources\":[");
	for (size_t i = 0; i < manifest->count; i++) {
		const struct w_resource *resource = &manifest->resources[i];

		w_buf_add_str(
		    &buf, i > 0 ? ",{\"resource\":" : "{\"resource\":");
		w_json_add_path(&buf, resource->id);
		w_json_add_path_member(&buf, "file", resource->home->file);
		w_buf_add_fmt(&buf, ",\"line\":%u", resource->at.line);
		w_json_add_path_member(&buf, "part_of",
		    resource->parent == W_NO_TARGET
			? NULL
			: manifest->resources[resource->parent].id);
		add_list(&buf, "require", manifest, &resource->require);
		add_list(&buf, "subscribe", manifest,
		    w_resource_subscriptions(resource));
		w_buf_add_char(&buf, '}');
	}
	w_buf_add_str(&buf, "]}\n");
	return w_print(&buf);
}

/* ---- the command ---- */

static int
manifest_graph_show(const struct manifest_graph_args *args)
{
	W_AUTO_LOADED_MANIFEST struct w_loaded_manifest loaded = {.name = NULL};
	writ_error err;
	writ_status status = w_loaded_open(&loaded, args->file, &err);

	if (status == WRIT_OK)
		status = w_loaded_read(&loaded, &args->facts, NULL, &err);
	if (status != WRIT_OK) {
		w_cli_faults_print(
		    &loaded, w_cmd_manifest_graph.name, &err, args->is_json);
		return INVALID;
	}
	if (args->is_json)
		return print_json(loaded.manifest->read);
	return args->is_dot ? print_dot(loaded.manifest->read)
			    : print_table(loaded.manifest->read);
}

static int
manifest_graph_run(int argc, char **argv)
{
	struct manifest_graph_args args = {.file = NULL};
	writ_error err;
	int status =
	    w_cli_command_begin(&w_cmd_manifest_graph, argc, argv, &args);

	if (status < 0 &&
	    (args.file == NULL || (args.is_dot && args.is_json))) {
		(void)w_usage_fail(&w_cmd_manifest_graph, &err, "%s",
		    args.file == NULL ? "no manifest given"
				      : "--dot and --json cannot be used "
					"together");
		status = w_print_failure(
		    &err, args.is_json, w_cmd_manifest_graph.usage_exit);
	} else if (status < 0) {
		status = manifest_graph_show(&args);
	}
	w_cli_facts_done(&args.facts);
	return status;
}

const struct w_cli_command w_cmd_manifest_graph = {
    .name = "manifest graph",
    .summary = "Show the order, and who refreshes whom",
    .usage = "manifest graph [OPTION]... FILE|-",
    .about = "Reads a manifest and lists its resources in the order in which "
	     "they are applied: what each requires, and by whose changes it is "
	     "refreshed. Nothing is run or changed.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(TEXT, struct manifest_graph_args, file)},
    .usage_exit = 2,
    .run = manifest_graph_run,
};
