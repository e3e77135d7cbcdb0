/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the conditions that are not globs: arguments, sandbox, network and
 * time. */

#include <string.h>

#include "base/ascii.h"
#include "base/match.h"
#include "data/json_words.h"
#include "policy/policy_facts.h"
#include "policy/read/policy_reader.h"

#define MINUTES_A_DAY 1440
#define INPUT_KEY_MAX 100

static const char *const wall_words[] = {
    "none", "env", "container", "readonly", "workspace", "strict", NULL};

enum {
	FIRST_WALLS = 3 /* index of the first word with a real sandbox */
};

const char *const w_read_network_words[] = {
    [W_POLICY_NETWORK_OFF] = "off",
    [W_POLICY_NETWORK_LOOPBACK] = "loopback",
    [W_POLICY_NETWORK_HOSTS] = "hosts",
    [W_POLICY_NETWORK_HOST] = "host",
    NULL,
};

void
w_read_walls(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	const char *text = w_read_text(reader, val, "sandbox");

	(void)key;
	if (text == NULL)
		return;
	const bool is_below = text[0] == '<';
	const char *name = is_below ? text + 1 + strspn(text + 1, " ") : text;
	const int walls = w_read_find(name, wall_words);
	if (walls < 0) {
		(void)w_read_refuse(reader, val,
		    "sandbox '%.64s' must be none, env, container, readonly, "
		    "workspace, strict, or '< ' and one of them",
		    text);
		if (strlen(name) < INPUT_KEY_MAX)
			/* Never suggest a weaker sandbox than was meant. */
			w_read_suggest_word(reader,
			    w_match_nearest(name, wall_words + FIRST_WALLS));
		return;
	}
	if (is_below && walls == 0) {
		(void)w_read_refuse(
		    reader, val, "nothing is weaker than 'none'");
		return;
	}
	if (is_below)
		rule->walls_below = (unsigned)walls;
	else
		rule->walls_min = (unsigned)walls;
}

bool
w_read_check_network(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	static const struct w_read_key row = {
	    "network", W_READ_CHOICE, .words = w_read_network_words};
	int which = -1;

	(void)what;
	(void)text;
	w_read_member(reader, &row, &which, NULL, val);
	return which >= 0;
}

unsigned
w_read_network_bit(const char *word)
{
	return 1U << w_read_find(word, w_read_network_words);
}

static bool
is_scalar(struct w_policy_reader *reader, yyjson_val *val, const char *name)
{
	if (yyjson_is_ctn(val)) {
		(void)w_read_refuse(reader, val,
		    "the argument '%.64s' is compared with text, a number, "
		    "true, false or null, not with %s",
		    name, w_json_type_words(val));
		return false;
	}
	if (!yyjson_is_str(val))
		return true;
	if (!w_json_is_text(val))
		return w_read_refuse(reader, val,
		    "the argument '%.64s' has a NUL character in it", name);
	return w_read_check_glob(
	    reader, val, "the argument's glob", yyjson_get_str(val));
}

/* One argument: a value, or a list of alternatives. */
static bool
read_match_value_read_input(struct w_policy_reader *reader, yyjson_val *key,
    yyjson_val *val, struct w_rule_input *input)
{
	const bool is_list = yyjson_is_arr(val);
	const size_t count = is_list ? yyjson_arr_size(val) : 1;
	const char *name = w_read_text(reader, key, "the name of an argument");
	size_t i;
	size_t max;
	yyjson_val *item;

	if (name == NULL)
		return false;
	if (strlen(name) > INPUT_KEY_MAX)
		return w_read_refuse(reader, key,
		    "the name of an argument is longer than %d bytes",
		    INPUT_KEY_MAX);
	if (count == 0)
		return w_read_refuse(reader, val,
		    "the argument '%.64s' has an empty list", name);
	yyjson_val **values = w_read_alloc(reader, count, sizeof(*values));
	if (values == NULL || (!is_list && !is_scalar(reader, val, name)))
		return false;
	values[0] = val;
	yyjson_arr_foreach(val, i, max, item)
	{
		if (!is_scalar(reader, item, name))
			return false;
		values[i] = item;
	}
	*input = (struct w_rule_input){
	    .key = name, .values = values, .value_count = count};
	return true;
}

void
w_read_inputs(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *item;

	if (!yyjson_is_obj(val) || yyjson_obj_size(val) == 0) {
		(void)w_read_refuse(reader, val,
		    "inputs must be a map from arguments to values, not %s",
		    yyjson_is_obj(val) ? "an empty one"
				       : w_json_type_words(val));
		return;
	}
	(void)key;
	struct w_rule_input *inputs =
	    w_read_alloc(reader, yyjson_obj_size(val), sizeof(*inputs));
	if (inputs == NULL)
		return;
	yyjson_obj_foreach(val, i, count, name, item)(void)
	    read_match_value_read_input(reader, name, item, &inputs[i]);
	rule->inputs = inputs;
	rule->input_count = yyjson_obj_size(val);
}

static const char *const day_words[] = {
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", NULL};

static int
find_day(const char *text, size_t len)
{
	for (int i = 0; day_words[i] != NULL; i++) {
		if (len == 3 && strncmp(text, day_words[i], 3) == 0)
			return i;
	}
	return -1;
}

/* "mon" or "mon-fri" as bits; a range may wrap around the week's end. 0:
 * neither. */
static unsigned
days_of(const char *text)
{
	const size_t len = strcspn(text, "-");
	const int first = find_day(text, len);
	int last = first;
	unsigned days = 0;

	if (text[len] == '-')
		last = find_day(text + len + 1, strlen(text + len + 1));
	if (first < 0 || last < 0)
		return 0;
	for (int day = first; day != last; day = (day + 1) % 7)
		days |= 1U << day;
	return days | 1U << last;
}

static bool
check_days(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *text)
{
	if (days_of(text) != 0)
		return true;
	(void)w_read_refuse(reader, val, "%s has no day '%.64s'", what, text);
	w_read_suggest(reader,
	    "mon, tue, wed, thu, fri, sat, sun, or a range such as mon-fri");
	return false;
}

/* "08:30" in minutes; -1: invalid. 24:00 is the end of the day. */
static int
minutes_of(const char *text)
{
	if (strlen(text) != 5 || !w_is_digit(text[0]) || !w_is_digit(text[1]) ||
	    text[2] != ':' || !w_is_digit(text[3]) || !w_is_digit(text[4]))
		return -1;
	const int hours = (text[0] - '0') * 10 + text[1] - '0';
	const int minutes = (text[3] - '0') * 10 + text[4] - '0';
	const int all = hours * 60 + minutes;
	return minutes < 60 && all <= MINUTES_A_DAY ? all : -1;
}

static void
read_clock(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule_time *time = target;
	const char *name = w_read_word(key);
	const char *text = w_read_text(reader, val, name);
	const int minutes = text != NULL ? minutes_of(text) : -1;

	if (minutes >= 0) {
		*(name[0] == 'f' ? &time->from : &time->to) = (unsigned)minutes;
	} else if (text != NULL) {
		(void)w_read_refuse(
		    reader, val, "%s '%.64s' is not a time of day", name, text);
		w_read_suggest(reader, "hours and minutes, such as \"08:30\"");
	}
}

static const struct w_read_key time_keys[] = {
    {"days", W_READ_BITS, offsetof(struct w_rule_time, days),
	.check = check_days, .bits = days_of},
    {"from", .read = read_clock},
    {"to", .read = read_clock},
    {.name = NULL},
};

void
w_read_time(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;
	struct w_rule_time *time = w_read_alloc(reader, 1, sizeof(*time));

	(void)key;
	if (time == NULL)
		return;
	*time = (struct w_rule_time){.days = 0x7f, .to = MINUTES_A_DAY};
	if (!w_read_map(reader, val, "time", time_keys, time))
		return;
	if (yyjson_obj_size(val) == 0)
		(void)w_read_refuse(
		    reader, val, "time has none of days, from and to");
	else if (time->from == time->to)
		(void)w_read_refuse(
		    reader, val, "no time is between 'from' and 'to'");
	rule->time = time;
}
