/* SPDX-License-Identifier: Apache-2.0 */

/* Numbers that were skipped. Their records may still come at a wrong place;
 * those that have not come in the end are missing. */

#include <inttypes.h>
#include <string.h>

#include "log/verify/log_verifier.h"

static void
report_gap(struct w_log_verifier *verifier, const struct w_log_gap *gap)
{
	char first[W_LOG_NAME_MAX];
	char last[W_LOG_NAME_MAX];
	bool has_files = gap->file_from > 0;
	size_t fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = has_files ? W_LOG_FAULT_FILE_MISSING : W_LOG_FAULT_GAP,
		.place = gap->place,
		.order = gap->order,
		.seq = gap->from,
		.seq_to = gap->to,
		.lead = "missing: ",
	    },
	    " before record %" PRIu64, gap->to + 1);

	if (!has_files)
		return;
	w_log_segment_name(verifier->options->name, gap->file_from, first);
	w_log_segment_name(verifier->options->name, gap->file_to, last);
	if (gap->file_from == gap->file_to)
		w_log_faults_append(&verifier->faults, fault,
		    ": the file %s is not there", first);
	else
		w_log_faults_append(&verifier->faults, fault,
		    ": the files %s to %s are not there", first, last);
}

static void
log_verify_gaps_keep(
    struct w_log_verifier *verifier, const struct w_log_gap *gap)
{
	if (verifier->gap_count == W_LOG_GAPS_MAX)
		report_gap(verifier, gap);
	else
		verifier->gaps[verifier->gap_count++] = *gap;
}

void
w_log_gaps_add(struct w_log_verifier *verifier, uint64_t seq, const char *prev,
    const struct w_log_place *place)
{
	struct w_log_gap gap = {
	    .from = verifier->next_seq,
	    .to = seq - 1,
	    .place = *place,
	    .order = verifier->faults.order,
	    .fault = W_LOG_NO_FAULT,
	};

	memcpy(gap.before, verifier->hash, sizeof(gap.before));
	if (prev[0] != '\0')
		w_log_hash_set(gap.after, prev);
	if (place->line == 1 && verifier->before > 0 &&
	    verifier->claimed > verifier->before + 1) {
		gap.file_from = verifier->before + 1;
		gap.file_to = verifier->claimed - 1;
	}
	log_verify_gaps_keep(verifier, &gap);
}

static struct w_log_gap *
log_verify_gaps_find(struct w_log_verifier *verifier, uint64_t seq)
{
	for (size_t i = 0; i < verifier->gap_count; i++)
		if (seq >= verifier->gaps[i].from &&
		    seq <= verifier->gaps[i].to)
			return &verifier->gaps[i];
	return NULL;
}

/* The line was found, so at most two smaller gaps remain, bounded by its
 * hashes. */
static void
log_verify_gaps_split(struct w_log_verifier *verifier, struct w_log_gap *gap,
    const struct w_log_line *line)
{
	struct w_log_gap left = *gap;
	struct w_log_gap right = *gap;

	*gap = verifier->gaps[--verifier->gap_count];
	left.to = line->seq - 1;
	w_log_hash_set(left.after, line->prev);
	right.from = line->seq + 1;
	w_log_hash_set(right.before, line->hash);
	if (line->seq > left.from)
		log_verify_gaps_keep(verifier, &left);
	if (line->seq < right.to)
		log_verify_gaps_keep(verifier, &right);
}

static void
check_links(struct w_log_verifier *verifier, const struct w_log_gap *gap,
    const struct w_log_line *line, const struct w_log_place *place)
{
	bool is_wrong =
	    (line->seq == gap->from &&
		!w_log_hash_fits(gap->before, line->prev)) ||
	    (line->seq == gap->to && !w_log_hash_fits(gap->after, line->hash));

	if (is_wrong)
		(void)w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_UNCHAINED,
			.place = *place,
			.seq = line->seq},
		    " with the hash %.*s does not continue the record before "
		    "it, or is not continued by the one behind it",
		    W_LOG_SHORT, line->hash);
}

bool
w_log_gaps_fill(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	struct w_log_gap *gap = log_verify_gaps_find(verifier, line->seq);
	char file[W_LOG_NAME_MAX];

	if (gap == NULL)
		return false;
	check_links(verifier, gap, line, place);
	struct w_log_pending_fault *row =
	    w_log_faults_at(&verifier->faults, gap->fault);
	if (row != NULL && row->seq_to + 1 == line->seq) {
		row->seq_to = line->seq;
	} else {
		w_log_segment_name(
		    verifier->options->name, place->segment, file);
		gap->fault = w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_REORDERED,
			.place = gap->place,
			.order = gap->order,
			.seq = line->seq,
			.lead = "out of order: "},
		    ", expected here, first comes behind record %" PRIu64
		    " at byte %" PRIu64 " of %s",
		    verifier->next_seq - 1, place->offset, file);
	}
	log_verify_gaps_split(verifier, gap, line);
	return true;
}

void
w_log_gaps_report(struct w_log_verifier *verifier)
{
	for (size_t i = 0; i < verifier->gap_count; i++)
		report_gap(verifier, &verifier->gaps[i]);
	verifier->gap_count = 0;
}
