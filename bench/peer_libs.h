/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEER_LIBS_H
#define BENCH_PEER_LIBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Libraries of others, loaded when they are there. */

/* SHA-256 by libcrypto; false: it is not installed. */
bool peer_sha256(const void *bytes, size_t len, uint8_t out[32]);

/* As many records into a table with two indexes, each a transaction of its
 * own with its hash: WAL, synchronous=NORMAL. 1: done; 0: it failed; -1:
 * SQLite is not installed. */
int peer_sqlite_insert(const char *path, unsigned count);

#endif /* BENCH_PEER_LIBS_H */
