/* SPDX-License-Identifier: Apache-2.0 */

/* Reads and writes messages of the DNS; see dns_message.h. */

#include "run/relay/dns_message.h"

#include "run/relay/relay_text.h"

enum {
	HEAD_LEN = 12,
	LABEL_MAX = 63,
	POINTER = 0xc0,
	CLASS_IN = 1,
	RECORD_HEAD = 10,
	IS_ANSWER = 0x80,
	IS_CUT = 0x02,
	OPCODE_SHIFT = 3,
	OPCODE_MASK = 0x0f,
	ANSWER_TTL_S = 30,
	RECORDS_MAX = 64,
	V4_LEN = 4,
	V6_LEN = 16
};

static int
is_host_byte(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* Where the name at this place ends; 0: it does not. */
static size_t
skip_name(const uint8_t *bytes, size_t len, size_t at)
{
	while (at < len) {
		const uint8_t label = bytes[at];

		if (label == 0)
			return at + 1;
		if ((label & POINTER) == POINTER)
			return at + 2 <= len ? at + 2 : 0;
		if (label > LABEL_MAX)
			return 0;
		at += 1 + (size_t)label;
	}
	return 0;
}

/* Reads the name of a question, which is never compressed. Returns its end. */
static size_t
read_name(const uint8_t *bytes, size_t len, struct dns_question *question)
{
	size_t at = HEAD_LEN, n = 0;
	int is_host = 1;

	while (at < len && bytes[at] != 0) {
		const size_t label = bytes[at++];

		if (label > LABEL_MAX || label > len - at ||
		    n + label + 1 > W_RELAY_NAME_MAX + 1)
			return 0;
		if (n > 0)
			question->name[n++] = '.';
		if (n + label > W_RELAY_NAME_MAX)
			return 0;
		for (size_t i = 0; i < label; i++) {
			is_host &= is_host_byte(bytes[at + i]);
			question->name[n++] = relay_lower((char)bytes[at + i]);
		}
		at += label;
	}
	if (at >= len)
		return 0;
	question->name_len = is_host ? n : 0;
	question->name[question->name_len] = '\0';
	return at + 1;
}

int
dns_query_read(
    const uint8_t *bytes, size_t len, struct dns_question *out_question)
{
	if (len < HEAD_LEN || len > DNS_QUERY_MAX ||
	    (bytes[2] & IS_ANSWER) != 0 || relay_get_16(bytes + 4) != 1)
		return 0;
	out_question->id = (uint16_t)relay_get_16(bytes);
	out_question->opcode = bytes[2] >> OPCODE_SHIFT & OPCODE_MASK;
	out_question->wants_recursion = bytes[2] & 1;
	const size_t at = read_name(bytes, len, out_question);
	if (at == 0 || at + 4 > len)
		return 0;
	out_question->type = (uint16_t)relay_get_16(bytes + at);
	out_question->class = (uint16_t)relay_get_16(bytes + at + 2);
	out_question->end = at + 4;
	return 1;
}

size_t
dns_answer_write(const uint8_t *query, const struct dns_question *question,
    uint32_t code, const struct w_relay_address *address,
    uint8_t out[DNS_QUERY_MAX])
{
	const size_t data = address == NULL        ? 0
			    : address->family == 4 ? V4_LEN
						   : V6_LEN;
	size_t len = question->end;

	for (size_t i = 0; i < len; i++)
		out[i] = query[i];
	out[2] = (uint8_t)(IS_ANSWER | question->opcode << OPCODE_SHIFT |
			   question->wants_recursion);
	out[3] = (uint8_t)(IS_ANSWER | code); /* recursion is available */
	relay_put_16(out + 6, address != NULL);
	relay_put_32(out + 8, 0);
	if (address == NULL || len + 2 + RECORD_HEAD + data > DNS_QUERY_MAX)
		return len;
	relay_put_16(out + len, POINTER << 8 | HEAD_LEN);
	relay_put_16(
	    out + len + 2, address->family == 4 ? DNS_TYPE_A : DNS_TYPE_AAAA);
	relay_put_16(out + len + 4, CLASS_IN);
	relay_put_32(out + len + 6, ANSWER_TTL_S);
	relay_put_16(out + len + 10, (uint32_t)data);
	len += 2 + RECORD_HEAD;
	for (size_t i = 0; i < data; i++)
		out[len + i] = address->bytes[i];
	return len + data;
}

size_t
dns_query_write(uint16_t id, const char *name, size_t name_len, uint16_t type,
    uint8_t out[DNS_QUERY_MAX])
{
	size_t at = HEAD_LEN, label = 0;

	if (name_len == 0 || name_len > W_RELAY_NAME_MAX)
		return 0;
	for (size_t i = 0; i < HEAD_LEN; i++)
		out[i] = 0;
	relay_put_16(out, id);
	out[2] = 1; /* recursion is wanted */
	out[5] = 1;
	for (size_t i = 0; i <= name_len; i++) {
		if (i < name_len && name[i] != '.') {
			out[at + 1 + label++] = (uint8_t)name[i];
			continue;
		}
		if (label == 0 || label > LABEL_MAX)
			return 0;
		out[at] = (uint8_t)label;
		at += 1 + label;
		label = 0;
	}
	out[at++] = 0;
	relay_put_16(out + at, type);
	relay_put_16(out + at + 2, CLASS_IN);
	return at + 4;
}

/* Whether the question is the one that was asked. */
static int
is_same_question(const uint8_t *bytes, const uint8_t *query, size_t query_len)
{
	return relay_get_16(bytes) == relay_get_16(query) &&
	       relay_text_is((const char *)bytes + HEAD_LEN,
		   query_len - HEAD_LEN, (const char *)query + HEAD_LEN,
		   query_len - HEAD_LEN);
}

static void
take_address(const uint8_t *data, size_t len, struct dns_addresses *out)
{
	struct w_relay_address *address = &out->items[out->count];

	if (out->count == DNS_ADDRESSES_MAX)
		return;
	address->family = len == V4_LEN ? 4 : 6;
	for (size_t i = 0; i < sizeof(address->bytes); i++)
		address->bytes[i] = i < len ? data[i] : 0;
	out->count++;
}

/* The server has followed aliases already: every address is one of the name. */
int
dns_answer_read(const uint8_t *bytes, size_t len, const uint8_t *query,
    size_t query_len, struct dns_addresses *out_addresses)
{
	struct dns_addresses found = {.ttl_s = UINT32_MAX};

	if (query_len < HEAD_LEN + 5 || len < query_len ||
	    (bytes[2] & IS_ANSWER) == 0 || relay_get_16(bytes + 4) != 1 ||
	    !is_same_question(bytes, query, query_len))
		return 0;
	const uint32_t type = relay_get_16(query + query_len - 4);
	const size_t data_len = type == DNS_TYPE_A ? V4_LEN : V6_LEN;
	uint32_t records = relay_get_16(bytes + 6);
	size_t at = query_len;
	found.code = bytes[3] & OPCODE_MASK;
	found.is_cut = (bytes[2] & IS_CUT) != 0;
	if (records > RECORDS_MAX)
		records = RECORDS_MAX;
	for (; records > 0; records--) {
		at = skip_name(bytes, len, at);
		if (at == 0 || len - at < RECORD_HEAD)
			break;
		const size_t size = relay_get_16(bytes + at + 8);
		const uint32_t ttl_s = relay_get_32(bytes + at + 4);
		if (len - at - RECORD_HEAD < size)
			break;
		if (ttl_s < found.ttl_s)
			found.ttl_s = ttl_s;
		if (relay_get_16(bytes + at) == type &&
		    relay_get_16(bytes + at + 2) == CLASS_IN &&
		    size == data_len)
			take_address(bytes + at + RECORD_HEAD, size, &found);
		at += RECORD_HEAD + size;
	}
	*out_addresses = found;
	return 1;
}
