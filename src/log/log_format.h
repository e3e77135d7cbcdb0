/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_FORMAT_H
#define W_LOG_LOG_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

/*
 * The files of a log and their format.
 *
 *     DIR/trail-000001.jsonl      the lines, oldest file first
 *     DIR/trail-000001.torn-4711  what a dead writer left half written at
 *                                 byte 4711 of that file
 *     DIR/head                    number and hash of the last line
 *
 * A line is one JSON object, in exactly this format:
 *
 *     {"seq":812,"time":"2026-11-16T04:20:00.123456Z","prev":"HEX",PAYLOAD,
 *      "hash":"HEX"}
 *
 * without the line break. hash is the SHA-256 (or HMAC-SHA-256 under the key)
 * of the bytes from the first brace up to, but not including, the comma before
 * "hash"; prev is the hash of the previous line, 64 zeros for the first one.
 * seq counts from 1 without gaps, across files. The payload starts with
 * "kind":"WORD", of lower-case letters, digits and '_'.
 *
 * Three kinds belong to the log itself:
 *
 *     segment   the first line of every file: "format":1,"file":N,
 *               "chain":"sha256" or "hmac-sha256","key":ID or null,
 *               "host":"NAME"
 *     seal      the last line of a file that is full:
 *               "next":"trail-000002.jsonl"
 *     recovery  what a new writer found, in this order:
 *
 *       "found":"torn","file":NAME,"offset":N,"bytes":N,"saved":NAME,
 *       "sha256":HEX
 *               Bytes after the last valid line were not a line: half of
 *               one, or the result of a power failure. They are in the file
 *               "saved" (NAME-000001.torn-OFFSET, with .2, .3, ... appended
 *               if that name is taken), and the log was cut to "offset".
 *       "found":"cut","head_seq":N,"head_hash":HEX,"head_synced":N,
 *       "last_seq":N,"last_hash":HEX,"this_boot":BOOL
 *               The head knew a line that the log does not have: head_seq is
 *               greater than last_seq, or equal with another hash. The log
 *               continues after its last line, so the numbers of the lost
 *               lines are used again. No line left: last_seq 0.
 *               this_boot: the head was written since the machine booted,
 *               so a power failure does not explain it.
 *       "found":"unwitnessed", then the members of "cut"
 *               The log has lines that the head does not know: a writer died
 *               between the two, or the head is older or missing (head_seq
 *               0).
 *       "found":"unreadable","file":NAME,"bytes":N
 *               That file ends with something that is not a line and could
 *               not be cut off. It was left at this size, without a seal,
 *               and this file was started, chained to the last valid line
 *               of the other one or, if none is near its end, to the line
 *               in the head; without a head the numbers start at 1.
 *       "found":"other_key","file":NAME,"bytes":N,"key":ID
 *               That file has a key that the writer does not have, so it
 *               could not seal it. Left likewise; this file is chained to
 *               the hash that its last line claims.
 *       "found":"left","file":NAME,"bytes":N
 *               That file is valid, but read-only without a seal: somebody
 *               changed its mode, or a writer died while leaving it.
 *
 * A finished file, sealed or left, has mode 0400; the others 0600. A file of
 * length 0 was about to be started, and means nothing.
 *
 * head is one line of fixed width, rewritten in place under the lock:
 *
 *     {"file":"000001","seq":"00000000000000000812","hash":"HEX",
 *      "synced":"00000000000000000800"}
 */

#define W_LOG_FORMAT     1
#define W_LOG_KEY_ID_LEN 16
#define W_LOG_LINE_MAX   ((size_t)16 << 20)
#define W_LOG_TIME_LEN   27 /* 2026-11-16T04:20:00.123456Z */

/* A parsed line; the pointers lead into its bytes. */
struct w_log_line {
	const char *bytes; /* without the newline */
	size_t len;
	uint64_t seq;
	uint64_t time_us;    /* since 1970 */
	const char *prev;    /* W_SHA256_HEX characters */
	const char *hash;    /* likewise */
	const char *payload; /* "kind":... up to the hash */
	size_t payload_len;
	const char *kind; /* the word, not NUL-terminated */
	size_t kind_len;
};

/* How the hashes of a file are made. */
struct w_log_chain {
	const struct w_hmac_key *key; /* NULL: plain SHA-256 */
};

/* Parses a line by its format only; checks no hash. false: not a record. */
bool w_log_line_parse(
    const char *bytes, size_t len, struct w_log_line *out_line);

/* Whether the line's hash matches its bytes. */
bool w_log_line_is_sound(
    const struct w_log_line *line, const struct w_log_chain *chain);

/* The length of the prefix that consists of kind characters: lower-case
 * letters, digits, '_'. It can be printed as it is. */
size_t w_log_kind_span(const char *text, size_t len);

/* Whether the line is of this kind. */
bool w_log_line_is(const struct w_log_line *line, const char *kind);

/* Microseconds since 1970 as W_LOG_TIME_LEN characters and a NUL; and back,
 * false: malformed. */
void w_log_time_format(uint64_t time_us, char out[W_LOG_TIME_LEN + 1]);
bool w_log_time_parse(const char *text, uint64_t *out_us);

/* A key's public id: the start of its hash, W_LOG_KEY_ID_LEN characters and a
 * NUL. */
void w_log_key_id(const void *key, size_t len, char out[W_LOG_KEY_ID_LEN + 1]);

/* The head file. */
#define W_LOG_HEAD_LEN 153 /* with its newline */

struct w_log_head {
	uint32_t segment;
	uint64_t seq;
	char hash[W_SHA256_HEX + 1];
	uint64_t synced; /* the last line known to be on disk */
};

void w_log_head_format(
    const struct w_log_head *head, char out[W_LOG_HEAD_LEN + 1]);
bool w_log_head_parse(
    const char *text, size_t len, struct w_log_head *out_head);

#endif /* W_LOG_LOG_FORMAT_H */
