/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/mcp.h>: what a host does wrong, and several servers in one loop. What
 * clients see is in tests/mcp/host_library.py. */

#include "engine_fixture.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <writ/mcp.h>

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"

/* One round of the loop. */
static void
turn(writ_mcp *mcp)
{
	struct pollfd fds[WRIT_MCP_FDS];

	(void)writ_mcp_prepare(mcp, fds);
	assert_true(poll(fds, WRIT_MCP_FDS, 20) >= 0);
	assert_int_equal(writ_mcp_handle(mcp, fds, NULL), WRIT_OK);
}

static writ_mcp *
open_pair(int *out_client)
{
	int pair[2];
	writ_mcp *mcp = NULL;
	writ_error err = {0};

	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	if (writ_mcp_open(NULL, pair[0], pair[0], &mcp, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	/* It has its own. */
	assert_int_equal(close(pair[0]), 0);
	*out_client = pair[1];
	return mcp;
}

static void
several_servers_are_served_in_one_loop(void **state)
{
	writ_mcp *servers[3];
	int clients[3];
	char text[256];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		servers[i] = open_pair(&clients[i]);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(write(clients[i], PING, strlen(PING)),
		    (ssize_t)strlen(PING));
		turn(servers[i]);
		ssize_t len = read(clients[i], text, sizeof(text) - 1);
		assert_true(len > 0);
		text[len] = '\0';
		assert_non_null(strstr(text, "\"id\":1"));
		assert_non_null(strstr(text, "\"result\":{"));
	}
	for (size_t i = 0; i < 3; i++) {
		assert_false(writ_mcp_is_over(servers[i]));
		assert_int_equal(close(clients[i]), 0);
		while (!writ_mcp_is_over(servers[i]))
			turn(servers[i]);
		/* Nothing happens any more. */
		turn(servers[i]);
		writ_mcp_close(servers[i]);
	}
}

static void
a_server_can_be_closed_at_any_time(void **state)
{
	int client = -1;

	(void)state;
	writ_mcp_close(open_pair(&client));
	assert_int_equal(close(client), 0);
	writ_mcp *mcp = open_pair(&client);
	assert_int_equal(
	    write(client, PING, strlen(PING)), (ssize_t)strlen(PING));
	turn(mcp);
	writ_mcp_close(mcp);
	assert_int_equal(close(client), 0);
	writ_mcp_close(NULL);
}

static void
wrong_options_and_descriptors_are_told(void **state)
{
	writ_mcp_options options = WRIT_MCP_OPTIONS_INIT;
	writ_mcp *mcp = NULL;
	writ_error err = {0};

	(void)state;
	options.shape = "docker";
	assert_int_equal(
	    writ_mcp_open(&options, 0, 1, &mcp, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "'docker'"));
	options.shape = NULL;
	options.expose = "everything";
	assert_int_equal(
	    writ_mcp_open(&options, 0, 1, &mcp, &err), WRIT_E_INVALID);
	options.expose = NULL;
	options.tools = "all";
	assert_int_equal(
	    writ_mcp_open(&options, 0, 1, &mcp, &err), WRIT_E_INVALID);
	options.tools = "files";
	options.cwd = "/no/such/directory";
	assert_int_not_equal(
	    writ_mcp_open(&options, 0, 1, &mcp, &err), WRIT_OK);
	assert_int_equal(writ_mcp_open(NULL, -1, 1, &mcp, &err), WRIT_E_SYSTEM);
	assert_non_null(strstr(err.message, "descriptor -1"));
	assert_int_equal(writ_mcp_serve(NULL, 0, 12345, &err), WRIT_E_SYSTEM);
	assert_null(mcp);
}

#define LIBRARY(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    LIBRARY(several_servers_are_served_in_one_loop),
	    LIBRARY(a_server_can_be_closed_at_any_time),
	    LIBRARY(wrong_options_and_descriptors_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
