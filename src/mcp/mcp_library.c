/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/mcp.h>: the server on descriptors of a host. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <writ/mcp.h>

#include "base/auto.h"
#include "base/error.h"
#include "mcp/transport/mcp_stream.h"

#define STAGE "mcp"

enum {
	FIRST_FREE_FD = 3
};

_Static_assert((int)WRIT_MCP_FDS == (int)W_MCP_STREAM_FDS, "one is the other");

struct writ_mcp {
	struct w_mcp_stream stream;
};

/* ---- options ---- */

#define X(name, word) word,
static const char *const shape_words[] = {W_MCP_SHAPE_MAP(X) NULL};
static const char *const tools_words[] = {W_MCP_TOOLS_MAP(X) NULL};
static const char *const expose_words[] = {W_MCP_EXPOSE_MAP(X) NULL};
#undef X

static writ_status
choose(const char *what, const char *word, const char *const *words, int *out,
    writ_error *err)
{
	if (word == NULL)
		return WRIT_OK;
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0) {
			*out = i;
			return WRIT_OK;
		}
	}
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%.64s' is nothing that %s can be", word, what);
}

static writ_status
mcp_library_read(
    const writ_mcp_options *opts, struct w_mcp_options *out, writ_error *err)
{
	writ_mcp_options options = WRIT_MCP_OPTIONS_INIT;
	int shape = W_MCP_SHAPE_POLICY;
	int tools = W_MCP_TOOLS_CORE;
	int expose = W_MCP_EXPOSE_AUTO;

	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	writ_status status =
	    choose("shape", options.shape, shape_words, &shape, err);
	if (status == WRIT_OK)
		status =
		    choose("tools", options.tools, tools_words, &tools, err);
	if (status == WRIT_OK)
		status = choose(
		    "expose", options.expose, expose_words, &expose, err);
	if (status != WRIT_OK)
		return status;
	*out = (struct w_mcp_options){
	    .config = options.config,
	    .agent = options.agent,
	    .cwd = options.cwd,
	    .sandbox = options.sandbox,
	    .shape = (enum w_mcp_shape)shape,
	    .tools = (enum w_mcp_tools)tools,
	    .expose = (enum w_mcp_expose)expose,
	    .pinned = options.pinned,
	    .max_runs = options.max_runs,
	    .yield_ms = options.yield_ms,
	    .output = options.output,
	    .structured = options.structured,
	    .on_notice = options.on_notice,
	    .notice_ctx = options.notice_ctx,
	};
	return WRIT_OK;
}

/* ---- descriptors ---- */

static writ_status
duplicate(int fd, const char *what, int *out_fd, writ_error *err)
{
	*out_fd = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
	return *out_fd >= 0 ? WRIT_OK
			    : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
				  "cannot use descriptor %d as %s", fd, what);
}

/* A host has its own opinion of SIGPIPE. */
static void
begin_quiet(sigset_t *out_before, bool *out_was_pending)
{
	sigset_t pipe_signal;
	sigset_t pending;

	(void)sigemptyset(&pipe_signal);
	(void)sigaddset(&pipe_signal, SIGPIPE);
	(void)sigpending(&pending);
	*out_was_pending = sigismember(&pending, SIGPIPE) == 1;
	(void)pthread_sigmask(SIG_BLOCK, &pipe_signal, out_before);
}

static void
end_quiet(const sigset_t *before, bool was_pending)
{
	static const struct timespec at_once;
	sigset_t pipe_signal;
	sigset_t pending;

	(void)sigemptyset(&pipe_signal);
	(void)sigaddset(&pipe_signal, SIGPIPE);
	(void)sigpending(&pending);
	if (!was_pending && sigismember(&pending, SIGPIPE) == 1)
		(void)sigtimedwait(&pipe_signal, NULL, &at_once);
	(void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- the server ---- */

static writ_status
mcp_library_open(struct w_mcp_stream *stream, const writ_mcp_options *opts,
    int in_fd, int out_fd, writ_error *err)
{
	struct w_mcp_options options;
	W_AUTO_FD int in = -1;
	W_AUTO_FD int out = -1;
	writ_status status = mcp_library_read(opts, &options, err);

	if (status == WRIT_OK)
		status = duplicate(in_fd, "input", &in, err);
	if (status == WRIT_OK)
		status = duplicate(out_fd, "output", &out, err);
	if (status != WRIT_OK)
		return status;
	w_line_writer_own(&in, O_RDONLY);
	status = w_mcp_stream_open(stream, &options, in, out, err);
	if (status != WRIT_OK)
		return status;
	in = -1;
	out = -1;
	return WRIT_OK;
}

writ_status
writ_mcp_open(const writ_mcp_options *opts, int in_fd, int out_fd,
    writ_mcp **out_mcp, writ_error *err)
{
	static const struct w_mcp_stream empty = W_MCP_STREAM_INIT;
	writ_mcp *mcp = malloc(sizeof(*mcp));

	if (mcp == NULL)
		return w_fail_nomem(err, STAGE);
	mcp->stream = empty;
	writ_status status =
	    mcp_library_open(&mcp->stream, opts, in_fd, out_fd, err);
	if (status != WRIT_OK) {
		free(mcp);
		return status;
	}
	*out_mcp = mcp;
	return WRIT_OK;
}

int
writ_mcp_prepare(writ_mcp *mcp, struct pollfd fds[WRIT_MCP_FDS])
{
	return w_mcp_stream_prepare(&mcp->stream, fds);
}

writ_status
writ_mcp_handle(
    writ_mcp *mcp, const struct pollfd fds[WRIT_MCP_FDS], writ_error *err)
{
	sigset_t before;
	bool was_pending;

	if (mcp->stream.is_done)
		return WRIT_OK;
	begin_quiet(&before, &was_pending);
	writ_status status = w_mcp_stream_handle(&mcp->stream, fds, err);
	end_quiet(&before, was_pending);
	return status;
}

bool
writ_mcp_is_over(const writ_mcp *mcp)
{
	return mcp->stream.is_done;
}

void
writ_mcp_close(writ_mcp *mcp)
{
	sigset_t before;
	bool was_pending;

	if (mcp == NULL)
		return;
	begin_quiet(&before, &was_pending);
	w_mcp_stream_close(&mcp->stream);
	end_quiet(&before, was_pending);
	free(mcp);
}

writ_status
writ_mcp_serve(
    const writ_mcp_options *opts, int in_fd, int out_fd, writ_error *err)
{
	writ_mcp *mcp = NULL;
	writ_status status = writ_mcp_open(opts, in_fd, out_fd, &mcp, err);

	while (status == WRIT_OK && !writ_mcp_is_over(mcp)) {
		struct pollfd fds[WRIT_MCP_FDS];
		const int wait = writ_mcp_prepare(mcp, fds);

		if (poll(fds, WRIT_MCP_FDS, wait) < 0 && errno != EINTR)
			status = w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot wait for messages");
		else
			status = writ_mcp_handle(mcp, fds, err);
	}
	writ_mcp_close(mcp);
	return status;
}
