import type { Answers } from '../../client/answers.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { InlineCode } from '../components/text.tsx';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';

export type FaultTarget = Answers['faults']['targets'][number];
type Mode = FaultTarget['modes'][number];

interface FaultModes {
  of: FaultTarget;
  verificationUuid: string;
}

/** One form per mode of the target. */
export const FaultModes = ({ of: { target, modes }, verificationUuid }: FaultModes) => (
  <div class="cards">
    {modes.map(mode => (
      <article>
        <h3>{mode.mode}</h3>
        <p>
          <InlineCode text={mode.meaning} />
        </p>
        <ActionForm
          id={`add-${target}-${mode.mode}`}
          to="/console/faults/add"
          values={{ target, mode: mode.mode, verificationUuid }}
          label={useTexts().faults.addShort}
          describe={() => fill(useTexts().faults.addMode, { mode: mode.mode })}
          keeps
        >
          <Parameters of={mode} />
        </ActionForm>
      </article>
    ))}
  </div>
);

type Input = { value?: string; placeholder?: string; type?: 'number' };
type Name = Mode['parameters'][number] | 'times';
const inputsOf = ({ messageHint, untilRemoved }: Texts['faults']): Record<Name, Input> => ({
  delay: { value: '30s' },
  status: { value: '503', type: 'number' },
  code: { placeholder: 'INTERNAL-ERROR' },
  message: { placeholder: messageHint },
  times: { value: '1', placeholder: untilRemoved, type: 'number' },
});

const Parameters = ({ of: { parameters } }: { of: Mode }) => {
  const { faults } = useTexts();
  return (
    <>
      {[...parameters, 'times' as const].map(name => {
        const label = faults[name === 'times' ? 'howOften' : name];
        return <Field name={name} label={label} {...inputsOf(faults)[name]} />;
      })}
    </>
  );
};
