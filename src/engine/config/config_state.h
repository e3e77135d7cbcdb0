/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONFIG_STATE_H
#define W_ENGINE_CONFIG_STATE_H

#include <stdint.h>

#include <writ/config.h>

#include "engine/config/config_place.h"

enum w_setting_id {
	W_SET_CONFIG_DIR,
	W_SET_SYSTEM_DIR,
	W_SET_STATE_DIR,
	W_SET_CACHE_DIR,
	W_SET_SPILL_DIR,
	W_SET_MODULES,
	W_SET_AUDIT_DURABILITY,
	W_SET_AUDIT_FAILURE,
	W_SET_AUDIT_KEY,
	W_SET_AUDIT_SIGN_KEY,
	W_SET_AUDIT_SEGMENT,
	W_SET_OUTPUTS_AGE,
	W_SET_OUTPUTS_SIZE,
	W_SET_OUTPUT_KEEP,
	W_SET_UNDO_AGE,
	W_SET_UNDO_SIZE,
	W_SET_POLICY,
	W_SET_APPROVAL_TIMEOUT,
	W_SET_FORM_TIME,
	W_SETTING_COUNT,
};

/* The type of a setting. */
enum w_setting_kind {
	W_SETTING_PATH,  /* absolute */
	W_SETTING_MAYBE, /* a path, or "none" */
	W_SETTING_PATHS, /* separated by ':', or "none" */
	W_SETTING_WORD,  /* one of a list */
	W_SETTING_DURATION,
	W_SETTING_SIZE,
	W_SETTING_POLICY, /* a file, the name of a preset, or "none" */
};

struct w_setting_rule {
	struct w_config_place place; /* key and env; the rest only for paths */
	enum w_setting_kind kind;
	const char *standard;     /* default, for all but paths */
	const char *const *words; /* of W_SETTING_WORD; NULL-ended */
	uint64_t min;             /* of a size or duration */
	const char *help;
};

extern const struct w_setting_rule w_setting_rules[W_SETTING_COUNT];

/* The value of an optional path that is not set. */
#define W_SETTING_NONE "none"

/*
 * Checks and normalizes a value: "1024KiB" becomes "1MiB". name is what the
 * user wrote: the key or the variable. The caller frees *out_value.
 */
writ_status w_setting_normalize(const struct w_setting_rule *rule,
    const char *name, const char *value, char **out_value, writ_error *err);

struct writ_config {
	writ_setting settings[W_SETTING_COUNT];
	char *values[W_SETTING_COUNT];     /* owns settings[].value */
	uint64_t numbers[W_SETTING_COUNT]; /* durations in ms, sizes in
					      bytes, words by index */
};

/*
 * Like writ_config_new(), but a directory that a user without a home cannot
 * have is the empty string: most runs need only some of them. w_config_need()
 * fails if one is empty.
 */
writ_status w_config_new_lenient(writ_config **out_config, writ_error *err);
writ_status w_config_need(
    const writ_config *config, enum w_setting_id id, writ_error *err);

/* The caller frees *out_copy. Fails only with WRIT_E_NOMEM. */
writ_status w_config_copy(
    const writ_config *config, writ_config **out_copy, writ_error *err);

/* The value of a path; NULL: none. */
const char *w_config_path(const writ_config *config, enum w_setting_id id);
uint64_t w_config_number(const writ_config *config, enum w_setting_id id);

#endif /* W_ENGINE_CONFIG_STATE_H */
