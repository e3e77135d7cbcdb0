/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Formatting YAML: what comes out is YAML that formats to itself, has no blank
 * at the end of a document, and every YAML that is refused says why. That it
 * means the same is checked by the formatter itself.
 */

#include <string.h>

#include "base/buf.h"
#include "data/yaml.h"
#include "data/yaml_format.h"

#include "check.h"

static const struct w_json_limits limits = {.bytes_max = 4096, .depth_max = 16};
static const struct w_json_limits wide = {
    .bytes_max = 1 << 20, .depth_max = 16};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	W_AUTO_BUF struct w_buf once;
	W_AUTO_BUF struct w_buf twice;
	writ_error err = {.status = WRIT_OK};

	w_buf_init(&once, 1 << 20);
	w_buf_init(&twice, 1 << 20);
	if (w_yaml_format((const char *)data, size, &limits, &once, &err) !=
	    WRIT_OK) {
		CHECK(err.message[0] != '\0');
		return 0;
	}
	CHECK(once.len == 0 || once.data[once.len - 1] == '\n');
	CHECK(
	    w_yaml_format(once.data, once.len, &wide, &twice, &err) == WRIT_OK);
	CHECK(once.len == twice.len &&
	      memcmp(once.data, twice.data, once.len) == 0);
	return 0;
}
