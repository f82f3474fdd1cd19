import { openSync, writeSync } from 'node:fs';
import { Module } from 'node:module';
import { basename } from 'node:path';

/**
 * `node --import` of this file: SQLite's own trace of the database of a program goes to the file SQL_TRACE, a line of JSON
 * for every statement with its values.
 */
const { SQL_TRACE } = process.env;
const file = openSync(SQL_TRACE, 'a');
const { _load: load } = Module;
let traced;

function tracedFrom(Database) {
  function Traced(path, options) {
    const verbose = text => writeSync(file, `${JSON.stringify(text)}\n`);
    return new Database(path, basename(String(path)) === 'robot.sqlite' ? { verbose, ...options } : options);
  }
  return Object.assign(Traced, { ...Database, prototype: Database.prototype });
}

Module._load = function (...names) {
  const loaded = load.apply(this, names);
  if (typeof loaded !== 'function' || !('SqliteError' in loaded)) return loaded;
  traced ??= tracedFrom(loaded);
  return traced;
};
