import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The static files of all pages. Nothing is loaded from the internet. */

const ours = (name: string) => new URL(`./assets/${name}`, import.meta.url);
const packaged = (name: string) => createRequire(import.meta.url).resolve(name);

const FILES: Record<string, { type: string; file: () => string | URL }> = {
  'console.css': { type: 'text/css', file: () => ours('console.css') },
  'navigation.css': { type: 'text/css', file: () => ours('navigation.css') },
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

const cache = new Map<string, Buffer>();

/** Undefined: unknown name. */
export async function asset(name: string): Promise<{ type: string; bytes: Buffer } | undefined> {
  const entry = Object.hasOwn(FILES, name) ? FILES[name]! : undefined;
  if (!entry) return undefined;
  const bytes = cache.get(name) ?? (await readFile(entry.file()));
  cache.set(name, bytes);
  return { type: `${entry.type}; charset=utf-8`, bytes };
}
