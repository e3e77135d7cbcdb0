/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_LIST_STATE_H
#define W_MCP_TOOL_LIST_STATE_H

#include <writ/module.h>

#include "mcp/tools/tool.h"
#include "mcp/tools/tool_list.h"
#include "schema/schema.h"

/* Shared by the files of the tool list. */

enum {
	W_CORE_TOOLS = 9,
	W_FILE_TOOLS = 5, /* after them, where they are wanted */
	W_TOOL_NAME_MAX = 40,
	W_TOOL_LIST_VARIANTS = 4, /* bare, with annotations, with titles, with
				   * schemas of answers */
};

/* Modules with a reference count: a call may outlive a change of the files. */
struct w_mcp_module_set {
	writ_modules *modules;
	size_t users;
};

/* A module as a tool. This struct owns what tool points to. */
struct w_mcp_module_tool {
	struct w_tool tool;
	char name[W_TOOL_NAME_MAX + 1];
	char output_schema[W_TOOL_NAME_MAX + 200];
	char *id;
	char *description;
	char *input_schema;
	bool is_pinned;
	bool has_object; /* its answer is a JSON object */
};

struct w_left_out {
	char *id;
	char *reason;
};

/* A page of tools/list: the inside of its result. */
struct w_tool_list_part {
	char *text;
	size_t len;
};

struct w_tool_list_variant {
	struct w_tool_list_part *pages; /* NULL: not formatted yet */
	size_t count;
};

struct w_tool_check {
	struct w_json *document;
	struct w_schema *schema; /* NULL: not compiled yet */
};

struct w_tool_list {
	struct w_mcp_module_set *full; /* all modules; NULL: not loaded */
	struct w_mcp_module_set
	    *files; /* without the built-in ones; likewise */
	bool is_made;
	bool has_failed;                  /* incomplete, no memory */
	const struct w_tool *exec;        /* by its schema; NULL: unknown yet */
	struct w_mcp_module_tool *extras; /* pinned first, then by name */
	size_t extra_count;
	size_t pinned_count;
	struct w_left_out *left_out;
	size_t left_out_count;
	struct w_tool_list_variant variants[W_TOOL_LIST_VARIANTS];
	struct w_tool_check checks[W_CORE_TOOLS + W_FILE_TOOLS];
	struct w_json *nothing; /* {} */
};

/* The tool list, created on first use; NULL: no memory. */
struct w_tool_list *w_tool_list_get(struct w_mcp *server);

/* Likewise with its modules chosen; NULL also if that failed. */
struct w_tool_list *w_tool_list_make(struct w_mcp *server);

/* How many tools are no modules: the core, and the file tools. */
size_t w_tool_list_fixed(const struct w_mcp *server);

/* Those in list order; place < w_tool_list_fixed(). */
const struct w_tool *w_tool_list_core(struct w_mcp *server, size_t place);

/* All tools in the order of tools/list; NULL after the last. */
const struct w_tool *w_tool_list_at(struct w_mcp *server, size_t place);

/* Holds a reference to the modules. is_full: with the built-in ones. */
writ_status w_mcp_module_set_hold(struct w_mcp *server, bool is_full,
    struct w_mcp_module_set **out_set, writ_error *err);
void w_tool_list_forget_modules(struct w_tool_list *tool_list);
void w_mcp_module_set_release(struct w_mcp_module_set *module_set);

/* tool_list_choice.c: chooses the modules that are tools. Fills extras and
 * left_out; false: no memory for all of them. */
bool w_tool_list_choose(struct w_mcp *server, struct w_tool_list *tool_list);
void w_tool_list_leave_out(struct w_tool_list *tool_list, const char *id,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* tool_list_names.c: names and sorts the chosen ones. */
void w_tool_list_assign_names(
    struct w_mcp *server, struct w_tool_list *tool_list);

/* module_tool.c: builds the tool of a module, except for its final name. */
writ_status w_mcp_module_tool_init(struct w_mcp_module_tool *tool,
    writ_modules *modules, const writ_module *module, writ_error *err);
void w_mcp_module_tool_done(struct w_mcp_module_tool *tool);

/* Likewise: points the tool to the texts of this struct, after it was moved or
 * renamed. */
void w_mcp_module_tool_relink(struct w_mcp_module_tool *tool);

/* Likewise: the name for an id; with has_hash, a unique one. */
void w_mcp_module_tool_name(
    const char *id, bool has_hash, char out[W_TOOL_NAME_MAX + 1]);

/* tool_list_page.c: the JSON of a tool, and of the page with that number. NULL:
 * no memory, or no such page. */
void w_tool_add_json(
    struct w_buf *buf, const struct w_tool *tool, unsigned variant);
const struct w_tool_list_part *w_tool_list_page(
    struct w_mcp *server, unsigned variant, size_t number);
bool w_tool_list_page_after(
    struct w_mcp *server, const char *name, size_t *out_number);
void w_tool_list_variant_done(struct w_tool_list_variant *variant);

/* tool_module_describe.c: the description of a module for callers, as JSON. */
writ_status w_mcp_module_describe(
    struct w_mcp *server, const char *id, struct w_buf *buf, writ_error *err);

/* The variant for a client of that protocol version; has_object: it gets
 * structuredContent. */
unsigned w_tool_list_variant_of(enum w_mcp_version version, bool has_object);

#endif /* W_MCP_TOOL_LIST_STATE_H */
