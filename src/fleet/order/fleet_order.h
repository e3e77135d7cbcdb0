/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_ORDER_H
#define W_FLEET_FLEET_ORDER_H

#include "base/buf.h"
#include "base/error.h"
#include "fleet/order/fleet_key.h"
#include "fleet/order/fleet_request.h"

/*
 * A signed request, as it travels and as a ledger keeps it:
 *
 *     writ-order/1 KEYID SIGNATURE\n
 *     {"v":1,...}
 *
 * KEYID: 16 hex digits of the hash of the public key. SIGNATURE: base64, of
 * the words "writ-order/1\n" and the SHA-256 of the bytes after the line. The
 * signature is checked before anything of the request is read.
 */
#define W_FLEET_ORDER_MAX (W_FLEET_REQUEST_MAX + 256)

struct w_fleet_order {
	char key_id[W_FLEET_KEY_ID_LEN + 1];
	uint8_t sign[W_FLEET_SIGN_SIZE];
	const char *text; /* borrowed: of the request */
	size_t len;
};

/* Appends the order for a canonical text. */
writ_status w_fleet_order_add(struct w_buf *buf, const struct w_fleet_key *key,
    const char *text, size_t len, writ_error *err);

/* Takes an order apart; checks no signature. */
writ_status w_fleet_order_read(const char *bytes, size_t len,
    struct w_fleet_order *out_order, writ_error *err);

/* Whether that key signed it. */
bool w_fleet_order_verify(const struct w_fleet_order *order,
    const uint8_t public_key[W_FLEET_PUBLIC_SIZE]);

#endif /* W_FLEET_FLEET_ORDER_H */
