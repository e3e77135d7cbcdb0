/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Params of the methods about tools, prompts and completion, and schemas of
 * tools. The first byte says which method, the second which version; the rest
 * is the JSON. Each request is answered once with one message, or waits for a
 * run.
 *
 * Nothing is run: a server that is about to end starts nothing, and the policy
 * denies everything.
 */

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"
#include "mcp/tools/tool_list.h"

#define MESSAGE_MAX ((size_t)1 << 20)

static const char *const methods[] = {"tools/list", "tools/call",
    "prompts/list", "prompts/get", "completion/complete"};

static const char *const versions[] = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

static struct w_mcp *server;
static size_t answers;

static void
check_said(void *ctx, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *result = yyjson_obj_get(root, "result");

	(void)ctx;
	CHECK(yyjson_is_obj(root));
	CHECK((result != NULL) != (yyjson_obj_get(root, "error") != NULL));
	answers++;
	yyjson_doc_free(doc);
}

static size_t
say_waiting(void *ctx)
{
	(void)ctx;
	return 0;
}

static void
take(struct w_connection *connection, const char *method, const char *params,
    size_t len)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, MESSAGE_MAX);
	w_buf_add_fmt(&text,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":",
	    method);
	w_buf_add(&text, params, len);
	w_buf_add_char(&text, '}');
	answers = 0;
	w_connection_receive(connection, text.data, text.len);
}

static void
ask(const char *method, const char *version, const char *params, size_t len)
{
	static const struct w_connection_transport transport = {
	    .send = check_said, .waiting = say_waiting};
	struct w_connection connection;
	char hello[200];

	w_connection_open(&connection, server, &transport);
	(void)snprintf(hello, sizeof(hello),
	    "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{"
	    "\"name\":\"x\",\"version\":\"1\"}}",
	    version);
	take(&connection, "initialize", hello, strlen(hello));
	CHECK(answers == 1);
	take(&connection, method, params, len);
	CHECK(answers + connection.by_id.count <= 1);
	w_connection_close(&connection);
}

static void
tell(void *ctx, const char *tool, const char *fault)
{
	(void)ctx;
	CHECK(strcmp(tool, "tool") == 0);
	CHECK(fault[0] != '\0');
}

static void
lint(const char *schema)
{
	const struct w_tool tool = {.name = "tool",
	    .description = "Does it",
	    .input_schema = schema,
	    .output_schema = schema};

	CHECK(w_tool_lint(&tool, tell, NULL));
}

static void
begin(void)
{
	static const struct w_mcp_options options = {.no_audit = true};
	static const char policy[] = "version: 1\ndefault: deny\n";
	static const char first[] = "{\"name\":\"policy_check\","
				    "\"arguments\":{\"argv\":[\"x\"]}}";
	char place[] = "/tmp/writ-fuzz-XXXXXX";
	const int fd = mkstemp(place);

	CHECK(fd >= 0);
	CHECK(write(fd, policy, sizeof(policy) - 1) == sizeof(policy) - 1);
	(void)close(fd);
	CHECK(setenv("WRIT_POLICY", place, 1) == 0);
	CHECK(setenv("WRIT_STATE_DIR", "/dev/null/state", 1) == 0);
	CHECK(setenv("WRIT_CONFIG_DIR", "/dev/null/config", 1) == 0);
	CHECK(setenv("WRIT_CACHE_DIR", "/dev/null/cache", 1) == 0);
	CHECK(setenv("WRIT_SYSTEM_DIR", "/dev/null/system", 1) == 0);
	CHECK(w_mcp_new(&options, &server, NULL) == WRIT_OK);
	server->is_closing = true;
	ask("tools/call", versions[3], first, strlen(first));
	(void)unlink(place);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t count = sizeof(methods) / sizeof(methods[0]);

	if (server == NULL)
		begin();
	if (size < 2)
		return 0;
	char *text = copy_string(data + 2, size - 2);
	const size_t method = data[0] % (count + 1);

	if (method == count)
		lint(text);
	else
		ask(methods[method], versions[data[1] % 4], text, size - 2);
	free(text);
	return 0;
}
