/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names that may be reached, each with an address of its own inside: the n-th
 * has the n-th of 198.18.0.0/15. So the address of a connection tells which
 * name was meant.
 */

#include "os/syscall.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

enum {
	BUCKETS = 1 << 14,
	TEXT_SIZE = RELAY_NAMES * (W_RELAY_NAME_MAX + 1)
};

static const uint32_t first_v4 = 0xc6120001; /* 198.18.0.1 */
static const uint32_t v4_count = (1 << 17) - 2;

static struct relay_name *names;
static uint32_t *buckets; /* index + 1 */
static char *texts;
static uint32_t name_count;
static uint32_t text_len;

void
relay_names_init(void)
{
	names = relay_map(RELAY_NAMES * sizeof(*names));
	buckets = relay_map(BUCKETS * sizeof(*buckets));
	texts = relay_map(TEXT_SIZE);
}

/* FNV-1a. */
static uint32_t
bucket_of(const char *name, size_t len)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)relay_lower(name[i])) * 16777619U;
	return (hash ^ hash >> 15) % BUCKETS;
}

int
relay_names_find(const char *name, size_t len)
{
	uint32_t at = buckets[bucket_of(name, len)];

	while (at != 0) {
		const struct relay_name *item = &names[at - 1];

		if (relay_text_is(texts + item->text, item->len, name, len))
			return (int)at - 1;
		at = item->next;
	}
	return RELAY_NONE;
}

int
relay_names_add(const char *name, size_t len)
{
	const int found = relay_names_find(name, len);

	if (found != RELAY_NONE)
		return found;
	if (name_count == RELAY_NAMES || len == 0 || len > W_RELAY_NAME_MAX)
		return RELAY_NONE;
	uint32_t *bucket = &buckets[bucket_of(name, len)];
	struct relay_name *item = &names[name_count];
	item->text = text_len;
	item->len = (uint8_t)len;
	item->next = *bucket;
	for (size_t i = 0; i < len; i++)
		texts[text_len++] = relay_lower(name[i]);
	texts[text_len++] = '\0';
	*bucket = ++name_count;
	return (int)name_count - 1;
}

struct relay_name *
relay_name_at(int index)
{
	return &names[index];
}

const char *
relay_name_text(int index)
{
	return texts + names[index].text;
}

struct w_relay_address
relay_name_address(int index)
{
	struct w_relay_address address = {.family = 4};

	relay_put_32(address.bytes,
	    first_v4 + ((uint32_t)index + relay.start.first_name) % v4_count);
	return address;
}

int
relay_names_of_address(uint32_t v4)
{
	if (v4 < first_v4 || v4 - first_v4 >= v4_count)
		return RELAY_NONE;
	const uint32_t index =
	    (v4 - first_v4 + v4_count - relay.start.first_name % v4_count) %
	    v4_count;
	return index < name_count && !names[index].is_hidden ? (int)index
							     : RELAY_NONE;
}
