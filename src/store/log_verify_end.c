/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The end of a log, compared with its head.
 *
 * Others may write meanwhile. The head is noted after each line, by who holds
 * the lock: so when the two agree at any moment, all is well; and only what
 * still differs under a shared lock is a fault.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "store/log_files.h"
#include "store/log_walk.h"

/* How often a file may be sealed while we ask for its lock. */
#define TRIES 20

static uint64_t
last_seq(const struct w_log_walk *walk)
{
	return walk->next_seq > 0 ? walk->next_seq - 1 : 0;
}

/* Lines that were not synced can be lost with the power. Not those that were
 * written since the machine was started, as all behind such a line are. */
enum w_log_fault_kind
w_log_walk_judge_loss(const struct w_log_walk *walk,
    const struct w_log_head *head, const char **out_why)
{
	if (last_seq(walk) < head->synced) {
		*out_why = "; the head knows that it was on the disk";
		return W_LOG_FAULT_TAIL_CUT;
	}
	if (walk->is_of_this_host && walk->proof->records > 0 &&
	    w_log_is_of_this_boot(walk->proof->last_us)) {
		*out_why = "; the record before was written since this "
			   "machine was started, so no power cut explains it";
		return W_LOG_FAULT_TAIL_CUT;
	}
	*out_why = "; nothing tells that it was on the disk, so a power cut "
		   "can be the cause";
	return W_LOG_FAULT_TAIL_LOST;
}

static bool
agrees(const struct w_log_walk *walk, const struct w_log_head *head)
{
	return head->seq == last_seq(walk) &&
	       head->segment == walk->last_file && head->synced <= head->seq &&
	       walk->hash[0] != '\0' &&
	       w_log_same_hash(head->hash, walk->hash) && !walk->is_doubtful &&
	       walk->debris.count == 0 && walk->part == NULL &&
	       !w_log_walk_has_unknown_torn(walk);
}

/* A place behind everything that was read. */
static struct w_log_place
end_place(const struct w_log_walk *walk)
{
	return (struct w_log_place){
	    .segment = walk->segment,
	    .offset = walk->segment > 0 ? walk->reader->offset : 0,
	};
}

static void
tell_no_head(struct w_log_walk *walk)
{
	struct w_log_found fault = {.kind = W_LOG_FAULT_HEAD_MISSING};
	struct w_log_found next = {
	    .kind = W_LOG_FAULT_FILE_MISSING, .place = end_place(walk)};
	struct stat st;

	/* A log that is just being made has none. */
	if (walk->proof->bytes == 0)
		return;
	bool is_there = fstatat(walk->reader->dir_fd, "head", &st,
			    AT_SYMLINK_NOFOLLOW) == 0;
	(void)w_log_faults_add(&walk->faults, &fault,
	    is_there ? "the head is no head any more: nothing tells whether "
		       "record %" PRIu64 " is the last one, and records may "
		       "have been cut off behind it"
		     : "there is no head: nothing tells whether record "
		       "%" PRIu64 " is the last one, and records may have "
		       "been cut off behind it",
	    last_seq(walk));
	if (walk->ends_with_seal)
		(void)w_log_faults_add(&walk->faults, &next,
		    "the last file is sealed, so there was one behind it");
}

static void
tell_gone(struct w_log_walk *walk, const struct w_log_head *head)
{
	const char *why;
	char file[W_LOG_NAME_MAX];
	size_t fault = w_log_faults_add(&walk->faults,
	    &(struct w_log_found){
		.kind = w_log_walk_judge_loss(walk, head, &why),
		.place = end_place(walk),
		.seq = last_seq(walk) + 1,
		.seq_to = head->seq,
		.lead = "gone: ",
	    },
	    ", which the head knows; the log ends with record %" PRIu64,
	    last_seq(walk));

	w_log_segment_name(walk->ask->name, head->segment, file);
	if (head->segment > walk->last_file)
		w_log_faults_say(&walk->faults, fault,
		    ", and the head's file %s is not there", file);
	w_log_faults_say(&walk->faults, fault, "%s", why);
}

static void
tell_head_differs(
    struct w_log_walk *walk, const struct w_log_head *head, const char *hash)
{
	(void)w_log_faults_add(&walk->faults,
	    &(struct w_log_found){.kind = W_LOG_FAULT_HEAD_DIFFERS,
		.place = end_place(walk),
		.seq = head->seq},
	    " has the hash %.*s, but the head knows it with %.*s: the log was "
	    "written anew, or the head was",
	    W_LOG_SHORT, hash, W_LOG_SHORT, head->hash);
}

static void
tell_ahead(struct w_log_walk *walk, const struct w_log_head *head)
{
	uint64_t last = last_seq(walk);
	const char *known = walk->recent[head->seq % W_LOG_RECENT];

	if (last - head->seq < W_LOG_RECENT && known[0] != '\0' &&
	    !w_log_same_hash(known, head->hash)) {
		tell_head_differs(walk, head, known);
		return;
	}
	(void)w_log_faults_add(&walk->faults,
	    &(struct w_log_found){.kind = W_LOG_FAULT_UNWITNESSED,
		.place = end_place(walk),
		.seq = head->seq + 1,
		.seq_to = last},
	    " behind the last one that the head knows: a writer was stopped "
	    "before it could tell, or this was added by hand");
}

/* The head has the hash of the last line, but another number or file. Before
 * the first line there may be a head and no file. */
static bool
tell_odd_head(struct w_log_walk *walk, const struct w_log_head *head)
{
	const bool is_empty = head->seq == 0 && last_seq(walk) == 0;
	bool is_odd = head->synced > head->seq ||
		      (!is_empty && walk->hash[0] != '\0' &&
			  w_log_same_hash(head->hash, walk->hash) &&
			  (head->seq != last_seq(walk) ||
			      head->segment != walk->last_file));

	if (is_odd)
		(void)w_log_faults_add(&walk->faults,
		    &(struct w_log_found){.kind = W_LOG_FAULT_HEAD_DIFFERS,
			.place = end_place(walk),
			.seq = last_seq(walk)},
		    " is the last one; the head knows its hash, but says "
		    "record %" PRIu64 " of file %" PRIu32 ", on the disk up "
		    "to %" PRIu64 ": the head was changed",
		    head->seq, head->segment, head->synced);
	return is_odd;
}

static void
compare(struct w_log_walk *walk, const struct w_log_head *head)
{
	if (w_log_walk_is_joined(walk, head->seq + 1, head->hash) ||
	    tell_odd_head(walk, head))
		return;
	if (head->seq > last_seq(walk))
		tell_gone(walk, head);
	else if (head->seq < last_seq(walk))
		tell_ahead(walk, head);
	else if (walk->is_doubtful)
		w_log_walk_settle_doubt(walk, head->hash, "the head");
	else if (!w_log_hash_fits(walk->hash, head->hash))
		tell_head_differs(walk, head, walk->hash);
}

static void
check_anchor(struct w_log_walk *walk)
{
	uint64_t seq = walk->ask->anchor_seq;

	if (seq == 0 || walk->is_anchor_seen)
		return;
	if (seq > last_seq(walk))
		(void)w_log_faults_add(&walk->faults,
		    &(struct w_log_found){.kind = W_LOG_FAULT_TAIL_CUT,
			.place = end_place(walk),
			.seq = seq},
		    " is known to have been written, but the log ends with "
		    "record %" PRIu64,
		    last_seq(walk));
	else if (seq < walk->proof->first_seq)
		(void)w_log_faults_add(&walk->faults,
		    &(struct w_log_found){
			.kind = W_LOG_FAULT_PRUNED, .seq = seq},
		    " is known, but was pruned: it proves nothing here");
}

/* Takes the shared lock of the last file; -1: there is none, or no lock. */
static int
lock_last(const struct w_log_walk *walk)
{
	char file[W_LOG_NAME_MAX];

	if (walk->reader->dir_fd < 0 || walk->segment == 0)
		return -1;
	w_log_segment_name(walk->ask->name, walk->segment, file);
	W_AUTO_FD int fd = openat(walk->reader->dir_fd, file,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && w_log_lock_shared(fd) ? w_take_fd(&fd) : -1;
}

static writ_status
read_head(struct w_log_walk *walk, struct w_log_head *head, bool *out_has_head,
    writ_error *err)
{
	int error = w_log_reader_read_head(walk->reader, head);

	*out_has_head = error == 0;
	/* What cannot be opened as a file is none; that the system is short
	 * of something says nothing about the log. */
	if (error == EMFILE || error == ENFILE || error == ENOMEM ||
	    error == EIO)
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot read '%s/head'", walk->ask->dir);
	return WRIT_OK;
}

/* Reads to the end, and the head as it was then. */
static writ_status
read_end(struct w_log_walk *walk, struct w_log_head *head, bool *out_has_head,
    writ_error *err)
{
	writ_status status = read_head(walk, head, out_has_head, err);

	if (status == WRIT_OK)
		status = w_log_walk_drain(walk, err);
	if (status != WRIT_OK || (*out_has_head && agrees(walk, head)))
		return status;
	for (int i = 0; i < TRIES; i++) {
		uint32_t segment = walk->segment;
		int fd = lock_last(walk);

		status = w_log_walk_drain(walk, err);
		if (status == WRIT_OK)
			status = read_head(walk, head, out_has_head, err);
		w_close(&fd);
		/* Without a file nobody was kept from making the first one
		 * between the two. */
		bool is_still = segment == walk->segment &&
				(segment != 0 || !*out_has_head);
		if (status != WRIT_OK || is_still)
			break;
	}
	return status;
}

writ_status
w_log_walk_finish(struct w_log_walk *walk, writ_error *err)
{
	struct w_log_head head;
	bool has_head;
	writ_status status = read_end(walk, &head, &has_head, err);

	if (status != WRIT_OK)
		return status;
	w_log_walk_keep_part(walk);
	w_log_debris_settle_end(walk, has_head ? &head : NULL);
	if (has_head)
		compare(walk, &head);
	else
		tell_no_head(walk);
	check_anchor(walk);
	w_log_gaps_tell(walk);
	w_log_walk_tell_torn(walk);
	return WRIT_OK;
}
