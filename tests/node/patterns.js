// SPDX-License-Identifier: Apache-2.0
//
// Asks writ and this node about the same random regular expressions: whether
// they are any, and in which texts they are found.
//   patterns.js WRIT COUNT SEED
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { makeRandom } = require('./random.js');

const [writ, count, seed] = process.argv.slice(2);
const BATCH = 90; // writ tells a hundred problems of a value
const random = makeRandom(Number(seed));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'writ-patterns-'));
const totals = { patterns: 0, good: 0, searches: 0, found: 0, unknown: 0, different: 0 };

// --- patterns

const CHARS = ['a', 'b', 'c', 'A', '1', '_', ' ', '-', ',', 'é', '😀', '\n', '\u2028', '\ufeff', ':', '#'];
const ESCAPES = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\n', '\\t', '\\x61', '\\u0062', '\\u{1f600}', '\\ud83d\\ude00',
	'\\ud83d', '\\/', '\\.', '\\*', '\\cJ', '\\0', '\\p{L}', '\\P{Lu}', '\\p{Script=Latin}', '\\p{ASCII}', '\\p{Nd}',
	'\\p{White_Space}', '\\p{Emoji}', '\\p{gc=Po}'];
const IN_CLASS = ['a-c', 'b', '1-9', '\\d', '\\w', '\\s', '\\S', '\\b', '\\-', '\\]', '^', '-', '[', ':', '\\u{61}-\\u{7a}', 'é',
	'😀', '\\ud800-\\udfff', '\\P{L}', '\\p{Lu}', '.', '$', '(', ' -~'];
const JUNK = ['(', ')', '[', ']', '{', '}', '*', '+', '?', '|', '^', '$', '\\', '.', '{2}', '{,2}', '{3,1}', '*?', '++', '(?', '(?i)',
	'(*F)', '(?<', '(?<n>', '\\k<n>', '\\1', '\\2', '\\b', '\\B', '\\A', '\\Z', '\\h', '\\-', '\\_', '\\x6', '\\u12', '\\p{x}',
	'\\c1', '[b-a]', '[\\d-a]', '[[:alpha:]]', '(?>a)', '(?P<a>)', '(?#)', '(?=a)*', '-', 'a', 'b', '1'];

function classOf() {
	let inside = random.chance(0.3) ? '^' : '';
	for (let n = random.below(4); n > 0; n--) inside += random.pick(IN_CLASS);
	return `[${inside}]`;
}

function atom(depth) {
	const kind = random.below(depth > 0 ? 12 : 6);
	if (kind < 3) return random.pick(CHARS.filter((c) => c !== '-' || depth >= 0));
	if (kind < 4) return random.pick(ESCAPES);
	if (kind < 5) return classOf();
	if (kind < 6) return '.';
	const inside = pattern(depth - 1);
	return random.pick([`(?:${inside})`, `(${inside})`, `(?:${inside})`, `(?=${inside})`, `(?!${inside})`,
		`(?<=${random.pick(['a', 'b', '[^a]', '\\w\\w', 'a|b'])})`, `(?<!${random.pick(['a', '\\s', 'ab'])})`, '\\b', '\\B', '^', '$']);
}

function term(depth) {
	const one = atom(depth);
	if (/^(\(\?[=!<]|\\[bB]$|\^$|\$$)/.test(one) || random.chance(0.6)) return one;
	return one + random.pick(['*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '??', '{0}', '{2,70}']);
}

function pattern(depth) {
	const side = () => Array.from({ length: random.below(4) }, () => term(depth)).join('');
	return Array.from({ length: random.chance(0.8) ? 1 : 2 }, side).join('|');
}

function anyPattern() {
	if (random.chance(0.3))
		return Array.from({ length: 1 + random.below(4) }, () => random.pick(JUNK)).join('');
	const one = pattern(2);
	const anchored = (random.chance(0.3) ? '^' : '') + one + (random.chance(0.3) ? '$' : '');
	return random.chance(0.1) ? `(${anchored})\\1` : anchored;
}

function anyText() {
	return Array.from({ length: random.below(7) }, () => random.pick(CHARS)).join('');
}

// --- questions

function ask(schema, values, ...options) {
	const schemaFile = path.join(dir, 'schema.json');
	const valueFile = path.join(dir, 'values.jsonl');
	fs.writeFileSync(schemaFile, JSON.stringify(schema));
	fs.writeFileSync(valueFile, values.map((one) => JSON.stringify(one) + '\n').join(''));
	const done = spawnSync(writ, ['schema', 'validate', '--json', '--lines', ...options, '--schema', schemaFile, valueFile],
		{ encoding: 'utf8', maxBuffer: 1 << 28 });
	const answer = JSON.parse(done.stdout);
	return answer.results ?? answer.error.message;
}

function tell(text) {
	totals.different++;
	if (totals.different <= 20) console.log(text);
}

function compile(one) {
	try {
		return new RegExp(one, 'u');
	} catch {
		return null;
	}
}

// Only those that both take are searched for.
function compareSyntax(patterns) {
	const ours = ask({ format: 'regex' }, patterns, '--formats');
	return patterns.filter((one, i) => {
		const theirs = compile(one) !== null;
		totals.patterns++;
		totals.good += theirs ? 1 : 0;
		if (ours[i].valid !== theirs) tell(`writ ${ours[i].valid}, node ${theirs}: ${JSON.stringify(one)}`);
		return ours[i].valid && theirs;
	});
}

// One pattern alone: in a batch, one that takes too long hides the others.
function askOne(one, text) {
	const answer = ask({ pattern: one }, [text]);
	return typeof answer === 'string' ? answer : answer[0].valid;
}

// node looks for \B between the halves of a pair too, and finds it there.
function isKnown(one, text) {
	return one.includes('\\B') && text.includes('\u{1f600}');
}

function compareOne(one, text, found) {
	const theirs = new RegExp(one, 'u').test(text);
	totals.searches++;
	totals.found += theirs ? 1 : 0;
	if (found === theirs || isKnown(one, text)) return;
	const ours = askOne(one, text);
	if (ours === null) totals.unknown++;
	else if (ours !== theirs) tell(`writ ${ours}, node ${theirs}: ${JSON.stringify(one)} in ${JSON.stringify(text)}`);
}

function compareSearches(patterns) {
	const schema = { properties: Object.fromEntries(patterns.map((one, i) => [`p${i}`, { pattern: one }])) };
	const texts = Array.from({ length: 12 }, anyText);
	const values = texts.map((text) => Object.fromEntries(patterns.map((_, i) => [`p${i}`, text])));
	const answer = ask(schema, values);
	texts.forEach((text, row) => {
		const problems = answer[row].problems ?? [];
		const missed = new Set(problems.map((problem) => problem.instance));
		patterns.forEach((one, i) => compareOne(one, text, !missed.has(`/p${i}`)));
	});
}

try {
	const good = compareSyntax(Array.from({ length: Number(count) }, anyPattern));
	for (let i = 0; i < good.length; i += BATCH)
		compareSearches(good.slice(i, i + BATCH));
} finally {
	fs.rmSync(dir, { recursive: true });
}
console.log(`${totals.patterns} patterns, ${totals.good} of them good, ${totals.searches} searches, ${totals.found} found, ` +
	`${totals.unknown} unknown, ${totals.different} differences`);
process.exitCode = totals.different > 0 || totals.found === 0 ? 1 : 0;
