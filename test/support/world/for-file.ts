import { afterAll } from 'vitest';
import { scratchDatabase } from '../db/scratch-database.ts';
import { type ChainlessWorld, createChainlessWorld } from './chainless-world.ts';

/** What the tests of one file or block share: it is closed after the last of them. */
export async function forFile<T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(() => opened.close() as Promise<void>);
  return opened;
}

export const chainlessForFile = (env?: Record<string, string>): Promise<ChainlessWorld> =>
  forFile(createChainlessWorld(scratchDatabase()('robot.sqlite'), env));
