/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads a JSON request from a file or a pipe.
 */

#include "cli/options/request_file.h"

#include "base/buf.h"
#include "cli/options/text_file.h"

writ_status
w_cli_request_read(writ_draft *draft, const char *path, writ_error *err)
{
	static const struct w_text_file_kind kind = {
	    .what = "request",
	    .advice = "give long input as a file: --stdin file:PATH",
	};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, WRIT_REQUEST_MAX);
	writ_status status = w_text_file_read(&kind, path, &buf, err);
	if (status != WRIT_OK)
		return status;
	return writ_draft_read_json(draft, buf.data, buf.len, err);
}
