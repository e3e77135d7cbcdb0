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
 * The token that a client returns with the answer to a question: the approval's
 * id, a digest of the call, the expiry and a nonce, signed with a key that only
 * this process has. A client can read one but not forge one.
 */
#define W_MCP_TOKEN_NONCE 16

struct w_mcp_token_signer {
	struct w_hmac_key key;
};

struct w_mcp_token {
	char approval[WRIT_APPROVAL_ID_LEN + 1];
	uint8_t call[W_SHA256_SIZE];
	uint64_t until_ms; /* Unix time */
	uint8_t nonce[W_MCP_TOKEN_NONCE];
};

/* Creates a key. false: no random numbers. */
bool w_mcp_token_signer_init(struct w_mcp_token_signer *signer);
bool w_mcp_token_nonce(uint8_t out[W_MCP_TOKEN_NONCE]);

/* Appends the token, in base64url. */
void w_mcp_token_add(struct w_buf *buf, const struct w_mcp_token_signer *signer,
    const struct w_mcp_token *token);

/* false: not a token of this signer, or altered. */
bool w_mcp_token_verify(const struct w_mcp_token_signer *signer,
    const char *text, size_t len, struct w_mcp_token *out_token);

/*
 * Digest of a call: its method and params, in any member order, without _meta
 * and the members that only answer a question. false: no memory.
 */
bool w_tool_call_digest(
    const char *method, yyjson_val *params, uint8_t out[W_SHA256_SIZE]);

#endif /* W_MCP_SIGNED_TOKEN_H */
