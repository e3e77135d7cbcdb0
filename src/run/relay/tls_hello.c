/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a ClientHello (RFC 8446, 6066); see tls_hello.h. */

#include "run/relay/tls_hello.h"

#include "run/relay/relay_text.h"

enum {
	RECORD_HEAD = 5,
	RECORD_MAX = 16384,
	HANDSHAKE = 22,
	CLIENT_HELLO = 1,
	MESSAGE_HEAD = 4,
	VERSION_AND_RANDOM = 34,
	EXTENSION_NAME = 0,
	EXTENSION_ECH = 0xfe0d,
	/* Drafts of it, which servers may still know. */
	EXTENSION_ESNI = 0xffce,
	HOST_NAME = 0
};

/* A place in bytes with an end; what goes beyond it is noted. */
struct tls_reader {
	const uint8_t *bytes;
	size_t at;
	size_t len;
	int is_bad;
};

static uint32_t
take_number(struct tls_reader *reader, size_t width)
{
	uint32_t value = 0;

	if (reader->is_bad || reader->len - reader->at < width) {
		reader->is_bad = 1;
		return 0;
	}
	for (; width > 0; width--)
		value = value << 8 | reader->bytes[reader->at++];
	return value;
}

/* A part that has its length, of this width, before it. */
static struct tls_reader
take_part(struct tls_reader *reader, size_t width)
{
	const size_t len = take_number(reader, width);

	if (reader->is_bad || reader->len - reader->at < len) {
		reader->is_bad = 1;
		return (struct tls_reader){.is_bad = 1};
	}
	const struct tls_reader part = {
	    .bytes = reader->bytes + reader->at, .len = len};
	reader->at += len;
	return part;
}

/* Puts the message together. 0: it goes on; -1: it is none; else its length. */
static long
join_records(const uint8_t *bytes, size_t len, uint8_t *message)
{
	size_t at = 0, have = 0;

	while (at < len) {
		if (bytes[at] != HANDSHAKE ||
		    (len - at >= 2 && bytes[at + 1] != 3))
			return -1;
		if (len - at < RECORD_HEAD)
			return 0;
		const size_t size = relay_get_16(bytes + at + 3);
		if (size == 0 || size > RECORD_MAX ||
		    have + size > TLS_HELLO_MAX)
			return -1;
		at += RECORD_HEAD;
		for (size_t i = 0; i < size && at < len; i++)
			message[have++] = bytes[at++];
		if (have >= 1 && message[0] != CLIENT_HELLO)
			return -1;
		if (have < MESSAGE_HEAD)
			continue;
		const size_t whole =
		    MESSAGE_HEAD +
		    ((size_t)message[1] << 16 | relay_get_16(message + 2));
		if (whole > TLS_HELLO_MAX)
			return -1;
		if (have >= whole)
			return (long)whole;
	}
	return 0;
}

/* The first host name of the list. */
static void
take_name(struct tls_reader *extension, char *out_name, size_t *out_len)
{
	struct tls_reader list = take_part(extension, 2);

	*out_len = 0;
	extension->is_bad |= list.is_bad || list.len == 0;
	while (!extension->is_bad && list.at < list.len) {
		const uint32_t kind = take_number(&list, 1);
		const struct tls_reader name = take_part(&list, 2);

		/* More than one could be read in more than one way. */
		if (list.is_bad || kind != HOST_NAME || name.len == 0 ||
		    name.len > TLS_NAME_MAX || *out_len != 0) {
			extension->is_bad = 1;
			return;
		}
		for (size_t i = 0; i < name.len; i++)
			out_name[i] = (char)name.bytes[i];
		out_name[name.len] = '\0';
		*out_len = name.len;
	}
}

static enum tls_hello
read_extensions(struct tls_reader *all, char *out_name, size_t *out_len)
{
	int has_name = 0, has_ech = 0;

	while (!all->is_bad && all->at < all->len) {
		const uint32_t kind = take_number(all, 2);
		struct tls_reader extension = take_part(all, 2);

		if (all->is_bad)
			break;
		has_ech |= kind == EXTENSION_ECH || kind == EXTENSION_ESNI;
		if (kind != EXTENSION_NAME)
			continue;
		if (has_name)
			return TLS_HELLO_BAD;
		has_name = 1;
		take_name(&extension, out_name, out_len);
		if (extension.is_bad || extension.at != extension.len)
			return TLS_HELLO_BAD;
	}
	return all->is_bad ? TLS_HELLO_BAD
	       : has_ech   ? TLS_HELLO_ECH
	       : has_name  ? TLS_HELLO_NAMED
			   : TLS_HELLO_NAMELESS;
}

enum tls_hello
tls_hello_read(const uint8_t *bytes, size_t len, uint8_t *scratch,
    char out_name[TLS_NAME_MAX + 1], size_t *out_len)
{
	const long whole = join_records(bytes, len, scratch);

	*out_len = 0;
	if (whole <= 0)
		return whole == 0 && len < TLS_HELLO_MAX ? TLS_HELLO_MORE
							 : TLS_HELLO_BAD;
	struct tls_reader reader = {
	    .bytes = scratch, .at = MESSAGE_HEAD, .len = (size_t)whole};
	if (reader.len - reader.at < VERSION_AND_RANDOM)
		return TLS_HELLO_BAD;
	reader.at += VERSION_AND_RANDOM;
	(void)take_part(&reader, 1); /* session */
	(void)take_part(&reader, 2); /* ciphers */
	(void)take_part(&reader, 1); /* compression */
	if (reader.is_bad)
		return TLS_HELLO_BAD;
	if (reader.at == reader.len)
		return TLS_HELLO_NAMELESS;
	struct tls_reader extensions = take_part(&reader, 2);
	if (reader.is_bad || reader.at != reader.len)
		return TLS_HELLO_BAD;
	return read_extensions(&extensions, out_name, out_len);
}
