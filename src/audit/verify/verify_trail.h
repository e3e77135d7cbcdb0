/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_VERIFY_TRAIL_H
#define W_AUDIT_VERIFY_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "audit/audit.h"
#include "audit/query/audit_run_map.h"
#include "audit/verify/signing.h"
#include "log/verify/log_verify.h"

/*
 * Verifies a trail. log/verify/log_verify.h checks the log itself; this checks
 * whether its records are consistent. Findings are reported as they are found;
 * those that only the last line decides, after it.
 */

/* What can be wrong with records whose chain is valid. The words are stable. */
#define W_VERIFY_MAP(X)                                                    \
	X(TWO_BEGINS, "two_begins", "bad")                                 \
	X(TWO_ENDS, "two_ends", "bad")                                     \
	X(NO_BEGIN, "no_begin", "bad")                                     \
	X(NO_RUN, "no_run", "bad") /* input of a run that is not active */ \
	X(BEGIN_PRUNED, "begin_pruned", "note")                            \
	X(BEGIN_LOST, "begin_lost", "warning")                             \
	X(LOST, "lost", "warning")    /* begun, no end, and gone */        \
	X(UNKNOWN, "unknown", "note") /* likewise, or cannot be seen */    \
	X(UNRECORDED, "unrecorded", "warning") /* a "lost" record */       \
	X(FRONT_MISSING, "front_missing", "bad")                           \
	X(FALSE_CHECKPOINT, "false_checkpoint", "bad")                     \
	X(FAR_CHECKPOINT, "far_checkpoint", "warning")                     \
	X(FALSE_SIGNATURE, "false_signature", "bad")                       \
	X(UNSIGNED, "unsigned", "warning")                                 \
	X(UNCHECKED, "unchecked", "note") /* no key to check with */       \
	X(OUTPUT_CHANGED, "output_changed", "bad")                         \
	X(OUTPUT_MISSING, "output_missing", "warning")                     \
	X(OUTPUT_PRUNED, "output_pruned", "note")                          \
	X(OUTPUT_UNREADABLE, "output_unreadable", "warning")

enum w_verify_kind {
#define X(name, word, severity) W_VERIFY_##name,
	W_VERIFY_MAP(X)
#undef X
};

/* Hashes of the last records, to compare checkpoints with. */
#define W_VERIFY_RECENT 4096

struct w_verify_recent {
	uint64_t seq;
	char hash[W_SHA256_HEX];
};

struct w_trail_verifier {
	writ_audit *audit;
	const writ_audit_verify_options *options;
	writ_audit_finding_fn fn;
	void *ctx;
	writ_audit_proof proof;
	bool is_full; /* out of memory: nothing more is remembered */
	/* the current line */
	const struct w_log_line *line;
	const struct w_log_place *place;
	/* runs */
	struct w_audit_run_map runs;
	bool has_lost_records; /* a "lost" record explains missing ones */
	/* the first record, and whether a "prune" record explains it */
	uint64_t first_seq;
	char first_prev[W_SHA256_HEX + 1];
	bool is_front_explained;
	/* checkpoints */
	struct w_verify_recent *recent;
	struct w_signing_key *key; /* NULL: none given */
	uint64_t unchecked;
	/* missing outputs that are not explained yet */
	struct w_audit_run_map missing;
	uint64_t pruned_outputs;
};

/* Reports something about the current line or about a position. run may be
 * NULL. */
void w_verify_report(struct w_trail_verifier *verifier, enum w_verify_kind kind,
    const char *run, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void w_verify_report_at(struct w_trail_verifier *verifier,
    enum w_verify_kind kind, const struct w_trail_position *position,
    const char *run, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The current line as JSON; NULL: invalid, or is_full. */
yyjson_doc *w_verify_parse(struct w_trail_verifier *verifier);

/* What a finding may mean and what to do; NULL: nothing to add. */
const char *w_verify_advice(const char *word);

/* The lines of runs and, after the last line, the runs without an end. */
void w_verify_run(struct w_trail_verifier *verifier);
void w_verify_input(struct w_trail_verifier *verifier);
writ_status w_verify_open_runs(
    struct w_trail_verifier *verifier, writ_error *err);

void w_verify_checkpoint(struct w_trail_verifier *verifier);

/* The recorded output of the current end record; what a "prune" record
 * explains; and what is missing without one. */
void w_verify_output(struct w_trail_verifier *verifier);
void w_verify_prune(struct w_trail_verifier *verifier);
void w_verify_missing_outputs(struct w_trail_verifier *verifier);

#endif /* W_AUDIT_VERIFY_TRAIL_H */
