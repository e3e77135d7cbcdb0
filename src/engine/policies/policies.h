/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICIES_H
#define W_ENGINE_POLICIES_H

#include "base/sha256.h"
#include "engine/config/config_state.h"
#include "engine/policies/policies_file.h"
#include "policy/evaluate/decision.h"

/*
 * The policies that apply: which files they are. They are read when first
 * needed and again when they have changed.
 *
 * Invariants
 *  1. A policy that was once valid stays in force until a later version is
 *     valid.
 *  2. One that never was valid makes every request fail.
 *  3. Nothing is dropped silently: the caller is notified each time.
 */

/* One policy. */
struct w_loaded_policy {
	struct w_loaded_policy *next;
	enum w_tier tier;
	char *file; /* its path; "preset:NAME" for a preset */
	bool is_preset;
	bool is_memory;                /* the text of w_policies */
	const struct w_policy *policy; /* in force; NULL: none was ever valid */
	struct w_policy *read;         /* the same, if it came from a file */
	bool has_time;                 /* a rule depends on the time */
	struct w_fingerprints marks;
	/* Of its current text. */
	struct w_policy_faults faults;
	writ_error fault; /* the first one, or why it cannot be read; status
			     WRIT_OK: valid */
	uint8_t sum[W_SHA256_SIZE]; /* of all texts, and of the version of
				       writ; not set for a preset */
};

#define W_LOADED_POLICIES_MAX 3

/* Checks the lines of `expect`: adds a fault for each that fails. */
typedef writ_status (*w_expect_fn)(void *ctx, const struct w_policy *policy,
    struct w_policy_faults *faults, writ_error *err);

struct w_policies {
	struct w_loaded_policy *all;
	/* Those that apply to the current request, the system's first. */
	struct w_loaded_policy *loaded[W_LOADED_POLICIES_MAX];
	size_t count;
	const char *home; /* canonical, borrowed; NULL: none */
	/* In the place of the policy that the configuration names; borrowed.
	 * NULL: none. */
	const char *text;
	size_t text_len;
	char *project;      /* the directory that contains .writ; NULL: none */
	bool is_default;    /* there is none but the default preset */
	w_expect_fn expect; /* NULL: not checked */
	void *ctx;
	/* In a runner: checksums of the policies that its call was decided
	 * by, in the format of w_policies_sums(); borrowed. NULL: not a
	 * runner. */
	const char *vouched;
	/* Nothing protects the project's policy from its runs: what was read
	 * first applies, whatever becomes of the file. */
	bool keeps_project;
	bool is_lenient; /* faults are reported, not failures */
};

void w_policies_done(struct w_policies *policies);

/* Finds the policies that apply to a request in this directory (absolute,
 * canonical; NULL: none), and reads changed ones. WRIT_E_INVALID: one of
 * them was never valid; *err has its first fault, with its location. */
writ_status w_policies_find(struct w_policies *policies,
    const writ_config *config, const char *cwd, writ_error *err);

/* The checksums of the policies in force, in hex, separated by blanks. */
#define W_POLICIES_SUMS_MAX (W_LOADED_POLICIES_MAX * (W_SHA256_HEX + 1))
void w_policies_sums(
    const struct w_policies *policies, char out_text[W_POLICIES_SUMS_MAX]);

/* What stands for the path of a policy in memory. */
#define W_POLICY_MEMORY "memory"

/* Only this one instead of all: the text, else a file, or the name of a preset.
 */
writ_status w_policies_find_one(
    struct w_policies *policies, const char *name, writ_error *err);

/* ---- policies_read.c ---- */

/* Reads it if it is new or changed. Fails only with WRIT_E_NOMEM; other
 * failures are in its fault. */
writ_status w_policies_refresh_one(struct w_loaded_policy *one,
    const struct w_policies *policies, const char *state_dir, writ_error *err);
void w_policies_free_one(struct w_loaded_policy *one);

#endif /* W_ENGINE_POLICIES_H */
