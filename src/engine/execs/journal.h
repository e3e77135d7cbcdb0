/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_JOURNAL_H
#define W_ENGINE_JOURNAL_H

#include "audit/record/redact.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "policy/rule.h"

/*
 * The programs that a run started, for its record. Equal ones are one row with
 * a count. Room is limited, and each stronger verdict has some of its own: many
 * allowed programs cannot crowd out a denied one.
 */
#define W_JOURNAL_ROWS_MAX 256
#define W_JOURNAL_TEXT_MAX ((size_t)64 * 1024)
#define W_JOURNAL_ROW_MAX  ((size_t)4 * 1024)

struct w_journal_row {
	uint8_t sum[W_SHA256_SIZE]; /* of what was started, before redaction */
	size_t start;               /* in the text */
	size_t len;
	uint64_t count;
};

struct w_journal {
	struct w_journal_row rows[W_JOURNAL_ROWS_MAX];
	size_t row_count;
	struct w_buf text; /* each row, an object without its end */
	uint64_t counts[W_DENY + 1];
	uint64_t more; /* started without a row */
	bool has_redacted;
};

/* One program that was started, or refused. */
struct w_journal_note {
	const char *const *argv;
	size_t argc;
	const char *program; /* its file; NULL: not found. Who looks for a
				program tries each directory of PATH: that is
				counted once */
	enum w_verdict verdict;
	const struct w_policy_location *rule; /* NULL: no rule decided */
	bool is_truncated;                    /* there were more words */
};

void w_journal_init(struct w_journal *journal);
void w_journal_done(struct w_journal *journal);

/* Without memory it is only counted. The redactor has the note's spans. */
void w_journal_add(struct w_journal *journal, const struct w_journal_note *note,
    struct w_redactor *redactor);

/*
 * {"count":..,"asked":..,"denied":..,"programs":[{"argv":[..],"program":..,
 * "decision":..,"rule":..,"truncated":..,"count":..}],"more":..,
 * "redacted":..}: yours to free; NULL: no memory.
 */
char *w_journal_json(const struct w_journal *journal);

#endif /* W_ENGINE_JOURNAL_H */
