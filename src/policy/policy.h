/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_H
#define W_POLICY_POLICY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"
#include "policy/hosts/host_list.h"
#include "policy/rule.h"

/*
 * A policy that was read and checked; docs/policy.md describes the language. No
 * I/O: reading takes text, and asks the caller for the text of included files.
 */

/* One error or warning. */
struct w_policy_fault {
	struct w_policy_location location;
	const char *message;
	const char *suggestion; /* NULL: none */
	bool is_warning;        /* from lint */
};

/* In file order. Zero-initialised is empty; done() frees what it owns. */
struct w_policy_faults {
	struct w_policy_fault *items;
	size_t count;
	size_t cap;
	struct w_arena arena; /* holds the texts */
};
void w_policy_faults_done(struct w_policy_faults *faults);
/* Copies the texts; suggestion may be NULL. false: no memory. */
bool w_policy_faults_add(struct w_policy_faults *faults,
    const struct w_policy_location *location, bool is_warning,
    const char *message, const char *suggestion);
/* Adds a suggestion to the newest fault; there must be one. */
bool w_policy_faults_suggest(struct w_policy_faults *faults, const char *fmt,
    va_list args) __attribute__((format(printf, 2, 0)));

#define W_POLICY_FAULTS_MAX 100
#define W_POLICY_TEXT_MAX   ((size_t)16 << 20)
#define W_POLICY_DEPTH_MAX  16 /* nesting of includes */

/* 0: not set. */
struct w_policy_limits {
	uint64_t timeout_ms;
	uint64_t max_timeout_ms;
	uint64_t idle_ms;
	uint64_t output;
	uint64_t spill;
	uint64_t max_output;
	uint64_t cpu_ms;
	uint64_t memory;
	uint64_t processes;
	uint64_t open_files;
	uint64_t file_size;
	uint64_t tmp;
	uint64_t tmp_on; /* a writ_tmp */
};

enum w_policy_shell {
	W_SHELL_JUDGE,
	W_SHELL_ALLOW,
	W_SHELL_ASK,
	W_SHELL_DENY,
};

enum w_policy_arguments {
	W_ARGUMENTS_LITERAL,
	W_ARGUMENTS_STRICT_MODULES,
	W_ARGUMENTS_STRICT_EXEC,
};

struct w_policy_environment {
	const char *mode; /* a word; NULL: not set */
	w_globs pass;
	w_globs drop;
	const char *const *set;      /* NAME=value */
	const char *const *standard; /* the same, for variables that are not
					there */
};

/* Settings of a policy or of an agent, besides rules. NULL, 0: not set. */
struct w_policy_terms {
	const char *sandbox;
	const char *network;
	w_globs hosts;     /* of the network, as written */
	const char *judge; /* "request", or "exec": programs that a run starts
			      are judged too */
	const char *undo;  /* "off", "auto", "on", "trial" */
	const char *const *roots; /* as written */
	struct w_policy_limits limits;
	struct w_policy_environment environment;
};

/* A list of hosts that rules of the policy point to. */
struct w_policy_hosts {
	struct w_policy_hosts *next;
	struct w_host_list list;
};

struct w_policy_agent {
	const char *name; /* a glob */
	struct w_policy_location location;
	struct w_policy_terms terms;
	const struct w_rule *const *rules; /* NULL-ended; `tools` and `shell` of
					      the agent are rules too */
};

/* One line of `expect`. */
struct w_policy_expect {
	struct w_policy_location location;
	enum w_verdict verdict;
	const char *const *argv; /* NULL: a shell command */
	size_t argc;
	const char *shell;
	const char *agent;   /* NULL: the default agent */
	const char *text;    /* as written, on one line */
	int64_t until;       /* not checked from then on; 0: always checked */
	const char *project; /* in this one; NULL: where it is checked */
};

struct w_policy {
	struct w_arena arena;
	unsigned holds;            /* how often w_policy_hold() was called */
	const char *file;          /* for messages */
	const char *default_agent; /* NULL: not set, means "local" */
	struct w_policy_terms terms;
	enum w_policy_shell shell;
	const char *shell_program; /* "sh", "bash" */
	bool names_shell;          /* the document says which */
	bool knows_hosts;          /* it speaks of the network 'hosts' */
	const char *exec_shape;    /* of the MCP exec tool; NULL: not set */
	enum w_policy_arguments arguments;
	w_globs programs; /* the allowlist; NULL: none */
	bool has_allowlist;
	const struct w_rule *const *rules; /* all but the agents' rules, in file
					      order, the default last */
	size_t rule_count;
	const struct w_policy_agent *agents;
	size_t agent_count;
	bool has_agents; /* `agents` is set: other agents are unknown */
	const struct w_policy_expect *expects;
	size_t expect_count;
	const char *const *files;         /* all files read, without presets */
	void *documents;                  /* rules point into them */
	struct w_policy_hosts *hosts;     /* likewise */
	const struct w_rule_index *index; /* rule_index.c */
};

/* Callbacks for w_policy_read(). */
struct w_policy_source {
	/* Returns the text of an included file or preset and its name for
	 * messages; the reader frees both with free(). from: the including
	 * file, as shown. */
	writ_status (*include)(void *ctx, const char *name, const char *from,
	    char **out_text, size_t *out_len, char **out_file, writ_error *err);
	void *ctx;
};

/*
 * Reads a policy. WRIT_E_INVALID: it has faults; the first is also in *err with
 * its location, and *out_policy is untouched. `expect` is checked for syntax
 * only.
 */
writ_status w_policy_read(const char *text, size_t len, const char *file,
    const struct w_policy_source *source, struct w_policy **out_policy,
    struct w_policy_faults *faults, writ_error *err);
void w_policy_free(struct w_policy *policy);

/* Keeps a policy for one more owner, who calls w_policy_free() too. NULL is
 * allowed. */
void w_policy_hold(struct w_policy *policy);

/* Builds the rule index (rule_index.c); called by w_policy_read(). */
writ_status w_policy_index(struct w_policy *policy, writ_error *err);
void w_policy_index_free(const struct w_rule_index *index);

/* The JSON Schema of the policy language, for editors. A test validates every
 * preset against it. */
const char *w_policy_schema(size_t *out_len);

/* ---- presets: ordinary policy files, compiled by tools/compile_presets.c ----
 */

struct w_preset {
	const char *name;
	const char *about; /* the first comment line */
	const char *text;
	size_t len;
	const struct w_policy *policy; /* never freed */
};

/* The table, which is made when writ is built; use the functions below. */
extern const struct w_preset w_presets[];
extern const size_t w_presets_count;

/* NULL: no such preset. */
const struct w_preset *w_preset_find(const char *name);
const struct w_preset *w_preset_all(size_t *out_count);

/* ---- lint.c ---- */

/* Callbacks for lint: what exists on this machine. Any may be NULL. */
struct w_lint_source {
	bool (*has_program)(void *ctx, const char *name);
	bool (*has_module)(void *ctx, const char *glob);
	/* Whether all matching modules are bindings of the project. */
	bool (*is_of_project)(void *ctx, const char *glob);
	/* The nearest existing name, or NULL. Borrowed until the next call. */
	const char *(*nearest_program)(void *ctx, const char *name);
	const char *(*nearest_module)(void *ctx, const char *name);
	void *ctx;
};

/* Adds warnings: rules that can never match, rules that an earlier rule makes
 * useless, programs and modules that do not exist, allow rules that are too
 * broad. */
writ_status w_policy_lint(const struct w_policy *policy,
    const struct w_lint_source *source, struct w_policy_faults *faults,
    writ_error *err);

/* Appends the policy as one YAML document without includes, every key with its
 * value (writ policy show --effective). Each rule has its location as a
 * comment. */
void w_policy_add_yaml(struct w_buf *buf, const struct w_policy *policy);
/* The same as JSON. */
void w_policy_add_json(struct w_buf *buf, const struct w_policy *policy);

#endif /* W_POLICY_POLICY_H */
