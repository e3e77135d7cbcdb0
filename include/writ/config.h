/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_CONFIG_H
#define WRIT_CONFIG_H

#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * The settings: where writ stores its data, and how it records. Each has a key
 * ("state_dir"). An option sets it, else an environment variable
 * ("WRIT_STATE_DIR"), else the default applies.
 *
 * Values are strings in normal form: an absolute path, several paths separated
 * by ':', "none" for an unset path, a word, a duration ("14d"), a size
 * ("64MiB").
 */
typedef struct writ_config writ_config;

typedef struct writ_setting {
	const char *key;    /* "state_dir" */
	const char *env;    /* "WRIT_STATE_DIR" */
	const char *value;  /* never NULL */
	const char *origin; /* "option", "environment", "default" */
	const char *help;   /* one line */
} writ_setting;

/* Reads the settings from the environment of this process. */
WRIT_API writ_status writ_config_new(writ_config **out_config, writ_error *err);
WRIT_API void writ_config_free(writ_config *config);

/* Sets one key, as an option does. Fails with WRIT_E_INVALID for an unknown
 * key or an invalid value. */
WRIT_API writ_status writ_config_set(
    writ_config *config, const char *key, const char *value, writ_error *err);

/* The value of a key; NULL for an unknown one. Borrowed. */
WRIT_API const char *writ_config_get(
    const writ_config *config, const char *key);

/* All settings, *out_count of them. Borrowed. */
WRIT_API const writ_setting *writ_config_all(
    const writ_config *config, size_t *out_count);

WRIT_END_DECLS

#endif /* WRIT_CONFIG_H */
