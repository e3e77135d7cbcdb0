/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_ADDRESS_H
#define W_POLICY_HOST_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * IP addresses, and networks of them. An IPv4 address has one form here: one
 * that is written or received as a mapped IPv6 address (::ffff:192.0.2.1) is
 * the IPv4 address.
 */
struct w_host_address {
	unsigned family;   /* 4 or 6; 0: none */
	uint8_t bytes[16]; /* in network order; 4 are used of an IPv4 address */
};

/* An address and how many of its bits are given. */
struct w_host_network {
	struct w_host_address address; /* the other bits are 0 */
	unsigned bits;                 /* 0 to 32, or to 128 */
};

/* Room for the longest address as text, with the NUL. */
#define W_HOST_ADDRESS_TEXT 46

/* Reads an address as it is usually written, an IPv6 one without brackets.
 * false: it is none; *out is untouched. Forms that only inet_aton() knows
 * (127.1, 0x7f.1) are none. */
bool w_host_address_read(
    const char *text, size_t len, struct w_host_address *out);

/* From the 4 bytes of an IPv4 address or the 16 of an IPv6 one. */
struct w_host_address w_host_address_make(unsigned family, const void *bytes);

/* The address as text. */
void w_host_address_write(
    const struct w_host_address *address, char out[W_HOST_ADDRESS_TEXT]);

bool w_host_network_has(
    const struct w_host_network *network, const struct w_host_address *address);

/*
 * The network of addresses to which this one belongs, if they do not stand for
 * a host of the internet: this machine, a private or link-local network, one
 * shared by a provider's customers, multicast, or reserved. NULL: it is an
 * address of the internet.
 *
 * Addresses of IPv6 that carry an IPv4 address (NAT64, 6to4) belong where that
 * one does.
 */
const struct w_host_network *w_host_address_private(
    const struct w_host_address *address);

/* Whether a network names private addresses as such: it is not wider than one
 * of those networks. 10.1.0.0/16 does, 0.0.0.0/0 does not. */
bool w_host_network_is_private(const struct w_host_network *network);

#endif /* W_POLICY_HOST_ADDRESS_H */
