/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_INPUT_H
#define W_RUN_INPUT_H

#include <stdbool.h>

#include <writ/run.h>

#include "os/loop.h"
#include "run/streams/pty.h"

/*
 * The command's standard input. Short data is in the pipe before the command
 * starts; longer data is pumped while it runs. A command that does not read all
 * of it is no error.
 *
 * A confined command never gets a descriptor of a file outside its view: with
 * one it could change the file's mode, times and attributes, or open it again
 * for writing, past every read-only mount. Files are pumped to it, and
 * /dev/null is that of its view. Pipes and sockets are passed on.
 *
 * Into a terminal the bytes are typed, followed by its end-of-file character;
 * see input_typed.c.
 */
struct w_input {
	int child_fd;           /* for the child; closed after its start */
	bool is_borrowed;       /* child_fd is the caller's null_fd */
	bool is_null;           /* a sandbox takes its own /dev/null */
	int from_fd;            /* the file that is pumped; -1: none */
	struct w_source source; /* our end of a pipe */
	struct w_loop *loop;
	char *data;
	size_t len;
	size_t at;
	bool is_given; /* queued in pieces: stays open when all is written */
	bool is_last;  /* end of file follows the pending data */
	bool is_typed; /* source is a copy of a terminal's master */
	bool has_end;  /* end of file follows what is typed */
	int slave;     /* of that terminal, borrowed */
	struct w_timer again; /* types end of file again */
	unsigned ends;        /* how often it was typed */
};

/* Where standard input is opened. */
struct w_input_scope {
	int cwd_fd;  /* base of a relative path */
	int null_fd; /* /dev/null, borrowed */
	bool is_confined;
};

/* Opens what the request names. */
writ_status w_input_open(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err);

/* The child has its copy: closes ours and starts the pump, if any. */
writ_status w_input_started(
    struct w_input *input, struct w_loop *loop, writ_error *err);

/* Writes what fits into the pipe now. 0; EAGAIN: try later; EPIPE: closed. */
int w_input_write(
    struct w_input *input, const char *bytes, size_t len, size_t *out_len);

/*
 * Accepts all of it, or nothing: what does not fit into the pipe is kept here.
 * 0; EAGAIN: data is pending already; EPIPE: closed; ENOMEM.
 */
int w_input_queue(
    struct w_input *input, struct w_loop *loop, const char *bytes, size_t len);

/* Whether data is pending. */
bool w_input_is_waiting(const struct w_input *input);

/* End of file for the command, after the pending data: closes a pipe; types the
 * end-of-file character into a terminal, which stays open. */
void w_input_end(struct w_input *input);

/* Ends the pump and all input. */
void w_input_close(struct w_input *input);

/* input_typed.c: the same for a terminal, which is opened between the two. */
writ_status w_input_open_typed(struct w_input *input,
    const writ_request *request, const struct w_input_scope *scope,
    writ_error *err);
writ_status w_input_started_typed(struct w_input *input, struct w_loop *loop,
    const struct w_pty *pty, writ_error *err);
void w_input_end_typed(struct w_input *input);

/* For input_typed.c. */
writ_status w_input_open_file(
    struct w_input *input, const char *path, int cwd_fd, writ_error *err);
bool w_input_can_pump(int fd);
enum {
	W_INPUT_CHUNK = 65536
};

#endif /* W_RUN_INPUT_H */
