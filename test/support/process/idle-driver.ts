import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { listening } from '../http/listening.ts';

/** The address of a driver that takes every order and does nothing. */
export async function idleDriver(): Promise<string> {
  const { url, close } = await listening(createServer((_, response) => void response.writeHead(202).end()));
  onTestFinished(close);
  return `${url}/driver`;
}
