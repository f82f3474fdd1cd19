import { fileURLToPath } from 'node:url';
import type * as Testing from '../testing.ts';
import { loadCompiled } from './compiled-bundle.ts';

const file = fileURLToPath(new URL('../testing.cjs', import.meta.url));

export const { createRobot, Refused } = loadCompiled<typeof Testing>(file, 'testing');
