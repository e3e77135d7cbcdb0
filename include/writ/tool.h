/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_TOOL_H
#define WRIT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/engine.h>
#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * The tool that runs commands for an agent, as an object: a name and a schema
 * for the model, and a call with the JSON that the model wrote. The answer is
 * the text that the model reads, and the same facts as JSON for programs. It
 * is the tool `exec` of `writ mcp` without MCP.
 *
 *     writ_tool_new(engine, NULL, &tool, &err);
 *     offer(writ_tool_name(tool), writ_tool_schema(tool));
 *     writ_tool_call(tool, input, strlen(input), &answer, &err);
 *     say(answer.text, answer.is_error);
 *     writ_tool_answer_done(&answer);
 *     writ_tool_free(tool);
 *
 * Who wrote the input is not trusted: it names what runs, and nothing in it
 * chooses the walls. The policy decides, the sandbox holds, and the record has
 * it, as for every request. An input that cannot be a request is recorded too.
 *
 * There are three shapes. What each takes, answers and says is in docs/mcp.md
 * ("Other shapes of exec"):
 *
 *     "argv"   argv or command, cwd, env, stdin, timeout_ms, description;
 *              text: the output, and how it ended unless that is 0;
 *              JSON: that of writ_result_json()
 *     "story"  command, args, cwd beneath the base;
 *              text and JSON: {"stdout","stderr","exit_code"}
 *     "oxios"  mode, command or binary with args, timeout in seconds;
 *              text: the output, the exit code, "Took 1.5s";
 *              JSON: {"stdout","stderr","exit_code","duration_ms"}
 *
 * Output is text: bytes that are no UTF-8 become U+FFFD.
 *
 * Threads: a tool belongs to its engine's thread. It must be freed before its
 * engine, and after its runs.
 */
typedef struct writ_tool writ_tool;

typedef struct writ_tool_options {
	size_t size;       /* set by the initializer; do not touch */
	const char *shape; /* "argv", "story", "oxios"; NULL: what the key
			      exec_shape of the policies says, else "argv" */
	const char *base;  /* where commands run, and beneath which the cwd of
			      "story" has to lie; an existing directory. NULL:
			      the current directory at this call */
	const char *agent; /* whose rules apply; no input can name another.
			      NULL: the policy's default agent */
} writ_tool_options;

/* clang-format off */
#define WRIT_TOOL_OPTIONS_INIT \
	{sizeof(writ_tool_options), NULL, NULL, NULL}
/* clang-format on */

/*
 * Makes a tool. opts may be NULL; its strings are copied. Free *out_tool with
 * writ_tool_free(). Fails with WRIT_E_INVALID (no such shape or directory; a
 * policy that cannot be read, if it has to choose the shape) or _NOMEM.
 */
WRIT_API writ_status writ_tool_new(writ_engine *engine,
    const writ_tool_options *opts, writ_tool **out_tool, writ_error *err);

/* Frees a tool. NULL is allowed. */
WRIT_API void writ_tool_free(writ_tool *tool);

/* What to tell a model: "exec"; a title for people; what it does; the JSON
 * Schema of its input, an object. Static. */
WRIT_API const char *writ_tool_name(const writ_tool *tool);
WRIT_API const char *writ_tool_title(const writ_tool *tool);
WRIT_API const char *writ_tool_description(const writ_tool *tool);
WRIT_API const char *writ_tool_schema(const writ_tool *tool);

/* The shape's word, as in the options. Static. */
WRIT_API const char *writ_tool_shape(const writ_tool *tool);

/* What a call answers. Free what it owns with writ_tool_answer_done(). */
typedef struct writ_tool_answer {
	bool is_error;      /* refused, or it did not end with 0 */
	writ_status status; /* WRIT_OK: it ran. Else why it did not: _INVALID
			       (the input), _DENIED, _APPROVAL, ... */
	char *text;         /* for the model: UTF-8, ends with a NUL */
	size_t text_len;
	char *json; /* for programs: the object of the shape; if it did not
		       run {"error":{...}} as of writ_error_json() */
	size_t json_len;
} writ_tool_answer;

/* Frees the texts and zeroes the answer. A zeroed answer is allowed. */
WRIT_API void writ_tool_answer_done(writ_tool_answer *answer);

/*
 * Checks an input, runs the command and waits for its end; other runs of the
 * engine make progress meanwhile. Whatever the input is, there is an answer:
 * it fails only with WRIT_E_NOMEM, and then *out_answer is untouched.
 */
WRIT_API writ_status writ_tool_call(writ_tool *tool, const char *input,
    size_t len, writ_tool_answer *out_answer, writ_error *err);

/*
 * The same without waiting, for a host with a loop. on_answer is called once:
 * from writ_engine_dispatch() when the command has ended, or from here if
 * nothing was started (then *out_job is NULL). It owns the answer, and may
 * start further calls; it must not free the tool. *out_job (may be NULL) can
 * be cancelled: see writ_start(). If this fails, with WRIT_E_NOMEM, on_answer
 * is not called.
 */
typedef void (*writ_tool_answer_fn)(void *ctx, writ_tool_answer *answer);
WRIT_API writ_status writ_tool_start(writ_tool *tool, const char *input,
    size_t len, writ_tool_answer_fn on_answer, void *ctx, writ_job **out_job,
    writ_error *err);

/*
 * The three steps of a call, for a host that queues, asks or streams by itself
 * (`writ mcp` does):
 *
 *     writ_tool_check(tool, input, len, &run, &err)
 *     writ_start(engine, writ_tool_run_request(run), ...)
 *     writ_tool_run_answer(run, result, NULL, &answer, &err)
 *  or writ_tool_run_refuse(run, &err, &answer, &err)
 *     writ_tool_run_free(run)
 */
typedef struct writ_tool_run writ_tool_run;

/* Checks an input. On WRIT_OK the call is ready; free it with
 * writ_tool_run_free(). WRIT_E_INVALID: err->message is the text to answer
 * with, and the refusal is recorded. */
WRIT_API writ_status writ_tool_check(writ_tool *tool, const char *input,
    size_t len, writ_tool_run **out_run, writ_error *err);
WRIT_API void writ_tool_run_free(writ_tool_run *run);

/* The request to run. Borrowed; callbacks and the like may be filled in. */
WRIT_API writ_request *writ_tool_run_request(writ_tool_run *run);

/* What an answer shows of the output, if not all that the result has. */
typedef struct writ_tool_shown {
	const char *text[2]; /* by writ_stream; UTF-8 */
	size_t len[2];
	bool is_cut; /* something is left out: the JSON then has the run_id */
} writ_tool_shown;

/* The answer to a run that has ended. shown may be NULL. Fails with
 * WRIT_E_NOMEM. */
WRIT_API writ_status writ_tool_run_answer(const writ_tool_run *run,
    const writ_result *result, const writ_tool_shown *shown,
    writ_tool_answer *out_answer, writ_error *err);

/* The answer to a request that failed with this error. Fails with
 * WRIT_E_NOMEM. */
WRIT_API writ_status writ_tool_run_refuse(const writ_tool_run *run,
    const writ_error *why, writ_tool_answer *out_answer, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_TOOL_H */
