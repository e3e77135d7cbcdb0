/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds an id in a message that is never parsed: strings and nesting are
 * followed, nothing else. What it finds is parsed by itself before it is sent
 * back.
 */

#include "mcp/transport/rpc_id_scanner.h"

#include <string.h>

#include "mcp/protocol/rpc.h"

void
w_rpc_id_scanner_init(struct w_rpc_id_scanner *scanner)
{
	*scanner = (struct w_rpc_id_scanner){.depth = 0};
}

static bool
is_key_named(const struct w_rpc_id_scanner *scanner, const char *name)
{
	return scanner->key_len == strlen(name) &&
	       memcmp(scanner->key, name, scanner->key_len) == 0;
}

static void
keep_byte(struct w_rpc_id_scanner *scanner, char c)
{
	if (!scanner->is_id)
		return;
	if (scanner->id_len < sizeof(scanner->id))
		scanner->id[scanner->id_len++] = c;
	else
		scanner->is_spoilt = true;
}

/* Inside a string. */
static void
scan_string(struct w_rpc_id_scanner *scanner, char c)
{
	const bool is_outer_key = scanner->depth == 1 && scanner->is_key;

	keep_byte(scanner, c);
	if (scanner->is_escaped) {
		scanner->is_escaped = false;
	} else if (c == '\\') {
		scanner->is_escaped = true;
	} else if (c == '"') {
		scanner->is_string = false;
		return;
	}
	if (is_outer_key && scanner->key_len < sizeof(scanner->key))
		scanner->key[scanner->key_len++] = c;
}

static void
begin_string(struct w_rpc_id_scanner *scanner, char c)
{
	keep_byte(scanner, c);
	scanner->is_string = true;
	if (scanner->depth == 1 && scanner->is_key)
		scanner->key_len = 0;
}

/* Between the members of the outermost object. */
static void
scan_outermost(struct w_rpc_id_scanner *scanner, char c)
{
	if (c == ':' && scanner->is_key) {
		scanner->is_key = false;
		scanner->is_id = is_key_named(scanner, "id");
		scanner->has_method |= is_key_named(scanner, "method");
		scanner->is_spoilt |= scanner->is_id && scanner->id_len > 0;
	} else if (c == ',' || c == '}') {
		scanner->is_key = c == ',';
		scanner->is_id = false;
	} else {
		keep_byte(scanner, c);
	}
}

static void
scan_byte(struct w_rpc_id_scanner *scanner, char c)
{
	if (scanner->is_string) {
		scan_string(scanner, c);
		return;
	}
	if (c == '"') {
		begin_string(scanner, c);
		return;
	}
	if (scanner->depth == 1)
		scan_outermost(scanner, c);
	else
		keep_byte(scanner, c);
	if (c == '{' || c == '[') {
		/* A batch has no id. */
		scanner->is_key |= scanner->depth == 0 && c == '{';
		scanner->depth++;
	} else if ((c == '}' || c == ']') && scanner->depth > 0) {
		scanner->depth--;
	}
}

void
w_rpc_id_scanner_feed(
    struct w_rpc_id_scanner *scanner, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		scan_byte(scanner, bytes[i]);
}

char *
w_rpc_id_scanner_take(const struct w_rpc_id_scanner *scanner)
{
	W_AUTO_BUF struct w_buf buf;
	char *taken = NULL;

	w_buf_init(&buf, W_RPC_ID_SCANNER_MAX);
	if (scanner->is_spoilt || !scanner->has_method || scanner->id_len == 0)
		return NULL;
	yyjson_doc *doc =
	    yyjson_read(scanner->id, scanner->id_len, YYJSON_READ_NOFLAG);
	yyjson_val *id = yyjson_doc_get_root(doc);
	if (w_rpc_is_id(id)) {
		w_rpc_add_id(&buf, id);
		taken = buf.failed ? NULL : w_buf_take(&buf, NULL);
	}
	yyjson_doc_free(doc);
	return taken;
}
