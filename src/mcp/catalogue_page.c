/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What tools/list says, written once for each form of it: older versions of the
 * protocol know less about a tool.
 */

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "mcp/catalogue_state.h"

#define PAGE_BYTES_MAX ((size_t)256 << 20)

unsigned
w_tool_form(enum w_mcp_version version)
{
	const struct w_mcp_traits *traits = w_mcp_traits(version);

	return traits->has_structured ? 2 : traits->has_annotations ? 1 : 0;
}

/* For one that only reads the others say nothing. */
static void
add_annotations(struct w_buf *buf, unsigned hints)
{
	const bool is_read_only = (hints & W_TOOL_READ_ONLY) != 0;

	w_buf_add_str(buf, ",\"annotations\":{");
	if (is_read_only)
		w_json_add_bool_member(buf, "readOnlyHint", true);
	else
		w_json_add_bool_member(
		    buf, "destructiveHint", (hints & W_TOOL_DESTRUCTIVE) != 0);
	if (!is_read_only && (hints & W_TOOL_IDEMPOTENT) != 0)
		w_json_add_bool_member(buf, "idempotentHint", true);
	w_json_add_bool_member(
	    buf, "openWorldHint", (hints & W_TOOL_OPEN_WORLD) != 0);
	w_buf_add_char(buf, '}');
}

void
w_tool_add_json(struct w_buf *buf, const struct w_tool *tool, unsigned form)
{
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "name", tool->name);
	if (form > 1 && tool->title != NULL)
		w_json_add_text_member(buf, "title", tool->title);
	w_json_add_text_member(buf, "description", tool->description);
	w_buf_add_str(buf, ",\"inputSchema\":");
	w_buf_add_str(buf, tool->input_schema);
	if (form > 1 && tool->output_schema != NULL) {
		w_buf_add_str(buf, ",\"outputSchema\":");
		w_buf_add_str(buf, tool->output_schema);
	}
	if (form > 0)
		add_annotations(buf, tool->hints);
	w_buf_add_char(buf, '}');
}

/* Where a page begins; the first has all that must not be overlooked by a
 * client that asks for no other. */
static size_t
begin_of(const struct w_catalogue *catalogue, size_t number)
{
	const size_t vital = W_CORE_TOOLS + catalogue->pinned_count;
	const size_t first = vital > W_MCP_PAGE ? vital : W_MCP_PAGE;

	return number == 0 ? 0 : first + (number - 1) * W_MCP_PAGE;
}

static bool
write_page(struct w_mcp *server, unsigned form, size_t number,
    struct w_tools_page *out_page)
{
	const struct w_catalogue *catalogue = server->catalogue;
	const size_t end = begin_of(catalogue, number + 1);
	const struct w_tool *tool = NULL;
	size_t i = begin_of(catalogue, number);
	struct w_buf buf;

	w_buf_init(&buf, PAGE_BYTES_MAX);
	w_buf_add_str(&buf, "\"tools\":[");
	for (const char *comma = ""; i < end; i++, comma = ",") {
		const struct w_tool *next = w_catalogue_at(server, i);

		if (next == NULL)
			break;
		tool = next;
		w_buf_add_str(&buf, comma);
		w_tool_add_json(&buf, tool, form);
	}
	w_buf_add_char(&buf, ']');
	if (tool != NULL && w_catalogue_at(server, i) != NULL)
		w_buf_add_fmt(&buf, ",\"nextCursor\":\"after.%s\"", tool->name);
	out_page->text = w_buf_take(&buf, &out_page->len);
	return out_page->text != NULL;
}

static bool
write_form(struct w_mcp *server, struct w_tools_form *form, unsigned which)
{
	const size_t total = W_CORE_TOOLS + server->catalogue->extra_count;
	size_t count = 1;

	while (begin_of(server->catalogue, count) < total)
		count++;
	form->pages = calloc(count, sizeof(*form->pages));
	if (form->pages == NULL)
		return false;
	form->count = count;
	for (size_t i = 0; i < count; i++) {
		if (!write_page(server, which, i, &form->pages[i])) {
			w_tools_form_done(form);
			return false;
		}
	}
	return true;
}

const struct w_tools_page *
w_catalogue_page(struct w_mcp *server, unsigned form, size_t number)
{
	struct w_catalogue *catalogue = w_catalogue_make(server);

	if (catalogue == NULL)
		return NULL;
	struct w_tools_form *all = &catalogue->forms[form];

	if (all->pages == NULL && !write_form(server, all, form))
		return NULL;
	return number < all->count ? &all->pages[number] : NULL;
}

/* The page that comes after the one that ends with this tool. */
bool
w_catalogue_page_after(
    struct w_mcp *server, const char *name, size_t *out_number)
{
	const struct w_catalogue *catalogue = w_catalogue_make(server);

	for (size_t page = 1; catalogue != NULL; page++) {
		const size_t begin = begin_of(catalogue, page);

		if (w_catalogue_at(server, begin) == NULL)
			return false;
		if (strcmp(w_catalogue_at(server, begin - 1)->name, name) ==
		    0) {
			*out_number = page;
			return true;
		}
	}
	return false;
}

void
w_tools_form_done(struct w_tools_form *form)
{
	for (size_t i = 0; form->pages != NULL && i < form->count; i++)
		free(form->pages[i].text);
	free(form->pages);
	*form = (struct w_tools_form){NULL, 0};
}
