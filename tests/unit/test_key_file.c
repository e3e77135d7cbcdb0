/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/wait.h>

#include "audit/record/key_file.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static const char bytes32[] = "0123456789abcdef0123456789abcdef";

static writ_status
read_request(uint8_t key[W_SHA256_KEY_SIZE], writ_error *err)
{
	return w_audit_request_key_read(temp.path, key, err);
}

static void
a_key_is_made_once_and_stays(void **state)
{
	uint8_t first[W_SHA256_KEY_SIZE] = {0};
	uint8_t second[W_SHA256_KEY_SIZE] = {0};
	const uint8_t zeros[W_SHA256_KEY_SIZE] = {0};
	struct stat st;

	(void)state;
	assert_int_equal(read_request(first, NULL), WRIT_OK);
	assert_int_equal(read_request(second, NULL), WRIT_OK);
	assert_memory_equal(first, second, sizeof(first));
	assert_memory_not_equal(first, zeros, sizeof(first));
	assert_int_equal(fstatat(temp.fd, "request.key", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, W_SHA256_KEY_SIZE);
	assert_int_equal(st.st_nlink, 1);
}

/* Eight at once: all must get the same one. */
static void
who_comes_together_gets_the_same_key(void **state)
{
	uint8_t expected[W_SHA256_KEY_SIZE];
	pid_t pids[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		char name[16];
		uint8_t key[W_SHA256_KEY_SIZE];

		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] != 0)
			continue;
		(void)snprintf(name, sizeof(name), "got-%d", i);
		if (read_request(key, NULL) != WRIT_OK)
			_exit(1);
		int fd = openat(temp.fd, name, O_WRONLY | O_CREAT, 0600);
		_exit(write(fd, key, sizeof(key)) != (ssize_t)sizeof(key));
	}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(read_request(expected, NULL), WRIT_OK);
	for (int i = 0; i < 8; i++) {
		uint8_t key[W_SHA256_KEY_SIZE];
		char name[16];

		(void)snprintf(name, sizeof(name), "got-%d", i);
		int fd = openat(temp.fd, name, O_RDONLY);
		assert_int_equal(read(fd, key, sizeof(key)), sizeof(key));
		(void)close(fd);
		assert_memory_equal(key, expected, sizeof(key));
	}
}

static void
expect_refused(const char *message_part)
{
	uint8_t key[W_SHA256_KEY_SIZE] = {7};
	writ_error err = {.status = WRIT_OK};

	assert_int_equal(read_request(key, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, message_part));
	assert_string_equal(err.stage, "audit");
	assert_int_equal(key[0], 7);
}

static void
a_key_that_others_can_read_is_refused(void **state)
{
	(void)state;
	temp_bytes(&temp, "request.key", 0640, bytes32, 32);
	expect_refused("is open to others (mode 0640)");
}

static void
a_key_of_another_length_is_refused(void **state)
{
	(void)state;
	temp_bytes(&temp, "request.key", 0600, bytes32, 31);
	expect_refused("does not have 32 bytes");
	assert_int_equal(unlinkat(temp.fd, "request.key", 0), 0);
	temp_bytes(&temp, "request.key", 0600, "", 0);
	expect_refused("does not have 32 bytes");
}

static void
a_link_or_a_directory_is_no_key(void **state)
{
	uint8_t key[W_SHA256_KEY_SIZE];
	writ_error err;

	(void)state;
	temp_bytes(&temp, "elsewhere", 0600, bytes32, 32);
	temp_link(&temp, "elsewhere", "request.key");
	assert_int_equal(read_request(key, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ELOOP);
	assert_int_equal(unlinkat(temp.fd, "request.key", 0), 0);
	temp_dir(&temp, "request.key");
	expect_refused("is not a plain file");
}

static void
a_key_of_somebody_else_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	temp_bytes(&temp, "request.key", 0600, bytes32, 32);
	assert_int_equal(fchownat(temp.fd, "request.key", 65534, 65534, 0), 0);
	expect_refused("belongs to user 65534");
}

static void
a_directory_that_is_not_there_is_told(void **state)
{
	uint8_t key[W_SHA256_KEY_SIZE];
	writ_error err;

	(void)state;
	assert_int_equal(w_audit_request_key_read("/nonexistent/x", key, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
}

static void
a_chain_key_is_all_bytes_of_its_file(void **state)
{
	struct w_chain_key key;

	(void)state;
	temp_bytes(&temp, "chain", 0600, "0123456789abcde\n", 16);
	assert_int_equal(
	    w_chain_key_read(temp_path(&temp, "chain"), &key, NULL), WRIT_OK);
	assert_int_equal(key.len, 16);
	assert_memory_equal(key.bytes, "0123456789abcde\n", 16);
}

static void
a_chain_key_has_a_least_and_a_most(void **state)
{
	static char many[W_CHAIN_KEY_MAX + 1];
	struct w_chain_key key;
	writ_error err;

	(void)state;
	temp_bytes(&temp, "short", 0600, bytes32, 15);
	assert_int_equal(
	    w_chain_key_read(temp_path(&temp, "short"), &key, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.suggestion, "/dev/urandom"));
	temp_bytes(&temp, "most", 0600, many, W_CHAIN_KEY_MAX);
	assert_int_equal(
	    w_chain_key_read(temp_path(&temp, "most"), &key, NULL), WRIT_OK);
	temp_bytes(&temp, "long", 0600, many, sizeof(many));
	assert_int_equal(w_chain_key_read(temp_path(&temp, "long"), &key, NULL),
	    WRIT_E_INVALID);
	assert_int_equal(w_chain_key_read(temp_path(&temp, "none"), &key, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_non_null(strstr(err.suggestion, "--audit-key"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_key_is_made_once_and_stays),
	    TEST(who_comes_together_gets_the_same_key),
	    TEST(a_key_that_others_can_read_is_refused),
	    TEST(a_key_of_another_length_is_refused),
	    TEST(a_link_or_a_directory_is_no_key),
	    TEST(a_key_of_somebody_else_is_refused),
	    TEST(a_directory_that_is_not_there_is_told),
	    TEST(a_chain_key_is_all_bytes_of_its_file),
	    TEST(a_chain_key_has_a_least_and_a_most),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
