/* SPDX-License-Identifier: Apache-2.0 */

/* Records as a run leaves them, made without a run; see trail.h. */

#include "trail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"

#define HASH "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

static const char *const programs[] = {
    "git", "make", "cc", "ls", "grep", "cargo", "python3", "npm"};
static const char *const agents[] = {"builder", "reviewer", "tester"};

enum {
	PROGRAMS = sizeof(programs) / sizeof(*programs),
	AGENTS = sizeof(agents) / sizeof(*agents)
};

void
trail_id(uint64_t number, char out[TRAIL_ID + 1])
{
	const uint64_t first_ms = UINT64_C(1794800000000);
	/* Ids of neighbours shall not look alike. */
	uint64_t mixed = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	uint8_t random[10] = {0};

	memcpy(random, &mixed, sizeof(mixed));
	w_id_format(first_ms + number, random, out);
}

/* One of its values gets as long as the record needs it to be. */
static void
fill(char out[TRAIL_PAYLOAD + 1], const char *start, const char *ending)
{
	int len = snprintf(out, TRAIL_PAYLOAD + 1, "%s", start);
	size_t tail = strlen(ending);

	memset(out + len, 'x', (size_t)TRAIL_PAYLOAD - (size_t)len);
	memcpy(out + TRAIL_PAYLOAD - tail, ending, tail + 1);
}

void
trail_begin(uint64_t number, char out[TRAIL_PAYLOAD + 1])
{
	const char *program = programs[number % PROGRAMS];
	char id[TRAIL_ID + 1], start[TRAIL_PAYLOAD];

	trail_id(number, id);
	(void)snprintf(start, sizeof(start),
	    "\"kind\":\"begin\",\"run\":\"%s\",\"trace\":null,"
	    "\"who\":{\"uid\":1000,\"pid\":4711,\"pidns\":4026531836,"
	    "\"door\":\"cli\",\"agent\":\"%s\"},"
	    "\"argv\":[\"%s\",\"--number\",\"%" PRIu64 "\",\"",
	    id, agents[number % AGENTS], program, number);
	char ending[TRAIL_PAYLOAD];
	(void)snprintf(ending, sizeof(ending),
	    "\"],\"shell\":null,\"program\":\"/usr/bin/%s\","
	    "\"cwd\":\"/srv/app\",\"env\":[\"HOME\",\"LANG\",\"PATH\"],"
	    "\"stdin\":\"null\",\"as\":{\"uid\":1000,\"gid\":1000},"
	    "\"limits\":{\"timeout_ms\":0},\"policy\":null,"
	    "\"sandbox\":{\"profile\":\"none\",\"network\":\"host\","
	    "\"layers\":[]},\"request\":\"" HASH "\",\"redacted\":false",
	    program);
	fill(out, start, ending);
}

void
trail_end(uint64_t number, char out[TRAIL_PAYLOAD + 1])
{
	char id[TRAIL_ID + 1], start[TRAIL_PAYLOAD];

	trail_id(number, id);
	(void)snprintf(start, sizeof(start),
	    "\"kind\":\"end\",\"run\":\"%s\",\"outcome\":\"exited\","
	    "\"exit_code\":%d,\"signal\":null,\"limit\":null,"
	    "\"duration_ms\":%" PRIu64 ",\"usage\":{\"user_ms\":1,"
	    "\"system_ms\":2,\"max_rss_kib\":3200},\"killed\":0,"
	    "\"background\":0,\"tree\":\"guaranteed\",\"layers\":[\"",
	    id, number % 10 == 0, number % 977);
	fill(out, start,
	    "\"],\"missing\":[],\"stdout\":{\"bytes\":0,\"sha256\":\"" HASH
	    "\"},\"stderr\":{\"bytes\":0,\"sha256\":\"" HASH
	    "\"},\"kept\":null");
}
