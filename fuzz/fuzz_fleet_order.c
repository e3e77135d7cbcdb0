/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Orders and requests of a fleet: what is accepted is written back byte for
 * byte, what is refused says why, and nobody's signature is on noise.
 */

#include "fleet/order/fleet_order.h"

#include "check.h"

static void
check_request(const char *text, size_t len)
{
	struct w_fleet_request request;
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf again;
	writ_error err;

	w_buf_init(&again, 2 * W_FLEET_REQUEST_MAX);
	writ_status status =
	    w_fleet_request_read(text, len, &json, &request, &err);
	if (status != WRIT_OK) {
		CHECK(json == NULL);
		check_error(&err, status);
		return;
	}
	CHECK(w_fleet_id_valid(request.id));
	CHECK(w_fleet_name_valid(request.collective));
	CHECK(request.expires > request.not_before);
	CHECK((request.kind == W_FLEET_RUN) == yyjson_is_obj(request.run));
	(void)w_fleet_request_names(&request, "web1");
	w_fleet_request_add(&again, &request);
	CHECK(again.len == len && memcmp(again.data, text, len) == 0);
	w_json_free(json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t public_key[W_FLEET_PUBLIC_SIZE] = {7};
	char *text = copy_exact(data, size);
	struct w_fleet_order order;
	writ_error err;

	writ_status status = w_fleet_order_read(text, size, &order, &err);
	if (status == WRIT_OK) {
		CHECK(order.text + order.len == text + size);
		CHECK(strlen(order.key_id) == W_FLEET_KEY_ID_LEN);
		CHECK(!w_fleet_order_verify(&order, public_key));
		check_request(order.text, order.len);
	} else {
		check_error(&err, status);
		check_request(text, size);
	}
	free(text);
	return 0;
}
