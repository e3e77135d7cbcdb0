/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_DAMAGE_H
#define W_LOG_LOG_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where a line stops being the record it should be: the first byte that
 * cannot stand in record seq when that is chained to prev (64 characters).
 * seq 0 and prev "" mean that these are not known. SIZE_MAX: its form does
 * not tell.
 */
size_t w_log_damage_find(
    const char *bytes, size_t len, uint64_t seq, const char *prev);

#endif /* W_LOG_LOG_DAMAGE_H */
