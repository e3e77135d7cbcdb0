/* SPDX-License-Identifier: Apache-2.0 */

/* Follows the requests of an HTTP/1 connection; see http_watch.h. */

#include "run/relay/http_watch.h"

#include "run/relay/relay_text.h"

enum {
	METHOD_MAX = 20,
	VERSION_LEN = 8, /* HTTP/1.1 */
	STATUS_LEN = 12, /* HTTP/1.1 101 */
	BODY_DIGITS_MAX = 15,
	CHUNK_DIGITS_MAX = 12
};

/* A piece of text, not ended by a NUL. */
struct piece {
	const char *at;
	size_t len;
};

static int
piece_is(struct piece piece, const char *text)
{
	return relay_text_is(piece.at, piece.len, text, relay_text_len(text));
}

static int
is_token_byte(char c)
{
	static const char others[] = "!#$%&'*+-.^_`|~";
	size_t i = 0;

	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9'))
		return 1;
	while (others[i] != '\0' && others[i] != c)
		i++;
	return others[i] != '\0';
}

/* The next line, with CRLF at its end. 0: it is not whole; -1: its end is
 * another, or it has a NUL. */
static int
take_line(struct piece *from, struct piece *out_line)
{
	for (size_t i = 0; i < from->len; i++) {
		const char c = from->at[i];

		if (c == '\0' || c == '\n')
			return -1;
		if (c != '\r')
			continue;
		if (i + 1 == from->len)
			return 0;
		if (from->at[i + 1] != '\n')
			return -1;
		*out_line = (struct piece){from->at, i};
		from->at += i + 2;
		from->len -= i + 2;
		return 1;
	}
	return 0;
}

static struct piece
trim(struct piece piece)
{
	while (piece.len > 0 && (*piece.at == ' ' || *piece.at == '\t')) {
		piece.at++;
		piece.len--;
	}
	while (piece.len > 0 && (piece.at[piece.len - 1] == ' ' ||
				    piece.at[piece.len - 1] == '\t'))
		piece.len--;
	return piece;
}

static size_t
method_len(const uint8_t *bytes, size_t len)
{
	size_t i = 0;

	while (i < len && i <= METHOD_MAX && bytes[i] >= 'A' && bytes[i] <= 'Z')
		i++;
	return i;
}

static int
is_version(const char *at)
{
	return relay_text_is(at, VERSION_LEN - 1, "HTTP/1.", VERSION_LEN - 1) &&
	       (at[VERSION_LEN - 1] == '0' || at[VERSION_LEN - 1] == '1');
}

enum http_guess
http_guess(const uint8_t *bytes, size_t len)
{
	const size_t method = method_len(bytes, len);
	size_t i = method;

	if (method > METHOD_MAX)
		return HTTP_NO;
	if (method == len)
		return HTTP_MAYBE;
	if (method == 0 || bytes[method] != ' ')
		return HTTP_NO;
	while (i < len && bytes[i] != '\r' && bytes[i] != '\n')
		i++;
	if (i == len)
		return len < HTTP_LINE_MAX ? HTTP_MAYBE : HTTP_NO;
	return i > method + 1 + VERSION_LEN &&
		       is_version((const char *)bytes + i - VERSION_LEN)
		   ? HTTP_YES
		   : HTTP_NO;
}

/* ---- a head ---- */

struct http_head {
	struct piece host;
	size_t hosts;
	size_t lengths;
	uint64_t length;
	size_t encodings;
	int is_chunked;
	int has_upgrade;
	int is_version_0;
};

static void
http_watch_refuse(struct http_look *look, enum w_relay_reason reason)
{
	look->refused = reason;
	look->pass = 0;
}

/* The host of "host:port", or of "[address]:port". 0: it is none. */
static int
read_host(struct piece text, struct piece *out_host)
{
	size_t len = 0;

	if (text.len > 0 && text.at[0] == '[')
		return 0; /* there is no IPv6 inside */
	while (len < text.len && text.at[len] != ':')
		len++;
	for (size_t i = len + 1; i < text.len; i++)
		if (text.at[i] < '0' || text.at[i] > '9')
			return 0;
	for (size_t i = 0; i < len; i++)
		if (!is_token_byte(text.at[i]))
			return 0;
	*out_host = (struct piece){text.at, len};
	return len > 0;
}

static void
check_host(struct piece text, const char *host, size_t host_len,
    struct http_look *look)
{
	struct piece named;

	if (!read_host(text, &named)) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		return;
	}
	if (relay_name_is(named.at, named.len, host, host_len))
		return;
	http_watch_refuse(look, W_RELAY_REASON_HTTP_OTHER);
	look->other_len =
	    named.len > W_RELAY_NAME_MAX ? W_RELAY_NAME_MAX : named.len;
	for (size_t i = 0; i < look->other_len; i++)
		look->other[i] = named.at[i];
	look->other[look->other_len] = '\0';
}

/* "GET /path HTTP/1.1", or with a URL: then its host applies and not Host. */
static void
read_request_line(struct piece line, const char *host, size_t host_len,
    struct http_head *head, struct http_look *look)
{
	static const char scheme[] = "http://";
	size_t at = method_len((const uint8_t *)line.at, line.len);
	const struct piece method = {line.at, at};

	if (at == 0 || at > METHOD_MAX || line.len < at + 3 + VERSION_LEN ||
	    line.at[at] != ' ' || line.at[line.len - VERSION_LEN - 1] != ' ' ||
	    !is_version(line.at + line.len - VERSION_LEN)) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		return;
	}
	if (piece_is(method, "CONNECT")) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_CONNECT);
		return;
	}
	head->is_version_0 = line.at[line.len - 1] == '0';
	struct piece target = {
	    line.at + at + 1, line.len - at - 2 - VERSION_LEN};
	for (size_t i = 0; i < target.len; i++) {
		if (target.at[i] == ' ' || target.at[i] == '\t') {
			http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
			return;
		}
	}
	if (target.at[0] == '/' || piece_is(target, "*"))
		return;
	if (target.len <= sizeof(scheme) - 1 ||
	    !relay_text_is(
		target.at, sizeof(scheme) - 1, scheme, sizeof(scheme) - 1)) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		return;
	}
	struct piece authority = {
	    target.at + sizeof(scheme) - 1, target.len - sizeof(scheme) + 1};
	at = 0;
	while (at < authority.len && authority.at[at] != '/' &&
	       authority.at[at] != '?' && authority.at[at] != '#')
		at++;
	authority.len = at;
	check_host(authority, host, host_len, look);
}

static int
read_length(struct piece value, uint64_t *out_length)
{
	uint64_t length = 0;

	if (value.len == 0 || value.len > BODY_DIGITS_MAX)
		return 0;
	for (size_t i = 0; i < value.len; i++) {
		if (value.at[i] < '0' || value.at[i] > '9')
			return 0;
		length = length * 10 + (uint64_t)(value.at[i] - '0');
	}
	*out_length = length;
	return 1;
}

/* 0: it cannot be understood. */
static int
read_field(struct piece line, struct http_head *head)
{
	size_t colon = 0;

	while (colon < line.len && is_token_byte(line.at[colon]))
		colon++;
	/* Nor a line that goes on from the one before. */
	if (colon == 0 || colon == line.len || line.at[colon] != ':')
		return 0;
	const struct piece name = {line.at, colon};
	const struct piece value =
	    trim((struct piece){line.at + colon + 1, line.len - colon - 1});
	if (piece_is(name, "host")) {
		head->host = value;
		head->hosts++;
	} else if (piece_is(name, "content-length")) {
		head->lengths++;
		return read_length(value, &head->length);
	} else if (piece_is(name, "transfer-encoding")) {
		head->encodings++;
		head->is_chunked = 1;
		return piece_is(value, "chunked");
	} else if (piece_is(name, "upgrade")) {
		head->has_upgrade = 1;
	}
	return 1;
}

static void
check_head(const struct http_head *head, const char *host, size_t host_len,
    struct http_look *look)
{
	if (look->refused != W_RELAY_REASON_NONE)
		return;
	if (head->hosts == 0)
		http_watch_refuse(look, W_RELAY_REASON_HTTP_MISSING);
	else if (head->hosts > 1 || head->lengths > 1 || head->encodings > 1 ||
		 (head->is_chunked &&
		     (head->lengths > 0 || head->is_version_0)))
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
	else
		check_host(head->host, host, host_len, look);
}

static void
look_at_head(struct http_watch *watch, const uint8_t *bytes, size_t len,
    const char *host, size_t host_len, struct http_look *look)
{
	struct piece rest = {(const char *)bytes, len};
	struct http_head head = {.hosts = 0};
	struct piece line = {NULL, 0};
	int is_first = 1, ret;

	while ((ret = take_line(&rest, &line)) > 0) {
		if (line.len == 0)
			break;
		if (is_first)
			read_request_line(line, host, host_len, &head, look);
		else if (!read_field(line, &head))
			http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		is_first = 0;
		if (look->refused != W_RELAY_REASON_NONE)
			return;
	}
	if (ret < 0 || (ret > 0 && is_first) ||
	    (ret == 0 && len >= HTTP_HEAD_MAX)) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		return;
	}
	if (ret == 0)
		return;
	check_head(&head, host, host_len, look);
	if (look->refused != W_RELAY_REASON_NONE)
		return;
	look->pass = len - rest.len;
	watch->requests++;
	watch->body = head.length;
	watch->state = head.is_chunked   ? HTTP_AT_CHUNK
		       : head.length > 0 ? HTTP_IN_BODY
		       : head.has_upgrade && watch->requests == 1
			   ? HTTP_AT_UPGRADE
			   : HTTP_AT_HEAD;
}

/* ---- a body in chunks ---- */

static int
hex_digit(char c)
{
	const char lower = relay_lower(c);

	return lower >= '0' && lower <= '9'   ? lower - '0'
	       : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
					      : -1;
}

static int
read_chunk_size(struct piece line, uint64_t *out_size)
{
	uint64_t size = 0;
	size_t i = 0;

	for (; i < line.len && hex_digit(line.at[i]) >= 0; i++)
		size = size << 4 | (uint64_t)hex_digit(line.at[i]);
	*out_size = size;
	return i > 0 && i <= CHUNK_DIGITS_MAX &&
	       (i == line.len || line.at[i] == ';');
}

/* A line of the framing: a chunk's size, the end of one, a trailer. */
static void
look_at_line(struct http_watch *watch, const uint8_t *bytes, size_t len,
    struct http_look *look)
{
	struct piece rest = {(const char *)bytes, len};
	struct piece line = {NULL, 0};
	const int ret = take_line(&rest, &line);
	int is_good = 1;

	if (ret < 0 || (ret > 0 ? line.len : len) > HTTP_CHUNK_LINE_MAX) {
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
		return;
	}
	if (ret == 0)
		return;
	if (watch->state == HTTP_AT_CHUNK) {
		is_good = read_chunk_size(line, &watch->body);
		watch->state =
		    watch->body > 0 ? HTTP_IN_CHUNK : HTTP_AT_TRAILER;
	} else if (watch->state == HTTP_AT_CHUNK_END) {
		is_good = line.len == 0;
		watch->state = HTTP_AT_CHUNK;
	} else if (line.len == 0) {
		watch->state = HTTP_AT_HEAD;
	}
	look->pass = len - rest.len;
	if (!is_good)
		http_watch_refuse(look, W_RELAY_REASON_HTTP_BAD);
}

void
http_watch_look(struct http_watch *watch, const uint8_t *bytes, size_t len,
    const char *host, size_t host_len, struct http_look *out_look)
{
	out_look->pass = 0;
	out_look->refused = W_RELAY_REASON_NONE;
	out_look->other_len = 0;
	switch (watch->state) {
	case HTTP_AT_HEAD:
		look_at_head(watch, bytes, len, host, host_len, out_look);
		return;
	case HTTP_IN_BODY:
		out_look->pass = watch->body;
		watch->state = HTTP_AT_HEAD;
		return;
	case HTTP_IN_CHUNK:
		out_look->pass = watch->body;
		watch->state = HTTP_AT_CHUNK_END;
		return;
	case HTTP_AT_CHUNK:
	case HTTP_AT_CHUNK_END:
	case HTTP_AT_TRAILER:
		look_at_line(watch, bytes, len, out_look);
		return;
	case HTTP_AT_UPGRADE:
		return;
	}
}

int
http_watch_answer(struct http_watch *watch, const uint8_t *bytes, size_t len)
{
	static const char code[] = " 101";

	if (len < STATUS_LEN)
		return -1;
	if (is_version((const char *)bytes) &&
	    relay_text_is((const char *)bytes + VERSION_LEN, sizeof(code) - 1,
		code, sizeof(code) - 1))
		return 1;
	watch->state = HTTP_AT_HEAD;
	return 0;
}
