import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { shellWord } from './text.ts';

/** Yarn writes it where it makes a `node_modules`. */
const YARN_STATE = join('node_modules', '.yarn-state.yml');

/** The tools that compile the SQLite module where no prebuilt one can be fetched. */
export const COMPILERS =
  'Python 3, make and a C++ compiler (Debian and Ubuntu: "apt-get install python3 make g++"; Fedora: "dnf install python3 make gcc-c++"; macOS: "xcode-select --install")';

/** better-sqlite3 13. Its native modules are in the package, and crash on Node.js 20. */
const READY_MADE = 'better-sqlite3-ready-made';
const OLDEST_NODE_OF_READY_MADE = 22;

/** better-sqlite3 12. Its native module is fetched or compiled for one version of Node.js. */
export const COMPILED = 'better-sqlite3';

/** The package of SQLite that `require` loads here. */
export function sqlitePackage(require: NodeJS.Require): string {
  const isNewer = Number.parseInt(process.versions.node, 10) >= OLDEST_NODE_OF_READY_MADE;
  return isNewer && opensDatabase(require, READY_MADE) ? READY_MADE : COMPILED;
}

export function opensDatabase(require: NodeJS.Require, name: string): boolean {
  try {
    new (require(name))(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** The folder whose `node_modules` holds `file`. */
export const projectOf = (file: string): string => file.split(`${sep}node_modules${sep}`)[0] ?? '';

/** Of a global installation: its `node_modules` is in `lib`, on Windows beside the programs. */
const globalPrefix = (project: string): string => (basename(project) === 'lib' ? dirname(project) : project);

/** The command that builds the module again, for the package manager that has made this folder. npm 12 builds only what is allowed. */
export function rebuildCommand(folder: string): string {
  const project = projectOf(folder);
  if (folder.includes(`${sep}.pnpm${sep}`))
    return '"pnpm approve-builds" and choose better-sqlite3, then "pnpm rebuild better-sqlite3"';
  if (/[/\\](\.yarn|__virtual__)[/\\]/.test(folder) || existsSync(join(project, YARN_STATE)))
    return '"npm pkg set dependenciesMeta.better-sqlite3.built=true --json", then "yarn rebuild better-sqlite3"';
  if (!existsSync(join(project, 'package.json')))
    return `npm rebuild --global --ignore-scripts=false --prefix ${shellWord(globalPrefix(project))} better-sqlite3`;
  return `npm pkg set allowScripts.better-sqlite3=true --json --prefix ${shellWord(project)} && npm rebuild --ignore-scripts=false --prefix ${shellWord(project)} better-sqlite3`;
}
