/* SPDX-License-Identifier: Apache-2.0 */

/* Scripts of sed, awk and jq; the first byte says which. What is reported lies
 * in the script, and is the same when it is read again with a newline more. */

#include "command/script/script.h"

#include "check.h"
#include "command/grammar/effect.h"

struct seen {
	const char *text;
	size_t len;
	size_t touches;
	size_t runs;
};

static void
check_inside(const struct seen *seen, const char *text, size_t len)
{
	if (text == NULL) {
		CHECK(len == 0);
		return;
	}
	CHECK(text >= seen->text && text <= seen->text + seen->len);
	CHECK(len <= (size_t)(seen->text + seen->len - text));
}

static bool
see_touch(void *ctx, unsigned effect, const char *path, size_t len)
{
	struct seen *seen = ctx;

	CHECK(effect == W_EFFECT_READ || effect == W_EFFECT_WRITE ||
	      effect == W_EFFECT_NET);
	check_inside(seen, path, len);
	seen->touches++;
	return true;
}

static bool
see_run(void *ctx, const char *command, size_t len)
{
	struct seen *seen = ctx;

	check_inside(seen, command, len);
	seen->runs++;
	return true;
}

static writ_status
read_one(
    enum w_script language, const char *text, size_t len, struct seen *out_seen)
{
	struct seen seen = {.text = text, .len = len};
	const struct w_script_sink sink = {&seen, see_touch, see_run};
	writ_error err;
	size_t offset = SIZE_MAX;
	writ_status status =
	    w_script_read(language, text, len, &sink, &offset, &err);

	if (status == WRIT_OK) {
		CHECK(offset == SIZE_MAX);
	} else {
		CHECK(status == WRIT_E_INVALID);
		CHECK(offset <= len);
		check_error(&err, status);
	}
	*out_seen = seen;
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum w_script languages[] = {
	    W_SCRIPT_SED, W_SCRIPT_AWK, W_SCRIPT_JQ};
	struct seen one;
	struct seen other;

	if (size == 0)
		return 0;
	enum w_script language = languages[data[0] % 3];
	char *exact = copy_exact(data + 1, size - 1);
	writ_status status = read_one(language, exact, size - 1, &one);
	free(exact);

	char *longer = copy_string(data + 1, size - 1);
	longer[size - 1] = '\n';
	if (read_one(language, longer, size, &other) == WRIT_OK &&
	    status == WRIT_OK) {
		CHECK(one.touches == other.touches);
		CHECK(one.runs == other.runs);
	}
	free(longer);
	return 0;
}
