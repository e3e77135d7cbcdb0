/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_REQUEST_HASH_H
#define W_AUDIT_REQUEST_HASH_H

#include <writ/run.h>

#include "base/sha256.h"

/* What the names in a request were resolved to. NULL: not resolved. */
struct w_audit_request_facts {
	const char *program;
	const char *cwd;
	const char *const *env;  /* NAME=VALUE, as the command gets it */
	const char *private_dir; /* a directory that each run gets anew: of
				    values that point into it only the rest
				    is hashed */
	uint64_t uid;
	uint64_t gid;
};

/*
 * The HMAC of everything in a request that decides what runs, with the real
 * values, secrets included. Equal requests in equal surroundings have equal
 * hashes in every process with the key; different ones do not. The request was
 * checked. facts may be NULL.
 *
 * These members are left out: trace_id, which only names one request, and
 * description, which only says why; prefers_bash, since the facts have the
 * shell that runs; approval, which names the answer to it; session, which an
 * approval may be limited to; rows and columns, which may change while a person
 * is asked; callbacks and the number of a descriptor; parse_json, caller,
 * is_module_trusted and needs_approval, which have no key: only the program can
 * set them. The member program is in it as the file that the facts name.
 */
void w_audit_request_hash(const struct w_hmac_key *key,
    const writ_request *request, const struct w_audit_request_facts *facts,
    uint8_t out_hash[W_SHA256_SIZE]);

#endif /* W_AUDIT_REQUEST_HASH_H */
