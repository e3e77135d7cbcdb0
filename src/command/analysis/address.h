/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ADDRESS_H
#define W_COMMAND_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where an address leads: to a host, to a local file, or unknown. It is read as
 * the most tolerant of the programs that take such addresses would read it.
 */
enum w_address_kind {
	W_ADDRESS_HOST,
	W_ADDRESS_FILE,
	W_ADDRESS_UNKNOWN, /* a host or a file */
};

struct w_address {
	enum w_address_kind kind;
	const char *target; /* a slice of the text; NULL: unknown */
	size_t len;
	bool is_encoded; /* a path that contains %xx */
	bool is_helper;  /* ext::, fd::, the rest is executed */
	size_t secret;   /* offset of a password */
	size_t secret_len;
};

/* scheme://[user[:password]@]host[:port]/..., or similar without a scheme */
struct w_address w_address_url(const char *text, size_t len);

/* [user@]host[:port] */
struct w_address w_address_host(const char *text, size_t len);

/* Whether a host is this machine: localhost, 127.0.0.1, ::1, [::1]. */
bool w_address_is_loopback(const char *host, size_t len);

/* [user@]host:path, a URL, or a path */
struct w_address w_address_remote(const char *text, size_t len);

#endif /* W_COMMAND_ADDRESS_H */
