/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_RULE_INDEX_H
#define W_POLICY_RULE_INDEX_H

#include <stdint.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"

/*
 * Which rules might match, without looking at all of them.
 *
 * Every rule is filed under keys of one of its dimensions, of which one must
 * be found in a command for the rule to match: names of the program, the
 * module, hosts, beginnings of paths, effects; or under none, and is always
 * looked at. Keys are known by their hash alone: who is found for nothing is
 * held against the command like any other.
 */
enum w_rule_key {
	W_RULE_KEY_ALWAYS,
	W_RULE_KEY_EFFECT, /* its bit */
	W_RULE_KEY_NAME,   /* of the program, in small letters */
	W_RULE_KEY_MODULE, /* an id, or its beginning up to a dot, likewise */
	W_RULE_KEY_HOST,   /* likewise */
	W_RULE_KEY_HOST_TAIL, /* from a dot on */
	W_RULE_KEY_ANYWHERE,  /* a segment of a path */
	/* Beginnings of paths, segment by segment; and all that lie above. */
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
	unsigned effects; /* that it can match; all bits: any */
	size_t agent;     /* whose rule it is: its place in agents, or
			     W_RULE_INDEX_EVERYBODY */
};

/* One rule under one key. */
struct w_rule_index_filed {
	uint64_t hash;
	uint32_t entry;
};

/* Where those of one key begin; count 0: the slot is free. */
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
	unsigned kinds;                /* bits: any rule has such a key */
	const struct w_rule *standard; /* the default; NULL */
	const struct w_rule *unknown;  /* the W_RULE_UNKNOWN; NULL */
	/* While it is made. */
	size_t filed_cap;
	size_t now;      /* the entry that is filed */
	bool has_failed; /* no memory */
};

/* Takes one key. */
typedef void (*w_rule_key_fn)(void *ctx, enum w_rule_key kind, uint64_t hash);

uint64_t w_rule_key_start(enum w_rule_key kind);
uint64_t w_rule_key_add(uint64_t hash, const char *text, size_t len);
uint64_t w_rule_key_add_folded(uint64_t hash, const char *text, size_t len);

/* ---- rule_keys.c ---- */

/* The keys that a rule is filed under. */
void w_rule_keys(const struct w_rule *rule, w_rule_key_fn take, void *ctx);

/* Effects of items that it can match; all bits: any, or none at all. */
unsigned w_rule_effects(const struct w_rule *rule);

/* ---- evaluation_keys.c ---- */

/* The keys that a trial has. kinds: bits of those that anything is filed under.
 * false: it touches everything, and all rules have to be looked at. */
bool w_evaluation_keys(const struct w_evaluation *evaluation, unsigned kinds,
    w_rule_key_fn take, void *ctx);

#endif /* W_POLICY_RULE_INDEX_H */
