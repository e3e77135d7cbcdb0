/* SPDX-License-Identifier: Apache-2.0 */

/* IP addresses: text, networks, and which are private. */

#include "policy/hosts/host_address.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

static const uint8_t mapped_prefix[12] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

struct w_host_address
w_host_address_make(unsigned family, const void *bytes)
{
	struct w_host_address address = {.family = family};

	if (family == 6 &&
	    memcmp(bytes, mapped_prefix, sizeof(mapped_prefix)) == 0) {
		address.family = 4;
		memcpy(address.bytes,
		    (const uint8_t *)bytes + sizeof(mapped_prefix), 4);
		return address;
	}
	memcpy(address.bytes, bytes, family == 4 ? 4 : 16);
	return address;
}

bool
w_host_address_read(const char *text, size_t len, struct w_host_address *out)
{
	char copy[W_HOST_ADDRESS_TEXT];
	uint8_t bytes[16];

	if (len == 0 || len >= sizeof(copy) || memchr(text, '\0', len) != NULL)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, bytes) == 1)
		*out = w_host_address_make(4, bytes);
	else if (inet_pton(AF_INET6, copy, bytes) == 1)
		*out = w_host_address_make(6, bytes);
	else
		return false;
	return true;
}

void
w_host_address_write(
    const struct w_host_address *address, char out[W_HOST_ADDRESS_TEXT])
{
	out[0] = '\0';
	(void)inet_ntop(address->family == 4 ? AF_INET : AF_INET6,
	    address->bytes, out, W_HOST_ADDRESS_TEXT);
}

bool
w_host_network_has(
    const struct w_host_network *network, const struct w_host_address *address)
{
	const uint8_t *have = address->bytes;
	const uint8_t *want = network->address.bytes;
	const size_t whole = network->bits / 8;
	const unsigned rest = network->bits % 8;

	if (address->family != network->address.family ||
	    memcmp(have, want, whole) != 0)
		return false;
	return rest == 0 || (have[whole] ^ want[whole]) >> (8 - rest) == 0;
}

/* The special-purpose address registries of IANA, and multicast. Networks for
 * documentation are not in it: nothing answers there. */
#define V4(a, b, c, n)                    \
	{                                 \
		{4, {(a), (b), (c)}}, (n) \
	}
#define V6(a, b, c, d, n)                      \
	{                                      \
		{6, {(a), (b), (c), (d)}}, (n) \
	}

static const struct w_host_network private_networks[] = {
    V4(0, 0, 0, 8),
    V4(10, 0, 0, 8),
    V4(100, 64, 0, 10),
    V4(127, 0, 0, 8),
    V4(169, 254, 0, 16),
    V4(172, 16, 0, 12),
    V4(192, 0, 0, 24),
    V4(192, 168, 0, 16),
    V4(198, 18, 0, 15),
    V4(224, 0, 0, 4),
    V4(240, 0, 0, 4),
    /* ::, ::1 and the old IPv4-compatible addresses */
    V6(0, 0, 0, 0, 96),
    {{6, {0, 0x64, 0xff, 0x9b, 0, 1}}, 48},
    {{6, {1}}, 64}, /* discard only */
    V6(0x20, 0x01, 0, 0, 23),
    V6(0x5f, 0, 0, 0, 16),
    V6(0xfc, 0, 0, 0, 7),
    V6(0xfe, 0x80, 0, 0, 9), /* link-local, and site-local before it went */
    V6(0xff, 0, 0, 0, 8),
};
#define PRIVATE_COUNT (sizeof(private_networks) / sizeof(private_networks[0]))

/* Networks whose addresses carry an IPv4 address at this byte. */
static const struct {
	struct w_host_network network;
	size_t at;
} carriers[] = {
    {{{6, {0, 0x64, 0xff, 0x9b}}, 96}, 12}, /* NAT64 */
    {{{6, {0x20, 0x02}}, 16}, 2},           /* 6to4 */
};

const struct w_host_network *
w_host_address_private(const struct w_host_address *address)
{
	struct w_host_address carried = *address;

	for (size_t i = 0; i < sizeof(carriers) / sizeof(carriers[0]); i++) {
		if (w_host_network_has(&carriers[i].network, address))
			carried = w_host_address_make(
			    4, address->bytes + carriers[i].at);
	}
	for (size_t i = 0; i < PRIVATE_COUNT; i++) {
		if (w_host_network_has(&private_networks[i], &carried))
			return &private_networks[i];
	}
	return NULL;
}

bool
w_host_network_is_private(const struct w_host_network *network)
{
	const struct w_host_network *around =
	    w_host_address_private(&network->address);

	if (around == NULL)
		return false;
	/* What carries an IPv4 address is listed one address at a time. */
	if (around->address.family != network->address.family)
		return network->bits == 128;
	return network->bits >= around->bits;
}
