import { SECTIONS } from '../../contract/calls.ts';

/** The section of all routes that are not endpoints. */
const PROGRAM = { name: 'program', description: 'Health, metrics, web pages and the nodes of the embedded chains.' };

const sections = Object.entries(SECTIONS).map(([name, { description, calls }]) => ({
  name,
  description,
  nouns: new Set(Object.values(calls).map(call => nounOf(call.split(' ')[1]!))),
}));

/** What `/v1` and `/sandbox/v1` are about, for example `/sandbox/v1/faults`. */
function nounOf(path: string): string {
  return /^(?:\/vega\/robot|\/(?:sandbox\/)?v1\/[^/]+)/.exec(path)?.[0] ?? path;
}

export const tagOf = (path: string): string => (sections.find(({ nouns }) => nouns.has(nounOf(path))) ?? PROGRAM).name;

export const tags = [...sections, PROGRAM].map(({ name, description }) => ({ name, description }));
