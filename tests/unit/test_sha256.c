/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "base/sha256.h"
#include "base/sha256/sha256_backends.h"

enum {
	TEXT_MAX = 100000
};

static uint8_t text[TEXT_MAX];

static int
fill(void **state)
{
	(void)state;
	for (size_t i = 0; i < TEXT_MAX; i++)
		text[i] = (uint8_t)random();
	return 0;
}

static void
expect_hex(const uint8_t sum[W_SHA256_SIZE], const char *hex)
{
	char spelled[W_SHA256_HEX + 1];

	w_hex_put(spelled, sum, W_SHA256_SIZE);
	spelled[W_SHA256_HEX] = '\0';
	assert_string_equal(spelled, hex);
}

static void
the_published_examples_come_out(void **state)
{
	static const struct {
		const char *text;
		const char *sum;
	} cases[] = {
	    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b"
		 "7852b855"},
	    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff"
		    "61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd4"
		"19db06c1"},
	    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhij"
	     "klmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac4503"
		"7afee9d1"},
	};
	uint8_t sum[W_SHA256_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		w_sha256(cases[i].text, strlen(cases[i].text), sum);
		expect_hex(sum, cases[i].sum);
	}
}

static void
a_million_times_the_same_letter_comes_out(void **state)
{
	struct w_sha256 sum;
	uint8_t out[W_SHA256_SIZE];
	char letters[1000];

	(void)state;
	memset(letters, 'a', sizeof(letters));
	w_sha256_init(&sum);
	for (int i = 0; i < 1000; i++)
		w_sha256_add(&sum, letters, sizeof(letters));
	w_sha256_end(&sum, out);
	expect_hex(out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39"
			"ccc7112cd0");
}

static void
oracle(const uint8_t *bytes, size_t len, uint8_t out[W_SHA256_SIZE])
{
	assert_int_equal(
	    EVP_Digest(bytes, len, out, NULL, EVP_sha256(), NULL), 1);
}

static void
every_length_agrees_with_another_library(void **state)
{
	uint8_t ours[W_SHA256_SIZE];
	uint8_t theirs[W_SHA256_SIZE];

	(void)state;
	for (size_t len = 0; len <= 300; len++) {
		w_sha256(text + len, len, ours);
		oracle(text + len, len, theirs);
		assert_memory_equal(ours, theirs, sizeof(ours));
	}
}

static void
how_the_bytes_are_split_does_not_matter(void **state)
{
	uint8_t ours[W_SHA256_SIZE];
	uint8_t theirs[W_SHA256_SIZE];

	(void)state;
	for (int round = 0; round < 300; round++) {
		size_t len = (size_t)random() % (round < 200 ? 1000 : TEXT_MAX);
		size_t most = 2 + (size_t)random() % (round % 2 ? 200 : 5000);
		struct w_sha256 sum;

		w_sha256_init(&sum);
		for (size_t at = 0; at < len;) {
			size_t take = (size_t)random() % most;

			if (take > len - at)
				take = len - at;
			w_sha256_add(&sum, text + at, take);
			at += take;
		}
		w_sha256_add(&sum, NULL, 0);
		w_sha256_end(&sum, ours);
		oracle(text, len, theirs);
		assert_memory_equal(ours, theirs, sizeof(ours));
	}
}

/* For any state and any alignment of the bytes. */
static void
expect_same_mix(const struct w_sha256_backend *way, size_t at, size_t count)
{
	uint32_t ours[8];
	uint32_t standard[8];

	for (size_t i = 0; i < 8; i++)
		ours[i] = standard[i] = (uint32_t)random() * 3;
	way->mix(ours, text + at, count);
	w_sha256_portable.mix(standard, text + at, count);
	assert_memory_equal(ours, standard, sizeof(ours));
}

static void
every_way_of_this_processor_mixes_alike(void **state)
{
	(void)state;
	for (size_t i = 0; w_sha256_backends[i] != NULL; i++) {
		if (!w_sha256_backends[i]->is_here())
			continue;
		print_message("# %s\n", w_sha256_backends[i]->word);
		for (size_t round = 0; round < 500; round++)
			expect_same_mix(
			    w_sha256_backends[i], round % 67, round % 40);
	}
}

/* Each backend is compared with the oracle: all could have the same bug. */
static void
every_way_agrees_with_another_library(void **state)
{
	static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
	    0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	uint8_t padded[5 * W_SHA256_BLOCK] = {0};
	uint8_t theirs[W_SHA256_SIZE];

	(void)state;
	memcpy(padded, text, 4 * W_SHA256_BLOCK);
	padded[4 * W_SHA256_BLOCK] = 0x80;
	padded[sizeof(padded) - 2] = 4 * W_SHA256_BLOCK * 8 / 256;
	oracle(text, 4 * W_SHA256_BLOCK, theirs);
	for (size_t i = 0; w_sha256_backends[i] != NULL; i++) {
		uint32_t sum[8];

		if (!w_sha256_backends[i]->is_here())
			continue;
		memcpy(sum, initial, sizeof(sum));
		w_sha256_backends[i]->mix(sum, padded, 5);
		for (size_t k = 0; k < W_SHA256_SIZE; k++)
			assert_int_equal(
			    theirs[k], sum[k / 4] >> (24 - k % 4 * 8) & 0xff);
	}
}

static void
the_last_way_is_there_on_every_processor(void **state)
{
	size_t count = 0;

	(void)state;
	while (w_sha256_backends[count] != NULL)
		count++;
	assert_true(count > 0);
	assert_ptr_equal(w_sha256_backends[count - 1], &w_sha256_portable);
	assert_true(w_sha256_portable.is_here());
	size_t best = 0;
	while (!w_sha256_backends[best]->is_here())
		best++;
	assert_string_equal(w_sha256_backend(), w_sha256_backends[best]->word);
}

static void *
sum_often(void *out)
{
	for (int i = 0; i < 200; i++)
		w_sha256(text, 1000, out);
	return NULL;
}

static void
threads_may_sum_at_once(void **state)
{
	uint8_t sums[4][W_SHA256_SIZE];
	uint8_t theirs[W_SHA256_SIZE];
	pthread_t threads[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, sum_often, sums[i]), 0);
	oracle(text, 1000, theirs);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_memory_equal(sums[i], theirs, sizeof(theirs));
	}
}

static void
mac(const void *key, size_t key_len, const void *bytes, size_t len,
    uint8_t out[W_SHA256_SIZE])
{
	struct w_hmac_key prepared;
	struct w_hmac sum;

	w_hmac_key_init(&prepared, key, key_len);
	w_hmac_init(&sum, &prepared);
	w_hmac_add(&sum, bytes, len / 2);
	w_hmac_add(&sum, (const uint8_t *)bytes + len / 2, len - len / 2);
	w_hmac_end(&sum, out);
}

static void
the_published_keyed_examples_come_out(void **state)
{
	static const struct {
		uint8_t key; /* repeated; 0: key_text */
		size_t key_len;
		const char *key_text;
		uint8_t byte; /* repeated 50 times; 0: text */
		const char *text;
		const char *sum;
	} cases[] = {
	    {0x0b, 20, NULL, 0, "Hi There",
		"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32"
		"cff7"},
	    {0, 4, "Jefe", 0, "what do ya want for nothing?",
		"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec"
		"3843"},
	    {0xaa, 20, NULL, 0xdd, NULL,
		"773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced5"
		"65fe"},
	    {0xaa, 131, NULL, 0,
		"Test Using Larger Than Block-Size Key - Hash Key First",
		"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee3"
		"7f54"},
	    {0xaa, 131, NULL, 0,
		"This is a test using a larger than block-size key and a "
		"larger than block-size data. The key needs to be hashed "
		"before being used by the HMAC algorithm.",
		"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a"
		"35e2"},
	};
	uint8_t sum[W_SHA256_SIZE];
	uint8_t repeated[50];
	uint8_t key[131];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *plain = cases[i].text;

		memset(key, cases[i].key, sizeof(key));
		memset(repeated, cases[i].byte, sizeof(repeated));
		mac(cases[i].key == 0 ? (const void *)cases[i].key_text : key,
		    cases[i].key_len,
		    plain == NULL ? (const void *)repeated : plain,
		    plain == NULL ? sizeof(repeated) : strlen(plain), sum);
		expect_hex(sum, cases[i].sum);
	}
}

static void
keys_of_every_length_agree_with_another_library(void **state)
{
	uint8_t ours[W_SHA256_SIZE];
	uint8_t theirs[W_SHA256_SIZE];

	(void)state;
	for (int len = 1; len <= 200; len++) {
		mac(text, (size_t)len, text + len, (size_t)len * 7, ours);
		assert_non_null(HMAC(EVP_sha256(), text, len, text + len,
		    (size_t)len * 7, theirs, NULL));
		assert_memory_equal(ours, theirs, sizeof(ours));
	}
}

static void
a_prepared_key_serves_many_messages(void **state)
{
	uint8_t sums[2][W_SHA256_SIZE];
	struct w_hmac_key key;

	(void)state;
	w_hmac_key_init(&key, text, W_SHA256_KEY_SIZE);
	for (int i = 0; i < 2; i++) {
		struct w_hmac sum;

		w_hmac_init(&sum, &key);
		w_hmac_add(&sum, text, 600);
		w_hmac_end(&sum, sums[i]);
	}
	assert_memory_equal(sums[0], sums[1], sizeof(sums[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_published_examples_come_out),
	    cmocka_unit_test(a_million_times_the_same_letter_comes_out),
	    cmocka_unit_test(every_length_agrees_with_another_library),
	    cmocka_unit_test(how_the_bytes_are_split_does_not_matter),
	    cmocka_unit_test(every_way_of_this_processor_mixes_alike),
	    cmocka_unit_test(every_way_agrees_with_another_library),
	    cmocka_unit_test(the_last_way_is_there_on_every_processor),
	    cmocka_unit_test(threads_may_sum_at_once),
	    cmocka_unit_test(the_published_keyed_examples_come_out),
	    cmocka_unit_test(keys_of_every_length_agree_with_another_library),
	    cmocka_unit_test(a_prepared_key_serves_many_messages),
	};
	return cmocka_run_group_tests(tests, fill, NULL);
}
