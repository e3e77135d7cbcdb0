/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A small MCP client: one message per line, to the server by a socket and back
 * by a pipe. Requests of the server are declined.
 */

#include "cli/mcp/conformance_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "data/json.h"

#define MESSAGE_MAX ((size_t)16 << 20)
#define DEPTH_MAX   64
#define CALL_MS     20000
#define LOG_MAX     512
#define STEP_MS     1
#define READ_MAX    8192

uint64_t
w_conformance_client_now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- the process ---- */

static int
spawn(struct w_conformance_client *client, char *const *argv, int in_fd,
    int out_fd)
{
	posix_spawn_file_actions_t actions;
	int failure = posix_spawn_file_actions_init(&actions);

	if (failure != 0)
		return failure;
	(void)posix_spawn_file_actions_adddup2(&actions, in_fd, STDIN_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
	failure = posix_spawn_file_actions_adddup2(
	    &actions, client->log_fd, STDERR_FILENO);
	if (failure == 0)
		failure = posix_spawn(
		    &client->pid, argv[0], &actions, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return failure;
}

writ_status
w_conformance_client_start(
    struct w_conformance_client *client, char *const *argv, writ_error *err)
{
	int down[2] = {-1, -1};
	int up[2] = {-1, -1};
	int failure = 0;

	*client = (struct w_conformance_client){
	    .to_fd = -1, .from_fd = -1, .log_fd = -1};
	w_buf_init(&client->in, MESSAGE_MAX);
	client->log_fd = memfd_create("writ-mcp-log", MFD_CLOEXEC);
	if (client->log_fd < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, down) < 0 ||
	    pipe2(up, O_CLOEXEC) < 0)
		failure = errno;
	else
		failure = spawn(client, argv, down[0], up[1]);
	w_close(&down[0]);
	w_close(&up[1]);
	client->to_fd = down[1];
	client->from_fd = up[0];
	if (failure == 0)
		return WRIT_OK;
	client->pid = 0;
	return w_fail(err, WRIT_E_SYSTEM, "mcp", failure,
	    "cannot start '%.64s'", argv[0]);
}

int
w_conformance_client_stop(
    struct w_conformance_client *client, uint64_t timeout_ms)
{
	const uint64_t until =
	    w_conformance_client_now_us() + timeout_ms * 1000;
	int how = 0;

	w_close(&client->to_fd);
	if (client->pid == 0)
		return -1;
	while (waitpid(client->pid, &how, WNOHANG) != client->pid) {
		struct pollfd fd = {.fd = client->from_fd, .events = POLLIN};
		char bytes[READ_MAX];

		if (w_conformance_client_now_us() >= until) {
			(void)kill(client->pid, SIGKILL);
			(void)waitpid(client->pid, NULL, 0);
			client->pid = 0;
			return -1;
		}
		/* What the server still writes is discarded. */
		if (poll(&fd, 1, STEP_MS) > 0 &&
		    read(client->from_fd, bytes, sizeof(bytes)) <= 0)
			w_close(&client->from_fd);
	}
	client->pid = 0;
	return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

void
w_conformance_client_done(struct w_conformance_client *client)
{
	if (client->pid != 0) {
		(void)kill(client->pid, SIGKILL);
		(void)waitpid(client->pid, NULL, 0);
	}
	w_close(&client->to_fd);
	w_close(&client->from_fd);
	w_close(&client->log_fd);
	w_buf_done(&client->in);
	w_json_free(client->message);
	*client = (struct w_conformance_client){
	    .to_fd = -1, .from_fd = -1, .log_fd = -1};
	w_buf_init(&client->in, MESSAGE_MAX);
}

void
w_conformance_client_add_log(
    const struct w_conformance_client *client, struct w_buf *buf)
{
	char text[LOG_MAX];
	const off_t size =
	    client->log_fd < 0 ? 0 : lseek(client->log_fd, 0, SEEK_END);
	const off_t from = size > LOG_MAX ? size - LOG_MAX : 0;
	ssize_t len =
	    size <= 0 ? 0 : pread(client->log_fd, text, sizeof(text), from);

	while (len > 0 && text[len - 1] == '\n')
		len--;
	ssize_t start = len;
	while (start > 0 && text[start - 1] != '\n')
		start--;
	if (len > start)
		w_buf_add(buf, text + start, (size_t)(len - start));
}

/* ---- messages ---- */

static writ_status
send_line(struct w_conformance_client *client, const struct w_buf *line,
    writ_error *err)
{
	size_t at = 0;

	if (line->failed)
		return w_fail_nomem(err, "mcp");
	while (at < line->len) {
		/* A server that is gone must not kill us with SIGPIPE. */
		ssize_t done = send(client->to_fd, line->data + at,
		    line->len - at, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return w_fail(err, WRIT_E_SYSTEM, "mcp", errno,
			    "the server does not read");
		at += (size_t)done;
	}
	return WRIT_OK;
}

writ_status
w_conformance_client_notify(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, MESSAGE_MAX);
	w_buf_add_fmt(&line,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}\n", method,
	    params);
	return send_line(client, &line, err);
}

writ_status
w_conformance_client_send(struct w_conformance_client *client,
    const char *method, const char *params, writ_error *err)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, MESSAGE_MAX);
	w_buf_add_fmt(&line,
	    "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}\n",
	    ++client->last_id, method, params);
	return send_line(client, &line, err);
}

/* Reads what is there. WRIT_E_TIMEOUT: nothing arrived in time. */
static writ_status
read_some(struct w_conformance_client *client, uint64_t until, writ_error *err)
{
	struct pollfd fd = {.fd = client->from_fd, .events = POLLIN};
	const uint64_t now = w_conformance_client_now_us();
	char bytes[READ_MAX];

	if (now >= until)
		return w_fail(
		    err, WRIT_E_TIMEOUT, "mcp", 0, "no answer in time");
	if (poll(&fd, 1, (int)((until - now) / 1000 + 1)) <= 0)
		return WRIT_OK;
	ssize_t len = read(client->from_fd, bytes, sizeof(bytes));
	if (len < 0 && errno == EINTR)
		return WRIT_OK;
	if (len <= 0)
		return w_fail(err, WRIT_E_SYSTEM, "mcp", len < 0 ? errno : 0,
		    "the server has ended");
	w_buf_add(&client->in, bytes, (size_t)len);
	return client->in.failed ? w_fail(err, WRIT_E_PARSE, "mcp", 0,
				       "a message is too long")
				 : WRIT_OK;
}

/* Stores the next message in client->message. */
static writ_status
next_message(
    struct w_conformance_client *client, uint64_t until, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = MESSAGE_MAX, .depth_max = DEPTH_MAX};
	char *end = NULL;

	while ((end = memchr(client->in.data, '\n', client->in.len)) == NULL) {
		writ_status status = read_some(client, until, err);

		if (status != WRIT_OK)
			return status;
	}
	size_t len = (size_t)(end - client->in.data);

	w_json_free(client->message);
	client->message = NULL;
	writ_status status =
	    w_json_read(client->in.data, len, &limits, &client->message, err);
	client->message_len = len;
	client->in.len -= len + 1;
	memmove(client->in.data, end + 1, client->in.len + 1);
	return status;
}

/* A request of the server: elicitations are declined, others are unknown. */
static writ_status
conformance_client_answer(
    struct w_conformance_client *client, yyjson_val *root, writ_error *err)
{
	const char *method = yyjson_get_str(yyjson_obj_get(root, "method"));
	yyjson_val *id = yyjson_obj_get(root, "id");
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, MESSAGE_MAX);
	if (id == NULL)
		return WRIT_OK;
	w_buf_add_str(&line, "{\"jsonrpc\":\"2.0\",\"id\":");
	if (yyjson_is_str(id))
		w_json_add_text(&line, yyjson_get_str(id));
	else
		w_buf_add_fmt(&line, "%lld", (long long)yyjson_get_sint(id));
	if (method != NULL && strcmp(method, "elicitation/create") == 0) {
		client->forms++;
		w_buf_add_str(&line, ",\"result\":{\"action\":\"decline\"}}\n");
	} else {
		w_buf_add_str(&line,
		    ",\"error\":{\"code\":-32601,\"message\":\"unknown "
		    "method\"}}\n");
	}
	return send_line(client, &line, err);
}

writ_status
w_conformance_client_wait(struct w_conformance_client *client, unsigned id,
    uint64_t timeout_ms, yyjson_val **out_answer, writ_error *err)
{
	const uint64_t until =
	    w_conformance_client_now_us() + timeout_ms * 1000;

	for (;;) {
		writ_status status = next_message(client, until, err);

		if (status != WRIT_OK)
			return status;
		yyjson_val *root = w_json_root(client->message);
		yyjson_val *its = yyjson_obj_get(root, "id");

		if (yyjson_obj_get(root, "method") != NULL) {
			status = conformance_client_answer(client, root, err);
			if (status != WRIT_OK)
				return status;
			continue;
		}
		if (!yyjson_is_uint(its) || yyjson_get_uint(its) != id)
			continue;
		*out_answer = root;
		return WRIT_OK;
	}
}

writ_status
w_conformance_client_call(struct w_conformance_client *client,
    const char *method, const char *params, yyjson_val **out_result,
    writ_error *err)
{
	yyjson_val *message = NULL;

	writ_status status =
	    w_conformance_client_send(client, method, params, err);
	if (status == WRIT_OK)
		status = w_conformance_client_wait(
		    client, client->last_id, CALL_MS, &message, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *error = yyjson_obj_get(message, "error");
	const char *text = yyjson_get_str(yyjson_obj_get(error, "message"));
	if (error != NULL)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0, "%lld: %.160s",
		    (long long)yyjson_get_sint(yyjson_obj_get(error, "code")),
		    text == NULL ? "" : text);
	*out_result = yyjson_obj_get(message, "result");
	if (*out_result == NULL)
		return w_fail(err, WRIT_E_PARSE, "mcp", 0,
		    "the answer has neither result nor error");
	return WRIT_OK;
}
