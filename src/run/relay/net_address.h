/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_NET_ADDRESS_H
#define W_RUN_NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#include "run/relay/relay_protocol.h"

enum {
	NET_ADDRESS_TEXT = 16 /* of IPv4, with the NUL */
};

/* Whether an address is none of the internet's: of this machine, of a private
 * or shared network, link-local, multicast, reserved; or one of IPv6 that
 * carries such a one of IPv4. */
int net_address_is_private(const struct w_relay_address *address);

/* Reads an address of either family. 0: it is none. */
int net_address_read(
    const char *text, size_t len, struct w_relay_address *out_address);

/* An IPv4 address, by its number, as text. Returns the length. */
size_t net_address_write(uint32_t v4, char out[NET_ADDRESS_TEXT]);

/* The addresses of a name in the text of a hosts file. Returns how many. */
size_t hosts_file_find(const char *text, size_t text_len, const char *name,
    size_t name_len, struct w_relay_address *out, size_t room);

#endif /* W_RUN_NET_ADDRESS_H */
