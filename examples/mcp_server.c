/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An MCP server in a loop of one's own: it counts the seconds meanwhile, and
 * says so at the end.
 *
 *     cc mcp_server.c $(pkg-config --cflags --libs writ-mcp)
 *     ./a.out [BASE [AGENT]]
 */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <writ/mcp.h>
#include <writ/writ.h>

static int
fail(const writ_error *err)
{
	(void)fprintf(stderr, "mcp_server: %s\n", err->message);
	return writ_status_exit(err->status);
}

int
main(int argc, char **argv)
{
	const struct itimerspec second = {{1, 0}, {1, 0}};
	const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	writ_mcp_options options = WRIT_MCP_OPTIONS_INIT;
	writ_status status = WRIT_OK;
	uint64_t seconds = 0;
	writ_mcp *mcp = NULL;
	writ_error err;

	options.cwd = argc > 1 ? argv[1] : NULL;
	options.agent = argc > 2 ? argv[2] : NULL;
	if (writ_mcp_open(&options, STDIN_FILENO, STDOUT_FILENO, &mcp, &err) !=
	    WRIT_OK)
		return fail(&err);
	(void)timerfd_settime(timer, 0, &second, NULL);
	while (status == WRIT_OK && !writ_mcp_is_over(mcp)) {
		struct pollfd fds[WRIT_MCP_FDS + 1];
		const int wait = writ_mcp_prepare(mcp, fds);
		uint64_t passed = 0;

		fds[WRIT_MCP_FDS] = (struct pollfd){timer, POLLIN, 0};
		if (poll(fds, WRIT_MCP_FDS + 1, wait) < 0 && errno != EINTR)
			break;
		if (read(timer, &passed, sizeof(passed)) > 0)
			seconds += passed;
		status = writ_mcp_handle(mcp, fds, &err);
	}
	writ_mcp_close(mcp);
	(void)close(timer);
	(void)fprintf(
	    stderr, "served for %llu s\n", (unsigned long long)seconds);
	return status == WRIT_OK ? 0 : fail(&err);
}
