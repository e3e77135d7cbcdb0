/* SPDX-License-Identifier: Apache-2.0 */

/* Decides where a line belongs in the chain. */

#include <inttypes.h>
#include <string.h>

#include "log/verify/log_damage.h"
#include "log/verify/log_verifier.h"

static const char the_next[] = "the next record";

void
w_log_hash_set(char to[W_SHA256_HEX + 1], const char *hash)
{
	memcpy(to, hash, W_SHA256_HEX);
	to[W_SHA256_HEX] = '\0';
}

static void
check_clock(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (line->time_us < verifier->clock_us)
		(void)w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){
			.kind = W_LOG_FAULT_CLOCK_BACK,
			.place = *place,
			.seq = line->seq},
		    " is %" PRIu64
		    " microseconds older than the one before it: the clock "
		    "was set back",
		    verifier->clock_us - line->time_us);
	verifier->clock_us = line->time_us;
}

static void
check_anchor(struct w_log_verifier *verifier, const struct w_log_line *line,
    uint64_t seq, const struct w_log_place *place)
{
	if (verifier->options->anchor_seq == 0 ||
	    verifier->options->anchor_seq != seq)
		return;
	verifier->is_anchor_seen = true;
	if (w_log_same_hash(verifier->options->anchor_hash, line->hash))
		return;
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = W_LOG_FAULT_CHANGED, .place = *place, .seq = seq},
	    " is not the one that is known: its hash is %.*s, known is %.*s; "
	    "the log was written anew",
	    W_LOG_SHORT, line->hash, W_LOG_SHORT,
	    verifier->options->anchor_hash);
}

/* The line is record seq: the next one continues it. */
static void
advance(struct w_log_verifier *verifier, const struct w_log_line *line,
    uint64_t seq, const struct w_log_place *place)
{
	struct w_log_proof *proof = verifier->proof;

	check_anchor(verifier, line, seq, place);
	memcpy(verifier->parent, verifier->hash, sizeof(verifier->parent));
	w_log_hash_set(verifier->hash, line->hash);
	memcpy(verifier->recent[seq % W_LOG_RECENT], line->hash, W_SHA256_HEX);
	verifier->next_seq = seq + 1;
	verifier->is_doubtful = false;
	verifier->doubt = W_LOG_NO_FAULT;
	verifier->twin = verifier->again = W_LOG_NO_FAULT;
	verifier->twin_hash[0] = '\0';
	verifier->last_place = *place;
	verifier->last_len = line->len;
	verifier->last_file = verifier->claimed;
	verifier->ends_with_seal = w_log_line_is(line, "seal");
	if (proof->first_seq == 0) {
		proof->first_seq = seq;
		proof->first_us = line->time_us;
	}
	proof->last_seq = seq;
	proof->last_us = line->time_us;
	memcpy(proof->last_hash, verifier->hash, sizeof(proof->last_hash));
}

void
w_log_verifier_skip(struct w_log_verifier *verifier, uint64_t next_seq)
{
	verifier->next_seq = next_seq;
	verifier->hash[0] = verifier->parent[0] = '\0';
	verifier->is_doubtful = false;
	verifier->doubt = verifier->twin = verifier->again = W_LOG_NO_FAULT;
	verifier->twin_hash[0] = '\0';
}

void
w_log_verifier_resolve_doubt(
    struct w_log_verifier *verifier, const char *prev, const char *who)
{
	struct w_log_pending_fault *found =
	    w_log_faults_at(&verifier->faults, verifier->doubt);

	if (w_log_same_hash(prev, verifier->hash)) {
		w_log_faults_append(&verifier->faults, verifier->doubt,
		    "; %s has the hash that it carries, so the content was "
		    "changed afterwards",
		    who);
		return;
	}
	if (!w_log_same_hash(prev, verifier->made)) {
		w_log_faults_append(&verifier->faults, verifier->doubt,
		    "; %s has %.*s, which is neither", who, W_LOG_SHORT, prev);
		return;
	}
	w_log_faults_append(&verifier->faults, verifier->doubt,
	    "; %s has the hash of these bytes, so only the hash that it "
	    "carries "
	    "was changed",
	    who);
	size_t at = 0;
	while (at < W_SHA256_HEX && verifier->hash[at] == verifier->made[at])
		at++;
	if (found != NULL)
		found->place.offset = verifier->last_place.offset +
				      verifier->last_len - 2 - W_SHA256_HEX +
				      at;
}

bool
w_log_verifier_is_joined(
    struct w_log_verifier *verifier, uint64_t seq, const char *prev)
{
	struct w_log_pending_fault *found =
	    w_log_faults_at(&verifier->faults, verifier->doubt);

	if (!verifier->is_doubtful || seq <= verifier->next_seq ||
	    !w_log_same_hash(verifier->hash, prev))
		return false;
	if (found != NULL) {
		found->seq_to = seq - 1;
		w_log_faults_append(&verifier->faults, verifier->doubt,
		    "; the line runs on to the end of record %" PRIu64
		    ": a line break was changed",
		    seq - 1);
	}
	w_log_verifier_skip(verifier, seq);
	return true;
}

/* The line has the right number and its hash matches, but prev is not the hash
 * of the last line. */
static void
report_unchained(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (verifier->twin_hash[0] != '\0' &&
	    w_log_same_hash(line->prev, verifier->twin_hash)) {
		struct w_log_pending_fault *twin =
		    w_log_faults_at(&verifier->faults, verifier->twin);

		w_log_faults_append(&verifier->faults, verifier->twin,
		    "; the chain goes on from this one, so the first was put "
		    "in at byte %" PRIu64,
		    verifier->last_place.offset);
		if (twin != NULL &&
		    twin->place.segment == verifier->last_place.segment)
			twin->place = verifier->last_place;
		return;
	}
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_UNCHAINED,
		.place = *place,
		.seq = line->seq},
	    " continues %.*s, but the record before it has %.*s: record "
	    "%" PRIu64 " was written anew, or this one was",
	    W_LOG_SHORT, line->prev, W_LOG_SHORT, verifier->hash,
	    line->seq - 1);
}

/* A valid line with a number that was read already. */
static void
report_duplicate(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	struct w_log_pending_fault *row =
	    w_log_faults_at(&verifier->faults, verifier->again);
	uint64_t behind = verifier->next_seq - line->seq;
	bool is_near = behind <= W_LOG_RECENT;
	bool is_same =
	    is_near &&
	    w_log_same_hash(
		verifier->recent[line->seq % W_LOG_RECENT], line->hash);

	if (row != NULL && row->seq_to + 1 == line->seq) {
		row->seq_to = line->seq;
		return;
	}
	verifier->again = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_DUPLICATE,
		.place = *place,
		.lead = is_near && !is_same ? "another " : "again ",
		.seq = line->seq},
	    ", behind record %" PRIu64 "%s", verifier->next_seq - 1,
	    is_same ? ": the same bytes a second time" : "");
	if (behind == 1 && !is_same) {
		verifier->twin = verifier->again;
		w_log_hash_set(verifier->twin_hash, line->hash);
	}
}

/* The last line was taken for record N although its hash is wrong, and this
 * valid record N fits as well: the last line was inserted. */
static bool
replaces_doubtful(
    struct w_log_verifier *verifier, const struct w_log_line *line)
{
	struct w_log_pending_fault *found =
	    w_log_faults_at(&verifier->faults, verifier->doubt);

	if (!verifier->is_doubtful || line->seq + 1 != verifier->next_seq ||
	    !w_log_hash_fits(verifier->parent, line->prev))
		return false;
	if (found != NULL) {
		found->kind = W_LOG_FAULT_NO_RECORD;
		w_log_faults_append(&verifier->faults, verifier->doubt,
		    "; the record itself stands behind it, so this line was "
		    "put in");
	}
	memcpy(verifier->hash, verifier->parent, sizeof(verifier->hash));
	return true;
}

static void
place_sound(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	bool is_known = verifier->next_seq > 0;

	w_log_debris_resolve(verifier, line->seq);
	if (is_known && line->seq < verifier->next_seq &&
	    !replaces_doubtful(verifier, line)) {
		if (!w_log_gaps_fill(verifier, line, place))
			report_duplicate(verifier, line, place);
		return;
	}
	if (is_known && line->seq > verifier->next_seq &&
	    !w_log_verifier_is_joined(verifier, line->seq, line->prev))
		w_log_gaps_add(verifier, line->seq, line->prev, place);
	else if (verifier->is_doubtful)
		w_log_verifier_resolve_doubt(verifier, line->prev, the_next);
	else if (!w_log_hash_fits(verifier->hash, line->prev))
		report_unchained(verifier, line, place);
	check_clock(verifier, line, place);
	advance(verifier, line, line->seq, place);
}

static void
append_claims(struct w_log_verifier *verifier, size_t fault,
    const struct w_log_line *line, uint64_t seq)
{
	if (line->seq != seq)
		w_log_faults_append(&verifier->faults, fault,
		    "; its number reads %" PRIu64, line->seq);
	if (!w_log_hash_fits(verifier->hash, line->prev))
		w_log_faults_append(&verifier->faults, fault,
		    "; it says that it continues %.*s, the record before it "
		    "has %.*s",
		    W_LOG_SHORT, line->prev, W_LOG_SHORT, verifier->hash);
}

/* The line is at the place of record seq and was changed. */
static void
place_changed(struct w_log_verifier *verifier, const struct w_log_line *line,
    uint64_t seq, const struct w_log_place *place)
{
	struct w_log_place bad = *place;
	char made[W_SHA256_HEX + 1];
	size_t at =
	    w_log_damage_find(line->bytes, line->len, seq, verifier->hash);

	if (at < line->len)
		bad.offset += at;
	w_log_verifier_hash(verifier, line, made);
	size_t fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = W_LOG_FAULT_CHANGED, .place = bad, .seq = seq},
	    ": the bytes give the hash %.*s, the line carries %.*s",
	    W_LOG_SHORT, made, W_LOG_SHORT, line->hash);
	append_claims(verifier, fault, line, seq);
	if (verifier->is_doubtful)
		w_log_verifier_resolve_doubt(verifier, line->prev, the_next);
	advance(verifier, line, seq, place);
	verifier->is_doubtful = true;
	verifier->doubt = fault;
	memcpy(verifier->made, made, sizeof(made));
}

/* A line with a wrong hash is taken for the next record if its number or its
 * prev says so; both cannot match by chance. */
static void
place_unsound(struct w_log_verifier *verifier, const struct w_log_line *line,
    const struct w_log_place *place)
{
	uint64_t seq = verifier->next_seq > 0 ? verifier->next_seq : line->seq;
	bool is_linked = verifier->hash[0] != '\0' &&
			 w_log_same_hash(verifier->hash, line->prev);

	if (line->seq != seq && !is_linked) {
		w_log_debris_add(verifier, W_LOG_LINE, line, place);
		return;
	}
	w_log_debris_resolve(verifier, seq);
	/* The bytes before it may have been this record's place. */
	if (verifier->next_seq > seq)
		seq = verifier->next_seq;
	place_changed(verifier, line, seq, place);
}

void
w_log_verifier_place(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place)
{
	verifier->proof->records++;
	if (trust == W_LOG_UNSOUND)
		place_unsound(verifier, line, place);
	else
		place_sound(verifier, line, place);
}
