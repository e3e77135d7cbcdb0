/* SPDX-License-Identifier: Apache-2.0 */

/* What a process spec contains, read as a sandbox init reads it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "leftovers.h"
#include "run/helper/process_spec.h"
#include "run/launch/process_packet.h"
#include "temp.h"

static struct temp temp;
static struct w_program program;
static struct w_identity identity;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	program = (struct w_program){
	    .fd = open("/bin/sh", O_PATH | O_CLOEXEC), .path = temp.path};
	assert_true(program.fd >= 0);
	assert_int_equal(fstat(program.fd, &program.st), 0);
	identity = (struct w_identity){0};
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	int is_clean = count_fds() == fds_before;
	(void)close(program.fd);
	temp_close(&temp);
	return is_clean ? 0 : -1;
}

static char *const some_args[] = {
    (char[]){"sh"}, (char[]){""}, (char[]){"two words"}, NULL};
static char *const some_env[] = {(char[]){"A=1"}, NULL};

static struct w_launch
launch_of(char *const *argv, char *const *envp)
{
	return (struct w_launch){
	    .program = &program,
	    .argv = argv,
	    .envp = envp,
	    .cwd_fd = temp.fd,
	    .cwd = temp.path,
	    .program_path = "/usr/bin/dash",
	    .nice = -3,
	    .umask = 027,
	    .identity = &identity,
	};
}

static void
pack(const struct w_launch *launch, struct w_process_packet *out)
{
	const struct w_limit_group none = {0};
	writ_error err = {.message = ""};
	writ_status status = w_process_spec_pack(launch, &none, out, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(status, WRIT_OK);
}

static const struct w_process_spec *
spec_of(const struct w_process_packet *packet)
{
	return (const struct w_process_spec *)(const void *)packet->bytes.data;
}

static const char *
text_at(const struct w_process_spec *spec, uint64_t at)
{
	assert_true(at > 0 && at < spec->size);
	return (const char *)spec + at;
}

static void
expect_list(const struct w_process_spec *spec, uint64_t at, char *const *items)
{
	const uint64_t *offset =
	    (const uint64_t *)(const void *)text_at(spec, at);

	assert_int_equal(at % sizeof(*offset), 0);
	for (; *items != NULL; items++)
		assert_string_equal(text_at(spec, *offset++), *items);
	assert_int_equal(*offset, 0);
}

static void
an_order_says_what_was_asked_for(void **state)
{
	gid_t groups[] = {7, 70};
	struct w_launch launch = launch_of(some_args, some_env);
	struct w_process_packet packet;
	struct stat st;

	(void)state;
	identity = (struct w_identity){.is_set = true,
	    .uid = 5,
	    .gid = 6,
	    .groups = groups,
	    .group_count = 2};
	launch.wants_tmp = true;
	launch.limits[0] =
	    (struct w_child_limit){.resource = 7, .soft = 11, .hard = 12};
	launch.limit_count = 1;
	pack(&launch, &packet);
	const struct w_process_spec *spec = spec_of(&packet);
	assert_int_equal(spec->size, packet.bytes.len);
	assert_int_equal(packet.send_len, packet.bytes.len);
	assert_int_equal(packet.file_fd, -1);
	expect_list(spec, spec->argv, some_args);
	expect_list(spec, spec->envp, some_env);
	assert_string_equal(text_at(spec, spec->program), "/usr/bin/dash");
	assert_string_equal(text_at(spec, spec->cwd), temp.path);
	assert_int_equal(fstat(program.fd, &st), 0);
	assert_int_equal(spec->program_dev, st.st_dev);
	assert_int_equal(spec->program_ino, st.st_ino);
	assert_int_equal(fstat(temp.fd, &st), 0);
	assert_int_equal(spec->cwd_dev, st.st_dev);
	assert_int_equal(spec->cwd_ino, st.st_ino);
	assert_int_equal(spec->has_identity, 1);
	assert_int_equal(spec->uid, 5);
	assert_int_equal(spec->gid, 6);
	assert_int_equal(spec->group_count, 2);
	assert_memory_equal(
	    text_at(spec, spec->groups), groups, sizeof(groups));
	assert_int_equal(spec->limit_count, 1);
	assert_int_equal(spec->limits[0].resource, 7);
	assert_int_equal(spec->limits[0].soft, 11);
	assert_int_equal(spec->limits[0].hard, 12);
	assert_int_equal(spec->nice, -3);
	assert_int_equal(spec->umask, 027);
	assert_int_equal(spec->wants_tmp, 1);
	assert_int_equal(spec->has_files, 0);
	assert_int_equal(spec->is_in_file, 0);
	w_process_packet_done(&packet);
}

static void
a_script_goes_by_the_name_it_was_found_under(void **state)
{
	struct w_launch launch = launch_of(some_args, some_env);
	struct w_process_packet packet;

	(void)state;
	program.is_script = true;
	pack(&launch, &packet);
	const struct w_process_spec *spec = spec_of(&packet);
	assert_int_equal(spec->is_script, 1);
	assert_string_equal(text_at(spec, spec->program), temp.path);
	w_process_packet_done(&packet);
}

static void
without_a_view_files_come_as_descriptors(void **state)
{
	struct w_launch launch = launch_of(some_args, some_env);
	struct w_process_packet packet;

	(void)state;
	launch.program_path = NULL;
	launch.cwd = NULL;
	pack(&launch, &packet);
	const struct w_process_spec *spec = spec_of(&packet);
	assert_int_equal(spec->has_files, 1);
	assert_string_equal(text_at(spec, spec->program), "");
	assert_string_equal(text_at(spec, spec->cwd), "");
	w_process_packet_done(&packet);
}

static void
an_empty_environment_is_an_empty_list(void **state)
{
	static char *const none[] = {NULL};
	const struct w_launch launch = launch_of(some_args, none);
	struct w_process_packet packet;

	(void)state;
	pack(&launch, &packet);
	expect_list(spec_of(&packet), spec_of(&packet)->envp, none);
	w_process_packet_done(&packet);
}

static void
a_large_order_is_in_a_file(void **state)
{
	static char large[100001];
	char *const argv[] = {(char[]){"sh"}, large, NULL};
	const struct w_launch launch = launch_of(argv, some_env);
	struct w_process_packet packet;

	(void)state;
	memset(large, 'x', sizeof(large) - 1);
	pack(&launch, &packet);
	assert_int_equal(packet.send_len, sizeof(struct w_process_spec));
	assert_true(packet.file_fd >= W_FD_SAFE);
	assert_int_equal(fcntl(packet.file_fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(spec_of(&packet)->is_in_file, 1);
	size_t size = spec_of(&packet)->size;
	void *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, packet.file_fd, 0);
	assert_ptr_not_equal(at, MAP_FAILED);
	const struct w_process_spec *spec = at;
	assert_int_equal(spec->size, size);
	expect_list(spec, spec->argv, argv);
	expect_list(spec, spec->envp, some_env);
	(void)munmap(at, size);
	w_process_packet_done(&packet);
	assert_int_equal(packet.file_fd, -1);
}

/* The largest that fits into a message, and one more. */
static void
every_size_has_its_way(void **state)
{
	static char text[W_PROCESS_SPEC_INLINE];
	char *const argv[] = {text, NULL};
	const struct w_launch launch = launch_of(argv, some_env);
	int in_file = 0, in_message = 0;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (size_t len = sizeof(text) - 1200; len < sizeof(text); len += 8) {
		struct w_process_packet packet;

		text[len] = '\0';
		pack(&launch, &packet);
		text[len] = 'x';
		bool is_small = packet.bytes.len <= W_PROCESS_SPEC_INLINE;
		assert_int_equal(packet.file_fd < 0, is_small);
		in_message += is_small;
		in_file += !is_small;
		w_process_packet_done(&packet);
	}
	assert_true(in_file > 0 && in_message > 0);
}

/* 65 MB of arguments: no kernel accepts that. */
static void
too_much_of_everything_is_the_callers_mistake(void **state)
{
	enum {
		WORDS = 700
	};
	static char word[100001], name[] = "sh";
	static char *argv[WORDS + 1];
	const struct w_launch launch = launch_of(argv, some_env);
	const struct w_limit_group none = {0};
	struct w_process_packet packet;
	writ_error err = {0};

	(void)state;
	memset(word, 'x', sizeof(word) - 1);
	argv[0] = name;
	for (int i = 1; i < WORDS; i++)
		argv[i] = word;
	assert_int_equal(
	    w_process_spec_pack(&launch, &none, &packet, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "'sh' are too long"));
	assert_true(err.suggestion[0] != '\0');
}

static void
a_file_holds_what_it_was_given(void **state)
{
	char back[6] = "";

	(void)state;
	int fd = w_memfd_create("name", "bytes", 5);
	assert_true(fd >= W_FD_SAFE);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(pread(fd, back, sizeof(back), 0), 5);
	assert_string_equal(back, "bytes");
	(void)close(fd);
}

#define ORDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ORDER(an_order_says_what_was_asked_for),
	    ORDER(a_script_goes_by_the_name_it_was_found_under),
	    ORDER(without_a_view_files_come_as_descriptors),
	    ORDER(an_empty_environment_is_an_empty_list),
	    ORDER(a_large_order_is_in_a_file),
	    ORDER(every_size_has_its_way),
	    ORDER(too_much_of_everything_is_the_callers_mistake),
	    ORDER(a_file_holds_what_it_was_given),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
