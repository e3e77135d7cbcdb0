/* SPDX-License-Identifier: Apache-2.0 */

/* The files of a host: whom it trusts, and its settings. What is accepted keeps
 * the rules for names, and is read back from what is written. */

#include "fleet/host/fleet_host.h"
#include "fleet/host/fleet_trust.h"

#include "check.h"

static void
check_trust(const char *text, size_t size)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	W_AUTO_FLEET_TRUST struct w_fleet_trust again = {.count = 0};
	W_AUTO_BUF struct w_buf written;
	writ_error err;

	w_buf_init(&written, W_FLEET_FILE_MAX);
	writ_status status = w_fleet_trust_read(text, size, &trust, &err);
	if (status != WRIT_OK) {
		check_error(&err, status);
		return;
	}
	CHECK(trust.count <= W_FLEET_TRUST_MAX);
	for (size_t i = 0; i < trust.count; i++) {
		CHECK(w_fleet_name_valid(trust.keys[i].name));
		CHECK(w_fleet_trust_find(&trust, trust.keys[i].key_id) ==
		      &trust.keys[i]);
	}
	w_fleet_trust_add_text(&written, &trust);
	CHECK(w_fleet_trust_read(written.data, written.len, &again, &err) ==
	      WRIT_OK);
	CHECK(again.count == trust.count);
}

static void
check_host(const char *text, size_t size)
{
	struct w_fleet_host host, again;
	W_AUTO_BUF struct w_buf written;
	writ_error err;

	w_buf_init(&written, 2 * W_FLEET_FILE_MAX);
	writ_status status = w_fleet_host_read(text, size, &host, &err);
	if (status != WRIT_OK) {
		check_error(&err, status);
		return;
	}
	CHECK(w_fleet_name_valid(host.name));
	CHECK(host.base[0] == '/');
	w_fleet_host_add_text(&written, &host);
	CHECK(w_fleet_host_read(written.data, written.len, &again, &err) ==
	      WRIT_OK);
	w_fleet_host_done(&again);
	w_fleet_host_done(&host);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);

	check_trust(text, size);
	check_host(text, size);
	free(text);
	return 0;
}
