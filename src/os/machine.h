/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_MACHINE_H
#define W_OS_MACHINE_H

#include <stdint.h>

/* The machine's memory in bytes, without swap; 0: unknown. */
uint64_t w_machine_memory(void);

#endif /* W_OS_MACHINE_H */
