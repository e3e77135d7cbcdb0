/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_VERIFIER_H
#define W_LOG_LOG_VERIFIER_H

#include "log/log_reader_state.h"
#include "log/verify/log_faults.h"
#include "log/verify/log_verify.h"

/*
 * The verifier of a log; shared by its files.
 *
 *  log_verify.c           the main loop: files, lines, the end
 *  log_verify_files.c     the files before they are read: order, strangers
 *  log_verify_outline.c   what their first and last lines say
 *  log_verify_key.c       how the lines of a file are hashed
 *  log_verify_chain.c     where a line belongs in the chain
 *  log_verify_debris.c    lines without a place: no records, or damaged ones
 *  log_verify_gaps.c      numbers that were skipped and may still come
 *  log_verify_recovery.c  what writers found and saved
 *  log_verify_end.c       the end, compared with the head
 *
 * The rule of the chain: the verifier knows the number and hash that the next
 * line must continue. A line that does is in its place. From any other line
 * the verifier concludes as little as possible; the next line in its place
 * decides what the ones before it were. So one change gives one fault, and
 * after it the verifier is in step again.
 */

/* What a line's hash says about its bytes. */
enum w_log_trust {
	W_LOG_SOUND,
	W_LOG_UNSOUND,
	W_LOG_UNPROVED, /* made with a key that we do not have */
};

/* Numbers that were skipped. */
struct w_log_gap {
	uint64_t from;
	uint64_t to;
	char before[W_SHA256_HEX + 1]; /* hash of from - 1; "": unknown */
	char after[W_SHA256_HEX + 1];  /* prev of to + 1; likewise */
	struct w_log_place place;      /* of the line after them */
	uint64_t order;                /* of its file */
	uint32_t file_from;            /* files missing there; 0: none */
	uint32_t file_to;
	size_t fault; /* of their lines found later */
};

#define W_LOG_GAPS_MAX 256

/* Lines without a place in the chain, until the next valid one tells more. */
struct w_log_debris {
	uint64_t count; /* 0: none */
	uint64_t bytes;
	struct w_log_place place; /* of the first */
	uint64_t order;
	size_t broken_at;            /* in the first; SIZE_MAX: unknown */
	bool has_nul;                /* as after a power failure */
	bool is_part;                /* the last one has no newline */
	bool is_whole_part;          /* only its newline is wrong */
	bool has_form;               /* exactly one line, with a wrong hash */
	uint64_t seq;                /* its number */
	char hash[W_SHA256_HEX + 1]; /* its hash */
};

/* A file as its first and last lines describe it. */
struct w_log_outline {
	uint32_t number;
	uint32_t claimed; /* 0: unknown */
	bool is_stranger; /* of another log */
	bool is_empty;    /* about to be started */
	bool has_lines;
	uint64_t first_seq;
	char first_prev[W_SHA256_HEX + 1];
	uint64_t last_seq;
	char last_hash[W_SHA256_HEX + 1];
};

/* How the current file is hashed. */
enum w_log_mode {
	W_LOG_PLAIN,
	W_LOG_KEYED,
	W_LOG_BLIND, /* with a key that we do not have */
};

/* The last message about keys: reported once for consecutive files. */
struct w_log_key_word {
	enum w_log_fault_kind kind; /* W_LOG_FAULT_COUNT: none */
	char key_id[W_LOG_KEY_ID_LEN + 1];
};

#define W_LOG_RECENT 4096

struct w_log_verifier {
	const struct w_log_verify_options *options;
	struct w_log_proof *proof;
	struct w_log_reader *reader;
	struct w_log_faults faults;

	struct w_hmac_key key;
	bool has_key;
	char key_id[W_LOG_KEY_ID_LEN + 1];

	/* The files, in the order in which they are verified. */
	struct w_log_outline *files;
	size_t file_count;
	char **torn; /* names of saved torn bytes; NULL: mentioned */
	size_t torn_count;

	bool is_of_this_host; /* according to the current file's first line */
	bool is_over;         /* nothing may follow the last file */

	/* The current file. */
	uint32_t segment;
	uint32_t before;  /* number of the previous one; 0: none */
	uint32_t claimed; /* the number in its first line, else in its name */
	bool is_begun;    /* its first line was seen */
	enum w_log_mode mode;
	bool is_mode_certain;
	size_t mode_fault;
	struct w_log_place first_place;
	uint64_t first_seq;
	struct w_log_key_word key_word;

	/* The chain so far. */
	uint64_t next_seq;             /* 0: any */
	char hash[W_SHA256_HEX + 1];   /* of the last line; "": unknown */
	char parent[W_SHA256_HEX + 1]; /* prev of the last line */
	bool is_doubtful;              /* the last line's hash is wrong: */
	char made[W_SHA256_HEX + 1];   /* the hash of its bytes, */
	size_t doubt;                  /* its fault, */
	struct w_log_place last_place; /* and its position */
	size_t last_len;
	uint32_t last_file;               /* the number that its file claims */
	size_t twin;                      /* the fault of another record with */
	char twin_hash[W_SHA256_HEX + 1]; /* the last number; "": none */
	bool ends_with_seal;
	char recent[W_LOG_RECENT][W_SHA256_HEX];
	size_t again; /* fault of consecutive duplicates */
	uint64_t clock_us;

	struct w_log_gap gaps[W_LOG_GAPS_MAX];
	size_t gap_count;
	struct w_log_debris debris;
	size_t debris_fault; /* of debris at the end of a file */
	uint32_t debris_segment;
	bool is_anchor_seen;
	bool is_pruning_reported; /* pruning was reported: more files may vanish
				   */

	/* Bytes without a newline after which nothing was read yet. */
	char *part;
	size_t part_len;
	struct w_log_place part_place;
};

#define W_LOG_SHORT 12 /* characters of a hash in a text */

static inline bool
w_log_same_hash(const char *a, const char *b)
{
	return __builtin_memcmp(a, b, W_SHA256_HEX) == 0;
}

/* An unknown hash matches everything. */
static inline bool
w_log_hash_fits(const char *known, const char *hash)
{
	return known[0] == '\0' || w_log_same_hash(known, hash);
}

void w_log_hash_set(char to[W_SHA256_HEX + 1], const char *hash);

/* Parses a line of the log itself; NULL: not valid JSON. */
struct w_json *w_log_verifier_json(
    struct w_log_verifier *verifier, const struct w_log_line *line);

/* log_verify_outline.c */
writ_status w_log_verifier_outline(
    struct w_log_verifier *verifier, writ_error *err);

/* log_verify_files.c */
writ_status w_log_verifier_list(
    struct w_log_verifier *verifier, writ_error *err);
/* Checks the first line of a file. */
void w_log_verifier_begin_file(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place);

/* log_verify_key.c */
void w_log_verifier_choose_mode(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
enum w_log_trust w_log_verifier_trust(
    struct w_log_verifier *verifier, const struct w_log_line *line);
/* The hash that a line should have. */
void w_log_verifier_hash(const struct w_log_verifier *verifier,
    const struct w_log_line *line, char out[W_SHA256_HEX + 1]);

/* log_verify_chain.c */
void w_log_verifier_place(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place);
/* The last line's hash was wrong: what the next record, or the head, says about
 * it shows what was changed. */
void w_log_verifier_resolve_doubt(
    struct w_log_verifier *verifier, const char *prev, const char *who);
/* Whether it has the hash that this number, a later one than the next,
 * continues: several records were joined into one line. */
bool w_log_verifier_is_joined(
    struct w_log_verifier *verifier, uint64_t seq, const char *prev);
/* The chain continues with this number (0: any) after an unknown hash. */
void w_log_verifier_skip(struct w_log_verifier *verifier, uint64_t next_seq);

/* log_verify_debris.c */
void w_log_debris_add(struct w_log_verifier *verifier, enum w_log_read read,
    const struct w_log_line *line, const struct w_log_place *place);
/* A valid line with this number follows it. */
void w_log_debris_resolve(struct w_log_verifier *verifier, uint64_t seq);
/* Nothing follows it; the head knows records up to head_seq. */
void w_log_debris_resolve_end(
    struct w_log_verifier *verifier, const struct w_log_head *head);

/* log_verify_gaps.c */
void w_log_gaps_add(struct w_log_verifier *verifier, uint64_t seq,
    const char *prev, const struct w_log_place *place);
/* false: the number was not skipped. */
bool w_log_gaps_fill(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
void w_log_gaps_report(struct w_log_verifier *verifier);

/* log_verify_recovery.c */
void w_log_verifier_recovery(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
bool w_log_verifier_has_unknown_torn(const struct w_log_verifier *verifier);
void w_log_verifier_report_torn(struct w_log_verifier *verifier);

/* log_verify_end.c */
/* Which fault it is if records at the end are missing, and why. */
enum w_log_fault_kind w_log_verifier_classify_loss(
    const struct w_log_verifier *verifier, const struct w_log_head *head,
    const char **out_why);
writ_status w_log_verifier_finish(
    struct w_log_verifier *verifier, writ_error *err);

/* log_verify.c */
/* Nothing came after the partial line: it counts as debris. */
void w_log_verifier_flush_part(struct w_log_verifier *verifier);
/* Reads what is there now. */
writ_status w_log_verifier_drain(
    struct w_log_verifier *verifier, writ_error *err);

#endif /* W_LOG_LOG_VERIFIER_H */
