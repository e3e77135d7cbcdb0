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
	W_SET_POLICY,
	W_SET_APPROVAL_TIMEOUT,
	W_SET_FORM_TIME,
	W_SETTING_COUNT,
};

/* What a setting may be. */
enum w_setting_kind {
	W_SETTING_PATH,  /* absolute */
	W_SETTING_MAYBE, /* a path, or "none" */
	W_SETTING_PATHS, /* some with ':' between them, or "none" */
	W_SETTING_WORD,  /* one of a list */
	W_SETTING_DURATION,
	W_SETTING_SIZE,
	W_SETTING_POLICY, /* a file, the name of a preset, or "none" */
};

struct w_setting_rule {
	struct w_config_place place; /* key and env; the rest for paths */
	enum w_setting_kind kind;
	const char *standard;     /* for all but paths */
	const char *const *words; /* of a list; ends with NULL */
	uint64_t min;             /* of a size or duration */
	const char *help;
};

extern const struct w_setting_rule w_setting_rules[W_SETTING_COUNT];

/* What an optional path is that nobody gave. */
#define W_SETTING_NONE "none"

/*
 * Checks a value and brings it into its normal form: "1024KiB" is "1MiB".
 * name is what the user wrote: the key or the variable. *out_value is yours.
 */
writ_status w_setting_normalize(const struct w_setting_rule *rule,
    const char *name, const char *value, char **out_value, writ_error *err);

struct writ_config {
	writ_setting settings[W_SETTING_COUNT];
	char *values[W_SETTING_COUNT];     /* what settings[].value points to */
	uint64_t numbers[W_SETTING_COUNT]; /* durations in ms, sizes in bytes,
					      the place of a word in its list */
};

/*
 * As writ_config_new(), but a place that a user without a home cannot have is
 * the empty text: most runs need only some of them. w_config_need() is for
 * when one is needed.
 */
writ_status w_config_new_lenient(writ_config **out_config, writ_error *err);
writ_status w_config_need(
    const writ_config *config, enum w_setting_id id, writ_error *err);

/* Yours; fails without memory only. */
writ_status w_config_copy(
    const writ_config *config, writ_config **out_copy, writ_error *err);

/* The value of a path; NULL: none. */
const char *w_config_path(const writ_config *config, enum w_setting_id id);
uint64_t w_config_number(const writ_config *config, enum w_setting_id id);

#endif /* W_ENGINE_CONFIG_STATE_H */
