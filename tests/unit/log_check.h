/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_LOG_CHECK_H
#define W_TEST_LOG_CHECK_H

/*
 * A log in a fresh directory, and a check of all of it that does not use the
 * code that reads logs: bytes, sums and numbers by hand.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/sha256.h"
#include "log/log.h"
#include "log/verify/log_verify.h"
#include "temp.h"

struct log_seen {
	uint64_t lines;
	unsigned files;
	unsigned recoveries;
	char last_hash[W_SHA256_HEX + 1];
	char recovery[8][600]; /* the first lines of kind recovery */
	/* Every line, if the caller wants it. */
	void (*on_line)(void *ctx, const char *line, size_t len);
	void *ctx;
	bool allows_torn; /* a file may end in half a line */
	const struct w_hmac_key *key;
};

static inline char *
log_slurp(const struct temp *temp, const char *name, size_t *out_len)
{
	struct stat st;
	int fd = openat(temp->fd, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	assert_int_equal(fstat(fd, &st), 0);
	char *bytes = malloc((size_t)st.st_size + 1);
	assert_non_null(bytes);
	size_t len = 0;
	ssize_t n;
	while ((n = read(fd, bytes + len, (size_t)st.st_size - len)) > 0)
		len += (size_t)n;
	bytes[len] = '\0';
	(void)close(fd);
	*out_len = len;
	return bytes;
}

static inline void
log_sum(const struct log_seen *seen, const char *bytes, size_t len,
    char out[W_SHA256_HEX + 1])
{
	uint8_t sum[W_SHA256_SIZE];

	if (seen->key == NULL) {
		w_sha256(bytes, len, sum);
	} else {
		struct w_hmac mac;

		w_hmac_init(&mac, seen->key);
		w_hmac_add(&mac, bytes, len);
		w_hmac_end(&mac, sum);
	}
	w_hex_put(out, sum, sizeof(sum));
	out[W_SHA256_HEX] = '\0';
}

static inline void
log_check_line(struct log_seen *seen, const char *line, size_t len)
{
	char expected[128];
	char hash[W_SHA256_HEX + 1];
	const size_t ending = 9 + 64 + 2; /* ,"hash":"HEX"} */

	seen->lines++;
	assert_true(len > ending + 100);
	int used = snprintf(
	    expected, sizeof(expected), "{\"seq\":%" PRIu64 ",", seen->lines);
	assert_memory_equal(line, expected, (size_t)used);
	const char *prev = strstr(line, "\"prev\":\"");
	assert_non_null(prev);
	assert_memory_equal(prev + 8, seen->last_hash, W_SHA256_HEX);
	log_sum(seen, line, len - ending, hash);
	assert_memory_equal(line + len - ending, ",\"hash\":\"", 9);
	assert_memory_equal(line + len - 2 - 64, hash, W_SHA256_HEX);
	assert_memory_equal(line + len - 2, "\"}", 2);
	memcpy(seen->last_hash, hash, sizeof(hash));
	if (strstr(line, "\"kind\":\"recovery\"") != NULL &&
	    seen->recoveries < 8)
		(void)snprintf(seen->recovery[seen->recoveries++],
		    sizeof(seen->recovery[0]), "%.*s", (int)len, line);
	if (seen->on_line != NULL)
		seen->on_line(seen->ctx, line, len);
}

/* Goes through all files of the log; fails the test unless it is one chain
 * from the first to the last line, and the head knows the last. */
static inline void
log_check(const struct temp *temp, struct log_seen *seen)
{
	char name[64];
	char *bytes;
	size_t len;

	memset(seen->last_hash, '0', W_SHA256_HEX);
	for (unsigned file = 1;; file++) {
		(void)snprintf(name, sizeof(name), "trail-%06u.jsonl", file);
		bytes = log_slurp(temp, name, &len);
		if (bytes == NULL || len == 0) {
			free(bytes);
			break;
		}
		seen->files++;
		for (char *at = bytes; at < bytes + len;) {
			char *newline = strchr(at, '\n');

			if (newline == NULL && seen->allows_torn)
				break;
			assert_non_null(newline);
			*newline = '\0';
			log_check_line(seen, at, (size_t)(newline - at));
			at = newline + 1;
		}
		free(bytes);
	}
	bytes = log_slurp(temp, "head", &len);
	assert_non_null(bytes);
	assert_non_null(strstr(bytes, seen->last_hash));
	free(bytes);
}

/* What verification says must not be more than a note or a warning. */
static inline void
log_refuse_fault(void *ctx, const struct w_log_fault *fault)
{
	(void)ctx;
	if (w_log_fault_severity(fault->kind) == W_LOG_BAD)
		fail_msg("%s: %s", w_log_fault_word(fault->kind), fault->text);
}

static inline void
log_prove(const struct temp *temp, struct w_log_proof *out_proof)
{
	const struct w_log_verify_options verify = {
	    .dir = temp->path, .name = "trail", .on_fault = log_refuse_fault};
	writ_error err = {0};

	if (w_log_verify_run(&verify, out_proof, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

static inline struct w_log *
log_open(const struct temp *temp, const struct w_log_options *options)
{
	const struct w_log_options usual = {
	    .name = "trail", .durability = W_LOG_BATCH};
	struct w_log *log = NULL;
	writ_error err = {0};

	if (w_log_open(temp->path, options != NULL ? options : &usual, &log,
		&err) != WRIT_OK)
		fail_msg("%s", err.message);
	return log;
}

#define LOG_PAYLOAD "\"kind\":\"begin\",\"run\":\"a run of something\""

static inline writ_status
log_try(struct w_log *log, enum w_log_urgency urgency, writ_error *err)
{
	return w_log_append(
	    log, LOG_PAYLOAD, strlen(LOG_PAYLOAD), urgency, NULL, err);
}

static inline void
log_add(struct w_log *log, unsigned count)
{
	writ_error err = {0};

	for (unsigned i = 0; i < count; i++)
		if (log_try(log, W_LOG_BEGINS, &err) != WRIT_OK)
			fail_msg("%s", err.message);
}

/* A log of so many records, closed. */
static inline void
log_make(const struct temp *temp, unsigned count)
{
	struct w_log *log = log_open(temp, NULL);

	log_add(log, count);
	w_log_close(log);
}

/* The value of a member, as text up to the next comma or brace. */
static inline const char *
log_member(const char *line, const char *key)
{
	static char value[128];
	char quoted[64];

	(void)snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	const char *at = strstr(line, quoted);
	if (at == NULL)
		fail_msg("no %s in %s", quoted, line);
	at += strlen(quoted);
	(void)snprintf(
	    value, sizeof(value), "%.*s", (int)strcspn(at, ",}"), at);
	return value;
}

#endif /* W_TEST_LOG_CHECK_H */
