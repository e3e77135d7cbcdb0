/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the arguments of `exec` in the spellings of other tools.
 *
 * First every key is given its name of the schema, and its value that name's
 * unit; two spellings of one key are an error. Then the command: a text or a
 * list, whichever of the two it can only be.
 */

#include "mcp/tools/tool_spelling.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "data/json_words.h"

#define STAGE    "arguments"
#define TEXT_MAX ((size_t)256 << 20)
#define BLANKS   " \t\n"
/* What only a shell acts on. */
#define SHELL_CHARACTERS BLANKS "|&;$`<>(){}*?[]~#'\"\\!"

enum {
	KEYS_MAX = 64,
	MS_PER_S = 1000,
	TOKEN_BYTES = 4,
	BYTES_MAX = 1 << 20,
	CALL_MAX = 160, /* of a command that is repeated in advice */
};

/* How the value of another spelling becomes that of the key. */
enum exec_unit {
	SAME,
	SECONDS,
	SECONDS_OR_MS, /* below 1000 they are seconds */
	TOKENS,
	AT_ONCE, /* true: do not wait */
	IGNORED, /* a switch without a meaning here */
	WALLS,   /* asks to have no sandbox */
};

struct spelling {
	const char *name;
	const char *key;
	enum exec_unit unit;
};

static const struct spelling spellings[] = {
    {"cmd", "command", SAME},
    {"command_line", "command", SAME},
    {"commandLine", "command", SAME},
    {"workdir", "cwd", SAME},
    {"working_directory", "cwd", SAME},
    {"workingDirectory", "cwd", SAME},
    {"working_dir", "cwd", SAME},
    {"directory", "cwd", SAME},
    {"dir_path", "cwd", SAME},
    {"environment", "env", SAME},
    {"explanation", "description", SAME},
    {"justification", "description", SAME},
    {"tty", "pty", SAME},
    {"timeout", "timeout_ms", SECONDS_OR_MS},
    {"timeoutMs", "timeout_ms", SAME},
    {"timeout_milliseconds", "timeout_ms", SAME},
    {"timeout_seconds", "timeout_ms", SECONDS},
    {"timeout_secs", "timeout_ms", SECONDS},
    {"timeout_sec", "timeout_ms", SECONDS},
    {"timeoutSeconds", "timeout_ms", SECONDS},
    {"yield_time_ms", "yield_ms", SAME},
    {"run_in_background", "yield_ms", AT_ONCE},
    {"is_background", "yield_ms", AT_ONCE},
    {"isBackground", "yield_ms", AT_ONCE},
    {"background", "yield_ms", AT_ONCE},
    {"max_output_tokens", "max_bytes", TOKENS},
    {"login", NULL, IGNORED},
    {"sandbox_permissions", NULL, WALLS},
    {"with_escalated_permissions", NULL, WALLS},
    {"dangerouslyDisableSandbox", NULL, WALLS},
};

/* The parts of a call that belong to the command. */
struct exec_reader {
	struct w_buf out;           /* the other members, as JSON */
	const char *keys[KEYS_MAX]; /* of those */
	size_t count;
	yyjson_val *command;
	yyjson_val *argv;
	yyjson_val *args;
	yyjson_val *shell;
	yyjson_doc *list; /* a list that came as a text; NULL: none */
};

/* ---- advice ---- */

/* Fails, with the right call for this text as the advice. */
__attribute__((format(printf, 3, 4))) static writ_status
fail_with_call(writ_error *err, const char *text, const char *fmt, ...)
{
	char message[sizeof(err->message)];
	W_AUTO_BUF struct w_buf call;
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s", message);
	w_buf_init(&call, TEXT_MAX);
	if (text != NULL && strlen(text) <= CALL_MAX)
		w_json_add_text(&call, text);
	else
		w_buf_add_str(&call, "\"...\"");
	w_suggest(err, "the right call is {\"command\": %s}", call.data);
	return WRIT_E_INVALID;
}

static const char *
exec_text(yyjson_val *value)
{
	return w_json_is_text(value) ? yyjson_get_str(value) : NULL;
}

/* ---- members ---- */

static bool
has_key(const struct exec_reader *reader, const char *key)
{
	for (size_t i = 0; i < reader->count; i++) {
		if (strcmp(reader->keys[i], key) == 0)
			return true;
	}
	return false;
}

/* Begins a member; its value follows. */
static writ_status
begin_member(struct exec_reader *reader, const char *name, const char *key,
    writ_error *err)
{
	if (has_key(reader, key))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.40s' says '%s' a second time: give one of them", name,
		    key);
	if (reader->count == KEYS_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d arguments", KEYS_MAX);
	reader->keys[reader->count++] = key;
	w_buf_add_char(&reader->out, reader->out.len == 0 ? '{' : ',');
	w_json_add_text(&reader->out, key);
	w_buf_add_char(&reader->out, ':');
	return WRIT_OK;
}

static writ_status
exec_add_value(struct w_buf *buf, yyjson_val *value, writ_error *err)
{
	size_t len = 0;
	W_AUTO_FREE char *json = yyjson_val_write(value, 0, &len);

	if (json == NULL)
		return w_fail_nomem(err, STAGE);
	w_buf_add(buf, json, len);
	return WRIT_OK;
}

/* A number in another unit. One that is none, or below 0, is kept for the
 * schema to refuse. */
static writ_status
add_scaled(struct w_buf *buf, yyjson_val *value, double factor, double max,
    writ_error *err)
{
	const double scaled = yyjson_get_num(value) * factor;

	if (!yyjson_is_num(value) || !(scaled >= 0))
		return exec_add_value(buf, value, err);
	w_buf_add_fmt(buf, "%" PRIu64, (uint64_t)(scaled < max ? scaled : max));
	return WRIT_OK;
}

static writ_status
exec_add_converted(
    struct w_buf *buf, yyjson_val *value, enum exec_unit unit, writ_error *err)
{
	if (unit == SECONDS ||
	    (unit == SECONDS_OR_MS && yyjson_get_num(value) < MS_PER_S))
		return add_scaled(buf, value, MS_PER_S, 0x1p53, err);
	if (unit == TOKENS)
		return add_scaled(buf, value, TOKEN_BYTES, BYTES_MAX, err);
	return exec_add_value(buf, value, err);
}

/* A switch: true and false only. false is what exec does anyway. */
static writ_status
read_switch(struct exec_reader *reader, const struct spelling *spelling,
    yyjson_val *value, writ_error *err)
{
	const bool is_default =
	    yyjson_is_false(value) || yyjson_equals_str(value, "use_default");

	if (spelling->unit == WALLS && !is_default) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s': every command runs in the sandbox", spelling->name);
		w_suggest(err,
		    "'hosts', 'network', 'write' and 'sandbox' ask for more");
		return WRIT_E_INVALID;
	}
	if (!yyjson_is_bool(value) && !is_default)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s: expected true or false, got %s", spelling->name,
		    w_json_type_words(value));
	if (spelling->unit != AT_ONCE || is_default)
		return WRIT_OK;
	writ_status status =
	    begin_member(reader, spelling->name, spelling->key, err);
	if (status == WRIT_OK)
		w_buf_add_char(&reader->out, '0');
	return status;
}

/* Where a part of the command is kept for later. NULL: the key is none. */
static yyjson_val **
part_of(struct exec_reader *reader, const char *key)
{
	const struct {
		const char *key;
		yyjson_val **place;
	} parts[] = {
	    {"command", &reader->command},
	    {"argv", &reader->argv},
	    {"args", &reader->args},
	    {"shell", &reader->shell},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].key, key) == 0)
			return parts[i].place;
	}
	return NULL;
}

/* NULL: the key has one spelling only. */
static const struct spelling *
find_spelling(yyjson_val *key)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		if (yyjson_equals_str(key, spellings[i].name))
			return &spellings[i];
	}
	return NULL;
}

static writ_status
read_member(struct exec_reader *reader, yyjson_val *key, yyjson_val *value,
    writ_error *err)
{
	const struct spelling *spelling = find_spelling(key);
	const char *name = yyjson_get_str(key);
	const char *target = spelling == NULL ? name : spelling->key;
	const enum exec_unit unit = spelling == NULL ? SAME : spelling->unit;

	/* A key with a NUL in it is like no other. */
	if (!w_json_is_text(key))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "unknown key '%.40s': it has a NUL in it", name);
	if (unit == AT_ONCE || unit == IGNORED || unit == WALLS)
		return read_switch(reader, spelling, value, err);
	yyjson_val **part = part_of(reader, target);
	if (part != NULL && *part != NULL)
		return fail_with_call(err, NULL,
		    "'%s' says '%s' a second time: give one of them", name,
		    target);
	if (part != NULL) {
		*part = value;
		return WRIT_OK;
	}
	writ_status status = begin_member(reader, name, target, err);
	return status == WRIT_OK
		   ? exec_add_converted(&reader->out, value, unit, err)
		   : status;
}

/* ---- the command ---- */

static writ_status
exec_put(struct exec_reader *reader, const char *key, yyjson_val *value,
    writ_error *err)
{
	writ_status status = begin_member(reader, key, key, err);

	return status == WRIT_OK ? exec_add_value(&reader->out, value, err)
				 : status;
}

/* [FIRST, "-c", TEXT], or [FIRST, REST...] if rest is a list. */
static writ_status
exec_put_words(struct exec_reader *reader, yyjson_val *first, yyjson_val *text,
    yyjson_val *rest, writ_error *err)
{
	yyjson_val *word;
	size_t i;
	size_t count;
	writ_status status = begin_member(reader, "argv", "argv", err);

	w_buf_add_char(&reader->out, '[');
	if (status == WRIT_OK)
		status = exec_add_value(&reader->out, first, err);
	if (text != NULL && status == WRIT_OK) {
		w_buf_add_str(&reader->out, ",\"-c\",");
		status = exec_add_value(&reader->out, text, err);
	}
	yyjson_arr_foreach(rest, i, count, word)
	{
		w_buf_add_char(&reader->out, ',');
		if (status == WRIT_OK)
			status = exec_add_value(&reader->out, word, err);
	}
	w_buf_add_char(&reader->out, ']');
	return status;
}

static bool
are_texts(yyjson_val *list)
{
	yyjson_val *word;
	size_t i;
	size_t count;

	yyjson_arr_foreach(list, i, count, word)
	{
		if (!yyjson_is_str(word))
			return false;
	}
	return yyjson_arr_size(list) > 0;
}

/* A list of words that came as one text: ["ls","-la"] in quotes. NULL: it is
 * none. No shell would make anything else of it. */
static yyjson_val *
list_in_text(struct exec_reader *reader, yyjson_val *value)
{
	const char *text = exec_text(value);

	if (text == NULL || text[strspn(text, BLANKS)] != '[')
		return NULL;
	yyjson_doc_free(reader->list);
	reader->list =
	    yyjson_read(text, yyjson_get_len(value), YYJSON_READ_NOFLAG);
	yyjson_val *root = yyjson_doc_get_root(reader->list);
	return yyjson_is_arr(root) && are_texts(root) ? root : NULL;
}

/* The one word of a list that is a whole command line: it has blanks, and what
 * stands before them is no path. NULL: the list is what it seems. */
static yyjson_val *
line_in_list(yyjson_val *list)
{
	yyjson_val *word =
	    yyjson_arr_size(list) == 1 ? yyjson_arr_get_first(list) : NULL;
	const char *text = exec_text(word);

	if (text == NULL || text[strcspn(text, BLANKS)] == '\0' ||
	    strcspn(text, "/") < strcspn(text, BLANKS))
		return NULL;
	return word;
}

/* "bash" and the like: the name of a shell, not a text for one. */
static bool
is_shell_name(const char *text)
{
	static const char *const names[] = {
	    "bash", "sh", "dash", "zsh", "ksh", "fish", NULL};
	const char *slash = strrchr(text, '/');
	const char *name = slash == NULL ? text : slash + 1;

	for (size_t i = 0; names[i] != NULL; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

/* bash is what runs a text anyway. */
static bool
is_usual_shell(const char *text)
{
	return strcmp(text, "bash") == 0 || strcmp(text, "/bin/bash") == 0 ||
	       strcmp(text, "/usr/bin/bash") == 0;
}

/* The key `shell` of other tools: a switch, the name of a shell, or the text
 * itself. Sets reader->shell to NULL if nothing is left of it. */
static writ_status
read_shell(struct exec_reader *reader, writ_error *err)
{
	yyjson_val *shell = reader->shell;
	const char *text = exec_text(shell);
	const bool has_command =
	    reader->command != NULL || reader->argv != NULL;

	if (yyjson_is_true(shell) && reader->argv != NULL &&
	    yyjson_arr_size(reader->argv) > 1)
		return fail_with_call(
		    err, NULL, "a shell takes one text, not a list of words");
	if (yyjson_is_true(shell) && yyjson_is_arr(reader->argv)) {
		reader->command = yyjson_arr_get_first(reader->argv);
		reader->argv = NULL;
	}
	if (yyjson_is_false(shell) && reader->argv == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "without a shell the command has to be a list of words");
		w_suggest(err, "the right call is {\"argv\": [\"ls\", "
			       "\"-la\"]}");
		return WRIT_E_INVALID;
	}
	if (yyjson_is_bool(shell)) {
		reader->shell = NULL;
		return WRIT_OK;
	}
	if (!has_command) {
		reader->command = shell;
		reader->shell = NULL;
		return WRIT_OK;
	}
	if (text == NULL || !is_shell_name(text) || reader->argv != NULL ||
	    !yyjson_is_str(reader->command))
		return fail_with_call(err, exec_text(reader->command),
		    "'shell' beside a command: only one of them can run");
	if (is_usual_shell(text))
		reader->shell = NULL;
	return WRIT_OK;
}

/* command and args: a program's name and its arguments. */
static writ_status
read_args(struct exec_reader *reader, writ_error *err)
{
	const char *text = exec_text(reader->command);

	if (yyjson_is_arr(reader->args) && yyjson_arr_size(reader->args) == 0 &&
	    (reader->command != NULL || reader->argv != NULL)) {
		reader->args = NULL;
		return WRIT_OK;
	}
	if (text == NULL || !are_texts(reader->args) || reader->shell != NULL ||
	    text[0] == '\0' || text[strcspn(text, SHELL_CHARACTERS)] != '\0') {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'args' is not a key of exec");
		w_suggest(err, "the right call is {\"argv\": [\"ls\", "
			       "\"-la\"]} or {\"command\": \"ls -la\"}");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* Turns what came as the other kind into the kind that it is. */
static void
exchange(struct exec_reader *reader)
{
	yyjson_val *list = list_in_text(
	    reader, reader->command != NULL ? reader->command : reader->argv);

	if (list == NULL && yyjson_is_arr(reader->command))
		list = reader->command;
	if (list != NULL) {
		reader->argv = list;
		reader->command = NULL;
	}
	yyjson_val *line = yyjson_is_str(reader->argv)
			       ? reader->argv
			       : line_in_list(reader->argv);
	if (line != NULL) {
		reader->command = line;
		reader->argv = NULL;
	}
}

static writ_status
read_command(struct exec_reader *reader, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (reader->command != NULL && reader->argv != NULL)
		return fail_with_call(err, exec_text(reader->command),
		    "'command' and 'argv' are both given: only one of them "
		    "can run");
	if (reader->shell != NULL)
		status = read_shell(reader, err);
	if (status == WRIT_OK && reader->args != NULL)
		status = read_args(reader, err);
	if (status != WRIT_OK)
		return status;
	if (reader->args != NULL)
		return exec_put_words(
		    reader, reader->command, NULL, reader->args, err);
	if (reader->shell != NULL)
		return exec_put_words(
		    reader, reader->shell, reader->command, NULL, err);
	exchange(reader);
	if (reader->command != NULL)
		return exec_put(reader, "command", reader->command, err);
	if (reader->argv != NULL)
		return exec_put(reader, "argv", reader->argv, err);
	return WRIT_OK; /* an unknown key may explain it better */
}

/* ---- all of it ---- */

static writ_status
read_members(struct exec_reader *reader, yyjson_val *given, writ_error *err)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(given);
	yyjson_val *key;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && (key = yyjson_obj_iter_next(&iter)) != NULL)
		status =
		    read_member(reader, key, yyjson_obj_iter_get_val(key), err);
	if (status == WRIT_OK)
		status = read_command(reader, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_str(&reader->out, reader->out.len == 0 ? "{}" : "}");
	return reader->out.failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* Most calls name the keys of the schema: those are not copied. */
static bool
is_usual(yyjson_val *given)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(given);
	const char *text = exec_text(yyjson_obj_get(given, "command"));
	yyjson_val *argv = yyjson_obj_get(given, "argv");
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
		if (!w_json_is_text(key) || find_spelling(key) != NULL ||
		    yyjson_equals_str(key, "shell") ||
		    yyjson_equals_str(key, "args"))
			return false;
	}
	if (argv == NULL)
		return text != NULL && text[strspn(text, BLANKS)] != '[';
	return yyjson_obj_get(given, "command") == NULL &&
	       yyjson_is_arr(argv) && line_in_list(argv) == NULL;
}

writ_status
w_tool_spelling_read(yyjson_val *given, struct w_json **out_json,
    yyjson_val **out_arguments, writ_error *err)
{
	const struct w_json_limits limits = {TEXT_MAX, 64};
	struct exec_reader reader = {.count = 0};
	struct w_json *json = NULL;

	*out_json = NULL;
	*out_arguments = given;
	if (is_usual(given))
		return WRIT_OK;
	w_buf_init(&reader.out, TEXT_MAX);
	writ_status status = read_members(&reader, given, err);
	if (status == WRIT_OK)
		status = w_json_read(
		    reader.out.data, reader.out.len, &limits, &json, err);
	w_buf_done(&reader.out);
	yyjson_doc_free(reader.list);
	if (status != WRIT_OK)
		return status;
	*out_json = json;
	*out_arguments = w_json_root(json);
	return WRIT_OK;
}
