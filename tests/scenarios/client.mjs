// The official TypeScript client does the main job through labhelm-mcp, in one era of the protocol.
//   node client.mjs legacy|auto|modern BIN FOLDER      (LABHELM_NODE_MODULES says where the client is)
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Host, check, finish } from './host.mjs';

const [era, bin, folder] = process.argv.slice(2);
const require = createRequire(process.env.LABHELM_NODE_MODULES + '/x.js');
const load = name => import(pathToFileURL(require.resolve(name)).href.replace(/\.cjs$/, '.mjs'));
const { Client } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');

const host = await Host.start(bin + '/labhelm-test-host', folder);
const agent = await host.run('pair', { name: 'Scenario ' + era, preset: 'ask' });

const mode = era === 'modern' ? { pin: '2026-07-28' } : era;
const client = new Client({ name: 'scenario', version: '1' },
  { capabilities: {}, versionNegotiation: { mode, probe: { timeoutMs: 10000 } } });
const faults = [];
client.onerror = error => faults.push(error.message);
const transport = new StdioClientTransport({ command: bin + '/labhelm-mcp', stderr: 'inherit',
  args: ['--socket', host.places.socket, '--agent', agent.agent, '--key', agent.key] });
await client.connect(transport);
check('the era is the wanted one', client.getProtocolEra() === (era === 'legacy' ? 'legacy' : 'modern'), client.getProtocolEra());

const call = (name, args = {}, options = {}) =>
  client.callTool({ name, arguments: args }, { timeout: 30000, resetTimeoutOnProgress: true, ...options });
const outcome = async promise => { try { return { result: await promise }; } catch (error) { return { error }; } };

// list
const { tools } = await client.listTools();
check('tools are listed', tools.length >= 20 && tools.every(t => /^[a-z0-9_]{1,40}$/.test(t.name)), tools.map(t => t.name));
check('the list stays the same', JSON.stringify((await client.listTools()).tools) === JSON.stringify(tools));
check('the agent is seen by now', (await host.run('sessions')).some(s => s.agent === agent.agent && s.active));

// read
const guests = (await call('guest_list', { limit: 100 })).structuredContent.guests;
check('guests are listed', guests.length > 30, guests.length);
const guest = guests.find(g => g.name === 'jellyfin');
const got = await Promise.all([...Array(32)].map(() => call('guest_get', { guest: String(guest.vmid) })));
check('32 calls at once are answered each', got.every(r => r.structuredContent.vmid === guest.vmid), got[0]);
check('the answer is text too', JSON.parse(got[0].content[0].text).vmid === guest.vmid);

// errors
const unknown = await outcome(call('no_such_tool'));
check('an unknown tool is an error of the protocol', unknown.error?.code === -32602, String(unknown.error));
const wrong = await call('guest_get', { guest: 'no such guest' });
check('an unknown guest is an answer to act on', wrong.isError && wrong.structuredContent.error.code === 'not_found', wrong);
const missing = await call('guest_get', {});
check('a missing argument is named', missing.isError && /guest/.test(missing.structuredContent.error.message), missing);

// a change: plan, progress while a person is asked, the answer, undo
const before = await host.writes();
const plan = await call('guest_config_set', { guest: 'jellyfin', memory: 3072, dry_run: true });
check('a dry run shows the plan', plan.structuredContent.changes?.[0]?.after === 3072, plan);
const seen = [];
const changing = call('guest_config_set', { guest: 'jellyfin', memory: 3072, reason: 'it swaps' },
  { onprogress: p => seen.push(p) });
const question = await host.run('asked');
check('the person hears why', question.reason === 'it swaps' && question.operation === 'guest.config.set', question);
check('nothing was sent yet', await host.writes() === before);
await host.run('answer', { allow: true });
const changed = (await changing).structuredContent;
check('the change says what it did', changed.state === 'done' && changed.changed === true && changed.entry, changed);
check('exactly one request was sent', await host.writes() === before + 1);
check('progress said that a person is asked', seen.some(p => /person/.test(p.message)), seen);
check('progress rises', seen.every((p, i) => !i || p.progress > seen[i - 1].progress), seen);
const undoing = call('undo_apply', { entry: changed.entry });
const undoQuestion = await host.answer(true);
check('the undo names what it takes back', undoQuestion.undoes === changed.entry, undoQuestion);
const undone = (await undoing).structuredContent;
check('the undo is done', undone.state === 'done', undone);

// a task: snapshot, with its UPID
const snapping = call('snapshot_create', { guest: 'jellyfin', name: 'scenario' }, { onprogress: () => {} });
await host.answer(true);
const snapped = (await snapping).structuredContent;
check('a snapshot has its task', snapped.state === 'done' && /^UPID:/.test(snapped.upid), snapped);
const task = (await call('task_get', { task: snapped.upid })).structuredContent;
check('the task can be read', JSON.stringify(task).includes(snapped.upid), task);

// no: denied, unanswered, changed in between, cancelled; no request leaves
await host.run('idle');
const writes = await host.writes();
const denying = call('guest_shutdown', { guest: 'jellyfin' });
await host.answer(false, 'not today');
const denied = await denying;
check('a denial is told', denied.isError && denied.structuredContent.state === 'denied'
  && /not today/.test(denied.structuredContent.error.message), denied);
const again = await call('guest_shutdown', { guest: 'jellyfin' });
check('the same is denied without asking again', again.structuredContent.state === 'denied', again);
const left = call('guest_stop', { guest: 'jellyfin' });
await host.run('asked');
await host.run('drop');
check('nobody answering is a no', (await left).structuredContent.state === 'denied', await left);
const drifting = call('guest_config_set', { guest: 'jellyfin', memory: 1024 });
await host.run('asked');
await host.simulator('set_config', { vmid: guest.vmid, key: 'memory', value: '2048' });
await host.run('answer', { allow: true });
const drifted = await drifting;
check('what changed in between voids the approval', drifted.isError
  && drifted.structuredContent.error.code === 'conflict', drifted);
const stop = new AbortController();
const cancelling = outcome(call('guest_config_set', { guest: 'jellyfin', memory: 512 }, { signal: stop.signal }));
await host.run('asked');
stop.abort('changed my mind');
check('a cancelled call ends at once', !!(await cancelling).error);
await host.run('idle');
check('and its question is gone', (await host.run('questions')).open === false);
check('no request reached the cluster', await host.writes() === writes, await host.simulator('writes'));
check('nothing came for what was cancelled', faults.length === 0, faults);

// text that splits lines elsewhere
const notes = 'a\u2028b\u2029c \u{1F600}\n<b>';
const noting = call('guest_notes_set', { guest: 'jellyfin', notes });
await host.answer(true);
check('notes are set', (await noting).structuredContent.state === 'done', await noting);
const next = await call('guest_notes_set', { guest: 'jellyfin', notes: 'x', dry_run: true });
check('and come back unharmed', next.structuredContent.changes?.[0]?.before === notes, next);

// the timeline
const rows = (await host.run('rows')).filter(r => r.actor === agent.agent);
const states = new Set(rows.map(r => r.state));
check('everything has its row', ['done', 'denied', 'refused', 'cancelled'].every(s => states.has(s)), [...states]);
check('the reason is kept', rows.some(r => r.reason === 'it swaps' && r.undone_by), rows.filter(r => r.reason));
const own = (await call('audit_search', { text: 'memory' })).structuredContent.entries;
check('the agent finds its own rows', own.some(e => e.entry === changed.entry), own);

const pid = transport.pid;
await client.close();
const isAlive = () => { try { process.kill(pid, 0); return true; } catch { return false; } };
for (const until = Date.now() + 2000; isAlive() && Date.now() < until;) await new Promise(done => setTimeout(done, 10));
check('the bridge ends with its client', !isAlive());
check('the test host ends well', await host.stop() === 0);
finish();
