/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_LIBCRYPTO_H
#define W_AUDIT_LIBCRYPTO_H

#include <stddef.h>

#include "base/error.h"

/*
 * The few functions of libcrypto that signatures need, loaded at run time. The
 * library's headers are not needed to build writ: the interface of version 3 is
 * stable, and what is used of it is declared here.
 */
#define W_CRYPTO_LIBRARY "libcrypto.so.3"
#define W_CRYPTO_ED25519 1087 /* NID_ED25519 */

struct w_libcrypto {
	void *(*BIO_new_mem_buf)(const void *bytes, int len);
	int (*BIO_free)(void *bio);
	void *(*PEM_read_bio_PrivateKey)(
	    void *bio, void **key, void *password_fn, void *password);
	void *(*PEM_read_bio_PUBKEY)(
	    void *bio, void **key, void *password_fn, void *password);
	int (*EVP_PKEY_get_id)(const void *key);
	int (*EVP_PKEY_get_raw_public_key)(
	    const void *key, unsigned char *raw, size_t *len);
	void (*EVP_PKEY_free)(void *key);
	void *(*EVP_MD_CTX_new)(void);
	void (*EVP_MD_CTX_free)(void *ctx);
	int (*EVP_DigestSignInit)(void *ctx, void **pkey_ctx, const void *md,
	    void *engine, void *key);
	int (*EVP_DigestSign)(void *ctx, unsigned char *signature, size_t *len,
	    const unsigned char *text, size_t text_len);
	int (*EVP_DigestVerifyInit)(void *ctx, void **pkey_ctx, const void *md,
	    void *engine, void *key);
	int (*EVP_DigestVerify)(void *ctx, const unsigned char *signature,
	    size_t len, const unsigned char *text, size_t text_len);
	void (*ERR_clear_error)(void);
};

/* Loads it once per process; never unloaded. Borrowed. */
writ_status w_libcrypto_load(
    const struct w_libcrypto **out_crypto, writ_error *err);

#endif /* W_AUDIT_LIBCRYPTO_H */
