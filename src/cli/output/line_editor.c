/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edits one line, with the keys of a shell.
 */

#include "cli/output/line_editor.h"

#include <string.h>

#include "base/encode.h"
#include "base/printable.h"

#define ESC          '\033'
#define CTRL(key)    ((char)((key) - '@'))
#define DELETE       '\x7f'

#define CHAR_LEN_MAX 4

#define PLAIN_MAX    ((size_t)16 * W_EDITOR_MAX)

void
w_editor_init(struct w_line_editor *edit, const char *text)
{
	size_t len = strlen(text);

	*edit = (struct w_line_editor){.len = 0};
	if (len > W_EDITOR_MAX - 1)
		len = w_utf8_trim_end(text, W_EDITOR_MAX - 1);
	if (!w_utf8_valid(text, len))
		len = 0;
	memcpy(edit->text, text, len);
	edit->text[len] = '\0';
	edit->len = len;
	edit->at = len;
}

static bool
is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t
before(const struct w_line_editor *edit, size_t at)
{
	while (at > 0 && is_continuation(edit->text[--at]))
		;
	return at;
}

static size_t
after(const struct w_line_editor *edit, size_t at)
{
	while (at < edit->len && is_continuation(edit->text[++at]))
		;
	return at;
}

static void
line_editor_cut(struct w_line_editor *edit, size_t from, size_t to)
{
	memmove(edit->text + from, edit->text + to, edit->len - to + 1);
	edit->len -= to - from;
	edit->at = from;
}

static void
insert(struct w_line_editor *edit, const char *bytes, size_t len)
{
	if (len > W_EDITOR_MAX - 1 - edit->len)
		return;
	memmove(edit->text + edit->at + len, edit->text + edit->at,
	    edit->len - edit->at + 1);
	memcpy(edit->text + edit->at, bytes, len);
	edit->len += len;
	edit->at += len;
}

static size_t
word_start(const struct w_line_editor *edit)
{
	size_t at = edit->at;

	while (at > 0 && edit->text[at - 1] == ' ')
		at--;
	while (at > 0 && edit->text[at - 1] != ' ')
		at--;
	return at;
}

/* Executes "ESC [ NUMBER FINAL"; the number only matters for '~'. */
static void
line_editor_obey(struct w_line_editor *edit, char final, char number)
{
	if (final == 'D')
		edit->at = before(edit, edit->at);
	else if (final == 'C')
		edit->at = after(edit, edit->at);
	else if (final == 'H' || (final == '~' && strchr("17", number)))
		edit->at = 0;
	else if (final == 'F' || (final == '~' && strchr("48", number)))
		edit->at = edit->len;
	else if (final == '~' && number == '3')
		line_editor_cut(edit, edit->at, after(edit, edit->at));
}

/* Within a sequence: ESC [ or ESC O, parameters, a final byte. */
static enum w_editor_state
take_sequence(struct w_line_editor *edit, char byte)
{
	if (edit->key_count == 1 && byte == ESC)
		return W_EDITOR_ABORTED;
	if (edit->key_count == 1 && byte != '[' && byte != 'O') {
		edit->key_count = 0;
		return W_EDITOR_OPEN;
	}
	if (edit->key_count > 1 && byte >= '@' && byte <= '~') {
		line_editor_obey(
		    edit, byte, edit->key_count > 2 ? edit->keys[2] : '1');
		edit->key_count = 0;
		return W_EDITOR_OPEN;
	}
	/* A sequence that is too long loses bytes, but not its final byte. */
	if (edit->key_count < sizeof(edit->keys))
		edit->keys[edit->key_count++] = byte;
	return W_EDITOR_OPEN;
}

/* A byte of a multibyte character. */
static void
take_part(struct w_line_editor *edit, char byte)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, PLAIN_MAX);
	/* A lead byte starts a new character; an incomplete one is lost. */
	if (!is_continuation(byte) || edit->key_count == CHAR_LEN_MAX)
		edit->key_count = 0;
	edit->keys[edit->key_count++] = byte;
	if (w_utf8_trim_end(edit->keys, edit->key_count) < edit->key_count)
		return;
	edit->keys[edit->key_count] = '\0';
	(void)w_printable_add(&shown, edit->keys, 0);
	/* Only characters that are shown as themselves: no escapes. */
	if (strcmp(shown.data, edit->keys) == 0)
		insert(edit, edit->keys, edit->key_count);
	edit->key_count = 0;
}

static enum w_editor_state
take_control(struct w_line_editor *edit, char byte)
{
	switch (byte) {
	case '\r':
	case '\n':
		return W_EDITOR_DONE;
	case CTRL('C'):
	case CTRL('D'):
		return W_EDITOR_ABORTED;
	case CTRL('A'):
		edit->at = 0;
		break;
	case CTRL('E'):
		edit->at = edit->len;
		break;
	case CTRL('B'):
		edit->at = before(edit, edit->at);
		break;
	case CTRL('F'):
		edit->at = after(edit, edit->at);
		break;
	case CTRL('H'):
	case DELETE:
		line_editor_cut(edit, before(edit, edit->at), edit->at);
		break;
	case CTRL('K'):
		line_editor_cut(edit, edit->at, edit->len);
		break;
	case CTRL('U'):
		line_editor_cut(edit, 0, edit->at);
		break;
	case CTRL('W'):
		line_editor_cut(edit, word_start(edit), edit->at);
		break;
	case ESC:
		edit->keys[0] = ESC;
		edit->key_count = 1;
		break;
	default:
		break;
	}
	return W_EDITOR_OPEN;
}

enum w_editor_state
w_editor_accept(struct w_line_editor *edit, char byte)
{
	if (edit->key_count > 0 && edit->keys[0] == ESC)
		return take_sequence(edit, byte);
	if ((unsigned char)byte >= 0x80) {
		take_part(edit, byte);
		return W_EDITOR_OPEN;
	}
	edit->key_count = 0;
	if (byte < ' ' || byte == DELETE)
		return take_control(edit, byte);
	insert(edit, &byte, 1);
	return W_EDITOR_OPEN;
}

bool
w_editor_has_escape(const struct w_line_editor *edit)
{
	return edit->key_count == 1 && edit->keys[0] == ESC;
}

/* Columns of the text between two offsets. */
static size_t
columns_of(const struct w_line_editor *edit, size_t from, size_t to)
{
	char part[W_EDITOR_MAX];
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, PLAIN_MAX);
	memcpy(part, edit->text + from, to - from);
	part[to - from] = '\0';
	return w_printable_add(&shown, part, 0);
}

void
w_editor_draw(const struct w_line_editor *edit, const char *prompt,
    size_t columns, struct w_buf *out)
{
	const size_t taken = strlen(prompt) + 1;
	const size_t room = columns > taken + 1 ? columns - taken : 0;
	size_t start = 0;
	size_t end = edit->len;

	while (room > 0 && columns_of(edit, start, edit->at) >= room)
		start = after(edit, start);
	while (room > 0 && columns_of(edit, start, end) > room)
		end = before(edit, end);
	w_buf_add_fmt(out, "\r%s%.*s\033[K\r", prompt, (int)(end - start),
	    edit->text + start);

	const size_t column =
	    strlen(prompt) + columns_of(edit, start, edit->at);
	if (column > 0)
		w_buf_add_fmt(out, "\033[%zuC", column);
}
