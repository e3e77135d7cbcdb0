/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the nearest command that would be allowed: the same words without the
 * options or unknown words at fault. Operands stay: a command that works on
 * something else is another command.
 */

#include <string.h>

#include "base/words.h"
#include "policy/evaluate/evaluation.h"
#include "policy/evaluate/shortened_command.h"

#define STAGE     "policy"
#define TRIES_MAX 32
#define DROPS_MAX 16
#define WORDS_MAX 500 /* longer commands are not tried */

/* Words that are dropped together: an option and its value. */
struct drop {
	size_t from;
	size_t to;
	bool is_at_fault;
};

struct nearest_allowed_search {
	const struct w_policy_set *policy_set;
	const struct w_policy_facts *facts;
	struct w_decision *decision;
	struct drop drops[DROPS_MAX];
	size_t count;
	unsigned tries;
	bool has_failed; /* no memory */
};

/* ---- what may be dropped ---- */

static bool
is_dropped(
    const struct nearest_allowed_search *search, unsigned which, size_t word)
{
	for (size_t i = 0; i < search->count; i++) {
		if ((which & (1U << i)) != 0 && word >= search->drops[i].from &&
		    word < search->drops[i].to)
			return true;
	}
	return false;
}

/* Whether dropping it would change the command's purpose. */
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
add_drop(struct nearest_allowed_search *search, size_t from, size_t to,
    bool is_at_fault)
{
	for (size_t i = 0; i < search->count; i++) {
		struct drop *drop = &search->drops[i];

		if (drop->from != from)
			continue;
		/* Several options in one word (-xvf). */
		drop->to = to > drop->to ? to : drop->to;
		drop->is_at_fault = drop->is_at_fault || is_at_fault;
		return;
	}
	if (search->count < DROPS_MAX)
		search->drops[search->count++] =
		    (struct drop){from, to, is_at_fault};
}

static bool
has_effect(const struct w_analysis *analysis, size_t from, size_t to)
{
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->effect != W_EFFECT_READ && touch->word >= from &&
		    touch->word < to)
			return true;
	}
	return false;
}

/* Adds the options of one command, whose words begin at `base` in the argv. */
static void
nearest_allowed_add_options(struct nearest_allowed_search *search,
    const struct w_analysis *analysis, size_t base)
{
	const struct w_argv_parse *parse = &analysis->parse;

	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];
		size_t from = match->flag_word;
		size_t to = from + 1;

		if (is_needed(match->param))
			continue;
		if (match->count > 0 && match->word + match->count > to)
			to = match->word + match->count;
		add_drop(search, base + from, base + to,
		    has_effect(analysis, from, to));
	}
}

static void
add_drops(struct nearest_allowed_search *search)
{
	const struct w_analysis *whole = search->facts->commands[0].analysis;

	for (size_t i = 0; i < search->facts->count; i++) {
		const struct w_analysis *analysis =
		    search->facts->commands[i].analysis;

		/* Generated words are not in the argv. */
		if (analysis->argc == 0 || analysis->argv < whole->argv ||
		    analysis->argv >= whole->argv + whole->argc)
			continue;
		size_t base = (size_t)(analysis->argv - whole->argv);
		if (analysis->parse.grammar != NULL)
			nearest_allowed_add_options(search, analysis, base);
		else if (analysis->reason_word > 0 &&
			 analysis->reason_word < analysis->argc &&
			 analysis->argv[analysis->reason_word][0] == '-')
			add_drop(search, base + analysis->reason_word,
			    base + analysis->reason_word + 1, true);
	}
}

/* ---- trying ---- */

static void
store_nearest(struct nearest_allowed_search *search, const char *const *argv)
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

/* Tries one set of drops. true: the search is over. */
static bool
try_drops(struct nearest_allowed_search *search, unsigned which)
{
	const struct w_analysis *whole = search->facts->commands[0].analysis;
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
	const struct w_shortened_command shorter = {
	    .argv = argv, .argc = argc, .places = places};
	if (argc == whole->argc ||
	    !w_shortened_is_allowed(search->policy_set, search->facts, &shorter,
		&search->has_failed))
		return search->has_failed;
	store_nearest(search, argv);
	return true;
}

/* Tries drops one by one, those at fault first; then those at fault together;
 * then all. */
static void
try_all(struct nearest_allowed_search *search)
{
	unsigned at_fault = 0;

	for (size_t i = 0; i < search->count; i++) {
		if (search->drops[i].is_at_fault)
			at_fault |= 1U << i;
	}
	for (size_t i = 0; i < search->count; i++) {
		if ((at_fault & (1U << i)) != 0 && try_drops(search, 1U << i))
			return;
	}
	for (size_t i = 0; i < search->count; i++) {
		if ((at_fault & (1U << i)) == 0 && try_drops(search, 1U << i))
			return;
	}
	if (!try_drops(search, at_fault))
		(void)try_drops(search, (1U << search->count) - 1U);
}

writ_status
w_decision_find_nearest(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, struct w_decision *decision,
    writ_error *err)
{
	struct nearest_allowed_search search = {
	    .policy_set = policy_set, .facts = facts, .decision = decision};

	if (decision->verdict == W_ALLOW || facts->shell != NULL ||
	    facts->count == 0 || facts->source == NULL ||
	    facts->commands[0].analysis->argc > WORDS_MAX ||
	    facts->commands[0].analysis->secret_count > 0)
		return WRIT_OK;
	add_drops(&search);
	try_all(&search);
	if (search.has_failed)
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}
