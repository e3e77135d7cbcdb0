/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_STYLE_DESCRIPTIONS_H
#define W_TEST_STYLE_DESCRIPTIONS_H

/* Small descriptions of commands: every style, and what is special in each. */

static const char timeout_yaml[] = "command: timeout\n"
				   "style: posix\n"
				   "options:\n"
				   "  -k, --kill-after <duration>: x\n"
				   "  -s, --signal <text>: x\n"
				   "  -v, --verbose: x\n"
				   "  --help: x\n"
				   "operands:\n"
				   "  duration <duration>: x\n"
				   "  command <command>: x\n"
				   "effects: []\n";

static const char env_yaml[] = "command: env\n"
			       "style: posix\n"
			       "options:\n"
			       "  -, -i, --ignore-environment: x\n"
			       "  -u, --unset <text>...: x\n"
			       "  -0, --null: x\n"
			       "operands:\n"
			       "  assignment* <assignment>: x\n"
			       "  command? <command>: x\n"
			       "effects: []\n";

static const char find_yaml[] =
    "command: find\n"
    "style: leading\n"
    "ordered: expression\n"
    "dashes: no\n"
    "options:\n"
    "  -L: {about: x, first: true}\n"
    "  -O<integer:0..3>: {about: x, first: true}\n"
    "  -name <glob>: x\n"
    "  -print: x\n"
    "  -fprintf <path:write> <text>: x\n"
    "  -exec <command> ;: {about: x, inner: placed}\n"
    "  \"(\": x\n"
    "  \")\": x\n"
    "  \"!\": x\n"
    "operands:\n"
    "  path* <path:read>: {about: x, default: \".\"}\n"
    "effects: []\n";

static const char git_yaml[] =
    "command: git\n"
    "globals: before\n"
    "options:\n"
    "  -C <path:read>...: {about: x, key: chdir}\n"
    "  -p, --paginate: x\n"
    "  --no-pager: x\n"
    "  --version: x\n"
    "commands:\n"
    "  log:\n"
    "    about: x\n"
    "    number: max_count\n"
    "    options:\n"
    "      -n, --max-count <integer>: x\n"
    "      -p, --patch: x\n"
    "      --format=<text>: x\n"
    "      -S<text>: {about: x, key: pickaxe}\n"
    "      --color[=<always|never|auto>]: x\n"
    "    operands:\n"
    "      revision* <revision>: x\n"
    "      path* <path:read>: {about: x, after_dashes: true}\n"
    "    effects: [read]\n"
    "  stash:\n"
    "    about: x\n"
    "    default: push\n"
    "    commands:\n"
    "      push:\n"
    "        about: x\n"
    "        options: {\"-m, --message <text>\": x, \"-p, --patch\": x}\n"
    "        operands: {\"path* <path>\": x}\n"
    "        effects: [write]\n"
    "      list: {about: x, effects: [read]}\n";

static const char tar_yaml[] = "command: tar\n"
			       "style: cluster\n"
			       "ordered: arguments\n"
			       "options:\n"
			       "  -x, --extract: x\n"
			       "  -z, --gzip: x\n"
			       "  -f, --file <path>: x\n"
			       "  -b <integer>: x\n"
			       "  -C, --directory <path>...: x\n"
			       "operands:\n"
			       "  member* <path>: x\n"
			       "effects: []\n";

static const char dd_yaml[] = "command: dd\n"
			      "style: pairs\n"
			      "options:\n"
			      "  if=<path:read>: x\n"
			      "  of=<path:write>: x\n"
			      "  bs=<size>: x\n"
			      "  --help: x\n"
			      "effects: []\n";

static const char gcc_yaml[] = "command: gcc\n"
			       "style: words\n"
			       "options:\n"
			       "  -c: x\n"
			       "  -o <path:write>: x\n"
			       "  -I <path:read>...: x\n"
			       "  -std=<text>: x\n"
			       "  -f<text>...: x\n"
			       "  -fplugin=<path:exec>...: {about: x}\n"
			       "  -Wl,<text>...: {about: x, key: linker}\n"
			       "  --param <text>...: x\n"
			       "operands:\n"
			       "  file* <path:read>: x\n"
			       "effects: []\n";

static const char sed_yaml[] =
    "command: sed\n"
    "options:\n"
    "  -e, --expression <text>...: x\n"
    "  -i[<text>], --in-place[=<text>]: x\n"
    "  -n: x\n"
    "  +<integer>: {about: x, key: line}\n"
    "operands:\n"
    "  script <text>: {about: x, unless: expression}\n"
    "  file* <path:read>: x\n"
    "effects: []\n";

static const char ssh_yaml[] =
    "command: ssh\n"
    "options:\n"
    "  -p <integer:1..65535>: x\n"
    "  -v...: x\n"
    "operands:\n"
    "  host <host>: x\n"
    "  command? <command>: {about: x, inner: remote}\n"
    "effects: [net]\n";

static const char chmod_yaml[] =
    "command: chmod\n"
    "options:\n"
    "  -R, --recursive: x\n"
    "  --reference <path:read>: x\n"
    "operands:\n"
    "  mode <text>: {about: x, dash: allow, unless: reference}\n"
    "  file+ <path:write>: x\n"
    "effects: []\n";

static const char zip_yaml[] = "command: zip\n"
			       "options:\n"
			       "  -T: {about: x, key: test}\n"
			       "  -TT <program>: {about: x, key: tester}\n"
			       "  -r: x\n"
			       "operands: {\"file* <path>\": x}\n"
			       "effects: []\n";

static const char echo_yaml[] = "command: echo\n"
				"style: literal\n"
				"operands: {\"word* <text>\": x}\n"
				"effects: []\n";

static const char python_yaml[] =
    "command: python\n"
    "style: posix\n"
    "options:\n"
    "  -B: x\n"
    "  -c <script>: {about: x, last: true}\n"
    "operands:\n"
    "  script? <path:exec>: {about: x, unless: c}\n"
    "  argument* <text>: x\n"
    "effects: []\n";

static const char kubectl_yaml[] =
    "command: kubectl\n"
    "short_equals: yes\n"
    "globals: anywhere\n"
    "options:\n"
    "  -n, --namespace <text>: x\n"
    "  -v: x\n"
    "  -o <text>: {about: x, key: color}\n"
    "commands:\n"
    "  exec:\n"
    "    about: x\n"
    "    options: {\"-i, --stdin\": x}\n"
    "    operands:\n"
    "      pod <text>: x\n"
    "      command <command>: {about: x, after_dashes: true}\n"
    "    effects: [net]\n"
    "  get:\n"
    "    about: x\n"
    "    json_flag: [-o=json]\n"
    "    options: {\"-o, --output <text>\": x}\n"
    "    operands: {\"kind <text>\": x, \"name? <text>\": x}\n"
    "    effects: [net]\n";

static const char cp_yaml[] = "command: cp\n"
			      "options:\n"
			      "  -t, --target-directory <path:write>: x\n"
			      "  -r: {about: x, conflicts: l}\n"
			      "  -l: x\n"
			      "operands:\n"
			      "  source+ <path:read>: x\n"
			      "  target <path:write>: {about: x, unless: "
			      "target_directory}\n"
			      "effects: []\n";

static const char ggrep_yaml[] =
    "command: ggrep\n"
    "style: posix\n"
    "options: {-l: x}\n"
    "operands:\n"
    "  pattern <regex>: x\n"
    "  revision* <revision>: x\n"
    "  path* <path:read>: {about: x, after_dashes: true}\n"
    "effects: []\n";

static const char *const all_styles[] = {timeout_yaml, env_yaml, find_yaml,
    git_yaml, tar_yaml, dd_yaml, gcc_yaml, sed_yaml, ssh_yaml, chmod_yaml,
    zip_yaml, echo_yaml, python_yaml, kubectl_yaml, cp_yaml, ggrep_yaml};

#endif /* W_TEST_STYLE_DESCRIPTIONS_H */
