/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "log_check.h"
#include "os/loop.h"

static void
the_first_line_names_the_file_and_its_chain(void **state)
{
	struct log_seen seen = {0};
	size_t len;

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 2);
	assert_int_equal(seen.files, 1);
	char *bytes = log_slurp(*state, "trail-000001.jsonl", &len);
	assert_non_null(
	    strstr(bytes, "\"kind\":\"segment\",\"format\":1,\"file\":1,"
			  "\"chain\":\"sha256\",\"key\":null,\"host\":\""));
	free(bytes);
}

static void
nothing_is_found_where_all_is_well(void **state)
{
	struct log_seen seen = {0};

	for (unsigned i = 0; i < 5; i++) {
		struct w_log *log = log_open(*state, NULL);
		log_add(log, 3);
		assert_null(w_log_repair_note(log));
		w_log_close(log);
	}
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 16);
	assert_int_equal(seen.recoveries, 0);
}

static void
no_umask_takes_the_owners_rights(void **state)
{
	static const char *const names[] = {
	    "log", "log/head", "log/trail-000001.jsonl"};
	struct temp *temp = *state;
	struct stat st;
	mode_t before = umask(0777);

	struct w_log *log = NULL;
	assert_int_equal(
	    w_log_open(temp_path(temp, "log"),
		&(const struct w_log_options){.name = "trail"}, &log, NULL),
	    WRIT_OK);
	log_add(log, 1);
	w_log_close(log);
	(void)umask(before);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(fstatat(temp->fd, names[i], &st, 0), 0);
		assert_int_equal(st.st_mode & 0777, i == 0 ? 0700 : 0600);
	}
}

/* As an ordinary user: root may open it for writing, which does not block. */
static void
a_fifo_in_place_of_a_file_that_is_done_is_refused_at_once(void **state)
{
	struct temp *temp = *state;
	int status;

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	w_log_close(log);
	assert_int_equal(unlinkat(temp->fd, "trail-000001.jsonl", 0), 0);
	assert_int_equal(mkfifoat(temp->fd, "trail-000001.jsonl", 0400), 0);
	if (geteuid() == 0) {
		assert_int_equal(fchown(temp->fd, 65534, 65534), 0);
		for (const char *const *name = (const char *const[]){"head",
			 "trail-000001.jsonl", NULL};
		     *name != NULL; name++)
			assert_int_equal(
			    fchownat(temp->fd, *name, 65534, 65534, 0), 0);
	}
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct w_log *other = NULL;

		if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
			_exit(2);
		(void)alarm(10);
		_exit(w_log_open(temp->path,
			  &(const struct w_log_options){.name = "trail"},
			  &other, NULL) == WRIT_E_INVALID
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* sha256sum(1) must give the same hash for each line. */
static void
check_with_sha256sum(void *ctx, const char *line, size_t len)
{
	const struct temp *temp = ctx;
	char command[600];
	char said[65] = "";

	(void)unlinkat(temp->fd, "covered", 0);
	temp_bytes(temp, "covered", 0600, line, len - 75);
	(void)snprintf(command, sizeof(command), "sha256sum <%s",
	    temp_path(temp, "covered"));
	FILE *sum = popen(command, "re");
	assert_non_null(sum);
	assert_int_equal(fread(said, 1, 64, sum), 64);
	assert_int_equal(pclose(sum), 0);
	assert_memory_equal(said, line + len - 66, 64);
}

static void
the_hashes_are_those_of_sha256sum(void **state)
{
	struct log_seen seen = {.on_line = check_with_sha256sum, .ctx = *state};

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 4);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 5);
}

static void
a_mark_leads_to_its_line(void **state)
{
	struct w_log_mark mark;
	writ_error err = {0};
	char expected[64];
	size_t len;

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 2);
	assert_int_equal(
	    w_log_append(log, "\"kind\":\"x\"", 10, W_LOG_ENDS, &mark, &err),
	    WRIT_OK);
	log_add(log, 2);
	w_log_close(log);
	assert_int_equal(mark.seq, 4);
	assert_int_equal(mark.segment, 1);
	char *bytes = log_slurp(*state, "trail-000001.jsonl", &len);
	const char *line = bytes + mark.offset;
	assert_memory_equal(line, "{\"seq\":4,", 9);
	(void)snprintf(
	    expected, sizeof(expected), "\"kind\":\"x\",\"hash\":\"");
	const char *hash = strstr(line, expected) + strlen(expected);
	assert_memory_equal(hash, mark.hash, W_SHA256_HEX);
	free(bytes);
}

static void
a_full_file_is_sealed_and_the_next_one_begun(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_BATCH, .segment_max = 4000};
	struct log_seen seen = {0};
	struct stat st;
	size_t len;

	/* By one writer for all lines, and by one for each line. */
	struct w_log *log = log_open(*state, &options);
	log_add(log, 40);
	w_log_close(log);
	for (unsigned i = 0; i < 40; i++) {
		log = log_open(*state, &options);
		log_add(log, 1);
		assert_null(w_log_repair_note(log));
		w_log_close(log);
	}
	log_check(*state, &seen);
	assert_true(seen.files >= 5);
	assert_int_equal(seen.lines, 80 + seen.files + seen.files - 1);
	assert_int_equal(stat(temp_path(*state, "trail-000001.jsonl"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0400);
	assert_true(st.st_size <= 4000 + 400);
	assert_true(st.st_blocks * 512 <= 8192);
	char *bytes = log_slurp(*state, "trail-000001.jsonl", &len);
	assert_non_null(
	    strstr(bytes, "\"kind\":\"seal\",\"next\":\"trail-000002.jsonl\""));
	free(bytes);
}

static void
a_writer_that_slept_goes_on_at_the_end(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_NONE, .segment_max = 3000};
	struct log_seen seen = {0};

	struct w_log *sleeper = log_open(*state, &options);
	log_add(sleeper, 1);
	struct w_log *other = log_open(*state, &options);
	log_add(other, 300);
	log_add(sleeper, 1);
	log_add(other, 1);
	assert_null(w_log_repair_note(sleeper));
	assert_null(w_log_repair_note(other));
	w_log_close(sleeper);
	w_log_close(other);
	log_check(*state, &seen);
	assert_true(seen.files > 20);
}

static void
a_line_longer_than_a_file_has_one_for_itself(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_BATCH, .segment_max = 4000};
	struct log_seen seen = {0};
	writ_error err = {0};
	const size_t len = 300000;
	char *payload = malloc(len + 1);

	assert_non_null(payload);
	(void)snprintf(payload, len, "\"kind\":\"big\",\"text\":\"");
	memset(payload + strlen(payload), 'x', len - strlen(payload));
	payload[len - 1] = '"';
	payload[len] = '\0';
	struct w_log *log = log_open(*state, &options);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(
		    w_log_append(log, payload, len, W_LOG_BEGINS, NULL, &err),
		    WRIT_OK);
		/* Read back by a new writer. */
		w_log_close(log);
		log = log_open(*state, &options);
	}
	log_add(log, 1);
	w_log_close(log);
	free(payload);
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 0);
	assert_int_equal(seen.files, 4);
}

static void
what_is_no_record_is_refused(void **state)
{
	static const char *const bad[] = {
	    "", "\"run\":1", "\"kind\":\"a\",\n\"b\":1"};
	writ_error err = {0};
	struct log_seen seen = {0};

	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(w_log_append(log, bad[i], strlen(bad[i]),
				     W_LOG_BEGINS, NULL, &err),
		    WRIT_E_INTERNAL);
	assert_int_equal(
	    w_log_append(log, bad[0], W_LOG_LINE_MAX, W_LOG_BEGINS, NULL, &err),
	    WRIT_E_INVALID);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.lines, 2);
}

static void
a_directory_is_made_for_the_owner_alone(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_SYNC};
	const struct temp *temp = *state;
	struct stat st;
	struct w_log *log;
	writ_error err = {0};
	const mode_t mask = umask(0);

	assert_int_equal(
	    w_log_open(temp_path(temp, "c/d"), &options, &log, &err), WRIT_OK);
	log_add(log, 1);
	(void)umask(mask);
	w_log_close(log);
	assert_int_equal(stat(temp_path(temp, "c/d"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(
	    stat(temp_path(temp, "c/d/trail-000001.jsonl"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(temp_path(temp, "c/d/head"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void
a_log_that_must_exist_is_not_made(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .must_exist = true};
	struct w_log *log;
	writ_error err = {0};

	assert_int_equal(
	    w_log_open(temp_path(*state, "none"), &options, &log, &err),
	    WRIT_E_NOTFOUND);
	assert_false(temp_has(*state, "none"));
	temp_dir(*state, "empty");
	assert_int_equal(
	    w_log_open(temp_path(*state, "empty"), &options, &log, &err),
	    WRIT_E_NOTFOUND);
	log = log_open(*state, NULL);
	log_add(log, 1);
	w_log_close(log);
	log = log_open(*state, &options);
	log_add(log, 1);
	w_log_close(log);
}

/* Opening the log fails with this in the message. */
static void
assert_refused(const struct temp *temp, const char *dir, const char *text)
{
	const struct w_log_options options = {.name = "trail"};
	struct w_log *log;
	writ_error err = {0};

	assert_int_equal(w_log_open(temp_path(temp, dir), &options, &log, &err),
	    WRIT_E_INVALID);
	if (strstr(err.message, text) == NULL)
		fail_msg("'%s' is not in '%s'", text, err.message);
}

static void
what_others_could_write_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_dir(temp, "open");
	assert_int_equal(chmod(temp_path(temp, "open"), 0770), 0);
	assert_refused(temp, "open", "can be written by others");

	temp_dir(temp, "file");
	temp_file(temp, "file/trail-000001.jsonl", 0602, "");
	assert_refused(
	    temp, "file", "/trail-000001.jsonl' can be written by others");

	temp_dir(temp, "head");
	temp_file(temp, "head/head", 0620, "");
	assert_refused(temp, "head", "/head' can be written by others");

	temp_dir(temp, "names");
	temp_file(temp, "names/trail-000001.jsonl", 0600, "");
	assert_int_equal(link(temp_path(temp, "names/trail-000001.jsonl"),
			     temp_path(temp, "names/second")),
	    0);
	assert_refused(temp, "names", "has a second name");
}

static void
links_and_things_that_are_no_files_are_refused(void **state)
{
	const struct temp *temp = *state;
	const struct w_log_options options = {.name = "trail"};
	struct w_log *log;
	writ_error err = {0};

	temp_dir(temp, "real");
	temp_link(temp, "real", "link");
	assert_refused(temp, "link", "/link'");
	temp_file(temp, "plain", 0600, "");
	assert_refused(temp, "plain", "/plain'");

	temp_dir(temp, "fifo");
	assert_int_equal(
	    mkfifo(temp_path(temp, "fifo/trail-000001.jsonl"), 0600), 0);
	assert_refused(temp, "fifo", "is not a plain file");

	temp_dir(temp, "soft");
	temp_file(temp, "target", 0600, "keep");
	temp_link(temp, "../target", "soft/trail-000001.jsonl");
	assert_int_equal(
	    w_log_open(temp_path(temp, "soft"), &options, &log, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ELOOP);
}

static void
what_belongs_to_another_user_is_refused(void **state)
{
	const struct temp *temp = *state;

	if (geteuid() != 0)
		skip();
	temp_dir(temp, "alien");
	assert_int_equal(chown(temp_path(temp, "alien"), 65534, 65534), 0);
	assert_refused(temp, "alien", "belongs to user 65534");
	temp_dir(temp, "file");
	temp_file(temp, "file/trail-000001.jsonl", 0600, "");
	assert_int_equal(
	    chown(temp_path(temp, "file/trail-000001.jsonl"), 65534, 65534), 0);
	assert_refused(temp, "file", "belongs to user 65534");
}

static void
a_deleted_log_is_begun_again(void **state)
{
	struct log_seen seen = {0};
	struct temp below = {.fd = -1};

	struct w_log *log;
	const struct w_log_options options = {.name = "trail"};
	(void)snprintf(
	    below.path, sizeof(below.path), "%s", temp_path(*state, "log"));
	log = log_open(&below, &options);
	log_add(log, 3);
	assert_int_equal(unlink(temp_path(&below, "trail-000001.jsonl")), 0);
	assert_int_equal(unlink(temp_path(&below, "head")), 0);
	assert_int_equal(rmdir(below.path), 0);
	log_add(log, 3);
	w_log_close(log);
	below.fd = open(below.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(below.fd >= 0);
	log_check(&below, &seen);
	assert_int_equal(seen.lines, 4);
	(void)close(below.fd);
}

static void
a_deleted_head_costs_one_line(void **state)
{
	struct log_seen seen = {0};

	struct w_log *first = log_open(*state, NULL);
	log_add(first, 3);
	assert_int_equal(unlink(temp_path(*state, "head")), 0);
	struct w_log *second = log_open(*state, NULL);
	for (unsigned i = 0; i < 5; i++) {
		log_add(second, 1);
		log_add(first, 1);
	}
	w_log_close(first);
	w_log_close(second);
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 1);
	assert_non_null(strstr(
	    seen.recovery[0], "\"found\":\"unwitnessed\",\"head_seq\":0,"));
	assert_non_null(strstr(seen.recovery[0], "\"last_seq\":4,"));
}

static void
a_writer_that_was_stopped_is_named(void **state)
{
	const struct w_log_options options = {.name = "trail", .lock_ms = 500};
	writ_error err = {0};
	char named[32];
	int ready[2];
	char byte;

	struct w_log *log = log_open(*state, &options);
	log_add(log, 1);
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int fd = open(temp_path(*state, "trail-000001.jsonl"),
		    O_RDONLY | O_CLOEXEC);
		if (flock(fd, LOCK_EX) == 0 && write(ready[1], "x", 1) == 1)
			(void)raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(log_try(log, W_LOG_BEGINS, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, EWOULDBLOCK);
	(void)snprintf(named, sizeof(named), "process %d ", (int)pid);
	assert_non_null(strstr(err.message, named));
	/* The next wait is shorter. */
	uint64_t start_ns = w_now_ns();
	assert_int_equal(log_try(log, W_LOG_ENDS, &err), WRIT_E_SYSTEM);
	assert_true(w_now_ns() - start_ns < 400 * W_NS_PER_MS);
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	log_add(log, 1);
	w_log_close(log);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

/* In a separate process, which SIGXFSZ would kill. */
static int
write_within(const struct temp *temp, rlim_t bytes)
{
	const struct rlimit limit = {bytes, RLIM_INFINITY};
	const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
	writ_error err = {0};
	writ_status status = WRIT_OK;

	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 1;
	struct w_log *log = log_open(temp, NULL);
	for (unsigned i = 0; i < 100 && status == WRIT_OK; i++)
		status = log_try(log, W_LOG_BEGINS, &err);
	if (status != WRIT_E_SYSTEM || err.sys_errno != EFBIG)
		return 2;
	/* A run that began can still record its end. */
	if (bytes > 6000 && log_try(log, W_LOG_ENDS, &err) != WRIT_OK)
		return 5;
	if (setrlimit(RLIMIT_FSIZE, &none) != 0)
		return 3;
	status = log_try(log, W_LOG_BEGINS, &err);
	w_log_close(log);
	return status == WRIT_OK ? 0 : 4;
}

static void
a_limit_on_file_sizes_refuses_and_kills_nobody(void **state)
{
	struct log_seen seen = {0};

	for (rlim_t bytes = 0; bytes < 32000;
	     bytes += bytes < 4000 ? 250 : 9000) {
		int status;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			_exit(write_within(*state, bytes));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 0);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(the_first_line_names_the_file_and_its_chain),
	    CASE(nothing_is_found_where_all_is_well),
	    CASE(no_umask_takes_the_owners_rights),
	    CASE(a_fifo_in_place_of_a_file_that_is_done_is_refused_at_once),
	    CASE(the_hashes_are_those_of_sha256sum),
	    CASE(a_mark_leads_to_its_line),
	    CASE(a_full_file_is_sealed_and_the_next_one_begun),
	    CASE(a_writer_that_slept_goes_on_at_the_end),
	    CASE(a_line_longer_than_a_file_has_one_for_itself),
	    CASE(what_is_no_record_is_refused),
	    CASE(a_directory_is_made_for_the_owner_alone),
	    CASE(a_log_that_must_exist_is_not_made),
	    CASE(what_others_could_write_is_refused),
	    CASE(links_and_things_that_are_no_files_are_refused),
	    CASE(what_belongs_to_another_user_is_refused),
	    CASE(a_deleted_log_is_begun_again),
	    CASE(a_deleted_head_costs_one_line),
	    CASE(a_writer_that_was_stopped_is_named),
	    CASE(a_limit_on_file_sizes_refuses_and_kills_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
