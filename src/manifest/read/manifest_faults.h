/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_FAULTS_H
#define W_MANIFEST_MANIFEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Everything that is wrong with a manifest, in the order of its lines. All
 * zero is none.
 */
#define W_FAULTS_MAX 1000

struct w_manifest_fault {
	unsigned line;
	unsigned column;
	const char *message;
	const char *suggestion; /* NULL: none */
	const char *resource;   /* "exec#name" where it is of one; NULL */
};

struct w_faults {
	struct w_arena arena;
	struct w_manifest_fault *items;
	size_t count;
	size_t cap;
	size_t more;     /* beyond W_FAULTS_MAX */
	bool has_failed; /* no memory for one */
};

/* Takes the place, message and suggestion of an error. */
void w_faults_add(struct w_faults *faults, const writ_error *fault);

/* What to do about the newest, in place of what was said so far; and which
 * resource it is of. Nothing for a list that is empty, or was full. */
void w_faults_suggest(struct w_faults *faults, const char *suggestion);
void w_faults_blame(struct w_faults *faults, const char *resource);

/* By line and column; what is at the same place stays in its order. */
void w_faults_sort(struct w_faults *faults);

void w_faults_done(struct w_faults *faults);

#endif /* W_MANIFEST_MANIFEST_FAULTS_H */
