/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "fleet/order/fleet_key.h"
#include "fleet/order/fleet_order.h"
#include "temp.h"

#define TEXT "{\"v\":1}"

static void
a_key_signs_and_only_its_public_half_verifies(void **state)
{
	struct w_fleet_key key, other;
	uint8_t sign[W_FLEET_SIGN_SIZE];

	(void)state;
	assert_int_equal(w_fleet_key_new(&key, NULL), WRIT_OK);
	assert_int_equal(w_fleet_key_new(&other, NULL), WRIT_OK);
	assert_int_equal(w_fleet_key_sign(&key, "abc", 3, sign, NULL), WRIT_OK);
	assert_true(w_fleet_key_verify(key.public_key, "abc", 3, sign));
	assert_false(w_fleet_key_verify(key.public_key, "abd", 3, sign));
	assert_false(w_fleet_key_verify(other.public_key, "abc", 3, sign));
	sign[0] ^= 1;
	assert_false(w_fleet_key_verify(key.public_key, "abc", 3, sign));
	memset(sign, 0, sizeof(sign));
	assert_false(w_fleet_key_verify(key.public_key, "abc", 3, sign));
}

static void
keys_come_back_from_their_texts(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_key key, back;
	uint8_t public_key[W_FLEET_PUBLIC_SIZE];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 1024);
	assert_int_equal(w_fleet_key_new(&key, NULL), WRIT_OK);
	w_fleet_key_add_private(&text, &key);
	temp_file(temp, "key", 0600, text.data);
	assert_int_equal(
	    w_fleet_key_read_private(temp_path(temp, "key"), &back, NULL),
	    WRIT_OK);
	assert_memory_equal(&key, &back, sizeof(key));
	w_buf_done(&text);
	w_buf_init(&text, 1024);
	w_fleet_key_add_public(&text, key.public_key);
	assert_true(w_fleet_key_read_public(text.data, public_key));
	assert_memory_equal(public_key, key.public_key, sizeof(public_key));
	text.data[text.len - 1] = 'A';
	assert_false(w_fleet_key_read_public(text.data, public_key));
	assert_false(w_fleet_key_read_public("ed25519:", public_key));
}

static void
a_private_key_that_others_can_write_is_refused(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, 1024);
	assert_int_equal(w_fleet_key_new(&key, NULL), WRIT_OK);
	w_fleet_key_add_private(&text, &key);
	temp_file(temp, "key", 0620, text.data);
	assert_int_equal(
	    w_fleet_key_read_private(temp_path(temp, "key"), &key, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "others can write"));
	temp_link(temp, "key", "link");
	assert_int_not_equal(
	    w_fleet_key_read_private(temp_path(temp, "link"), &key, &err),
	    WRIT_OK);
}

/* RFC 8032, 7.1, the first test; and its nkey by NATS's own rules. */
static void
a_known_seed_gives_known_keys(void **state)
{
	const struct temp *temp = *state;
	struct w_fleet_key key;
	char id[W_FLEET_KEY_ID_LEN + 1];
	char nkey[W_FLEET_NKEY_MAX];

	temp_file(temp, "key", 0600,
	    "writ-fleet-key ed25519 "
	    "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=\n");
	assert_int_equal(
	    w_fleet_key_read_private(temp_path(temp, "key"), &key, NULL),
	    WRIT_OK);
	assert_int_equal(key.public_key[0], 0xd7);
	assert_int_equal(key.public_key[31], 0x1a);
	w_fleet_key_id(key.public_key, id);
	assert_string_equal(id, "21fe31dfa154a261");
	w_fleet_nkey_public(&key, nkey);
	assert_int_equal(strlen(nkey), 56);
	assert_int_equal(nkey[0], 'U');
	w_fleet_nkey_seed(&key, nkey);
	assert_int_equal(strlen(nkey), 58);
	assert_memory_equal(nkey, "SU", 2);
}

static void
an_order_is_verified_before_it_is_read_and_no_bit_can_change(void **state)
{
	struct w_fleet_key key;
	struct w_fleet_order order;
	W_AUTO_BUF struct w_buf bytes;

	(void)state;
	w_buf_init(&bytes, W_FLEET_ORDER_MAX);
	assert_int_equal(w_fleet_key_new(&key, NULL), WRIT_OK);
	assert_int_equal(
	    w_fleet_order_add(&bytes, &key, TEXT, strlen(TEXT), NULL), WRIT_OK);
	assert_int_equal(
	    w_fleet_order_read(bytes.data, bytes.len, &order, NULL), WRIT_OK);
	assert_int_equal(order.len, strlen(TEXT));
	assert_true(w_fleet_order_verify(&order, key.public_key));
	for (size_t at = 0; at < bytes.len; at++) {
		bytes.data[at] ^= 1;
		const bool is_read = w_fleet_order_read(bytes.data, bytes.len,
					 &order, NULL) == WRIT_OK;
		/* The id only says which key to look for. */
		const bool is_id = at > 12 && at < 29;
		assert_true(!is_read || is_id ||
			    !w_fleet_order_verify(&order, key.public_key));
		bytes.data[at] ^= 1;
	}
	for (size_t len = 0; len < bytes.len; len++)
		assert_true(w_fleet_order_read(bytes.data, len, &order, NULL) !=
				WRIT_OK ||
			    !w_fleet_order_verify(&order, key.public_key));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_key_signs_and_only_its_public_half_verifies),
	    cmocka_unit_test_setup_teardown(
		keys_come_back_from_their_texts, temp_set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_private_key_that_others_can_write_is_refused, temp_set_up,
		temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_known_seed_gives_known_keys, temp_set_up, temp_tear_down),
	    cmocka_unit_test(
		an_order_is_verified_before_it_is_read_and_no_bit_can_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
