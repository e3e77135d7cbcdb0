/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_CLONE_H
#define W_OS_CLONE_H

#include <stddef.h>

struct clone_args;

/*
 * clone3() with CLONE_VM: the child runs fn(arg) on the stack given in args, in
 * the memory of its parent. If fn returns, its value is the exit status.
 * Returns the pid or a negative errno.
 *
 * The caller blocks every signal around it, so that no handler can run in the
 * child on shared memory; with CLONE_VFORK it sleeps until the child has
 * executed a program or exited.
 */
long w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg);

#endif /* W_OS_CLONE_H */
