/* SPDX-License-Identifier: Apache-2.0 */

/* Signs checkpoints and verifies their signatures. */

#include "audit/verify/signing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/verify/libcrypto.h"
#include "base/auto.h"
#include "base/hex.h"
#include "base/sha256.h"

enum {
	PEM_MAX = 8192,
	SIGNED_MAX = 128,
	RAW_SIZE = 32
};

struct w_signing_key {
	const struct w_libcrypto *crypto;
	void *key;
	char id[W_SIGNER_LEN + 1];
};

static size_t
signed_text(uint64_t seq, const char *hash, char out_text[SIGNED_MAX])
{
	return (size_t)snprintf(out_text, SIGNED_MAX,
	    "writ checkpoint 1\n%" PRIu64 "\n%.64s\n", seq, hash);
}

static writ_status
signing_check_file(int fd, const char *path, bool is_private, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "signing", errno,
		    "cannot look at the key file '%s'", path);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, "signing", 0,
		    "the key file '%s' is not a plain file", path);
	if (is_private && (st.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "signing", 0,
		    "the private key '%s' can be used by others (mode %04o)",
		    path, (unsigned)st.st_mode & 07777);
		w_suggest(err, "chmod 0600 '%s'", path);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
read_pem(const char *path, bool is_private, char pem[PEM_MAX], size_t *out_len,
    writ_error *err)
{
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "signing", errno,
		    "cannot open the key file '%s'", path);
	writ_status status = signing_check_file(fd, path, is_private, err);
	if (status != WRIT_OK)
		return status;
	ssize_t len = read(fd, pem, PEM_MAX);
	if (len < 0)
		return w_fail(err, WRIT_E_SYSTEM, "signing", errno,
		    "cannot read the key file '%s'", path);
	*out_len = (size_t)len;
	return WRIT_OK;
}

/* Never prompts for the password of an encrypted key. */
static int
no_password(char *room, int size, int is_writing, void *ctx)
{
	(void)room;
	(void)size;
	(void)is_writing;
	(void)ctx;
	return -1;
}

static void *
signing_parse(const struct w_libcrypto *crypto, const char *pem, size_t len,
    bool is_private)
{
	int (*fn)(char *, int, int, void *) = no_password;
	void *password_fn;
	void *bio = crypto->BIO_new_mem_buf(pem, (int)len);
	void *key = NULL;

	memcpy(&password_fn, &fn, sizeof(password_fn));
	if (bio != NULL)
		key = is_private ? crypto->PEM_read_bio_PrivateKey(
				       bio, NULL, password_fn, NULL)
				 : crypto->PEM_read_bio_PUBKEY(
				       bio, NULL, password_fn, NULL);
	if (bio != NULL)
		(void)crypto->BIO_free(bio);
	/* The error queue belongs to the host. */
	crypto->ERR_clear_error();
	return key;
}

static bool
name_key(struct w_signing_key *key)
{
	uint8_t raw[RAW_SIZE];
	uint8_t sum[W_SHA256_SIZE];
	size_t len = sizeof(raw);

	if (key->crypto->EVP_PKEY_get_id(key->key) != W_CRYPTO_ED25519 ||
	    key->crypto->EVP_PKEY_get_raw_public_key(key->key, raw, &len) !=
		1 ||
	    len != sizeof(raw))
		return false;
	w_sha256(raw, sizeof(raw), sum);
	w_hex_put(key->id, sum, W_SIGNER_LEN / 2);
	key->id[W_SIGNER_LEN] = '\0';
	return true;
}

static writ_status
fail_kind(const char *path, bool is_private, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, "signing", 0,
	    "'%s' holds no Ed25519 %s key in PEM form without a password", path,
	    is_private ? "private" : "public");
	w_suggest(err, is_private
			   ? "openssl genpkey -algorithm ed25519 -out KEY"
			   : "openssl pkey -in KEY -pubout -out PUBLIC");
	return WRIT_E_INVALID;
}

writ_status
w_signing_key_read(const char *path, bool is_private,
    struct w_signing_key **out_key, writ_error *err)
{
	const struct w_libcrypto *crypto;
	char pem[PEM_MAX];
	size_t len = 0;

	writ_status status = w_libcrypto_load(&crypto, err);
	if (status == WRIT_OK)
		status = read_pem(path, is_private, pem, &len, err);
	if (status != WRIT_OK)
		return status;
	struct w_signing_key *key = calloc(1, sizeof(*key));
	if (key != NULL) {
		key->crypto = crypto;
		key->key = signing_parse(crypto, pem, len, is_private);
	}
	explicit_bzero(pem, sizeof(pem));
	if (key == NULL)
		return w_fail_nomem(err, "signing");
	if (key->key == NULL || !name_key(key)) {
		w_signing_key_free(key);
		return fail_kind(path, is_private, err);
	}
	*out_key = key;
	return WRIT_OK;
}

void
w_signing_key_free(struct w_signing_key *key)
{
	if (key == NULL)
		return;
	if (key->key != NULL)
		key->crypto->EVP_PKEY_free(key->key);
	free(key);
}

const char *
w_signing_key_id(const struct w_signing_key *key)
{
	return key->id;
}

writ_status
w_signing_sign(const struct w_signing_key *key, uint64_t seq, const char *hash,
    uint8_t out_signature[W_SIGNATURE_SIZE], writ_error *err)
{
	const struct w_libcrypto *crypto = key->crypto;
	char text[SIGNED_MAX];
	size_t text_len = signed_text(seq, hash, text);
	size_t len = W_SIGNATURE_SIZE;
	void *ctx = crypto->EVP_MD_CTX_new();

	if (ctx == NULL)
		return w_fail_nomem(err, "signing");
	bool is_made =
	    crypto->EVP_DigestSignInit(ctx, NULL, NULL, NULL, key->key) == 1 &&
	    crypto->EVP_DigestSign(ctx, out_signature, &len,
		(const unsigned char *)text, text_len) == 1;
	crypto->EVP_MD_CTX_free(ctx);
	crypto->ERR_clear_error();
	return is_made ? WRIT_OK
		       : w_fail(err, WRIT_E_SYSTEM, "signing", 0,
			     "libcrypto could not sign with key %s", key->id);
}

bool
w_signing_verify(const struct w_signing_key *key, uint64_t seq,
    const char *hash, const uint8_t *signature, size_t len)
{
	const struct w_libcrypto *crypto = key->crypto;
	char text[SIGNED_MAX];
	size_t text_len = signed_text(seq, hash, text);
	void *ctx = crypto->EVP_MD_CTX_new();

	if (ctx == NULL)
		return false;
	bool holds = crypto->EVP_DigestVerifyInit(
			 ctx, NULL, NULL, NULL, key->key) == 1 &&
		     crypto->EVP_DigestVerify(ctx, signature, len,
			 (const unsigned char *)text, text_len) == 1;
	crypto->EVP_MD_CTX_free(ctx);
	crypto->ERR_clear_error();
	return holds;
}
