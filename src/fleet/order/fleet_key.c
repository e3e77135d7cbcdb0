/* SPDX-License-Identifier: Apache-2.0 */

/* Ed25519 keys, by libcrypto. */

#include "fleet/order/fleet_key.h"

#include <openssl/evp.h>
#include <string.h>

#include "base/encode.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "fleet/host/fleet_file.h"

#define STAGE         "key"
#define PRIVATE_WORD  "writ-fleet-key ed25519 "
#define PUBLIC_WORD   "ed25519:"
#define BASE64_32_LEN 44

static writ_status
fill_public(struct w_fleet_key *key, writ_error *err)
{
	size_t len = sizeof(key->public_key);
	EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(
	    EVP_PKEY_ED25519, NULL, key->seed, sizeof(key->seed));
	const bool is_read =
	    pair != NULL &&
	    EVP_PKEY_get_raw_public_key(pair, key->public_key, &len) == 1 &&
	    len == sizeof(key->public_key);

	EVP_PKEY_free(pair);
	return is_read ? WRIT_OK
		       : w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
			     "libcrypto cannot use an Ed25519 key");
}

writ_status
w_fleet_key_new(struct w_fleet_key *out_key, writ_error *err)
{
	struct w_fleet_key key;
	size_t len = sizeof(key.seed);
	EVP_PKEY *pair = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	const bool is_made =
	    pair != NULL &&
	    EVP_PKEY_get_raw_private_key(pair, key.seed, &len) == 1 &&
	    len == sizeof(key.seed);

	EVP_PKEY_free(pair);
	if (!is_made)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "libcrypto could not make a key");
	writ_status status = fill_public(&key, err);
	if (status == WRIT_OK)
		*out_key = key;
	w_fleet_key_done(&key);
	return status;
}

void
w_fleet_key_done(struct w_fleet_key *key)
{
	explicit_bzero(key, sizeof(*key));
}

writ_status
w_fleet_key_sign(const struct w_fleet_key *key, const void *bytes, size_t len,
    uint8_t out_sign[W_FLEET_SIGN_SIZE], writ_error *err)
{
	size_t sign_len = W_FLEET_SIGN_SIZE;
	EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(
	    EVP_PKEY_ED25519, NULL, key->seed, sizeof(key->seed));
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const bool is_signed =
	    pair != NULL && ctx != NULL &&
	    EVP_DigestSignInit(ctx, NULL, NULL, NULL, pair) == 1 &&
	    EVP_DigestSign(ctx, out_sign, &sign_len, bytes, len) == 1 &&
	    sign_len == W_FLEET_SIGN_SIZE;

	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pair);
	return is_signed ? WRIT_OK
			 : w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
			       "libcrypto could not sign");
}

bool
w_fleet_key_verify(const uint8_t public_key[W_FLEET_PUBLIC_SIZE],
    const void *bytes, size_t len, const uint8_t sign[W_FLEET_SIGN_SIZE])
{
	EVP_PKEY *pair = EVP_PKEY_new_raw_public_key(
	    EVP_PKEY_ED25519, NULL, public_key, W_FLEET_PUBLIC_SIZE);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	/* 1 is yes; 0 and every negative number are no. */
	const bool is_valid =
	    pair != NULL && ctx != NULL &&
	    EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pair) == 1 &&
	    EVP_DigestVerify(ctx, sign, W_FLEET_SIGN_SIZE, bytes, len) == 1;

	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pair);
	return is_valid;
}

void
w_fleet_key_add_private(struct w_buf *buf, const struct w_fleet_key *key)
{
	w_buf_add_str(buf, PRIVATE_WORD);
	w_base64_add(buf, key->seed, sizeof(key->seed));
	w_buf_add_char(buf, '\n');
}

static bool
read_32(const char *text, size_t len, uint8_t out[32])
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, 64);
	if (len != BASE64_32_LEN || !w_base64_decode(&bytes, text, len) ||
	    bytes.len != 32)
		return false;
	memcpy(out, bytes.data, 32);
	explicit_bzero(bytes.data, bytes.len);
	return true;
}

writ_status
w_fleet_key_read_private(
    const char *path, struct w_fleet_key *out_key, writ_error *err)
{
	const size_t skip = strlen(PRIVATE_WORD);
	struct w_fleet_key key = {.seed = {0}};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_file_read(path, &text, err);
	if (status != WRIT_OK)
		return status;
	if (text.len != skip + BASE64_32_LEN + 1 ||
	    memcmp(text.data, PRIVATE_WORD, skip) != 0 ||
	    !read_32(text.data + skip, BASE64_32_LEN, key.seed))
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not a private key of the fleet", path);
	else
		status = fill_public(&key, err);
	explicit_bzero(text.data, text.len);
	if (status == WRIT_OK)
		*out_key = key;
	w_fleet_key_done(&key);
	return status;
}

void
w_fleet_key_add_public(
    struct w_buf *buf, const uint8_t public_key[W_FLEET_PUBLIC_SIZE])
{
	w_buf_add_str(buf, PUBLIC_WORD);
	w_base64_add(buf, public_key, W_FLEET_PUBLIC_SIZE);
}

bool
w_fleet_key_read_public(
    const char *text, uint8_t out_public[W_FLEET_PUBLIC_SIZE])
{
	const size_t skip = strlen(PUBLIC_WORD);

	return strncmp(text, PUBLIC_WORD, skip) == 0 &&
	       read_32(text + skip, strlen(text + skip), out_public);
}

void
w_fleet_key_id(const uint8_t public_key[W_FLEET_PUBLIC_SIZE],
    char out[W_FLEET_KEY_ID_LEN + 1])
{
	uint8_t sum[W_SHA256_SIZE];

	w_sha256(public_key, W_FLEET_PUBLIC_SIZE, sum);
	w_hex_put(out, sum, W_FLEET_KEY_ID_LEN / 2);
	out[W_FLEET_KEY_ID_LEN] = '\0';
}
