// Judges inputs by ajv, as often as module_judge.c asks: the peer of a reader
// and a schema of ours. The first line has the schema and two inputs; when all
// that is warm, it says so. From then on each line names an input and a number
// of times, and is answered with the nanoseconds that they took.
'use strict'
const fs = require('fs')
const Ajv = require('ajv/dist/2020')
const addFormats = require('ajv-formats')

const WARM_UP = 50000
let rest = ''

function readLine() {
	const bytes = Buffer.alloc(65536)
	while (!rest.includes('\n')) {
		const count = fs.readSync(0, bytes)
		if (count === 0) process.exit(0)
		rest += bytes.toString('utf8', 0, count)
	}
	const end = rest.indexOf('\n')
	const line = rest.slice(0, end)
	rest = rest.slice(end + 1)
	return line
}

// A function of its own for each input: what one makes the compiler believe
// must not slow the other down.
const told = JSON.parse(readLine())
const ways = {}
for (const name of ['right', 'wrong']) {
	const ajv = new Ajv({ allErrors: name === 'wrong' })
	addFormats(ajv)
	ways[name] = new Function(
		'validate',
		'text',
		`return function ${name}(count) {
			let valid = 0
			for (let i = 0; i < count; i++)
				if (validate(JSON.parse(text))) valid++
			return valid
		}`,
	)(ajv.compile(told.schema), told[name])
}

function judge(name, count) {
	const valid = ways[name](count)
	if (valid !== (name === 'right' ? count : 0)) throw new Error(`${name}: ${valid} of ${count} are valid`)
}

for (const name in ways) for (let i = 0; i < WARM_UP; i += 1000) judge(name, 1000)
fs.writeSync(1, 'ready\n')
for (;;) {
	const [name, count] = readLine().split(' ')
	const start = process.hrtime.bigint()
	judge(name, Number(count))
	fs.writeSync(1, `${process.hrtime.bigint() - start}\n`)
}
