/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CONFORMANCE_H
#define W_CLI_CONFORMANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/mcp/conformance_client.h"
#include "cli/mcp/mcp_args.h"

/*
 * What `writ mcp check` tries, one after the other, and what came of it.
 */

enum w_conformance_state {
	W_CONFORMANCE_PASSED,
	W_CONFORMANCE_SKIPPED, /* the policy says no, or there is nothing to try
				*/
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
	uint64_t us; /* that it took */
};

struct w_conformance {
	const struct w_mcp_args *args;
	char *const *argv;                          /* of the server */
	struct w_conformance_client client;         /* that the trials share */
	const char *asked[W_CONFORMANCE_ASKED_MAX]; /* arguments of exec that
					       the policy asks about */
	size_t asked_count;
	bool is_up;        /* the shared talk has begun */
	bool has_argv;     /* exec takes argv */
	char killed[40];   /* id of the run that run_kill has ended */
	const char *hello; /* arguments by which exec says hello; NULL:
			      its shape is not known */
	struct w_conformance_result results[W_CONFORMANCE_TESTS_MAX];
	size_t count;
};

struct w_conformance_test {
	const char *name;
	bool needs_client;
	void (*run)(struct w_conformance *check);
};

/* All of them, in their order; ends with a name of NULL. */
extern const struct w_conformance_test w_conformance_tests[];

/* Notes what came of the trial that runs. */
void w_conformance_end(struct w_conformance *check,
    enum w_conformance_state state, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Likewise: fails with an error, and with what the server said last. */
void w_conformance_fail(struct w_conformance *check,
    const struct w_conformance_client *client, const writ_error *err);

/* ---- steps that several trials make ---- */

/* Starts a server; its handshake is of that version, whose answer may be
 * another one. */
writ_status w_conformance_handshake(struct w_conformance *check,
    struct w_conformance_client *client, const char *version,
    yyjson_val **out_result, writ_error *err);

/* Calls a tool over the shared talk: arguments is an object. false: it was
 * noted what is wrong, or that the policy does not let it. */
bool w_conformance_call_tool(struct w_conformance *check, const char *tool,
    const char *arguments, yyjson_val **out_structured);

/* The code of an error in the answer of a tool; NULL: it is none. */
const char *w_conformance_error_code(yyjson_val *result);

/* Whether that code says that the policy, or a person, does not let it: then
 * it does not work because it should not. */
bool w_conformance_is_forbidden(const char *code);

/* The string of that key, or "". */
const char *w_conformance_text(yyjson_val *object, const char *key);

/* Whether exec has its usual shape. The others answer only when the command has
 * ended; then it is noted that the trial is skipped. */
bool w_conformance_has_argv(struct w_conformance *check);

/* Whether the policy asks about something. If not, it is noted that the trial
 * is skipped. */
bool w_conformance_has_asked(struct w_conformance *check);

/* Arguments of exec for something that does not end by itself. */
#define W_CONFORMANCE_LONG_EXEC "{\"argv\":[\"sleep\",\"30\"],\"yield_ms\":0}"

/* ---- the trials, by their files ---- */

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

/* Runs all of them and says in one line on standard error whether they work. */
bool w_conformance_run_briefly(const struct w_mcp_args *args);

#endif /* W_CLI_CONFORMANCE_H */
