import { describe, expect, it } from 'vitest';
import { HISTORY_MACHINES } from '../../src/db/history-lines.ts';
import { pack, packedPhrase, unpack } from '../../src/db/packed-text.ts';
import { PHRASES } from '../../src/db/phrases.ts';

const ALL_CONTROLS = String.fromCharCode(...Array.from({ length: 0x20 }, (_, char) => char));

describe('packed text', () => {
  it.each([
    '',
    'plain',
    'ünïcode 한국어 😀',
    ALL_CONTROLS,
    `\u0001${ALL_CONTROLS}{"verificationUuid":"`,
    `\u0001${'x'.repeat(9_000)}`,
    `${'{"verificationUuid":"'.repeat(1_000)}`,
    PHRASES.join(''),
    [...PHRASES].reverse().join('\u001d'),
  ])('is read as it was written: %j', text => {
    expect(unpack(pack(text))).toBe(text);
  });

  it('is a third as long', () => {
    const text = JSON.stringify([
      ['verification', null, null, null, 'begin', 'OPEN', 1, 'user verification requested', null],
      ['callback', '1', '2', 'PENDING', 'delivered', 'DELIVERED', 1, 'answered with 200', null],
    ]);
    expect(pack(text).length).toBeLessThan(text.length / 2);
    expect(unpack(pack(text))).toBe(text);
  });

  it('of an earlier version is read', () => {
    const stored = '\u0001[\u0003\u0013"begin\u001aOPEN",1]\u001dt\u001e2';
    expect(unpack(stored)).toBe(
      '[["verification",null,null,null,"begin","OPEN",1]{"callbackType":"VERIFICATION_RESULT","data":{"verificationUuid":"{"content-type":"application/json","accept":"application/json"}',
    );
  });

  it('shows the machine of each line to a query', () => {
    const line = (machine: string) => [machine, null, null, null, 'begin', 'OPEN', 1, 'a "],["cause', null];
    for (const machine of HISTORY_MACHINES) {
      const start = packedPhrase(`["${machine}",`);
      expect(start).toHaveLength(1);
      for (const other of HISTORY_MACHINES)
        expect(pack(JSON.stringify([line(other), line(machine)]))).toContain(start);
    }
  });

  it('has a code for each phrase', () => {
    expect(new Set(PHRASES).size).toBe(PHRASES.length);
    expect(new Set(PHRASES.map(packedPhrase)).size).toBe(PHRASES.length);
    expect(PHRASES.map(packedPhrase).join('')).not.toContain('undefined');
  });
});
