/* SPDX-License-Identifier: Apache-2.0 */

/* What is collected while a command is analyzed: touches, secrets, and why it
 * is not understood. All of it is allocated from the outermost analysis. */

#include "command/analysis/analyzer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/match.h"
#include "command/analysis/address.h"
#include "command/analysis/variable.h"

#define FIRST_CAP     8
#define REPEATED_LOOK 8 /* how far back to look for the same touch */

#define ONLY_CERTAIN  (W_EFFECT_PRIV | W_EFFECT_IRREVERSIBLE)

static const char *const brace_words[] = {
    "{}", "{/}", "{//}", "{.}", "{/.}", NULL};

/* Parts of the names of variables that hold a secret. */
static const char *const secret_parts[] = {"secret", "token", "password",
    "passwd", "passphrase", "credential", "api_key", "apikey", "private_key",
    "access_key", NULL};

void *
w_analyzer_alloc(struct w_analyzer *analyzer, size_t count, size_t size)
{
	void *memory = w_arena_alloc(analyzer->shared->arena, count, size);

	if (memory == NULL)
		analyzer->shared->is_out_of_memory = true;
	return memory;
}

/* Makes room for one more element of a list. */
static void *
grown(struct w_analyzer *analyzer, void *list, size_t count, size_t *cap,
    size_t size)
{
	if (count < *cap)
		return list;
	size_t more = *cap == 0 ? FIRST_CAP : *cap * 2;
	void *bigger = w_analyzer_alloc(analyzer, more, size);
	if (bigger == NULL)
		return NULL;
	if (count > 0)
		memcpy(bigger, list, count * size);
	*cap = more;
	return bigger;
}

static bool
analyzer_is_same(const struct w_touch *one, const struct w_touch *other)
{
	return one->effect == other->effect && one->kind == other->kind &&
	       one->len == other->len &&
	       (one->target == NULL || other->target == NULL
		       ? one->target == other->target
		       : memcmp(one->target, other->target, one->len) == 0);
}

/* Publishing says what is done with a host, and the host stands in a touch of
 * the effect net. */
static bool
leaves_machine(const struct w_touch *touch)
{
	return touch->effect == W_EFFECT_NET && !touch->is_possible &&
	       (touch->kind != W_TOUCH_HOST || touch->target == NULL ||
		   !w_address_is_loopback(touch->target, touch->len));
}

static void
analyzer_add_touch(struct w_analyzer *analyzer, const struct w_touch *touch)
{
	struct w_analysis *analysis = analyzer->analysis;

	analysis->effects |= touch->effect;
	if (leaves_machine(touch))
		analysis->needs_network = true;
	for (size_t back = 1;
	     back <= REPEATED_LOOK && back <= analysis->touch_count; back++) {
		struct w_touch *last =
		    &analysis->touches[analysis->touch_count - back];

		if (analyzer_is_same(last, touch)) {
			last->is_possible &= touch->is_possible;
			return;
		}
	}
	struct w_touch *list = grown(analyzer, analysis->touches,
	    analysis->touch_count, &analyzer->touch_cap, sizeof(*list));
	if (list == NULL)
		return;
	analysis->touches = list;
	list[analysis->touch_count++] = *touch;
}

/* What a word might do that is known only when it runs is no fact about the
 * command: it is not understood instead. */
static unsigned
without_guesses(
    struct w_analyzer *analyzer, unsigned effects, const struct w_touch *touch)
{
	if (!touch->is_possible || (effects & ONLY_CERTAIN) == 0)
		return effects;
	w_analyzer_refuse(analyzer, touch->word, 0,
	    "what '%.64s' does depends on words that come when it runs",
	    analyzer->analysis->argv[0]);
	return (effects & ~(unsigned)ONLY_CERTAIN) | W_EFFECT_CODE;
}

void
w_analyzer_touch(
    struct w_analyzer *analyzer, unsigned effects, const struct w_touch *touch)
{
	effects = without_guesses(analyzer, effects, touch);
	for (unsigned bit = 1; bit <= effects; bit <<= 1U) {
		struct w_touch one = *touch;

		one.effect = bit;
		if ((effects & bit) != 0)
			analyzer_add_touch(analyzer, &one);
	}
}

void
w_analyzer_effects(struct w_analyzer *analyzer, unsigned effects,
    const struct w_source_place *from)
{
	const struct w_touch touch = {.kind = W_TOUCH_UNNAMED,
	    .word = from->word,
	    .param = from->param,
	    .why = from->why,
	    .is_possible = from->is_possible};

	w_analyzer_touch(analyzer, effects, &touch);
}

/* Whether a text contains a placeholder, or only starts with one. */
static bool
has_placeholder(
    const char *text, size_t len, const char *const *words, bool is_at_start)
{
	for (; words != NULL && *words != NULL; words++) {
		const char *at = memmem(text, len, *words, strlen(*words));

		if (at != NULL && (!is_at_start || at == text))
			return true;
	}
	return false;
}

/* The parts are in ascending order. */
const struct w_unseen *
w_analyzer_unseen(
    const struct w_analyzer *analyzer, const char *text, size_t len)
{
	const struct w_command_context *context = &analyzer->context;
	size_t low = 0;
	size_t high = context->unseen_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct w_unseen *one = &context->unseen[middle];

		if ((uintptr_t)one->at + one->len <= (uintptr_t)text)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == context->unseen_count ||
	    (uintptr_t)context->unseen[low].at >= (uintptr_t)text + len)
		return NULL;
	return &context->unseen[low];
}

bool
w_analyzer_is_placed(
    const struct w_analyzer *analyzer, const char *text, size_t len)
{
	const struct w_command_context *context = &analyzer->context;

	if (w_analyzer_unseen(analyzer, text, len) != NULL)
		return true;
	return (context->how & W_INNER_PLACED) != 0 &&
	       (has_placeholder(text, len, brace_words, false) ||
		   has_placeholder(text, len, context->placeholders, false));
}

bool
w_analyzer_is_placed_first(const struct w_analyzer *analyzer, const char *text)
{
	const struct w_command_context *context = &analyzer->context;
	size_t len = strlen(text);
	const struct w_unseen *unseen = w_analyzer_unseen(analyzer, text, 1);

	if (unseen != NULL &&
	    (unseen->kind == W_UNSEEN_FREE || unseen->kind == W_UNSEEN_NAMES))
		return true;
	return (context->how & W_INNER_PLACED) != 0 &&
	       (has_placeholder(text, len, brace_words, true) ||
		   has_placeholder(text, len, context->placeholders, true));
}

/* A path on this machine, relative to one base directory. */
static void
touch_from(struct w_analyzer *analyzer, unsigned effects, const char *base,
    struct w_touch *touch)
{
	const char *path = touch->target;
	size_t base_len = strlen(base);
	size_t len = touch->len;
	struct w_touch joined = *touch;
	joined.is_home = base[0] == '~';
	const bool is_dot = (len == 1 && path[0] == '.') ||
			    (len == 2 && memcmp(path, "./", 2) == 0);

	if (base_len > 0 && is_dot) {
		joined.target = base;
		joined.len = base_len;
	} else if (base_len > 0) {
		bool has_slash = base[base_len - 1] == '/';
		size_t total = base_len + (has_slash ? 0 : 1) + len;
		char *text = w_analyzer_alloc(analyzer, total + 1, 1);

		if (text == NULL)
			return;
		(void)snprintf(text, total + 1, "%s%s%.*s", base,
		    has_slash ? "" : "/", (int)len, path);
		joined.target = text;
		joined.len = total;
	}
	w_analyzer_touch(analyzer, effects, &joined);
}

/* Whether a component that a pattern begins in cannot be "..", nor any behind
 * it. */
static bool
stays_below(const char *path, const char *end, const char *pattern)
{
	const char *at = pattern;

	while (at > path && at[-1] != '/')
		at--;
	if (*at == '.' && at < pattern)
		return false;
	for (at = memchr(pattern, '/', (size_t)(end - pattern)); at != NULL;
	     at = memchr(at + 1, '/', (size_t)(end - at - 1))) {
		if (at + 1 < end && at[1] == '.')
			return false;
	}
	return true;
}

/* A path with parts that a shell inserts: the home directory is known, and of a
 * pattern the directory that its names are in. Else nothing is. */
static void
place_path(const struct w_analyzer *analyzer, struct w_touch *touch)
{
	const struct w_command_context *context = &analyzer->context;
	const char *path = touch->target;
	const char *end = path + touch->len;
	const struct w_unseen *one =
	    w_analyzer_unseen(analyzer, path, touch->len);
	const struct w_unseen *behind = context->unseen + context->unseen_count;
	const char *pattern = NULL;

	if (one == NULL)
		return;
	if (one->kind == W_UNSEEN_HOME && one->at == path) {
		touch->is_home = true;
		one++;
	}
	for (; one < behind && one->at < end; one++) {
		touch->is_partial = true;
		if (one->kind != W_UNSEEN_NAMES) {
			touch->target = NULL;
			touch->len = 0;
			return;
		}
		if (pattern == NULL)
			pattern = one->at;
	}
	if (pattern == NULL)
		return;
	if (pattern < path || !stays_below(path, end, pattern)) {
		touch->target = NULL;
		touch->len = 0;
		return;
	}
	const char *slash = memrchr(path, '/', (size_t)(pattern - path));
	touch->target = slash == NULL ? "." : path;
	touch->len =
	    slash == NULL || slash == path ? 1 : (size_t)(slash - path);
}

void
w_analyzer_path(struct w_analyzer *analyzer, unsigned effects, const char *path,
    size_t len, const struct w_source_place *from)
{
	const struct w_command_context *context = &analyzer->context;
	struct w_touch touch = {.kind = W_TOUCH_PATH,
	    .target = path,
	    .len = len,
	    .word = from->word,
	    .param = from->param,
	    .why = from->why,
	    .is_possible = from->is_possible};

	if (effects == 0)
		return;
	if (path != NULL)
		place_path(analyzer, &touch);
	path = touch.target;
	len = touch.len;
	bool is_whole =
	    touch.is_home || (path != NULL && len > 0 && path[0] == '/');
	if ((context->how & W_INNER_REMOTE) != 0) {
		touch.kind = W_TOUCH_UNNAMED;
		touch.why = "not on this machine";
	}
	if ((context->how & W_INNER_REMOTE) != 0 || path == NULL ||
	    (!touch.is_home && w_analyzer_is_placed(analyzer, path, len)) ||
	    ((context->how & W_INNER_ELSEWHERE) != 0 && !is_whole)) {
		touch.target = NULL;
		touch.len = 0;
		touch.is_home = false;
	}
	if (touch.target == NULL || is_whole) {
		w_analyzer_touch(analyzer, effects, &touch);
		return;
	}
	for (size_t i = 0; i < context->bases.count; i++)
		touch_from(analyzer, effects, context->bases.paths[i], &touch);
}

void
w_analyzer_host(struct w_analyzer *analyzer, unsigned effects, const char *host,
    size_t len, const struct w_source_place *from)
{
	bool is_known =
	    host != NULL && !w_analyzer_is_placed(analyzer, host, len);
	const struct w_touch touch = {.kind = W_TOUCH_HOST,
	    .target = is_known ? host : NULL,
	    .len = is_known ? len : 0,
	    .word = from->word,
	    .param = from->param,
	    .why = from->why,
	    .is_possible = from->is_possible};

	w_analyzer_touch(analyzer, effects, &touch);
}

/* Whether a secret is only a reference to it: "$NAME", or a command that prints
 * it. */
static bool
is_reference(
    const struct w_analyzer *analyzer, size_t word, size_t offset, size_t len)
{
	const struct w_analysis *analysis = analyzer->analysis;

	if (word >= analysis->argc)
		return false;
	/* What another command writes: "<(...)". */
	if (strncmp(analysis->argv[word] + offset, "/dev/fd/", 8) == 0)
		return true;
	if (analyzer->context.unseen_count == 0)
		return false;
	const char *text = analysis->argv[word] + offset;
	const struct w_unseen *unseen = w_analyzer_unseen(analyzer, text, len);

	return unseen != NULL && unseen->at == text && unseen->len == len &&
	       (text[0] == '`' || (text[0] == '$' && text[1] != '{'));
}

void
w_analyzer_secret(
    struct w_analyzer *analyzer, size_t word, size_t offset, size_t len)
{
	struct w_analysis *analysis = analyzer->analysis;

	if (len == 0 || is_reference(analyzer, word, offset, len))
		return;
	struct w_secret_place *list = grown(analyzer, analysis->secrets,
	    analysis->secret_count, &analyzer->secret_cap, sizeof(*list));
	if (list == NULL)
		return;
	analysis->secrets = list;
	list[analysis->secret_count++] =
	    (struct w_secret_place){.word = word, .offset = offset, .len = len};
}

static const char *
kept(struct w_analyzer *analyzer, const char *text)
{
	const char *copy =
	    w_arena_text(analyzer->shared->arena, text, strlen(text));

	if (copy == NULL)
		analyzer->shared->is_out_of_memory = true;
	return copy;
}

void
w_analyzer_refuse_error(struct w_analyzer *analyzer, size_t word, size_t offset,
    const writ_error *err)
{
	struct w_analysis *analysis = analyzer->analysis;

	if (err->status == WRIT_E_NOMEM)
		analyzer->shared->is_out_of_memory = true;
	analysis->is_understood = false;
	analysis->is_itself_understood = false;
	if (analysis->reason != NULL)
		return;
	analysis->reason = kept(analyzer, err->message);
	if (err->suggestion[0] != '\0')
		analysis->suggestion = kept(analyzer, err->suggestion);
	analysis->reason_word = word;
	analysis->reason_offset = offset;
}

void
w_analyzer_refuse(struct w_analyzer *analyzer, size_t word, size_t offset,
    const char *fmt, ...)
{
	char text[320];
	writ_error err;
	va_list args;

	/* No second message is formatted: there may be very many. */
	analyzer->analysis->is_understood = false;
	analyzer->analysis->is_itself_understood = false;
	if (analyzer->analysis->reason != NULL)
		return;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* Words are bytes; a message is a line of text. */
	(void)w_fail(&err, WRIT_E_INVALID, "meaning", 0, "%s", text);
	w_analyzer_refuse_error(analyzer, word, offset, &err);
}

static bool
begins_with(const char *text, size_t len, const char *part)
{
	size_t i = 0;

	for (; i < len && part[i] != '\0'; i++) {
		if (w_lower(text[i]) != part[i])
			return false;
	}
	return part[i] == '\0';
}

bool
w_analyzer_has_part(const char *text, size_t len, const char *const *parts)
{
	for (size_t at = 0; at < len; at++) {
		for (size_t i = 0; parts[i] != NULL; i++) {
			if (begins_with(text + at, len - at, parts[i]))
				return true;
		}
	}
	return false;
}

bool
w_analyzer_is_secret_name(const char *name, size_t len)
{
	return w_analyzer_has_part(name, len, secret_parts);
}

void
w_analyzer_assign(struct w_analyzer *analyzer, const char *text,
    const struct w_source_place *from)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const char *equals = strchr(text, '=');
	size_t len = equals != NULL ? (size_t)(equals - text) : strlen(text);

	if (equals != NULL &&
	    !w_analyzer_is_placed(analyzer, text, strlen(text)) &&
	    w_variable_is_offline(text, len, equals + 1))
		return;
	char *name = w_arena_text(analyzer->shared->arena, text, len);
	struct w_variable_set *set =
	    w_analyzer_alloc(analyzer, 1, sizeof(*set));

	if (name == NULL || set == NULL) {
		analyzer->shared->is_out_of_memory = true;
		return;
	}
	set->name = name;
	set->next = analyzer->context.variables;
	analyzer->context.variables = set;
	/* If no word sets it, the caller that has the text hides it there. */
	if (equals != NULL && from->word < analysis->argc &&
	    w_analyzer_is_secret_name(name, len))
		w_analyzer_secret(analyzer, from->word,
		    (size_t)(equals + 1 - analysis->argv[from->word]),
		    strlen(equals + 1));

	struct w_touch touch = {.kind = W_TOUCH_VARIABLE,
	    .target = name,
	    .len = len,
	    .word = from->word,
	    .param = from->param};
	unsigned effects = w_variable_effects(name, len, &touch.why);
	if (w_analyzer_is_placed(analyzer, name, len)) {
		effects |= W_EFFECT_CODE;
		touch.target = NULL;
		touch.len = 0;
	}
	w_analyzer_touch(analyzer, effects, &touch);
}
