/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_TAMPERING_H
#define W_TEST_TAMPERING_H

/* A log in memory that can be changed at will, put into a directory, and
 * verified. */

#include "log/verify/log_verify.h"
#include "trail.h"

enum {
	MADE_MAX = 64,
	MADE_LINE_MAX = 1024,
	FAULTS_MAX = 64,
	W_LOG_FAULTS_LIMIT = 10000
};

struct made_line {
	char bytes[MADE_LINE_MAX];
	size_t len; /* with the newline */
	unsigned file;
};

struct made_log {
	struct made_line line[MADE_MAX];
	size_t count;
	struct w_log_head head;
	bool has_head;
	char head_text[W_LOG_HEAD_LEN + 1]; /* instead, if not empty */
};

struct told_fault {
	enum w_log_fault_kind kind;
	uint64_t seq;
	struct w_log_place place;
	char file[W_LOG_NAME_MAX];
	char text[1024];
};

static struct temp temp;
static struct trail trail;
static struct made_log made;
static struct w_hmac_key made_key;
static char made_key_id[W_LOG_KEY_ID_LEN + 1];
static struct w_log_verify_options ask;
static struct w_log_proof proof;
static struct told_fault faults[FAULTS_MAX];
static size_t fault_count;
static size_t lines_heard;
static mode_t file_mode;
static const char *extra_name;
static const char *extra_text;
static const char *extra_link;
static const char *extra_dir;

static void
hear_fault(void *ctx, const struct w_log_fault *fault)
{
	(void)ctx;
	assert_non_null(fault->text);
	assert_true(fault->text[0] != '\0');
	assert_null(strchr(fault->text, '\n'));
	if (fault_count < FAULTS_MAX) {
		struct told_fault *told = &faults[fault_count];

		told->kind = fault->kind;
		told->seq = fault->seq;
		told->place = fault->place;
		(void)snprintf(told->file, sizeof(told->file), "%s",
		    fault->file != NULL ? fault->file : "");
		(void)snprintf(
		    told->text, sizeof(told->text), "%s", fault->text);
	}
	fault_count++;
}

static void
hear_line(
    void *ctx, const struct w_log_line *line, const struct w_log_place *place)
{
	(void)ctx;
	assert_non_null(line->kind);
	assert_true(place->segment > 0);
	lines_heard++;
}

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	memset(&made, 0, sizeof(made));
	trail_start(&trail);
	ask = (struct w_log_verify_options){
	    .dir = temp.path,
	    .name = "trail",
	    .on_fault = hear_fault,
	    .on_line = hear_line,
	};
	file_mode = 0600;
	extra_name = extra_text = extra_link = extra_dir = NULL;
	return 0;
}

/* Makes lines with this key from now on, and verifies with it. */
static inline void
use_key(const char *key)
{
	w_hmac_key_init(&made_key, key, strlen(key));
	w_log_key_id(key, strlen(key), made_key_id);
	trail.key = &made_key;
	trail.key_id = made_key_id;
	ask.key = key;
	ask.key_len = strlen(key);
}

static inline void
give_key(const char *key)
{
	ask.key = key;
	ask.key_len = key != NULL ? strlen(key) : 0;
}

static inline void
add_line(const char *payload, unsigned file)
{
	char bytes[TRAIL_LINE_MAX];
	struct made_line *line = &made.line[made.count++];

	assert_true(made.count <= MADE_MAX);
	line->len = trail_line(&trail, bytes, payload);
	assert_true(line->len < MADE_LINE_MAX);
	memcpy(line->bytes, bytes, line->len + 1);
	line->file = file;
	made.has_head = true;
	made.head = (struct w_log_head){
	    .segment = file, .seq = trail.seq, .synced = trail.seq};
	memcpy(made.head.hash, trail.hash, sizeof(made.head.hash));
}

static inline void
make_log_saying(const char *text, unsigned lines, unsigned files)
{
	const struct w_hmac_key *key = trail.key;
	const char *key_id = trail.key_id;
	char payload[256];

	memset(&made, 0, sizeof(made));
	trail_start(&trail);
	trail.key = key;
	trail.key_id = key_id;
	for (unsigned file = 1; file <= files; file++) {
		add_line(trail_segment(&trail, file), file);
		for (unsigned i = 1; i < lines; i++) {
			bool is_seal = i + 1 == lines && file < files;

			if (is_seal)
				(void)snprintf(payload, sizeof(payload),
				    "\"kind\":\"seal\",\"next\":"
				    "\"trail-%06u.jsonl\"",
				    file + 1);
			else
				(void)snprintf(payload, sizeof(payload),
				    "\"kind\":\"note\",\"text\":\"%s %u\"",
				    text, i);
			add_line(payload, file);
		}
	}
}

/* So many lines in each file: the first line of each, notes, the seal. */
static inline void
make_log(unsigned lines, unsigned files)
{
	make_log_saying("hello", lines, files);
}

static inline void
take_out(size_t at, size_t count)
{
	memmove(&made.line[at], &made.line[at + count],
	    (made.count - at - count) * sizeof(*made.line));
	made.count -= count;
}

static inline void
put_in(size_t at, const struct made_line *line)
{
	struct made_line copy = *line;

	assert_true(made.count < MADE_MAX);
	memmove(&made.line[at + 1], &made.line[at],
	    (made.count - at) * sizeof(*made.line));
	made.line[at] = copy;
	made.count++;
}

static inline void
swap_lines(size_t a, size_t b)
{
	struct made_line kept = made.line[a];

	made.line[a] = made.line[b];
	made.line[b] = kept;
}

/* The same record with another payload and its hash made for it. */
static inline void
write_anew(size_t at, const char *payload)
{
	struct trail anew = {
	    .key = trail.key,
	    .key_id = trail.key_id,
	    .seq = at,
	    .time_us = UINT64_C(1794800000000000) + at * 1000,
	};
	char bytes[TRAIL_LINE_MAX];
	struct w_log_line parsed;
	struct made_line *line = &made.line[at];

	assert_true(w_log_line_parse(line->bytes, line->len - 1, &parsed));
	memcpy(anew.hash, parsed.prev, W_SHA256_HEX);
	line->len = trail_line(&anew, bytes, payload);
	memcpy(line->bytes, bytes, line->len + 1);
}

/* All lines of a file again, chained to the one before, without a key. */
static inline void
forge_file(unsigned file)
{
	char before[W_SHA256_HEX + 1] = {0};

	for (size_t i = 0; i < made.count; i++) {
		struct made_line *line = &made.line[i];
		struct trail anew = {
		    .seq = i, .time_us = UINT64_C(1794800000000000) + i * 1000};
		struct w_log_line parsed;
		char bytes[TRAIL_LINE_MAX];

		if (line->file == file) {
			memcpy(anew.hash, before, sizeof(before));
			line->len = trail_line(&anew, bytes,
			    i > 0 && made.line[i - 1].file != file
				? trail_segment(&anew, file)
				: "\"kind\":\"note\"");
			memcpy(line->bytes, bytes, line->len + 1);
		}
		assert_true(
		    w_log_line_parse(line->bytes, line->len - 1, &parsed));
		memcpy(before, parsed.hash, W_SHA256_HEX);
	}
}

/* Where the line at this index stands in its file. */
static inline uint64_t
offset_of(size_t at)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < at; i++)
		offset += made.line[i].len;
	return offset;
}

static inline void
remove_files(void)
{
	for (unsigned file = 1; file < 8; file++) {
		char name[W_LOG_NAME_MAX];

		w_log_segment_name("trail", file, name);
		(void)unlinkat(temp.fd, name, 0);
	}
	(void)unlinkat(temp.fd, "head", 0);
	if (extra_name != NULL)
		(void)unlinkat(temp.fd, extra_name, 0);
	else
		(void)unlinkat(temp.fd, "trail-000001.torn-10", 0);
}

static inline void
put_file(unsigned file)
{
	static char bytes[MADE_MAX * MADE_LINE_MAX];
	char name[W_LOG_NAME_MAX];
	size_t len = 0;
	bool is_there = false;

	for (size_t i = 0; i < made.count; i++) {
		const struct made_line *line = &made.line[i];

		if (line->file != file)
			continue;
		is_there = true;
		memcpy(bytes + len, line->bytes, line->len);
		len += line->len;
	}
	w_log_segment_name("trail", file, name);
	if (is_there)
		temp_bytes(&temp, name, file_mode, bytes, len);
}

static inline void
verify_again(void)
{
	writ_error err = {0};
	uint64_t counted = 0;

	fault_count = lines_heard = 0;
	assert_int_equal(w_log_verify_run(&ask, &proof, &err), WRIT_OK);
	for (size_t i = 0; i < W_LOG_FAULT_COUNT; i++)
		counted += proof.faults[i];
	assert_int_equal(counted, fault_count);
}

/* Puts the log into the directory and verifies it. */
static inline void
verify_log(void)
{
	char text[W_LOG_HEAD_LEN + 1];

	remove_files();
	for (unsigned file = 1; file < 8; file++)
		put_file(file);
	w_log_head_format(&made.head, text);
	if (made.head_text[0] != '\0')
		memcpy(text, made.head_text, sizeof(text));
	if (made.has_head)
		temp_bytes(&temp, "head", 0600, text, W_LOG_HEAD_LEN);
	if (extra_name != NULL)
		temp_file(&temp, extra_name, 0600, extra_text);
	if (extra_link != NULL)
		temp_link(&temp, "/etc/passwd", extra_link);
	if (extra_dir != NULL)
		temp_dir(&temp, extra_dir);
	verify_again();
}

/* Flips one bit of a line of the first file, in the file, verifies, and flips
 * it back. */
static inline void
flip_bit(size_t at, size_t bit)
{
	off_t offset = (off_t)(offset_of(at) + bit / 8);
	char was = made.line[at].bytes[bit / 8];
	char is = (char)(was ^ (1 << bit % 8));
	int fd = openat(temp.fd, "trail-000001.jsonl", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &is, 1, offset), 1);
	verify_again();
	assert_int_equal(pwrite(fd, &was, 1, offset), 1);
	assert_int_equal(close(fd), 0);
}

static inline void
expect_no_fault(void)
{
	if (fault_count > 0)
		fail_msg("%zu faults, the first: %s: %s", fault_count,
		    w_log_fault_word(faults[0].kind), faults[0].text);
}

static inline void
expect_one(enum w_log_fault_kind kind, uint64_t seq)
{
	for (size_t i = 0; i < fault_count && i < FAULTS_MAX; i++)
		if (fault_count > 1 || faults[i].kind != kind ||
		    faults[i].seq != seq)
			print_message("%s, record %d, %s byte %d line %d: %s\n",
			    w_log_fault_word(faults[i].kind),
			    (int)faults[i].seq, faults[i].file,
			    (int)faults[i].place.offset,
			    (int)faults[i].place.line, faults[i].text);
	assert_int_equal(fault_count, 1);
	assert_int_equal(faults[0].kind, kind);
	assert_int_equal(faults[0].seq, seq);
}

static inline bool
has_fault(enum w_log_fault_kind kind, uint64_t seq)
{
	for (size_t i = 0; i < fault_count && i < FAULTS_MAX; i++)
		if (faults[i].kind == kind && faults[i].seq == seq)
			return true;
	return false;
}

/* The first fault says this. */
static inline void
expect_text(const char *text)
{
	assert_true(fault_count > 0);
	if (strstr(faults[0].text, text) == NULL)
		fail_msg("'%s' does not say '%s'", faults[0].text, text);
}

/* A log in which every line but the first is older than the one before. */
static inline writ_status
verify_flood(unsigned count)
{
	char line[TRAIL_LINE_MAX];
	FILE *file = fopen(temp_path(&temp, "trail-000001.jsonl"), "we");
	writ_error err = {0};

	assert_non_null(file);
	size_t len = trail_line(&trail, line, trail_segment(&trail, 1));
	assert_int_equal(fwrite(line, 1, len, file), len);
	for (unsigned i = 0; i < count; i++) {
		trail.time_us -= 5000;
		len = trail_line(&trail, line, "\"kind\":\"note\"");
		assert_int_equal(fwrite(line, 1, len, file), len);
	}
	assert_int_equal(fclose(file), 0);
	trail_write_head(&temp, 1, &trail);
	fault_count = 0;
	return w_log_verify_run(&ask, &proof, &err);
}

#endif /* W_TEST_TAMPERING_H */
