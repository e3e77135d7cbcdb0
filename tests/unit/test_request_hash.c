/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "audit/record/request_hash.h"
#include "base/hex.h"

static const uint8_t key_bytes[W_SHA256_KEY_SIZE] = {1, 2, 3};

struct hash {
	char hex[W_SHA256_HEX + 1];
};

static struct hash
hash_with(const uint8_t *bytes, const writ_request *request,
    const struct w_audit_request_facts *facts)
{
	struct w_hmac_key key;
	uint8_t out[W_SHA256_SIZE];
	struct hash hash;

	w_hmac_key_init(&key, bytes, W_SHA256_KEY_SIZE);
	w_audit_request_hash(&key, request, facts, out);
	w_hex_put(hash.hex, out, sizeof(out));
	hash.hex[W_SHA256_HEX] = '\0';
	return hash;
}

static struct hash
hash_of(const writ_request *request)
{
	return hash_with(key_bytes, request, NULL);
}

/* Outlives the function that uses it. */
#define LIST(...)                                                       \
	__extension__({                                                 \
		static const char *const list_[] = {__VA_ARGS__, NULL}; \
		list_;                                                  \
	})

/* Lives as long as the block; a static one in an initializer of several is
 * the same for all of them with clang 14. */
#define HERE(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
equal_requests_have_equal_hashes(void **state)
{
	static char word[] = "ls";
	writ_request one = WRIT_REQUEST_INIT;
	writ_request two = WRIT_REQUEST_INIT;

	(void)state;
	one.argv = LIST("ls", "-l");
	two.argv = LIST(word, "-l");
	two.trace_id = "another";
	two.output_ctx = &one;
	assert_string_equal(hash_of(&one).hex, hash_of(&two).hex);
}

static void
another_key_makes_another_hash(void **state)
{
	const uint8_t other[W_SHA256_KEY_SIZE] = {1, 2, 4};
	writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	request.argv = LIST("ls");
	assert_string_not_equal(
	    hash_of(&request).hex, hash_with(other, &request, NULL).hex);
}

enum {
	VARIANTS = 57
};

/* A request that differs from all others in one member. */
static writ_request
variant(int which)
{
	writ_request r = WRIT_REQUEST_INIT;

	r.argv = LIST("ab", "c");
	switch (which) {
	case 0:
		break;
	case 1:
		r.argv = LIST("a", "bc");
		break;
	case 2:
		r.argv = LIST("abc");
		break;
	case 3:
		r.argv = LIST("ab", "c", "");
		break;
	case 4:
		r.argv = NULL;
		break;
	case 5:
		r.shell = "ab c";
		break;
	case 6:
		r.shell = "";
		break;
	case 7:
		r.cwd = "/x";
		break;
	case 8:
		r.roots = LIST("/x");
		break;
	case 9:
		r.env_mode = WRIT_ENV_CLEAN;
		break;
	case 10:
		r.env = LIST("A=1");
		break;
	case 11:
		r.env = LIST("A=2");
		break;
	case 12:
		r.env_pass = LIST("A=1");
		break;
	case 13:
		r.env_drop = LIST("A=1");
		break;
	case 14:
		r.stdin_kind = WRIT_STDIN_DATA;
		break;
	case 15:
		r.stdin_kind = WRIT_STDIN_DATA;
		r.stdin_data = "x";
		r.stdin_len = 1;
		break;
	case 16:
		r.stdin_kind = WRIT_STDIN_FILE;
		r.stdin_path = "x";
		break;
	case 17:
		r.stdin_kind = WRIT_STDIN_PIPE;
		break;
	case 18:
		r.timeout_ms = 1;
		break;
	case 19:
		r.idle_timeout_ms = 1;
		break;
	case 20:
		r.grace_ms = 1;
		break;
	case 21:
		r.output_limit = 1;
		break;
	case 22:
		r.spill_limit = 1;
		break;
	case 23:
		r.max_output = 1;
		break;
	case 24:
		r.cpu_ms = 1;
		break;
	case 25:
		r.memory = 1;
		break;
	case 26:
		r.processes = 1;
		break;
	case 27:
		r.open_files = 1;
		break;
	case 28:
		r.file_size = 1;
		break;
	case 29:
		r.umask = WRIT_UMASK(0);
		break;
	case 30:
		r.nice = 1;
		break;
	case 31:
		r.nice = -1;
		break;
	case 32:
		r.user = "x";
		break;
	case 33:
		r.group = "x";
		break;
	case 34:
		r.background = WRIT_BACKGROUND_KEEP;
		break;
	case 35:
		r.hold = WRIT_HOLD_KEEPER;
		break;
	case 36:
		r.sandbox = "x";
		break;
	case 37:
		r.read = LIST("x");
		break;
	case 38:
		r.write = LIST("x");
		break;
	case 39:
		r.hide = LIST("x");
		break;
	case 40:
		r.network = WRIT_NETWORK_OFF;
		break;
	case 41:
		r.tmp_size = 1;
		break;
	case 42:
		r.best_effort = true;
		break;
	case 43:
		r.explain_denials = true;
		break;
	case 44:
		r.agent = "x";
		break;
	case 45:
		r.secrets = LIST("x");
		break;
	case 46:
		r.keep = 1;
		break;
	case 47:
		r.env = LIST("A=1", "B=2");
		break;
	case 48:
		r.env = LIST("A=1B=2");
		break;
	case 49:
		r.module = "x";
		break;
	case 50:
		r.pty = true;
		break;
	case 51:
		r.tmp = WRIT_TMP_DISK;
		break;
	case 52:
		r.undo = WRIT_UNDO_ON;
		break;
	case 53:
		r.hosts = LIST("a.example");
		break;
	case 54:
		r.network = WRIT_NETWORK_HOSTS;
		break;
	case 55:
		r.stays = true;
		break;
	default:
		r.hide = LIST("x", "y");
		break;
	}
	return r;
}

static void
every_member_makes_another_hash(void **state)
{
	static struct hash hashes[VARIANTS];

	(void)state;
	for (int i = 0; i < VARIANTS; i++) {
		const writ_request request = variant(i);

		hashes[i] = hash_of(&request);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(hashes[i].hex, hashes[j].hex);
	}
}

static struct hash
hash_of_facts(const struct w_audit_request_facts *facts)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = LIST("ls");
	return hash_with(key_bytes, &request, facts);
}

static void
what_became_of_the_names_counts(void **state)
{
	const struct w_audit_request_facts facts[] = {
	    {.program = "/bin/ls", .cwd = "/", .env = HERE("A=1", "B=2")},
	    {.program = "/bin/sl", .cwd = "/", .env = HERE("A=1", "B=2")},
	    {.program = "/bin/ls", .cwd = "/x", .env = HERE("A=1", "B=2")},
	    {.program = "/bin/ls", .cwd = "/", .env = HERE("A=1", "B=3")},
	    {.program = "/bin/ls", .cwd = "/", .env = HERE("A=1")},
	    {.program = "/bin/ls", .cwd = "/"},
	    {.program = "/bin/ls",
		.cwd = "/",
		.env = HERE("A=1", "B=2"),
		.uid = 1},
	    {.program = "/bin/ls",
		.cwd = "/",
		.env = HERE("A=1", "B=2"),
		.gid = 1},
	    {0},
	};
	const size_t n = sizeof(facts) / sizeof(*facts);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_string_not_equal(
		    hash_of_facts(&facts[i]).hex, hash_of_facts(NULL).hex);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(hash_of_facts(&facts[i]).hex,
			    hash_of_facts(&facts[j]).hex);
	}
}

static void
the_order_of_an_environment_means_nothing(void **state)
{
	const struct w_audit_request_facts one = {
	    .env = HERE("A=1", "B=2", "C=3")};
	const struct w_audit_request_facts two = {
	    .env = HERE("C=3", "A=1", "B=2")};

	(void)state;
	assert_string_equal(hash_of_facts(&one).hex, hash_of_facts(&two).hex);
}

static void
a_private_directory_counts_by_its_place_not_its_name(void **state)
{
	const struct w_audit_request_facts one = {
	    .env = HERE("HOME=/run/1/h"), .private_dir = "/run/1"};
	const struct w_audit_request_facts two = {
	    .env = HERE("HOME=/run/22/h"), .private_dir = "/run/22"};
	const struct w_audit_request_facts other = {
	    .env = HERE("HOME=/run/22/i"), .private_dir = "/run/22"};
	const struct w_audit_request_facts fixed = {.env = HERE("HOME=/h")};

	(void)state;
	assert_string_equal(hash_of_facts(&one).hex, hash_of_facts(&two).hex);
	assert_string_not_equal(
	    hash_of_facts(&one).hex, hash_of_facts(&other).hex);
	assert_string_not_equal(
	    hash_of_facts(&one).hex, hash_of_facts(&fixed).hex);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_requests_have_equal_hashes),
	    cmocka_unit_test(another_key_makes_another_hash),
	    cmocka_unit_test(every_member_makes_another_hash),
	    cmocka_unit_test(what_became_of_the_names_counts),
	    cmocka_unit_test(the_order_of_an_environment_means_nothing),
	    cmocka_unit_test(
		a_private_directory_counts_by_its_place_not_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
