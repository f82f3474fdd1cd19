import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Yarn writes it where it makes a `node_modules`. */
const YARN_STATE = join('node_modules', '.yarn-state.yml');

/** The tools that compile the SQLite module where no prebuilt one can be fetched. */
export const COMPILERS =
  'Python 3, make and a C++ compiler (Debian and Ubuntu: "apt-get install python3 make g++"; Fedora: "dnf install python3 make gcc-c++"; macOS: "xcode-select --install")';

/** The folder whose `node_modules` holds `file`. */
export const projectOf = (file: string): string => file.split(`${sep}node_modules${sep}`)[0] ?? '';

/** The command that builds the module again, for the package manager that has made this folder. npm 12 builds only what is allowed. */
export function rebuildCommand(folder: string): string {
  const project = projectOf(folder);
  if (folder.includes(`${sep}.pnpm${sep}`))
    return '"pnpm approve-builds" and choose better-sqlite3, then "pnpm rebuild better-sqlite3"';
  if (/[/\\](\.yarn|__virtual__)[/\\]/.test(folder) || existsSync(join(project, YARN_STATE)))
    return '"npm pkg set dependenciesMeta.better-sqlite3.built=true --json", then "yarn rebuild better-sqlite3"';
  return `npm pkg set allowScripts.better-sqlite3=true --json --prefix '${project}' && npm rebuild --ignore-scripts=false --prefix '${project}' better-sqlite3`;
}
