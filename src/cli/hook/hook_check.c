/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the policy says about an event. The strictest verdict on its acts is the
 * answer.
 *
 * The tool runs in the agent program, not in writ. So an act is judged as a
 * command without a sandbox, unless its shell string is handed to 'writ run'.
 */

#include "cli/hook/hook_check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/policy/decision_page.h"
#include "cli/run/refusal.h"

#define PATH_SIZE 4096

/* ---- one act ---- */

/* Why no shell runs it; NULL: one does. */
static const char *
syntax_error_of(yyjson_val *decision)
{
	static const char start[] = "syntax error: ";
	const char *reason =
	    w_cli_decision_text(yyjson_obj_get(decision, "reason"), "message");

	return reason != NULL && strncmp(reason, start, strlen(start)) == 0
		   ? reason
		   : NULL;
}

/* Keeps the strictest verdict. A denial is recorded, although writ was not
 * asked to run anything. */
static void
keep_strictest(struct w_hook_check *hook_check, const writ_request *request,
    yyjson_val *decision)
{
	const char *word = w_cli_decision_text(decision, "decision");
	const char *message = w_cli_decision_text(decision, "message");
	enum w_hook_verdict verdict = W_HOOK_DENY;
	writ_error why;

	if (word != NULL && strcmp(word, "allow") == 0)
		verdict = W_HOOK_ALLOW;
	else if (word != NULL && strcmp(word, "ask") == 0)
		verdict = W_HOOK_ASK;
	if (verdict == W_HOOK_DENY) {
		(void)w_fail(&why, WRIT_E_DENIED, "policy", 0, "%s",
		    message == NULL ? "denied" : message);
		writ_refuse(hook_check->engine, request, &why);
	}
	if (hook_check->reason.len > 0 && verdict <= hook_check->verdict)
		return;
	hook_check->verdict = verdict;
	hook_check->reason.len = 0;
	w_buf_add_str(&hook_check->reason, "writ: ");
	/* Nobody needs to be asked about a text that no shell runs. */
	if (verdict == W_HOOK_ASK && syntax_error_of(decision) != NULL) {
		hook_check->verdict = W_HOOK_DENY;
		(void)w_printable_add(
		    &hook_check->reason, syntax_error_of(decision), 0);
		return;
	}
	w_refusal_add_reason(&hook_check->reason, decision);
}

static bool
is_shell(const struct w_hook_check *hook_check)
{
	return hook_check->event.act_count == 1 &&
	       hook_check->event.acts[0].operation == W_HOOK_SHELL;
}

bool
w_hook_check_is_sandboxed(const struct w_hook_check *hook_check)
{
	return hook_check->is_confined && is_shell(hook_check);
}

static writ_status
hook_check_judge(struct w_hook_check *hook_check, const struct w_hook_act *act,
    writ_error *err)
{
	writ_request request = WRIT_REQUEST_INIT;
	const char *argv[W_HOOK_ARGV_MAX];
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	w_hook_argv(act, argv);
	if (act->operation == W_HOOK_SHELL)
		request.shell = act->subject;
	else
		request.argv = argv;
	request.cwd = hook_check->event.cwd;
	request.agent = hook_check->agent;
	request.session = hook_check->event.session;
	if (!w_hook_check_is_sandboxed(hook_check))
		request.network = WRIT_NETWORK_HOST;
	writ_status status =
	    writ_decide(hook_check->engine, &request, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	if (doc == NULL)
		return w_fail_nomem(err, "hook");
	keep_strictest(hook_check, &request, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	return WRIT_OK;
}

/* ---- the answer ---- */

static void
hook_check_add_option(struct w_buf *line, const char *name, const char *value)
{
	if (value == NULL)
		return;
	w_buf_add_fmt(line, " --%s ", name);
	w_words_quote(line, value);
}

/* The same shell string, run by this very program, which decides again. */
static writ_status
add_confined(
    const struct w_hook_check *hook_check, struct w_buf *line, writ_error *err)
{
	char self[PATH_SIZE];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t count = 0;
	const writ_setting *all = writ_config_all(hook_check->config, &count);

	if (len <= 0)
		return w_fail(err, WRIT_E_SYSTEM, "hook", errno,
		    "cannot find out which program this is");
	self[len] = '\0';
	/* 'writ run' has no option for some settings; each has a variable. */
	for (size_t i = 0; i < count; i++) {
		if (strcmp(all[i].origin, "option") != 0)
			continue;
		w_buf_add_fmt(line, "%s=", all[i].env);
		w_words_quote(line, all[i].value);
		w_buf_add_char(line, ' ');
	}
	w_words_quote(line, self);
	w_buf_add_str(line, " run");
	hook_check_add_option(line, "agent", hook_check->agent);
	hook_check_add_option(
	    line, "approval-session", hook_check->event.session);
	hook_check_add_option(line, "shell", hook_check->event.acts[0].subject);
	return line->failed ? w_fail_nomem(err, "hook") : WRIT_OK;
}

static writ_status
check_confined(const struct w_hook_check *hook_check, writ_error *err)
{
	if (!hook_check->is_confined || !is_shell(hook_check) ||
	    w_hook_can_replace(&hook_check->event))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "hook", 0,
	    "--confine: the program that sent this event does not accept "
	    "another command");
	w_suggest(err, "%s",
	    hook_check->event.format == W_HOOK_CURSOR
		? "use the hook preToolUse instead"
		: "leave --confine out");
	return WRIT_E_INVALID;
}

/* A confined command is allowed here: 'writ run' decides again, and asks if it
 * has to. */
static writ_status
hook_check_finish(struct w_hook_check *hook_check, struct w_hook_answer *answer,
    struct w_buf *command, writ_error *err)
{
	answer->verdict = hook_check->verdict;
	if (hook_check->is_confined && is_shell(hook_check) &&
	    hook_check->verdict != W_HOOK_DENY) {
		writ_status status = add_confined(hook_check, command, err);

		answer->verdict = W_HOOK_ALLOW;
		answer->command = command->data;
		return status;
	}
	if (hook_check->verdict == W_HOOK_ASK &&
	    (hook_check->never_asks || !w_hook_can_ask(&hook_check->event))) {
		answer->verdict = W_HOOK_DENY;
		w_buf_add_str(&hook_check->reason,
		    "; a person would have to approve, and is not asked here");
	}
	return WRIT_OK;
}

writ_status
w_hook_check_answer(
    struct w_hook_check *hook_check, struct w_buf *out_answer, writ_error *err)
{
	struct w_hook_answer answer = {.verdict = W_HOOK_DENY};
	W_AUTO_BUF struct w_buf command;

	w_buf_init(&command, W_HOOK_BYTES_MAX);
	writ_status status = check_confined(hook_check, err);
	for (size_t i = 0; status == WRIT_OK && i < hook_check->event.act_count;
	     i++)
		status = hook_check_judge(
		    hook_check, &hook_check->event.acts[i], err);
	if (status == WRIT_OK)
		status = hook_check_finish(hook_check, &answer, &command, err);
	if (status != WRIT_OK)
		return status;
	answer.reason = hook_check->reason.data;
	w_hook_answer(out_answer, &hook_check->event, &answer);
	if (out_answer->failed || hook_check->reason.failed)
		return w_fail_nomem(err, "hook");
	return WRIT_OK;
}
