/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the last sound line of a file, going backwards from its end.
 *
 * Nearly always that is what the file ends with, and one read is enough. Half
 * a line of a writer that was killed may stand behind it, or, when the power
 * failed, zeros and pieces of several lines. How far it looks is bounded: by
 * one line of the greatest length and what may be torn behind it.
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

/* Where the line begins that ends before bytes[end]; false: before the
 * window, which does not begin the file. */
static bool
find_start(const char *bytes, size_t end, bool is_whole, size_t *out_start)
{
	const char *newline = end > 0 ? memrchr(bytes, '\n', end) : NULL;

	if (newline == NULL && !is_whole)
		return false;
	*out_start = newline == NULL ? 0 : (size_t)(newline - bytes) + 1;
	return true;
}

static bool
is_good(const char *bytes, size_t len, const struct w_log_chain *chain,
    struct w_log_line *out_line)
{
	return w_log_line_parse(bytes, len, out_line) &&
	       (chain == NULL || w_log_line_is_sound(out_line, chain));
}

/* The last good line in a window; *out_end is behind its newline. */
static bool
find_line(const char *bytes, size_t len, bool is_whole,
    const struct w_log_chain *chain, struct w_log_line *out_line,
    size_t *out_end)
{
	const char *newline = len > 0 ? memrchr(bytes, '\n', len) : NULL;

	while (newline != NULL) {
		size_t end = (size_t)(newline - bytes);
		size_t start;

		if (!find_start(bytes, end, is_whole, &start))
			return false;
		if (is_good(bytes + start, end - start, chain, out_line)) {
			*out_end = end + 1;
			return true;
		}
		newline = start > 0 ? bytes + start - 1 : NULL;
	}
	return false;
}

static void
log_tail_fill(struct w_log_tail *tail, const struct w_log_line *line,
    bool is_last, uint64_t sound_size)
{
	tail->kind = is_last ? W_LOG_TAIL_SOUND : W_LOG_TAIL_TORN;
	tail->sound_size = sound_size;
	tail->end.seq = line->seq;
	memcpy(tail->end.hash, line->hash, W_SHA256_HEX);
	tail->is_seal = w_log_line_is(line, "seal");
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
			log_tail_fill(
			    out_tail, &line, end == len, size - len + end);
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
