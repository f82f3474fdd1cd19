import type { Answers, Info } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { durationText } from '../components/time.tsx';
import { useTexts } from '../texts/languages.ts';

interface Identity {
  info: Info;
  clock: Answers['clock'];
  health: Answers['health'];
}

/** The tested VASP, its counterpart and the sandbox time. */
export const Identity = ({ info: { vasp, robot, version, mode, parts }, clock, health }: Identity) => {
  const { overview: texts, time } = useTexts();
  return (
    <DefinitionList
      of={[
        [
          texts.yourVasp,
          <>
            {vasp.name} <Copyable text={vasp.vaspId} />
          </>,
        ],
        [
          texts.counterpart,
          <>
            {robot.name} <Copyable text={robot.vaspId} />
          </>,
        ],
        [
          texts.sandboxTime,
          <>
            {clock.now.replace('T', ' ').slice(0, 19)}{' '}
            <small>
              {clock.aheadMs === 0 ? texts.sameTime : texts.ahead(durationText(clock.aheadMs, time))}
            </small>{' '}
            <a href="/console/timers">{texts.advance}</a>
          </>,
        ],
        [
          texts.state,
          <>
            <Badge of={health.ready ? 'READY' : 'NOT READY'} />{' '}
            <small>
              {health.missing.join('; ') || `robot-vasp ${version}, ${parts.length === 1 ? parts[0] : mode}`}
            </small>
          </>,
        ],
      ]}
    />
  );
};
