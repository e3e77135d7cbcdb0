/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_WATCH_H
#define WRIT_WATCH_H

#include <stddef.h>

#include <writ/config.h>

WRIT_BEGIN_DECLS

/*
 * Whether what writ goes by has changed: files of policies and modules, also
 * those that are not there yet. For programs that stay.
 */
typedef struct writ_watch writ_watch;

#define WRIT_CHANGED_POLICY  1U
#define WRIT_CHANGED_MODULES 2U

/* config may be NULL; cwd: whose project, NULL: the caller's; dirs: of modules
 * besides, NULL-ended or NULL. *out_watch is yours. */
WRIT_API writ_status writ_watch_new(const writ_config *config, const char *cwd,
    const char *const *dirs, writ_watch **out_watch, writ_error *err);
WRIT_API void writ_watch_free(writ_watch *watch);

/* A descriptor that polls readable when something may have changed. */
WRIT_API int writ_watch_fd(const writ_watch *watch);

/* Which did, since the last call; 0: nothing that counts. Does not block. */
WRIT_API unsigned writ_watch_take(writ_watch *watch);

WRIT_END_DECLS

#endif /* WRIT_WATCH_H */
