/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_OWN_STATE_H
#define W_TEST_OWN_STATE_H

/* A state directory for the whole test program, so that its runs leave no
 * record in the machine's own. It is made before main() and goes after it. */

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char own_state[256];
static pid_t own_state_pid;

__attribute__((constructor)) static void
own_state_open(void)
{
	const char *base = getenv("TMPDIR");

	(void)snprintf(own_state, sizeof(own_state), "%.200s/writ-state-XXXXXX",
	    base == NULL || base[0] != '/' ? "/tmp" : base);
	if (mkdtemp(own_state) == NULL)
		abort();
	own_state_pid = getpid();
	(void)setenv("WRIT_STATE_DIR", own_state, 1);
}

static inline int
own_state_remove(
    const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

__attribute__((destructor)) static void
own_state_close(void)
{
	if (getpid() == own_state_pid)
		(void)nftw(
		    own_state, own_state_remove, 16, FTW_PHYS | FTW_DEPTH);
}

#endif /* W_TEST_OWN_STATE_H */
