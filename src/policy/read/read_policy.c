/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a policy: text in, rules out.
 *
 * A policy is never half read. All faults of all files are collected; with at
 * least one there is no policy.
 */

#include <stdlib.h>
#include <string.h>

#include "policy/read/policy_reader.h"

#define STAGE "policy"

/* Limit for a rule on one line. */
#define TEXT_MAX (W_POLICY_TEXT_MAX * 8)

void
w_policy_free(struct w_policy *policy)
{
	if (policy == NULL)
		return;
	if (policy->holds > 0) {
		policy->holds--;
		return;
	}
	const struct w_read_document *document = policy->documents;
	for (; document != NULL; document = document->next)
		w_yaml_free(document->yaml);
	struct w_policy_hosts *hosts = policy->hosts;
	for (; hosts != NULL; hosts = hosts->next)
		w_host_list_done(&hosts->list);
	w_policy_index_free(policy->index);
	w_arena_done(&policy->arena);
	free(policy);
}

void
w_policy_hold(struct w_policy *policy)
{
	if (policy != NULL)
		policy->holds++;
}

/* The position of a file in reading order, the including one first. */
static size_t
rank(const struct w_policy_reader *reader, const char *file)
{
	const struct w_read_document *document = reader->policy->documents;
	size_t at = reader->document_count;
	size_t first = at;

	for (; document != NULL; document = document->next) {
		at--;
		if (strcmp(document->file, file) == 0)
			first = at;
	}
	return first;
}

static bool
is_before(const struct w_policy_reader *reader,
    const struct w_policy_location *a, const struct w_policy_location *b)
{
	const size_t a_rank = rank(reader, a->file);
	const size_t b_rank = rank(reader, b->file);

	if (a_rank != b_rank)
		return a_rank < b_rank;
	if (a->line != b->line)
		return a->line < b->line;
	return a->column < b->column;
}

/* Insertion sort: there are few faults, nearly sorted. */
static void
sort_faults(const struct w_policy_reader *reader)
{
	struct w_policy_fault *items = reader->faults->items;

	for (size_t i = reader->first_fault + 1; i < reader->faults->count;
	     i++) {
		const struct w_policy_fault fault = items[i];
		size_t at = i;

		while (at > reader->first_fault &&
		       is_before(
			   reader, &fault.location, &items[at - 1].location)) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = fault;
	}
}

static writ_status
fail_with_fault(const struct w_policy_fault *fault, writ_error *err)
{
	const struct w_policy_location *location = &fault->location;

	if (location->line > 0)
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s:%u:%u: %s",
		    location->file, location->line, location->column,
		    fault->message);
	else
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s: %s",
		    location->file, fault->message);
	w_locate(err, location->line, location->column);
	if (fault->suggestion != NULL)
		w_suggest(err, "%s", fault->suggestion);
	return WRIT_E_INVALID;
}

static writ_status
read_all_files(struct w_policy_reader *reader, const char *text, size_t len,
    writ_error *err)
{
	struct w_policy_faults *faults = reader->faults;

	w_read_document(reader, text, len, reader->policy->file);
	if (!reader->is_out_of_memory && !reader->is_refused)
		w_read_finish(reader);
	if (reader->is_out_of_memory)
		return w_fail_nomem(err, STAGE);
	if (!reader->is_refused)
		return w_policy_index(reader->policy, err);
	/* The list was already full of other policies' faults. */
	if (faults->count == reader->first_fault)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s: the policy is not valid either", reader->policy->file);
	sort_faults(reader);
	return fail_with_fault(&faults->items[reader->first_fault], err);
}

static writ_status
read_into(struct w_policy *policy, const char *text, size_t len,
    const char *file, const struct w_policy_source *source,
    struct w_policy_faults *faults, writ_error *err)
{
	struct w_policy_reader reader = {
	    .policy = policy,
	    .source = source,
	    .faults = faults,
	    .first_fault = faults->count,
	    .terms = &policy->terms,
	    .into = &reader.rules,
	};
	writ_status status;

	policy->file = w_arena_text(&policy->arena, file, strlen(file));
	if (policy->file == NULL)
		return w_fail_nomem(err, STAGE);
	w_buf_init(&reader.scratch, TEXT_MAX);
	status = read_all_files(&reader, text, len, err);
	w_buf_done(&reader.scratch);
	return status;
}

writ_status
w_policy_read(const char *text, size_t len, const char *file,
    const struct w_policy_source *source, struct w_policy **out_policy,
    struct w_policy_faults *faults, writ_error *err)
{
	struct w_policy_faults own = {.items = NULL};
	struct w_policy *policy = calloc(1, sizeof(*policy));
	writ_status status;

	if (policy == NULL)
		return w_fail_nomem(err, STAGE);
	status = read_into(policy, text, len, file, source,
	    faults != NULL ? faults : &own, err);
	w_policy_faults_done(&own);
	if (status == WRIT_OK)
		*out_policy = policy;
	else
		w_policy_free(policy);
	return status;
}
