/* SPDX-License-Identifier: Apache-2.0 */
#include "filing.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

/* Files that are changed by who is killed at any moment, and in directories
 * where somebody swaps names. */

/* ---- killed at any moment ---- */

enum {
	KILLS = 60,
	BIG = 200000
};

static char big[2][BIG];

/* Replaces the file by one and the other, and says so, until it is killed. */
static void
change_for_ever(struct filing *filing, int pipe_fd)
{
	for (unsigned i = 0;; i++) {
		about(filing, "f")->content = big[i % 2];
		filing->request.content_len = BIG;
		filing->request.mode = WRIT_FILE_MODE(i % 2 ? 0640 : 0604);
		if (do_file(filing) != WRIT_OK || write(pipe_fd, "x", 1) != 1)
			_exit(1);
	}
}

/* Lets it come so far, and then not to an end. */
static void
kill_after(pid_t pid, int pipe_fd, unsigned changes, unsigned spin)
{
	char byte;
	int status;

	for (unsigned i = 0; i < changes; i++)
		assert_int_equal(read(pipe_fd, &byte, 1), 1);
	for (volatile unsigned i = 0; i < spin; i++)
		;
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static void
assert_whole(const struct filing *filing)
{
	static char got[BIG + 1];
	int fd = openat(filing->temp.fd, "d/f", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, got + len, sizeof(got) - len)) > 0)
		len += (size_t)n;
	(void)close(fd);
	assert_int_equal(len, BIG);
	const int which = got[0] == 'b';
	assert_memory_equal(got, big[which], BIG);
	assert_int_equal(mode_of(filing, "d/f"), which ? 0640 : 0604);
}

static void
a_kill_leaves_the_old_file_or_the_new(void **state)
{
	struct filing *filing = *state;

	memset(big[0], 'a', BIG);
	memset(big[1], 'b', BIG);
	writ_engine_free(filing->engine);
	filing->engine = NULL;
	for (unsigned i = 0; i < KILLS; i++) {
		int ends[2];

		assert_int_equal(pipe(ends), 0);
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			filing_engine(filing, "manifest");
			change_for_ever(filing, ends[1]);
		}
		(void)close(ends[1]);
		kill_after(pid, ends[0], 1 + i % 3, i * 20011);
		(void)close(ends[0]);
		assert_whole(filing);
	}
	filing_engine(filing, "manifest");
}

/* ---- names that are swapped ---- */

enum {
	SWAPS = 1500
};

struct swapper {
	int dir_fd;
	const char *names[2];
	atomic_bool is_over;
};

static void *
swap(void *ctx)
{
	struct swapper *swapper = ctx;

	while (!atomic_load_explicit(&swapper->is_over, memory_order_relaxed))
		(void)renameat2(swapper->dir_fd, swapper->names[0],
		    swapper->dir_fd, swapper->names[1], RENAME_EXCHANGE);
	return NULL;
}

/* While a directory on the way is exchanged for a link of somebody else's,
 * nothing is ever written where that leads to. */
static void
a_swapped_link_leads_nowhere(void **state)
{
	struct filing *filing = *state;
	struct swapper swapper = {
	    .dir_fd = filing->temp.fd, .names = {"d/x", "d/y"}};
	pthread_t thread;
	unsigned changed = 0;

	temp_dir(&filing->temp, "victim");
	temp_dir(&filing->temp, "d/x");
	temp_link(&filing->temp, "../victim", "d/y");
	assert_int_equal(fchmodat(filing->temp.fd, "d", 0777, 0), 0);
	assert_int_equal(pthread_create(&thread, NULL, swap, &swapper), 0);
	for (unsigned i = 0; i < SWAPS; i++) {
		(void)about(filing, "x/f");
		with_content(filing, i % 2 ? "a" : "b");
		changed += do_file(filing) == WRIT_OK;
	}
	atomic_store_explicit(&swapper.is_over, true, memory_order_relaxed);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(entries(filing, "victim"), 0);
	assert_true(changed > 0);
}

/* Likewise at the end of the path: neither content nor rights of what a link
 * leads to change. */
static void
what_a_swapped_name_leads_to_stays(void **state)
{
	struct filing *filing = *state;
	struct swapper swapper = {
	    .dir_fd = filing->temp.fd, .names = {"d/f", "d/g"}};
	pthread_t thread;

	temp_file(&filing->temp, "victim", 0600, "mine");
	temp_file(&filing->temp, "d/f", 0600, "x");
	temp_link(&filing->temp, "../victim", "d/g");
	assert_int_equal(pthread_create(&thread, NULL, swap, &swapper), 0);
	for (unsigned i = 0; i < SWAPS; i++) {
		about(filing, "f")->mode = WRIT_FILE_MODE(i % 2 ? 0644 : 0666);
		if (i % 16 == 15)
			with_content(filing, i % 32 == 15 ? "a" : "b");
		(void)do_file(filing);
		if (i % 16 != 15)
			continue;
		/* A link was replaced by a file. */
		(void)unlinkat(filing->temp.fd, "d/g", 0);
		assert_true(
		    symlinkat("../victim", filing->temp.fd, "d/g") == 0 ||
		    errno == EEXIST);
	}
	atomic_store_explicit(&swapper.is_over, true, memory_order_relaxed);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_text(filing, "victim", "mine");
	assert_int_equal(mode_of(filing, "victim"), 0600);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FILING(a_kill_leaves_the_old_file_or_the_new),
	    FILING(a_swapped_link_leads_nowhere),
	    FILING(what_a_swapped_name_leads_to_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
