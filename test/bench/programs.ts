import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** Both are bundles, so that only their work differs. */
export const OURS = [process.env.BENCH_PROGRAM ?? join(here, '..', 'cli.js'), 'serve'];
export const BASELINE = [join(here, 'baseline-server.js')];
/** The VASP that goes on after its limit. */
export const GREEDY = [join(here, 'greedy-vasp.js')];
