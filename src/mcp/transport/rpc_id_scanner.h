/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_RPC_ID_SCANNER_H
#define W_MCP_RPC_ID_SCANNER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the id of a message that is too long to be kept: its bytes come piece
 * by piece, and only the value of the key "id" at the outermost level is kept.
 * It need not be valid JSON; then what is found may be anything.
 */
enum {
	W_RPC_ID_SCANNER_KEY = 8,    /* longer than any key that matters */
	W_RPC_ID_SCANNER_MAX = 8192, /* an id of 1024 characters, all escaped */
};

struct w_rpc_id_scanner {
	size_t depth;
	bool is_string;
	bool is_escaped;
	bool is_key;     /* the next string of the outermost level is a key */
	bool is_id;      /* the value that follows is the id */
	bool has_method; /* it is a request: others have no answer */
	bool is_spoilt;  /* a second id, or one that is too long */
	size_t key_len;
	size_t id_len;
	char key[W_RPC_ID_SCANNER_KEY];
	char id[W_RPC_ID_SCANNER_MAX]; /* its JSON, as it came */
};

void w_rpc_id_scanner_init(struct w_rpc_id_scanner *scanner);
void w_rpc_id_scanner_feed(
    struct w_rpc_id_scanner *scanner, const char *bytes, size_t len);

/* The JSON of the id of a request, yours. NULL: none, or no valid one. */
char *w_rpc_id_scanner_take(const struct w_rpc_id_scanner *scanner);

#endif /* W_MCP_RPC_ID_SCANNER_H */
