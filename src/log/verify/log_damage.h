/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_DAMAGE_H
#define W_LOG_LOG_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where a line stops being the expected record: the first byte that is
 * impossible in record seq chained to prev (64 characters). seq 0 and prev "":
 * unknown. SIZE_MAX: the format is correct.
 */
size_t w_log_damage_find(
    const char *bytes, size_t len, uint64_t seq, const char *prev);

#endif /* W_LOG_LOG_DAMAGE_H */
