/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The signed requestState that a client carries for us. When it returns it is
 * untrusted: nothing in it is used before the signature is verified, in
 * constant time.
 */

#include "mcp/approval/signed_token.h"

#include <string.h>
#include <sys/random.h>

#include "base/encode.h"

/* First byte, for later changes of the format. */
#define FORMAT 1

enum {
	AT_ID = 1,
	AT_CALL = AT_ID + WRIT_APPROVAL_ID_LEN,
	AT_UNTIL = AT_CALL + W_SHA256_SIZE,
	AT_NONCE = AT_UNTIL + 8,
	AT_SIGNATURE = AT_NONCE + W_MCP_TOKEN_NONCE,
	BYTES = AT_SIGNATURE + W_SHA256_SIZE,
	/* A multiple of three: no padding, and only one encoding. */
	TEXT_LEN = BYTES / 3 * 4,
};

_Static_assert(BYTES % 3 == 0, "a sealed state has no padding");

bool
w_mcp_token_signer_init(struct w_mcp_token_signer *signer)
{
	uint8_t bytes[W_SHA256_KEY_SIZE];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return false;
	w_hmac_key_init(&signer->key, bytes, sizeof(bytes));
	explicit_bzero(bytes, sizeof(bytes));
	return true;
}

bool
w_mcp_token_nonce(uint8_t out[W_MCP_TOKEN_NONCE])
{
	return getrandom(out, W_MCP_TOKEN_NONCE, 0) == W_MCP_TOKEN_NONCE;
}

static void
sign_token(const struct w_mcp_token_signer *signer, const uint8_t *bytes,
    uint8_t out[W_SHA256_SIZE])
{
	struct w_hmac mac;

	w_hmac_init(&mac, &signer->key);
	w_hmac_add(&mac, bytes, AT_SIGNATURE);
	w_hmac_end(&mac, out);
}

/* Between base64 and base64url. */
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
w_mcp_token_add(struct w_buf *buf, const struct w_mcp_token_signer *signer,
    const struct w_mcp_token *token)
{
	uint8_t bytes[BYTES] = {FORMAT};
	const size_t start = buf->len;

	memcpy(bytes + AT_ID, token->approval, WRIT_APPROVAL_ID_LEN);
	memcpy(bytes + AT_CALL, token->call, W_SHA256_SIZE);
	for (size_t i = 0; i < 8; i++)
		bytes[AT_UNTIL + i] =
		    (uint8_t)(token->until_ms >> (8 * (7 - i)));
	memcpy(bytes + AT_NONCE, token->nonce, W_MCP_TOKEN_NONCE);
	sign_token(signer, bytes, bytes + AT_SIGNATURE);
	w_base64_add(buf, bytes, sizeof(bytes));
	if (!buf->failed)
		translate(buf->data + start, buf->len - start, "+/", "-_");
}

static bool
signed_token_is_same(const uint8_t *a, const uint8_t *b, size_t len)
{
	volatile uint8_t difference = 0;

	for (size_t i = 0; i < len; i++)
		difference = (uint8_t)(difference | (a[i] ^ b[i]));
	return difference == 0;
}

static bool
signed_token_decode(const char *text, size_t len, uint8_t out[BYTES])
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
w_mcp_token_verify(const struct w_mcp_token_signer *signer, const char *text,
    size_t len, struct w_mcp_token *out_token)
{
	uint8_t bytes[BYTES];
	uint8_t signature[W_SHA256_SIZE];
	struct w_mcp_token token = {.until_ms = 0};

	if (!signed_token_decode(text, len, bytes))
		return false;
	sign_token(signer, bytes, signature);
	if (!signed_token_is_same(
		signature, bytes + AT_SIGNATURE, sizeof(signature)) ||
	    bytes[0] != FORMAT)
		return false;
	memcpy(token.approval, bytes + AT_ID, WRIT_APPROVAL_ID_LEN);
	memcpy(token.call, bytes + AT_CALL, W_SHA256_SIZE);
	for (size_t i = 0; i < 8; i++)
		token.until_ms = token.until_ms << 8 | bytes[AT_UNTIL + i];
	memcpy(token.nonce, bytes + AT_NONCE, W_MCP_TOKEN_NONCE);
	*out_token = token;
	return true;
}
