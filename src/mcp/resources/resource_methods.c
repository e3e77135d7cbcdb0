/* SPDX-License-Identifier: Apache-2.0 */

/* resources/list and resources/templates/list, and who may see which
 * resource. */

#include "mcp/resources/resource_methods.h"

#include <string.h>

#include "base/error.h"
#include "data/json.h"
#include "mcp/runs/run_table_state.h"
#include "mcp/server.h"

enum {
	LIST_MAX = 1 << 20,
	RUNS_MAX = 50, /* listed; all can be read */
};

#define JSON "application/json"
#define TEXT "text/plain"

struct resource_methods_entry {
	const char *uri;
	const char *name;
	const char *about;
	const char *type;
};

static const struct resource_methods_entry fixed[] = {
    {"writ://runs", "runs", "Your runs, the newest first", JSON},
    {"writ://audit/tail", "audit-tail",
	"The last 100 records about your runs, as they are in the audit trail",
	JSON},
    {"writ://policy/effective", "policy",
	"The policies that decide what may run", JSON},
};

static const struct resource_methods_entry templates[] = {
    {"writ://run/{id}/stdout{?offset,length}", "run-stdout",
	"What a run has written to its standard output", TEXT},
    {"writ://run/{id}/stderr{?offset,length}", "run-stderr",
	"What a run has written to its standard error", TEXT},
    {"writ://run/{id}/meta", "run-meta",
	"The state or the end of a run: its result object", JSON},
};

/* ---- visibility ---- */

bool
w_mcp_resource_find(struct w_connection *connection,
    const struct w_mcp_resource *resource, struct w_mcp_run **out_run)
{
	*out_run = NULL;
	if (resource->run[0] == '\0')
		return true;
	*out_run = w_mcp_run_find(connection, resource->run);
	return *out_run != NULL;
}

static void
resource_methods_fail_unknown(
    struct w_rpc_request *rpc_request, yyjson_val *uri)
{
	const bool has_code =
	    w_mcp_traits(rpc_request->version)->has_resource_code;
	W_AUTO_BUF struct w_buf data;

	w_buf_init(&data, (size_t)W_MCP_RESOURCE_URI_MAX * 8);
	w_buf_add_str(&data, "{\"uri\":");
	w_json_add_string(&data, yyjson_get_str(uri), yyjson_get_len(uri));
	w_buf_add_char(&data, '}');
	w_rpc_request_fail(rpc_request,
	    has_code ? W_RPC_NO_RESOURCE : W_RPC_PARAMS,
	    data.failed ? NULL : data.data, "there is no such resource");
}

bool
w_mcp_resource_from_params(struct w_rpc_request *rpc_request,
    struct w_mcp_resource *out_resource, struct w_mcp_run **out_run)
{
	yyjson_val *uri = yyjson_obj_get(rpc_request->params, "uri");

	if (!yyjson_is_str(uri)) {
		w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
		    "'uri' has to be a string");
		return false;
	}
	if (!w_mcp_resource_parse_uri(
		yyjson_get_str(uri), yyjson_get_len(uri), out_resource) ||
	    !w_mcp_resource_find(
		rpc_request->connection, out_resource, out_run)) {
		resource_methods_fail_unknown(rpc_request, uri);
		return false;
	}
	return true;
}

/* ---- lists ---- */

struct resource_methods_list {
	struct w_buf buf;
	size_t runs;
};

/* There is only one page, so no cursor is valid. */
static bool
check_cursor(struct w_rpc_request *rpc_request)
{
	yyjson_val *cursor = yyjson_obj_get(rpc_request->params, "cursor");

	if (cursor == NULL || yyjson_is_null(cursor))
		return true;
	w_rpc_request_fail(rpc_request, W_RPC_PARAMS, NULL,
	    "'cursor' is not one of this list: it has one page");
	return false;
}

static void
add_entry(struct w_buf *buf, const char *key,
    const struct resource_methods_entry *entry)
{
	w_buf_add_str(buf, w_buf_last(buf) == '[' ? "{" : ",{");
	w_buf_add_fmt(buf, "\"%s\":\"%s\"", key, entry->uri);
	w_json_add_text_member(buf, "name", entry->name);
	w_json_add_text_member(buf, "description", entry->about);
	w_json_add_text_member(buf, "mimeType", entry->type);
	w_buf_add_char(buf, '}');
}

static void
resource_methods_add_part(struct resource_methods_list *list,
    const struct w_mcp_run *run, const char *part, const char *type)
{
	W_AUTO_BUF struct w_buf uri;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&uri, W_MCP_RESOURCE_URI_MAX);
	w_buf_init(&name, W_MCP_RESOURCE_URI_MAX);
	w_buf_add_fmt(&uri, "writ://run/%s/%s", run->id, part);
	w_buf_add_fmt(&name, "%s-%s", run->id, part);
	const struct resource_methods_entry entry = {
	    uri.data, name.data, run->label, type};
	add_entry(&list->buf, "uri", &entry);
	list->buf.failed = list->buf.failed || uri.failed || name.failed;
}

static void
resource_methods_add_run(void *ctx, struct w_mcp_run *run)
{
	struct resource_methods_list *list = ctx;

	if (list->runs++ >= RUNS_MAX)
		return;
	resource_methods_add_part(list, run, "meta", JSON);
	resource_methods_add_part(list, run, "stdout", TEXT);
	if (w_mcp_run_bytes(run, WRIT_STDERR) > 0)
		resource_methods_add_part(list, run, "stderr", TEXT);
}

static void
resource_methods_reply(
    struct w_rpc_request *rpc_request, struct w_buf *buf, unsigned ttl_ms)
{
	writ_error err;

	w_buf_add_char(buf, ']');
	if (!buf->failed) {
		w_rpc_request_reply_cacheable(
		    rpc_request, buf->data, buf->len, ttl_ms);
		return;
	}
	(void)w_fail_nomem(&err, "resources");
	w_rpc_request_fail_with(rpc_request, &err);
}

void
w_method_resources_list(struct w_rpc_request *rpc_request)
{
	struct resource_methods_list list = {.runs = 0};

	if (!check_cursor(rpc_request))
		return;
	w_buf_init(&list.buf, LIST_MAX);
	w_buf_add_str(&list.buf, "\"resources\":[");
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add_entry(&list.buf, "uri", &fixed[i]);
	w_mcp_runs_each(
	    rpc_request->connection, resource_methods_add_run, &list);
	resource_methods_reply(rpc_request, &list.buf, 0);
	w_buf_done(&list.buf);
}

void
w_method_resources_templates(struct w_rpc_request *rpc_request)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, LIST_MAX);
	if (!check_cursor(rpc_request))
		return;
	w_buf_add_str(&buf, "\"resourceTemplates\":[");
	for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
		add_entry(&buf, "uriTemplate", &templates[i]);
	resource_methods_reply(rpc_request, &buf, W_MCP_TTL_MS);
}
