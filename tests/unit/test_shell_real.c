/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever is taken apart is given to real shells: the words that commands get,
 * which of them are run, and the files that are made are as was said. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "command/shell/shell.h"
#include "command/shell/shell_expansion.h"
#include "real.h"

#define LOG "in-log"

/* The commands k and q write down their words, behind a byte that no word
 * has. */
static const char prelude[] =
    "k() { printf '%s\\0' '\001k' \"$@\" >>" LOG "; }\n"
    "q() { printf '%s\\0' '\001q' \"$@\" >>" LOG "; }\n";

static const char *const fragments[] = {"k", "q", "k ", "q ", " ", " ", "\t",
    "'k q'", "\"a b\"", "\\ ", "\\k", "''", "\"\"", "\\\n", "\n", ";", "&&",
    "||", "|", " && ", " ; ", " | k ", "=", "k=", "_1=", "1", "2", "12", ">",
    " <in", ">>", "<>", ">|", "2>", " 2>&1", ">&2 ", " 2>&- ", "<&-", "o1",
    " >o2 ", "#", "%", "^", "-", "+", ",", "@", "]", "/", "\xc3\xb6",
    "\xc2\x88\xc2\x81", "\"\\$\"", "\"\\x\\\\\"", "\"\\\n\"", "'\\'", "\"'\"",
    "'\"'", "if", "then", "in", "time", "'*'", "\"~\"", "\\{", "\\\"", "!", "~",
    "{}", " {} ", " [ ", " ! ", "k~1", "~2", "[", "*", "&", "'$k'", "\"{k,q}\"",
    "\\;", "\\|", "\\>", "\\#", "\\~"};

static void
make_text(uint32_t *seed, struct w_buf *text)
{
	size_t count = 2 + real_random(seed, 10);

	w_buf_add_str(text, real_random(seed, 4) > 0 ? "k " : "");
	for (size_t i = 0; i < count; i++)
		w_buf_add_str(
		    text, fragments[real_random(
			      seed, sizeof(fragments) / sizeof(fragments[0]))]);
}

/* A command of a text that is only a list of simple commands. */
struct part {
	struct w_expanded words;
	struct w_expanded paths;
	const struct w_redirection *redirections;
	enum w_control_operator control;
};

#define PARTS_MAX 64

struct parts {
	struct w_arena arena;
	struct part list[PARTS_MAX];
	size_t count;
};

/* false: something in it is known only when it runs, or is no simple
 * command. */
static bool
take_parts(const struct w_shell *shell, struct parts *parts)
{
	struct w_shell_expander expander = {
	    .arena = &parts->arena, .is_ifs_known = true};

	for (const struct w_shell_node *node = shell->list->first; node != NULL;
	     node = node->next) {
		struct part *part = &parts->list[parts->count++];

		if (parts->count == PARTS_MAX || node->kind != W_NODE_SIMPLE ||
		    node->is_negated || node->control == W_CONTROL_BACKGROUND)
			return false;
		assert_true(w_shell_expand(
		    &expander, node->words, false, &part->words));
		for (const struct w_redirection *one = node->redirections;
		     one != NULL; one = one->next) {
			struct w_expanded path;

			assert_true(
			    w_shell_expand(&expander, one->word, true, &path));
			if (path.unseen_count > 0)
				return false;
		}
		for (const struct w_shell_word *word = node->assignments;
		     word != NULL; word = word->next) {
			struct w_expanded value;

			assert_true(
			    w_shell_expand(&expander, word, true, &value));
			if (value.unseen_count > 0)
				return false;
		}
		part->redirections = node->redirections;
		part->control = node->control;
		if (part->words.unseen_count > 0)
			return false;
	}
	return true;
}

static const char *
path_of(struct parts *parts, const struct w_redirection *one)
{
	struct w_shell_expander expander = {.arena = &parts->arena};
	struct w_shell_word word = *one->word;
	struct w_expanded path;

	word.next = NULL;
	assert_true(w_shell_expand(&expander, &word, true, &path));
	return path.argv[0];
}

/* Whether its redirections succeed whatever came before, and no command
 * decides by itself. */
static bool
is_predictable(const char *text, struct parts *parts)
{
	if (strstr(text, "&-") != NULL &&
	    (strstr(text, "&1") != NULL || strstr(text, "&2") != NULL))
		return false;
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->list[i];

		if (part->words.argc > 0 &&
		    strcmp(part->words.argv[0], "[") == 0)
			return false;
		for (const struct w_redirection *one = part->redirections;
		     one != NULL; one = one->next) {
			const char *path = path_of(parts, one);

			if (one->kind == W_REDIRECT_HERE)
				continue;
			if (one->kind == W_REDIRECT_READ
				? strcmp(path, "in") != 0
				: path[0] == '\0' || strchr(path, '/') != NULL)
				return false;
		}
	}
	return true;
}

static bool
is_command(const struct part *part)
{
	return part->words.argc == 0 || strcmp(part->words.argv[0], "k") == 0 ||
	       strcmp(part->words.argv[0], "q") == 0;
}

/* What the commands will write down, if they are all run one by one; and the
 * files that are made. */
struct foreseen {
	struct w_buf log;
	struct w_buf files; /* each with a NUL behind it */
};

static void
foresee_part(
    struct parts *parts, const struct part *part, struct foreseen *foreseen)
{
	for (const struct w_redirection *one = part->redirections; one != NULL;
	     one = one->next) {
		const char *path = path_of(parts, one);

		if (one->kind != W_REDIRECT_READ &&
		    one->kind != W_REDIRECT_HERE)
			w_buf_add(&foreseen->files, path, strlen(path) + 1);
	}
	if (part->words.argc == 0 || !is_command(part))
		return;
	w_buf_add_char(&foreseen->log, '\001');
	for (size_t i = 0; i < part->words.argc; i++)
		w_buf_add(&foreseen->log, part->words.argv[i],
		    strlen(part->words.argv[i]) + 1);
}

static void
foresee(struct parts *parts, struct foreseen *foreseen)
{
	bool is_run = true;
	bool is_good = true;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->list[i];

		if (is_run)
			foresee_part(parts, part, foreseen);
		if (part->control == W_CONTROL_PIPE)
			continue;
		if (is_run)
			is_good = is_command(part);
		is_run = part->control == W_CONTROL_THEN ||
			 (part->control == W_CONTROL_AND && is_good) ||
			 (part->control == W_CONTROL_OR && !is_good);
	}
}

static void
read_log(const struct temp *temp, struct w_buf *log)
{
	char bytes[4096];
	int fd = openat(temp->fd, LOG, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	for (ssize_t got = read(fd, bytes, sizeof(bytes)); got > 0;
	     got = read(fd, bytes, sizeof(bytes)))
		w_buf_add(log, bytes, (size_t)got);
	(void)close(fd);
	assert_int_equal(unlinkat(temp->fd, LOG, 0), 0);
}

/* The first record that is the same as this one, taken out. */
static bool
take_record(struct w_buf *log, const char *record, size_t len)
{
	for (size_t i = 0; i + len <= log->len; i++) {
		bool is_whole =
		    i + len == log->len || log->data[i + len] == '\001';

		if (!is_whole || memcmp(log->data + i, record, len) != 0)
			continue;
		memmove(log->data + i, log->data + i + len, log->len - i - len);
		log->len -= len;
		return true;
	}
	return false;
}

/* In a pipeline the records come in any order. */
static bool
are_same_records(struct w_buf *one, const struct w_buf *other)
{
	for (size_t i = 0; i < other->len;) {
		const char *next =
		    memchr(other->data + i + 1, '\001', other->len - i - 1);
		size_t len = next != NULL ? (size_t)(next - other->data) - i
					  : other->len - i;

		if (!take_record(one, other->data + i, len))
			return false;
		i += len;
	}
	return one->len == 0;
}

static void
see_file(void *ctx, const char *name)
{
	const struct w_buf *files = ctx;

	for (size_t i = 0; i < files->len; i += strlen(files->data + i) + 1) {
		if (strcmp(files->data + i, name) == 0)
			return;
	}
	fail_msg("a file was made that nothing was said about: %s", name);
}

static void
compare_with(const struct temp *temp, const char *program, const char *text,
    struct parts *parts)
{
	W_AUTO_BUF struct w_buf log;
	W_AUTO_BUF struct w_buf whole;
	struct foreseen foreseen;

	w_buf_init(&log, 65536);
	w_buf_init(&whole, 65536);
	w_buf_init(&foreseen.log, 65536);
	w_buf_init(&foreseen.files, 65536);
	foresee(parts, &foreseen);
	w_buf_add_fmt(&whole, "%s%s", prelude, text);
	real_run(temp, (const char *const[]){program, "-c", whole.data, NULL});
	read_log(temp, &log);
	if (!are_same_records(&log, &foreseen.log))
		fail_msg("%s reads it in another way: %s", program, text);
	for (size_t i = 0; i < foreseen.files.len;
	     i += strlen(foreseen.files.data + i) + 1) {
		if (!temp_has(temp, foreseen.files.data + i))
			fail_msg("%s made no %s: %s", program,
			    foreseen.files.data + i, text);
	}
	real_sweep(temp, see_file, &foreseen.files);
	w_buf_done(&foreseen.log);
	w_buf_done(&foreseen.files);
}

static bool
compare(const struct temp *temp, const char *text, size_t len)
{
	const struct w_shell_input input = {.text = text, .len = len};
	struct parts parts = {.count = 0};
	struct w_shell shell;

	assert_int_equal(w_shell_parse(&input, &shell, NULL), WRIT_OK);
	bool is_compared = !shell.has_fault && take_parts(&shell, &parts) &&
			   is_predictable(text, &parts);
	if (is_compared) {
		compare_with(temp, "sh", text, &parts);
		if (real_is_there("bash"))
			compare_with(temp, "bash", text, &parts);
	}
	w_shell_done(&shell);
	w_arena_done(&parts.arena);
	return is_compared;
}

static void
listed_strings_mean_the_same_to_shells(void **state)
{
	static const char *const texts[] = {"k a b", "k 'a b' \"c d\" e\\ f",
	    "k \"\\$x \\` \\\" \\\\ \\n\" '\\n'",
	    "k a\\\nb \"c\\\nd\" 'e\\\nf'", "k a#b HEAD^ a=b +x %y ,z @ ]",
	    "\"if\" x || k y", "k if then in", "k && q || k | q ; k",
	    "q\nk\n\n\nq\n", "k &&\n\n q |\n k", "A=1 B='x y' k C=3",
	    ">o1 A=1 k", "\"A\"=1 x || k", "A+\\=1 || k", "k <in >o1 2>o2",
	    "k >>o1 >|o2 <>k", "k >o1 2>&1", "k2>o1 || k", "k 2 >o1",
	    "k '2'>o1", "k>o1>o2", ">o1", "k 2>&1|q", "a=b k=c; k",
	    "k \xc3\xb6 \xe2\x82\xac \xc2\x81\xc2\x82\xc2\x83\xc2\x84\xc2\x88",
	    "k 'a\nb' \"c\nd\"", "k \"!x\" '!y' \\!z", "k -n --x=y -- -z",
	    "k [ ! {} ]", "k HEAD~1 a^~2 x~ A=b~c", "A=q~1 k {}.old -I{}{}",
	    "k {}>o1", "{} || k", "k a # b", "# k\nq", "k $ a$ \"a$\" $%",
	    "k {a} a!b {a,b a~b /~", "k <<'E' c\n$x\nE\nq", "k <<E\na\nE\nq",
	    "k <<-E\n\ta\n\tE\nq", "k # it's\nq"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!compare(*state, texts[i], strlen(texts[i])))
			fail_msg("not taken apart: %s", texts[i]);
	}
}

static void
generated_strings_mean_the_same_to_shells(void **state)
{
	uint32_t seed = 6;
	size_t wanted = real_rounds(400);
	size_t compared = 0;

	for (size_t tried = 0; compared < wanted; tried++) {
		W_AUTO_BUF struct w_buf text;

		assert_true(tried < 50 * wanted);
		w_buf_init(&text, 4096);
		make_text(&seed, &text);
		compared += compare(*state, text.data, text.len);
	}
}

static int
set_up(void **state)
{
	temp_set_up(state);
	temp_file(*state, "in", 0600, "x\n");
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		listed_strings_mean_the_same_to_shells, set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		generated_strings_mean_the_same_to_shells, set_up,
		temp_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
