/* SPDX-License-Identifier: Apache-2.0 */

/* Whether a host takes an order. */

#include "fleet/host/fleet_judge.h"

#include <string.h>

#include "fleet/host/fleet_file.h"

#define STAGE "order"

/* The key that signed it; NULL with *err. */
static const struct w_fleet_trusted *
find_signer(const struct w_fleet_judge *judge,
    const struct w_fleet_order *order, writ_error *err)
{
	const struct w_fleet_trusted *key =
	    w_fleet_trust_find(judge->trust, order->key_id);

	if (key == NULL) {
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the key %s is not known here", order->key_id);
		return NULL;
	}
	if (!w_fleet_order_verify(order, key->public_key)) {
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the signature is not that of the key '%s' (%s)", key->name,
		    key->key_id);
		return NULL;
	}
	/* Whoever holds a revoked key may be anybody: what he signs is as good
	 * as forged. */
	if (key->revoked[0] != '\0') {
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the key '%s' (%s) is revoked since %s", key->name,
		    key->key_id, key->revoked);
		return NULL;
	}
	return key;
}

static writ_status
check_rights(const struct w_fleet_judge *judge,
    const struct w_fleet_trusted *key, const struct w_fleet_request *request,
    writ_error *err)
{
	if (strcmp(request->collective, judge->collective) != 0)
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "it is for the collective '%s', and this host is in '%s'",
		    request->collective, judge->collective);
	if (!key->may[request->kind])
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "the key '%s' may not order '%s' here", key->name,
		    w_fleet_kind_words[request->kind]);
	return WRIT_OK;
}

/* Both times are told: whose clock is wrong is for people to find out. */
static writ_status
check_times(const struct w_fleet_judge *judge,
    const struct w_fleet_request *request, writ_error *err)
{
	W_AUTO_BUF struct w_buf limit;
	W_AUTO_BUF struct w_buf now;

	w_buf_init(&limit, 64);
	w_buf_init(&now, 64);
	w_fleet_time_add(&now, judge->now_ms);
	if (judge->now_ms >= request->expires) {
		w_fleet_time_add(&limit, request->expires);
		return w_fail(err, WRIT_E_TIMEOUT, STAGE, 0,
		    "it expired at %s, and the clock here says %s", limit.data,
		    now.data);
	}
	if (judge->now_ms + W_FLEET_SKEW_MS < request->not_before) {
		w_fleet_time_add(&limit, request->not_before);
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "it is not valid before %s, and the clock here says %s",
		    limit.data, now.data);
	}
	return WRIT_OK;
}

void
w_fleet_judge(const struct w_fleet_judge *judge, const char *bytes, size_t len,
    struct w_fleet_judged *out_judged, writ_error *err)
{
	struct w_fleet_judged *out = out_judged;

	*out = (struct w_fleet_judged){.verdict = W_FLEET_FORGED};
	if (w_fleet_order_read(bytes, len, &out->order, err) != WRIT_OK)
		return;
	out->key = find_signer(judge, &out->order, err);
	if (out->key == NULL)
		return;
	out->verdict = W_FLEET_REFUSED;
	if (w_fleet_request_read(out->order.text, out->order.len, &out->json,
		&out->request, err) != WRIT_OK)
		return;
	out->is_read = true;
	if (!w_fleet_request_names(&out->request, judge->host)) {
		out->verdict = W_FLEET_NOT_MINE;
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "it is for other hosts, and not for '%s'", judge->host);
		return;
	}
	if (check_rights(judge, out->key, &out->request, err) == WRIT_OK &&
	    check_times(judge, &out->request, err) == WRIT_OK)
		out->verdict = W_FLEET_TAKEN;
}
