/* SPDX-License-Identifier: Apache-2.0 */

/* Addresses of the net; see net_address.h. */

#include "run/relay/net_address.h"

#include "run/relay/relay_text.h"

enum {
	V4_BITS = 32,
	V6_BYTES = 16,
	WORDS = 8 /* of an IPv6 address */
};

struct v4_network {
	uint32_t base;
	uint32_t bits;
};

struct v6_network {
	uint8_t base[V6_BYTES];
	uint32_t bits;
};

/* What the registries of special purposes list as not globally reachable,
 * without the networks for documentation: nothing is there. */
static const struct v4_network v4_networks[] = {
    {0x00000000, 8},  /* this network */
    {0x0a000000, 8},  /* private */
    {0x64400000, 10}, /* shared by a provider's customers */
    {0x7f000000, 8},  /* loopback */
    {0xa9fe0000, 16}, /* link-local */
    {0xac100000, 12}, /* private */
    {0xc0000000, 24}, /* protocols */
    {0xc0586300, 24}, /* 6to4 relays */
    {0xc0a80000, 16}, /* private */
    {0xc6120000, 15}, /* benchmarks; the addresses of our names */
    {0xe0000000, 4},  /* multicast */
    {0xf0000000, 4},  /* reserved, broadcast */
};

static const struct v6_network v6_networks[] = {
    {{0x01, 0x00}, 64},             /* discarded */
    {{0x5f, 0x00}, 16},             /* segment routing */
    {{0xfc, 0x00}, 7},              /* unique local */
    {{0xfe, 0x80}, 10},             /* link-local */
    {{0xfe, 0xc0}, 10},             /* site-local */
    {{0xff, 0x00}, 8},              /* multicast */
    {{0}, 96},                      /* unspecified, loopback, old forms */
    {{0x20, 0x01, 0x00, 0x00}, 32}, /* Teredo */
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48}, /* local NAT64 */
};

static int
is_v4_private(uint32_t v4)
{
	for (size_t i = 0; i < sizeof(v4_networks) / sizeof(*v4_networks);
	     i++) {
		const struct v4_network *network = &v4_networks[i];

		if ((v4 ^ network->base) >> (V4_BITS - network->bits) == 0)
			return 1;
	}
	return 0;
}

static int
is_in_v6(const uint8_t *bytes, const struct v6_network *network)
{
	for (uint32_t i = 0; i < network->bits; i++) {
		const uint8_t bit = (uint8_t)(0x80 >> i % 8);

		if (((bytes[i / 8] ^ network->base[i / 8]) & bit) != 0)
			return 0;
	}
	return 1;
}

/* An IPv4 address that this one stands for. */
static int
carried_v4(const uint8_t *bytes, uint32_t *out_v4)
{
	static const struct v6_network mapped = {
	    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96};
	static const struct v6_network nat64 = {{0x00, 0x64, 0xff, 0x9b}, 96};
	static const struct v6_network six_to_four = {{0x20, 0x02}, 16};

	if (is_in_v6(bytes, &mapped) || is_in_v6(bytes, &nat64))
		*out_v4 = relay_get_32(bytes + 12);
	else if (is_in_v6(bytes, &six_to_four))
		*out_v4 = relay_get_32(bytes + 2);
	else
		return 0;
	return 1;
}

int
net_address_is_private(const struct w_relay_address *address)
{
	uint32_t v4 = 0;

	if (address->family == 4)
		return is_v4_private(relay_get_32(address->bytes));
	if (address->family != 6)
		return 1;
	if (carried_v4(address->bytes, &v4))
		return is_v4_private(v4);
	for (size_t i = 0; i < sizeof(v6_networks) / sizeof(*v6_networks); i++)
		if (is_in_v6(address->bytes, &v6_networks[i]))
			return 1;
	return 0;
}

/* ---- text ---- */

static int
read_v4(const char *text, size_t len, uint8_t *out)
{
	size_t at = 0;

	for (int part = 0; part < 4; part++) {
		uint32_t value = 0;
		const size_t start = at;

		while (at < len && text[at] >= '0' && text[at] <= '9' &&
		       at - start < 4)
			value = value * 10 + (uint32_t)(text[at++] - '0');
		if (at == start || value > 255 ||
		    (text[start] == '0' && at - start > 1))
			return 0;
		out[part] = (uint8_t)value;
		if (part < 3 && (at == len || text[at++] != '.'))
			return 0;
	}
	return at == len;
}

static int
hex_value(char c)
{
	const char lower = relay_lower(c);

	return lower >= '0' && lower <= '9'   ? lower - '0'
	       : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
					      : -1;
}

/* Up to four digits; a word ends before ':' or the end. -1: it is none. */
static int
read_word(const char *text, size_t len, size_t *at)
{
	int value = 0;
	size_t digits = 0;

	for (; *at < len && hex_value(text[*at]) >= 0; digits++, ++*at)
		value = value << 4 | (hex_value(text[*at]) & 0x0f);
	return digits == 0 || digits > 4 ? -1 : value;
}

static int
read_v6(const char *text, size_t len, uint8_t *out)
{
	uint32_t words[WORDS] = {0};
	size_t count = 0, gap = WORDS + 1, at = 0;

	if (len >= 2 && text[0] == ':' && text[1] == ':') {
		gap = 0;
		at = 2;
	}
	while (at < len && count < WORDS) {
		const int word = read_word(text, len, &at);

		if (word < 0)
			return 0;
		words[count++] = (uint32_t)word;
		if (at == len)
			break;
		if (text[at++] != ':' || at == len)
			return 0;
		if (text[at] == ':') {
			if (gap <= WORDS)
				return 0;
			gap = count;
			at++;
		}
	}
	if (at != len || (gap > WORDS ? count != WORDS : count >= WORDS))
		return 0;
	for (size_t i = 0; i < V6_BYTES; i++)
		out[i] = 0;
	for (size_t i = 0; i < count; i++)
		relay_put_16(
		    out + 2 * (i < gap ? i : WORDS - count + i), words[i]);
	return 1;
}

int
net_address_read(
    const char *text, size_t len, struct w_relay_address *out_address)
{
	struct w_relay_address read = {.family = 4};

	if (!read_v4(text, len, read.bytes)) {
		read.family = 6;
		if (!read_v6(text, len, read.bytes))
			return 0;
	}
	*out_address = read;
	return 1;
}

size_t
net_address_write(uint32_t v4, char out[NET_ADDRESS_TEXT])
{
	size_t at = 0;

	for (int shift = 24; shift >= 0; shift -= 8) {
		const uint32_t part = v4 >> shift & 0xff;

		if (part >= 100)
			out[at++] = (char)('0' + part / 100);
		if (part >= 10)
			out[at++] = (char)('0' + part / 10 % 10);
		out[at++] = (char)('0' + part % 10);
		if (shift > 0)
			out[at++] = '.';
	}
	out[at] = '\0';
	return at;
}

/* ---- a hosts file ---- */

static int
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line; a comment ends it. */
static size_t
next_word(const char *line, size_t len, size_t *at)
{
	while (*at < len && is_blank(line[*at]))
		++*at;
	const size_t start = *at;
	while (*at < len && !is_blank(line[*at]) && line[*at] != '#')
		++*at;
	return *at - start;
}

static int
line_has(
    const char *line, size_t len, size_t at, const char *name, size_t name_len)
{
	size_t word;

	while ((word = next_word(line, len, &at)) > 0)
		if (relay_name_is(line + at - word, word, name, name_len))
			return 1;
	return 0;
}

size_t
hosts_file_find(const char *text, size_t text_len, const char *name,
    size_t name_len, struct w_relay_address *out, size_t room)
{
	size_t at = 0, count = 0;

	while (at < text_len && count < room) {
		const char *line = text + at;
		size_t len = 0, in_line = 0;

		while (at + len < text_len && line[len] != '\n')
			len++;
		const size_t word = next_word(line, len, &in_line);
		if (word > 0 && line_has(line, len, in_line, name, name_len) &&
		    net_address_read(line + in_line - word, word, &out[count]))
			count++;
		at += len + 1;
	}
	return count;
}
