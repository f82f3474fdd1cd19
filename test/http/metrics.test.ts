import { expect, test } from 'vitest';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

async function scrape(): Promise<Map<string, number>> {
  const answer = await fetch(`${world.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map(line => {
      const [, name = '', value] = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
      expect(name, line).not.toBe('');
      return [name, Number(value)];
    }),
  );
}

test('/metrics: heads, readers, timers, callbacks, transfers and requests, at every scrape as they are then', async () => {
  const before = await scrape();
  const verification = await verified(world);
  await paid(world, verification);
  const after = await scrape();
  expect(after.get('robot_vasp_ready')).toBe(1);
  for (const chain of ['ETH', 'XRP']) {
    expect(after.get(`robot_vasp_chain_reader_up{chain="${chain}"}`)).toBe(1);
    expect(after.get(`robot_vasp_chain_head_height{chain="${chain}"}`)).toBeGreaterThan(0);
    expect(after.get(`robot_vasp_chain_head_age_seconds{chain="${chain}"}`)).toBeGreaterThanOrEqual(0);
  }
  const height = 'robot_vasp_chain_head_height{chain="ETH"}';
  expect(after.get(height)).toBeGreaterThan(before.get(height)!);
  expect(after.get('robot_vasp_timers_pending{kind="robot.deposit.inquire"}')).toBe(1);
  expect(after.get('robot_vasp_callbacks_undelivered{status="PENDING"}')).toBeUndefined();
  const requests = 'robot_vasp_http_requests_total{operation="verify-user",status="200"}';
  expect([before.get(requests), after.get(requests)]).toEqual([undefined, 1]);
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
});

test('a callback that is held back is among the undelivered ones', async () => {
  await world.api.addFault({ target: 'callback', mode: 'delay', delay: '1h', times: 1 });
  await world.api.call('POST', '/v1/verifications', verificationOf(world));
  await world.api.advance('0s');
  expect((await scrape()).get('robot_vasp_callbacks_undelivered{status="PENDING"}')).toBe(1);
});

test('a request that is refused is counted by its status', async () => {
  const refused = await world.api.call('POST', '/v1/verifications', {});
  const counted = `robot_vasp_http_requests_total{operation="verify-user",status="${refused.status}"}`;
  expect((await scrape()).get(counted)).toBe(1);
});
