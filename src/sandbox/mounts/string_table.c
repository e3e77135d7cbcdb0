/* SPDX-License-Identifier: Apache-2.0 */

/* The strings of a plan in one buffer. */

#include <string.h>

#include "sandbox/mounts/mount_plan.h"

enum {
	TABLE_MAX = 1 << 20
};

void
w_string_table_init(struct w_string_table *table)
{
	w_buf_init(&table->text, TABLE_MAX);
	w_buf_add_char(&table->text, '\0');
}

void
w_string_table_done(struct w_string_table *table)
{
	w_buf_done(&table->text);
}

uint32_t
w_string_table_add(struct w_string_table *table, const char *text)
{
	const size_t at = table->text.len;

	if (text[0] == '\0')
		return 0;
	w_buf_add(&table->text, text, strlen(text) + 1);
	return (uint32_t)at;
}
