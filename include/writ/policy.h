/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_POLICY_H
#define WRIT_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * The policy: who may run what. An engine evaluates it before each run; these
 * functions show what it says. docs/policy.md describes the language.
 */

/*
 * What would happen to a request: the decision object, as JSON on one line.
 *
 *     {"decision":"allow|ask|deny","message":"...","rule":"FILE:LINE:COLUMN",
 *      "rules":[...],"agent":"local","understood":true,"reason":null,
 *      "module":"cli.git.log","effects":["read"],
 *      "paths":[{"effect":"read","path":"a","resolved":"/srv/a",...}],
 *      "hosts":[],"programs":[...],"commands":[...],"nearest_allowed":null,
 *      "grant":null,"approval":null,
 *      "sandbox":{"profile":"workspace","network":"off","read":[],"write":[],
 *                 "execute":[],"hide":[]},
 *      "limits":{...},"environment":{...},"request_hash":"...",
 *      "policies":[{"tier":"user","file":"..."}],"warnings":[]}
 *
 * Nothing is run, asked or recorded. Free *out_json with free(). Fails like
 * writ_run() before a decision; a denial is no failure here.
 */
WRIT_API writ_status writ_decide(writ_engine *engine,
    const writ_request *request, char **out_json, size_t *out_len,
    writ_error *err);

/* The decision object of the last request of this engine that was denied or
 * needs approval, as above; NULL: none. Borrowed until the next request. */
WRIT_API const char *writ_engine_decision(const writ_engine *engine);

/* Notices about the policies, once each: there is none and a preset applies,
 * or one has changed and is invalid. */
typedef void (*writ_notice_fn)(void *ctx, const char *text);
WRIT_API void writ_engine_on_notice(
    writ_engine *engine, writ_notice_fn on_notice, void *ctx);

/* The shape of the tool that runs commands for an agent, from the key
 * exec_shape of the policies: "argv", "story" or "oxios". cwd: in which
 * project; NULL: the current directory. Static. */
WRIT_API writ_status writ_engine_exec_shape(writ_engine *engine,
    const char *cwd, const char **out_shape, writ_error *err);

/* The time of requests of an agent that set none, and the most that one may
 * have, by the policies, in milliseconds; 0: no policy sets it. agent: NULL is
 * the default agent. cwd: as above. */
WRIT_API writ_status writ_engine_timeouts(writ_engine *engine, const char *cwd,
    const char *agent, uint64_t *out_timeout_ms, uint64_t *out_max_ms,
    writ_error *err);

typedef enum writ_policy_task {
	WRIT_POLICY_SHOW,    /* the policies in force */
	WRIT_POLICY_CHECK,   /* faults and failed expectations */
	WRIT_POLICY_TEST,    /* every line of expect, with its result */
	WRIT_POLICY_LINT,    /* valid, but probably not what was meant */
	WRIT_POLICY_PRESETS, /* the available presets */
} writ_policy_task;

typedef struct writ_policy_options {
	size_t size;
	const char *cwd;  /* in which project; NULL: the current directory */
	const char *file; /* only this file or preset; NULL: all in force */
	const char *text; /* only this policy in memory; its faults have the
			     file "memory". NULL: none */
	size_t text_len;
} writ_policy_options;

#define WRIT_POLICY_OPTIONS_INIT                                 \
	{                                                        \
		sizeof(writ_policy_options), NULL, NULL, NULL, 0 \
	}

/*
 * Inspects the policies, as JSON on one line:
 *
 *     {"policies":[{"tier":"user","file":"...","yaml":"...","policy":{...},
 *       "faults":[{"file","line","column","message","suggestion","source",
 *                  "warning":false}],
 *       "expect":[{"file","line","column","text","expected":"allow",
 *                  "decision":"deny","passed":false,"rule":"...",
 *                  "message":"..."}]}],
 *      "effective":{...}}
 *
 * with the members of the task; "source" is the line of the file at that
 * location. PRESETS: {"presets":[{"name","about","text"}]}. Faults are no
 * failure. config may be NULL. Free *out_json with free().
 */
WRIT_API writ_status writ_policy_look(const writ_config *config,
    writ_policy_task task, const writ_policy_options *opts, char **out_json,
    size_t *out_len, writ_error *err);

/* The JSON Schema of policy files. Borrowed. */
WRIT_API const char *writ_policy_schema(size_t *out_len);

WRIT_END_DECLS

#endif /* WRIT_POLICY_H */
