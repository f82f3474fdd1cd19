import { Pool } from 'undici';

/** A VASP that ignores its limit: it sends its next request when the last one is answered. SIGTERM ends it. */
const [origin = '', path = '', connections = ''] = process.argv.slice(2);
const { BENCH_KEY: key = '', BENCH_BODY: body = '' } = process.env;
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const pool = new Pool(origin, { connections: Number(connections) });
const answers: Record<number, number> = {};
let isOver = false;
process.once('SIGTERM', () => {
  isOver = true;
});

async function send(): Promise<void> {
  while (!isOver) {
    const { statusCode, body: answer } = await pool.request({ path, method: 'POST', headers, body });
    await answer.dump();
    answers[statusCode] = (answers[statusCode] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, send));
process.stdout.write(JSON.stringify(answers));
await pool.close();
