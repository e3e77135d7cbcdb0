/* SPDX-License-Identifier: Apache-2.0 */

/* Validates numbers and strings. */

#include "schema/check/check.h"
#include "schema/code_point.h"
#include "schema/number.h"

bool
w_check_number(
    struct w_check *check, const struct w_node *node, yyjson_val *value)
{
	const struct w_number_rules *rules = node->number;
	bool fits = true;

	if (rules->minimum != NULL &&
	    w_number_compare(value, rules->minimum) < 0)
		fits = w_check_fault(check, node, W_FAULT_MINIMUM, value);
	if (rules->maximum != NULL &&
	    w_number_compare(value, rules->maximum) > 0)
		fits = w_check_fault(check, node, W_FAULT_MAXIMUM, value);
	if (rules->above != NULL && w_number_compare(value, rules->above) <= 0)
		fits = w_check_fault(check, node, W_FAULT_ABOVE, value);
	if (rules->below != NULL && w_number_compare(value, rules->below) >= 0)
		fits = w_check_fault(check, node, W_FAULT_BELOW, value);
	if (rules->multiple != NULL &&
	    !w_number_is_multiple(value, rules->multiple))
		fits = w_check_fault(check, node, W_FAULT_MULTIPLE, value);
	return fits;
}

static bool
check_length(struct w_check *check, const struct w_node *node, yyjson_val *text)
{
	const struct w_size_range *length = &node->text->length;
	size_t bytes = yyjson_get_len(text);

	/* A character has one to four bytes: that often decides. */
	if (bytes / 4 >= length->min && bytes <= length->max)
		return true;
	size_t count = w_code_point_count(yyjson_get_str(text), bytes);
	if (count < length->min)
		return w_check_fault(check, node, W_FAULT_MIN_LENGTH, text);
	if (count > length->max)
		return w_check_fault(check, node, W_FAULT_MAX_LENGTH, text);
	return true;
}

bool
w_check_pattern(
    struct w_check *check, const struct w_pattern *pattern, yyjson_val *text)
{
	if (check->status != WRIT_OK)
		return false;
	enum w_pattern_answer answer = w_pattern_match(pattern,
	    yyjson_get_str(text), yyjson_get_len(text), &check->pattern_steps);

	if (answer == W_PATTERN_LIMIT)
		return w_check_give_up(check, text,
		    check->pattern_steps == 0
			? "the patterns of the schema take too long together"
			: "a pattern takes too long, or too much memory, to "
			  "match");
	return answer == W_PATTERN_YES;
}

bool
w_check_text(
    struct w_check *check, const struct w_node *node, yyjson_val *value)
{
	const struct w_text_rules *rules = node->text;
	bool fits = check_length(check, node, value);

	if (!fits && check->collector == NULL)
		return false;
	if (rules->pattern != NULL &&
	    !w_check_pattern(check, rules->pattern, value))
		fits = w_check_fault(check, node, W_FAULT_PATTERN, value);
	if (rules->format != NULL &&
	    !rules->format(yyjson_get_str(value), yyjson_get_len(value)))
		fits = w_check_fault(check, node, W_FAULT_FORMAT, value);
	return fits;
}
