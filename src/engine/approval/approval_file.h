/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_FILE_H
#define W_ENGINE_APPROVAL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/approval.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/sha256.h"
#include "data/json.h"

/*
 * The files of questions, answers and grants.
 *
 *     STATE/approvals/ID.json     a question
 *     STATE/approvals/ID.answer   its answer, or that it was withdrawn
 *     STATE/approvals/ID.used     an approval for one time has been used
 *     STATE/grants/ID.json        what was granted for longer
 *     STATE/grants/ID.revoked     and taken back
 *
 * Each is one line,
 *
 *     {"mac":"HEX","kind":"WORD","id":"ID",...}
 *
 * whose mac is the HMAC of everything behind it under the key of this state
 * directory. A file appears whole under its name, on the disk, and is never
 * written again; where a name must be taken once only (an answer, a use) the
 * file system sees to it. What has another form, another mac, another owner,
 * or a name that its content does not have, is not believed.
 */
#define W_APPROVALS_DIR     "approvals"
#define W_GRANTS_DIR        "grants"
#define W_APPROVAL_FILE_MAX ((size_t)16 << 20)

/* The longest name, with its suffix and a NUL. */
#define W_APPROVAL_NAME_SIZE (WRIT_APPROVAL_ID_LEN + 16)

struct w_approval_store {
	char *state_dir;
	int queue_fd;  /* -1: there is none yet */
	int grants_fd; /* likewise */
	bool has_key;
	struct w_hmac_key key;
};

/* Opens what is there. Nothing there is fine. */
writ_status w_approval_store_open(
    struct w_approval_store *store, const char *state_dir, writ_error *err);
void w_approval_store_close(struct w_approval_store *store);
#define W_AUTO_APPROVAL_STORE __attribute__((cleanup(w_approval_store_close)))
/* clang-format off */
#define W_APPROVAL_STORE_NONE {.queue_fd = -1, .grants_fd = -1}
/* clang-format on */

/* Looks again for directories that were not there. */
writ_status w_approval_store_refresh(
    struct w_approval_store *store, writ_error *err);
/* Makes those that are missing. */
writ_status w_approval_store_create(
    struct w_approval_store *store, writ_error *err);

/* ID + suffix. */
void w_approval_file_name(
    const char *id, const char *suffix, char out_name[W_APPROVAL_NAME_SIZE]);

/* Begins the body of a file, behind which the caller puts its members (each
 * with its comma); and ends it, which w_approval_file_write() does. */
void w_approval_file_begin(
    struct w_buf *body, const char *kind, const char *id);
void w_approval_file_end(const struct w_hmac_key *key, struct w_buf *body);

/* Writes it, synced, unless the name is taken. 0, or an errno; EEXIST: it is.
 */
int w_approval_file_write(const struct w_approval_store *store, int dir_fd,
    const char *name, struct w_buf *body);

/* Reads one and checks it. WRIT_E_NOTFOUND: there is none; WRIT_E_INVALID: it
 * is not to be believed, and why. *out_json is yours. */
writ_status w_approval_file_read(const struct w_approval_store *store,
    int dir_fd, const char *name, const char *kind, struct w_json **out_json,
    writ_error *err);

/* The same without a file: whether these bytes are one. */
writ_status w_approval_file_parse(const struct w_hmac_key *key,
    const char *bytes, size_t len, const char *name, const char *kind,
    struct w_json **out_json, writ_error *err);

/* The letters and digits of an id, and nothing else. */
bool w_approval_is_id(const char *text, size_t len);
/* 0, or an errno. */
int w_approval_new_id(char out_id[WRIT_APPROVAL_ID_LEN + 1]);

#endif /* W_ENGINE_APPROVAL_FILE_H */
