/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_MODULE_H
#define WRIT_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/draft.h>
#include <writ/result.h>

WRIT_BEGIN_DECLS

/*
 * Modules: commands with a description, so that their arguments can be checked
 * and rendered. A module is called with a JSON object; a valid call becomes a
 * request like any other.
 *
 *     writ_modules_new(NULL, &modules, &err);
 *     writ_modules_find(modules, "cli.git.log", &module, &err);
 *     writ_call_new(modules, module->id, "{\"max_count\":3}", 15, NULL,
 *         &call, &err);
 *     writ_run(engine, writ_call_request(call), &result, &err);
 *
 * See writ-module(5) for the files that describe modules.
 */
typedef struct writ_modules writ_modules;

typedef struct writ_modules_options {
	size_t size;               /* set by the initializer */
	const writ_config *config; /* NULL: from the environment */
	const char *const *dirs;   /* directories to search before all others */
	const char *project;       /* where the upward search for
				      .writ/modules starts; NULL: the current
				      directory */
	bool no_project;           /* skip that search */
	bool no_cache;             /* read every file, without the cache */
	bool only_dirs;            /* only dirs */
	bool no_builtin;           /* skip the built-in modules */
	const char *text;          /* a file of bindings in memory, before all
				      directories; its problems have the file "memory",
				      and a line and column. NULL: none */
	size_t text_len;
} writ_modules_options;

/* clang-format off */
#define WRIT_MODULES_OPTIONS_INIT \
	{sizeof(writ_modules_options), NULL, NULL, NULL, false, false, false, \
	 false, NULL, 0}
/* clang-format on */

/*
 * Loads the modules: from dirs, from the directories of WRIT_MODULES (separated
 * by colons), from APCORE_EXTENSIONS_ROOT, from "modules" in the user's and the
 * system's configuration, from the directory installed with writ, the built-in
 * ones, and from .writ/modules of the project, which may only add. opts may be
 * NULL. An invalid file is a problem, not a failure.
 */
WRIT_API writ_status writ_modules_new(const writ_modules_options *opts,
    writ_modules **out_modules, writ_error *err);
WRIT_API void writ_modules_free(writ_modules *modules);

/* The description of a module. Read-only, borrowed. */
typedef struct writ_module {
	const char *id;
	const char *description; /* "": none */
	const char *command;     /* program and fixed arguments, quoted for a
				    shell */
	const char *const *tags; /* NULL-ended */
	const char *version;     /* NULL: none */
	bool is_readonly;
	bool is_destructive;
	bool is_idempotent;
	bool requires_approval;
	bool is_open_world;
	const char *file; /* where it is described; "builtin": in writ;
			     "memory": in writ_modules_options.text */
	unsigned line;
	const char *tier; /* "option", "environment", "user", "system",
			     "shipped", "builtin", "project" */
} writ_module;

/* All modules, in ascending order of id. */
WRIT_API size_t writ_modules_count(const writ_modules *modules);
WRIT_API const writ_module *writ_modules_at(
    const writ_modules *modules, size_t place);

/* Fails with WRIT_E_NOTFOUND and the nearest id. WRIT_E_INVALID: not a valid
 * id; or its description is wrong, and the message says what and where. */
WRIT_API writ_status writ_modules_find(const writ_modules *modules,
    const char *id, const writ_module **out_module, writ_error *err);

/* The modules that match every word of the query, the best first. Free
 * *out_found with free(). */
WRIT_API writ_status writ_modules_search(const writ_modules *modules,
    const char *query, const writ_module ***out_found, size_t *out_count,
    writ_error *err);

/* Everything about a module as a JSON object: schemas, examples,
 * annotations, parameters and how each is rendered. Free *out_json with
 * free(). */
WRIT_API writ_status writ_modules_json(writ_modules *modules, const char *id,
    char **out_json, size_t *out_len, writ_error *err);

/* A file, or a part of one, that could not be used. */
typedef struct writ_module_problem {
	const char *file;
	writ_error error; /* with line and column if known */
} writ_module_problem;

WRIT_API const writ_module_problem *writ_modules_problems(
    const writ_modules *modules, size_t *out_count);

/* One argument of a module, for help texts, completion and forms. Borrowed. */
typedef struct writ_parameter {
	const char *name;     /* key of the input */
	const char *flag;     /* option on the command line; NULL: an operand */
	const char *type;     /* "boolean", "integer", "number", "string",
				 "array", "object", "any"; several are
				 separated by '|' */
	const char *items;    /* of an array: type of its elements */
	const char *words;    /* "a|b|c" for an enum; NULL: none */
	const char *help;     /* one line; "": none */
	const char *standard; /* the default as JSON; NULL: none */
	bool is_required;
	bool is_path;
	bool is_secret;
	bool is_value_optional; /* an option: true is the flag without a
				   value */
	int operand;            /* index among the operands, from 0; -1: an
				   option */
} writ_parameter;

/* The parameters of a module, in the order of its schema. Borrowed. */
WRIT_API writ_status writ_modules_parameters(writ_modules *modules,
    const char *id, const writ_parameter **out_parameters, size_t *out_count,
    writ_error *err);

/*
 * Checks a file of bindings as strictly as possible, schemas included. Calls
 * problem for everything that is wrong; *out_count is the number of valid
 * modules.
 */
typedef void (*writ_module_problem_fn)(
    void *ctx, const writ_module_problem *problem);
WRIT_API writ_status writ_modules_check(const char *file,
    writ_module_problem_fn problem, void *ctx, size_t *out_count,
    writ_error *err);

/* Checks a file and copies its modules into a directory (NULL: the user's),
 * each in a file of its own. */
WRIT_API writ_status writ_modules_add(const writ_config *config,
    const char *file, const char *dir, bool may_replace, size_t *out_count,
    writ_error *err);

/* Which characters the strings of an input may contain. */
#define WRIT_ARGUMENTS_MAP(X)               \
	X(LITERAL, "literal")               \
	X(STRICT_MODULES, "strict-modules") \
	X(STRICT_EXEC, "strict-exec")

typedef enum writ_arguments {
#define X(name, word) WRIT_ARGUMENTS_##name,
	WRIT_ARGUMENTS_MAP(X)
#undef X
} writ_arguments;

typedef struct writ_call_options {
	size_t size; /* set by the initializer */
	writ_arguments arguments;
} writ_call_options;

#define WRIT_CALL_OPTIONS_INIT                                    \
	{                                                         \
		sizeof(writ_call_options), WRIT_ARGUMENTS_LITERAL \
	}

/* The timeout of a module if neither it nor the caller sets one. */
#define WRIT_DEFAULT_MODULE_TIMEOUT_MS UINT64_C(30000)

typedef struct writ_call writ_call;

/* Something wrong with an input. */
typedef struct writ_problem {
	const char *instance;   /* JSON Pointer into the input */
	const char *schema;     /* JSON Pointer into the schema */
	const char *message;    /* "expected an integer, got \"five\"" */
	const char *suggestion; /* NULL: none */
	unsigned line;          /* in the text of the input; 0: unknown */
	unsigned column;
} writ_problem;

/*
 * Checks an input against the module's schema and renders it. The modules are
 * borrowed and must outlive the call.
 *
 * On WRIT_OK the call is ready; free it with writ_call_free(). On
 * WRIT_E_INVALID *out_call may be set as well: it has only the list of
 * problems, and must be freed too. Otherwise *out_call is NULL.
 */
WRIT_API writ_status writ_call_new(writ_modules *modules, const char *id,
    const char *input, size_t len, const writ_call_options *opts,
    writ_call **out_call, writ_error *err);
WRIT_API void writ_call_free(writ_call *call);

WRIT_API const writ_problem *writ_call_problems(
    const writ_call *call, size_t *out_count);

/* The request as a draft, to set its cwd, env, stdin, timeout and so on:
 * what is set here overrides the module. Borrowed. Do not set argv. */
WRIT_API writ_draft *writ_call_draft(writ_call *call);

/* The request to run: writ_draft_request(writ_call_draft(call)) with the
 * module's id, secrets and output format. Borrowed. */
WRIT_API writ_request *writ_call_request(writ_call *call);

/* Whether the module belongs to the project. Parts of the request then come
 * from the project, not from the caller. */
WRIT_API bool writ_call_is_of_project(const writ_call *call);

/* What would run, as a JSON object: module, argv, cwd, env, timeout,
 * sandbox. Runs nothing; secrets are not shown. Free *out_json with free(). */
WRIT_API writ_status writ_call_preview(
    const writ_call *call, char **out_json, size_t *out_len, writ_error *err);

/* Whether the module takes this result as success. */
WRIT_API bool writ_call_is_success(
    const writ_call *call, const writ_result *result);

/*
 * The result as JSON: that of writ_result_json(), with "module_id", "success"
 * and, for output that is neither text nor JSON, "content":
 * {"type":"image","mime_type":...,"data":BASE64}. Free *out_json with free().
 */
WRIT_API writ_status writ_call_result_json(const writ_call *call,
    const writ_result *result, char **out_json, size_t *out_len,
    writ_error *err);

/* ---- what a command would do ---- */

typedef struct writ_explain_options {
	size_t size;             /* set by the initializer */
	const char *const *argv; /* NULL-ended; or */
	const char *shell;       /* a shell text */
	const char *const *env;  /* NAME=value to assume; NULL: none */
} writ_explain_options;

/* clang-format off */
#define WRIT_EXPLAIN_OPTIONS_INIT \
	{sizeof(writ_explain_options), NULL, NULL, NULL}
/* clang-format on */

/*
 * What a command would do, by the built-in descriptions and those in the module
 * directories. Nothing is run. Free *out_json with free(). It is an object:
 *
 *     "argv"        the words, secrets as "***"; for a shell text "shell"
 *     "understood"  false: no description covers it all, and "effects" has
 *                   only what is known
 *     "module"      "cli.git.log", or null
 *     "description" "builtin", or the file that describes it; or null
 *     "arguments"   the argv as the input of that module, or null
 *     "effects"     ["read", "net"]: of everything, inner commands included,
 *                   but not effects on files of remote hosts
 *     "touches"     [{"effect": "write", "path": "out.txt", "word": 3,
 *                   "parameter": "output", "why": ...}]; "host", "program" or
 *                   "variable" instead of "path"; its value is null if it is
 *                   known only at run time, and it is missing if nothing says
 *                   where
 *     "runs"        the inner commands, each an object like this one, with
 *                   "how": ["remote", "joined", "appended", "placed",
 *                   "elsewhere", "shell"] and the "word" where it begins
 *     "helpers"     programs that it executes itself
 *     "secrets"     indexes of words that are or contain secrets
 *     "reason"      if not understood: {"message", "suggestion", "word",
 *                   "offset"}; word is null if something is missing at the
 *                   end, and for a shell text
 *
 * Fails with WRIT_E_INVALID (no command, or two) or WRIT_E_NOMEM; a command
 * that is not understood is no failure. Descriptions are cached in modules, so
 * each thread needs its own.
 */
WRIT_API writ_status writ_explain(writ_modules *modules,
    const writ_explain_options *opts, char **out_json, size_t *out_len,
    writ_error *err);

/* ---- a module in its own process ---- */

/* The first argument that makes the program a runner. */
#define WRIT_ISOLATED_FLAG               "--internal-sandbox-runner"

#define WRIT_DEFAULT_ISOLATED_TIMEOUT_MS UINT64_C(300000)
#define WRIT_DEFAULT_ISOLATED_OUTPUT     (UINT64_C(64) << 20)

typedef struct writ_isolated_options {
	size_t size;               /* set by the initializer */
	const writ_config *config; /* NULL: from the environment */
	const char *runner;        /* the writ program; NULL: this process's
				      program if it is writ, else from PATH */
	const char *const *dirs;   /* as in writ_modules_options */
	uint64_t timeout_ms;       /* 0: WRIT_DEFAULT_ISOLATED_TIMEOUT_MS */
	uint64_t output_limit;     /* 0: WRIT_DEFAULT_ISOLATED_OUTPUT */
	const char *call;          /* options of the call as a JSON object
				      ("cwd", "timeout_ms", ...); NULL: none */
	writ_arguments arguments;
	const char *trace_id;
	const writ_modules *modules; /* to find the module in; NULL: loaded
					by config and dirs */
} writ_isolated_options;

/* clang-format off */
#define WRIT_ISOLATED_OPTIONS_INIT                                        \
	{sizeof(writ_isolated_options), NULL, NULL, NULL, 0, 0, NULL,    \
	 WRIT_ARGUMENTS_LITERAL, NULL, NULL}
/* clang-format on */

/*
 * The request that runs `writ --internal-sandbox-runner ID` with the input on
 * its standard input, in the environment "isolated". Run it like any other and
 * pass the result to writ_isolated_decode(). Free *out_draft with
 * writ_draft_free().
 *
 * The runner uses the configuration of this process, although its HOME and
 * TMPDIR are a new directory that is deleted with it. The module is found here:
 * the runner reads only its file, and fails if it has changed since. If the id
 * is not found here, the runner reports it. The module runs in the new
 * directory unless it or the call sets another, or asks for a sandbox: then in
 * the current directory, to which relative paths of the call are relative too.
 */
WRIT_API writ_status writ_isolated_new(const char *id, const char *input,
    size_t len, const writ_isolated_options *opts, writ_draft **out_draft,
    writ_error *err);

/*
 * The output of the runner: the JSON of the module's result. Fails with
 * WRIT_E_TIMEOUT, WRIT_E_RUNNER (it exited with a code other than 0, or by a
 * signal: the message has its stderr) or WRIT_E_PARSE (its output is no result,
 * or too long). Free *out_json with free().
 *
 * A runner that reports on standard error why the module did not run exits with
 * the writ_status_exit() of that error.
 */
WRIT_API writ_status writ_isolated_decode(const char *id,
    const writ_result *result, char **out_json, size_t *out_len,
    writ_error *err);

/*
 * What a runner writes and its caller reads, by itself: a JSON value as one
 * line of text, and back. Encoding checks the value, and takes out what JSON
 * does not need; decoding fails with WRIT_E_PARSE if the text is not exactly
 * one JSON value. Free the outputs with free().
 */
WRIT_API writ_status writ_result_encode(const char *json, size_t len,
    char **out_text, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_result_decode(const char *text, size_t len,
    char **out_json, size_t *out_len, writ_error *err);

/* The error of writ_isolated_decode() as JSON, with "module_id",
 * "exit_code", "signal", "stderr", "timeout_ms" and, if the runner reported
 * one, "cause" in its details; after a timeout also with the "result" so
 * far. */
WRIT_API writ_status writ_isolated_error_json(const char *id,
    const writ_result *result, const writ_error *error, char **out_json,
    size_t *out_len);

/*
 * The runner's side. Reads the input from in_fd to its end, calls the module,
 * writes its result as one line of JSON to out_fd, and returns 0. If the module
 * did not run, nothing is written there, the last line of standard error is the
 * error as JSON, and its exit status is returned. SIGINT, SIGTERM, SIGHUP and
 * SIGQUIT end the module; they stay blocked. For a process that does nothing
 * else.
 */
WRIT_API int writ_isolated_serve(const char *id, int in_fd, int out_fd);

WRIT_END_DECLS

#endif /* WRIT_MODULE_H */
