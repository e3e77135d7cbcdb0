/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log_check.h"

/* Logs whose hashes need a key, and writers with another one. */

#define FIRST "trail-000001.jsonl"

struct keyed {
	struct w_hmac_key key;
	char id[W_LOG_KEY_ID_LEN + 1];
	struct w_log_options options;
};

static void
make_key(struct keyed *keyed, const char *secret)
{
	w_hmac_key_init(&keyed->key, secret, strlen(secret));
	w_log_key_id(secret, strlen(secret), keyed->id);
	keyed->options = (struct w_log_options){
	    .name = "trail", .key = &keyed->key, .key_id = keyed->id};
}

static void
a_log_without_a_key_is_sealed_when_there_is_one(void **state)
{
	struct keyed keyed;
	size_t len;

	make_key(&keyed, "a secret");
	log_make(*state, 3);
	struct w_log *log = log_open(*state, &keyed.options);
	log_add(log, 1);
	assert_null(w_log_repair_note(log));
	w_log_close(log);
	char *bytes = log_slurp(*state, FIRST, &len);
	assert_non_null(strstr(bytes, "{\"seq\":5,"));
	assert_non_null(strstr(bytes, "\"kind\":\"seal\""));
	free(bytes);
	bytes = log_slurp(*state, "trail-000002.jsonl", &len);
	assert_memory_equal(bytes, "{\"seq\":6,", 9);
	assert_non_null(strstr(bytes, "\"chain\":\"hmac-sha256\",\"key\":\""));
	assert_null(strstr(bytes, "recovery"));
	free(bytes);
}

static void
a_log_with_a_key_is_left_by_who_has_not_got_it(void **state)
{
	struct keyed keyed;
	size_t len;
	char expected[32];

	make_key(&keyed, "a secret");
	struct w_log *log = log_open(*state, &keyed.options);
	log_add(log, 3);
	char *bytes = log_slurp(*state, FIRST, &len);
	char last[W_SHA256_HEX + 1] = "";
	memcpy(last, bytes + len - 3 - W_SHA256_HEX, W_SHA256_HEX);
	free(bytes);

	log_make(*state, 1);
	bytes = log_slurp(*state, "trail-000002.jsonl", &len);
	assert_memory_equal(bytes, "{\"seq\":5,", 9);
	char *second = strchr(bytes, '\n') + 1;
	assert_non_null(strstr(bytes, last));
	assert_true(strstr(bytes, last) < second);
	assert_string_equal(log_member(second, "found"), "\"other_key\"");
	(void)snprintf(expected, sizeof(expected), "\"%s\"", keyed.id);
	assert_string_equal(log_member(second, "key"), expected);
	free(bytes);

	/* The one with the key must not go on in the file that was left. */
	log_add(log, 1);
	w_log_close(log);
	bytes = log_slurp(*state, FIRST, &len);
	assert_null(strstr(bytes, "{\"seq\":5,"));
	free(bytes);
	bytes = log_slurp(*state, "trail-000003.jsonl", &len);
	assert_memory_equal(bytes, "{\"seq\":9,", 9);
	free(bytes);
}

static void
a_key_goes_into_every_hash(void **state)
{
	struct keyed keyed;
	struct log_seen seen = {.key = &keyed.key};

	make_key(&keyed, "thirty-two bytes of something...");
	keyed.options.segment_max = 3000;
	for (unsigned i = 0; i < 3; i++) {
		struct w_log *log = log_open(*state, &keyed.options);
		log_add(log, 10);
		assert_null(w_log_repair_note(log));
		w_log_close(log);
	}
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 0);
	assert_true(seen.files > 2);
}

static void
the_name_of_a_key_is_not_believed(void **state)
{
	size_t len;

	/* Names a key that would end the string in a line of ours. */
	log_make(*state, 1);
	char *bytes = log_slurp(*state, FIRST, &len);
	memcpy(strstr(bytes, "\"key\":null"), "\"key\":\"ab\"", 10);
	assert_int_equal(unlink(temp_path(*state, FIRST)), 0);
	temp_bytes(*state, FIRST, 0600, bytes, len);
	free(bytes);
	log_make(*state, 1);
	bytes = log_slurp(*state, "trail-000002.jsonl", &len);
	const char *second = strchr(bytes, '\n') + 1;
	assert_string_equal(log_member(second, "found"), "\"other_key\"");
	assert_string_equal(log_member(second, "key"), "\"\"");
	free(bytes);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_key_goes_into_every_hash),
	    CASE(a_log_without_a_key_is_sealed_when_there_is_one),
	    CASE(a_log_with_a_key_is_left_by_who_has_not_got_it),
	    CASE(the_name_of_a_key_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
