/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The nearest form of a command that would be allowed: the same words without
 * options, or words that nobody knows, which are at fault. Operands stay: a
 * command that works on something else is another one.
 *
 * What was looked up for the case counts for the shorter command as well; a
 * path or program that is new in it is not known, and allowed by no rule.
 */

#include <string.h>

#include "base/words.h"
#include "policy/judge_state.h"

#define STAGE     "policy"
#define TRIES_MAX 32
#define DROPS_MAX 16
#define WORDS_MAX 1000 /* of a command that is worth it */

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

/* ---- a shorter command as a case ---- */

struct made {
	const struct w_case *from;
	struct w_arena arena;
	struct w_case_command *commands;
	size_t count;
	size_t cap;
};

static size_t
count_commands(const struct w_meaning *meaning)
{
	size_t count = 1;

	for (size_t i = 0; i < meaning->inner_count; i++)
		count += count_commands(meaning->inner[i].meaning);
	return count;
}

static const struct w_case_path *
path_of(const struct w_case *c, const struct w_touch *touch)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct w_meaning *meaning = c->commands[i].meaning;

		for (size_t k = 0; k < meaning->touch_count; k++) {
			const struct w_touch *known = &meaning->touches[k];

			if (c->commands[i].paths != NULL &&
			    known->kind == W_TOUCH_PATH &&
			    known->target != NULL && known->len == touch->len &&
			    memcmp(known->target, touch->target, touch->len) ==
				0)
				return &c->commands[i].paths[k];
		}
	}
	return NULL;
}

static bool
add_paths(struct made *made, struct w_case_command *command)
{
	const struct w_meaning *meaning = command->meaning;
	struct w_case_path *paths = w_arena_alloc(
	    &made->arena, meaning->touch_count + 1, sizeof(*paths));

	command->paths = paths;
	for (size_t i = 0; paths != NULL && i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL)
			continue;
		const struct w_case_path *known = path_of(made->from, touch);
		if (known != NULL)
			paths[i] = *known;
	}
	return paths != NULL;
}

/* The command of the case that this one was; NULL: there is none. */
static const struct w_case_command *
command_like(const struct w_case *c, const struct w_meaning *meaning)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct w_meaning *known = c->commands[i].meaning;

		if (known->argc > 0 && meaning->argc > 0 &&
		    strcmp(known->argv[0], meaning->argv[0]) == 0)
			return &c->commands[i];
	}
	return NULL;
}

/* No deeper than commands may be in commands. false: no memory, or one that
 * was not there before. */
static bool
add_command(struct made *made, const struct w_meaning *meaning, unsigned how,
    bool is_shell)
{
	const struct w_case_command *known = command_like(made->from, meaning);
	struct w_case_command *command = &made->commands[made->count++];

	if (known == NULL)
		return false;
	*command = (struct w_case_command){.meaning = meaning,
	    .program = known->program,
	    .is_shell = is_shell,
	    .is_remote = (how & W_INNER_REMOTE) != 0,
	    .is_builtin = known->is_builtin};
	if (!add_paths(made, command))
		return false;
	for (size_t i = 0; i < meaning->inner_count; i++) {
		const struct w_inner *inner = &meaning->inner[i];

		if (!add_command(made, inner->meaning, how | inner->how,
			is_shell || inner->is_shell))
			return false;
	}
	return true;
}

/* Whether the words are allowed. */
static bool
is_allowed(struct search *search, const char *const *argv, size_t argc)
{
	const struct w_case *c = search->c;
	const struct w_meaning_input input = {
	    .argv = argv, .argc = argc, .env = c->env};
	struct made made = {.from = c};
	struct w_meaning *meaning = NULL;
	struct w_decision decision;
	bool is_good = false;

	if (w_meaning_new(c->source, &input, &meaning, NULL) != WRIT_OK) {
		search->has_failed = true;
		return false;
	}
	made.cap = count_commands(meaning);
	made.commands =
	    w_arena_alloc(&made.arena, made.cap, sizeof(*made.commands));
	struct w_case shorter = *c;
	shorter.commands = made.commands;
	if (made.commands != NULL && add_command(&made, meaning, 0, false)) {
		shorter.count = made.count;
		if (w_judge(search->bench, &shorter, &decision, NULL) ==
		    WRIT_OK) {
			is_good = decision.verdict == W_ALLOW;
			w_decision_done(&decision);
		}
	}
	w_arena_done(&made.arena);
	w_meaning_free(meaning);
	return is_good;
}

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

		if (match->param->kind != W_PARAM_OPTION ||
		    match->param->is_last || match->param->inner != 0)
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
	if (line.failed)
		return;
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
	size_t argc = 0;

	if (which == 0)
		return false;
	if (search->has_failed || search->tries++ == TRIES_MAX)
		return true;
	for (size_t i = 0; i < whole->argc; i++) {
		if (!is_dropped(search, which, i))
			argv[argc++] = whole->argv[i];
	}
	argv[argc] = NULL;
	if (argc == whole->argc || !is_allowed(search, argv, argc))
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
