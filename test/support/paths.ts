import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const FIXTURES = resolve(ROOT, 'fixtures');
/** The program as `npm run build` leaves it. */
export const CLI = resolve(ROOT, 'dist/cli.js');
