/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_MCP_CHECK_H
#define W_CLI_MCP_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/mcp_args.h"
#include "cli/mcp_talk.h"

/*
 * What `writ mcp check` tries, one after the other, and what came of it.
 */

enum w_mcp_trial_state {
	W_MCP_TRIAL_WORKS,
	W_MCP_TRIAL_SKIPPED, /* the policy says no, or there is nothing to try
			      */
	W_MCP_TRIAL_FAILS,
};

enum {
	W_MCP_TRIALS_MAX = 32,
	W_MCP_TRIAL_DETAIL_MAX = 400,
	W_MCP_ASKED_MAX = 8,
};

struct w_mcp_trial_result {
	const char *name;
	enum w_mcp_trial_state state;
	char detail[W_MCP_TRIAL_DETAIL_MAX];
	uint64_t us; /* that it took */
};

struct w_mcp_check {
	const struct w_mcp_args *args;
	char *const *argv;                  /* of the server */
	struct w_mcp_talk talk;             /* that the trials share */
	const char *asked[W_MCP_ASKED_MAX]; /* arguments of exec that the
					       policy asks about */
	size_t asked_count;
	bool is_up;        /* the shared talk has begun */
	bool has_argv;     /* exec takes argv */
	char killed[40];   /* id of the run that run_kill has ended */
	const char *hello; /* arguments by which exec says hello; NULL:
			      its shape is not known */
	struct w_mcp_trial_result results[W_MCP_TRIALS_MAX];
	size_t count;
};

struct w_mcp_trial {
	const char *name;
	bool needs_talk;
	void (*run)(struct w_mcp_check *check);
};

/* All of them, in their order; ends with a name of NULL. */
extern const struct w_mcp_trial w_mcp_trials[];

/* Notes what came of the trial that runs. */
void w_mcp_trial_end(struct w_mcp_check *check, enum w_mcp_trial_state state,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Likewise: fails with an error, and with what the server said last. */
void w_mcp_trial_fail(struct w_mcp_check *check, const struct w_mcp_talk *talk,
    const writ_error *err);

/* ---- steps that several trials make ---- */

/* Starts a server; its handshake is of that version, whose answer may be
 * another one. */
writ_status w_mcp_trial_handshake(struct w_mcp_check *check,
    struct w_mcp_talk *talk, const char *version, yyjson_val **out_result,
    writ_error *err);

/* Calls a tool over the shared talk: arguments is an object. false: it was
 * noted what is wrong, or that the policy does not let it. */
bool w_mcp_trial_tool(struct w_mcp_check *check, const char *tool,
    const char *arguments, yyjson_val **out_structured);

/* The code of an error in the answer of a tool; NULL: it is none. */
const char *w_mcp_trial_error_code(yyjson_val *result);

/* Whether that code says that the policy, or a person, does not let it: then
 * it does not work because it should not. */
bool w_mcp_trial_is_forbidden(const char *code);

/* The string of that key, or "". */
const char *w_mcp_trial_text(yyjson_val *object, const char *key);

/* Whether exec has its usual shape. The others answer only when the command has
 * ended; then it is noted that the trial is skipped. */
bool w_mcp_trial_has_argv(struct w_mcp_check *check);

/* Whether the policy asks about something. If not, it is noted that the trial
 * is skipped. */
bool w_mcp_trial_has_asked(struct w_mcp_check *check);

/* Arguments of exec for something that does not end by itself. */
#define W_MCP_TRIAL_GOING "{\"argv\":[\"sleep\",\"30\"],\"yield_ms\":0}"

/* ---- the trials, by their files ---- */

void w_mcp_trial_start(struct w_mcp_check *check);
void w_mcp_trial_versions(struct w_mcp_check *check);
void w_mcp_trial_ping(struct w_mcp_check *check);
void w_mcp_trial_list(struct w_mcp_check *check);
void w_mcp_trial_finish(struct w_mcp_check *check);
void w_mcp_trial_lint(struct w_mcp_check *check);

void w_mcp_trial_exec(struct w_mcp_check *check);
void w_mcp_trial_background(struct w_mcp_check *check);
void w_mcp_trial_cancel(struct w_mcp_check *check);
void w_mcp_trial_form(struct w_mcp_check *check);

void w_mcp_trial_input(struct w_mcp_check *check);
void w_mcp_trial_pty(struct w_mcp_check *check);

void w_mcp_trial_modules(struct w_mcp_check *check);
void w_mcp_trial_policy(struct w_mcp_check *check);
void w_mcp_trial_resources(struct w_mcp_check *check);

void w_mcp_trial_discover(struct w_mcp_check *check);
void w_mcp_trial_stateless(struct w_mcp_check *check);
void w_mcp_trial_stateless_form(struct w_mcp_check *check);

/* Runs all of them and says in one line on standard error whether they work. */
bool w_mcp_check_briefly(const struct w_mcp_args *args);

#endif /* W_CLI_MCP_CHECK_H */
