/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Keys as NATS spells them: a prefix that says what the key is, its bytes, a
 * CRC-16 (XMODEM, low byte first), all in base 32 without padding.
 */

#include <string.h>

#include "fleet/order/fleet_key.h"

#define PREFIX_SEED (18 << 3) /* 'S' */
#define PREFIX_USER (20 << 3) /* 'U' */

static uint16_t
crc16(const uint8_t *bytes, size_t len)
{
	unsigned crc = 0;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned)bytes[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = ((crc & 0x8000U) != 0 ? (crc << 1) ^ 0x1021U
						    : crc << 1) &
			      0xffffU;
	}
	return (uint16_t)crc;
}

/* Closes with the sum, for which there must be room, and writes base 32. */
static void
put_nkey(uint8_t *bytes, size_t len, char out[W_FLEET_NKEY_MAX])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	const uint16_t sum = crc16(bytes, len);
	unsigned held = 0;
	unsigned bits = 0;
	size_t at = 0;

	bytes[len] = (uint8_t)(sum & 0xff);
	bytes[len + 1] = (uint8_t)(sum >> 8);
	for (size_t i = 0; i < len + 2; i++) {
		held = (held << 8 | bytes[i]) & 0xfffU;
		for (bits += 8; bits >= 5; bits -= 5)
			out[at++] = letters[held >> (bits - 5) & 31];
	}
	if (bits > 0)
		out[at++] = letters[held << (5 - bits) & 31];
	out[at] = '\0';
}

void
w_fleet_nkey_seed(const struct w_fleet_key *key, char out[W_FLEET_NKEY_MAX])
{
	uint8_t bytes[2 + W_FLEET_SEED_SIZE + 2];

	bytes[0] = PREFIX_SEED | PREFIX_USER >> 5;
	bytes[1] = (PREFIX_USER & 31) << 3;
	memcpy(bytes + 2, key->seed, W_FLEET_SEED_SIZE);
	put_nkey(bytes, 2 + W_FLEET_SEED_SIZE, out);
	explicit_bzero(bytes, sizeof(bytes));
}

void
w_fleet_nkey_public(const struct w_fleet_key *key, char out[W_FLEET_NKEY_MAX])
{
	uint8_t bytes[1 + W_FLEET_PUBLIC_SIZE + 2];

	bytes[0] = PREFIX_USER;
	memcpy(bytes + 1, key->public_key, W_FLEET_PUBLIC_SIZE);
	put_nkey(bytes, 1 + W_FLEET_PUBLIC_SIZE, out);
}
