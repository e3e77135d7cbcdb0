/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_GIT_SETTINGS_H
#define W_TRIGGER_GIT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/words.h"

/*
 * The settings of git that a confined command may make.
 *
 * The command changes a copy of .git/config, in any way. These entries of the
 * copy are carried over, and nothing else:
 *
 * user.name, user.email; url (https, ssh, host:path) and fetch of a remote that
 * had no entry; remote (one that exists) and merge of a branch that had no
 * entry.
 *
 * No entry is ever removed. So a branch or remote that a person has set up
 * cannot be made "new" by a command, in one run or in several.
 */

enum {
	W_GIT_SETTINGS_BYTES_MAX = 256 << 10,
	W_GIT_SETTINGS_REFUSED_MAX = 32
};

struct w_git_settings_text {
	const char *text;
	size_t len;
};

/* What is done with the copy. */
struct w_git_settings_merge {
	struct w_buf text;      /* the new settings; unchanged: empty */
	struct w_words refused; /* printable names of entries that were not
				   carried over */
	bool is_changed;
};

/*
 * before: what the copy began with; copy: what it is now; now: the file itself.
 * false: no memory. A copy that git would reject, or that is too large, is
 * refused as a whole.
 */
bool w_git_settings_merge(const struct w_git_settings_text *before,
    const struct w_git_settings_text *copy,
    const struct w_git_settings_text *now,
    struct w_git_settings_merge *out_merge);
void w_git_settings_merge_done(struct w_git_settings_merge *merge);

/* Whether git takes it for the address of another machine and runs no program
 * of this one for it: https://, ssh://, user@host:path. */
bool w_git_settings_is_address(const char *url);

#endif /* W_TRIGGER_GIT_SETTINGS_H */
