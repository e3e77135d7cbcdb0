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
 *  STATE/approvals/ID.json     a question
 *  STATE/approvals/ID.answer   its answer, or its withdrawal
 *  STATE/approvals/ID.used     an approval for once has been used
 *  STATE/approvals/attended    locked by each process that answers questions
 *  STATE/grants/ID.json        a grant
 *  STATE/grants/ID.revoked     its revocation
 *
 * Each is one line, {"mac":"HEX","kind":"WORD","id":"ID",...}, whose mac is the
 * HMAC of everything after it under the key of this state directory. A file
 * appears complete under its name, synced, and is never rewritten; where a name
 * may be taken only once (an answer, a use) the file system guarantees it. A
 * file with another format, mac or owner, or whose name differs from its
 * content, is not trusted.
 */
#define W_APPROVALS_DIR     "approvals"
#define W_GRANTS_DIR        "grants"
#define W_APPROVAL_FILE_MAX ((size_t)16 << 20)

/* The longest name, with its suffix and a NUL. */
#define W_APPROVAL_NAME_SIZE (WRIT_APPROVAL_ID_LEN + 16)

struct w_approval_store {
	char *state_dir;
	int queue_fd;  /* -1: missing */
	int grants_fd; /* -1: missing */
	bool has_key;
	struct w_hmac_key key;
};

/* Opens the directories; missing ones are no failure. */
writ_status w_approval_store_open(
    struct w_approval_store *store, const char *state_dir, writ_error *err);
void w_approval_store_close(struct w_approval_store *store);
#define W_AUTO_APPROVAL_STORE __attribute__((cleanup(w_approval_store_close)))
/* clang-format off */
#define W_APPROVAL_STORE_NONE {.queue_fd = -1, .grants_fd = -1}
/* clang-format on */

/* Tries again to open missing directories. */
writ_status w_approval_store_refresh(
    struct w_approval_store *store, writ_error *err);
/* Creates missing directories. */
writ_status w_approval_store_create(
    struct w_approval_store *store, writ_error *err);

/* ID + suffix. */
void w_approval_file_name(
    const char *id, const char *suffix, char out_name[W_APPROVAL_NAME_SIZE]);

/* Begins the body of a file, to which the caller adds members (each with its
 * comma), and ends it; w_approval_file_write() ends it itself. */
void w_approval_file_begin(
    struct w_buf *body, const char *kind, const char *id);
void w_approval_file_end(const struct w_hmac_key *key, struct w_buf *body);

/* Writes a file, synced. Returns 0, or an errno; EEXIST: the name is taken. */
int w_approval_file_write(const struct w_approval_store *store, int dir_fd,
    const char *name, struct w_buf *body);

/* Reads and checks a file. WRIT_E_NOTFOUND: missing; WRIT_E_INVALID: not
 * trusted, and why. The caller frees *out_json. */
writ_status w_approval_file_read(const struct w_approval_store *store,
    int dir_fd, const char *name, const char *kind, struct w_json **out_json,
    writ_error *err);

/* The same for bytes in memory. */
writ_status w_approval_file_parse(const struct w_hmac_key *key,
    const char *bytes, size_t len, const char *name, const char *kind,
    struct w_json **out_json, writ_error *err);

/* Whether these are characters of an id, and not too many. */
bool w_approval_is_id(const char *text, size_t len);
/* 0, or an errno. */
int w_approval_new_id(char out_id[WRIT_APPROVAL_ID_LEN + 1]);

#endif /* W_ENGINE_APPROVAL_FILE_H */
