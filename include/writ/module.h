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
 * Modules: commands that are described, so that their arguments can be checked
 * and rendered. A module is called with a JSON object; a call that is in order
 * is a request like any other and goes the same way.
 *
 *     writ_modules_new(NULL, &modules, &err);
 *     writ_modules_find(modules, "cli.git.log", &module, &err);
 *     writ_call_new(modules, module->id, "{\"max_count\":3}", 15, NULL,
 *         &call, &err);
 *     writ_run(engine, writ_call_request(call), &result, &err);
 *
 * See writ-module(5) for the files that describe them.
 */
typedef struct writ_modules writ_modules;

typedef struct writ_modules_options {
	size_t size;               /* set by the initializer */
	const writ_config *config; /* NULL: as the environment says */
	const char *const *dirs;   /* directories before all others */
	const char *project;       /* where the search for .writ/modules starts,
				      upwards; NULL: the current directory */
	bool no_project;           /* leave that out */
	bool no_cache;             /* read every file */
	bool only_dirs;            /* nothing but dirs */
	bool no_builtin;           /* leave out what is built in */
} writ_modules_options;

/* clang-format off */
#define WRIT_MODULES_OPTIONS_INIT \
	{sizeof(writ_modules_options), NULL, NULL, NULL, false, false, false, \
	 false}
/* clang-format on */

/*
 * Finds the modules: in dirs, in the directories of WRIT_MODULES (with colons
 * between them), in APCORE_EXTENSIONS_ROOT, in "modules" of the user's and of
 * the machine's configuration, in those that writ was installed with, in
 * itself, and in .writ/modules of the project, which may only add. opts may be
 * NULL. A file that is wrong is a problem, not a failure.
 */
WRIT_API writ_status writ_modules_new(const writ_modules_options *opts,
    writ_modules **out_modules, writ_error *err);
WRIT_API void writ_modules_free(writ_modules *modules);

/* What a module says about itself. Read-only, borrowed. */
typedef struct writ_module {
	const char *id;
	const char *description; /* "" when there is none */
	const char *command; /* program and fixed words, quoted for a shell */
	const char *const *tags; /* NULL-ended */
	const char *version;     /* NULL when there is none */
	bool is_readonly;
	bool is_destructive;
	bool is_idempotent;
	bool requires_approval;
	bool is_open_world;
	const char *file; /* where it is described; "builtin": in writ */
	unsigned line;
	const char *tier; /* "option", "environment", "user", "system",
			     "shipped", "builtin", "project" */
} writ_module;

/* All of them by id, ascending. */
WRIT_API size_t writ_modules_count(const writ_modules *modules);
WRIT_API const writ_module *writ_modules_at(
    const writ_modules *modules, size_t place);

/* Fails with WRIT_E_NOTFOUND and the nearest id, or with what is wrong with the
 * description of that one and where; or WRIT_E_INVALID for what can be none. */
WRIT_API writ_status writ_modules_find(const writ_modules *modules,
    const char *id, const writ_module **out_module, writ_error *err);

/* Those that match every word of the query, the best first. *out_found is
 * yours: free(). */
WRIT_API writ_status writ_modules_search(const writ_modules *modules,
    const char *query, const writ_module ***out_found, size_t *out_count,
    writ_error *err);

/* All about one as a JSON object: with schemas, examples, annotations,
 * parameters and how each is rendered. *out_json is yours: free(). */
WRIT_API writ_status writ_modules_json(writ_modules *modules, const char *id,
    char **out_json, size_t *out_len, writ_error *err);

/* A file, or an element of one, that could not be used. */
typedef struct writ_module_problem {
	const char *file;
	writ_error error; /* with line and column where there is one */
} writ_module_problem;

WRIT_API const writ_module_problem *writ_modules_problems(
    const writ_modules *modules, size_t *out_count);

/* One argument of a module, for help texts, completion and forms. Borrowed. */
typedef struct writ_parameter {
	const char *name;     /* key of the input */
	const char *flag;     /* token on the command line; NULL: an operand */
	const char *type;     /* "boolean", "integer", "number", "string",
				 "array", "object", "any"; with '|' between
				 them where there are several */
	const char *items;    /* of an array: type of its elements */
	const char *words;    /* "a|b|c" when it is one of a few; NULL */
	const char *help;     /* one line; "" when there is none */
	const char *standard; /* the default as JSON; NULL when there is none */
	bool is_required;
	bool is_path;
	bool is_secret;
	bool is_value_optional; /* an option: true is the flag alone */
	int operand;            /* its place among the operands, from 0; -1: it
				   is an option */
} writ_parameter;

/* The parameters of a module, in the order of its schema. Borrowed. */
WRIT_API writ_status writ_modules_parameters(writ_modules *modules,
    const char *id, const writ_parameter **out_parameters, size_t *out_count,
    writ_error *err);

/*
 * Checks a file of bindings as strictly as can be, schemas included. problem
 * is called for everything that is wrong; *out_count is how many modules are
 * in order.
 */
typedef void (*writ_module_problem_fn)(
    void *ctx, const writ_module_problem *problem);
WRIT_API writ_status writ_modules_check(const char *file,
    writ_module_problem_fn problem, void *ctx, size_t *out_count,
    writ_error *err);

/* Copies the modules of a file, once it is found in order, into a directory
 * (NULL: the user's), each in a file of its own. */
WRIT_API writ_status writ_modules_add(const writ_config *config,
    const char *file, const char *dir, bool may_replace, size_t *out_count,
    writ_error *err);

/* Which characters the texts of an input may have. */
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

/* The time that a module has when neither it nor the caller says. */
#define WRIT_DEFAULT_MODULE_TIMEOUT_MS UINT64_C(30000)

typedef struct writ_call writ_call;

/* Something wrong with an input. */
typedef struct writ_problem {
	const char *instance;   /* JSON Pointer into the input */
	const char *schema;     /* JSON Pointer into the schema */
	const char *message;    /* "expected an integer, got \"five\"" */
	const char *suggestion; /* NULL: none */
	unsigned line;          /* in the text of the input; 0: not known */
	unsigned column;
} writ_problem;

/*
 * Checks an input against the module's schema and renders it. The modules are
 * borrowed and must outlive the call.
 *
 * On WRIT_OK the call is ready; free it with writ_call_free(). On
 * WRIT_E_INVALID *out_call may be set as well: it has the list of problems and
 * nothing else, and is to be freed too. *out_call is NULL otherwise.
 */
WRIT_API writ_status writ_call_new(writ_modules *modules, const char *id,
    const char *input, size_t len, const writ_call_options *opts,
    writ_call **out_call, writ_error *err);
WRIT_API void writ_call_free(writ_call *call);

WRIT_API const writ_problem *writ_call_problems(
    const writ_call *call, size_t *out_count);

/* The request as a draft, to set its cwd, env, stdin, timeout and the like:
 * what is set here overrides the module. Borrowed. argv is not to be set. */
WRIT_API writ_draft *writ_call_draft(writ_call *call);

/* What runs: the same as writ_draft_request(writ_call_draft(call)), with the
 * module's id, its secrets and its way of output. Borrowed. */
WRIT_API writ_request *writ_call_request(writ_call *call);

/* Whether the module belongs to the project. Parts of the request are then the
 * project's words, not the caller's. */
WRIT_API bool writ_call_is_of_project(const writ_call *call);

/* What would run as a JSON object, without running it: module, argv, cwd, env,
 * timeout, sandbox. Secrets are not shown. *out_json is yours: free(). */
WRIT_API writ_status writ_call_preview(
    const writ_call *call, char **out_json, size_t *out_len, writ_error *err);

/* Whether the module calls this end a good one. */
WRIT_API bool writ_call_is_success(
    const writ_call *call, const writ_result *result);

/*
 * The result as JSON: that of writ_result_json(), with "module_id",
 * "success" and, for output that is neither text nor JSON, "content":
 * {"type":"image","mime_type":...,"data":BASE64}. *out_json is yours: free().
 */
WRIT_API writ_status writ_call_result_json(const writ_call *call,
    const writ_result *result, char **out_json, size_t *out_len,
    writ_error *err);

/* ---- what a command line means ---- */

typedef struct writ_explain_options {
	size_t size;             /* set by the initializer */
	const char *const *argv; /* NULL-ended; or */
	const char *shell;       /* what a shell is given */
	const char *const *env;  /* NAME=value that is set; NULL: none */
} writ_explain_options;

/* clang-format off */
#define WRIT_EXPLAIN_OPTIONS_INIT \
	{sizeof(writ_explain_options), NULL, NULL, NULL}
/* clang-format on */

/*
 * What a command would do, by the descriptions that are built in and those of
 * the modules' directories. Nothing is run. *out_json is yours: free(). It is
 * an object:
 *
 *     "argv"        the words; secrets are "***"; "shell" instead for a string
 *     "understood"  false: no description has it all, and "effects" is only
 *                   what could be told
 *     "module"      "cli.git.log", or null
 *     "description" "builtin", or the file that described it; or null
 *     "arguments"   the argv as the input of that module, or null
 *     "effects"     ["read", "net"]: of everything, inner commands included,
 *                   but not what happens to files of another machine
 *     "touches"     [{"effect": "write", "path": "out.txt", "word": 3,
 *                   "parameter": "output", "why": ...}]; "host", "program" or
 *                   "variable" instead of "path"; its value is null when it is
 *                   known only at run time, and none of them is there when
 *                   nothing is said about where
 *     "runs"        the commands inside, each an object like this one, with
 *                   "how": ["remote", "joined", "appended", "placed",
 *                   "elsewhere", "shell"] and the "word" that it begins at
 *     "helpers"     what it executes by itself
 *     "secrets"     places of words that are secrets, or have one
 *     "reason"      when not understood: {"message", "suggestion", "word",
 *                   "offset"}; word is null when something is missing at the
 *                   end, and for a string
 *
 * Fails with WRIT_E_INVALID when there is no command, or two, and with
 * WRIT_E_NOMEM; that something is not understood is no failure. Descriptions
 * are kept once they were read: several threads need modules of their own.
 */
WRIT_API writ_status writ_explain(writ_modules *modules,
    const writ_explain_options *opts, char **out_json, size_t *out_len,
    writ_error *err);

/* ---- a module in a process of its own ---- */

/* The first argument of the program that makes it a runner. */
#define WRIT_ISOLATED_FLAG               "--internal-sandbox-runner"

#define WRIT_DEFAULT_ISOLATED_TIMEOUT_MS UINT64_C(300000)
#define WRIT_DEFAULT_ISOLATED_OUTPUT     (UINT64_C(64) << 20)

typedef struct writ_isolated_options {
	size_t size;               /* set by the initializer */
	const writ_config *config; /* NULL: as the environment says */
	const char *runner;        /* the writ program; NULL: this process's own
				      program if it is writ, else from PATH */
	const char *const *dirs;   /* as of writ_modules_options */
	uint64_t timeout_ms;       /* 0: WRIT_DEFAULT_ISOLATED_TIMEOUT_MS */
	uint64_t output_limit;     /* 0: WRIT_DEFAULT_ISOLATED_OUTPUT */
	const char *call;          /* options of the call as a JSON object
				      ("cwd", "timeout_ms", ...); NULL: none */
	writ_arguments arguments;
	const char *trace_id;
	const writ_modules *modules; /* where the module is found; NULL: they
					are loaded by config and dirs */
} writ_isolated_options;

/* clang-format off */
#define WRIT_ISOLATED_OPTIONS_INIT                                        \
	{sizeof(writ_isolated_options), NULL, NULL, NULL, 0, 0, NULL,    \
	 WRIT_ARGUMENTS_LITERAL, NULL, NULL}
/* clang-format on */

/*
 * The request that runs `writ --internal-sandbox-runner ID` with the input on
 * its standard input, in the environment "isolated". Run it like any other and
 * give the result to writ_isolated_decode(). *out_draft is yours.
 *
 * The runner has the configuration of this process, although its HOME and
 * TMPDIR are a new directory that goes with it. The module is found here: the
 * runner reads its file and no other, and refuses it when it has changed since.
 * An id that is not found here is the runner's to refuse. The module runs
 * in that directory unless it or the call says otherwise, or asks for a sandbox
 * with walls: then in the current one, to which relative paths of the call are
 * relative too.
 */
WRIT_API writ_status writ_isolated_new(const char *id, const char *input,
    size_t len, const writ_isolated_options *opts, writ_draft **out_draft,
    writ_error *err);

/*
 * What the runner answered: the JSON of the module's result. Fails with
 * WRIT_E_TIMEOUT, WRIT_E_RUNNER (it exited with another code than 0, or a
 * signal ended it: the message has its stderr) or WRIT_E_PARSE (what it wrote
 * is no result, or too long). *out_json is yours: free().
 *
 * A runner that says on its standard error why the module did not run exits
 * with the writ_status_exit() of that.
 */
WRIT_API writ_status writ_isolated_decode(const char *id,
    const writ_result *result, char **out_json, size_t *out_len,
    writ_error *err);

/* The error of writ_isolated_decode() as JSON: with "module_id", "exit_code",
 * "signal", "stderr", "timeout_ms" and, where the runner said so, "cause" among
 * its details; after a timeout also with the "result" so far. */
WRIT_API writ_status writ_isolated_error_json(const char *id,
    const writ_result *result, const writ_error *error, char **out_json,
    size_t *out_len);

/*
 * The other side: what the runner does. Reads the input from in_fd to its end,
 * calls the module, writes its result as one line of JSON to out_fd, and
 * returns 0. When the module did not run, nothing is written there, the last
 * line of standard error is the error as JSON, and the status of that error is
 * returned. SIGINT, SIGTERM, SIGHUP and SIGQUIT end the module; they stay
 * blocked. For a process that does nothing else.
 */
WRIT_API int writ_isolated_serve(const char *id, int in_fd, int out_fd);

WRIT_END_DECLS

#endif /* WRIT_MODULE_H */
