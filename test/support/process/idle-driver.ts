import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The address of a driver that takes every order and does nothing. */
export async function idleDriver(): Promise<string> {
  const idle = createServer((_, response) => void response.writeHead(202).end());
  onTestFinished(() => void idle.close());
  await once(idle.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(idle.address() as AddressInfo).port}/driver`;
}
