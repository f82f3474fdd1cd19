import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { ROOT } from '../paths.ts';

/** A file of `src/`, as the rules look at it. `path` is relative to `src/`. */
export interface Source {
  path: string;
  /** Without comments. */
  code: string;
  lines: number;
  imports: Import[];
}

export interface Import {
  /** Relative to `src/`, or the name of a package. */
  to: string;
  /** Written with a dot: a file of ours. */
  isOwn: boolean;
  kind: 'value' | 'type' | 'dynamic';
  isReExport: boolean;
}

const STATIC = /(?:^|[\n;}])\s*(import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\s+from\s+)?(['"])([^'"\n]+)\3/g;
const DYNAMIC = /\bimport\(\s*(['"])([^'"\n]+)\1\s*\)/g;

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\/])\/\/.*$/gm, '$1');

export function parseSource(path: string, text: string): Source {
  const code = withoutComments(text);
  const found = [
    ...[...code.matchAll(STATIC)].map(([, keyword, type, , to]) => ({
      to: to!,
      kind: type === undefined ? ('value' as const) : ('type' as const),
      isReExport: keyword === 'export',
    })),
    ...[...code.matchAll(DYNAMIC)].map(([, , to]) => ({ to: to!, kind: 'dynamic' as const, isReExport: false })),
  ];
  const imports = found.map(({ to, ...rest }) => {
    const isOwn = to.startsWith('.');
    return { ...rest, isOwn, to: isOwn ? posix.normalize(posix.join(dirname(path), to)) : to };
  });
  return { path, code, imports, lines: text.replace(/\n$/, '').split('\n').length };
}

/** Every TypeScript file of the program, or of its tests. Declaration files have no code. */
export const readSources = (folder: 'src' | 'test' = 'src'): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map(path => parseSource(path.replaceAll('\\', '/'), readFileSync(join(ROOT, folder, path), 'utf8')));

/** Files that a program starting at `entry` loads before anything asks for more; types and `import()` do not count. */
export function staticallyReachable(sources: readonly Source[], entry: string): Map<string, string[]> {
  const byPath = new Map(sources.map(source => [source.path, source]));
  const packagesOf = new Map<string, string[]>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (packagesOf.has(path)) continue;
    const imports = byPath.get(path)?.imports.filter(({ kind }) => kind === 'value') ?? [];
    packagesOf.set(
      path,
      imports.filter(({ isOwn }) => !isOwn).map(({ to }) => to),
    );
    queue.push(...imports.filter(({ isOwn }) => isOwn).map(({ to }) => to));
  }
  return packagesOf;
}
