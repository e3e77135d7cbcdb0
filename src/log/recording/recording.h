/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_RECORDING_H
#define W_LOG_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The recorded output of one run: both streams in the order in which they were
 * read, with the time of each piece. One file, DIR/RUN_ID.rec, mode 0600,
 * created with the first byte.
 *
 * "writrec1", then pieces: an 8-byte header and the bytes.
 *
 * Header, little endian: 4 bytes length (1 to 65536) with the stream in the
 * highest bit (0: stdout, 1: stderr); 4 bytes microseconds since the previous
 * piece, at most UINT32_MAX. A longer pause is written as pieces of length 0. A
 * file that ends inside a piece is from a run whose writer died: the reader
 * returns the complete pieces and reports that it was cut.
 */
#define W_RECORDING_SUFFIX ".rec"
#define W_RECORDING_MAGIC  "writrec1"

struct w_recording {
	const char *dir;    /* borrowed; NULL: record nothing */
	const char *run_id; /* borrowed */
	uint64_t limit;     /* bytes of output, both streams; 0: none */
	int fd;             /* -1: not started */
	char *path;         /* NULL: not started */
	uint64_t bytes;     /* of recorded output */
	uint64_t size;      /* of the file */
	uint64_t start_ns;  /* of the run: times are relative to it */
	uint64_t last_us;   /* time of the last piece, since then */
	int error;          /* why it stopped; EFBIG: at its limit */
	int *spare; /* descriptor of a file made in advance; borrowed; NULL:
		       none */
};

/*
 * An unnamed file (O_TMPFILE) for the next recording in that directory:
 * creating one takes longer than linking it, and can be done while a command
 * starts. It vanishes when its descriptor is closed. -1: not possible.
 */
int w_recording_make_spare(const char *dir);

/* Records bytes that were read at now_ns. Never fails the run: it stops and
 * remembers why. */
void w_recording_add(struct w_recording *recording, bool is_stderr,
    const char *bytes, size_t len, uint64_t now_ns);

/* Closes the file and keeps it unless it is empty; path stays valid until
 * w_recording_free(). */
void w_recording_end(struct w_recording *recording);

/* Closes, deletes if is_unwanted, frees. */
void w_recording_free(struct w_recording *recording, bool is_unwanted);

struct w_recording_reader;

struct w_recording_piece {
	bool is_stderr;
	uint64_t at_us; /* since the start of the run */
	const char *bytes;
	size_t len;
};

/* WRIT_E_NOTFOUND: there is no such recording. */
writ_status w_recording_open(
    const char *path, struct w_recording_reader **out_reader, writ_error *err);
void w_recording_reader_free(struct w_recording_reader *reader);

/*
 * The next piece; len 0: no complete piece (yet): a later call tries again.
 * *out_is_cut (may be NULL): the file ends with an incomplete piece.
 * WRIT_E_INVALID with the offset: not a recording.
 */
writ_status w_recording_next(struct w_recording_reader *reader,
    struct w_recording_piece *out_piece, bool *out_is_cut, writ_error *err);

#endif /* W_LOG_RECORDING_H */
