/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications about a request before its answer: progress and logging. All of
 * them are optional: a client that does not keep up gets none. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "mcp/protocol/rpc_request_state.h"

enum {
	WORDS_MAX = 200,
	PAUSE_NS = 100 * 1000 * 1000,
};

static bool
is_reading(const struct w_connection *connection)
{
	return connection->transport.waiting(connection->transport.ctx) == 0;
}

void
w_rpc_request_progress(struct w_rpc_request *rpc_request, const char *message)
{
	const uint64_t now = w_mcp_now_ns();

	if (rpc_request->progress_token == NULL ||
	    !is_reading(rpc_request->connection) ||
	    (rpc_request->progress > 0 &&
		now - rpc_request->progress_ns < PAUSE_NS))
		return;

	W_AUTO_BUF struct w_buf params;
	w_buf_init(&params, 16 * 1024);
	w_buf_add_fmt(&params, "\"progressToken\":%s,\"progress\":%" PRIu64,
	    rpc_request->progress_token, rpc_request->progress + 1);
	if (message != NULL) {
		size_t len = strcspn(message, "\r\n");

		if (len > WORDS_MAX)
			len = w_utf8_trim_end(message, WORDS_MAX);
		w_buf_add_str(&params, ",\"message\":");
		w_rpc_add_string(&params, message, len);
	}
	if (params.failed)
		return;
	rpc_request->progress++;
	rpc_request->progress_ns = now;
	w_connection_notify(
	    rpc_request->connection, "notifications/progress", params.data);
}

void
w_rpc_request_log(struct w_rpc_request *rpc_request, enum w_mcp_level level,
    const char *fmt, ...)
{
	char words[512];
	va_list args;

	if (level < rpc_request->log_level ||
	    !is_reading(rpc_request->connection))
		return;
	va_start(args, fmt);
	(void)vsnprintf(words, sizeof(words), fmt, args);
	va_end(args);

	W_AUTO_BUF struct w_buf params;
	w_buf_init(&params, 16 * 1024);
	w_buf_add_fmt(&params, "\"level\":\"%s\",\"logger\":\"writ\",\"data\":",
	    w_mcp_level_word(level));
	w_rpc_add_string(&params, words, strlen(words));
	if (!params.failed)
		w_connection_notify(rpc_request->connection,
		    "notifications/message", params.data);
}
