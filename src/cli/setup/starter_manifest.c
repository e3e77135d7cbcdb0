/* SPDX-License-Identifier: Apache-2.0 */

/* The text of `writ init --manifest`. */

#include "cli/setup/starter_manifest.h"

/* clang-format off */
const char w_starter_manifest_text[] =
	W_SCHEMA_MODELINE("manifest")
	"# What this machine should be like.\n"
	"#\n"
	"#   writ validate FILE         what is wrong with it\n"
	"#   writ apply --noop FILE     what it would do\n"
	"#   writ apply FILE            do it; a second time changes nothing\n"
	"#   writ manifest graph FILE   the order, and who refreshes whom\n"
	"#\n"
	"# The language: writ-manifest(5).\n"
	"data:\n"
	"  greeting: hello\n"
	"ccm:\n"
	"  # fail_on_error: true   # stop at the first failure\n"
	"  resources:\n"
	"    - file:\n"
	"        - /tmp/writ-example: {ensure: directory}\n"
	"        - /tmp/writ-example/greeting:\n"
	"            content: \"{{ Data.greeting }} from {{ Facts.host.name }}\\n\"\n"
	"            mode: \"0644\"\n"
	"            require: [file#/tmp/writ-example]\n"
	"    - exec:\n"
	"        - show:\n"
	"            command: cat /tmp/writ-example/greeting\n"
	"            logoutput: true\n"
	"            # Only when the file has changed.\n"
	"            refreshonly: true\n"
	"            subscribe: [file#/tmp/writ-example/greeting]\n"
	"    # - package:\n"
	"    #     - nginx: {ensure: latest}\n"
	"    # - service:\n"
	"    #     - nginx: {enable: true, subscribe: [package#nginx]}\n";
/* clang-format on */
