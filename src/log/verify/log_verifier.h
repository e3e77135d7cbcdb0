/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_VERIFIER_H
#define W_LOG_LOG_VERIFIER_H

#include "log/log_reader_state.h"
#include "log/verify/log_faults.h"
#include "log/verify/log_verify.h"

/*
 * A walk through a log that proves it; what the files of the verification
 * share.
 *
 *  log_verify.c           the walk: which files, line by line, the end
 *  log_verify_files.c     the files before they are read: order, strangers
 *  log_verify_outline.c   what they say of themselves
 *  log_verify_key.c       how the lines of a file are hashed
 *  log_verify_chain.c     where a line belongs: in its place, or not
 *  log_verify_debris.c    what has no place: no records, or broken ones
 *  log_verify_gaps.c      numbers that were passed over, and may still come
 *  log_verify_recovery.c  what writers found and set aside
 *  log_verify_end.c       the end, compared with the head
 *
 * The rule of the chain: the walk knows the number and hash that the next
 * line must continue. A line that does is in its place. From any other the
 * walk concludes as little as possible, and the first line in its place
 * afterwards settles what the ones before it were. So one change gives one
 * fault, and the walk is in step again behind it.
 */

/* What a line's hash says about its bytes. */
enum w_log_trust {
	W_LOG_SOUND,
	W_LOG_UNSOUND,
	W_LOG_UNPROVED, /* made with a key that we have not */
};

/* Numbers that were passed over. */
struct w_log_gap {
	uint64_t from;
	uint64_t to;
	char before[W_SHA256_HEX + 1]; /* hash of from - 1; "": not known */
	char after[W_SHA256_HEX + 1];  /* that to + 1 is chained to; likewise */
	struct w_log_place place;      /* of the line behind them */
	uint64_t order;                /* of its file */
	uint32_t file_from;            /* files missing there; 0: none */
	uint32_t file_to;
	size_t fault; /* of lines that came later */
};

#define W_LOG_GAPS_MAX 256

/* Lines without a place, until the next one in its place tells more. */
struct w_log_debris {
	uint64_t count; /* 0: there are none */
	uint64_t bytes;
	struct w_log_place place; /* of the first */
	uint64_t order;
	size_t broken_at;   /* in the first; SIZE_MAX: not known */
	bool has_nul;       /* what a power cut leaves */
	bool is_part;       /* the last one has no newline */
	bool is_whole_part; /* only its newline is wrong */
	bool has_form;      /* there is one only: a line that is unsound */
	uint64_t seq;       /* that it claims */
	char hash[W_SHA256_HEX + 1]; /* that it carries */
};

/* A file as its first and last lines present it. */
struct w_log_outline {
	uint32_t number;
	uint32_t claimed; /* 0: it does not say */
	bool is_stranger; /* of another log */
	bool is_empty;    /* about to be begun */
	bool has_lines;
	uint64_t first_seq;
	char first_prev[W_SHA256_HEX + 1];
	uint64_t last_seq;
	char last_hash[W_SHA256_HEX + 1];
};

/* How the file at hand is hashed. */
enum w_log_mode {
	W_LOG_PLAIN,
	W_LOG_KEYED,
	W_LOG_BLIND, /* with a key that we have not */
};

/* What was last said about keys: said once for all files in a row. */
struct w_log_key_word {
	enum w_log_fault_kind kind; /* W_LOG_FAULT_COUNT: nothing */
	char key_id[W_LOG_KEY_ID_LEN + 1];
};

#define W_LOG_RECENT 4096

struct w_log_verifier {
	const struct w_log_verify_options *ask;
	struct w_log_proof *proof;
	struct w_log_reader *reader;
	struct w_log_faults faults;

	struct w_hmac_key key;
	bool has_key;
	char key_id[W_LOG_KEY_ID_LEN + 1];

	/* The files, in the order in which they are walked. */
	struct w_log_outline *files;
	size_t file_count;
	char **torn; /* names of what was set aside; NULL: mentioned */
	size_t torn_count;

	bool is_of_this_host; /* by the first line of the file at hand */
	bool is_over;         /* nothing may come behind the last file */

	/* The file at hand. */
	uint32_t segment;
	uint32_t before;  /* number of the one before it; 0: none */
	uint32_t claimed; /* what it is by its own word, else its number */
	bool is_begun;    /* its first line was seen */
	enum w_log_mode mode;
	bool is_mode_certain;
	size_t mode_fault;
	struct w_log_place first_place;
	uint64_t first_seq;
	struct w_log_key_word key_word;

	/* The chain so far. */
	uint64_t next_seq;             /* 0: any */
	char hash[W_SHA256_HEX + 1];   /* of the last line; "": not known */
	char parent[W_SHA256_HEX + 1]; /* that the last line continued */
	bool is_doubtful;              /* the last line is unsound: */
	char made[W_SHA256_HEX + 1];   /* what its bytes give, */
	size_t doubt;                  /* its fault, */
	struct w_log_place last_place; /* and where it is */
	size_t last_len;
	uint32_t last_file;               /* what its file claims to be */
	size_t twin;                      /* the fault of another record with */
	char twin_hash[W_SHA256_HEX + 1]; /* the last number; "": none */
	bool ends_with_seal;
	char recent[W_LOG_RECENT][W_SHA256_HEX];
	size_t again; /* fault of the duplicates in a row */
	uint64_t clock_us;

	struct w_log_gap gaps[W_LOG_GAPS_MAX];
	size_t gap_count;
	struct w_log_debris debris;
	size_t debris_fault; /* what stood at the end of a file */
	uint32_t debris_segment;
	bool is_anchor_seen;
	bool is_pruning_told; /* files may go on vanishing meanwhile */

	/* Bytes without a newline behind which nothing was read yet. */
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

/* Everything fits a hash that is not known. */
static inline bool
w_log_hash_fits(const char *known, const char *hash)
{
	return known[0] == '\0' || w_log_same_hash(known, hash);
}

void w_log_hash_set(char to[W_SHA256_HEX + 1], const char *hash);

/* Takes a line of the log itself apart; NULL: it is none. */
struct w_json *w_log_verifier_json(
    struct w_log_verifier *verifier, const struct w_log_line *line);

/* log_verify_outline.c */
writ_status w_log_verifier_outline(
    struct w_log_verifier *verifier, writ_error *err);

/* log_verify_files.c */
writ_status w_log_verifier_list(
    struct w_log_verifier *verifier, writ_error *err);
/* Looks at a line that begins a file. */
void w_log_verifier_begin_file(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place);

/* log_verify_key.c */
void w_log_verifier_choose_mode(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
enum w_log_trust w_log_verifier_trust(
    struct w_log_verifier *verifier, const struct w_log_line *line);
/* The hash that a line should carry. */
void w_log_verifier_hash(const struct w_log_verifier *verifier,
    const struct w_log_line *line, char out[W_SHA256_HEX + 1]);

/* log_verify_chain.c */
void w_log_verifier_place(struct w_log_verifier *verifier,
    const struct w_log_line *line, enum w_log_trust trust,
    const struct w_log_place *place);
/* The last line was unsound: the hash that the next record, or the head, has
 * of it tells what was changed. */
void w_log_verifier_resolve_doubt(
    struct w_log_verifier *verifier, const char *prev, const char *who);
/* It carries the hash that this number, a later one than the next, continues:
 * several records have become one line. false: it is not so. */
bool w_log_verifier_is_joined(
    struct w_log_verifier *verifier, uint64_t seq, const char *prev);
/* The chain goes on with this number (0: any), behind an unknown hash. */
void w_log_verifier_skip(struct w_log_verifier *verifier, uint64_t next_seq);

/* log_verify_debris.c */
void w_log_debris_add(struct w_log_verifier *verifier, enum w_log_read read,
    const struct w_log_line *line, const struct w_log_place *place);
/* A line with this number, in its place, stands behind it. */
void w_log_debris_resolve(struct w_log_verifier *verifier, uint64_t seq);
/* Nothing stands behind it; the head knows records up to head_seq. */
void w_log_debris_resolve_end(
    struct w_log_verifier *verifier, const struct w_log_head *head);

/* log_verify_gaps.c */
void w_log_gaps_add(struct w_log_verifier *verifier, uint64_t seq,
    const char *prev, const struct w_log_place *place);
/* false: the number was not passed over. */
bool w_log_gaps_fill(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
void w_log_gaps_report(struct w_log_verifier *verifier);

/* log_verify_recovery.c */
void w_log_verifier_recovery(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place);
bool w_log_verifier_has_unknown_torn(const struct w_log_verifier *verifier);
void w_log_verifier_report_torn(struct w_log_verifier *verifier);

/* log_verify_end.c */
/* Which fault it is when records behind the last one are gone, and why. */
enum w_log_fault_kind w_log_verifier_classify_loss(
    const struct w_log_verifier *verifier, const struct w_log_head *head,
    const char **out_why);
writ_status w_log_verifier_finish(
    struct w_log_verifier *verifier, writ_error *err);

/* log_verify.c */
/* Nothing came behind the part: it counts as debris. */
void w_log_verifier_flush_part(struct w_log_verifier *verifier);
/* Reads what is there now. */
writ_status w_log_verifier_drain(
    struct w_log_verifier *verifier, writ_error *err);

#endif /* W_LOG_LOG_VERIFIER_H */
