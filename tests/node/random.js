// SPDX-License-Identifier: Apache-2.0
//
// Random schemas, and values that come near to what they ask for. The same
// seed makes the same ones.
'use strict';

function makeRandom(seed) {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	const below = (n) => Math.floor(next() * n);
	return {
		below,
		chance: (p) => next() < p,
		pick: (list) => list[below(list.length)],
		some: (list, p) => list.filter(() => next() < p),
	};
}

const KEYS = ['a', 'b', 'c', 'ab', 'x1', 'é'];
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const PATTERNS = ['^a', 'b$', '^[a-c]*$', '^\\d+$', 'a|b', '^.$', '[^a]', '\\u00e9', '^(?:ab)+$', '\\p{Lu}', '^$'];
const KEY_PATTERNS = ['^a', 'b', '^x\\d$', '^.$', '^[^a]'];
const STRINGS = ['', 'a', 'b', 'ab', 'abab', 'abc', '12', 'é', '😀', 'A', 'a\nb', 'x1', ' '];
const NUMBERS = [0, 1, 2, 3, 5, -1, -4, 0.5, 1.5, 2.25, 100, 1e6];

function scalar(r) {
	return r.pick([null, true, false, r.pick(NUMBERS), r.pick(NUMBERS), r.pick(STRINGS), r.pick(STRINGS)]);
}

function value(r, depth) {
	if (depth <= 0 || r.chance(0.5))
		return scalar(r);
	if (r.chance(0.5))
		return Array.from({ length: r.below(4) }, () => value(r, depth - 1));
	return Object.fromEntries(r.some(KEYS, 0.4).map((key) => [key, value(r, depth - 1)]));
}

// --- schemas: each function adds the keywords of one kind

const adders = {
	type(r, s) {
		s.type = r.chance(0.7) ? r.pick(TYPES) : [...new Set([r.pick(TYPES), r.pick(TYPES)])];
	},
	enum(r, s) {
		s.enum = [...new Map(Array.from({ length: 1 + r.below(4) }, () => value(r, 1))
			.map((one) => [JSON.stringify(one), one])).values()];
	},
	const(r, s) {
		s.const = value(r, 2);
	},
	number(r, s) {
		if (r.chance(0.4)) s.minimum = r.pick(NUMBERS);
		if (r.chance(0.3)) s.maximum = r.pick(NUMBERS);
		if (r.chance(0.2)) s.exclusiveMinimum = r.pick(NUMBERS);
		if (r.chance(0.2)) s.exclusiveMaximum = r.pick(NUMBERS);
		if (r.chance(0.3)) s.multipleOf = r.pick([1, 2, 3, 0.5, 0.25, 5]);
	},
	string(r, s) {
		if (r.chance(0.4)) s.minLength = r.below(3);
		if (r.chance(0.4)) s.maxLength = r.below(4);
		if (r.chance(0.5)) s.pattern = r.pick(PATTERNS);
	},
	array(r, s, c) {
		if (r.chance(0.3)) s.minItems = r.below(3);
		if (r.chance(0.3)) s.maxItems = r.below(4);
		if (r.chance(0.3)) s.uniqueItems = r.chance(0.8);
		const list = () => Array.from({ length: 1 + r.below(2) }, () => schema(r, c));
		if (c.draft === '07') {
			if (r.chance(0.6)) s.items = r.chance(0.5) ? schema(r, c) : list();
			if (r.chance(0.3)) s.additionalItems = schema(r, c);
		} else {
			if (r.chance(0.4)) s.prefixItems = list();
			if (r.chance(0.5)) s.items = schema(r, c);
		}
	},
	contains(r, s, c) {
		s.contains = schema(r, c);
		if (c.draft !== '07' && r.chance(0.4)) s.minContains = r.below(3);
		if (c.draft !== '07' && r.chance(0.4)) s.maxContains = r.below(3);
	},
	object(r, s, c) {
		const some = (keys, p) => Object.fromEntries(r.some(keys, p).map((key) => [key, schema(r, c)]));
		if (r.chance(0.7)) s.properties = some(KEYS, 0.4);
		if (r.chance(0.3)) s.patternProperties = some(KEY_PATTERNS, 0.3);
		if (r.chance(0.4)) s.additionalProperties = schema(r, c);
		if (r.chance(0.4)) s.required = r.some(KEYS, 0.25);
		if (r.chance(0.2)) s.minProperties = r.below(3);
		if (r.chance(0.2)) s.maxProperties = r.below(4);
		if (r.chance(0.2)) s.propertyNames = schema(r, c);
	},
	dependent(r, s, c) {
		const names = Object.fromEntries(r.some(KEYS, 0.3).map((key) => [key, r.some(KEYS, 0.3)]));
		const schemas = Object.fromEntries(r.some(KEYS, 0.2).map((key) => [key, schema(r, c)]));
		if (c.draft === '07') s.dependencies = { ...names, ...schemas };
		else {
			s.dependentRequired = names;
			s.dependentSchemas = schemas;
		}
	},
	logic(r, s, c) {
		const list = () => Array.from({ length: 1 + r.below(3) }, () => schema(r, c));
		const word = r.pick(['allOf', 'anyOf', 'oneOf', 'not']);
		s[word] = word === 'not' ? schema(r, c) : list();
	},
	condition(r, s, c) {
		s.if = schema(r, c);
		if (r.chance(0.8)) s.then = schema(r, c);
		if (r.chance(0.6)) s.else = schema(r, c);
	},
	unevaluated(r, s, c) {
		if (c.draft === '07') return;
		if (r.chance(0.7)) s.unevaluatedProperties = r.chance(0.7) ? false : schema(r, c);
		if (r.chance(0.4)) s.unevaluatedItems = r.chance(0.7) ? false : schema(r, c);
	},
};

const WEIGHTED = ['type', 'type', 'type', 'enum', 'const', 'number', 'number', 'string', 'string', 'array', 'array',
	'object', 'object', 'object', 'contains', 'dependent', 'logic', 'logic', 'condition', 'unevaluated'];

// What ajv 8.17.1 gets wrong is not asked:
// - contains beside a list of schemas for the first items, of an empty array:
//   it says valid;
// - unevaluated* where what counts as evaluated depends on the value (anyOf,
//   oneOf, if, dependentSchemas, contains): it also counts branches that failed;
// - neighbours of $ref in draft-07: it does not ignore them;
// - multipleOf with fractions that are not exact: it does not round.
const DEPENDS_ON_VALUE = ['anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'contains'];

function isFixed(s) {
	return typeof s !== 'object' || (DEPENDS_ON_VALUE.every((word) => !(word in s)) && (s.allOf ?? []).every(isFixed));
}

function avoid(s) {
	if (s.contains !== undefined && (s.prefixItems !== undefined || Array.isArray(s.items))) {
		delete s.prefixItems;
		delete s.items;
	}
	if (!isFixed(s)) {
		delete s.unevaluatedProperties;
		delete s.unevaluatedItems;
	}
}

function schema(r, context) {
	if (r.chance(0.08)) return r.chance(0.7);
	// A $ref of draft-07 is alone: there its neighbours mean nothing.
	if (r.chance(0.08)) return { $ref: context.defs + r.pick(['one', 'two']) };
	const c = { ...context, depth: context.depth - 1 };
	const s = {};
	const words = c.depth > 0 ? WEIGHTED : ['type', 'enum', 'const', 'number', 'string'];
	for (let n = 1 + r.below(3); n > 0; n--)
		adders[r.pick(words)](r, s, c);
	if (c.draft !== '07' && r.chance(0.05)) s.$ref = c.defs + 'one';
	avoid(s);
	return s;
}

function rootSchema(r, draft) {
	const word = draft === '07' ? 'definitions' : '$defs';
	const context = { draft, depth: 3, defs: `#/${word}/` };
	const root = schema(r, context);
	const flat = { ...context, depth: 1, defs: `#/${word}/` };
	const leaf = () => {
		for (;;) {
			const one = schema(r, flat);
			if (typeof one === 'object' && !('$ref' in one)) return one;
		}
	};
	const base = typeof root === 'object' ? root : { allOf: [root] };
	return {
		$schema: draft === '07' ? 'http://json-schema.org/draft-07/schema#'
			: 'https://json-schema.org/draft/2020-12/schema',
		...(draft === '07' && '$ref' in base ? { allOf: [base] } : base),
		[word]: { one: leaf(), two: leaf() },
	};
}

// --- values that a schema might like

function near(r, s, root, depth) {
	if (typeof s !== 'object' || depth <= 0 || r.chance(0.15)) return value(r, depth);
	if (s.$ref !== undefined && r.chance(0.7))
		return near(r, s.$ref.split('/').slice(1).reduce((at, key) => at[key], root), root, depth - 1);
	if (s.const !== undefined) return s.const;
	if (s.enum !== undefined) return r.pick(s.enum);
	for (const word of ['allOf', 'anyOf', 'oneOf']) {
		if (s[word] !== undefined && r.chance(0.4)) return near(r, r.pick(s[word]), root, depth - 1);
	}
	if (s.then !== undefined && r.chance(0.3)) return near(r, s.then, root, depth - 1);
	const like = [].concat(s.type ?? []);
	if (like.length === 0) {
		if (s.properties || s.required || s.patternProperties || s.unevaluatedProperties !== undefined) like.push('object');
		if (s.items !== undefined || s.prefixItems || s.contains !== undefined) like.push('array');
		if (s.pattern || s.minLength !== undefined) like.push('string');
		if (s.minimum !== undefined || s.multipleOf !== undefined) like.push('number');
	}
	switch (like.length > 0 ? r.pick(like) : 'any') {
	case 'object': {
		const known = Object.keys(s.properties ?? {});
		const keys = new Set([...(s.required ?? []), ...r.some(known, 0.6), ...r.some(KEYS, 0.15)]);
		return Object.fromEntries([...keys].map((key) =>
			[key, near(r, s.properties?.[key] ?? s.additionalProperties ?? true, root, depth - 1)]));
	}
	case 'array': {
		const first = s.prefixItems ?? (Array.isArray(s.items) ? s.items : []);
		const rest = Array.isArray(s.items) ? s.additionalItems : s.items;
		const list = first.map((one) => near(r, one, root, depth - 1));
		for (let n = r.below(4); n > 0; n--)
			list.push(near(r, r.chance(0.5) ? s.contains ?? rest ?? true : rest ?? true, root, depth - 1));
		return list;
	}
	case 'string': return r.pick(STRINGS);
	case 'number': return r.pick(NUMBERS);
	case 'integer': return Math.round(r.pick(NUMBERS));
	case 'boolean': return r.chance(0.5);
	case 'null': return null;
	default: return value(r, depth);
	}
}

module.exports = { makeRandom, rootSchema, near, value };
