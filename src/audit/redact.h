/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_REDACT_H
#define W_AUDIT_REDACT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Keeps secrets out of records: wherever a secret value stands in a text it
 * is replaced. Values are those that the request marks, and those of
 * variables whose names speak of a secret (TOKEN, KEY, PASSWORD, ...) if they
 * are long enough not to be a word of every text.
 */
#define W_REDACTED "[secret]"

struct w_redactor {
	const char **values; /* borrowed, the longest first */
	size_t *lens;
	size_t count;
	bool has_redacted; /* something was replaced since the start */
};

#endif /* W_AUDIT_REDACT_H */
