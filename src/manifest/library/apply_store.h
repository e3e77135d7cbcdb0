/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_STORE_H
#define W_MANIFEST_APPLY_STORE_H

#include "base/words.h"
#include "manifest/library/manifest_library.h"
#include "manifest/owed/owed.h"

/*
 * What an apply keeps in the state directory: the lock, the refreshes that are
 * owed, and its session.
 */
struct w_apply_store {
	struct w_manifest_session *session;
	bool is_borrowed;      /* the session is the manifest's */
	struct w_owed *owed;   /* NULL: nothing is owed beyond the apply */
	int lock_fd;           /* -1: none */
	struct w_words choice; /* what of the manifest is applied, as a session
				* keeps it */
};

/* Opens what the options ask for. *store is all zero, but for lock_fd -1; it
 * is closed with w_apply_store_done() in any case. */
writ_status w_apply_store_open(struct w_apply_store *store,
    const writ_manifest *manifest, const writ_apply_options *options,
    const char *state_dir, writ_error *err);
void w_apply_store_done(struct w_apply_store *store);

/* Begins the session, or goes on with it. */
writ_status w_apply_store_begin(struct w_apply_store *store,
    const writ_manifest *manifest, const writ_apply_options *options,
    writ_error *err);

#endif /* W_MANIFEST_APPLY_STORE_H */
