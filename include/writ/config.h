/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_CONFIG_H
#define WRIT_CONFIG_H

#include <stddef.h>

#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * The settings: where writ keeps things, and how it keeps its record. Each has
 * a key ("state_dir"), can be set by an option, else by a variable
 * ("WRIT_STATE_DIR"), else has a default.
 *
 * Values are texts in a normal form: an absolute path, several with ':' between
 * them, "none" for a path that is not set, a word, a duration ("14d"), a size
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

/* Sets one key, as an option does. Unknown keys, and values that the setting
 * cannot have, are WRIT_E_INVALID. */
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
