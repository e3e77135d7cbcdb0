/* SPDX-License-Identifier: Apache-2.0 */

/* Objects of git, as git writes them: loose, and in packs with deltas. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/hex.h"
#include "temp.h"
#include "trigger/git_object.h"
#include "trigger/git_refs.h"
#include "trigger/inflate.h"

static struct temp temp;
static char project[300];

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "project");
	(void)snprintf(project, sizeof(project), "%s/project", temp.path);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

/* Runs a script in the project, with git but without its settings. */
static void
run(const char *script)
{
	char command[2048];

	const int len = snprintf(command, sizeof(command),
	    "cd '%s' && export GIT_CONFIG_GLOBAL=/dev/null "
	    "GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a "
	    "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a HOME=/ && %s",
	    project, script);
	assert_true(len > 0 && (size_t)len < sizeof(command));
	assert_int_equal(system(command), 0);
}

static bool
has_git(void)
{
	return system("git --version >/dev/null 2>&1") == 0;
}

/* Whether refs that are older than now hold the file. */
static bool
holds(const char *path)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec++;
	W_AUTO_FD int fd = open(project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct w_git_refs refs = {
	    .low_fd = fd, .upper_fd = -1, .before = now};
	assert_true(fd >= 0);
	return w_git_refs_hold(&refs, path, fd, path);
}

static void
history(void)
{
	run("git init -q -b main . && mkdir d && seq 400 >d/f && "
	    "printf x >d/program && chmod +x d/program && ln -s f d/link && "
	    "git add . && git commit -qm 1 && "
	    "for i in 1 2 3 4 5 6 7 8; do echo $i >>d/f; git commit -qam $i; "
	    "done && git tag -a -m t v1 && git checkout -q -b side && "
	    "echo side >d/f && git commit -qam side && git checkout -q main");
}

static void
check_history(void)
{
	assert_true(holds("d/f"));
	assert_true(holds("d/program"));
	assert_true(holds("d/link"));
	run("git show HEAD~6:d/f >d/f");
	assert_true(holds("d/f"));
	run("echo side >d/f");
	assert_true(holds("d/f"));
	run("echo other >d/f");
	assert_false(holds("d/f"));
	run("git checkout -q . && chmod -x d/program");
	assert_false(holds("d/program"));
	run("git checkout -q . && cp d/f g");
	assert_false(holds("g"));
	run("rm g");
}

static void
a_file_of_the_history_is_found_loose_and_packed(void **state)
{
	(void)state;
	if (!has_git())
		skip();
	history();
	check_history();
	run("git gc -q");
	check_history();
	/* An older form of the same packs. */
	run("git repack -adq --depth=50 --window=50 -f");
	check_history();
}

static void
a_ref_that_is_too_new_does_not_apply(void **state)
{
	(void)state;
	if (!has_git())
		skip();
	history();
	W_AUTO_FD int fd = open(project, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct w_git_refs refs = {
	    .low_fd = fd, .upper_fd = -1, .before = {.tv_sec = 1}};
	assert_false(w_git_refs_hold(&refs, "d/f", fd, "d/f"));
}

static void
without_a_repository_nothing_is_held(void **state)
{
	(void)state;
	temp_file(&temp, "project/f", 0600, "x");
	assert_false(holds("f"));
	assert_false(holds("missing"));
}

static void
damaged_objects_are_not_believed(void **state)
{
	(void)state;
	if (!has_git())
		skip();
	history();
	run("git gc -q");
	run("chmod u+w .git/objects/pack/*.pack && "
	    "for at in 13 40 80 200 300; do printf 'zzzz' | dd "
	    "of=$(echo .git/objects/pack/*.pack) bs=1 seek=$at conv=notrunc "
	    "2>/dev/null; done");
	assert_false(holds("d/f") && holds("d/program") && holds("d/link"));
	run("for f in .git/objects/pack/*.idx; do chmod u+w $f; : >$f; done");
	assert_false(holds("d/f"));
}

static void
names_are_those_of_git(void **state)
{
	struct w_git_id id;
	char hex[2 * W_SHA1_SIZE + 1] = "";

	(void)state;
	w_git_object_name(W_GIT_BLOB, "", 0, &id);
	w_hex_put(hex, id.bytes, W_SHA1_SIZE);
	assert_string_equal(hex, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
	w_git_object_name(W_GIT_BLOB, "hello\n", 6, &id);
	w_hex_put(hex, id.bytes, W_SHA1_SIZE);
	assert_string_equal(hex, "ce013625030ba8dba906f756967f9e9ca394464a");
}

static void
cut_data_does_not_inflate(void **state)
{
	/* zlib's "aaaaaaaaaa", with its checksum. */
	static const uint8_t whole[] = {
	    0x78, 0x9c, 0x4b, 0x4c, 0x84, 0x01, 0x00, 0x14, 0xe1, 0x03, 0xcb};
	W_AUTO_BUF struct w_buf out;

	(void)state;
	w_buf_init(&out, 64);
	assert_true(w_inflate(whole, sizeof(whole), &out));
	assert_int_equal(out.len, 10);
	assert_memory_equal(out.data, "aaaaaaaaaa", 10);
	for (size_t len = 0; len < sizeof(whole) - 4; len++) {
		out.len = 0;
		assert_false(w_inflate(whole, len, &out));
	}
	w_buf_done(&out);
	w_buf_init(&out, 9);
	assert_false(w_inflate(whole, sizeof(whole), &out));
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_file_of_the_history_is_found_loose_and_packed),
	    CASE(a_ref_that_is_too_new_does_not_apply),
	    CASE(without_a_repository_nothing_is_held),
	    CASE(damaged_objects_are_not_believed),
	    CASE(names_are_those_of_git),
	    CASE(cut_data_does_not_inflate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
