import { decode } from 'ripple-binary-codec';
import { BinaryParser } from 'ripple-binary-codec/dist/serdes/binary-parser.js';

/** Objects and arrays inside one another: a server takes no more. The time of the codec grows with the cube of it. */
const MOST_NESTED = 10;
const NESTING = new Set(['STObject', 'STArray']);
const ENDS = new Set(['ObjectEndMarker', 'ArrayEndMarker']);

/** `blob`: hex of an object of the ledger. Throws for other bytes, and for what is nested too deep. */
export function decodeBlob(blob: string): Record<string, unknown> {
  requireShallow(new BinaryParser(blob), MOST_NESTED);
  return decode(blob);
}

function requireShallow(parser: BinaryParser, levels: number): void {
  while (!parser.end()) {
    const field = parser.readField();
    // Against its type the codec returns nothing for a field that it does not know.
    if (!field) throw new Error('Unknown field');
    if (ENDS.has(field.name)) return;
    if (!NESTING.has(field.type.name)) parser.readFieldValue(field);
    else if (levels === 0) throw new Error('Maximum nesting depth of STVar exceeded');
    else requireShallow(parser, levels - 1);
  }
}
