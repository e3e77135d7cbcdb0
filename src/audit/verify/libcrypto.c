/* SPDX-License-Identifier: Apache-2.0 */

/* Loads libcrypto at run time. */

#include "audit/verify/libcrypto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define FUNCTION(name)                                    \
	{                                                 \
#name, offsetof(struct w_libcrypto, name) \
	}

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
    FUNCTION(BIO_new_mem_buf),
    FUNCTION(BIO_free),
    FUNCTION(PEM_read_bio_PrivateKey),
    FUNCTION(PEM_read_bio_PUBKEY),
    FUNCTION(EVP_PKEY_get_id),
    FUNCTION(EVP_PKEY_get_raw_public_key),
    FUNCTION(EVP_PKEY_free),
    FUNCTION(EVP_MD_CTX_new),
    FUNCTION(EVP_MD_CTX_free),
    FUNCTION(EVP_DigestSignInit),
    FUNCTION(EVP_DigestSign),
    FUNCTION(EVP_DigestVerifyInit),
    FUNCTION(EVP_DigestVerify),
    FUNCTION(ERR_clear_error),
};

static struct w_libcrypto crypto;
static const char *missing; /* NULL: everything was found */

static void
libcrypto_load(void)
{
	void *library = dlopen(W_CRYPTO_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		missing = "it is not there";
	for (size_t i = 0;
	     i < sizeof(functions) / sizeof(functions[0]) && missing == NULL;
	     i++) {
		void *found = dlsym(library, functions[i].name);

		if (found == NULL)
			missing = "it lacks a function";
		memcpy((char *)&crypto + functions[i].offset, &found,
		    sizeof(found));
	}
}

writ_status
w_libcrypto_load(const struct w_libcrypto **out_crypto, writ_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, libcrypto_load);
	if (missing != NULL) {
		(void)w_fail(err, WRIT_E_SYSTEM, "signing", 0,
		    "signatures need %s: %s", W_CRYPTO_LIBRARY, missing);
		w_suggest(err, "install OpenSSL 3 (libssl3 on Debian)");
		return WRIT_E_SYSTEM;
	}
	*out_crypto = &crypto;
	return WRIT_OK;
}
