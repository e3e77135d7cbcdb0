/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ATTACH_SOCKET_H
#define W_CLI_ATTACH_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/error.h>

/*
 * The socket of a run with a terminal, at which other terminals of the same
 * user meet it: STATE_DIR/attach/RUN_ID. The directory has mode 0700, and no
 * sandbox shows it.
 *
 * Each packet is a kind and its bytes:
 *
 *     to the run      H rows columns flags   the first one: a terminal comes
 *                     S rows columns         its window has another size
 *                     I bytes                were typed
 *     to the terminal O bytes                output
 *                     E status               the run has ended: its exit
 *                                            status
 *
 * rows and columns are two bytes each, the higher one first; flags and status
 * are one.
 */
#define W_ATTACH_PACKET_MAX 8192

/* Bytes that are typed in one packet. */
#define W_ATTACH_TYPED_MAX 1024

enum w_attach_kind {
	W_ATTACH_HELLO = 'H',
	W_ATTACH_SIZE = 'S',
	W_ATTACH_INPUT = 'I',
	W_ATTACH_OUTPUT = 'O',
	W_ATTACH_END = 'E',
};

/* A flag of the first packet: nothing is typed, and the size is not used. */
#define W_ATTACH_READ_ONLY 1U

struct w_attach_packet {
	enum w_attach_kind kind;
	unsigned rows;
	unsigned columns;
	unsigned number; /* flags or status */
	const char *bytes;
	size_t len;
};

/* Reads a packet, which bytes then points into. false: it is malformed. */
bool w_attach_packet_parse(
    const char *bytes, size_t len, struct w_attach_packet *out_packet);

/* Writes a packet without bytes; returns its length. */
#define W_ATTACH_SHORT_MAX 6
size_t w_attach_packet_format(
    const struct w_attach_packet *packet, char out[W_ATTACH_SHORT_MAX]);

/* The directory. Created if is_wanted; else WRIT_E_NOTFOUND. *out_fd is
 * yours. Fails if another user could reach into it. */
writ_status w_attach_open_dir(
    const char *state_dir, bool is_wanted, int *out_fd, writ_error *err);

/* Makes the socket of a run, and removes those that nobody listens at. */
writ_status w_attach_listen(
    int dir_fd, const char *run_id, int *out_fd, writ_error *err);

/* WRIT_E_NOTFOUND: nobody listens. */
writ_status w_attach_connect(
    int dir_fd, const char *run_id, int *out_fd, writ_error *err);

#endif /* W_CLI_ATTACH_SOCKET_H */
