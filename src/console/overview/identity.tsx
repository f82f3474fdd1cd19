import type { Info, SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Facts } from '../components/definition-list.tsx';
import { lasting } from '../components/time.tsx';

interface Who {
  info: Info;
  clock: SandboxAnswers['clock'];
  health: SandboxAnswers['health'];
}

/** Who tests against whom, and at which time. */
export const Who = ({ info: { vasp, robot, version, mode }, clock, health }: Who) => (
  <Facts
    of={[
      [
        'Your VASP',
        <>
          {vasp.name} <Copyable text={vasp.vaspId} />
        </>,
      ],
      [
        'Tests against',
        <>
          {robot.name} <Copyable text={robot.vaspId} />
        </>,
      ],
      [
        'Sandbox time',
        <>
          {clock.now.replace('T', ' ').slice(0, 19)}{' '}
          <small>{clock.aheadMs === 0 ? 'as the machine' : `${lasting(clock.aheadMs)} ahead`}</small>{' '}
          <a href="/console/timers">Advance</a>
        </>,
      ],
      [
        'State',
        <>
          <Badge of={health.ready ? 'READY' : 'NOT READY'} />{' '}
          <small>{health.missing.join('; ') || `robot-vasp ${version}, ${mode}`}</small>
        </>,
      ],
    ]}
  />
);
