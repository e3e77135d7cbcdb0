/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Bounded matching of regular expressions.
 *
 * PCRE2 does the matching; pattern_translator.c writes its input. Three limits
 * bound a match: a budget of steps, counted by callouts, which grows linearly
 * with the text and never exceeds what the caller has left; a memory limit;
 * and, as a fallback, PCRE2's own limit on backtracking.
 */

#include "schema/pattern/pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/encode.h"
#include "schema/pattern/pattern_translator.h"

/* About a millisecond, plus some nanoseconds per byte of text. */
#define STEPS_BASE     50000
#define STEPS_PER_BYTE 8

/* Uncounted costs of a match: starting, and skipping text that cannot match. */
#define STEPS_TO_BEGIN 2
#define BYTES_PER_STEP 64

#define HEAP_KIB_MAX   32768
#define BACKTRACKS_MAX 10000000

/* JIT compilation takes a hundred times as long as a match without it. So it is
 * done only for frequent use or long texts. */
#define COMPILE_AFTER    64
#define COMPILE_FROM_LEN 4096

/* From this text length on, match memory is freed after the match. */
#define RELEASE_FROM_LEN 16384

/* The mutable part of a pattern. */
struct matcher {
	pcre2_code *code;
	pcre2_match_data *data; /* created by the first match */
	pcre2_match_context *context;
	unsigned uses;
	uint64_t steps_left;
	size_t mark; /* position up to which scanned text was counted */
};

struct w_pattern {
	struct matcher *matcher;
};

static bool
spend(struct matcher *matcher, uint64_t steps)
{
	const bool has_them = steps < matcher->steps_left;

	matcher->steps_left = has_them ? matcher->steps_left - steps : 0;
	return has_them;
}

/* A scan costs what it passes over; backtracking costs a step. */
static int
count_steps(pcre2_callout_block *block, void *ctx)
{
	struct matcher *matcher = ctx;
	uint64_t steps = 1;

	if (block->callout_number == W_CALLOUT_SCAN) {
		matcher->mark = block->current_position;
	} else if (block->callout_number == W_CALLOUT_REFERENCE) {
		steps += block->current_position / 16;
	} else if (block->callout_number == W_CALLOUT_SCANNED &&
		   block->current_position > matcher->mark) {
		steps += (block->current_position - matcher->mark) / 8;
		matcher->mark = block->current_position;
	}
	return spend(matcher, steps) ? 0 : PCRE2_ERROR_CALLOUT;
}

static writ_status
refused(int code, size_t len, writ_error *err)
{
	char why[120];

	if (code == PCRE2_ERROR_HEAP_FAILED)
		return w_fail_nomem(err, "schema");
	if (code == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH) {
		(void)w_fail(err, WRIT_E_INVALID, "schema", 0,
		    "a lookbehind of the regular expression matches texts of "
		    "different lengths, which is not supported");
		w_suggest(err, "write one lookbehind for each length");
		return WRIT_E_INVALID;
	}
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why)) < 0)
		why[0] = '\0';
	return w_fail(err, WRIT_E_INVALID, "schema", 0,
	    "the regular expression of %zu bytes cannot be used: %s", len, why);
}

static writ_status
pattern_compile(struct matcher *matcher, const struct w_buf *text, size_t len,
    writ_error *err)
{
	const uint32_t options =
	    PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY |
	    PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
	int code = 0;
	PCRE2_SIZE at = 0;

	matcher->code = pcre2_compile(
	    (PCRE2_SPTR)text->data, text->len, options, &code, &at, NULL);
	if (matcher->code == NULL)
		return refused(code, len, err);
	return WRIT_OK;
}

writ_status
w_pattern_compile(const char *text, size_t len, struct w_pattern **out_pattern,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf translated;

	w_buf_init(&translated, W_PATTERN_TEXT_MAX);
	if (!w_utf8_valid(text, len))
		return w_fail(err, WRIT_E_INVALID, "schema", 0,
		    "the regular expression is not UTF-8");

	writ_status status = w_pattern_translate(text, len, &translated, err);

	if (status != WRIT_OK)
		return status;

	struct w_pattern *pattern = calloc(1, sizeof(*pattern));

	if (pattern == NULL)
		return w_fail_nomem(err, "schema");
	pattern->matcher = calloc(1, sizeof(*pattern->matcher));
	if (pattern->matcher == NULL)
		status = w_fail_nomem(err, "schema");
	else
		status =
		    pattern_compile(pattern->matcher, &translated, len, err);
	if (status != WRIT_OK) {
		w_pattern_free(pattern);
		return status;
	}
	*out_pattern = pattern;
	return WRIT_OK;
}

void
w_pattern_free(struct w_pattern *pattern)
{
	if (pattern == NULL)
		return;
	if (pattern->matcher != NULL) {
		pcre2_code_free(pattern->matcher->code);
		pcre2_match_data_free(pattern->matcher->data);
		pcre2_match_context_free(pattern->matcher->context);
		free(pattern->matcher);
	}
	free(pattern);
}

static bool
make_ready(struct matcher *matcher)
{
	if (matcher->data == NULL)
		matcher->data = pcre2_match_data_create(1, NULL);
	if (matcher->context == NULL) {
		matcher->context = pcre2_match_context_create(NULL);
		if (matcher->context == NULL)
			return false;
		(void)pcre2_set_match_limit(matcher->context, BACKTRACKS_MAX);
		(void)pcre2_set_heap_limit(matcher->context, HEAP_KIB_MAX);
		(void)pcre2_set_callout(matcher->context, count_steps, matcher);
	}
	return matcher->data != NULL;
}

/* Fails where executable memory is forbidden; matching then works without JIT.
 */
static void
make_fast(struct matcher *matcher, size_t len)
{
	if (matcher->uses > COMPILE_AFTER)
		return;
	matcher->uses++;
	if (len >= COMPILE_FROM_LEN)
		matcher->uses = COMPILE_AFTER + 1;
	if (matcher->uses > COMPILE_AFTER)
		(void)pcre2_jit_compile(matcher->code, PCRE2_JIT_COMPLETE);
}

static int
pattern_match(struct matcher *matcher, const char *text, size_t len,
    uint32_t options, uint64_t *budget)
{
	const uint64_t own = STEPS_BASE + (uint64_t)len * STEPS_PER_BYTE;
	const uint64_t limit = own < *budget ? own : *budget;

	matcher->steps_left = limit;
	matcher->mark = 0;
	int found = PCRE2_ERROR_CALLOUT;
	if (spend(matcher, STEPS_TO_BEGIN + len / BYTES_PER_STEP))
		found = pcre2_match(matcher->code, (PCRE2_SPTR)text, len, 0,
		    PCRE2_NO_UTF_CHECK | options, matcher->data,
		    matcher->context);
	*budget -= limit - matcher->steps_left;
	return found;
}

enum w_pattern_answer
w_pattern_match(const struct w_pattern *pattern, const char *text, size_t len,
    uint64_t *budget)
{
	struct matcher *matcher = pattern->matcher;
	uint64_t any = UINT64_MAX;

	if (budget == NULL)
		budget = &any;
	if (!make_ready(matcher))
		return W_PATTERN_LIMIT;
	make_fast(matcher, len);

	int found = pattern_match(matcher, text, len, 0, budget);

	/* JIT code has a small stack of its own. */
	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = pattern_match(matcher, text, len, PCRE2_NO_JIT, budget);
	if (len >= RELEASE_FROM_LEN) {
		pcre2_match_data_free(matcher->data);
		matcher->data = NULL;
	}
	if (found >= 0)
		return W_PATTERN_YES;
	return found == PCRE2_ERROR_NOMATCH ? W_PATTERN_NO : W_PATTERN_LIMIT;
}
