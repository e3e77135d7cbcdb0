/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_INPUT_H
#define W_RUN_INPUT_H

#include <stdbool.h>

#include <writ/run.h>

#include "os/loop.h"
#include "run/streams/pty.h"

/*
 * The command's standard input. Short data is in the pipe before the command
 * starts; longer data is pumped while it runs. A command that does not read
 * it, or not all of it, is no error.
 *
 * A confined command never gets a descriptor of a file outside its view: with
 * one it could change the file's mode, times and attributes, or open it again
 * for writing, past every read-only mount. Files are pumped to it, and
 * /dev/null is that of its view. Pipes and sockets are passed on.
 *
 * Into a terminal the bytes are typed, and where they end, the character that
 * means so; see input_typed.c.
 */
struct w_input {
	int child_fd;           /* for the child; closed once it has started */
	bool is_borrowed;       /* child_fd is the caller's null_fd */
	bool is_null;           /* a sandbox takes its own /dev/null */
	int from_fd;            /* the file that is pumped; -1: none */
	struct w_source source; /* our end of a pipe */
	struct w_loop *loop;
	char *data;
	size_t len;
	size_t at;
	bool is_given; /* piece by piece: it stays open when all is read */
	bool is_last;  /* the end comes behind what waits */
	bool is_typed; /* source is a copy of a terminal's master */
	bool has_end;  /* what is typed has an end */
	int slave;     /* of that terminal, borrowed */
	struct w_timer again; /* types the end once more */
	unsigned ends;        /* how often it was typed */
};

/* What standard input is opened in. */
struct w_input_scope {
	int cwd_fd;  /* where a relative path starts */
	int null_fd; /* /dev/null, used as it is */
	bool is_confined;
};

/* Opens what the request names. */
writ_status w_input_open(struct w_input *input, const writ_request *request,
    const struct w_input_scope *scope, writ_error *err);

/* The child has its copy: starts the pump if there is one. */
writ_status w_input_started(
    struct w_input *input, struct w_loop *loop, writ_error *err);

/* Writes what the pipe takes now. 0; EAGAIN: try later; EPIPE: closed. */
int w_input_write(
    struct w_input *input, const char *bytes, size_t len, size_t *out_len);

/*
 * Takes all of it, or nothing: what the pipe has no room for waits here. 0;
 * EAGAIN: something waits already; EPIPE: closed; ENOMEM.
 */
int w_input_queue(
    struct w_input *input, struct w_loop *loop, const char *bytes, size_t len);

/* Whether something waits that was given before. */
bool w_input_is_waiting(const struct w_input *input);

/* End of file for the command, behind what waits: of a pipe its end, of a
 * terminal the character for it, after which it goes on. */
void w_input_end(struct w_input *input);

/* The end of the pump, and of all input. */
void w_input_close(struct w_input *input);

/* input_typed.c: the same for a terminal, which comes into being between the
 * two. */
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
