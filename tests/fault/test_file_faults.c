/* SPDX-License-Identifier: Apache-2.0 */
#include "../unit/filing.h"
#include "inject.h"

/*
 * Every call and every allocation of changing a file fails once. Then the file
 * is as it was, or as wanted, and there is nothing else in the directory.
 */

enum {
	TRIES_MAX = 3000
};

struct fault {
	const char *function;
	int error;
	bool may_be_unused;
};

static const struct fault faults[] = {
    {"allocation", ENOMEM, false},
    {"openat", EMFILE, false},
    {"open", EMFILE, true},
    {"write", ENOSPC, false},
    {"short write", ENOSPC, false},
    {"read", EIO, true},
    {"fsync", EIO, false},
    {"fchmod", EPERM, true},
    {"getrandom", EIO, false},
    {"renameat2", EACCES, true},
    {"openat2", ENOSYS, false},
};

/* What the file may be: text and mode, before and after. */
struct state {
	const char *text; /* NULL: there is none */
	mode_t mode;
};

static bool
is_in(const struct filing *filing, const struct state *state)
{
	char got[64] = "";
	int fd = openat(filing->temp.fd, "d/f", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || state->text == NULL)
		return fd < 0 && state->text == NULL;
	ssize_t n = read(fd, got, sizeof(got) - 1);
	(void)close(fd);
	return n >= 0 && strcmp(got, state->text) == 0 &&
	       mode_of(filing, "d/f") == state->mode;
}

static void
restore(const struct filing *filing, const struct state *before)
{
	(void)unlinkat(filing->temp.fd, "d/f", 0);
	if (before->text != NULL)
		temp_file(&filing->temp, "d/f", before->mode, before->text);
}

/* false: nothing was refused, so that all have been. */
static bool
fail_once(struct filing *filing, const struct fault *fault, unsigned nth,
    const struct state states[2])
{
	restore(filing, &states[0]);
	const int fds = count_fds();
	inject_arm(fault->function, nth, 1, fault->error);
	writ_status status = do_file(filing);
	const bool was_refused = inject_disarm();

	assert_int_equal(count_fds(), fds);
	if (status == WRIT_OK)
		assert_true(is_in(filing, &states[1]));
	else
		assert_true(filing->err.message[0] != '\0');
	if (!is_in(filing, &states[0]) && !is_in(filing, &states[1]))
		fail_msg("%s %u left something else", fault->function, nth);
	const int left = entries(filing, "d");
	if (left != temp_has(&filing->temp, "d/f"))
		fail_msg("%s %u left %d files", fault->function, nth, left);
	return was_refused;
}

static void
fail_each(struct filing *filing, const struct state states[2])
{
	/* What is opened once is open, and the descriptors can be counted. */
	restore(filing, &states[0]);
	done(filing);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		unsigned nth = 1;

		while (nth < TRIES_MAX &&
		       fail_once(filing, &faults[i], nth, states))
			nth++;
		if (nth == TRIES_MAX || (nth == 1 && !faults[i].may_be_unused))
			fail_msg("%s was called %u times", faults[i].function,
			    nth - 1);
	}
}

static void
a_failed_replacing_leaves_a_whole_file(void **state)
{
	struct filing *filing = *state;

	about(filing, "f")->mode = WRIT_FILE_MODE(0640);
	with_content(filing, "new\n");
	fail_each(filing, (struct state[]){{"old\n", 0604}, {"new\n", 0640}});
}

static void
a_failed_creating_leaves_nothing(void **state)
{
	struct filing *filing = *state;

	about(filing, "f")->mode = WRIT_FILE_MODE(0640);
	with_content(filing, "new\n");
	fail_each(filing, (struct state[]){{NULL, 0}, {"new\n", 0640}});
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FILING(a_failed_replacing_leaves_a_whole_file),
	    FILING(a_failed_creating_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
