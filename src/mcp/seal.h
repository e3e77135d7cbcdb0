/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_SEAL_H
#define W_MCP_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/approval.h>
#include <yyjson.h>

#include "base/buf.h"
#include "base/sha256.h"

/*
 * What a client is given to bring back with the answer to a question: which
 * approval it is about, which call, until when, and a number that is used
 * once; sealed by a key that only this process has. A client can read it and
 * cannot make one.
 */
#define W_SEAL_NONCE 16

struct w_sealer {
	struct w_hmac_key key;
};

struct w_sealed {
	char approval[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	uint64_t until_ms; /* since 1970 */
	uint8_t nonce[W_SEAL_NONCE];
};

/* Makes a key. false: the machine has no random numbers. */
bool w_sealer_init(struct w_sealer *sealer);
bool w_seal_nonce(uint8_t out[W_SEAL_NONCE]);

/* Appends it, in base64url. */
void w_seal_add(struct w_buf *buf, const struct w_sealer *sealer,
    const struct w_sealed *sealed);

/* false: it is not one of this sealer, as it was made. */
bool w_seal_open(const struct w_sealer *sealer, const char *text, size_t len,
    struct w_sealed *out_sealed);

/*
 * What makes a call that call: its method and its parameters, whatever order
 * their members are in, without _meta and what is only there to answer a
 * question. false: no memory.
 */
bool w_seal_call(
    const char *method, yyjson_val *params, uint8_t out[W_SHA256_SIZE]);

#endif /* W_MCP_SEAL_H */
