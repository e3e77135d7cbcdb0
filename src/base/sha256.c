/* SPDX-License-Identifier: Apache-2.0 */

/* SHA-256 (FIPS 180-4) and HMAC (RFC 2104), with the fastest backend for this
 * processor. */

#include "base/sha256.h"

#include <stdatomic.h>
#include <string.h>

#include "base/sha256/sha256_backends.h"

enum {
	BLOCK = W_SHA256_BLOCK,
	LENGTH_AT = 56 /* offset of the bit count in the last block */
};

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
    0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static void
sha256_store(uint8_t *to, uint32_t x)
{
	to[0] = (uint8_t)(x >> 24);
	to[1] = (uint8_t)(x >> 16);
	to[2] = (uint8_t)(x >> 8);
	to[3] = (uint8_t)x;
}

const struct w_sha256_backend *const w_sha256_backends[] = {
#if defined(__x86_64__)
    &w_sha256_x86,
#elif defined(__aarch64__)
    &w_sha256_arm,
#endif
    &w_sha256_portable,
    NULL,
};

/* NULL: not chosen yet. Threads that choose at the same time choose the same,
 * so it does not matter which one writes it. */
static _Atomic(const struct w_sha256_backend *) chosen;

static const struct w_sha256_backend *
sha256_choose(void)
{
	const struct w_sha256_backend *way =
	    atomic_load_explicit(&chosen, memory_order_relaxed);

	if (way != NULL)
		return way;
	way = &w_sha256_portable;
	for (size_t i = 0; w_sha256_backends[i] != NULL; i++) {
		if (w_sha256_backends[i]->is_here()) {
			way = w_sha256_backends[i];
			break;
		}
	}
	atomic_store_explicit(&chosen, way, memory_order_relaxed);
	return way;
}

static void
mix_blocks(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	sha256_choose()->mix(state, blocks, count);
}

void
w_sha256_init(struct w_sha256 *sum)
{
	memcpy(sum->state, initial, sizeof(initial));
	sum->bytes = 0;
}

void
w_sha256_add(struct w_sha256 *sum, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;
	size_t held = sum->bytes % BLOCK;

	if (len == 0)
		return;
	sum->bytes += len;
	if (held > 0) {
		size_t take = len < BLOCK - held ? len : BLOCK - held;

		memcpy(sum->block + held, from, take);
		from += take;
		len -= take;
		if (held + take < BLOCK)
			return;
		mix_blocks(sum->state, sum->block, 1);
	}
	if (len >= BLOCK)
		mix_blocks(sum->state, from, len / BLOCK);
	if (len % BLOCK > 0)
		memcpy(sum->block, from + len / BLOCK * BLOCK, len % BLOCK);
}

void
w_sha256_end(struct w_sha256 *sum, uint8_t out[W_SHA256_SIZE])
{
	size_t held = sum->bytes % BLOCK;
	uint64_t bits = sum->bytes * 8;

	sum->block[held++] = 0x80;
	if (held > LENGTH_AT) {
		memset(sum->block + held, 0, BLOCK - held);
		mix_blocks(sum->state, sum->block, 1);
		held = 0;
	}
	memset(sum->block + held, 0, LENGTH_AT - held);
	sha256_store(sum->block + LENGTH_AT, (uint32_t)(bits >> 32));
	sha256_store(sum->block + LENGTH_AT + 4, (uint32_t)bits);
	mix_blocks(sum->state, sum->block, 1);
	for (size_t i = 0; i < 8; i++)
		sha256_store(out + 4 * i, sum->state[i]);
}

void
w_sha256(const void *bytes, size_t len, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 sum;

	w_sha256_init(&sum);
	w_sha256_add(&sum, bytes, len);
	w_sha256_end(&sum, out);
}

static void
prepare_half(uint32_t state[8], const uint8_t key[BLOCK], uint8_t pad)
{
	uint8_t block[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = key[i] ^ pad;
	memcpy(state, initial, sizeof(initial));
	mix_blocks(state, block, 1);
}

void
w_hmac_key_init(struct w_hmac_key *key, const void *bytes, size_t len)
{
	uint8_t block[BLOCK] = {0};

	if (len > BLOCK)
		w_sha256(bytes, len, block);
	else if (len > 0)
		memcpy(block, bytes, len);
	prepare_half(key->inner, block, 0x36);
	prepare_half(key->outer, block, 0x5c);
}

void
w_hmac_init(struct w_hmac *mac, const struct w_hmac_key *key)
{
	mac->key = key;
	memcpy(mac->inner.state, key->inner, sizeof(key->inner));
	mac->inner.bytes = BLOCK;
}

void
w_hmac_add(struct w_hmac *mac, const void *bytes, size_t len)
{
	w_sha256_add(&mac->inner, bytes, len);
}

void
w_hmac_end(struct w_hmac *mac, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 outer = {.bytes = BLOCK};
	uint8_t inner[W_SHA256_SIZE];

	w_sha256_end(&mac->inner, inner);
	memcpy(outer.state, mac->key->outer, sizeof(outer.state));
	w_sha256_add(&outer, inner, sizeof(inner));
	w_sha256_end(&outer, out);
}

const char *
w_sha256_backend(void)
{
	return sha256_choose()->word;
}
