/* SPDX-License-Identifier: Apache-2.0 */

/* Packets of terminals that attach, and keys that are typed there. */

#include "cli/attach/attach_socket.h"

#include "check.h"
#include "cli/attach/attach_keys.h"

static void
check_packet(const uint8_t *data, size_t size)
{
	struct w_attach_packet packet;
	char again[W_ATTACH_SHORT_MAX];

	if (!w_attach_packet_parse((const char *)data, size, &packet))
		return;
	if (packet.bytes != NULL) {
		CHECK(packet.bytes == (const char *)data + 1);
		CHECK(packet.len == size - 1);
		return;
	}
	CHECK(packet.rows <= 65535 && packet.columns <= 65535);
	CHECK(packet.number <= 255);
	CHECK(w_attach_packet_format(&packet, again) == size);
	CHECK(memcmp(again, data, size) == 0);
}

/* Nothing that is typed is lost, but for the keys that detach; and the size of
 * the pieces makes no difference. */
static void
check_keys(const uint8_t *data, size_t size)
{
	for (size_t piece = 1; piece <= size;
	     piece += size > 1 ? size - 1 : 1) {
		struct w_attach_keys keys = {.has_held = false};
		W_AUTO_BUF struct w_buf out;
		bool is_over = false;

		w_buf_init(&out, size + 1);
		for (size_t at = 0; at < size && !is_over; at += piece)
			is_over = w_attach_keys_add(&keys, &out,
			    (const char *)data + at,
			    size - at < piece ? size - at : piece, 0);
		w_attach_keys_wake(&keys, &out, W_ATTACH_DETACH_MS);
		CHECK(!out.failed);
		CHECK(out.len <= size);
		CHECK(memcmp(out.data, data, out.len) == 0 || is_over);
		CHECK(is_over || out.len == size);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 65536)
		return 0;
	check_packet(data, size);
	check_keys(data, size);
	return 0;
}
