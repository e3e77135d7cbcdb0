/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICIES_H
#define W_ENGINE_POLICIES_H

#include "base/sha256.h"
#include "engine/config/config_state.h"
#include "engine/policies/policies_file.h"
#include "policy/evaluate/decision.h"

/*
 * The policies that count: which files they are, read when they are first
 * needed and again when they have changed.
 *
 * Invariants
 *  1. A policy that was once in order goes on to count until a later one is.
 *  2. One that never was in order makes every request fail.
 *  3. Nothing is forgotten silently: whoever asks is told, each time.
 */

/* One of them. */
struct w_loaded_policy {
	struct w_loaded_policy *next;
	enum w_tier tier;
	char *file; /* its path; a preset's is "preset:NAME" */
	bool is_preset;
	const struct w_policy *policy; /* applies; NULL: none was ever valid */
	struct w_policy *read;         /* the same, if it came from a file */
	bool has_time;                 /* some rule asks what time it is */
	struct w_fingerprints marks;
	/* Of the text as it is now. */
	struct w_policy_faults faults;
	writ_error fault; /* the first, or why it cannot be read; its status is
			     WRIT_OK when it is in order */
	uint8_t sum[W_SHA256_SIZE]; /* of all texts, and of this writ; a preset
				       has none */
};

#define W_LOADED_POLICIES_MAX 3

/* Checks the lines of `expect`: adds a fault for each that does not hold. */
typedef writ_status (*w_expect_fn)(void *ctx, const struct w_policy *policy,
    struct w_policy_faults *faults, writ_error *err);

struct w_policies {
	struct w_loaded_policy *all;
	/* Those that count for the request at hand, the system's first. */
	struct w_loaded_policy *loaded[W_LOADED_POLICIES_MAX];
	size_t count;
	const char *home; /* canonical, borrowed; NULL: there is none */
	char *project; /* the directory that holds .writ; NULL: there is none */
	bool is_default;    /* there is none but the preset that stands in */
	w_expect_fn expect; /* NULL: nobody looks */
	void *ctx;
	/* In a runner: the sums of those that its call was decided by, as
	 * w_policies_sums() has them; borrowed. NULL: everywhere else. */
	const char *vouched;
	bool is_lenient; /* faults are for whoever looks, and no failure */
};

void w_policies_done(struct w_policies *policies);

/* Finds those that count for a request in this directory (absolute, canonical;
 * NULL: there is none), and reads what has changed. WRIT_E_INVALID: one of them
 * never was in order; *err has its first fault, with the place. */
writ_status w_policies_find(struct w_policies *policies,
    const writ_config *config, const char *cwd, writ_error *err);

/* The sums of those that count, in hexadecimal, with a blank between them. */
#define W_POLICIES_SUMS_MAX (W_LOADED_POLICIES_MAX * (W_SHA256_HEX + 1))
void w_policies_sums(
    const struct w_policies *policies, char out_text[W_POLICIES_SUMS_MAX]);

/* Only this one, instead of all: a file, or a preset's name. */
writ_status w_policies_find_one(
    struct w_policies *policies, const char *name, writ_error *err);

/* ---- policies_read.c ---- */

/* Reads it if it is new or has changed. Fails without memory only: the fault
 * says the rest. */
writ_status w_policies_refresh_one(struct w_loaded_policy *one,
    const struct w_policies *policies, const char *state_dir, writ_error *err);
void w_policies_free_one(struct w_loaded_policy *one);

/* The directory that holds .writ, at cwd or above it, but not at or above home
 * unless cwd is that; *out_dir is yours, or NULL. */
writ_status w_project_find(
    const char *cwd, const char *home, char **out_dir, writ_error *err);

#endif /* W_ENGINE_POLICIES_H */
