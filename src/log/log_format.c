/* SPDX-License-Identifier: Apache-2.0 */

/* Formats and parses a log's lines and head. */

#include "log/log_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"

#define US_PER_S UINT64_C(1000000)

static const char hash_key[] = ",\"hash\":\"";

enum {
	HASH_KEY_LEN = sizeof(hash_key) - 1,
	/* ,"hash":"HEX"} */
	ENDING_LEN = HASH_KEY_LEN + W_SHA256_HEX + 2
};

/* The rest of a text being parsed. */
struct log_format_cursor {
	const char *at;
	const char *end;
};

static bool
skip(struct log_format_cursor *cursor, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(cursor->end - cursor->at) < len ||
	    memcmp(cursor->at, text, len) != 0)
		return false;
	cursor->at += len;
	return true;
}

/* At most width digits; fixed: exactly that many. */
static bool
log_format_take_number(struct log_format_cursor *cursor, unsigned width,
    bool is_fixed, uint64_t *out_value)
{
	const char *start = cursor->at;
	uint64_t value = 0;

	while (cursor->at < cursor->end && *cursor->at >= '0' &&
	       *cursor->at <= '9' && cursor->at - start < (ptrdiff_t)width) {
		uint64_t digit = (uint64_t)(*cursor->at++ - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out_value = value;
	return is_fixed ? cursor->at - start == (ptrdiff_t)width
			: cursor->at > start &&
			      (*start != '0' || cursor->at == start + 1);
}

static bool
take_hex(struct log_format_cursor *cursor, const char **out_hex)
{
	uint8_t raw[W_SHA256_SIZE];

	if (cursor->end - cursor->at < W_SHA256_HEX ||
	    !w_hex_get(raw, cursor->at, sizeof(raw)))
		return false;
	*out_hex = cursor->at;
	cursor->at += W_SHA256_HEX;
	return true;
}

static bool
log_format_take_time(struct log_format_cursor *cursor, uint64_t *out_us)
{
	if (cursor->end - cursor->at < W_LOG_TIME_LEN ||
	    !w_log_time_parse(cursor->at, out_us))
		return false;
	cursor->at += W_LOG_TIME_LEN;
	return true;
}

size_t
w_log_kind_span(const char *text, size_t len)
{
	size_t span = 0;

	while (span < len && ((text[span] >= 'a' && text[span] <= 'z') ||
				 (text[span] >= '0' && text[span] <= '9') ||
				 text[span] == '_'))
		span++;
	return span;
}

static bool
take_kind(struct w_log_line *line)
{
	struct log_format_cursor cursor = {
	    line->payload, line->payload + line->payload_len};

	if (!skip(&cursor, "\"kind\":\""))
		return false;
	line->kind = cursor.at;
	line->kind_len =
	    w_log_kind_span(cursor.at, (size_t)(cursor.end - cursor.at));
	cursor.at += line->kind_len;
	return line->kind_len > 0 && skip(&cursor, "\"");
}

bool
w_log_line_parse(const char *bytes, size_t len, struct w_log_line *out_line)
{
	struct w_log_line line = {.bytes = bytes, .len = len};

	if (len < ENDING_LEN || len > W_LOG_LINE_MAX)
		return false;
	struct log_format_cursor head = {bytes, bytes + len - ENDING_LEN};
	struct log_format_cursor ending = {head.end, bytes + len};
	if (!skip(&head, "{\"seq\":") ||
	    !log_format_take_number(&head, 20, false, &line.seq) ||
	    !skip(&head, ",\"time\":\"") ||
	    !log_format_take_time(&head, &line.time_us) ||
	    !skip(&head, "\",\"prev\":\"") || !take_hex(&head, &line.prev) ||
	    !skip(&head, "\","))
		return false;
	line.payload = head.at;
	line.payload_len = (size_t)(head.end - head.at);
	if (!take_kind(&line) || !skip(&ending, hash_key) ||
	    !take_hex(&ending, &line.hash) || !skip(&ending, "\"}"))
		return false;
	*out_line = line;
	return true;
}

bool
w_log_line_is_sound(
    const struct w_log_line *line, const struct w_log_chain *chain)
{
	uint8_t made[W_SHA256_SIZE];
	uint8_t claimed[W_SHA256_SIZE];
	size_t covered = line->len - ENDING_LEN;

	if (chain->key == NULL) {
		w_sha256(line->bytes, covered, made);
	} else {
		struct w_hmac mac;

		w_hmac_init(&mac, chain->key);
		w_hmac_add(&mac, line->bytes, covered);
		w_hmac_end(&mac, made);
	}
	return w_hex_get(claimed, line->hash, sizeof(claimed)) &&
	       memcmp(made, claimed, sizeof(made)) == 0;
}

bool
w_log_line_is(const struct w_log_line *line, const char *kind)
{
	return line->kind_len == strlen(kind) &&
	       memcmp(line->kind, kind, line->kind_len) == 0;
}

/* Days since 1970, Gregorian calendar. */
static uint64_t
days_until(uint64_t year, uint64_t month, uint64_t day)
{
	uint64_t y = month <= 2 ? year - 1 : year;
	uint64_t m = month <= 2 ? month + 9 : month - 3;

	return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day -
	       1 - 719468;
}

void
w_log_time_format(uint64_t time_us, char out[W_LOG_TIME_LEN + 1])
{
	uint64_t seconds = time_us / US_PER_S;
	uint64_t days = seconds / 86400 + 719468;
	uint64_t rest = seconds % 86400;
	uint64_t era = days / 146097;
	uint64_t of_era = days % 146097;
	uint64_t years =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	uint64_t of_year = of_era - (365 * years + years / 4 - years / 100);
	uint64_t m = (5 * of_year + 2) / 153;
	uint64_t month = m < 10 ? m + 3 : m - 9;
	uint64_t year = years + era * 400 + (month <= 2);
	const struct {
		uint64_t value;
		char width;
		char after;
	} parts[] = {
	    {year, 4, '-'},
	    {month, 2, '-'},
	    {of_year - (153 * m + 2) / 5 + 1, 2, 'T'},
	    {rest / 3600, 2, ':'},
	    {rest / 60 % 60, 2, ':'},
	    {rest % 60, 2, '.'},
	    {time_us % US_PER_S, 6, 'Z'},
	};
	char *to = out;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		uint64_t value = parts[i].value;

		for (int at = parts[i].width - 1; at >= 0; at--) {
			to[at] = (char)('0' + value % 10);
			value /= 10;
		}
		to += parts[i].width;
		*to++ = parts[i].after;
	}
	*to = '\0';
}

bool
w_log_time_parse(const char *text, uint64_t *out_us)
{
	static const char after[] = "--T::.Z";
	static const unsigned widths[] = {4, 2, 2, 2, 2, 2, 6};
	struct log_format_cursor cursor = {text, text + W_LOG_TIME_LEN};
	uint64_t part[7];
	char again[W_LOG_TIME_LEN + 1];

	for (size_t i = 0; i < 7; i++)
		if (!log_format_take_number(
			&cursor, widths[i], true, &part[i]) ||
		    *cursor.at++ != after[i])
			return false;
	if (part[0] < 1970)
		return false;
	uint64_t days = days_until(part[0], part[1], part[2]);
	*out_us = ((days * 24 + part[3]) * 60 + part[4]) * 60 * US_PER_S +
		  part[5] * US_PER_S + part[6];
	/* February 31 formats as March 3, so it is not a date. */
	w_log_time_format(*out_us, again);
	return memcmp(again, text, W_LOG_TIME_LEN) == 0;
}

void
w_log_key_id(const void *key, size_t len, char out[W_LOG_KEY_ID_LEN + 1])
{
	static const char what[] = "writ log key";
	uint8_t sum[W_SHA256_SIZE];
	struct w_hmac_key prepared;
	struct w_hmac mac;

	w_hmac_key_init(&prepared, key, len);
	w_hmac_init(&mac, &prepared);
	w_hmac_add(&mac, what, sizeof(what) - 1);
	w_hmac_end(&mac, sum);
	w_hex_put(out, sum, W_LOG_KEY_ID_LEN / 2);
	out[W_LOG_KEY_ID_LEN] = '\0';
}

void
w_log_head_format(const struct w_log_head *head, char out[W_LOG_HEAD_LEN + 1])
{
	(void)snprintf(out, W_LOG_HEAD_LEN + 1,
	    "{\"file\":\"%06" PRIu32 "\",\"seq\":\"%020" PRIu64
	    "\",\"hash\":\"%.64s\",\"synced\":\"%020" PRIu64 "\"}\n",
	    head->segment, head->seq, head->hash, head->synced);
}

bool
w_log_head_parse(const char *text, size_t len, struct w_log_head *out_head)
{
	struct log_format_cursor cursor = {text, text + len};
	uint64_t segment;
	const char *hash;
	struct w_log_head head = {0};

	if (len != W_LOG_HEAD_LEN || !skip(&cursor, "{\"file\":\"") ||
	    !log_format_take_number(&cursor, 6, true, &segment) ||
	    !skip(&cursor, "\",\"seq\":\"") ||
	    !log_format_take_number(&cursor, 20, true, &head.seq) ||
	    !skip(&cursor, "\",\"hash\":\"") || !take_hex(&cursor, &hash) ||
	    !skip(&cursor, "\",\"synced\":\"") ||
	    !log_format_take_number(&cursor, 20, true, &head.synced) ||
	    !skip(&cursor, "\"}\n"))
		return false;
	head.segment = (uint32_t)segment;
	memcpy(head.hash, hash, W_SHA256_HEX);
	*out_head = head;
	return true;
}
