/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_FAULTS_H
#define W_LOG_LOG_FAULTS_H

#include <stdbool.h>

#include "log/verify/log_verify.h"

/*
 * What a verification found, until it is told: what a line means often shows
 * only some lines later, so a fault can still change. In the end they are
 * told in the order of their places.
 */

/* So many are kept and told; those beyond are counted. */
#define W_LOG_FAULTS_MAX 10000

/* No fault: changing it does nothing. */
#define W_LOG_NO_FAULT SIZE_MAX

struct w_log_pending_fault {
	enum w_log_fault_kind kind;
	struct w_log_place place; /* segment 0: of no file */
	uint64_t order;           /* of its file in the walk; 0: the one at
				     hand */
	uint64_t seq;             /* 0: about no record */
	uint64_t seq_to;
	const char *lead; /* stands before the records, literal */
	char *text;       /* stands behind them */
};

struct w_log_faults {
	struct w_log_pending_fault *list;
	size_t count;
	size_t cap;
	uint64_t order;  /* of the file at hand, from 1 */
	bool has_failed; /* no memory */
	uint64_t beyond[W_LOG_FAULT_COUNT];
};

void w_log_faults_done(struct w_log_faults *faults);

/* Notes a fault of the records seq to seq_to and returns its number. */
size_t w_log_faults_add(struct w_log_faults *faults,
    const struct w_log_pending_fault *found, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds to the text. */
void w_log_faults_append(struct w_log_faults *faults, size_t number,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* NULL: W_LOG_NO_FAULT, or it was not kept. */
struct w_log_pending_fault *w_log_faults_at(
    struct w_log_faults *faults, size_t number);

/* Counts them all and tells those that were kept. */
writ_status w_log_faults_report(struct w_log_faults *faults,
    const struct w_log_verify_options *verify, struct w_log_proof *proof,
    writ_error *err);

#endif /* W_LOG_LOG_FAULTS_H */
