/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_RECORDING_FORMAT_H
#define W_LOG_RECORDING_FORMAT_H

#include <stdint.h>

/* Constants of the format that recording.h describes. */
enum {
	W_RECORDING_HEADER = 8,
	W_RECORDING_PIECE_MAX = 65536
};

#define W_RECORDING_STDERR (UINT32_C(1) << 31)

#endif /* W_LOG_RECORDING_FORMAT_H */
