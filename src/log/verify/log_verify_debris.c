/* SPDX-License-Identifier: Apache-2.0 */

/* Lines without a place in the chain: bytes that are not a record, and damaged
 * lines, which only the next record can tell apart. */

#include <inttypes.h>
#include <string.h>

#include "log/verify/log_damage.h"
#include "log/verify/log_verifier.h"

/* A partial line that lacks only its newline, or has another byte there. */
static bool
is_whole(const struct w_log_line *line)
{
	struct w_log_line parsed;

	return w_log_line_parse(line->bytes, line->len, &parsed) ||
	       (line->len > 0 &&
		   w_log_line_parse(line->bytes, line->len - 1, &parsed));
}

void
w_log_debris_add(struct w_log_verifier *verifier, enum w_log_read read,
    const struct w_log_line *line, const struct w_log_place *place)
{
	struct w_log_debris *debris = &verifier->debris;

	if (debris->count == 0) {
		*debris = (struct w_log_debris){
		    .place = *place,
		    .order = verifier->faults.order,
		    .broken_at = w_log_damage_find(line->bytes, line->len,
			verifier->next_seq, verifier->hash),
		};
		debris->has_form = read == W_LOG_LINE;
		if (debris->has_form) {
			debris->seq = line->seq;
			w_log_hash_set(debris->hash, line->hash);
		}
	} else {
		debris->has_form = false;
	}
	debris->count++;
	debris->bytes += line->len + (read != W_LOG_PART);
	debris->has_nul |=
	    line->len > 0 && memchr(line->bytes, '\0', line->len) != NULL;
	debris->is_part = read == W_LOG_PART;
	debris->is_whole_part = debris->is_part && is_whole(line);
}

/* Adds a fault at the debris; the caller adds the text. */
static size_t
log_verify_debris_note(struct w_log_verifier *verifier,
    enum w_log_fault_kind kind, uint64_t seq, uint64_t seq_to)
{
	const struct w_log_debris *debris = &verifier->debris;
	struct w_log_place place = debris->place;

	if (seq > 0 && debris->broken_at != SIZE_MAX)
		place.offset += debris->broken_at;
	verifier->debris_segment = debris->place.segment;
	verifier->debris_fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = kind,
		.place = place,
		.order = debris->order,
		.seq = seq,
		.seq_to = seq_to,
	    },
	    "%s", "");
	return verifier->debris_fault;
}

static void
append_size(struct w_log_verifier *verifier, size_t fault, const char *before)
{
	const struct w_log_debris *debris = &verifier->debris;

	w_log_faults_append(&verifier->faults, fault,
	    "%s%" PRIu64 " %s of %" PRIu64 " bytes", before, debris->count,
	    debris->count == 1 ? "line" : "lines", debris->bytes);
}

/* It replaces the records up to next_seq. */
static void
report_broken(struct w_log_verifier *verifier, uint64_t next_seq)
{
	const struct w_log_debris *debris = &verifier->debris;
	bool is_one = debris->count == 1 && next_seq == verifier->next_seq + 1;
	size_t fault = log_verify_debris_note(
	    verifier, W_LOG_FAULT_CHANGED, verifier->next_seq, next_seq - 1);

	if (is_one && debris->is_whole_part)
		w_log_faults_append(&verifier->faults, fault,
		    " was changed: its line break is gone");
	else if (is_one && debris->has_form)
		w_log_faults_append(&verifier->faults, fault,
		    " was changed: neither its number, which reads %" PRIu64
		    ", nor its link to the record before it nor its hash fit",
		    debris->seq);
	else if (is_one && debris->is_part)
		w_log_faults_append(&verifier->faults, fault,
		    " is cut: %" PRIu64 " bytes of it are left at the end of "
		    "the file",
		    debris->bytes);
	else if (is_one)
		w_log_faults_append(&verifier->faults, fault,
		    " was changed: it has not the form of a record any more");
	else
		append_size(verifier, fault,
		    ": the place is taken by what is no record, ");
	if (debris->broken_at != SIZE_MAX && !debris->is_whole_part)
		w_log_faults_append(&verifier->faults, fault,
		    "; the line begins at byte %" PRIu64
		    " and stops being this record at byte %" PRIu64,
		    debris->place.offset,
		    debris->place.offset + debris->broken_at);
	w_log_verifier_skip(verifier, next_seq);
}

/* One line with a wrong hash, but several missing numbers: its own number says
 * which record it is. */
static void
report_numbered(struct w_log_verifier *verifier)
{
	const struct w_log_debris *debris = &verifier->debris;

	if (debris->seq > verifier->next_seq)
		w_log_gaps_add(verifier, debris->seq, "", &debris->place);
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = W_LOG_FAULT_CHANGED,
		.place = debris->place,
		.order = debris->order,
		.seq = debris->seq,
	    },
	    " was changed: its bytes do not give the hash %.*s that it carries",
	    W_LOG_SHORT, debris->hash);
	w_log_verifier_skip(verifier, debris->seq + 1);
	w_log_hash_set(verifier->hash, debris->hash);
}

static void
report_inserted(struct w_log_verifier *verifier)
{
	const struct w_log_debris *debris = &verifier->debris;
	size_t fault =
	    log_verify_debris_note(verifier, W_LOG_FAULT_NO_RECORD, 0, 0);

	append_size(verifier, fault, "");
	w_log_faults_append(&verifier->faults, fault,
	    "%s no record behind record %" PRIu64 ", and none is missing "
	    "there: put in by hand",
	    debris->count == 1 ? " that is" : " that are",
	    verifier->next_seq > 0 ? verifier->next_seq - 1 : 0);
}

void
w_log_debris_resolve(struct w_log_verifier *verifier, uint64_t seq)
{
	struct w_log_debris *debris = &verifier->debris;

	if (debris->count == 0)
		return;
	/* The start was pruned: the first record is unknown. */
	if (verifier->next_seq == 0)
		verifier->next_seq =
		    seq > debris->count ? seq - debris->count : 1;
	if (seq <= verifier->next_seq)
		report_inserted(verifier);
	else if (debris->has_form && seq - verifier->next_seq > 1 &&
		 debris->seq >= verifier->next_seq && debris->seq < seq)
		report_numbered(verifier);
	else
		report_broken(verifier, seq);
	debris->count = 0;
}

/* After the last record of the log, and no record is missing. */
static void
report_torn(struct w_log_verifier *verifier)
{
	const struct w_log_debris *debris = &verifier->debris;
	bool is_torn = debris->is_part || debris->has_nul;
	size_t fault = log_verify_debris_note(
	    verifier, is_torn ? W_LOG_FAULT_TORN : W_LOG_FAULT_NO_RECORD, 0, 0);

	append_size(verifier, fault, is_torn ? "half written: " : "");
	w_log_faults_append(&verifier->faults, fault,
	    "%s behind record %" PRIu64 "%s",
	    is_torn ? "" : " that no writer made,",
	    verifier->next_seq > 0 ? verifier->next_seq - 1 : 0,
	    is_torn ? "; a writer was stopped in the middle of it, and the "
		      "next one sets it aside"
		    : ", the last one that the head knows");
}

/* The log was truncated inside a line. */
static void
report_cut(struct w_log_verifier *verifier, const struct w_log_head *head)
{
	const struct w_log_debris *debris = &verifier->debris;
	const char *why;
	enum w_log_fault_kind kind =
	    w_log_verifier_classify_loss(verifier, head, &why);
	size_t fault = log_verify_debris_note(
	    verifier, kind, verifier->next_seq, head->seq);
	struct w_log_pending_fault *found =
	    w_log_faults_at(&verifier->faults, fault);

	if (found != NULL) {
		found->lead = "gone: ";
		found->place.offset = debris->place.offset + debris->bytes;
	}
	w_log_faults_append(&verifier->faults, fault,
	    ", which the head knows; the file ends in the middle of a line, "
	    "%" PRIu64 " bytes after its beginning at byte %" PRIu64 "%s",
	    debris->bytes, debris->place.offset, why);
	w_log_verifier_skip(verifier, head->seq + 1);
}

void
w_log_debris_resolve_end(
    struct w_log_verifier *verifier, const struct w_log_head *head)
{
	struct w_log_debris *debris = &verifier->debris;

	if (debris->count == 0)
		return;
	if (verifier->next_seq == 0)
		verifier->next_seq = 1;
	bool is_unsynced = head != NULL && head->synced < verifier->next_seq;
	if (head == NULL || head->seq < verifier->next_seq)
		report_torn(verifier);
	else if ((debris->is_part && !debris->is_whole_part) ||
		 (debris->has_nul && is_unsynced))
		report_cut(verifier, head);
	else
		report_broken(verifier, head->seq + 1);
	debris->count = 0;
}
