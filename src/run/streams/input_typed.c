/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Standard input that is typed into a terminal.
 *
 * A terminal has no end of file of its own: a character stands for it, once,
 * for the reader of the current line. A program that was switching its terminal
 * mode, or had half a line, misses it. So it is typed again after a while, as
 * long as all input has been read and the command runs: a few times only, since
 * a program that reads single keys takes it for one.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/streams/input.h"

enum {
	ENDS_MAX = 8,
	AGAIN_MS = 50 /* doubled each time */
};

static void
type_eof(struct w_input *input)
{
	if (!w_pty_is_unread(input->slave)) {
		w_input_end(input);
		input->ends++;
	}
	if (input->ends < ENDS_MAX)
		w_loop_arm(input->loop, &input->again,
		    w_now_ns() + ((AGAIN_MS * W_NS_PER_MS) << input->ends));
}

static void
on_again(struct w_timer *timer)
{
	type_eof(W_CONTAINER_OF(timer, struct w_input, again));
}

void
w_input_end_typed(struct w_input *input)
{
	(void)w_loop_modify(input->loop, &input->source, 0);
	w_close(&input->from_fd);
	free(input->data);
	input->data = NULL;
	if (input->has_end)
		type_eof(input);
}

static writ_status
copy_data(struct w_input *input, const writ_request *request, writ_error *err)
{
	if (request->stdin_len == 0)
		return WRIT_OK;
	input->data = malloc(request->stdin_len);
	if (input->data == NULL)
		return w_fail_nomem(err, "stdin");
	memcpy(input->data, request->stdin_data, request->stdin_len);
	input->len = request->stdin_len;
	return WRIT_OK;
}

static writ_status
input_typed_open_file(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err)
{
	writ_status status =
	    w_input_open_file(input, request->stdin_path, scope->cwd_fd, err);

	if (status != WRIT_OK)
		return status;
	input->from_fd = w_take_fd(&input->child_fd);
	if (!w_input_can_pump(input->from_fd))
		return w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "cannot type '%.64s' into a terminal: it is not a plain "
		    "file",
		    request->stdin_path);
	input->data = malloc(W_INPUT_CHUNK);
	return input->data == NULL ? w_fail_nomem(err, "stdin") : WRIT_OK;
}

writ_status
w_input_open_typed(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err)
{
	writ_status status = WRIT_OK;

	input->is_typed = true;
	input->has_end = request->stdin_kind != WRIT_STDIN_PIPE;
	if (request->stdin_kind == WRIT_STDIN_DATA)
		status = copy_data(input, request, err);
	else if (request->stdin_kind == WRIT_STDIN_FILE)
		status = input_typed_open_file(input, request, scope, err);
	if (status != WRIT_OK)
		w_input_close(input);
	return status;
}

writ_status
w_input_started_typed(struct w_input *input, struct w_loop *loop,
    const struct w_pty *pty, writ_error *err)
{
	int error = 0;

	input->slave = pty->slave;
	input->again.fn = on_again;
	input->source.fd = fcntl(pty->master, F_DUPFD_CLOEXEC, W_FD_SAFE);
	if (input->source.fd < 0)
		error = errno;
	else if (input->data != NULL)
		error = w_loop_add(loop, &input->source, EPOLLOUT);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "stdin", error,
		    "cannot watch the keyboard of the command");
	input->loop = loop;
	if (input->data == NULL)
		w_input_end_typed(input);
	return WRIT_OK;
}
