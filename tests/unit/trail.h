/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_TRAIL_H
#define W_TEST_TRAIL_H

/* Logs made line by line, without the writer: each line, file and head can be
 * what the test wants. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "log/log_format.h"
#include "log/log_reader.h"
#include "temp.h"

enum {
	TRAIL_LINE_MAX = 4096
};

/* What the next line is made of. */
struct trail {
	uint64_t seq; /* of the last line */
	uint64_t time_us;
	char hash[W_SHA256_HEX + 1]; /* of the last line */
	const struct w_hmac_key *key;
	const char *key_id;
};

static inline void
trail_start(struct trail *trail)
{
	*trail = (struct trail){.time_us = UINT64_C(1794800000000000)};
	memset(trail->hash, '0', W_SHA256_HEX);
}

/* The hash of a line's bytes before its last member. */
static inline void
trail_hash(const struct w_hmac_key *key, const char *bytes, size_t len,
    char out[W_SHA256_HEX + 1])
{
	uint8_t sum[W_SHA256_SIZE];

	if (key == NULL) {
		w_sha256(bytes, len, sum);
	} else {
		struct w_hmac mac;

		w_hmac_init(&mac, key);
		w_hmac_add(&mac, bytes, len);
		w_hmac_end(&mac, sum);
	}
	w_hex_put(out, sum, sizeof(sum));
	out[W_SHA256_HEX] = '\0';
}

/* Writes the next line with its newline to out; returns its length. */
static inline size_t
trail_line(struct trail *trail, char out[TRAIL_LINE_MAX], const char *payload)
{
	char time[W_LOG_TIME_LEN + 1];

	trail->seq++;
	trail->time_us += 1000;
	w_log_time_format(trail->time_us, time);
	int len = snprintf(out, TRAIL_LINE_MAX,
	    "{\"seq\":%" PRIu64 ",\"time\":\"%s\",\"prev\":\"%s\",%s",
	    trail->seq, time, trail->hash, payload);
	assert_true(len > 0 && len < TRAIL_LINE_MAX - 80);
	trail_hash(trail->key, out, (size_t)len, trail->hash);
	len += snprintf(out + len, TRAIL_LINE_MAX - (size_t)len,
	    ",\"hash\":\"%s\"}\n", trail->hash);
	return (size_t)len;
}

/* The payload of a file's first line. */
static inline const char *
trail_segment(const struct trail *trail, unsigned file)
{
	static char payload[256];
	char key[32] = "null";

	if (trail->key != NULL)
		(void)snprintf(key, sizeof(key), "\"%.16s\"", trail->key_id);
	(void)snprintf(payload, sizeof(payload),
	    "\"kind\":\"segment\",\"format\":1,\"file\":%u,\"chain\":\"%s\","
	    "\"key\":%s,\"host\":\"test\"",
	    file, trail->key != NULL ? "hmac-sha256" : "sha256", key);
	return payload;
}

static inline void
trail_add(
    const struct temp *temp, const char *file, const char *bytes, size_t len)
{
	int fd = openat(
	    temp->fd, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
}

/* The next line at the end of a file. */
static inline void
trail_append(struct trail *trail, const struct temp *temp, const char *file,
    const char *payload)
{
	char line[TRAIL_LINE_MAX];
	size_t len = trail_line(trail, line, payload);

	trail_add(temp, file, line, len);
}

static inline void
trail_write_head(
    const struct temp *temp, unsigned file, const struct trail *trail)
{
	struct w_log_head head = {
	    .segment = file, .seq = trail->seq, .synced = trail->seq};
	char text[W_LOG_HEAD_LEN + 1];

	memcpy(head.hash, trail->hash, sizeof(head.hash));
	w_log_head_format(&head, text);
	(void)unlinkat(temp->fd, "head", 0);
	temp_bytes(temp, "head", 0600, text, W_LOG_HEAD_LEN);
}

#endif /* W_TEST_TRAIL_H */
