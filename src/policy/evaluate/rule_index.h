/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_RULE_INDEX_H
#define W_POLICY_RULE_INDEX_H

#include <stdint.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

/*
 * Finds the rules that might match a command without testing all of them.
 *
 * Every rule is filed under the keys of one of its conditions: program name,
 * module, host, path prefix or effect. The command must have one of these keys
 * for the rule to match. A rule without keys is always tested. Keys are stored
 * as hashes only: a collision costs one more test, since every rule found is
 * matched in full.
 */
enum w_rule_key {
	W_RULE_KEY_ALWAYS,
	W_RULE_KEY_EFFECT,
	W_RULE_KEY_NAME,      /* of the program, in lower case */
	W_RULE_KEY_MODULE,    /* an id or its prefix up to a dot, likewise */
	W_RULE_KEY_HOST,      /* in lower case */
	W_RULE_KEY_HOST_TAIL, /* the part from a dot on */
	W_RULE_KEY_ANYWHERE,  /* a segment of a path */
	/* Prefixes of paths by segment; _ABOVE: shorter prefixes of the same
	 * glob. */
	W_RULE_KEY_PATH,
	W_RULE_KEY_PATH_ABOVE,
	W_RULE_KEY_HOME,
	W_RULE_KEY_HOME_ABOVE,
	W_RULE_KEY_ROOT,
	W_RULE_KEY_ROOT_ABOVE,
	W_RULE_KEY_COUNT
};

#define W_RULE_INDEX_EVERYBODY SIZE_MAX

struct w_rule_index_entry {
	const struct w_rule *rule;
	unsigned effects; /* that it can match; all bits: any, also none */
	size_t agent;     /* index of the agent that owns the rule, or
			     W_RULE_INDEX_EVERYBODY */
};

/* One rule under one key. */
struct w_rule_index_filed {
	uint64_t hash;
	uint32_t entry;
};

/* The filed rules of one key; count 0: free slot. */
struct w_rule_index_slot {
	uint64_t hash;
	uint32_t from;
	uint32_t count;
};

struct w_rule_index {
	struct w_rule_index_entry *entries;
	size_t count;
	struct w_rule_index_filed *filed; /* by hash, then by entry */
	size_t filed_count;
	struct w_rule_index_slot *slots; /* a hash table */
	size_t slot_mask;
	unsigned kinds;                /* bits: kinds of keys in use */
	const struct w_rule *standard; /* the default; NULL: none */
	const struct w_rule *unknown;  /* W_RULE_UNKNOWN; NULL: none */
	/* Used while building. */
	size_t filed_cap;
	size_t now;      /* current entry */
	bool has_failed; /* no memory */
};

/* Receives one key. */
typedef void (*w_rule_key_fn)(void *ctx, enum w_rule_key kind, uint64_t hash);

uint64_t w_rule_key_start(enum w_rule_key kind);
uint64_t w_rule_key_add(uint64_t hash, const char *text, size_t len);
uint64_t w_rule_key_add_folded(uint64_t hash, const char *text, size_t len);

/* ---- rule_keys.c ---- */

/* Yields the keys under which a rule is filed. */
void w_rule_keys(const struct w_rule *rule, w_rule_key_fn emit, void *ctx);

/* Effects of the items that the rule can match; all bits: any, also none. */
unsigned w_rule_effects(const struct w_rule *rule);

/* ---- evaluation_keys.c ---- */

/* Yields the keys of a command. kinds: bits of the kinds in use. false: the
 * command touches everything, so all rules have to be tested. */
bool w_evaluation_keys(const struct w_evaluation *evaluation, unsigned kinds,
    w_rule_key_fn emit, void *ctx);

#endif /* W_POLICY_RULE_INDEX_H */
