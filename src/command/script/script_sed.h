/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SCRIPT_SED_H
#define W_COMMAND_SCRIPT_SED_H

#include "command/script/script_reader.h"

void w_sed_skip_blanks(struct w_script_reader *in);
void w_sed_skip_digits(struct w_script_reader *in);

/* Reads the addresses before a command, and its '!'. */
writ_status w_sed_read_addresses(
    struct w_script_reader *in, bool *out_is_there);

writ_status w_sed_read_delimiter(
    struct w_script_reader *in, char *out_delimiter);

/* Skips to after the next delimiter. */
writ_status w_sed_read_delimited(
    struct w_script_reader *in, char delimiter, bool is_regex);

#endif /* W_COMMAND_SCRIPT_SED_H */
