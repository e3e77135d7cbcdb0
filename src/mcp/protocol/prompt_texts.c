/* SPDX-License-Identifier: Apache-2.0 */

/* The prompts, and the facts that fill them. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "mcp/protocol/prompts.h"
#include "mcp/runs/run_table.h"
#include "mcp/runs/workdirs.h"
#include "mcp/tools/policy_answer.h"
#include "mcp/tools/tool_list_state.h"
#include "mcp/tools/tool_methods.h"

#define FACTS_MAX ((size_t)4 << 20)

/* ---- explain_denial ---- */

static writ_status
prompt_texts_decide(struct w_mcp *server, const char *command,
    writ_draft *draft, struct w_buf *json, writ_error *err)
{
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FACTS_MAX);
	writ_status status =
	    w_words_split(command, strlen(command), &words, err);
	for (size_t i = 0; status == WRIT_OK && i < words.count; i++)
		status = writ_draft_set(draft, "argv", words.items[i], err);
	if (status == WRIT_OK)
		status = w_workdir_apply(server, NULL, NULL, draft, err);
	return status == WRIT_OK
		   ? w_mcp_policy_add_answer(
			 server, writ_draft_request(draft), json, &text, err)
		   : status;
}

static writ_status
write_denial(struct w_rpc_request *rpc_request,
    const char *const values[W_PROMPT_ARGUMENTS], struct w_buf *text,
    writ_error *err)
{
	writ_draft *draft = NULL;
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, FACTS_MAX);
	writ_status status = writ_draft_new(&draft, err);
	if (status == WRIT_OK)
		status = prompt_texts_decide(
		    rpc_request->server, values[0], draft, &json, err);
	writ_draft_free(draft);
	if (status != WRIT_OK)
		return status;
	w_buf_add_fmt(text,
	    "The policy of this machine was asked about the command\n"
	    "\n"
	    "    %s\n"
	    "\n"
	    "and answered\n"
	    "\n"
	    "    %s\n"
	    "\n"
	    "Explain in a few sentences what that means for the user: "
	    "whether it runs, which rule says so and why such a rule "
	    "makes sense, and whether nearest_allowed (if there is one) "
	    "would do instead. Do not look for a way around it: a person "
	    "may change the policy, or approve where the decision is "
	    "'ask'.",
	    values[0], json.data);
	return WRIT_OK;
}

/* ---- summarise_run ---- */

static writ_status
write_summary(struct w_rpc_request *rpc_request,
    const char *const values[W_PROMPT_ARGUMENTS], struct w_buf *text,
    writ_error *err)
{
	struct w_mcp_run *run =
	    w_mcp_run_find(rpc_request->connection, values[0]);

	if (run == NULL) {
		(void)w_fail(err, WRIT_E_NOTFOUND, "run", 0,
		    "there is no run '%.64s'", values[0]);
		w_suggest(err, "see run_list");
		return WRIT_E_NOTFOUND;
	}
	w_buf_add_fmt(text,
	    "The run %s of the command\n\n    %s\n\nhas written this "
	    "(run_read has the rest):\n\n",
	    values[0], run->label);
	w_mcp_run_add_answer(text, run);
	w_buf_add_str(text,
	    "\n\nSummarise for the user what the command did, whether it "
	    "succeeded, and what to do about errors and warnings. Quote only "
	    "lines that matter.");
	return WRIT_OK;
}

/* ---- use_module ---- */

static writ_status
write_use(struct w_rpc_request *rpc_request,
    const char *const values[W_PROMPT_ARGUMENTS], struct w_buf *text,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, FACTS_MAX);
	writ_status status =
	    w_mcp_module_describe(rpc_request->server, values[0], &json, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_fmt(text,
	    "This is the description of the module %s:\n"
	    "\n"
	    "%s\n"
	    "\n"
	    "Call it with the tool module_call (id and arguments)",
	    values[0], json.data);
	if (values[1] != NULL)
		w_buf_add_fmt(text, " to do this: %s", values[1]);
	else
		w_buf_add_str(text, "; first ask the user what it should do.");
	return WRIT_OK;
}

/* clang-format off */
const struct w_prompt w_prompts[] = {
	{"explain_denial", "Explain a decision",
	 "Why the policy allows a command, asks about it or denies it",
	 {{"command", "the command line, quoted as for a shell", true,
	   W_COMPLETE_COMMANDS}},
	 write_denial},
	{"summarise_run", "Summarise a run",
	 "What a command did that was run here",
	 {{"run_id", "its id, as exec and run_list have it", true,
	   W_COMPLETE_RUNS}},
	 write_summary},
	{"use_module", "Use a module",
	 "Call a described command, with its arguments at hand",
	 {{"id", "of the module, as module_search has it", true,
	   W_COMPLETE_MODULES},
	  {"task", "what it should do", false, W_COMPLETE_NOTHING}},
	 write_use},
	{.name = NULL},
};
/* clang-format on */
