/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_PROPERTY_FILL_H
#define W_MANIFEST_PROPERTY_FILL_H

#include "manifest/apply/resource_step.h"

/*
 * Fills in the deferred properties of a resource during its step.
 *
 * false: failed; the step has the error, with its location in the manifest, or
 * is out of memory. Secrets that turn up are added to the step's.
 */
struct w_filled_text {
	const char *text; /* NULL: the property is absent */
	size_t len;
	const char *shown; /* secrets redacted */
};

bool w_fill_text(struct w_resource_step *step,
    const struct w_property *property, struct w_filled_text *out_text);

/* NULL-ended; NULL: none. shown may be NULL. */
bool w_fill_list(struct w_resource_step *step,
    const struct w_property_list *list, const char *const **out_texts,
    const char *const **out_shown);

/* NAME=value each; a secret value is shown as NAME=(sensitive). */
bool w_fill_environment(struct w_resource_step *step,
    const struct w_property_list *list, const char *const **out_env,
    const char *const **out_shown);

/* A filled-in command: an argv, or shell text. */
struct w_filled_command {
	const char *const *argv; /* NULL: see shell */
	const char *shell;       /* NULL and no argv: none */
};

bool w_fill_command(struct w_resource_step *step,
    const struct w_command_property *property, bool is_shell,
    struct w_filled_command *out_command);

/* The command for display: words quoted where needed. */
const char *w_filled_command_text(
    struct w_resource_step *step, const struct w_filled_command *command);

#endif /* W_MANIFEST_PROPERTY_FILL_H */
