/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_TRUST_H
#define W_FLEET_FLEET_TRUST_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "fleet/order/fleet_key.h"
#include "fleet/order/fleet_request.h"

/*
 * The keys whose orders a host takes, and which: the file trust.json.
 *
 *     {"keys":[{"name":"ops","key":"ed25519:...","may":["ping","run"],
 *               "revoked":null}]}
 *
 */
#define W_FLEET_TRUST_MAX 256

struct w_fleet_trusted {
	char name[W_FLEET_NAME_MAX + 1];
	uint8_t public_key[W_FLEET_PUBLIC_SIZE];
	char key_id[W_FLEET_KEY_ID_LEN + 1];
	bool may[W_FLEET_KINDS];
	char revoked[32]; /* since when; "": it is not */
};

struct w_fleet_trust {
	struct w_fleet_trusted *keys;
	size_t count;
	size_t cap;
};

void w_fleet_trust_done(struct w_fleet_trust *trust);
#define W_AUTO_FLEET_TRUST __attribute__((cleanup(w_fleet_trust_done)))

/* Reads the text of such a file. */
writ_status w_fleet_trust_read(const char *text, size_t len,
    struct w_fleet_trust *out_trust, writ_error *err);
void w_fleet_trust_add_text(
    struct w_buf *buf, const struct w_fleet_trust *trust);

/* The file; without one nobody is trusted. */
writ_status w_fleet_trust_load(
    const char *path, struct w_fleet_trust *out_trust, writ_error *err);
writ_status w_fleet_trust_save(
    const char *path, const struct w_fleet_trust *trust, writ_error *err);

/* By id, by name; NULL: none. */
struct w_fleet_trusted *w_fleet_trust_find(
    const struct w_fleet_trust *trust, const char *key_id);
struct w_fleet_trusted *w_fleet_trust_named(
    const struct w_fleet_trust *trust, const char *name);

/* Adds a key, or replaces what the name may do; a key that was revoked stays
 * so. */
writ_status w_fleet_trust_put(struct w_fleet_trust *trust,
    const struct w_fleet_trusted *key, writ_error *err);

/* "ping,run" to may; an unknown word fails. */
writ_status w_fleet_trust_read_may(
    const char *words, bool out_may[W_FLEET_KINDS], writ_error *err);

#endif /* W_FLEET_FLEET_TRUST_H */
