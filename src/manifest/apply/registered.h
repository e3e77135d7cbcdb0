/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_REGISTERED_H
#define W_MANIFEST_REGISTERED_H

#include "manifest/apply/resource_step.h"

/*
 * What resources registered, for the expressions of later ones:
 *
 *     Results.NAME  {changed, failed, skipped, refreshed, noop, ensure}
 *     of an exec    {exit_code, stdout, stderr} as well; null if it did not run
 *
 * The event has it too, so that a resumed apply knows it again; except for the
 * output of a command that was given a secret, or is one, which is a secret.
 */
#define W_REGISTERED_OUTPUT_MAX ((size_t)1 << 20) /* of one stream */
#define W_REGISTERED_BYTES_MAX  ((size_t)64 << 20)

struct w_registered {
	struct w_arena arena;
	struct w_value_member *members;
	size_t count;
	size_t cap;
	size_t bytes; /* of all outputs */
	struct w_value map;
};

/* What an earlier part of the session registered. */
writ_status w_registered_load(struct w_registered *registered,
    const struct w_manifest *manifest, const struct w_manifest_session *session,
    writ_error *err);
void w_registered_done(struct w_registered *registered);

/* Keeps the output of a run, for a resource that registers it. It must be text,
 * and not too long: else the resource fails. */
void w_registered_keep(struct w_resource_step *step, const writ_result *result);

/* Registers the result of a step, if its resource says so, and adds it to the
 * event. */
void w_registered_add(struct w_resource_step *step);

#endif /* W_MANIFEST_REGISTERED_H */
