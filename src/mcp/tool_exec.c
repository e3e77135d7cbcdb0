/* SPDX-License-Identifier: Apache-2.0 */

/* The tool `exec`: a command, by its words. */

#include <stdlib.h>

#include "base/error.h"
#include "mcp/run_arguments.h"
#include "mcp/runs.h"
#include "mcp/tool.h"

/* What is a key of a request under the same name. */
static const char *const request_keys[] = {
    "argv", "shell", "env", "stdin", "timeout_ms", "sandbox", "network", NULL};

/* What a call has until it was answered. */
struct command {
	writ_draft *draft;
	char *place;
};

static void
free_command(void *ctx)
{
	struct command *command = ctx;

	writ_draft_free(command->draft);
	free(command->place);
	free(command);
}

static const struct w_start start = {
    .answer = w_run_answer,
    .refuse = w_tool_refuse,
    .free = free_command,
};

static writ_status
read_command(struct w_exchange *exchange, yyjson_val *arguments,
    struct command *command, writ_error *err)
{
	writ_status status = writ_draft_new(&command->draft, err);

	if (status == WRIT_OK)
		status = w_run_arguments_request(
		    arguments, request_keys, command->draft, err);
	if (status == WRIT_OK)
		status = w_run_arguments_place(exchange->server, arguments,
		    command->draft, &command->place, err);
	if (status == WRIT_OK)
		status = w_run_arguments_terminal(
		    arguments, writ_draft_request(command->draft), err);
	return status;
}

/* What could not even become a request is in the record too. */
static void
refuse(
    struct w_exchange *exchange, struct command *command, const writ_error *err)
{
	if (command->draft != NULL) {
		writ_request *request = writ_draft_request(command->draft);

		request->agent = exchange->server->options.agent;
		writ_refuse(exchange->server->engine, request, err);
	}
	free_command(command);
	w_tool_refuse(exchange, err, NULL);
}

static void
call(struct w_exchange *exchange, yyjson_val *arguments)
{
	struct command *command = calloc(1, sizeof(*command));
	writ_error err = {0};

	if (command == NULL) {
		(void)w_fail_nomem(&err, "exec");
		w_exchange_fail_with(exchange, &err);
		return;
	}
	if (read_command(exchange, arguments, command, &err) != WRIT_OK) {
		refuse(exchange, command, &err);
		return;
	}
	struct w_run_plan plan = {
	    .start = &start,
	    .request = writ_draft_request(command->draft),
	    .ctx = command,
	    .place = command->place,
	};
	w_run_arguments_plan(arguments, &plan);
	w_run_begin(exchange, &plan);
}

#define TEXT(words) "{\"type\":\"string\",\"description\":\"" words "\"}"
#define NUMBER(min, max, words)                                        \
	"{\"type\":\"integer\",\"minimum\":" #min ",\"maximum\":" #max \
	",\"description\":\"" words "\"}"
#define SWITCH(words) "{\"type\":\"boolean\",\"description\":\"" words "\"}"

static const char input_schema[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"argv\":{\"type\":\"array\",\"items\":{"
    "\"type\":\"string\"},"
    "\"minItems\":1,\"description\":\"program "
    "and arguments, taken "
    "literally\"},"
    "\"shell\":" TEXT(
	"instead of argv: a text for sh, where "
	"allowed") ","
		   "\"cwd\""
		   ":" TEXT(
		       "default:"
		       " the "
		       "session'"
		       "s or "
		       "the "
		       "server'"
		       "s") ","
			    "\"e"
			    "nv"
			    "\":"
			    "{\""
			    "typ"
			    "e\""
			    ":\""
			    "obj"
			    "ect"
			    "\","
			    "\"a"
			    "ddi"
			    "tio"
			    "nal"
			    "Pro"
			    "per"
			    "tie"
			    "s\""
			    ":{"
			    "\"t"
			    "ype"
			    "\":"
			    "\"s"
			    "tri"
			    "ng"
			    "\"}"
			    "},"
			    "\"s"
			    "tdi"
			    "n\""
			    ":" TEXT(
				"all that it "
				"reads") ","
					 "\"stdi"
					 "n_"
					 "open\""
					 ":" SWITCH(
					     "ke"
					     "ep"
					     " s"
					     "td"
					     "in"
					     " o"
					     "pe"
					     "n "
					     "fo"
					     "r "
					     "ru"
					     "n_"
					     "in"
					     "pu"
					     "t") ","
						  "\"timeout_"
						  "ms\":" NUMBER(0,
						      315360000000,
						      "then it is "
						      "killed") ","
								"\"yield"
								"_ms\""
								":" NUMBER(0,
								    600000,
								    "ans"
								    "wer"
								    " '"
								    "run"
								    "nin"
								    "g' "
								    "aft"
								    "er "
								    "thi"
								    "s; "
								    "def"
								    "aul"
								    "t "
								    "200"
								    "00") ","
									  "\"ma"
									  "x_"
									  "byte"
									  "s\""
									  ":" NUMBER(
									      0,
									      1048576,
									      "of output in the answer; default 24576") ","
															"\"pty\":" SWITCH(
															    "run in a terminal") ","
																		 "\"rows\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":4096},"
																		 "\"columns\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":4096},"
																		 "\"session\":" TEXT("a name: cwd and env hold for later calls with it") ",\"sandbox\":" TEXT(
																		     "other profile than the policy's; judged") ","
																								"\"network\":{\"type\":\"string\",\"enum\":[\"default\",\"off\","
																								"\"loopback\",\"host\"]}},\"additionalProperties\":false}";

const struct w_tool w_tool_exec = {
    .name = "exec",
    .title = "Run a command",
    .description =
	"Runs a command inside the policy's sandbox and limits and waits for "
	"it. outcome 'running': go on with run_read, run_input, run_kill. "
	"error denied: do something else; approval_required: a person has to "
	"agree first.",
    .input_schema = input_schema,
    .output_schema = W_TOOL_ANSWER("exec"),
    .hints = W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD,
    .call = call,
};
