/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Formats the lines of a log; log_format.h describes them. Only the lock's
 * holder can do this: a line contains the hash of the one before it.
 */

#include "log/log_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "os/loop.h"

#define DIGITS_MAX 20

static const char seq_key[] = "{\"seq\":";
static const char time_key[] = ",\"time\":\"";
static const char prev_key[] = "\",\"prev\":\"";
static const char prev_end[] = "\",";
static const char hash_key[] = ",\"hash\":\"";
static const char hash_end[] = "\"}\n";

_Static_assert(sizeof(seq_key) + sizeof(time_key) + sizeof(prev_key) +
		       sizeof(prev_end) + sizeof(hash_key) + sizeof(hash_end) +
		       DIGITS_MAX + W_LOG_TIME_LEN + 2 * W_SHA256_HEX + 1 <=
		   W_LOG_FRAME_MAX,
    "a line's frame fits");

static char *
log_line_put(char *at, const char *bytes, size_t len)
{
	memcpy(at, bytes, len);
	return at + len;
}

static char *
put_number(char *at, uint64_t value)
{
	char digits[DIGITS_MAX];
	size_t used = 0;

	do {
		digits[DIGITS_MAX - ++used] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	return log_line_put(at, digits + DIGITS_MAX - used, used);
}

static char *
put_hash(char *at, const struct w_log *log, const char *line, size_t len)
{
	uint8_t sum[W_SHA256_SIZE];

	if (log->chain.key == NULL) {
		w_sha256(line, len, sum);
	} else {
		struct w_hmac mac;

		w_hmac_init(&mac, log->chain.key);
		w_hmac_add(&mac, line, len);
		w_hmac_end(&mac, sum);
	}
	w_hex_put(at, sum, sizeof(sum));
	return at + W_SHA256_HEX;
}

static bool
log_line_make_room(struct w_log *log, size_t need)
{
	if (need <= log->line_cap)
		return true;

	size_t cap = need < 4096 ? 4096 : need + need / 2;
	char *line = realloc(log->line, cap);
	if (line == NULL)
		return false;
	log->line = line;
	log->line_cap = cap;
	return true;
}

size_t
w_log_line_make(
    struct w_log *log, size_t before, const char *payload, size_t len)
{
	if (!log_line_make_room(log, before + len + W_LOG_FRAME_MAX))
		return 0;

	const char *line = log->line + before;
	char *at = log->line + before;
	at = log_line_put(at, seq_key, sizeof(seq_key) - 1);
	at = put_number(at, log->end.seq + 1);
	at = log_line_put(at, time_key, sizeof(time_key) - 1);
	w_log_time_format(w_unix_us(), at);
	at += W_LOG_TIME_LEN;
	at = log_line_put(at, prev_key, sizeof(prev_key) - 1);
	at = log_line_put(at, log->end.hash, W_SHA256_HEX);
	at = log_line_put(at, prev_end, sizeof(prev_end) - 1);
	at = log_line_put(at, payload, len);
	size_t covered = (size_t)(at - line);
	at = log_line_put(at, hash_key, sizeof(hash_key) - 1);
	at = put_hash(at, log, line, covered);
	at = log_line_put(at, hash_end, sizeof(hash_end) - 1);
	return (size_t)(at - line);
}
