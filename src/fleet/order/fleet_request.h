/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_REQUEST_H
#define W_FLEET_FLEET_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/encode.h"
#include "data/json.h"
#include "fleet/order/fleet_name.h"

/*
 * A request to the hosts of a fleet: canonical JSON. There is exactly one text
 * for a request, and a reader refuses every other: members in this order,
 * nothing but their values between them. So what is signed, what is kept in a
 * ledger and what is judged cannot differ.
 *
 *     {"v":1,"id":"01K...","kind":"run","from":"ops","collective":"main",
 *      "where":"Facts.os.family == 'debian'","hosts":["web1"],
 *      "not_before":1763600000000,"expires":1763600060000,"deliver":"queued",
 *      "request":{"argv":["uptime"]},"options":{"idempotent":false}}
 */
#define W_FLEET_REQUEST_MAX ((size_t)512 << 10)
#define W_FLEET_HOSTS_MAX   4096

/* How far ahead a request may expire: hosts remember an id until then. */
#define W_FLEET_EXPIRES_MAX_MS (UINT64_C(30) * 24 * 3600 * 1000)

enum w_fleet_kind {
	W_FLEET_PING,
	W_FLEET_FACTS,
	W_FLEET_RUN,
	W_FLEET_CANCEL,
};
#define W_FLEET_KINDS 4
extern const char *const w_fleet_kind_words[W_FLEET_KINDS + 1];

enum w_fleet_deliver {
	W_FLEET_NOW,    /* hosts that are off miss it */
	W_FLEET_QUEUED, /* it waits for them until it expires */
};

struct w_fleet_options {
	bool is_idempotent;         /* a run without an end may run again */
	char cancels[W_ID_LEN + 1]; /* of a cancel: the id; "" else */
};

struct w_fleet_request {
	unsigned version;
	char id[W_ID_LEN + 1];
	enum w_fleet_kind kind;
	char from[W_FLEET_NAME_MAX + 1]; /* as the key calls itself */
	char collective[W_FLEET_NAME_MAX + 1];
	const char *where;   /* an expression over facts; NULL: all */
	yyjson_val *hosts;   /* a list of names; empty: all */
	uint64_t not_before; /* milliseconds since 1970 */
	uint64_t expires;
	enum w_fleet_deliver deliver;
	yyjson_val *run; /* of a run: as `writ run --request` reads it; a null
			    else */
	struct w_fleet_options options;
};

/* Appends the canonical text. */
void w_fleet_request_add(
    struct w_buf *buf, const struct w_fleet_request *request);

/* Reads a canonical text. The request borrows from *out_json, which is yours:
 * w_json_free(). */
writ_status w_fleet_request_read(const char *text, size_t len,
    struct w_json **out_json, struct w_fleet_request *out_request,
    writ_error *err);

/* Whether the request is for this host, by its list. */
bool w_fleet_request_names(
    const struct w_fleet_request *request, const char *host);

#endif /* W_FLEET_FLEET_REQUEST_H */
