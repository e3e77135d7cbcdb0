/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELPER_FILE_H
#define W_RUN_HELPER_FILE_H

#include "base/error.h"

/* Puts the helper program into a sealed memfd, so that nobody can change what
 * runs. */
writ_status w_helper_open(int *out_fd, writ_error *err);

/* The same for the relay of a session with hosts. */
writ_status w_relay_open(int *out_fd, writ_error *err);

#endif /* W_RUN_HELPER_FILE_H */
