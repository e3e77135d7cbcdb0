/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_OWED_STATE_H
#define W_MANIFEST_OWED_STATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "log/log.h"
#include "manifest/owed/owed.h"
#include "schema/hash_table.h"

/*
 * Shared by the files of this folder, and private to them. The lines:
 *
 *     "kind":"may","apply":ID,"boot":ID,"manifest":PATH,
 *         "changes":[[SUBJECT,SUBSCRIBER,..],..]
 *     "kind":"owe","manifest":PATH,"subject":S,"to":[SUBSCRIBER,..],
 *         "since":TIME                       (since: only of a copied line)
 *     "kind":"back","subject":S,"to":[SUBSCRIBER,..]
 *     "kind":"paid","subscriber":S,"of":[SUBJECT,..],"why":WORD
 *     "kind":"done","apply":ID
 *     "kind":"told","bad":N                  damage before it was reported
 *
 * A "may" of another apply replaces the one before. If that one was of another
 * boot, the machine went down during it, and what it names is owed.
 */
#define W_OWED_STAGE     "owed"
#define W_OWED_LOG       "owed" /* base name of its files */
#define W_OWED_SEGMENT   (UINT64_C(64) << 10)
#define W_OWED_RESERVE   (UINT64_C(16) << 10)
#define W_OWED_TEXT_MAX  ((size_t)64 << 10) /* of a name or a path */
#define W_OWED_LINE_MAX  ((size_t)15 << 20)
#define W_OWED_NAMES_MAX 1000 /* names in one line */
#define W_OWED_NOTE_MAX  240
#define W_OWED_BOOT_MAX  64
#define W_OWED_COUNT_MAX 4000000

struct w_owed_entry {
	struct w_owed_refresh refresh;
	struct w_owed_entry *next; /* of the same subscriber */
	bool is_owed;
	bool is_possible; /* named by the last "may" */
	bool is_new;      /* owed by the last promise, not before */
};

struct w_owed_subscriber {
	const char *name;
	struct w_owed_entry *first;
	struct w_owed_entry *last;
	size_t number; /* of its entries that are owed */
};

struct w_owed {
	char *dir;
	bool is_readonly;
	struct w_log *log; /* NULL: nothing was written yet */
	struct w_buf line;

	struct w_arena arena;
	struct w_hash_table pairs;       /* SUBJECT NUL SUBSCRIBER */
	struct w_hash_table subscribers; /* to struct w_owed_subscriber */
	struct w_hash_table texts;       /* manifests, kept once */
	struct w_owed_entry **items;     /* in the order of the log */
	size_t count;
	size_t cap;
	size_t owed_count;
	/* Those of the last promise. */
	const char *promised;
	size_t new_count;

	/* The "may" that counts; "": none. */
	const char *may_apply;
	const char *may_boot;
	char boot[W_OWED_BOOT_MAX];
	bool is_announced; /* by this process */

	/* What reading found. */
	uint32_t first_segment;
	uint32_t last_segment;
	uint64_t last_seq;
	char last_hash[W_SHA256_HEX];
	size_t bad_lines;
	bool is_cut; /* lines are missing */
	char note[W_OWED_NOTE_MAX];
};

/* ---- owed_table.c ---- */

/* The entry of a pair, made if needed; NULL: no memory. */
struct w_owed_entry *w_owed_entry_need(
    struct w_owed *owed, const char *subject, const char *subscriber);
/* Sets and clears is_owed, with the counts. */
bool w_owed_entry_owe(struct w_owed *owed, struct w_owed_entry *entry,
    const char *manifest, uint64_t since_us);
void w_owed_entry_clear(struct w_owed *owed, struct w_owed_entry *entry);
struct w_owed_entry *w_owed_entry_find(
    const struct w_owed *owed, const char *subject, const char *subscriber);
struct w_owed_subscriber *w_owed_subscriber_find(
    const struct w_owed *owed, const char *name);

/* Another "may", or its end: what the one before named is owed if the machine
 * went down since, and else forgotten. */
void w_owed_settle_possible(struct w_owed *owed, const char *boot);

/* ---- owed_read.c ---- */

writ_status w_owed_load(struct w_owed *owed, writ_error *err);

/* ---- owed_write.c ---- */

/* Opens the log for writing. */
writ_status w_owed_begin_writing(struct w_owed *owed, writ_error *err);
/* Copies what is owed to the end of the log, and removes the files before. */
writ_status w_owed_compact(struct w_owed *owed, writ_error *err);

#endif /* W_MANIFEST_OWED_STATE_H */
