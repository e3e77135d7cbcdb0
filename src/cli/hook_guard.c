/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the policy says about an event. The strictest answer to its acts is the
 * answer to all.
 *
 * The tool runs in the agent program, not in writ: an act is judged as a
 * command with no walls around it, unless its text is handed to 'writ run'.
 */

#include "cli/hook_guard.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/policy_page.h"
#include "cli/refusal.h"

#define PATH_SIZE 4096

/* ---- one act ---- */

static enum w_hook_verdict
verdict_of(yyjson_val *decision)
{
	const char *word = w_policy_text(decision, "decision");

	if (word != NULL && strcmp(word, "allow") == 0)
		return W_HOOK_ALLOW;
	return word != NULL && strcmp(word, "ask") == 0 ? W_HOOK_ASK
							: W_HOOK_DENY;
}

/* A no is on record, though nothing was asked of writ itself. */
static void
record_denial(struct w_hook_guard *guard, const writ_request *request,
    yyjson_val *decision)
{
	const char *message = w_policy_text(decision, "message");
	writ_error why;

	(void)w_fail(&why, WRIT_E_DENIED, "policy", 0, "%s",
	    message == NULL ? "denied" : message);
	writ_refuse(guard->engine, request, &why);
}

static void
weigh(struct w_hook_guard *guard, const writ_request *request,
    yyjson_val *decision)
{
	const enum w_hook_verdict verdict = verdict_of(decision);

	if (verdict == W_HOOK_DENY)
		record_denial(guard, request, decision);
	if (guard->reason.len > 0 && verdict <= guard->verdict)
		return;
	guard->verdict = verdict;
	guard->reason.len = 0;
	w_buf_add_str(&guard->reason, "writ: ");
	w_refusal_add_reason(&guard->reason, decision);
}

static bool
is_shell(const struct w_hook_guard *guard)
{
	return guard->event.act_count == 1 &&
	       guard->event.acts[0].deed == W_HOOK_SHELL;
}

bool
w_hook_guard_has_walls(const struct w_hook_guard *guard)
{
	return guard->is_confined && is_shell(guard);
}

static writ_status
judge(struct w_hook_guard *guard, const struct w_hook_act *act, writ_error *err)
{
	writ_request request = WRIT_REQUEST_INIT;
	const char *argv[W_HOOK_ARGV_MAX];
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	w_hook_argv(act, argv);
	if (act->deed == W_HOOK_SHELL)
		request.shell = act->subject;
	else
		request.argv = argv;
	request.cwd = guard->event.cwd;
	request.agent = guard->agent;
	request.session = guard->event.session;
	if (!w_hook_guard_has_walls(guard))
		request.network = WRIT_NETWORK_HOST;
	writ_status status =
	    writ_decide(guard->engine, &request, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	if (doc == NULL)
		return w_fail_nomem(err, "hook");
	weigh(guard, &request, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return WRIT_OK;
}

/* ---- the answer ---- */

static void
add_option(struct w_buf *line, const char *name, const char *value)
{
	if (value == NULL)
		return;
	w_buf_add_fmt(line, " --%s ", name);
	w_words_quote(line, value);
}

/* Not all settings are options of 'writ run'; all are variables. */
static void
add_settings(struct w_buf *line, const writ_config *config)
{
	size_t count = 0;
	const writ_setting *all = writ_config_all(config, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(all[i].origin, "option") != 0)
			continue;
		w_buf_add_fmt(line, "%s=", all[i].env);
		w_words_quote(line, all[i].value);
		w_buf_add_char(line, ' ');
	}
}

/* The same text, run by this very program, which decides once more. */
static writ_status
add_confined(
    const struct w_hook_guard *guard, struct w_buf *line, writ_error *err)
{
	char self[PATH_SIZE];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len <= 0)
		return w_fail(err, WRIT_E_SYSTEM, "hook", errno,
		    "cannot find out which program this is");
	self[len] = '\0';
	add_settings(line, guard->config);
	w_words_quote(line, self);
	w_buf_add_str(line, " run");
	add_option(line, "agent", guard->agent);
	add_option(line, "session", guard->event.session);
	add_option(line, "shell", guard->event.acts[0].subject);
	return line->failed ? w_fail_nomem(err, "hook") : WRIT_OK;
}

static writ_status
check_confined(const struct w_hook_guard *guard, writ_error *err)
{
	if (!guard->is_confined || !is_shell(guard) ||
	    w_hook_can_replace(&guard->event))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "hook", 0,
	    "--confine: the program that this event is from takes no other "
	    "command than its own");
	w_suggest(err, "%s",
	    guard->event.format == W_HOOK_CURSOR
		? "use the hook preToolUse instead"
		: "leave --confine out");
	return WRIT_E_INVALID;
}

/* What has to be asked about, 'writ run' asks itself when it decides. */
static writ_status
settle(struct w_hook_guard *guard, struct w_hook_answer *answer,
    struct w_buf *command, writ_error *err)
{
	answer->verdict = guard->verdict;
	if (guard->is_confined && is_shell(guard) &&
	    guard->verdict != W_HOOK_DENY) {
		writ_status status = add_confined(guard, command, err);

		answer->verdict = W_HOOK_ALLOW;
		answer->command = command->data;
		return status;
	}
	if (guard->verdict == W_HOOK_ASK &&
	    (guard->never_asks || !w_hook_can_ask(&guard->event))) {
		answer->verdict = W_HOOK_DENY;
		w_buf_add_str(&guard->reason,
		    "; a person would have to agree, and is not asked here");
	}
	return WRIT_OK;
}

writ_status
w_hook_guard_answer(
    struct w_hook_guard *guard, struct w_buf *out_answer, writ_error *err)
{
	struct w_hook_answer answer = {.verdict = W_HOOK_DENY};
	W_AUTO_BUF struct w_buf command;

	w_buf_init(&command, W_HOOK_BYTES_MAX);
	writ_status status = check_confined(guard, err);
	for (size_t i = 0; status == WRIT_OK && i < guard->event.act_count; i++)
		status = judge(guard, &guard->event.acts[i], err);
	if (status == WRIT_OK)
		status = settle(guard, &answer, &command, err);
	if (status != WRIT_OK)
		return status;
	answer.reason = guard->reason.data;
	w_hook_answer(out_answer, &guard->event, &answer);
	if (out_answer->failed || guard->reason.failed)
		return w_fail_nomem(err, "hook");
	return WRIT_OK;
}
