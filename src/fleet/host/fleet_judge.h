/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_JUDGE_H
#define W_FLEET_FLEET_JUDGE_H

#include "fleet/host/fleet_trust.h"
#include "fleet/order/fleet_order.h"

/*
 * Whether this host takes an order. Everything that a stranger can send is
 * judged before it is read further: the form, the key, the signature; then
 * what is in it. The ledger and `where` are judged afterwards, by the
 * executor.
 */
#define W_FLEET_SKEW_MS (UINT64_C(5) * 60 * 1000)

enum w_fleet_verdict {
	W_FLEET_TAKEN,
	W_FLEET_FORGED, /* no known, valid key signed it: nothing in it is true,
			   so there is no answer under its id */
	W_FLEET_REFUSED,  /* signed by a known key, and refused */
	W_FLEET_NOT_MINE, /* it is for other hosts */
};

struct w_fleet_judge {
	const char *host;
	const char *collective;
	const struct w_fleet_trust *trust;
	uint64_t now_ms;
};

struct w_fleet_judged {
	enum w_fleet_verdict verdict;
	const struct w_fleet_trusted *key; /* NULL: forged */
	struct w_fleet_order order;
	struct w_fleet_request request; /* not read if forged */
	bool is_read;
	struct w_json *json; /* yours, also of what is refused */
};

/* *err says why it is not taken. The bytes must outlive *out_judged. */
void w_fleet_judge(const struct w_fleet_judge *judge, const char *bytes,
    size_t len, struct w_fleet_judged *out_judged, writ_error *err);

#endif /* W_FLEET_FLEET_JUDGE_H */
