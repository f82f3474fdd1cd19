import { fileURLToPath } from 'node:url';
import type * as Testing from '../testing.ts';
import { loadCompiled, missingSqlite } from './compiled-bundle.ts';

const file = fileURLToPath(new URL('../testing.cjs', import.meta.url));
const missing = missingSqlite(file);
if (missing !== undefined) throw new Error(missing);

export const { createRobot, Refused } = loadCompiled<typeof Testing>(file, 'testing');
