import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** Both are bundles: what differs is what they do. */
export const OURS = [join(here, '..', 'cli.js'), 'serve'];
export const BASELINE = [join(here, 'baseline-server.js')];
