/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CONFORMANCE_CLIENT_H
#define W_CLI_CONFORMANCE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include <yyjson.h>

#include <writ/error.h>

#include "base/buf.h"

struct w_json;

/*
 * An MCP client that starts `writ mcp` and talks to it.
 *
 * The server is this very program, started without the engine: nobody asked for
 * it as a command, and a policy need not let an agent start writ. What the
 * server then runs goes through the engine as usual.
 */
struct w_conformance_client {
	pid_t pid; /* 0: not running */
	int to_fd;
	int from_fd;
	int log_fd;             /* its standard error, a memfd */
	struct w_buf in;        /* received, but not read yet */
	struct w_json *message; /* the latest */
	size_t message_len;     /* in bytes */
	unsigned last_id;
	unsigned forms; /* elicitations received; each was declined at once */
};

/* Starts the server; argv ends with NULL, argv[0] is the path. */
writ_status w_conformance_client_start(
    struct w_conformance_client *client, char *const *argv, writ_error *err);

/* Sends a notification; params is an object. */
writ_status w_conformance_client_notify(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err);

/* Sends a request without waiting; its id is last_id. */
writ_status w_conformance_client_send(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err);

/* Waits for the response to that id: *out_answer is the whole message, borrowed
 * until the next call of these functions. Elicitations are declined. */
writ_status w_conformance_client_wait(struct w_conformance_client *client,
    unsigned id, uint64_t timeout_ms, yyjson_val **out_answer, writ_error *err);

/* Sends a request and waits for *out_result. An error response fails. */
writ_status w_conformance_client_call(struct w_conformance_client *client,
    const char *method, const char *params, yyjson_val **out_result,
    writ_error *err);

/* Closes its input and waits for its exit; kills it after timeout_ms. Returns
 * its exit status; -1: it was killed by a signal. */
int w_conformance_client_stop(
    struct w_conformance_client *client, uint64_t timeout_ms);

/* Frees everything; kills a server that still runs. */
void w_conformance_client_done(struct w_conformance_client *client);

/* Appends the last line of its standard error. */
void w_conformance_client_add_log(
    const struct w_conformance_client *client, struct w_buf *buf);

uint64_t w_conformance_client_now_us(void);

#endif /* W_CLI_CONFORMANCE_CLIENT_H */
