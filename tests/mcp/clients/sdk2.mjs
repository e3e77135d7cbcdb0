// The second generation of the TypeScript SDK, in each of its three ways to agree
// on a version.
import { server, tryAll } from './talk.mjs';

const at = `${process.env.WRIT_CLIENTS}/node_modules/@modelcontextprotocol/client/dist/`;
const { Client } = await import(`${at}index.mjs`);
const { StdioClientTransport } = await import(`${at}stdio.mjs`);

const ways = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } };
for (const [protocol, mode] of Object.entries(ways)) {
  await tryAll(protocol, async () => {
    const asked = {};
    const client = new Client({ name: 'sdk2', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.last = params;
      return asked.answer;
    });
    await client.connect(new StdioClientTransport({ command: server, stderr: 'inherit' }));
    const wanted = protocol === 'legacy' ? '2025-11-25' : '2026-07-28';
    if (client.getNegotiatedProtocolVersion() !== wanted) {
      throw new Error(`agreed on ${client.getNegotiatedProtocolVersion()}`);
    }
    return {
      client,
      asked,
      progress: (call, onprogress) => client.callTool(call, { onprogress }),
      cancellable: (call, signal) => client.callTool(call, { signal }),
    };
  });
}
process.exit(0);
