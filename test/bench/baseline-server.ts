import { serve } from '@hono/node-server';
import Sqlite from 'better-sqlite3';
import { Hono } from 'hono';
import { Agent, request } from 'undici';
import { z } from 'zod';

/** The least work of every server of this kind: parse, insert one row, tell one peer. Nothing of ours. */
const Body = z.object({
  callbackUrl: z.string().optional(),
  assetInfo: z.object({ symbol: z.string(), amount: z.string() }),
  payload: z.looseObject({}),
});
const { PORT = '0', DATABASE = ':memory:', PEER } = process.env;

const db = new Sqlite(DATABASE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, body TEXT)');
const insert = db.prepare('INSERT INTO rows (body) VALUES (?)');
const dispatcher = new Agent({ connections: 64 });

const tell = async (to: string, data: unknown) => {
  const answer = await request(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callbackType: 'VERIFICATION_RESULT', data }),
    dispatcher,
  });
  await answer.body.dump();
};

const app = new Hono()
  .get('/healthcheck', c => c.json({ status: 'UP' }))
  .post('/v1/verifications', async c => {
    const body = Body.parse(await c.req.json());
    const { lastInsertRowid } = insert.run(JSON.stringify(body));
    await tell(body.callbackUrl ?? PEER!, body.payload);
    return c.json({ id: Number(lastInsertRowid) });
  });

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
