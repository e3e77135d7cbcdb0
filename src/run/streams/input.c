/* SPDX-License-Identifier: Apache-2.0 */

/* Standard input: nothing, given bytes, a file, a descriptor, or a pipe. */

#include "run/streams/input.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "base/auto.h"
#include "os/file.h"

enum {
	MEMORY_MAJOR = 1,
	NULL_MINOR = 3
};

/* Writing to a pipe without a reader raises SIGPIPE, which a library must not
 * deliver to its host; the signal is blocked and consumed. */
static ssize_t
write_quietly(int fd, const char *bytes, size_t len)
{
	const struct timespec at_once = {0};
	sigset_t pipe_only, saved, pending;
	ssize_t n;

	(void)sigemptyset(&pipe_only);
	(void)sigaddset(&pipe_only, SIGPIPE);
	(void)sigpending(&pending);
	(void)pthread_sigmask(SIG_BLOCK, &pipe_only, &saved);
	do {
		n = write(fd, bytes, len);
	} while (n < 0 && errno == EINTR);

	int error = errno;
	if (n < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
		(void)sigtimedwait(&pipe_only, NULL, &at_once);
	(void)pthread_sigmask(SIG_SETMASK, &saved, NULL);
	errno = error;
	return n;
}

int
w_input_write(
    struct w_input *input, const char *bytes, size_t len, size_t *out_len)
{
	*out_len = 0;
	if (input->source.fd < 0)
		return EPIPE;

	ssize_t n = write_quietly(input->source.fd, bytes, len);
	if (n < 0)
		return errno;
	*out_len = (size_t)n;
	return 0;
}

static void
close_child_fd(struct w_input *input)
{
	if (input->is_borrowed)
		input->child_fd = -1;
	w_close(&input->child_fd);
}

void
w_input_close(struct w_input *input)
{
	int fd = input->source.fd;

	close_child_fd(input);
	if (input->loop != NULL) {
		w_loop_remove(input->loop, &input->source);
		w_loop_disarm(input->loop, &input->again);
	}
	input->source.fd = -1;
	w_close(&fd);
	w_close(&input->from_fd);
	free(input->data);
	input->data = NULL;
}

void
w_input_end(struct w_input *input)
{
	size_t len;

	input->is_last = input->is_given && input->data != NULL;
	if (input->is_last)
		return;
	if (!input->is_typed) {
		w_input_close(input);
		return;
	}
	const char end = w_pty_end_char(input->slave);
	(void)w_input_write(input, &end, 1, &len);
}

/* Writes the pending data. true: the rest has to wait. */
static bool
input_push(struct w_input *input)
{
	while (input->at < input->len) {
		size_t n;
		int error = w_input_write(
		    input, input->data + input->at, input->len - input->at, &n);

		if (error == EAGAIN)
			return true;
		if (error != 0)
			return false;
		input->at += n;
	}
	return false;
}

/* Reads the next piece of the file. A read error is the end, as for a pipe
 * whose writer gave up. */
static bool
refill(struct w_input *input)
{
	ssize_t n;

	if (input->from_fd < 0 || input->at < input->len)
		return false;
	do {
		n = read(input->from_fd, input->data, W_INPUT_CHUNK);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	input->at = 0;
	input->len = (size_t)n;
	return true;
}

/* All queued data is in the pipe, which stays open unless it was the last. */
static void
finish_queue(struct w_input *input)
{
	const int fd = input->source.fd;

	if (input->loop != NULL)
		w_loop_remove(input->loop, &input->source);
	/* A terminal still has its timer there. */
	if (!input->is_typed)
		input->loop = NULL;
	input->source.fd = fd;
	free(input->data);
	input->data = NULL;
	if (input->is_last)
		w_input_end(input);
}

/* One piece at a time, so that other runs get their turn. */
static void
on_writable(struct w_source *source, uint32_t events)
{
	struct w_input *input = W_CONTAINER_OF(source, struct w_input, source);

	(void)events;
	if (input_push(input) || refill(input))
		return;
	if (input->is_given && input->at == input->len)
		finish_queue(input);
	else if (input->is_typed)
		w_input_end_typed(input);
	else
		w_input_close(input);
}

bool
w_input_is_waiting(const struct w_input *input)
{
	return input->data != NULL;
}

int
w_input_queue(
    struct w_input *input, struct w_loop *loop, const char *bytes, size_t len)
{
	if (input->source.fd < 0 || input->is_last)
		return EPIPE;
	if (input->data != NULL && input_push(input))
		return EAGAIN;
	finish_queue(input);
	char *copy = malloc(len + 1);
	if (copy == NULL)
		return ENOMEM;
	memcpy(copy, bytes, len);
	input->data = copy;
	input->len = len;
	input->at = 0;
	input->is_given = true;
	if (input_push(input)) {
		/* If the loop cannot watch it, the next call writes the
		 * rest. */
		if (w_loop_add(loop, &input->source, EPOLLOUT) == 0)
			input->loop = loop;
		return 0;
	}
	const bool is_taken = input->at == len;
	finish_queue(input);
	return is_taken ? 0 : EPIPE;
}

static writ_status
open_pipe(struct w_input *input, writ_error *err)
{
	int error = w_fd_pipe(&input->child_fd, &input->source.fd, 0);

	if (error == 0 && fcntl(input->source.fd, F_SETFL, O_NONBLOCK) < 0)
		error = errno;
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "stdin", error,
		    "cannot make a pipe for standard input");
	return WRIT_OK;
}

static writ_status
open_data(struct w_input *input, const writ_request *request, writ_error *err)
{
	writ_status status = open_pipe(input, err);
	if (status != WRIT_OK)
		return status;

	/* The read end is open, so this cannot fail with EPIPE. */
	ssize_t n = request->stdin_len == 0
			? 0
			: write(input->source.fd, request->stdin_data,
			      request->stdin_len);
	size_t done = n < 0 ? 0 : (size_t)n;
	if (done == request->stdin_len) {
		w_close(&input->source.fd);
		return WRIT_OK;
	}
	input->len = request->stdin_len - done;
	input->data = malloc(input->len);
	if (input->data == NULL)
		return w_fail_nomem(err, "stdin");
	memcpy(
	    input->data, (const char *)request->stdin_data + done, input->len);
	return WRIT_OK;
}

writ_status
w_input_open_file(
    struct w_input *input, const char *path, int cwd_fd, writ_error *err)
{
	struct stat st;

	/* Opening a FIFO must not block the engine. */
	input->child_fd =
	    openat(cwd_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (input->child_fd < 0)
		return w_fail(err, WRIT_E_INVALID, "stdin", errno,
		    "cannot read standard input from '%s'", path);
	if (fstat(input->child_fd, &st) == 0 && S_ISDIR(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, "stdin", EISDIR,
		    "cannot read standard input from '%s'", path);
	if (isatty(input->child_fd))
		return w_fail(err, WRIT_E_INVALID, "stdin", 0,
		    "standard input '%s' is a terminal", path);
	int flags = fcntl(input->child_fd, F_GETFL);
	(void)fcntl(input->child_fd, F_SETFL, flags & ~O_NONBLOCK);
	return WRIT_OK;
}

/* Whether reading from the device never blocks. */
static bool
is_device_of_memory(const struct stat *st)
{
	/* null, zero, full, random, urandom */
	static const unsigned minors[] = {NULL_MINOR, 5, 7, 8, 9};

	if (!S_ISCHR(st->st_mode) || major(st->st_rdev) != MEMORY_MAJOR)
		return false;
	for (size_t i = 0; i < sizeof(minors) / sizeof(*minors); i++) {
		if (minor(st->st_rdev) == minors[i])
			return true;
	}
	return false;
}

/* A short file is completely in the pipe before the command starts. */
static writ_status
pump_file(struct w_input *input, writ_error *err)
{
	input->from_fd = input->child_fd;
	input->child_fd = -1;
	writ_status status = open_pipe(input, err);
	if (status != WRIT_OK)
		return status;
	input->data = malloc(W_INPUT_CHUNK);
	if (input->data == NULL)
		return w_fail_nomem(err, "stdin");
	while (refill(input)) {
		if (input_push(input))
			return WRIT_OK;
	}
	w_close(&input->source.fd);
	w_close(&input->from_fd);
	free(input->data);
	input->data = NULL;
	return WRIT_OK;
}

/* Whether all of it can be read without blocking. */
bool
w_input_can_pump(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode) ||
		   is_device_of_memory(&st));
}

static writ_status
confine(struct w_input *input, writ_error *err)
{
	struct stat st;

	if (fstat(input->child_fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "stdin", errno,
		    "cannot look at standard input");
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return WRIT_OK;
	if (S_ISCHR(st.st_mode) &&
	    st.st_rdev == makedev(MEMORY_MAJOR, NULL_MINOR)) {
		input->is_null = true;
		return WRIT_OK;
	}
	if (w_input_can_pump(input->child_fd))
		return pump_file(input, err);
	writ_status status = w_fail(err, WRIT_E_INVALID, "stdin", 0,
	    "standard input of a sandbox cannot be a %s",
	    S_ISDIR(st.st_mode) ? "directory" : "terminal or such a device");
	w_suggest(err, "give it a file, a pipe or a socket");
	return status;
}

static writ_status
open_kind(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err)
{
	switch (request->stdin_kind) {
	case WRIT_STDIN_DATA:
		return open_data(input, request, err);
	case WRIT_STDIN_PIPE:
		return open_pipe(input, err);
	case WRIT_STDIN_FILE:
		return w_input_open_file(
		    input, request->stdin_path, scope->cwd_fd, err);
	case WRIT_STDIN_FD:
		input->child_fd =
		    fcntl(request->stdin_fd, F_DUPFD_CLOEXEC, W_FD_SAFE);
		break;
	case WRIT_STDIN_NULL:
		input->child_fd = scope->null_fd;
		input->is_borrowed = true;
		break;
	}
	if (input->child_fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "stdin", errno,
		    "cannot open standard input");
	return WRIT_OK;
}

writ_status
w_input_open(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err)
{
	*input = (struct w_input){
	    .child_fd = -1,
	    .from_fd = -1,
	    .source = {.fd = -1, .fn = on_writable},
	    .slave = -1,
	};

	if (request->pty)
		return w_input_open_typed(input, request, scope, err);
	writ_status status = open_kind(input, request, scope, err);
	if (status == WRIT_OK && scope->is_confined)
		status = confine(input, err);
	int error = status == WRIT_OK && !input->is_borrowed
			? w_fd_raise(&input->child_fd)
			: 0;
	if (error != 0)
		status = w_fail(err, WRIT_E_SYSTEM, "stdin", error,
		    "cannot open standard input");
	if (status != WRIT_OK)
		w_input_close(input);
	return status;
}

writ_status
w_input_started(struct w_input *input, struct w_loop *loop, writ_error *err)
{
	close_child_fd(input);
	if (input->data == NULL)
		return WRIT_OK;

	int error = w_loop_add(loop, &input->source, EPOLLOUT);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "stdin", error,
		    "cannot watch standard input");
	input->loop = loop;
	return WRIT_OK;
}
