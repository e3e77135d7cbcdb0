/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_MANIFEST_H
#define WRIT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/engine.h>
#include <writ/result.h>
#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * Manifests: a machine is brought into the state that a document describes.
 * `writ apply` and `writ ensure` are written on this header. It is in a library
 * of its own:
 *
 *     cc program.c $(pkg-config --cflags --libs writ-manifest)
 *
 *     writ_manifest_open("site.yaml", NULL, &manifest, &err);
 *     writ_manifest_apply(engine, manifest, NULL, NULL, &result, &err);
 *     printf("%zu changed, %zu failed\n", result.changed, result.failed);
 *     writ_manifest_free(manifest);
 *
 * docs/manifest.md describes the document. What it runs, and the files that it
 * changes, are judged by the engine's policy, held by its sandbox and recorded,
 * as every request is. `writ apply` uses the policy "manifest" if nobody chose
 * another; a host gets the same by setting it in the engine's config.
 *
 * Threads: a manifest, and an apply of it, belong to one thread at a time;
 * different ones are independent. Only one apply at a time changes what belongs
 * to a state directory: see writ_apply_options.wait_ms.
 *
 * A host that forks without exec must not use them in the child.
 */
typedef struct writ_manifest writ_manifest;

/* ---- reading ---- */

/* What is wrong with a manifest, or probably a mistake. Texts are borrowed. */
typedef struct writ_manifest_fault {
	unsigned line; /* from 1; 0: not about one place */
	unsigned column;
	const char *message;
	const char *suggestion; /* NULL: none */
	const char *resource;   /* "exec#name", if it is in one; else NULL */
} writ_manifest_fault;

/* All of them, in the order of the lines. */
typedef struct writ_manifest_faults {
	size_t size;                      /* sizeof(writ_manifest_faults) */
	const writ_manifest_fault *items; /* it cannot be applied */
	size_t count;
	size_t more;                         /* beyond the first thousand */
	const writ_manifest_fault *warnings; /* it can */
	size_t warning_count;
} writ_manifest_faults;

typedef void (*writ_manifest_faults_fn)(
    void *ctx, const writ_manifest_faults *faults);

/* A text that belongs to a manifest, and what messages call it. */
typedef struct writ_manifest_text {
	const char *file;
	const char *text;
	size_t len;
} writ_manifest_text;

typedef struct writ_manifest_options {
	size_t size;      /* set by the initializer; do not touch */
	const char *file; /* what messages call it, and by which refreshes that
			     are owed know it; it is not read. NULL: "memory",
			     and what is owed to one such is owed to all */
	const char *dir;  /* where relative paths in it start. NULL: the current
			     directory, or that of the opened file */
	const char *const *facts; /* "role=web": facts over those of this
				     machine; NULL-ended; NULL: none */
	const writ_manifest_text *fact_files; /* JSON or YAML, beneath facts */
	size_t fact_file_count;
	const writ_manifest_text *data; /* merged over the manifest's: data,
					   hierarchy, overrides */
	size_t data_count;
	const char *session; /* directory of the session of a script: it may
				refer to resources there, and applying it adds
				its events. NULL: none */
	writ_manifest_faults_fn on_faults; /* called once if there are any,
					      also warnings; NULL: nobody */
	void *faults_ctx;
} writ_manifest_options;

/* clang-format off */
#define WRIT_MANIFEST_OPTIONS_INIT \
	{sizeof(writ_manifest_options), NULL, NULL, NULL, NULL, 0, NULL, 0, \
	 NULL, NULL, NULL}
/* clang-format on */

/*
 * Reads a manifest, in YAML or JSON. opts may be NULL; everything is copied.
 * Nothing is run, but the files that the document names are read. Free
 * *out_manifest with writ_manifest_free().
 *
 * Fails with WRIT_E_INVALID (a fault: *err has the first, on_faults gets all of
 * them), _NOTFOUND (the session), _SYSTEM or _NOMEM.
 */
WRIT_API writ_status writ_manifest_read(const char *text, size_t len,
    const writ_manifest_options *opts, writ_manifest **out_manifest,
    writ_error *err);

/* The same for a file; opts->file may give it another name. */
WRIT_API writ_status writ_manifest_open(const char *path,
    const writ_manifest_options *opts, writ_manifest **out_manifest,
    writ_error *err);

/*
 * The same for one resource, of a type ("exec", "file"), by the JSON object of
 * its properties: {"name":"/usr/bin/make -C /src","creates":"/src/app"}.
 * It is one entry of a manifest, whatever it has: a resource, or with `each`
 * one for each element.
 */
WRIT_API writ_status writ_manifest_read_resource(const char *type,
    const char *properties, size_t len, const writ_manifest_options *opts,
    writ_manifest **out_manifest, writ_error *err);

/* Frees a manifest, after its applies. NULL is allowed. */
WRIT_API void writ_manifest_free(writ_manifest *manifest);

/* How many resources it has, with those of the manifests that it applies. */
WRIT_API size_t writ_manifest_count(const writ_manifest *manifest);

/* One of them. The texts are the manifest's. */
typedef struct writ_manifest_resource {
	size_t size;    /* set by the caller: sizeof(writ_manifest_resource) */
	const char *id; /* "exec#name" */
	const char *type;
	const char *name;
	const char *alias; /* NULL: none */
	const char *ensure;
	const char *provider;
	unsigned line; /* 0: not in the document */
	unsigned column;
} writ_manifest_resource;

/* Fails with WRIT_E_INVALID (size, index). */
WRIT_API writ_status writ_manifest_look(const writ_manifest *manifest,
    size_t index, writ_manifest_resource *out_resource, writ_error *err);

/* Its messages before and after an apply; NULL: none. Borrowed. */
WRIT_API const char *writ_manifest_pre_message(const writ_manifest *manifest);
WRIT_API const char *writ_manifest_post_message(const writ_manifest *manifest);

/* The absolute directory where its relative paths start. Borrowed. */
WRIT_API const char *writ_manifest_dir(const writ_manifest *manifest);

/* Data and resources as they were read, with early expressions filled in and
 * secrets redacted, as YAML or JSON that can be read again. Free *out_text
 * with free(). Fails with WRIT_E_NOMEM. */
WRIT_API writ_status writ_manifest_render(const writ_manifest *manifest,
    bool is_json, char **out_text, size_t *out_len, writ_error *err);

/* The JSON Schema of manifests. Static. */
WRIT_API const char *writ_manifest_schema(size_t *out_len);

/* ---- events ---- */

typedef enum writ_health {
	WRIT_HEALTH_OK,
	WRIT_HEALTH_WARNING,
	WRIT_HEALTH_CRITICAL,
	WRIT_HEALTH_UNKNOWN,
} writ_health;

/* A health check that was made. */
typedef struct writ_health_check {
	const char *name;
	writ_health status;
	unsigned tries;
	const char *output; /* trimmed, UTF-8 */
} writ_health_check;

/*
 * What became of one resource: its state, the decision, and what was done. It
 * is shown, kept in the session, and used by later resources.
 *
 * With noop it is what would become of it: status is how it is now, changed
 * whether something would be done, decided_by and noop_message why.
 *
 * Everything is borrowed for the call. Secrets are redacted in all texts.
 * Lists end with NULL.
 */
typedef struct writ_event {
	size_t size;      /* sizeof(writ_event) */
	char id[28];      /* of the event; sorts by time */
	uint64_t time_us; /* end of the resource, Unix time */
	size_t index;     /* of the resource in its manifest */
	const char *type; /* "exec" */
	const char *provider;
	const char *name;
	const char *alias; /* NULL: none */
	const char *requested_ensure;
	const char *final_ensure; /* "" if it failed before */
	uint64_t duration_ns;
	const char *properties; /* JSON object */
	const char *status;     /* the state: JSON object; NULL: unknown */
	const char *noop_message;
	const writ_health_check *health;
	size_t health_count;
	const char *const *errors; /* NULL: none */
	const char *const *warnings;
	const char *const *unmet; /* unmet references */
	bool changed;
	bool refreshed; /* because of a resource that it subscribes to */
	bool failed;
	bool skipped; /* by control, or for a requirement */
	bool noop;
	bool interrupted;           /* on_wake ended it */
	bool health_only;           /* only health checks were made */
	unsigned tries;             /* runs of its command; 0: unknown */
	const char *decided_by;     /* what decided: "creates '/opt/x'", "onlyif
				       'test -e x'", "refreshonly", "subscribe
				       file#/etc/x", "control.if"; NULL */
	const char *const *run_ids; /* in the audit trail; NULL: none */
	const char *diff;           /* of a file; NULL: none */
	const char *registered; /* JSON: its name in Results, and what is there;
				   NULL: it has none */
	const char *json; /* all of it as one line: what `writ apply --json`
			     prints, and the session keeps */
	size_t json_len;
} writ_event;

/* The first that is true of an event. */
typedef enum writ_verdict {
	WRIT_VERDICT_FAILED,
	WRIT_VERDICT_UNMET, /* skipped for a requirement */
	WRIT_VERDICT_SKIPPED,
	WRIT_VERDICT_REFRESHED,
	WRIT_VERDICT_CHANGED,
	WRIT_VERDICT_STABLE,
} writ_verdict;
WRIT_API writ_verdict writ_event_verdict(const writ_event *event);

/* ---- applying ---- */

/* What to apply, and how. */
typedef struct writ_apply_options {
	size_t size;               /* set by the initializer; do not touch */
	const writ_config *config; /* for the state directory, where sessions
				      and what is owed are kept; copied. NULL:
				      from the environment */
	bool noop;        /* change nothing: guards and checks run where they
			     cannot write, and events say what would be done */
	bool health_only; /* only health checks */
	bool in_memory;   /* keep no session, take no lock, owe nothing beyond
			     the apply: for one resource by itself */
	const char *const *only; /* "type#name"; NULL: all */
	const char *const *tags; /* those with one of these; NULL: all */
	const char *const *skip_tags;
	const char *agent;    /* whose rules apply; the policy has to name it.
				 NULL: "manifest" */
	writ_caller caller;   /* on whose behalf: see <writ/run.h> */
	const char *trace_id; /* of its runs. NULL: the session's name */
	const char *session;  /* a directory for its session, which has none.
				 NULL: a new one in the state directory */
	const char *resume;   /* go on with this session, by its name or its
				 directory: what has an event is not applied
				 again. It must have begun with the same
				 manifest and choice. NULL: begin */
	uint64_t wait_ms;     /* for another apply to end. 0: fail at once */
	/* A sentence about what a person should know: another apply is waited
	 * for, a refresh is not owed any more. NULL: nobody */
	void (*on_note)(void *ctx, const char *text);
	void *note_ctx;
} writ_apply_options;

/* clang-format off */
#define WRIT_APPLY_OPTIONS_INIT \
	{sizeof(writ_apply_options), NULL, false, false, false, NULL, NULL, \
	 NULL, NULL, WRIT_CALLER_UNTRUSTED, NULL, NULL, NULL, 0, NULL, NULL}
/* clang-format on */

/*
 * Who watches an apply; each may be NULL. They are called from its thread while
 * it runs. They may run commands with the engine, but not free it; an apply
 * that they start in the same state directory fails, since one is going on.
 */
typedef struct writ_apply_watch {
	size_t size; /* set by the initializer; do not touch */
	/* A resource begins. */
	void (*on_begin)(void *ctx, const char *type, const char *name);
	/* Output of its command, if logoutput is true. Any bytes; secrets are
	 * redacted. */
	void (*on_output)(
	    void *ctx, writ_stream stream, const char *bytes, size_t len);
	/* It has ended, and the event is in the session. */
	void (*on_event)(void *ctx, const writ_event *event);
	/* Called when wake_fd polls readable, and every tick_ms while something
	 * runs or waits. Return true to stop: the first time the command is
	 * terminated, the second time it is killed. */
	bool (*on_wake)(void *ctx);
	void *ctx;
	int wake_fd; /* -1: none */
	int tick_ms; /* 0: never */
} writ_apply_watch;

/* clang-format off */
#define WRIT_APPLY_WATCH_INIT \
	{sizeof(writ_apply_watch), NULL, NULL, NULL, NULL, NULL, -1, 0}
/* clang-format on */

/* How an apply ended. A resource that failed is no failure of the apply. */
typedef struct writ_apply_result {
	size_t size;    /* set by the caller: sizeof(writ_apply_result) */
	size_t changed; /* events of this apply */
	size_t failed;
	size_t events;
	bool interrupted;  /* on_wake ended it; it can be resumed */
	bool is_cut_short; /* a failure ended it: fail_on_error */
} writ_apply_result;

/*
 * Applies a manifest, and waits for the end; other runs of the engine make
 * progress meanwhile. opts, watch and out_result may be NULL.
 *
 * Fails with WRIT_E_INVALID (an option, the policy, the session; another apply
 * is going on), _NOTFOUND (the session), _NOMEM or _SYSTEM. What was done until
 * then has its events.
 */
WRIT_API writ_status writ_manifest_apply(writ_engine *engine,
    writ_manifest *manifest, const writ_apply_options *opts,
    const writ_apply_watch *watch, writ_apply_result *out_result,
    writ_error *err);

/*
 * The same in steps, for a host that shows the session or the counts.
 *
 *     writ_apply_open(manifest, &options, &apply, &err);
 *     writ_apply_run(apply, engine, NULL, &result, &err);
 *     writ_apply_json(apply, &json, &len, &err);
 *     writ_apply_free(apply);
 */
typedef struct writ_apply writ_apply;

/* Takes the lock and opens the session; nothing is applied yet. The manifest
 * must last; what opts points to must last until writ_apply_run() returns, but
 * for the config. Free *out_apply with writ_apply_free(). */
WRIT_API writ_status writ_apply_open(writ_manifest *manifest,
    const writ_apply_options *opts, writ_apply **out_apply, writ_error *err);

/* Applies it, once. watch and out_result may be NULL. */
WRIT_API writ_status writ_apply_run(writ_apply *apply, writ_engine *engine,
    const writ_apply_watch *watch, writ_apply_result *out_result,
    writ_error *err);

/* Closes the session and releases the lock. NULL is allowed. */
WRIT_API void writ_apply_free(writ_apply *apply);

/* The session's name, and its directory (NULL: in memory). Borrowed. */
WRIT_API const char *writ_apply_session(const writ_apply *apply);
WRIT_API const char *writ_apply_dir(const writ_apply *apply);

/* What was wrong with the session when it was opened, as a sentence; NULL:
 * nothing. Borrowed. */
WRIT_API const char *writ_apply_note(const writ_apply *apply);

/* How many resources have an event already: 0, unless it is resumed. */
WRIT_API size_t writ_apply_done(const writ_apply *apply);

/* The counts of the whole session. */
typedef struct writ_apply_summary {
	size_t size; /* set by the caller: sizeof(writ_apply_summary) */
	uint64_t start_us;
	uint64_t end_us;
	uint64_t duration_ns; /* from start to the end of the last event */
	size_t total;
	size_t unique;
	size_t changed;
	size_t failed;
	size_t skipped;
	size_t stable;
	size_t refreshed;
	size_t unmet;
	size_t checked;
	size_t health[4]; /* by writ_health */
	size_t errors;
} writ_apply_summary;

/* Fails with WRIT_E_INVALID (size). */
WRIT_API writ_status writ_apply_summarize(
    const writ_apply *apply, writ_apply_summary *out_summary, writ_error *err);

/* The counts, what is owed and how it ended as one line of JSON: the last line
 * of `writ apply --json`. Free *out_json with free(). Fails with
 * WRIT_E_NOMEM. */
WRIT_API writ_status writ_apply_json(
    const writ_apply *apply, char **out_json, size_t *out_len, writ_error *err);

/*
 * A change owes a refresh to those that subscribe to it, until one has
 * succeeded: the next apply makes up for it. Tells fn about each that this
 * manifest still owes. The texts are borrowed for the call.
 */
typedef struct writ_apply_debt {
	const char *subject;    /* what changed: "file#/etc/app.conf" */
	const char *subscriber; /* whose refresh is owed: "exec#restart" */
	uint64_t since_us;      /* Unix time */
} writ_apply_debt;
typedef void (*writ_apply_debt_fn)(void *ctx, const writ_apply_debt *debt);
WRIT_API void writ_apply_debts(
    const writ_apply *apply, writ_apply_debt_fn fn, void *ctx);

WRIT_END_DECLS

#endif /* WRIT_MANIFEST_H */
