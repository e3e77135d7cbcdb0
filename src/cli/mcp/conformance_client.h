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
 * The other side of `writ mcp`: starts one and talks to it, as a client does.
 *
 * The server is this very program, started without the engine: it is nobody's
 * command, a policy that lets an agent start writ is none to test with, and
 * what the server then runs goes through the engine like everything else.
 */
struct w_conformance_client {
	pid_t pid; /* 0: there is none */
	int to_fd;
	int from_fd;
	int log_fd;             /* its standard error, in memory */
	struct w_buf in;        /* what has come and was not read yet */
	struct w_json *message; /* the latest */
	size_t message_len;     /* in bytes */
	unsigned last_id;
	unsigned
	    forms; /* that it wanted filled in; each was declined at once */
};

/* Starts it; argv ends with NULL, its first word is the path. */
writ_status w_conformance_client_start(
    struct w_conformance_client *client, char *const *argv, writ_error *err);

/* Sends one message without waiting: params is an object. */
writ_status w_conformance_client_notify(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err);

/* Sends a request without waiting for its answer; its id is last_id. */
writ_status w_conformance_client_send(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err);

/* Waits for the answer to the request of that id: *out_answer is the whole
 * message, borrowed until the next call of these. Forms are declined. */
writ_status w_conformance_client_wait(struct w_conformance_client *client,
    unsigned id, uint64_t timeout_ms, yyjson_val **out_answer, writ_error *err);

/* Both. An answer that is an error fails. *out_result is what it has. */
writ_status w_conformance_client_call(struct w_conformance_client *client,
    const char *method, const char *params, yyjson_val **out_result,
    writ_error *err);

/* Closes its input and waits for its end; after timeout_ms it is killed.
 * Returns its exit status, -1: a signal ended it, or it had to be killed. */
int w_conformance_client_stop(
    struct w_conformance_client *client, uint64_t timeout_ms);

/* Frees it all; what still runs is killed. */
void w_conformance_client_done(struct w_conformance_client *client);

/* Appends the last line that it wrote to its standard error. */
void w_conformance_client_add_log(
    const struct w_conformance_client *client, struct w_buf *buf);

uint64_t w_conformance_client_now_us(void);

#endif /* W_CLI_CONFORMANCE_CLIENT_H */
