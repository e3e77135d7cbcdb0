/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The nearest form of a command that would be allowed: the same words without
 * options, or words that nobody knows, which are at fault. Operands stay: a
 * command that works on something else is another one.
 * */

#include <string.h>

#include "base/words.h"
#include "policy/judge_state.h"
#include "policy/shorter.h"

#define STAGE     "policy"
#define TRIES_MAX 32
#define DROPS_MAX 16
#define WORDS_MAX 500 /* of a command that is worth it */

/* Words that go together: an option with its value. */
struct drop {
	size_t from;
	size_t to;
	bool is_at_fault;
};

struct search {
	const struct w_bench *bench;
	const struct w_case *c;
	struct w_decision *decision;
	struct drop drops[DROPS_MAX];
	size_t count;
	unsigned tries;
	bool has_failed; /* no memory */
};

/* ---- what may go ---- */

static bool
is_dropped(const struct search *search, unsigned which, size_t word)
{
	for (size_t i = 0; i < search->count; i++) {
		if ((which & (1U << i)) != 0 && word >= search->drops[i].from &&
		    word < search->drops[i].to)
			return true;
	}
	return false;
}

/* Whether leaving it out would make another command of it. */
static bool
is_needed(const struct w_param *param)
{
	if (param->kind != W_PARAM_OPTION || param->is_last ||
	    param->inner != 0)
		return true;
	return param->values != NULL &&
	       (param->values->kind == W_VALUE_COMMAND ||
		   param->values->kind == W_VALUE_PROGRAM ||
		   param->values->kind == W_VALUE_SCRIPT);
}

static void
add_drop(struct search *search, size_t from, size_t to, bool is_at_fault)
{
	for (size_t i = 0; i < search->count; i++) {
		struct drop *drop = &search->drops[i];

		if (drop->from != from)
			continue;
		/* Letters of one word. */
		drop->to = to > drop->to ? to : drop->to;
		drop->is_at_fault = drop->is_at_fault || is_at_fault;
		return;
	}
	if (search->count < DROPS_MAX)
		search->drops[search->count++] =
		    (struct drop){from, to, is_at_fault};
}

static bool
has_effect(const struct w_meaning *meaning, size_t from, size_t to)
{
	for (size_t i = 0; i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];

		if (touch->effect != W_EFFECT_READ && touch->word >= from &&
		    touch->word < to)
			return true;
	}
	return false;
}

/* The options of one command, whose words begin at that place of the argv. */
static void
add_options(struct search *search, const struct w_meaning *meaning, size_t base)
{
	const struct w_parse *parse = &meaning->parse;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];
		size_t from = match->flag_word;
		size_t to = from + 1;

		if (is_needed(match->param))
			continue;
		if (match->count > 0 && match->word + match->count > to)
			to = match->word + match->count;
		add_drop(search, base + from, base + to,
		    has_effect(meaning, from, to));
	}
}

static void
add_drops(struct search *search)
{
	const struct w_meaning *whole = search->c->commands[0].meaning;

	for (size_t i = 0; i < search->c->count; i++) {
		const struct w_meaning *meaning =
		    search->c->commands[i].meaning;

		/* Words that were made anew stand nowhere in the argv. */
		if (meaning->argc == 0 || meaning->argv < whole->argv ||
		    meaning->argv >= whole->argv + whole->argc)
			continue;
		size_t base = (size_t)(meaning->argv - whole->argv);
		if (meaning->parse.form != NULL)
			add_options(search, meaning, base);
		else if (meaning->reason_word > 0 &&
			 meaning->reason_word < meaning->argc &&
			 meaning->argv[meaning->reason_word][0] == '-')
			add_drop(search, base + meaning->reason_word,
			    base + meaning->reason_word + 1, true);
	}
}

/* ---- trying ---- */

static void
keep(struct search *search, const char *const *argv)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, W_POLICY_TEXT_MAX);
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			w_buf_add_char(&line, ' ');
		w_words_quote(&line, argv[i]);
	}
	if (!line.failed)
		search->decision->nearest_allowed =
		    w_arena_text(&search->decision->arena, line.data, line.len);
	search->has_failed = search->decision->nearest_allowed == NULL;
}

/* Whether the search is over. */
static bool
try(struct search *search, unsigned which)
{
	const struct w_meaning *whole = search->c->commands[0].meaning;
	const char *argv[WORDS_MAX + 1];
	size_t places[WORDS_MAX];
	size_t argc = 0;

	if (which == 0)
		return false;
	if (search->has_failed || search->tries++ == TRIES_MAX)
		return true;
	for (size_t i = 0; i < whole->argc; i++) {
		places[i] = argc;
		if (is_dropped(search, which, i))
			places[i] = W_WORD_GONE;
		else
			argv[argc++] = whole->argv[i];
	}
	argv[argc] = NULL;
	const struct w_shorter shorter = {
	    .argv = argv, .argc = argc, .places = places};
	if (argc == whole->argc ||
	    !w_shorter_is_allowed(
		search->bench, search->c, &shorter, &search->has_failed))
		return search->has_failed;
	keep(search, argv);
	return true;
}

/* One by one, those with an effect first; then these together; then all. */
static void
try_all(struct search *search)
{
	unsigned at_fault = 0;

	for (size_t i = 0; i < search->count; i++) {
		if (search->drops[i].is_at_fault)
			at_fault |= 1U << i;
	}
	for (size_t i = 0; i < search->count; i++) {
		if ((at_fault & (1U << i)) != 0 && try(search, 1U << i))
			return;
	}
	for (size_t i = 0; i < search->count; i++) {
		if ((at_fault & (1U << i)) == 0 && try(search, 1U << i))
			return;
	}
	if (!try(search, at_fault))
		(void)try(search, (1U << search->count) - 1U);
}

writ_status
w_decision_find_nearest(const struct w_bench *bench, const struct w_case *c,
    struct w_decision *decision, writ_error *err)
{
	struct search search = {.bench = bench, .c = c, .decision = decision};

	if (decision->verdict == W_ALLOW || c->shell != NULL || c->count == 0 ||
	    c->source == NULL || c->commands[0].meaning->argc > WORDS_MAX ||
	    c->commands[0].meaning->secret_count > 0)
		return WRIT_OK;
	add_drops(&search);
	try_all(&search);
	if (search.has_failed)
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}
