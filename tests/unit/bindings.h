/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_BINDINGS_H
#define W_TEST_BINDINGS_H

/* What came of reading a binding file: elements as JSON, problems as lines. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/binding/binding.h"

struct collected {
	size_t elements;
	size_t problems;
	char first[4096]; /* the first element, as JSON */
	unsigned line;    /* where it stands */
	unsigned column;
	writ_error problem; /* the first one */
	writ_error last;
};

static inline writ_status
collect_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct collected *to = ctx;
	char *json = yyjson_val_write(element, 0, NULL);

	(void)err;
	assert_non_null(json);
	if (to->elements++ == 0) {
		(void)snprintf(to->first, sizeof(to->first), "%s", json);
		to->line = line;
		to->column = column;
	}
	free(json);
	return WRIT_OK;
}

static inline void
collect_problem(void *ctx, const writ_error *problem)
{
	struct collected *to = ctx;

	if (to->problems++ == 0)
		to->problem = *problem;
	to->last = *problem;
}

static inline struct w_binding_sink
collecting(struct collected *to)
{
	*to = (struct collected){.elements = 0};
	return (struct w_binding_sink){
	    .ctx = to, .element = collect_element, .problem = collect_problem};
}

/* Reads a text that is a binding file as a whole. */
static inline void
read_bindings(const char *text, struct collected *to)
{
	const struct w_binding_sink sink = collecting(to);
	writ_error err = {.message = ""};
	writ_status status =
	    w_binding_read_text(text, strlen(text), false, &sink, &err);

	if (status != WRIT_OK)
		fail_msg("%u:%u: %s", err.line, err.column, err.message);
}

#endif /* W_TEST_BINDINGS_H */
