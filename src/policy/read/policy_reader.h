/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_POLICY_READER_H
#define W_POLICY_POLICY_READER_H

#include "data/yaml.h"
#include "policy/policy.h"

/*
 * State while a policy is read; read_policy.c has the overview. Readers of
 * values report errors with w_read_refuse() and continue, so that one run
 * reports all faults of a file. The result is used only if there were none.
 */
#define W_POLICY_DOCUMENTS_MAX \
	64 /* a file and all its includes; one bit each */

/* One parsed file. It lives as long as the policy, which points into it. */
struct w_read_document {
	struct w_read_document *next;         /* next file of the policy */
	const struct w_read_document *parent; /* the including file */
	struct w_yaml *yaml;
	const char *file;
	size_t depth;
	uint64_t bit;      /* the document's own; see w_rule */
	uint64_t includes; /* the bits of all documents below it */
};

/* A growing list in the policy's arena. */
struct w_rule_list {
	const struct w_rule **items;
	size_t count;
	size_t cap;
};

struct w_policy_reader {
	struct w_policy *policy;
	const struct w_policy_source *source;
	struct w_policy_faults *faults;
	size_t first_fault;  /* faults before it belong to other policies */
	bool is_suggestible; /* the last fault was stored */
	bool is_refused;     /* there was a fault, even if not stored */
	bool is_out_of_memory;
	const struct w_rule *hosts_rule;  /* of the policy's last `network` */
	struct w_read_document *document; /* current */
	size_t document_count;
	size_t order; /* of the last rule read */
	size_t place; /* if not 0: new rules go right after this order */
	struct w_buf scratch;
	/* The policy's special rules, one of each kind; a later key replaces
	 * it. */
	struct w_rule *special[W_RULE_UNKNOWN + 1];
	struct w_rule_list rules;
	struct w_policy_agent *agents;
	size_t agent_cap;
	struct w_policy_expect *expects;
	size_t expect_cap;
	/* Where settings and rules go: the policy or an agent. */
	struct w_policy_terms *terms;
	struct w_rule_list *into;
	bool is_agent;
};

/* Reads the value of a key. */
typedef void w_read_value(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val);
/* Checks one string of a list; false: a fault was reported. */
typedef bool w_read_check(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text);

/* A key of a map, and where its value goes. Tables end with a NULL name. */
struct w_read_key {
	const char *name;
	enum {
		W_READ_BY,       /* its own function, NULL: it is ignored */
		W_READ_LIST,     /* w_globs: a string or a list of strings */
		W_READ_ANY_LIST, /* the same, and it may be empty */
		W_READ_BITS,     /* unsigned: such a list of words, joined */
		W_READ_TEXT,     /* const char * */
		W_READ_LINE,     /* the same, one line */
		W_READ_MESSAGE,  /* the same, with placeholders in braces */
		W_READ_WORD,     /* const char *: one of words */
		W_READ_CHOICE,   /* int: which of words; -1: a fault */
		W_READ_TRUTH,    /* bool */
	} kind;
	size_t offset;    /* of the member in the target */
	const char *what; /* for messages; NULL: the name */
	w_read_value *read;
	w_read_check *check;                /* of each string of a list */
	unsigned (*bits)(const char *word); /* of a word that was checked */
	const char *const *words;           /* NULL-ended */
};

/* ---- read_value.c ---- */

/* The string value up to its first NUL; "" if it is not a string. */
const char *w_read_word(yyjson_val *val);

/* Reports a fault at a value. Always returns false. */
bool w_read_refuse(struct w_policy_reader *reader, const yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));
/* Adds a suggestion to the fault just reported. */
void w_read_suggest(struct w_policy_reader *reader, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));
/* Suggests the nearest word; does nothing for NULL. */
void w_read_suggest_word(struct w_policy_reader *reader, const char *nearest);
/* Reports another reader's error as a fault. */
bool w_read_refuse_error(struct w_policy_reader *reader, const yyjson_val *at,
    const char *what, const writ_error *err);

struct w_policy_location w_read_location(
    const struct w_policy_reader *reader, const yyjson_val *at);
/* Zeroed memory from the policy's arena. NULL: no memory, which is recorded. */
void *w_read_alloc(struct w_policy_reader *reader, size_t count, size_t size);
const char *w_read_copy(
    struct w_policy_reader *reader, const char *text, size_t len);
/* Makes room for one more item in an arena list; false: no memory. */
bool w_read_grow(struct w_policy_reader *reader, void **items, size_t count,
    size_t *cap, size_t size);

/* Reads every key of a map by the table. what: "a rule", for messages. false:
 * not a map. */
bool w_read_map(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const struct w_read_key *keys, void *target);
/* The same, or else the value of its first key alone. */
void w_read_short(struct w_policy_reader *reader, yyjson_val *key,
    yyjson_val *val, const struct w_read_key *keys, void *target);
/* Reads one value by its row. */
void w_read_member(struct w_policy_reader *reader, const struct w_read_key *row,
    void *target, yyjson_val *key, yyjson_val *val);
/* NULL: a fault was reported; the same for the readers below. */
const char *w_read_text(
    struct w_policy_reader *reader, yyjson_val *val, const char *what);
/* The index of a word in a NULL-ended list; -1: there is none. */
int w_read_find(const char *text, const char *const *words);
/* A string or a list of strings. An empty list fails unless may_be_empty. */
w_globs w_read_list(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, w_read_check *check, bool may_be_empty);

/* ---- read_glob.c ---- */
w_read_check w_read_check_glob;    /* any glob */
w_read_check w_read_check_path;    /* a path glob */
w_read_check w_read_check_program; /* a name, or a path if it has a slash */
w_read_check w_read_check_host;
w_read_check w_read_check_variable; /* a variable's name */
w_read_check w_read_check_root;     /* a directory, no glob */

/* ---- read_rule.c ---- */
w_read_value w_read_rules;
extern const char *const w_read_verdict_words[];
/* An empty rule at this place; NULL: no memory. */
struct w_rule *w_read_new_rule(
    struct w_policy_reader *reader, const yyjson_val *at);
/* The verdict that a key names. */
enum w_verdict w_read_verdict(yyjson_val *key);
bool w_read_add_rule(struct w_policy_reader *reader, struct w_rule *rule);
/* A value as YAML on one line. */
const char *w_read_flow(struct w_policy_reader *reader, yyjson_val *val);
/* Leaves room after each rule for the rules of an including file. */
#define W_READ_ORDER_SHIFT (sizeof(size_t) * 4)
size_t w_read_order(struct w_policy_reader *reader);
/* Creates the rule for a key other than `rules`; its text is "KEY: value". In
 * the policy it replaces an earlier one of its kind. */
struct w_rule *w_read_special(struct w_policy_reader *reader,
    enum w_rule_kind kind, enum w_verdict verdict, yyjson_val *key,
    yyjson_val *val);

/* ---- read_network.c ---- */
w_read_value w_read_network;
/* Whether a text is a pattern of hosts. */
bool w_read_check_pattern(
    struct w_policy_reader *reader, yyjson_val *val, const char *text);

/* ---- read_bounds.c ---- */
w_read_value w_read_rule_until;
w_read_value w_read_rule_project;
/* Seconds of the epoch. false: a fault was reported. */
bool w_read_until(
    struct w_policy_reader *reader, yyjson_val *val, int64_t *out);
/* The root of a project; NULL: a fault was reported. */
const char *w_read_project(struct w_policy_reader *reader, yyjson_val *val);

/* ---- read_match.c, read_match_value.c ---- */
void w_read_match(
    struct w_policy_reader *reader, struct w_rule *rule, yyjson_val *val);
w_read_value w_read_shapes;
w_read_value w_read_inputs;
w_read_value w_read_time;
w_read_value w_read_walls;
w_read_check w_read_check_network;
unsigned w_read_network_bit(const char *word);

/* ---- read_terms.c, read_limits.c, read_special.c: also keys of an agent ----
 */
w_read_value w_read_roots;
w_read_value w_read_environment;
w_read_value w_read_limits;
w_read_value w_read_shell;
w_read_value w_read_arguments;
w_read_value w_read_programs;
w_read_value w_read_default;
extern const char *const w_read_network_words[];
extern const char *const w_read_judge_words[];
extern const char *const w_read_undo_words[];

/* A limit's name and storage. */
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

/* ---- read_agent.c, read_expect.c ---- */
w_read_value w_read_agents;
w_read_value w_read_default_agent;
w_read_value w_read_expects;

/* ---- read_document.c ---- */

/* Reads a file with all its includes into the current policy. */
void w_read_document(struct w_policy_reader *reader, const char *text,
    size_t len, const char *file);

/* ---- read_finish.c ---- */

/* Checks that need the whole policy, and builds its final lists. */
void w_read_finish(struct w_policy_reader *reader);

/* ---- yaml_flow.c ---- */

/* Appends a value as YAML flow style on one line. */
void w_flow_add(struct w_buf *buf, yyjson_val *val);
void w_flow_add_text(struct w_buf *buf, const char *text);
void w_flow_add_globs(struct w_buf *buf, w_globs globs);

#endif /* W_POLICY_POLICY_READER_H */
