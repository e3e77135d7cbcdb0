/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the words of errors in output; see complaint.h. */

#include "run/denials/complaint.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Lines before an error that may name its path: "Caused by:" stands between
 * them. */
enum {
	LINES_BACK = 5
};

static const struct error_word {
	const char *text;
	enum w_complaint_kind kind;
	bool is_write;
} error_words[] = {
    {"read-only file system", W_COMPLAINT_READ_ONLY, true},
    {"erofs", W_COMPLAINT_READ_ONLY, true},
    {"permission denied", W_COMPLAINT_NO_PERMISSION, false},
    {"eacces", W_COMPLAINT_NO_PERMISSION, false},
    {"accessdeniedexception", W_COMPLAINT_NO_PERMISSION, false},
    {"for writing", W_COMPLAINT_NO_PERMISSION, true},
    {"not writable", W_COMPLAINT_NO_PERMISSION, true},
    {"not writeable", W_COMPLAINT_NO_PERMISSION, true},
    {"operation not permitted", W_COMPLAINT_NOT_PERMITTED, false},
    {"eperm", W_COMPLAINT_NOT_PERMITTED, false},
    {"device or resource busy", W_COMPLAINT_BUSY, true},
    {"ebusy", W_COMPLAINT_BUSY, true},
    {"address family not supported", W_COMPLAINT_FAMILY, false},
    {"eafnosupport", W_COMPLAINT_FAMILY, false},
    {"network is unreachable", W_COMPLAINT_UNREACHABLE, false},
    {"network unreachable", W_COMPLAINT_UNREACHABLE, false},
    {"enetunreach", W_COMPLAINT_UNREACHABLE, false},
    {"temporary failure in name resolution", W_COMPLAINT_UNRESOLVED, false},
    {"temporary failure resolving", W_COMPLAINT_UNRESOLVED, false},
    {"name or service not known", W_COMPLAINT_UNRESOLVED, false},
    {"could not resolve host", W_COMPLAINT_UNRESOLVED, false},
    {"couldn't resolve host", W_COMPLAINT_UNRESOLVED, false},
    {"unable to resolve host", W_COMPLAINT_UNRESOLVED, false},
    {"no such host", W_COMPLAINT_UNRESOLVED, false},
    {"eai_again", W_COMPLAINT_UNRESOLVED, false},
    {"enotfound", W_COMPLAINT_UNRESOLVED, false},
    {"unknownhostexception", W_COMPLAINT_UNRESOLVED, false},
    {"failed to connect to", W_COMPLAINT_UNCONNECTED, false},
};

const char *
w_complaint_search(struct w_complaint_part line, const char *text)
{
	const size_t len = strlen(text);
	const char upper = (char)toupper((unsigned char)text[0]);

	for (size_t i = 0; i + len <= line.len; i++) {
		if ((line.at[i] == text[0] || line.at[i] == upper) &&
		    strncasecmp(line.at + i, text, len) == 0)
			return line.at + i;
	}
	return NULL;
}

static const struct error_word *
word_at(const char *at, size_t left)
{
	const char first = (char)tolower((unsigned char)*at);

	for (size_t i = 0; i < sizeof(error_words) / sizeof(*error_words);
	     i++) {
		const struct error_word *word = &error_words[i];
		const size_t len = strlen(word->text);

		if (word->text[0] == first && len <= left &&
		    strncasecmp(at, word->text, len) == 0)
			return word;
	}
	return NULL;
}

/* The words of an error in a line: the first ones say what it is, the path
 * follows the last ones ("EROFS: read-only file system, open 'x'"). */
struct found_words {
	const struct error_word *word; /* NULL: none */
	const char *first;
	const char *after_last;
};

/* Only where a word begins. */
static struct found_words
find_words(struct w_complaint_part line)
{
	struct found_words found = {.word = NULL};
	bool is_inside = false;

	for (size_t i = 0; i < line.len; i++) {
		const struct error_word *word =
		    is_inside ? NULL : word_at(line.at + i, line.len - i);

		is_inside = isalnum((unsigned char)line.at[i]) != 0;
		if (word == NULL)
			continue;
		if (found.word == NULL) {
			found.word = word;
			found.first = line.at + i;
		}
		found.after_last = line.at + i + strlen(word->text);
	}
	return found;
}

/* Words for changing something, beside "Permission denied", but not in the path
 * itself. */
static bool
says_write(struct w_complaint_part line, const struct w_complaint_part *path)
{
	static const char *const words[] = {"creat", "mkdir", "writ", "touch",
	    "remov", "unlink", "renam", "cannot move", "to lock", "lock file",
	    "output file", "temporary file", "delet", "setting times",
	    "changing", "cannot overwrite", "truncat", "mkstemp", "symlink",
	    "could not install"};

	const bool is_here =
	    path->at >= line.at && path->at < line.at + line.len;
	const char *cut = is_here ? path->at : line.at + line.len;
	const char *rest = is_here ? path->at + path->len : cut;
	const struct w_complaint_part before = {
	    line.at, (size_t)(cut - line.at)};
	const struct w_complaint_part after = {
	    rest, (size_t)(line.at + line.len - rest)};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (w_complaint_search(before, words[i]) != NULL ||
		    w_complaint_search(after, words[i]) != NULL)
			return true;
	}
	return false;
}

/* A path that one of the lines before names. */
static struct w_complaint_part
look_back(const char *text, const char *line)
{
	struct w_complaint_part none = {.at = NULL};

	for (int i = 0; i < LINES_BACK && line > text; i++) {
		const char *end = line - 1; /* the newline */

		line = end;
		while (line > text && line[-1] != '\n' &&
		       end - line < W_COMPLAINT_LINE_MAX)
			line--;
		struct w_complaint_part path = w_complaint_quoted_path(
		    (struct w_complaint_part){line, (size_t)(end - line)});
		if (path.at != NULL)
			return path;
	}
	return none;
}

/* Whether the line complains about something that has a name, or about the
 * network. */
static bool
read_line(const char *text, struct w_complaint_part line,
    struct w_complaint *out_complaint)
{
	const struct found_words found = find_words(line);

	if (found.word == NULL)
		return false;
	*out_complaint = (struct w_complaint){
	    .kind = found.word->kind, .is_write = found.word->is_write};
	if (found.word->kind >= W_COMPLAINT_FAMILY) {
		out_complaint->host = w_complaint_host(line);
		return true;
	}
	/* A missing file is no refusal. */
	if (strcmp(found.word->text, "for writing") == 0 &&
	    w_complaint_search(line, "no such file") != NULL)
		return false;
	const struct w_complaint_part after = {
	    found.after_last, (size_t)(line.at + line.len - found.after_last)};
	out_complaint->path = w_complaint_path(line, found.first, after);
	if (out_complaint->path.at == NULL)
		out_complaint->path = look_back(text, line.at);
	if (out_complaint->path.at == NULL)
		return false;
	out_complaint->is_write =
	    found.word->is_write || says_write(line, &out_complaint->path);
	return true;
}

void
w_complaint_find_all(const char *text, size_t len, w_complaint_fn fn, void *ctx)
{
	const char *end = text + len;
	const char *at = text;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct w_complaint_part line = {
		    at, (size_t)((newline == NULL ? end : newline) - at)};
		struct w_complaint complaint;

		at += line.len + 1;
		while (line.len > 0 && line.at[line.len - 1] == '\r')
			line.len--;
		if (line.len <= W_COMPLAINT_LINE_MAX &&
		    read_line(text, line, &complaint) && !fn(ctx, &complaint))
			return;
		if (newline == NULL)
			return;
	}
}
