/* SPDX-License-Identifier: Apache-2.0 */

/* A recording: whatever the file holds, pieces lie in it one behind the other,
 * time does not run backwards, and the end is reached and stays the end. */

#include "log/recording/recording.h"

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static void
read_to_the_end(struct w_recording_reader *reader, size_t size)
{
	struct w_recording_piece piece;
	writ_error err = {0};
	uint64_t last_us = 0;
	size_t bytes = 8;
	bool is_cut;

	for (;;) {
		writ_status status =
		    w_recording_next(reader, &piece, &is_cut, &err);

		if (status != WRIT_OK) {
			check_error(&err, status);
			CHECK(status == WRIT_E_INVALID);
			return;
		}
		CHECK(piece.at_us >= last_us);
		last_us = piece.at_us;
		if (piece.len == 0)
			break;
		CHECK(piece.len <= 65536 && !is_cut);
		bytes += 8 + piece.len;
		CHECK(bytes <= size);
	}
	CHECK(w_recording_next(reader, &piece, NULL, &err) == WRIT_OK);
	CHECK(piece.len == 0 && piece.at_us == last_us);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_recording_reader *reader = NULL;
	char path[64];
	int fd = memfd_create("recording", MFD_CLOEXEC);

	CHECK(fd >= 0);
	CHECK(write(fd, data, size) == (ssize_t)size);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(w_recording_open(path, &reader, NULL) == WRIT_OK);
	read_to_the_end(reader, size);
	w_recording_reader_free(reader);
	(void)close(fd);
	return 0;
}
