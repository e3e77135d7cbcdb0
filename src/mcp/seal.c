/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The state that a client carries for us. Everything about it comes from
 * outside when it returns: nothing of it is looked at before the seal holds,
 * and how far a wrong one was right cannot be told by the time that it takes.
 */

#include "mcp/seal.h"

#include <string.h>
#include <sys/random.h>

#include "base/encode.h"

/* The first byte: what follows may look otherwise one day. */
#define FORM 1

enum {
	AT_ID = 1,
	AT_CALL = AT_ID + WRIT_APPROVAL_ID_LEN,
	AT_UNTIL = AT_CALL + W_SHA256_SIZE,
	AT_NONCE = AT_UNTIL + 8,
	AT_SEAL = AT_NONCE + W_SEAL_NONCE,
	BYTES = AT_SEAL + W_SHA256_SIZE,
	/* A multiple of three: no padding, and one spelling only. */
	TEXT_LEN = BYTES / 3 * 4,
};

_Static_assert(BYTES % 3 == 0, "a sealed state has no padding");

bool
w_sealer_init(struct w_sealer *sealer)
{
	uint8_t bytes[W_SHA256_KEY_SIZE];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return false;
	w_hmac_key_init(&sealer->key, bytes, sizeof(bytes));
	explicit_bzero(bytes, sizeof(bytes));
	return true;
}

bool
w_seal_nonce(uint8_t out[W_SEAL_NONCE])
{
	return getrandom(out, W_SEAL_NONCE, 0) == W_SEAL_NONCE;
}

static void
make_seal(const struct w_sealer *sealer, const uint8_t *bytes,
    uint8_t out[W_SHA256_SIZE])
{
	struct w_hmac mac;

	w_hmac_init(&mac, &sealer->key);
	w_hmac_add(&mac, bytes, AT_SEAL);
	w_hmac_end(&mac, out);
}

/* Between the two alphabets. */
static void
translate(char *text, size_t len, const char from[2], const char to[2])
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == from[0])
			text[i] = to[0];
		else if (text[i] == from[1])
			text[i] = to[1];
	}
}

void
w_seal_add(struct w_buf *buf, const struct w_sealer *sealer,
    const struct w_sealed *sealed)
{
	uint8_t bytes[BYTES] = {FORM};
	const size_t start = buf->len;

	memcpy(bytes + AT_ID, sealed->approval, WRIT_APPROVAL_ID_LEN);
	memcpy(bytes + AT_CALL, sealed->call, W_SHA256_SIZE);
	for (size_t i = 0; i < 8; i++)
		bytes[AT_UNTIL + i] =
		    (uint8_t)(sealed->until_ms >> (8 * (7 - i)));
	memcpy(bytes + AT_NONCE, sealed->nonce, W_SEAL_NONCE);
	make_seal(sealer, bytes, bytes + AT_SEAL);
	w_base64_add(buf, bytes, sizeof(bytes));
	if (!buf->failed)
		translate(buf->data + start, buf->len - start, "+/", "-_");
}

static bool
is_same(const uint8_t *a, const uint8_t *b, size_t len)
{
	volatile uint8_t difference = 0;

	for (size_t i = 0; i < len; i++)
		difference = (uint8_t)(difference | (a[i] ^ b[i]));
	return difference == 0;
}

static bool
decode(const char *text, size_t len, uint8_t out[BYTES])
{
	char standard[TEXT_LEN];
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, BYTES);
	if (len != TEXT_LEN || memchr(text, '+', len) != NULL ||
	    memchr(text, '/', len) != NULL)
		return false;
	memcpy(standard, text, TEXT_LEN);
	translate(standard, TEXT_LEN, "-_", "+/");
	if (!w_base64_decode(&bytes, standard, TEXT_LEN) || bytes.len != BYTES)
		return false;
	memcpy(out, bytes.data, BYTES);
	return true;
}

bool
w_seal_open(const struct w_sealer *sealer, const char *text, size_t len,
    struct w_sealed *out_sealed)
{
	uint8_t bytes[BYTES];
	uint8_t seal[W_SHA256_SIZE];
	struct w_sealed sealed = {.until_ms = 0};

	if (!decode(text, len, bytes))
		return false;
	make_seal(sealer, bytes, seal);
	if (!is_same(seal, bytes + AT_SEAL, sizeof(seal)) || bytes[0] != FORM)
		return false;
	memcpy(sealed.approval, bytes + AT_ID, WRIT_APPROVAL_ID_LEN);
	memcpy(sealed.call, bytes + AT_CALL, W_SHA256_SIZE);
	for (size_t i = 0; i < 8; i++)
		sealed.until_ms = sealed.until_ms << 8 | bytes[AT_UNTIL + i];
	memcpy(sealed.nonce, bytes + AT_NONCE, W_SEAL_NONCE);
	*out_sealed = sealed;
	return true;
}
