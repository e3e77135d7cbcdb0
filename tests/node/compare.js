// SPDX-License-Identifier: Apache-2.0
//
// Asks writ and ajv about the same random schemas and values, and tells where
// they differ.
//   compare.js WRIT MODULES DRAFT SCHEMAS SEED
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { makeRandom, rootSchema, near, value } = require('./random.js');

const [writ, modules, draft, schemaCount, seed] = process.argv.slice(2);
const load = (name) => {
	const found = require(path.join(modules, 'node_modules', name));
	return found.default ?? found;
};
const Ajv = draft === '07' ? load('ajv') : load('ajv/dist/2020.js');
const VALUES = 12;
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'writ-ajv-'));
const totals = { schemas: 0, values: 0, valid: 0, different: 0 };

// What writ says: an array of true, false or null, or the text of its refusal.
function askWrit(schema, values) {
	const schemaFile = path.join(dir, 'schema.json');
	const valueFile = path.join(dir, 'values.jsonl');
	fs.writeFileSync(schemaFile, JSON.stringify(schema));
	fs.writeFileSync(valueFile, values.map((one) => JSON.stringify(one) + '\n').join(''));
	const done = spawnSync(writ, ['schema', 'validate', '--json', '--lines', '--schema', schemaFile, valueFile],
		{ encoding: 'utf8', maxBuffer: 1 << 26 });
	if (done.stdout === '') return `nothing (${done.signal ?? done.status}) ${done.stderr ?? done.error}`;
	const answer = JSON.parse(done.stdout);
	return answer.results?.map((one) => one.valid) ?? JSON.stringify(answer.error);
}

function tell(schema, one, ours, theirs) {
	totals.different++;
	if (totals.different <= 20) console.log(`writ ${ours}, ajv ${theirs}: ${JSON.stringify(schema)} of ${JSON.stringify(one)}`);
}

function compare(random) {
	const schema = rootSchema(random, draft);
	const values = Array.from({ length: VALUES }, () =>
		random.chance(0.8) ? near(random, schema, schema, 4) : value(random, 3));
	const check = new Ajv({ strict: false, validateSchema: false, logger: false }).compile(schema);
	const ours = askWrit(schema, values);
	totals.schemas++;
	if (typeof ours === 'string') {
		tell(schema, null, ours, 'can judge');
		return;
	}
	values.forEach((one, i) => {
		const theirs = check(one);
		totals.values++;
		totals.valid += theirs ? 1 : 0;
		if (ours[i] !== theirs) tell(schema, one, ours[i], theirs);
	});
}

try {
	for (let i = 0; i < Number(schemaCount); i++)
		compare(makeRandom(Number(seed) * 100003 + i));
} finally {
	fs.rmSync(dir, { recursive: true });
}
console.log(`${totals.schemas} schemas, ${totals.values} values, ${totals.valid} of them valid, ` +
	`${totals.different} differences`);
process.exitCode = totals.different > 0 ? 1 : 0;
