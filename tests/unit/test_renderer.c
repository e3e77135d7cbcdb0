/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For any grammar and any input: an operand never looks like an option, no text
 * is lost or changed, and the order of the keys does not matter. Thousands of
 * random grammars and inputs, from fixed seeds.
 */

#include "rendering.h"

#define ROUNDS 4000
#define KEYS   8
#define VALUES 3

static uint32_t
draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % below;
}

static const char *const texts[] = {"", "-", "--", "-x", "--delete", "a",
    "-delete", "(", "!", ")", ",", "two words", "-1", "x\ny", "\xc3\xa4", "./-",
    "$(x)", "--=", "'\"\\"};
#define TEXT_COUNT (sizeof(texts) / sizeof(texts[0]))

/* The type of one key, and its value. */
struct slot {
	char key[4];
	bool is_operand;
	bool is_leading;
	bool is_path;
	bool may_dash;
	bool is_list;
	unsigned attach; /* 0: separate, 1: equals, 2: joined, with -k */
	size_t count;
	size_t values[VALUES]; /* of texts */
};

struct round {
	struct slot slots[KEYS];
	bool has_end;
	unsigned order[KEYS]; /* of the keys in the input */
};

static void
make_slot(struct slot *slot, unsigned place, uint64_t *seed)
{
	memset(slot, 0, sizeof(*slot));
	(void)snprintf(slot->key, sizeof(slot->key), "k%u", place % KEYS);
	slot->is_operand = draw(seed, 2) == 0;
	slot->is_leading = slot->is_operand && draw(seed, 3) == 0;
	slot->is_path = draw(seed, 2) == 0;
	slot->may_dash = draw(seed, 8) == 0;
	slot->is_list = draw(seed, 2) == 0;
	slot->attach = slot->is_operand ? 0 : draw(seed, 3);
	slot->count = slot->is_list ? draw(seed, VALUES + 1) : draw(seed, 2);
	for (size_t i = 0; i < slot->count; i++)
		slot->values[i] = draw(seed, TEXT_COUNT);
}

static void
shuffle(unsigned order[KEYS], uint64_t *seed)
{
	for (unsigned i = 0; i < KEYS; i++)
		order[i] = i;
	for (unsigned i = KEYS - 1; i > 0; i--) {
		unsigned other = draw(seed, i + 1);
		unsigned kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
}

static void
add_property(struct w_buf *buf, const struct slot *slot, unsigned place)
{
	static const char *const attach[] = {"separate", "equals", "joined"};

	w_buf_add_fmt(buf, "%s\"%s\":{\"type\":\"%s\"", place > 0 ? "," : "",
	    slot->key, slot->is_list ? "array" : "string");
	if (slot->is_operand)
		w_buf_add_fmt(buf, ",\"x-apexe-positional\":%u", KEYS - place);
	else
		w_buf_add_fmt(
		    buf, ",\"x-writ-attach\":\"%s\"", attach[slot->attach]);
	if (slot->attach == 2)
		w_buf_add_fmt(
		    buf, ",\"x-apexe-flag\":\"-%c\"", (char)('A' + place));
	if (slot->is_leading)
		w_buf_add_str(
		    buf, ",\"x-apexe-operand-position\":\"before-flags\"");
	if (slot->is_path)
		w_buf_add_str(buf, ",\"x-apexe-path\":true");
	if (slot->may_dash)
		w_buf_add_str(buf, ",\"x-writ-dash\":\"allow\"");
	w_buf_add_char(buf, '}');
}

static yyjson_doc *
make_schema(const struct round *round)
{
	struct w_buf buf;

	w_buf_init(&buf, 65536);
	w_buf_add_fmt(&buf,
	    "{\"additionalProperties\":false,\"x-apexe-end-of-options\":%s,"
	    "\"properties\":{",
	    round->has_end ? "true" : "false");
	for (unsigned i = 0; i < KEYS; i++)
		add_property(&buf, &round->slots[i], i);
	w_buf_add_str(&buf, "}}");
	yyjson_doc *doc = read_raw(buf.data);
	w_buf_done(&buf);
	return doc;
}

static yyjson_doc *
make_args(const struct round *round)
{
	yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(made);

	yyjson_mut_doc_set_root(made, root);
	for (unsigned i = 0; i < KEYS; i++) {
		const struct slot *slot = &round->slots[round->order[i]];
		yyjson_mut_val *list = yyjson_mut_arr(made);

		for (size_t j = 0; j < slot->count; j++)
			(void)yyjson_mut_arr_add_str(
			    made, list, texts[slot->values[j]]);
		if (slot->is_list)
			(void)yyjson_mut_obj_add_val(
			    made, root, slot->key, list);
		else if (slot->count > 0)
			(void)yyjson_mut_obj_add_str(
			    made, root, slot->key, texts[slot->values[0]]);
	}
	yyjson_doc *doc = yyjson_mut_doc_imut_copy(made, NULL);
	yyjson_mut_doc_free(made);
	assert_non_null(doc);
	return doc;
}

static bool
is_dashed(const char *text)
{
	return text[0] == '-' && text[1] != '\0';
}

/* Decides independently whether a round can be rendered at all. */
static bool
is_possible(const struct round *round)
{
	for (unsigned i = 0; i < KEYS; i++) {
		const struct slot *slot = &round->slots[i];

		for (size_t j = 0; j < slot->count; j++) {
			const char *text = texts[slot->values[j]];

			if (slot->attach == 2 && text[0] == '\0')
				return false;
			if (slot->is_operand && is_dashed(text) &&
			    !slot->is_path && !slot->may_dash &&
			    (slot->is_leading || !round->has_end))
				return false;
		}
	}
	return true;
}

static bool
needs_end(const struct round *round)
{
	for (unsigned i = 0; i < KEYS; i++) {
		const struct slot *slot = &round->slots[i];

		for (size_t j = 0; j < slot->count; j++) {
			if (slot->is_operand && !slot->is_leading &&
			    !slot->is_path && !slot->may_dash &&
			    is_dashed(texts[slot->values[j]]))
				return true;
		}
	}
	return false;
}

/* Parses the words by what the round expects, and compares. */
struct reader {
	const struct w_words *words;
	size_t at;
	bool has_ended;
};

static void
expect(struct reader *in, const char *word)
{
	assert_true(in->at < in->words->count);
	assert_string_equal(in->words->items[in->at++], word);
}

static void
expect_operand(struct reader *in, const struct slot *slot, const char *text)
{
	const char *word;

	assert_true(in->at < in->words->count);
	word = in->words->items[in->at++];
	if (strcmp(word, text) != 0) {
		assert_true(slot->is_path && strncmp(word, "./", 2) == 0);
		assert_string_equal(word + 2, text);
	}
	if (is_dashed(word))
		assert_true(slot->may_dash || in->has_ended);
	if (slot->is_leading && slot->is_path && !slot->may_dash)
		assert_true(word[0] == '\0' || !strchr("()!,", word[0]));
}

static void
expect_option(struct reader *in, const struct slot *slot, unsigned place,
    const char *text)
{
	char word[64];

	if (slot->attach == 2) {
		(void)snprintf(
		    word, sizeof(word), "-%c%s", (char)('A' + place), text);
		expect(in, word);
		return;
	}
	(void)snprintf(word, sizeof(word), "--%s%s%s", slot->key,
	    slot->attach == 1 ? "=" : "", slot->attach == 1 ? text : "");
	expect(in, word);
	if (slot->attach == 0)
		expect(in, text);
}

static void
expect_all(struct reader *in, const struct round *round, bool is_operand,
    bool is_leading)
{
	for (unsigned i = 0; i < KEYS; i++) {
		unsigned place = is_operand ? KEYS - 1 - i : i;
		const struct slot *slot = &round->slots[place];

		if (slot->is_operand != is_operand ||
		    slot->is_leading != is_leading)
			continue;
		for (size_t j = 0; j < slot->count; j++) {
			const char *text = texts[slot->values[j]];

			if (is_operand)
				expect_operand(in, slot, text);
			else
				expect_option(in, slot, place, text);
		}
	}
}

static void
check_words(const struct round *round, const struct w_words *words)
{
	struct reader in = {.words = words};

	expect(&in, "cmd");
	expect_all(&in, round, true, true);
	expect_all(&in, round, false, false);
	expect(&in, "--json");
	if (needs_end(round)) {
		expect(&in, "--");
		in.has_ended = true;
	}
	expect_all(&in, round, true, false);
	assert_int_equal(in.at, words->count);
}

static void
check_round(struct round *round, uint64_t *seed)
{
	yyjson_doc *schema = make_schema(round);
	struct w_grammar *grammar = NULL;
	writ_error err = {0};
	struct w_words first = {0};

	if (w_grammar_new(yyjson_doc_get_root(schema), &grammar, NULL, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	for (unsigned i = 0; i < 2; i++) {
		struct w_render_plan plan = {.grammar = grammar,
		    .words = WORDS("cmd"),
		    .json_flag = WORDS("--json")};
		struct w_words words = {0};

		shuffle(round->order, seed);
		yyjson_doc *args = make_args(round);
		writ_status status =
		    w_render(&plan, yyjson_doc_get_root(args), &words, &err);
		assert_int_equal(status == WRIT_OK, is_possible(round));
		if (status == WRIT_OK)
			check_words(round, &words);
		if (status == WRIT_OK && i > 0)
			assert_words(&words, (const char *const *)first.items);
		w_words_done(&first);
		first = words;
		yyjson_doc_free(args);
	}
	w_words_done(&first);
	w_grammar_free(grammar);
	yyjson_doc_free(schema);
}

static void
random_forms_keep_their_promises(void **state)
{
	uint64_t seed = 1;
	unsigned possible = 0;

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct round round = {.has_end = draw(&seed, 4) != 0};

		for (unsigned j = 0; j < KEYS; j++)
			make_slot(&round.slots[j], j, &seed);
		possible += is_possible(&round);
		check_round(&round, &seed);
	}
	/* Both outcomes must have been frequent. */
	assert_in_range(possible, ROUNDS / 10, ROUNDS * 9 / 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_forms_keep_their_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
