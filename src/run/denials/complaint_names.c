/* SPDX-License-Identifier: Apache-2.0 */

/* The path or host that a complaint names, in the usual forms:
 *
 *	PROGRAM: cannot create 'PATH': ERROR     PROGRAM: PATH: ERROR
 *	open PATH: ERROR                         ERROR, open 'PATH'
 *	[Errno 30] ERROR: 'PATH'                 PATH (ERROR)
 */

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "run/denials/complaint.h"

static const struct w_complaint_part no_part = {.at = NULL};

static bool
is_alnum(char c)
{
	return isalnum((unsigned char)c) != 0;
}

/* ---- quotation marks ---- */

/* The bytes of a quotation mark, and the marks that end what it begins. */
static const struct quote {
	const char *open;
	const char *close;
	const char *other; /* NULL: none */
} quotes[] = {
    {"'", "'", NULL},
    {"\"", "\"", NULL},
    {"`", "`", "'"},
    {"\xe2\x80\x98", "\xe2\x80\x99", NULL},
    {"\xe2\x80\x9c", "\xe2\x80\x9d", NULL},
};

static bool
starts_with(struct w_complaint_part text, size_t at, const char *mark)
{
	return mark != NULL && strlen(mark) <= text.len - at &&
	       memcmp(text.at + at, mark, strlen(mark)) == 0;
}

/* The quotation mark at a place. In "can't" it is none. */
static const struct quote *
opening_at(struct w_complaint_part text, size_t at)
{
	if (at > 0 && is_alnum(text.at[at - 1]))
		return NULL;
	for (size_t i = 0; i < sizeof(quotes) / sizeof(*quotes); i++) {
		if (starts_with(text, at, quotes[i].open))
			return &quotes[i];
	}
	return NULL;
}

static bool
closes_at(struct w_complaint_part text, size_t at, const struct quote *quote)
{
	const char *mark = starts_with(text, at, quote->close)   ? quote->close
			   : starts_with(text, at, quote->other) ? quote->other
								 : NULL;

	if (mark == NULL)
		return false;
	const size_t next = at + strlen(mark);
	return next == text.len || !is_alnum(text.at[next]);
}

/* A search for texts in quotation marks. */
struct quote_search {
	struct w_complaint_part text;
	size_t at;
	unsigned open; /* mask of quotes that nothing closes from here on:
			  without it many of them would take long */
};

static struct w_complaint_part
next_quoted(struct quote_search *search)
{
	const struct w_complaint_part text = search->text;

	for (; search->at < text.len; search->at++) {
		const struct quote *quote = opening_at(text, search->at);
		const unsigned bit =
		    quote == NULL ? 0 : 1U << (unsigned)(quote - quotes);

		if (quote == NULL || (search->open & bit) != 0)
			continue;
		const size_t start = search->at + strlen(quote->open);
		for (size_t end = start; end < text.len; end++) {
			if (!closes_at(text, end, quote))
				continue;
			search->at = end + 1;
			return (struct w_complaint_part){
			    text.at + start, end - start};
		}
		search->open |= bit;
	}
	return no_part;
}

static bool
is_absolute(struct w_complaint_part path)
{
	return path.len > 0 &&
	       (path.at[0] == '/' ||
		   (path.len > 1 && path.at[0] == '~' && path.at[1] == '/'));
}

static bool
may_be_path(struct w_complaint_part path)
{
	return path.len > 0 && path.len < PATH_MAX &&
	       memchr(path.at, '\0', path.len) == NULL &&
	       (is_absolute(path) || memchr(path.at, ' ', path.len) == NULL);
}

/* The last of them: the target of a move or a link. */
static struct w_complaint_part
last_quoted(struct w_complaint_part text, bool is_any)
{
	struct w_complaint_part last = no_part;
	struct w_complaint_part part;
	struct quote_search search = {.text = text};

	while ((part = next_quoted(&search)).at != NULL) {
		if (may_be_path(part) && (is_any || is_absolute(part)))
			last = part;
	}
	return last;
}

struct w_complaint_part
w_complaint_quoted_path(struct w_complaint_part line)
{
	return last_quoted(line, false);
}

/* ---- without quotation marks ---- */

/* Removes what stands between a path and its error. */
static struct w_complaint_part
trim_end(struct w_complaint_part text)
{
	while (text.len > 0 &&
	       strchr(" :([,;\t", text.at[text.len - 1]) != NULL &&
	       text.at[text.len - 1] != '\0')
		text.len--;
	return text;
}

/* The absolute path at the end of a field: "open output file /x". Of two it is
 * the second: "rename /a /b". */
static struct w_complaint_part
path_in_field(struct w_complaint_part field)
{
	for (size_t i = field.len; i-- > 0;) {
		const struct w_complaint_part path = {
		    field.at + i, field.len - i};

		if (is_absolute(path) && (i == 0 || field.at[i - 1] == ' '))
			return path;
	}
	return no_part;
}

static struct w_complaint_part
last_word(struct w_complaint_part field)
{
	for (size_t i = field.len; i-- > 0;) {
		if (field.at[i] == ' ' || field.at[i] == '(')
			return (struct w_complaint_part){
			    field.at + i + 1, field.len - i - 1};
	}
	return field;
}

/* Cuts the last field off: "a: b: c" becomes "a: b", and "c" is returned. */
static struct w_complaint_part
take_field(struct w_complaint_part *text)
{
	for (size_t i = text->len; i-- > 1;) {
		if (text->at[i] != ' ' || text->at[i - 1] != ':')
			continue;
		const struct w_complaint_part field = {
		    text->at + i + 1, text->len - i - 1};
		text->len = i - 1;
		return field;
	}
	const struct w_complaint_part all = *text;
	text->len = 0;
	return all;
}

/* Before the error: "tar: /x: Cannot open: ", "sh: 1: cannot create x: ". */
static struct w_complaint_part
path_before(struct w_complaint_part text)
{
	struct w_complaint_part near = no_part;

	text = trim_end(text);
	while (text.len > 0) {
		const struct w_complaint_part field =
		    trim_end(take_field(&text));
		const struct w_complaint_part path = path_in_field(field);

		if (path.at != NULL && may_be_path(path))
			return path;
		if (near.at == NULL)
			near = last_word(field);
	}
	const bool is_name =
	    near.len > 0 && may_be_path(near) &&
	    (is_alnum(near.at[0]) || near.at[0] == '.' || near.at[0] == '_');
	return is_name ? near : no_part;
}

/* After it: "AccessDeniedException: /x", "EROFS @ rb_sysopen - /x". */
static struct w_complaint_part
path_after(struct w_complaint_part text)
{
	for (size_t i = 0; i < text.len; i++) {
		struct w_complaint_part path = {text.at + i, text.len - i};

		if (!is_absolute(path) || i == 0 || text.at[i - 1] != ' ')
			continue;
		const char *space = memchr(path.at, ' ', path.len);
		if (space != NULL)
			path.len = (size_t)(space - path.at);
		while (path.len > 1 &&
		       strchr(",.;:)", path.at[path.len - 1]) != NULL &&
		       path.at[path.len - 1] != '\0')
			path.len--;
		return may_be_path(path) ? path : no_part;
	}
	return no_part;
}

struct w_complaint_part
w_complaint_path(struct w_complaint_part line, const char *word,
    struct w_complaint_part after)
{
	const struct w_complaint_part before = {
	    line.at, (size_t)(word - line.at)};
	struct w_complaint_part path = last_quoted(after, true);

	if (path.at == NULL)
		path = last_quoted(before, true);
	if (path.at != NULL && is_absolute(path))
		return path;
	const struct w_complaint_part bare = path_before(before);
	/* A quoted name is surer than a bare word; an absolute path is surer
	 * than both. */
	if (bare.at != NULL && (is_absolute(bare) || path.at == NULL)) {
		const struct w_complaint_part later = path_after(after);

		return is_absolute(bare) || later.at == NULL ? bare : later;
	}
	return path.at != NULL ? path : path_after(after);
}

/* ---- hosts ---- */

/* A colon and figures at the end; of "::1" it is the address. */
static size_t
without_port(const char *at, size_t len)
{
	const char *colon = memchr(at, ':', len);

	if (colon == NULL)
		return len;
	const size_t rest = len - (size_t)(colon + 1 - at);
	return memchr(colon + 1, ':', rest) == NULL ? (size_t)(colon - at)
						    : len;
}

static struct w_complaint_part
host_at(struct w_complaint_part text)
{
	size_t len = 0;

	/* "host name", "host address", ": 'host'" */
	while (text.len > 0 && !is_alnum(text.at[0]) && text.at[0] != '[' &&
	       !starts_with(text, 0, "::")) {
		/* Only marks may stand between. */
		if (strchr(" :'\"(\xe2\x80\x98", text.at[0]) == NULL ||
		    text.at[0] == '\0')
			return no_part;
		text.at++;
		text.len--;
	}
	if (text.len > 0 && text.at[0] == '[') {
		const char *end = memchr(text.at, ']', text.len);

		if (end == NULL)
			return no_part;
		text.at++;
		len = (size_t)(end - text.at);
	} else {
		while (
		    len < text.len &&
		    (is_alnum(text.at[len]) || strchr(".-_:", text.at[len])) &&
		    text.at[len] != '\0')
			len++;
		while (len > 0 && strchr(".:-", text.at[len - 1]) != NULL)
			len--;
		len = without_port(text.at, len);
	}
	if (len == 0 || len > W_COMPLAINT_HOST_MAX)
		return no_part;
	for (size_t i = 0; i < len; i++) {
		if (!is_alnum(text.at[i]) && strchr(".-_:", text.at[i]) == NULL)
			return no_part;
		if (text.at[i] == '\0')
			return no_part;
	}
	return (struct w_complaint_part){text.at, len};
}

/* What stands before a host, the surest first. Behind a weak one the word must
 * look like a host. */
static const struct cue {
	const char *text;
	bool is_weak;
} cues[] = {
    {"resolve hostname", false},
    {"resolve host address", false},
    {"resolve host name", true},
    {"resolve host:", false},
    {"resolve host", true},
    {"failure resolving", false},
    {"eai_again", true},
    {"enotfound", true},
    {"unknownhostexception:", false},
    {"translate host name", false},
    {"host='", false},
    {"hostname: '", false},
    {"lookup", true},
    {"resolving", true},
    {"connect to host", false},
    {"failed to connect to", false},
    {"dial tcp", true},
    {"dial udp", true},
    {"listen tcp", true},
    {"listen udp", true},
    {"connecting to", true},
    {"enetunreach", true},
    {"address family not supported", true},
};

static bool
looks_like_host(struct w_complaint_part host)
{
	return memchr(host.at, '.', host.len) != NULL ||
	       memchr(host.at, ':', host.len) != NULL ||
	       (host.len == strlen("localhost") &&
		   memcmp(host.at, "localhost", host.len) == 0);
}

struct w_complaint_part
w_complaint_host(struct w_complaint_part line)
{
	for (size_t i = 0; i < sizeof(cues) / sizeof(*cues); i++) {
		struct w_complaint_part rest = line;
		const char *found;

		while (
		    (found = w_complaint_search(rest, cues[i].text)) != NULL) {
			const char *next = found + strlen(cues[i].text);

			rest.len -= (size_t)(next - rest.at);
			rest.at = next;
			const struct w_complaint_part host = host_at(rest);
			if (host.at != NULL &&
			    (!cues[i].is_weak || looks_like_host(host)))
				return host;
		}
	}
	return no_part;
}
