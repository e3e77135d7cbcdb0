/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_PROPERTY_FILL_H
#define W_MANIFEST_PROPERTY_FILL_H

#include "manifest/apply/resource_step.h"

/*
 * Filling in the deferred properties of a resource, in its turn.
 *
 * false: it could not be done. Then the turn has the error, with the place in
 * the manifest, or is short of memory. Secrets that come to light are added to
 * those of the turn.
 */
struct w_filled_text {
	const char *text; /* NULL: the property is not there */
	size_t len;
	const char *shown; /* without secrets */
};

bool w_fill_text(struct w_resource_step *step,
    const struct w_property *property, struct w_filled_text *out_text);

/* NULL-ended; NULL: there are none. shown may be NULL: nobody asks. */
bool w_fill_list(struct w_resource_step *step,
    const struct w_property_list *list, const char *const **out_texts,
    const char *const **out_shown);

/* NAME=value each; a secret value is shown as NAME=(sensitive). */
bool w_fill_environment(struct w_resource_step *step,
    const struct w_property_list *list, const char *const **out_env,
    const char *const **out_shown);

/* A command that was filled in: an argv, or a text for a shell. */
struct w_filled_command {
	const char *const *argv; /* NULL: see shell */
	const char *shell;       /* NULL and no argv: there is none */
};

bool w_fill_command(struct w_resource_step *step,
    const struct w_command_property *property, bool is_shell,
    struct w_filled_command *out_command);

/* The command as it is shown: its words quoted where needed. */
const char *w_filled_command_text(
    struct w_resource_step *step, const struct w_filled_command *command);

#endif /* W_MANIFEST_PROPERTY_FILL_H */
