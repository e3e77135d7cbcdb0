/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_RECORDING_H
#define W_LOG_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The kept output of one run: both streams in the order in which they were
 * read, with the time of each piece. One file, DIR/RUN_ID.rec, mode 0600,
 * made when the first byte comes.
 *
 *     "writrec1" then pieces: an 8-byte header and the bytes
 *
 * header, little endian: 4 bytes length (1 to 65536) with the stream in the
 * highest bit (0: stdout, 1: stderr); 4 bytes microseconds since the piece
 * before, at most UINT32_MAX. A pause that is longer is written as pieces of
 * length 0. A file that ends inside a piece is a run whose writer died: the
 * reader gives what is whole and says that it was cut.
 */
#define W_RECORDING_SUFFIX ".rec"
#define W_RECORDING_MAGIC  "writrec1"

struct w_recording {
	const char *dir;    /* borrowed; NULL: nothing is kept */
	const char *run_id; /* borrowed */
	uint64_t limit;     /* bytes of output, both streams; 0: nothing */
	int fd;             /* -1: not started */
	char *path;         /* NULL: not started */
	uint64_t bytes;     /* of output kept */
	uint64_t size;      /* of the file */
	uint64_t start_ns;  /* of the run: times count from here */
	uint64_t last_us;   /* since then, of the last piece */
	int error;          /* why it stopped; EFBIG: at its limit */
	int *spare;         /* where a file may lie that was made before;
			       borrowed; NULL: nowhere */
};

/*
 * A file without a name, for the next recording in that directory: making one
 * takes longer than giving it a name, and can be done while a command starts.
 * Nothing is left of it when its descriptor is closed. -1: none can be made.
 */
int w_recording_make_spare(const char *dir);

/* Keeps bytes that were read at now_ns. Never fails the run: it stops and
 * remembers why. */
void w_recording_add(struct w_recording *recording, bool is_stderr,
    const char *bytes, size_t len, uint64_t now_ns);

/* Closes the file and keeps it, unless it holds nothing; path stays until
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
 * The next piece; len 0: no whole piece is there (yet): a later call looks
 * again. *out_is_cut (may be NULL) tells whether bytes of a piece that is not
 * whole stand at the end. WRIT_E_INVALID with the offset: not a recording.
 */
writ_status w_recording_next(struct w_recording_reader *reader,
    struct w_recording_piece *out_piece, bool *out_is_cut, writ_error *err);

#endif /* W_LOG_RECORDING_H */
