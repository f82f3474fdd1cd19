import type { Info } from '../../client/answers.ts';
import { Copyable } from '../components/copyable.tsx';
import { Prose } from '../components/prose.tsx';
import { useTexts } from '../texts/languages.ts';

/** Instructions for a new user. */
export const FirstSteps = ({ origin, info }: { origin: string; info: Info }) => {
  const { overview, firstSteps: texts } = useTexts();
  const values = {
    address: <Copyable text={origin} />,
    robot: info.robot.name,
    vaspId: <Copyable text={info.robot.vaspId} />,
  };
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{overview.firstSteps}</h2>
      <ol>
        {Object.values(texts).map(step => (
          <li>
            <Prose of={step} with={values} />
          </li>
        ))}
      </ol>
    </section>
  );
};
