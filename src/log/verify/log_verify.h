/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_VERIFY_H
#define W_LOG_LOG_VERIFY_H

#include "base/error.h"
#include "log/log_format.h"
#include "log/log_reader.h"

/*
 * Verifies a log: every hash matches, each line is chained to the one before
 * it, no number is missing, every file is where it belongs, the end is where
 * the head says.
 */

/* What can be wrong. The words are stable; the text is for people. */
#define W_LOG_FAULT_MAP(X)                                                   \
	X(CHANGED, "changed", BAD)     /* hash does not match */             \
	X(NO_RECORD, "no_record", BAD) /* bytes that are not a line */       \
	X(GAP, "gap", BAD)             /* numbers missing */                 \
	X(DUPLICATE, "duplicate", BAD) /* a number again */                  \
	X(REORDERED, "reordered", BAD) /* not in its place */                \
	X(UNCHAINED, "unchained", BAD) /* prev is another hash */            \
	X(WRONG_KEY, "wrong_key", BAD) /* made with another key */           \
	X(NO_KEY, "no_key", BAD)       /* keyed, and none given */           \
	X(UNKEYED, "unkeyed", BAD)     /* key given, but not keyed */        \
	X(FILE_MISSING, "file_missing", BAD)                                 \
	X(FILE_SWAPPED, "file_swapped", BAD)   /* not the file it names */   \
	X(FILE_ALIEN, "file_alien", BAD)       /* owner, mode, kind */       \
	X(TAIL_CUT, "tail_cut", BAD)           /* the head knew more */      \
	X(TAIL_LOST, "tail_lost", WARNING)     /* likewise, never synced */  \
	X(HEAD_MISSING, "head_missing", BAD)   /* now or for a while */      \
	X(HEAD_DIFFERS, "head_differs", BAD)   /* another hash */            \
	X(UNWITNESSED, "unwitnessed", WARNING) /* more than the head */      \
	X(TORN, "torn", WARNING)               /* half a line at the end */  \
	X(TORN_CHANGED, "torn_changed", BAD)   /* the saved bytes */         \
	X(TORN_MISSING, "torn_missing", WARNING)                             \
	X(RECOVERED, "recovered", NOTE)   /* explained by a recovery line */ \
	X(PRUNED, "pruned", NOTE)         /* starts later than 1 */          \
	X(CLOCK_BACK, "clock_back", NOTE) /* time runs backwards */

enum w_log_severity {
	W_LOG_NOTE,
	W_LOG_WARNING,
	W_LOG_BAD,
};

enum w_log_fault_kind {
#define X(name, word, severity) W_LOG_FAULT_##name,
	W_LOG_FAULT_MAP(X)
#undef X
	W_LOG_FAULT_COUNT
};

const char *w_log_fault_word(enum w_log_fault_kind kind);
enum w_log_severity w_log_fault_severity(enum w_log_fault_kind kind);

struct w_log_fault {
	enum w_log_fault_kind kind;
	const char *file; /* its name; NULL: of no file */
	struct w_log_place place;
	uint64_t seq;     /* the record concerned; 0: none */
	const char *text; /* a sentence with the figures */
};

struct w_log_proof {
	uint64_t records;
	uint64_t bytes;
	uint32_t files;
	uint64_t first_seq;
	uint64_t last_seq;
	uint64_t first_us;
	uint64_t last_us;
	char last_hash[W_SHA256_HEX + 1];
	bool is_keyed; /* every file */
	uint64_t faults[W_LOG_FAULT_COUNT];
};

struct w_log_verify_options {
	const char *dir;
	const char *name;
	const void *key; /* NULL: none given */
	size_t key_len;
	/* A record known from elsewhere that the log must contain; 0: none. */
	uint64_t anchor_seq;
	const char *anchor_hash;
	void *ctx; /* for both callbacks, which may be NULL */
	void (*on_fault)(void *ctx, const struct w_log_fault *fault);
	/* Every line in the format of a record, in the order read. */
	void (*on_line)(void *ctx, const struct w_log_line *line,
	    const struct w_log_place *place);
};

/* Fails only if the log cannot be read at all; faults are reported by on_fault
 * and counted in *out_proof. */
writ_status w_log_verify_run(const struct w_log_verify_options *verify,
    struct w_log_proof *out_proof, writ_error *err);

#endif /* W_LOG_LOG_VERIFY_H */
