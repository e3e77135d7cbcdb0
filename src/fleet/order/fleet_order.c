/* SPDX-License-Identifier: Apache-2.0 */

/* Signed requests. */

#include "fleet/order/fleet_order.h"

#include <string.h>

#include "base/encode.h"
#include "base/hex.h"
#include "base/sha256.h"

#define STAGE    "order"
#define WORD     "writ-order/1"
#define SIGN_LEN 88 /* characters of base64 */
#define HEAD_LEN (sizeof(WORD) + W_FLEET_KEY_ID_LEN + 1 + SIGN_LEN + 1)

/* What is signed: the word keeps a signature for anything else from being one
 * of an order. */
struct signed_bytes {
	char bytes[sizeof(WORD) + W_SHA256_SIZE];
};

static struct signed_bytes
signed_bytes_of(const char *text, size_t len)
{
	struct signed_bytes out;

	memcpy(out.bytes, WORD "\n", sizeof(WORD));
	w_sha256(text, len, (uint8_t *)out.bytes + sizeof(WORD));
	return out;
}

writ_status
w_fleet_order_add(struct w_buf *buf, const struct w_fleet_key *key,
    const char *text, size_t len, writ_error *err)
{
	const struct signed_bytes sum = signed_bytes_of(text, len);
	char id[W_FLEET_KEY_ID_LEN + 1];
	uint8_t sign[W_FLEET_SIGN_SIZE];

	writ_status status =
	    w_fleet_key_sign(key, sum.bytes, sizeof(sum.bytes), sign, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_key_id(key->public_key, id);
	w_buf_add_fmt(buf, WORD " %s ", id);
	w_base64_add(buf, sign, sizeof(sign));
	w_buf_add_char(buf, '\n');
	w_buf_add(buf, text, len);
	return buf->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_fleet_order_read(const char *bytes, size_t len,
    struct w_fleet_order *out_order, writ_error *err)
{
	const char *id = bytes + sizeof(WORD);
	const char *sign = id + W_FLEET_KEY_ID_LEN + 1;
	uint8_t id_bytes[W_FLEET_KEY_ID_LEN / 2];
	W_AUTO_BUF struct w_buf decoded;

	w_buf_init(&decoded, SIGN_LEN);
	if (len <= HEAD_LEN || len > W_FLEET_ORDER_MAX ||
	    memcmp(bytes, WORD " ", sizeof(WORD)) != 0 ||
	    !w_hex_get(id_bytes, id, sizeof(id_bytes)) || sign[-1] != ' ' ||
	    sign[SIGN_LEN] != '\n')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "these %zu bytes are no order", len);
	if (!w_base64_decode(&decoded, sign, SIGN_LEN) ||
	    decoded.len != W_FLEET_SIGN_SIZE)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the signature of the order is not base64");
	memcpy(out_order->key_id, id, W_FLEET_KEY_ID_LEN);
	out_order->key_id[W_FLEET_KEY_ID_LEN] = '\0';
	memcpy(out_order->sign, decoded.data, W_FLEET_SIGN_SIZE);
	out_order->text = bytes + HEAD_LEN;
	out_order->len = len - HEAD_LEN;
	return WRIT_OK;
}

bool
w_fleet_order_verify(const struct w_fleet_order *order,
    const uint8_t public_key[W_FLEET_PUBLIC_SIZE])
{
	const struct signed_bytes sum =
	    signed_bytes_of(order->text, order->len);

	return w_fleet_key_verify(
	    public_key, sum.bytes, sizeof(sum.bytes), order->sign);
}
