/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The pages of tools/list, formatted once per variant: older versions of the
 * protocol describe less of a tool.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/tools/tool_list_state.h"

#define PAGE_BYTES_MAX ((size_t)256 << 20)

unsigned
w_tool_list_variant_of(enum w_mcp_version version, bool has_object)
{
	const struct w_mcp_traits *traits = w_mcp_traits(version);

	if (!traits->has_structured)
		return traits->has_annotations ? 1 : 0;
	return has_object ? 3 : 2;
}

/* readOnlyHint makes the others meaningless. What a client takes to be so
 * anyway is left out: that a tool may destroy, and that it may reach anything.
 */
static void
add_annotations(struct w_buf *buf, unsigned hints)
{
	const bool is_read_only = (hints & W_TOOL_READ_ONLY) != 0;
	const bool is_harmless =
	    !is_read_only && (hints & W_TOOL_DESTRUCTIVE) == 0;
	const bool is_idempotent =
	    !is_read_only && (hints & W_TOOL_IDEMPOTENT) != 0;
	const bool is_closed = (hints & W_TOOL_OPEN_WORLD) == 0;

	if (!is_read_only && !is_harmless && !is_idempotent && !is_closed)
		return;
	w_buf_add_str(buf, ",\"annotations\":{");
	if (is_read_only)
		w_json_add_bool_member(buf, "readOnlyHint", true);
	if (is_harmless)
		w_json_add_bool_member(buf, "destructiveHint", false);
	if (is_idempotent)
		w_json_add_bool_member(buf, "idempotentHint", true);
	if (is_closed)
		w_json_add_bool_member(buf, "openWorldHint", false);
	w_buf_add_char(buf, '}');
}

void
w_tool_add_json(struct w_buf *buf, const struct w_tool *tool, unsigned variant)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "name", tool->name);
	if (variant > 1 && tool->title != NULL)
		w_json_add_text_member(buf, "title", tool->title);
	w_json_add_text_member(buf, "description", tool->description);
	w_buf_add_str(buf, ",\"inputSchema\":");
	w_buf_add_str(buf, tool->input_schema);
	if (variant > 2 && tool->output_schema != NULL) {
		w_buf_add_str(buf, ",\"outputSchema\":");
		w_buf_add_str(buf, tool->output_schema);
	}
	if (variant > 0)
		add_annotations(buf, tool->hints);
	if (variant > 1 && tool->is_vital)
		w_buf_add_str(
		    buf, ",\"_meta\":{\"anthropic/alwaysLoad\":true}");
	w_buf_add_char(buf, '}');
}

/* Where a page begins. The first holds everything important, for clients that
 * ask for no other. */
static size_t
begin_of(const struct w_mcp *server, size_t number)
{
	const struct w_tool_list *tool_list = server->tool_list;
	const size_t fixed = w_tool_list_fixed(server);
	const size_t vital = fixed + tool_list->pinned_count;
	const size_t first = vital > W_MCP_PAGE ? vital : W_MCP_PAGE;

	return number == 0 ? 0 : first + (number - 1) * W_MCP_PAGE;
}

static bool
write_page(struct w_mcp *server, unsigned variant, size_t number,
    struct w_tool_list_part *out_page)
{
	const size_t end = begin_of(server, number + 1);
	const struct w_tool *tool = NULL;
	size_t i = begin_of(server, number);
	struct w_buf buf;

	w_buf_init(&buf, PAGE_BYTES_MAX);
	w_buf_add_str(&buf, "\"tools\":[");
	for (const char *comma = ""; i < end; i++, comma = ",") {
		const struct w_tool *next = w_tool_list_at(server, i);

		if (next == NULL)
			break;
		tool = next;
		w_buf_add_str(&buf, comma);
		w_tool_add_json(&buf, tool, variant);
	}
	w_buf_add_char(&buf, ']');
	if (tool != NULL && w_tool_list_at(server, i) != NULL)
		w_buf_add_fmt(&buf, ",\"nextCursor\":\"after.%s\"", tool->name);
	out_page->text = w_buf_take(&buf, &out_page->len);
	return out_page->text != NULL;
}

static bool
write_variant(
    struct w_mcp *server, struct w_tool_list_variant *variant, unsigned which)
{
	const size_t total =
	    w_tool_list_fixed(server) + server->tool_list->extra_count;
	size_t count = 1;

	while (begin_of(server, count) < total)
		count++;
	variant->pages = calloc(count, sizeof(*variant->pages));
	if (variant->pages == NULL)
		return false;
	variant->count = count;
	for (size_t i = 0; i < count; i++) {
		if (!write_page(server, which, i, &variant->pages[i])) {
			w_tool_list_variant_done(variant);
			return false;
		}
	}
	return true;
}

const struct w_tool_list_part *
w_tool_list_page(struct w_mcp *server, unsigned variant, size_t number)
{
	struct w_tool_list *tool_list = w_tool_list_make(server);

	if (tool_list == NULL)
		return NULL;
	struct w_tool_list_variant *all = &tool_list->variants[variant];

	if (all->pages == NULL && !write_variant(server, all, variant))
		return NULL;
	return number < all->count ? &all->pages[number] : NULL;
}

/* The page after the one that ends with this tool. */
bool
w_tool_list_page_after(
    struct w_mcp *server, const char *name, size_t *out_number)
{
	const struct w_tool_list *tool_list = w_tool_list_make(server);

	for (size_t page = 1; tool_list != NULL; page++) {
		const size_t begin = begin_of(server, page);

		if (w_tool_list_at(server, begin) == NULL)
			return false;
		if (strcmp(w_tool_list_at(server, begin - 1)->name, name) ==
		    0) {
			*out_number = page;
			return true;
		}
	}
	return false;
}

void
w_tool_list_variant_done(struct w_tool_list_variant *variant)
{
	for (size_t i = 0; variant->pages != NULL && i < variant->count; i++)
		free(variant->pages[i].text);
	free(variant->pages);
	*variant = (struct w_tool_list_variant){NULL, 0};
}
