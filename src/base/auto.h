/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_AUTO_H
#define W_BASE_AUTO_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Scope-bound release. A variable marked W_AUTO_x must be initialized in its
 * declaration; ownership leaves the scope only through w_take_ptr/w_take_fd.
 */
#define W_AUTO_FREE __attribute__((cleanup(w_auto_free)))
#define W_AUTO_FD   __attribute__((cleanup(w_close)))

/* Closes *fd if open and marks it closed. Keeps errno. */
static inline void
w_close(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
	errno = saved;
}

static inline void
w_auto_free(void *slot)
{
	free(*(void **)slot);
}

static inline int
w_take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Hands out the pointer in a W_AUTO_FREE variable. */
#define w_take_ptr(slot)                                 \
	__extension__({                                  \
		__typeof__(*(slot)) *w_slot_ = (slot);   \
		__typeof__(*(slot)) w_taken_ = *w_slot_; \
		*w_slot_ = NULL;                         \
		w_taken_;                                \
	})

#endif /* W_BASE_AUTO_H */
