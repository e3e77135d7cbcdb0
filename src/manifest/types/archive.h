/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_ARCHIVE_H
#define W_MANIFEST_ARCHIVE_H

#include "manifest/types/typed_step.h"

/*
 * The resource archive: a file that is fetched, checked, and extracted.
 *
 *   ensure   present, absent
 *
 * Invariants
 *  1. Nothing has the name of the archive before its checksum was compared.
 *  2. Nothing is extracted before the list of its members was checked: none
 *     lies, links or points outside of the directory, and none is a device.
 *  3. While it is extracted there is a mark beside what it makes. An apply that
 *     finds the mark extracts again, whatever "creates" says.
 */
enum {
	W_ARCHIVE_URL,
	W_ARCHIVE_SOURCE, /* a local file */
	W_ARCHIVE_CHECKSUM,
	W_ARCHIVE_PARENT, /* extract_parent */
	W_ARCHIVE_CREATES,
	W_ARCHIVE_CLEANUP, /* remove the archive when it is extracted */
	W_ARCHIVE_STRIP,   /* leading directories to leave out */
	W_ARCHIVE_OWNER,
	W_ARCHIVE_GROUP,
	W_ARCHIVE_MODE,
	W_ARCHIVE_HEADERS, /* of the request; secrets */
	W_ARCHIVE_TIMEOUT,
	W_ARCHIVE_ENVIRONMENT,
};

enum w_archive_kind {
	W_ARCHIVE_NONE,
	W_ARCHIVE_TAR,
	W_ARCHIVE_ZIP,
};

/* By the end of its name. */
enum w_archive_kind w_archive_kind_of(const char *name);

/* Checks the list of members as tar --list --verbose (with blanks escaped) or
 * unzip -Z prints it. Fails with WRIT_E_INVALID and the first member that may
 * not be extracted, or _NOMEM. */
writ_status w_archive_check(enum w_archive_kind kind, unsigned strip,
    const char *text, size_t len, writ_error *err);

/* Has the archive at its name, with the right checksum. */
bool w_archive_fetch(struct w_typed_step *x);
/* The checksum of a file, in hexadecimal. false: the step failed. */
bool w_archive_sum(struct w_typed_step *x, const char *path, char *out_hex);
bool w_archive_extract(struct w_typed_step *x);

/* A path with the directory of another one: "/opt/.app.tgz.extracting". */
const char *w_archive_beside(struct w_typed_step *x, const char *dir,
    const char *path, const char *suffix);

#endif /* W_MANIFEST_ARCHIVE_H */
