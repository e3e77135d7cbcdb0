/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks the files before they are read: their owners and their order.
 *
 * Each file says in its first line which one it is, so files with exchanged
 * names are read in the order in which they were written: then nothing else is
 * wrong with them. A file whose numbers do not fit between those of its
 * neighbours is from another log and not read at all.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "log/log_files.h"
#include "log/verify/log_verifier.h"

static int
by_number(const void *left, const void *right)
{
	const struct w_log_outline *a = left;
	const struct w_log_outline *b = right;

	return a->number < b->number ? -1 : a->number > b->number;
}

static uint32_t
log_verify_files_claim(const struct w_log_outline *file)
{
	return file->claimed > 0 ? file->claimed : file->number;
}

static int
by_claim(const void *left, const void *right)
{
	uint32_t a = log_verify_files_claim(left);
	uint32_t b = log_verify_files_claim(right);

	return a < b ? -1 : a > b ? 1 : by_number(left, right);
}

static void
check_owner(struct w_log_verifier *verifier, const struct w_log_outline *file)
{
	char name[W_LOG_NAME_MAX];
	char why[W_LOG_WHY_MAX];
	struct stat st;

	w_log_segment_name(verifier->options->name, file->number, name);
	if (fstatat(verifier->reader->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) !=
		0 ||
	    w_log_file_is_ours(&st, S_IFREG, why))
		return;
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_FILE_ALIEN,
		.place = {.segment = file->number}},
	    "the file %s", why);
}

static void
put_in_order(struct w_log_verifier *verifier)
{
	qsort(verifier->files, verifier->file_count, sizeof(*verifier->files),
	    by_claim);
	/* If two files claim the same number, their names decide. */
	for (size_t i = 1; i < verifier->file_count; i++) {
		if (log_verify_files_claim(&verifier->files[i - 1]) !=
		    log_verify_files_claim(&verifier->files[i]))
			continue;
		qsort(verifier->files, verifier->file_count,
		    sizeof(*verifier->files), by_number);
		return;
	}
}

static bool
is_linked(const struct w_log_outline *a, const struct w_log_outline *b)
{
	return w_log_same_hash(a->last_hash, b->first_prev);
}

/* The numbers of a file's lines do not fit between those of its neighbours, and
 * neither of them refers to it. */
static bool
is_stranger(const struct w_log_verifier *verifier, size_t at)
{
	const struct w_log_outline *file = &verifier->files[at];
	const struct w_log_outline *before = at > 0 ? file - 1 : NULL;
	const struct w_log_outline *after =
	    at + 1 < verifier->file_count ? file + 1 : NULL;

	if (!file->has_lines || (before == NULL && after == NULL) ||
	    (before != NULL && (!before->has_lines || before->is_stranger)) ||
	    (after != NULL && !after->has_lines))
		return false;
	if ((before != NULL && is_linked(before, file)) ||
	    (after != NULL && is_linked(file, after)))
		return false;
	bool fits_before = before == NULL || before->last_seq < file->first_seq;
	bool fits_after = after == NULL || file->last_seq < after->first_seq;
	bool is_between = before == NULL || after == NULL ||
			  before->last_seq < after->first_seq;
	return is_between && !(fits_before && fits_after);
}

static void
log_verify_files_check_name(struct w_log_verifier *verifier, size_t at)
{
	struct w_log_outline *file = &verifier->files[at];
	bool is_misnamed = log_verify_files_claim(file) != file->number;
	char claimed[W_LOG_NAME_MAX];

	file->is_stranger = is_stranger(verifier, at);
	if (!is_misnamed && !file->is_stranger)
		return;
	w_log_segment_name(
	    verifier->options->name, log_verify_files_claim(file), claimed);
	size_t fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){.kind = W_LOG_FAULT_FILE_SWAPPED,
		.place = {.segment = file->number, .line = 1}},
	    "the file is %s by its first line", claimed);
	if (file->is_stranger)
		w_log_faults_append(&verifier->faults, fault,
		    ", but its records %" PRIu64 " to %" PRIu64
		    " do not continue the file before it, nor does the file "
		    "behind it continue them: a copy, or of another log",
		    file->first_seq, file->last_seq);
}

/* Drops saved torn bytes of pruned files: the line that mentions them was
 * pruned too. */
static void
forget_old_torn(struct w_log_verifier *verifier)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < verifier->file_count; i++)
		if (verifier->files[i].number < first)
			first = verifier->files[i].number;
	for (size_t i = 0; i < verifier->torn_count; i++) {
		const char *number =
		    verifier->torn[i] + strlen(verifier->options->name) + 1;

		if (verifier->file_count == 0 ||
		    strtoul(number, NULL, 10) >= first)
			continue;
		free(verifier->torn[i]);
		verifier->torn[i] = NULL;
	}
}

writ_status
w_log_verifier_list(struct w_log_verifier *verifier, writ_error *err)
{
	writ_status status = w_log_verifier_outline(verifier, err);

	if (status != WRIT_OK)
		return status;
	if (verifier->file_count > 0)
		put_in_order(verifier);
	forget_old_torn(verifier);
	for (size_t i = 0; i < verifier->file_count; i++) {
		verifier->faults.order = i + 1;
		check_owner(verifier, &verifier->files[i]);
		log_verify_files_check_name(verifier, i);
	}
	verifier->faults.order = 0;
	return WRIT_OK;
}

static void
report_first_file(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place)
{
	if (verifier->before > 0 || verifier->claimed <= 1 ||
	    verifier->is_pruning_reported)
		return;
	verifier->is_pruning_reported = true;
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = W_LOG_FAULT_PRUNED, .place = *place, .seq = line->seq},
	    " is the first: %" PRIu64 " earlier records are not here any more",
	    line->seq - 1);
}

/* A file is missing, but the records continue: only its absence is reported. */
static void
report_missing_file(
    struct w_log_verifier *verifier, const struct w_log_place *place)
{
	char missing[W_LOG_NAME_MAX];

	if (verifier->before == 0 || verifier->claimed <= verifier->before + 1)
		return;
	w_log_segment_name(
	    verifier->options->name, verifier->before + 1, missing);
	(void)w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = W_LOG_FAULT_FILE_MISSING, .place = *place},
	    "before this file %s is not there, but no record is missing",
	    missing);
}

void
w_log_verifier_begin_file(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place)
{
	bool is_segment = w_log_line_is(line, "segment");
	bool is_expected =
	    verifier->next_seq == 0 || line->seq == verifier->next_seq;
	struct w_log_pending_fault fault = {
	    .kind = W_LOG_FAULT_REORDERED, .place = *place, .seq = line->seq};

	if (verifier->is_begun && is_segment && trust != W_LOG_UNSOUND) {
		fault.kind = W_LOG_FAULT_FILE_SWAPPED;
		(void)w_log_faults_add(&verifier->faults, &fault,
		    " begins a file, but stands in the middle of this one");
	}
	if (verifier->is_begun)
		return;
	verifier->is_begun = true;
	report_first_file(verifier, line, place);
	if (is_expected)
		report_missing_file(verifier, place);
	if (is_segment || trust == W_LOG_UNSOUND || !is_expected ||
	    verifier->debris.count > 0)
		return;
	if (verifier->next_seq == 0)
		fault.kind = W_LOG_FAULT_GAP;
	(void)w_log_faults_add(&verifier->faults, &fault,
	    " is the first of this file and does not begin one: lines before "
	    "it were taken away, or moved to the file before");
}
