import { createRequire } from 'node:module';
import { sqlitePackage } from './sqlite-build.ts';

/** The bundle takes this module for `better-sqlite3`, also inside drizzle: `alias` in package.json. */

const require = createRequire(import.meta.url);
const Sqlite: unknown = require(sqlitePackage(require));
export default Sqlite;
