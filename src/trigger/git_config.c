/* SPDX-License-Identifier: Apache-2.0 */

/* Reads git config files, and knows which settings run no program. */

#include "trigger/git_config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/buf.h"

#define KEY_MAX   256
#define VALUE_MAX ((size_t)1 << 20)
/* A long one is no reason to call the file unreadable. */
#define SUBSECTION_MAX ((size_t)64 << 10)

/* The state of the parser. */
struct git_config_reader {
	const char *at;
	const char *end;
	struct w_buf section;    /* in lower case, followed by a dot */
	struct w_buf subsection; /* as written */
	bool has_subsection;
	struct w_buf key;
	struct w_buf value;
};

static void
git_config_cut(struct w_buf *buf, size_t len)
{
	buf->len = len;
	if (buf->cap > 0)
		buf->data[len] = '\0';
}

static int
peek(const struct git_config_reader *reader)
{
	return reader->at == reader->end ? -1 : (unsigned char)*reader->at;
}

/* CR LF is a newline, too. */
static int
git_config_next(struct git_config_reader *reader)
{
	const int c = peek(reader);

	if (c < 0)
		return -1;
	reader->at++;
	if (c == '\r' && peek(reader) == '\n') {
		reader->at++;
		return '\n';
	}
	return c;
}

static bool
is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void
skip_spaces(struct git_config_reader *reader)
{
	while (is_space(peek(reader)))
		reader->at++;
}

static void
skip_line(struct git_config_reader *reader)
{
	int c;

	do {
		c = git_config_next(reader);
	} while (c >= 0 && c != '\n');
}

/* ---- [section "subsection"] ---- */

static bool
read_subsection(struct git_config_reader *reader)
{
	reader->has_subsection = true;
	skip_spaces(reader);
	if (git_config_next(reader) != '"')
		return false;
	for (;;) {
		int c = git_config_next(reader);

		if (c == '\\')
			c = git_config_next(reader);
		else if (c == '"')
			return git_config_next(reader) == ']';
		if (c < 0 || c == '\n')
			return false;
		w_buf_add_char(&reader->subsection, (char)c);
	}
}

/* Starts after the bracket. [section.subsection] is the old form. */
static bool
read_section(struct git_config_reader *reader)
{
	bool in_subsection = false;

	git_config_cut(&reader->section, 0);
	git_config_cut(&reader->subsection, 0);
	reader->has_subsection = false;
	for (;;) {
		const int c = git_config_next(reader);

		if (c == ']' || (is_space(c) && !in_subsection))
			w_buf_add_char(&reader->section, '.');
		if (c == ']')
			return !reader->section.failed;
		if (is_space(c))
			return !in_subsection && !reader->section.failed &&
			       read_subsection(reader);
		if (in_subsection)
			w_buf_add_char(&reader->subsection, (char)tolower(c));
		if (c == '.')
			reader->has_subsection = in_subsection = true;
		else if (c < 0 || (!isalnum(c) && c != '-'))
			return false;
		if (!in_subsection)
			w_buf_add_char(&reader->section, w_lower((char)c));
	}
}

/* ---- name = value ---- */

static bool
git_config_add_escaped(struct git_config_reader *reader)
{
	switch (git_config_next(reader)) {
	case '\n':
		return true; /* continues on the next line */
	case 't':
		w_buf_add_char(&reader->value, '\t');
		return true;
	case 'b':
		w_buf_add_char(&reader->value, '\b');
		return true;
	case 'n':
		w_buf_add_char(&reader->value, '\n');
		return true;
	case '"':
		w_buf_add_char(&reader->value, '"');
		return true;
	case '\\':
		w_buf_add_char(&reader->value, '\\');
		return true;
	default:
		return false;
	}
}

/* Starts after the '='. Trailing white space is dropped, unless quoted. */
static bool
git_config_read_value(struct git_config_reader *reader)
{
	bool is_quoted = false;
	size_t len = 0;

	git_config_cut(&reader->value, 0);
	skip_spaces(reader);
	for (;;) {
		const int c = git_config_next(reader);

		if (c < 0 || c == '\n')
			break;
		if (!is_quoted && (c == '#' || c == ';')) {
			skip_line(reader);
			break;
		}
		if (c == '\\') {
			if (!git_config_add_escaped(reader))
				return false;
		} else if (c == '"') {
			is_quoted = !is_quoted;
		} else {
			w_buf_add_char(&reader->value, (char)c);
		}
		if (is_quoted || !is_space(c))
			len = reader->value.len;
	}
	git_config_cut(&reader->value, len);
	return !is_quoted && !reader->value.failed;
}

static bool
read_setting(struct git_config_reader *reader)
{
	git_config_cut(&reader->key, 0);
	w_buf_add(&reader->key, reader->section.data, reader->section.len);
	while (isalnum(peek(reader)) || peek(reader) == '-')
		w_buf_add_char(
		    &reader->key, w_lower((char)git_config_next(reader)));
	if (reader->section.len == 0 || reader->key.failed)
		return false;
	skip_spaces(reader);
	const int c = git_config_next(reader);
	if (c == '=')
		return git_config_read_value(reader);
	git_config_cut(&reader->value, 0);
	w_buf_add_str(&reader->value, "true");
	if (c == '#' || c == ';')
		skip_line(reader);
	return c < 0 || c == '\n' || c == '#' || c == ';';
}

/* Who gets the settings: one of both. */
struct git_config_taker {
	w_git_setting_fn take;
	w_git_entry_fn take_entry;
	void *ctx;
};

static bool
git_config_hand_on(const struct git_config_reader *reader, const char *text,
    const char *start, const struct git_config_taker *taker)
{
	if (taker->take != NULL)
		return taker->take(
		    taker->ctx, reader->key.data, reader->value.data);
	const struct w_git_entry entry = {
	    .section = reader->section.data,
	    .subsection = !reader->has_subsection ? NULL
			  : reader->subsection.len == 0
			      ? ""
			      : reader->subsection.data,
	    .name = reader->key.data + reader->section.len,
	    .value = reader->value.len == 0 ? "" : reader->value.data,
	    .value_len = reader->value.len,
	    .start = (size_t)(start - text),
	    .end = (size_t)(reader->at - text),
	};

	return taker->take_entry(taker->ctx, &entry);
}

static bool
git_config_read_all(struct git_config_reader *reader, const char *text,
    const struct git_config_taker *taker)
{
	for (;;) {
		const int c = peek(reader);
		const char *start = reader->at;

		if (c < 0)
			return true;
		if (c == '\n' || is_space(c)) {
			reader->at++;
		} else if (c == '#' || c == ';') {
			skip_line(reader);
		} else if (c == '[') {
			reader->at++;
			if (!read_section(reader) || reader->subsection.failed)
				return false;
		} else {
			if (!isalpha(c) || !read_setting(reader))
				return false;
			if (!git_config_hand_on(reader, text, start, taker))
				return true;
		}
	}
}

static bool
git_config_parse(
    const char *text, size_t len, const struct git_config_taker *taker)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t mark_len = sizeof(mark) - 1;
	struct git_config_reader reader = {.at = text, .end = text + len};

	if (memchr(text, '\0', len) != NULL)
		return false;
	if (len >= mark_len && memcmp(text, mark, mark_len) == 0)
		reader.at += mark_len;
	w_buf_init(&reader.section, KEY_MAX);
	w_buf_init(&reader.subsection, SUBSECTION_MAX);
	w_buf_init(&reader.key, KEY_MAX * 2);
	w_buf_init(&reader.value, VALUE_MAX);
	const bool is_read = git_config_read_all(&reader, text, taker);
	w_buf_done(&reader.section);
	w_buf_done(&reader.subsection);
	w_buf_done(&reader.key);
	w_buf_done(&reader.value);
	return is_read;
}

bool
w_git_config_read(
    const char *text, size_t len, w_git_setting_fn take, void *ctx)
{
	const struct git_config_taker taker = {.take = take, .ctx = ctx};

	return git_config_parse(text, len, &taker);
}

bool
w_git_config_read_entries(
    const char *text, size_t len, w_git_entry_fn take, void *ctx)
{
	const struct git_config_taker taker = {.take_entry = take, .ctx = ctx};

	return git_config_parse(text, len, &taker);
}

/* ---- what runs nothing ---- */

/* Settings that git and everyday use of it write. "name.*" is a section. */
static const char *const harmless[] = {"advice.*", "author.*", "branch.*",
    "color.*", "column.*", "commit.gpgsign", "commit.verbose", "committer.*",
    "core.abbrev", "core.autocrlf", "core.bare", "core.bigfilethreshold",
    "core.commentchar", "core.compression", "core.eol", "core.filemode",
    "core.ignorecase", "core.logallrefupdates", "core.longpaths",
    "core.precomposeunicode", "core.preloadindex", "core.protecthfs",
    "core.protectntfs", "core.quotepath", "core.repositoryformatversion",
    "core.safecrlf", "core.sharedrepository", "core.sparsecheckout",
    "core.sparsecheckoutcone", "core.symlinks", "core.untrackedcache",
    "core.whitespace", "core.worktree", "diff.algorithm", "diff.colormoved",
    "diff.context", "diff.noprefix", "diff.renames", "extensions.*",
    "feature.*", "fetch.*", "gc.auto", "index.*", "init.defaultbranch",
    "lfs.access", "lfs.repositoryformatversion", "log.*", "maintenance.auto",
    "maintenance.strategy", "merge.conflictstyle", "merge.ff", "merge.renames",
    "pack.*", "pull.*", "push.*", "rebase.autosquash", "rebase.autostash",
    "receive.denycurrentbranch", "remote.fetch", "remote.mirror",
    "remote.partialclonefilter", "remote.promisor", "remote.prune",
    "remote.push", "remote.pushdefault", "remote.tagopt", "rerere.*",
    "status.*", "submodule.active", "submodule.branch",
    "submodule.fetchrecursesubmodules", "submodule.ignore", "submodule.path",
    "submodule.recurse", "tag.gpgsign", "user.email", "user.name",
    "user.signingkey", "user.useconfigonly"};

static bool
is_boolean(const char *value)
{
	static const char *const words[] = {
	    "", "true", "false", "yes", "no", "on", "off", "0", "1"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(value, words[i]) == 0)
			return true;
	}
	return false;
}

static bool
git_config_is_listed(const char *key)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		const char *row = harmless[i];
		const size_t len = strlen(row);

		if (row[len - 1] == '*' ? strncmp(row, key, len - 1) == 0
					: strcmp(row, key) == 0)
			return true;
	}
	return false;
}

bool
w_git_setting_is_harmless(const char *key, const char *value)
{
	/* TRANSPORT::ADDRESS runs git-remote-TRANSPORT. */
	if (strcmp(key, "remote.url") == 0 ||
	    strcmp(key, "remote.pushurl") == 0 ||
	    strcmp(key, "submodule.url") == 0)
		return strstr(value, "::") == NULL && value[0] != '-';
	if (strcmp(key, "submodule.update") == 0)
		return value[0] != '!';
	if (strcmp(key, "core.fsmonitor") == 0)
		return is_boolean(value);
	return git_config_is_listed(key);
}
