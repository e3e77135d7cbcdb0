/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a result. */

#include <signal.h>
#include <string.h>

#include <writ/result.h>

#include "run/result/run_result.h"
#include "run/streams/spill.h"

const char *
writ_outcome_word(writ_outcome outcome)
{
	static const char *const words[] = {
#define X(name, word) [WRIT_##name] = (word),
	    WRIT_OUTCOME_MAP(X)
#undef X
	};

	return (unsigned)outcome < sizeof(words) / sizeof(*words)
		   ? words[outcome]
		   : "unknown";
}

const char *
writ_limit_word(writ_limit limit)
{
	static const char *const words[] = {
#define X(name, word) [WRIT_LIMIT_##name] = (word),
	    WRIT_LIMIT_MAP(X)
#undef X
	};

	return (unsigned)limit < sizeof(words) / sizeof(*words) ? words[limit]
								: "unknown";
}

const char *
writ_tree_word(writ_tree tree)
{
	static const char *const words[] = {
#define X(name, word) [WRIT_TREE_##name] = (word),
	    WRIT_TREE_MAP(X)
#undef X
	};

	return (unsigned)tree < sizeof(words) / sizeof(*words) ? words[tree]
							       : "unknown";
}

int
writ_result_exit(const writ_result *result)
{
	enum {
		TIMED_OUT = 124,
		UNKNOWN = 125,
		BY_SIGNAL = 128
	};

	switch (result->outcome) {
	case WRIT_TIMED_OUT:
	case WRIT_IDLE_TIMED_OUT:
		return TIMED_OUT;
	case WRIT_LIMITED:
		/* A shell reports a signal of its child this way. */
		if (result->exit_code > BY_SIGNAL)
			return result->exit_code;
		/* A command that exited properly on SIGTERM was still ended
		 * by us. */
		return BY_SIGNAL +
		       (result->signal != 0 ? result->signal : SIGTERM);
	case WRIT_EXITED:
	case WRIT_SIGNALED:
	case WRIT_CANCELLED:
		break;
	}
	if (!result->status_known)
		return UNKNOWN;
	return result->signal != 0 ? BY_SIGNAL + result->signal
				   : result->exit_code;
}

/* Copies from an offset in a piece of memory. */
static size_t
copy_piece(
    const char *piece, size_t piece_len, uint64_t from, void *buf, size_t len)
{
	size_t at = (size_t)from;
	size_t n = piece_len - at < len ? piece_len - at : len;

	memcpy(buf, piece + at, n);
	return n;
}

writ_status
writ_result_read(const writ_result *result, writ_stream stream, uint64_t offset,
    void *buf, size_t len, size_t *out_len)
{
	const writ_output *out = &result->out[stream];
	uint64_t tail_start = out->bytes - out->tail_len;

	if (offset >= out->bytes || len == 0) {
		*out_len = 0;
		return WRIT_OK;
	}
	if (offset < out->head_len) {
		*out_len =
		    copy_piece(out->head, out->head_len, offset, buf, len);
		return WRIT_OK;
	}
	if (out->tail_len > 0 && offset >= tail_start) {
		*out_len = copy_piece(
		    out->tail, out->tail_len, offset - tail_start, buf, len);
		return WRIT_OK;
	}
	if (out->spill_path != NULL && offset < out->spill_bytes)
		return w_spill_read(out->spill_path, offset, buf, len, out_len);
	return WRIT_E_NOTFOUND;
}

void
writ_result_keep_spill(writ_result *result)
{
	((struct w_run_result *)result)->keeps_spill = true;
}

void
writ_result_free(writ_result *result)
{
	w_run_result_free((struct w_run_result *)result);
}
