import { writeFileSync } from 'node:fs';
import { openDb } from './open.ts';

/** Part of the build: writes the empty database to the file that the first argument names. */
const db = openDb(':memory:');
writeFileSync(process.argv[2]!, db.sqlite.serialize());
db.close();
