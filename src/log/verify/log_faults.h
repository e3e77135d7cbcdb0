/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_FAULTS_H
#define W_LOG_LOG_FAULTS_H

#include <stdbool.h>

#include "log/verify/log_verify.h"

/*
 * The faults found by a verification, until they are reported: what a line
 * means often shows only some lines later, so a fault can still change. In the
 * end they are reported in the order of their positions.
 */

/* This many are kept and reported; the rest is only counted. */
#define W_LOG_FAULTS_MAX 10000

/* Not a fault: changing it does nothing. */
#define W_LOG_NO_FAULT SIZE_MAX

struct w_log_pending_fault {
	enum w_log_fault_kind kind;
	struct w_log_place place; /* segment 0: no file */
	uint64_t
	    order;    /* of its file in the verification; 0: the current one */
	uint64_t seq; /* 0: not about a record */
	uint64_t seq_to;
	const char *lead; /* text before the records, a literal */
	char *text;       /* text after them */
};

struct w_log_faults {
	struct w_log_pending_fault *list;
	size_t count;
	size_t cap;
	uint64_t order;  /* of the current file, from 1 */
	bool has_failed; /* out of memory */
	uint64_t beyond[W_LOG_FAULT_COUNT];
};

void w_log_faults_done(struct w_log_faults *faults);

/* Adds a fault of the records seq to seq_to and returns its number. */
size_t w_log_faults_add(struct w_log_faults *faults,
    const struct w_log_pending_fault *found, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to its text. */
void w_log_faults_append(struct w_log_faults *faults, size_t number,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* NULL: W_LOG_NO_FAULT, or it was not kept. */
struct w_log_pending_fault *w_log_faults_at(
    struct w_log_faults *faults, size_t number);

/* Counts all and reports those that were kept. */
writ_status w_log_faults_report(struct w_log_faults *faults,
    const struct w_log_verify_options *verify, struct w_log_proof *proof,
    writ_error *err);

#endif /* W_LOG_LOG_FAULTS_H */
