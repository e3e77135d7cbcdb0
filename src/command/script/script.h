/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SCRIPT_H
#define W_COMMAND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "command/grammar/grammar.h"

/*
 * The side effects of a script in a small language. It is read as its
 * interpreter would read it, or more strictly; what cannot be analyzed is a
 * failure, never "no effect".
 */
struct w_script_sink {
	void *ctx;
	/* A file that is read or written (effect), by name; NULL if the name is
	 * computed at run time. A host (net) never has a name. Paths and
	 * commands point into the script. */
	bool (*touches)(
	    void *ctx, unsigned effect, const char *path, size_t len);
	/* A shell command; NULL: computed at run time. */
	bool (*runs)(void *ctx, const char *command, size_t len);
};

/* WRIT_E_INVALID: not understood; the message says why, and *out_offset (unless
 * NULL) is where. WRIT_E_NOMEM: also when the sink returned false. */
writ_status w_script_read(enum w_script language, const char *text, size_t len,
    const struct w_script_sink *sink, size_t *out_offset, writ_error *err);

#endif /* W_COMMAND_SCRIPT_H */
