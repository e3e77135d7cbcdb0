/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_INJECT_H
#define W_TEST_INJECT_H

#include <stdbool.h>

/*
 * Makes chosen calls of a function fail.
 *
 * The linker sends every call that libwrit makes to the functions in inject.c
 * (--wrap), which pass it on or refuse it. All functions that allocate count
 * as one, called "allocation".
 */

/* From the first-th call of the function on (counted from 1), count calls
 * fail with this errno. Counting starts anew. */
void inject_arm(
    const char *function, unsigned first, unsigned count, int error);

/* No more failures. true: at least one call was refused since the arming. */
bool inject_disarm(void);

/* The private directory that was made last; empty: none as yet. */
const char *inject_private_dir(void);

#endif /* W_TEST_INJECT_H */
