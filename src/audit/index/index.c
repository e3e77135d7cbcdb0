/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The index file: opening, building, updating and deleting it. index.h says how
 * far it is trusted.
 *
 * A new one is built without a journal, in one transaction that sets its
 * version last: a file without a version is from a builder that died.
 */

#include "audit/index/index.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/query/trail_lines.h"
#include "base/auto.h"
#include "log/log_files.h"
#include "os/loop.h"

#define VERSION_TEXT "1"

enum {
	VERSION = 1,
	BUSY_MS = 2000,
	SLOW_MS = 1000,       /* a build that takes longer is reported */
	CHECKED_MAX = 4 << 20 /* up to this size the whole file is checked */
};

/* The outcome of an attempt. */
enum index_outcome {
	READY,
	STALE,  /* must be rebuilt */
	UNUSED, /* not available now; the note says why */
};

static void
note_unused(writ_audit *audit, const char *why)
{
	w_audit_set_note(audit,
	    "the index in '%s' is not used, and the trail itself is read: %s",
	    audit->dir, why);
}

static void
note_rebuild(writ_audit *audit, const char *why)
{
	w_audit_set_note(
	    audit, "the index in '%s' was made again: %s", audit->dir, why);
}

/* SQLite's message, unless the code is one of ours. */
static const char *
complaint(const struct w_index *index, int code)
{
	if ((index->api->extended_errcode(index->db) & 0xff) == (code & 0xff))
		return index->api->errmsg(index->db);
	return (code & 0xff) == SQLITE_CORRUPT
		   ? "its pages contradict each other"
		   : "the trail could not be read through";
}

/* Maps SQLite's error to an outcome. */
static enum index_outcome
classify_error(writ_audit *audit, int code)
{
	struct w_index *index = audit->index;
	char why[256];

	switch (code & 0xff) {
	case SQLITE_OK:
		return READY;
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* a table with the wrong columns */
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
		(void)snprintf(why, sizeof(why), "it was damaged (%s)",
		    complaint(index, code));
		note_rebuild(audit, why);
		return STALE;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		note_unused(audit, "another reader is making it");
		return UNUSED;
	default:
		note_unused(audit, complaint(index, code));
		return UNUSED;
	}
}

static void
close_index(writ_audit *audit)
{
	w_index_free(audit->index);
	audit->index = NULL;
}

void
w_index_free(struct w_index *index)
{
	if (index == NULL)
		return;
	if (index->db != NULL)
		(void)index->api->close_v2(index->db);
	free(index);
}

static void
delete_files(writ_audit *audit)
{
	static const char *const names[] = {W_INDEX_NAME "-wal",
	    W_INDEX_NAME "-shm", W_INDEX_NAME "-journal", W_INDEX_NAME};

	close_index(audit);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlinkat(audit->dir_fd, names[i], 0);
}

void
w_index_drop(writ_audit *audit, const char *why)
{
	if (audit->index_users > 0)
		return;
	note_rebuild(audit, why);
	delete_files(audit);
}

/* ---- opening ---- */

/* Creates an empty file with the right mode, or checks the existing one: SQLite
 * itself would follow a link and accept any owner. */
static bool
prepare_file(writ_audit *audit)
{
	char why[W_LOG_WHY_MAX];
	struct stat st;
	W_AUTO_FD int fd = openat(audit->dir_fd, W_INDEX_NAME,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
	    0600);

	if (fd < 0 || fstat(fd, &st) != 0) {
		note_unused(audit, strerrordesc_np(errno));
		return false;
	}
	if (w_log_file_is_ours(&st, S_IFREG, why)) {
		/* The umask removed our own rights. */
		if ((st.st_mode & 0600) != 0600)
			(void)fchmod(fd, 0600);
		return true;
	}
	char sentence[W_LOG_WHY_MAX + 8];
	(void)snprintf(sentence, sizeof(sentence), "it %s", why);
	note_unused(audit, sentence);
	return false;
}

static enum index_outcome
open_database(writ_audit *audit)
{
	W_AUTO_FREE char *path = NULL;
	struct w_index *index = audit->index;

	if (asprintf(&path, "%s/%s", audit->dir, W_INDEX_NAME) < 0) {
		path = NULL;
		note_unused(audit, strerrordesc_np(ENOMEM));
		return UNUSED;
	}
	int code = index->api->open_v2(path, &index->db,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
		SQLITE_OPEN_PRIVATECACHE,
	    NULL);
	if (code == SQLITE_OK)
		code = index->api->busy_timeout(index->db, BUSY_MS);
	return classify_error(audit, code);
}

static int
index_read_version(
    struct w_index *index, int64_t *out_version, int64_t *out_tables)
{
	sqlite3_stmt *row = w_index_prepare(index,
	    "SELECT (SELECT user_version FROM pragma_user_version), "
	    "(SELECT count(*) FROM sqlite_master)");
	int code = row == NULL ? index->api->extended_errcode(index->db)
			       : index->api->step(row);

	if (code == SQLITE_ROW) {
		*out_version = index->api->column_int64(row, 0);
		*out_tables = index->api->column_int64(row, 1);
		code = SQLITE_OK;
	}
	(void)index->api->finalize(row);
	return code;
}

/* Pages that were swapped are each valid: a search then finds too little and
 * reports no error. Checking for that takes a millisecond per MiB, so it is
 * skipped for large files. */
static int
check_pages(const writ_audit *audit)
{
	const struct w_index *index = audit->index;
	struct stat st;

	if (fstatat(audit->dir_fd, W_INDEX_NAME, &st, AT_SYMLINK_NOFOLLOW) !=
		0 ||
	    st.st_size > CHECKED_MAX)
		return SQLITE_OK;
	sqlite3_stmt *row =
	    w_index_prepare(audit->index, "PRAGMA integrity_check(1)");
	int code = row == NULL ? index->api->extended_errcode(index->db)
			       : index->api->step(row);
	if (code == SQLITE_ROW) {
		const char *found =
		    (const char *)index->api->column_text(row, 0);

		code = found != NULL && strcmp(found, "ok") == 0
			   ? SQLITE_OK
			   : SQLITE_CORRUPT;
	}
	(void)index->api->finalize(row);
	return code;
}

/* ---- building ---- */

/* 256 MiB of cache: the pages of a million records. */
static const char start_making[] = "PRAGMA journal_mode = OFF;"
				   "PRAGMA synchronous = OFF;"
				   "PRAGMA cache_size = -262144;"
				   "BEGIN EXCLUSIVE;";
static const char end_making[] = "PRAGMA user_version = " VERSION_TEXT ";"
				 "COMMIT;";
static const char start_using[] = "PRAGMA journal_mode = WAL;"
				  "PRAGMA synchronous = NORMAL;"
				  "PRAGMA cache_size = -16384;"
				  "PRAGMA cell_size_check = ON;";

static int
make_all(struct w_index *index, writ_audit *audit)
{
	int code = w_index_make_tables(index);

	index->state = (struct w_index_state){0};
	if (code == SQLITE_OK)
		code = w_index_fill(index, audit);
	if (code == SQLITE_OK)
		code = w_index_make_searchable(index);
	if (code == SQLITE_OK)
		code = w_index_exec(index, end_making);
	return code;
}

static enum index_outcome
make_index(writ_audit *audit)
{
	struct w_index *index = audit->index;
	uint64_t start_ns = w_now_ns();
	int64_t version = 0;
	int64_t table_count = 0;

	int code = w_index_exec(index, start_making);
	if (code == SQLITE_OK)
		code = index_read_version(index, &version, &table_count);
	if (code != SQLITE_OK)
		return classify_error(audit, code);
	/* Another reader was faster. */
	if (version == VERSION)
		return classify_error(audit, w_index_exec(index, "ROLLBACK"));
	code = make_all(index, audit);
	if (code != SQLITE_OK) {
		enum index_outcome outcome = classify_error(audit, code);

		/* Without a journal nothing can be rolled back. */
		delete_files(audit);
		return outcome;
	}
	uint64_t ms = (w_now_ns() - start_ns) / W_NS_PER_MS;
	if (ms >= SLOW_MS && audit->note[0] == '\0')
		w_audit_set_note(audit,
		    "an index of %" PRIu64 " records was made in %" PRIu64
		    ".%" PRIu64 " s",
		    index->state.last.seq, ms / 1000, ms % 1000 / 100);
	return READY;
}

/* ---- using ---- */

static enum index_outcome
bring_up_to_date(writ_audit *audit)
{
	int code = w_index_load_state(audit->index);

	if (code != SQLITE_OK)
		return classify_error(audit, code);
	if (!w_index_has_same_end(audit)) {
		note_rebuild(
		    audit, "its last record is not in the trail any more");
		return STALE;
	}
	return classify_error(audit, w_index_update(audit));
}

static enum index_outcome
open_index(writ_audit *audit)
{
	struct w_index *index = audit->index;
	int64_t version = 0;
	int64_t table_count = 0;

	enum index_outcome outcome = open_database(audit);
	if (outcome != READY)
		return outcome;
	int code = index_read_version(index, &version, &table_count);
	if (code != SQLITE_OK)
		return classify_error(audit, code);
	if (version == 0 && table_count == 0) {
		outcome = make_index(audit);
	} else if (version != VERSION) {
		note_rebuild(audit,
		    version == 0 ? "whoever was making it did not finish"
				 : "it was made by another version of writ");
		outcome = STALE;
	}
	if (outcome != READY)
		return outcome;
	code = w_index_exec(index, start_using);
	if (code == SQLITE_OK && version == VERSION)
		code = check_pages(audit);
	return classify_error(audit, code);
}

/* One attempt to open and update it. */
static enum index_outcome
attempt(writ_audit *audit)
{
	const char *why;

	if (audit->index == NULL) {
		const struct w_sqlite *api = w_sqlite_load(&why);

		if (api == NULL) {
			note_unused(audit, why);
			return UNUSED;
		}
		if (!prepare_file(audit))
			return UNUSED;
		audit->index = calloc(1, sizeof(*audit->index));
		if (audit->index == NULL)
			return UNUSED;
		audit->index->api = api;
		enum index_outcome outcome = open_index(audit);
		if (outcome != READY)
			return outcome;
	}
	return bring_up_to_date(audit);
}

/* Repeats until it is usable; two attempts cover every state that can be
 * repaired. */
static enum index_outcome
insist(writ_audit *audit)
{
	enum index_outcome outcome = STALE;

	for (int tries = 0; tries < 2 && outcome == STALE; tries++) {
		outcome = attempt(audit);
		if (outcome == STALE)
			delete_files(audit);
	}
	if (outcome != READY)
		close_index(audit);
	return outcome;
}

struct w_index *
w_index_ready(writ_audit *audit)
{
	uint32_t first;
	uint32_t last;

	if (audit->no_index || audit->dir_fd < 0 ||
	    w_trail_lines_range(audit->dir_fd, &first, &last, NULL) !=
		WRIT_OK ||
	    last == 0)
		return NULL;
	/* While in use it can be updated, but not rebuilt. */
	enum index_outcome outcome =
	    audit->index_users > 0 ? bring_up_to_date(audit) : insist(audit);
	if (outcome != READY)
		return NULL;
	if (audit->index->state.is_disordered) {
		note_unused(audit,
		    "the numbers of the records do not rise; 'writ audit "
		    "verify' says where");
		return NULL;
	}
	return audit->index;
}
