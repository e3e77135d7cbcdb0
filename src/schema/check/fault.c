/* SPDX-License-Identifier: Apache-2.0 */

/* Turning what a judgement found into the problems of a report. */

#include "schema/check/fault.h"

#include <stdlib.h>
#include <string.h>

#include "schema/check/check.h"
#include "schema/pointer.h"

#define POINTER_MAX ((size_t)1 << 16)
#define MESSAGE_MAX 2048

static const char *const keywords[] = {
#define X(name, keyword) [W_FAULT_##name] = (keyword),
    W_FAULT_MAP(X)
#undef X
};

/* Room for one more; NULL: the report is full, or there is no memory. */
static struct w_schema_problem *
add_slot(struct w_check *check, struct w_schema_report *report)
{
	if (report->count == W_SCHEMA_PROBLEMS_MAX) {
		report->more++;
		return NULL;
	}
	if (report->count == report->cap) {
		size_t cap = report->cap == 0 ? 4 : 2 * report->cap;
		struct w_schema_problem *problems = reallocarray(
		    report->problems, cap, sizeof(*report->problems));
		if (problems == NULL) {
			(void)w_check_nomem(check);
			return NULL;
		}
		report->problems = problems;
		report->cap = cap;
	}
	return &report->problems[report->count];
}

/* What helps to find the alternative that was meant. */
static void
rate(struct w_collector *collector, const struct w_fault *fault)
{
	if (collector->value == NULL)
		return;
	if (fault->kind == W_FAULT_TYPE && fault->value == collector->value) {
		collector->types = fault->node->types;
		collector->is_far = true;
	}
	/* A member that must be one very value tells kinds apart. */
	if (fault->kind == W_FAULT_CONST ||
	    (fault->kind == W_FAULT_ENUM &&
		yyjson_arr_size(fault->node->logic->choices) == 1))
		collector->is_far |= fault->value != collector->value;
}

static char *
make_instance(struct w_check *check, const struct w_fault *fault)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, POINTER_MAX);
	w_pointer_add(&buf, check->root, fault->at);
	return buf.len == 0 ? strdup("") : w_buf_take(&buf, NULL);
}

static char *
make_schema(struct w_check *check, const struct w_fault *fault)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_schema_tree *document = fault->node->resource->document;
	const char *keyword = keywords[fault->kind];

	w_buf_init(&buf, POINTER_MAX);
	if (document != check->schema->document)
		w_buf_add_fmt(&buf, "%s#", document->uri);
	w_pointer_add(&buf, document->root, fault->node->schema);
	if (yyjson_is_obj(fault->node->schema) && keyword[0] != '\0')
		w_pointer_add_name(&buf, keyword, strlen(keyword));
	return buf.len == 0 ? strdup("") : w_buf_take(&buf, NULL);
}

static char *
make_message(const struct w_fault *fault)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, MESSAGE_MAX);
	w_fault_message_add(&buf, fault);
	return w_buf_take(&buf, NULL);
}

/* NULL when there is nothing to suggest. */
static char *
make_suggestion(const struct w_fault *fault)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, MESSAGE_MAX);
	w_suggestion_add(&buf, fault);
	return buf.len > 0 ? w_buf_take(&buf, NULL) : NULL;
}

void
w_fault_add(struct w_check *check, const struct w_fault *fault)
{
	struct w_collector *collector = check->collector;

	if (check->status != WRIT_OK)
		return;
	rate(collector, fault);
	struct w_schema_problem *problem = add_slot(check, collector->report);
	if (problem == NULL)
		return;
	*problem = (struct w_schema_problem){
	    .instance = make_instance(check, fault),
	    .schema = make_schema(check, fault),
	    .message = make_message(fault),
	    .suggestion = make_suggestion(fault),
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
