/* SPDX-License-Identifier: Apache-2.0 */

/* Turns faults into the entries of a report. */

#include "schema/check/fault.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "schema/check/check.h"
#include "schema/pointer.h"

#define POINTER_MAX ((size_t)1 << 16)
#define MESSAGE_MAX 2048

const char *const w_fault_keywords[] = {
#define X(name, keyword) [W_FAULT_##name] = (keyword),
    W_FAULT_MAP(X)
#undef X
};

/* A slot for one more entry; NULL: the report is full, or no memory. */
static struct w_schema_problem *
add_slot(struct w_check *check, struct w_schema_report *report)
{
	if (report->count == W_SCHEMA_PROBLEMS_MAX) {
		report->more++;
		return NULL;
	}
	if (!w_grow(&report->problems, report->count, &report->cap)) {
		(void)w_check_nomem(check);
		return NULL;
	}
	return &report->problems[report->count];
}

/* Rates an alternative, to find the one that was meant. */
static void
rate(struct w_collector *collector, const struct w_fault *fault)
{
	if (collector->value == NULL)
		return;
	if (fault->kind == W_FAULT_TYPE && fault->value == collector->value) {
		collector->types = fault->node->types;
		collector->is_far = true;
	}
	/* A member with a single allowed value identifies the kind of object.
	 */
	if (fault->kind == W_FAULT_CONST ||
	    (fault->kind == W_FAULT_ENUM &&
		yyjson_arr_size(fault->node->logic->choices) == 1))
		collector->is_far |= fault->value != collector->value;
}

static char *
make_schema(struct w_check *check, const struct w_fault *fault)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_schema_tree *document = fault->node->resource->document;
	const char *keyword = w_fault_keywords[fault->kind];

	w_buf_init(&buf, POINTER_MAX);
	if (document != check->schema->document)
		w_buf_add_fmt(&buf, "%s#", document->uri);
	w_pointer_add(&buf, document->root, fault->node->schema);
	if (yyjson_is_obj(fault->node->schema) && keyword[0] != '\0')
		w_pointer_add_name(&buf, keyword, strlen(keyword));
	return buf.len == 0 ? strdup("") : w_buf_take(&buf, NULL);
}

void
w_fault_add(struct w_check *check, const struct w_fault *fault)
{
	struct w_collector *collector = check->collector;
	W_AUTO_BUF struct w_buf instance;
	W_AUTO_BUF struct w_buf message;
	W_AUTO_BUF struct w_buf suggestion;

	w_buf_init(&instance, POINTER_MAX);
	w_buf_init(&message, MESSAGE_MAX);
	w_buf_init(&suggestion, MESSAGE_MAX);
	if (check->status != WRIT_OK)
		return;
	rate(collector, fault);
	struct w_schema_problem *problem = add_slot(check, collector->report);
	if (problem == NULL)
		return;
	w_pointer_add(&instance, check->root, fault->at);
	w_fault_message_add(&message, fault);
	w_suggestion_add(&suggestion, fault);
	*problem = (struct w_schema_problem){
	    .instance =
		instance.len == 0 ? strdup("") : w_buf_take(&instance, NULL),
	    .schema = make_schema(check, fault),
	    .message = w_buf_take(&message, NULL),
	    .suggestion =
		suggestion.len > 0 ? w_buf_take(&suggestion, NULL) : NULL,
	    .at = fault->at,
	};
	collector->report->count++;
	if (problem->instance == NULL || problem->schema == NULL ||
	    problem->message == NULL)
		(void)w_check_nomem(check);
}

void
w_fault_adopt(struct w_check *check, struct w_schema_report *from)
{
	struct w_schema_report *to = check->collector->report;
	size_t moved = 0;

	for (; moved < from->count; moved++) {
		struct w_schema_problem *problem = add_slot(check, to);
		if (problem == NULL)
			continue;
		*problem = from->problems[moved];
		from->problems[moved] =
		    (struct w_schema_problem){.instance = NULL};
		to->count++;
	}
	to->more += from->more;
}
