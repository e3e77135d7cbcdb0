/* SPDX-License-Identifier: Apache-2.0 */

/* Files of records that are too old; see prune_records.h. */

#include "audit/prune_records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "audit/appending.h"
#include "audit/query.h"
#include "base/auto.h"
#include "base/error.h"
#include "store/log_files.h"

struct doom {
	writ_audit *audit;
	uint32_t first;    /* number of the first file that goes */
	uint32_t end;      /* of the first one that stays */
	uint64_t open_seq; /* the earliest begin without an end; 0: none */
	uint64_t first_seq;
	uint64_t through; /* the last record that goes */
	char hash[W_SHA256_HEX + 1];
	uint64_t bytes;
	uint32_t files;
};

static bool
note_open(void *ctx, const writ_audit_run *run)
{
	struct doom *doom = ctx;

	if (doom->open_seq == 0 || run->begin_seq < doom->open_seq)
		doom->open_seq = run->begin_seq;
	return true;
}

/* A run whose end may still come must not lose its begin. */
static writ_status
find_open(struct doom *doom, writ_error *err)
{
	static const char *const states[] = {"running", "unknown"};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < 2 && status == WRIT_OK; i++) {
		writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

		filter.outcome = states[i];
		status =
		    writ_audit_runs(doom->audit, &filter, note_open, doom, err);
	}
	return status;
}

/* The first line of a file, if it has one. */
static writ_status
read_first(struct w_log_reader *reader, uint32_t segment,
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

/* A file may go when the next one begins with a record that is old enough:
 * then all before it is. What it continues from is what went last. */
static bool
may_go(struct doom *doom, const struct w_log_line *next, uint64_t before_us)
{
	if (next->time_us >= before_us || next->seq == 0 ||
	    (doom->open_seq != 0 && doom->open_seq < next->seq))
		return false;
	doom->through = next->seq - 1;
	memcpy(doom->hash, next->prev, W_SHA256_HEX);
	return true;
}

static writ_status
choose(struct doom *doom, struct w_log_reader *reader, uint64_t before_us,
    writ_error *err)
{
	uint32_t last = w_log_reader_last(reader);
	struct w_log_line line;
	bool is_there;

	doom->first = w_log_reader_first(reader);
	doom->end = doom->first;
	writ_status status =
	    read_first(reader, doom->first, &line, &is_there, err);
	if (status != WRIT_OK || !is_there)
		return status;
	doom->first_seq = line.seq;
	while (doom->end < last) {
		status =
		    read_first(reader, doom->end + 1, &line, &is_there, err);
		if (status != WRIT_OK || !is_there ||
		    !may_go(doom, &line, before_us))
			break;
		doom->end++;
	}
	return status;
}

/* Of a file that goes, with what was set aside for it. */
static bool
is_doomed(const struct doom *doom, const char *name)
{
	uint32_t number = w_log_segment_number(W_TRAIL_NAME, name);

	if (number == 0 && w_log_file_is_torn(W_TRAIL_NAME, name))
		number =
		    (uint32_t)strtoul(name + sizeof(W_TRAIL_NAME), NULL, 10);
	return number >= doom->first && number < doom->end;
}

/* Counts the files; deletes them too if is_real. */
static writ_status
sweep(struct doom *doom, bool is_real, writ_error *err)
{
	DIR *dir = opendir(doom->audit->dir);
	const struct dirent *entry;
	struct stat st;

	if (dir == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot list '%s'", doom->audit->dir);
	doom->files = 0;
	doom->bytes = 0;
	while ((entry = readdir(dir)) != NULL) {
		if (!is_doomed(doom, entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (is_real && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			continue;
		doom->files +=
		    w_log_segment_number(W_TRAIL_NAME, entry->d_name) != 0;
		doom->bytes += (uint64_t)st.st_blocks * 512;
	}
	(void)closedir(dir);
	return WRIT_OK;
}

static writ_status
record(const struct doom *doom, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	char first[W_LOG_NAME_MAX];
	char last[W_LOG_NAME_MAX];

	w_buf_init(&buf, W_LOG_LINE_MAX);
	w_log_segment_name(W_TRAIL_NAME, doom->first, first);
	w_log_segment_name(W_TRAIL_NAME, doom->end - 1, last);
	w_buf_add_fmt(&buf,
	    "\"kind\":\"prune\",\"what\":\"records\",\"count\":%" PRIu64
	    ",\"bytes\":%" PRIu64 ",\"first_file\":\"%s\","
	    "\"last_file\":\"%s\",\"through\":%" PRIu64
	    ",\"through_hash\":\"%s\"",
	    doom->through - doom->first_seq + 1, doom->bytes, first, last,
	    doom->through, doom->hash);
	return w_appending_add(doom->audit, &buf, NULL, err);
}

static writ_status
carry_out(
    struct doom *doom, bool is_dry, writ_audit_pruned *pruned, writ_error *err)
{
	writ_status status = sweep(doom, false, err);

	if (status == WRIT_OK && !is_dry)
		status = record(doom, err);
	if (status == WRIT_OK && !is_dry)
		status = sweep(doom, true, err);
	if (status != WRIT_OK)
		return status;
	pruned->files += doom->files;
	pruned->file_bytes += doom->bytes;
	pruned->records += doom->through - doom->first_seq + 1;
	return WRIT_OK;
}

writ_status
w_prune_records(writ_audit *audit, uint64_t age_ms, bool is_dry,
    writ_audit_pruned *pruned, writ_error *err)
{
	struct doom doom = {.audit = audit};
	struct w_log_reader *reader = NULL;
	uint64_t now_ms = (uint64_t)time(NULL) * 1000;

	if (audit->dir_fd < 0 || age_ms > now_ms)
		return WRIT_OK;
	writ_status status = find_open(&doom, err);
	if (status == WRIT_OK)
		status =
		    w_log_reader_open(audit->dir, W_TRAIL_NAME, &reader, err);
	if (status != WRIT_OK)
		return status;
	status = choose(&doom, reader, (now_ms - age_ms) * 1000, err);
	w_log_reader_free(reader);
	if (status == WRIT_OK && doom.end > doom.first)
		status = carry_out(&doom, is_dry, pruned, err);
	return status;
}
