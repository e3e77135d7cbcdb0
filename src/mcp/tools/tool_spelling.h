/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MCP_TOOL_SPELLING_H
#define W_MCP_TOOL_SPELLING_H

#include <yyjson.h>

#include <writ/error.h>

#include "data/json.h"

/*
 * The arguments of `exec` and `policy_check` in other spellings. Models know
 * other tools that run commands, and send what those take: `cmd`, a timeout in
 * seconds, one string as argv. What can only mean one thing becomes the
 * arguments that the schema names; the rest fails with the call that is right.
 *
 * What comes out is all that is judged, recorded and run: nobody looks at the
 * other spelling again.
 */

/*
 * On success *out_arguments is an object: given itself, or of *out_json, which
 * is yours (NULL: given itself). Keys and types that mean nothing here are
 * kept for the schema to refuse. Fails with WRIT_E_INVALID or _NOMEM.
 */
writ_status w_tool_spelling_read(yyjson_val *given, struct w_json **out_json,
    yyjson_val **out_arguments, writ_error *err);

#endif /* W_MCP_TOOL_SPELLING_H */
