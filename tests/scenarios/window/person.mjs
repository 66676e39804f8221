// The official TypeScript client, told what to do line by line, so that a test can be the person at the window meanwhile.
//   node person.mjs legacy|auto|modern COMMAND…      (LABHELM_NODE_MODULES says where the client is)
// Lines in: {"id":1,"tool":"guest_list","arguments":{…}}, {"cancel":1}, {"timeout":1,"tool":…} sets how many ms the client waits.
// Lines out: {"ready":true}, {"id":1,"result":…} or {"id":1,"error":"…","code":-32602}, {"id":1,"progress":"…"}.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [era, ...command] = process.argv.slice(2);
const require = createRequire(process.env.LABHELM_NODE_MODULES + '/x.js');
const load = name => import(pathToFileURL(require.resolve(name)).href.replace(/\.cjs$/, '.mjs'));
const { Client } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');

const mode = era === 'modern' ? { pin: '2026-07-28' } : era;
const client = new Client({ name: 'scenario', version: '1' },
  { capabilities: {}, versionNegotiation: { mode, probe: { timeoutMs: 20000 } } });
await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'inherit' }));

const say = message => process.stdout.write(JSON.stringify(message) + '\n');
const running = new Map();
const obey = async ({ id, tool, arguments: args = {}, cancel, timeout = 120000 }) => {
  if (cancel) return running.get(cancel)?.abort('the person asked for something else');
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const result = await client.callTool({ name: tool, arguments: args },
      { timeout, signal: stop.signal, onprogress: p => say({ id, progress: p.message ?? '' }) });
    say({ id, result });
  } catch (error) {
    say({ id, error: String(error.message ?? error), code: error.code ?? 0 });
  } finally {
    running.delete(id);
  }
};
say({ ready: true });
for await (const line of createInterface({ input: process.stdin }))
  if (line.trim()) obey(JSON.parse(line));
await client.close();
