/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_MCP_PAIR_H
#define W_TEST_MCP_PAIR_H

/* A server and a client without a transport: messages to the client are
 * collected, one per line. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mcp/protocol/lifecycle.h"
#include "mcp/protocol/rpc_request.h"
#include "mcp/server.h"

struct talk {
	struct w_mcp *server;
	struct w_connection connection;
	struct w_buf said;
	size_t waiting; /* what the transport reports */
};

/* The requests that "test/hold" keeps, latest last; and how many of them were
 * cancelled. */
enum {
	HELD_MAX = 20000
};
static struct w_rpc_request *held[HELD_MAX];
static size_t held_count;
static size_t cancelled_count;

static inline void
count_cancel(struct w_rpc_request *rpc_request)
{
	(void)rpc_request;
	cancelled_count++;
}

static inline void
hold(struct w_rpc_request *rpc_request)
{
	rpc_request->on_cancel = count_cancel;
	if (held_count < HELD_MAX)
		held[held_count++] = rpc_request;
}

static inline void
say_nothing(struct w_rpc_request *rpc_request)
{
	w_rpc_request_reply(rpc_request, "", 0);
}

static const struct w_method test_methods[] = {
    {"initialize", W_MCP_WITH_HANDSHAKE, w_method_initialize},
    {"logging/setLevel", W_MCP_WITH_HANDSHAKE, w_method_set_level},
    {"ping", W_MCP_WITH_HANDSHAKE, w_method_ping},
    {"server/discover", W_MCP_WITHOUT_HANDSHAKE, w_method_discover},
    {"test/hold", W_MCP_ANY_VERSION, hold},
    {"test/nothing", W_MCP_ANY_VERSION, say_nothing},
    {NULL, 0, NULL},
};

static inline void
hear(void *ctx, const char *json, size_t len)
{
	struct talk *talk = ctx;

	w_buf_add(&talk->said, json, len);
	w_buf_add_char(&talk->said, '\n');
}

static inline size_t
claim_waiting(void *ctx)
{
	return ((struct talk *)ctx)->waiting;
}

static inline void
talk_open(struct talk *talk)
{
	const struct w_mcp_options options = {.no_audit = true};
	const struct w_connection_transport transport = {
	    .ctx = talk, .send = hear, .waiting = claim_waiting};

	*talk = (struct talk){0};
	held_count = 0;
	cancelled_count = 0;
	w_buf_init(&talk->said, 64 * 1024 * 1024);
	assert_int_equal(w_mcp_new(&options, &talk->server, NULL), WRIT_OK);
	talk->server->methods = test_methods;
	w_connection_open(&talk->connection, talk->server, &transport);
}

static inline void
talk_close(struct talk *talk)
{
	w_mcp_free(talk->server);
	w_buf_done(&talk->said);
}

static inline void
forget(struct talk *talk)
{
	w_buf_done(&talk->said);
	w_buf_init(&talk->said, 64 * 1024 * 1024);
}

/* The immediate response to this message. */
static inline const char *
say(struct talk *talk, const char *text)
{
	forget(talk);
	w_connection_receive(&talk->connection, text, strlen(text));
	assert_false(talk->said.failed);
	return talk->said.data;
}

#define ERROR_OF(id, code)                                              \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" #code \
	",\"message\":\""
#define ERROR_WITHOUT_ID(code) \
	"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" #code ",\"message\":\""
#define RESULT_OF(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}\n"

static inline void
assert_begins(const char *text, const char *beginning)
{
	if (strncmp(text, beginning, strlen(beginning)) != 0)
		fail_msg("'%s' does not begin with '%s'", text, beginning);
}

static inline void
assert_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' does not have '%s'", text, part);
}

static inline void
greet(struct talk *talk, const char *version)
{
	char text[256];

	(void)snprintf(text, sizeof(text),
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
	    "\"params\":{\"protocolVersion\":\"%s\",\"capabilities\":{"
	    "\"elicitation\":{}},\"clientInfo\":{\"name\":\"test\","
	    "\"version\":\"1\"}}}",
	    version);
	assert_begins(say(talk, text), "{\"jsonrpc\":\"2.0\",\"id\":0,"
				       "\"result\":{\"protocolVersion\":\"");
}

#define META_OF(version)                                                    \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" version \
	"\",\"io.modelcontextprotocol/clientCapabilities\":{}"

#endif /* W_TEST_MCP_PAIR_H */
