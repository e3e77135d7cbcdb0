/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SETTINGS_COPY_H
#define W_RUN_SETTINGS_COPY_H

#include <sys/types.h>

#include "base/buf.h"
#include "run/resolve/identity.h"

/*
 * A copy of .git/config for one run. The command sees a link to it in the place
 * of the file, and may do with it what it likes; git replaces it by a rename,
 * which cannot be done to a mount. After the run the engine carries over what
 * git_settings.h allows.
 */
struct w_settings_copy {
	char *config; /* the file itself */
	char *dir;    /* holds the copy, and is writable */
	char *path;   /* the copy */
	struct w_buf before;
	dev_t dev;
	ino_t ino;
};

/* *out_copy is NULL if there is no file that can be copied: then the command
 * meets the protected one. */
writ_status w_settings_copy_make(const char *config,
    const struct w_identity *identity, struct w_settings_copy **out_copy,
    writ_error *err);

/* Carries the allowed entries over. refused gets the names of the others, or
 * why nothing was. false: no memory. */
struct w_words;
bool w_settings_copy_settle(
    const struct w_settings_copy *copy, struct w_words *refused);

/* NULL is allowed. */
void w_settings_copy_free(struct w_settings_copy *copy);

#endif /* W_RUN_SETTINGS_COPY_H */
