/* SPDX-License-Identifier: Apache-2.0 */

/* Prunes files of records that are too old. */

#include "audit/prune/prune_records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "audit/query/query.h"
#include "audit/record/audit_append.h"
#include "base/auto.h"
#include "base/error.h"
#include "log/log_files.h"

struct range {
	writ_audit *audit;
	uint32_t first;    /* number of the first file that goes */
	uint32_t end;      /* number of the first file that stays */
	uint64_t open_seq; /* the earliest begin record without an end; 0:
			      none */
	uint64_t first_seq;
	uint64_t through; /* the last record that goes */
	char hash[W_SHA256_HEX + 1];
	uint64_t bytes;
	uint32_t files;
};

static bool
note_open(void *ctx, const writ_audit_run *run)
{
	struct range *range = ctx;

	if (range->open_seq == 0 || run->begin_seq < range->open_seq)
		range->open_seq = run->begin_seq;
	return true;
}

/* A run that may still end must not lose its begin record. */
static writ_status
find_open(struct range *range, writ_error *err)
{
	static const char *const states[] = {"running", "unknown"};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < 2 && status == WRIT_OK; i++) {
		writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

		filter.outcome = states[i];
		status = writ_audit_runs(
		    range->audit, &filter, note_open, range, err);
	}
	return status;
}

/* Reads the first line of a file, if it has one. */
static writ_status
prune_records_read_first(struct w_log_reader *reader, uint32_t segment,
    struct w_log_line *out_line, bool *out_is_there, writ_error *err)
{
	enum w_log_read what = W_LOG_END;
	struct w_log_place place = {0};

	writ_status status = w_log_reader_seek(reader, segment, 0, err);
	if (status == WRIT_OK)
		status =
		    w_log_reader_next(reader, &what, out_line, &place, err);
	*out_is_there =
	    status == WRIT_OK && what == W_LOG_LINE && place.segment == segment;
	return status;
}

/* A file may go if the next one starts with a record that is old enough: then
 * everything before it is too. The new first record continues from the last
 * pruned one. */
static bool
may_go(struct range *range, const struct w_log_line *next, uint64_t before_us)
{
	if (next->time_us >= before_us || next->seq == 0 ||
	    (range->open_seq != 0 && range->open_seq < next->seq))
		return false;
	range->through = next->seq - 1;
	memcpy(range->hash, next->prev, W_SHA256_HEX);
	return true;
}

static writ_status
prune_records_choose(struct range *range, struct w_log_reader *reader,
    uint64_t before_us, writ_error *err)
{
	uint32_t last = w_log_reader_last(reader);
	struct w_log_line line;
	bool is_there;

	range->first = w_log_reader_first(reader);
	range->end = range->first;
	writ_status status = prune_records_read_first(
	    reader, range->first, &line, &is_there, err);
	if (status != WRIT_OK || !is_there)
		return status;
	range->first_seq = line.seq;
	while (range->end < last) {
		status = prune_records_read_first(
		    reader, range->end + 1, &line, &is_there, err);
		if (status != WRIT_OK || !is_there ||
		    !may_go(range, &line, before_us))
			break;
		range->end++;
	}
	return status;
}

/* Matches files that go, and torn bytes saved from them. */
static bool
is_in_range(const struct range *range, const char *name)
{
	uint32_t number = w_log_segment_number(W_TRAIL_NAME, name);

	if (number == 0 && w_log_file_is_torn(W_TRAIL_NAME, name))
		number =
		    (uint32_t)strtoul(name + sizeof(W_TRAIL_NAME), NULL, 10);
	return number >= range->first && number < range->end;
}

/* Counts the files; deletes them too if is_real. */
static writ_status
sweep(struct range *range, bool is_real, writ_error *err)
{
	DIR *dir = opendir(range->audit->dir);
	const struct dirent *entry;
	struct stat st;

	if (dir == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot list '%s'", range->audit->dir);
	range->files = 0;
	range->bytes = 0;
	while ((entry = readdir(dir)) != NULL) {
		if (!is_in_range(range, entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (is_real && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			continue;
		range->files +=
		    w_log_segment_number(W_TRAIL_NAME, entry->d_name) != 0;
		range->bytes += (uint64_t)st.st_blocks * 512;
	}
	(void)closedir(dir);
	return WRIT_OK;
}

static writ_status
prune_records_record(const struct range *range, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	char first[W_LOG_NAME_MAX];
	char last[W_LOG_NAME_MAX];

	w_buf_init(&buf, W_LOG_LINE_MAX);
	w_log_segment_name(W_TRAIL_NAME, range->first, first);
	w_log_segment_name(W_TRAIL_NAME, range->end - 1, last);
	w_buf_add_fmt(&buf,
	    "\"kind\":\"prune\",\"what\":\"records\",\"count\":%" PRIu64
	    ",\"bytes\":%" PRIu64 ",\"first_file\":\"%s\","
	    "\"last_file\":\"%s\",\"through\":%" PRIu64
	    ",\"through_hash\":\"%s\"",
	    range->through - range->first_seq + 1, range->bytes, first, last,
	    range->through, range->hash);
	return w_audit_append(range->audit, &buf, NULL, err);
}

static writ_status
carry_out(struct range *range, bool is_dry, writ_audit_pruned *pruned,
    writ_error *err)
{
	writ_status status = sweep(range, false, err);

	if (status == WRIT_OK && !is_dry)
		status = prune_records_record(range, err);
	if (status == WRIT_OK && !is_dry)
		status = sweep(range, true, err);
	if (status != WRIT_OK)
		return status;
	pruned->files += range->files;
	pruned->file_bytes += range->bytes;
	pruned->records += range->through - range->first_seq + 1;
	return WRIT_OK;
}

writ_status
w_prune_records(writ_audit *audit, uint64_t age_ms, bool is_dry,
    writ_audit_pruned *pruned, writ_error *err)
{
	struct range range = {.audit = audit};
	struct w_log_reader *reader = NULL;
	uint64_t now_ms = (uint64_t)time(NULL) * 1000;

	if (audit->dir_fd < 0 || age_ms > now_ms)
		return WRIT_OK;
	writ_status status = find_open(&range, err);
	if (status == WRIT_OK)
		status =
		    w_log_reader_open(audit->dir, W_TRAIL_NAME, &reader, err);
	if (status != WRIT_OK)
		return status;
	status =
	    prune_records_choose(&range, reader, (now_ms - age_ms) * 1000, err);
	w_log_reader_free(reader);
	if (status == WRIT_OK && range.end > range.first)
		status = carry_out(&range, is_dry, pruned, err);
	return status;
}
