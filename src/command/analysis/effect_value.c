/* SPDX-License-Identifier: Apache-2.0 */

/* The effects of a value by its type: paths, hosts, secrets, variables. Nested
 * commands are handled elsewhere. */

#include <string.h>

#include "base/basename.h"
#include "base/hex.h"
#include "command/analysis/address.h"
#include "command/analysis/analyzer.h"

/* Parts of the names of headers that carry a secret. */
static const char *const secret_headers[] = {"auth", "cookie", "token",
    "secret", "key", "password", "signature", "session", NULL};

/* One word of a value. */
struct value {
	const struct w_value_type *type;
	const char *text;
	size_t len;
	size_t offset; /* in its word */
	struct w_source_place from;
};

static void
mark_secret(struct w_analyzer *analyzer, const struct value *value,
    size_t offset, size_t len)
{
	w_analyzer_secret(
	    analyzer, value->from.word, value->offset + offset, len);
}

/* "%2e" is a dot for the program that opens it; programs differ about "%00". */
static void
touch_encoded(struct w_analyzer *analyzer, unsigned effects,
    const struct w_address *address, const struct w_source_place *from)
{
	char *path = w_analyzer_alloc(analyzer, address->len + 1, 1);
	size_t len = 0;

	if (path == NULL)
		return;
	for (size_t i = 0; i < address->len; i++) {
		int high = i + 2 < address->len
			       ? w_hex_digit(address->target[i + 1])
			       : -1;
		int low = high >= 0 ? w_hex_digit(address->target[i + 2]) : -1;

		if (address->target[i] == '%' && low >= 0) {
			path[len++] = (char)(high * 16 + low);
			i += 2;
		} else {
			path[len++] = address->target[i];
		}
	}
	if (memchr(path, '\0', len) != NULL)
		path = NULL;
	w_analyzer_path(analyzer, effects, path, len, from);
}

/* access applies to a local path, reach to a host. */
static void
touch_address(struct w_analyzer *analyzer, const struct w_address *address,
    unsigned access, unsigned reach, const struct w_source_place *from)
{
	static const char helper[] = "what follows '::' is executed";
	bool is_known = address->target != NULL;

	if (address->is_helper) {
		struct w_source_place place = *from;
		place.why = helper;
		w_analyzer_effects(
		    analyzer, W_EFFECT_EXEC | W_EFFECT_CODE, &place);
	}
	if (is_known &&
	    w_analyzer_is_placed(analyzer, address->target, address->len))
		is_known = false;
	if (address->kind != W_ADDRESS_FILE)
		w_analyzer_host(analyzer, reach,
		    is_known ? address->target : NULL, address->len, from);
	if (address->kind == W_ADDRESS_HOST)
		return;
	if (is_known && address->is_encoded)
		touch_encoded(analyzer, access, address, from);
	else
		w_analyzer_path(analyzer, access,
		    is_known ? address->target : NULL, address->len, from);
}

static struct w_address
address_of(const struct value *value)
{
	if (value->type->kind == W_VALUE_URL)
		return w_address_url(value->text, value->len);
	if (value->type->kind == W_VALUE_HOST)
		return w_address_host(value->text, value->len);
	return w_address_remote(value->text, value->len);
}

/* "http://localhost:$PORT/": whatever comes behind the host, it is meant for
 * this machine. */
static bool
is_meant_for_loopback(
    const struct w_analyzer *analyzer, const struct value *value)
{
	const struct w_unseen *unseen =
	    w_analyzer_unseen(analyzer, value->text, value->len);

	if (value->type->kind != W_VALUE_URL || unseen == NULL ||
	    unseen->at <= value->text)
		return false;
	const struct w_address address =
	    w_address_url(value->text, (size_t)(unseen->at - value->text));
	return address.kind == W_ADDRESS_HOST && address.target != NULL &&
	       address.target + address.len < unseen->at &&
	       w_address_is_loopback(address.target, address.len);
}

static void
analyze_address(struct w_analyzer *analyzer, const struct value *value)
{
	struct w_address address = address_of(value);
	struct w_source_place from = value->from;
	unsigned access = value->type->access;
	unsigned reach = W_EFFECT_NET;

	if (value->type->kind == W_VALUE_URL)
		access |= W_EFFECT_READ;
	/* Inserted text could be any kind of address. */
	if (w_analyzer_is_placed(analyzer, value->text, value->len)) {
		from.is_possible = is_meant_for_loopback(analyzer, value);
		if (value->type->kind != W_VALUE_HOST)
			address.kind = W_ADDRESS_UNKNOWN;
		address.target = NULL;
	}
	if (value->type->kind == W_VALUE_REMOTE &&
	    (access & (W_EFFECT_WRITE | W_EFFECT_DELETE)) != 0)
		reach |= W_EFFECT_PUBLISH;
	mark_secret(analyzer, value, address.secret, address.secret_len);
	touch_address(analyzer, &address, access, reach, &from);
}

void
w_analyzer_header_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset)
{
	const char *text = analyzer->analysis->argv[word] + offset;
	size_t name = strcspn(text, ":;");

	if (text[name] == '\0' ||
	    !w_analyzer_has_part(text, name, secret_headers))
		return;
	name++;
	name += strspn(text + name, " \t");
	w_analyzer_secret(analyzer, word, offset + name, strlen(text + name));
}

static void
analyze_header(struct w_analyzer *analyzer, const struct value *value)
{
	if (value->text[0] == '@' && strcmp(value->text, "@-") != 0)
		w_analyzer_path(analyzer, W_EFFECT_READ, value->text + 1,
		    value->len - 1, &value->from);
	w_analyzer_header_secret(analyzer, value->from.word, value->offset);
}

/* A file whose contents are sent; "-" is standard input. */
static void
effect_value_read_file(
    struct w_analyzer *analyzer, const struct value *value, const char *path)
{
	bool is_unclear =
	    strpbrk(path, ",\"\\") != NULL || strstr(path, "headers=") != NULL;
	size_t len = value->type->kind == W_VALUE_MULTIPART ? strcspn(path, ";")
							    : strlen(path);

	if (len == 1 && path[0] == '-' && !is_unclear)
		return;
	if (value->type->kind == W_VALUE_MULTIPART && is_unclear)
		path = NULL;
	w_analyzer_path(analyzer, W_EFFECT_READ, path, len, &value->from);
}

static void
analyze_multipart(struct w_analyzer *analyzer, const struct value *value)
{
	const char *at = strchr(value->text, '@');
	const char *equals = strchr(value->text, '=');

	/* The data may itself name a file with headers. */
	if (strstr(value->text, "headers=@") != NULL ||
	    strstr(value->text, "headers=<") != NULL)
		w_analyzer_path(analyzer, W_EFFECT_READ, NULL, 0, &value->from);
	if (at != NULL && (equals == NULL || at < equals))
		effect_value_read_file(analyzer, value, at + 1);
	else if (equals != NULL && (equals[1] == '@' || equals[1] == '<'))
		effect_value_read_file(analyzer, value, equals + 2);
}

static void
analyze_path(struct w_analyzer *analyzer, const struct value *value)
{
	w_analyzer_path(analyzer, value->type->access, value->text, value->len,
	    &value->from);
}

static void
analyze_secret(struct w_analyzer *analyzer, const struct value *value)
{
	mark_secret(analyzer, value, 0, value->len);
}

static void
analyze_data(struct w_analyzer *analyzer, const struct value *value)
{
	if (w_analyzer_is_placed(analyzer, value->text, value->len))
		w_analyzer_path(analyzer, W_EFFECT_READ, NULL, 0, &value->from);
	else if (value->type->kind == W_VALUE_MULTIPART)
		analyze_multipart(analyzer, value);
	else if (value->text[0] == '@')
		effect_value_read_file(analyzer, value, value->text + 1);
}

static void
analyze_assignment(struct w_analyzer *analyzer, const struct value *value)
{
	w_analyzer_assign(analyzer, value->text, &value->from);
}

static void
analyze_text(struct w_analyzer *analyzer, const struct value *value)
{
	w_analyzer_text_secrets(analyzer, value->from.word, value->offset);
}

/* Types with effects of their own. */
static void (*const value_analyzers[])(
    struct w_analyzer *, const struct value *) = {
    [W_VALUE_TEXT] = analyze_text,
    [W_VALUE_PATH] = analyze_path,
    [W_VALUE_URL] = analyze_address,
    [W_VALUE_HOST] = analyze_address,
    [W_VALUE_REMOTE] = analyze_address,
    [W_VALUE_SECRET] = analyze_secret,
    [W_VALUE_HEADER] = analyze_header,
    [W_VALUE_DATA] = analyze_data,
    [W_VALUE_MULTIPART] = analyze_data,
    [W_VALUE_ASSIGNMENT] = analyze_assignment,
    [W_VALUE_SCRIPT] = NULL, /* handled last */
};

/* Whether a shell is bash and no option changes how it reads. */
static bool
is_plain_bash(const struct w_analyzer *analyzer, size_t script)
{
	const char *const *argv = analyzer->analysis->argv;

	if (strcmp(w_basename(argv[0]), "bash") != 0)
		return false;
	for (size_t i = 1; i < script; i++) {
		if (argv[i][0] != '-' ||
		    argv[i][1 + strspn(argv[i] + 1, "celux")] != '\0')
			return false;
	}
	return true;
}

/* Whether "!" could recall a command: an option of bash. */
static bool
may_have_history(const struct w_analyzer *analyzer, size_t script)
{
	const char *const *argv = analyzer->analysis->argv;

	for (size_t i = 1; i < script; i++) {
		if (strchr(argv[i], 'H') != NULL ||
		    strstr(argv[i], "hist") != NULL ||
		    (argv[i][0] == '-' && strchr(argv[i], 'i') != NULL))
			return true;
	}
	return false;
}

static void
analyze_script(struct w_analyzer *analyzer, const struct w_match *match,
    const struct value *value)
{
	const struct w_shell_text shell = {.text = value->text,
	    .len = value->len,
	    .how = match->param->inner,
	    .word = value->from.word,
	    .offset = value->offset,
	    .is_bash = is_plain_bash(analyzer, value->from.word),
	    .has_history = may_have_history(analyzer, value->from.word)};
	struct w_source_place from = value->from;

	if (value->type->script == W_SCRIPT_SH) {
		w_analyzer_shell(analyzer, &shell);
	} else if (value->type->script == W_SCRIPT_OTHER) {
		from.why = "a program that is given as an argument";
		w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);

		/* zsh, for example: its language resembles that of other
		 * shells. */
		const char *program = analyzer->analysis->argv[0];
		const size_t len = strlen(program);
		if (len > 2 && strcmp(program + len - 2, "sh") == 0)
			w_analyzer_guessed_secrets(analyzer, &shell);
	}
}

static struct value
value_at(
    const struct w_analyzer *analyzer, const struct w_match *match, size_t i)
{
	const char *word = analyzer->analysis->argv[match->word + i];
	size_t offset = i == 0 ? match->offset : 0;
	unsigned arity = match->param->arity > 0 ? match->param->arity : 1;

	return (struct value){
	    .type = &match->param->values[i < arity ? i : arity - 1],
	    .text = word + offset,
	    .len = strlen(word + offset),
	    .offset = offset,
	    .from = {.word = match->word + i, .param = match->param}};
}

void
w_analyzer_match(struct w_analyzer *analyzer, const struct w_match *match)
{
	w_analyzer_cases(analyzer, match);
	if (match->param->values == NULL)
		return;
	for (size_t i = 0; i < match->count; i++) {
		struct value value = value_at(analyzer, match, i);

		if (value.type->kind == W_VALUE_COMMAND) {
			w_analyzer_command(analyzer, match, i);
			return;
		}
		if (match->param->is_secret)
			mark_secret(analyzer, &value, 0, value.len);
		if (value.type->kind == W_VALUE_PROGRAM)
			w_analyzer_program(analyzer, match, i);
		else if (value.type->kind == W_VALUE_SCRIPT)
			analyze_script(analyzer, match, &value);
		else if (value_analyzers[value.type->kind] != NULL)
			value_analyzers[value.type->kind](analyzer, &value);
	}
}

void
w_analyzer_change_bases(struct w_analyzer *analyzer)
{
	const struct w_argv_parse *parse = &analyzer->analysis->parse;
	const struct w_param *last = NULL;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (match->count == 0 || match->param->values == NULL ||
		    !match->param->values[0].is_base)
			continue;
		struct value value = value_at(analyzer, match, 0);
		if (last == match->param && !match->param->is_repeatable)
			w_analyzer_refuse(analyzer, match->word, match->offset,
			    "'%.64s' is there twice, and it is not known which "
			    "of them "
			    "applies",
			    match->param->key);
		last = match->param;
		if (w_analyzer_is_placed(analyzer, value.text, value.len))
			analyzer->context.how |= W_INNER_ELSEWHERE;
		else if (!w_bases_enter(analyzer->shared,
			     &analyzer->context.bases, value.text, value.len))
			w_analyzer_refuse(analyzer, match->word, match->offset,
			    "the directories it could run in are too many or "
			    "too "
			    "deep");
	}
}

/* Applies another effect to an address. */
static void
address_effect(
    struct w_analyzer *analyzer, unsigned effect, const struct value *value)
{
	struct w_address address = address_of(value);

	if (w_analyzer_is_placed(analyzer, value->text, value->len))
		address.target = NULL;
	if (address.kind == W_ADDRESS_FILE &&
	    (effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0)
		return;
	address.is_helper = false;
	touch_address(analyzer, &address, effect, effect, &value->from);
}

/* A text that names a host: an address, or a name known to the program. */
static void
text_effect(
    struct w_analyzer *analyzer, unsigned effect, const struct value *value)
{
	struct w_address address = w_address_remote(value->text, value->len);

	if (address.kind != W_ADDRESS_FILE) {
		w_analyzer_host(analyzer, effect, address.target, address.len,
		    &value->from);
		return;
	}
	bool is_path = strchr(value->text, '/') != NULL;
	w_analyzer_host(analyzer, effect, is_path ? NULL : value->text,
	    is_path ? 0 : value->len, &value->from);
}

void
w_analyzer_value_effect(struct w_analyzer *analyzer, unsigned effect,
    const struct w_value_type *type, const char *text,
    const struct w_source_place *from)
{
	/* Paths there are relative to it already. */
	if (type->is_base)
		text = ".";
	const struct value value = {
	    .type = type, .text = text, .len = strlen(text), .from = *from};
	const struct w_touch program = {.kind = W_TOUCH_PROGRAM,
	    .target = text,
	    .len = value.len,
	    .word = from->word,
	    .param = from->param,
	    .why = from->why};
	bool is_abroad = (effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0;

	if (type->kind == W_VALUE_URL || type->kind == W_VALUE_HOST ||
	    type->kind == W_VALUE_REMOTE)
		address_effect(analyzer, effect, &value);
	else if (type->kind == W_VALUE_COMMAND || type->kind == W_VALUE_PROGRAM)
		w_analyzer_touch(analyzer, effect, &program);
	else if (type->kind == W_VALUE_PATH && !is_abroad)
		w_analyzer_path(analyzer, effect, text, value.len, from);
	else if (type->kind == W_VALUE_TEXT && is_abroad)
		text_effect(analyzer, effect, &value);
	else if (is_abroad || type->kind == W_VALUE_SCRIPT)
		w_analyzer_effects(analyzer, effect, from);
	else
		w_analyzer_path(analyzer, effect, text, value.len, from);
}
