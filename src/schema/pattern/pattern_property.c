/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The Unicode properties of \p{...}.
 *
 * ECMA-262 has an exact list of names; PCRE2 accepts more, in any spelling. So
 * names are checked against the list here. Script names are too many for a
 * list: PCRE2 rejects unknown ones.
 */

#include <string.h>

#include "schema/pattern/pattern_translator.h"

/* Arrays: the loader has to fill in pointers, at each start. */
struct pattern_property_name {
	char name[32]; /* in ECMA-262 */
	char to[4];    /* in PCRE2 */
};

static const struct pattern_property_name categories[] = {
    {"C", "C"},
    {"Other", "C"},
    {"Cc", "Cc"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Cf", "Cf"},
    {"Format", "Cf"},
    {"Cn", "Cn"},
    {"Unassigned", "Cn"},
    {"Co", "Co"},
    {"Private_Use", "Co"},
    {"Cs", "Cs"},
    {"Surrogate", "Cs"},
    {"L", "L"},
    {"Letter", "L"},
    {"LC", "L&"},
    {"Cased_Letter", "L&"},
    {"Ll", "Ll"},
    {"Lowercase_Letter", "Ll"},
    {"Lm", "Lm"},
    {"Modifier_Letter", "Lm"},
    {"Lo", "Lo"},
    {"Other_Letter", "Lo"},
    {"Lt", "Lt"},
    {"Titlecase_Letter", "Lt"},
    {"Lu", "Lu"},
    {"Uppercase_Letter", "Lu"},
    {"M", "M"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Mc", "Mc"},
    {"Spacing_Mark", "Mc"},
    {"Me", "Me"},
    {"Enclosing_Mark", "Me"},
    {"Mn", "Mn"},
    {"Nonspacing_Mark", "Mn"},
    {"N", "N"},
    {"Number", "N"},
    {"Nd", "Nd"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Nl", "Nl"},
    {"Letter_Number", "Nl"},
    {"No", "No"},
    {"Other_Number", "No"},
    {"P", "P"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Pc", "Pc"},
    {"Connector_Punctuation", "Pc"},
    {"Pd", "Pd"},
    {"Dash_Punctuation", "Pd"},
    {"Pe", "Pe"},
    {"Close_Punctuation", "Pe"},
    {"Pf", "Pf"},
    {"Final_Punctuation", "Pf"},
    {"Pi", "Pi"},
    {"Initial_Punctuation", "Pi"},
    {"Po", "Po"},
    {"Other_Punctuation", "Po"},
    {"Ps", "Ps"},
    {"Open_Punctuation", "Ps"},
    {"S", "S"},
    {"Symbol", "S"},
    {"Sc", "Sc"},
    {"Currency_Symbol", "Sc"},
    {"Sk", "Sk"},
    {"Modifier_Symbol", "Sk"},
    {"Sm", "Sm"},
    {"Math_Symbol", "Sm"},
    {"So", "So"},
    {"Other_Symbol", "So"},
    {"Z", "Z"},
    {"Separator", "Z"},
    {"Zl", "Zl"},
    {"Line_Separator", "Zl"},
    {"Zp", "Zp"},
    {"Paragraph_Separator", "Zp"},
    {"Zs", "Zs"},
    {"Space_Separator", "Zs"},
    {"", ""},
};

/* Binary properties, with Unicode's short names. */
static const char binary[][40] = {"ASCII_Hex_Digit", "AHex", "Alphabetic",
    "Alpha", "Bidi_Control", "Bidi_C", "Bidi_Mirrored", "Bidi_M",
    "Case_Ignorable", "CI", "Cased", "Changes_When_Casefolded", "CWCF",
    "Changes_When_Casemapped", "CWCM", "Changes_When_Lowercased", "CWL",
    "Changes_When_Titlecased", "CWT", "Changes_When_Uppercased", "CWU", "Dash",
    "Default_Ignorable_Code_Point", "DI", "Deprecated", "Dep", "Diacritic",
    "Dia", "Emoji", "Emoji_Component", "EComp", "Emoji_Modifier", "EMod",
    "Emoji_Modifier_Base", "EBase", "Emoji_Presentation", "EPres",
    "Extended_Pictographic", "ExtPict", "Extender", "Ext", "Grapheme_Base",
    "Gr_Base", "Grapheme_Extend", "Gr_Ext", "Hex_Digit", "Hex",
    "IDS_Binary_Operator", "IDSB", "IDS_Trinary_Operator", "IDST",
    "ID_Continue", "IDC", "ID_Start", "IDS", "Ideographic", "Ideo",
    "Join_Control", "Join_C", "Logical_Order_Exception", "LOE", "Lowercase",
    "Lower", "Math", "Noncharacter_Code_Point", "NChar", "Pattern_Syntax",
    "Pat_Syn", "Pattern_White_Space", "Pat_WS", "Quotation_Mark", "QMark",
    "Radical", "Regional_Indicator", "RI", "Sentence_Terminal", "STerm",
    "Soft_Dotted", "SD", "Terminal_Punctuation", "Term", "Unified_Ideograph",
    "UIdeo", "Uppercase", "Upper", "Variation_Selector", "VS", "White_Space",
    "space", "XID_Continue", "XIDC", "XID_Start", "XIDS", ""};

static bool
pattern_property_is_word(const char *word, const char *name, size_t len)
{
	return strlen(word) == len && memcmp(word, name, len) == 0;
}

static bool
add_category(struct w_buf *out, const char *name, size_t len, char which)
{
	for (const struct pattern_property_name *at = categories;
	     at->name[0] != '\0'; at++) {
		if (pattern_property_is_word(at->name, name, len)) {
			w_buf_add_fmt(out, "\\%c{%s}", which, at->to);
			return true;
		}
	}
	return false;
}

static bool
add_binary(struct w_buf *out, const char *name, size_t len, char which)
{
	for (size_t i = 0; binary[i][0] != '\0'; i++) {
		if (pattern_property_is_word(binary[i], name, len)) {
			w_buf_add_fmt(out, "\\%c{%s}", which, binary[i]);
			return true;
		}
	}
	return false;
}

/* Properties that PCRE2 has no name for. */
static bool
pattern_property_add_special(
    struct w_buf *out, const char *name, size_t len, bool inverted)
{
	if (pattern_property_is_word("ASCII", name, len)) {
		w_buf_add_str(
		    out, inverted ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}");
		return true;
	}
	if (pattern_property_is_word("Any", name, len)) {
		w_buf_add_str(out, inverted ? "" : "\\x{0}-\\x{10ffff}");
		return true;
	}
	if (pattern_property_is_word("Assigned", name, len)) {
		w_buf_add_str(out, inverted ? "\\p{Cn}" : "\\P{Cn}");
		return true;
	}
	return false;
}

/* PCRE2 would also accept another letter case, or blanks. */
static bool
add_script(struct w_buf *out, const char *how, const char *name, size_t len,
    char which)
{
	if (len == 0 || len > 40 || name[0] < 'A' || name[0] > 'Z')
		return false;
	for (size_t i = 1; i < len; i++) {
		bool after_break = name[i - 1] == '_';
		bool is_lower = name[i] >= 'a' && name[i] <= 'z';
		bool is_upper = name[i] >= 'A' && name[i] <= 'Z';

		if (is_upper && !after_break &&
		    (len < 4 || memcmp(name, "Sign", 4) != 0))
			return false;
		if (!is_lower && !is_upper && name[i] != '_')
			return false;
	}
	w_buf_add_fmt(out, "\\%c{%s:%.*s}", which, how, (int)len, name);
	return true;
}

bool
w_pattern_add_property(
    struct w_buf *out, const char *name, size_t len, bool inverted)
{
	const char *equals = memchr(name, '=', len);
	const char which = inverted ? 'P' : 'p';

	if (equals == NULL)
		return pattern_property_add_special(out, name, len, inverted) ||
		       add_category(out, name, len, which) ||
		       add_binary(out, name, len, which);

	const size_t key_len = (size_t)(equals - name);
	const char *value = equals + 1;
	const size_t value_len = len - key_len - 1;

	if (pattern_property_is_word("General_Category", name, key_len) ||
	    pattern_property_is_word("gc", name, key_len))
		return add_category(out, value, value_len, which);
	if (pattern_property_is_word("Script", name, key_len) ||
	    pattern_property_is_word("sc", name, key_len))
		return add_script(out, "sc", value, value_len, which);
	if (pattern_property_is_word("Script_Extensions", name, key_len) ||
	    pattern_property_is_word("scx", name, key_len))
		return add_script(out, "scx", value, value_len, which);
	return false;
}
