/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A log of any bytes: it is read whole and once, verification ends, and what
 * has no fault is a chain, by a check of its own that knows nothing of files
 * that are missing or lines that came twice.
 *
 * The first byte says what is done with the rest, which is cut at each byte 1:
 * into files, and last the head. To come further than the hash of the first
 * line, lines can be given the hashes that they should have.
 */

#include "log/verify/log_verify.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.h"
#include "check.h"

enum {
	FILES = 3,
	ENDING = 11 + W_SHA256_HEX, /* ,"hash":"HEX"} */

	/* The first byte. */
	WITH_KEY = 1,
	MENDED = 2, /* each line gets its hash and link */
	KEYED = 4,  /* with the key */
	WITHOUT_HEAD = 8,
	WITH_TORN = 16,
	SECOND_IS_GONE = 32
};

static const char key[] = "key";
static char dir[64];
static int dir_fd = -1;

static void
put(const char *name, const char *bytes, size_t len)
{
	int fd = openat(
	    dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	CHECK(write(fd, bytes, len) == (ssize_t)len);
	CHECK(close(fd) == 0);
}

static void
clean_up(void)
{
	static const char *const names[] = {"trail-000001.jsonl",
	    "trail-000002.jsonl", "trail-000003.jsonl", "head",
	    "trail-000001.torn-10"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		(void)unlinkat(dir_fd, names[i], 0);
}

static void
remove_dir(void)
{
	clean_up();
	(void)rmdir(dir);
}

static void
make_dir(void)
{
	if (dir_fd >= 0)
		return;
	/* Memory, where there is such a place: the disk would be the brake. */
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(dir, sizeof(dir), "%s/writ-fuzz-XXXXXX", base);
	CHECK(mkdtemp(dir) != NULL);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(dir_fd >= 0);
	CHECK(atexit(remove_dir) == 0);
}

static void
hash_line(const struct w_hmac_key *with, const char *bytes, size_t len,
    char out[W_SHA256_HEX])
{
	uint8_t sum[W_SHA256_SIZE];
	struct w_hmac mac;

	if (with == NULL) {
		w_sha256(bytes, len, sum);
	} else {
		w_hmac_init(&mac, with);
		w_hmac_add(&mac, bytes, len);
		w_hmac_end(&mac, sum);
	}
	w_hex_put(out, sum, sizeof(sum));
}

/* Gives a line the link and the hash that it should have. */
static void
mend(char *bytes, size_t len, const struct w_hmac_key *with,
    char prev[W_SHA256_HEX])
{
	struct w_log_line line;

	if (!w_log_line_parse(bytes, len, &line))
		return;
	memcpy(bytes + (line.prev - line.bytes), prev, W_SHA256_HEX);
	hash_line(with, bytes, len - ENDING, prev);
	memcpy(bytes + len - 2 - W_SHA256_HEX, prev, W_SHA256_HEX);
}

static void
mend_all(char *text, size_t len, unsigned flags)
{
	char prev[W_SHA256_HEX];
	struct w_hmac_key prepared;

	if ((flags & MENDED) == 0)
		return;
	w_hmac_key_init(&prepared, key, sizeof(key) - 1);
	memset(prev, '0', sizeof(prev));
	for (char *at = text, *end = text + len; at < end;) {
		size_t size = 0;

		while (at + size < end && at[size] != '\n' && at[size] != 1)
			size++;
		mend(at, size, flags & KEYED ? &prepared : NULL, prev);
		at += size + 1;
	}
}

/* Cuts the input into files; returns how many bytes of lines there are. */
static size_t
put_all(char *text, size_t len, unsigned flags)
{
	char name[W_LOG_NAME_MAX];
	size_t bytes = 0;
	char *at = text;

	clean_up();
	for (uint32_t file = 1; file <= FILES + 1 && at <= text + len; file++) {
		size_t left = (size_t)(text + len - at);
		char *cut = left > 0 ? memchr(at, 1, left) : NULL;
		size_t size = cut != NULL ? (size_t)(cut - at) : left;

		w_log_segment_name("trail", file, name);
		if (file <= FILES && !(file == 2 && (flags & SECOND_IS_GONE))) {
			put(name, at, size);
			bytes += size;
		} else if (file > FILES && !(flags & WITHOUT_HEAD)) {
			put("head", at, size);
		}
		at += size + 1;
	}
	if (flags & WITH_TORN)
		put("trail-000001.torn-10", "abcd", 4);
	return bytes;
}

/* Every byte comes once, in order. */
static void
check_reader(size_t bytes)
{
	struct w_log_reader *reader = NULL;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_place last = {0};
	size_t seen = 0;

	CHECK(w_log_reader_open(dir, "trail", &reader, NULL) == WRIT_OK);
	while (read != W_LOG_END) {
		struct w_log_line line;
		struct w_log_place place;

		CHECK(w_log_reader_next(reader, &read, &line, &place, NULL) ==
		      WRIT_OK);
		if (read == W_LOG_END)
			break;
		CHECK(place.segment > last.segment ||
		      (place.segment == last.segment &&
			  place.line == last.line + 1));
		last = place;
		seen += line.len + (read != W_LOG_PART);
	}
	CHECK(seen == bytes);
	w_log_reader_free(reader);
}

struct heard {
	uint64_t faults;
	uint64_t lines;
	uint64_t last_seq;
	char hash[W_SHA256_HEX];
	bool is_chain;
};

static void
hear_fault(void *ctx, const struct w_log_fault *fault)
{
	struct heard *heard = ctx;

	CHECK(fault->kind < W_LOG_FAULT_COUNT);
	CHECK(w_log_fault_word(fault->kind)[0] != '\0');
	CHECK((fault->file == NULL) == (fault->place.segment == 0));
	CHECK(fault->text[0] != '\0');
	check_line(fault->text, strlen(fault->text) + 1);
	heard->faults++;
}

static void
hear_line(
    void *ctx, const struct w_log_line *line, const struct w_log_place *place)
{
	struct heard *heard = ctx;
	char hash[W_SHA256_HEX];
	char keyed[W_SHA256_HEX];
	struct w_hmac_key prepared;

	(void)place;
	w_hmac_key_init(&prepared, key, sizeof(key) - 1);
	hash_line(NULL, line->bytes, line->len - ENDING, hash);
	hash_line(&prepared, line->bytes, line->len - ENDING, keyed);
	if (line->seq != heard->last_seq + 1 ||
	    memcmp(line->prev, heard->hash, W_SHA256_HEX) != 0 ||
	    (memcmp(line->hash, hash, W_SHA256_HEX) != 0 &&
		memcmp(line->hash, keyed, W_SHA256_HEX) != 0))
		heard->is_chain = false;
	heard->last_seq = line->seq;
	memcpy(heard->hash, line->hash, W_SHA256_HEX);
	heard->lines++;
}

static void
check_verify(size_t bytes, unsigned flags)
{
	struct heard heard = {.is_chain = true};
	struct w_log_proof proof;
	struct w_log_verify_options verify = {
	    .dir = dir,
	    .name = "trail",
	    .key = flags & WITH_KEY ? key : NULL,
	    .key_len = sizeof(key) - 1,
	    .ctx = &heard,
	    .on_fault = hear_fault,
	    .on_line = hear_line,
	};
	uint64_t counted = 0;

	memset(heard.hash, '0', sizeof(heard.hash));
	CHECK(w_log_verify_run(&verify, &proof, NULL) == WRIT_OK);
	for (size_t i = 0; i < W_LOG_FAULT_COUNT; i++)
		counted += proof.faults[i];
	CHECK(counted == heard.faults);
	CHECK(proof.bytes <= bytes);
	if (counted > 0)
		return;
	CHECK(heard.is_chain);
	CHECK(heard.lines == proof.records);
	CHECK(heard.last_seq == proof.last_seq);
	CHECK(proof.bytes == bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned flags = size > 0 ? data[0] : 0;

	if (size == 0)
		return 0;
	char *text = copy_exact(data + 1, size - 1);
	make_dir();
	mend_all(text, size - 1, flags);
	size_t bytes = put_all(text, size - 1, flags);
	check_reader(bytes);
	check_verify(bytes, flags);
	free(text);
	return 0;
}
