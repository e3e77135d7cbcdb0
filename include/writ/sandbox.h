/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_SANDBOX_H
#define WRIT_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * Sandbox profiles: values for `sandbox` of a request.
 *
 *     writ_profile *profile;
 *     if (writ_profile_find(NULL, "workspace", &profile, &err) != WRIT_OK)
 *         return report(&err);
 *     puts(profile->description);
 *     writ_profile_free(profile);
 *
 * Paths of a profile are resolved only when a run uses it, against the
 * directory of that run. See writ-profile(5).
 */

/*
 * A profile, merged with all that it extends. Read-only, made by the library,
 * freed by writ_profile_free(). Lists end with NULL and are never NULL; a limit
 * of 0 means none. New members are added only at the end.
 */
typedef struct writ_profile {
	const char *name;
	const char *origin;         /* "built in", or its file */
	const char *description;    /* one line; may be empty */
	const char *walls;          /* "none", "env", "container",
				       "readonly", "workspace", "strict" */
	const char *network;        /* "off", "loopback", "hosts", "host" */
	const char *const *layers;  /* that a run of this user needs */
	const char *const *read;    /* paths as written; "/" is everything */
	const char *const *write;   /* readable as well */
	const char *const *execute; /* empty: whatever is readable or
				       writable */
	const char *const *hide;    /* overrides all others */
	const char *const *protect; /* never writable, even inside write;
				       relative paths lie beneath each path
				       of write */
	uint64_t timeout_ms;
	uint64_t idle_timeout_ms;
	uint64_t max_output;
	uint64_t cpu_ms;
	uint64_t memory;
	uint64_t processes;
	uint64_t open_files;
	uint64_t file_size;
	uint64_t tmp_size;
	const char *const *lacks; /* what "container" does not hold and
				     "workspace" does, in words;
				     NULL: of other walls */
	const char *tmp; /* where the private /tmp lies: "memory", "disk";
			    NULL: it does not say */
	const char *const *hosts; /* with the network "hosts", as written */
} writ_profile;

/*
 * Finds a profile as a run would: built in, or NAME.yaml in `profiles` of the
 * user's and then the system's configuration, or, if name has a '/', a file.
 * config may be NULL: settings from the environment. Free *out_profile with
 * writ_profile_free().
 *
 * Fails with WRIT_E_INVALID (no such profile, or an invalid one, with line and
 * column), _NOMEM or _SYSTEM.
 */
WRIT_API writ_status writ_profile_find(const writ_config *config,
    const char *name, writ_profile **out_profile, writ_error *err);

/* NULL is allowed. */
WRIT_API void writ_profile_free(writ_profile *profile);

/*
 * The profile as a YAML document that can be saved as NAME.yaml, and as a JSON
 * object on one line. Free *out_text with free(). Fails with WRIT_E_NOMEM.
 */
WRIT_API writ_status writ_profile_yaml(const writ_profile *profile,
    char **out_text, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_profile_json(const writ_profile *profile,
    char **out_text, size_t *out_len, writ_error *err);

/* A profile that can be named, or an invalid file among them. */
typedef struct writ_profile_entry {
	const char *name;
	const char *origin;      /* "built in", or its file */
	const char *description; /* empty if there is a problem */
	const char *problem;     /* why it cannot be used; NULL: none */
} writ_profile_entry;

typedef struct writ_profile_list writ_profile_list;

/*
 * Lists the profiles: the built-in ones, the user's, the system's; each by
 * name. An invalid file is listed with its problem. config may be NULL. Free
 * *out_list with writ_profile_list_free(). Fails with WRIT_E_NOMEM, or
 * WRIT_E_SYSTEM if a directory exists but cannot be read.
 */
WRIT_API writ_status writ_profile_list_new(
    const writ_config *config, writ_profile_list **out_list, writ_error *err);

/* NULL is allowed. */
WRIT_API void writ_profile_list_free(writ_profile_list *list);

/* All entries, *out_count of them. Borrowed. */
WRIT_API const writ_profile_entry *writ_profile_list_all(
    const writ_profile_list *list, size_t *out_count);

WRIT_END_DECLS

#endif /* WRIT_SANDBOX_H */
