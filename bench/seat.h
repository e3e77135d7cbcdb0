/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SEAT_H
#define BENCH_SEAT_H

#include "bench.h"

/* Starts the process of a seat, above the other programs of the machine if
 * that is asked for and allowed; seat->absent says why when it cannot. */
void seat_open(struct seat *seat, bool is_real_time);

/* Has one sample taken there. */
struct sample seat_ask(const struct seat *seat, const struct variant *variant);

void seat_close(struct seat *seat);

#endif /* BENCH_SEAT_H */
