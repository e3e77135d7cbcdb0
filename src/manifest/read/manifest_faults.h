/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_FAULTS_H
#define W_MANIFEST_MANIFEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/manifest.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The faults of a manifest, in the order of its lines. All zero is empty.
 */
#define W_FAULTS_MAX 1000

struct w_faults {
	struct w_arena arena;
	writ_manifest_fault *items;
	size_t count;
	size_t cap;
	size_t more;     /* dropped beyond W_FAULTS_MAX */
	bool has_failed; /* out of memory */
};

/* Copies place, message and suggestion of an error. */
void w_faults_add(struct w_faults *faults, const writ_error *fault);

/* Replaces the suggestion of the latest fault; sets its resource. No effect if
 * the list is empty or was full. */
void w_faults_suggest(struct w_faults *faults, const char *suggestion);
void w_faults_blame(struct w_faults *faults, const char *resource);

/* Stable, by line and column. */
void w_faults_sort(struct w_faults *faults);

void w_faults_done(struct w_faults *faults);

#endif /* W_MANIFEST_MANIFEST_FAULTS_H */
