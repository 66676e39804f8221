// The test host as scenarios drive it: one JSON command a line, one JSON answer a line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Host {
  static async start(program, folder, ...more) {
    const host = new Host();
    host.process = spawn(program, ['--folder', folder, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
    host.lines = createInterface({ input: host.process.stdout })[Symbol.asyncIterator]();
    host.places = await host.next();
    return host;
  }
  async next() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the test host has ended');
    return JSON.parse(value);
  }
  /** Sends one command and waits for its answer. Commands go one after the other. */
  run(what, more = {}) {
    const answer = (this.last ?? Promise.resolve()).then(() => {
      this.process.stdin.write(JSON.stringify({ do: what, ...more }) + '\n');
      return this.next();
    });
    this.last = answer.catch(() => {});
    return answer;
  }
  simulator(what, more = {}) { return this.run('simulator', { command: { do: what, ...more } }); }
  /** Waits for the person to be asked, then answers. The question comes back. */
  async answer(allow, reason = '') {
    const question = await this.run('asked');
    await this.run('answer', { allow, reason });
    return question;
  }
  writes() { return this.simulator('writes').then(all => all.length); }
  stop() { return new Promise(done => { this.process.once('exit', done); this.process.stdin.end(); }); }
}

let failed = 0;
/** One sentence about the world; a false one fails the scenario. */
export function check(sentence, holds, seen = '') {
  if (!holds) failed++;
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${sentence} ${holds ? '' : JSON.stringify(seen)}`);
}
export function finish() {
  console.log(failed ? `${failed} FAILED` : 'all hold');
  process.exit(failed ? 1 : 0);
}
