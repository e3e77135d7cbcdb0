/* SPDX-License-Identifier: Apache-2.0 */

/* The list of faults that a verification found. */

#include "log/verify/log_faults.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"

enum {
	TEXT_MAX = 4096
};

const char *
w_log_fault_word(enum w_log_fault_kind kind)
{
	static const char *const words[] = {
#define X(name, word, severity) word,
	    W_LOG_FAULT_MAP(X)
#undef X
	};

	return kind < W_LOG_FAULT_COUNT ? words[kind] : "unknown";
}

enum w_log_severity
w_log_fault_severity(enum w_log_fault_kind kind)
{
	static const enum w_log_severity severities[] = {
#define X(name, word, severity) W_LOG_##severity,
	    W_LOG_FAULT_MAP(X)
#undef X
	};

	return kind < W_LOG_FAULT_COUNT ? severities[kind] : W_LOG_BAD;
}

void
w_log_faults_done(struct w_log_faults *faults)
{
	for (size_t i = 0; i < faults->count; i++)
		free(faults->list[i].text);
	free(faults->list);
	*faults = (struct w_log_faults){0};
}

/* Appends to a text, which may be NULL. */
__attribute__((format(printf, 2, 0))) static char *
extend(const char *first, const char *fmt, va_list args)
{
	size_t had = first != NULL ? strlen(first) : 0;
	va_list again;

	va_copy(again, args);
	int more = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	char *text = more >= 0 ? malloc(had + (size_t)more + 1) : NULL;
	if (text == NULL)
		return NULL;
	if (had > 0)
		(void)snprintf(text, had + 1, "%s", first);
	(void)vsnprintf(text + had, (size_t)more + 1, fmt, args);
	return text;
}

size_t
w_log_faults_add(struct w_log_faults *faults,
    const struct w_log_pending_fault *found, const char *fmt, ...)
{
	va_list args;

	if (faults->count == W_LOG_FAULTS_MAX) {
		faults->beyond[found->kind]++;
		return W_LOG_NO_FAULT;
	}
	va_start(args, fmt);
	char *text = w_grow(&faults->list, faults->count, &faults->cap)
			 ? extend(NULL, fmt, args)
			 : NULL;
	va_end(args);
	if (text == NULL) {
		faults->has_failed = true;
		return W_LOG_NO_FAULT;
	}
	struct w_log_pending_fault *kept = &faults->list[faults->count];
	*kept = *found;
	kept->text = text;
	if (found->place.segment == 0)
		kept->order = UINT64_MAX;
	else if (found->order == 0)
		kept->order = faults->order;
	if (kept->seq_to < kept->seq)
		kept->seq_to = kept->seq;
	return faults->count++;
}

struct w_log_pending_fault *
w_log_faults_at(struct w_log_faults *faults, size_t number)
{
	return number < faults->count ? &faults->list[number] : NULL;
}

void
w_log_faults_append(
    struct w_log_faults *faults, size_t number, const char *fmt, ...)
{
	struct w_log_pending_fault *found = w_log_faults_at(faults, number);
	va_list args;

	if (found == NULL)
		return;
	va_start(args, fmt);
	char *longer = extend(found->text, fmt, args);
	va_end(args);
	if (longer == NULL) {
		faults->has_failed = true;
		return;
	}
	free(found->text);
	found->text = longer;
}

static int
log_faults_compare(const void *left, const void *right)
{
	const struct w_log_pending_fault *a = left;
	const struct w_log_pending_fault *b = right;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	if (a->place.offset != b->place.offset)
		return a->place.offset < b->place.offset ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static void
add_records(struct w_buf *buf, const struct w_log_pending_fault *found)
{
	if (found->seq == 0)
		return;
	if (found->seq_to == found->seq)
		w_buf_add_fmt(buf, "record %" PRIu64, found->seq);
	else
		w_buf_add_fmt(buf,
		    "records %" PRIu64 " to %" PRIu64 " (%" PRIu64 " of them)",
		    found->seq, found->seq_to, found->seq_to - found->seq + 1);
}

static bool
report_one(const struct w_log_pending_fault *found,
    const struct w_log_verify_options *verify)
{
	W_AUTO_BUF struct w_buf text;
	char file[W_LOG_NAME_MAX];

	w_buf_init(&text, TEXT_MAX);
	if (found->lead != NULL)
		w_buf_add_str(&text, found->lead);
	add_records(&text, found);
	w_buf_add_str(&text, found->text);
	w_log_segment_name(verify->name, found->place.segment, file);
	struct w_log_fault fault = {
	    .kind = found->kind,
	    .file = found->place.segment > 0 ? file : NULL,
	    .place = found->place,
	    .seq = found->seq,
	    .text = text.data,
	};
	if (!text.failed)
		verify->on_fault(verify->ctx, &fault);
	return !text.failed;
}

writ_status
w_log_faults_report(struct w_log_faults *faults,
    const struct w_log_verify_options *verify, struct w_log_proof *proof,
    writ_error *err)
{
	bool is_reported = !faults->has_failed;

	if (faults->count > 1)
		qsort(faults->list, faults->count, sizeof(*faults->list),
		    log_faults_compare);
	for (size_t i = 0; i < W_LOG_FAULT_COUNT; i++)
		proof->faults[i] = faults->beyond[i];
	for (size_t i = 0; i < faults->count; i++) {
		proof->faults[faults->list[i].kind]++;
		if (verify->on_fault != NULL && is_reported)
			is_reported = report_one(&faults->list[i], verify);
	}
	return is_reported ? WRIT_OK : w_fail_nomem(err, "audit");
}
