import { expect, test } from 'vitest';
import { textsOf } from '../../src/console/texts/languages.ts';
import { conditionsOf, MODULES } from '../../src/plans/catalogue.ts';
import { readSources } from '../support/architecture/source.ts';
import { englishLeft } from '../support/docs/english-left.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** A whole sandbox in Korean, with something on each of its pages. */

const world = await forFile(createWorld());
await verified(world);
// Reports that no node knows, of a failed kind of hash and of another's payment, and a denial with its rules.
for (const txHash of [`0x${'ab'.repeat(32)}`, 'cd'.repeat(32)])
  await world.api.reportTransaction((await verified(world)).uuid, txHash);
const payment = await verified(world);
await world.api.reportTransaction((await verified(world)).uuid, await paid(world, payment));
await world.api.verifyUser(
  verificationOf(world, {
    change: ({ payload }) => {
      payload.ivms101.beneficiary.beneficiaryPersons = [];
    },
  }),
);
await world.idle();
await world.api.addFault({ target: 'callback', mode: 'delay', delay: '2s', times: 1, verificationUuid: null });
await played(['W1', 'W2.a', 'D1.a', 'D1.g', 'D2.a', 'C1', 'S1', 'S4'], true);
await world.api.startRun({ plan: 'withdrawal', modules: ['W4.1'] });

async function played(modules: string[], unattended: boolean): Promise<void> {
  const { id } = await world.api.startRun({ plan: 'complete', modules, symbols: ['ETH'], unattended });
  await until(async () => (await world.api.run(id)).endedAt !== null, 30_000);
}

const conditions = MODULES.flatMap(module => conditionsOf(module).map(({ text }) => text));

const WORDS = /[\p{L}\p{N}]+/gu;
const pairsOf = (piece: string): string[] => {
  const words = piece.match(WORDS) ?? [];
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
};

test('every Korean sentence has its English one in the program', async () => {
  const sources = readSources().filter(({ path }) => !path.startsWith('console/texts/'));
  const said = [...sources.map(({ code }) => code), ...conditions, JSON.stringify(await world.api.scenarios())];
  const program = new Set(pairsOf(said.join(' ')));
  // The program may put a sentence together from two parts: one pair of words is then nowhere.
  const isSaid = (sentence: string) =>
    sentence
      .split('{}')
      .flatMap(pairsOf)
      .filter(pair => !program.has(pair)).length <= 1;
  expect(Object.keys(textsOf('ko').sentences).filter(sentence => !isSaid(sentence))).toEqual([]);
});

/** Of each kind of page. */
const MAX_PER_KIND = 12;

async function* pages(): AsyncGenerator<{ path: string; html: string }> {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const waiting = ['/console', '/guide/ko'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = path.replace(/[\da-f]{8}-[\da-f-]{27}|(?:0x)?[\dA-Fa-f]{64}|=[^&]*/g, '');
    const count = kinds.get(kind) ?? 0;
    if (seen.has(path) || count >= MAX_PER_KIND) continue;
    seen.add(path);
    kinds.set(kind, count + 1);
    const answer = await fetch(world.url + path, { headers: { cookie: 'robot-vasp-language=ko' } });
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    const html = await answer.text();
    yield { path, html };
    for (const [, link = ''] of html.matchAll(/href="([^"#]*)/g))
      if (/^\/(?:console(?!\/(?:json|assets|find))|guide\/ko)/.test(link) && !link.includes('lang='))
        waiting.push(link.replaceAll('&amp;', '&'));
  }
}

test('no page in Korean has an English sentence', { timeout: 60_000 }, async () => {
  const left = new Map<string, string>();
  let count = 0;
  for await (const { path, html } of pages()) {
    count++;
    for (const text of englishLeft(html)) left.set(text, path);
  }
  expect([...left]).toEqual([]);
  expect(count).toBeGreaterThan(120);
});
