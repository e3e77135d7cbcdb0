/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_READER_H
#define W_POLICY_POLICY_READER_H

#include "data/yaml.h"
#include "policy/policy.h"

/*
 * A policy while it is read; read_policy.c has the way through. Readers of
 * values say what is wrong by w_read_refuse() and go on, so that all faults of
 * a file are told at once. What they make is only looked at when there was
 * none.
 */
#define W_POLICY_DOCUMENTS_MAX 64 /* a file and all that it includes */

/* One text. Those of a policy live as long as it does: values are theirs. */
struct w_read_document {
	struct w_read_document *next;         /* of the same policy */
	const struct w_read_document *parent; /* that includes it */
	struct w_yaml *yaml;
	const char *file;
	size_t depth;
};

/* Grows in the policy's arena. */
struct w_rule_list {
	const struct w_rule **items;
	size_t count;
	size_t cap;
};

struct w_policy_reader {
	struct w_policy *policy;
	const struct w_policy_source *source;
	struct w_policy_faults *faults;
	size_t first_fault;  /* before it are those of other policies */
	bool is_suggestible; /* the last fault was added */
	bool is_refused;     /* there was one, whether or not it was kept */
	bool is_out_of_memory;
	struct w_read_document *document; /* at hand */
	size_t document_count;
	size_t order; /* of the rule that was read last */
	size_t place; /* 0, or the order of the rule that others go behind */
	struct w_buf scratch;
	/* Of the policy: one of each kind, which a later key replaces. */
	struct w_rule *special[W_RULE_UNKNOWN + 1];
	struct w_rule_list rules; /* the plain ones */
	struct w_policy_agent *agents;
	size_t agent_cap;
	struct w_policy_expect *expects;
	size_t expect_cap;
	/* Where terms and rules go: the policy's, or an agent's. */
	struct w_policy_terms *terms;
	struct w_rule_list *into;
	bool is_agent;
};

/* A key of a map, and who reads its value. Tables end with a NULL name. */
struct w_read_key {
	const char *name;
	void (*read)(struct w_policy_reader *reader, void *target,
	    yyjson_val *key, yyjson_val *val);
};

/* ---- read_value.c ---- */

/* A text, up to a NUL in it; of what is none, an empty one. */
const char *w_read_word(yyjson_val *val);

/* Says what is wrong with a value. Always false. */
bool w_read_refuse(struct w_policy_reader *reader, const yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
/* Adds what to do about what was just refused. */
void w_read_suggest(struct w_policy_reader *reader, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));
/* Likewise the word that was meant; nothing for NULL. */
void w_read_suggest_word(struct w_policy_reader *reader, const char *nearest);
/* Refuses by what another reader has said. */
bool w_read_refuse_error(struct w_policy_reader *reader, const yyjson_val *at,
    const char *what, const writ_error *err);

struct w_policy_location w_read_location(
    const struct w_policy_reader *reader, const yyjson_val *at);
/* Zeroed memory of the policy; NULL: there is none, which is remembered. */
void *w_read_alloc(struct w_policy_reader *reader, size_t count, size_t size);
const char *w_read_copy(
    struct w_policy_reader *reader, const char *text, size_t len);
/* Makes room for one more in a list of the arena; false: no memory. */
bool w_read_grow(struct w_policy_reader *reader, void **items, size_t count,
    size_t *cap, size_t size);

/* Reads every key of a map by the table; what: "a rule". false: no map. */
bool w_read_map(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const struct w_read_key *keys, void *target);
/* NULL: refused, and likewise below. */
const char *w_read_text(
    struct w_policy_reader *reader, yyjson_val *val, const char *what);
/* One line for people. */
const char *w_read_line(
    struct w_policy_reader *reader, yyjson_val *val, const char *what);
/* A line in which names in braces stand for something. */
const char *w_read_message(struct w_policy_reader *reader, yyjson_val *val);
/* The place of a word among words, which end with NULL; -1. */
int w_read_choice(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *const *words);
bool w_read_truth(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, bool *out_is_true);

/* Looks at one text of a list; false: it was refused. */
typedef bool w_read_check(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text);
/* A text or a list of texts. An empty list is refused unless may_be_empty. */
w_globs w_read_list(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, w_read_check *check, bool may_be_empty);

/* ---- read_glob.c ---- */
w_read_check w_read_check_glob;    /* of any text */
w_read_check w_read_check_path;    /* of a path */
w_read_check w_read_check_program; /* of a name, or with a slash a path */
w_read_check w_read_check_host;
w_read_check w_read_check_variable; /* of the name of one */
w_read_check w_read_check_root;     /* no glob: a directory */

/* ---- read_rule.c ---- */
void w_read_rules(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val);
bool w_read_add_rule(struct w_policy_reader *reader, struct w_rule *rule);
/* A value as policies have it on one line. */
const char *w_read_flow(struct w_policy_reader *reader, yyjson_val *val);
/* Leaves room behind each, for what an including file adds there. */
#define W_READ_ORDER_SHIFT (sizeof(size_t) * 4)
size_t w_read_order(struct w_policy_reader *reader);
/* A rule that a key other than `rules` stands for, with "KEY: value" as its
 * text; of the policy it takes the place of the one before it. */
struct w_rule *w_read_special(struct w_policy_reader *reader,
    enum w_rule_kind kind, enum w_verdict verdict, yyjson_val *key,
    yyjson_val *val);

/* ---- read_match.c, read_match_value.c, read_shape.c ---- */
void w_read_match(
    struct w_policy_reader *reader, struct w_rule *rule, yyjson_val *val);
void w_read_inputs(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_time(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val);
void w_read_walls(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val);
void w_read_networks(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_shapes(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);

/* ---- read_terms.c, read_limits.c, read_special.c: also keys of an agent ----
 */
void w_read_sandbox(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_network(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_roots(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val);
void w_read_environment(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_limits(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_shell(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val);
void w_read_arguments(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_programs(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_default(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
extern const char *const w_read_network_words[];

/* A limit, and where it is. */
struct w_policy_limit_row {
	const char *name;
	enum {
		W_POLICY_LIMIT_DURATION,
		W_POLICY_LIMIT_SIZE,
		W_POLICY_LIMIT_NUMBER
	} kind;
	size_t offset; /* in struct w_policy_limits */
};
#define W_POLICY_LIMIT_COUNT 12
extern const struct w_policy_limit_row
    w_policy_limit_rows[W_POLICY_LIMIT_COUNT];

/* ---- read_agent.c ---- */
void w_read_agents(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_exec_shape(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
void w_read_default_agent(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);

/* ---- read_expect.c ---- */
void w_read_expects(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);

/* ---- read_document.c ---- */

/* Reads a text with all that it includes into the policy at hand. */
void w_read_document(struct w_policy_reader *reader, const char *text,
    size_t len, const char *file);

/* ---- read_finish.c ---- */

/* What can only be said of the whole, and the lists as the policy has them. */
void w_read_finish(struct w_policy_reader *reader);

/* ---- yaml_flow.c ---- */

/* Appends a value as YAML on one line, as it may stand in braces. */
void w_flow_add(struct w_buf *buf, yyjson_val *val);
void w_flow_add_text(struct w_buf *buf, const char *text);
void w_flow_add_globs(struct w_buf *buf, w_globs globs);

#endif /* W_POLICY_POLICY_READER_H */
