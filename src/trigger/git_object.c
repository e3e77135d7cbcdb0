/* SPDX-License-Identifier: Apache-2.0 */

/* Reads objects of git; see git_object.h. */

#include "trigger/git_object.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "os/beneath.h"
#include "os/file.h"
#include "trigger/inflate.h"

enum {
	OBJECT_MAX = 16 << 20,
	PACKS_MAX = 256,
	DEPTH_MAX = 64, /* of deltas */
	FANOUT = 256,
	INDEX_HEAD = 8,
	HEAD_BYTES = 32, /* of an entry in a pack, and more */
	OFS_DELTA = 6,
	REF_DELTA = 7
};

static const char *const kind_words[] = {
    [W_GIT_COMMIT] = "commit",
    [W_GIT_TREE] = "tree",
    [W_GIT_BLOB] = "blob",
    [W_GIT_TAG] = "tag",
};

void
w_git_object_name(
    enum w_git_kind kind, const void *bytes, size_t len, struct w_git_id *out)
{
	struct w_sha1 sum;
	char head[48];

	const int head_len =
	    snprintf(head, sizeof(head), "%s %zu", kind_words[kind], len);
	w_sha1_init(&sum);
	w_sha1_add(&sum, head, (size_t)head_len + 1);
	w_sha1_add(&sum, bytes, len);
	w_sha1_end(&sum, out->bytes);
}

/* ---- loose ---- */

bool
w_git_object_parse(
    const void *bytes, size_t len, enum w_git_kind *out_kind, struct w_buf *out)
{
	W_AUTO_BUF struct w_buf whole;

	*out_kind = W_GIT_OTHER;
	w_buf_init(&whole, OBJECT_MAX);
	if (!w_inflate(bytes, len, &whole) || whole.len == 0)
		return false;
	const char *end = memchr(whole.data, '\0', whole.len);
	if (end == NULL)
		return false;
	for (unsigned kind = W_GIT_COMMIT; kind <= W_GIT_TAG; kind++) {
		const size_t word = strlen(kind_words[kind]);

		if (strncmp(whole.data, kind_words[kind], word) == 0 &&
		    whole.data[word] == ' ')
			*out_kind = kind;
	}
	end++;
	w_buf_add(out, end, whole.len - (size_t)(end - whole.data));
	return *out_kind != 0 && !out->failed;
}

static int
open_plain(int git_fd, const char *path)
{
	return w_open_beneath(
	    git_fd, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
}

static bool
read_loose(int git_fd, const struct w_git_id *id, enum w_git_kind kind,
    struct w_buf *out)
{
	char path[16 + 2 * W_SHA1_SIZE];
	char hex[2 * W_SHA1_SIZE];
	enum w_git_kind found;
	W_AUTO_BUF struct w_buf bytes;

	w_hex_put(hex, id->bytes, W_SHA1_SIZE);
	(void)snprintf(path, sizeof(path), "objects/%.2s/%.38s", hex, hex + 2);
	w_buf_init(&bytes, OBJECT_MAX);
	W_AUTO_FD int fd = open_plain(git_fd, path);
	return fd >= 0 && w_file_read_all(fd, &bytes) == 0 &&
	       w_git_object_parse(bytes.data, bytes.len, &found, out) &&
	       found == kind;
}

/* ---- deltas ---- */

struct delta {
	const uint8_t *at;
	const uint8_t *end;
};

static bool
take_size(struct delta *delta, size_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		if (delta->at == delta->end)
			return false;
		*out |= (size_t)(*delta->at & 0x7f) << shift;
		if ((*delta->at++ & 0x80) == 0)
			return true;
	}
	return false;
}

/* The bytes of a number whose bits are set in flags. */
static bool
take_number(struct delta *delta, unsigned flags, unsigned count, size_t *out)
{
	*out = 0;
	for (unsigned i = 0; i < count; i++) {
		if ((flags & (1U << i)) == 0)
			continue;
		if (delta->at == delta->end)
			return false;
		*out |= (size_t)*delta->at++ << (8 * i);
	}
	return true;
}

static bool
apply_one(struct delta *delta, const struct w_buf *base, struct w_buf *out)
{
	const unsigned op = *delta->at++;
	size_t from, len;

	if ((op & 0x80) == 0) {
		if (op == 0 || (size_t)(delta->end - delta->at) < op)
			return false;
		w_buf_add(out, delta->at, op);
		delta->at += op;
		return true;
	}
	if (!take_number(delta, op & 0x0f, 4, &from) ||
	    !take_number(delta, op >> 4 & 0x07, 3, &len))
		return false;
	if (len == 0)
		len = 0x10000;
	if (from > base->len || len > base->len - from)
		return false;
	w_buf_add(out, base->data + from, len);
	return true;
}

bool
w_git_object_patch(const struct w_buf *base, const struct w_buf *delta_bytes,
    struct w_buf *out)
{
	const uint8_t *bytes = (const uint8_t *)delta_bytes->data;
	struct delta delta = {bytes, bytes + delta_bytes->len};
	const size_t start = out->len;
	size_t base_len, len;

	if (!take_size(&delta, &base_len) || !take_size(&delta, &len) ||
	    base_len != base->len)
		return false;
	while (delta.at < delta.end) {
		if (!apply_one(&delta, base, out) || out->failed)
			return false;
	}
	return !out->failed && out->len - start == len;
}

/* ---- packs ---- */

struct pack {
	int git_fd;
	int index_fd;
	int pack_fd;
	uint64_t size; /* of the pack */
	uint32_t count;
};

static bool
read_at(int fd, void *out, size_t len, uint64_t at)
{
	return pread(fd, out, len, (off_t)at) == (ssize_t)len;
}

static bool
read_u32(int fd, uint64_t at, uint32_t *out)
{
	uint8_t bytes[4];

	if (!read_at(fd, bytes, sizeof(bytes), at))
		return false;
	*out = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
	return true;
}

static uint64_t
names_at(void)
{
	return INDEX_HEAD + FANOUT * sizeof(uint32_t);
}

/* Where an object begins in the pack. false: it is not in it. */
static bool
find_packed(
    const struct pack *pack, const struct w_git_id *id, uint64_t *out_at)
{
	const uint64_t offsets_at =
	    names_at() + (uint64_t)pack->count * (W_SHA1_SIZE + 4);
	const unsigned first = id->bytes[0];
	uint32_t low = 0, high, offset, parts[2];

	if (first > 0 &&
	    !read_u32(pack->index_fd, INDEX_HEAD + 4 * (first - 1), &low))
		return false;
	if (!read_u32(pack->index_fd, INDEX_HEAD + 4 * first, &high) ||
	    high > pack->count)
		return false;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		uint8_t name[W_SHA1_SIZE];

		if (!read_at(pack->index_fd, name, sizeof(name),
			names_at() + (uint64_t)middle * W_SHA1_SIZE))
			return false;
		const int order = memcmp(id->bytes, name, sizeof(name));
		if (order == 0) {
			low = middle;
			break;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (low >= high ||
	    !read_u32(pack->index_fd, offsets_at + 4 * (uint64_t)low, &offset))
		return false;
	*out_at = offset;
	if ((offset & 0x80000000U) == 0)
		return true;
	const uint64_t large = offsets_at + 4 * (uint64_t)pack->count +
			       8 * (uint64_t)(offset & 0x7fffffffU);
	if (!read_u32(pack->index_fd, large, &parts[0]) ||
	    !read_u32(pack->index_fd, large + 4, &parts[1]))
		return false;
	*out_at = (uint64_t)parts[0] << 32 | parts[1];
	return true;
}

/* What stands before the data of an entry. */
struct entry_head {
	unsigned type;
	size_t size;
	uint64_t data_at;
	uint64_t base_at;     /* of an OFS_DELTA */
	struct w_git_id base; /* of a REF_DELTA */
};

static bool
read_head(const struct pack *pack, uint64_t at, struct entry_head *head)
{
	uint8_t bytes[HEAD_BYTES + W_SHA1_SIZE];
	size_t used = 0;
	unsigned shift = 4;

	const ssize_t len =
	    pread(pack->pack_fd, bytes, sizeof(bytes), (off_t)at);
	/* The pack ends with a checksum, so that much is always there. */
	if (len < W_SHA1_SIZE + 2)
		return false;
	const size_t left = (size_t)len;
	head->type = bytes[0] >> 4 & 7;
	head->size = bytes[0] & 0x0f;
	while ((bytes[used++] & 0x80) != 0) {
		if (used >= 8 || used >= left)
			return false;
		head->size |= (size_t)(bytes[used] & 0x7f) << shift;
		shift += 7;
	}
	if (head->type == OFS_DELTA) {
		if (used >= left)
			return false;
		uint64_t back = bytes[used] & 0x7f;
		while ((bytes[used++] & 0x80) != 0) {
			if (used >= 24 || used >= left)
				return false;
			back = ((back + 1) << 7) | (bytes[used] & 0x7f);
		}
		if (back == 0 || back >= at)
			return false;
		head->base_at = at - back;
	} else if (head->type == REF_DELTA) {
		if (left < used + W_SHA1_SIZE)
			return false;
		memcpy(head->base.bytes, bytes + used, W_SHA1_SIZE);
		used += W_SHA1_SIZE;
	}
	head->data_at = at + used;
	return head->size <= OBJECT_MAX;
}

/* Its compressed length is not known; that of what does not shrink is. */
static bool
inflate_at(const struct pack *pack, uint64_t at, size_t size, struct w_buf *out)
{
	const size_t most = size + size / 1000 + 1024;
	const uint64_t left = pack->size > at ? pack->size - at : 0;
	const size_t len = most < left ? most : (size_t)left;
	W_AUTO_FREE char *bytes = malloc(len + 1);

	return bytes != NULL && len > 0 &&
	       read_at(pack->pack_fd, bytes, len, at) &&
	       w_inflate(bytes, len, out) && out->len == size;
}

/* Goes to the object that is whole, then applies the deltas on the way back.
 * Only what a pack itself names is followed. */
static bool
read_packed(const struct pack *pack, uint64_t at, enum w_git_kind kind,
    struct w_buf *out)
{
	uint64_t places[DEPTH_MAX];
	struct entry_head head;
	size_t depth = 0;

	for (;; depth++) {
		if (depth == DEPTH_MAX || !read_head(pack, at, &head))
			return false;
		places[depth] = at;
		if (head.type == OFS_DELTA)
			at = head.base_at;
		else if (head.type != REF_DELTA)
			break;
		else if (!find_packed(pack, &head.base, &at))
			return false;
	}
	if (head.type != (unsigned)kind ||
	    !inflate_at(pack, head.data_at, head.size, out))
		return false;
	while (depth-- > 0) {
		W_AUTO_BUF struct w_buf delta;
		W_AUTO_BUF struct w_buf base = *out;

		w_buf_init(&delta, OBJECT_MAX);
		w_buf_init(out, OBJECT_MAX);
		if (!read_head(pack, places[depth], &head) ||
		    !inflate_at(pack, head.data_at, head.size, &delta) ||
		    !w_git_object_patch(&base, &delta, out))
			return false;
	}
	return true;
}

static bool
open_pack(int git_fd, const char *index_name, struct pack *out)
{
	const size_t len = strlen(index_name) - strlen(".idx");
	char path[512];
	uint8_t magic[INDEX_HEAD];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "objects/pack/%s",
		index_name) >= sizeof(path))
		return false;
	out->index_fd = open_plain(git_fd, path);
	(void)snprintf(
	    path, sizeof(path), "objects/pack/%.*s.pack", (int)len, index_name);
	out->pack_fd = out->index_fd < 0 ? -1 : open_plain(git_fd, path);
	if (out->pack_fd < 0 || fstat(out->pack_fd, &st) < 0 ||
	    !read_at(out->index_fd, magic, sizeof(magic), 0) ||
	    memcmp(magic, "\377tOc\0\0\0\2", sizeof(magic)) != 0)
		return false;
	out->size = (uint64_t)st.st_size;
	return read_u32(
	    out->index_fd, INDEX_HEAD + 4 * (FANOUT - 1), &out->count);
}

static bool
read_from_pack(int git_fd, const char *index_name, const struct w_git_id *id,
    enum w_git_kind kind, struct w_buf *out)
{
	struct pack pack = {.git_fd = git_fd, .index_fd = -1, .pack_fd = -1};
	uint64_t at;

	const bool found = open_pack(git_fd, index_name, &pack) &&
			   find_packed(&pack, id, &at) &&
			   read_packed(&pack, at, kind, out);
	w_close(&pack.index_fd);
	w_close(&pack.pack_fd);
	return found;
}

static bool
read_from_packs(int git_fd, const struct w_git_id *id, enum w_git_kind kind,
    struct w_buf *out)
{
	const struct dirent *entry;
	bool found = false;
	int looked_at = 0;
	W_AUTO_FD int fd = w_open_beneath(git_fd, "objects/pack",
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL)
		return false;
	(void)w_take_fd(&fd);
	while (
	    !found && looked_at < PACKS_MAX && (entry = readdir(dir)) != NULL) {
		const size_t len = strlen(entry->d_name);

		if (len <= 4 || strcmp(entry->d_name + len - 4, ".idx") != 0)
			continue;
		looked_at++;
		w_buf_done(out);
		w_buf_init(out, OBJECT_MAX);
		found = read_from_pack(git_fd, entry->d_name, id, kind, out);
	}
	(void)closedir(dir);
	return found;
}

bool
w_git_object_read(int git_fd, const struct w_git_id *id, enum w_git_kind kind,
    struct w_buf *out)
{
	struct w_git_id name;

	w_buf_done(out);
	w_buf_init(out, OBJECT_MAX);
	if (!read_loose(git_fd, id, kind, out) &&
	    !read_from_packs(git_fd, id, kind, out))
		return false;
	w_git_object_name(kind, out->data, out->len, &name);
	return memcmp(&name, id, sizeof(name)) == 0;
}
