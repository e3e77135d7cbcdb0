/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lines of the trail as facts: whatever a line holds, reading it ends, what
 * is taken from it are strings, a run's id can name a file, and a command is
 * read back by a shell's rules.
 */

#include "audit/query/audit_run_view.h"
#include "audit/query/entry.h"
#include "audit/query/liveness.h"
#include "base/hex.h"
#include "base/words.h"

#include "check.h"

/* The input as the payload of a line that has the right form. */
static void
wrap(struct w_buf *buf, const uint8_t *data, size_t size)
{
	uint8_t sum[W_SHA256_SIZE];
	char hash[W_SHA256_HEX];

	w_buf_add_str(buf,
	    "{\"seq\":7,\"time\":\"2026-11-16T04:20:00.123456Z\",\"prev\":\""
	    "0000000000000000000000000000000000000000000000000000000000000000"
	    "\",");
	w_buf_add(buf, data, size);
	w_sha256(buf->data, buf->len, sum);
	w_hex_put(hash, sum, sizeof(sum));
	w_buf_add_str(buf, ",\"hash\":\"");
	w_buf_add(buf, hash, sizeof(hash));
	w_buf_add_str(buf, "\"}");
}

static void
check_run(const char *run)
{
	CHECK(w_entry_is_run_id(run, strlen(run)));
	CHECK(strchr(run, '/') == NULL && run[0] != '.');
}

static void
check_command(const struct w_entry *entry)
{
	W_AUTO_BUF struct w_buf command;
	W_AUTO_WORDS struct w_words words = {0};

	w_buf_init(&command, W_LOG_LINE_MAX);
	w_entry_command(entry, &command);
	CHECK(strlen(command.data) == command.len);
	if (entry->shell == NULL && !command.failed)
		CHECK(w_words_split(command.data, command.len, &words, NULL) ==
		      WRIT_OK);
}

static void
check_entry(const struct w_log_line *line)
{
	struct w_entry entry;
	char run[W_ID_LEN + 1];

	w_entry_run_of(line, run);
	if (run[0] != '\0')
		check_run(run);
	if (!w_entry_read(line, &entry))
		return;
	CHECK(entry.word != NULL);
	CHECK(entry.kind == w_entry_kind_of(line));
	if (entry.run != NULL)
		check_run(entry.run);
	CHECK(entry.signal >= 0 && entry.pid >= 0);
	check_command(&entry);
	w_entry_done(&entry);
}

static void
check_view(const struct w_log_line *line)
{
	const struct w_liveness alive = {.proc = "/nowhere", .pidns = 1};
	struct w_audit_run_view view;

	if (!w_audit_run_view_init(&view, line, NULL, &alive))
		return;
	if (w_audit_run_view_fill(&view, line, NULL, "/outputs")) {
		CHECK(view.run.run_id != NULL && view.run.command != NULL);
		CHECK(view.run.recording == NULL ||
		      strncmp(view.run.recording, "/outputs/", 9) == 0);
	}
	w_audit_run_view_done(&view);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf buf;
	struct w_log_line line;

	if (size > 1 << 20)
		return 0;
	w_buf_init(&buf, W_LOG_LINE_MAX);
	wrap(&buf, data, size);
	char *exact = copy_exact((const uint8_t *)buf.data, buf.len);
	if (w_log_line_parse(exact, buf.len, &line)) {
		check_entry(&line);
		check_view(&line);
	}
	free(exact);
	return 0;
}
