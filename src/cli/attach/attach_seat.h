/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_SEAT_H
#define W_CLI_ATTACH_SEAT_H

#include <stdbool.h>

#include <writ/error.h>

enum w_attach_end {
	W_ATTACH_DETACHED, /* by its keys, a signal, or a hang-up */
	W_ATTACH_ENDED,    /* the run has: *out_exit is its exit status */
	W_ATTACH_LOST,     /* nobody is at the other end any more */
};

/*
 * Connects this terminal to the run at the other end of the socket, until one
 * of them leaves. The terminal is as before at the end. *out_exit of DETACHED:
 * 0, or 128 and the signal.
 */
writ_status w_attach_seat(int fd, bool is_read_only, bool is_raw,
    enum w_attach_end *out_end, int *out_exit, writ_error *err);

#endif /* W_CLI_ATTACH_SEAT_H */
