import type { Answers, Info } from '../../client/answers.ts';
import type { Place } from '../pictures/map.tsx';
import type { Texts } from '../texts/english.ts';
import { fill } from '../texts/languages.ts';

type Words = Texts['places'];
type Health = Answers['health'];
type Vasps = Answers['registeredVasps']['vasps'];
type Chain = Health['chains'][number];

export function placesOf({ vasp, robot }: Info, health: Health, vasps: Vasps, texts: Words) {
  const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId);
  const has = (...whats: Health['attention'][number]['what'][]) =>
    health.attention.some(({ what }) => whats.includes(what));
  const callbacksFail = has('callback-given-up', 'callback-failing');
  return {
    vasp: vaspPlace(vasp.name, own, texts),
    enclave: place(
      texts.enclave,
      !health.ready ? texts.notReady : callbacksFail ? texts.callbacksFail : texts.ready,
      !health.ready ? 'bad' : callbacksFail ? 'warn' : 'good',
      '/console/callbacks',
    ),
    robot: place(
      robot.name,
      has('low-funds') ? texts.lacksFunds : has('transfer-waiting') ? texts.transfersWait : texts.works,
      has('low-funds') ? 'bad' : has('transfer-waiting', 'timer-failing') ? 'warn' : 'good',
      '/console/users',
    ),
    ledgers: health.chains.map(each => chainPlace(each, texts)),
  };
}

const place = (name: string, state: string, health: Place['health'], href: string): Place => ({
  name,
  state,
  health,
  href,
});

function vaspPlace(name: string, own: Vasps[number] | undefined, texts: Words): Place {
  const endpoints = Object.values(own?.endpoints ?? {}).filter(url => url !== undefined).length;
  if (endpoints === 0) return place(name, texts.noEndpoint, 'warn', '/console/settings');
  if (own?.health === 'DOWN') return place(name, texts.silent, 'bad', '/console/settings');
  return place(name, texts.answers, 'good', '/console/settings');
}

function chainPlace({ symbol, head, isRead, held }: Chain, texts: Words): Place {
  const state =
    head === null
      ? texts.noAnswer
      : held
        ? fill(texts.held, { height: head })
        : fill(texts.block, { height: head });
  const health = head === null ? 'bad' : isRead && !held ? 'good' : 'warn';
  return place(symbol, state, health, '/console/chains');
}
