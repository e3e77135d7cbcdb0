/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The only place where an error value is filled in.
 *
 * Messages contain text from outside: file names, arguments, documents.
 * Whatever it is, a message stays one line of valid UTF-8 that cannot control a
 * terminal, and is cut to fit. Nothing here allocates, and errno is kept.
 */

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"

/* Longer than any field, so that a cut is noticed here and marked. */
#define RAW_MAX      1024

#define CUT_MARK     "..."
#define CUT_MARK_LEN (sizeof(CUT_MARK) - 1)

static const struct row {
	writ_status status;
	int exit_status;
	const char *word;
	const char *text;
} rows[] = {
#define X(name, value, word, exit_status, text) \
	{WRIT_##name, (exit_status), (word), (text)},
    WRIT_STATUS_MAP(X)
#undef X
};

static const struct row *
find_row(writ_status status)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].status == status)
			return &rows[i];
	}
	return NULL;
}

/* The length of the character at at[0]; 0: malformed. */
static size_t
error_char_len(const unsigned char *at, size_t left)
{
	size_t want = 1;

	if (at[0] >= 0xf0)
		want = 4;
	else if (at[0] >= 0xe0)
		want = 3;
	else if (at[0] >= 0x80)
		want = 2;
	return want <= left && w_utf8_valid(at, want) ? want : 0;
}

/* Characters that move the cursor, break the line, or change the text
 * direction. */
static bool
error_is_harmful(const unsigned char *at, size_t len)
{
	if (len == 1)
		return at[0] < 0x20 || at[0] == 0x7f;
	if (len == 2) {
		/* C1 controls, Arabic letter mark. */
		return (at[0] == 0xc2 && at[1] < 0xa0) ||
		       (at[0] == 0xd8 && at[1] == 0x9c);
	}
	if (len != 3 || at[0] != 0xe2)
		return false;

	/* U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069. */
	return (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f)) ||
	       (at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
	       (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

/* Writes one character, or \xNN for its first byte if it is harmful. Returns
 * the number of bytes consumed. */
static size_t
clean_one(const unsigned char *at, size_t left, char piece[8])
{
	size_t len = error_char_len(at, left);

	if (len == 0 || error_is_harmful(at, len)) {
		(void)snprintf(piece, 8, "\\x%02x", (unsigned)at[0]);
		return 1;
	}
	memcpy(piece, at, len);
	piece[len] = '\0';
	return len;
}

/* Copies the sanitised text to out; ends it with CUT_MARK when it does not fit
 * or is already cut. Returns the length written. */
static size_t
error_clean(char *out, size_t out_size, const char *text, bool is_cut)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t left = strlen(text);
	size_t used = 0;
	size_t mark_at = 0; /* the last offset where CUT_MARK still fits */

	while (left > 0) {
		char piece[8];
		size_t taken = clean_one(at, left, piece);
		size_t piece_len = strlen(piece);

		if (used + CUT_MARK_LEN < out_size)
			mark_at = used;
		if (used + piece_len >= out_size) {
			is_cut = true;
			break;
		}
		memcpy(out + used, piece, piece_len);
		used += piece_len;
		at += taken;
		left -= taken;
	}
	if (is_cut) {
		if (used + CUT_MARK_LEN < out_size)
			mark_at = used;
		memcpy(out + mark_at, CUT_MARK, CUT_MARK_LEN);
		used = mark_at + CUT_MARK_LEN;
	}
	out[used] = '\0';
	return used;
}

static size_t clean_fmt(char *out, size_t out_size, const char *fmt,
    va_list args) __attribute__((format(printf, 3, 0)));

static size_t
clean_fmt(char *out, size_t out_size, const char *fmt, va_list args)
{
	char raw[RAW_MAX] = "";
	int len = vsnprintf(raw, sizeof(raw), fmt, args);
	bool is_cut = len < 0 || (size_t)len >= sizeof(raw);

	if (is_cut)
		raw[w_utf8_trim_end(raw, strlen(raw))] = '\0';
	return error_clean(out, out_size, raw, is_cut);
}

writ_status
w_fail(writ_error *err, writ_status status, const char *stage, int sys_errno,
    const char *fmt, ...)
{
	if (err == NULL)
		return status;

	int saved = errno;
	char cause[96] = "";
	if (sys_errno != 0) {
		const char *why = strerrordesc_np(sys_errno);
		(void)snprintf(cause, sizeof(cause), ": %s",
		    why != NULL ? why : "unknown error");
	}

	/* In a separate struct: the arguments may be strings of *err itself. */
	writ_error next = {.status = status, .sys_errno = sys_errno};
	(void)error_clean(next.stage, sizeof(next.stage), stage, false);

	/* Reserves space for the cause: a long name must not push it out. */
	size_t room = sizeof(next.message) - strlen(cause);
	va_list args;
	va_start(args, fmt);
	size_t used = clean_fmt(next.message, room, fmt, args);
	va_end(args);
	memcpy(next.message + used, cause, strlen(cause) + 1);

	*err = next;
	errno = saved;
	return status;
}

writ_status
w_fail_nomem(writ_error *err, const char *stage)
{
	return w_fail(err, WRIT_E_NOMEM, stage, 0, "out of memory");
}

void
w_suggest(writ_error *err, const char *fmt, ...)
{
	if (err == NULL)
		return;

	int saved = errno;
	char text[sizeof(err->suggestion)];
	va_list args;
	va_start(args, fmt);
	(void)clean_fmt(text, sizeof(text), fmt, args);
	va_end(args);

	memcpy(err->suggestion, text, sizeof(text));
	errno = saved;
}

void
w_locate(writ_error *err, unsigned line, unsigned column)
{
	if (err == NULL)
		return;
	err->line = line;
	err->column = column;
}

const char *
writ_status_word(writ_status status)
{
	const struct row *row = find_row(status);

	return row != NULL ? row->word : "unknown";
}

const char *
writ_status_text(writ_status status)
{
	const struct row *row = find_row(status);

	return row != NULL ? row->text : "unknown status";
}

int
writ_status_exit(writ_status status)
{
	const struct row *row = find_row(status);

	return row != NULL ? row->exit_status : 125;
}
