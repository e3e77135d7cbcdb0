/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_KEY_H
#define W_FLEET_FLEET_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Ed25519 keys, by libcrypto: those that sign orders, and those by which a
 * program is known to a NATS server (nkeys, the same curve in another
 * spelling).
 */
#define W_FLEET_SEED_SIZE   32
#define W_FLEET_PUBLIC_SIZE 32
#define W_FLEET_SIGN_SIZE   64
#define W_FLEET_KEY_ID_LEN  16 /* hex digits of the hash of the public key */

struct w_fleet_key {
	uint8_t seed[W_FLEET_SEED_SIZE];
	uint8_t public_key[W_FLEET_PUBLIC_SIZE];
};

/* A new pair. Wipe it with w_fleet_key_done(). */
writ_status w_fleet_key_new(struct w_fleet_key *out_key, writ_error *err);
void w_fleet_key_done(struct w_fleet_key *key);

/* Signs; verifies. */
writ_status w_fleet_key_sign(const struct w_fleet_key *key, const void *bytes,
    size_t len, uint8_t out_sign[W_FLEET_SIGN_SIZE], writ_error *err);
bool w_fleet_key_verify(const uint8_t public_key[W_FLEET_PUBLIC_SIZE],
    const void *bytes, size_t len, const uint8_t sign[W_FLEET_SIGN_SIZE]);

/* The file of a private key: "writ-fleet-key ed25519 BASE64", one line. */
void w_fleet_key_add_private(struct w_buf *buf, const struct w_fleet_key *key);
writ_status w_fleet_key_read_private(
    const char *path, struct w_fleet_key *out_key, writ_error *err);

/* A public key as text, "ed25519:BASE64". */
void w_fleet_key_add_public(
    struct w_buf *buf, const uint8_t public_key[W_FLEET_PUBLIC_SIZE]);
bool w_fleet_key_read_public(
    const char *text, uint8_t out_public[W_FLEET_PUBLIC_SIZE]);

void w_fleet_key_id(const uint8_t public_key[W_FLEET_PUBLIC_SIZE],
    char out[W_FLEET_KEY_ID_LEN + 1]);

/* As a NATS server writes them: "SU..." and "U...". */
#define W_FLEET_NKEY_MAX 64
void w_fleet_nkey_seed(
    const struct w_fleet_key *key, char out[W_FLEET_NKEY_MAX]);
void w_fleet_nkey_public(
    const struct w_fleet_key *key, char out[W_FLEET_NKEY_MAX]);

#endif /* W_FLEET_FLEET_KEY_H */
