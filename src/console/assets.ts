import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The files that pages load. Everything comes from here: a container has no network. */

const ours = (name: string) => new URL(`./assets/${name}`, import.meta.url);
const packaged = (name: string) => createRequire(import.meta.url).resolve(name);

const FILES: Record<string, { type: string; file: () => string | URL }> = {
  'console.css': { type: 'text/css', file: () => ours('console.css') },
  'sequence.css': { type: 'text/css', file: () => ours('sequence.css') },
  'console.js': { type: 'text/javascript', file: () => ours('console.js') },
  'icon.svg': { type: 'image/svg+xml', file: () => ours('icon.svg') },
  'pico.min.css': { type: 'text/css', file: () => packaged('@picocss/pico/css/pico.min.css') },
  'htmx.min.js': { type: 'text/javascript', file: () => packaged('htmx.org/dist/htmx.min.js') },
  'hx-sse.min.js': { type: 'text/javascript', file: () => packaged('htmx.org/dist/ext/hx-sse.min.js') },
  'docs.css': { type: 'text/css', file: () => ours('docs.css') },
  'docs.js': { type: 'text/javascript', file: () => ours('docs.js') },
  'swagger-ui.css': { type: 'text/css', file: () => packaged('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript',
    file: () => packaged('swagger-ui-dist/swagger-ui-bundle.js'),
  },
};

const read = new Map<string, Buffer>();

/** Undefined: there is no such file. */
export async function asset(name: string): Promise<{ type: string; bytes: Buffer } | undefined> {
  const known = Object.hasOwn(FILES, name) ? FILES[name]! : undefined;
  if (!known) return undefined;
  const bytes = read.get(name) ?? (await readFile(known.file()));
  read.set(name, bytes);
  return { type: `${known.type}; charset=utf-8`, bytes };
}
