/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_SIGNED_TOKEN_H
#define W_MCP_SIGNED_TOKEN_H

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
#define W_MCP_TOKEN_NONCE 16

struct w_mcp_token_signer {
	struct w_hmac_key key;
};

struct w_mcp_token {
	char approval[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	uint64_t until_ms; /* since 1970 */
	uint8_t nonce[W_MCP_TOKEN_NONCE];
};

/* Makes a key. false: the machine has no random numbers. */
bool w_mcp_token_signer_init(struct w_mcp_token_signer *signer);
bool w_mcp_token_nonce(uint8_t out[W_MCP_TOKEN_NONCE]);

/* Appends it, in base64url. */
void w_mcp_token_add(struct w_buf *buf, const struct w_mcp_token_signer *signer,
    const struct w_mcp_token *token);

/* false: it is not one of this sealer, as it was made. */
bool w_mcp_token_verify(const struct w_mcp_token_signer *signer,
    const char *text, size_t len, struct w_mcp_token *out_token);

/*
 * What makes a call that call: its method and its parameters, whatever order
 * their members are in, without _meta and what is only there to answer a
 * question. false: no memory.
 */
bool w_tool_call_digest(
    const char *method, yyjson_val *params, uint8_t out[W_SHA256_SIZE]);

#endif /* W_MCP_SIGNED_TOKEN_H */
