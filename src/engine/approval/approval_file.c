/* SPDX-License-Identifier: Apache-2.0 */

/* Reads, checks and writes the files of questions, answers and grants. */

#include "engine/approval/approval_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "audit/record/key_file.h"
#include "base/auto.h"
#include "base/encode.h"
#include "base/hex.h"
#include "os/file.h"
#include "os/replace.h"
#include "os/trust.h"

#define DEPTH_MAX 64

static const char before_mac[] = "{\"mac\":\"";
static const char behind_mac[] = "\",";

enum {
	BEFORE_LEN = sizeof(before_mac) - 1,
	BEHIND_LEN = sizeof(behind_mac) - 1,
	HEAD_LEN = BEFORE_LEN + W_SHA256_HEX + BEHIND_LEN
};

/* ---- names ---- */

bool
w_approval_is_id(const char *text, size_t len)
{
	if (len == 0 || len > WRIT_APPROVAL_ID_LEN)
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((text[i] < '0' || text[i] > '9') &&
		    (text[i] < 'a' || text[i] > 'z'))
			return false;
	}
	return true;
}

int
w_approval_new_id(char out_id[WRIT_APPROVAL_ID_LEN + 1])
{
	uint8_t random[10];
	char text[W_ID_LEN + 1];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return errno;
	/* Run ids end in the same 80 random bits. */
	w_id_format(0, random, text);
	const char *end = text + W_ID_LEN - WRIT_APPROVAL_ID_LEN;
	for (size_t i = 0; i <= WRIT_APPROVAL_ID_LEN; i++)
		out_id[i] = end[i] >= 'A' && end[i] <= 'Z'
				? (char)(end[i] - 'A' + 'a')
				: end[i];
	return 0;
}

void
w_approval_file_name(
    const char *id, const char *suffix, char out_name[W_APPROVAL_NAME_SIZE])
{
	(void)snprintf(out_name, W_APPROVAL_NAME_SIZE, "%.*s%s",
	    WRIT_APPROVAL_ID_LEN, id, suffix);
}

/* ---- authenticity ---- */

static void
compute_mac(const struct w_hmac_key *key, const char *body, size_t len,
    char out_hex[W_SHA256_HEX])
{
	/* No request's hash begins with this. */
	static const char purpose[] = "writ approval 1\n";
	uint8_t sum[W_SHA256_SIZE];
	struct w_hmac mac;

	w_hmac_init(&mac, key);
	w_hmac_add(&mac, purpose, sizeof(purpose) - 1);
	w_hmac_add(&mac, body, len);
	w_hmac_end(&mac, sum);
	w_hex_put(out_hex, sum, sizeof(sum));
}

static bool
has_valid_mac(const struct w_hmac_key *key, const char *bytes, size_t len)
{
	unsigned char differ = 0;
	char mac[W_SHA256_HEX];

	if (len <= HEAD_LEN || memcmp(bytes, before_mac, BEFORE_LEN) != 0 ||
	    memcmp(bytes + HEAD_LEN - BEHIND_LEN, behind_mac, BEHIND_LEN) != 0)
		return false;
	compute_mac(key, bytes + HEAD_LEN, len - HEAD_LEN, mac);
	/* In constant time. */
	for (size_t i = 0; i < W_SHA256_HEX; i++)
		differ |= (unsigned char)(mac[i] ^ bytes[BEFORE_LEN + i]);
	return differ == 0;
}

/* A renamed file would apply to another question. */
static bool
approval_file_is_about(yyjson_val *root, const char *name, const char *kind)
{
	yyjson_val *id = yyjson_obj_get(root, "id");
	const size_t len = strcspn(name, ".");

	return yyjson_equals_str(yyjson_obj_get(root, "kind"), kind) &&
	       len == WRIT_APPROVAL_ID_LEN && yyjson_equals_strn(id, name, len);
}

writ_status
w_approval_file_parse(const struct w_hmac_key *key, const char *bytes,
    size_t len, const char *name, const char *kind, struct w_json **out_json,
    writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_APPROVAL_FILE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json;

	if (!has_valid_mac(key, bytes, len)) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' was not written by writ, or changed since", name);
		w_suggest(
		    err, "delete it; its request must be asked about again");
		return WRIT_E_INVALID;
	}
	writ_status status = w_json_read(bytes, len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	if (!approval_file_is_about(w_json_root(json), name, kind)) {
		w_json_free(json);
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' contains something other than its name says",
		    name);
	}
	*out_json = json;
	return WRIT_OK;
}

static writ_status
approval_file_check_file(
    const char *name, const struct stat *st, writ_error *err)
{
	if (!S_ISREG(st->st_mode))
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' is not a plain file", name);
	if (w_trust_is_foreign(st))
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' is not yours alone (owner %lu, mode %04o)", name,
		    (unsigned long)st->st_uid, (unsigned)(st->st_mode & 07777));
	return WRIT_OK;
}

writ_status
w_approval_file_read(const struct w_approval_store *store, int dir_fd,
    const char *name, const char *kind, struct w_json **out_json,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf bytes;
	struct stat st;
	W_AUTO_FD int fd = dir_fd < 0 ? -1
				      : openat(dir_fd, name,
					    O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
						O_NONBLOCK | O_NOCTTY);

	w_buf_init(&bytes, W_APPROVAL_FILE_MAX);
	if (dir_fd < 0 || (fd < 0 && errno == ENOENT))
		return w_fail(err, WRIT_E_NOTFOUND, "approval", 0,
		    "there is no '%.64s'", name);
	if (fd < 0 && errno == ELOOP)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "'%.64s' is a symbolic link", name);
	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_INVALID, "approval", errno,
		    "cannot open '%.64s'", name);
	writ_status status = approval_file_check_file(name, &st, err);
	if (status != WRIT_OK)
		return status;
	int error = w_file_read_all(fd, &bytes);
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, "approval", error,
		    "cannot read '%.64s'", name);
	return w_approval_file_parse(
	    &store->key, bytes.data, bytes.len, name, kind, out_json, err);
}

/* ---- writing ---- */

void
w_approval_file_begin(struct w_buf *body, const char *kind, const char *id)
{
	char head[HEAD_LEN];

	/* Room for the MAC, which is known at the end. */
	memset(head, ' ', sizeof(head));
	w_buf_add(body, head, sizeof(head));
	w_buf_add_str(body, "\"kind\":");
	w_json_add_text(body, kind);
	w_buf_add_str(body, ",\"id\":");
	w_json_add_string(body, id, WRIT_APPROVAL_ID_LEN);
}

void
w_approval_file_end(const struct w_hmac_key *key, struct w_buf *body)
{
	w_buf_add_str(body, "}\n");
	if (body->failed)
		return;
	memcpy(body->data, before_mac, BEFORE_LEN);
	compute_mac(key, body->data + HEAD_LEN, body->len - HEAD_LEN,
	    body->data + BEFORE_LEN);
	memcpy(body->data + HEAD_LEN - BEHIND_LEN, behind_mac, BEHIND_LEN);
}

int
w_approval_file_write(const struct w_approval_store *store, int dir_fd,
    const char *name, struct w_buf *body)
{
	const struct w_replace how = {.mode = 0600, .is_lasting = true};

	w_approval_file_end(&store->key, body);
	if (body->failed)
		return body->len > W_APPROVAL_FILE_MAX / 2 ? EFBIG : ENOMEM;
	return w_replace_file(dir_fd, name, body->data, body->len, &how);
}
