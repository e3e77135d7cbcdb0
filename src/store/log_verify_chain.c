/* SPDX-License-Identifier: Apache-2.0 */

/* Where a line belongs: in its place, or not. */

#include <inttypes.h>
#include <string.h>

#include "store/log_break.h"
#include "store/log_walk.h"

static const char the_next[] = "the next record";

void
w_log_hash_set(char to[W_SHA256_HEX + 1], const char *hash)
{
	memcpy(to, hash, W_SHA256_HEX);
	to[W_SHA256_HEX] = '\0';
}

static void
check_clock(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (line->time_us < walk->clock_us)
		(void)w_log_faults_add(&walk->faults,
		    &(struct w_log_found){.kind = W_LOG_FAULT_CLOCK_BACK,
			.place = *place,
			.seq = line->seq},
		    " is %" PRIu64
		    " microseconds older than the one before it: the clock "
		    "was set back",
		    walk->clock_us - line->time_us);
	walk->clock_us = line->time_us;
}

static void
check_anchor(struct w_log_walk *walk, const struct w_log_line *line,
    uint64_t seq, const struct w_log_place *place)
{
	if (walk->ask->anchor_seq == 0 || walk->ask->anchor_seq != seq)
		return;
	walk->is_anchor_seen = true;
	if (w_log_same_hash(walk->ask->anchor_hash, line->hash))
		return;
	(void)w_log_faults_add(&walk->faults,
	    &(struct w_log_found){
		.kind = W_LOG_FAULT_CHANGED, .place = *place, .seq = seq},
	    " is not the one that is known: its hash is %.*s, known is %.*s; "
	    "the log was written anew",
	    W_LOG_SHORT, line->hash, W_LOG_SHORT, walk->ask->anchor_hash);
}

/* The line is record seq: the next one continues it. */
static void
advance(struct w_log_walk *walk, const struct w_log_line *line, uint64_t seq,
    const struct w_log_place *place)
{
	struct w_log_proof *proof = walk->proof;

	check_anchor(walk, line, seq, place);
	memcpy(walk->parent, walk->hash, sizeof(walk->parent));
	w_log_hash_set(walk->hash, line->hash);
	memcpy(walk->recent[seq % W_LOG_RECENT], line->hash, W_SHA256_HEX);
	walk->next_seq = seq + 1;
	walk->is_doubtful = false;
	walk->doubt = W_LOG_NO_FAULT;
	walk->twin = walk->again = W_LOG_NO_FAULT;
	walk->twin_hash[0] = '\0';
	walk->last_place = *place;
	walk->last_len = line->len;
	walk->last_file = walk->claimed;
	walk->ends_with_seal = w_log_line_is(line, "seal");
	if (proof->first_seq == 0) {
		proof->first_seq = seq;
		proof->first_us = line->time_us;
	}
	proof->last_seq = seq;
	proof->last_us = line->time_us;
	memcpy(proof->last_hash, walk->hash, sizeof(proof->last_hash));
}

void
w_log_walk_skip(struct w_log_walk *walk, uint64_t next_seq)
{
	walk->next_seq = next_seq;
	walk->hash[0] = walk->parent[0] = '\0';
	walk->is_doubtful = false;
	walk->doubt = walk->twin = walk->again = W_LOG_NO_FAULT;
	walk->twin_hash[0] = '\0';
}

void
w_log_walk_settle_doubt(
    struct w_log_walk *walk, const char *prev, const char *who)
{
	struct w_log_found *found = w_log_faults_at(&walk->faults, walk->doubt);

	if (w_log_same_hash(prev, walk->hash)) {
		w_log_faults_say(&walk->faults, walk->doubt,
		    "; %s has the hash that it carries, so the content was "
		    "changed afterwards",
		    who);
		return;
	}
	if (!w_log_same_hash(prev, walk->made)) {
		w_log_faults_say(&walk->faults, walk->doubt,
		    "; %s has %.*s, which is neither", who, W_LOG_SHORT, prev);
		return;
	}
	w_log_faults_say(&walk->faults, walk->doubt,
	    "; %s has the hash of these bytes, so only the hash that it "
	    "carries "
	    "was changed",
	    who);
	size_t at = 0;
	while (at < W_SHA256_HEX && walk->hash[at] == walk->made[at])
		at++;
	if (found != NULL)
		found->place.offset = walk->last_place.offset + walk->last_len -
				      2 - W_SHA256_HEX + at;
}

bool
w_log_walk_is_joined(struct w_log_walk *walk, uint64_t seq, const char *prev)
{
	struct w_log_found *found = w_log_faults_at(&walk->faults, walk->doubt);

	if (!walk->is_doubtful || seq <= walk->next_seq ||
	    !w_log_same_hash(walk->hash, prev))
		return false;
	if (found != NULL) {
		found->seq_to = seq - 1;
		w_log_faults_say(&walk->faults, walk->doubt,
		    "; the line runs on to the end of record %" PRIu64
		    ": a line break was changed",
		    seq - 1);
	}
	w_log_walk_skip(walk, seq);
	return true;
}

/* The line has the right number and is sound, but continues another hash than
 * the last line has. */
static void
tell_unchained(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (walk->twin_hash[0] != '\0' &&
	    w_log_same_hash(line->prev, walk->twin_hash)) {
		struct w_log_found *twin =
		    w_log_faults_at(&walk->faults, walk->twin);

		w_log_faults_say(&walk->faults, walk->twin,
		    "; the chain goes on from this one, so the first was put "
		    "in at byte %" PRIu64,
		    walk->last_place.offset);
		if (twin != NULL &&
		    twin->place.segment == walk->last_place.segment)
			twin->place = walk->last_place;
		return;
	}
	(void)w_log_faults_add(&walk->faults,
	    &(struct w_log_found){.kind = W_LOG_FAULT_UNCHAINED,
		.place = *place,
		.seq = line->seq},
	    " continues %.*s, but the record before it has %.*s: record "
	    "%" PRIu64 " was written anew, or this one was",
	    W_LOG_SHORT, line->prev, W_LOG_SHORT, walk->hash, line->seq - 1);
}

/* A sound line with the number of one that was read already. */
static void
tell_again(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	struct w_log_found *row = w_log_faults_at(&walk->faults, walk->again);
	uint64_t behind = walk->next_seq - line->seq;
	bool is_near = behind <= W_LOG_RECENT;
	bool is_same =
	    is_near &&
	    w_log_same_hash(walk->recent[line->seq % W_LOG_RECENT], line->hash);

	if (row != NULL && row->seq_to + 1 == line->seq) {
		row->seq_to = line->seq;
		return;
	}
	walk->again = w_log_faults_add(&walk->faults,
	    &(struct w_log_found){.kind = W_LOG_FAULT_DUPLICATE,
		.place = *place,
		.lead = is_near && !is_same ? "another " : "again ",
		.seq = line->seq},
	    ", behind record %" PRIu64 "%s", walk->next_seq - 1,
	    is_same ? ": the same bytes a second time" : "");
	if (behind == 1 && !is_same) {
		walk->twin = walk->again;
		w_log_hash_set(walk->twin_hash, line->hash);
	}
}

/* The last line was taken for record N although it is unsound, and here is a
 * sound record N that fits as well: the last line was put in. */
static bool
replaces_doubtful(struct w_log_walk *walk, const struct w_log_line *line)
{
	struct w_log_found *found = w_log_faults_at(&walk->faults, walk->doubt);

	if (!walk->is_doubtful || line->seq + 1 != walk->next_seq ||
	    !w_log_hash_fits(walk->parent, line->prev))
		return false;
	if (found != NULL) {
		found->kind = W_LOG_FAULT_NO_RECORD;
		w_log_faults_say(&walk->faults, walk->doubt,
		    "; the record itself stands behind it, so this line was "
		    "put in");
	}
	memcpy(walk->hash, walk->parent, sizeof(walk->hash));
	return true;
}

static void
place_sound(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	bool is_known = walk->next_seq > 0;

	w_log_debris_settle(walk, line->seq);
	if (is_known && line->seq < walk->next_seq &&
	    !replaces_doubtful(walk, line)) {
		if (!w_log_gaps_fill(walk, line, place))
			tell_again(walk, line, place);
		return;
	}
	if (is_known && line->seq > walk->next_seq &&
	    !w_log_walk_is_joined(walk, line->seq, line->prev))
		w_log_gaps_add(walk, line->seq, line->prev, place);
	else if (walk->is_doubtful)
		w_log_walk_settle_doubt(walk, line->prev, the_next);
	else if (!w_log_hash_fits(walk->hash, line->prev))
		tell_unchained(walk, line, place);
	check_clock(walk, line, place);
	advance(walk, line, line->seq, place);
}

static void
say_claims(struct w_log_walk *walk, size_t fault, const struct w_log_line *line,
    uint64_t seq)
{
	if (line->seq != seq)
		w_log_faults_say(&walk->faults, fault,
		    "; its number reads %" PRIu64, line->seq);
	if (!w_log_hash_fits(walk->hash, line->prev))
		w_log_faults_say(&walk->faults, fault,
		    "; it says that it continues %.*s, the record before it "
		    "has %.*s",
		    W_LOG_SHORT, line->prev, W_LOG_SHORT, walk->hash);
}

/* The line stands where record seq belongs and is not as it was written. */
static void
place_changed(struct w_log_walk *walk, const struct w_log_line *line,
    uint64_t seq, const struct w_log_place *place)
{
	struct w_log_place bad = *place;
	char made[W_SHA256_HEX + 1];
	size_t at = w_log_break_find(line->bytes, line->len, seq, walk->hash);

	if (at < line->len)
		bad.offset += at;
	w_log_walk_hash(walk, line, made);
	size_t fault = w_log_faults_add(&walk->faults,
	    &(struct w_log_found){
		.kind = W_LOG_FAULT_CHANGED, .place = bad, .seq = seq},
	    ": the bytes give the hash %.*s, the line carries %.*s",
	    W_LOG_SHORT, made, W_LOG_SHORT, line->hash);
	say_claims(walk, fault, line, seq);
	if (walk->is_doubtful)
		w_log_walk_settle_doubt(walk, line->prev, the_next);
	advance(walk, line, seq, place);
	walk->is_doubtful = true;
	walk->doubt = fault;
	memcpy(walk->made, made, sizeof(made));
}

/* An unsound line is taken for the next record if its number or its link says
 * so; both cannot be by chance. */
static void
place_unsound(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	uint64_t seq = walk->next_seq > 0 ? walk->next_seq : line->seq;
	bool is_linked =
	    walk->hash[0] != '\0' && w_log_same_hash(walk->hash, line->prev);

	if (line->seq != seq && !is_linked) {
		w_log_debris_add(walk, W_LOG_LINE, line, place);
		return;
	}
	w_log_debris_settle(walk, seq);
	/* What stood before it may have been this record's place. */
	if (walk->next_seq > seq)
		seq = walk->next_seq;
	place_changed(walk, line, seq, place);
}

void
w_log_walk_place(struct w_log_walk *walk, const struct w_log_line *line,
    enum w_log_trust trust, const struct w_log_place *place)
{
	walk->proof->records++;
	if (trust == W_LOG_UNSOUND)
		place_unsound(walk, line, place);
	else
		place_sound(walk, line, place);
}
