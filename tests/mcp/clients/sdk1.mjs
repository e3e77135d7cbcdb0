// The first generation of the TypeScript SDK: handshake, and requests by the server.
import { server, tryAll } from './talk.mjs';

const at = `${process.env.WRIT_CLIENTS}/node_modules/@modelcontextprotocol/sdk/dist/esm/`;
const { Client } = await import(`${at}client/index.js`);
const { StdioClientTransport } = await import(`${at}client/stdio.js`);
const { ElicitRequestSchema } = await import(`${at}types.js`);

await tryAll('2025-11-25', async () => {
  const asked = {};
  const client = new Client({ name: 'sdk1', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.last = params;
    return asked.answer;
  });
  await client.connect(new StdioClientTransport({ command: server, stderr: 'inherit' }));
  return {
    client,
    asked,
    progress: (call, onprogress) => client.callTool(call, undefined, { onprogress }),
    cancellable: (call, signal) => client.callTool(call, undefined, { signal }),
  };
});
process.exit(0);
