/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_INSIDE_H
#define W_TEST_INSIDE_H

/* Runs a function in a child, for what a process cannot take back. Asserting
 * is for the parent: the child notes what it saw. */

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOTES = 64
};

struct notes {
	long saw[NOTES];
};

static inline struct notes *
notes_open(void)
{
	struct notes *notes = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(notes != MAP_FAILED);
	for (size_t i = 0; i < NOTES; i++)
		notes->saw[i] = -9999;
	return notes;
}

static inline void
notes_close(struct notes *notes)
{
	(void)munmap(notes, sizeof(*notes));
}

/* The status of waitpid(). */
static inline int
inside(void (*function)(struct notes *, void *), struct notes *notes, void *arg)
{
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		function(notes, arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

#endif /* W_TEST_INSIDE_H */
