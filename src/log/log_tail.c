/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the last valid line of a file, searching backwards from its end.
 *
 * Nearly always the file ends with it, and one read is enough. It may be
 * followed by half a line of a killed writer or, after a power failure, by
 * zeros and pieces of several lines. The search is bounded: one line of the
 * greatest length and what may be torn after it.
 */

#include "log/log_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

#define WINDOW_FIRST ((size_t)8 << 10)
#define WINDOW_MAX   (2 * W_LOG_LINE_MAX)

static int
read_at(int fd, char *bytes, size_t len, uint64_t offset)
{
	while (len > 0) {
		ssize_t n = pread(fd, bytes, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EIO;
		bytes += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

/* The last valid line in a window; *out_end is after its newline. is_whole: the
 * window starts at the start of the file. */
static bool
find_line(const char *bytes, size_t len, bool is_whole,
    const struct w_log_chain *chain, struct w_log_line *out_line,
    size_t *out_end)
{
	const char *newline = len > 0 ? memrchr(bytes, '\n', len) : NULL;

	while (newline != NULL) {
		size_t end = (size_t)(newline - bytes);
		const char *before = end > 0 ? memrchr(bytes, '\n', end) : NULL;

		/* The line starts before the window. */
		if (before == NULL && !is_whole)
			return false;
		size_t start =
		    before == NULL ? 0 : (size_t)(before - bytes) + 1;
		if (w_log_line_parse(bytes + start, end - start, out_line) &&
		    (chain == NULL || w_log_line_is_sound(out_line, chain))) {
			*out_end = end + 1;
			return true;
		}
		newline = before;
	}
	return false;
}

int
w_log_tail_read(int fd, uint64_t size, const struct w_log_chain *chain,
    struct w_log_tail *out_tail)
{
	char small[WINDOW_FIRST];
	W_AUTO_FREE char *large = NULL;
	char *bytes = small;

	*out_tail = (struct w_log_tail){.kind = W_LOG_TAIL_BARE};
	for (size_t window = WINDOW_FIRST; window <= WINDOW_MAX; window *= 8) {
		size_t len = size < window ? (size_t)size : window;
		struct w_log_line line;
		size_t end;

		if (window > WINDOW_FIRST) {
			free(large);
			large = malloc(len);
			bytes = large;
		}
		if (bytes == NULL)
			return ENOMEM;
		int error = read_at(fd, bytes, len, size - len);
		if (error != 0)
			return error;
		if (find_line(bytes, len, len == size, chain, &line, &end)) {
			out_tail->kind =
			    end == len ? W_LOG_TAIL_SOUND : W_LOG_TAIL_TORN;
			out_tail->sound_size = size - len + end;
			out_tail->end.seq = line.seq;
			memcpy(out_tail->end.hash, line.hash, W_SHA256_HEX);
			out_tail->is_seal = w_log_line_is(&line, "seal");
			return 0;
		}
		if (len == size) {
			/* Not even the first line was finished. Records that
			 * only this writer cannot check stay where they are. */
			if (!find_line(bytes, len, true, NULL, &line, &end))
				out_tail->kind = W_LOG_TAIL_TORN;
			break;
		}
	}
	return 0;
}
