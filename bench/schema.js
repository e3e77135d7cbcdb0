// JSON.parse and ajv on the case that writ-bench-schema has.
//   node schema.js CASE.json NODE_MODULES [ROUNDS]
'use strict';
const fs = require('fs');
const [file, modules, rounds = '200'] = process.argv.slice(2);
const Ajv = require(modules + '/ajv/dist/2020').default;
const { schema, value } = JSON.parse(fs.readFileSync(file, 'utf8'));
const text = JSON.stringify(value);
const check = new Ajv().compile(schema);
const batch = 1000;
const figures = { read: [], judge: [] };

function time(act) {
	const start = process.hrtime.bigint();
	for (let i = 0; i < batch; i++) {
		if (!act())
			throw new Error('the value does not fit');
	}
	return Number(process.hrtime.bigint() - start) / batch;
}

function median(list) {
	return list.sort((a, b) => a - b)[list.length >> 1].toFixed(0);
}

// What the compiler of node has not yet made quick does not count.
for (let i = 0; i < 20; i++)
	time(() => check(JSON.parse(text)));
for (let i = 0; i < Number(rounds); i++) {
	figures.read.push(time(() => check(JSON.parse(text))));
	figures.judge.push(time(() => check(value)));
}
console.log(`${text.length} bytes: read and judge ${median(figures.read)} ns, ` +
	`judge alone ${median(figures.judge)} ns`);
