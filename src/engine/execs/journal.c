/* SPDX-License-Identifier: Apache-2.0 */

/* The programs that a run started; see journal.h. */

#include "engine/execs/journal.h"

#include <string.h>

#include "base/auto.h"
#include "data/json.h"
#include "policy/evaluate/decision.h"

/* What a verdict may use: of every four rows and bytes, so many. */
static const size_t share_of[] = {[W_ALLOW] = 2, [W_ASK] = 3, [W_DENY] = 4};
#define SHARES 4

/* Bytes around the rows, and of the count of each. */
#define FRAME_MAX ((size_t)512 + W_JOURNAL_ROWS_MAX * 32)

void
w_journal_init(struct w_journal *journal)
{
	*journal = (struct w_journal){.row_count = 0};
	w_buf_init(&journal->text, W_JOURNAL_TEXT_MAX);
}

void
w_journal_done(struct w_journal *journal)
{
	w_buf_done(&journal->text);
}

static void
journal_sum(const struct w_journal_note *note, uint8_t out_sum[W_SHA256_SIZE])
{
	const char *program = note->program == NULL ? "" : note->program;
	const unsigned char head[] = {
	    (unsigned char)note->verdict, note->is_truncated};
	struct w_sha256 sum;

	w_sha256_init(&sum);
	w_sha256_add(&sum, head, sizeof(head));
	w_sha256_add(&sum, &note->rule, sizeof(note->rule));
	w_sha256_add(&sum, program, strlen(program) + 1);
	for (size_t i = 0; i < note->argc; i++)
		w_sha256_add(&sum, note->argv[i], strlen(note->argv[i]) + 1);
	w_sha256_end(&sum, out_sum);
}

static struct w_journal_row *
find_row(struct w_journal *journal, const uint8_t sum[W_SHA256_SIZE])
{
	for (size_t i = 0; i < journal->row_count; i++) {
		if (memcmp(journal->rows[i].sum, sum, W_SHA256_SIZE) == 0)
			return &journal->rows[i];
	}
	return NULL;
}

/* As many words as fit. false: there are more. */
static bool
add_words(struct w_buf *row, const struct w_journal_note *note,
    struct w_redactor *redactor)
{
	for (size_t i = 0; i < note->argc; i++) {
		const size_t before = row->len;

		if (i > 0)
			w_buf_add_char(row, ',');
		w_redact_add_word(redactor, row, note->argv[i], i);
		if (!row->failed && row->len <= W_JOURNAL_ROW_MAX)
			continue;
		row->failed = false;
		row->len = before;
		return false;
	}
	return true;
}

static void
add_rule(struct w_buf *row, const struct w_policy_location *rule)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_JOURNAL_ROW_MAX);
	if (rule != NULL && rule->line > 0)
		w_buf_add_fmt(
		    &text, "%s:%u:%u", rule->file, rule->line, rule->column);
	else if (rule != NULL)
		w_buf_add_str(&text, rule->file);
	w_json_add_path_member(
	    row, "rule", rule == NULL || text.failed ? NULL : text.data);
}

static void
add_row(struct w_buf *row, const struct w_journal_note *note,
    struct w_redactor *redactor)
{
	w_buf_add_str(row, "{\"argv\":[");
	const bool is_whole = add_words(row, note, redactor);
	w_buf_add_str(row, "],\"program\":");
	w_redact_add(redactor, row, note->program);
	w_json_add_text_member(row, "decision", w_verdict_word(note->verdict));
	add_rule(row, note->rule);
	w_json_add_bool_member(
	    row, "truncated", !is_whole || note->is_truncated);
}

void
w_journal_add(struct w_journal *journal, const struct w_journal_note *note,
    struct w_redactor *redactor)
{
	const size_t share = share_of[note->verdict];
	uint8_t sum[W_SHA256_SIZE];

	journal_sum(note, sum);
	struct w_journal_row *same = find_row(journal, sum);
	if (same != NULL && note->program == NULL)
		return;
	journal->counts[note->verdict]++;
	if (same != NULL) {
		same->count++;
		return;
	}
	journal->more++;
	if (journal->row_count >= W_JOURNAL_ROWS_MAX / SHARES * share)
		return;
	W_AUTO_BUF struct w_buf row;
	w_buf_init(&row, W_JOURNAL_ROW_MAX * 4);
	redactor->has_redacted = false;
	add_row(&row, note, redactor);
	if (row.failed ||
	    journal->text.len + row.len > W_JOURNAL_TEXT_MAX / SHARES * share)
		return;
	struct w_journal_row *one = &journal->rows[journal->row_count];
	*one = (struct w_journal_row){
	    .start = journal->text.len, .len = row.len, .count = 1};
	w_buf_add(&journal->text, row.data, row.len);
	if (journal->text.failed) {
		journal->text.failed = false;
		journal->text.len = one->start;
		return;
	}
	memcpy(one->sum, sum, sizeof(sum));
	journal->row_count++;
	journal->more--;
	journal->has_redacted = journal->has_redacted || redactor->has_redacted;
}

char *
w_journal_json(const struct w_journal *journal)
{
	const uint64_t *counts = journal->counts;
	struct w_buf json;

	w_buf_init(&json, W_JOURNAL_TEXT_MAX + FRAME_MAX);
	w_buf_add_char(&json, '{');
	w_json_add_number_member(
	    &json, "count", counts[W_ALLOW] + counts[W_ASK] + counts[W_DENY]);
	w_json_add_number_member(&json, "asked", counts[W_ASK]);
	w_json_add_number_member(&json, "denied", counts[W_DENY]);
	w_buf_add_str(&json, ",\"programs\":[");
	for (size_t i = 0; i < journal->row_count; i++) {
		const struct w_journal_row *row = &journal->rows[i];

		if (i > 0)
			w_buf_add_char(&json, ',');
		w_buf_add(&json, journal->text.data + row->start, row->len);
		w_json_add_number_member(&json, "count", row->count);
		w_buf_add_char(&json, '}');
	}
	w_buf_add_char(&json, ']');
	w_json_add_number_member(&json, "more", journal->more);
	w_json_add_bool_member(&json, "redacted", journal->has_redacted);
	w_buf_add_char(&json, '}');
	char *text = json.failed ? NULL : w_buf_take(&json, NULL);
	w_buf_done(&json);
	return text;
}
