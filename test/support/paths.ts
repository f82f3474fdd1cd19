import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const FIXTURES = resolve(ROOT, 'fixtures');
