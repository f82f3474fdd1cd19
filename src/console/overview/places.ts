import type { Info, SandboxAnswers } from '../../client/answers.ts';
import type { Place } from '../pictures/map.tsx';

type Health = SandboxAnswers['health'];
type Vasps = SandboxAnswers['vasps']['vasps'];
type Chain = Health['chains'][number];

/** The places of the map, with their health. */
export function placesOf({ vasp, robot }: Info, health: Health, vasps: Vasps) {
  const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId);
  const has = (...whats: Health['attention'][number]['what'][]) =>
    health.attention.some(({ what }) => whats.includes(what));
  return {
    vasp: vaspPlace(vasp.name, own),
    enclave: place(
      'Enclave',
      health.ready ? 'ready' : 'not ready',
      health.ready ? (has('callback-given-up', 'callback-failing') ? 'warn' : 'good') : 'bad',
      '/console/callbacks',
    ),
    robot: place(
      robot.name,
      has('low-funds') ? 'lacks funds' : has('transfer-waiting') ? 'transfers wait' : 'works',
      has('low-funds') ? 'bad' : has('transfer-waiting', 'timer-failing') ? 'warn' : 'good',
      '/console/users',
    ),
    ledgers: health.chains.map(chainPlace),
  };
}

const place = (name: string, state: string, health: Place['health'], href: string): Place => ({
  name,
  state,
  health,
  href,
});

function vaspPlace(name: string, own: Vasps[number] | undefined): Place {
  const endpoints = Object.values(own?.endpoints ?? {}).filter(url => url !== undefined).length;
  if (endpoints === 0) return place(name, 'no endpoint yet', 'warn', '/console/settings');
  if (own?.health === 'DOWN') return place(name, 'does not answer', 'bad', '/console/settings');
  return place(name, 'answers', 'good', '/console/settings');
}

function chainPlace({ symbol, head, isRead, held }: Chain): Place {
  const state = head === null ? 'no answer' : held ? `block ${head}, held` : `block ${head}`;
  const health = head === null ? 'bad' : isRead && !held ? 'good' : 'warn';
  return place(symbol, state, health, '/console/chains');
}
