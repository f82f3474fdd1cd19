import type { Info, SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { durationText } from '../components/time.tsx';

interface Identity {
  info: Info;
  clock: SandboxAnswers['clock'];
  health: SandboxAnswers['health'];
}

/** The tested VASP, its counterpart and the sandbox time. */
export const Identity = ({ info: { vasp, robot, version, mode }, clock, health }: Identity) => (
  <DefinitionList
    of={[
      [
        'Your VASP',
        <>
          {vasp.name} <Copyable text={vasp.vaspId} />
        </>,
      ],
      [
        'Counterpart',
        <>
          {robot.name} <Copyable text={robot.vaspId} />
        </>,
      ],
      [
        'Sandbox time',
        <>
          {clock.now.replace('T', ' ').slice(0, 19)}{' '}
          <small>
            {clock.aheadMs === 0
              ? 'same as the machine'
              : `${durationText(clock.aheadMs)} ahead of the machine`}
          </small>{' '}
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
