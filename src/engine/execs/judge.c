/* SPDX-License-Identifier: Apache-2.0 */

/* Judges the programs that a run starts; see judge.h. */

#include "engine/execs/judge.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/grow.h"
#include "engine/execs/journal.h"
#include "os/loop.h"
#include "run/resolve/environ.h"

#define STAGE "policy"

enum {
	HEAD_MAX = 256, /* the kernel reads no more of a script's first line */
	BINARIES = 64,
	MEMOS = 64,
	SETTLED_S = 2
};

/* A verdict is used again for so long, as a sandbox is. */
#define MEMO_NS UINT64_C(1000000000)

/* A file that is no script. */
struct judge_binary {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
};

/* The strongest verdict about one program so far. */
struct judged {
	enum w_verdict verdict;
	const struct w_policy_location *rule;
	bool has_failed; /* no memory to judge it */
	bool is_lasting; /* it depends on no file but the program's own */
};

/* A verdict about the same words, directory and file. */
struct judge_memo {
	uint8_t sum[W_SHA256_SIZE];
	struct judge_binary binary;
	uint64_t made_ns; /* 0: none */
	struct judged judged;
};

struct judge {
	struct w_arena arena; /* texts and lists */
	struct w_policy *held[W_LOADED_POLICIES_MAX];
	struct w_policy_tier tiers[W_LOADED_POLICIES_MAX];
	size_t count;
	struct w_policy_facts facts; /* what all programs of the run share */
	struct w_request_reader *reader;
	struct w_command_source source;
	const char *path_list; /* NULL: none */
	const char *shell;
	const char *const *roots;
	const char *undo_root; /* NULL: it has no layer */
	bool has_more_writable;
	struct w_redactor redactor;
	struct w_journal journal;
	struct judge_binary binaries[BINARIES]; /* by their inode */
	struct judge_memo memos[MEMOS];         /* by their sum */
	/* Of the current program. */
	const char **words;
	size_t word_cap;
	struct w_redact_span *spans;
	size_t span_count;
	size_t span_cap;
};

static void
judge_free(void *ctx)
{
	struct judge *judge = ctx;

	for (size_t i = 0; i < judge->count; i++)
		w_policy_free(judge->held[i]);
	w_redactor_done(&judge->redactor);
	w_journal_done(&judge->journal);
	w_arena_done(&judge->arena);
	free(judge->words);
	free(judge->spans);
	free(judge);
}

/* ---- one argv ---- */

static bool
judge_take_secrets(struct judge *judge, const struct w_analysis *analysis)
{
	judge->span_count = 0;
	for (size_t i = 0; i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];

		if (!w_grow(&judge->spans, judge->span_count, &judge->span_cap))
			return false;
		judge->spans[judge->span_count++] =
		    (struct w_redact_span){.word = place->word,
			.offset = place->offset,
			.len = place->len};
	}
	return true;
}

/* program: NULL: it is looked up by the first word. */
static writ_status
judge_decide(struct judge *judge, const struct w_execve_call *call,
    const struct w_analysis *analysis, const struct w_program *program,
    struct w_decision *out_decision)
{
	const struct w_execve_file *file = call->file;
	struct w_access_set access_set = {.commands = NULL};
	const struct w_access_input input = {
	    .analysis = analysis,
	    .cwd_fd = file->cwd_fd,
	    .cwd = file->cwd[0] == '\0' ? NULL : file->cwd,
	    .home = judge->facts.home,
	    .path_list = judge->path_list,
	    .shell = judge->shell,
	    .program = program,
	    .roots = judge->roots,
	};
	const struct w_policy_set policy_set = {
	    .tiers = judge->tiers, .count = judge->count};

	writ_status status = w_access_set_fill(&access_set, &input, NULL);
	if (status == WRIT_OK) {
		struct w_policy_facts facts = judge->facts;

		if (judge->undo_root != NULL)
			w_decider_mark_undo(access_set.commands,
			    access_set.count, judge->undo_root,
			    judge->has_more_writable);

		facts.commands = access_set.commands;
		facts.count = access_set.count;
		facts.cwd = input.cwd;
		if (facts.has_time)
			w_decider_add_time(&facts);
		status =
		    w_policy_evaluate(&policy_set, &facts, out_decision, NULL);
	}
	w_access_set_done(&access_set);
	return status;
}

static bool
names_paths(const struct w_analysis *analysis)
{
	for (size_t i = 0; i < analysis->touch_count; i++) {
		if (analysis->touches[i].kind == W_TOUCH_PATH)
			return true;
	}
	return false;
}

static void
judge_words(struct judge *judge, const struct w_execve_call *call, size_t count,
    const struct w_program *program, struct judged *judged)
{
	const struct w_analysis_input input = {.argv = judge->words,
	    .argc = count,
	    .has_terminal = judge->facts.has_terminal};
	struct w_analysis *analysis = NULL;
	struct w_decision decision;
	writ_status status =
	    w_analysis_new(&judge->source, &input, &analysis, NULL);

	/* A nested command is looked up by its name; and secrets must be known
	 * for the record. */
	if (status == WRIT_OK &&
	    (analysis->inner_count > 0 || analysis->secret_count > 0 ||
		names_paths(analysis)))
		judged->is_lasting = false;
	if (status == WRIT_OK && judged->rule == NULL &&
	    !judge_take_secrets(judge, analysis))
		status = WRIT_E_NOMEM;
	if (status == WRIT_OK)
		status =
		    judge_decide(judge, call, analysis, program, &decision);
	if (status != WRIT_OK) {
		judged->has_failed = true;
	} else {
		if (judged->rule == NULL ||
		    decision.verdict > judged->verdict) {
			judged->verdict = decision.verdict;
			judged->rule = &decision.reasons[0].rule->location;
		}
		w_decision_done(&decision);
	}
	w_analysis_free(analysis);
}

/* ---- the words of a program ---- */

/* Puts first before the words from the one at `from` on. Returns their number;
 * 0: no memory. */
static size_t
judge_put_words(struct judge *judge, const struct w_execve_call *call,
    const char *const *first, size_t first_count, size_t from)
{
	const size_t rest = call->argc > from ? call->argc - from : 0;
	const size_t count = first_count + rest;

	while (judge->word_cap <= count) {
		if (!w_grow(&judge->words, judge->word_cap, &judge->word_cap))
			return 0;
	}
	memcpy(judge->words, first, first_count * sizeof(*first));
	if (rest > 0)
		memcpy(judge->words + first_count, call->argv + from,
		    rest * sizeof(*first));
	judge->words[count] = NULL;
	return count;
}

static void
judge_as(struct judge *judge, const struct w_execve_call *call,
    const char *name, struct judged *judged)
{
	/* Never modified. */
	union {
		const char *in;
		char *out;
	} path = {call->file->path};
	const struct w_program program = {
	    .fd = call->file->fd, .path = call->file->fd < 0 ? NULL : path.out};
	const size_t count = judge_put_words(judge, call, &name, 1, 1);

	if (count == 0)
		judged->has_failed = true;
	else
		judge_words(judge, call, count, &program, judged);
}

static bool
is_binary(const struct judge_binary *binary, const struct stat *st)
{
	return binary->ino == st->st_ino && binary->dev == st->st_dev &&
	       binary->size == st->st_size &&
	       binary->changed.tv_sec == st->st_ctim.tv_sec &&
	       binary->changed.tv_nsec == st->st_ctim.tv_nsec;
}

/* Timestamps are coarse: a file that has just changed may change again without
 * a new one. */
static void
remember_binary(struct judge_binary *binary, const struct stat *st)
{
	if (st->st_ctim.tv_sec + SETTLED_S > time(NULL))
		return;
	*binary = (struct judge_binary){.dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = st->st_size,
	    .changed = st->st_ctim};
}

/* The first line of a script; false: it is none. */
static bool
read_head(struct judge *judge, int file_fd, char out_head[HEAD_MAX])
{
	char link[32];
	struct stat st;

	if (file_fd < 0 || fstat(file_fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	struct judge_binary *binary = &judge->binaries[st.st_ino % BINARIES];
	if (is_binary(binary, &st))
		return false;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", file_fd);
	W_AUTO_FD int fd = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : pread(fd, out_head, HEAD_MAX - 1, 0);
	if (len < 2 || out_head[0] != '#' || out_head[1] != '!') {
		if (len >= 0)
			remember_binary(binary, &st);
		return false;
	}
	out_head[len] = '\0';
	out_head[strcspn(out_head, "\n")] = '\0';
	return true;
}

/* The kernel starts INTERPRETER [ARGUMENT] FILE and the words behind the first,
 * without another call. */
static void
judge_interpreter(struct judge *judge, const struct w_execve_call *call,
    struct judged *judged)
{
	char head[HEAD_MAX];
	const char *first[3];
	size_t start, count = 0;

	if (!read_head(judge, call->file->fd, head))
		return;
	const size_t len = w_program_interpreter(head, strlen(head), &start);
	judged->is_lasting = false;
	if (len == 0)
		return;
	char *argument = head + start + len;
	if (*argument != '\0')
		*argument++ = '\0';
	argument += strspn(argument, " \t");
	for (size_t end = strlen(argument);
	     end > 0 && strchr(" \t", argument[end - 1]) != NULL; end--)
		argument[end - 1] = '\0';
	first[count++] = head + start;
	if (*argument != '\0')
		first[count++] = argument;
	first[count++] = call->file->path;
	count = judge_put_words(judge, call, first, count, 1);
	if (count == 0)
		judged->has_failed = true;
	else
		judge_words(judge, call, count, NULL, judged);
}

/* A program is what its file is called and, since one file can be many
 * programs, what it is told that it is called: "-bash" is bash. */
static void
judge_names(struct judge *judge, const struct w_execve_call *call,
    struct judged *judged)
{
	const char *name = w_basename(call->file->path);
	const char *called = call->argc > 0 ? call->argv[0] : name;

	if (called[0] == '-')
		called++;
	if (called[0] == '\0' || strcmp(w_basename(called), name) == 0) {
		judge_as(
		    judge, call, called[0] == '\0' ? name : called, judged);
		return;
	}
	judge_as(judge, call, name, judged);
	judge_as(judge, call, called, judged);
}

static void
judge_sum(const struct w_execve_call *call, uint8_t out_sum[W_SHA256_SIZE])
{
	const struct w_execve_file *file = call->file;
	struct w_sha256 sum;

	w_sha256_init(&sum);
	w_sha256_add(&sum, file->path, strlen(file->path) + 1);
	w_sha256_add(&sum, file->cwd, strlen(file->cwd) + 1);
	for (size_t i = 0; i < call->argc; i++)
		w_sha256_add(&sum, call->argv[i], strlen(call->argv[i]) + 1);
	w_sha256_end(&sum, out_sum);
}

/* A loop starts the same program again and again. */
static struct judged
judge_again(struct judge *judge, const struct w_execve_call *call)
{
	struct judged judged = {
	    .verdict = W_ALLOW, .is_lasting = !judge->facts.has_time};
	const uint64_t now = w_now_ns();
	uint8_t sum[W_SHA256_SIZE];
	struct stat st = {.st_ino = 0};

	judge_sum(call, sum);
	struct judge_memo *memo = &judge->memos[sum[0] % MEMOS];
	if (call->file->fd < 0 || fstat(call->file->fd, &st) < 0)
		judged.is_lasting = false;
	else if (memo->made_ns != 0 && now - memo->made_ns < MEMO_NS &&
		 memcmp(memo->sum, sum, sizeof(sum)) == 0 &&
		 is_binary(&memo->binary, &st))
		return memo->judged;
	judge_names(judge, call, &judged);
	judge_interpreter(judge, call, &judged);
	if (judged.has_failed)
		judged = (struct judged){.verdict = W_DENY};
	if (judged.is_lasting) {
		*memo = (struct judge_memo){.judged = judged, .made_ns = now};
		memcpy(memo->sum, sum, sizeof(sum));
		remember_binary(&memo->binary, &st);
	}
	return judged;
}

static bool
judge_allows(void *ctx, const struct w_execve_call *call)
{
	struct judge *judge = ctx;
	const bool exists = call->file->fd >= 0;

	judge->span_count = 0;
	const struct judged judged = judge_again(judge, call);
	/* Many look for a program by trying each directory of PATH. */
	if (!exists && judged.verdict != W_DENY)
		return true;
	const struct w_journal_note note = {
	    .argv = call->argv,
	    .argc = call->argc,
	    .program = exists ? call->file->path : NULL,
	    .verdict = judged.verdict,
	    .rule = judged.rule,
	    .is_truncated = call->is_truncated,
	};
	judge->redactor.spans = judge->spans;
	judge->redactor.span_count = judge->span_count;
	w_journal_add(&judge->journal, &note, &judge->redactor);
	return judged.verdict != W_DENY;
}

static char *
judge_report(void *ctx)
{
	const struct judge *judge = ctx;

	return w_journal_json(&judge->journal);
}

/* ---- making it ---- */

static bool
judge_keep(struct judge *judge, const char **text)
{
	if (*text == NULL)
		return true;
	*text = w_arena_text(&judge->arena, *text, strlen(*text));
	return *text != NULL;
}

static bool
judge_keep_list(struct judge *judge, const char *const **list)
{
	size_t count = 0;

	if (*list == NULL)
		return true;
	while ((*list)[count] != NULL)
		count++;
	const char **copy =
	    w_arena_alloc(&judge->arena, count + 1, sizeof(*copy));
	if (copy == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		copy[i] = (*list)[i];
		if (!judge_keep(judge, &copy[i]))
			return false;
	}
	*list = copy;
	return true;
}

/* A policy that is read again must stay as long as the run. */
static bool
take_tiers(struct judge *judge, const struct w_decider *decider)
{
	const struct w_constraints *constraints = &decider->constraints;
	const struct w_policies *policies = &decider->policies;

	for (size_t i = 0; i < constraints->count; i++) {
		judge->tiers[i] = constraints->tiers[i];
		judge->held[i] = policies->loaded[i]->read;
		w_policy_hold(judge->held[i]);
		judge->count++;
		if (!judge_keep_list(judge, &judge->tiers[i].roots))
			return false;
	}
	if (decider->undo_root != NULL) {
		judge->undo_root = w_arena_text(&judge->arena,
		    decider->undo_root, strlen(decider->undo_root));
		if (judge->undo_root == NULL)
			return false;
	}
	judge->has_more_writable = decider->has_more_writable;
	judge->roots = constraints->roots;
	return judge_keep_list(judge, &judge->roots);
}

/* Rules see the walls and the network of the run, and nothing of the request
 * that started it. */
static bool
take_facts(struct judge *judge, const struct w_decider *decider)
{
	struct w_policy_facts *facts = &judge->facts;

	*facts = decider->facts;
	facts->agent = decider->decision.agent;
	facts->module = NULL;
	facts->needs_approval = false;
	facts->commands = NULL;
	facts->count = 0;
	facts->shell = NULL;
	facts->cwd = NULL;
	facts->env = NULL;
	facts->more = NULL;
	facts->source = &judge->source;
	return judge_keep(judge, &facts->agent) &&
	       judge_keep(judge, &facts->home) &&
	       judge_keep(judge, &facts->profile);
}

/* Those of this process and of the request. */
static bool
take_secrets(struct judge *judge, const struct w_redactor *redactor)
{
	for (size_t i = 0; redactor != NULL && i < redactor->count; i++) {
		const char *copy = w_arena_text(
		    &judge->arena, redactor->values[i], redactor->lens[i]);

		if (copy == NULL || w_redactor_add_len(&judge->redactor, copy,
					redactor->lens[i], NULL) != WRIT_OK)
			return false;
	}
	return true;
}

static bool
judge_fill(struct judge *judge, const struct w_decider *decider,
    const struct w_prepared *prepared)
{
	judge->reader = decider->reader;
	judge->source = w_request_source(judge->reader);
	judge->shell = decider->constraints.shell;
	judge->path_list = prepared->env.items == NULL
			       ? NULL
			       : w_environ_get(prepared->env.items, "PATH");
	return judge_keep(judge, &judge->shell) &&
	       judge_keep(judge, &judge->path_list) &&
	       take_tiers(judge, decider) && take_facts(judge, decider) &&
	       take_secrets(judge, decider->redactor);
}

static writ_status
check_possible(const struct w_decider *decider, const writ_request *request,
    writ_error *err)
{
	if (decider->constraints.walls <= W_WALLS_ENV) {
		(void)w_fail(err, WRIT_E_SANDBOX, STAGE, 0,
		    "the policy judges each program that a run starts (judge: "
		    "exec), and the profile '%s' has no sandbox that could see "
		    "them",
		    decider->constraints.profile);
		w_suggest(err, "the profile readonly, workspace or strict");
		return WRIT_E_SANDBOX;
	}
	/* Without this engine nobody would answer the background's calls. */
	if (request->background == WRIT_BACKGROUND_KEEP) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the policy judges each program that a run starts (judge: "
		    "exec), so its background cannot keep running");
		w_suggest(err, "end it with the run (background end)");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

writ_status
w_judge_prepare(const struct w_decider *decider, struct w_prepared *prepared,
    const writ_request *request, writ_error *err)
{
	const struct w_constraints *constraints = &decider->constraints;

	if (strcmp(constraints->judge, "exec") != 0)
		return WRIT_OK;
	/* The runner of an isolated call builds the sandbox itself. A person's
	 * own choice of no sandbox is respected, as for every other wall. */
	if (decider->call != NULL ||
	    (constraints->walls <= W_WALLS_ENV &&
		decider->asked.sandbox != NULL &&
		decider->asked.caller == WRIT_CALLER_TRUSTED))
		return WRIT_OK;
	writ_status status = check_possible(decider, request, err);
	if (status != WRIT_OK)
		return status;
	struct judge *judge = calloc(1, sizeof(*judge));
	if (judge == NULL)
		return w_fail_nomem(err, STAGE);
	w_journal_init(&judge->journal);
	if (!judge_fill(judge, decider, prepared)) {
		judge_free(judge);
		return w_fail_nomem(err, STAGE);
	}
	prepared->execve_judge = (struct w_execve_judge){
	    .ctx = judge,
	    .allows = judge_allows,
	    .report = judge_report,
	    .free = judge_free,
	};
	return WRIT_OK;
}
