/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compares the end of a log with its head.
 *
 * Others may write meanwhile. The head is updated after each line by the lock's
 * holder: so if the two agree at any moment, all is well; only a difference
 * under a shared lock is a fault.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "log/log_files.h"
#include "log/verify/log_verifier.h"

/* How often a file may be sealed while we wait for its lock. */
#define TRIES 20

static uint64_t
last_seq(const struct w_log_verifier *verifier)
{
	return verifier->next_seq > 0 ? verifier->next_seq - 1 : 0;
}

/* Lines that were not synced can be lost in a power failure. Not those written
 * since the machine booted, nor anything after such a line. */
enum w_log_fault_kind
w_log_verifier_classify_loss(const struct w_log_verifier *verifier,
    const struct w_log_head *head, const char **out_why)
{
	if (last_seq(verifier) < head->synced) {
		*out_why = "; the head knows that it was on the disk";
		return W_LOG_FAULT_TAIL_CUT;
	}
	if (verifier->is_of_this_host && verifier->proof->records > 0 &&
	    w_log_is_of_this_boot(verifier->proof->last_us)) {
		*out_why = "; the record before was written since this "
			   "machine was started, so no power cut explains it";
		return W_LOG_FAULT_TAIL_CUT;
	}
	*out_why = "; nothing tells that it was on the disk, so a power cut "
		   "can be the cause";
	return W_LOG_FAULT_TAIL_LOST;
}

static bool
agrees(const struct w_log_verifier *verifier, const struct w_log_head *head)
{
	return head->seq == last_seq(verifier) &&
	       head->segment == verifier->last_file &&
	       head->synced <= head->seq && verifier->hash[0] != '\0' &&
	       w_log_same_hash(head->hash, verifier->hash) &&
	       !verifier->is_doubtful && verifier->debris.count == 0 &&
	       verifier->part == NULL &&
	       !w_log_verifier_has_unknown_torn(verifier);
}

/* A position after everything that was read. */
static struct w_log_place
end_position(const struct w_log_verifier *verifier)
{
	return (struct w_log_place){
	    .segment = verifier->segment,
	    .offset = verifier->segment > 0 ? verifier->reader->offset : 0,
	};
}

static void
report_no_head(struct w_log_verifier *verifier)
{
	struct w_log_pending_fault fault = {.kind = W_LOG_FAULT_HEAD_MISSING};
	struct w_log_pending_fault next = {
	    .kind = W_LOG_FAULT_FILE_MISSING, .place = end_position(verifier)};
	struct stat st;

	/* A log that is just being created has none. */
	if (verifier->proof->bytes == 0)
		return;
	bool is_there = fstatat(verifier->reader->dir_fd, "head", &st,
			    AT_SYMLINK_NOFOLLOW) == 0;
	(void)w_log_faults_add(&verifier->faults, &fault,
	    is_there ? "the head is no head any more: nothing tells whether "
		       "record %" PRIu64 " is the last one, and records may "
		       "have been cut off behind it"
		     : "there is no head: nothing tells whether record "
		       "%" PRIu64 " is the last one, and records may have "
		       "been cut off behind it",
	    last_seq(verifier));
	if (verifier->ends_with_seal)
		(void)w_log_faults_add(&verifier->faults, &next,
		    "the last file is sealed, so there was one behind it");
}

static void
report_gone(struct w_log_verifier *verifier, const struct w_log_head *head)
{
	const char *why;
	char file[W_LOG_NAME_MAX];
	size_t fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = w_log_verifier_classify_loss(verifier, head, &why),
		.place = end_position(verifier),
		.seq = last_seq(verifier) + 1,
		.seq_to = head->seq,
		.lead = "gone: ",
	    },
	    ", which the head knows; the log ends with record %" PRIu64,
	    last_seq(verifier));

	w_log_segment_name(verifier->options->name, head->segment, file);
	if (head->segment > verifier->last_file)
		w_log_faults_append(&verifier->faults, fault,
		    ", and the head's file %s is not there", file);
	w_log_faults_append(&verifier->faults, fault, "%s", why);
}

static void
report_head_differs(struct w_log_verifier *verifier,
    const struct w_log_head *head, const char *hash)
{
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_HEAD_DIFFERS,
		.place = end_position(verifier),
		.seq = head->seq},
	    " has the hash %.*s, but the head knows it with %.*s: the log was "
	    "written anew, or the head was",
	    W_LOG_SHORT, hash, W_LOG_SHORT, head->hash);
}

static void
report_ahead(struct w_log_verifier *verifier, const struct w_log_head *head)
{
	uint64_t last = last_seq(verifier);
	const char *known = verifier->recent[head->seq % W_LOG_RECENT];

	if (last - head->seq < W_LOG_RECENT && known[0] != '\0' &&
	    !w_log_same_hash(known, head->hash)) {
		report_head_differs(verifier, head, known);
		return;
	}
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_UNWITNESSED,
		.place = end_position(verifier),
		.seq = head->seq + 1,
		.seq_to = last},
	    " behind the last one that the head knows: a writer was stopped "
	    "before it could tell, or this was added by hand");
}

/* The head has the hash of the last line, but another number or file. Before
 * the first line there may be a head without a file. */
static bool
report_odd_head(struct w_log_verifier *verifier, const struct w_log_head *head)
{
	const bool is_empty = head->seq == 0 && last_seq(verifier) == 0;
	bool is_odd = head->synced > head->seq ||
		      (!is_empty && verifier->hash[0] != '\0' &&
			  w_log_same_hash(head->hash, verifier->hash) &&
			  (head->seq != last_seq(verifier) ||
			      head->segment != verifier->last_file));

	if (is_odd)
		(void)w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){
			.kind = W_LOG_FAULT_HEAD_DIFFERS,
			.place = end_position(verifier),
			.seq = last_seq(verifier)},
		    " is the last one; the head knows its hash, but says "
		    "record %" PRIu64 " of file %" PRIu32 ", on the disk up "
		    "to %" PRIu64 ": the head was changed",
		    head->seq, head->segment, head->synced);
	return is_odd;
}

static void
log_verify_end_compare(
    struct w_log_verifier *verifier, const struct w_log_head *head)
{
	if (w_log_verifier_is_joined(verifier, head->seq + 1, head->hash) ||
	    report_odd_head(verifier, head))
		return;
	if (head->seq > last_seq(verifier))
		report_gone(verifier, head);
	else if (head->seq < last_seq(verifier))
		report_ahead(verifier, head);
	else if (verifier->is_doubtful)
		w_log_verifier_resolve_doubt(verifier, head->hash, "the head");
	else if (!w_log_hash_fits(verifier->hash, head->hash))
		report_head_differs(verifier, head, verifier->hash);
}

static void
check_anchor(struct w_log_verifier *verifier)
{
	uint64_t seq = verifier->options->anchor_seq;

	if (seq == 0 || verifier->is_anchor_seen)
		return;
	if (seq > last_seq(verifier))
		(void)w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_TAIL_CUT,
			.place = end_position(verifier),
			.seq = seq},
		    " is known to have been written, but the log ends with "
		    "record %" PRIu64,
		    last_seq(verifier));
	else if (seq < verifier->proof->first_seq)
		(void)w_log_faults_add(&verifier->faults,
		    &(struct w_log_pending_fault){
			.kind = W_LOG_FAULT_PRUNED, .seq = seq},
		    " is known, but was pruned: it proves nothing here");
}

/* Takes the shared lock of the last file; -1: no file or no lock. */
static int
lock_last(const struct w_log_verifier *verifier)
{
	char file[W_LOG_NAME_MAX];

	if (verifier->reader->dir_fd < 0 || verifier->segment == 0)
		return -1;
	w_log_segment_name(verifier->options->name, verifier->segment, file);
	W_AUTO_FD int fd = openat(verifier->reader->dir_fd, file,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd >= 0 && w_log_lock_shared(fd) ? w_take_fd(&fd) : -1;
}

static writ_status
read_head(struct w_log_verifier *verifier, struct w_log_head *head,
    bool *out_has_head, writ_error *err)
{
	int error = w_log_reader_read_head(verifier->reader, head);

	*out_has_head = error == 0;
	/* What cannot be opened is not a file; but a shortage of resources says
	 * nothing about the log. */
	if (error == EMFILE || error == ENFILE || error == ENOMEM ||
	    error == EIO)
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot read '%s/head'", verifier->options->dir);
	return WRIT_OK;
}

/* Reads to the end, and the head at that time. */
static writ_status
log_verify_end_read_end(struct w_log_verifier *verifier,
    struct w_log_head *head, bool *out_has_head, writ_error *err)
{
	writ_status status = read_head(verifier, head, out_has_head, err);

	if (status == WRIT_OK)
		status = w_log_verifier_drain(verifier, err);
	if (status != WRIT_OK || (*out_has_head && agrees(verifier, head)))
		return status;
	for (int i = 0; i < TRIES; i++) {
		uint32_t segment = verifier->segment;
		int fd = lock_last(verifier);

		status = w_log_verifier_drain(verifier, err);
		if (status == WRIT_OK)
			status = read_head(verifier, head, out_has_head, err);
		w_close(&fd);
		/* Without a file nothing kept a writer from creating the first
		 * one between the two. */
		bool is_still = segment == verifier->segment &&
				(segment != 0 || !*out_has_head);
		if (status != WRIT_OK || is_still)
			break;
	}
	return status;
}

writ_status
w_log_verifier_finish(struct w_log_verifier *verifier, writ_error *err)
{
	struct w_log_head head;
	bool has_head;
	writ_status status =
	    log_verify_end_read_end(verifier, &head, &has_head, err);

	if (status != WRIT_OK)
		return status;
	w_log_verifier_flush_part(verifier);
	w_log_debris_resolve_end(verifier, has_head ? &head : NULL);
	if (has_head)
		log_verify_end_compare(verifier, &head);
	else
		report_no_head(verifier);
	check_anchor(verifier);
	w_log_gaps_report(verifier);
	w_log_verifier_report_torn(verifier);
	return WRIT_OK;
}
