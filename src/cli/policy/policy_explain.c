/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes a decision and shows it: `writ policy explain`, and --explain and
 * --dry-run of other commands.
 */

#include "cli/policy/policy_explain.h"

#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/caller.h"
#include "cli/output/print.h"
#include "cli/output/wrapped_page.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_quote.h"

#define PAGE_MAX ((size_t)64 << 20)

void
w_cli_policy_note(void *ctx, const char *text)
{
	(void)ctx;
	w_print_note("%s", text);
}

static void
add_decision_page(struct w_buf *buf, yyjson_val *decision, int fd)
{
	W_AUTO_FREE char *cwd = getcwd(NULL, 0);
	struct w_policy_quotes quotes = {.file = NULL};
	const struct w_decision_page page = {.buf = buf,
	    .has_colour = w_print_has_colour(fd),
	    .cwd = cwd,
	    .quote = w_cli_policy_quote,
	    .ctx = &quotes};

	w_cli_decision_add(&page, decision);
	w_cli_policy_quotes_done(&quotes);
}

static int
exit_of(yyjson_val *decision)
{
	const char *verdict = w_cli_decision_text(decision, "decision");

	if (verdict != NULL && strcmp(verdict, "allow") == 0)
		return W_POLICY_ALLOWED;
	if (verdict != NULL && strcmp(verdict, "ask") == 0)
		return W_POLICY_ASKED;
	return W_POLICY_DENIED;
}

/* Returns the exit status of the verdict, or -1 after a message. */
static int
policy_explain_show(
    const struct w_cli_policy_explain *what, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	yyjson_val *decision = yyjson_doc_get_root(doc);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, PAGE_MAX);
	if (doc == NULL) {
		w_print_note("out of memory");
		return -1;
	}
	if (!what->is_json)
		add_decision_page(&buf, decision, STDOUT_FILENO);
	const int verdict = exit_of(decision);
	const int status = what->is_json ? w_print_json(json, len)
					 : w_wrapped_page_print(&buf);
	yyjson_doc_free(doc);
	return status == 0 ? verdict : -1;
}

static writ_status
policy_explain_decide(const struct w_cli_policy_explain *what, char **out_json,
    size_t *out_len, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_request request = *what->request;
	writ_engine *engine = NULL;

	options.config = what->config;
	options.door = "cli";
	options.has_terminal =
	    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
	writ_status status = writ_engine_new(&options, &engine, err);
	if (status != WRIT_OK)
		return status;
	if (!what->is_quiet)
		writ_engine_on_notice(engine, w_cli_policy_note, NULL);
	if (!what->is_of_project)
		request.caller = w_cli_caller_of(&request);
	status = writ_decide(engine, &request, out_json, out_len, err);
	writ_engine_free(engine);
	return status;
}

int
w_cli_policy_explain(const struct w_cli_policy_explain *what, int failed_exit)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	writ_error err;

	if (policy_explain_decide(what, &json, &len, &err) != WRIT_OK)
		return w_print_failure(&err, what->is_json,
		    failed_exit == 0 ? writ_status_exit(err.status)
				     : failed_exit);

	const int verdict = policy_explain_show(what, json, len);
	if (verdict >= 0)
		return verdict;
	return failed_exit == 0 ? writ_status_exit(WRIT_E_SYSTEM) : failed_exit;
}

void
w_cli_policy_explain_stderr(const struct w_cli_policy_explain *what)
{
	struct w_cli_policy_explain quietly = *what;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf buf;

	/* The run will print the same notes. */
	quietly.is_quiet = true;
	w_buf_init(&buf, PAGE_MAX);
	if (policy_explain_decide(&quietly, &json, &len, NULL) != WRIT_OK)
		return;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	if (doc != NULL)
		add_decision_page(
		    &buf, yyjson_doc_get_root(doc), STDERR_FILENO);
	yyjson_doc_free(doc);
	(void)w_print_bytes(STDERR_FILENO, buf.data, buf.len);
}
