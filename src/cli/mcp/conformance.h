/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CONFORMANCE_H
#define W_CLI_CONFORMANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/mcp/conformance_client.h"
#include "cli/mcp/mcp_args.h"

/*
 * The tests of `writ mcp check`, in order, and their results.
 */

enum w_conformance_state {
	W_CONFORMANCE_PASSED,
	W_CONFORMANCE_SKIPPED, /* the policy forbids it, or nothing to test */
	W_CONFORMANCE_FAILED,
};

enum {
	W_CONFORMANCE_TESTS_MAX = 32,
	W_CONFORMANCE_DETAIL_MAX = 400,
	W_CONFORMANCE_ASKED_MAX = 8,
};

struct w_conformance_result {
	const char *name;
	enum w_conformance_state state;
	char detail[W_CONFORMANCE_DETAIL_MAX];
	uint64_t us; /* duration */
};

struct w_conformance {
	const struct w_mcp_args *args;
	char *const *argv;                          /* of the server */
	struct w_conformance_client client;         /* shared by the tests */
	const char *asked[W_CONFORMANCE_ASKED_MAX]; /* arguments of exec that
						     * the policy asks about */
	size_t asked_count;
	bool is_up;        /* the shared connection is initialized */
	bool has_argv;     /* exec takes argv */
	char killed[40];   /* id of the run that run_kill ended */
	const char *hello; /* arguments by which exec says hello; NULL: exec has
			    * an unknown schema */
	struct w_conformance_result results[W_CONFORMANCE_TESTS_MAX];
	size_t count;
};

/* What a test needs; it is skipped where that is missing. */
enum {
	W_CONFORMANCE_CLIENT = 1, /* the shared connection */
	W_CONFORMANCE_ARGV = 2,   /* exec takes argv: other schemas answer only
				     when the command has ended */
	W_CONFORMANCE_ASKED = 4,  /* the policy asks about something */
};

struct w_conformance_test {
	const char *name;
	unsigned needs;
	void (*run)(struct w_conformance *check);
};

/* All tests, in order; a NULL name ends the list. */
extern const struct w_conformance_test w_conformance_tests[];

/* Records the result of the current test. */
void w_conformance_end(struct w_conformance *check,
    enum w_conformance_state state, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Records a failure: the error, and the last line of the server's log. */
void w_conformance_fail(struct w_conformance *check,
    const struct w_conformance_client *client, const writ_error *err);

/* ---- steps shared by several tests ---- */

/* Starts a server and asks for that protocol version; the server may answer
 * with another one. */
writ_status w_conformance_handshake(struct w_conformance *check,
    struct w_conformance_client *client, const char *version,
    yyjson_val **out_result, writ_error *err);

/* Sends a request over the shared connection. false: the failure was
 * recorded. */
bool w_conformance_ask(struct w_conformance *check, const char *method,
    const char *params, yyjson_val **out_result);

/* Calls a tool over the shared connection; arguments is an object. false: the
 * failure was recorded, or the test was skipped because of the policy. */
bool w_conformance_call_tool(struct w_conformance *check, const char *tool,
    const char *arguments, yyjson_val **out_structured);

/* The code of an error in a tool's result; NULL: not an error. */
const char *w_conformance_error_code(yyjson_val *result);

/* Whether the code means that the policy or a person denied it: then the test
 * is skipped, not failed. */
bool w_conformance_is_forbidden(const char *code);

/* The string of that key; "": none. */
const char *w_conformance_text(yyjson_val *object, const char *key);

/* Arguments of exec for a command that runs for long. */
#define W_CONFORMANCE_LONG_EXEC "{\"argv\":[\"sleep\",\"30\"],\"yield_ms\":0}"

/* ---- the tests, by file ---- */

void w_conformance_test_start(struct w_conformance *check);
void w_conformance_test_versions(struct w_conformance *check);
void w_conformance_test_ping(struct w_conformance *check);
void w_conformance_test_list(struct w_conformance *check);
void w_conformance_test_finish(struct w_conformance *check);
void w_conformance_test_lint(struct w_conformance *check);

void w_conformance_test_exec(struct w_conformance *check);
void w_conformance_test_background(struct w_conformance *check);
void w_conformance_test_cancel(struct w_conformance *check);
void w_conformance_test_form(struct w_conformance *check);

void w_conformance_test_input(struct w_conformance *check);
void w_conformance_test_pty(struct w_conformance *check);

void w_conformance_test_modules(struct w_conformance *check);
void w_conformance_test_policy(struct w_conformance *check);
void w_conformance_test_resources(struct w_conformance *check);

void w_conformance_test_discover(struct w_conformance *check);
void w_conformance_test_stateless(struct w_conformance *check);
void w_conformance_test_stateless_form(struct w_conformance *check);

/* Runs all tests and prints one line on standard error. true: all passed. */
bool w_conformance_run_briefly(const struct w_mcp_args *args);

#endif /* W_CLI_CONFORMANCE_H */
