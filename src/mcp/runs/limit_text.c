/* SPDX-License-Identifier: Apache-2.0 */

/* The limit that ended a run, in words; all front ends use it. */

#include "mcp/runs/limit_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "base/size.h"

static void
add_size(struct w_buf *buf, const char *what, uint64_t bytes)
{
	char text[W_SIZE_TEXT_MAX];

	w_size_format(bytes, text);
	w_buf_add_fmt(buf, "%s %s", what, text);
}

void
w_mcp_limit_add_text(struct w_buf *buf, const writ_result *result)
{
	const uint64_t value = result->limit_value;
	char text[W_DURATION_TEXT_MAX];

	switch (result->limit) {
	case WRIT_LIMIT_CPU:
		w_duration_format(value, text);
		w_buf_add_fmt(buf, "cpu limit %s", text);
		break;
	case WRIT_LIMIT_MEMORY:
		add_size(buf, "memory limit", value);
		break;
	case WRIT_LIMIT_PROCESSES:
		w_buf_add_fmt(buf, "process limit %" PRIu64, value);
		break;
	case WRIT_LIMIT_FILE_SIZE:
		add_size(buf, "file size limit", value);
		break;
	case WRIT_LIMIT_OUTPUT:
		add_size(buf, "output limit", value);
		break;
	case WRIT_LIMIT_DISK:
		/* The kernel limits that of a session without ending a run. */
		if (result->home != NULL && result->tmp_by != NULL &&
		    strcmp(result->tmp_by, "kernel") == 0) {
			w_buf_add_str(
			    buf, "size limit of the session's layer over HOME");
			break;
		}
		add_size(buf, "size limit of the private TMPDIR", value);
		if (result->tmp_by != NULL &&
		    strcmp(result->tmp_by, "sampling") == 0)
			w_buf_add_str(buf, " (on disk, sampled)");
		break;
	case WRIT_LIMIT_NONE:
		w_buf_add_str(buf, "limit");
		break;
	}
	w_buf_add_str(buf, " reached");
}
