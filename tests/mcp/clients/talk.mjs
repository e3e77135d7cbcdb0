// What is tried with both generations of the SDK. `open` makes a client that is
// connected: {client, transport, progress(call), protocol, asked}; the names of
// methods are the same in both.
import fs from 'node:fs';

const [, , server, name] = process.argv;
export { server };

const long = ['sh', '-c', 'for i in 1 2 3 4; do echo $i; sleep 0.6; done'];

function expect(claim, what) {
  if (!claim) throw new Error(typeof what === 'string' ? what : JSON.stringify(what));
}

function report(protocol, what, why) {
  console.log(JSON.stringify({ client: name, protocol, what, why: why ? String(why.stack ?? why).slice(0, 2000) : '' }));
}

const isAlive = (word) => fs.readdirSync('/proc').some((pid) => {
  try {
    return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
  } catch {
    return false;
  }
});

async function until(isSo, what) {
  for (let i = 0; i < 500; i++) {
    if (isSo()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`never true: ${what}`);
}

const exec = (argv, more) => ({ name: 'exec', arguments: { argv, ...more } });

// Each gets what open() made.
const attempts = {
  '`tools/list`': async ({ client }) => {
    const { tools } = await client.listTools();
    expect(tools.length >= 9 && tools.every((tool) => tool.inputSchema.type === 'object'), tools);
  },
  '`tools/call`, its answer checked by the output schema': async ({ client }) => {
    const result = await client.callTool(exec(['echo', 'hi']));
    expect(result.structuredContent.stdout === 'hi\n' && !result.isError, result);
  },
  'a command that fails, and one that cannot start, are results': async ({ client }) => {
    const failed = await client.callTool(exec(['sh', '-c', 'echo bad >&2; exit 3']));
    expect(failed.isError && failed.structuredContent.exit_code === 3, failed);
    const absent = await client.callTool(exec(['no-such-program-here']));
    expect(absent.isError && absent.structuredContent.error.code === 'not_found', absent);
  },
  'an unknown tool is an error of the protocol': async ({ client }) => {
    const error = await client.callTool({ name: 'nope', arguments: {} }).catch((e) => e);
    expect(error.code === -32602, String(error));
  },
  'progress while it runs': async ({ client, progress }) => {
    const seen = [];
    const result = await progress(exec(long), (p) => seen.push(p.progress));
    expect(result.structuredContent.exit_code === 0, result);
    expect(seen.length >= 2 && seen.every((n, i) => i === 0 || n > seen[i - 1]), seen);
  },
  'ten calls at once': async ({ client }) => {
    const results = await Promise.all([...Array(10).keys()].map((n) => client.callTool(exec(['echo', `${n}`]))));
    expect(results.every((result, n) => result.structuredContent.stdout === `${n}\n`), results);
  },
  'a cancelled call leaves nothing running': async ({ client, cancellable }) => {
    const word = `${86400 + Math.floor(Math.random() * 1e8)}`;
    const stop = new AbortController();
    const call = cancellable(exec(['sleep', word]), stop.signal).catch((error) => error);
    await until(() => isAlive(word), 'it runs');
    stop.abort('enough');
    expect((await call) instanceof Error, 'it was not cancelled');
    await until(() => !isAlive(word), 'it is gone');
  },
  'goes on in the background, and is read and ended': async ({ client }) => {
    const started = await client.callTool(exec(['sh', '-c', 'echo up; exec sleep 1000'], { yield_ms: 0 }));
    const { run_id } = started.structuredContent;
    expect(started.structuredContent.outcome === 'running' && run_id, started);
    const read = await client.callTool({ name: 'run_read', arguments: { run_id, wait_ms: 5000 } });
    expect(read.structuredContent.data === 'up\n', read);
    const ended = await client.callTool({ name: 'run_kill', arguments: { run_id } });
    expect(ended.structuredContent.outcome !== 'running', ended);
  },
  'a form asks a person, and yes is yes': async ({ client, asked }) => {
    asked.answer = { action: 'accept', content: { decision: 'once' } };
    const result = await client.callTool(exec(['touch', 'approved']));
    expect(asked.last?.message.includes('touch'), asked);
    expect(!result.isError && fs.existsSync('approved'), result);
    fs.unlinkSync('approved');
  },
  'no is no': async ({ client, asked }) => {
    asked.answer = { action: 'decline' };
    const result = await client.callTool(exec(['touch', 'declined']));
    expect(result.isError && !fs.existsSync('declined'), result);
  },
  'resources: list, templates, read': async ({ client }) => {
    expect((await client.listResources()).resources.some((one) => one.uri === 'writ://runs'), 'no writ://runs');
    expect((await client.listResourceTemplates()).resourceTemplates.length > 0, 'no templates');
    const { contents } = await client.readResource({ uri: 'writ://policy/effective' });
    expect(contents[0].text.includes('touch'), contents);
  },
  '50 MiB of output, of which the ends are answered': async ({ client }) => {
    const result = await client.callTool(exec(['sh', '-c', 'yes | head -c 52428800']));
    const { stdout_bytes, stdout } = result.structuredContent;
    expect(stdout_bytes === 52428800 && JSON.stringify(stdout).length < 65536, result.structuredContent);
  },
};

export async function tryAll(protocol, open) {
  const talk = await open().catch((error) => ({ error }));
  if (talk.error) {
    report(protocol, 'connects', talk.error);
    return;
  }
  for (const [what, attempt] of Object.entries(attempts)) {
    await attempt(talk).then(() => report(protocol, what), (error) => report(protocol, what, error));
  }
  const began = Date.now();
  await talk.client.close();
  report(protocol, 'the server leaves at once', Date.now() - began > 1000 && 'it took more than a second');
}
