import { raw } from 'hono/html';
import { marked } from 'marked';

/** A text of the catalogue, with links, `code` and **bold**. Never a text of a user. */
export const Prose = ({ of }: { of: string }) => raw(marked.parseInline(of, { async: false }));
