/* SPDX-License-Identifier: Apache-2.0 */

/* The public interface for recorded output. */

#include <stdlib.h>

#include <writ/audit.h>

#include "base/error.h"
#include "log/recording/recording.h"

struct writ_recording {
	struct w_recording_reader *reader;
};

writ_status
writ_recording_open(
    const char *path, writ_recording **out_recording, writ_error *err)
{
	writ_recording *recording = calloc(1, sizeof(*recording));

	if (recording == NULL)
		return w_fail_nomem(err, "recording");
	writ_status status = w_recording_open(path, &recording->reader, err);
	if (status != WRIT_OK) {
		free(recording);
		return status;
	}
	*out_recording = recording;
	return WRIT_OK;
}

writ_status
writ_recording_next(
    writ_recording *recording, writ_piece *out_piece, writ_error *err)
{
	struct w_recording_piece piece;
	writ_status status =
	    w_recording_next(recording->reader, &piece, NULL, err);

	if (status == WRIT_OK)
		*out_piece = (writ_piece){
		    .stream = piece.is_stderr ? WRIT_STDERR : WRIT_STDOUT,
		    .at_us = piece.at_us,
		    .bytes = piece.bytes,
		    .len = piece.len,
		};
	return status;
}

void
writ_recording_free(writ_recording *recording)
{
	if (recording == NULL)
		return;
	w_recording_reader_free(recording->reader);
	free(recording);
}
